//! Makes the puzzles of a series on several threads. Each thread makes chunks of consecutive puzzles.
//!
//! ```text
//! number    0 ───── 4096 ───── 8192 ───── 12288 ── 14336 ── 15360 … 16384
//! thread    0       1          0          1        0        1         the last chunks are small
//!           └ taken in order      └ at most two chunks a thread are in progress or not taken yet
//! ```
//!
//! A thread has many puzzles in progress, whose boards are searched together. At the end of a chunk fewer and fewer are left,
//! so large chunks cost less. The last chunks become smaller and smaller, so that all threads end at about the same time.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use sudoku_core::board::Grid;
use sudoku_core::generate::{Generated, Generator, SeriesItem};
use sudoku_core::rating::Ratings;
use sudoku_core::sizes::{SizedGenerated, generate_sized};
use sudoku_core::solve::Kernel;

use super::Maker;
use super::starts::Starts;
use crate::error::Error;
use crate::panics::caught;
use crate::pool::worker_pool;

/// The maximum number of puzzles in a chunk.
pub(super) const MOST_PUZZLES: u64 = 4096;

/// The number of puzzles that all threads together try first, if each puzzle may take seconds to find.
const FIRST_RARE_PUZZLES: u64 = 64;

/// Chunks of puzzles that may take seconds become larger while they take less time than this.
const SHORT_CHUNK: Duration = Duration::from_millis(250);

/// The last chunks of a series become smaller, down to this fraction of the others.
const SMALLEST_FRACTION: u64 = 64;

/// The interval at which the reader thread looks for a signal while it waits for a chunk.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A generated puzzle.
pub(super) struct MadePuzzle {
    /// The text of the puzzle, followed by that of the solution, which is as long.
    pub(super) texts: String,
    /// The puzzle and its ratings, if the generator has computed them.
    pub(super) ratings: Option<Box<(Grid, Ratings)>>,
}

/// How the puzzles of a series are made, and whether to go on.
pub(super) struct PuzzleWork {
    pub(super) maker: Maker,
    pub(super) starts: Option<Starts>,
    pub(super) kernel: Kernel,
    /// Is set to a signal's number to end the series early.
    pub(super) stop: Arc<AtomicUsize>,
    /// The number of puzzles that were tried. The job reports it as bytes read.
    pub(super) tried: Arc<AtomicU64>,
    /// Whether no more puzzles are needed.
    pub(super) has_ended: AtomicBool,
}

/// The puzzles of a chunk; `None` for those that were not found.
type Puzzles = Vec<Option<MadePuzzle>>;

/// A chunk that a thread has made.
struct MadeChunk {
    number: u64,
    /// The puzzles, or the message of a panic.
    puzzles: Result<Puzzles, String>,
    time: Duration,
}

/// Hands out chunks to the threads, and returns their puzzles in order.
pub(super) struct ChunkQueue {
    work: Arc<PuzzleWork>,
    pool: ThreadPool,
    sender: Sender<MadeChunk>,
    receiver: Receiver<MadeChunk>,
    /// The numbers of the puzzles that are in no chunk yet.
    numbers_left: Range<u64>,
    /// The number of puzzles of the next chunk, unless few are left.
    chunk_size: u64,
    first_chunk_size: u64,
    /// The chunks that have been handed out and not been taken; `None` for those that are not made yet.
    chunks: VecDeque<Option<Puzzles>>,
    /// The number of the first of these chunks.
    first_chunk: u64,
}

impl ChunkQueue {
    pub(super) fn new(
        work: PuzzleWork,
        numbers: Range<u64>,
        threads: usize,
    ) -> Result<ChunkQueue, Error> {
        let pool = worker_pool(threads)?;
        let first_chunk_size = match &work.maker {
            // Puzzles of these sizes are made one by one.
            Maker::Sized(..) => 1,
            maker if maker.is_rare() || work.starts.is_some() => {
                FIRST_RARE_PUZZLES.div_ceil(pool.current_num_threads() as u64)
            }
            _ => MOST_PUZZLES,
        };
        let (sender, receiver) = channel();
        Ok(ChunkQueue {
            work: Arc::new(work),
            pool,
            sender,
            receiver,
            numbers_left: numbers,
            chunk_size: first_chunk_size,
            first_chunk_size,
            chunks: VecDeque::new(),
            first_chunk: 0,
        })
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.work.stop.load(Ordering::Relaxed) != 0
    }

