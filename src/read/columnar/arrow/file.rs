//! Reads the messages of an Arrow IPC file by their positions in the footer, because some writers put other data
//! between the messages.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::buffer::Buffer;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::ipc::convert::fb_to_schema;
use arrow::ipc::{Block, root_as_footer, root_as_message};
use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;

use super::gaps::find_unlisted_data;
use super::messages::{
    CONTINUATION, FooterKind, IpcMessage, LONGEST_HEAD, MAGIC, Messages, SeparateMessage,
    SourceName,
};
use crate::error::Error;
use crate::read::PieceLimits;
use crate::read::columnar::{BATCH_ROWS, MOST_BYTES};
use crate::read::guard::guarded;

/// The size in bytes of a compressed record batch that takes the memory of a batch in progress.
const BODY_BYTES_PER_BATCH: u64 = 1 << 20;

/// The maximum size of a footer in bytes.
const LONGEST_FOOTER: u64 = 64 << 20;

/// The messages of an Arrow file, whose positions are in its footer.
pub(super) struct BlockFile<R> {
    file: R,
    name: SourceName,
    /// The positions of the messages: dictionaries first, then record batches.
    blocks: Arc<[MessageBlock]>,
    /// The indices of the messages that have not been read yet.
    unread: Range<usize>,
    /// The error about messages that the footer does not list. It is returned after all listed messages have been read.
    unlisted_data: Option<Error>,
    /// The index of the first message whose rows count as left: the most recently read one, or the next one before the
    /// first message and after the last one.
    first_left: usize,
    /// The position of the most recently read message.
    start: u64,
    /// The number of bytes that have been read of the most recently read message.
    read_bytes: u64,
    bytes_read: Arc<AtomicU64>,
    /// The position that has been added to `bytes_read`.
    reported_position: u64,
    /// Whether messages may be read out of order. In a store, this would cost more requests.
    may_divide: bool,
}

/// The position and size of a message.
#[derive(Clone, Copy)]
struct MessageBlock {
    /// The offset of the message in the file.
    start: u64,
    /// The size in bytes of the description at the start of the message.
    head: u64,
    /// The size in bytes of the body, which holds the values.
    body: u64,
    footer_kind: FooterKind,
}

impl MessageBlock {
    fn end(self) -> u64 {
        self.start
            .saturating_add(self.head)
            .saturating_add(self.body)
    }
}

impl<R: ChunkReader + Clone + 'static> BlockFile<R> {
    /// Reads the footer of an Arrow file. Returns the messages at the positions that it lists, its schema, and a
    /// counter of the bytes that have been read.
    pub(super) fn new(
        name: SourceName,
        file: R,
        bytes: u64,
        may_divide: bool,
    ) -> Result<(BlockFile<R>, SchemaRef, Arc<AtomicU64>), Error> {
        let cut_short = || {
            name.corrupt(
                bytes,
                "the Arrow file has no footer at its end: it is truncated",
            )
        };
        let footer_end = bytes.checked_sub(10).ok_or_else(cut_short)?;
        let tail = read(&name, &file, footer_end, 10)?;
        let Some((length, magic)) = tail.split_first_chunk::<4>() else {
            return Err(cut_short());
        };
        if magic != MAGIC {
            return Err(cut_short());
        }
        let length = u64::from(u32::from_le_bytes(*length));
        let footer_start = footer_end
            .checked_sub(length)
            .filter(|_| length <= LONGEST_FOOTER);
        let footer_start = footer_start
            .ok_or_else(|| name.damaged(footer_end, format!("its footer has {length} bytes")))?;
        let footer = read(&name, &file, footer_start, length)?;
        let parsed = guarded(|| parse_footer(&footer, footer_start), |panic| panic);
        let (schema, blocks) = parsed.map_err(|what| name.bad_schema(footer_start, &what))?;
        let mut message_spans: Vec<_> = blocks
            .iter()
            .map(|block| (block.start, block.end()))
            .collect();
        message_spans.sort_unstable();
        let unlisted_data =
            find_unlisted_data(&name, &message_spans, footer_start, |at, length| {
                read(&name, &file, at, length)
            })?;
        let bytes_read = Arc::new(AtomicU64::new(0));
        let file = BlockFile {
            file,
            name,
            unread: 0..blocks.len(),
            blocks: Vec::from(blocks).into(),
            unlisted_data,
            first_left: 0,
            start: 0,
            read_bytes: 0,
            bytes_read: bytes_read.clone(),
            reported_position: 0,
            may_divide,
        };
        Ok((file, Arc::new(schema), bytes_read))
    }
}

