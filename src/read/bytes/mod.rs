//! Reads the bytes of an input: decompresses them, and cuts them into batches. The first bytes tell the format.

pub(crate) mod chunker;
mod gzip;
pub(crate) mod head;
pub(crate) mod stored;
pub(crate) mod zip;

/// The line without the carriage return of a CRLF line end.
pub(crate) fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
