//! Examines the first records of an input: infers the alphabets of its grids, and checks its given solutions.

use std::sync::Arc;

use crate::error::Error;
use crate::options::ALPHABET;
use crate::read::{Batch, BatchSource, Input, Part, PieceLimits, ReadOptions, Records, Workers};
use sudoku_core::sizes::{self, Alphabets, parse_any_grid};
use sudoku_core::text::notation::{Digits, is_no_solution};

/// The maximum number of records that are examined. They are taken from the first batch, which may have fewer.
const SAMPLE_RECORDS: usize = 1000;

/// Infers the alphabets of grids from the first records of a newly opened input. The records stay available to the
/// reader.
///
/// # Errors
///
/// Most of the examined grids are 16 × 16 or 25 × 25, and fit several alphabets.
pub fn alphabets(input: &mut Input, options: &ReadOptions) -> Result<Alphabets, Error> {
    let source = input.info.source.clone();
    let inferred_alphabets =
        first_records(input, |records| infer_alphabets(&source, records, options));
    inferred_alphabets.unwrap_or_else(|| Ok(Alphabets::new(options.alphabet.as_ref())))
}

/// Which kinds of values occur among the given solutions in the first records of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SolutionSample {
    /// Whether some values can be read as grids.
    pub(crate) has_grids: bool,
    /// The first word that says that there is no solution, such as `nan`.
    pub(crate) no_solution: Option<String>,
    /// Whether some values are neither grids nor such words.
    pub(crate) has_others: bool,
}

/// Examines the given solutions in the first records of a newly opened input. The records stay available to the reader.
pub(crate) fn solutions(input: &mut Input) -> SolutionSample {
    let sample = first_records(input, |records| {
        let mut sample = SolutionSample::default();
        let texts = records.rows.iter().take(SAMPLE_RECORDS);
        for text in texts.flat_map(|record| record.solution.as_deref()) {
            if is_no_solution(text) {
                let word = || String::from_utf8_lossy(text).into_owned();
                sample.no_solution.get_or_insert_with(word);
                continue;
            }
            let is_grid =
                sizes::is_other_size(text) || parse_any_grid(text, &Alphabets::default()).is_ok();
            sample.has_grids |= is_grid;
            sample.has_others |= !is_grid;
        }
        sample
    });
    sample.unwrap_or_default()
}

/// Calls `examine` with the first records of a newly opened input, and returns its result; `None` if there are no
/// records. The records stay available to the reader.
pub(crate) fn first_records<T>(
    input: &mut Input,
    examine: impl FnOnce(&Records<'_>) -> T,
) -> Option<T> {
    // If reading the first batch fails, the error is returned again when the run reads the batch.
    let first_batch = input.source.next(Vec::new());
    let result = match &first_batch {
        Ok(Some(batch)) => input
            .parser
            .parse(batch)
            .ok()
            .map(|records| examine(&records)),
        _ => None,
    };
    let empty_source: Box<dyn BatchSource> = Box::new(EmptySource);
    let remaining_source = std::mem::replace(&mut input.source, empty_source);
    input.source = Box::new(ReadAhead {
        first_batch: Some(first_batch),
        remaining: remaining_source,
    });
    result
}

/// Infers the alphabets of grids from these records, which are the first of an input.
///
/// # Errors
///
/// Most of the grids are 16 × 16 or 25 × 25, and these fit several alphabets.
pub(crate) fn infer_alphabets(
    source_name: &str,
    records: &Records<'_>,
    options: &ReadOptions,
) -> Result<Alphabets, Error> {
    let mut alphabets = Alphabets::new(options.alphabet.as_ref());
    if let Some(offset) = options.token_offset {
        alphabets.choose_digits(Digits::from_offset(offset));
    }
    let sample = records.rows.iter().take(SAMPLE_RECORDS);
    let grid_texts =
        sample.flat_map(|record| [record.puzzle.as_ref().ok(), record.solution.as_ref()]);
    let mut count = 0;
    for text in grid_texts.flatten() {
        alphabets.learn(text);
        count += 1;
    }
    match alphabets.open_question(count) {
        None => Ok(alphabets),
        Some(question) => Err(Error::UnknownFormat {
            source_name: source_name.to_owned(),
            what: format!("{question} with {ALPHABET}"),
        }),
    }
}

/// A batch source that first returns a batch that was read ahead, and then the batches of another source.
struct ReadAhead {
    first_batch: Option<Result<Option<Batch>, Error>>,
    remaining: Box<dyn BatchSource>,
}

impl BatchSource for ReadAhead {
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        match self.first_batch.take() {
            Some(first) => first,
            None => self.remaining.next(buffer),
        }
    }

    fn next_part(&mut self, buffer: Vec<u8>, limits: &PieceLimits) -> Result<Option<Part>, Error> {
        match self.first_batch.take() {
            Some(first) => Ok(first?.map(Part::Batch)),
            None => self.remaining.next_part(buffer, limits),
        }
    }

    fn use_workers(&mut self, workers: &Arc<dyn Workers>) {
        self.remaining.use_workers(workers);
    }

    fn dropped(&self) -> u64 {
        self.remaining.dropped()
    }

    fn rows_lost(&self) -> Option<u64> {
        self.remaining.rows_lost()
    }
}

/// A batch source without records, used as a placeholder.
struct EmptySource;

impl BatchSource for EmptySource {
    fn next(&mut self, _: Vec<u8>) -> Result<Option<Batch>, Error> {
        Ok(None)
    }
}
