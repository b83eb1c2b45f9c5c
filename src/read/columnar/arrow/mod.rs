//! Reads Arrow IPC files and streams. The crate arrow-ipc decodes each message; this reader finds the messages,
//! and checks the sizes that they state.
//!
//! The `StreamDecoder` of arrow-ipc 59.3 cannot be used instead, as an experiment has shown:
//!
//! - A compressed buffer that states 2^40 bytes ends the process ("memory allocation of 1099511627776 bytes
//!   failed", ZSTD and LZ4).
//! - A stream of 49 kB takes 1.6 GB if its zeros decompress to that.
//! - A body of 2^40 bytes is collected as long as bytes come (2.1 GB after 1.5 GiB of them).
//! - One changed byte in a message's description makes the decoder panic in 101 of some 2,000 cases.
//! - It accepts a stream without its end mark, and it has no projection.
//!
//! The cases that do not end the process are tested in `tests/it/inputs/arrow_decoder.rs`.

mod buffers;
mod file;
mod format;
mod gaps;
mod messages;
mod source;
mod stream;
mod whole_items;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::convert::fb_to_schema;
use arrow::ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow::ipc::{MessageHeader, root_as_message};

use self::buffers::decompressed_size;
use self::file::BlockFile;
pub(crate) use self::format::FORMAT;
use self::messages::{CONTINUATION, FooterKind, IpcMessage, MAGIC, Messages, SourceName};
use self::source::ArrowSource;
use self::stream::StreamMessages;
use super::MOST_BYTES;
use super::cutter::Cutter;
use super::layout::ChosenColumns;
use crate::carry::parts::any_part;
use crate::error::Error;
use crate::read::bytes::stored::{InputBytes, InputCompression};
use crate::read::guard::guarded;
use crate::read::{Input, InputFormat, InputInfo, ReadOptions};
use crate::store::RandomAccess;

