//! `evaluate`: judges the predictions of a model for the puzzles of a dataset.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use sudoku_core::grade::{Ladder, Rank, SEARCH};
use sudoku_pipeline::error::FormatError;
use sudoku_pipeline::job::{PredictionOptions, Task};
use sudoku_pipeline::options::SHARD;
use sudoku_pipeline::read::{InputFormat, ReadOptions, RecordSelection};
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::table::columns::ColumnGroup;

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::choose::ViewArgs;
use crate::cli::options::input::{ReadArgs, read_options};
use crate::cli::options::numbers::between;
use crate::cli::options::one_table::{OptionalTableArgs, TableArgs};
use crate::cli::options::output::WriteArgs;
use crate::cli::options::running::ReportArgs;
use crate::cli::options::solving::{LimitArgs, RatingArgs, solver_limits};
use crate::cli::run::destination;
use crate::cli::run::evaluate::{EvaluateWork, MinExact};
use crate::cli::run::plan::{self, Plan};
use crate::cli::run::text_output::{TextKind, TextOutput};
use crate::cli::run::work::Work;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline evaluate test.csv predictions.txt -o judged.parquet
  pipeline evaluate exam.csv model.ndjson --prediction-column output --key id
  pipeline evaluate answers.ndjson --prediction-column response --extract
  pipeline evaluate answers.ndjson --extract --extract-report answers.json
  pipeline evaluate rollouts.ndjson --steps moves --max-rank 15 -o judged.csv
  pipeline evaluate puzzle.txt new.npy --token-offset 1 --against old.npy
  pipeline evaluate test.csv predictions.txt --min-exact 95% --summary s.json

The predictions belong to the puzzles row by row, or by the values of --key; without a second file they are a
column of the puzzles. In a plain text each line is a prediction, and an empty line a missing one (empty
lines at the end are none). A puzzle with several solutions is solved by any of them. The counts are printed:
for all puzzles, by level, hardest technique, clues and, with --with se, rating; intervals are Wilson's, with
95 %.";

/// The help text of the inputs.
const INPUTS: &str = "The test set, then the predictions if another file has them: each can be a file, a folder or a \
                      pattern in quotes";

#[derive(Args)]
#[command(mut_arg("inputs", |inputs| inputs.value_name("TEST").help(INPUTS)))]
pub(crate) struct EvaluateArgs {
    /// The column with the predictions [default: found by its usual names, such as prediction or output]
    #[arg(long, value_name = "NAME")]
    prediction_column: Option<String>,
    /// The format of the predictions [default: recognised from their first bytes]
    #[arg(long, value_name = "FORMAT")]
    prediction_format: Option<InputFormat>,
    /// The number for an empty cell in arrays of predictions, if it is not that of the puzzles, from -1 to 255
    /// [default: that of --token-offset]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i16).range(-1..=255))]
    prediction_token_offset: Option<i16>,
    /// The column that both files have in common: its values say which prediction belongs to which puzzle
    /// [default: row by row]
    #[arg(long, value_name = "COLUMN")]
    key: Option<String>,
    /// Find the answer in each prediction, which is the text of a language model: of all grids in it, the one in
    /// the part for the answer, after words such as "final answer", or the last
    #[arg(long)]
    extract: bool,
    /// With --extract: write how often each form and each rule gave each verdict, as JSON
    #[arg(long, value_name = "FILE", requires = "extract")]
    extract_report: Option<PathBuf>,
    /// Judge each move of the sequences in this column: lists of r1c3=4 and r1c3<>4, steps as trace writes them, or
    /// boards one after the other. The board after the last move is the prediction
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["prediction_column", "extract"])]
    steps: Option<String>,
    /// The highest rank of a technique that can give a move, with --steps [default: the whole ladder, whose hardest
    /// techniques give nearly every right move]
    #[arg(long, value_name = "N", requires = "steps",
          value_parser = between::<u8>(1, SEARCH.number()))]
    max_rank: Option<u8>,
    /// With --steps: add the column judged_moves, a list of the moves with their verdicts
    #[arg(long, requires = "steps")]
    moves: bool,
    /// The predictions of another model for the same puzzles: counts the puzzles that both models solve,
    /// only one of them, or none
    #[arg(long, value_name = "FILE")]
    against: Option<String>,
    /// Fail if fewer predictions solve their puzzle: a number, or a percentage such as 95%; the
    /// exit code is then 3
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
    pub(crate) report: ReportArgs,
}