/// Parses a footer, which has the schema and the positions of the messages. `start` is the footer's own position.
fn parse_footer(footer: &[u8], start: u64) -> Result<(Schema, VecDeque<MessageBlock>), String> {
    let footer = root_as_footer(footer).map_err(|error| format!("its footer: {error}"))?;
    let schema = footer.schema().ok_or("its footer has no schema")?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err("its numbers have the other byte order".to_owned());
    }
    let dictionaries = footer.dictionaries().into_iter().flatten();
    let dictionaries = dictionaries.map(|block| message_block(block, FooterKind::Dictionary));
    let batches = footer.recordBatches().into_iter().flatten();
    let batches = batches.map(|block| message_block(block, FooterKind::RecordBatch));
    let mut blocks = VecDeque::new();
    for block in dictionaries.chain(batches) {
        let block = block.filter(|block| block.end() <= start);
        blocks.push_back(block.ok_or("a record batch does not lie within it")?);
    }
    let mut message_spans: Vec<_> = blocks
        .iter()
        .map(|block: &MessageBlock| (block.start, block.end()))
        .collect();
    message_spans.sort_unstable();
    if message_spans.windows(2).any(|pair| pair[1].0 < pair[0].1) {
        Err("its footer names the same bytes twice".to_owned())
    } else {
        Ok((fb_to_schema(schema), blocks))
    }
}

fn message_block(block: &Block, footer_kind: FooterKind) -> Option<MessageBlock> {
    Some(MessageBlock {
        footer_kind,
        start: u64::try_from(block.offset()).ok()?,
        head: u64::try_from(block.metaDataLength()).ok()?,
        body: u64::try_from(block.bodyLength()).ok()?,
    })
}

fn read<R: ChunkReader>(
    name: &SourceName,
    file: &R,
    start: u64,
    length: u64,
) -> Result<Vec<u8>, Error> {
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let bytes = file.get_bytes(start, length);
    bytes
        .map(Vec::from)
        .map_err(|error: ParquetError| name.damaged(start, error))
}

impl<R: ChunkReader + Clone + 'static> BlockFile<R> {
    /// The messages with these indices, with a counter of their own.
    fn part(&self, unread: Range<usize>) -> BlockFile<R> {
        BlockFile {
            file: self.file.clone(),
            name: self.name.clone(),
            blocks: Arc::clone(&self.blocks),
            unread,
            unlisted_data: None,
            first_left: self.first_left,
            start: self.start,
            read_bytes: self.read_bytes,
            bytes_read: Arc::new(AtomicU64::new(self.reported_position)),
            reported_position: self.reported_position,
            may_divide: self.may_divide,
        }
    }

    /// The number of rows and whether the buffers are compressed, as the description of a record batch states them.
    fn batch_facts(&self, block: MessageBlock) -> Option<(u64, bool)> {
        if block.footer_kind == FooterKind::Dictionary || block.head > LONGEST_HEAD {
            return None;
        }
        let description = self.description(block).ok()?;
        let message = root_as_message(&description).ok()?;
        let batch = message.header_as_record_batch()?;
        let rows = u64::try_from(batch.length()).ok()?;
        Some((rows, batch.compression().is_some()))
    }

    /// Reads the description at the start of a message. It is a flatbuffer.
    fn description(&self, block: MessageBlock) -> Result<Vec<u8>, Error> {
        let mut description = read(&self.name, &self.file, block.start, block.head)?;
        let prefix_length = if description.starts_with(&CONTINUATION) {
            4
        } else {
            // Files written before 2019 have no continuation marker before a message.
            0
        };
        let rest = description.split_off(prefix_length);
        let Some((length, rest)) = rest.split_first_chunk::<4>() else {
            return Err(self.name.damaged(block.start, "a message has no length"));
        };
        // The length in the footer may include padding, which the length in the message does not.
        let length = u64::from(u32::from_le_bytes(*length));
        match (rest.len() as u64).checked_sub(length) {
            Some(0..8) => Ok(rest.to_vec()),
            _ => {
                let footer_length = rest.len();
                let problem = format!(
                    "a message states {length} bytes for its description, and the footer {footer_length}"
                );
                Err(self.name.damaged(block.start, problem))
            }
        }
    }

    /// The number of rows in a record batch; `None` if the message cannot be read.
    fn rows(&self, block: MessageBlock) -> Option<u64> {
        if block.footer_kind == FooterKind::Dictionary {
            return Some(0);
        }
        self.batch_facts(block).map(|(rows, _)| rows)
    }
}

