//! Tables: rows are collected into groups, encoded by the workers, and written in order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::buffer::Buffer;
use arrow::compute::concat_batches;
use arrow::datatypes::{DataType, SchemaRef};

use super::commit::Claim;
use super::formats::format::{OpenSink, Started, TableStart};
use super::{
    Compression, Encode, EncodeTask, Encoded, GroupLimits, Holds, OutputFormat, Sink, TableId,
    TableMetadata, Target, TargetOptions,
};
use crate::error::{Error, OutputError};
use crate::table::written_bytes::{Packing, written_bytes};

/// The most rows in a merged batch of waiting rows.
const SMALL_ROWS: usize = 1024;

/// The most bytes in a merged batch of waiting rows.
const SMALL_BYTES: usize = 1 << 20;

/// Views that keep fewer bytes than this are not copied.
const LOOSE_BYTES: usize = 64 << 10;

/// The bytes of a column up to which its arrays are merged: an array takes some 600 bytes beside its
/// values.
const SMALL_COLUMN_BYTES: usize = 2 << 10;

/// The destination of a table, and its format.
#[derive(Clone, Debug)]
pub struct Table {
    /// The file; `None` is standard output.
    pub path: Option<PathBuf>,
    /// The format.
    pub format: OutputFormat,
    /// The compression of a text format.
    pub compression: Compression,
    /// Options for existing files.
    pub options: TargetOptions,
}

impl Table {
    /// The name for the rejects of a failed run beside a set that stays: `a.rejects.csv` →
    /// `a.rejects.failed.csv`.
    pub(super) fn failed_name(&self) -> Option<PathBuf> {
        let path = self.path.as_deref()?;
        let name = path.file_name()?.to_str()?;
        let ending = format!(".{}{}", self.format.extension(), self.compression.ending());
        let stem = name.strip_suffix(&ending).unwrap_or(name);
        Some(path.with_file_name(format!("{stem}.failed{}", &name[stem.len()..])))
    }

    /// Starts the table.
    pub fn start(
        &self,
        schema: &SchemaRef,
        metadata: &TableMetadata,
    ) -> Result<TableWriter, Error> {
        if self.format.is_folder() {
            let format = self.format.id;
            return Err(OutputError::FolderFormat { format }.into());
        }
        TableKind::from_table(self, schema, metadata)?.start(self)
    }
}

/// The state shared by tables with the same columns and metadata.
#[derive(Clone)]
pub(crate) struct TableKind(Started);

impl TableKind {
    /// The kind of this table. Other tables in its format can use it too.
    pub(crate) fn from_table(
        table: &Table,
        schema: &SchemaRef,
        metadata: &TableMetadata,
    ) -> Result<TableKind, Error> {
        let format = table.format;
        if format.holds != Holds::Table && schema.index_of("puzzle").is_err() {
            return Err(OutputError::NoPuzzleColumn { format: format.id }.into());
        }
        let start = TableStart {
            schema,
            metadata,
            compression: table.compression,
        };
        (format.start)(start).map(TableKind)
    }

    /// Starts a part of a folder that this run has claimed.
    pub(crate) fn start_part(&self, path: &Path) -> Result<TableWriter, Error> {
        Ok(TableWriter::new(self.0.clone(), Target::part(path)?))
    }

    /// Starts a table at a place that this run has claimed.
    pub(crate) fn start_claimed(
        &self,
        path: &Path,
        options: TargetOptions,
    ) -> Result<TableWriter, Error> {
        let target = Target::within_claim(path, options)?;
        Ok(TableWriter::new(self.0.clone(), target))
    }

    /// Starts a table.
    pub(crate) fn start(&self, table: &Table) -> Result<TableWriter, Error> {
        let target = match &table.path {
            Some(path) => Target::file(path, table.options)?,
            None => Target::stdout()?,
        };
        Ok(TableWriter::new(self.0.clone(), target))
    }
}

/// Collects rows into groups, hands the groups out to be encoded, and writes them in order.
///
/// ```text
/// push(batch) → RowGroup → encode() on any thread → append(group, encoded), in any order
/// ```
pub struct TableWriter {
    /// The path as the caller named it; `None` for standard output.
    path: Option<PathBuf>,
    limits: GroupLimits,
    encoder: Arc<dyn Encode>,
    sink: LateSink,
    waiting: Vec<RecordBatch>,
    /// The bytes of each of them.
    sizes: Vec<usize>,
    waiting_rows: usize,
    waiting_bytes: usize,
    groups: usize,
    /// The rows in the groups handed out so far.
    rows: u64,
    encoded: BTreeMap<usize, Encoded>,
    appended: usize,
}

