//! JSON inputs: one object per line, arrays of objects or grids, and documents whose records are under a key.

pub(crate) mod array;
mod cells;
pub(crate) mod document;
mod elements;
mod grids;
pub(crate) mod ndjson;
mod objects;
