//! Turns panics of the crates that decode inputs into errors.
//!
//! These crates panic on some damaged inputs, mostly in their schemas. A job over a thousand files must continue
//! with the next file, or fail with the name of the damaged one. Every call of a decoder therefore goes through
//! this module.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::panics::expected;
use crate::read::{Batch, BatchSource, Input, Parse, Part, Payload, PieceLimits, Records, Workers};

/// Runs a decoder, and turns a panic into an error with the panic's message. After a panic, the objects that the
/// decoder used must not be used again.
pub(crate) fn guarded<T, E>(
    decode: impl FnOnce() -> Result<T, E>,
    panicked: impl FnOnce(String) -> E,
) -> Result<T, E> {
    expected(decode).unwrap_or_else(|panic| Err(panicked(panic)))
}

/// The error for a panic in a decoder. It tells the user that the input is damaged.
pub(crate) fn decoder_error(source_name: &str, byte_offset: u64, panic: &str) -> Error {
    Error::Corrupt {
        source_name: source_name.to_owned(),
        byte_offset,
        what: format!(
            "the decoder of this format failed ({panic}): the input is damaged, or holds what the \
             decoder cannot read; where other programs can read it, please report this"
        ),
    }
}

/// Opens an input, and converts panics of all later reads to errors.
pub(crate) fn guarded_input(
    source_name: &str,
    open: impl FnOnce() -> Result<Input, Error>,
) -> Result<Input, Error> {
    let mut input = guarded(open, |panic| decoder_error(source_name, 0, &panic))?;
    let read_position = ReadPosition {
        source_name: source_name.to_owned(),
        bytes_read: Arc::clone(&input.bytes_read),
    };
    input.source = Box::new(GuardedSource {
        inner: input.source,
        position: read_position.clone(),
        failed: false,
    });
    input.parser = Arc::new(GuardedParser {
        inner: input.parser,
        position: read_position,
    });
    Ok(input)
}

/// The name of an input and the number of bytes that have been read of it, before decompression.
#[derive(Clone)]
struct ReadPosition {
    source_name: String,
    bytes_read: Arc<AtomicU64>,
}

impl ReadPosition {
    fn error(&self, panic: &str) -> Error {
        let byte = self.bytes_read.load(Ordering::Relaxed);
        decoder_error(&self.source_name, byte, panic)
    }
}

struct GuardedSource {
    inner: Box<dyn BatchSource>,
    position: ReadPosition,
    /// Whether the inner source has panicked. If so, its state is undefined, and it is not used again.
    failed: bool,
}

impl BatchSource for GuardedSource {
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        if self.failed {
            return Ok(None);
        }
        let mut panicked = false;
        let next_batch = guarded(
            || self.inner.next(buffer),
            |panic| {
                panicked = true;
                self.position.error(&panic)
            },
        );
        self.failed = panicked;
        next_batch
    }

    fn next_part(&mut self, buffer: Vec<u8>, limits: &PieceLimits) -> Result<Option<Part>, Error> {
        if self.failed {
            return Ok(None);
        }
        let mut panicked = false;
        let part = guarded(
            || self.inner.next_part(buffer, limits),
            |panic| {
                panicked = true;
                self.position.error(&panic)
            },
        );
        self.failed = panicked;
        let guard_piece = |inner, bytes_read: &Arc<AtomicU64>| {
            Box::new(GuardedSource {
                inner,
                position: ReadPosition {
                    bytes_read: Arc::clone(bytes_read),
                    ..self.position.clone()
                },
                failed: false,
            }) as Box<dyn BatchSource>
        };
        Ok(part?.map(|part| part.map_source(guard_piece)))
    }

    fn use_workers(&mut self, workers: &Arc<dyn Workers>) {
        self.inner.use_workers(workers);
    }

    fn dropped(&self) -> u64 {
        self.inner.dropped()
    }

    fn rows_lost(&self) -> Option<u64> {
        if self.failed {
            None
        } else {
            self.inner.rows_lost()
        }
    }
}

struct GuardedParser {
    inner: Arc<dyn Parse>,
    position: ReadPosition,
}

impl Parse for GuardedParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        guarded(
            || self.inner.parse(batch),
            |panic| match &batch.payload {
                Payload::Text(chunk) => {
                    decoder_error(&self.position.source_name, chunk.byte_offset, &panic)
                }
                Payload::Columns(_) => self.position.error(&panic),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::open;
    use crate::read::{ReadOptions, TextChunk};

    struct Panics;

    impl BatchSource for Panics {
        fn next(&mut self, _: Vec<u8>) -> Result<Option<Batch>, Error> {
            panic!("so many bytes");
        }
    }

    impl Parse for Panics {
        fn parse<'a>(&self, _: &'a Batch) -> Result<Records<'a>, Error> {
            panic!("{} bytes", 7);
        }
    }

    #[test]
    fn a_panic_in_any_step_of_reading_is_a_damaged_input_with_its_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.txt");
        std::fs::write(&path, "# nothing\n").unwrap();
        let path = path.to_str().unwrap();
        let mut input = guarded_input("in.txt", || {
            let mut input = open(path, &ReadOptions::default())?;
            input.source = Box::new(Panics);
            input.parser = Arc::new(Panics);
            input.bytes_read = Arc::new(AtomicU64::new(91));
            Ok(input)
        })
        .unwrap();
        let batch = Batch {
            first_row: 0,
            rows: 1,
            payload: Payload::Text(TextChunk {
                bytes: Vec::new(),
                byte_offset: 55,
                first_line: 1,
                broken: None,
            }),
        };
        let opened_input = guarded_input("in.txt", || panic!("a schema"));
        for (error, words) in [
            (
                opened_input.err(),
                "in.txt: at byte 0: the decoder of this format failed (a schema)",
            ),
            (
                input.source.next(Vec::new()).err(),
                "at byte 91: the decoder of this format failed (so many bytes)",
            ),
            (
                input.parser.parse(&batch).err(),
                "at byte 55: the decoder of this format failed (7 bytes)",
            ),
        ] {
            let error = error.unwrap();
            assert_eq!(error.exit_code(), 3);
            assert!(error.to_string().contains(words), "{error}");
        }
        assert!(
            matches!(input.source.next(Vec::new()), Ok(None)),
            "it is not asked again"
        );
    }
}
