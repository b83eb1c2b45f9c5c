//! The arguments of the commands that process datasets.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use arrow::datatypes::DataType;
use bytesize::ByteSize;
use clap::builder::{
    OsStringValueParser, PossibleValue, PossibleValuesParser, RangedU64ValueParser,
    TypedValueParser,
};
use clap::{Args, ValueEnum};
use sudoku_core::grade::{Ladder, LadderNameError, Rank, SEARCH};
use sudoku_core::rating;
use sudoku_core::rating::hodoku::HodokuVersion;
use sudoku_core::sizes::Alphabet;
use sudoku_core::solve::{
    DEFAULT_NODE_LIMIT, DEFAULT_SOLUTION_LIMIT, Method, Order, Rounds, Scheme,
};
use sudoku_pipeline::read::{InferTypes, InputFormat};
use sudoku_pipeline::report::RejectLimit;
use sudoku_pipeline::store::path_text;
use sudoku_pipeline::table::columns::{HODOKU, RATING, requestable};
use sudoku_pipeline::write::{FORMATS, Holds, OutputFormat, Shard};

use crate::nearest::did_you_mean;

use super::choose::{KeepArg, TakeArgs, ViewArgs};
use super::dataset::DatasetArgs;
use super::error::UsageError;
use super::names::Names;
use super::one_table::{RowFormat, TableArgs};

pub(super) const GRADE_EXAMPLES: &str = "\
Examples:
  pipeline grade millions.csv.gz -o graded.parquet
  pipeline grade puzzles.txt -o graded.csv.gz --summary summary.json
  pipeline grade puzzles.txt -o basic.csv --ladder basic --max-rank 15
  pipeline grade in.parquet -o - --format csv | head
  pipeline grade 'raw/*.csv.gz' -o graded/ --resume
  pipeline grade puzzles.txt -o rated.parquet --with se --where \"se >= 7.2\"
  pipeline grade raw/ -o by_level/ --partition-by level
  pipeline grade puzzles.csv -o graded.parquet --report statistics.json";

pub(super) const SOLVE_EXAMPLES: &str = "\
Examples:
  pipeline solve puzzles.txt -o solved.parquet
  pipeline solve puzzles.csv.gz -o - --format lines
  pipeline solve ambiguous.txt -o counted.csv --solution-limit 1000
  pipeline solve puzzles.txt -o solved.csv --solver backtrack --scheme pairs";

pub(super) const CONVERT_EXAMPLES: &str = "\
Examples:
  pipeline convert sudoku.csv -o sudoku.parquet
  pipeline convert millions.csv.gz -o puzzles.txt.gz
  pipeline convert forum.txt -o clean.csv --keep none
  pipeline convert raw/ -o clean/ --format csv --compression zstd";

pub(super) const VALIDATE_EXAMPLES: &str = "\
Examples:
  pipeline validate sudoku.csv.gz
  pipeline validate puzzles.txt -o failures.csv --summary summary.json
  pipeline validate puzzles.txt --format ndjson | jq -r .why

Lists every record that fails, with source, row, line and reason (pipeline schema validate). The exit code is 3 unless
every record is a puzzle with exactly one solution, and every solution that came with a puzzle is right.";

