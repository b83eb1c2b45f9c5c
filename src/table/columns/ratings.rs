//! Computes the ratings of Sudoku Explainer and HoDoKu for a row, and defines the columns of `--with se`.

use crate::options::{SE_MAX, SE_WORK};
use crate::table::columns::column_group::{ColumnGroup, OutcomeColumn, OutputColumn};
use crate::table::outcome::Outcome;
use crate::table::row_ratings::RowRatings;
use sudoku_core::board::{Candidates, Grid, canonical};
use sudoku_core::rating::hodoku::{self, HodokuVersion};
use sudoku_core::rating::{Rater, Rating, RatingLimits, RatingOutcome, Ratings};
use sudoku_core::solve::Status;

/// Which ratings a run computes, and within which limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestedRatings {
    pub(crate) limits: RatingLimits,
    pub(crate) rates_written: bool,
    pub(crate) rates_canonical: bool,
    /// The version of HoDoKu for which ratings are computed; `None` if no HoDoKu rating is requested.
    pub(crate) hodoku_version: Option<HodokuVersion>,
}

impl RequestedRatings {
    /// Computes the ratings of a solved row. `known` are the ratings of the puzzle as it is written, if they have
    /// already been computed.
    pub(crate) fn rate_row(&self, rater: &mut Rater, row: &mut Outcome, known: Option<Ratings>) {
        let is_unique = row.status() == Some(Status::Unique);
        let puzzle = row
            .nine()
            .filter(|puzzle| is_unique && puzzle.marks.is_none());
        let Some(puzzle) = puzzle else {
            return;
        };
        let mut ratings = RowRatings::default();
        let mut rate = |grid: &Grid| rater.rate(&Candidates::new(grid), self.limits);
        if self.rates_written {
            let known_outcome = known.map(RatingOutcome::Rated);
            ratings.written = Some(known_outcome.unwrap_or_else(|| rate(&puzzle.clues)));
        }
        if self.rates_canonical {
            let canonical_form = canonical(&puzzle.clues).form;
            ratings.canonical = match ratings.written {
                Some(known) if canonical_form == puzzle.clues => Some(known),
                _ => Some(rate(&canonical_form)),
            };
        }
        let version = self.hodoku_version;
        ratings.hodoku = version.map(|version| hodoku::rate(&puzzle.clues, version));
        row.ratings = ratings;
    }
}

/// The columns with ratings of the puzzle as it is written.
pub(crate) const WRITTEN_COLUMN_NAMES: [&str; 4] = ["se", "se_pearl", "se_diamond", "se_status"];

/// The columns with ratings of the puzzle's min-lex form.
pub(crate) const CANONICAL_COLUMN_NAMES: [&str; 2] = ["se_canonical", "se_canonical_status"];

/// All columns with Sudoku Explainer ratings.
pub(crate) const ALL_COLUMN_NAMES: [&str; 6] = {
    let [se, pearl, diamond, status] = WRITTEN_COLUMN_NAMES;
    let [canonical, canonical_status] = CANONICAL_COLUMN_NAMES;
    [se, pearl, diamond, status, canonical, canonical_status]
};

/// Defines the columns of `--with se`, which have Sudoku Explainer ratings.
pub(crate) fn rating_columns() -> [OutputColumn; 6] {
    let [se, pearl, diamond, status] = WRITTEN_COLUMN_NAMES;
    let [se_canonical, canonical_status] = CANONICAL_COLUMN_NAMES;
    [
        rating_column(
            se,
            "The puzzle's rating (ER): the highest rating of any step. It is exactly the number \
             that serate 1.2.1.2 prints, the command line of Sudoku Explainer 1.2.1. The Patterns \
             Game and the lists in forums use this number. Other programs can give other numbers: \
             Sukaku Explainer has other techniques, and skfr is faster but differs now and then. \
             The rating depends on how the puzzle is written: isomorphs can have other ratings. \
             Null unless `se_status` is `rated`.",
            |row| Some(outcome_ratings(row.ratings.written)?.puzzle),
        ),
        rating_column(
            pearl,
            "The pearl rating (EP) of the same program: the highest rating of the steps up to and \
             including the first one that places a digit. At most `se`.",
            |row| Some(outcome_ratings(row.ratings.written)?.pearl),
        ),
        rating_column(
            diamond,
            "The diamond rating (ED) of the same program: the rating of the first step. At most \
             `se_pearl`.",
            |row| Some(outcome_ratings(row.ratings.written)?.diamond),
        ),
        status_column(
            status,
            format!(
                "Whether `se` is known: `rated`; `above` if a step is rated above `{SE_MAX}`; \
                 `gave_up` if the work reached `{SE_WORK}`; `beyond` if no technique finds a \
                 step. Null unless the puzzle is 9 × 9, has clues only, and has exactly one \
                 solution."
            ),
            |row| row.ratings.written,
        ),
        rating_column(
            se_canonical,
            "The rating (ER) of the puzzle's min-lex form (column `canonical`). It is the same \
             for all isomorphs. Null unless `se_canonical_status` is `rated`.",
            |row| Some(outcome_ratings(row.ratings.canonical)?.puzzle),
        ),
        status_column(
            canonical_status,
            "Whether `se_canonical` is known, with the values of `se_status`.",
            |row| row.ratings.canonical,
        ),
    ]
}

fn outcome_ratings(outcome: Option<RatingOutcome>) -> Option<Ratings> {
    outcome?.ratings()
}

/// A column of ratings, as Float64. The double nearest to 7.2 prints as 7.2 and equals the literal 7.2 in SQL,
/// Python and R. A Float32 would print as 7.199999…, and pandas reads decimals as objects that do not equal 7.2.
fn rating_column(
    name: &str,
    doc: &str,
    rating: impl Fn(&Outcome) -> Option<Rating> + Send + Sync + 'static,
) -> OutputColumn {
    OutcomeColumn::float64(name, doc, move |row| rating(row).map(Rating::as_f64))
        .in_group(ColumnGroup::Rating)
}

fn status_column(
    name: &str,
    doc: impl Into<String>,
    outcome: impl Fn(&Outcome) -> Option<RatingOutcome> + Send + Sync + 'static,
) -> OutputColumn {
    let column = OutcomeColumn::text(name, doc, move |row| {
        outcome(row).map(|outcome| outcome.id().as_bytes())
    })
    .in_group(ColumnGroup::Rating);
    column.with_values(RatingOutcome::IDS)
}