/// Whether these are the first bytes of an Arrow file.
pub(crate) fn is_file(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Whether these are the first bytes of an Arrow stream.
pub(crate) fn is_stream(head: &[u8]) -> bool {
    head.starts_with(&CONTINUATION)
}

/// Opens an Arrow IPC file as an input.
pub(crate) fn open_file(
    path: &str,
    file: RandomAccess,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let bytes = file.bytes();
    let name = SourceName(path.to_owned());
    let may_divide = file.is_near();
    let (file, schema, bytes_read) = BlockFile::new(name.clone(), file, bytes, may_divide)?;
    let info = input_info(path, Some(bytes), InputCompression::None);
    let info_and_reason = (info, "it starts with ARROW1");
    make_input(
        info_and_reason,
        name,
        schema,
        Box::new(file),
        bytes_read,
        options,
    )
}

/// Opens an Arrow IPC stream as an input. `source_name` is the name of the stream in messages.
pub(crate) fn open_stream(
    path: &str,
    source_name: String,
    bytes: Option<u64>,
    mut input_bytes: InputBytes,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let name = SourceName(source_name);
    let magic = input_bytes.peek(MAGIC.len())?;
    if !is_stream(magic) {
        let problem = if is_file(magic) {
            "an Arrow file inside gzip or zstd cannot be read, since its index is at its end: \
             decompress the file first"
        } else if magic.starts_with(b"FEA1") {
            "Feather version 1 is not read: write the file as version 2, or as Parquet"
        } else {
            "this is not an Arrow file or stream: it starts with neither ARROW1 nor ffffffff"
        };
        return Err(name.corrupt(0, problem));
    }
    let info = input_info(path, bytes, input_bytes.compression());
    let info_and_reason = (info, "it starts with ffffffff, as a stream does");
    let bytes_read = input_bytes.bytes_read();
    let mut stream = StreamMessages::new(name.clone(), input_bytes);
    let schema = first_schema(&name, &mut stream)?;
    make_input(
        info_and_reason,
        name,
        schema,
        Box::new(stream),
        bytes_read,
        options,
    )
}

/// The schema in the footer of an Arrow file.
pub(crate) fn file_schema(path: &str, file: RandomAccess) -> Result<SchemaRef, Error> {
    let bytes = file.bytes();
    let (_, schema, _) = BlockFile::new(SourceName(path.to_owned()), file, bytes, false)?;
    Ok(schema)
}

/// The schema at the start of an Arrow stream.
pub(crate) fn stream_schema(path: &str, input_bytes: InputBytes) -> Result<SchemaRef, Error> {
    let name = SourceName(path.to_owned());
    first_schema(&name, &mut StreamMessages::new(name.clone(), input_bytes))
}

fn input_info(path: &str, bytes: Option<u64>, compression: InputCompression) -> InputInfo {
    InputInfo {
        source: path.to_owned(),
        bytes,
        compression: compression.id(),
        format: InputFormat::ARROW,
        has_solutions: false,
        row_groups: None,
    }
}

/// Whether a type contains a map whose entries are not pairs of a key and a value.
fn is_broken_map(data_type: &DataType) -> bool {
    let DataType::Map(entries, _) = data_type else {
        return false;
    };
    !matches!(entries.data_type(), DataType::Struct(pair) if pair.len() == 2)
}

fn make_input(
    (info, why): (InputInfo, &str),
    name: SourceName,
    schema: SchemaRef,
    messages: Box<dyn Messages>,
    bytes_read: Arc<AtomicU64>,
    options: &ReadOptions,
) -> Result<Input, Error> {
    let fields = schema.fields();
    // Decoders and writers require that each entry of a map has a key and a value.
    if let Some(field) = fields
        .iter()
        .find(|field| any_part(field.data_type(), &is_broken_map))
    {
        let column = field.name();
        let problem =
            format!("the map in column {column:?} has no key and value: the schema is damaged");
        return Err(name.corrupt(0, problem));
    }
    let chosen = ChosenColumns::from_fields(&name.0, fields, options)?;
    let bytes = Arc::clone(&bytes_read);
    Ok(chosen.into_input(info, why, bytes_read, |layout| {
        let decoder = Decoder {
            schema,
            roots: layout.roots.clone(),
            dictionaries: HashMap::new(),
            dictionary_bytes: HashMap::new(),
        };
        let cutter = Cutter::new(layout, true);
        Box::new(ArrowSource::new(messages, decoder, cutter, name, bytes))
    }))
}

/// Reads the schema at the start of a stream.
fn first_schema(name: &SourceName, messages: &mut dyn Messages) -> Result<SchemaRef, Error> {
    let message = messages.next()?;
    let decoded = guarded(
        || {
            let message = message.as_ref().ok_or("there is no schema")?;
            let message = root_as_message(&message.head).map_err(|_| "there is no schema")?;
            let schema = message.header_as_schema();
            let schema = schema.ok_or("its first message is not a schema")?;
            if !schema.endianness().equals_to_target_endianness() {
                return Err("its numbers have the other byte order".to_owned());
            }
            Ok(Arc::new(fb_to_schema(schema)))
        },
        |panic| panic,
    );
    decoded.map_err(|what: String| name.bad_schema(messages.byte_offset(), &what))
}

/// The reason why a message cannot be decoded.
enum MessageError {
    TooLarge(u64),
    Damaged(ArrowError),
    /// A buffer ends within an item.
    PartialItem,
}

impl From<ArrowError> for MessageError {
    fn from(error: ArrowError) -> MessageError {
        MessageError::Damaged(error)
    }
}

/// Decodes messages to record batches that have only the selected columns.
#[derive(Clone)]
struct Decoder {
    schema: SchemaRef,
    roots: Vec<usize>,
    dictionaries: HashMap<i64, ArrayRef>,
    dictionary_bytes: HashMap<i64, u64>,
}

impl Decoder {
    fn decode(&mut self, message: &IpcMessage) -> Result<Option<RecordBatch>, MessageError> {
        let damaged_error =
            |what: &str| MessageError::Damaged(ArrowError::IpcError(what.to_owned()));
        let IpcMessage {
            head,
            body,
            footer_kind,
            ..
        } = message;
        let message =
            root_as_message(head).map_err(|_| damaged_error("a message cannot be parsed"))?;
        let version = message.version();
        let kind = message.header_type();
        let has_footer_kind = match footer_kind {
            Some(FooterKind::Dictionary) => kind == MessageHeader::DictionaryBatch,
            Some(FooterKind::RecordBatch) => kind == MessageHeader::RecordBatch,
            None => true,
        };
        if !has_footer_kind || u64::try_from(message.bodyLength()) != Ok(body.len() as u64) {
            return Err(damaged_error(
                "a message is not the one that the footer names",
            ));
        }
        let needed_bytes = |batch: arrow::ipc::RecordBatch<'_>| match decompressed_size(batch, body)
        {
            // Buffers that are not compressed need no memory besides the message body.
            Ok(bytes) if batch.compression().is_none() => Ok(bytes.max(body.len() as u64)),
            Ok(bytes) => Ok(bytes.saturating_add(body.len() as u64)),
            Err(what) => Err(damaged_error(what)),
        };
        match kind {
            MessageHeader::RecordBatch => {
                let batch = message.header_as_record_batch();
                let batch =
                    batch.ok_or_else(|| damaged_error("a record batch cannot be parsed"))?;
                let bytes = needed_bytes(batch)?;
                if bytes > MOST_BYTES {
                    return Err(MessageError::TooLarge(bytes));
                }
                let schema = Arc::clone(&self.schema);
                let dictionaries = &self.dictionaries;
                let decoder =
                    RecordBatchDecoder::try_new(body, batch, schema, dictionaries, &version)?;
                let decoder = decoder.with_projection(Some(&self.roots));
                let decoded = decoder.read_record_batch()?;
                if usize::try_from(batch.length()) == Ok(decoded.num_rows()) {
                    Ok(Some(decoded))
                } else {
                    Err(damaged_error(
                        "a record batch does not have the number of rows that it states",
                    ))
                }
            }
            MessageHeader::DictionaryBatch => {
                let dictionary = message.header_as_dictionary_batch();
                let dictionary =
                    dictionary.ok_or_else(|| damaged_error("a dictionary cannot be parsed"))?;
                let batch = dictionary.data();
                let bytes = needed_bytes(
                    batch.ok_or_else(|| damaged_error("a dictionary cannot be parsed"))?,
                )?;
                self.reserve_memory(dictionary.id(), dictionary.isDelta(), bytes)?;
                let schema = Arc::clone(&self.schema);
                read_dictionary(body, dictionary, &schema, &mut self.dictionaries, &version)?;
                Ok(None)
            }
            _ => Err(damaged_error(
                "a message is neither a record batch nor a dictionary",
            )),
        }
    }

    /// Counts the memory of a dictionary, and fails if all dictionaries together need too much. They stay in memory. A
    /// delta dictionary is added to an existing one.
    fn reserve_memory(&mut self, id: i64, is_delta: bool, bytes: u64) -> Result<(), MessageError> {
        let id_bytes = self.dictionary_bytes.entry(id).or_default();
        *id_bytes = if is_delta {
            id_bytes.saturating_add(bytes)
        } else {
            bytes
        };
        let all_dictionary_bytes = self.dictionary_bytes.values().sum();
        if all_dictionary_bytes > MOST_BYTES {
            Err(MessageError::TooLarge(all_dictionary_bytes))
        } else {
            Ok(())
        }
    }
}
