//! An input that generates the puzzles of a series.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;
use sudoku_core::generate::{Generated, Generator, SeriesItem};
use sudoku_core::sizes::{SizedGenerated, SizedGrid, generate_sized};
use sudoku_core::solve::Kernel;

use super::pairs::{PairParser, column_batch, text_batch};
use super::starts::Starts;
use super::{Maker, series_input};
use crate::error::Error;
use crate::job::inputs::JobInput;
use crate::job::threads::rating::KnownRatings;
use crate::job::threads::stages::Stages;
use crate::pool::worker_pool;
use crate::read::{Batch, BatchSource, ColumnParser, Parse};

/// The number of puzzles in a batch.
const PUZZLES_PER_BATCH: u64 = 4096;

/// The number of puzzles in the first batch, if each puzzle may take seconds to find. If this many consecutive
/// puzzles are not found, the series ends. Batches become larger while all puzzles are found.
const FIRST_RARE_BATCH: u64 = 64;

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
        let source = PuzzleSource {
            pool: worker_pool(self.threads)?,
            numbers_left: self.numbers,
            batch_size: if self.maker.is_rare() || self.starts.is_some() {
                FIRST_RARE_BATCH
            } else {
                PUZZLES_PER_BATCH
            },
            puzzles_found: 0,
            stop: self.stop,
            kernel: self.kernel,
            known_ratings: stages.known_ratings.clone(),
            missing: missing.clone(),
            puzzles_tried: tried.clone(),
            maker: self.maker,
            starts: self.starts,
        };
        Ok((
            series_input(Box::new(source), parser, carried, tried),
            missing,
        ))
    }
}

/// Generates puzzles batch by batch, on several threads.
struct PuzzleSource {
    maker: Maker,
    starts: Option<Starts>,
    /// The numbers of the puzzles that have not been tried yet.
    numbers_left: Range<u64>,
    /// The number of puzzles to try in the next batch.
    batch_size: u64,
    /// The number of puzzles that were found.
    puzzles_found: u64,
    pool: ThreadPool,
    kernel: Kernel,
    known_ratings: KnownRatings,
    stop: Arc<AtomicUsize>,
    missing: Arc<Mutex<Missing>>,
    /// The number of puzzles that were tried. The job reports it as bytes read.
    puzzles_tried: Arc<AtomicU64>,
}

/// The texts of a puzzle and its solution.
type PuzzleAndSolution = (String, String);

