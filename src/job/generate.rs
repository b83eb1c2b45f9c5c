//! Random puzzles as an input of a job: a source that generates its batches instead of reading
//! them.
//!
//! ```text
//! reader thread   takes the next numbers of the series; the source's own threads make their puzzles
//!   │ batch n     puzzle and solution, 81 characters each, one record after the other
//! worker          parses, normalises and validates them as those of any other input
//! ```

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;
use rayon::prelude::*;
use sudoku_core::generate::{Generated, Generator, GradeTarget};
use sudoku_core::grade::Ladder;
use sudoku_core::rating::RatingLimits;
use sudoku_core::sizes::{SizedGenerated, SizedGenerator};
use sudoku_core::solve::Limits;

use crate::error::Error;
use crate::job::inputs::JobInput;
use crate::job::pool::worker_pool;
use crate::job::worker::Stages;
use crate::read::{
    Batch, BatchSource, Carried, Detection, Input, InputInfo, Parse, Payload, RawRecord, Records,
    TextChunk,
};
use crate::store::FileMetadata;
use crate::table::columns::{ColumnGroup, RATING};
use crate::table::ratings::CANONICAL;
use crate::write::{Layout, View};

/// Puzzles in a batch.
const BATCH: u64 = 4096;

/// Puzzles in a batch if each may take seconds to find. The series ends at a batch without any
/// puzzle.
const RARE_BATCH: u64 = 64;

/// The generator of a series.
#[derive(Clone)]
pub enum Maker {
    /// 9 × 9.
    Nine(Generator),
    /// Another size.
    Sized(SizedGenerator),
}

impl Maker {
    /// The n-th puzzle and its solution, one after the other.
    fn pair(&self, n: u64) -> Option<Vec<u8>> {
        match self {
            Maker::Nine(generator) => {
                let Generated { puzzle, solution } = generator.puzzle(n)?;
                Some([puzzle.as_bytes().as_slice(), solution.as_bytes()].concat())
            }
            Maker::Sized(generator) => {
                let SizedGenerated { puzzle, solution } = generator.puzzle(n)?;
                Some([puzzle.as_str(), solution.as_str()].concat().into_bytes())
            }
        }
    }

    /// The number of characters of a grid.
    fn cells(&self) -> usize {
        match self {
            Maker::Nine(_) => 81,
            Maker::Sized(generator) => generator.size.cells(),
        }
    }

    /// The wanted grade or rating.
    fn target(&self) -> GradeTarget {
        match self {
            Maker::Nine(generator) => generator.target,
            Maker::Sized(generator) => generator.target,
        }
    }

    /// The stages that fill the columns of [`Maker::layout`].
    pub fn stages(&self) -> Stages {
        let rating = match self.target() {
            GradeTarget::Any => return Stages::default(),
            GradeTarget::Level(_) | GradeTarget::Technique(_) => RatingLimits::default(),
            GradeTarget::Rating(range) => RatingLimits {
                highest: range.highest,
                ..RatingLimits::default()
            },
        };
        Stages {
            solve: Some(Limits::default()),
            grade: Some(Ladder::default()),
            rating,
            ..Stages::default()
        }
    }

    /// The columns of the table: the puzzle and its solution, the grade if one is wanted, and also the
    /// rating if that is wanted.
    ///
    /// # Errors
    /// A column has been removed from the list of columns. This would be a bug.
    pub fn layout(&self) -> Result<Layout, Error> {
        let mut groups = vec![ColumnGroup::Puzzle, ColumnGroup::Generated];
        let mut requested = Vec::new();
        if self.target() != GradeTarget::Any {
            groups.push(ColumnGroup::Grade);
        }
        if let GradeTarget::Rating(_) = self.target() {
            requested.push(RATING.to_owned());
        }
        let all = Layout::new(&groups, &requested, &[]);
        let names = all.schema().fields().iter().map(|field| field.name());
        // Only the puzzle as it is written is rated: a rating of its min-lex form would take as long again.
        let names = names.filter(|name| !CANONICAL.contains(&name.as_str()));
        let select = Some(names.cloned().collect());
        all.seen_through(&View {
            select,
            ..View::default()
        })
    }

    /// Whether the puzzles may take long to find.
    fn is_rare(&self) -> bool {
        match self {
            Maker::Nine(generator) => {
                generator.target != GradeTarget::Any
                    || generator.clues.is_some()
                    || generator.minimal
                    || generator.solutions > 1
            }
            Maker::Sized(_) => true,
        }
    }
}

/// The puzzles that a generator makes for a range of numbers.
pub struct Series {
    /// The generator.
    pub maker: Maker,
    /// The numbers of the puzzles: puzzle n depends only on the generator, its seed and n.
    pub numbers: Range<u64>,
    /// How many threads generate puzzles.
    pub threads: usize,
    /// Set to a signal's number to end the series early.
    pub stop: Arc<AtomicUsize>,
}

/// Counts the puzzles of a series that were tried, and records the first one that was not found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The number of the first puzzle that was not found.
    pub first: Option<u64>,
    /// How many puzzles were tried.
    pub tried: u64,
}