impl<R: ChunkReader + Clone + 'static> Messages for BlockFile<R> {
    fn byte_offset(&self) -> u64 {
        self.start
    }

    fn bytes(&self) -> u64 {
        self.read_bytes
    }

    fn rows_left(&self) -> Option<u64> {
        let blocks_left = self.blocks.get(self.first_left..).unwrap_or_default();
        blocks_left.iter().map(|block| self.rows(*block)).sum()
    }

    fn at_last(&self) -> Box<dyn Messages> {
        Box::new(self.part(0..0))
    }

    fn next_separately(&mut self, limits: &PieceLimits) -> Option<SeparateMessage> {
        let index = self.unread.clone().next()?;
        let block = *self.blocks.get(index)?;
        let (rows, is_compressed) = self.batch_facts(block)?;
        let batches = rows.div_ceil(BATCH_ROWS as u64) + block.body.div_ceil(BODY_BYTES_PER_BATCH);
        let batches = usize::try_from(batches).ok()?;
        // A larger record batch would take the buffers of all other workers. With a memory limit, one record batch is
        // decompressed at a time, because its size in memory is not known before.
        let is_small = limits.keeps_decoded && batches <= 2 * limits.most_batches;
        if !self.may_divide || !is_compressed || !is_small {
            return None;
        }
        let part = self.part(index..index + 1);
        let bytes_read = Arc::clone(&part.bytes_read);
        self.unread.next();
        self.first_left = index;
        self.start = block.start;
        self.read_bytes = block.head + block.body;
        self.reported_position = block.end();
        Some(SeparateMessage {
            messages: Box::new(part),
            rows,
            batches,
            bytes_read,
        })
    }

    fn next(&mut self) -> Result<Option<IpcMessage>, Error> {
        let next = self.unread.next();
        let block = next.and_then(|index| Some((index, *self.blocks.get(index)?)));
        let Some((index, block)) = block else {
            // A part of the messages leaves those after it.
            self.first_left = self.unread.end.max(self.first_left);
            return match self.unlisted_data.take() {
                Some(error) => Err(error),
                None => Ok(None),
            };
        };
        let MessageBlock {
            start,
            head,
            body,
            footer_kind,
        } = block;
        self.first_left = index;
        self.start = start;
        self.read_bytes = 0;
        if head > LONGEST_HEAD {
            let problem = format!("the description of a message has {head} bytes");
            return Err(self.name.damaged(start, problem));
        }
        if body > MOST_BYTES {
            return Err(self.name.too_large(start, body));
        }
        let description = self.description(block)?;
        let buffers = read(&self.name, &self.file, start + head, body)?;
        self.read_bytes = head + body;
        let more = block.end().wrapping_sub(self.reported_position);
        // The counter also has the progress of pieces that were cut earlier, so it is not set to the position.
        self.bytes_read.fetch_add(more, Ordering::Relaxed);
        self.reported_position = block.end();
        Ok(Some(IpcMessage {
            byte_offset: start,
            head: description,
            body: Buffer::from_vec(buffers),
            footer_kind: Some(footer_kind),
        }))
    }
}