/// A sink that is opened with the first group, because its state may need far more memory than the
/// first rows.
enum LateSink {
    Closed(Target, Arc<OpenSink>),
    Open(Box<dyn Sink>),
}

impl LateSink {
    fn open(&mut self) -> Result<&mut dyn Sink, Error> {
        if let LateSink::Closed(target, open) = self {
            *self = LateSink::Open(open(target.take())?);
        }
        match self {
            LateSink::Open(sink) => Ok(sink.as_mut()),
            LateSink::Closed(..) => Err(Error::Internal("the file is not open".into())),
        }
    }

    fn into_open(self) -> Result<Box<dyn Sink>, Error> {
        match self {
            LateSink::Closed(target, open) => open(target),
            LateSink::Open(sink) => Ok(sink),
        }
    }
}

/// Rows that are encoded together.
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
    fn new(started: Started, target: Target) -> TableWriter {
        TableWriter {
            path: target.file_path().map(Path::to_owned),
            limits: started.limits,
            encoder: started.encoder,
            sink: LateSink::Closed(target, started.open),
            waiting: Vec::new(),
            waiting_rows: 0,
            sizes: Vec::new(),
            waiting_bytes: 0,
            groups: 0,
            rows: 0,
            encoded: BTreeMap::new(),
            appended: 0,
        }
    }

    /// The path of the file; `None` for standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Takes the claim of the output, so that it outlives the writer.
    pub(super) fn take_claim(&mut self) -> Option<Claim> {
        match &mut self.sink {
            LateSink::Closed(target, _) => target.take_claim(),
            LateSink::Open(_) => None,
        }
    }

    /// Lowers the size limit of groups. The groups of text formats are usually smaller already.
    pub fn shrink_groups(&mut self, bytes: usize) {
        // An Arrow group is copied into one record batch before it is encoded.
        let bytes = match self.limits.packing {
            Packing::Kept => bytes,
            Packing::Written => bytes / 2,
        };
        self.limits.bytes = self.limits.bytes.min(bytes);
    }

    /// Adds rows, and returns the groups that are now full. The ends of groups depend only on the
    /// rows.
    pub(crate) fn push(&mut self, batch: RecordBatch) -> Vec<RowGroup> {
        let mut full = Vec::new();
        let mut rest = Some(batch);
        while let Some(batch) = rest.take().filter(|batch| batch.num_rows() > 0) {
            let room = self.limits.rows.saturating_sub(self.waiting_rows);
            // To cut a wide table takes longer than to store it.
            let head = match batch.num_rows() <= room {
                true => batch,
                false => {
                    rest = Some(batch.slice(room, batch.num_rows() - room));
                    batch.slice(0, room)
                }
            };
            let head = compact(head);
            let bytes = self.size(&head);
            self.waiting_rows += head.num_rows();
            self.waiting_bytes += bytes;
            self.wait(head, bytes);
            if self.waiting_rows >= self.limits.rows || self.waiting_bytes >= self.limits.bytes {
                full.extend(self.take_group());
            }
        }
        full
    }

    /// The bytes of these rows as they are written.
    fn size(&self, batch: &RecordBatch) -> usize {
        written_bytes(batch.columns(), self.limits.packing)
    }

    /// Adds rows to those that wait for a group, and merges small batches. In a table that gets one
    /// row of each batch, their arrays would take far more memory than the rows.
    fn wait(&mut self, mut batch: RecordBatch, mut bytes: usize) {
        // In a wide table, too, the arrays of small batches take more than their values.
        let most = SMALL_BYTES.max(batch.num_columns() * SMALL_COLUMN_BYTES);
        while let (Some(last), Some(last_bytes)) = (self.waiting.last(), self.sizes.last()) {
            let rows = last.num_rows() + batch.num_rows();
            // Merged batches double in size, so a row is copied at most a dozen times.
            if last.num_rows() > 2 * batch.num_rows() || rows > SMALL_ROWS {
                break;
            }
            if last_bytes + bytes > most {
                break;
            }
            let Ok(merged) = concat_batches(last.schema_ref(), [last, &batch]) else {
                break;
            };
            batch = merged;
            bytes += last_bytes;
            self.waiting.pop();
            self.sizes.pop();
        }
        self.waiting.push(batch);
        self.sizes.push(bytes);
    }

    /// Takes the waiting rows as a group.
    pub(crate) fn take_group(&mut self) -> Option<RowGroup> {
        if self.waiting.is_empty() {
            return None;
        }
        let (index, first_row) = (self.groups, self.rows);
        self.groups += 1;
        self.rows += self.waiting_rows as u64;
        self.waiting_rows = 0;
        self.waiting_bytes = 0;
        self.sizes.clear();
        Some(RowGroup {
            index,
            first_row,
            batches: std::mem::take(&mut self.waiting),
            encoder: self.encoder.clone(),
        })
    }

    /// Adds an encoded group, and writes it once all earlier groups are written.
    pub(crate) fn append(&mut self, index: usize, encoded: Encoded) -> Result<(), Error> {
        self.encoded.insert(index, encoded);
        while let Some(encoded) = self.encoded.remove(&self.appended) {
            self.sink.open()?.append(encoded)?;
            self.appended += 1;
        }
        Ok(())
    }

    /// The bytes of the rows that wait for a group.
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.waiting_bytes
    }

    /// The number of groups that have been handed out and are not yet written.
    pub(crate) fn in_flight(&self) -> usize {
        self.groups - self.appended
    }

    /// Adds rows and encodes full groups on this thread.
    pub fn write(&mut self, batch: RecordBatch) -> Result<(), Error> {
        for group in self.push(batch) {
            self.append(group.index, group.encode()?)?;
        }
        Ok(())
    }

    /// Encodes the waiting rows on this thread.
    pub(crate) fn encode_rest(&mut self) -> Result<(), Error> {
        match self.take_group() {
            Some(group) => self.append(group.index, group.encode()?),
            None => Ok(()),
        }
    }

    /// Ends the files of a table that may be a folder, the first one first.
    pub(crate) fn finish_files(mut self) -> Result<(Target, Vec<Target>), Error> {
        self.encode_rest()?;
        self.sink.into_open()?.finish_files()
    }

    /// Ends the file, and returns the target for the caller to commit.
    pub fn finish(mut self) -> Result<Target, Error> {
        self.encode_rest()?;
        self.sink.into_open()?.finish()
    }
}

