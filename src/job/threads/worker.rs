//! Processes a batch on a worker thread: parses its records, solves, grades and rates the puzzles, and fills the
//! columns of the table.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::ArrayRef;

use crate::counts::Evaluation;
use crate::counts::statistics::{Statistics, is_label};
use crate::counts::tables::labels_of;
use crate::counts::{Figures, FixedSolutions, Tally};
use crate::error::Error;
use crate::job::threads::ambiguity::find_requested;
use crate::job::threads::fix_solutions::fix_solutions;
use crate::job::threads::pace::Pace;
use crate::job::threads::rating::RowRater;
use crate::job::threads::records::{
    carried_columns, make_reject, parse_record, validation_failures,
};
use crate::job::threads::stages::Stages;
use crate::read::{
    Batch, ColumnMapping, Parse, Payload, RecordPosition, Records, SelectedRecords, decoder_error,
    guarded,
};
use crate::store::escape_bytes;
use crate::table::class::ClassMembers;
use crate::table::hints::give_hints;
use crate::table::layout::Layout;
use crate::table::outcome::{Outcome, Subject};
use crate::table::reject::Reject;
use crate::write::{BatchResult, DivideRows};
use sudoku_core::Puzzle;
use sudoku_core::grade::{Grade, Graded};
use sudoku_core::sizes::{Alphabets, backtrack_sized, cover_sized, grade_sized, solve_sized};
use sudoku_core::solve::{Kernel, Method, Status, solve_all};

/// The properties of an input that workers need.
pub(crate) struct InputWork {
    pub(crate) source: String,
    pub(crate) parser: Arc<dyn Parse>,
    /// Whether the records have puzzles. If not, the rows get an empty grid as their puzzle.
    pub(crate) has_puzzles: bool,
    pub(crate) mapping: ColumnMapping,
    pub(crate) alphabets: Alphabets,
    pub(crate) bytes_read: Arc<AtomicU64>,
}

impl InputWork {
    /// The error for a decoder that panicked on this batch.
    fn decoder_error(&self, batch: &Batch, panic: &str) -> Error {
        let byte = match &batch.payload {
            Payload::Text(chunk) => chunk.byte_offset,
            Payload::Columns(_) => self.bytes_read.load(Ordering::Relaxed),
        };
        decoder_error(&self.source, byte, panic)
    }
}

/// The properties of a run that workers need.
pub(crate) struct Worker {
    pub(crate) stages: Stages,
    /// The columns of the table; `None` if no table is written.
    pub(crate) layout: Option<Layout>,
    pub(crate) kernel: Kernel,
    pub(crate) pace: Pace,
    /// Computes the ratings of puzzles; `None` if the table needs none.
    pub(crate) rating: Option<RowRater>,
    /// Whether there is no other worker, which could take rows of a batch.
    pub(crate) is_alone: bool,
    /// Divides the rows for the output; `None` if it gets whole batches.
    pub(crate) row_divider: Option<Arc<dyn DivideRows>>,
}

/// A batch whose records have been parsed, but whose puzzles have not been solved yet.
pub(crate) struct Accepted {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) rejects: Vec<Reject>,
    /// The carried columns of the outcomes. If rejects are rows of the table, their carried values are included.
    /// Empty if no table is written.
    carried_columns: Vec<ArrayRef>,
    /// The position and the text of the record of each outcome; empty unless the run validates records.
    positions_and_texts: Vec<(Option<RecordPosition>, String)>,
    buffer: Vec<u8>,
}

/// A batch after all processing steps.
pub(crate) struct Processed {
    pub(crate) result: BatchResult,
    pub(crate) buffer: Vec<u8>,
}

impl Worker {
    /// A worker that fills the columns of this layout; `None` if no table is written.
    pub(crate) fn new(stages: Stages, layout: Option<Layout>, kernel: Kernel) -> Worker {
        let rating = layout.as_ref();
        let rating = rating.and_then(|layout| {
            RowRater::new(
                stages.rating,
                stages.known_ratings.clone(),
                stages.hodoku,
                layout,
            )
        });
        let pace = match rating {
            Some(_) => Pace::for_slow_puzzles(),
            None => Pace::default(),
        };
        Worker {
            stages,
            layout,
            kernel,
            pace,
            rating,
            is_alone: false,
            row_divider: None,
        }
    }

