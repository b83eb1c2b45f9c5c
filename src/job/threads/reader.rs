//! The reader thread: inputs → batches → the workers' queue.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use arrow::datatypes::FieldRef;
use rayon::ThreadPool;

use crate::counts::Damage;
use crate::error::Error;
use crate::formats::open_ahead;
use crate::job::empty_check::RecognisedFormat;
use crate::job::inputs::JobInput;
use crate::job::memory::VALUE_BYTES_PER_BATCH;
use crate::job::threads::message::{Item, Message};
use crate::job::threads::progress::RecordCounts;
use crate::job::threads::split_batch::process;
use crate::job::threads::worker::{InputWork, Worker};
use crate::read::{
    self, Batch, BatchSource, ColumnMapping, Input, ReadOptions, RecordSelector, SelectedRecords,
};
use crate::store::{self, AheadInput, Location, ReadAhead, display_name};
use sudoku_core::sizes::Alphabets;

/// The state of the reader thread.
pub(crate) struct Reader {
    pub(crate) inputs: VecDeque<JobInput>,
    pub(crate) options: ReadOptions,
    pub(crate) selector: RecordSelector,
    pub(crate) carried: Vec<FieldRef>,
    pub(crate) keep_going: bool,
    /// Receives free buffers. Each item takes a buffer, which limits the number of items in progress.
    pub(crate) free_buffers: Receiver<Vec<u8>>,
    /// The total number of buffers, which limits the number of items in progress.
    pub(crate) buffer_count: usize,
    pub(crate) results: Sender<Message>,
    pub(crate) pool: Arc<ThreadPool>,
    pub(crate) worker: Arc<Worker>,
    pub(crate) bytes_read: Arc<BytesRead>,
    pub(crate) record_counts: Arc<RecordCounts>,
    pub(crate) stop: Arc<AtomicUsize>,
    /// Fetches the small objects among the inputs.
    pub(crate) objects: ReadAhead,
    /// The number of the next item.
    pub(crate) next_batch_number: u64,
}

/// The error if reading ends early, because the writing thread has failed or a signal has arrived.
struct ReadingStopped;

impl Reader {
    pub(crate) fn run(mut self) {
        let mut index = 0;
        while let Some(input) = self.inputs.pop_front() {
            if self.selector.is_done() || self.read_input(index, input).is_err() {
                break;
            }
            index += 1;
        }
        // Sending fails only if the writing thread has ended, which then does not need the message.
        let _ = self.results.send(Message::End(self.next_batch_number));
    }

    /// Reads one input from its beginning to its end.
    fn read_input(&mut self, index: usize, input: JobInput) -> Result<(), ReadingStopped> {
        self.wait_for_buffer()?;
        self.send_item(Ok(Item::InputBegins(index)));
        let path = input.path.clone();
        let name = display_name(&path);
        // Until the input has been opened, it counts as zero bytes read.
        self.bytes_read.begin_input(Arc::default());
        let mut recognised = None;
        let (error, dropped, rows_lost, bytes) = match self.open_input(input) {
            Ok(opened) => {
                let bytes = opened.info.bytes;
                recognised = Some(RecognisedFormat {
                    format: opened.info.format,
                    detection: opened.detection,
                });
                self.bytes_read.begin_input(opened.bytes_read.clone());
                let has_puzzles = recognised
                    .as_ref()
                    .is_none_or(|recognised| recognised.detection.has_puzzles());
                let input_work = Arc::new(InputWork {
                    source: name.clone(),
                    parser: opened.parser,
                    has_puzzles,
                    mapping: opened.mapping,
                    alphabets: opened.alphabets,
                    bytes_read: opened.bytes_read,
                });
                let mut source = opened.source;
                let error = self.read_batches(&mut *source, &input_work)?;
                let rows_lost = error.as_ref().and_then(|_| source.rows_lost());
                (error, source.dropped(), rows_lost, bytes)
            }
            Err(error) => {
                self.wait_for_buffer()?;
                let metadata =
                    Location::parse(&path).and_then(|location| store::metadata(&location));
                let bytes = metadata.ok().flatten().and_then(|metadata| metadata.bytes);
                (Some(error), 0, None, bytes)
            }
        };
        match error {
            None => self.send_item(Ok(Item::InputEnds(None, recognised))),
            Some(error) if self.keep_going && error.is_about_data() => {
                let bytes_read = self.bytes_read.current_input_bytes();
                let damage = Damage {
                    source: name,
                    message: error.to_string(),
                    stored_bytes_unread: bytes.map(|bytes| bytes.saturating_sub(bytes_read)),
                    bytes_dropped: dropped,
                    rows_lost,
                    nothing_read: recognised.is_none(),
                };
                self.send_item(Ok(Item::InputEnds(Some(damage), recognised)));
            }
            Some(error) => {
                self.send_item(Err(error));
                return Err(ReadingStopped);
            }
        }
        Ok(())
    }

