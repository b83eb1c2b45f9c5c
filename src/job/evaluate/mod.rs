//! Judges the predictions of a model: compares each prediction with the solution of its puzzle.

mod other_grids;
mod prediction_files;
mod prediction_lines;
mod prediction_offset;
mod prediction_options;
mod predictions;
mod row_keys;
mod stored_predictions;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow::array::ArrayRef;

use crate::error::Error;
use crate::table::judged::{BackboneCells, Judged, RowSteps};
use crate::table::outcome::{GivenVerdict, Outcome, Subject};
use row_keys::column_texts;
use stored_predictions::Prediction;
use sudoku_core::grade::Ladder;
use sudoku_core::judge::{Judgement, StepJudge, Verdict, judge, read_answer, read_steps};
use sudoku_core::sizes::{Alphabets, parse_any_grid};
use sudoku_core::solve::{Kernel, Status};

pub use other_grids::OtherGrids;
pub use prediction_options::PredictionOptions;
pub use predictions::Predictions;

/// The predictions of one or two models, and the way in which they are matched and parsed.
#[derive(Clone)]
pub struct Judging {
    /// The predictions of the model that is judged.
    pub predictions: Arc<Predictions>,
    /// The predictions of a second model for comparison; `None` if there is only one model.
    pub against: Option<Arc<Predictions>>,
    /// The index of the carried column whose values identify predictions; `None` if they are matched by
    /// row.
    pub key: Option<usize>,
    /// Whether the puzzles themselves identify predictions.
    pub key_is_puzzle: bool,
    /// The names of the carried columns.
    pub carried_names: Vec<String>,
    /// Whether a prediction is free text. The answer is then searched in it.
    pub extract: bool,
    /// The techniques that can give a move, if each prediction is a sequence of moves; `None` if predictions are grids.
    pub steps: Option<Arc<Ladder>>,
    /// The predictions of the first model so far that are solutions of other puzzles.
    pub other_grids: Arc<OtherGrids>,
    /// Whether a prediction of the first model so far is a text, and not numbers, that is no grid.
    pub has_other_text: Arc<AtomicBool>,
}

impl Judging {
    /// Finds the prediction for each row, and compares it with the solution. The puzzles must already be solved.
    pub(super) fn judge(
        &self,
        source: &str,
        alphabets: &Alphabets,
        carried_columns: &[ArrayRef],
        rows: &mut [Outcome],
    ) -> Result<(), Error> {
        let keys = match self.key.and_then(|key| carried_columns.get(key)) {
            Some(column) => column_texts(column)?,
            None => Vec::new(),
        };
        for predictions in [Some(&self.predictions), self.against.as_ref()]
            .into_iter()
            .flatten()
        {
            self.check_order(predictions, source, carried_columns, rows)?;
        }
        for (at, row) in rows.iter_mut().enumerate() {
            let clues = String::from_utf8_lossy(row_clues(row));
            let clues = self.key_is_puzzle.then(|| clues.into_owned());
            let key = if self.key_is_puzzle {
                clues.as_deref()
            } else {
                keys.get(at).and_then(Option::as_deref)
            };
            let find_prediction =
                |predictions: &Predictions| predictions.find_for_record(source, row.row, key);
            let prediction = find_prediction(&self.predictions)?;
            let other_prediction = self.against.as_deref().map(find_prediction).transpose()?;
            let mut judged_row = self.judge_row(row, prediction, alphabets);
            if judged_row.is_other_grid() {
                let grid = judged_row.prediction.as_deref();
                self.other_grids.add(grid.unwrap_or_default());
            }
            if judged_row.judgement.verdict == Verdict::Unparsable
                && judged_row.prediction.is_some()
            {
                self.has_other_text.store(true, Ordering::Relaxed);
            }
            let other_prediction = other_prediction
                .map(|other_prediction| self.judge_row(row, other_prediction, alphabets).judgement);
            judged_row.other = other_prediction;
            row.judged = Some(Box::new(judged_row));
        }
        Ok(())
    }

    /// Checks that predictions that are matched by row are in the order of the puzzles, if both files have a column that
    /// identifies puzzles.
    fn check_order(
        &self,
        predictions: &Predictions,
        source: &str,
        carried_columns: &[ArrayRef],
        rows: &[Outcome],
    ) -> Result<(), Error> {
        let name = predictions.row_key_column(source);
        let column = name.and_then(|name| {
            let mut names = self.carried_names.iter();
            names.position(|carried| carried.trim().eq_ignore_ascii_case(name.trim()))
        });
        let keys = match column.and_then(|column| carried_columns.get(column)) {
            Some(column) => column_texts(column)?,
            None => vec![None; rows.len()],
        };
        for (row, key) in rows.iter().zip(keys) {
            predictions.check_row_key(source, row.row, key.as_deref(), row_clues(row))?;
        }
        Ok(())
    }

