//! Writes Arrow IPC: the workers encode record batches, and one thread writes them to a file or
//! stream.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::compute::{cast, concat_batches};
use arrow::datatypes::{DataType, FieldRef, Fields, Schema, SchemaRef};
use arrow::ipc::convert::IpcSchemaEncoder;
use arrow::ipc::writer::{
    DictionaryTracker, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, write_message,
};
use arrow::ipc::{Block, CompressionType, FooterBuilder, MetadataVersion};
use flatbuffers::FlatBufferBuilder;

use crate::carry::logical;
use crate::error::{Error, TableError};
use crate::table::layout::Holds;
use crate::table::written_bytes::DictionaryPacking;
use crate::write::formats::format::{FormatWriter, TableStart, WriteFormat, stored_unchanged};
use crate::write::{Encode, Encoded, GroupLimits, RowGroup, Sink, Target};

pub(crate) static FILE_FORMAT: WriteFormat = WriteFormat {
    id: "arrow",
    endings: &["arrow", "feather", "ipc"],
    doc: "An Arrow IPC file (Feather 2), its buffers compressed with zstd",
    holds: Holds::Table,
    folder: None,
    is_text: false,
    has_types: true,
    has_logical_types: false,
    store: stored_unchanged,
    start: |begin| start(begin, IpcKind::File),
};

pub(crate) static STREAM_FORMAT: WriteFormat = WriteFormat {
    id: "arrow-stream",
    endings: &["arrows"],
    doc: "An Arrow IPC stream, its buffers compressed with zstd: for pipes",
    holds: Holds::Table,
    folder: None,
    is_text: false,
    has_types: true,
    has_logical_types: false,
    store: stored_unchanged,
    start: |begin| start(begin, IpcKind::Stream),
};

/// The size limits of a record batch. They are small because readers keep a whole batch in memory.
const GROUP_LIMITS: GroupLimits = GroupLimits {
    rows: 65_536,
    bytes: 16 << 20,
    packing: DictionaryPacking::Written,
};

/// The magic bytes at the start and end of a file. At the start they are padded to eight bytes.
const FILE_MAGIC: &[u8; 6] = b"ARROW1";

/// The mark at the end of a stream, which is a message of length 0.
const END_OF_STREAM: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

#[derive(Clone, Copy, PartialEq, Eq)]
enum IpcKind {
    File,
    Stream,
}

/// The maximum size in bytes of a record batch in a file of a single call that is not compressed. Starting the compressor
/// takes longer than reading so few bytes.
const MOST_PLAIN_BYTES: usize = 64 << 10;

struct IpcEncoder {
    schema: SchemaRef,
    options: IpcWriteOptions,
    is_temporary: bool,
}

struct IpcSink {
    kind: IpcKind,
    target: Target,
    schema: SchemaRef,
    /// The positions of the record batches in the file. The footer lists them.
    written_blocks: Vec<Block>,
}

fn start(begin: TableStart<'_>, kind: IpcKind) -> Result<FormatWriter, Error> {
    let fields: Vec<FieldRef> = begin.schema.fields().iter().map(unpacked_field).collect();
    let metadata = begin.metadata.pairs().iter().cloned().collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD))?;

    let mut message_bytes = Vec::new();
    if kind == IpcKind::File {
        message_bytes.extend_from_slice(FILE_MAGIC);
        message_bytes.resize(8, 0);
    }
    let message = IpcDataGenerator::default().schema_to_bytes_with_dictionary_tracker(
        &schema,
        &mut DictionaryTracker::new(true),
        &options,
    );
    write_message(&mut message_bytes, message, &options)?;
    Ok(FormatWriter {
        limits: GROUP_LIMITS,
        encoder: Arc::new(IpcEncoder {
            schema: schema.clone(),
            options,
            is_temporary: begin.is_temporary,
        }),
        open_sink: Arc::new(move |mut target| {
            target.write(&message_bytes)?;
            Ok(Box::new(IpcSink {
                kind,
                target,
                schema: schema.clone(),
                written_blocks: Vec::new(),
            }))
        }),
    })
}

