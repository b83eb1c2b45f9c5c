//! `generate`: generates random puzzles.

mod args;
mod resolve;
mod steps;
mod work;

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Instant;

use sudoku_core::solve::Kernel;
use sudoku_pipeline::error::{Error, GenerateError};
use sudoku_pipeline::job::{self, Done, Missing, RunOptions, Source, Stages};
use sudoku_pipeline::numbers::counted;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::table::layout::Layout;
use sudoku_pipeline::table::view::View;
use sudoku_pipeline::write::{Holds, OutputFormat, Table, TargetOptions};

use crate::cli::error::CommandError;
use crate::cli::options::one_table::{self, OptionalTableArgs};
use crate::cli::run::memory::{is_in_store, memory_limit, memory_plan};
use crate::cli::terminal::progress::{ExpectedEnd, ProgressLine};
use crate::cli::terminal::rate::rate_text;
pub(crate) use args::GenerateArgs;
use resolve::{maker_options, metadata, refuse_conflicts, seed};
use steps::GenerateSteps;
use work::{near_work, series};

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
pub(crate) fn run(args: &GenerateArgs) -> Result<(), CommandError> {
    let start = Instant::now();
    refuse_conflicts(args)?;
    let seed = seed(args)?;
    let metadata = metadata(args, seed);
    let options = maker_options(args, seed);
    let kernel = Kernel::from_env().map_err(Error::from)?;
    let table = table(args.table.clone(), args.overwrite)?;
    let memory = memory_plan(
        args.run.threads,
        memory_limit(args.run.memory_limit)?,
        None,
        table.path.as_deref().is_some_and(is_in_store),
    )?;
    let written_to = match &table.path {
        None => "standard output".to_owned(),
        Some(path) => path.display().to_string(),
    };
    let to_stdout = table.path.is_none();
    let maker = options.maker()?;
    let stop = crate::cli::run::stop_on_signals()?;
    let work = match &args.near {
        Some(file) => near_work(args, file, &options, memory.threads, kernel, &stop)?,
        None => series(args, maker, memory.threads, kernel, &stop)?,
    };
    // The formats of lines and of boards hold only the puzzle, because programs that read them expect no more.
    let (layout, stages) = match table.format.holds {
        Holds::Grids | Holds::Puzzles if args.near.is_none() => (
            Layout::new(&[ColumnGroup::Puzzle], &[], &[]),
            Stages::default(),
        ),
        Holds::Grids | Holds::Puzzles => {
            let puzzles = work.layout.with_view(&View {
                select: Some(vec!["puzzle".to_owned()]),
                ..View::default()
            })?;
            (table.format.fit_layout(puzzles, &[])?, work.stages)
        }
        _ if work.carried_fields.is_empty() => (work.layout, work.stages),
        _ => (table.format.fit_layout(work.layout, &[])?, work.stages),
    };
    let mut writer = table.start(layout.schema(), &metadata)?;
    if let Some(bytes) = memory.group_bytes {
        writer.shrink_groups(bytes);
    }
    let puzzles_made = { work.input.opened.as_ref() }.map(|input| input.bytes_read.clone());
    let end = ExpectedEnd {
        bytes: None,
        rows: Some(work.total),
    };
    let mut steps = GenerateSteps {
        layout,
        stages,
        table: Some(writer),
        bar: ProgressLine::new(args.run.progress, end, to_stdout),
        puzzles_made: puzzles_made.unwrap_or_default(),
    };
    let mut done_so_far = Done::default();
    let run_options = RunOptions {
        memory,
        kernel,
        // A run that finds no puzzle is an error. With `--near` it is not, because there may be no puzzle near the
        // given ones.
        allow_empty: work.total == 0 || work.missing.is_none(),
        ..RunOptions::default()
    };
    let source = Source::Opened(Box::new(work.input));
    let result = job::process(source, run_options, stop, &mut steps, &mut done_so_far);
    steps.bar.clear();
    let written_rows = done_so_far.tally.written();
    let summary_text = match written_rows {
        0 => "nothing was written".to_owned(),
        _ => format!("those that were found are in {written_to}"),
    };
    let missing_puzzles = { work.missing }.map(|missing_puzzles| {
        let missing_puzzles = missing_puzzles
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        missing_puzzles.clone()
    });
    match (result, missing_puzzles) {
        (
            Ok(()) | Err(Error::NothingRead { .. }),
            Some(Missing {
                first: Some(first),
                tried,
            }),
        ) => {
            return Err(GenerateError::AttemptsExhausted {
                wanted: work.total,
                tried,
                found: written_rows,
                first,
                seed,
                attempts: args.max_attempts,
                kept: summary_text,
            }
            .into());
        }
        (result, _) => result?,
    }
    let near_count = work.near_found.map(|near| near.load(Ordering::Relaxed));
    if let (Some(near), Some(wanted)) = (near_count, args.count)
        && near < wanted
    {
        return Err(GenerateError::FewerNear {
            wanted,
            found: near,
            kept: summary_text,
        }
        .into());
    }
    let elapsed_seconds = start.elapsed().as_secs_f64();
    tracing::info!(
        rows = written_rows,
        wall_seconds = elapsed_seconds,
        "generate: {} in {elapsed_seconds:.2} s ({} a second)",
        counted(written_rows, "puzzle"),
        rate_text(written_rows as f64 / elapsed_seconds.max(1e-9))
    );
    Ok(())
}
/// The table that the options name. Without a table, the puzzles are lines on standard output.
fn table(args: OptionalTableArgs, overwrite: bool) -> Result<Table, CommandError> {
    let lines = args.format.unwrap_or(OutputFormat::LINES);
    match args.table(overwrite)? {
        Some(table) => Ok(table),
        None => one_table::table("-".into(), Some(lines), TargetOptions { overwrite }),
    }
}
