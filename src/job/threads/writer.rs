//! The writing thread: orders batches, counts rows, writes row groups, and finishes the output.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use crate::counts::Evaluation;
use crate::counts::partials::Partials;
use crate::counts::statistics::Statistics;
use crate::counts::{Damage, RejectLimit, Tally};
use crate::error::Error;
use crate::job::Watch;
use crate::job::empty_check::EmptyCheck;
use crate::job::threads::buffers::Buffers;
use crate::job::threads::bytes_read::BytesRead;
use crate::job::threads::message::{Item, Message};
use crate::job::threads::progress::RecordCounts;
use crate::job::threads::run_totals::RunTotals;
use crate::job::threads::worker::Processed;
use crate::panics::caught;
use crate::pool::Pool;
use crate::write::{Background, EncodeTask, Output, OutputSet};

/// The interval at which the writing thread checks for signals and reports progress while it waits.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The results of a run: counts of its rows, damaged inputs, and statistics that were requested.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The counts of the rows.
    pub tally: Tally,
    /// The inputs that could not be read to their end.
    pub damages: Vec<Damage>,
    /// The statistics of the rows; `None` if the run has failed, or unless `stages.statistics` is set.
    pub statistics: Option<Box<Statistics>>,
    /// The quality of the model's predictions; `None` if the run has failed, or unless `stages.judging` is set.
    pub evaluation: Option<Box<Evaluation>>,
    /// The name and the number of records of each input; empty unless `stages.judging` is set.
    pub records: Vec<(String, u64)>,
    /// The stored bytes that were read from the inputs.
    pub bytes_read: u64,
}

/// The state of the writing thread. It is the thread that called [`crate::job::run`].
pub(crate) struct Writer<'a> {
    /// The names of the inputs.
    pub(crate) sources: Vec<String>,
    /// The index of the input that the current rows come from.
    pub(crate) current_input: usize,
    /// The damage of the current input, and the number of its bytes that count as read; `None` if all its rows so far
    /// could be decoded. The rows after the damage are left out.
    pub(crate) input_damage: Option<Box<(Damage, u64)>>,
    pub(crate) inbox: Receiver<Message>,
    pub(crate) results: Sender<Message>,
    pub(crate) buffers: Arc<Buffers>,
    /// Buffers that are held back while too many row groups are being encoded. Without free buffers, the reader waits.
    pub(crate) held_buffers: Vec<Vec<u8>>,
    pub(crate) pool: Arc<Pool>,
    /// Merges the figures of batches on the worker threads.
    pub(crate) background: Background,
    pub(crate) figures: Arc<Partials<RunTotals>>,
    /// The figures that depend on the order of the batches.
    pub(crate) ordered_statistics: Statistics,
    pub(crate) most_groups_in_flight: usize,
    pub(crate) bytes_read: Arc<BytesRead>,
    pub(crate) record_counts: Arc<RecordCounts>,
    pub(crate) watch: &'a mut dyn Watch,
    pub(crate) stop: Arc<AtomicUsize>,
    pub(crate) output: Box<dyn Output>,
    /// Checks that the inputs have puzzles; `None` with `--allow-empty`, which accepts inputs without puzzles.
    pub(crate) empty_check: Option<EmptyCheck>,
    pub(crate) max_rejects: Option<RejectLimit>,
    pub(crate) max_wrong: Option<RejectLimit>,
    /// The counts of the whole output, including parts that earlier runs have written.
    pub(crate) total_tally: Tally,
    pub(crate) done: &'a mut Done,
}

/// Ends the threads that wait for a buffer when the writing thread ends.
struct CloseBuffers(Arc<Buffers>);

impl Drop for CloseBuffers {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Writer<'_> {
    pub(crate) fn run(mut self) -> Result<(), Error> {
        let _close_buffers = CloseBuffers(Arc::clone(&self.buffers));
        // A single worker thread would only take the work from this one, and without worker threads this one does it.
        if self.background.threads() > 1 {
            self.output.use_background(&self.background);
        }
        let worked = match self.write_all() {
            // The signal that stops this run may also have ended the program that reads standard output. The error is
            // then the signal, and not the broken pipe.
            Err(Error::BrokenPipe) => self.check_interruption().and(Err(Error::BrokenPipe)),
            result => result,
        };
        self.done.bytes_read = self.bytes_read.total_bytes();
        let worked = worked.and_then(|()| self.merge_figures());
        match worked {
            Ok(()) => {
                let mut set = OutputSet::default();
                self.output.finish(&mut set)?;
                self.watch.finished(self.done, &mut set)?;
                set.publish()
            }
            Err(mut why) => {
                let kept_rejects = self.output.abandon(&why);
                if let Some(kept_in) = why.kept_rejects_mut() {
                    *kept_in = kept_rejects;
                }
                Err(why)
            }
        }
    }