#[derive(Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct InputArgs {
    /// The files or folders to read: also patterns in quotes, in any format of --input-format; text
    /// can be compressed with gzip or zstd; - is standard input
    #[arg(value_name = "INPUT", required = true, value_parser = input_name())]
    pub(super) inputs: Vec<String>,
    /// The input's format [default: recognised from its first bytes]
    #[arg(long, value_name = "FORMAT")]
    pub(super) input_format: Option<InputFormat>,
    /// The column with the puzzles [default: found by its usual names]
    #[arg(long, value_name = "NAME")]
    pub(super) puzzle_column: Option<String>,
    /// The column with the solutions [default: found by its usual names]
    #[arg(long, value_name = "NAME")]
    pub(super) solution_column: Option<String>,
    /// The symbols of 12 × 12, 16 × 16 or 25 × 25 grids in order, for
    /// instance 1-9A-G, 0-9A-F or A-Y [default: inferred from the first grids]
    #[arg(long, value_name = "SYMBOLS")]
    pub(super) alphabet: Option<Alphabet>,
    /// The number of an empty cell in NumPy arrays, and in lists of numbers in JSON, Parquet and Arrow;
    /// the digits follow it [default: 1 where they are 1 to 10, else 0]
    #[arg(long, value_name = "N")]
    pub(super) token_offset: Option<u8>,
    /// The other columns to copy to the output: all, none, or names separated by commas; a name with
    /// a comma, or that is one of these words, has to be in double quotes
    #[arg(long, value_name = "COLUMNS", default_value = "all")]
    pub(super) keep: KeepArg,
    /// The character between the fields of CSV; \t is a tab [default: inferred from the header]
    #[arg(long, value_name = "CHAR", value_parser = delimiter)]
    pub(super) delimiter: Option<u8>,
    /// The longest record of a text format, from 128KiB to 1GiB; longer ones are rejected
    /// [default: 1MiB]
    #[arg(long, value_name = "SIZE", value_parser = record_size)]
    pub(super) max_record_bytes: Option<ByteSize>,
    /// Infer the types of columns from the first records: auto for JSON only, all for JSON and CSV,
    /// none for no format
    #[arg(
        long,
        value_name = "WHICH",
        num_args = 0..=1,
        require_equals = true,
        default_value = "auto",
        default_missing_value = "all"
    )]
    pub(super) infer_types: InferTypes,
    /// Read these columns of CSV or JSON as these types: NAME=text, int64, uint64, float64, boolean
    #[arg(
        long,
        value_name = "NAME=TYPE",
        value_delimiter = ',',
        value_parser = column_type
    )]
    pub(super) types: Vec<(String, DataType)>,
}

/// Parses `NAME=TYPE`, such as `rating=float64`.
fn column_type(text: &str) -> Result<(String, DataType), String> {
    let (name, data_type) = text.rsplit_once('=').ok_or("must be NAME=TYPE")?;
    let data_type = match data_type.trim() {
        "text" => DataType::Utf8,
        "int64" => DataType::Int64,
        "uint64" => DataType::UInt64,
        "float64" => DataType::Float64,
        "boolean" => DataType::Boolean,
        other => {
            return Err(format!(
                "{other:?} is not one of text, int64, uint64, float64, boolean"
            ));
        }
    };
    Ok((name.trim().to_owned(), data_type))
}

#[derive(Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct ReadArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    /// Process the inputs whose names have a hash that is I modulo N (I from 0 to N - 1); if there are
    /// fewer than N inputs, all of them Parquet, every N-th row group
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// If an input is truncated or damaged, process the records that can be read; the summary says
    /// what was lost
    #[arg(long)]
    pub(super) keep_going: bool,
    /// Accept inputs without puzzles: empty files, tables without rows, and inputs whose records
    /// are all rejected
    #[arg(long)]
    pub(super) allow_empty: bool,
    #[command(flatten)]
    pub(super) take: TakeArgs,
}

/// The name of an input, which can have any bytes.
fn input_name() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().map(|name| path_text(Path::new(&name)))
}

/// Parses a ladder, and suggests techniques for one that is not known.
fn ladder(text: &str) -> Result<Ladder, String> {
    Ladder::named(text).map_err(|error| {
        let LadderNameError::Unknown { id } = &error;
        let known = ["full", "basic", "hodoku"]
            .into_iter()
            .chain(Rank::all().map(Rank::id));
        format!("{error}{}", did_you_mean(id, known))
    })
}

fn record_size(text: &str) -> Result<ByteSize, String> {
    let size: ByteSize = text.parse()?;
    match (ByteSize::kib(128)..=ByteSize::gib(1)).contains(&size) {
        true => Ok(size),
        false => Err("the limit is from 128KiB to 1GiB".to_owned()),
    }
}

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" | b"tab" => Ok(b'\t'),
        [b'"' | b'\r' | b'\n'] => Err("quotes and line ends cannot be delimiters".into()),
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err("the delimiter is one ASCII character".into()),
    }
}

const OUTPUT: &str = "The table to write, in the format of its extension (.parquet, .csv, .arrow, .ndjson, \
                      .txt …; text formats also with .gz or .zst); - is standard output; a name that ends \
                      with / is a folder, which gets a part for each input";

