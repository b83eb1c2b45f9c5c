//! Writes Parquet: the workers encode row groups, and one thread writes them to the file.

mod pages;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::{Arc, OnceLock};

use arrow::array::{Array, ArrayRef, RecordBatch};
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

use pages::ExactPageStores;

use crate::carry::cast::decimal_of_integers;
use crate::carry::logical;
use crate::carry::parts::{any_part, change_parts};
use crate::error::Error;
use crate::table::layout::Holds;
use crate::table::written_bytes::{DictionaryPacking, written_bytes};
use crate::write::commit::write_error;
use crate::write::formats::distinct_texts::are_distinct;
use crate::write::formats::format::{FormatWriter, TableStart, WriteFormat, null_row};
use crate::write::{Encode, Encoded, GroupLimits, RowGroup, Sink, TableMetadata, Target};

pub(crate) static FORMAT: WriteFormat = WriteFormat {
    id: "parquet",
    endings: &["parquet", "pq"],
    doc: "Parquet, compressed with zstd",
    holds: Holds::Table,
    folder: None,
    is_text: false,
    has_types: true,
    has_logical_types: true,
    store: stored_type,
    start,
};

/// The size limits of a row group. A row group is encoded by one worker, and readers can skip it as a whole.
/// About three row groups are in memory at a time: one that is filled, and others that are encoded.
const GROUP_LIMITS: GroupLimits = GroupLimits {
    rows: 65_536,
    bytes: GROUP_BYTES,
    packing: DictionaryPacking::Kept,
};

/// The maximum size in bytes of the rows of a row group in memory.
pub(crate) const GROUP_BYTES: usize = 64 << 20;

/// The size of a page in bytes. Pages are compressed separately, so a reader that seeks has to decompress a
/// whole page.
const PAGE_BYTES: usize = 256 << 10;

/// The maximum number of column writers that are in memory at the same time. Even the writer for an empty column of
/// numbers takes 70 kB.
const MOST_GROUP_WRITERS: usize = 64;

/// A table with more columns than this has no statistics and no page index. For each column of each group, they take
/// about a kilobyte of memory until the file is complete.
const MOST_COLUMNS_WITH_STATISTICS: usize = 1000;

/// The average length in bytes above which a text column has no dictionary and no statistics. A dictionary page would
/// have room for only one or two of these texts, and the statistics would copy the smallest and the largest one.
const MOST_AVERAGE_BYTES_FOR_DICTIONARY: usize = 512 << 10;

/// The names of columns that hardly ever repeat a value, so that a dictionary is useless. The lengths of their texts
/// are stored separately from the texts. If each text followed its length, the compressor would find fewer repetitions
/// in the texts.
const DISTINCT_COLUMNS: [&str; 8] = [
    "puzzle",
    "solution",
    "canonical",
    // The names of puzzle and solution columns in well-known datasets.
    "quizzes",
    "solutions",
    "question",
    "answer",
    "quiz",
];

/// The Arrow type in which a column is stored. Parquet has dates in days, and times and timestamps in
/// milliseconds or finer. Other units are converted to these, because readers would take them for plain
/// numbers.
fn stored_type(field: &FieldRef) -> Result<DataType, String> {
    // The Parquet encoder panics on a union.
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
        // Parquet has only one kind of list, and polars cannot read a file whose Arrow schema contains list
        // views.
        DataType::ListView(item) => Some(DataType::List(Arc::clone(item))),
        DataType::LargeListView(item) => Some(DataType::LargeList(Arc::clone(item))),
        // Parquet has no decimals with a negative scale.
        decimal => decimal_of_integers(decimal),
    });
    let trial_batch = null_row(field, &stored)
        .map_err(Error::from)
        .and_then(|batch| {
            let schema = batch.schema();
            let writer = ArrowWriter::try_new(io::sink(), schema.clone(), None)?;
            let (_, factory) = writer.into_serialized_writer()?;
            encode_columns(
                schema.fields(),
                0,
                factory.create_column_writers(0)?,
                &[batch],
                false,
            )
        });
    match trial_batch {
        Ok(_) => Ok(stored),
        Err(error) => Err(error.to_string()),
    }
}

struct ParquetEncoder {
    schema: SchemaRef,
    root: TypePtr,
    properties: WriterPropertiesPtr,
    /// The factories of column writers. Each factory makes the writers for [`MOST_GROUP_WRITERS`] columns, and all row
    /// groups use the same factories.
    writer_factories: Vec<OnceLock<ArrowRowGroupWriterFactory>>,
}

struct ParquetSink {
    writer: SerializedFileWriter<Target>,
    path: PathBuf,
}

