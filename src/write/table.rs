//! Writes a table. Collects rows into groups, which the workers encode, and writes the encoded groups in order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::buffer::Buffer;
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, SchemaRef};

use super::commit::Claim;
use super::formats::format::{FormatWriter, OpenSink, TableStart};
use super::{
    Compression, Encode, EncodeTask, Encoded, GroupLimits, Holds, OutputFormat, Sink, TableId,
    TableMetadata, Target, TargetOptions,
};
use crate::error::{Error, FormatError};
use crate::store::is_scratch;
use crate::table::written_bytes::{DictionaryPacking, written_bytes};

/// Small batches of pending rows are merged. A merged batch has at most this many rows.
const SMALL_ROWS: usize = 1024;

/// Small batches of pending rows are merged. A merged batch has at most this size in bytes.
const SMALL_BYTES: usize = 1 << 20;

/// A column of views is copied if its buffers have more than this many bytes, and its rows use less than half of them.
const UNUSED_VIEW_BYTES: usize = 64 << 10;

/// In a table with many columns, batches are merged up to this many bytes per column. Each column of a batch takes
/// about 600 bytes in addition to its values.
const SMALL_COLUMN_BYTES: usize = 2 << 10;

/// The destination of a table, its format, and its compression.
#[derive(Clone, Debug)]
pub struct Table {
    /// The path of the file; `None` for standard output.
    pub path: Option<PathBuf>,
    /// The file format of the table.
    pub format: OutputFormat,
    /// The compression of the file, if the format is a text format.
    pub compression: Compression,
    /// Whether an existing file may be replaced.
    pub options: TargetOptions,
}

impl Table {
    /// The file name for the rejects of a failed run, if the output of an earlier run must not be changed:
    /// `a.rejects.csv` → `a.rejects.failed.csv`. `None` for standard output.
    pub(super) fn failed_name(&self) -> Option<PathBuf> {
        let path = self.path.as_deref()?;
        let name = path.file_name()?.to_str()?;
        let ending = format!(".{}{}", self.format.extension(), self.compression.ending());
        let stem = name.strip_suffix(&ending).unwrap_or(name);
        Some(path.with_file_name(format!("{stem}.failed{}", &name[stem.len()..])))
    }

    /// Claims the destination of this table, and starts the table.
    pub fn start(
        &self,
        schema: &SchemaRef,
        metadata: &TableMetadata,
    ) -> Result<TableWriter, Error> {
        if self.format.is_folder() {
            let format = self.format.id;
            let problem = "is a folder of files, which convert, dedup, split, augment and audit write: convert this \
                           table afterwards";
            return Err(FormatError::new(format, problem).into());
        }
        TableKind::from_table(self, schema, metadata)?.start(self)
    }
}

/// What all tables with the same columns, metadata and format have in common.
#[derive(Clone)]
pub(crate) struct TableKind(FormatWriter);

impl TableKind {
    /// Prepares what all tables in the format of `table` have in common.
    pub(crate) fn from_table(
        table: &Table,
        schema: &SchemaRef,
        metadata: &TableMetadata,
    ) -> Result<TableKind, Error> {
        let format = table.format;
        if format.holds != Holds::Table && schema.index_of("puzzle").is_err() {
            return Err(FormatError::new(
                format.id,
                "needs the column puzzle: select it, and do not rename it",
            )
            .into());
        }
        let table_start = TableStart {
            schema,
            metadata,
            compression: table.compression,
            is_temporary: table.path.as_deref().is_some_and(is_scratch),
        };
        (format.start)(table_start).map(TableKind)
    }

    /// Starts a part of a folder that this run has claimed.
    pub(crate) fn start_part(&self, path: &Path) -> Result<TableWriter, Error> {
        Ok(TableWriter::new(
            self.0.clone(),
            Target::part_of_folder(path)?,
        ))
    }

    /// Starts a table at a path that this run has claimed already.
    pub(crate) fn start_claimed(
        &self,
        path: &Path,
        options: TargetOptions,
    ) -> Result<TableWriter, Error> {
        let target = Target::open_without_claim(path, options)?;
        Ok(TableWriter::new(self.0.clone(), target))
    }

    /// Claims the destination of a table, and starts the table.
    pub(crate) fn start(&self, table: &Table) -> Result<TableWriter, Error> {
        let target = match &table.path {
            Some(path) => Target::file(path, table.options)?,
            None => Target::stdout()?,
        };
        Ok(TableWriter::new(self.0.clone(), target))
    }
}

/// Collects rows into groups that any thread can encode, and writes the encoded groups in order.
///
/// ```text
/// push(batch) → RowGroup → encode() on any thread → append(group, encoded), in any order
/// ```
pub struct TableWriter {
    /// The path of the table, as the caller named it; `None` for standard output.
    table_path: Option<PathBuf>,
    limits: GroupLimits,
    encoder: Arc<dyn Encode>,
    sink: SinkOrTarget,
    waiting_batches: Vec<RecordBatch>,
    /// The size in bytes of each batch in `waiting_batches`.
    waiting_sizes: Vec<usize>,
    waiting_rows: usize,
    waiting_bytes: usize,
    groups_started: usize,
    /// The number of rows in all groups so far.
    rows: u64,
    encoded_groups: BTreeMap<usize, Encoded>,
    groups_appended: usize,
}

