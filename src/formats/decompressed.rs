//! Detects the format of decompressed bytes, and opens them as an input.

use std::sync::Arc;

use crate::error::Error;
use crate::formats::input_name::input_name;
use crate::formats::{input_formats, sniff};
use crate::options::DELIMITER;
use crate::read::bytes::chunker::{ChunkLimits, ChunkStart, Chunker};
use crate::read::bytes::head::{HEAD_BYTES, Head};
use crate::read::bytes::stored::{InputBytes, InputCompression};
use crate::read::format::{DecompressedBytes, TextReader};
use crate::read::text::json::document;
use crate::read::{
    Batch, Detection, Input, InputFormat, InputInfo, Parse, ReadOptions, Records, unsupported,
};
use crate::store::RandomAccess;

/// Detects the format of an input, whose bytes are read from the first to the last: a text, or another format by its
/// first bytes or its name. `bytes` is the size of the input before decompression. `file` is the input before decompression, if it
/// can be read at any position.
pub(super) fn open(
    path: &str,
    bytes: Option<u64>,
    mut stored: InputBytes,
    file: Option<RandomAccess>,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let first_bytes = stored.peek(8)?;
    let formats = || input_formats().filter_map(|format| Some((format, format.bytes?)));
    let found = match options.format {
        Some(asked) => formats().find(|(format, _)| *format == asked),
        None => (formats().find(|(_, opener)| opener.has_magic(first_bytes)))
            .or_else(|| formats().find(|(format, _)| format.is_name(path))),
    };
    if let Some((_, opener)) = found {
        let input = DecompressedBytes {
            path,
            source_name: &input_name(path),
            stored_bytes: bytes,
            bytes: stored,
            file,
        };
        return opener.open(input, options);
    }
    let limits = ChunkLimits::from_options(options);
    text(path, bytes, stored, options, limits)
}

/// The number of bytes that are needed to detect the format. For JSON, these bytes include the whole first
/// object, because its keys are the columns.
fn bytes_to_detect_format(head: &[u8], limits: ChunkLimits) -> usize {
    let is_json = head.trim_ascii_start().starts_with(b"{");
    if is_json && memchr::memchr(b'\n', head).is_none() {
        HEAD_BYTES.max(limits.record)
    } else {
        HEAD_BYTES
    }
}

/// Detects the format of a text, and opens the text as an input.
pub(crate) fn text(
    path: &str,
    bytes: Option<u64>,
    mut stored: InputBytes,
    options: &ReadOptions,
    limits: ChunkLimits,
) -> Result<Input, Error> {
    let name = input_name(path);
    let compression = stored.compression();
    let peek_bytes = bytes_to_detect_format(stored.peek(HEAD_BYTES)?, limits);
    let mut document = None;
    if InputFormat::JSON.is_allowed(options) {
        let head = Head::with_size(&name, stored.peek(peek_bytes)?, peek_bytes);
        if document::may_be_document(head.text(), head.is_all) {
            (stored, document) = convert_document(&name, stored, options)?;
        }
    }
    let head = Head::with_size(&name, stored.peek(peek_bytes)?, peek_bytes);
    let (format, text_format, mut why) = sniff::text(&head, options)?;
    if let Some(document) = &document {
        why.clone_from(document);
    }
    if compression == InputCompression::None && options.format.is_none() {
        unsupported::refuse_compressed_name(&head)?;
    }
    if options.delimiter.is_some() && !text_format.has_delimiter() {
        return Err(head.unknown(format!("{format} has no delimiter: leave {DELIMITER} away")));
    }
    let peek_bytes = peek_bytes.max(text_format.head_bytes(options));
    let head = Head::with_size(&name, stored.peek(peek_bytes)?, peek_bytes);
    let opened_format = text_format.open(&head, options)?;
    let detection = Detection {
        why,
        columns: opened_format.columns,
        delimiter: opened_format.delimiter.map(char::from),
        byte_order_mark: Some(head.start > 0),
        line_ends: head.line_ends(),
        hint: text_format.hint(&head),
        is_empty: head.bytes.is_empty(),
        notes: Vec::new(),
    };
    let (bytes_before, lines_before) = opened_format.start;
    stored.skip(bytes_before);
    let chunk_start = ChunkStart {
        byte_offset: bytes_before as u64,
        line: lines_before + 1,
    };
    let info = InputInfo {
        source: path.to_owned(),
        bytes,
        compression: compression.id(),
        format: match document {
            Some(_) => InputFormat::JSON,
            None => format,
        },
        has_solutions: opened_format.has_solutions,
        row_groups: None,
    };
    let bytes_read = stored.bytes_read();
    let limits = limits.with_fields(opened_format.carried.len());
    let chunker = Chunker::new(opened_format.reader.clone(), stored, chunk_start, limits);
    let parser: Arc<dyn Parse> = match document {
        Some(_) => Arc::new(WithoutPositions(opened_format.reader)),
        None => opened_format.reader,
    };
    Ok(Input::new(
        info,
        detection,
        opened_format.carried,
        Box::new(chunker),
        parser,
        bytes_read,
    ))
}

/// Reads a text that may be one JSON object into memory. If it has records under a key, or columns, they become a text
/// with an object in each line, and the second value says so.
fn convert_document(
    name: &str,
    mut stored: InputBytes,
    options: &ReadOptions,
) -> Result<(InputBytes, Option<String>), Error> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    let mut is_all = false;
    while bytes.len() <= document::MOST_DOCUMENT_BYTES {
        let read_bytes = stored.read(&mut buffer)?;
        bytes.extend_from_slice(&buffer[..read_bytes]);
        if read_bytes == 0 {
            is_all = true;
            break;
        }
    }
    let converted = std::str::from_utf8(&bytes).ok().filter(|_| is_all);
    let converted = converted.map_or(Ok(None), |text| document::convert(text, options));
    let converted = converted.map_err(|what| Error::UnknownFormat {
        source_name: name.to_owned(),
        what,
    })?;
    let Some(converted) = converted else {
        return Ok((stored.with_bytes_before(bytes), None));
    };
    if !converted.left_out.is_empty() {
        let keys = converted.left_out.join(", ");
        tracing::info!("{name}: {}; other keys are left out: {keys}", converted.why);
    }
    let lines = converted.lines.into_bytes();
    Ok((stored.with_bytes_before(lines), Some(converted.why)))
}

/// A parser of a text that was converted: positions in it are not those in the input.
struct WithoutPositions(Arc<dyn TextReader>);

impl Parse for WithoutPositions {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let mut records = self.0.parse(batch)?;
        for row in &mut records.rows {
            row.position = None;
        }
        Ok(records)
    }
}
