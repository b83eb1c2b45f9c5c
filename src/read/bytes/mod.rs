//! Reads the bytes of an input: decompresses them, and cuts them into batches. Also reads the first bytes of an input,
//! from which its format is recognised.

pub(crate) mod chunker;
mod gzip;
pub(crate) mod head;
mod members;
#[cfg(test)]
mod members_twin;
pub(crate) mod stored;
mod stored_bytes;
pub(crate) mod zip;
mod zstd;

/// The line without a carriage return at its end.
pub(crate) fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
