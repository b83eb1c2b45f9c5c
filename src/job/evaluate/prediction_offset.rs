//! Decides whether the numbers of predictions are read as tokens: with 1 as the empty cell, and the digits from 2 on.
//!
//! Readers infer this from the numbers of an array. Puzzles have many empty cells, which show it. Predictions are mostly
//! full, and their errors are no evidence: a model that writes a 10 into each grid of digits does not write tokens.

use tracing::subscriber::{NoSubscriber, with_default};

use super::prediction_files::open_predictions;
use super::prediction_options::PredictionOptions;
use super::row_keys::RowKeyColumns;
use crate::error::Error;
use crate::formats::open;
use crate::numbers::{counted, thousands};
use crate::options::PREDICTION_TOKEN_OFFSET;
use crate::read::{EmptyCell, Input, ReadOptions, Records, can_be_read_once, first_records};
use crate::store::display_name;

/// The number of an empty cell in tokens.
const TOKEN_OFFSET: i16 = 1;

/// The first predictions of an input, in one reading of their numbers.
#[derive(Default)]
struct Reading {
    /// The number of predictions.
    all: u64,
    /// The number of predictions that are grids.
    grids: u64,
    /// The number of empty cells in these grids.
    empty_cells: usize,
    /// The number of cells with the highest digit in these grids.
    highest_digits: usize,
    /// Whether a prediction is no grid because of a 0.
    has_zero: bool,
}

impl Reading {
    fn of_first(input: &mut Input) -> Reading {
        first_records(input, Reading::from_records).unwrap_or_default()
    }

    fn from_records(records: &Records<'_>) -> Reading {
        let mut reading = Reading::default();
        for record in &records.rows {
            reading.all += 1;
            match &record.puzzle {
                Ok(grid) => {
                    reading.grids += 1;
                    let side = grid.len().isqrt();
                    let highest = b"123456789ABCDEFGHIJKLMNOP".get(side.saturating_sub(1));
                    let cells = grid.iter();
                    reading.empty_cells += cells.clone().filter(|cell| **cell == b'.').count();
                    reading.highest_digits += cells.filter(|cell| Some(*cell) == highest).count();
                }
                Err(reason) => reading.has_zero |= reason.message.starts_with("0 at position"),
            }
        }
        reading
    }
}

/// Opens a file of predictions. If its numbers would be read as tokens, and those of the puzzles are not, the tokens need
/// clear evidence, and a warning says how the predictions are read. The numbers are digits if a prediction has a 0, if more
/// predictions are grids of digits, or if more cells would be empty than have the highest digit.
pub(super) fn open_with_offset(
    path: &str,
    puzzles: Option<&str>,
    options: &PredictionOptions,
) -> Result<(Input, RowKeyColumns), Error> {
    let mut opened = open_predictions(path, options)?;
    if options.read.token_offset.is_some() || options.is_steps {
        return Ok(opened);
    }
    if first_offset(&mut opened.0) != Some(TOKEN_OFFSET)
        || puzzles.and_then(|puzzles| puzzle_offset(puzzles, options)) == Some(TOKEN_OFFSET)
    {
        return Ok(opened);
    }
    let tokens = Reading::of_first(&mut opened.0);
    let digit_options = PredictionOptions {
        read: ReadOptions {
            token_offset: Some(0),
            ..options.read.clone()
        },
        ..options.clone()
    };
    let mut digits_opened = without_log(|| open_predictions(path, &digit_options))?;
    let digits = Reading::of_first(&mut digits_opened.0);
    let source = display_name(&opened.0.info.source);
    if tokens.has_zero || tokens.grids < digits.grids || tokens.empty_cells > tokens.highest_digits
    {
        if tokens.grids > digits.grids {
            tracing::warn!(
                "{source}: the numbers are read as digits, as in the puzzles, and {} of the first {} are grids; {} reads 1 as \
                 an empty cell and the next numbers as the digits",
                thousands(digits.grids),
                counted(digits.all, "prediction"),
                PREDICTION_TOKEN_OFFSET.set_to("1")
            );
        }
        return Ok(digits_opened);
    }
    tracing::warn!(
        "{source}: 1 is read as an empty cell and the next numbers as the digits, unlike in the puzzles; {} says that they \
         are meant so, and {} reads the numbers as the digits",
        PREDICTION_TOKEN_OFFSET.set_to("1"),
        PREDICTION_TOKEN_OFFSET.set_to("0")
    );
    Ok(opened)
}

/// The number of an empty cell in the first grid of numbers; `None` if there is none.
fn first_offset(input: &mut Input) -> Option<i16> {
    let offset = |records: &Records<'_>| {
        let mut empty = records.rows.iter().map(|record| record.empty);
        empty.find_map(|empty| match empty {
            Some(EmptyCell::Number(number)) => Some(number),
            _ => None,
        })
    };
    first_records(input, offset).flatten()
}

/// The number of an empty cell in the puzzles; `None` if they are texts, or can be read only once.
fn puzzle_offset(path: &str, options: &PredictionOptions) -> Option<i16> {
    if can_be_read_once(path) {
        return None;
    }
    let read = ReadOptions {
        format: None,
        ..options.read.clone()
    };
    without_log(|| first_offset(&mut open(path, &read).ok()?))
}

/// Runs a function without its log messages, which were logged before or will be.
fn without_log<T>(function: impl FnOnce() -> T) -> T {
    with_default(NoSubscriber::default(), function)
}
