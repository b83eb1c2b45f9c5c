//! Decodes a piece of an input on a worker thread, and passes its batches to the next stages.
//!
//! ```text
//! reader    step 7: piece, with a buffer for each batch that is expected
//! worker    decode ─▶ batch 7.0 ─▶ process (a task of its own)
//!             │       batch 7.1 ─▶ process
//!             └ end 7.2: no error, or the damage of the input
//! writer    7.0, 7.1, 7.2, 8.0 … in order
//! ```

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;

use crate::counts::Damage;
use crate::error::Error;
use crate::job::memory::more_buffers;
use crate::job::threads::buffers::Buffers;
use crate::job::threads::message::{Item, Message, Place};
use crate::job::threads::piece_input::{FailedPiece, PieceInput, Undecoded, Unread};
use crate::job::threads::progress::RecordCounts;
use crate::job::threads::split_batch::{bug_error, process};
use crate::job::threads::worker::Worker;
use crate::panics::caught;
use crate::pool::Pool;
use crate::read::{Batch, Piece, RecordSelector, SelectedRecords};

/// What the workers share for all pieces of a run.
pub(crate) struct PieceContext {
    pub(crate) worker: Arc<Worker>,
    pub(crate) pool: Arc<Pool>,
    pub(crate) buffers: Arc<Buffers>,
    pub(crate) record_counts: Arc<RecordCounts>,
    pub(crate) stop: Arc<AtomicUsize>,
}

/// A piece that is being decoded.
pub(crate) struct PieceWork {
    context: Arc<PieceContext>,
    input: Undecoded,
    results: Sender<Message>,
    step: u64,
    next_part: u32,
    piece: Piece,
    selected: SelectedRecords,
    /// The number of rows after which no row of the piece is selected because the limit has been reached; `None` if all
    /// rows are read.
    most_rows: Option<u64>,
    selector: RecordSelector,
    /// The number of rows that have been decoded.
    rows: u64,
    /// The position that has been added to the counter of the input.
    position: u64,
    /// The buffers that the piece may use.
    buffers: Vec<Vec<u8>>,
    /// The records that have been decoded, but have no buffer yet.
    pending: VecDeque<(Batch, SelectedRecords)>,
}

/// Why a worker has stopped to decode a piece.
enum Stopped {
    NeedsBuffer,
    AtEnd,
    /// A signal has arrived. The end of the piece is not sent, because rows before it are missing.
    ByRun,
    Failed(Error),
}

/// A piece and the records of it that are selected.
pub(crate) struct SelectedPiece {
    pub(crate) piece: Piece,
    /// The selection of records before the piece.
    pub(crate) selector: RecordSelector,
    pub(crate) selected: SelectedRecords,
    /// Whether no record after the piece is selected.
    pub(crate) is_last: bool,
}

impl PieceWork {
    /// Starts to decode a piece on a worker. `step` is the number of its rows in the order of the output.
    pub(crate) fn start(
        context: &Arc<PieceContext>,
        input: &Arc<PieceInput>,
        results: Sender<Message>,
        step: u64,
        selected: SelectedPiece,
        buffers: Vec<Vec<u8>>,
    ) {
        let SelectedPiece {
            piece,
            selector,
            selected,
            is_last,
        } = selected;
        let last_row = match &selected {
            SelectedRecords::All => Some(piece.rows),
            SelectedRecords::Some(rows) => {
                let last_row = rows.iter().rposition(|is_selected| *is_selected);
                last_row.map(|row| row as u64 + 1)
            }
            SelectedRecords::None => None,
        };
        let work = PieceWork {
            input: Undecoded::new(Arc::clone(input)),
            results,
            step,
            next_part: 0,
            selected,
            most_rows: last_row.filter(|_| is_last),
            selector,
            rows: 0,
            position: piece.bytes_read.load(Ordering::Relaxed),
            piece,
            buffers,
            pending: VecDeque::new(),
            context: Arc::clone(context),
        };
        context.pool.spawn_fifo(move || work.run());
    }

    fn run(mut self) {
        let stopped = caught(|| self.decode()).unwrap_or_else(|text| {
            let first_row = self.piece.first_row + self.rows;
            let rows = self.piece.rows.saturating_sub(self.rows);
            let rows = usize::try_from(rows).unwrap_or(usize::MAX);
            Stopped::Failed(bug_error(&self.input.0.work, first_row, rows, &text))
        });
        match stopped {
            Stopped::NeedsBuffer => {
                let context = Arc::clone(&self.context);
                let step = self.step;
                context.clone().buffers.park(
                    step,
                    Box::new(move |buffer| {
                        self.buffers.push(buffer);
                        context.pool.spawn_fifo(move || self.run());
                    }),
                );
            }
            Stopped::AtEnd => self.end(Ok(None)),
            Stopped::ByRun => {}
            Stopped::Failed(error) => {
                let unread = Unread {
                    bytes_read: self.piece.bytes_read.load(Ordering::Relaxed),
                    dropped: self.piece.source.dropped(),
                    rows_lost: self.piece.source.rows_lost(),
                    nothing_read: false,
                };
                let damage = self.input.0.damage.damage(error, &unread);
                self.input.0.add_failed(FailedPiece {
                    step: self.step,
                    first_row: self.piece.first_row,
                    rows: self.rows,
                    selector: self.selector.clone(),
                    ends_run: damage.is_err(),
                });
                self.end(damage.map(|damage| Some((damage, unread.bytes_read))));
            }
        }
    }

