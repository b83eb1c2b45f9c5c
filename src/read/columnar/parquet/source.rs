//! Reads the row groups of a Parquet file in order, as batches or as pieces of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use ::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, RowGroups};
use ::parquet::arrow::{FieldLevels, ProjectionMask};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::reader::ChunkReader;
use arrow::array::RecordBatch;

use super::budget::PageBudget;
use super::pages::ParquetRowGroup;
use super::slices::PagePlan;
use super::{explain, footer, guarded};
use crate::error::Error;
use crate::read::columnar::cutter::Cutter;
use crate::read::columnar::layout::ColumnLayout;
use crate::read::{Batch, BatchSource, Part, Payload, PieceLimits};

/// A Parquet file and how it is read.
pub(super) struct ParquetFile<R> {
    pub(super) path: String,
    pub(super) file: Arc<R>,
    pub(super) metadata: Arc<ParquetMetaData>,
    /// The leaf columns that are read.
    pub(super) mask: ProjectionMask,
    pub(super) field_levels: FieldLevels,
    pub(super) layout: ColumnLayout,
    /// The number of rows that are decoded at a time.
    pub(super) batch_rows: usize,
    /// The number of rows that will be read in total.
    pub(super) rows: u64,
    /// The size of the file in bytes.
    pub(super) bytes: u64,
    /// Whether pages may be read out of order. In a store, this would cost more requests.
    pub(super) may_divide: bool,
    /// The largest number of chunks into which decoded rows have been cut so far.
    pub(super) chunks_per_batch: AtomicUsize,
}

impl<R: ChunkReader + 'static> ParquetFile<R> {
    /// The position in the file after this number of rows. It is an estimate, because the bytes of Parquet files are not
    /// read sequentially.
    pub(super) fn position(&self, rows_done: u64) -> u64 {
        let done_bytes = u128::from(rows_done) * u128::from(self.bytes);
        let position = done_bytes
            .checked_div(u128::from(self.rows))
            .and_then(|read| u64::try_from(read).ok());
        position.unwrap_or(self.bytes).min(self.bytes)
    }
}

/// A row group of the file.
#[derive(Clone, Copy)]
pub(super) struct RowGroup {
    pub(super) index: usize,
    /// The number of the row group's first row in the file, from 0.
    pub(super) first_row: u64,
    pub(super) rows: u64,
}

impl RowGroup {
    pub(super) fn end_row(self) -> u64 {
        self.first_row.saturating_add(self.rows)
    }
}

pub(super) struct ParquetSource<R> {
    pub(super) file: Arc<ParquetFile<R>>,
    /// The row groups that have not been opened yet.
    pub(super) groups: VecDeque<RowGroup>,
    pub(super) current: Option<CurrentRowGroup>,
    /// The rest of a row group, from which pieces are cut.
    pub(super) divided: Option<DividedGroup>,
    pub(super) cutter: Cutter,
    /// The number of chunks that have been cut from the most recently decoded rows.
    chunks: usize,
    pub(super) budget: PageBudget,
    /// The number of rows that have been read, or are in pieces.
    pub(super) rows_done: u64,
    pub(super) bytes_read: Arc<AtomicU64>,
    /// The position that has been added to `bytes_read`.
    pub(super) reported_position: u64,
    pub(super) failed: bool,
}

/// The rest of a row group, which is cut into slices.
pub(super) struct DividedGroup {
    pub(super) group: RowGroup,
    pub(super) pages: PagePlan,
    pub(super) next_row: u64,
}

/// The row group that is being read: its decoder, and the range of its rows that have not been read yet.
pub(super) struct CurrentRowGroup {
    pub(super) group: RowGroup,
    /// `None` if all its rows have been decoded.
    pub(super) reader: Option<ParquetRecordBatchReader>,
    pub(super) next_row: u64,
    pub(super) end_row: u64,
    /// Whether rows of the row group follow that another source reads.
    pub(super) is_part: bool,
    /// Whether all its rows are read by this source.
    pub(super) is_undivided: bool,
}