/// The writer of the encoded groups, which is opened when the first group is written. Before that, the table only needs
/// memory for its rows. The state of a sink can be much larger.
enum SinkOrTarget {
    Closed(Target, Arc<OpenSink>),
    Open(Box<dyn Sink>),
}

impl SinkOrTarget {
    fn open(&mut self) -> Result<&mut dyn Sink, Error> {
        if let SinkOrTarget::Closed(target, open) = self {
            *self = SinkOrTarget::Open(open(target.move_out())?);
        }
        match self {
            SinkOrTarget::Open(sink) => Ok(sink.as_mut()),
            SinkOrTarget::Closed(..) => Err(Error::Internal("the file is not open".into())),
        }
    }

    fn into_open(self) -> Result<Box<dyn Sink>, Error> {
        match self {
            SinkOrTarget::Closed(target, open) => open(target),
            SinkOrTarget::Open(sink) => Ok(sink),
        }
    }
}

/// A group of rows that are encoded together.
pub(crate) struct RowGroup {
    /// The number of the group in the table, from 0.
    pub(crate) index: usize,
    /// The number of the first row in the table, from 0.
    pub(crate) first_row: u64,
    pub(crate) batches: Vec<RecordBatch>,
    encoder: Arc<dyn Encode>,
}

impl RowGroup {
    pub(crate) fn encode(&self) -> Result<Encoded, Error> {
        self.encoder.encode(self)
    }
}

impl TableWriter {
    fn new(format_writer: FormatWriter, target: Target) -> TableWriter {
        TableWriter {
            table_path: target.file_path().map(Path::to_owned),
            limits: format_writer.limits,
            encoder: format_writer.encoder,
            sink: SinkOrTarget::Closed(target, format_writer.open_sink),
            waiting_batches: Vec::new(),
            waiting_rows: 0,
            waiting_sizes: Vec::new(),
            waiting_bytes: 0,
            groups_started: 0,
            rows: 0,
            encoded_groups: BTreeMap::new(),
            groups_appended: 0,
        }
    }

