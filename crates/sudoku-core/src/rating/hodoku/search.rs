//! What the techniques search, and what they remember between searches.

use super::als::{Als, Link};
use super::state::State;
use super::step::Step;
use super::version::HodokuVersion;
use crate::board::Grid;

/// The state of the path, and what techniques remember of it.
pub(super) struct Search {
    pub(super) state: State,
    pub(super) version: HodokuVersion,
    /// The steps with unique rectangles on this state, from the search for the first of their rows.
    pub(super) rectangles: Vec<Step>,
    /// The almost locked sets of this state and their links, from the search for the first of their rows.
    pub(super) sets: Vec<Als>,
    pub(super) links: Vec<Link>,
}

impl Search {
    pub(super) fn new(puzzle: &Grid, version: HodokuVersion) -> Search {
        Search {
            state: State::new(puzzle),
            version,
            rectangles: Vec::new(),
            sets: Vec::new(),
            links: Vec::new(),
        }
    }
}
