//! Stages 1 to 6 for one batch, on whatever thread takes it.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, RecordBatch, StringArray};

use crate::board::Grid;
use crate::error::Error;
use crate::grade::{Climb, Ladder, Rank, SEARCH};
use crate::normalise::normalise;
use crate::outcome::{Outcome, Status};
use crate::read::{Batch, Carried, Parse, Payload, RawRecord, Records};
use crate::reject::{Reject, RejectReason};
use crate::report::Tally;
use crate::solve::{Limits, Solution, Solver};
use crate::validate::{Puzzle, validate};
use crate::write::Layout;
use crate::write::columns::Rows;

/// What is done to each puzzle.
#[derive(Clone, Default)]
pub struct Stages {
    /// Count its solutions, within these limits.
    pub solve: Option<Limits>,
    /// Grade it on this ladder, where it has exactly one solution.
    pub grade: Option<Ladder>,
    /// Grade it on this ladder too, whose techniques may argue with its one solution.
    pub with_uniqueness: Option<Ladder>,
}

/// The solver applies the singles and locked candidates of the ladder itself before it guesses: a
/// puzzle that needs nothing above this rank has no search node.
const WITHOUT_GUESS: Rank = Rank::LOCKED_CLAIMING;

/// What every worker needs to know.
pub(crate) struct Worker {
    pub(crate) source: String,
    pub(crate) parser: Arc<dyn Parse>,
    pub(crate) stages: Stages,
    /// Where there is a table to fill.
    pub(crate) layout: Option<Layout>,
    pub(crate) solver: Box<dyn Solver>,
}

/// A batch, done.
pub(crate) struct Processed {
    pub(crate) table: Option<RecordBatch>,
    pub(crate) rejects: Vec<Reject>,
    pub(crate) tally: Tally,
    pub(crate) buffer: Vec<u8>,
}

impl Worker {
    /// Stages 1 to 6 for one batch.
    pub(crate) fn process(&self, batch: Batch) -> Result<Processed, Error> {
        let records = self.parser.parse(&batch)?;
        let Records { rows, carried } = records;
        let mut rejects = Vec::new();
        let mut accepted = Vec::with_capacity(rows.len());
        let mut outcomes = Vec::with_capacity(rows.len());
        for (at, record) in rows.iter().enumerate() {
            let row = batch.first_row + at as u64;
            match take_in(record) {
                Ok(puzzle) => {
                    accepted.push(at);
                    outcomes.push(Outcome {
                        row,
                        puzzle,
                        solution: None,
                        grade: None,
                        with_uniqueness: None,
                    });
                }
                Err(reason) => rejects.push(reject(row, record, reason)),
            }
        }
        self.solve_and_grade(&mut outcomes);
        let table = match &self.layout {
            Some(layout) => {
                let carried = carried_columns(carried, &accepted, rows.len())?;
                let rows = Rows {
                    source: &self.source,
                    outcomes: &outcomes,
                };
                Some(layout.fill(rows, carried)?)
            }
            None => None,
        };
        let tally = Tally::of(&outcomes, &rejects);
        drop(rows);
        let buffer = match batch.payload {
            Payload::Text(chunk) => chunk.bytes,
            Payload::Columns(_) => Vec::new(),
        };
        Ok(Processed {
            table,
            rejects,
            tally,
            buffer,
        })
    }

    /// Stages 4 and 5. Where puzzles are graded, what the ladder solves without a technique beyond
    /// the solver's own needs no search: the solver would find the same solution without a guess.
    /// The others climb on only once the solver has found that they have one solution.
    fn solve_and_grade(&self, outcomes: &mut [Outcome]) {
        let Some(limits) = self.stages.solve else {
            return;
        };
        let mut open = Vec::new();
        for outcome in &mut *outcomes {
            let climb = self.stages.grade.as_ref().map(|ladder| {
                let mut climb = Climb::new(ladder, &outcome.puzzle.clues);
                climb.go_on(WITHOUT_GUESS);
                climb
            });
            match climb {
                Some(climb) if climb.is_solved() => {
                    let (grade, solution) = climb.finish();
                    outcome.grade = Some(grade);
                    outcome.solution = solution.map(Solution::without_search);
                    if outcome.solution.is_none() {
                        open.push((outcome, None));
                    }
                }
                climb => open.push((outcome, climb)),
            }
        }
        let puzzles: Vec<Grid> = open
            .iter()
            .map(|(outcome, _)| outcome.puzzle.clues)
            .collect();
        let mut solutions = Vec::with_capacity(puzzles.len());
        self.solver.solve(&puzzles, limits, &mut solutions);
        for ((outcome, climb), solution) in open.into_iter().zip(solutions) {
            outcome.solution = Some(solution);
            let is_unique = outcome.status() == Some(Status::Unique);
            outcome.grade = climb.filter(|_| is_unique).map(|mut climb| {
                climb.go_on(SEARCH);
                climb.finish().0
            });
        }
        if let Some(ladder) = &self.stages.with_uniqueness {
            for outcome in outcomes {
                let needed = |grade| ladder.needed(&outcome.puzzle.clues, grade);
                outcome.with_uniqueness = outcome.grade.as_ref().map(needed);
            }
        }
    }
}

/// Stages 2 and 3 for one record.
pub(crate) fn take_in(record: &RawRecord<'_>) -> Result<Puzzle, RejectReason> {
    let text = record.puzzle.as_ref().map_err(Clone::clone)?;
    validate(normalise(text)?, record.solution.as_deref())
}

fn reject(row: u64, record: &RawRecord<'_>, reason: RejectReason) -> Reject {
    Reject {
        row,
        line: record.position.map(|position| position.line),
        byte_offset: record.position.map(|position| position.byte_offset),
        reason,
        raw: readable(record.raw),
    }
}

/// The bytes as text; those that are not UTF-8 as `\xNN`.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// The carried columns of the accepted rows.
fn carried_columns(
    carried: Carried<'_>,
    accepted: &[usize],
    rows: usize,
) -> Result<Vec<ArrayRef>, Error> {
    match carried {
        Carried::Text { width, fields } => Ok((0..width)
            .map(|column| {
                let values = accepted
                    .iter()
                    .map(|row| fields[row * width + column].as_deref());
                Arc::new(values.collect::<StringArray>()) as ArrayRef
            })
            .collect()),
        Carried::Columns(columns) if accepted.len() == rows => Ok(columns),
        Carried::Columns(columns) => {
            let mut keep = vec![false; rows];
            for row in accepted {
                keep[*row] = true;
            }
            let keep = BooleanArray::from(keep);
            let kept = columns
                .iter()
                .map(|column| arrow::compute::filter(column, &keep));
            Ok(kept.collect::<Result<_, _>>()?)
        }
    }
}
