use super::implications::links::Links;
use super::path::state::{BoardPart, Candidate, PARTS, State};
use super::path::step::Step;
use super::sets::als::AlmostLocked;
use super::version::HodokuVersion;
use crate::bit_rows::{BitRows, Closure};
use crate::board::Grid;

/// The state of a HoDoKu rating: the board that techniques search, and results kept for later searches.
pub(super) struct Search {
    pub(super) state: State,
    pub(super) version: HodokuVersion,
    /// The index of the current technique in HoDoKu's table (its row).
    row: usize,
    /// The name of the current technique in HoDoKu's table.
    pub(super) name: &'static str,
    /// For techniques (table rows) that search digit by digit or house by house: how many candidates each part had when
    /// the last search found nothing. Candidates are only removed, so the same number means the same candidates.
    quiet: Vec<[u8; PARTS]>,
    /// All steps with unique rectangles on the current board. The first technique of that kind finds them.
    pub(super) rectangles: Vec<Step>,
    /// The almost locked sets of the current board, and their links. The search for the XZ-rule computes them.
    pub(super) almost_locked: AlmostLocked,
    /// [`AlmostLocked::partners`] of the current board. The search for XY-wings computes it.
    pub(super) partners: BitRows,
    /// The links of the current board, with groups, and their closure. The search for grouped loops computes them.
    pub(super) implications: Option<(Links, Closure)>,
    /// Whether a forcing net needs a table with more entries than HoDoKu has space for.
    pub(super) is_full: bool,
}

impl Search {
    /// Starts the rating of a puzzle. `rows` is the number of techniques in the table.
    pub(super) fn new(puzzle: &Grid, version: HodokuVersion, rows: usize) -> Search {
        Search {
            state: State::new(puzzle),
            version,
            row: 0,
            name: "",
            // If no candidates are left, nothing can be found. So 0 can stand for an unsearched part.
            quiet: vec![[0; PARTS]; rows],
            rectangles: Vec::new(),
            almost_locked: AlmostLocked::default(),
            partners: BitRows::default(),
            implications: None,
            is_full: false,
        }
    }

    /// Sets the technique (table row) that is tried next.
    pub(super) fn set_row(&mut self, row: usize, name: &'static str) {
        (self.row, self.name) = (row, name);
    }

    /// Lets this technique use the entries in `quiet` of the technique before it in the table.
    pub(super) fn share_with_row_before(&mut self) {
        self.row -= 1;
    }

    /// Whether this technique has already found nothing in this part (a digit or a house) with the same candidates.
    pub(super) fn is_quiet(&self, part: impl BoardPart) -> bool {
        self.quiet[self.row][part.number()] == self.state.left(part)
    }

    /// Stores that this technique finds nothing in this part (a digit or a house) with its current candidates.
    pub(super) fn set_quiet(&mut self, part: impl BoardPart) {
        self.quiet[self.row][part.number()] = self.state.left(part);
    }

    /// The first step of a technique that searches digit by digit or house by house, in the order of `parts`. A part is
    /// skipped if its candidates have not changed since the technique found nothing there. Removals outside a house do
    /// not matter, because they only reduce what the technique could remove.
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

    /// A step that places the single that `next` takes from the queues; `None` if it takes none.
    pub(super) fn single(&mut self, next: fn(&mut State) -> Option<Candidate>) -> Option<Step> {
        Some(Step::placing(self.name, next(&mut self.state)?))
    }
}
