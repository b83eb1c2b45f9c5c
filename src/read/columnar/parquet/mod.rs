//! Reads Parquet files whose puzzles are a column of text, or of lists of integers.
//!
//! ```text
//! footer ─ checked, then read ─▶ row groups ─ pages, checked, then read ─▶ RecordBatch
//! ```
//!
//! Text is read as views into the pages: a dictionary value is stored once, even if it occurs in a million
//! rows.

mod delta;
mod footer;
mod format;
mod logical;
mod pages;
#[cfg(test)]
mod tests;
mod thrift;
mod views;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ::parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReader};
use ::parquet::arrow::{FieldLevels, ProjectionMask, parquet_to_arrow_field_levels};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::reader::ChunkReader;

use self::footer::Footer;
pub(crate) use self::format::{FORMAT, MAGIC};
use self::pages::{PageBudget, ParquetRowGroup};
use super::cutter::Cutter;
use super::layout::ChosenColumns;
use super::{BATCH_ROWS, unsupported_error};
use crate::error::{Error, InputError};
use crate::read::guard;
use crate::read::{Batch, BatchSource, Input, InputFormat, InputInfo, Payload, ReadOptions};
use crate::store::RandomAccess;

/// The maximum total size in bytes of the fixed-length values in a batch.
const MOST_FIXED_BYTES: u64 = 64 << 20;

/// The target size of a batch in bytes. The size is estimated from the average size of a row.
const TARGET_BATCH_BYTES: u64 = 4 << 20;

pub(crate) fn open(path: &str, file: RandomAccess, options: &ReadOptions) -> Result<Input, Error> {
    let bytes = file.bytes();
    let file = Arc::new(file);
    let (described, footer) = describe(path, &file, bytes)?;
    footer::refuse_file_before(path, file.as_ref(), &footer, described.metadata())?;
    let fields = described.schema().fields();
    let file_metadata = described.metadata().file_metadata();
    let typed_fields = logical::with_logical_types(fields, file_metadata);
    let chosen = ChosenColumns::from_fields(path, &typed_fields, options)?;
    let roots = &chosen.layout.roots;
    for root in roots {
        logical::refuse_interval(path, *root, file_metadata)?;
    }

    let metadata = Arc::clone(described.metadata());
    let mask = ProjectionMask::roots(described.parquet_schema(), roots.iter().copied());
    footer::refuse_encrypted(path, &footer, &metadata, &mask)?;
    let decoded_fields = views::with_view_types(fields);
    let field_levels = guarded(|| {
        parquet_to_arrow_field_levels(
            described.parquet_schema(),
            mask.clone(),
            Some(&decoded_fields),
        )
    })
    .map_err(|error| explain(path, bytes, &error))?;
    let groups = selected_row_groups(path, &metadata, options)?;
    for group in &groups {
        footer::check_row_group(path, &metadata, group.index, &mask, bytes)?;
    }

    let bytes_read = Arc::new(AtomicU64::new(0));
    let info = InputInfo {
        source: path.to_owned(),
        bytes: Some(bytes),
        compression: "none",
        format: InputFormat::PARQUET,
        has_solutions: false,
        row_groups: Some(metadata.num_row_groups()),
    };
    let why = "it starts with PAR1";
    Ok(
        chosen.into_input(info, why, Arc::clone(&bytes_read), |layout| {
            Box::new(ParquetSource {
                path: path.to_owned(),
                batch_rows: batch_rows(&metadata, &mask),
                file,
                metadata,
                field_levels,
                rows: groups.iter().map(|group| group.rows).sum(),
                groups,
                current: None,
                cutter: Cutter::new(layout, false),
                budget: PageBudget::new(),
                rows_done: 0,
                bytes,
                bytes_read,
                failed: false,
            })
        }),
    )
}

/// The metadata in the footer of a Parquet file.
pub(crate) fn metadata(path: &str, file: RandomAccess) -> Result<Arc<ParquetMetaData>, Error> {
    let bytes = file.bytes();
    let (described, _) = describe(path, &Arc::new(file), bytes)?;
    Ok(Arc::clone(described.metadata()))
}