fn start(begin: TableStart<'_>) -> Result<FormatWriter, Error> {
    let properties = writer_properties(begin.schema, begin.metadata)?;
    // The metadata is stored twice, because some readers use the metadata of the file, and others the metadata of the
    // Arrow schema.
    let metadata = begin.metadata.pairs().iter().cloned().collect();
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
    // This writer writes no file. It only computes the properties that all files share.
    let writer = ArrowWriter::try_new_with_options(io::sink(), schema.clone(), options)?;
    let (writer, _) = writer.into_serialized_writer()?;
    let root = writer.schema_descr().root_schema_ptr();
    let properties = writer.properties().clone();
    let factory_count = schema.fields().len().div_ceil(MOST_GROUP_WRITERS);
    let encoder = ParquetEncoder {
        writer_factories: std::iter::repeat_with(OnceLock::new)
            .take(factory_count)
            .collect(),
        schema,
        root: root.clone(),
        properties: properties.clone(),
    };
    Ok(FormatWriter {
        limits: GROUP_LIMITS,
        encoder: Arc::new(encoder),
        open_sink: Arc::new(move |target| {
            let path = target.path().to_owned();
            let writer = SerializedFileWriter::new(target, root.clone(), properties.clone());
            let writer = writer.map_err(|error| parquet_error(&path, error))?;
            Ok(Box::new(ParquetSink { writer, path }))
        }),
    })
}

/// Converts an error of the target to a write error, and all other errors to table errors.
fn parquet_error(path: &Path, error: ParquetError) -> Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => write_error(path, *error),
            Err(cause) => ParquetError::External(cause).into(),
        },
        other => other.into(),
    }
}

fn writer_properties(
    schema: &SchemaRef,
    metadata: &TableMetadata,
) -> Result<WriterProperties, Error> {
    let pairs = metadata
        .pairs()
        .iter()
        .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
        .collect();
    let mut properties = WriterProperties::builder()
        .set_created_by(format!("sudoku-pipeline version {}", crate::VERSION))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_data_page_size_limit(PAGE_BYTES)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_key_value_metadata(Some(pairs));
    if schema.fields().len() > MOST_COLUMNS_WITH_STATISTICS {
        properties = properties
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true);
    }
    for field in schema.fields() {
        let path = ColumnPath::from(field.name().as_str());
        // In these columns, neighbouring rows have similar values: row numbers increase by one, and the columns of
        // `--with waves` are mostly 0. For them, delta encoding is smaller and faster than a dictionary.
        let differs_little = matches!(field.data_type(), DataType::UInt64 | DataType::UInt16);
        if differs_little {
            properties = properties
                .set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED)
                .set_column_dictionary_enabled(path, false);
        } else if DISTINCT_COLUMNS.contains(&field.name().as_str())
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
    /// The writer properties for these columns of a group; `None` if they are the default properties. Columns of
    /// distinct texts get no dictionary. Columns of long texts get neither a dictionary nor statistics.
    fn group_properties(
        &self,
        columns: Range<usize>,
        group: &RowGroup,
    ) -> Option<WriterPropertiesPtr> {
        let mut changed_columns = None;
        for (at, field) in columns.clone().zip(&self.schema.fields()[columns]) {
            let values = || group.batches.iter().map(|batch| batch.column(at));
            let is_long = are_long_texts(values());
            if !is_long && !are_distinct(values()) {
                continue;
            }
            let properties = changed_columns
                .take()
                .unwrap_or_else(|| WriterPropertiesBuilder::from(self.properties.as_ref().clone()));
            let path = ColumnPath::from(field.name().as_str());
            let mut properties = properties.set_column_dictionary_enabled(path.clone(), false);
            if is_long {
                properties =
                    properties.set_column_statistics_enabled(path, EnabledStatistics::None);
            }
            changed_columns = Some(properties);
        }
        changed_columns.map(|properties| Arc::new(properties.build()))
    }

    /// Creates the writers for at most [`MOST_GROUP_WRITERS`] columns of a row group, starting with the column at the
    /// index `first_column`.
    fn column_writers(
        &self,
        first_column: usize,
        group: &RowGroup,
    ) -> Result<Vec<ArrowColumnWriter>, ParquetError> {
        let end = self
            .schema
            .fields()
            .len()
            .min(first_column + MOST_GROUP_WRITERS);
        if let Some(properties) = self.group_properties(first_column..end, group) {
            return self
                .writer_factory(first_column..end, properties)?
                .create_column_writers(group.index);
        }
        let factory = &self.writer_factories[first_column / MOST_GROUP_WRITERS];
        let shared_factory = match factory.get() {
            Some(shared) => shared,
            None => {
                let new_factory =
                    self.writer_factory(first_column..end, self.properties.clone())?;
                factory.get_or_init(|| new_factory)
            }
        };
        shared_factory.create_column_writers(group.index)
    }

    fn writer_factory(
        &self,
        columns: Range<usize>,
        properties: WriterPropertiesPtr,
    ) -> Result<ArrowRowGroupWriterFactory, ParquetError> {
        let root = Type::group_type_builder(self.root.name())
            .with_fields(self.root.get_fields()[columns.clone()].to_vec())
            .build()?;
        let fields: Fields = self.schema.fields()[columns].into();
        let file = SerializedFileWriter::new(io::sink(), Arc::new(root), properties)?;
        let factory = ArrowRowGroupWriterFactory::new(&file, Arc::new(Schema::new(fields)));
        Ok(factory.with_page_store_factory(Arc::new(ExactPageStores)))
    }
}

