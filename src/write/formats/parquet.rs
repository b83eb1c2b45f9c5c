//! Writes Parquet: the workers encode row groups, and one thread writes them to the file.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, FieldRef, Fields, Schema, SchemaRef, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriterOptions,
    compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{
    EnabledStatistics, WriterProperties, WriterPropertiesBuilder, WriterPropertiesPtr,
};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use crate::carry::cast::{any_part, change_parts, whole_decimal};
use crate::carry::logical;
use crate::error::Error;
use crate::table::written_bytes::Packing;
use crate::write::commit::write_error;
use crate::write::formats::distinct::are_distinct;
use crate::write::formats::format::{Holds, Started, TableStart, WriteFormat, row_of_null};
use crate::write::{Encode, Encoded, GroupLimits, RowGroup, Sink, TableMetadata, Target};

pub(crate) static FORMAT: WriteFormat = WriteFormat {
    id: "parquet",
    endings: &["parquet", "pq"],
    doc: "Parquet, compressed with zstd",
    holds: Holds::Table,
    is_text: false,
    store,
    start,
};

/// The size of a row group, the unit that a worker encodes and that a reader can skip. While one is
/// encoded the next fills up, so about three of them are in memory.
const GROUP: GroupLimits = GroupLimits {
    rows: 65_536,
    bytes: GROUP_BYTES,
    packing: Packing::Kept,
};

/// The most memory for the rows of a group.
pub(crate) const GROUP_BYTES: usize = 64 << 20;

/// The size of a page, the unit of compression. A reader that seeks decompresses whole pages.
const PAGE_BYTES: usize = 256 << 10;

/// How many columns of a group have their writers at a time: one of numbers takes 70 kB before its first
/// value.
const WRITERS: usize = 64;

/// Columns with hardly any repeated values, for which the writer would discard a dictionary. Their
/// lengths are stored apart from the text: a length before each value would repeat, and hide the
/// repetitions in the text from the compressor.
const DISTINCT: [&str; 8] = [
    "puzzle",
    "solution",
    "canonical",
    // What known datasets call them.
    "quizzes",
    "solutions",
    "question",
    "answer",
    "quiz",
];

/// Converts units that Parquet lacks. It has dates in days, and times and timestamps in
/// milliseconds or finer; other units would be read as plain numbers.
fn store(field: &FieldRef) -> Result<DataType, String> {
    // The encoder would panic on a union.
    if any_part(field.data_type(), &|part| {
        matches!(part, DataType::Union(..))
    }) {
        return Err("Parquet has no unions".to_owned());
    }
    let stored = change_parts(field.data_type(), &|part| match part {
        DataType::Timestamp(TimeUnit::Second, zone) => {
            Some(DataType::Timestamp(TimeUnit::Millisecond, zone.clone()))
        }
        DataType::Time32(TimeUnit::Second) => Some(DataType::Time32(TimeUnit::Millisecond)),
        DataType::Date64 => Some(DataType::Date32),
        // Parquet has one kind of list, and polars reads no file whose Arrow schema names views.
        DataType::ListView(item) => Some(DataType::List(Arc::clone(item))),
        DataType::LargeListView(item) => Some(DataType::LargeList(Arc::clone(item))),
        // Parquet has no negative scales.
        decimal => whole_decimal(decimal),
    });
    let tried = row_of_null(field, &stored)
        .map_err(Error::from)
        .and_then(|batch| {
            let schema = batch.schema();
            let writer = ArrowWriter::try_new(io::sink(), schema.clone(), None)?;
            let (_, factory) = writer.into_serialized_writer()?;
            encode(
                schema.fields(),
                0,
                factory.create_column_writers(0)?,
                &[batch],
            )
        });
    match tried {
        Ok(_) => Ok(stored),
        Err(error) => Err(error.to_string()),
    }
}

struct ParquetEncoder {
    schema: SchemaRef,
    root: TypePtr,
    properties: WriterPropertiesPtr,
}

struct ParquetSink {
    writer: SerializedFileWriter<Target>,
    path: PathBuf,
}

fn start(begin: TableStart<'_>) -> Result<Started, Error> {
    let properties = properties(begin.schema, begin.metadata)?;
    // Some readers use the file's own metadata, others use the metadata of the Arrow schema in it.
    let metadata = begin.metadata.iter().cloned().collect();
    let fields: Fields = begin
        .schema
        .fields()
        .iter()
        .map(logical::stored_field)
        .collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let mut options = ArrowWriterOptions::new().with_properties(properties);
    if let Some(schema) = crate::write::formats::logical::schema_with_logical_types(begin.schema)? {
        options = options.with_parquet_schema(schema);
    }
    // A writer without a file, for the properties that all files share.
    let writer = ArrowWriter::try_new_with_options(io::sink(), schema.clone(), options)?;
    let (writer, _) = writer.into_serialized_writer()?;
    let root = writer.schema_descr().root_schema_ptr();
    let properties = writer.properties().clone();
    let encoder = ParquetEncoder {
        schema,
        root: root.clone(),
        properties: properties.clone(),
    };
    Ok(Started {
        limits: GROUP,
        encoder: Arc::new(encoder),
        open: Arc::new(move |target| {
            let path = target.path().to_owned();
            let writer = SerializedFileWriter::new(target, root.clone(), properties.clone());
            let writer = writer.map_err(|error| parquet_error(&path, error))?;
            Ok(Box::new(ParquetSink { writer, path }))
        }),
    })
}

