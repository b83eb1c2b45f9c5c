//! `generate`: generates random puzzles.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use arrow::datatypes::FieldRef;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use sudoku_core::generate::{Near, Symmetry};
use sudoku_core::grade::{LADDER_VERSION, Level, Rank};
use sudoku_core::rating::RatingRange;
use sudoku_core::rating::hodoku::{HodokuTarget, HodokuVersion, ScoreRange};
use sudoku_core::solve::Kernel;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::{
    self, Done, Job, JobInput, Maker, MakerOptions, Missing, Mix, NearSeries, Progress, Series,
    Stages, Starts, StartsOptions,
};
use sudoku_pipeline::numbers::thousands;
use sudoku_pipeline::read::ReadOptions;
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::write::{
    FileOutput, Holds, Layout, OutputFormat, Table, TableMetadata, TargetOptions, View,
};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::one_table::{self, OptionalTableArgs};
use crate::cli::options::running::RunArgs;
use crate::cli::run::memory::memory_plan;
use crate::cli::terminal::progress::{End, ProgressLine};
use crate::cli::terminal::rate::rate_text;
use sudoku_pipeline::options::{
    FROM, HODOKU_LEVEL, HODOKU_SCORE, HODOKU_VERSION, NEAR, PATTERN, SEED, SIZE, SKIP,
};

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline generate 5
  pipeline generate 1000000 --seed 1 -o puzzles.parquet
  pipeline generate 100 --seed 7 --technique naked_pair -o pairs.txt
  pipeline generate 10 --level hard --minimal
  pipeline generate 100 --seed 3 --se 7.0..7.5 -o rated.csv
  pipeline generate 100 --hodoku-level hard --hodoku-score 800..1000 -o s.csv
  pipeline generate 10 --seed 3 --size 16 --symmetry rotational -o sixteen.txt
  pipeline generate 10 --seed 3 --solutions 2 -o ambiguous.csv
  pipeline generate 1000 --seed 1 --skip 3000 -o fourth.parquet # of a job array
  pipeline generate 1000 --seed 4 --mix easy=0.2,hard=0.8 -o mixed.parquet
  pipeline generate 3 --seed 5 --from grids.txt -o three_each.csv
  pipeline generate 2 --seed 6 --pattern patterns.txt -o on_patterns.csv
  pipeline generate --near puzzles.txt --swap 1 -o near.csv

A seed is a series of puzzles. The n-th is the same however many are made at once, and no two seeds
share one. Without --seed a random one is taken, and printed. A puzzle that --max-attempts did not give is
left out; the others are written, and the exit code is 1.

A minimal puzzle has several solutions without any one of its clues. Puzzles are minimal by default. With
--technique, --level, --se, --hodoku-level, --clues or --symmetry most of them are not: clues go only as long as the puzzle
stays as it is wanted. With --minimal all of them are.

The table has the puzzle and a solution, with --technique, --level, --se, --hodoku-level, --hodoku-score or
--mix also the grade, and with ranges of ratings or scores the rating; see pipeline schema generate.