/// Whether the values are texts or bytes whose average length exceeds [`MOST_AVERAGE_BYTES_FOR_DICTIONARY`].
fn are_long_texts<'a>(arrays: impl Iterator<Item = &'a ArrayRef>) -> bool {
    let (mut rows, mut bytes) = (0, 0_usize);
    for array in arrays {
        let is_text = matches!(
            array.data_type(),
            DataType::Utf8
                | DataType::LargeUtf8
                | DataType::Utf8View
                | DataType::Binary
                | DataType::LargeBinary
                | DataType::BinaryView
                | DataType::FixedSizeBinary(_)
        );
        if !is_text {
            return false;
        }
        rows += array.len() - array.null_count();
        bytes = bytes.saturating_add(written_bytes(
            slice::from_ref(array),
            DictionaryPacking::Written,
        ));
    }
    bytes / MOST_AVERAGE_BYTES_FOR_DICTIONARY > rows
}

impl Encode for ParquetEncoder {
    fn encode(&self, group: &RowGroup) -> Result<Encoded, Error> {
        let mut chunks = Vec::with_capacity(self.schema.fields().len());
        let is_wide = self.schema.fields().len() > MOST_COLUMNS_WITH_STATISTICS;
        let mut first_field = 0;
        for fields in self.schema.fields().chunks(MOST_GROUP_WRITERS) {
            let writers = self.column_writers(first_field, group)?;
            chunks.extend(encode_columns(
                fields,
                first_field,
                writers,
                &group.batches,
                is_wide,
            )?);
            first_field += fields.len();
        }
        Ok(Encoded::RowGroup(chunks))
    }
}

/// Encodes some columns of a row group, starting with the column at the index `first_column`. Each column is finished
/// before the next one starts, so that only one column at a time needs memory for encoding and compression.
fn encode_columns(
    fields: &[FieldRef],
    first_column: usize,
    writers: Vec<ArrowColumnWriter>,
    batches: &[RecordBatch],
    is_wide: bool,
) -> Result<Vec<ArrowColumnChunk>, Error> {
    let mut chunks = Vec::with_capacity(writers.len());
    let mut writers = writers.into_iter();
    for (at, field) in fields.iter().enumerate() {
        // A nested column is stored as several leaf columns: one for each field at the lowest level.
        let mut leaf_writers = Vec::new();
        for batch in batches {
            let leaves = compute_leaves(field, batch.column(first_column + at))?;
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
            let mut chunk = writer.close()?;
            if is_wide {
                drop_optional_metadata(&mut chunk)?;
            }
            chunks.push(chunk);
        }
    }
    Ok(chunks)
}

/// Removes metadata of an encoded column that few readers use. It would stay in memory until the file is complete.
fn drop_optional_metadata(chunk: &mut ArrowColumnChunk) -> Result<(), ParquetError> {
    let close = chunk.close_mut();
    let metadata_builder = close.metadata.clone().into_builder();
    close.metadata = metadata_builder
        .clear_page_encoding_stats()
        .set_definition_level_histogram(None)
        .set_repetition_level_histogram(None)
        .build()?;
    Ok(())
}

impl Sink for ParquetSink {
    fn append(&mut self, encoded: Encoded) -> Result<(), Error> {
        let Encoded::RowGroup(chunks) = encoded else {
            return Err(Error::Internal(
                "a group of another format for a Parquet file".into(),
            ));
        };
        let to_parquet_error = |error| parquet_error(&self.path, error);
        let mut group = self.writer.next_row_group().map_err(to_parquet_error)?;
        for chunk in chunks {
            chunk
                .append_to_row_group(&mut group)
                .map_err(to_parquet_error)?;
        }
        group.close().map_err(to_parquet_error)?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Target, Error> {
        let finished = self.writer.finish();
        finished.map_err(|error| parquet_error(&self.path, error))?;
        // All data has been written, so the target can be moved out. `into_inner` is not used, because it would
        // convert an error of the last write to text.
        Ok(self.writer.inner_mut().move_out())
    }
}
