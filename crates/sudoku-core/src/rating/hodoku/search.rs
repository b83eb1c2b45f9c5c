//! What the techniques search, and what they remember between searches.

use super::implications::closure::Closure;
use super::implications::links::Links;
use super::path::state::State;
use super::path::step::Step;
use super::sets::als::AlmostLocked;
use super::sets::bit_rows::BitRows;
use super::version::HodokuVersion;
use crate::board::{CellSet, Digit, Grid};

/// The state of the path, and what techniques remember of it.
pub(super) struct Search {
    pub(super) state: State,
    pub(super) version: HodokuVersion,
    /// The index and the name of the row that is asked.
    row: usize,
    pub(super) name: &'static str,
    /// By row and digit, for techniques that only depend on the places of one digit: the places for which the
    /// row found nothing.
    quiet: Vec<[CellSet; 9]>,
    /// The first sashimi fish of this state by size, from the search for finned ones.
    pub(super) sashimi: [Option<Step>; 5],
    /// The steps with unique rectangles on this state, from the search for the first of their rows.
    pub(super) rectangles: Vec<Step>,
    /// The almost locked sets of this state and their links, from the search for the first of their rows.
    pub(super) almost_locked: AlmostLocked,
    /// For each almost locked set, those that see a candidate of a common digit together with it, from the
    /// search for XY-wings.
    pub(super) seeing_the_same: BitRows,
    /// By house, the positions of the digits for which no Sue de Coq was found.
    pub(super) without_sue_de_coq: [[u16; 9]; 27],
    /// The links of this state with groups, and what follows by them, from the search for grouped loops.
    pub(super) implications: Option<(Links, Closure)>,
    /// Whether a table of forcing nets has more entries than the reference has room for.
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
            seeing_the_same: BitRows::default(),
            without_sue_de_coq: [[0; 9]; 27],
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
        }
    }

    /// Whether the row is known to find nothing for the places of this digit.
    pub(super) fn is_quiet(&self, digit: Digit) -> bool {
        self.quiet[self.row][digit.index()] == self.state.places(digit)
    }

    /// Remembers that the row finds nothing for the places of this digit.
    pub(super) fn set_quiet(&mut self, digit: Digit) {
        self.quiet[self.row][digit.index()] = self.state.places(digit);
    }

    /// The first step of a row that only depends on the places of one digit, digit by digit. Digits whose
    /// places have not changed since it found nothing are left out.
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
}
