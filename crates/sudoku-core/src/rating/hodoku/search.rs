//! What the techniques search, and what they remember between searches.

use super::als::AlmostLocked;
use super::bit_rows::BitRows;
use super::closure::Closure;
use super::links::Links;
use super::state::State;
use super::step::Step;
use super::version::HodokuVersion;
use crate::board::{CellSet, Digit, Grid};

/// The techniques that only depend on the places of one digit.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Fish2,
    Fish3,
    Fish4,
    Finned2,
    Finned3,
    Finned4,
    Franken2,
    Franken3,
    FinnedFranken2,
    FinnedFranken3,
    Skyscraper,
    TwoStringKite,
    TurbotFish,
    EmptyRectangle,
    SimpleColors,
    MultiColors,
    XChain,
}

impl Kind {
    const COUNT: usize = Kind::XChain as usize + 1;
}

/// The state of the path, and what techniques remember of it.
pub(super) struct Search {
    pub(super) state: State,
    pub(super) version: HodokuVersion,
    /// By technique of one digit and by digit: the places for which the technique found nothing.
    quiet: [[CellSet; 9]; Kind::COUNT],
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
            // No places: nothing is found there.
            quiet: [[CellSet::EMPTY; 9]; Kind::COUNT],
            sashimi: [const { None }; 5],
            rectangles: Vec::new(),
            almost_locked: AlmostLocked::default(),
            seeing_the_same: BitRows::default(),
            without_sue_de_coq: [[0; 9]; 27],
            implications: None,
            is_full: false,
        }
    }

    /// Whether the technique is known to find nothing for the places of this digit.
    pub(super) fn is_quiet(&self, kind: Kind, digit: Digit) -> bool {
        self.quiet[kind as usize][digit.index()] == self.state.places(digit)
    }

    /// Remembers that the technique finds nothing for the places of this digit.
    pub(super) fn set_quiet(&mut self, kind: Kind, digit: Digit) {
        self.quiet[kind as usize][digit.index()] = self.state.places(digit);
    }

    /// The first step that a technique of one digit finds, digit by digit. Digits whose places have not
    /// changed since it found nothing are left out.
    pub(super) fn by_digit(
        &mut self,
        kind: Kind,
        mut find: impl FnMut(&mut Search, Digit) -> Option<Step>,
    ) -> Option<Step> {
        for digit in Digit::ALL {
            if self.is_quiet(kind, digit) {
                continue;
            }
            let found = find(self, digit);
            if found.is_some() {
                return found;
            }
            self.set_quiet(kind, digit);
        }
        None
    }
}
