//! Reads the messages of an Arrow IPC stream, from a file or a pipe.

use arrow::buffer::Buffer;
use arrow::ipc::root_as_message;

use super::messages::{CONTINUATION, IpcMessage, LONGEST_HEAD, Messages, SourceName};
use crate::error::Error;
use crate::read::bytes::stored::InputBytes;
use crate::read::columnar::MOST_BYTES;

/// The maximum number of bytes that are allocated before data for them has arrived.
const STEP_BYTES: usize = 1 << 20;

/// Reads the messages of an Arrow IPC stream, one after the other.
pub(super) struct StreamMessages {
    input_bytes: InputBytes,
    name: SourceName,
    /// The offset of the most recently read message. `message_end` is the offset of its end.
    message_start: u64,
    message_end: u64,
    ended: bool,
}

impl StreamMessages {
    pub(super) fn new(name: SourceName, input_bytes: InputBytes) -> StreamMessages {
        StreamMessages {
            input_bytes,
            name,
            message_start: 0,
            message_end: 0,
            ended: false,
        }
    }

    /// Reads `length` bytes, or fewer if the stream ends before.
    fn read_up_to(&mut self, length: u64) -> Result<Vec<u8>, Error> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            let filled_bytes = bytes.len();
            bytes.resize(length.min(filled_bytes + STEP_BYTES.max(filled_bytes)), 0);
            let read_bytes = self.input_bytes.read(&mut bytes[filled_bytes..])?;
            bytes.truncate(filled_bytes + read_bytes);
            self.message_end += read_bytes as u64;
            if read_bytes == 0 {
                break;
            }
        }
        Ok(bytes)
    }

    fn read_exactly(&mut self, length: u64) -> Result<Vec<u8>, Error> {
        let bytes = self.read_up_to(length)?;
        if bytes.len() as u64 == length {
            Ok(bytes)
        } else {
            Err(self.cut_short())
        }
    }

    /// Checks that the input ends after the end mark of the stream. For this, the input is read to its end, so that a
    /// decompressor also verifies its checksums.
    fn expect_end(&mut self, has_continuation: bool) -> Result<Option<IpcMessage>, Error> {
        let end = self.message_end;
        if self.read_up_to(1)?.is_empty() {
            return Ok(None);
        }
        let (at, what) = if has_continuation {
            (
                end,
                "the Arrow stream goes on after its end mark: give each of several streams as a \
                 file of its own",
            )
        } else {
            // In streams written before 2019, the end mark consists of four zero bytes.
            (
                self.message_start,
                "zeros stand where the Arrow stream should go on with a message",
            )
        };
        Err(self.name.corrupt(at, what))
    }

    fn cut_short(&self) -> Error {
        let problem = "the Arrow stream ends early: it is truncated";
        self.name.corrupt(self.message_end, problem)
    }
}

/// The position of a message of a stream that has gone on.
struct LastMessage {
    start: u64,
    end: u64,
}

impl Messages for LastMessage {
    fn byte_offset(&self) -> u64 {
        self.start
    }

    fn bytes(&self) -> u64 {
        self.end - self.start
    }

    fn rows_left(&self) -> Option<u64> {
        None
    }

    fn at_last(&self) -> Box<dyn Messages> {
        Box::new(LastMessage { ..*self })
    }

    fn next(&mut self) -> Result<Option<IpcMessage>, Error> {
        Ok(None)
    }
}

impl Messages for StreamMessages {
    fn byte_offset(&self) -> u64 {
        self.message_start
    }

    fn bytes(&self) -> u64 {
        self.message_end - self.message_start
    }

    fn rows_left(&self) -> Option<u64> {
        None
    }

    fn at_last(&self) -> Box<dyn Messages> {
        Box::new(LastMessage {
            start: self.message_start,
            end: self.message_end,
        })
    }

    fn next(&mut self) -> Result<Option<IpcMessage>, Error> {
        if self.ended {
            return Ok(None);
        }
        self.message_start = self.message_end;
        let mut word = self.read_up_to(4)?;
        if word.is_empty() {
            let problem = "the Arrow stream stops without its end mark: it was cut short between two \
                        messages, or its writer was not closed";
            return Err(self.name.corrupt(self.message_end, problem));
        }
        let has_continuation = word == CONTINUATION;
        if has_continuation {
            word = self.read_up_to(4)?;
        }
        let Ok(word) = <[u8; 4]>::try_from(word) else {
            return Err(self.cut_short());
        };
        let length = u64::from(u32::from_le_bytes(word));
        if length == 0 {
            self.ended = true;
            return self.expect_end(has_continuation);
        }
        let damaged = |what: String| self.name.damaged(self.message_start, what);
        if length > LONGEST_HEAD {
            return Err(damaged(format!(
                "the description of a message has {length} bytes"
            )));
        }
        let description_bytes = self.read_exactly(length)?;
        let damaged = |what: String| self.name.damaged(self.message_start, what);
        let message = root_as_message(&description_bytes)
            .map_err(|error| damaged(format!("the description of a message: {error}")))?;
        let body_length = message.bodyLength();
        let body_length = u64::try_from(body_length)
            .map_err(|_| damaged(format!("the body of a message has {body_length} bytes")))?;
        if body_length > MOST_BYTES {
            return Err(self.name.too_large(self.message_start, body_length));
        }
        Ok(Some(IpcMessage {
            byte_offset: self.message_start,
            head: description_bytes,
            body: Buffer::from_vec(self.read_exactly(body_length)?),
            footer_kind: None,
        }))
    }
}