impl PuzzleSource {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0
    }

    /// Tries the puzzles with these numbers. The results are in order.
    fn try_numbers(&self, numbers: &Range<u64>) -> Vec<Option<PuzzleAndSolution>> {
        let count_one = || self.puzzles_tried.fetch_add(1, Ordering::Relaxed);
        match &self.maker {
            Maker::Nine(generator) => self.try_numbers_of_9x9(numbers, generator, |_| true),
            Maker::Mix(mix) => {
                let mut puzzles_by_number = vec![None; (numbers.end - numbers.start) as usize];
                for (generator, part) in mix.generators() {
                    let generated =
                        self.try_numbers_of_9x9(numbers, &generator, |n| mix.has_target(part, n));
                    for (puzzles_by_number, generated) in
                        puzzles_by_number.iter_mut().zip(generated)
                    {
                        *puzzles_by_number = puzzles_by_number.take().or(generated);
                    }
                }
                puzzles_by_number
            }
            Maker::Sized(size, generator) => self.pool.install(|| {
                // After a signal, the rest of the batch is skipped.
                let generate_puzzle = |n| {
                    let generated = (!self.is_stopped())
                        .then(|| generate_sized(*size, generator, n))
                        .flatten();
                    // Each puzzle is counted separately, because a batch of rare puzzles can take many
                    // minutes.
                    count_one();
                    let to_texts = |generated: SizedGenerated| {
                        let text = |grid: &SizedGrid| grid.as_str().to_owned();
                        (text(&generated.puzzle), text(&generated.solution))
                    };
                    generated.map(to_texts)
                };
                numbers
                    .clone()
                    .into_par_iter()
                    .map(generate_puzzle)
                    .collect()
            }),
        }
    }

    /// Makes the 9 × 9 puzzles that `is_chosen` selects. Of n threads, each makes every n-th of these puzzles.
    fn try_numbers_of_9x9(
        &self,
        numbers: &Range<u64>,
        generator: &Generator,
        is_chosen: impl Fn(u64) -> bool + Sync,
    ) -> Vec<Option<PuzzleAndSolution>> {
        let threads = self.pool.current_num_threads() as u64;
        let results_by_thread = self.pool.broadcast(|context| {
            let first_number = numbers.start + context.index() as u64;
            let thread_numbers = (first_number..numbers.end).step_by(threads as usize);
            let items = { thread_numbers }
                .filter(|n| is_chosen(*n))
                .map(|n| match &self.starts {
                    Some(starts) => starts.start_for_puzzle(n),
                    None => SeriesItem::from(n),
                });
            let mut generated = Vec::new();
            generator.puzzles_until(
                self.kernel,
                items,
                |n, puzzle| {
                    self.puzzles_tried.fetch_add(1, Ordering::Relaxed);
                    generated.push((n, puzzle));
                },
                || self.is_stopped(),
            );
            generated
        });
        let mut puzzles_by_number = vec![None; (numbers.end - numbers.start) as usize];
        for (n, puzzle) in results_by_thread.into_iter().flatten() {
            let to_texts = |generated: Generated| {
                if let Some(ratings) = generated.ratings {
                    self.known_ratings.add(generated.puzzle, ratings);
                }
                let [puzzle, solution] =
                    [generated.puzzle, generated.solution].map(|grid| grid.to_string());
                (puzzle, solution)
            };
            puzzles_by_number[(n - numbers.start) as usize] = puzzle.map(to_texts);
        }
        puzzles_by_number
    }

    /// The batch with these puzzles.
    fn to_batch(
        &self,
        first_number: u64,
        puzzles: &[Option<PuzzleAndSolution>],
        mut buffer: Vec<u8>,
    ) -> Result<Batch, Error> {
        let pairs = puzzles.iter().flatten();
        let Some(starts) = &self.starts else {
            buffer.clear();
            for (puzzle, solution) in pairs {
                buffer.extend_from_slice(puzzle.as_bytes());
                buffer.extend_from_slice(solution.as_bytes());
            }
            return Ok(text_batch(
                buffer,
                self.maker.cell_count(),
                self.puzzles_found,
            ));
        };
        let found_puzzles = puzzles
            .iter()
            .zip(first_number..)
            .filter(|(pair, _)| pair.is_some());
        let rows = found_puzzles
            .map(|(_, n)| starts.row_for_puzzle(n))
            .collect();
        let pairs = pairs.map(|(puzzle, solution)| (puzzle.as_str(), solution.as_str()));
        column_batch(pairs, starts.columns(), rows, self.puzzles_found)
    }
}

impl BatchSource for PuzzleSource {
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        if self.numbers_left.is_empty() {
            return Ok(None);
        }
        let first_number = self.numbers_left.start;
        let numbers =
            first_number..(self.numbers_left.end).min(first_number.saturating_add(self.batch_size));
        let mut puzzles = self.try_numbers(&numbers);
        if self.is_stopped() {
            return Ok(None);
        }
        self.numbers_left.start = numbers.end;
        if self.batch_size != PUZZLES_PER_BATCH || self.maker.is_rare() {
            // The size of a batch depends on the speed of the machine, but the end of the series must not. So missing
            // puzzles are counted in blocks of a fixed size.
            let blocks = puzzles.chunks(FIRST_RARE_BATCH as usize);
            let is_empty = |block: &[Option<PuzzleAndSolution>]| block.iter().all(Option::is_none);
            // A whole block without puzzles ends the series. With several grids or patterns it does not, because the
            // next grid or pattern may still give puzzles.
            if let Some(empty) = { blocks }.position(is_empty)
                && self.starts.is_none()
            {
                puzzles.truncate((empty + 1) * FIRST_RARE_BATCH as usize);
                self.numbers_left.start = self.numbers_left.end;
            }
            self.batch_size = if puzzles.iter().all(Option::is_some) {
                (2 * self.batch_size).min(PUZZLES_PER_BATCH)
            } else {
                FIRST_RARE_BATCH
            };
        }
        {
            let mut missing_puzzles = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
            missing_puzzles.tried += puzzles.len() as u64;
            let first_missing = puzzles.iter().position(Option::is_none);
            missing_puzzles.first = missing_puzzles
                .first
                .or(first_missing.map(|at| first_number + at as u64));
        }
        let batch = self.to_batch(first_number, &puzzles, buffer)?;
        self.puzzles_found += batch.rows as u64;
        match batch.rows {
            0 if !self.numbers_left.is_empty() => self.next(batch.into_buffer()),
            0 => Ok(None),
            _ => Ok(Some(batch)),
        }
    }
}

#[cfg(test)]
mod tests {
    use sudoku_core::generate::GradeTarget;

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
        assert_eq!((missing.first, missing.tried), (Some(5), FIRST_RARE_BATCH));
    }
}