impl Series {
    /// The series as an input with solutions. The second value counts the missing puzzles and is
    /// complete once the input has been read.
    ///
    /// # Errors
    /// The system refuses to start the threads.
    pub fn into_input(self) -> Result<(JobInput, Arc<Mutex<Missing>>), Error> {
        let missing = Arc::new(Mutex::new(Missing::default()));
        let tried = Arc::new(AtomicU64::new(0));
        let cells = self.maker.cells();
        let source = PuzzleSource {
            pool: worker_pool(self.threads)?,
            numbers: self.numbers,
            batch: if self.maker.is_rare() {
                RARE_BATCH
            } else {
                BATCH
            },
            rows: 0,
            stop: self.stop,
            missing: missing.clone(),
            tried: tried.clone(),
            maker: self.maker,
        };
        let info = InputInfo {
            source: "generate".to_owned(),
            bytes: None,
            compression: "none",
            format: "generate",
            has_solutions: true,
        };
        let input = Input {
            info,
            metadata: FileMetadata::default(),
            detection: Detection::default(),
            carried: Vec::new(),
            has_odd_solutions: false,
            folders: Vec::new(),
            source: Box::new(source),
            parser: Arc::new(PairParser { cells }),
            bytes_read: tried,
        };
        let input = JobInput {
            path: "generate".to_owned(),
            row_groups: None,
            metadata: FileMetadata::default(),
            opened: Some(input),
        };
        Ok((input, missing))
    }
}

/// Generates the puzzles of a series batch by batch, on all its threads.
struct PuzzleSource {
    maker: Maker,
    /// The numbers of the puzzles still to be generated.
    numbers: Range<u64>,
    batch: u64,
    /// Puzzles found so far.
    rows: u64,
    pool: ThreadPool,
    stop: Arc<AtomicUsize>,
    missing: Arc<Mutex<Missing>>,
    /// Puzzles tried so far. The job reports them as bytes read.
    tried: Arc<AtomicU64>,
}

impl BatchSource for PuzzleSource {
    fn next(&mut self, mut buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        let is_stopped = || self.stop.load(Ordering::Relaxed) != 0;
        if self.numbers.is_empty() {
            return Ok(None);
        }
        let start = self.numbers.start;
        let numbers = start..(self.numbers.end).min(start.saturating_add(self.batch));
        let puzzles: Vec<Option<Vec<u8>>> = self.pool.install(|| {
            // After a signal, skip the rest of the batch.
            let puzzle = |n| {
                let pair = (!is_stopped()).then(|| self.maker.pair(n)).flatten();
                // Counted one by one: a batch of rare puzzles can take many minutes.
                self.tried.fetch_add(1, Ordering::Relaxed);
                pair
            };
            numbers.clone().into_par_iter().map(puzzle).collect()
        });
        if is_stopped() {
            return Ok(None);
        }
        self.numbers.start = numbers.end;
        {
            let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
            missing.tried += puzzles.len() as u64;
            let first = puzzles.iter().position(Option::is_none);
            missing.first = missing.first.or(first.map(|at| start + at as u64));
        }
        buffer.clear();
        for pair in puzzles.iter().flatten() {
            buffer.extend_from_slice(pair);
        }
        let width = 2 * self.maker.cells();
        let rows = buffer.len() / width;
        if rows == 0 {
            return Ok(None);
        }
        let first_row = self.rows;
        self.rows += rows as u64;
        Ok(Some(Batch {
            first_row,
            rows,
            payload: Payload::Text(TextChunk {
                bytes: buffer,
                byte_offset: width as u64 * first_row,
                first_line: 1,
                broken: None,
            }),
        }))
    }
}

/// Splits each pair into puzzle and solution.
struct PairParser {
    /// The number of characters of a grid.
    cells: usize,
}

impl Parse for PairParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let bytes = match &batch.payload {
            Payload::Text(chunk) => chunk.bytes.as_slice(),
            Payload::Columns(_) => &[],
        };
        let rows = bytes.chunks_exact(2 * self.cells).map(|pair| {
            let (puzzle, solution) = pair.split_at(self.cells);
            RawRecord {
                puzzle: Ok(Cow::Borrowed(puzzle)),
                solution: Some(Cow::Borrowed(solution)),
                position: None,
                raw: puzzle,
            }
        });
        Ok(Records {
            rows: rows.collect(),
            carried: Carried::Text {
                width: 0,
                fields: Vec::new(),
                types: None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of all batches, and the missing puzzles.
    fn read(generator: &Generator, numbers: Range<u64>, threads: usize) -> (Vec<u8>, Missing) {
        let series = Series {
            maker: Maker::Nine(generator.clone()),
            numbers,
            threads,
            stop: Arc::default(),
        };
        let (input, missing) = series.into_input().unwrap();
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
        let first = missing.first.unwrap();
        assert!(generator.puzzle(first).is_none());
        assert!((0..first).all(|n| generator.puzzle(n).is_some()));
        // A range of the series has the same puzzles as the whole series.
        let (head, _) = read(&generator, 0..first, 1);
        assert!(whole.starts_with(&head) && head.len() as u64 == 162 * first);
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
        assert_eq!((missing.first, missing.tried), (Some(5), RARE_BATCH));
    }
}