With --from, --pattern FILE and --near, the file is held in memory, and its other columns are in the table
too. Each has a column that names the origin: grid_row, pattern_line, or near (the puzzle) and near_row.";

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
pub(crate) struct GenerateArgs {
    /// How many puzzles to generate: with --from of each grid, with --pattern FILE of each pattern, with
    /// --near so many random ones [default with --near: all there are]
    #[arg(value_name = "N", required_unless_present = "near")]
    count: Option<u64>,
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
    /// Only puzzles of this level of HoDoKu
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["technique", "level", "se"])]
    hodoku_level: Option<LevelArg>,
    /// Only puzzles with a score of HoDoKu in this range, both ends included: 800..1000, one number, or
    /// with one end open, as in 1600..
    #[arg(long, value_name = "FROM..TO", conflicts_with_all = ["technique", "level", "se"])]
    hodoku_score: Option<ScoreRange>,
    /// With --hodoku-level or --hodoku-score: the version of HoDoKu, 2.2 or 2.3 [default: 2.2]
    #[arg(long, value_name = "VERSION")]
    hodoku_version: Option<HodokuVersion>,
    /// Shares of levels, or of ranges of ratings, that add up to 1: easy=0.2,hard=0.8 or
    /// 1.0..3.0=0.5,7.0..=0.5. The table has these shares to the row
    #[arg(long, value_name = "TARGET=SHARE,…", 
          conflicts_with_all = ["technique", "level", "se", "hodoku_level", "hodoku_score"])]
    mix: Option<Mix>,
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
    /// Make N puzzles of each full grid of this file, or of the solution of each of its puzzles
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pattern", "near", "skip"])]
    from: Option<String>,
    /// Put clues in exactly these cells: 81 characters, in row order, of which . 0 - and _ are cells
    /// without a clue; or a file with such a pattern on each line
    #[arg(long, value_name = "CELLS|FILE",
          conflicts_with_all = ["near", "clues", "symmetry", "solutions"])]
    pattern: Option<String>,
    /// Find the minimal puzzles with one solution that result from removing K clues of a puzzle of this
    /// file and adding K others (--swap): each class of isomorphs once, and only those of --level,
    /// --technique, --se, --hodoku-level or --hodoku-score
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["clues", "symmetry", "solutions", "minimal", "mix", "skip"])]
    near: Option<String>,
    /// With --near: how many clues to exchange, from 1 to 3 [default: 1]
    #[arg(long, value_name = "K", requires = "near",
          value_parser = clap::value_parser!(u8).range(1..=3))]
    swap: Option<u8>,
    /// With --near: keep only rows that fulfil this SQL condition over the table's columns, for instance
    /// "rank >= 12"; see docs/filter.md
    #[arg(
        long = "where",
        value_name = "EXPR",
        requires = "near",
        allow_hyphen_values = true
    )]
    condition: Option<String>,
    /// Give a puzzle up after this many full grids; with --pattern, after this many searches that start
    /// from one; with --near N, after this many exchanges
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_attempts: u32,
    #[command(flatten)]
    table: OptionalTableArgs,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, help_heading = "Writing")]
    overwrite: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

const OUTPUT: &str = "The table to write, in the format of its extension; - is standard output [default: \
                      puzzles as lines on standard output]";

