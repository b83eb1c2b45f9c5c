//! `compare`: runs several solvers on the same puzzles.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use sudoku_core::solve::{Kernel, Limits, Method};
use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::{Comparison, Contender, runs_schema};
use sudoku_pipeline::read;
use sudoku_pipeline::write::{OutputFormat, TableMetadata, TargetOptions};

use super::args::InputArgs;
use super::destination::{Destination, refuse_grids};
use super::error::{CommandError, UsageError};
use super::log::log_skipped;
use super::one_table;
use super::plan::read_options;

pub(super) const EXAMPLES: &str = "\
Examples:
  pipeline compare puzzles.csv -o runs.parquet --label difficulty
  pipeline compare hard.txt -o runs.csv --solvers lanes,templates,dlx --guess-limit 100000
  pipeline compare puzzles.txt -o runs.parquet --format json | jq .solvers

A row of the table is one solver's run on one puzzle. A run ends with the first solution unless
--solution-limit says otherwise, or with --guess-limit. Each run is on one thread, and unless
--parallel-runs says otherwise alone. Solvers that disagree are an error: exit code 3, with the puzzle.";

#[derive(Args)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    input: InputArgs,
    /// Accept inputs without puzzles: empty files, tables without rows, and inputs whose records are all
    /// rejected
    #[arg(long, help_heading = "Reading")]
    allow_empty: bool,
    /// The table of runs to write, in the format of its extension
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    output: PathBuf,
    #[arg(long, hide = true)]
    output_format: Option<OutputFormat>,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, help_heading = "Writing")]
    overwrite: bool,
    /// The format of the summary on standard output
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Writing"
    )]
    format: SummaryFormat,
    /// Short for --format json
    #[arg(long, hide = true)]
    json: bool,
    /// The solvers: all, or names separated by commas: lanes, templates, filter, dlx,
    /// backtrack-pairs-mrv and the like; backtrack and elimination stand for all their settings
    #[arg(
        long,
        value_name = "LIST",
        default_value = "all",
        value_delimiter = ',',
        help_heading = "Solving"
    )]
    solvers: Vec<String>,
    /// The column that groups the puzzles, for instance their difficulty
    #[arg(long, value_name = "COLUMN", help_heading = "Solving")]
    label: Option<String>,
    /// End a run after this many guesses
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        help_heading = "Solving"
    )]
    guess_limit: u64,
    /// End a run after this many solutions: 1 finds one, 2 also proves that it is the only one
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..), help_heading = "Solving")]
    solution_limit: u32,
    /// Time each run this many times, and keep the shortest time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Solving")]
    repeat: u32,
    /// Do this many runs at a time: this is faster in all, but the times of the runs are longer and less
    /// reliable
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024), help_heading = "Solving")]
    parallel_runs: usize,
}

/// The format of the summary of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SummaryFormat {
    /// Tables for a terminal
    Text,
    /// One JSON object
    Json,
}

pub(super) fn run(args: CompareArgs) -> Result<(), CommandError> {
    let options = read_options(&args.input);
    let kernel = Kernel::from_env()?;
    let methods = methods(&args.solvers)?.into_iter();
    let comparison = Comparison {
        contenders: methods
            .map(|method| Contender::new(method, kernel))
            .collect(),
        limits: Limits {
            solutions: args.solution_limit,
            nodes: args.guess_limit,
        },
        repeat: args.repeat,
        label: args.label,
        kernel,
        threads: args.parallel_runs,
        allow_empty: args.allow_empty,
    };
    let target = TargetOptions {
        overwrite: args.overwrite,
    };
    let table = one_table::table(args.output, args.output_format, target)?;
    refuse_grids(table.format, "runs")?;
    if table.path.is_none() {
        return Err(UsageError::StdoutTwice("runs").into());
    }
    let inputs = &args.input.inputs;
    let expanded = read::expand(inputs)?;
    log_skipped(&expanded);
    if !args.allow_empty {
        expanded.refuse_empty(true)?;
    }
    let paths = expanded.inputs;
    Destination::of_table(table.clone()).refuse_inputs(&[], inputs, &paths)?;
    let metadata: TableMetadata = vec![
        ("pipeline.version".into(), sudoku_pipeline::VERSION.into()),
        ("pipeline.command".into(), "compare".into()),
        ("pipeline.guess_limit".into(), args.guess_limit.to_string()),
        (
            "pipeline.solution_limit".into(),
            args.solution_limit.to_string(),
        ),
    ];
    let mut writer = table.start(&runs_schema(), &metadata)?;
    let tables = comparison.run(&paths, &options, &mut |rows| writer.write(rows))?;
    writer.finish()?.commit()?;
    let text = match args.json || args.format == SummaryFormat::Json {
        true => format!("{:#}\n", tables.json()),
        false => tables.text(),
    };
    super::print(text.as_bytes())?;
    Ok(tables.agreement().map_err(Error::from)?)
}

/// The solvers of a list, without repetitions.
fn methods(names: &[String]) -> Result<Vec<Method>, CommandError> {
    let mut methods: Vec<Method> = Vec::new();
    for name in names {
        let all = Method::all().into_iter();
        let of_name: Vec<Method> = all
            .filter(|method| name == "all" || method.id() == name)
            .collect();
        let of_name = match of_name.is_empty() {
            true => vec![name.parse::<Method>().map_err(UsageError::from)?],
            false => of_name,
        };
        for method in of_name {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
    }
    Ok(methods)
}
