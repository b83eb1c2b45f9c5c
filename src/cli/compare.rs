//! `compare`: several solvers on the same puzzles.

use std::path::PathBuf;

use clap::Args;
use sudoku_core::solve::{Kernel, Limits, Method};
use sudoku_pipeline::error::{Error, SolversDisagree};
use sudoku_pipeline::job::{Comparison, runs_schema};
use sudoku_pipeline::read;
use sudoku_pipeline::write::{Holds, Metadata, OutputFormat, TargetOptions};

use super::args::InputArgs;
use super::destination;
use super::error::{CommandError, UsageError};
use super::plan::read_options;

pub(super) const EXAMPLES: &str = "\
Examples:
  pipeline compare puzzles.csv -o runs.parquet --label difficulty
  pipeline compare hard.txt -o runs.csv --solvers lanes,templates,dlx --guess-limit 100000
  pipeline compare puzzles.txt -o runs.parquet --json | jq .solvers

A row of the table is one solver's run on one puzzle. A run ends with the first solution unless
--solution-limit says otherwise, or with --guess-limit. Times are of one thread. Solvers that
disagree are an error: exit code 3, with the puzzle.";

#[derive(Args)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    input: InputArgs,
    /// The table of runs; its ending tells the format
    #[arg(
        short,
        long,
        value_name = "FILE",
        env = "PIPELINE_OUTPUT",
        help_heading = "Writing"
    )]
    output: PathBuf,
    /// The output's format [default: told by the name]
    #[arg(
        long,
        value_name = "FORMAT",
        env = "PIPELINE_OUTPUT_FORMAT",
        help_heading = "Writing"
    )]
    output_format: Option<OutputFormat>,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, env = "PIPELINE_OVERWRITE", help_heading = "Writing")]
    overwrite: bool,
    /// Print the tables as one JSON object
    #[arg(long, env = "PIPELINE_JSON", help_heading = "Writing")]
    json: bool,
    /// The solvers: all, or names separated by commas: lanes, templates, filter, dlx,
    /// backtrack-pairs-mrv and the like; backtrack and elimination stand for all their settings
    #[arg(
        long,
        value_name = "LIST",
        default_value = "all",
        value_delimiter = ',',
        env = "PIPELINE_SOLVERS",
        help_heading = "Solving"
    )]
    solvers: Vec<String>,
    /// The column that groups the puzzles, for instance their difficulty
    #[arg(
        long,
        value_name = "COLUMN",
        env = "PIPELINE_LABEL",
        help_heading = "Solving"
    )]
    label: Option<String>,
    /// End a run after this many guesses
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        env = "PIPELINE_GUESS_LIMIT",
        help_heading = "Solving"
    )]
    guess_limit: u64,
    /// End a run after this many solutions: 1 finds one, 2 shows that there is no other
    #[arg(long, value_name = "N", default_value_t = 1, env = "PIPELINE_SOLUTION_LIMIT",
          value_parser = clap::value_parser!(u32).range(1..), help_heading = "Solving")]
    solution_limit: u32,
    /// Time each run this many times, and keep the shortest time
    #[arg(long, value_name = "N", default_value_t = 1, env = "PIPELINE_REPEAT",
          value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Solving")]
    repeat: u32,
}

pub(super) fn run(args: CompareArgs) -> Result<(), CommandError> {
    let options = read_options(&args.input);
    let comparison = Comparison {
        methods: methods(&args.solvers)?,
        limits: Limits {
            solutions: args.solution_limit,
            nodes: args.guess_limit,
        },
        repeat: args.repeat,
        label: args.label,
        kernel: Kernel::from_env()?,
    };
    let target = TargetOptions {
        overwrite: args.overwrite,
    };
    let table = destination::table(args.output, args.output_format, target)?;
    if table.format.holds == Holds::Grids {
        return Err(UsageError::GridsOnly {
            format: table.format.id,
            what: "runs",
        }
        .into());
    }
    if table.path.is_none() {
        return Err(UsageError::StdoutTwice("runs").into());
    }
    let paths = read::expand(&args.input.inputs)?;
    if let Some(output) = &table.path {
        let same = |path: &&String| std::path::Path::new(path) == output.as_path();
        if paths.iter().any(|path| same(&path)) {
            return Err(UsageError::IsInput(output.clone()).into());
        }
    }
    let metadata: Metadata = vec![
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
    let text = match args.json {
        true => format!("{:#}\n", tables.json()),
        false => tables.text(),
    };
    super::print(text.as_bytes())?;
    match tables.disagreements.first() {
        None => Ok(()),
        Some((puzzle, method)) => Err(Error::from(SolversDisagree {
            puzzle: puzzle.clone(),
            solver: method.to_string(),
            runs: tables.disagreements.len() as u64,
        })
        .into()),
    }
}

/// The solvers of a list, each once.
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