    fn open_input(&mut self, input: JobInput) -> Result<JobSource, Error> {
        let ahead = self.objects.next();
        let ahead = match input.fetched {
            Some(object) => Some(Ok(AheadInput::Fetched(object))),
            None => ahead,
        };
        let fetched = match &ahead {
            Some(Ok(AheadInput::Fetched(object))) => Some(AheadInput::Fetched(object.clone())),
            _ => None,
        };
        let is_part = input.row_groups.is_some();
        let mut opened_input = match input.opened {
            Some(opened_input) => opened_input,
            None => {
                let options = ReadOptions {
                    row_groups: input.row_groups,
                    ..self.options.clone()
                };
                let opened_input = open_ahead(&input.path, &options, ahead)?;
                let unchanged = input.metadata.expect_same(&opened_input.metadata);
                unchanged.map_err(|error| read_error(&input.path, error))?;
                opened_input
            }
        };
        let mapping =
            ColumnMapping::new(&self.carried, &opened_input.carried).ok_or_else(|| {
                let problem = "its columns have changed since the run started: run again";
                read_error(&input.path, io::Error::other(problem))
            })?;
        let mapping = mapping.with_folders(&display_name(&input.path), &opened_input.folders)?;
        let alphabets = if is_part {
            // The alphabets are inferred from the first records of the whole file, even if a shard reads only a
            // part of it. All shards thus use the same alphabets.
            let mut whole_input = open_ahead(&input.path, &self.options, fetched.map(Ok))?;
            read::alphabets(&mut whole_input, &self.options)?
        } else {
            read::alphabets(&mut opened_input, &self.options)?
        };
        let Input {
            info,
            detection,
            source,
            parser,
            bytes_read,
            ..
        } = opened_input;
        Ok(JobSource {
            info,
            detection,
            source,
            parser,
            bytes_read,
            mapping,
            alphabets,
        })
    }

    /// Passes the batches of an input to the workers, until the input ends or fails. The last buffer stays
    /// empty: it belongs to the item that ends the input.
    fn read_batches(
        &mut self,
        source: &mut dyn BatchSource,
        input_work: &Arc<InputWork>,
    ) -> Result<Option<Error>, ReadingStopped> {
        let mut buffer = self.wait_for_buffer()?;
        while !self.selector.is_done() {
            match source.next(buffer) {
                Ok(Some(batch)) => {
                    let selected_rows = self.selector.next(&input_work.source, &batch);
                    self.record_counts.add_read(batch.rows);
                    if selected_rows == SelectedRecords::None {
                        self.record_counts.add_skipped(batch.rows);
                        buffer = batch.into_buffer();
                        continue;
                    }
                    let mut batch_pieces = self.split_selection(selected_rows, batch.rows);
                    let last_piece = batch_pieces.pop();
                    for taken in batch_pieces {
                        let copy = batch.copy_into(self.wait_for_buffer()?);
                        self.record_counts.add_read(batch.rows);
                        self.send_batch_to_workers(copy, taken, input_work, Vec::new());
                    }
                    if let Some(taken) = last_piece {
                        let more_buffers = self.buffers_for(&batch)?;
                        self.send_batch_to_workers(batch, taken, input_work, more_buffers);
                    }
                    buffer = self.wait_for_buffer()?;
                }
                Ok(None) => break,
                Err(error) => return Ok(Some(error)),
            }
        }
        Ok(None)
    }

