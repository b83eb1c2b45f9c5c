//! Parses one record and checks that it is a valid grid. The record becomes a puzzle with its carried columns,
//! or a reject.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, StringArray};

use crate::error::Error;
use crate::read::{Carried, RawRecord, RecordPosition};
use crate::store::escape_bytes;
use crate::table::outcome::{Outcome, Subject};
use crate::table::reject::Reject;
use crate::table::reject::RejectReason;
use crate::table::validation::{self, Failure};
use sudoku_core::sizes::{Alphabets, AnyPuzzle, parse_any};

/// The records of a batch that fail the checks of `validate`, including rejects, ordered by row.
pub(super) fn validation_failures(
    outcomes: &[Outcome],
    row_positions: Vec<(Option<RecordPosition>, String)>,
    rejects: &[Reject],
) -> Vec<Failure> {
    let outcomes_with_positions = outcomes.iter().zip(row_positions);
    let mut failures: Vec<Failure> = outcomes_with_positions
        .filter_map(|(outcome, (position, raw))| {
            let (why, message) = validation::validation_failure(outcome)?;
            Some(Failure {
                row: outcome.row,
                line: position.map(|position| position.line),
                byte_offset: position.map(|position| position.byte_offset),
                why,
                message,
                raw,
            })
        })
        .chain(rejects.iter().map(Failure::from))
        .collect();
    failures.sort_by_key(|failure| failure.row);
    failures
}

/// Parses one record, and checks that its digits do not conflict. The error is the reason why it is rejected.
pub(crate) fn parse_record(
    record: &RawRecord<'_>,
    alphabets: &Alphabets,
) -> Result<Subject, RejectReason> {
    let text = record.puzzle.as_ref().map_err(Clone::clone)?;
    let given_solution = record.solution.as_deref();
    match parse_any(text, given_solution, alphabets) {
        Ok(AnyPuzzle::Nine(puzzle)) => Ok(Subject::Nine(puzzle)),
        Ok(AnyPuzzle::Sized(puzzle)) => Ok(Subject::Sized(puzzle)),
        Err(reason) => Err(RejectReason::from(reason).with_cause(text, given_solution)),
    }
}

/// Makes a reject from a record and the reason.
pub(crate) fn make_reject(row: u64, record: &RawRecord<'_>, reason: RejectReason) -> Reject {
    Reject {
        row,
        line: record.position.map(|position| position.line),
        byte_offset: record.position.map(|position| position.byte_offset),
        reason,
        raw: escape_bytes(record.raw),
    }
}

/// The carried columns of the accepted rows.
pub(super) fn carried_columns(
    all_carried: Carried<'_>,
    accepted: &[usize],
    rows: usize,
    first_row: u64,
) -> Result<Vec<ArrayRef>, Error> {
    match all_carried {
        Carried::Text {
            width,
            fields,
            types: Some(types),
        } => {
            let column_values = |column: usize| {
                let values: Vec<Option<&str>> = (accepted.iter())
                    .map(|row| fields[*row * width + column].as_deref())
                    .collect();
                types.parse_column(column, &values, |at| first_row + accepted[at] as u64)
            };
            (0..width).map(column_values).collect()
        }
        Carried::Text { width, fields, .. } => Ok((0..width)
            .map(|column| {
                let values = accepted
                    .iter()
                    .map(|row| fields[row * width + column].as_deref());
                Arc::new(values.collect::<StringArray>()) as ArrayRef
            })
            .collect()),
        Carried::Columns(columns) if accepted.len() == rows => Ok(columns),
        Carried::Columns(columns) => {
            let mut is_kept = vec![false; rows];
            for row in accepted {
                is_kept[*row] = true;
            }
            let kept_mask = BooleanArray::from(is_kept);
            let kept_columns = columns
                .iter()
                .map(|column| arrow::compute::filter(column, &kept_mask));
            Ok(kept_columns.collect::<Result<_, _>>()?)
        }
    }
}
