//! The reader thread: inputs → batches → the workers' queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;

use crate::error::Error;
use crate::job::empty_check::RecognisedFormat;
use crate::job::memory::more_buffers;
use crate::job::threads::bytes_read::BytesRead;
use crate::job::threads::job_source::JobSources;
use crate::job::threads::message::{Item, Message, Place};
use crate::job::threads::piece_input::{DamageRule, PieceInput, Unread};
use crate::job::threads::piece_work::{PieceContext, PieceWork, SelectedPiece};
use crate::job::threads::reader_workers::ReaderWorkers;
use crate::job::threads::split_batch::process;
use crate::job::threads::worker::InputWork;
use crate::read::{
    Batch, BatchSource, Part, Piece, PieceLimits, RecordSelector, SelectedRecords, Workers,
};
use crate::store::{self, Location, display_name};

/// The state of the reader thread.
pub(crate) struct Reader {
    pub(crate) inputs: JobSources,
    pub(crate) selector: RecordSelector,
    pub(crate) keep_going: bool,
    /// The total number of buffers. Each item takes one, which limits the number of items in progress.
    pub(crate) buffer_count: usize,
    pub(crate) results: Sender<Message>,
    pub(crate) pieces: Arc<PieceContext>,
    /// The sizes of pieces; `None` if this thread decodes all batches.
    pub(crate) piece_limits: Option<PieceLimits>,
    /// The workers that decompress the next bytes of an input; `None` if this thread decompresses all bytes.
    pub(crate) workers: Option<Arc<ReaderWorkers>>,
    pub(crate) bytes_read: Arc<BytesRead>,
    /// The number of the next step.
    pub(crate) next_step: u64,
}

/// The error if reading ends early, because the writing thread has failed or a signal has arrived.
struct ReadingStopped;

impl Reader {
    pub(crate) fn run(mut self) {
        let mut index = 0;
        while let Some(path) = self.inputs.next_path() {
            if self.selector.is_done() || self.read_input(index, &path).is_err() {
                break;
            }
            index += 1;
        }
        // Sending fails only if the writing thread has ended, which then does not need the message.
        let _ = self.results.send(Message::End(self.next_step));
    }

    /// Reads one input from its beginning to its end.
    fn read_input(&mut self, index: usize, path: &str) -> Result<(), ReadingStopped> {
        self.wait_for_buffer()?;
        self.send_item(Ok(Item::InputBegins(index)));
        let name = display_name(path);
        // Until the input has been opened, it counts as zero bytes read.
        let bytes_read = Arc::<AtomicU64>::default();
        self.bytes_read.begin_input(index, bytes_read);
        let mut damage_rule = DamageRule {
            source: name.clone(),
            bytes: None,
            keep_going: self.keep_going,
        };
        let mut recognised = None;
        let opened = self.inputs.open();
        let (error, unread) = match opened.ok_or(ReadingStopped)? {
            Ok(opened) => {
                damage_rule.bytes = opened.info.bytes;
                let format = RecognisedFormat {
                    format: opened.info.format,
                    detection: opened.detection,
                };
                let bytes_read = opened.bytes_read.clone();
                self.bytes_read.begin_input(index, bytes_read.clone());
                let input_work = InputWork {
                    source: name,
                    parser: opened.parser,
                    has_puzzles: format.detection.has_puzzles(),
                    mapping: opened.mapping,
                    alphabets: opened.alphabets,
                    bytes_read: opened.bytes_read,
                };
                recognised = Some(format);
                let mut source = opened.source;
                if let Some(workers) = self.workers.clone() {
                    source.use_workers(&(workers as Arc<dyn Workers>));
                }
                let input = PieceInput::new(Arc::new(input_work), damage_rule.clone());
                let error = self.read_parts(&mut *source, &Arc::new(input))?;
                let unread = Unread {
                    bytes_read: bytes_read.load(Ordering::Relaxed),
                    dropped: source.dropped(),
                    rows_lost: error.as_ref().and_then(|_| source.rows_lost()),
                    nothing_read: false,
                };
                (error, unread)
            }
            Err(error) => {
                self.wait_for_buffer()?;
                let metadata =
                    Location::parse(path).and_then(|location| store::metadata(&location));
                damage_rule.bytes = metadata.ok().flatten().and_then(|metadata| metadata.bytes);
                let unread = Unread {
                    bytes_read: 0,
                    dropped: 0,
                    rows_lost: None,
                    nothing_read: true,
                };
                (Some(error), unread)
            }
        };
        let damage = error.map(|error| damage_rule.damage(error, &unread));
        match damage.transpose() {
            Ok(damage) => self.send_item(Ok(Item::InputEnds(damage, recognised))),
            Err(error) => {
                self.send_item(Err(error));
                return Err(ReadingStopped);
            }
        }
        Ok(())
    }

