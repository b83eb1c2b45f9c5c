//! The state that techniques search, and results that they keep for later searches.

use super::implications::closure::Closure;
use super::implications::links::Links;
use super::path::state::State;
use super::path::step::Step;
use super::sets::als::AlmostLocked;
use super::sets::bit_rows::BitRows;
use super::version::HodokuVersion;
use crate::board::{CellSet, Digit, Grid, House};

/// The state that techniques search, and results that they keep for later searches.
pub(super) struct Search {
    pub(super) state: State,
    pub(super) version: HodokuVersion,
    /// The index of the row that is asked.
    row: usize,
    /// The name of the row that is asked.
    pub(super) name: &'static str,
    /// For rows that search each digit alone: by row and digit, the places of the digit at its last search, if
    /// that found nothing.
    quiet: Vec<[CellSet; 9]>,
    /// For rows that search each house alone: by row, house and digit, the positions of the digit at the last search
    /// of the house, if that found nothing.
    quiet_houses: Vec<[[u16; 9]; 27]>,
    /// By size, the first sashimi fish of this state. The search for finned fish finds it.
    pub(super) sashimi: [Option<Step>; 5],
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
    pub(super) fn new(puzzle: &Grid, version: HodokuVersion) -> Search {
        Search {
            state: State::new(puzzle),
            version,
            row: 0,
            name: "",
            quiet: Vec::new(),
            sashimi: [const { None }; 5],
            rectangles: Vec::new(),
            almost_locked: AlmostLocked::default(),
            partners: BitRows::default(),
            quiet_houses: Vec::new(),
            implications: None,
            is_full: false,
        }
    }

    /// Notes the row that is asked next.
    pub(super) fn ask(&mut self, row: usize, name: &'static str) {
        (self.row, self.name) = (row, name);
        if self.quiet.len() <= row {
            // No places: nothing is found there.
            self.quiet.resize(row + 1, [CellSet::EMPTY; 9]);
            self.quiet_houses.resize(row + 1, [[0; 9]; 27]);
        }
    }

    /// Whether the row is known to find nothing for the places of this digit.
    pub(super) fn is_quiet(&self, digit: Digit) -> bool {
        self.quiet[self.row][digit.index()] == self.state.places(digit)
    }

    /// Notes that the row finds nothing for the places of this digit.
    pub(super) fn set_quiet(&mut self, digit: Digit) {
        self.quiet[self.row][digit.index()] = self.state.places(digit);
    }

    /// The first step of a row that searches each digit alone, in the order of the digits. Skips digits whose
    /// places have not changed since the row found nothing for them.
    pub(super) fn by_digit(
        &mut self,
        mut find: impl FnMut(&Search, Digit) -> Option<Step>,
    ) -> Option<Step> {
        Digit::ALL.into_iter().find_map(|digit| {
            if self.is_quiet(digit) {
                return None;
            }
            let found = find(self, digit);
            if found.is_none() {
                self.set_quiet(digit);
            }
            found
        })
    }

    /// Whether the row is known to find nothing for the candidates of this house.
    pub(super) fn is_quiet_house(&self, house: House) -> bool {
        let at = house.index();
        self.quiet_houses[self.row][at] == self.state.all_positions()[at]
    }

    /// Notes that the row finds nothing for the candidates of this house.
    pub(super) fn set_quiet_house(&mut self, house: House) {
        let at = house.index();
        self.quiet_houses[self.row][at] = self.state.all_positions()[at];
    }

    /// The first step of a row that searches each house alone, in the order of these houses. Skips houses whose
    /// candidates have not changed since the row found nothing in them. What steps remove outside of the house does
    /// not matter for this: it can only become less.
    pub(super) fn by_house(
        &mut self,
        houses: impl IntoIterator<Item = House>,
        mut find: impl FnMut(&Search, House) -> Option<Step>,
    ) -> Option<Step> {
        houses.into_iter().find_map(|house| {
            if self.is_quiet_house(house) {
                return None;
            }
            let found = find(self, house);
            if found.is_none() {
                self.set_quiet_house(house);
            }
            found
        })
    }
}