    fn write_all(&mut self) -> Result<(), Error> {
        let mut waiting_items = BTreeMap::new();
        let (mut next_step, mut next_part) = (0, 0);
        let mut end_step = None;
        while end_step != Some(next_step) {
            match self.receive_message()? {
                Message::Item(place, item) => {
                    waiting_items.insert((place.step, place.part), (item, place.is_last));
                }
                Message::Group(table, index, encoded) => {
                    self.output.append(table, index, encoded?)?;
                }
                Message::Worked => self.advance()?,
                Message::End(steps) => end_step = Some(steps),
                Message::Failed(panic) => {
                    return Err(Error::Internal(format!("reading failed: {panic}")));
                }
            }
            while let Some((item, is_last)) = waiting_items.remove(&(next_step, next_part)) {
                self.write_item(item?)?;
                next_part += 1;
                if is_last {
                    (next_step, next_part) = (next_step + 1, 0);
                    self.buffers.write_step(next_step);
                }
            }
            self.release_buffers();
        }
        self.check_interruption()?;
        self.finish_output()
    }

    /// Waits for the next message. Meanwhile it reports progress and checks for signals.
    fn receive_message(&mut self) -> Result<Message, Error> {
        loop {
            self.check_interruption()?;
            let progress = self.record_counts.progress(self.bytes_read.total_bytes());
            self.watch.progress(progress);
            // On the caller's thread, all tasks are done when they have been spawned, so nothing can arrive later.
            let wait = self
                .pool
                .workers()
                .map_or(Duration::ZERO, |_| POLL_INTERVAL);
            match self.inbox.recv_timeout(wait) {
                Err(RecvTimeoutError::Timeout) if wait.is_zero() => {
                    return Err(Error::Internal("a task has no result".into()));
                }
                Ok(message) => return Ok(message),
                // The output may have finished row groups without sending a message, so buffers may be free again.
                Err(RecvTimeoutError::Timeout) => {
                    self.release_buffers();
                    self.output.idle()?;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Internal("the workers are gone".into()));
                }
            }
        }
    }

    fn check_interruption(&self) -> Result<(), Error> {
        match self.stop.load(Ordering::Relaxed) {
            0 => Ok(()),
            signal => Err(Error::Interrupted {
                signal: signal as i32,
                rows: self.done.tally.rows(),
                left: self.output.left_behind(),
            }),
        }
    }

    /// Processes the next item. Items have to be passed in the order of their numbers.
    fn write_item(&mut self, item: Item) -> Result<(), Error> {
        let (work, buffer) = match item {
            Item::InputBegins(input) => {
                self.current_input = input;
                if let Some(empty_check) = &mut self.empty_check {
                    empty_check.begin_input();
                }
                self.output.begin_input(input)?;
                (Vec::new(), Vec::new())
            }
            Item::Rows(processed, more) => {
                self.held_buffers.extend(more);
                if self.input_damage.is_some() {
                    self.record_counts.remove_done(&processed.result.tally);
                    (Vec::new(), processed.buffer)
                } else {
                    self.write_rows(*processed)?
                }
            }
            Item::PieceEnds(damage) => {
                if self.input_damage.is_none() {
                    self.input_damage = damage;
                }
                return Ok(());
            }
            Item::InputEnds(mut damage, recognised) => {
                let bytes_read = self.input_damage.take().map(|first| {
                    damage = Some(first.0);
                    first.1
                });
                self.bytes_read.end_input(self.current_input, bytes_read);
                if let (Some(empty_check), None, Some(recognised)) =
                    (&mut self.empty_check, &damage, &recognised)
                {
                    let source = self
                        .sources
                        .get(self.current_input)
                        .map_or("", String::as_str);
                    damage = empty_check.end_input(source, recognised)?;
                }
                let encode_tasks = self.output.end_input(damage.as_ref())?;
                self.done.damages.extend(damage);
                (encode_tasks, Vec::new())
            }
        };
        self.encode_in_pool(work);
        self.held_buffers.push(buffer);
        Ok(())
    }

    fn write_rows(&mut self, processed: Processed) -> Result<(Vec<EncodeTask>, Vec<u8>), Error> {
        let Processed { mut result, buffer } = processed;
        let source = self
            .sources
            .get(self.current_input)
            .map_or("", String::as_str);
        if let Some(empty_check) = &mut self.empty_check {
            empty_check.add_batch(&result.tally, &result.rejects);
        }
        self.done.tally.merge(&result.tally);
        self.total_tally.merge(&result.tally);
        let evaluation = result.figures.evaluation.take();
        if evaluation.is_some() {
            let rows = result.tally.rows();
            match self.done.records.last_mut() {
                Some((name, records)) if name == source => *records += rows,
                _ => self.done.records.push((source.to_owned(), rows)),
            }
        }
        for reject in &result.rejects {
            self.watch.rejected(source, reject);
        }
        for failure in &result.failures {
            self.watch.failed(source, failure);
        }
        // The rejects are written before the run fails, so that the rejects that exceed the limit are also kept.
        let within_limits = self.check_limits(false);
        if within_limits.is_err() {
            result.leave_bad_records();
        }
        let encode_tasks = self.output.batch(source, &mut result)?;
        within_limits?;
        self.count_figures(RunTotals {
            evaluation,
            statistics: result.figures.statistics.take(),
        });
        Ok((encode_tasks, buffer))
    }

    /// Fails if more records are rejected, or have a wrong given solution, than the options allow.
    fn check_limits(&self, at_end: bool) -> Result<(), Error> {
        if let Some(limit) = self.max_rejects {
            limit.check(&self.total_tally, at_end)?;
        }
        match self.max_wrong {
            Some(limit) => limit.check_wrong(&self.total_tally, at_end),
            None => Ok(()),
        }
    }

    fn encode_in_pool(&self, work: Vec<EncodeTask>) {
        for EncodeTask { table, group } in work {
            let results = self.results.clone();
            self.pool.spawn_fifo(move || {
                let encoding_failed =
                    |panic| Err(Error::Internal(format!("encoding failed: {panic}")));
                let encoded = caught(|| group.encode()).unwrap_or_else(encoding_failed);
                let _ = results.send(Message::Group(table, group.index, encoded));
            });
        }
    }

    fn release_buffers(&mut self) {
        if self.output.groups_in_flight() <= self.most_groups_in_flight {
            // The memory of a batch is in use until the work on it has ended.
            let held = self.background.batches_in_progress();
            let released = self.held_buffers.len().saturating_sub(held);
            for buffer in self.held_buffers.drain(..released) {
                self.buffers.give(buffer);
            }
        }
    }

    /// Waits for an encoded row group.
    fn receive_group(&mut self) -> Result<(), Error> {
        match self.receive_message()? {
            Message::Group(table, index, encoded) => self.output.append(table, index, encoded?),
            Message::Worked => self.advance(),
            _ => Ok(()),
        }
    }

    /// Writes the rows that work on the worker threads has made.
    fn advance(&mut self) -> Result<(), Error> {
        self.background.note_awake();
        self.background.check_error()?;
        let encode_tasks = self.output.advance()?;
        self.encode_in_pool(encode_tasks);
        Ok(())
    }

    /// Waits until the work that the output left to the worker threads has ended.
    fn finish_background(&mut self) -> Result<(), Error> {
        while self.background.batches_in_progress() > 0 {
            self.receive_group()?;
        }
        self.background.wait()?;
        self.advance()
    }

    /// Encodes the remaining rows, and waits until their row groups are written.
    fn finish_output(&mut self) -> Result<(), Error> {
        self.finish_background()?;
        while let Some(work) = self.output.deferred()? {
            self.check_interruption()?;
            let progress = self.record_counts.progress(self.bytes_read.total_bytes());
            self.watch.progress(progress);
            self.encode_in_pool(work);
            while self.output.groups_in_flight() > self.most_groups_in_flight {
                self.receive_group()?;
            }
        }
        let encode_tasks = self.output.end()?;
        self.encode_in_pool(encode_tasks);
        while self.output.groups_in_flight() > 0 {
            self.receive_group()?;
        }
        self.check_limits(true)?;
        match &self.empty_check {
            Some(empty_check) => empty_check.check_output(&self.sources, &self.total_tally),
            None => Ok(()),
        }
    }
}
