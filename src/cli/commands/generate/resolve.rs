//! Resolves the options of `generate`: checks that they can be combined, and determines the seed, the options
//! of the generator and the metadata of the table.

use std::hash::{BuildHasher, Hasher, RandomState};

use sudoku_core::generate::HodokuTarget;
use sudoku_core::generate::Symmetry;
use sudoku_core::grade::{LADDER_VERSION, Level};
use sudoku_pipeline::job::MakerOptions;
use sudoku_pipeline::options::{
    FROM, HODOKU_LEVEL, HODOKU_SCORE, NEAR, PATTERN, SEED, SIZE, SKIP, listed,
};
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::write::TableMetadata;

use super::args::GenerateArgs;
use crate::cli::error::{CommandError, UsageError};

/// Fails if options cannot be combined with each other or with the size of the grids.
pub(super) fn refuse_conflicts(args: &GenerateArgs) -> Result<(), UsageError> {
    let needs_nine_by_nine = args.from.is_some() || args.pattern.is_some() || args.near.is_some();
    if needs_nine_by_nine && args.size != 9 {
        let reason = format!("{FROM}, {PATTERN} and {NEAR} are for 9 × 9 puzzles");
        return Err(UsageError::not_together(reason, &[SIZE]));
    }
    if args.hodoku_version.is_some() && hodoku(args).is_none() {
        let needed_options = listed(&[HODOKU_LEVEL, HODOKU_SCORE], "or");
        return Err(UsageError::rating_version(needed_options));
    }
    Ok(())
}

/// The seed of the options. Without one, a random seed, which is printed so that the run can be repeated.
pub(super) fn seed(args: &GenerateArgs) -> Result<u64, CommandError> {
    if let Some(seed) = args.seed {
        return Ok(seed);
    }
    if args.near.is_some() && args.count.is_none() {
        // Without a count, `--near` finds all puzzles and needs no random numbers.
        return Ok(0);
    }
    if args.skip > 0 {
        let reason = format!("{SKIP} continues the series of a seed");
        return Err(UsageError::option_without(reason, SEED).into());
    }
    // The standard library seeds the keys of its hash with random numbers of the system. A number of 53
    // bits is exact in every JSON reader.
    let seed = RandomState::new().build_hasher().finish() >> 11;
    tracing::info!(
        seed,
        "generate: the seed is {seed}; {} gives the same puzzles",
        SEED.set_to(seed)
    );
    Ok(seed)
}
/// The requested level or score of HoDoKu; `None` if there is none.
fn hodoku(args: &GenerateArgs) -> Option<HodokuTarget> {
    let level = args.hodoku_level;
    (level.is_some() || args.hodoku_score.is_some()).then(|| HodokuTarget {
        version: args.hodoku_version.unwrap_or_default(),
        level,
        score: args.hodoku_score,
    })
}

/// The options of the generator, from the options of the command.
pub(super) fn maker_options(args: &GenerateArgs, seed: u64) -> MakerOptions {
    MakerOptions {
        seed,
        technique: args.technique.clone(),
        level: args.level,
        se: args.se,
        hodoku: hodoku(args),
        mix: args.mix.clone(),
        clues: args.clues,
        size: args.size,
        symmetry: args.symmetry,
        minimal: args.minimal,
        solutions: args.solutions,
        max_attempts: args.max_attempts,
    }
}

pub(super) fn metadata(args: &GenerateArgs, seed: u64) -> TableMetadata {
    let mut metadata = TableMetadata::for_command("generate");
    let is_random = args.near.is_none() || args.count.is_some();
    metadata.add("seed", is_random.then_some(seed));
    metadata.add("skip", (args.skip > 0).then_some(args.skip));
    metadata.add("technique", args.technique.as_ref());
    metadata.add("level", args.level.map(Level::id));
    metadata.add("se", args.se);
    metadata.add("hodoku_level", args.hodoku_level.map(Level::id));
    metadata.add("hodoku_score", args.hodoku_score);
    let version = hodoku(args).map(|target| target.version);
    metadata.add("hodoku_version", version);
    metadata.add("clues", args.clues);
    metadata.add("size", (args.size != 9).then_some(args.size));
    let has_symmetry = args.symmetry != Symmetry::None;
    metadata.add("symmetry", has_symmetry.then(|| args.symmetry.id()));
    metadata.add("minimal", args.minimal.then_some(true));
    let solutions = (args.solutions > 1).then_some(args.solutions);
    metadata.add("solutions", solutions);
    metadata.add("mix", args.mix.as_ref());
    metadata.add("from", args.from.as_deref().map(display_name));
    metadata.add("pattern", args.pattern.as_ref());
    metadata.add("near", args.near.as_deref().map(display_name));
    let swap = args.near.as_ref().map(|_| args.swap.unwrap_or(1));
    metadata.add("swap", swap);
    metadata.add("where", args.condition.as_ref());
    let has_target = args.technique.is_some() || args.level.is_some() || args.se.is_some();
    let is_graded = has_target || hodoku(args).is_some() || args.mix.is_some();
    metadata.add("ladder_version", is_graded.then_some(LADDER_VERSION));
    metadata
}