fn describe<R: ChunkReader>(
    path: &str,
    file: &Arc<R>,
    bytes: u64,
) -> Result<(ArrowReaderMetadata, Footer), Error> {
    guarded(|| {
        let footer = footer::check_footer(file.as_ref(), bytes)?;
        let arrow_metadata = ArrowReaderMetadata::load(file.as_ref(), Default::default())?;
        Ok((arrow_metadata, footer))
    })
    .map_err(|error| {
        unsupported_error(path, &error.to_string()).unwrap_or_else(|| explain(path, bytes, &error))
    })
    .and_then(|(described, footer)| {
        footer::check_rows(path, described.metadata(), bytes)?;
        Ok((described, footer))
    })
}

/// The number of rows per batch. It is smaller if rows are long, or if they have large fixed-length values.
fn batch_rows(metadata: &ParquetMetaData, mask: &ProjectionMask) -> usize {
    let columns = metadata.file_metadata().schema_descr().columns().iter();
    let lengths = columns.enumerate().filter_map(|(at, column)| {
        let length = u64::try_from(column.type_length()).unwrap_or_default();
        mask.leaf_included(at).then_some(length)
    });
    let fixed_bytes = MOST_FIXED_BYTES / lengths.fold(1, u64::saturating_add).max(1);
    let groups = metadata.row_groups().iter();
    let (mut all_bytes, mut all_rows) = (0, 0);
    for group in groups {
        let columns = group.columns().iter().enumerate();
        let columns = columns.filter(|(at, _)| mask.leaf_included(*at));
        let bytes = columns.map(|(_, column)| column.uncompressed_size().max(0) as u64);
        all_bytes = bytes.fold(all_bytes, u64::saturating_add);
        all_rows += group.num_rows().max(0) as u64;
    }
    let average = all_bytes / all_rows.max(1);
    let rows = fixed_bytes.min(TARGET_BATCH_BYTES / average.max(1));
    usize::try_from(rows).map_or(BATCH_ROWS, |rows| rows.clamp(1, BATCH_ROWS))
}

/// A row group of the file that has not been read yet.
struct PendingRowGroup {
    index: usize,
    /// The number of the row group's first row in the file, from 0.
    first_row: u64,
    rows: u64,
}

/// The row groups that the options select, in the order of the file.
fn selected_row_groups(
    path: &str,
    metadata: &ParquetMetaData,
    options: &ReadOptions,
) -> Result<VecDeque<PendingRowGroup>, Error> {
    let count = metadata.num_row_groups();
    if let Some(wanted) = &options.row_groups
        && let Some(missing) = wanted.iter().find(|index| **index >= count)
    {
        return Err(InputError::NoRowGroup {
            input: path.to_owned(),
            count,
            missing: *missing,
        }
        .into());
    }
    let mut first_row = 0;
    let mut groups = VecDeque::new();
    for (index, group) in metadata.row_groups().iter().enumerate() {
        let rows = u64::try_from(group.num_rows()).unwrap_or_default();
        let wanted_groups = options.row_groups.as_ref();
        if wanted_groups.is_none_or(|wanted| wanted.contains(&index)) {
            groups.push_back(PendingRowGroup {
                index,
                first_row,
                rows,
            });
        }
        first_row += rows;
    }
    Ok(groups)
}

struct ParquetSource<R> {
    path: String,
    file: Arc<R>,
    metadata: Arc<ParquetMetaData>,
    field_levels: FieldLevels,
    batch_rows: usize,
    /// The row groups that have not been opened yet.
    groups: VecDeque<PendingRowGroup>,
    current: Option<CurrentRowGroup>,
    cutter: Cutter,
    budget: PageBudget,
    /// The number of rows that have been read.
    rows_done: u64,
    /// The number of rows that will be read in total.
    rows: u64,
    bytes: u64,
    bytes_read: Arc<AtomicU64>,
    failed: bool,
}

/// The row group that is being read: its decoder, and the range of its rows that have not been read yet.
struct CurrentRowGroup {
    index: usize,
    reader: ParquetRecordBatchReader,
    next_row: u64,
    end_row: u64,
}