    /// The path of the file; `None` for standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.table_path.as_deref()
    }

    /// Moves the claim of the output out of the writer. The output set keeps it after the writer has been dropped.
    pub(super) fn take_claim(&mut self) -> Option<Claim> {
        match &mut self.sink {
            SinkOrTarget::Closed(target, _) => target.take_claim(),
            SinkOrTarget::Open(_) => None,
        }
    }

    /// Lowers the size limit of row groups to this number of bytes. Text formats usually have smaller groups anyway.
    pub fn shrink_groups(&mut self, bytes: usize) {
        // The rows of an Arrow group are copied to a single record batch before they are encoded, so they take twice
        // their size.
        let bytes = match self.limits.packing {
            DictionaryPacking::Kept => bytes,
            DictionaryPacking::Written => bytes / 2,
        };
        self.limits.bytes = self.limits.bytes.min(bytes);
    }

    /// Adds rows, and returns the groups that became full. The boundaries of groups depend only on the rows.
    pub(crate) fn push(&mut self, batch: RecordBatch) -> Vec<RowGroup> {
        let mut full_groups = Vec::new();
        let mut remaining_batch = Some(batch);
        while let Some(batch) = remaining_batch.take().filter(|batch| batch.num_rows() > 0) {
            let room_rows = self.limits.rows.saturating_sub(self.waiting_rows);
            // A batch that fits into the group is not sliced, because slicing a table with many columns takes
            // longer than adding the batch.
            let fitting_rows = if batch.num_rows() <= room_rows {
                batch
            } else {
                remaining_batch = Some(batch.slice(room_rows, batch.num_rows() - room_rows));
                batch.slice(0, room_rows)
            };
            let fitting_rows = compact(fitting_rows);
            let bytes = self.batch_bytes(&fitting_rows);
            self.waiting_rows += fitting_rows.num_rows();
            self.waiting_bytes += bytes;
            self.add_to_waiting(fitting_rows, bytes);
            if self.waiting_rows >= self.limits.rows || self.waiting_bytes >= self.limits.bytes {
                full_groups.extend(self.take_waiting_group());
            }
        }
        full_groups
    }

    /// The size of these rows in bytes: the size of their values when they are written.
    fn batch_bytes(&self, batch: &RecordBatch) -> usize {
        written_bytes(batch.columns(), self.limits.packing)
    }

    /// Adds rows to the next group. Small batches are merged: if each batch had only one row for this table, the
    /// arrays would take much more memory than their values.
    fn add_to_waiting(&mut self, mut batch: RecordBatch, mut bytes: usize) {
        // In a table with many columns, the arrays of larger batches also take more memory than their values.
        // The limit therefore grows with the number of columns.
        let most_bytes = SMALL_BYTES.max(batch.num_columns() * SMALL_COLUMN_BYTES);
        while let (Some(last), Some(last_bytes)) =
            (self.waiting_batches.last(), self.waiting_sizes.last())
        {
            let rows = last.num_rows() + batch.num_rows();
            // Only batches of similar size are merged, so each row is copied at most about twelve times.
            if last.num_rows() > 2 * batch.num_rows() || rows > SMALL_ROWS {
                break;
            }
            if last_bytes + bytes > most_bytes {
                break;
            }
            let Ok(merged) = concat_batches(last.schema_ref(), [last, &batch]) else {
                break;
            };
            batch = merged;
            bytes += last_bytes;
            self.waiting_batches.pop();
            self.waiting_sizes.pop();
        }
        self.waiting_batches.push(batch);
        self.waiting_sizes.push(bytes);
    }

    /// Returns the rows that are not in a group yet as a group; `None` if there are none.
    pub(crate) fn take_waiting_group(&mut self) -> Option<RowGroup> {
        if self.waiting_batches.is_empty() {
            return None;
        }
        let (index, first_row) = (self.groups_started, self.rows);
        self.groups_started += 1;
        self.rows += self.waiting_rows as u64;
        self.waiting_rows = 0;
        self.waiting_bytes = 0;
        self.waiting_sizes.clear();
        Some(RowGroup {
            index,
            first_row,
            batches: std::mem::take(&mut self.waiting_batches),
            encoder: self.encoder.clone(),
        })
    }

    /// Adds an encoded group of rows. It is written when all earlier groups have been written.
    pub(crate) fn append(&mut self, index: usize, encoded: Encoded) -> Result<(), Error> {
        self.encoded_groups.insert(index, encoded);
        while let Some(encoded) = self.encoded_groups.remove(&self.groups_appended) {
            self.sink.open()?.append(encoded)?;
            self.groups_appended += 1;
        }
        Ok(())
    }

    /// The size in bytes of the rows that are not in a group yet.
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.waiting_bytes
    }

    /// The number of row groups that are being encoded, or have been encoded but not written.
    pub(crate) fn groups_in_flight(&self) -> usize {
        self.groups_started - self.groups_appended
    }

    /// Adds rows and encodes full groups on this thread.
    pub fn write(&mut self, batch: RecordBatch) -> Result<(), Error> {
        for group in self.push(batch) {
            self.append(group.index, group.encode()?)?;
        }
        Ok(())
    }

    /// Encodes the rows that are not in a group yet, on this thread.
    pub(crate) fn encode_rest(&mut self) -> Result<(), Error> {
        match self.take_waiting_group() {
            Some(group) => self.append(group.index, group.encode()?),
            None => Ok(()),
        }
    }

    /// Finishes a table, and returns the target of its file. If the table is a folder, the second result has the
    /// targets of its other files.
    pub(crate) fn finish_files(mut self) -> Result<(Target, Vec<Target>), Error> {
        self.encode_rest()?;
        self.sink.into_open()?.finish_files()
    }

    /// Finishes the file, and returns its target, which the caller has to publish.
    pub fn finish(mut self) -> Result<Target, Error> {
        self.encode_rest()?;
        self.sink.into_open()?.finish()
    }
}

/// Copies the rows if views refer to much more text than the rows use, for example after most rows of a batch
/// were filtered out.
fn compact(batch: RecordBatch) -> RecordBatch {
    let wastes_memory = |column: &ArrayRef| {
        let kept_bytes = match column.data_type() {
            DataType::Utf8View => buffer_bytes(column.as_string_view().data_buffers()),
            DataType::BinaryView => buffer_bytes(column.as_binary_view().data_buffers()),
            _ => return false,
        };
        kept_bytes > UNUSED_VIEW_BYTES
            && kept_bytes / 2 > written_bytes(std::slice::from_ref(column), DictionaryPacking::Kept)
    };
    if !batch.columns().iter().any(wastes_memory) {
        return batch;
    }
    let columns = batch
        .columns()
        .iter()
        .map(|column| match column.data_type() {
            DataType::Utf8View if wastes_memory(column) => {
                Arc::new(column.as_string_view().gc()) as ArrayRef
            }
            DataType::BinaryView if wastes_memory(column) => Arc::new(column.as_binary_view().gc()),
            _ => Arc::clone(column),
        });
    let columns = columns.collect();
    RecordBatch::try_new(batch.schema(), columns).unwrap_or(batch)
}

fn buffer_bytes(buffers: &[Buffer]) -> usize {
    buffers.iter().map(Buffer::len).sum()
}

/// Makes the last row group of each table from the rows that are not in a group yet. Each group has the index of its
/// table.
pub(crate) fn last_groups<'t>(
    tables: impl Iterator<Item = &'t mut TableWriter>,
) -> Vec<EncodeTask> {
    let tables = tables.enumerate();
    let groups = tables
        .flat_map(|(at, table)| encode_tasks(TableId::new(at as u64), table.take_waiting_group()));
    groups.collect()
}

/// The work of encoding these groups of a table.
pub(crate) fn encode_tasks(
    table: TableId,
    groups: impl IntoIterator<Item = RowGroup>,
) -> Vec<EncodeTask> {
    let groups = groups.into_iter();
    groups.map(|group| EncodeTask { table, group }).collect()
}
