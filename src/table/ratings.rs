//! Ratings of Sudoku Explainer: rates rows, and fills the columns of `--with se`.

use crate::table::column::{Column, Group, float64, text};
use crate::table::outcome::Outcome;
use crate::table::row_ratings::RowRatings;
use sudoku_core::board::{Candidates, Grid, canonical};
use sudoku_core::rating::{self, Limits, Rater, Ratings, Value};
use sudoku_core::solve::Status;

/// Which ratings are asked for, and where they end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RatingWork {
    pub(crate) limits: Limits,
    pub(crate) written: bool,
    pub(crate) canonical: bool,
}

impl RatingWork {
    /// Rates a row that has been solved.
    pub(crate) fn rate(&self, rater: &mut Rater, row: &mut Outcome) {
        let is_unique = row.status() == Some(Status::Unique);
        let puzzle = row
            .nine()
            .filter(|puzzle| is_unique && puzzle.marks.is_none());
        let Some(puzzle) = puzzle else {
            return;
        };
        let mut ratings = RowRatings::default();
        let mut rate = |grid: &Grid| rater.rate(&Candidates::new(grid), self.limits);
        if self.written {
            ratings.written = Some(rate(&puzzle.clues));
        }
        if self.canonical {
            let form = canonical(&puzzle.clues).form;
            ratings.canonical = match ratings.written {
                Some(known) if form == puzzle.clues => Some(known),
                _ => Some(rate(&form)),
            };
        }
        row.ratings = ratings;
    }
}

/// The names of the columns that need a rating of the puzzle as it is written.
pub(crate) const WRITTEN: [&str; 4] = ["se", "se_pearl", "se_diamond", "se_status"];

/// The names of those that need one of its canonical form.
pub(crate) const CANONICAL: [&str; 2] = ["se_canonical", "se_canonical_status"];

/// The names of all of them.
pub(crate) const RATED: [&str; 6] = {
    let [se, pearl, diamond, status] = WRITTEN;
    let [canonical, canonical_status] = CANONICAL;
    [se, pearl, diamond, status, canonical, canonical_status]
};

/// The columns of `--with se`.
pub(super) fn columns() -> [Column; 6] {
    let [se, pearl, diamond, status] = WRITTEN;
    let [se_canonical, canonical_status] = CANONICAL;
    [
        value(
            se,
            "The puzzle's rating (ER): the highest rating of any step. It is exactly the number that the \
             program serate 1.2.1.2 prints, which is Sudoku Explainer 1.2.1; \
             the Patterns Game and the lists of the forums have this number. Ratings elsewhere may come \
             from other programs with other techniques, such as Sukaku Explainer, or from quicker \
             ones that differ now and then, such as skfr. It depends on how the puzzle is written: \
             isomorphs can have other ratings. Null where `se_status` is not `rated`.",
            |row| Some(rated(row.ratings.written)?.puzzle),
        ),
        value(
            pearl,
            "The pearl rating (EP) of the same program: the highest rating of the steps up to the first \
             that places a digit. At most `se`.",
            |row| Some(rated(row.ratings.written)?.pearl),
        ),
        value(
            diamond,
            "The diamond rating (ED) of the same program: the rating of the first step. At most `se_pearl`.",
            |row| Some(rated(row.ratings.written)?.diamond),
        ),
        status_of(
            status,
            "Whether `se` is known: `rated`; `above` where a step is rated above `--se-max`; `gave_up` \
             where the work met `--se-work`; `beyond` where no technique finds anything. Null unless the \
             puzzle is 9 × 9, of clues, and has exactly one solution.",
            |row| row.ratings.written,
        ),
        value(
            se_canonical,
            "The rating (ER) of the puzzle's min-lex form (column `canonical`): the same for all \
             isomorphs, and so a property of the puzzle. Null where `se_canonical_status` is not `rated`.",
            |row| Some(rated(row.ratings.canonical)?.puzzle),
        ),
        status_of(
            canonical_status,
            "Whether `se_canonical` is known: as `se_status`.",
            |row| row.ratings.canonical,
        ),
    ]
}

fn rated(outcome: Option<rating::Outcome>) -> Option<Ratings> {
    outcome?.ratings()
}

/// Float64: the double next to 7.2 prints as 7.2 everywhere and equals the literal 7.2 of SQL, Python
/// and R. Float32 would print as 7.199999…; decimals are objects in pandas that are not equal to it.
fn value(
    name: &str,
    doc: &str,
    rating: impl Fn(&Outcome) -> Option<Value> + Send + Sync + 'static,
) -> Column {
    float64(name, Group::Rating, doc, move |row| {
        rating(row).map(Value::as_f64)
    })
}

fn status_of(
    name: &str,
    doc: &str,
    outcome: impl Fn(&Outcome) -> Option<rating::Outcome> + Send + Sync + 'static,
) -> Column {
    text(name, Group::Rating, doc, move |_, row| {
        outcome(row).map(|outcome| outcome.id().as_bytes())
    })
}