    /// Decodes batches until the piece ends, or needs a buffer.
    fn decode(&mut self) -> Stopped {
        loop {
            if self.context.stop.load(Ordering::Relaxed) != 0 {
                return Stopped::ByRun;
            }
            if self.input.0.has_failed_before(self.step) {
                return Stopped::AtEnd;
            }
            let needed_buffers = match self.pending.front() {
                Some((batch, _)) => 1 + more_buffers(batch),
                None if self.most_rows.is_some_and(|rows| self.rows >= rows) => {
                    return Stopped::AtEnd;
                }
                None => 1,
            };
            if !self.take_buffers(needed_buffers) {
                return Stopped::NeedsBuffer;
            }
            match self.pending.pop_front() {
                Some((batch, selected)) => self.process(batch, selected, needed_buffers),
                None => match self.piece.source.next(Vec::new()) {
                    Ok(Some(batch)) => self.select(&batch),
                    Ok(None) => {
                        // The end of a piece may have been read after its last batch.
                        self.report_position();
                        // The numbers of later rows count on the rows of this piece.
                        if self.rows != self.piece.rows {
                            let (rows, stated) = (self.rows, self.piece.rows);
                            let bug = format!("a piece of {stated} rows ended after {rows}");
                            return Stopped::Failed(Error::Internal(bug));
                        }
                        return Stopped::AtEnd;
                    }
                    Err(error) => return Stopped::Failed(error),
                },
            }
        }
    }

    /// Takes buffers until the piece has so many. The piece that is written now also continues with fewer, because the
    /// others may be with later pieces.
    fn take_buffers(&mut self, count: usize) -> bool {
        let buffers = &self.context.buffers;
        while self.buffers.len() < count {
            match buffers.try_take(self.step) {
                Some(buffer) => self.buffers.push(buffer),
                None => return !self.buffers.is_empty() && buffers.is_written_now(self.step),
            }
        }
        true
    }

    /// Adds the bytes that have been read to the counter of the input.
    fn report_position(&mut self) {
        let position = self.piece.bytes_read.load(Ordering::Relaxed);
        let more = position.wrapping_sub(self.position);
        let input_bytes_read = &self.input.0.work.bytes_read;
        input_bytes_read.fetch_add(more, Ordering::Relaxed);
        self.position = position;
    }

    /// Selects the records of a batch that has been decoded.
    fn select(&mut self, batch: &Batch) {
        let first = usize::try_from(self.rows).unwrap_or(usize::MAX);
        self.rows += batch.rows as u64;
        self.report_position();
        let selected = self.selected.rows(first, batch.rows);
        let counts = &self.context.record_counts;
        counts.add_read(batch.rows);
        if selected == SelectedRecords::None {
            counts.add_skipped(batch.rows);
            return;
        }
        let selections = self.context.worker.stages.divide(selected, batch.rows);
        for (at, selected) in selections.into_iter().enumerate() {
            if at > 0 {
                counts.add_read(batch.rows);
            }
            // The copy has the same arrays.
            self.pending
                .push_back((batch.copy_into(Vec::new()), selected));
        }
    }

    /// Passes a batch to the next stages. It keeps its buffers until its rows are in a group.
    fn process(&mut self, batch: Batch, selected: SelectedRecords, buffers: usize) {
        let kept = self.buffers.len().saturating_sub(buffers);
        let mut more_buffers = self.buffers.split_off(kept);
        // The buffer of the batch itself is returned with its rows.
        more_buffers.pop();
        let place = Place {
            step: self.step,
            part: self.next_part,
            is_last: false,
        };
        self.next_part += 1;
        let PieceContext {
            worker,
            record_counts,
            pool,
            ..
        } = &*self.context;
        let (worker, counts) = (Arc::clone(worker), Arc::clone(record_counts));
        let (work, results) = (Arc::clone(&self.input.0.work), self.results.clone());
        pool.spawn_fifo(move || {
            process(worker, work, counts, (batch, &selected), move |processed| {
                let item = processed.map(|rows| Item::Rows(Box::new(rows), more_buffers));
                let _ = results.send(Message::Item(place, item));
            });
        });
    }

    fn end(self, damage: Result<Option<(Damage, u64)>, Error>) {
        let place = Place {
            step: self.step,
            part: self.next_part,
            is_last: true,
        };
        let item = damage.map(|damage| Item::PieceEnds(damage.map(Box::new)));
        let _ = self.results.send(Message::Item(place, item));
        for buffer in self.buffers {
            self.context.buffers.give(buffer);
        }
    }
}