    /// Passes the parts of an input to the workers, until the input ends or fails. The last buffer stays
    /// empty: it belongs to the item that ends the input.
    fn read_parts(
        &mut self,
        source: &mut dyn BatchSource,
        input: &Arc<PieceInput>,
    ) -> Result<Option<Error>, ReadingStopped> {
        let counts_records = self.selector.counts_records();
        let mut buffer = self.wait_for_buffer()?;
        let mut error = None;
        while !self.selector.is_done() && input.failed().is_none() {
            let part = match &self.piece_limits {
                Some(limits) => source.next_part(buffer, limits),
                None => source.next(buffer).map(|batch| batch.map(Part::Batch)),
            };
            match part {
                Ok(Some(Part::Batch(batch))) => match self.pass_batch(batch, &input.work)? {
                    Some(unused) => {
                        buffer = unused;
                        continue;
                    }
                    None => buffer = self.wait_for_buffer()?,
                },
                Ok(Some(Part::Piece(piece))) => {
                    self.pass_piece(piece, input)?;
                    buffer = self.wait_for_buffer()?;
                }
                Ok(None) => break,
                Err(failure) => {
                    error = Some(failure);
                    break;
                }
            }
        }
        // The counts of what has been read include the earlier pieces. The selection of later records depends on how many
        // records were decoded.
        let failed = if error.is_some() || counts_records && input.damage.keep_going {
            input.wait_until_decoded()
        } else {
            input.failed()
        };
        match failed {
            Some(failed) if failed.ends_run => Err(ReadingStopped),
            Some(failed) => {
                self.selector = failed.selector;
                let source = &input.work.source;
                (self.selector).next(source, failed.first_row, failed.rows);
                // The writing thread has the error of the piece, which comes first.
                Ok(None)
            }
            None => Ok(error),
        }
    }

    /// Passes a batch to the workers. Returns its buffer if none of its records is selected.
    fn pass_batch(
        &mut self,
        batch: Batch,
        input_work: &Arc<InputWork>,
    ) -> Result<Option<Vec<u8>>, ReadingStopped> {
        let (first_row, rows) = (batch.first_row, batch.rows);
        let selected_rows = (self.selector).next(&input_work.source, first_row, rows as u64);
        let record_counts = Arc::clone(&self.pieces.record_counts);
        record_counts.add_read(rows);
        if selected_rows == SelectedRecords::None {
            record_counts.add_skipped(rows);
            return Ok(Some(batch.into_buffer()));
        }
        let mut selections = self.pieces.worker.stages.divide(selected_rows, rows);
        let last_selection = selections.pop();
        for taken in selections {
            let copy = batch.copy_into(self.wait_for_buffer()?);
            record_counts.add_read(rows);
            self.send_batch_to_workers(copy, taken, input_work, Vec::new());
        }
        if let Some(taken) = last_selection {
            let more_buffers = self.more_buffers(more_buffers(&batch))?;
            self.send_batch_to_workers(batch, taken, input_work, more_buffers);
        }
        Ok(None)
    }

    /// Passes a piece to a worker, which decodes it. The reader thread has taken one buffer for it.
    fn pass_piece(&mut self, piece: Piece, input: &Arc<PieceInput>) -> Result<(), ReadingStopped> {
        let mut buffers = self.more_buffers(piece.batches.saturating_sub(1))?;
        buffers.push(Vec::new());
        let selector = self.selector.clone();
        let source = &input.work.source;
        let selected = (self.selector).next(source, piece.first_row, piece.rows);
        let selected_piece = SelectedPiece {
            piece,
            selector,
            selected,
            is_last: self.selector.is_done(),
        };
        let (results, step) = (self.results.clone(), self.next_step);
        self.next_step += 1;
        PieceWork::start(&self.pieces, input, results, step, selected_piece, buffers);
        Ok(())
    }

    /// Waits for additional buffers, at most as many as there can be.
    fn more_buffers(&self, count: usize) -> Result<Vec<Vec<u8>>, ReadingStopped> {
        let workers = self.workers.as_ref();
        let reserved = workers.map_or(0, |workers| workers.reserved());
        let count = count.min(self.buffer_count.saturating_sub(1 + reserved));
        (0..count).map(|_| self.wait_for_buffer()).collect()
    }

    /// Passes a batch to the workers. The batch keeps its additional buffers until its rows are in a group.
    fn send_batch_to_workers(
        &mut self,
        batch: Batch,
        selected: SelectedRecords,
        input_work: &Arc<InputWork>,
        more_buffers: Vec<Vec<u8>>,
    ) {
        let PieceContext {
            worker,
            record_counts,
            pool,
            ..
        } = &*self.pieces;
        let (worker, counts) = (Arc::clone(worker), Arc::clone(record_counts));
        let (results, work, place) = (
            self.results.clone(),
            Arc::clone(input_work),
            Place::single(self.next_step),
        );
        self.next_step += 1;
        pool.spawn_fifo(move || {
            process(worker, work, counts, (batch, &selected), move |processed| {
                let item = processed.map(|rows| Item::Rows(Box::new(rows), more_buffers));
                let _ = results.send(Message::Item(place, item));
            });
        });
    }

    /// Waits for a free buffer. There are none after the writing thread has failed.
    fn wait_for_buffer(&self) -> Result<Vec<u8>, ReadingStopped> {
        let buffer = self.pieces.buffers.take().ok_or(ReadingStopped)?;
        if self.pieces.stop.load(Ordering::Relaxed) != 0 {
            return Err(ReadingStopped);
        }
        Ok(buffer)
    }

    fn send_item(&mut self, item: Result<Item, Error>) {
        let place = Place::single(self.next_step);
        let _ = self.results.send(Message::Item(place, item));
        self.next_step += 1;
    }
}
