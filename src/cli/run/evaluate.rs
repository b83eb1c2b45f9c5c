//! The predictions of `evaluate`: reads them, and checks how many of them solve their puzzle.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sudoku_core::grade::Ladder;
use sudoku_core::judge::Verdict;
use sudoku_core::sizes::Size;
use sudoku_pipeline::counts::parse_count_or_percent;
use sudoku_pipeline::counts::{Evaluation, EvaluationGroup, VerdictCounts};
use sudoku_pipeline::error::{Error, PredictionError, ThresholdError};
use sudoku_pipeline::job::{Inputs, Judging, PredictionOptions, Predictions, unless_stopped};
use sudoku_pipeline::numbers::{counted, thousands};
use sudoku_pipeline::options::{AGAINST, EXTRACT, KEY, MIN_EXACT};
use sudoku_pipeline::read::{self, ColumnRole};
use sudoku_pipeline::store::display_name;

use crate::cli::error::CommandError;
use crate::cli::host;
use crate::cli::run::memory::temporary_folder;

/// Fewer predictions that are solutions of other puzzles do not show that the files are in another order.
const LEAST_OTHERS: u64 = 5;

/// The minimum number or share of predictions that must solve their puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MinExact {
    Count(u64),
    Percent(f64),
}

impl FromStr for MinExact {
    type Err = String;

    fn from_str(text: &str) -> Result<MinExact, String> {
        let limit = parse_count_or_percent(text, MinExact::Count, MinExact::Percent);
        limit.ok_or_else(|| "neither a number nor a percentage such as 95%".to_owned())
    }
}

impl MinExact {
    fn check(self, counts: &VerdictCounts) -> Result<(), ThresholdError> {
        let (exact, rows) = (counts.exact(), counts.rows());
        let (is_met, least) = match self {
            MinExact::Count(least) => (exact >= least, least.to_string()),
            MinExact::Percent(least) => {
                let is_met = exact as f64 >= least / 100.0 * rows as f64;
                (is_met, format!("{least} %"))
            }
        };
        if is_met {
            Ok(())
        } else {
            Err(ThresholdError {
                count: exact,
                rows,
                found: "predictions solve their puzzle",
                option: MIN_EXACT,
                wants: "asks for",
                limit: least,
                remedy: String::new(),
            })
        }
    }
}

/// The predictions of `evaluate`, and the options for judging them.
pub(crate) struct EvaluateWork {
    /// The path of the predictions; `None` if they are a column of the puzzles.
    pub(crate) predictions: Option<String>,
    pub(crate) against: Option<String>,
    pub(crate) options: PredictionOptions,
    pub(crate) extract: bool,
    /// The techniques that can give a move, if predictions are sequences of moves.
    pub(crate) steps: Option<Arc<Ladder>>,
    pub(crate) min_exact: Option<MinExact>,
    /// Whether all records of the inputs are read, because no option selects records.
    pub(crate) reads_all: bool,
}

/// Whether a column of this name usually has a value of its own for each puzzle: `id`, `puzzle_id`, `key`.
fn is_key_name(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    let words = ["id", "key", "uid", "uuid", "guid", "index", "idx"];
    words.contains(&name.as_str()) || name.ends_with("_id") || name.ends_with("-id")
}

impl EvaluateWork {
    /// The files of predictions, which are read in addition to the puzzles.
    pub(crate) fn inputs(&self) -> Vec<String> {
        self.predictions
            .iter()
            .chain(&self.against)
            .cloned()
            .collect()
    }

