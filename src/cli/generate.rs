//! `generate`: generates random puzzles.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Instant;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use sudoku_core::generate::Symmetry;
use sudoku_core::grade::{LADDER_VERSION, Level, Rank};
use sudoku_core::rating::RatingRange;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::{self, Done, Job, Maker, MakerOptions, Progress, Series, Stages};
use sudoku_pipeline::numbers::thousands;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::write::{
    FileOutput, Holds, Layout, OutputFormat, Table, TableMetadata, TargetOptions,
};

use super::args::RunArgs;
use super::error::{CommandError, UsageError};
use super::one_table::{self, OptionalTableArgs};
use super::plan;
use super::progress::{End, ProgressLine};
use super::rate::rate_text;

pub(super) const EXAMPLES: &str = "\
Examples:
  pipeline generate 5
  pipeline generate 1000000 --seed 1 -o puzzles.parquet
  pipeline generate 100 --seed 7 --technique naked_pair -o pairs.txt
  pipeline generate 10 --level hard --minimal
  pipeline generate 100 --seed 3 --se 7.0..7.5 -o rated.csv
  pipeline generate 10 --seed 3 --size 16 --symmetry rotational -o sixteen.txt
  pipeline generate 10 --seed 3 --solutions 2 -o ambiguous.csv
  pipeline generate 1000 --seed 1 --skip 3000 -o fourth.parquet # of a job array

A seed is a series of puzzles. The n-th is the same however many are made at once, and no two seeds
share one. Without --seed a random one is taken, and printed. A puzzle that --max-attempts did not give is
left out; the others are written, and the exit code is 1.

A minimal puzzle has several solutions without any one of its clues. Puzzles are minimal by default. With
--technique, --level, --se, --clues or --symmetry most of them are not: clues go only as long as the puzzle
stays as it is wanted. With --minimal all of them are.

The table has the puzzle and a solution, with --technique, --level or --se also the grade, and with --se the
rating; see pipeline schema generate.";

/// A level on the command line.
#[derive(Clone, Copy)]
struct LevelArg(Level);

impl ValueEnum for LevelArg {
    fn value_variants<'a>() -> &'a [LevelArg] {
        const LEVELS: [LevelArg; Level::ALL.len()] = {
            let mut levels = [LevelArg(Level::Easy); Level::ALL.len()];
            let mut at = 0;
            while at < levels.len() {
                levels[at] = LevelArg(Level::ALL[at]);
                at += 1;
            }
            levels
        };
        &LEVELS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.id()).help(self.0.about()))
    }
}

/// A symmetry on the command line.
#[derive(Clone, Copy)]
struct SymmetryArg(Symmetry);

impl ValueEnum for SymmetryArg {
    fn value_variants<'a>() -> &'a [SymmetryArg] {
        const SYMMETRIES: [SymmetryArg; Symmetry::ALL.len()] = {
            let mut all = [SymmetryArg(Symmetry::None); Symmetry::ALL.len()];
            let mut at = 0;
            while at < all.len() {
                all[at] = SymmetryArg(Symmetry::ALL[at]);
                at += 1;
            }
            all
        };
        &SYMMETRIES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.id()).help(self.0.about()))
    }
}

#[derive(Args)]
#[command(mut_arg("output", |output| output.help(OUTPUT)))]
pub(super) struct GenerateArgs {
    /// How many puzzles to generate
    #[arg(value_name = "N")]
    count: u64,
    /// The seed of the series: the same seed gives the same bytes [default: a random one, which is
    /// printed]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Skip this many puzzles of the series first, so that each job of a job array generates its own part
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
    /// Only puzzles whose hardest technique is this one
    #[arg(long, value_name = "ID", conflicts_with = "level",
          value_parser = PossibleValuesParser::new(Rank::all().map(Rank::id)))]
    technique: Option<String>,
    /// Only puzzles of this level
    #[arg(long, value_name = "LEVEL")]
    level: Option<LevelArg>,
    /// Only puzzles with a rating (ER) of Sudoku Explainer 1.2.1 in this range, both ends included:
    /// 7.0..7.5, one number, or with one end open, as in 8.5..
    #[arg(long, value_name = "FROM..TO", conflicts_with_all = ["technique", "level"])]
    se: Option<RatingRange>,
    /// Leave this many clues, instead of as few as possible
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=625))]
    clues: Option<u16>,
    /// Rows of the grid: 4, 6, 9, 12, 16 or 25
    #[arg(long, value_name = "ROWS", default_value_t = 9)]
    size: usize,
    /// The symmetry of the clues
    #[arg(long, value_name = "HOW", default_value = "none")]
    symmetry: SymmetryArg,
    /// Only minimal puzzles, which have several solutions without any one of their clues. Without --level,
    /// --technique, --se, --clues and --symmetry all puzzles are
    #[arg(long)]
    minimal: bool,
    /// Only puzzles with exactly this many solutions, of which the table has one
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    solutions: u32,
    /// Give a puzzle up after this many full grids
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_attempts: u32,
    #[command(flatten)]
    table: OptionalTableArgs,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, help_heading = "Writing")]
    overwrite: bool,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

const OUTPUT: &str = "The table to write, in the format of its extension; - is standard output [default: \
                      puzzles as lines on standard output]";