pub(crate) fn plan(args: EvaluateArgs) -> Result<Plan, CommandError> {
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
        names => return Err(UsageError::InputCount {
            takes: "evaluate takes a file of puzzles and one of predictions, or one file with both",
            named: names.len(),
        }
        .into()),
    };
    if args.against.is_some() && args.against == predictions {
        return Err(UsageError::SamePredictions.into());
    }
    if read.shard.is_some() {
        let reason = "evaluate counts a whole dataset";
        return Err(UsageError::not_together(reason, &[SHARD]).into());
    }
    let task = Task::Grade {
        ladder: Ladder::default(),
        uniqueness: false,
        limits: solver_limits(&limits),
    };
    let mut column_groups = task.groups();
    column_groups.push(ColumnGroup::Judged);
    if args.extract {
        column_groups.push(ColumnGroup::JudgedAnswer);
    }
    if args.steps.is_some() {
        column_groups.push(ColumnGroup::JudgedSteps);
    }
    if args.moves {
        column_groups.push(ColumnGroup::JudgedMoves);
    }
    if args.against.is_some() {
        column_groups.push(ColumnGroup::JudgedAgainst);
    }
    let mut stages = task.stages();
    rating.apply(&limits.with, &mut stages)?;
    let prediction_read = ReadOptions {
        format: match &predictions {
            Some(_) => args.prediction_format,
            None => args.prediction_format.or(read.input.input_format),
        },
        token_offset: args.prediction_token_offset.or(read.input.token_offset),
        ..read_options(&read.input)
    };
    let options = PredictionOptions {
        read: ReadOptions {
            column_types: Vec::new(),
            ..prediction_read
        },
        is_steps: args.steps.is_some(),
        column: args.steps.or(args.prediction_column),
        key: args.key,
        row_keys: Vec::new(),
        key_is_puzzle: false,
        is_same_table: predictions.is_none(),
        allow_empty: read.allow_empty,
    };
    let selection = read.selection.records();
    let OptionalTableArgs { output, format } = table;
    let row_view = view.view();
    let table = output.map(|output| TableArgs {
        output,
        format,
        compression: None,
    });
    let write = table.map(|table| WriteArgs::one_table(table, view));
    let overwrite = report.overwrite;
    let own_column = options.column.clone().filter(|_| options.is_same_table);
    let mut plan = plan::plan("evaluate", read, write, report, stages, column_groups)?;
    plan.run.read.prediction_column = own_column;
    let answers = args.extract_report;
    let answers = answers.map(|path| TextOutput::new(TextKind::Answers, path, overwrite));
    plan.texts.extend(answers);
    if let Some(format) = plan.destination.format() {
        destination::refuse_grids(format, "verdicts")?;
        if args.moves && !format.has_nested() {
            return Err(FormatError::new(
                format.id,
                "cannot hold lists: write Parquet, Arrow or NDJSON",
            )
            .into());
        }
    }
    plan.view = row_view;
    plan.add_limits(limits)?;
    let metadata = &mut plan.metadata;
    metadata.add("predictions", predictions.as_deref().map(display_name));
    metadata.add("against", args.against.as_deref().map(display_name));
    let column_option = if options.is_steps {
        "steps"
    } else {
        "prediction_column"
    };
    metadata.add(column_option, options.column.as_ref());
    metadata.add("prediction_token_offset", args.prediction_token_offset);
    metadata.add("max_rank", args.max_rank);
    metadata.add("key", options.key.as_ref());
    metadata.add("extract", args.extract.then_some(true));
    let highest = args.max_rank.and_then(Rank::from_number).unwrap_or(SEARCH);
    let steps = options.is_steps.then(|| Arc::new(Ladder::up_to(highest)));
    plan.work = Work::Evaluate(Box::new(EvaluateWork {
        predictions,
        against: args.against,
        options,
        extract: args.extract,
        steps,
        min_exact: args.min_exact,
        reads_all: selection == RecordSelection::default(),
    }));
    Ok(plan)
}
