//! Exchanges batches, schemas and streams with other libraries, through the Arrow PyCapsule interface.

pub(crate) mod array;
pub(crate) mod batches;
pub(crate) mod capsule;
pub(crate) mod collected;
pub(crate) mod rejects;
pub(crate) mod schema;