    /// Reads the predictions. They are stored in a temporary file beside `output`.
    pub(crate) fn open(
        &self,
        output: Option<&Path>,
        inputs: &Inputs,
        stop: &Arc<AtomicUsize>,
    ) -> Result<Judging, CommandError> {
        let puzzles: Vec<String> = (inputs.own.iter())
            .map(|input| input.job.path.clone())
            .collect();
        let spill_folder = temporary_folder(output)?;
        let carried_names: Vec<String> = (inputs.catalog.carried.iter())
            .map(|field| field.name().clone())
            .collect();
        let row_keys: Vec<String> = carried_names
            .iter()
            .filter(|name| is_key_name(name))
            .cloned()
            .collect();
        let key_is_puzzle = self.options.key.as_ref().is_some_and(|key| {
            let mut columns = inputs.catalog.names.columns().iter();
            let puzzle = columns.find(|column| column.role == ColumnRole::Puzzle);
            puzzle
                .map_or("puzzle", |column| &column.name)
                .trim()
                .eq_ignore_ascii_case(key.trim())
        });
        let read = |name: &Option<String>, is_same_table: bool| {
            let paths = match name {
                Some(name) => read::expand(std::slice::from_ref(name))?.inputs,
                None => puzzles.clone(),
            };
            let options = PredictionOptions {
                is_same_table,
                key_is_puzzle,
                row_keys: row_keys.clone(),
                ..self.options.clone()
            };
            let (puzzles, spill_folder, stop) =
                (puzzles.clone(), spill_folder.clone(), stop.clone());
            let stop_signal = stop.clone();
            let read = move || {
                Predictions::read(&paths, &puzzles, &options, &spill_folder, &stop_signal)
                    .map(Arc::new)
            };
            if host::on_caller() {
                return read();
            }
            unless_stopped(&stop, read)
        };
        let predictions = read(&self.predictions, self.predictions.is_none())?;
        let against = match &self.against {
            None => None,
            Some(_) => Some(read(&self.against, false)?),
        };
        let key_column = match &self.options.key {
            Some(_) if key_is_puzzle => None,
            None => None,
            Some(key_column) => {
                let mut carried = inputs.catalog.carried.iter();
                let column_index =
                    carried.position(|field| field.name().eq_ignore_ascii_case(key_column.trim()));
                Some(column_index.ok_or_else(|| {
                    Error::NoColumn {
                        source_name: puzzles
                            .first()
                            .map_or_else(String::new, |path| display_name(path)),
                        wanted: format!("column {key_column:?}"),
                        columns: (inputs.catalog.carried.iter())
                            .map(|field| field.name().clone())
                            .collect(),
                        option: KEY,
                    }
                })?)
            }
        };
        Ok(Judging {
            predictions,
            against,
            key: key_column,
            key_is_puzzle,
            carried_names,
            extract: self.extract,
            steps: self.steps.clone(),
            other_grids: Arc::default(),
            has_other_text: Arc::default(),
        })
    }

    /// Fails if a prediction belongs to no record. Called after all rows have been written, and before the outputs are
    /// published.
    pub(crate) fn check_rows(
        &self,
        judging: &Judging,
        records: &[(String, u64)],
    ) -> Result<(), CommandError> {
        if !self.reads_all {
            return Ok(());
        }
        for predictions in [Some(&judging.predictions), judging.against.as_ref()]
            .into_iter()
            .flatten()
        {
            predictions.check_rows(records)?;
            if let Some(key) = &self.options.key
                && records.iter().any(|(_, records)| *records > 0)
            {
                predictions.check_keys(key)?;
            }
            let is_other = !Arc::ptr_eq(predictions, &judging.predictions);
            let lacking = predictions.lacking(records);
            if is_other && lacking > 0 {
                tracing::warn!(
                    missing = lacking,
                    "{}: {} of {} {} no prediction: the predictions belong to them row by row; {KEY} joins them by a column",
                    AGAINST,
                    thousands(lacking),
                    counted(records.iter().map(|(_, records)| records).sum(), "puzzle"),
                    if lacking == 1 { "has" } else { "have" },
                );
            }
            if self.options.key.is_some() && predictions.unused() > 0 {
                tracing::warn!(
                    predictions = predictions.unused(),
                    "{} of {} {} a key that no puzzle has",
                    thousands(predictions.unused()),
                    counted(predictions.count(), "prediction"),
                    if predictions.unused() == 1 {
                        "has"
                    } else {
                        "have"
                    },
                );
            }
        }
        Ok(())
    }

