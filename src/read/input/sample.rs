//! Infers the alphabets of an input's grids from its first records.

use crate::error::Error;
use crate::read::{Batch, BatchSource, Input, ReadOptions, Records};
use sudoku_core::sizes::Alphabets;

/// The most records of the sample. The first batch bounds it too.
const SAMPLE: usize = 1000;

/// Infers the alphabets from the first records of a newly opened input. The records stay in the
/// input.
///
/// # Errors
/// Most grids of the sample are 16 × 16 or 25 × 25, and fit several alphabets.
pub fn alphabets(input: &mut Input, options: &ReadOptions) -> Result<Alphabets, Error> {
    // An error is reported when the batch is read.
    let first = input.source.next(Vec::new());
    let alphabets = match &first {
        Ok(Some(batch)) => match input.parser.parse(batch) {
            Ok(records) => alphabets_of(&input.info.source, &records, options)?,
            Err(_) => Alphabets::new(options.alphabet.as_ref()),
        },
        _ => Alphabets::new(options.alphabet.as_ref()),
    };
    let empty: Box<dyn BatchSource> = Box::new(EmptySource);
    let rest = std::mem::replace(&mut input.source, empty);
    input.source = Box::new(PutBack {
        first: Some(first),
        rest,
    });
    Ok(alphabets)
}

/// Infers the alphabets from the first of these records.
///
/// # Errors
/// Most of the grids are 16 × 16 or 25 × 25, and fit several alphabets.
pub(crate) fn alphabets_of(
    source_name: &str,
    records: &Records<'_>,
    options: &ReadOptions,
) -> Result<Alphabets, Error> {
    let mut alphabets = Alphabets::new(options.alphabet.as_ref());
    let sample = records.rows.iter().take(SAMPLE);
    let texts = sample.flat_map(|record| [record.puzzle.as_ref().ok(), record.solution.as_ref()]);
    let mut count = 0;
    for text in texts.flatten() {
        alphabets.learn(text);
        count += 1;
    }
    match alphabets.open_question(count) {
        None => Ok(alphabets),
        Some(what) => Err(Error::UnknownFormat {
            source_name: source_name.to_owned(),
            what,
        }),
    }
}

/// A source whose first batch has been read ahead.
struct PutBack {
    first: Option<Result<Option<Batch>, Error>>,
    rest: Box<dyn BatchSource>,
}

impl BatchSource for PutBack {
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Batch>, Error> {
        match self.first.take() {
            Some(first) => first,
            None => self.rest.next(buffer),
        }
    }

    fn dropped(&self) -> u64 {
        self.rest.dropped()
    }

    fn rows_lost(&self) -> Option<u64> {
        self.rest.rows_lost()
    }
}

/// A source without records.
struct EmptySource;

impl BatchSource for EmptySource {
    fn next(&mut self, _: Vec<u8>) -> Result<Option<Batch>, Error> {
        Ok(None)
    }
}
