//! Divides a Parquet file into pieces: the rest of a row group, several small row groups, or a slice of a large one.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ::parquet::arrow::arrow_reader::{RowSelection, RowSelector};
use ::parquet::file::reader::ChunkReader;
use arrow::array::RecordBatch;

use super::slices::{PagePlan, SlicePages, SlicedRowGroup};
use super::source::{CurrentRowGroup, DividedGroup, ParquetFile, ParquetSource, RowGroup};
use crate::error::Error;
use crate::read::{Batch, BatchSource, Part, Payload, Piece, PieceLimits};

/// The minimum number of rows that are decoded at a time if a row group is divided. With shorter selections, the decoder
/// decodes all rows and drops those that are not selected.
const LEAST_BATCH_ROWS: usize = 64;

impl<R: ChunkReader + 'static> ParquetSource<R> {
    /// The next part of the file. Row groups that cannot be divided are read on this thread.
    pub(super) fn part(&mut self, limits: &PieceLimits) -> Result<Option<Part>, Error> {
        loop {
            if let Some(divided) = self.divided.take() {
                if divided.next_row < divided.group.end_row() {
                    return Ok(Some(Part::Piece(self.slice(divided, limits))));
                }
                continue;
            }
            // The numbers that stand for empty cells are inferred from the first rows, in their order.
            let is_settled = self.file.layout.is_settled();
            if let Some(current) = &self.current {
                let has_rest = current.next_row < current.end_row;
                let is_read_here = current.is_undivided || self.cutter.has_rows() || !is_settled;
                let may_pass_on = is_settled && !self.cutter.has_rows() && limits.keeps_decoded;
                if is_read_here && may_pass_on && has_rest {
                    match self.decode()? {
                        Some(batch) => return Ok(Some(Part::Piece(self.decoded_piece(batch)))),
                        None => self.end_group()?,
                    }
                } else if is_read_here || !has_rest {
                    if let Some(batch) = self.batch_of_current()? {
                        return Ok(Some(Part::Batch(batch)));
                    }
                } else if let Some(piece) = self.piece_of_current(limits) {
                    return Ok(Some(Part::Piece(piece)));
                }
                continue;
            }
            let Some(group) = self.groups.pop_front() else {
                return Ok(None);
            };
            let batches = self.batches(group.rows);
            if is_settled && batches <= limits.batches {
                return Ok(Some(Part::Piece(self.whole_groups(group, limits))));
            }
            if is_settled && let Some(pages) = self.page_plan(group, limits) {
                self.divided = Some(DividedGroup {
                    group,
                    pages,
                    next_row: group.first_row,
                });
            } else if is_settled && batches <= limits.most_batches {
                return Ok(Some(Part::Piece(self.whole_groups(group, limits))));
            } else {
                self.start_group(group)?;
                if let Some(current) = &mut self.current {
                    current.is_undivided = is_settled;
                }
            }
        }
    }

    /// The expected number of batches for this number of rows.
    fn batches(&self, rows: u64) -> usize {
        let decoded = rows.div_ceil(self.file.batch_rows as u64);
        let chunks = self.file.chunks_per_batch.load(Ordering::Relaxed);
        usize::try_from(decoded)
            .unwrap_or(usize::MAX)
            .saturating_mul(chunks)
    }

    /// The number of rows of a usual piece.
    fn rows_per_piece(&self, limits: &PieceLimits) -> u64 {
        let chunks = self.file.chunks_per_batch.load(Ordering::Relaxed);
        (limits.batches / chunks).max(1) as u64 * self.file.batch_rows as u64
    }

    fn page_plan(&self, group: RowGroup, limits: &PieceLimits) -> Option<PagePlan> {
        let ParquetFile {
            file,
            metadata,
            mask,
            batch_rows,
            ..
        } = &*self.file;
        if *batch_rows < LEAST_BATCH_ROWS {
            return None;
        }
        let group = metadata.row_group(group.index);
        PagePlan::new(file.as_ref(), group, mask, limits.page_bytes)
    }

    /// A piece with the next rows of the current row group, which its decoder continues to read. If it is not the whole
    /// rest, the rest is divided. `None` if it cannot be divided.
    fn piece_of_current(&mut self, limits: &PieceLimits) -> Option<Piece> {
        let CurrentRowGroup {
            next_row,
            end_row,
            group,
            ..
        } = *self.current.as_ref()?;
        let rest_batches = self.batches(end_row - next_row);
        let mut piece_end = end_row;
        if rest_batches > limits.batches {
            if let Some(mut pages) = self.page_plan(group, limits) {
                piece_end = next_row + self.rows_per_piece(limits);
                piece_end = piece_end.min(end_row);
                drop(pages.next_slice(&(0..piece_end - group.first_row)));
                self.divided = Some(DividedGroup {
                    group,
                    pages,
                    next_row: piece_end,
                });
            } else if rest_batches > limits.most_batches {
                self.current.as_mut()?.is_undivided = true;
                return None;
            }
        }
        let file = Arc::clone(&self.file);
        let mut source = ParquetSource::starting_after(file, self.rows_done, VecDeque::new());
        std::mem::swap(&mut source.budget, &mut self.budget);
        source.current = self.current.take().map(|current| CurrentRowGroup {
            end_row: piece_end,
            is_part: piece_end < end_row,
            ..current
        });
        Some(self.piece(next_row, piece_end - next_row, source))
    }

    /// A piece with rows that have been decoded. The worker converts them.
    fn decoded_piece(&mut self, batch: RecordBatch) -> Piece {
        let rows = batch.num_rows() as u64;
        let file = Arc::clone(&self.file);
        let mut source = ParquetSource::starting_after(file, self.rows_done, VecDeque::new());
        source.cutter.add_batch(batch);
        let mut first_row = 0;
        if let Some(current) = &mut self.current {
            first_row = current.next_row;
            current.next_row += rows;
            source.current = Some(CurrentRowGroup {
                group: current.group,
                reader: None,
                next_row: first_row,
                end_row: current.next_row,
                is_part: true,
                is_undivided: true,
            });
        }
        self.piece(first_row, rows, source)
    }

    /// A piece of this row group and, if they are small, of those that follow it.
    fn whole_groups(&mut self, group: RowGroup, limits: &PieceLimits) -> Piece {
        let mut groups = VecDeque::from([group]);
        let (mut end_row, mut batches) = (group.end_row(), self.batches(group.rows).max(1));
        while let Some(next) = self.groups.front()
            && next.first_row == end_row
            && batches + self.batches(next.rows).max(1) <= limits.batches
        {
            (end_row, batches) = (next.end_row(), batches + self.batches(next.rows).max(1));
            groups.extend(self.groups.pop_front());
        }
        let file = Arc::clone(&self.file);
        let source = ParquetSource::starting_after(file, self.rows_done, groups);
        Piece {
            batches,
            ..self.piece(group.first_row, end_row - group.first_row, source)
        }
    }

    /// Makes a piece of a source.
    fn piece(&mut self, first_row: u64, rows: u64, source: ParquetSource<R>) -> Piece {
        let bytes_read = Arc::clone(&source.bytes_read);
        self.skip_piece(rows);
        Piece {
            first_row,
            rows,
            batches: self.batches(rows),
            source: Box::new(source),
            bytes_read,
        }
    }

    /// Counts the rows of a piece as read. The piece reports their progress.
    fn skip_piece(&mut self, rows: u64) {
        self.rows_done += rows;
        self.reported_position = self.file.position(self.rows_done);
    }

    /// Cuts a slice of a divided row group.
    fn slice(&mut self, mut divided: DividedGroup, limits: &PieceLimits) -> Piece {
        let group = divided.group;
        let start = divided.next_row;
        let end = (start + self.rows_per_piece(limits)).min(group.end_row());
        let range = start - group.first_row..end - group.first_row;
        let pages = divided.pages.next_slice(&range);
        divided.next_row = end;
        let file = Arc::clone(&self.file);
        let inner = ParquetSource::starting_after(file, self.rows_done, VecDeque::new());
        let bytes_read = Arc::clone(&inner.bytes_read);
        let source = SliceSource {
            group,
            rows: start..end,
            pages: Some(pages),
            next_row: start,
            rows_before: self.rows_done,
            inner,
            reads_whole_group: false,
        };
        self.skip_piece(end - start);
        self.divided = Some(divided);
        Piece {
            first_row: start,
            rows: end - start,
            batches: self.batches(end - start),
            source: Box::new(source),
            bytes_read,
        }
    }
}

