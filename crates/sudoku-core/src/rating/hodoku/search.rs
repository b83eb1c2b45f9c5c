//! The state that techniques search, and results that they keep for later searches.

use super::implications::links::Links;
use super::path::state::{Candidate, PARTS, Part, State};
use super::path::step::Step;
use super::sets::als::AlmostLocked;
use super::version::HodokuVersion;
use crate::bit_rows::{BitRows, Closure};
use crate::board::Grid;

/// The state that techniques search, and results that they keep for later searches.
pub(super) struct Search {
    pub(super) state: State,
    pub(super) version: HodokuVersion,
    /// The index of the row that is asked.
    row: usize,
    /// The name of the row that is asked.
    pub(super) name: &'static str,
    /// For rows that search each digit or each house alone: by row and part, the number of its candidates at its
    /// last search, if that found nothing. Candidates are only removed, so the same number means the same ones.
    quiet: Vec<[u8; PARTS]>,
    /// The steps with unique rectangles on this state. The first row of unique rectangles finds them all.
    pub(super) rectangles: Vec<Step>,
    /// The almost locked sets of this state and their links. The XZ-rule fills them.
    pub(super) almost_locked: AlmostLocked,
    /// [`AlmostLocked::partners`] of this state. The search for XY-wings makes it.
    pub(super) partners: BitRows,
    /// The links of this state with groups, and their closure. The search for grouped loops makes them.
    pub(super) implications: Option<(Links, Closure)>,
    /// Whether a table of a forcing net needs more entries than the reference has room for.
    pub(super) is_full: bool,
}

impl Search {
    /// The search of a puzzle, with this number of rows.
    pub(super) fn new(puzzle: &Grid, version: HodokuVersion, rows: usize) -> Search {
        Search {
            state: State::new(puzzle),
            version,
            row: 0,
            name: "",
            // Nothing is found in a part without candidates.
            quiet: vec![[0; PARTS]; rows],
            rectangles: Vec::new(),
            almost_locked: AlmostLocked::default(),
            partners: BitRows::default(),
            implications: None,
            is_full: false,
        }
    }

    /// Notes the row that is asked next.
    pub(super) fn ask(&mut self, row: usize, name: &'static str) {
        (self.row, self.name) = (row, name);
    }

    /// Makes this row share what is known to find nothing with the row before it.
    pub(super) fn share_with_row_before(&mut self) {
        self.row -= 1;
    }

    /// Whether the row is known to find nothing for the candidates of this part.
    pub(super) fn is_quiet(&self, part: impl Part) -> bool {
        self.quiet[self.row][part.number()] == self.state.left(part)
    }

    /// Notes that the row finds nothing for the candidates of this part.
    pub(super) fn set_quiet(&mut self, part: impl Part) {
        self.quiet[self.row][part.number()] = self.state.left(part);
    }

    /// The first step of a row that searches each digit or each house alone, in this order. Skips those whose
    /// candidates have not changed since the row found nothing for them. What steps remove outside of a house does
    /// not matter for this: it can only become less.
    pub(super) fn in_each<P: Part>(
        &mut self,
        parts: impl IntoIterator<Item = P>,
        mut find: impl FnMut(&Search, P) -> Option<Step>,
    ) -> Option<Step> {
        parts.into_iter().find_map(|part| {
            if self.is_quiet(part) {
                return None;
            }
            let found = find(self, part);
            if found.is_none() {
                self.set_quiet(part);
            }
            found
        })
    }

    /// Places the next single that this function takes from the queues of the state.
    pub(super) fn single(&mut self, next: fn(&mut State) -> Option<Candidate>) -> Option<Step> {
        Some(Step::placing(self.name, next(&mut self.state)?))
    }
}