    /// Parses the selected records of a batch. Valid grids become outcomes, and all other records become
    /// rejects.
    pub(crate) fn accept_batch(
        &self,
        input: &InputWork,
        batch: Batch,
        selected: &SelectedRecords,
    ) -> Result<Accepted, Error> {
        let Records { rows, carried } = input.parser.parse(&batch)?;
        let mut rejects = Vec::new();
        let keeps_rejects_in_place =
            (self.layout.as_ref()).is_some_and(Layout::has_rejects_in_place);
        // The indices of the records that become rows of the table. Only their carried columns are kept.
        let mut rows_to_carry = Vec::with_capacity(rows.len());
        let mut outcomes = Vec::with_capacity(rows.len());
        let mut positions_and_texts = Vec::new();
        for (at, record) in rows.iter().enumerate().filter(|(at, _)| selected.has(*at)) {
            let row = batch.first_row + at as u64;
            let accepted = if input.has_puzzles {
                parse_record(record, &input.alphabets)
            } else {
                record
                    .puzzle
                    .as_ref()
                    .map_err(Clone::clone)
                    .map(|_| Subject::empty())
            };
            match accepted {
                Ok(puzzle) => {
                    rows_to_carry.push(at);
                    let mut outcome = Outcome::new(row, puzzle);
                    if outcome.is_given_malformed() {
                        let text = record.solution.as_deref();
                        outcome.given_raw = text.map(|text| match std::str::from_utf8(text) {
                            Ok(text) => text.into(),
                            Err(_) => escape_bytes(text).into(),
                        });
                    }
                    outcomes.push(outcome);
                    if self.stages.validate {
                        positions_and_texts.push((record.position, escape_bytes(record.raw)));
                    }
                }
                Err(reason) => {
                    if keeps_rejects_in_place {
                        rows_to_carry.push(at);
                    }
                    rejects.push(make_reject(row, record, reason));
                }
            }
        }
        let carried = match &self.layout {
            // Arrow may panic on data that was decoded from damaged bytes.
            Some(_) => guarded(
                || {
                    let carried =
                        carried_columns(carried, &rows_to_carry, rows.len(), batch.first_row)?;
                    input
                        .mapping
                        .arrange(&input.source, &carried, rows_to_carry.len())
                },
                |panic| input.decoder_error(&batch, &panic),
            )?,
            None => Vec::new(),
        };
        drop(rows);
        Ok(Accepted {
            outcomes,
            rejects,
            carried_columns: carried,
            positions_and_texts,
            buffer: batch.into_buffer(),
        })
    }

    /// Fills the columns of the table from the solved and graded outcomes of a batch, and counts the rows.
    pub(crate) fn finish_batch(
        &self,
        input: &InputWork,
        batch: Accepted,
        mut outcomes: Vec<Outcome>,
    ) -> Result<Processed, Error> {
        let failures = if self.stages.validate {
            validation_failures(&outcomes, batch.positions_and_texts, &batch.rejects)
        } else {
            Vec::new()
        };
        let fixed_solutions = if self.stages.fix_solutions {
            fix_solutions(&mut outcomes, self.kernel)
        } else {
            FixedSolutions::default()
        };
        if let Some(count) = self.stages.hints {
            give_hints(&mut outcomes, count);
        }
        if let Some(judging) = &self.stages.judging {
            let carried_columns = &batch.carried_columns;
            judging.judge(
                &input.source,
                &input.alphabets,
                carried_columns,
                &mut outcomes,
            )?;
        }
        // A copy has the same given solution as its original, so the verdicts on given solutions are counted
        // before the copies are made.
        let originals = (self.stages.copies).map(|_| Tally::from_batch(&outcomes, &[], 0));
        let mut carried_columns = batch.carried_columns;
        let copied = match self.stages.copies {
            Some(copies) => {
                let rows = outcomes.len() as u64;
                let shortfall = copies.replace_by_copies(&mut outcomes, &mut carried_columns)?;
                Some((rows, shortfall))
            }
            None => None,
        };
        let rows_with_copies = outcomes.len();
        let mut unselected_labels = Vec::new();
        let mut table = match &self.layout {
            Some(layout) if layout.has_rejects_in_place() => Some(layout.fill_in_place(
                &input.source,
                &outcomes,
                &batch.rejects,
                &carried_columns,
            )?),
            Some(layout) => {
                let is_counted = |name: &str| self.stages.statistics && is_label(name);
                let (table, counted) = layout.fill_counted(
                    &input.source,
                    &mut outcomes,
                    carried_columns,
                    is_counted,
                )?;
                unselected_labels = counted;
                Some(table)
            }
            None => None,
        };
        let classes = self.stages.classes.iter();
        let members = classes.map(|by| ClassMembers::from_batch(*by, &input.source, &outcomes));
        let members = members.collect();
        let mut tally =
            Tally::from_batch(&outcomes, &batch.rejects, rows_with_copies - outcomes.len());
        if let Some((rows, shortfall)) = copied {
            tally.set_copies(rows, rows_with_copies as u64, shortfall);
        }
        if let Some(originals) = &originals {
            tally.replace_given_verdicts(originals);
        }
        tally.set_fixed_solutions(fixed_solutions);
        let mut figures = Figures::default();
        if self.stages.judging.is_some() {
            figures.evaluation = Some(Box::new(Evaluation::from_rows(&outcomes)?));
        }
        let (source, rejects) = (&input.source, &batch.rejects);
        if self.stages.statistics {
            let labels = labels_of(table.as_ref(), unselected_labels);
            let statistics = Statistics::from_batch(source, &outcomes, rejects, &labels)?;
            figures.statistics = Some(Box::new(statistics));
        }
        if let (Some(plan), Some(table)) = (&self.stages.tables, &table) {
            let part = plan.count_batch(source, table, &outcomes, input.has_puzzles, rejects)?;
            figures.table_part = Some(Box::new(part));
        }
        let mut rows_by_folder = None;
        if let (Some(divider), Some(rows)) = (&self.row_divider, &table) {
            rows_by_folder = Some(divider.divide(rows)?);
            table = None;
        }
        Ok(Processed {
            result: BatchResult {
                rows: table,
                rows_by_folder,
                rejects: batch.rejects,
                failures,
                class_members: members,
                tally,
                figures,
            },
            buffer: batch.buffer,
        })
    }

