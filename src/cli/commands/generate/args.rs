//! The options of `generate`.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use sudoku_core::generate::Symmetry;
use sudoku_core::grade::{Level, Rank};
use sudoku_core::rating::RatingRange;
use sudoku_core::rating::ScoreRange;
use sudoku_core::rating::hodoku::HodokuVersion;
use sudoku_pipeline::job::Mix;

use crate::cli::options::ids::TechniqueParser;
use crate::cli::options::numbers::between;
use crate::cli::options::one_table::OptionalTableArgs;
use crate::cli::options::running::RunArgs;

/// A parser for the ids of levels, such as `hard`.
fn levels() -> impl TypedValueParser<Value = Level> {
    id_parser(&Level::ALL, Level::id, Level::about)
}

/// A parser for the ids of symmetries.
fn symmetries() -> impl TypedValueParser<Value = Symmetry> {
    id_parser(&Symmetry::ALL, Symmetry::id, Symmetry::about)
}

/// A parser for the ids of `all_values`, such as all levels. The help lists all ids with their descriptions.
fn id_parser<T: Copy + Send + Sync + 'static>(
    all_values: &'static [T],
    id: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let possible = all_values
        .iter()
        .map(move |&value| PossibleValue::new(id(value)).help(about(value)));
    let find_value = move |text: String| {
        { all_values.iter().copied() }.find(|&value| id(value).eq_ignore_ascii_case(&text))
    };
    let possible = PossibleValuesParser::new(possible);
    possible.try_map(move |text| find_value(text).ok_or("no value has this id"))
}

#[derive(Args)]
#[command(
    override_usage = "pipeline generate [OPTIONS] --output <FILE> <N>",
    mut_arg("output", |output| output.help(OUTPUT))
)]
pub(crate) struct GenerateArgs {
    /// How many puzzles to generate: with --from for each grid, with --pattern FILE for each pattern; with
    /// --near the number of random puzzles of the search, some of which options such as --level discard
    /// [default with --near: all that exist]
    #[arg(value_name = "N", required_unless_present = "near")]
    pub(super) count: Option<u64>,
    /// The seed of the series: the same seed gives the same bytes [default: a random one, which is
    /// printed]
    #[arg(long, value_name = "S")]
    pub(super) seed: Option<u64>,
    /// Skip this many puzzles of the series, so that each job of a job array generates another part of it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) skip: u64,
    /// Only puzzles whose hardest technique is this
    #[arg(long, value_name = "ID", conflicts_with = "level",
          value_parser = TechniqueParser::new(Rank::all().map(Rank::id)))]
    pub(super) technique: Option<String>,
    /// Only puzzles of this level
    #[arg(long, value_name = "LEVEL", value_parser = levels())]
    pub(super) level: Option<Level>,
    /// Only puzzles with a rating (ER) of Sudoku Explainer 1.2.1 in this range, both ends included:
    /// 7.0..7.5, one number, or with one end open, as in 8.5..
    #[arg(long, value_name = "FROM..TO", conflicts_with_all = ["technique", "level"])]
    pub(super) se: Option<RatingRange>,
    /// Only puzzles of this level of HoDoKu
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["technique", "level", "se"],
          value_parser = levels())]
    pub(super) hodoku_level: Option<Level>,
    /// Only puzzles with a HoDoKu score in this range, both ends included: 800..1000, one number,
    /// or with one end open, as in 1600..
    #[arg(long, value_name = "FROM..TO", conflicts_with_all = ["technique", "level", "se"])]
    pub(super) hodoku_score: Option<ScoreRange>,
    /// With --hodoku-level or --hodoku-score: the version of HoDoKu, 2.2 or 2.3 [default: 2.2]
    #[arg(long, value_name = "VERSION")]
    pub(super) hodoku_version: Option<HodokuVersion>,
    /// Shares of levels, or of ranges of ratings: as fractions, percentages or weights, as in easy=0.2,hard=0.8 or
    /// easy=1,hard=4 or 1.0..3.0=50%,7.0..=rest. The table has exactly these shares
    #[arg(long, value_name = "TARGET=SHARE,…", 
          conflicts_with_all = ["technique", "level", "se", "hodoku_level", "hodoku_score"])]
    pub(super) mix: Option<Mix>,
    /// Keep this many clues, instead of as few as possible
    #[arg(long, value_name = "N", value_parser = between::<u16>(1, 625))]
    pub(super) clues: Option<u16>,
    /// The number of rows of the grid: 4, 6, 9, 12, 16 or 25
    #[arg(long, value_name = "ROWS", default_value_t = 9)]
    pub(super) size: usize,
    /// The symmetry of the clues
    #[arg(long, value_name = "HOW", default_value = "none", value_parser = symmetries())]
    pub(super) symmetry: Symmetry,
    /// Only minimal puzzles: removing any clue creates a second solution. Without --level,
    /// --technique, --se, --clues and --symmetry all puzzles are minimal
    #[arg(long)]
    pub(super) minimal: bool,
    /// Only puzzles with exactly this many solutions; the table has one of them
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = between::<u32>(1, 1_000_000))]
    pub(super) solutions: u32,
    /// Make N puzzles from each grid in this file: from a full grid, or from the solution of each of its puzzles
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pattern", "near", "skip"])]
    pub(super) from: Option<String>,
    /// Put clues in exactly these cells: 81 characters in row order, where . 0 - and _ are cells without a
    /// clue; or a file with such a pattern on each line
    #[arg(long, value_name = "CELLS|FILE",
          conflicts_with_all = ["near", "clues", "symmetry", "solutions"])]
    pub(super) pattern: Option<String>,
    /// Find puzzles that differ in a few clues: the minimal puzzles with one solution that result from removing K clues of
    /// a puzzle in this file and adding K other clues (--swap). Each isomorph class is written once, and only puzzles
    /// that match --level, --technique, --se, --hodoku-level or --hodoku-score
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["clues", "symmetry", "solutions", "minimal", "mix", "skip"])]
    pub(super) near: Option<String>,
    /// Exchange this many clues with --near, from 1 to 3 [default: 1]
    #[arg(long, value_name = "K", requires = "near",
          value_parser = between::<u8>(1, 3))]
    pub(super) swap: Option<u8>,
    /// Keep only these rows of --near: those that fulfil a SQL condition over the table's columns, for instance
    /// "rank >= 12"; see docs/filter.md
    #[arg(
        long = "where",
        value_name = "EXPR",
        requires = "near",
        allow_hyphen_values = true
    )]
    pub(super) condition: Option<String>,
    /// Give up a puzzle after this many full grids; with --pattern, after this many searches, each from a
    /// new start; with --near N, after this many exchanges
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(super) max_attempts: u32,
    #[command(flatten)]
    pub(super) table: OptionalTableArgs,
    /// Replace an output that exists, once the new one is complete
    #[arg(long, help_heading = "Writing")]
    pub(super) overwrite: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
const OUTPUT: &str = "The table to write, in the format of its extension; - is standard output [default: \
                      puzzles as lines on standard output]";
