//! The bytes of a compressed input as they are stored, which can be looked at before they are decompressed.
//!
//! ```text
//! reads of the source   │ 512 bytes │ 128 KiB      │ 128 KiB      │
//! consumed, taken       │ consumed      │ member taken     │ not taken yet
//! ```
//!
//! A member that was taken can be put back. It is then decompressed from the same reads as if it had never been taken, so
//! that a damaged member gives the same text and the same error.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of bytes that are read at a time.
pub(super) const READ_SIZE: usize = 128 * 1024;

/// Consecutive bytes that were taken out of the stored bytes.
#[derive(Debug, Default)]
pub(super) struct StoredPart {
    pub(super) bytes: Vec<u8>,
    /// The offsets in `bytes` at which reads of the source ended.
    read_ends: VecDeque<usize>,
}

/// The bytes of an input before decompression.
pub(super) struct StoredBytes {
    source: Box<dyn Read + Send>,
    /// The bytes from the index `start` to the index `filled` have been read, and neither consumed nor taken.
    buffer: Vec<u8>,
    start: usize,
    filled: usize,
    /// The indices in `buffer` at which reads of the source ended, after `start`.
    read_ends: VecDeque<usize>,
    /// An error that occurred when bytes were looked at. It is returned after the bytes before it.
    failed: Option<io::Error>,
    /// The number of bytes that have been consumed, and not those that were only looked at. The position of an error is
    /// then exact to a few bytes.
    bytes_read: Arc<AtomicU64>,
}

impl Default for StoredBytes {
    fn default() -> StoredBytes {
        StoredBytes::new(Vec::new(), io::empty(), Arc::default())
    }
}

impl StoredBytes {
    /// The first bytes have already been read from the source.
    pub(super) fn new(
        first_bytes: Vec<u8>,
        source: impl Read + Send + 'static,
        bytes_read: Arc<AtomicU64>,
    ) -> StoredBytes {
        let filled = first_bytes.len();
        StoredBytes {
            source: Box::new(source),
            buffer: first_bytes,
            start: 0,
            filled,
            read_ends: [filled].into_iter().filter(|end| *end > 0).collect(),
            failed: None,
            bytes_read,
        }
    }

    /// The bytes that have been read, and neither consumed nor taken.
    pub(super) fn buffered(&self) -> &[u8] {
        &self.buffer[self.start..self.filled]
    }

    /// Reads until `size` bytes can be looked at, or the source ends or fails.
    pub(super) fn look_at(&mut self, size: usize) -> &[u8] {
        while self.filled - self.start < size && self.failed.is_none() {
            if self.start > 0 {
                self.move_to_front();
            }
            match self.read_more() {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => self.failed = Some(error),
            }
        }
        self.buffered()
    }

    /// Takes bytes that have been looked at. They count as consumed when [`StoredBytes::count`] is called. `spare` is a
    /// buffer for the bytes after them.
    pub(super) fn take_part(&mut self, size: usize, mut spare: Vec<u8>) -> StoredPart {
        self.move_to_front();
        let size = size.min(self.filled);
        let rest = &self.buffer[size..self.filled];
        if spare.len() < rest.len() {
            spare.resize(rest.len(), 0);
        }
        spare[..rest.len()].copy_from_slice(rest);
        self.filled -= size;
        let mut bytes = std::mem::replace(&mut self.buffer, spare);
        bytes.truncate(size);
        let ends_in_part = self.read_ends.partition_point(|end| *end <= size);
        let read_ends = self.read_ends.drain(..ends_in_part).collect();
        for end in &mut self.read_ends {
            *end -= size;
        }
        StoredPart { bytes, read_ends }
    }

    /// Puts the parts that were taken last back before the other bytes.
    pub(super) fn put_back(&mut self, parts: impl IntoIterator<Item = StoredPart>) {
        let mut buffer = Vec::new();
        let mut read_ends = VecDeque::new();
        for part in parts {
            read_ends.extend(part.read_ends.iter().map(|end| buffer.len() + end));
            buffer.extend_from_slice(&part.bytes);
        }
        let ends_after = self.read_ends.iter();
        read_ends.extend(ends_after.map(|end| buffer.len() + end - self.start));
        buffer.extend_from_slice(self.buffered());
        self.filled = buffer.len();
        self.start = 0;
        self.buffer = buffer;
        self.read_ends = read_ends;
    }

