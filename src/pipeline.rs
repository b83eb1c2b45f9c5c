//! THE FLOW: reader → bounded queue → workers → in order → writer.
//!
//! ```text
//! reader thread      cuts batches; waits for a buffer to come back when too many are under way
//!   │ batch n
//! worker             parse → normalise → validate → solve → grade → fill columns
//!   │ rows n
//! this thread        puts batches back in order, collects rows into groups, counts
//!   │ group m
//! worker             encodes the group
//!   │ bytes m
//! this thread        writes groups in order; commits at the end
//! ```
//!
//! What is written depends on the input and the options, never on the number of threads.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::Duration;

use rayon::ThreadPool;

use crate::error::Error;
use crate::memory::MemoryPlan;
use crate::read::{BatchSource, Input, Take, Taken, Taker};
use crate::reject::Reject;
use crate::report::Tally;
use crate::solve::Backtracker;
pub use crate::worker::Stages;
use crate::worker::{Processed, Worker};
use crate::write::rejects::RejectsWriter;
use crate::write::{Encoded, Group, Layout, TableWriter};

/// A run, ready to go.
pub struct Job<'a> {
    /// Where the records come from.
    pub input: Input,
    /// Which of them are taken.
    pub take: Take,
    /// What is done to them.
    pub stages: Stages,
    /// The columns of the table.
    pub layout: Layout,
    /// The table; `None` where only the counts matter.
    pub table: Option<TableWriter>,
    /// The rejects table, where there is one.
    pub rejects: Option<RejectsWriter>,
    /// How much is under way at a time.
    pub memory: MemoryPlan,
    /// Told now and then how far the run is.
    pub progress: &'a mut dyn FnMut(Progress),
    /// Told of every rejected record.
    pub on_reject: &'a mut dyn FnMut(&str, &Reject),
    /// Set to a signal's number to stop the run.
    pub stop: Arc<AtomicUsize>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Rows written or rejected.
    pub rows: u64,
    /// Rows rejected.
    pub rejects: u64,
    /// Bytes of the input read, as it is stored.
    pub bytes_read: u64,
}

/// How often a waiting run looks whether it has been told to stop, and reports.
const TICK: Duration = Duration::from_millis(100);

/// Runs the job: every record becomes a row of the table or of the rejects.
pub fn run(job: Job<'_>) -> Result<Tally, Error> {
    let MemoryPlan {
        threads,
        batches,
        groups,
        ..
    } = job.memory;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|n| format!("worker-{n}"))
        .build()
        .map_err(|error| Error::Usage(format!("cannot start {threads} threads: {error}")))?;
    let pool = Arc::new(pool);
    let worker = Arc::new(Worker {
        source: job.input.about.source.clone(),
        parser: job.input.parser,
        stages: job.stages,
        layout: job.table.is_some().then_some(job.layout),
        solver: Box::new(Backtracker),
    });

    let (results, inbox) = channel();
    let (buffers, free) = sync_channel(batches);
    for _ in 0..batches {
        let _ = buffers.send(Vec::new());
    }
    let reader = Reader {
        source: job.input.source,
        taker: Taker::new(job.take),
        free,
        results: results.clone(),
        pool: pool.clone(),
        worker: worker.clone(),
        stop: job.stop.clone(),
    };
    // Not joined: where this function fails, the reader may be waiting for a slow input.
    std::thread::Builder::new()
        .name("reader".into())
        .spawn(move || reader.run())
        .map_err(|error| Error::Usage(format!("cannot start the reader thread: {error}")))?;

    let writer = Writer {
        source: &worker.source,
        inbox,
        results,
        buffers,
        held: Vec::new(),
        pool,
        max_groups: groups,
        bytes_read: job.input.bytes_read,
        progress: job.progress,
        on_reject: job.on_reject,
        stop: job.stop,
        table: job.table,
        rejects: job.rejects,
        tally: Tally::default(),
    };
    writer.run()
}

/// What reaches the writing thread.
enum Message {
    /// Batch n is done.
    Rows(u64, Result<Processed, Error>),
    /// Group m is encoded.
    Group(usize, Result<Encoded, Error>),
    /// So many batches, and no more.
    End(u64),
    /// The input cannot be read further.
    Failed(Error),
}

/// Runs on the reader thread.
struct Reader {
    source: Box<dyn BatchSource>,
    taker: Taker,
    free: Receiver<Vec<u8>>,
    results: Sender<Message>,
    pool: Arc<ThreadPool>,
    worker: Arc<Worker>,
    stop: Arc<AtomicUsize>,
}