    fn judge_row(&self, row: &Outcome, prediction: Prediction, alphabets: &Alphabets) -> Judged {
        let clues = row_clues(row);
        let judged_without_grid =
            |verdict, prediction: Option<String>, why: Option<String>| Judged {
                prediction: prediction.map(Into::into),
                judgement: Judgement::without_grid(verdict, clues),
                why: why.map(Into::into),
                source: None,
                steps: None,
                backbone: None,
                other: None,
            };
        let text = match prediction {
            Prediction::Missing => return judged_without_grid(Verdict::Missing, None, None),
            Prediction::Unreadable(why) => {
                return judged_without_grid(Verdict::Unparsable, None, Some(why));
            }
            Prediction::Text(text) => text,
        };
        let (mut source, mut steps) = (None, None);
        let grid = if let Some(ladder) = &self.steps {
            judge_steps(row, &String::from_utf8_lossy(&text), ladder).map(|judged| {
                let grid = judged.judged.written.as_str().to_owned();
                steps = Some(Box::new(judged));
                grid
            })
        } else if self.extract {
            let clues = String::from_utf8_lossy(clues);
            let answer = read_answer(&String::from_utf8_lossy(&text), &clues, alphabets);
            answer.map(|answer| {
                source = Some((answer.form, answer.rule));
                answer.grid
            })
        } else {
            parse_grid_of_size(&text, row.size(), alphabets)
        };
        match grid {
            Err(why) => {
                let text = String::from_utf8_lossy(&text).into_owned();
                judged_without_grid(Verdict::Unparsable, Some(text), Some(why))
            }
            Ok(grid) => Judged {
                judgement: judge_grid(row, clues, grid.as_bytes()),
                backbone: backbone_cells(row, clues, grid.as_bytes()),
                prediction: Some(grid.into()),
                why: None,
                source,
                steps,
                other: None,
            },
        }
    }
}

/// Judges the moves in a text. The error is the reason why the text is no sequence of moves for this puzzle.
fn judge_steps(row: &Outcome, text: &str, ladder: &Ladder) -> Result<RowSteps, String> {
    let (Some(puzzle), Some(solution)) = (row.nine(), &row.solution) else {
        return Err("moves are judged on 9 × 9 puzzles".to_owned());
    };
    let steps = read_steps(text, &puzzle.clues)?;
    let judge = StepJudge::with_solution(puzzle, solution, ladder, Kernel::fastest());
    let judge = judge.map_err(|status| match status {
        Status::None => "the puzzle has no solution".to_owned(),
        _ => "the search for the solutions of the puzzle was given up".to_owned(),
    })?;
    Ok(RowSteps {
        form: steps.form,
        judged: judge.judge_all(steps.moves),
    })
}

/// The clues of a row. For pencil marks, these are the cells with a single candidate.
fn row_clues(row: &Outcome) -> &[u8] {
    match &row.puzzle {
        Subject::Nine(puzzle) => puzzle.clues.as_bytes(),
        Subject::Sized(puzzle) => puzzle.clues.as_str().as_bytes(),
    }
}

/// The grid in a text, in normal form. The error is the reason why the text is not a grid of this size.
fn parse_grid_of_size(text: &[u8], size: usize, alphabets: &Alphabets) -> Result<String, String> {
    let grid = parse_any_grid(text, alphabets).map_err(|error| error.message)?;
    if grid.len() == size * size {
        Ok(grid)
    } else {
        Err(format!(
            "not the {} cells of a grid of this size",
            size * size
        ))
    }
}

/// Compares a predicted grid with the backbone of a puzzle with several solutions; `None` for other puzzles, and if the
/// backbone is not known.
fn backbone_cells(row: &Outcome, clues: &[u8], prediction: &[u8]) -> Option<BackboneCells> {
    let has_several = row.status() == Some(Status::Multiple);
    let digits = row.solution_digits.as_ref().filter(|_| has_several)?;
    let backbone = digits.backbone();
    Some(BackboneCells::count(clues, backbone.as_bytes(), prediction))
}

/// Judges a predicted grid: compares it with the given solution if that is correct, otherwise with the puzzle's only
/// solution.
fn judge_grid(row: &Outcome, clues: &[u8], prediction: &[u8]) -> Judgement {
    let is_given_right = matches!(
        row.given_verdict(),
        Some(GivenVerdict::Correct | GivenVerdict::NotTheOnlyOne)
    );
    let solution = match row.given_text().filter(|_| is_given_right) {
        None if row.status() == Some(Status::Unique) => row.solution_text(),
        given => given,
    };
    let box_shape = match &row.puzzle {
        Subject::Nine(_) => (3, 3),
        Subject::Sized(puzzle) => puzzle.clues.size().of_box(),
    };
    // Pencil marks can exclude digits that the clues would allow.
    let is_allowed = row.nine().is_none_or(|puzzle| {
        let grid = sudoku_core::board::Grid::from_normal_form(prediction);
        grid.is_none_or(|grid| puzzle.allows(&grid))
    });
    judge(box_shape, clues, prediction, is_allowed, solution)
}
