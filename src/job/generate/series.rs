//! An input that generates the puzzles of a series.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError};

use sudoku_core::solve::Kernel;

use super::chunks::{ChunkQueue, MOST_PUZZLES, MadePuzzle, PuzzleWork};
use super::pairs::{PairParser, column_batch, text_batch};
use super::starts::Starts;
use super::{Maker, series_input};
use crate::error::Error;
use crate::job::inputs::JobInput;
use crate::job::threads::rating::KnownRatings;
use crate::job::threads::stages::Stages;
use crate::read::{Batch, BatchSource, ColumnParser, Parse};

/// If this many consecutive puzzles are not found, the series ends. They are counted in blocks from its start, because the
/// end of a series must not depend on the number of threads.
const BLOCK: usize = 64;

/// A range of the puzzles that a generator makes from a seed, and how they are generated.
pub struct Series {
    /// The generator of the puzzles.
    pub maker: Maker,
    /// The full grids or patterns that the puzzles are made from; `None` for random full grids.
    pub starts: Option<Starts>,
    /// The numbers of the puzzles in the series. Puzzle n depends only on the generator, its seed and n.
    pub numbers: Range<u64>,
    /// The number of threads that generate puzzles.
    pub threads: usize,
    /// The instruction set of the solver.
    pub kernel: Kernel,
    /// A flag that is set to a signal's number to end the series early.
    pub stop: Arc<AtomicUsize>,
}

/// The puzzles of a series that the generator did not find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The number of the first puzzle that was not found; `None` if all were found.
    pub first: Option<u64>,
    /// The number of puzzles that were tried.
    pub tried: u64,
}

impl Series {
    /// Makes an input with solutions from the series. `stages` are the steps of the job: ratings that the
    /// generator computes are passed to the job, which then does not compute them again. The second result
    /// counts the puzzles that were not found, and is complete after the input has been read.
    ///
    /// # Errors
    ///
    /// The system cannot start the threads.
    pub fn into_input(self, stages: &Stages) -> Result<(JobInput, Arc<Mutex<Missing>>), Error> {
        let missing = Arc::new(Mutex::new(Missing::default()));
        let tried = Arc::new(AtomicU64::new(0));
        let carried = self.starts.as_ref().map(Starts::fields).unwrap_or_default();
        let parser: Arc<dyn Parse> = match self.starts {
            None => Arc::new(PairParser {
                cell_count: self.maker.cell_count(),
            }),
            Some(_) => Arc::new(ColumnParser::new(true, true)),
        };
        let ends_early = self.maker.is_rare() && self.starts.is_none();
        let (cell_count, starts) = (self.maker.cell_count(), self.starts.clone());
        let first_number = self.numbers.start;
        let work = PuzzleWork {
            maker: self.maker,
            starts: self.starts,
            kernel: self.kernel,
            stop: self.stop,
            tried: tried.clone(),
            has_ended: AtomicBool::new(false),
        };
        let source = PuzzleSource {
            queue: ChunkQueue::new(work, self.numbers, self.threads)?,
            ends_early,
            has_ended: false,
            cell_count,
            starts,
            waiting: VecDeque::new(),
            next_number: first_number,
            puzzles_found: 0,
            known_ratings: stages.known_ratings.clone(),
            missing: missing.clone(),
        };
        Ok((
            series_input(Box::new(source), parser, carried, tried),
            missing,
        ))
    }
}

/// Makes batches of the puzzles that threads generate.
struct PuzzleSource {
    queue: ChunkQueue,
    /// Whether a whole block without puzzles ends the series. With several grids or patterns it does not, because the next
    /// grid or pattern may still give puzzles.
    ends_early: bool,
    /// Whether the series has ended. The puzzles that wait are then the last ones.
    has_ended: bool,
    cell_count: usize,
    starts: Option<Starts>,
    /// The puzzles that are in no batch yet, in order; `None` for those that were not found.
    waiting: VecDeque<Option<MadePuzzle>>,
    /// The number of the first of them.
    next_number: u64,
    /// The number of puzzles that were found.
    puzzles_found: u64,
    known_ratings: KnownRatings,
    missing: Arc<Mutex<Missing>>,
}

impl PuzzleSource {
    /// The number of puzzles of the next batch. If a block without puzzles ends the series, the batch ends with it.
    fn batch_length(&mut self) -> usize {
        let length = self.waiting.len().min(MOST_PUZZLES as usize);
        if !self.ends_early {
            return length;
        }
        // Later puzzles of an incomplete block may still come.
        let complete = if self.has_ended {
            length
        } else {
            length / BLOCK * BLOCK
        };
        let is_found = |at: usize| self.waiting[at].is_some();
        for start in (0..complete).step_by(BLOCK) {
            let end = complete.min(start + BLOCK);
            if !(start..end).any(is_found) {
                self.waiting.truncate(end);
                self.has_ended = true;
                return end;
            }
        }
        complete
    }

