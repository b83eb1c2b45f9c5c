//! `evaluate`: judges the predictions of a model for the puzzles of a dataset.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use clap::Args;
use sudoku_core::grade::Ladder;
use sudoku_pipeline::error::{Error, PredictionError};
use sudoku_pipeline::job::{Inputs, Judging, PredictionOptions, Predictions, Task, unless_stopped};
use sudoku_pipeline::read::{self, InputFormat, ReadOptions, Take};
use sudoku_pipeline::report::{Evaluation, VerdictCounts};
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::table::columns::ColumnGroup;

use super::args::{LimitArgs, RatingArgs, ReadArgs, ReportArgs, WriteArgs};
use super::choose::ViewArgs;
use super::destination;
use super::error::{CommandError, UsageError};
use super::one_table::{OptionalTableArgs, TableArgs};
use super::plan::{self, Plan};
use super::report::Report;
use super::sets::temporary_folder;

pub(super) const EXAMPLES: &str = "\
Examples:
  pipeline evaluate test.csv predictions.txt -o judged.parquet
  pipeline evaluate exam.csv model.ndjson --prediction-column output --key id
  pipeline evaluate answers.ndjson --prediction-column response --extract
  pipeline evaluate puzzle.txt new.npy --token-offset 1 --against old.npy
  pipeline evaluate test.csv predictions.txt --min-exact 95% --summary s.json

The predictions belong to the puzzles row by row, or by the values of --key; without a second file they are a
column of the puzzles. In a plain text each line is a prediction, and an empty line a missing one. A puzzle
with several solutions is solved by any of them. The counts are printed: for all puzzles, by level, hardest
technique, clues and, with --with se, rating; intervals are Wilson's, with 95 %.";

#[derive(Args)]
pub(super) struct EvaluateArgs {
    /// The column with the predictions [default: found by its usual names, such as prediction or output]
    #[arg(long, value_name = "NAME")]
    prediction_column: Option<String>,
    /// The format of the predictions [default: recognised from their first bytes]
    #[arg(long, value_name = "FORMAT")]
    prediction_format: Option<InputFormat>,
    /// The column of both files by which predictions and puzzles belong together [default: row by row]
    #[arg(long, value_name = "COLUMN")]
    key: Option<String>,
    /// Take the last board out of each prediction, which is the text of a language model: cells and separators
    /// in one line, or a line for each row
    #[arg(long)]
    extract: bool,
    /// The predictions of another model for the same puzzles: how many each model, both or none solve
    #[arg(long, value_name = "FILE")]
    against: Option<String>,
    /// Fail if fewer predictions solve their puzzle: a number, or a percentage such as 95%; the exit code is
    /// then 3
    #[arg(long, value_name = "N|P%")]
    min_exact: Option<MinExact>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    rating: RatingArgs,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    table: OptionalTableArgs,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

/// How many predictions have to solve their puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MinExact {
    Count(u64),
    Percent(f64),
}

impl FromStr for MinExact {
    type Err = String;

    fn from_str(text: &str) -> Result<MinExact, String> {
        let limit = match text.strip_suffix('%') {
            Some(percent) => (percent.trim().parse().ok())
                .filter(|percent| (0.0..=100.0).contains(percent))
                .map(MinExact::Percent),
            None => text.parse().ok().map(MinExact::Count),
        };
        limit.ok_or_else(|| "neither a number nor a percentage such as 95%".to_owned())
    }
}

impl MinExact {
    fn check(self, counts: &VerdictCounts) -> Result<(), PredictionError> {
        let (exact, rows) = (counts.exact(), counts.rows());
        let (is_met, least) = match self {
            MinExact::Count(least) => (exact >= least, least.to_string()),
            MinExact::Percent(least) => {
                let is_met = exact as f64 >= least / 100.0 * rows as f64;
                (is_met, format!("{least} %"))
            }
        };
        match is_met {
            true => Ok(()),
            false => Err(PredictionError::TooFewExact { exact, rows, least }),
        }
    }
}

/// The work of `evaluate` beyond grading.
pub(super) struct EvaluateWork {
    /// The name of the predictions; `None` if they are a column of the puzzles.
    predictions: Option<String>,
    against: Option<String>,
    options: PredictionOptions,
    extract: bool,
    min_exact: Option<MinExact>,
    /// Whether all records of the inputs are read.
    reads_all: bool,
}