pub(crate) fn run(args: &GenerateArgs) -> Result<(), CommandError> {
    let start = Instant::now();
    refuse_together(args)?;
    let seed = seed(args)?;
    let metadata = metadata(args, seed);
    let options = maker_options(args, seed);
    let kernel = Kernel::from_env().map_err(Error::from)?;
    let memory = memory_plan(args.run.threads, args.run.memory_limit, None)?;
    let table = table(args.table.clone(), args.overwrite)?;
    let written_to = match &table.path {
        None => "standard output".to_owned(),
        Some(path) => path.display().to_string(),
    };
    let to_stdout = table.path.is_none();
    let maker = options.maker()?;
    let stop = crate::cli::run::stop_on_signals()?;
    let work = match &args.near {
        Some(file) => near(args, file, &options, memory.threads, kernel, &stop)?,
        None => series(args, maker, memory.threads, kernel, &stop)?,
    };
    // Lines and boards hold only the puzzle, because other programs expect that.
    let (layout, stages) = match table.format.holds {
        Holds::Grids if args.near.is_none() => (
            Layout::new(&[ColumnGroup::Puzzle], &[], &[]),
            Stages::default(),
        ),
        Holds::Grids => {
            let puzzles = work.layout.with_view(&View {
                select: Some(vec!["puzzle".to_owned()]),
                ..View::default()
            })?;
            (puzzles.stored_as(table.format, &[])?, work.stages)
        }
        _ if work.carried.is_empty() => (work.layout, work.stages),
        _ => (work.layout.stored_as(table.format, &[])?, work.stages),
    };
    let mut writer = table.start(layout.schema(), &metadata)?;
    if let Some(bytes) = memory.group_bytes {
        writer.shrink_groups(bytes);
    }
    let made = { work.input.opened.as_ref() }.map(|input| input.bytes_read.clone());
    let made = made.unwrap_or_default();
    let end = End {
        bytes: None,
        rows: Some(work.total),
    };
    let mut bar = ProgressLine::new(args.run.progress, end, to_stdout);
    let mut done = Done::default();
    let output = Box::new(FileOutput::new(Some(writer), None));
    let job = Job {
        stages,
        memory,
        kernel,
        // A run that finds no puzzle writes no table; but a puzzle may have none near it.
        allow_empty: work.total == 0 || work.missing.is_none(),
        progress: &mut |progress| {
            bar.show(Progress {
                rows: made.load(Ordering::Relaxed),
                ..progress
            });
        },
        stop,
        ..Job::new(vec![work.input], work.carried, layout, output)
    };
    let result = job::run_into(job, &mut done);
    bar.clear();
    let found = done.tally.written();
    let kept = match found {
        0 => "nothing was written".to_owned(),
        _ => format!("those that were found are in {written_to}"),
    };
    let missing = { work.missing }.map(|missing| {
        let missing = missing.lock().unwrap_or_else(PoisonError::into_inner);
        missing.clone()
    });
    match (result, missing) {
        (
            Ok(()) | Err(Error::NothingRead { .. }),
            Some(Missing {
                first: Some(first),
                tried,
            }),
        ) => {
            return Err(Error::AttemptsExhausted {
                wanted: work.total,
                tried,
                found,
                first,
                seed,
                attempts: args.max_attempts,
                kept,
            }
            .into());
        }
        (result, _) => result?,
    }
    let near = work.near.map(|near| near.load(Ordering::Relaxed));
    if let (Some(near), Some(wanted)) = (near, args.count)
        && near < wanted
    {
        return Err(Error::FewerNear {
            wanted,
            found: near,
            kept,
        }
        .into());
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

/// The input of a run, and its table.
struct Work {
    input: JobInput,
    carried: Vec<FieldRef>,
    layout: Layout,
    stages: Stages,
    /// How many puzzles are made, or are searched for near ones.
    total: u64,
    /// The puzzles that were not found; `None` with `--near`.
    missing: Option<Arc<Mutex<Missing>>>,
    /// With `--near`, how many were found.
    near: Option<Arc<AtomicU64>>,
}

/// The puzzles of a series.
fn series(
    args: &GenerateArgs,
    maker: Maker,
    threads: usize,
    kernel: Kernel,
    stop: &Arc<AtomicUsize>,
) -> Result<Work, CommandError> {
    let count = args.count.unwrap_or_default();
    let starts = match (&args.from, &args.pattern) {
        (Some(file), _) => {
            let read = ReadOptions::default();
            let options = starts_options(std::slice::from_ref(file), &read, kernel, stop);
            Some(Starts::grids(&options, count)?)
        }
        (None, Some(pattern)) => Some(patterns(args, pattern, count)?),
        (None, None) => None,
    };
    // One pattern has a series like any other; several grids or patterns have so many puzzles each.
    let numbers = match &starts {
        Some(starts) if !starts.is_endless() => 0..starts.count(),
        _ => MakerOptions::numbers(args.skip, count)?,
    };
    let total = numbers.end - numbers.start;
    let carried = starts.as_ref().map(Starts::fields).unwrap_or_default();
    let layout = maker.layout(&carried)?;
    let stages = maker.stages();
    let series = Series {
        maker,
        starts,
        numbers,
        threads,
        kernel,
        stop: stop.clone(),
    };
    let (input, missing) = series.into_input()?;
    Ok(Work {
        input,
        carried,
        layout,
        stages,
        total,
        missing: Some(missing),
        near: None,
    })
}

/// The pattern, or those of the file with this name.
fn patterns(args: &GenerateArgs, pattern: &str, count: u64) -> Result<Starts, CommandError> {
    if !Path::new(pattern).is_file() {
        return Ok(Starts::pattern(pattern)?);
    }
    if args.skip > 0 {
        return Err(UsageError::NotTogether(format!(
            "a file of patterns gives N puzzles of each: leave {SKIP} out, or give one pattern"
        ))
        .into());
    }
    Ok(Starts::patterns(pattern, count)?)
}

/// The puzzles near those of a file.
fn near(
    args: &GenerateArgs,
    file: &String,
    options: &MakerOptions,
    threads: usize,
    kernel: Kernel,
    stop: &Arc<AtomicUsize>,
) -> Result<Work, CommandError> {
    let near = Near {
        swap: args.swap.map_or(1, usize::from),
        seed: options.seed,
        max_attempts: args.max_attempts,
    };
    let read = ReadOptions::default();
    let starts = starts_options(std::slice::from_ref(file), &read, kernel, stop);
    let series = NearSeries::read(&starts, near, args.count, options.target()?)?;
    let (carried, total) = (series.fields(), series.count());
    let layout = series.layout(args.condition.as_deref())?;
    let stages = series.stages(args.condition.is_some());
    let (input, found) = series.into_input(threads, kernel, stop.clone())?;
    Ok(Work {
        input,
        carried,
        layout,
        stages,
        total,
        missing: None,
        near: Some(found),
    })
}

fn starts_options<'a>(
    paths: &'a [String],
    read: &'a ReadOptions,
    kernel: Kernel,
    stop: &Arc<AtomicUsize>,
) -> StartsOptions<'a> {
    StartsOptions {
        paths,
        read,
        kernel,
        stop: stop.clone(),
    }
}

