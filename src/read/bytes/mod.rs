//! The bytes of an input: decompressed, cut into batches, and the first of them for the detection.

pub(crate) mod chunker;
pub(crate) mod head;
pub(crate) mod stored;
pub(crate) mod zip;
