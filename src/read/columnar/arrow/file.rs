//! An Arrow IPC file, by its footer: some writers put more into it than messages.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::buffer::Buffer;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::ipc::convert::fb_to_schema;
use arrow::ipc::{Block, root_as_footer};
use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;

use super::messages::{CONTINUATION, LONGEST_HEAD, MAGIC, Message, Messages, Name};
use crate::error::Error;
use crate::read::columnar::guard::guarded;
use crate::read::columnar::{MOST_BYTES, refused_by_system};

/// The longest footer.
const LONGEST_FOOTER: u64 = 64 << 20;

/// The messages of a file.
pub(super) struct BlockFile<R> {
    file: R,
    name: Name,
    /// Dictionaries, then record batches.
    blocks: VecDeque<Place>,
    start: u64,
    /// Of the last message.
    read: u64,
    bytes_read: Arc<AtomicU64>,
}

/// Where a message stands.
#[derive(Clone, Copy)]
struct Place {
    start: u64,
    head: u64,
    body: u64,
}

impl<R: ChunkReader> BlockFile<R> {
    /// Reads the footer; the schema in it, and the messages that it names.
    pub(super) fn new(
        name: Name,
        file: R,
        bytes: u64,
    ) -> Result<(BlockFile<R>, SchemaRef, Arc<AtomicU64>), Error> {
        let cut_short = || {
            name.corrupt(
                bytes,
                "the Arrow file has no footer at its end: it is truncated",
            )
        };
        let end = bytes.checked_sub(10).ok_or_else(cut_short)?;
        let tail = read(&name, &file, end, 10)?;
        let Some((length, magic)) = tail.split_first_chunk::<4>() else {
            return Err(cut_short());
        };
        if magic != MAGIC {
            return Err(cut_short());
        }
        let length = u64::from(u32::from_le_bytes(*length));
        let start = end.checked_sub(length).filter(|_| length <= LONGEST_FOOTER);
        let start =
            start.ok_or_else(|| name.damaged(end, format!("its footer has {length} bytes")))?;
        let footer = read(&name, &file, start, length)?;
        let understood = guarded(|| understand(&footer, start), |panic| panic);
        let (schema, blocks) = understood.map_err(|what| name.bad_schema(start, &what))?;
        let bytes_read = Arc::new(AtomicU64::new(0));
        let file = BlockFile {
            file,
            name,
            blocks,
            start: 0,
            read: 0,
            bytes_read: bytes_read.clone(),
        };
        Ok((file, Arc::new(schema), bytes_read))
    }
}

/// The schema and the messages that a footer names; `start`: where it stands.
fn understand(footer: &[u8], start: u64) -> Result<(Schema, VecDeque<Place>), String> {
    let footer = root_as_footer(footer).map_err(|error| format!("its footer: {error}"))?;
    let schema = footer.schema().ok_or("its footer has no schema")?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err("its numbers have the other byte order".to_owned());
    }
    let dictionaries = footer.dictionaries().into_iter().flatten();
    let batches = footer.recordBatches().into_iter().flatten();
    let mut total: u64 = 0;
    let mut places = VecDeque::new();
    for block in dictionaries.chain(batches) {
        let place = place(block).filter(|place| {
            total = total.saturating_add(place.head).saturating_add(place.body);
            let end = place
                .start
                .saturating_add(place.head)
                .saturating_add(place.body);
            // So no message can stand for more than once for itself.
            end <= start && total <= start
        });
        places.push_back(place.ok_or("a record batch does not lie within it")?);
    }
    Ok((fb_to_schema(schema), places))
}

fn place(block: &Block) -> Option<Place> {
    Some(Place {
        start: u64::try_from(block.offset()).ok()?,
        head: u64::try_from(block.metaDataLength()).ok()?,
        body: u64::try_from(block.bodyLength()).ok()?,
    })
}

fn read<R: ChunkReader>(name: &Name, file: &R, start: u64, length: u64) -> Result<Vec<u8>, Error> {
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let bytes = file.get_bytes(start, length);
    bytes.map(Vec::from).map_err(|error: ParquetError| {
        refused_by_system(&name.0, &error).unwrap_or_else(|| name.damaged(start, error))
    })
}

impl<R: ChunkReader> Messages for BlockFile<R> {
    fn byte_offset(&self) -> u64 {
        self.start
    }

    fn bytes(&self) -> u64 {
        self.read
    }

    fn next(&mut self) -> Result<Option<Message>, Error> {
        let Some(Place { start, head, body }) = self.blocks.pop_front() else {
            return Ok(None);
        };
        self.start = start;
        self.read = 0;
        if head > LONGEST_HEAD {
            let what = format!("the description of a message has {head} bytes");
            return Err(self.name.damaged(start, what));
        }
        if body > MOST_BYTES {
            return Err(self.name.too_large(start, body));
        }
        let mut description = read(&self.name, &self.file, start, head)?;
        let before = match description.starts_with(&CONTINUATION) {
            true => 8,
            // As it was written before 2019.
            false => 4,
        };
        description.drain(..before.min(description.len()));
        let buffers = read(&self.name, &self.file, start + head, body)?;
        self.read = head + body;
        self.bytes_read
            .store(start + head + body, Ordering::Relaxed);
        Ok(Some(Message {
            byte_offset: start,
            head: description,
            body: Buffer::from_vec(buffers),
        }))
    }
}