/// Refuses options that do not apply to the size.
fn refuse_together(args: &GenerateArgs) -> Result<(), UsageError> {
    let is_nine = args.from.is_some() || args.pattern.is_some() || args.near.is_some();
    if is_nine && args.size != 9 {
        return Err(UsageError::NotTogether(format!(
            "{FROM}, {PATTERN} and {NEAR} are for 9 × 9 puzzles: leave {SIZE} out"
        )));
    }
    if args.hodoku_version.is_some() && hodoku(args).is_none() {
        return Err(UsageError::NotTogether(format!(
            "{HODOKU_VERSION} is the version of a rating: give {HODOKU_LEVEL} or {HODOKU_SCORE} too"
        )));
    }
    Ok(())
}

/// The seed that was given, or a random one. A random seed is printed.
fn seed(args: &GenerateArgs) -> Result<u64, CommandError> {
    if let Some(seed) = args.seed {
        return Ok(seed);
    }
    if args.near.is_some() && args.count.is_none() {
        // All near puzzles: nothing is random.
        return Ok(0);
    }
    if args.skip > 0 {
        return Err(UsageError::NotTogether(format!(
            "{SKIP} continues the series of a seed: give {SEED} too"
        ))
        .into());
    }
    // The standard library takes the keys of its hash from the system's random numbers. A number of 53
    // bits is exact in every JSON reader.
    let seed = RandomState::new().build_hasher().finish() >> 11;
    tracing::info!(
        seed,
        "generate: the seed is {seed}; {} gives the same puzzles",
        SEED.set_to(seed)
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

/// The wanted rating by HoDoKu.
fn hodoku(args: &GenerateArgs) -> Option<HodokuTarget> {
    let level = args.hodoku_level.map(|LevelArg(level)| level);
    (level.is_some() || args.hodoku_score.is_some()).then(|| HodokuTarget {
        version: args.hodoku_version.unwrap_or_default(),
        level,
        score: args.hodoku_score,
    })
}

/// The options of the maker of the puzzles.
fn maker_options(args: &GenerateArgs, seed: u64) -> MakerOptions {
    let SymmetryArg(symmetry) = args.symmetry;
    MakerOptions {
        seed,
        technique: args.technique.clone(),
        level: args.level.map(|LevelArg(level)| level),
        se: args.se,
        hodoku: hodoku(args),
        mix: args.mix.clone(),
        clues: args.clues,
        size: args.size,
        symmetry,
        minimal: args.minimal,
        solutions: args.solutions,
        max_attempts: args.max_attempts,
    }
}

fn metadata(args: &GenerateArgs, seed: u64) -> TableMetadata {
    let mut metadata: TableMetadata = vec![
        ("pipeline.version".into(), sudoku_pipeline::VERSION.into()),
        ("pipeline.command".into(), "generate".into()),
    ];
    if args.near.is_none() || args.count.is_some() {
        metadata.push(("pipeline.seed".into(), seed.to_string()));
    }
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
    add(
        "hodoku_level",
        args.hodoku_level
            .map(|LevelArg(level)| level.id().to_owned()),
    );
    add(
        "hodoku_score",
        args.hodoku_score.map(|range| range.to_string()),
    );
    add(
        "hodoku_version",
        hodoku(args).map(|target| target.version.to_string()),
    );
    add("clues", args.clues.map(|clues| clues.to_string()));
    add("size", (args.size != 9).then(|| args.size.to_string()));
    let SymmetryArg(symmetry) = args.symmetry;
    let has_symmetry = symmetry != Symmetry::None;
    add("symmetry", has_symmetry.then(|| symmetry.id().to_owned()));
    add("minimal", args.minimal.then(|| "true".to_owned()));
    let several = args.solutions > 1;
    add("solutions", several.then(|| args.solutions.to_string()));
    add("mix", args.mix.as_ref().map(ToString::to_string));
    add("from", args.from.as_deref().map(display_name));
    add("pattern", args.pattern.clone());
    add("near", args.near.as_deref().map(display_name));
    let swap = args.near.as_ref().map(|_| args.swap.unwrap_or(1));
    add("swap", swap.map(|swap| swap.to_string()));
    add("where", args.condition.clone());
    let has_target = args.technique.is_some() || args.level.is_some() || args.se.is_some();
    let has_target = has_target || hodoku(args).is_some();
    let is_graded = has_target || args.mix.is_some();
    add(
        "ladder_version",
        is_graded.then(|| LADDER_VERSION.to_string()),
    );
    metadata
}