impl<R: ChunkReader + 'static> ParquetSource<R> {
    pub(super) fn new(
        file: Arc<ParquetFile<R>>,
        groups: VecDeque<RowGroup>,
        bytes_read: Arc<AtomicU64>,
    ) -> ParquetSource<R> {
        ParquetSource {
            cutter: Cutter::new(file.layout.clone(), false),
            file,
            groups,
            current: None,
            divided: None,
            chunks: 0,
            budget: PageBudget::new(),
            rows_done: 0,
            bytes_read,
            reported_position: 0,
            failed: false,
        }
    }

    /// A source for a part of the file before which `rows_done` rows have been read.
    pub(super) fn starting_after(
        file: Arc<ParquetFile<R>>,
        rows_done: u64,
        groups: VecDeque<RowGroup>,
    ) -> ParquetSource<R> {
        let position = file.position(rows_done);
        ParquetSource {
            rows_done,
            reported_position: position,
            ..ParquetSource::new(file, groups, Arc::new(AtomicU64::new(position)))
        }
    }

    /// Updates the progress.
    fn update_progress(&mut self) {
        let position = self.file.position(self.rows_done);
        let more = position.wrapping_sub(self.reported_position);
        // The counter also has the progress of pieces that were cut earlier, so it is not set to the position.
        self.bytes_read.fetch_add(more, Ordering::Relaxed);
        self.reported_position = position;
    }

    /// The next batch of the current row group or, at its end, of the next one.
    fn batch(&mut self) -> Result<Option<Batch>, Error> {
        loop {
            if let Some(batch) = self.batch_of_current()? {
                return Ok(Some(batch));
            }
            let Some(group) = self.groups.pop_front() else {
                return Ok(None);
            };
            self.start_group(group)?;
        }
    }

    /// The next batch of the current row group; `None` at its end.
    pub(super) fn batch_of_current(&mut self) -> Result<Option<Batch>, Error> {
        while self.current.is_some() {
            let cutter = &mut self.cutter;
            let next_cut = guarded(|| cutter.next().map_err(ParquetError::from));
            if let Some(chunk) = next_cut.map_err(|error| self.explain(&error))? {
                let rows = chunk.columns.num_rows();
                self.chunks += 1;
                let chunks_per_batch = &self.file.chunks_per_batch;
                chunks_per_batch.fetch_max(self.chunks, Ordering::Relaxed);
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
            let Some(current) = &mut self.current else {
                return Ok(None);
            };
            if current.is_part && current.next_row >= current.end_row {
                self.current = None;
                break;
            }
            match self.decode()? {
                Some(batch) => {
                    self.chunks = 0;
                    self.cutter.add_batch(batch);
                }
                None => self.end_group()?,
            }
        }
        Ok(None)
    }

    /// Decodes the next rows of the current row group; `None` at its end.
    pub(super) fn decode(&mut self) -> Result<Option<RecordBatch>, Error> {
        self.budget.renew();
        let reader = self.current.as_mut();
        let Some(reader) = reader.and_then(|current| current.reader.as_mut()) else {
            return Ok(None);
        };
        let decoded = guarded(|| reader.next().transpose().map_err(ParquetError::from));
        decoded.map_err(|error| self.explain(&error))
    }

    pub(super) fn start_group(&mut self, group: RowGroup) -> Result<(), Error> {
        self.budget.renew();
        let pages = ParquetRowGroup {
            file: self.file.file.clone(),
            metadata: self.file.metadata.clone(),
            index: group.index,
            budget: self.budget.clone(),
        };
        self.current = Some(CurrentRowGroup {
            group,
            reader: Some(self.decoder(group, &pages, None)?),
            next_row: group.first_row,
            end_row: group.end_row(),
            is_part: false,
            is_undivided: false,
        });
        Ok(())
    }

    /// A decoder for the rows of a row group, all of them or the selected ones.
    pub(super) fn decoder(
        &self,
        group: RowGroup,
        pages: &dyn RowGroups,
        selected: Option<::parquet::arrow::arrow_reader::RowSelection>,
    ) -> Result<ParquetRecordBatchReader, Error> {
        let file = &self.file;
        let (field_levels, rows) = (&file.field_levels, file.batch_rows);
        let decoder = guarded(|| {
            ParquetRecordBatchReader::try_new_with_row_groups(field_levels, pages, rows, selected)
        });
        let group_start = footer::row_group_start(&file.metadata, group.index, file.bytes);
        decoder.map_err(|error| explain(&file.path, group_start, &error))
    }

    /// Checks, at the end of a row group, that it had as many rows as the footer states.
    pub(super) fn end_group(&mut self) -> Result<(), Error> {
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
        let file = &self.file;
        let group_start = self.current.as_ref().map_or(file.bytes, |current| {
            footer::row_group_start(&file.metadata, current.group.index, file.bytes)
        });
        match self.budget.refused() {
            Some(what) => Error::Corrupt {
                source_name: file.path.clone(),
                byte_offset: group_start,
                what,
            },
            None => explain(&file.path, group_start, error),
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

    fn next_part(&mut self, buffer: Vec<u8>, limits: &PieceLimits) -> Result<Option<Part>, Error> {
        if self.failed || !self.file.may_divide {
            return Ok(self.next(buffer)?.map(Part::Batch));
        }
        let part = self.part(limits);
        self.failed = part.is_err();
        part
    }

    fn rows_lost(&self) -> Option<u64> {
        self.file.rows.checked_sub(self.rows_done)
    }
}