#[derive(Args)]
#[command(next_help_heading = "Writing", mut_arg("output", |output| output.help(OUTPUT)))]
pub(super) struct WriteArgs<F: RowFormat = OutputFormat> {
    #[command(flatten)]
    pub(super) table: TableArgs<F>,
    /// Write a folder for each value of these columns: the output is a folder with subfolders such as
    /// level=easy/
    #[arg(long, value_name = "COLUMNS")]
    pub(super) partition_by: Vec<Names>,
    /// Write a folder whose parts have at most N rows
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) max_rows_per_file: Option<u64>,
    /// Resume a folder: keep the parts whose input, options and version have not changed, and write
    /// the others
    #[arg(long, conflicts_with = "overwrite")]
    pub(super) resume: bool,
    /// When resuming, remove the parts whose inputs are gone; without it they stay
    #[arg(long, requires = "resume")]
    pub(super) prune: bool,
    #[command(flatten)]
    pub(super) view: ViewArgs,
}

impl<F: RowFormat> WriteArgs<F> {
    /// The same options with another type of format.
    pub(super) fn with_format(self, format: impl FnOnce(F) -> OutputFormat) -> WriteArgs {
        WriteArgs {
            table: TableArgs {
                output: self.table.output,
                format: self.table.format.map(format),
                compression: self.table.compression,
            },
            partition_by: self.partition_by,
            max_rows_per_file: self.max_rows_per_file,
            resume: self.resume,
            prune: self.prune,
            view: self.view,
        }
    }
}

#[derive(Args)]
#[command(next_help_heading = "Reporting")]
pub(super) struct ReportArgs {
    /// The table of rejected records [default: a table beside the output, if there are any]
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,
    /// Fail if more records are rejected: a number, or a percentage such as 0.5% [default: half of
    /// the records, and always 10]; the exit code is then 3
    #[arg(long, value_name = "N|P%")]
    pub(super) max_rejects: Option<RejectLimit>,
    /// Fail if more records came with a wrong solution: a number, or a percentage; the exit code is
    /// then 3
    #[arg(long, value_name = "N|P%")]
    pub(super) max_wrong: Option<RejectLimit>,
    /// Replace outputs that exist, once the new ones are complete
    #[arg(long, help_heading = "Writing")]
    pub(super) overwrite: bool,
    /// Write a summary of the run as one JSON object, also if the run fails; it replaces the summary
    /// of the last run; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(super) summary: Option<PathBuf>,
    /// Write metrics of the run for Prometheus' textfile collector, also if the run fails; they
    /// replace those of the last run
    #[arg(long, value_name = "FILE")]
    pub(super) metrics: Option<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(super) struct RunArgs {
    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N",
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub(super) threads: Option<usize>,
    /// Use at most this much memory, for instance 256MiB [default: the container's limit]
    #[arg(long, value_name = "SIZE")]
    pub(super) memory_limit: Option<ByteSize>,
    /// Show progress on standard error
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) progress: ProgressWhen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ProgressWhen {
    /// If standard error is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Args)]
pub(super) struct LimitArgs {
    /// Count the solutions of a puzzle up to this many
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SOLUTION_LIMIT, value_parser = clap::value_parser!(u32).range(2..))]
    pub(super) solution_limit: u32,
    /// Give a puzzle up after this many search nodes (guesses): its status is then gave_up; on larger
    /// grids, where a node costs more, after the work of this many nodes of a 9 × 9 grid
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODE_LIMIT,
          visible_alias = "guess-limit")]
    pub(super) node_limit: u64,
    /// Add columns; waves adds the number of waves of each technique (waves_naked_pair and so on); se
    /// adds the ratings of Sudoku Explainer: se, se_pearl, se_diamond, se_status, se_canonical,
    /// se_canonical_status; te adds the depth of trial and error: te_depth, te_status;
    /// hodoku adds HoDoKu's rating: hodoku_level, hodoku_score, hodoku_status, hodoku_hardest
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(requestable(true)))]
    pub(super) with: Vec<String>,
}

