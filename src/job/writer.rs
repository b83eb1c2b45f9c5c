//! The writing thread: puts what the workers did back in order, counts, writes, commits.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender};
use std::time::Duration;

use rayon::ThreadPool;

use crate::error::Error;
use crate::job::demand::Demand;
use crate::job::reader::BytesRead;
use crate::job::worker::Processed;
use crate::job::{Done, Item, Message, Progress};
use crate::report::{RejectLimit, Tally};
use crate::table::reject::Reject;
use crate::write::{Output, Work};

/// How often a waiting run looks whether it has been told to stop, and reports.
const TICK: Duration = Duration::from_millis(100);

/// Runs on the thread that called [`crate::job::run`].
pub(crate) struct Writer<'a> {
    /// The names of the inputs.
    pub(crate) sources: Vec<String>,
    /// Which of them the rows are from that come now.
    pub(crate) current: usize,
    pub(crate) inbox: Receiver<Message>,
    pub(crate) results: Sender<Message>,
    pub(crate) buffers: SyncSender<Vec<u8>>,
    /// Buffers that stay here while too many groups are under way: the reader has to wait.
    pub(crate) held: Vec<Vec<u8>>,
    pub(crate) pool: Arc<ThreadPool>,
    pub(crate) max_groups: usize,
    pub(crate) bytes_read: Arc<BytesRead>,
    pub(crate) progress: &'a mut dyn FnMut(Progress),
    pub(crate) on_reject: &'a mut dyn FnMut(&str, &Reject),
    pub(crate) stop: Arc<AtomicUsize>,
    pub(crate) output: Box<dyn Output>,
    /// What is demanded of the inputs; nothing with `--allow-empty`.
    pub(crate) demand: Option<Demand>,
    pub(crate) max_rejects: Option<RejectLimit>,
    /// The counts of the whole output: of this run, and of earlier ones.
    pub(crate) whole: Tally,
    pub(crate) done: Done,
}

impl Writer<'_> {
    pub(crate) fn run(mut self) -> Result<Done, Error> {
        match self.work() {
            // The reader of standard output may have gone away because of the signal.
            Err(Error::BrokenPipe) => self.interrupted().and(Err(Error::BrokenPipe)),
            result => result,
        }?;
        self.output.commit()?;
        self.done.bytes_read = self.bytes_read.all();
        Ok(self.done)
    }

    fn work(&mut self) -> Result<(), Error> {
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut end = None;
        while end != Some(next) {
            match self.receive()? {
                Message::Item(number, item) => {
                    waiting.insert(number, item);
                }
                Message::Group(table, index, encoded) => {
                    self.output.append(table, index, encoded?)?;
                }
                Message::End(items) => end = Some(items),
                Message::Failed => {
                    return Err(Error::Table("the reader failed: please report it".into()));
                }
            }
            while let Some(item) = waiting.remove(&next) {
                self.take(item?)?;
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
            let tally = &self.done.tally;
            (self.progress)(Progress {
                rows: tally.rows(),
                rejects: tally.rejects(),
                bytes_read: self.bytes_read.all(),
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
                rows: self.done.tally.rows(),
                left: self.output.left_behind(),
            }),
        }
    }

    /// The next item in input order.
    fn take(&mut self, item: Item) -> Result<(), Error> {
        let (work, buffer) = match item {
            Item::InputBegins(input) => {
                self.current = input;
                if let Some(demand) = &mut self.demand {
                    demand.begin_input();
                }
                self.output.begin_input(input)?;
                (Vec::new(), Vec::new())
            }
            Item::Rows(processed) => self.rows(processed)?,
            Item::InputEnds(mut damage, seen) => {
                if let (Some(demand), None, Some(seen)) = (&mut self.demand, &damage, &seen) {
                    let source = self.sources.get(self.current).map_or("", String::as_str);
                    damage = demand.end_input(source, seen)?;
                }
                let work = self.output.end_input(damage.as_ref())?;
                self.done.damages.extend(damage);
                (work, Vec::new())
            }
        };
        self.encode(work);
        self.held.push(buffer);
        Ok(())
    }

    fn rows(&mut self, processed: Processed) -> Result<(Vec<Work>, Vec<u8>), Error> {
        let source = self.sources.get(self.current).map_or("", String::as_str);
        if let Some(demand) = &mut self.demand {
            demand.rows(&processed.tally, &processed.rejects);
        }
        self.done.tally.merge(&processed.tally);
        self.whole.merge(&processed.tally);
        for reject in &processed.rejects {
            (self.on_reject)(source, reject);
        }
        if let Some(limit) = self.max_rejects {
            limit.check(&self.whole, false)?;
        }
        self.output.rejects(source, &processed.rejects)?;
        let work = self.output.rows(processed.table, &processed.tally)?;
        Ok((work, processed.buffer))
    }

    fn encode(&self, work: Vec<Work>) {
        for Work { table, group } in work {
            let results = self.results.clone();
            self.pool.spawn_fifo(move || {
                let index = group.index;
                let encoded = catch_unwind(AssertUnwindSafe(|| group.encode()));
                let encoded = encoded.unwrap_or_else(|_| {
                    Err(Error::Table("the encoder failed: please report it".into()))
                });
                let _ = results.send(Message::Group(table, index, encoded));
            });
        }
    }

    fn release_buffers(&mut self) {
        if self.output.groups_under_way() <= self.max_groups {
            for buffer in self.held.drain(..) {
                // The reader may have ended.
                let _ = self.buffers.send(buffer);
            }
        }
    }

    /// Encodes what is left, and waits for it.
    fn finish(&mut self) -> Result<(), Error> {
        let work = self.output.end()?;
        self.encode(work);
        while self.output.groups_under_way() > 0 {
            if let Message::Group(table, index, encoded) = self.receive()? {
                self.output.append(table, index, encoded?)?;
            }
        }
        if let Some(limit) = self.max_rejects {
            limit.check(&self.whole, true)?;
        }
        match &self.demand {
            Some(demand) => demand.end(&self.sources, &self.whole),
            None => Ok(()),
        }
    }
}
