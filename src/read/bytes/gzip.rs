//! Decompresses gzip files, which may consist of several compressed parts (members).

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Reads the members of a gzip file one after the other. [`flate2::read::MultiGzDecoder`] cannot be used: it fails if a
/// tape or a block device has padded the file with zeros.
pub(super) struct GzipMembers<R> {
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipMembers<R> {
    pub(super) fn new(stored_bytes: R) -> GzipMembers<R> {
        GzipMembers {
            member: Some(GzDecoder::new(stored_bytes)),
        }
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read_bytes = member.read(buffer)?;
            if read_bytes > 0 || buffer.is_empty() {
                return Ok(read_bytes);
            }
            self.member = match self.member.take() {
                Some(done) => next_member(done.into_inner())?,
                None => None,
            };
        }
        Ok(0)
    }
}

fn next_member<R: BufRead>(mut rest: R) -> io::Result<Option<GzDecoder<R>>> {
    loop {
        let bytes = rest.fill_buf()?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let next_byte = bytes.get(zeros).copied();
        rest.consume(zeros);
        match next_byte {
            None => {}
            // 0x1f is the first byte of every member.
            Some(0x1f) => return Ok(Some(GzDecoder::new(rest))),
            Some(_) => {
                let problem = "bytes that are not gzip follow its last member";
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
        }
    }
}