impl Reader {
    fn run(mut self) {
        let mut number = 0;
        // The buffer of a batch of which no record was taken.
        let mut spare = None;
        let end = loop {
            // No buffer comes any more when the writing thread has failed.
            let Some(buffer) = spare.take().or_else(|| self.free.recv().ok()) else {
                return;
            };
            if self.stop.load(Ordering::Relaxed) != 0 || self.taker.is_done() {
                break Message::End(number);
            }
            match self.source.next(buffer) {
                Ok(Some(batch)) => {
                    let taken = self.taker.next(&self.worker.source, &batch);
                    if taken == Taken::None {
                        spare = Some(batch.into_buffer());
                        continue;
                    }
                    let (worker, results) = (self.worker.clone(), self.results.clone());
                    self.pool.spawn_fifo(move || {
                        // Fails only when the writing thread is gone; then nobody needs it.
                        let _ = results.send(Message::Rows(number, worker.process(batch, &taken)));
                    });
                    number += 1;
                }
                Ok(None) => break Message::End(number),
                Err(error) => break Message::Failed(error),
            }
        };
        let _ = self.results.send(end);
    }
}

/// Runs on the thread that called [`run`].
struct Writer<'a> {
    source: &'a str,
    inbox: Receiver<Message>,
    results: Sender<Message>,
    buffers: SyncSender<Vec<u8>>,
    /// Buffers that stay here while too many groups are under way: the reader has to wait.
    held: Vec<Vec<u8>>,
    pool: Arc<ThreadPool>,
    max_groups: usize,
    bytes_read: Arc<AtomicU64>,
    progress: &'a mut dyn FnMut(Progress),
    on_reject: &'a mut dyn FnMut(&str, &Reject),
    stop: Arc<AtomicUsize>,
    table: Option<TableWriter>,
    rejects: Option<RejectsWriter>,
    tally: Tally,
}

impl Writer<'_> {
    fn run(mut self) -> Result<Tally, Error> {
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut end = None;
        while end != Some(next) {
            match self.receive()? {
                Message::Rows(number, processed) => {
                    waiting.insert(number, processed?);
                }
                Message::Group(index, encoded) => self.append(index, encoded?)?,
                Message::End(batches) => end = Some(batches),
                Message::Failed(error) => return Err(error),
            }
            while let Some(processed) = waiting.remove(&next) {
                self.take(processed)?;
                next += 1;
            }
            self.release_buffers();
        }
        self.interrupted()?;
        self.finish()
    }

    /// The next message; reports and looks for signals while there is none.
    fn receive(&mut self) -> Result<Message, Error> {
        loop {
            self.interrupted()?;
            let rows = self.tally.rows();
            (self.progress)(Progress {
                rows,
                rejects: self.tally.rejects(),
                bytes_read: self.bytes_read.load(Ordering::Relaxed),
            });
            match self.inbox.recv_timeout(TICK) {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Table("the workers are gone".into()));
                }
            }
        }
    }

    fn interrupted(&self) -> Result<(), Error> {
        match self.stop.load(Ordering::Relaxed) {
            0 => Ok(()),
            signal => Err(Error::Interrupted {
                signal: signal as i32,
                rows: self.tally.rows(),
            }),
        }
    }

    /// The next batch in input order.
    fn take(&mut self, processed: Processed) -> Result<(), Error> {
        self.tally.merge(&processed.tally);
        for reject in &processed.rejects {
            (self.on_reject)(self.source, reject);
        }
        if let Some(rejects) = &mut self.rejects {
            rejects.write(self.source, &processed.rejects)?;
        }
        if let (Some(table), Some(rows)) = (&mut self.table, processed.table) {
            for group in table.push(rows) {
                self.encode(group);
            }
        }
        self.held.push(processed.buffer);
        Ok(())
    }

    fn encode(&self, group: Group) {
        let results = self.results.clone();
        self.pool.spawn_fifo(move || {
            let _ = results.send(Message::Group(group.index, group.encode()));
        });
    }

    fn append(&mut self, index: usize, encoded: Encoded) -> Result<(), Error> {
        match &mut self.table {
            Some(table) => table.append(index, encoded),
            None => Ok(()),
        }
    }

    fn groups_under_way(&self) -> usize {
        self.table.as_ref().map_or(0, TableWriter::in_flight)
    }

    fn release_buffers(&mut self) {
        if self.groups_under_way() <= self.max_groups {
            for buffer in self.held.drain(..) {
                // The reader may have ended.
                let _ = self.buffers.send(buffer);
            }
        }
    }

    /// Encodes what is left, waits for it, commits: the rejects first, so that a table is never
    /// there without its rejects.
    fn finish(mut self) -> Result<Tally, Error> {
        if let Some(group) = self.table.as_mut().and_then(TableWriter::take_group) {
            self.encode(group);
        }
        while self.groups_under_way() > 0 {
            if let Message::Group(index, encoded) = self.receive()? {
                self.append(index, encoded?)?;
            }
        }
        let table = self.table.map(TableWriter::finish).transpose()?;
        if let Some(rejects) = self.rejects {
            rejects.finish()?.commit()?;
        }
        if let Some(table) = table {
            table.commit()?;
        }
        Ok(self.tally)
    }
}