    /// The batch with these puzzles.
    fn to_batch(
        &self,
        first_number: u64,
        puzzles: &[Option<MadePuzzle>],
        mut buffer: Vec<u8>,
    ) -> Result<Batch, Error> {
        let pairs = puzzles.iter().flatten();
        let Some(starts) = &self.starts else {
            buffer.clear();
            pairs.for_each(|pair| buffer.extend_from_slice(pair.texts.as_bytes()));
            return Ok(text_batch(buffer, self.cell_count, self.puzzles_found));
        };
        let found_puzzles = puzzles
            .iter()
            .zip(first_number..)
            .filter(|(pair, _)| pair.is_some());
        let rows = found_puzzles
            .map(|(_, n)| starts.row_for_puzzle(n))
            .collect();
        let pairs = pairs.map(|pair| pair.texts.split_at(pair.texts.len() / 2));
        column_batch(pairs, starts.columns(), rows, self.puzzles_found)
    }
}

impl BatchSource for PuzzleSource {
    fn next(&mut self, mut buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        loop {
            let length = self.batch_length();
            if length == 0 {
                if self.has_ended {
                    return Ok(None);
                }
                let puzzles = self.queue.next()?;
                if self.queue.is_stopped() {
                    return Ok(None);
                }
                self.has_ended = puzzles.is_empty();
                self.waiting.extend(puzzles);
                continue;
            }
            let mut puzzles: Vec<_> = self.waiting.drain(..length).collect();
            let first_number = self.next_number;
            self.next_number += length as u64;
            {
                let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
                missing.tried += length as u64;
                let first_missing = puzzles.iter().position(Option::is_none);
                missing.first =
                    { missing.first }.or(first_missing.map(|at| first_number + at as u64));
            }
            for puzzle in puzzles.iter_mut().flatten() {
                if let Some((puzzle, ratings)) = puzzle.ratings.take().map(|rated| *rated) {
                    self.known_ratings.add(puzzle, ratings);
                }
            }
            let batch = self.to_batch(first_number, &puzzles, buffer)?;
            if batch.rows > 0 {
                self.puzzles_found += batch.rows as u64;
                return Ok(Some(batch));
            }
            buffer = batch.into_buffer();
        }
    }
}

#[cfg(test)]
mod tests {
    use sudoku_core::generate::{Generator, GradeTarget};

    use super::*;
    use crate::read::Payload;

    /// Reads the bytes of all batches, and counts the missing puzzles.
    fn read(generator: &Generator, numbers: Range<u64>, threads: usize) -> (Vec<u8>, Missing) {
        let series = Series {
            maker: Maker::Nine(generator.clone()),
            starts: None,
            numbers,
            threads,
            kernel: Kernel::fastest(),
            stop: Arc::default(),
        };
        let (input, missing) = series.into_input(&Stages::default()).unwrap();
        let mut source = input.opened.unwrap().source;
        let mut bytes = Vec::new();
        while let Some(batch) = source.next(vec![7; 9]).unwrap() {
            assert_eq!(batch.first_row, bytes.len() as u64 / 162);
            match batch.payload {
                Payload::Text(chunk) => bytes.extend(chunk.bytes),
                Payload::Columns(_) => panic!("the puzzles are text"),
            }
        }
        let missing = missing.lock().unwrap().clone();
        (bytes, missing)
    }

    #[test]
    fn a_series_is_the_same_on_any_number_of_threads() {
        let generator = Generator {
            seed: 1,
            target: GradeTarget::Any,
            clues: Some(26),
            max_attempts: 1,
            ..Generator::any(0)
        };
        let (whole, missing) = read(&generator, 0..100, 1);
        assert_eq!(
            read(&generator, 0..100, 3),
            (whole.clone(), missing.clone())
        );
        assert_eq!(missing.tried, 100);
        let first_missing = missing.first.unwrap();
        assert!(generator.puzzle(first_missing).is_none());
        assert!((0..first_missing).all(|n| generator.puzzle(n).is_some()));
        // A range of the series has the same puzzles as the whole series.
        let (head, _) = read(&generator, 0..first_missing, 1);
        assert!(whole.starts_with(&head) && head.len() as u64 == 162 * first_missing);
    }

    /// The chunks of these series have other sizes with each number of threads. One series ends early.
    #[test]
    fn the_sizes_of_chunks_do_not_change_a_series() {
        let any = Generator::any(5);
        let with_clues = |clues| Generator {
            clues: Some(clues),
            max_attempts: 1,
            ..Generator::any(5)
        };
        let series = [
            (&any, 7..9_000),
            (&with_clues(27), 3..2_000),
            (&with_clues(20), 0..2_000),
        ];
        for (generator, numbers) in series {
            let whole = read(generator, numbers.clone(), 1);
            assert!(!whole.0.is_empty() || whole.1.tried < 2_000);
            for threads in [2, 5, 16] {
                let other = read(generator, numbers.clone(), threads);
                assert!(other.0 == whole.0, "{numbers:?}, {threads} threads");
                assert_eq!(other.1, whole.1, "{numbers:?}, {threads} threads");
            }
        }
    }

    #[test]
    fn a_batch_without_a_puzzle_ends_the_series() {
        let generator = Generator {
            seed: 1,
            target: GradeTarget::Any,
            clues: Some(17),
            max_attempts: 1,
            ..Generator::any(0)
        };
        let (bytes, missing) = read(&generator, 5..100_000, 2);
        assert!(bytes.is_empty());
        assert_eq!((missing.first, missing.tried), (Some(5), BLOCK as u64));
    }
}