pub(super) fn run(args: GenerateArgs) -> Result<(), CommandError> {
    let start = Instant::now();
    let seed = seed(&args)?;
    let metadata = metadata(&args, seed);
    let maker = maker(&args, seed)?;
    let numbers = MakerOptions::numbers(args.skip, args.count)?;
    let table = table(args.table, args.overwrite)?;
    let written_to = match &table.path {
        None => "standard output".to_owned(),
        Some(path) => path.display().to_string(),
    };
    let to_stdout = table.path.is_none();
    let stop = super::run::stop_on_signals()?;
    // Lines and boards hold only the puzzle, because other programs expect that.
    let (layout, stages) = match table.format.holds {
        Holds::Table => (maker.layout()?, maker.stages()),
        Holds::Grids => (
            Layout::new(&[ColumnGroup::Puzzle], &[], &[]),
            Stages::default(),
        ),
    };
    let mut writer = table.start(layout.schema(), &metadata)?;
    let memory = plan::memory_plan(args.run.threads, args.run.memory_limit, None)?;
    if let Some(bytes) = memory.group_bytes {
        writer.shrink_groups(bytes);
    }
    let series = Series {
        maker,
        numbers,
        threads: memory.threads,
        stop: stop.clone(),
    };
    let (input, missing) = series.into_input()?;
    let tried = (input.opened.as_ref()).map(|input| input.bytes_read.clone());
    let tried = tried.unwrap_or_default();
    let end = End {
        bytes: None,
        rows: Some(args.count),
    };
    let mut bar = ProgressLine::new(args.run.progress, end, to_stdout);
    let mut done = Done::default();
    let output = Box::new(FileOutput::new(Some(writer), None));
    let job = Job {
        stages,
        memory,
        // A run that finds no puzzle writes no table.
        allow_empty: args.count == 0,
        progress: &mut |progress| {
            bar.show(Progress {
                rows: tried.load(Ordering::Relaxed),
                ..progress
            });
        },
        stop,
        ..Job::new(vec![input], Vec::new(), layout, output)
    };
    let result = job::run_into(job, &mut done);
    bar.clear();
    let found = done.tally.written();
    let missing = missing.lock().unwrap_or_else(PoisonError::into_inner);
    match (result, missing.first) {
        (Ok(()) | Err(Error::NothingRead { .. }), Some(first)) => {
            return Err(Error::AttemptsExhausted {
                wanted: args.count,
                tried: missing.tried,
                found,
                first,
                seed,
                attempts: args.max_attempts,
                kept: match found {
                    0 => "nothing was written".to_owned(),
                    _ => format!("those that were found are in {written_to}"),
                },
            }
            .into());
        }
        (result, _) => result?,
    }
    let seconds = start.elapsed().as_secs_f64();
    tracing::info!(
        rows = found,
        wall_seconds = seconds,
        "generate: {} puzzles in {seconds:.2} s ({} a second)",
        thousands(found),
        rate_text(found as f64 / seconds.max(1e-9))
    );
    Ok(())
}

/// The seed that was given, or a random one. A random seed is printed.
fn seed(args: &GenerateArgs) -> Result<u64, CommandError> {
    if let Some(seed) = args.seed {
        return Ok(seed);
    }
    if args.skip > 0 {
        return Err(UsageError::NotTogether(
            "--skip continues the series of a seed: give --seed too",
        )
        .into());
    }
    // The standard library takes the keys of its hash from the system's random numbers. A number of 53
    // bits is exact in every JSON reader.
    let seed = RandomState::new().build_hasher().finish() >> 11;
    tracing::info!(
        seed,
        "generate: the seed is {seed}; --seed {seed} gives the same puzzles"
    );
    Ok(seed)
}

/// The table that the options name, or else lines on standard output.
fn table(args: OptionalTableArgs, overwrite: bool) -> Result<Table, CommandError> {
    let lines = args.format.unwrap_or(OutputFormat::LINES);
    match args.table(overwrite)? {
        Some(table) => Ok(table),
        None => one_table::table("-".into(), Some(lines), TargetOptions { overwrite }),
    }
}

/// The maker of the puzzles.
fn maker(args: &GenerateArgs, seed: u64) -> Result<Maker, CommandError> {
    let SymmetryArg(symmetry) = args.symmetry;
    let options = MakerOptions {
        seed,
        technique: args.technique.clone(),
        level: args.level.map(|LevelArg(level)| level),
        se: args.se,
        clues: args.clues,
        size: args.size,
        symmetry,
        minimal: args.minimal,
        solutions: args.solutions,
        max_attempts: args.max_attempts,
    };
    Ok(options.maker()?)
}

fn metadata(args: &GenerateArgs, seed: u64) -> TableMetadata {
    let mut metadata: TableMetadata = vec![
        ("pipeline.version".into(), sudoku_pipeline::VERSION.into()),
        ("pipeline.command".into(), "generate".into()),
        ("pipeline.seed".into(), seed.to_string()),
    ];
    let mut add = |name: &str, value: Option<String>| {
        metadata.extend(value.map(|value| (format!("pipeline.{name}"), value)));
    };
    add("skip", (args.skip > 0).then(|| args.skip.to_string()));
    add("technique", args.technique.clone());
    add(
        "level",
        args.level.map(|LevelArg(level)| level.id().to_owned()),
    );
    add("se", args.se.map(|range| range.to_string()));
    add("clues", args.clues.map(|clues| clues.to_string()));
    add("size", (args.size != 9).then(|| args.size.to_string()));
    let SymmetryArg(symmetry) = args.symmetry;
    let has_symmetry = symmetry != Symmetry::None;
    add("symmetry", has_symmetry.then(|| symmetry.id().to_owned()));
    add("minimal", args.minimal.then(|| "true".to_owned()));
    let several = args.solutions > 1;
    add("solutions", several.then(|| args.solutions.to_string()));
    let is_graded = args.technique.is_some() || args.level.is_some() || args.se.is_some();
    add(
        "ladder_version",
        is_graded.then(|| LADDER_VERSION.to_string()),
    );
    metadata
}