    /// Counts bytes that were taken as consumed.
    pub(super) fn count(&self, bytes: usize) {
        self.bytes_read.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Moves the bytes that have been read to the start of the buffer.
    fn move_to_front(&mut self) {
        self.buffer.copy_within(self.start..self.filled, 0);
        for end in &mut self.read_ends {
            *end -= self.start;
        }
        self.filled -= self.start;
        self.start = 0;
    }

    /// Reads once, and returns the number of bytes. Decompressors would fail if a signal interrupts a read, so it is then
    /// repeated.
    fn read_more(&mut self) -> io::Result<usize> {
        let end = self.filled + READ_SIZE;
        if self.buffer.len() < end {
            self.buffer.resize(end, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.filled..end]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(read_bytes) => {
                    if read_bytes > 0 {
                        self.filled += read_bytes;
                        self.read_ends.push_back(self.filled);
                    }
                    return Ok(read_bytes);
                }
            }
        }
    }
}

impl Read for StoredBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read_bytes = self.fill_buf()?.read(buffer)?;
        self.consume(read_bytes);
        Ok(read_bytes)
    }
}

impl BufRead for StoredBytes {
    /// The rest of the oldest read.
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.filled {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            (self.start, self.filled) = (0, 0);
            self.read_more()?;
        }
        let end = self.read_ends.front().copied().unwrap_or(self.filled);
        Ok(&self.buffer[self.start..end])
    }

    fn consume(&mut self, amount: usize) {
        self.start = (self.start + amount).min(self.filled);
        self.read_ends.pop_front_if(|end| *end <= self.start);
        self.count(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_core::random::Rng;

    /// A source that returns at most 40 bytes at a time, and fails once, at the byte `fails_at`.
    struct Source {
        bytes: Vec<u8>,
        at: usize,
        fails_at: Option<usize>,
        rng: Rng,
    }

    impl Read for Source {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.fails_at.take_if(|at| *at <= self.at).is_some() {
                return Err(io::Error::other("an outage"));
            }
            let size = (1 + self.rng.below(40)).min(self.bytes.len() - self.at);
            buffer[..size].copy_from_slice(&self.bytes[self.at..self.at + size]);
            self.at += size;
            Ok(size)
        }
    }

    fn open(seed: u64) -> (StoredBytes, Arc<AtomicU64>) {
        let bytes_read = Arc::new(AtomicU64::new(0));
        let source = Source {
            bytes: (4..=255).cycle().take(2000).collect(),
            at: 0,
            fails_at: Some(700),
            rng: Rng::new(seed),
        };
        let stored = StoredBytes::new(vec![0, 1, 2, 3], source, Arc::clone(&bytes_read));
        (stored, bytes_read)
    }

    /// The reads of a source, each with the count of consumed bytes, to the end. The text of an error counts as one.
    fn reads(mut stored: StoredBytes, bytes_read: &AtomicU64) -> Vec<(Vec<u8>, u64)> {
        let mut reads = Vec::new();
        loop {
            let read = match stored.fill_buf() {
                Ok([]) => return reads,
                Ok(read) => read.to_vec(),
                Err(error) => error.to_string().into_bytes(),
            };
            if !read.starts_with(b"an outage") {
                stored.consume(read.len());
            }
            reads.push((read, bytes_read.load(Ordering::Relaxed)));
        }
    }

    #[test]
    fn bytes_that_were_put_back_are_read_as_if_they_had_never_been_taken() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let (mut taking, count) = open(seed);
            let (mut plain, plain_count) = open(seed);
            for _ in 0..rng.below(3) {
                for stored in [&mut taking, &mut plain] {
                    let read = stored.fill_buf().unwrap().len();
                    stored.consume(read.div_ceil(2));
                }
            }
            let mut parts = Vec::new();
            for _ in 0..rng.below(5) {
                let size = taking.look_at(1 + rng.below(300)).len();
                let spare = vec![9; rng.below(50)];
                parts.push(taking.take_part(rng.below(size + 1), spare));
            }
            taking.put_back(parts);
            assert!(
                reads(taking, &count) == reads(plain, &plain_count),
                "seed {seed}"
            );
        }
    }

    #[test]
    fn parts_are_the_bytes_of_the_source() {
        let (mut stored, count) = open(3);
        assert_eq!(stored.look_at(2).len(), 4, "the first bytes are there");
        let part = stored.take_part(3, Vec::new());
        assert_eq!(part.bytes, [0, 1, 2]);
        assert_eq!(count.load(Ordering::Relaxed), 0, "it is not counted yet");
        stored.count(part.bytes.len());
        assert_eq!(count.load(Ordering::Relaxed), 3);
        assert!(stored.look_at(500).len() >= 500);
        assert_eq!(stored.take_part(2, Vec::new()).bytes, [3, 4]);
        let before_outage = stored.look_at(1000).len();
        assert!((690..800).contains(&(before_outage + 5)), "{before_outage}");
    }
}