/// The limits of ratings.
#[derive(Args)]
pub(super) struct RatingArgs {
    /// With --with se: the highest rating to compute, from 1.0 to 12.0; a puzzle with a step above it
    /// has se null and se_status above. 12 rates all puzzles; above 9.0 one can take minutes
    /// [default: 9.0]
    #[arg(long, value_name = "RATING")]
    pub(super) se_max: Option<rating::Rating>,
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..),
          help = format!(
              "With --with se: give a rating up after this much work, counted in nodes of chains and of the \
               search for loops; se is then null and se_status gave_up. It is the same on every machine \
               [default: {}]",
              rating::RatingLimits::WORK
          ))]
    pub(super) se_work: Option<u64>,
    /// With --with hodoku: the version of HoDoKu, 2.2 or 2.3; they choose differently among chains
    /// [default: 2.2]
    #[arg(long, value_name = "VERSION")]
    pub(super) hodoku_version: Option<HodokuVersion>,
}

impl RatingArgs {
    /// The limits of the ratings that `--with` asks for.
    pub(super) fn limits(&self, with: &[String]) -> Result<rating::RatingLimits, UsageError> {
        let is_limited = self.se_max.is_some() || self.se_work.is_some();
        if is_limited && !with.iter().any(|name| name == RATING) {
            return Err(UsageError::NotTogether(
                "--se-max and --se-work are limits of ratings: give --with se too",
            ));
        }
        let default = rating::RatingLimits::default();
        Ok(rating::RatingLimits {
            highest: self.se_max.unwrap_or(default.highest),
            work: self.se_work.unwrap_or(default.work),
        })
    }

    /// The version of HoDoKu whose rating `--with` asks for.
    pub(super) fn hodoku(&self, with: &[String]) -> Result<HodokuVersion, UsageError> {
        if self.hodoku_version.is_some() && !with.iter().any(|name| name == HODOKU) {
            return Err(UsageError::NotTogether(
                "--hodoku-version is the version of a rating: give --with hodoku too",
            ));
        }
        Ok(self.hodoku_version.unwrap_or_default())
    }
}

#[derive(Args)]
pub(super) struct LadderArgs {
    /// The techniques to grade with: full, basic (up to jellyfish), hodoku (all, in HoDoKu's
    /// order), or ids separated by commas, tried by rank
    #[arg(long, value_name = "LADDER", default_value = "full",
          value_parser = ladder)]
    pub(super) ladder: Ladder,
    /// Use no techniques above this rank, and no search; the grade of puzzles that are not solved
    /// then is beyond
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u8).range(1..=i64::from(SEARCH.number())))]
    pub(super) max_rank: Option<u8>,
    /// Also grade with techniques of uniqueness: they assume that the puzzle has exactly one solution;
    /// adds technique_u, rank_u and level_u
    #[arg(long)]
    pub(super) uniqueness: bool,
}

/// The arguments of `grade`.
#[derive(Args)]
pub(super) struct GradeArgs {
    #[command(flatten)]
    pub(super) ladder: LadderArgs,
    /// Write statistics of the rows: as JSON, which pipeline stats --merge and pipeline report
    /// accept (.json), or as the page of pipeline report (.html)
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) solve: SolveArgs,
}

const SOLVE_WITH: &str = "Add columns that cost extra time; se adds the ratings of Sudoku Explainer: se, \
                          se_pearl, se_diamond, se_status, se_canonical, se_canonical_status; te adds the \
                          depth of trial and error: te_depth, te_status; hodoku adds HoDoKu's \
                          rating: hodoku_level, hodoku_score, hodoku_status, hodoku_hardest";

/// The arguments of `solve`.
#[derive(Args)]
#[command(mut_arg("with", |with| {
    with.help(SOLVE_WITH).value_parser(PossibleValuesParser::new(requestable(false)))
}))]
pub(super) struct SolveCommandArgs {
    #[command(flatten)]
    pub(super) method: MethodArgs,
    #[command(flatten)]
    pub(super) solve: SolveArgs,
}