    /// Divides the selected records of a batch into smaller selections, if the rows of the whole batch could be
    /// too large for memory.
    fn split_selection(&self, taken: SelectedRecords, rows: usize) -> Vec<SelectedRecords> {
        let Some(most) = self.worker.stages.rows_at_a_time() else {
            return vec![taken];
        };
        let selected_indices: Vec<usize> = (0..rows).filter(|row| taken.has(*row)).collect();
        let batch_pieces = selected_indices.chunks(most.max(1)).map(|piece| {
            let mut piece_rows = vec![false; rows];
            piece.iter().for_each(|row| piece_rows[*row] = true);
            SelectedRecords::Some(piece_rows)
        });
        batch_pieces.collect()
    }

    /// Waits for the additional buffers of a large batch: one for each [`VALUE_BYTES_PER_BATCH`] bytes of its
    /// values, so that fewer large batches are in progress at a time.
    fn buffers_for(&self, batch: &Batch) -> Result<Vec<Vec<u8>>, ReadingStopped> {
        let count = (batch.written_bytes() / VALUE_BYTES_PER_BATCH)
            .min(self.buffer_count.saturating_sub(1));
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
        let (worker, results) = (self.worker.clone(), self.results.clone());
        let (work, count, number) = (
            input_work.clone(),
            self.record_counts.clone(),
            self.next_batch_number,
        );
        self.next_batch_number += 1;
        self.pool.spawn_fifo(move || {
            process(worker, work, count, (batch, &selected), move |processed| {
                let item = processed.map(|rows| Item::Rows(Box::new(rows), more_buffers));
                let _ = results.send(Message::Item(number, item));
            });
        });
    }

    /// Waits for a free buffer. The channel is closed after the writing thread has failed.
    fn wait_for_buffer(&self) -> Result<Vec<u8>, ReadingStopped> {
        let buffer = self.free_buffers.recv().map_err(|_| ReadingStopped)?;
        if self.stop.load(Ordering::Relaxed) != 0 {
            return Err(ReadingStopped);
        }
        Ok(buffer)
    }

    fn send_item(&mut self, item: Result<Item, Error>) {
        let _ = self
            .results
            .send(Message::Item(self.next_batch_number, item));
        self.next_batch_number += 1;
    }
}

fn read_error(path: &str, error: io::Error) -> Error {
    Error::Read {
        source_name: display_name(path),
        error,
    }
}

struct JobSource {
    info: read::InputInfo,
    detection: read::Detection,
    source: Box<dyn BatchSource>,
    parser: Arc<dyn read::Parse>,
    bytes_read: Arc<AtomicU64>,
    mapping: ColumnMapping,
    alphabets: Alphabets,
}

/// The number of bytes read: a total for the finished inputs, and a live counter for the current input.
#[derive(Default)]
pub(crate) struct BytesRead {
    counts: Mutex<(u64, Arc<AtomicU64>)>,
}

impl BytesRead {
    fn begin_input(&self, input_bytes: Arc<AtomicU64>) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.0 += counts.1.load(Ordering::Relaxed);
        counts.1 = input_bytes;
    }

    fn current_input_bytes(&self) -> u64 {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.1.load(Ordering::Relaxed)
    }

    pub(crate) fn total_bytes(&self) -> u64 {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.0 + counts.1.load(Ordering::Relaxed)
    }
}
