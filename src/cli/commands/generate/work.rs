//! The source of the puzzles that `generate` makes: a series from a seed, the grids or patterns of a file, or the
//! puzzles of a file that are changed in a few clues.

use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex};

use arrow::datatypes::FieldRef;
use sudoku_core::generate::Near;
use sudoku_core::solve::Kernel;
use sudoku_pipeline::job::{
    JobInput, Maker, MakerOptions, Missing, NearSeries, Series, Stages, Starts, StartsOptions,
};
use sudoku_pipeline::read::ReadOptions;
use sudoku_pipeline::table::layout::Layout;

use super::args::GenerateArgs;
use crate::cli::error::{CommandError, UsageError};

/// The input of a `generate` run, which makes the puzzles, and the layout of the table for them.
pub(super) struct GenerateWork {
    pub(super) input: JobInput,
    pub(super) carried_fields: Vec<FieldRef>,
    pub(super) layout: Layout,
    pub(super) stages: Stages,
    /// The number of puzzles to make, or with `--near` the number of puzzles to start from.
    pub(super) total: u64,
    /// The number of puzzles that were tried, and the first puzzle of the series that was not found; `None` with
    /// `--near`.
    pub(super) missing: Option<Arc<Mutex<Missing>>>,
    /// With `--near`, the number of puzzles found so far; otherwise `None`.
    pub(super) near_found: Option<Arc<AtomicU64>>,
}

/// Prepares a run that generates the puzzles of a series.
pub(super) fn series(
    args: &GenerateArgs,
    maker: Maker,
    threads: usize,
    kernel: Kernel,
    stop: &Arc<AtomicUsize>,
) -> Result<GenerateWork, CommandError> {
    let count = args.count.unwrap_or_default();
    let start_grids = match (&args.from, &args.pattern) {
        (Some(file), _) => {
            let read_options = ReadOptions::default();
            let options = starts_options(std::slice::from_ref(file), &read_options, kernel, stop);
            Some(Starts::grids(&options, count)?)
        }
        (None, Some(pattern)) => Some(patterns(args, pattern, count)?),
        (None, None) => None,
    };
    // A single pattern has one series of `count` puzzles. Several grids or patterns get `count` puzzles each.
    let puzzle_numbers = match &start_grids {
        Some(start_grids) if !start_grids.is_endless() => 0..start_grids.count(),
        _ => MakerOptions::numbers(args.skip, count)?,
    };
    let total = puzzle_numbers.end - puzzle_numbers.start;
    let carried_fields = start_grids.as_ref().map(Starts::fields).unwrap_or_default();
    let layout = maker.layout(&carried_fields)?;
    let stages = maker.stages();
    let series = Series {
        maker,
        starts: start_grids,
        numbers: puzzle_numbers,
        threads,
        kernel,
        stop: stop.clone(),
    };
    let (input, missing) = series.into_input(&stages)?;
    Ok(GenerateWork {
        input,
        carried_fields,
        layout,
        stages,
        total,
        missing: Some(missing),
        near_found: None,
    })
}

/// Reads `pattern`: a pattern of clues itself, or the name of a file with patterns.
fn patterns(args: &GenerateArgs, pattern: &str, count: u64) -> Result<Starts, CommandError> {
    // A named pipe also counts as a file.
    if !std::fs::metadata(pattern).is_ok_and(|file| !file.is_dir()) {
        return Ok(Starts::pattern(pattern)?);
    }
    if args.skip > 0 {
        return Err(UsageError::PatternsAndSkip.into());
    }
    Ok(Starts::patterns(pattern, count)?)
}

/// Prepares a run that finds puzzles near the puzzles of a file.
pub(super) fn near_work(
    args: &GenerateArgs,
    file: &String,
    options: &MakerOptions,
    threads: usize,
    kernel: Kernel,
    stop: &Arc<AtomicUsize>,
) -> Result<GenerateWork, CommandError> {
    let near_options = Near {
        swap: args.swap.map_or(1, usize::from),
        seed: options.seed,
        max_attempts: args.max_attempts,
    };
    let read_options = ReadOptions::default();
    let starts = starts_options(std::slice::from_ref(file), &read_options, kernel, stop);
    let series = NearSeries::read(&starts, near_options, args.count, options.target()?)?;
    let (carried, total) = (series.fields(), series.count());
    let layout = series.layout(args.condition.as_deref())?;
    let stages = series.stages(args.condition.is_some());
    let (input, found) = series.into_input(threads, kernel, stop.clone())?;
    Ok(GenerateWork {
        input,
        carried_fields: carried,
        layout,
        stages,
        total,
        missing: None,
        near_found: Some(found),
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