pub(super) fn plan(args: EvaluateArgs) -> Result<Plan, CommandError> {
    let EvaluateArgs {
        mut read,
        limits,
        rating,
        table,
        view,
        report,
        ..
    } = args;
    let predictions = match read.input.inputs.as_slice() {
        [_] => None,
        [_, _] => read.input.inputs.pop(),
        names => return Err(UsageError::NotPuzzlesAndPredictions(names.len()).into()),
    };
    if predictions.is_none() && read.input.inputs.iter().any(|name| name == "-") {
        return Err(UsageError::NotTogether(
            "the puzzles and the predictions of one file are read one after the other, which standard input \
             cannot be: give a file",
        )
        .into());
    }
    if read.shard.is_some() {
        return Err(
            UsageError::NotTogether("evaluate counts a whole dataset: leave --shard out").into(),
        );
    }
    let task = Task::Grade {
        ladder: Ladder::default(),
        uniqueness: false,
        limits: plan::solver_limits(&limits),
    };
    let mut groups = task.groups();
    groups.push(ColumnGroup::Judged);
    if args.against.is_some() {
        groups.push(ColumnGroup::JudgedAgainst);
    }
    let mut stages = task.stages();
    stages.rating = rating.limits(&limits.with)?;
    let prediction_read = ReadOptions {
        format: match &predictions {
            Some(_) => args.prediction_format,
            None => args.prediction_format.or(read.input.input_format),
        },
        ..plan::read_options(&read.input)
    };
    let options = PredictionOptions {
        read: ReadOptions {
            column_types: Vec::new(),
            ..prediction_read
        },
        column: args.prediction_column,
        key: args.key,
        is_same_table: predictions.is_none(),
    };
    let take = read.take.take();
    let OptionalTableArgs { output, format } = table;
    let view_of_rows = view.view();
    let write = output.map(|output| WriteArgs {
        table: TableArgs {
            output,
            format,
            compression: None,
        },
        partition_by: Vec::new(),
        max_rows_per_file: None,
        resume: false,
        prune: false,
        view,
    });
    let mut plan = plan::plan("evaluate", read, write, report, stages, groups)?;
    if let Some(format) = plan.destination.format() {
        destination::refuse_grids(format, "verdicts")?;
    }
    plan.view = view_of_rows;
    plan.add_limits(limits);
    for (name, value) in [
        ("predictions", predictions.as_deref().map(display_name)),
        ("against", args.against.as_deref().map(display_name)),
        ("prediction_column", options.column.clone()),
        ("key", options.key.clone()),
        ("extract", args.extract.then(|| "true".to_owned())),
    ] {
        let entry = value.map(|value| (format!("pipeline.{name}"), value));
        plan.metadata.extend(entry);
    }
    plan.evaluate = Some(EvaluateWork {
        predictions,
        against: args.against,
        options,
        extract: args.extract,
        min_exact: args.min_exact,
        reads_all: take == Take::default(),
    });
    Ok(plan)
}

impl EvaluateWork {
    /// The files that are read besides the puzzles.
    pub(super) fn inputs(&self) -> Vec<String> {
        self.predictions
            .iter()
            .chain(&self.against)
            .cloned()
            .collect()
    }

    /// Reads the predictions.
    pub(super) fn open(
        &self,
        plan: &Plan,
        inputs: &Inputs,
        stop: &Arc<AtomicUsize>,
    ) -> Result<Judging, CommandError> {
        let puzzles: Vec<String> = (inputs.own.iter())
            .map(|input| input.job.path.clone())
            .collect();
        let output = plan.output().filter(|name| name != "-");
        let on = temporary_folder(output.as_deref().map(Path::new))?;
        let read = |name: &Option<String>, is_same_table: bool| {
            let paths = match name {
                Some(name) => read::expand(std::slice::from_ref(name))?.inputs,
                None => puzzles.clone(),
            };
            let options = PredictionOptions {
                is_same_table,
                ..self.options.clone()
            };
            let (puzzles, on, stop) = (puzzles.clone(), on.clone(), stop.clone());
            let stopped = stop.clone();
            unless_stopped(&stop, move || {
                Predictions::read(&paths, &puzzles, &options, &on, &stopped).map(Arc::new)
            })
        };
        let predictions = read(&self.predictions, self.predictions.is_none())?;
        let against = match &self.against {
            None => None,
            Some(_) => Some(read(&self.against, false)?),
        };
        let key = match &self.options.key {
            None => None,
            Some(key) => {
                let mut carried = inputs.catalog.carried.iter();
                let place = carried.position(|field| field.name().eq_ignore_ascii_case(key.trim()));
                Some(place.ok_or_else(|| {
                    Error::NoColumn {
                        source_name: puzzles
                            .first()
                            .map_or_else(String::new, |path| display_name(path)),
                        wanted: format!("column {key:?}"),
                        columns: (inputs.catalog.carried.iter())
                            .map(|field| field.name().clone())
                            .collect(),
                        flag: "--key",
                    }
                })?)
            }
        };
        Ok(Judging {
            predictions,
            against,
            key,
            extract: self.extract,
        })
    }

    /// Fails a complete run before its outputs get their names if predictions belong to no record.
    pub(super) fn check_rows(&self, plan: &Plan, report: &Report) -> Result<(), CommandError> {
        let Some(judging) = plan.stages.judging.as_ref().filter(|_| self.reads_all) else {
            return Ok(());
        };
        for predictions in [Some(&judging.predictions), judging.against.as_ref()]
            .into_iter()
            .flatten()
        {
            predictions.check_rows(&report.done.records)?;
            if self.options.key.is_some() && predictions.unused() > 0 {
                tracing::warn!(
                    predictions = predictions.unused(),
                    "{} of {} predictions have a key that no puzzle has",
                    predictions.unused(),
                    predictions.count()
                );
            }
        }
        Ok(())
    }

    /// Fails if fewer predictions solve their puzzle than `--min-exact` asks for.
    pub(super) fn check(&self, evaluation: Option<&Evaluation>) -> Result<(), CommandError> {
        let none = Evaluation::default();
        let evaluation = evaluation.unwrap_or(&none);
        match self.min_exact {
            Some(least) => Ok(least.check(evaluation.all()).map_err(Error::from)?),
            None => Ok(()),
        }
    }
}