/// The type of a column without dictionaries: each is replaced by the type of its values. An Arrow file can have only
/// one dictionary for each column, but the batches of an input may have different ones.
fn unpacked_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Dictionary(_, values) => unpacked_type(values),
        DataType::List(field) => DataType::List(unpacked_field(field)),
        DataType::LargeList(field) => DataType::LargeList(unpacked_field(field)),
        DataType::FixedSizeList(field, size) => {
            DataType::FixedSizeList(unpacked_field(field), *size)
        }
        DataType::Struct(fields) => {
            DataType::Struct(fields.iter().map(unpacked_field).collect::<Fields>())
        }
        other => other.clone(),
    }
}

fn unpacked_field(field: &FieldRef) -> FieldRef {
    let data_type = unpacked_type(field.data_type());
    Arc::new(logical::stored_field(field).with_data_type(data_type))
}

impl IpcEncoder {
    fn unpack_batch(&self, batch: &RecordBatch) -> Result<RecordBatch, Error> {
        let columns = batch.columns().iter().zip(self.schema.fields());
        let columns = columns.map(|(column, field)| {
            if column.data_type() == field.data_type() {
                Ok(column.clone())
            } else {
                cast(column, field.data_type())
            }
        });
        let columns = columns.collect::<Result<Vec<ArrayRef>, _>>()?;
        Ok(RecordBatch::try_new(self.schema.clone(), columns)?)
    }
}

impl Encode for IpcEncoder {
    fn encode(&self, group: &RowGroup) -> Result<Encoded, Error> {
        let batches = group.batches.iter().map(|batch| self.unpack_batch(batch));
        let batches = batches.collect::<Result<Vec<_>, _>>()?;
        let batch = concat_batches(&self.schema, &batches)?;
        let mut options = self.options.clone();
        if self.is_temporary && batch.get_array_memory_size() <= MOST_PLAIN_BYTES {
            options = options.try_with_compression(None)?;
        }
        let (_, message) = IpcDataGenerator::default().encode(
            &batch,
            &mut DictionaryTracker::new(true),
            &options,
            &mut IpcWriteContext::default(),
        )?;
        let mut bytes = Vec::with_capacity(message.arrow_data.len() + 1024);
        let (head, _) = write_message(&mut bytes, message, &options)?;
        Ok(Encoded::Message { bytes, head })
    }
}

impl Sink for IpcSink {
    fn append(&mut self, encoded: Encoded) -> Result<(), Error> {
        let Encoded::Message { bytes, head } = encoded else {
            return Err(Error::Internal(
                "a group of another format for an Arrow file".into(),
            ));
        };
        let too_large = |_| TableError::TooLarge("a record batch");
        let start = i64::try_from(self.target.bytes()).map_err(too_large)?;
        let body_length = i64::try_from(bytes.len().saturating_sub(head)).map_err(too_large)?;
        let head_length = i32::try_from(head).map_err(too_large)?;
        self.written_blocks
            .push(Block::new(start, head_length, body_length));
        self.target.write(&bytes)
    }

    fn finish(mut self: Box<Self>) -> Result<Target, Error> {
        self.target.write(&END_OF_STREAM)?;
        if self.kind == IpcKind::File {
            let footer = self.encode_footer();
            self.target.write(&footer)?;
            let length =
                u32::try_from(footer.len()).map_err(|_| TableError::TooLarge("the footer"))?;
            self.target.write(&length.to_le_bytes())?;
            self.target.write(FILE_MAGIC)?;
        }
        Ok(self.target)
    }
}

impl IpcSink {
    fn encode_footer(&self) -> Vec<u8> {
        let mut builder = FlatBufferBuilder::new();
        let dictionaries = builder.create_vector::<Block>(&[]);
        let batches = builder.create_vector(&self.written_blocks);
        let mut dictionary_ids = DictionaryTracker::new(true);
        let schema = IpcSchemaEncoder::new()
            .with_dictionary_tracker(&mut dictionary_ids)
            .schema_to_fb_offset(&mut builder, &self.schema);
        let mut footer = FooterBuilder::new(&mut builder);
        footer.add_version(MetadataVersion::V5);
        footer.add_schema(schema);
        footer.add_dictionaries(dictionaries);
        footer.add_recordBatches(batches);
        let footer = footer.finish();
        builder.finish(footer, None);
        builder.finished_data().to_vec()
    }
}
