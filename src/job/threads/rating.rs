//! Rates the puzzles of a run, on the worker threads.

use std::sync::{Mutex, PoisonError};

use sudoku_core::rating::hodoku::HodokuVersion;
use sudoku_core::rating::{Rater, RatingLimits};

use crate::table::columns::hodoku;
use crate::table::columns::ratings::{CANONICAL, RATED, RatingWork, WRITTEN};
use crate::table::outcome::Outcome;
use crate::write::Layout;

/// The ratings that the columns of a table need.
pub(crate) struct RowRater {
    work: RatingWork,
    /// The raters that no worker is using. They keep their memory for the next puzzles.
    raters: Mutex<Vec<Rater>>,
}

impl RowRater {
    /// The ratings that this table needs; `None` if it needs none.
    pub(crate) fn new(
        limits: RatingLimits,
        version: HodokuVersion,
        layout: &Layout,
    ) -> Option<RowRater> {
        let work = RatingWork {
            limits,
            written: layout.uses(&WRITTEN),
            canonical: layout.uses(&CANONICAL),
            hodoku: layout.uses(&hodoku::RATED).then_some(version),
        };
        (work.written || work.canonical || work.hodoku.is_some()).then(|| RowRater {
            work,
            raters: Mutex::default(),
        })
    }

    /// Rates the rows that have exactly one solution. Skips rows that the filter drops, if it can
    /// decide without ratings.
    pub(crate) fn rate(&self, layout: &Layout, source: &str, rows: &mut [Outcome]) {
        let rated = [&RATED[..], &hodoku::RATED].concat();
        let kept_rows = layout.keeps_without(&rated, source, rows);
        let is_kept = |at: usize| kept_rows.as_ref().is_none_or(|kept| kept.value(at));
        let kept = || self.raters.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rater = kept().pop().unwrap_or_default();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| is_kept(*at)) {
            self.work.rate(&mut rater, row);
        }
        kept().push(rater);
    }
}