    /// Solves, grades and rates the puzzles of these outcomes.
    pub(crate) fn process_rows(&self, source: &str, outcomes: &mut [Outcome]) {
        self.solve_and_grade(outcomes);
        find_requested(self.layout.as_ref(), &self.stages, self.kernel, outcomes);
        if let (Some(rating), Some(layout)) = (&self.rating, &self.layout) {
            rating.rate_rows(layout, source, outcomes);
        }
    }

    fn solve_and_grade(&self, outcomes: &mut [Outcome]) {
        let Some(limits) = self.stages.solve else {
            return;
        };
        let mut nine_by_nine = Vec::with_capacity(outcomes.len());
        for outcome in &mut *outcomes {
            outcome.limits = limits;
            match &mut outcome.puzzle {
                Subject::Nine(_) => nine_by_nine.push(outcome),
                Subject::Sized(puzzle) => {
                    let solution = match self.stages.method {
                        Method::Backtrack { .. } => backtrack_sized(&puzzle.clues, limits),
                        Method::Dlx => cover_sized(&puzzle.clues, limits),
                        _ => solve_sized(&puzzle.clues, limits),
                    };
                    if let Some(ladder) = &self.stages.grade {
                        let is_unique = Status::from_solution(&solution) == Status::Unique;
                        outcome.grade = is_unique.then(|| grade_sized(&puzzle.clues, ladder));
                    }
                    puzzle.solution = Some(solution);
                }
            }
        }
        let puzzles: Vec<&Puzzle> = nine_by_nine
            .iter()
            .filter_map(|outcome| outcome.nine())
            .collect();
        match &self.stages.grade {
            None => {
                let solutions = match self.stages.method {
                    Method::Lanes => solve_all(self.kernel, &puzzles, limits),
                    method => {
                        let boards: Vec<_> = puzzles.iter().map(|puzzle| puzzle.board()).collect();
                        let mut solutions = Vec::with_capacity(boards.len());
                        let solver = method.solver(self.kernel);
                        solver.solve(&boards, limits, &mut solutions);
                        solutions
                    }
                };
                for (outcome, solution) in nine_by_nine.into_iter().zip(solutions) {
                    outcome.solution = Some(solution);
                }
            }
            Some(ladder) => {
                let graded = ladder.grade_all(self.kernel, &puzzles, limits);
                for (outcome, Graded { solution, grade }) in nine_by_nine.into_iter().zip(graded) {
                    outcome.solution = Some(solution);
                    outcome.grade = grade;
                }
            }
        }
        if let Some(ladder) = &self.stages.with_uniqueness {
            for outcome in outcomes {
                let clues = outcome.nine().filter(|puzzle| puzzle.marks.is_none());
                let hardest = |grade: &Grade| match clues {
                    Some(puzzle) => ladder.needed(&puzzle.clues, grade),
                    None => grade.needed(),
                };
                outcome.with_uniqueness = outcome.grade.as_ref().map(hardest);
            }
        }
    }
}