    /// Fails if no puzzle has an empty cell, or if nearly all predictions are solutions of other puzzles. Logs a warning if the predictions may need another option. Called after
    /// all rows have been written, and before the outputs are published.
    pub(crate) fn check_puzzles(
        &self,
        judging: &Judging,
        evaluation: Option<&Evaluation>,
    ) -> Result<(), CommandError> {
        let Some(evaluation) = evaluation else {
            return Ok(());
        };
        let counts = evaluation.all();
        let is_full = |clues: &str| clues.parse().is_ok_and(Size::is_cell_count);
        let by_clues = evaluation.of_group(EvaluationGroup::Clues);
        if counts.rows() > 0 && by_clues.iter().all(|(clues, _)| is_full(clues)) {
            return Err(Error::from(PredictionError::NoEmptyCells).into());
        }
        let (missing, unparsable) = (
            counts.verdict(Verdict::Missing),
            counts.verdict(Verdict::Unparsable),
        );
        let grids = counts.rows() - missing - unparsable;
        let others = judging.other_grids.count();
        let different = judging.other_grids.different();
        let are_repeated = different * 10 < others * 9;
        let are_others = others >= LEAST_OTHERS && others * 10 >= grids * 9;
        let is_by_row = self.options.key.is_none() && self.predictions.is_some();
        if is_by_row && are_others && !are_repeated {
            return Err(Error::from(PredictionError::Misaligned { others, grids }).into());
        }
        let changed = counts.verdict(Verdict::ClueChanged);
        if are_others && are_repeated {
            tracing::warn!(
                others,
                different,
                "{} of {} predictions are solutions of other puzzles, but only {}: the model repeats its answers, or the \
                 rows are not in the same order",
                thousands(others),
                thousands(grids),
                counted(different, "different grid"),
            );
        } else if changed >= LEAST_OTHERS && changed * 10 >= grids * 9 {
            tracing::warn!(
                changed,
                "{} of {} predictions change a clue of their puzzle: if the rows are not in the same order, {KEY} joins \
                 them by a column",
                thousands(changed),
                thousands(grids)
            );
        }
        if missing > 0 && self.options.key.is_none() {
            tracing::warn!(
                missing,
                "{} of {} {} no prediction: the predictions belong to them row by row; {KEY} joins \
                 them by a column",
                thousands(missing),
                counted(counts.rows(), "puzzle"),
                if missing == 1 { "has" } else { "have" },
            );
        }
        if unparsable > 0 && self.steps.is_some() {
            tracing::warn!(
                unparsable,
                "{} no sequence of moves: the column prediction_error says why",
                match unparsable {
                    1 => "1 prediction is".to_owned(),
                    many => format!("{} predictions are", thousands(many)),
                }
            );
        } else if unparsable > 0 && !self.extract {
            let advice = if judging.has_other_text.load(Ordering::Relaxed) {
                format!("; {EXTRACT} finds the grid in a longer text")
            } else {
                String::new()
            };
            tracing::warn!(
                unparsable,
                "{} no grid: the column prediction_error says why{advice}",
                match unparsable {
                    1 => "1 prediction is".to_owned(),
                    many => format!("{} predictions are", thousands(many)),
                }
            );
        }
        Ok(())
    }

    /// Fails if fewer predictions solve their puzzle than `--min-exact` requires.
    pub(crate) fn check(&self, evaluation: Option<&Evaluation>) -> Result<(), CommandError> {
        let empty_evaluation = Evaluation::default();
        let evaluation = evaluation.unwrap_or(&empty_evaluation);
        match self.min_exact {
            Some(least) => Ok(least.check(evaluation.all()).map_err(Error::from)?),
            None => Ok(()),
        }
    }
}
