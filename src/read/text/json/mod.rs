//! JSON inputs: one object per line, or an array of objects.

pub(crate) mod array;
mod cells;
pub(crate) mod ndjson;
mod objects;
