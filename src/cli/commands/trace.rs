//! `trace`: writes the verified steps that solve each puzzle.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, Limits};
use sudoku_pipeline::error::{Error, FormatError};
use sudoku_pipeline::formats::output_formats;
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::table::columns::{ColumnGroup, STEP_ARRAY};
use sudoku_pipeline::table::template::Template;
use sudoku_pipeline::write::{OutputFormat, names_stdout};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::input::ReadArgs;
use crate::cli::options::one_table;
use crate::cli::options::output::WriteArgs;
use crate::cli::options::running::ReportArgs;
use crate::cli::run::destination::refuse_grids;
use crate::cli::run::plan::{self, Plan};

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline trace puzzles.csv -o traces.parquet
  pipeline trace puzzles.csv -o traces.ndjson --where \"solutions = 1\"
  pipeline trace train.parquet -o chat.ndjson --format chat
  pipeline trace train.parquet -o steps.npy --format steps-npy
  pipeline trace train.csv -o prompts.ndjson --template template.json

The steps are those that explain shows: together they are the waves of the grade. Each is checked against the
solution, and the last board is the solution. A puzzle without exactly one solution has no steps: they are
null, and status says why; --format chat, --format steps-npy and --template leave it out, as one of the rows that are filtered,
like the puzzles of other sizes than 9 × 9.";

/// The number of puzzles in a batch. It is small because the steps of a puzzle take about 40 KiB.
const BATCH_ROWS: usize = 64;

/// The format in which traces are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TraceFormat {
    /// One row per puzzle, with the steps as a list.
    Steps(OutputFormat),
    /// One row per puzzle, with the single column `messages`.
    Chat,
    /// A NumPy array with one row of numbers per puzzle.
    StepsNpy,
}

impl ValueEnum for TraceFormat {
    fn value_variants<'a>() -> &'a [TraceFormat] {
        static ALL: LazyLock<Vec<TraceFormat>> = LazyLock::new(|| {
            let table_formats = output_formats().filter(|format| format.has_nested());
            let table_formats = table_formats.map(TraceFormat::Steps);
            let others = [TraceFormat::Chat, TraceFormat::StepsNpy];
            table_formats.chain(others).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            TraceFormat::Steps(format) => format.to_possible_value(),
            TraceFormat::Chat => Some(PossibleValue::new("chat").help(
                "NDJSON with the column messages: the puzzle as a question, the steps in words as the answer",
            )),
            TraceFormat::StepsNpy => Some(PossibleValue::new("steps-npy").help(
                "A NumPy array (rows, 325) of uint8: the number of clues, then row and column from 0, digit and rank of \
                 each cell, in the order of the steps",
            )),
        }
    }
}

#[derive(Args)]
pub(crate) struct TraceArgs {
    /// Give a puzzle up after this many search nodes: its status is then gave_up
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODE_LIMIT)]
    node_limit: u64,
    /// Write a row of texts for each puzzle instead: a JSON object of texts with the placeholders {puzzle},
    /// {solution} and {steps}, such as {"prompt": "Solve {puzzle}", "answer": "{steps}"}
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    write: WriteArgs<TraceFormat>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// Reads a template.
fn read_template(path: &Path) -> Result<Template, CommandError> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::Read {
        source_name: path.display().to_string(),
        error,
    })?;
    Template::parse(&text).map_err(|error| {
        let path = path.to_owned();
        UsageError::Template { path, error }.into()
    })
}

pub(crate) fn plan(args: TraceArgs) -> Result<Plan, CommandError> {
    let mut column_groups = vec![
        ColumnGroup::Origin,
        ColumnGroup::Puzzle,
        ColumnGroup::Solution,
    ];
    let mut args = args;
    // Lists of steps have no place in CSV, the format of other tables on standard output.
    if args.template.is_none() && names_stdout(&args.write.table.output) {
        let ndjson = TraceFormat::Steps(OutputFormat::NDJSON);
        args.write.table.format.get_or_insert(ndjson);
    }
    let is_chat = args.write.table.format == Some(TraceFormat::Chat);
    let is_array = args.write.table.format == Some(TraceFormat::StepsNpy);
    let template = args.template.as_deref().map(read_template).transpose()?;
    if template.is_some() && (is_chat || is_array || args.write.view.select.is_some()) {
        return Err(UsageError::TemplateAndColumns.into());
    }
    column_groups.extend(match &template {
        _ if is_chat => Some(ColumnGroup::Chat),
        _ if is_array => Some(ColumnGroup::StepArray),
        None => Some(ColumnGroup::Trace),
        Some(_) => None,
    });
    let stages = Stages {
        solve: Some(Limits {
            nodes: args.node_limit,
            ..Limits::default()
        }),
        most_rows: Some(BATCH_ROWS),
        ..Stages::default()
    };
    let write = args.write.with_format(|format| match format {
        TraceFormat::Steps(format) => format,
        TraceFormat::Chat => OutputFormat::NDJSON,
        TraceFormat::StepsNpy => OutputFormat::NPY,
    });
    let format_by_name = one_table::format_of_name(&write.table.output);
    let write = Some(write);
    let mut plan = plan::plan(
        "trace",
        args.read,
        write,
        args.report,
        stages,
        column_groups,
    )?;
    let format = plan.destination.format();
    if let Some(format) = format.filter(|_| !is_array) {
        refuse_grids(format, "steps")?;
        if !format.has_nested() && template.is_none() {
            return Err(FormatError::new(
                format.id,
                "cannot hold lists: write Parquet, Arrow or NDJSON",
            )
            .into());
        }
    }
    if is_chat {
        if format_by_name.is_some_and(|format| format != OutputFormat::NDJSON)
            || plan.view.select.is_some()
        {
            return Err(UsageError::ChatIsNdjson.into());
        }
        // Programs for training expect only the column `messages`.
        plan.view.select = Some(vec!["messages".to_owned()]);
    }
    if is_array {
        if format_by_name.is_some_and(|format| format != OutputFormat::NPY)
            || plan.view.select.is_some()
        {
            return Err(UsageError::StepsAreNpy.into());
        }
        // Formats of grids need the column of puzzles.
        plan.view.select = Some(vec!["puzzle".to_owned(), STEP_ARRAY.to_owned()]);
    }
    if let Some(template) = &template {
        plan.view.select = Some(template.names().map(str::to_owned).collect());
        let text = template.names().collect::<Vec<_>>().join(",");
        plan.metadata.add("template", Some(text));
    }
    if is_chat || is_array || template.is_some() {
        // Puzzles of other sizes than 9 × 9 have no messages, and null in columns of steps.
        let mut required = "status = 'unique'".to_owned();
        if is_chat {
            required += " and messages is not null";
        }
        if is_array {
            required += &format!(" and {STEP_ARRAY} is not null");
        }
        for name in template.iter().flat_map(Template::names) {
            let name = name.replace('"', "\"\"");
            required += &format!(" and \"{name}\" is not null");
        }
        plan.view.required = Some(required);
    }
    plan.template = template;
    plan.metadata.add("node_limit", Some(args.node_limit));
    Ok(plan)
}