/// The solving method of `solve`.
#[derive(Args)]
pub(super) struct MethodArgs {
    /// The solver: lanes, backtrack, elimination, templates, filter or dlx, or a name with settings
    /// as in the table of compare, such as backtrack-pairs-fixed; see docs/solvers.md for sizes other
    /// than 9 × 9
    #[arg(long, value_name = "NAME", default_value = "lanes")]
    pub(super) solver: String,
    /// The inference rules of backtrack: none, singles, pairs or triples [default: singles]
    #[arg(long, value_name = "RULES",
          value_parser = PossibleValuesParser::new(Scheme::ALL.map(Scheme::id)))]
    pub(super) scheme: Option<String>,
    /// The cell that backtrack guesses in: fixed, the first in row order, or mrv, one with the
    /// fewest candidates [default: mrv]
    #[arg(long, value_name = "ORDER",
          value_parser = PossibleValuesParser::new(Order::ALL.map(Order::id)))]
    pub(super) order: Option<String>,
    /// The rounds of elimination: each applies every technique once, fixpoint every technique until
    /// it finds nothing more [default: each]
    #[arg(long, value_name = "ROUNDS",
          value_parser = PossibleValuesParser::new(Rounds::ALL.map(Rounds::id)))]
    pub(super) rounds: Option<String>,
}

impl MethodArgs {
    /// The method that the options name.
    pub(super) fn method(&self) -> Result<Method, UsageError> {
        let part = |given: &Option<String>, default: &str| {
            given.clone().unwrap_or_else(|| default.to_owned())
        };
        let is_backtrack = self.solver == "backtrack";
        if (self.scheme.is_some() || self.order.is_some()) && !is_backtrack {
            return Err(UsageError::NotOfSolver("--scheme and --order", "backtrack"));
        }
        let is_elimination = self.solver == "elimination";
        if self.rounds.is_some() && !is_elimination {
            return Err(UsageError::NotOfSolver("--rounds", "elimination"));
        }
        let name = match () {
            () if is_backtrack => {
                let (scheme, order) = (part(&self.scheme, "singles"), part(&self.order, "mrv"));
                format!("backtrack-{scheme}-{order}")
            }
            () if is_elimination => format!("elimination-{}", part(&self.rounds, "each")),
            () => self.solver.clone(),
        };
        Ok(name.parse::<Method>()?)
    }
}

/// The arguments that `grade` and `solve` share.
#[derive(Args)]
pub(super) struct SolveArgs {
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    pub(super) rating: RatingArgs,
    #[command(flatten)]
    pub(super) read: ReadArgs,
    #[command(flatten)]
    pub(super) write: WriteArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

#[derive(Args)]
pub(super) struct ConvertArgs {
    #[command(flatten)]
    pub(super) read: ReadArgs,
    #[command(flatten)]
    pub(super) write: WriteArgs,
    #[command(flatten)]
    pub(super) dataset: DatasetArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

#[derive(Args)]
pub(super) struct ValidateArgs {
    /// Give a puzzle up after this many search nodes
    #[arg(long, value_name = "N", default_value_t = DEFAULT_NODE_LIMIT)]
    pub(super) node_limit: u64,
    #[command(flatten)]
    pub(super) read: ReadArgs,
    /// The table of the records that fail, with the reason, in the format of its extension; - is
    /// standard output
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    pub(super) output: Option<PathBuf>,
    /// How the records that fail are listed [default: by the extension of --output, else text]
    #[arg(
        long,
        alias = "output-format",
        value_name = "FORMAT",
        help_heading = "Writing"
    )]
    pub(super) format: Option<FailuresAs>,
    #[command(flatten)]
    pub(super) report: ReportArgs,
}

/// How records that fail validation are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailuresAs {
    /// The first ten, on standard error.
    Text,
    /// All, as a table; without `--output` on standard output.
    Table(OutputFormat),
}

impl ValueEnum for FailuresAs {
    fn value_variants<'a>() -> &'a [FailuresAs] {
        static ALL: LazyLock<Vec<FailuresAs>> = LazyLock::new(|| {
            let tables = FORMATS.iter().filter(|format| format.holds == Holds::Table);
            let tables = tables.map(|format| FailuresAs::Table(*format));
            std::iter::once(FailuresAs::Text).chain(tables).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            FailuresAs::Text => {
                Some(PossibleValue::new("text").help("The first ten, on standard error"))
            }
            FailuresAs::Table(format) if *format == OutputFormat::NDJSON => {
                format.to_possible_value().map(|value| value.alias("json"))
            }
            FailuresAs::Table(format) => format.to_possible_value(),
        }
    }
}
