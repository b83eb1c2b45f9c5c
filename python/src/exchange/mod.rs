//! Batches, schemas and streams exchanged with other libraries by the Arrow PyCapsule interface.

pub(crate) mod array;
pub(crate) mod capsule;
pub(crate) mod rejects;
pub(crate) mod schema;
