//! Rates the puzzles of a run, on the worker threads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sudoku_core::board::Grid;
use sudoku_core::rating::hodoku::HodokuVersion;
use sudoku_core::rating::{Rater, RatingLimits, Ratings};

use crate::table::columns::hodoku;
use crate::table::columns::ratings::{
    ALL_COLUMN_NAMES, CANONICAL_COLUMN_NAMES, RequestedRatings, WRITTEN_COLUMN_NAMES,
};
use crate::table::layout::Layout;
use crate::table::outcome::Outcome;

/// Ratings that a generator has already computed, so that the workers do not compute them again. Clones share
/// the same ratings.
#[derive(Clone, Debug, Default)]
pub struct KnownRatings(Arc<Mutex<HashMap<Grid, Ratings>>>);

impl KnownRatings {
    /// Stores the ratings of a puzzle until a worker takes them.
    pub(crate) fn add(&self, puzzle: Grid, ratings: Ratings) {
        self.lock().insert(puzzle, ratings);
    }

    fn take(&self, puzzle: &Grid) -> Option<Ratings> {
        self.lock().remove(puzzle)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Grid, Ratings>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Computes the ratings that the columns of a table need.
pub(crate) struct RowRater {
    requested: RequestedRatings,
    known_ratings: KnownRatings,
    /// Raters that no worker is using at the moment. They are reused because they hold large buffers.
    free_raters: Mutex<Vec<Rater>>,
}

impl RowRater {
    /// The rater for a table; `None` if the table has no columns with ratings.
    pub(crate) fn new(
        limits: RatingLimits,
        known_ratings: KnownRatings,
        version: HodokuVersion,
        layout: &Layout,
    ) -> Option<RowRater> {
        let requested_ratings = RequestedRatings {
            limits,
            rates_written: layout.uses_any(&WRITTEN_COLUMN_NAMES),
            rates_canonical: layout.uses_any(&CANONICAL_COLUMN_NAMES),
            hodoku_version: layout
                .uses_any(&hodoku::RATED_COLUMN_NAMES)
                .then_some(version),
        };
        (requested_ratings.rates_written
            || requested_ratings.rates_canonical
            || requested_ratings.hodoku_version.is_some())
        .then(|| RowRater {
            requested: requested_ratings,
            known_ratings,
            free_raters: Mutex::default(),
        })
    }

    /// Rates the rows with exactly one solution. Rows that `--where` will remove are skipped, if its condition
    /// does not use ratings.
    pub(crate) fn rate_rows(&self, layout: &Layout, source: &str, rows: &mut [Outcome]) {
        let rating_column_names = [&ALL_COLUMN_NAMES[..], &hodoku::RATED_COLUMN_NAMES].concat();
        let kept_rows = layout.keeps_before_columns(&rating_column_names, source, rows);
        let is_kept = |at: usize| kept_rows.as_ref().is_none_or(|kept| kept.value(at));
        let free_rater = || {
            self.free_raters
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let mut rater = free_rater().pop().unwrap_or_default();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| is_kept(*at)) {
            let known_ratings = row
                .nine()
                .and_then(|puzzle| self.known_ratings.take(&puzzle.clues));
            self.requested.rate_row(&mut rater, row, known_ratings);
        }
        free_rater().push(rater);
    }
}