impl<R: ChunkReader + 'static> ParquetSource<R> {
    /// Updates the progress. It is measured in rows, because the bytes of Parquet files are not read
    /// sequentially.
    fn update_progress(&self) {
        let done_bytes = u128::from(self.rows_done) * u128::from(self.bytes);
        let bytes_read = done_bytes
            .checked_div(u128::from(self.rows))
            .and_then(|read| u64::try_from(read).ok());
        let bytes_read = bytes_read.unwrap_or(self.bytes).min(self.bytes);
        self.bytes_read.store(bytes_read, Ordering::Relaxed);
    }

    /// The next batch of the current row group or, at its end, of the next one.
    fn batch(&mut self) -> Result<Option<Batch>, Error> {
        loop {
            let cutter = &mut self.cutter;
            let next_cut = guarded(|| cutter.next().map_err(ParquetError::from));
            if let Some(chunk) = next_cut.map_err(|error| self.explain(&error))? {
                let rows = chunk.columns.num_rows();
                let Some(current) = &mut self.current else {
                    return Ok(None);
                };
                let first_row = current.next_row;
                current.next_row += rows as u64;
                self.rows_done += rows as u64;
                self.update_progress();
                return Ok(Some(Batch {
                    first_row,
                    rows,
                    payload: Payload::Columns(chunk),
                }));
            }
            if self.current.is_none() && !self.start_group()? {
                return Ok(None);
            }
            let Some(current) = &mut self.current else {
                return Ok(None);
            };
            self.budget.renew();
            let read_rows = guarded(|| {
                current
                    .reader
                    .next()
                    .transpose()
                    .map_err(ParquetError::from)
            });
            match read_rows.map_err(|error| self.explain(&error))? {
                Some(batch) => self.cutter.add_batch(batch),
                None => self.end_group()?,
            }
        }
    }

    fn start_group(&mut self) -> Result<bool, Error> {
        let Some(group) = self.groups.pop_front() else {
            return Ok(false);
        };
        self.budget.renew();
        let pages = ParquetRowGroup {
            file: self.file.clone(),
            metadata: self.metadata.clone(),
            index: group.index,
            budget: self.budget.clone(),
        };
        let (field_levels, rows) = (&self.field_levels, self.batch_rows);
        let reader = guarded(|| {
            ParquetRecordBatchReader::try_new_with_row_groups(field_levels, &pages, rows, None)
        });
        let group_start = footer::row_group_start(&self.metadata, group.index, self.bytes);
        self.current = Some(CurrentRowGroup {
            index: group.index,
            reader: reader.map_err(|error| explain(&self.path, group_start, &error))?,
            next_row: group.first_row,
            end_row: group.first_row.saturating_add(group.rows),
        });
        Ok(true)
    }

    /// Checks, at the end of a row group, that it had as many rows as the footer states.
    fn end_group(&mut self) -> Result<(), Error> {
        match self.current.take() {
            Some(current) if current.next_row != current.end_row => {
                let missing_rows = current.end_row.saturating_sub(current.next_row);
                let error = ParquetError::General(match missing_rows {
                    1 => "1 row is missing".to_owned(),
                    rows => format!("{rows} rows are missing"),
                });
                self.current = Some(current);
                Err(self.explain(&error))
            }
            _ => Ok(()),
        }
    }

    fn explain(&self, error: &ParquetError) -> Error {
        let group_start = self.current.as_ref().map_or(self.bytes, |current| {
            footer::row_group_start(&self.metadata, current.index, self.bytes)
        });
        match self.budget.refused() {
            Some(what) => Error::Corrupt {
                source_name: self.path.clone(),
                byte_offset: group_start,
                what,
            },
            None => explain(&self.path, group_start, error),
        }
    }
}

impl<R: ChunkReader + 'static> BatchSource for ParquetSource<R> {
    fn next(&mut self, _buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        if self.failed {
            return Ok(None);
        }
        let batch = self.batch();
        self.failed = batch.is_err();
        batch
    }

    fn rows_lost(&self) -> Option<u64> {
        self.rows.checked_sub(self.rows_done)
    }
}

fn guarded<T>(decode: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    guard::guarded(decode, ParquetError::General)
}

fn explain(path: &str, byte_offset: u64, error: &ParquetError) -> Error {
    Error::Corrupt {
        source_name: path.to_owned(),
        byte_offset,
        what: format!("the Parquet file is damaged or cut short ({error})"),
    }
}