/// Decodes a slice of a row group. If this fails, the row group is decoded from its start, as it would be if it was not
/// divided. The rows before the damage and its error are then the same.
struct SliceSource<R> {
    group: RowGroup,
    /// The numbers of the slice's rows in the file.
    rows: Range<u64>,
    /// The pages of the slice; `None` after its decoder has been created.
    pages: Option<SlicePages>,
    next_row: u64,
    /// The number of rows that are read before the slice.
    rows_before: u64,
    inner: ParquetSource<R>,
    reads_whole_group: bool,
}

impl<R: ChunkReader + 'static> SliceSource<R> {
    /// Creates the decoder of the slice.
    fn start(&mut self, pages: SlicePages) -> Result<(), Error> {
        let group = self.group;
        let file = &self.inner.file;
        let pages = SlicedRowGroup {
            file: file.file.clone(),
            metadata: file.metadata.clone(),
            index: group.index,
            budget: self.inner.budget.clone(),
            pages,
        };
        let length = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
        let before = RowSelector::skip(length(self.rows.start - group.first_row));
        let selected = RowSelector::select(length(self.rows.end - self.rows.start));
        let selection = RowSelection::from(vec![before, selected]);
        self.inner.current = Some(CurrentRowGroup {
            group,
            reader: Some(self.inner.decoder(group, &pages, Some(selection))?),
            next_row: self.rows.start,
            end_row: self.rows.end,
            is_part: true,
            is_undivided: true,
        });
        Ok(())
    }

    /// The next batch of the slice. After an error, it is decoded from the start of its row group.
    fn batch(&mut self) -> Result<Option<Batch>, Error> {
        let started = self.pages.take().map_or(Ok(()), |pages| self.start(pages));
        let batch = started.and_then(|()| self.inner.next(Vec::new()));
        if batch.is_ok() || self.reads_whole_group {
            return batch;
        }
        self.reads_whole_group = true;
        let rows_before_group = self.rows_before - (self.rows.start - self.group.first_row);
        let whole_group = ParquetSource::starting_after(
            Arc::clone(&self.inner.file),
            rows_before_group,
            VecDeque::from([self.group]),
        );
        let counter = std::mem::replace(&mut self.inner, whole_group).bytes_read;
        counter.store(self.inner.reported_position, Ordering::Relaxed);
        self.inner.bytes_read = counter;
        self.inner.next(Vec::new())
    }
}

impl<R: ChunkReader + 'static> BatchSource for SliceSource<R> {
    fn next(&mut self, _buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        while self.next_row < self.rows.end {
            let Some(batch) = self.batch()? else {
                return Ok(None);
            };
            if let Some(batch) = rows_after(batch, self.next_row) {
                self.next_row = batch.first_row + batch.rows as u64;
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    fn rows_lost(&self) -> Option<u64> {
        self.inner.rows_lost()
    }
}

/// The rows of a batch from the row with this number on; `None` if there are none.
fn rows_after(batch: Batch, first_row: u64) -> Option<Batch> {
    let before = usize::try_from(first_row.saturating_sub(batch.first_row)).ok()?;
    let rows = batch.rows.checked_sub(before).filter(|rows| *rows > 0)?;
    let payload = match batch.payload {
        Payload::Columns(mut chunk) if before > 0 => {
            chunk.columns = chunk.columns.slice(before, rows);
            chunk.unreadable.retain(|(row, _)| *row >= before);
            for (row, _) in &mut chunk.unreadable {
                *row -= before;
            }
            Payload::Columns(chunk)
        }
        payload => payload,
    };
    Some(Batch {
        first_row: batch.first_row + before as u64,
        rows,
        payload,
    })
}