/// Converts an error of the target to an error of writing, and any other to an error of the table.
fn parquet_error(path: &Path, error: ParquetError) -> Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => write_error(path, *error),
            Err(cause) => ParquetError::External(cause).into(),
        },
        other => other.into(),
    }
}

fn properties(schema: &SchemaRef, metadata: &TableMetadata) -> Result<WriterProperties, Error> {
    let pairs = metadata
        .iter()
        .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
        .collect();
    let mut properties = WriterProperties::builder()
        .set_created_by(format!("sudoku-pipeline version {}", crate::VERSION))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_data_page_size_limit(PAGE_BYTES)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_key_value_metadata(Some(pairs));
    for field in schema.fields() {
        let path = ColumnPath::from(field.name().as_str());
        // Row numbers count up, and most puzzles have no wave of most techniques. Differences of
        // such values are small, and faster to write than a dictionary.
        let differs_little = matches!(field.data_type(), DataType::UInt64 | DataType::UInt16);
        if differs_little {
            properties = properties
                .set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED)
                .set_column_dictionary_enabled(path, false);
        } else if DISTINCT.contains(&field.name().as_str())
            && matches!(field.data_type(), DataType::Utf8 | DataType::LargeUtf8)
        {
            properties = properties
                .set_column_encoding(path.clone(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
                .set_column_dictionary_enabled(path, false);
        }
    }
    Ok(properties.build())
}

impl ParquetEncoder {
    /// The properties for a group. Columns of distinct texts get no dictionary.
    fn properties(&self, group: &RowGroup) -> WriterPropertiesPtr {
        let mut distinct = Vec::new();
        for (at, field) in self.schema.fields().iter().enumerate() {
            let values = group.batches.iter().map(|batch| batch.column(at).as_ref());
            if are_distinct(values) {
                distinct.push(ColumnPath::from(field.name().as_str()));
            }
        }
        if distinct.is_empty() {
            return self.properties.clone();
        }
        let properties = WriterPropertiesBuilder::from(self.properties.as_ref().clone());
        let without = |properties: WriterPropertiesBuilder, path| {
            properties.set_column_dictionary_enabled(path, false)
        };
        Arc::new(distinct.into_iter().fold(properties, without).build())
    }

    /// The writers of these columns of a group.
    fn writers(
        &self,
        columns: Range<usize>,
        properties: &WriterPropertiesPtr,
        group: usize,
    ) -> Result<Vec<ArrowColumnWriter>, ParquetError> {
        let root = Type::group_type_builder(self.root.name())
            .with_fields(self.root.get_fields()[columns.clone()].to_vec())
            .build()?;
        let fields: Fields = self.schema.fields()[columns].into();
        let file = SerializedFileWriter::new(io::sink(), Arc::new(root), properties.clone())?;
        ArrowRowGroupWriterFactory::new(&file, Arc::new(Schema::new(fields)))
            .create_column_writers(group)
    }
}

impl Encode for ParquetEncoder {
    fn encode(&self, group: &RowGroup) -> Result<Encoded, Error> {
        let properties = self.properties(group);
        let mut chunks = Vec::new();
        let mut at = 0;
        for fields in self.schema.fields().chunks(WRITERS) {
            let columns = at..at + fields.len();
            let writers = self.writers(columns, &properties, group.index)?;
            chunks.extend(encode(fields, at, writers, &group.batches)?);
            at += fields.len();
        }
        Ok(Encoded::RowGroup(chunks))
    }
}

/// Encodes the columns from column `first` on, one after the other, and closes each before the next, so
/// that memory for encoding and compression is needed for only one at a time.
fn encode(
    fields: &[FieldRef],
    first: usize,
    writers: Vec<ArrowColumnWriter>,
    batches: &[RecordBatch],
) -> Result<Vec<ArrowColumnChunk>, Error> {
    let mut chunks = Vec::with_capacity(writers.len());
    let mut writers = writers.into_iter();
    for (at, field) in fields.iter().enumerate() {
        // A nested column has a leaf for each of its fields.
        let mut leaf_writers = Vec::new();
        for batch in batches {
            let leaves = compute_leaves(field, batch.column(first + at))?;
            for (leaf_at, leaf) in leaves.iter().enumerate() {
                if leaf_at == leaf_writers.len() {
                    leaf_writers.push(writers.next().ok_or_else(|| {
                        Error::Internal(format!("no Parquet column for {}", field.name()))
                    })?);
                }
                leaf_writers[leaf_at].write(leaf)?;
            }
        }
        for writer in leaf_writers {
            chunks.push(writer.close()?);
        }
    }
    Ok(chunks)
}

impl Sink for ParquetSink {
    fn append(&mut self, encoded: Encoded) -> Result<(), Error> {
        let Encoded::RowGroup(chunks) = encoded else {
            return Err(Error::Internal(
                "a group of another format for a Parquet file".into(),
            ));
        };
        let failed = |error| parquet_error(&self.path, error);
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Target, Error> {
        let finished = self.writer.finish();
        finished.map_err(|error| parquet_error(&self.path, error))?;
        // Everything has been written, so the target can be taken. `into_inner` would convert the
        // error of its last write to text.
        Ok(self.writer.inner_mut().take())
    }
}