    /// The next puzzles in order. Empty after the last ones, and after a signal.
    pub(super) fn next(&mut self) -> Result<Puzzles, Error> {
        loop {
            self.hand_out();
            while let Ok(made) = self.receiver.try_recv() {
                self.accept(made)?;
            }
            if self.is_stopped() || self.chunks.is_empty() {
                return Ok(Vec::new());
            }
            if let Some(Some(puzzles)) = self.chunks.front_mut().map(Option::take) {
                self.chunks.pop_front();
                self.first_chunk += 1;
                self.hand_out();
                return Ok(puzzles);
            }
            match self.receiver.recv_timeout(POLL_INTERVAL) {
                Ok(made) => self.accept(made)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Internal("the generating threads are gone".into()));
                }
            }
        }
    }

    /// Hands out chunks until each thread has one in progress and one that waits.
    fn hand_out(&mut self) {
        let threads = self.pool.current_num_threads();
        while self.chunks.len() < 2 * threads && !self.numbers_left.is_empty() {
            let left = self.numbers_left.end - self.numbers_left.start;
            let share = left.div_ceil(threads as u64);
            let smallest = (self.chunk_size / SMALLEST_FRACTION).max(1);
            let size = share.max(smallest).min(self.chunk_size).min(left);
            let numbers = self.numbers_left.start..self.numbers_left.start + size;
            self.numbers_left.start = numbers.end;
            let number = self.first_chunk + self.chunks.len() as u64;
            self.chunks.push_back(None);
            let (work, sender) = (Arc::clone(&self.work), self.sender.clone());
            self.pool.spawn_fifo(move || {
                let begin = Instant::now();
                let puzzles = caught(|| work.make(&numbers));
                // Nobody receives the chunk if the series has ended.
                let _ = sender.send(MadeChunk {
                    number,
                    puzzles,
                    time: begin.elapsed(),
                });
            });
        }
    }

    fn accept(&mut self, made: MadeChunk) -> Result<(), Error> {
        let puzzles = made
            .puzzles
            .map_err(|panic| Error::Internal(format!("generating failed: {panic}")))?;
        let is_whole = puzzles.iter().all(Option::is_some);
        self.chunk_size = match is_whole {
            true if made.time < SHORT_CHUNK => {
                let size = 2 * puzzles.len() as u64;
                self.chunk_size.max(size.min(MOST_PUZZLES))
            }
            true => self.chunk_size,
            false => self.first_chunk_size,
        };
        if let Some(chunk) = self
            .chunks
            .get_mut((made.number - self.first_chunk) as usize)
        {
            *chunk = Some(puzzles);
        }
        Ok(())
    }
}

impl Drop for ChunkQueue {
    fn drop(&mut self) {
        self.work.has_ended.store(true, Ordering::Relaxed);
    }
}

impl PuzzleWork {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0 || self.has_ended.load(Ordering::Relaxed)
    }

    /// Each puzzle is counted separately, because a chunk of rare puzzles can take many minutes.
    fn count_one(&self) {
        self.tried.fetch_add(1, Ordering::Relaxed);
    }

    /// Makes the puzzles with these numbers. After a signal, the rest is skipped.
    fn make(&self, numbers: &Range<u64>) -> Puzzles {
        let mut puzzles = Vec::new();
        puzzles.resize_with((numbers.end - numbers.start) as usize, || None);
        match &self.maker {
            Maker::Nine(generator) => {
                self.make_9x9(numbers.clone(), numbers.start, generator, &mut puzzles);
            }
            Maker::Mix(mix) => {
                for (generator, part) in mix.generators() {
                    let chosen = numbers.clone().filter(|n| mix.has_target(part, *n));
                    self.make_9x9(chosen, numbers.start, &generator, &mut puzzles);
                }
            }
            Maker::Sized(size, generator) => {
                for (n, puzzle) in numbers.clone().zip(&mut puzzles) {
                    if self.is_over() {
                        break;
                    }
                    let made = generate_sized(*size, generator, n);
                    self.count_one();
                    *puzzle = made.map(
                        |SizedGenerated {
                             puzzle, solution, ..
                         }| MadePuzzle {
                            texts: [puzzle.as_str(), solution.as_str()].concat(),
                            ratings: None,
                        },
                    );
                }
            }
        }
        puzzles
    }

    fn make_9x9(
        &self,
        numbers: impl Iterator<Item = u64>,
        first_number: u64,
        generator: &Generator,
        puzzles: &mut [Option<MadePuzzle>],
    ) {
        let items = numbers.map(|n| match &self.starts {
            Some(starts) => starts.start_for_puzzle(n),
            None => SeriesItem::from(n),
        });
        let to_made = |generated: Generated| MadePuzzle {
            texts: [generated.puzzle.as_str(), generated.solution.as_str()].concat(),
            ratings: { generated.ratings }.map(|ratings| Box::new((generated.puzzle, ratings))),
        };
        generator.puzzles_until(
            self.kernel,
            items,
            |n, generated| {
                self.count_one();
                puzzles[(n - first_number) as usize] = generated.map(to_made);
            },
            || self.is_over(),
        );
    }
}
