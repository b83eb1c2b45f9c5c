//! The bytes of an input: decompressed and cut into batches. The first bytes tell the format.

pub(crate) mod chunker;
pub(crate) mod head;
pub(crate) mod stored;
pub(crate) mod zip;
