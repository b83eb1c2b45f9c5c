use super::implications::links::Links;
use super::path::state::{BoardPart, Candidate, PARTS, State};
use super::path::step::Step;
use super::sets::als::AlmostLocked;
use super::version::HodokuVersion;
use crate::bit_rows::{BitRows, Closure};
use crate::board::Grid;

/// The state of a rating as HoDoKu does it: the board in which techniques search, and results kept for later searches.
pub(super) struct Search {
    pub(super) state: State,
    pub(super) version: HodokuVersion,
    /// The index of the row of HoDoKu's table that is tried now.
    row: usize,
    /// The name of the row of HoDoKu's table that is tried now.
    pub(super) name: &'static str,
    /// For rows that search by digit or by house: by row and part, how many candidates the part had when a search
    /// found nothing. Candidates are only ever removed, so the same number means the same candidates.
    quiet: Vec<[u8; PARTS]>,
    /// All steps with unique rectangles in the current state, found by the first row for unique rectangles.
    pub(super) rectangles: Vec<Step>,
    /// The almost locked sets of the current state and their links. The XZ-rule computes them.
    pub(super) almost_locked: AlmostLocked,
    /// [`AlmostLocked::partners`] of the current state. The search for XY-wings computes it.
    pub(super) partners: BitRows,
    /// The links of the current state with groups, and their closure, which the search for grouped loops makes.
    pub(super) implications: Option<(Links, Closure)>,
    /// Whether a forcing net needs a table with more entries than HoDoKu has space for.
    pub(super) is_full: bool,
}

impl Search {
    /// Starts the rating of a puzzle by a table with this number of rows.
    pub(super) fn new(puzzle: &Grid, version: HodokuVersion, rows: usize) -> Search {
        Search {
            state: State::new(puzzle),
            version,
            row: 0,
            name: "",
            // No candidates left means that nothing can be found, so 0 needs no search.
            quiet: vec![[0; PARTS]; rows],
            rectangles: Vec::new(),
            almost_locked: AlmostLocked::default(),
            partners: BitRows::default(),
            implications: None,
            is_full: false,
        }
    }

    /// Sets the row that is tried next.
    pub(super) fn set_row(&mut self, row: usize, name: &'static str) {
        (self.row, self.name) = (row, name);
    }

    /// Lets this row use the entries of the row before it in `quiet`.
    pub(super) fn share_with_row_before(&mut self) {
        self.row -= 1;
    }

    /// Whether an earlier search of this row found nothing for the present candidates of this part.
    pub(super) fn is_quiet(&self, part: impl BoardPart) -> bool {
        self.quiet[self.row][part.number()] == self.state.left(part)
    }

    /// Stores that this row finds nothing for the present candidates of this part.
    pub(super) fn set_quiet(&mut self, part: impl BoardPart) {
        self.quiet[self.row][part.number()] = self.state.left(part);
    }

    /// The first step of a row that searches part by part: digits or houses, in this order. A part is skipped if
    /// its candidates have not changed since the row found nothing in it. What has been removed outside a house
    /// does not matter, because that only reduces what the row could remove.
    pub(super) fn find_in_each<P: BoardPart>(
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

    /// Places the single that `next` takes from the queues of the state; `None` if it takes none.
    pub(super) fn single(&mut self, next: fn(&mut State) -> Option<Candidate>) -> Option<Step> {
        Some(Step::placing(self.name, next(&mut self.state)?))
    }
}