/// The rows in memory of their own, where views keep far more text than theirs: rows of a batch of
/// which most were filtered out, for example.
fn compact(batch: RecordBatch) -> RecordBatch {
    let is_loose = |column: &ArrayRef| {
        let kept = match column.data_type() {
            DataType::Utf8View => buffer_bytes(column.as_string_view().data_buffers()),
            DataType::BinaryView => buffer_bytes(column.as_binary_view().data_buffers()),
            _ => return false,
        };
        kept > LOOSE_BYTES && kept / 2 > written_bytes(std::slice::from_ref(column), Packing::Kept)
    };
    if !batch.columns().iter().any(is_loose) {
        return batch;
    }
    let columns = batch
        .columns()
        .iter()
        .map(|column| match column.data_type() {
            DataType::Utf8View if is_loose(column) => {
                Arc::new(column.as_string_view().gc()) as ArrayRef
            }
            DataType::BinaryView if is_loose(column) => Arc::new(column.as_binary_view().gc()),
            _ => Arc::clone(column),
        });
    let columns = columns.collect();
    RecordBatch::try_new(batch.schema(), columns).unwrap_or(batch)
}

fn buffer_bytes(buffers: &[Buffer]) -> usize {
    buffers.iter().map(Buffer::len).sum()
}

/// Takes the waiting rows of tables, which have their numbers in this order, as their last groups.
pub(crate) fn last_groups<'t>(
    tables: impl Iterator<Item = &'t mut TableWriter>,
) -> Vec<EncodeTask> {
    let groups = tables.enumerate().filter_map(|(at, table)| {
        Some(EncodeTask {
            table: TableId::new(at as u64),
            group: table.take_group()?,
        })
    });
    groups.collect()
}
