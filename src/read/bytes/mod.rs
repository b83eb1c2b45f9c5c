//! Reads the bytes of an input: decompresses them, and cuts them into batches. The first bytes tell the format.

pub(crate) mod chunker;
pub(crate) mod head;
pub(crate) mod stored;
pub(crate) mod zip;
