//! Detects the format of decompressed bytes, and opens them as an input.

use crate::error::Error;
use crate::options::DELIMITER;
use crate::read::bytes::chunker::{ChunkLimits, ChunkStart, Chunker};
use crate::read::bytes::head::{HEAD_BYTES, Head};
use crate::read::bytes::stored::{InputBytes, InputCompression};
use crate::read::columnar::{arrow, npy};
use crate::read::detect::hint::hint;
use crate::read::detect::open::display_name;
use crate::read::detect::{sniff, unsupported};
use crate::read::{Detection, Input, InputFormat, InputInfo, ReadOptions};
use crate::store::RandomAccess;

/// Detects the format of an input, whose bytes are read from the first to the last: a NumPy array, an Arrow file or
/// stream, or a text. `bytes` is the size of the input before decompression. `file` is the input before decompression, if it
/// can be read at any position.
pub(super) fn open(
    path: &str,
    bytes: Option<u64>,
    mut stored: InputBytes,
    file: Option<RandomAccess>,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let first_bytes = stored.peek(8)?;
    let is_npy = match options.format {
        Some(format) => format == InputFormat::Npy,
        None => npy::is_npy(first_bytes),
    };
    if is_npy {
        let file = file.filter(|_| stored.compression() == InputCompression::None);
        return npy::open(path, &display_name(path), bytes, stored, file, options);
    }
    let is_named_arrow = match options.format {
        Some(format) => format == InputFormat::Arrow,
        None => arrow::is_name(path),
    };
    let is_arrow = arrow::is_stream(first_bytes) || arrow::is_file(first_bytes);
    if is_named_arrow || options.format.is_none() && is_arrow {
        return arrow::open_stream(path, display_name(path), bytes, stored, options);
    }
    let limits = ChunkLimits::from_options(options);
    text(path, bytes, stored, options, limits)
}

/// The number of bytes that are needed to detect the format. For JSON, these bytes include the whole first
/// object, because its keys are the columns.
fn bytes_to_detect_format(head: &[u8], limits: ChunkLimits) -> usize {
    let is_json = head.trim_ascii_start().starts_with(b"{");
    match is_json && memchr::memchr(b'\n', head).is_none() {
        true => HEAD_BYTES.max(limits.record),
        false => HEAD_BYTES,
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
    let name = display_name(path);
    let compression = stored.compression();
    let peek_bytes = bytes_to_detect_format(stored.peek(HEAD_BYTES)?, limits);
    let head = Head::with_size(&name, stored.peek(peek_bytes)?, peek_bytes);
    let (format, why) = sniff::text(&head, options)?;
    if compression == InputCompression::None && options.format.is_none() {
        unsupported::refuse_compressed_name(&head)?;
    }
    if options.delimiter.is_some() && format.format() != InputFormat::Csv {
        let id = format.format().id();
        return Err(head.unknown(format!("{id} has no delimiter: leave {DELIMITER} away")));
    }
    let peek_bytes = peek_bytes.max(format.head_bytes(options));
    let head = Head::with_size(&name, stored.peek(peek_bytes)?, peek_bytes);
    let opened_format = format.open(&head, options)?;
    let detection = Detection {
        why,
        columns: opened_format.columns,
        delimiter: opened_format.delimiter.map(char::from),
        byte_order_mark: Some(head.start > 0),
        line_ends: head.line_ends(),
        hint: hint(&head, format.format()),
        is_empty: head.bytes.is_empty(),
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
        format: format.format().id(),
        has_solutions: opened_format.has_solutions,
        row_groups: None,
    };
    let bytes_read = stored.bytes_read();
    let limits = limits.with_fields(opened_format.carried.len());
    let chunker = Chunker::new(opened_format.reader.clone(), stored, chunk_start, limits);
    Ok(Input::new(
        info,
        detection,
        opened_format.carried,
        Box::new(chunker),
        opened_format.reader,
        bytes_read,
    ))
}
