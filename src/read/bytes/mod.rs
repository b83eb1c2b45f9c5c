//! The bytes of an input: they are decompressed, and cut into batches. The format is recognised from the
//! first bytes.

pub(crate) mod chunker;
pub(crate) mod head;
pub(crate) mod stored;
pub(crate) mod zip;
