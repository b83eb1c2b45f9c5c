//! One puzzle, one position or one technique, explained to a person.
//!
//! ```text
//! text → Explanation: the waves of a grade, or one position, or a technique's manual
//!             │ each wave with the simplest steps that together are its effect
//!             └→ text for a terminal, one JSON object, one HTML page
//! ```
//!
//! The waves are those of [`Ladder::grade`](crate::grade::Ladder::grade), so that what is shown agrees with the columns of the
//! tables.

mod choose;
mod html;
mod json;
mod library;
mod manual;
mod markdown;
mod role;
mod technique;
mod text;
mod walk;
mod words;

pub use library::{Fit, LibraryPosition};
pub use manual::Manual;
pub use technique::technique_ids;
pub use text::TextOptions;
pub use walk::{Walk, Wave};

use crate::board::Grid;
use crate::error::Error;
use crate::hodoku::LibraryLine;
use crate::normalise::normalise;
use crate::outcome::Status;
use crate::reject::RejectReason;
use crate::solve::{Backtracker, Limits, Solution, Solver};
use crate::validate::{Puzzle, validate};

/// What is explained.
#[derive(Clone, Debug)]
pub enum Explanation {
    /// A puzzle, wave by wave.
    Puzzle(Box<Walk>),
    /// A position of HoDoKu's library.
    Position(Box<LibraryPosition>),
    /// A technique.
    Technique(Box<Manual>),
}

impl Explanation {
    /// Explains a puzzle as [`normalise`] takes it, or a line of HoDoKu's library.
    ///
    /// # Errors
    /// [`Error::BadData`], with what is wrong: no puzzle, not exactly one solution, no such line.
    pub fn of(text: &[u8]) -> Result<Explanation, Error> {
        if text.trim_ascii_start().starts_with(b":") {
            let line = String::from_utf8_lossy(text.trim_ascii());
            let line = LibraryLine::parse(&line).map_err(Error::BadData)?;
            let position = LibraryPosition::new(line)?;
            return Ok(Explanation::Position(Box::new(position)));
        }
        let puzzle = normalise(text).and_then(|start| validate(start, None));
        let puzzle = puzzle.map_err(|reason| bad_puzzle(&reason))?;
        let solution = only_solution(&puzzle)?;
        let walk = Walk::new(puzzle, solution);
        Ok(Explanation::Puzzle(Box::new(walk)))
    }

    /// The manual page of the technique with this id, one of [`technique_ids`].
    pub fn of_technique(id: &str) -> Option<Explanation> {
        Manual::new(id).map(|manual| Explanation::Technique(Box::new(manual)))
    }

    /// Text for a terminal of 80 columns.
    pub fn text(&self, options: TextOptions) -> String {
        text::render(self, options)
    }

    /// One JSON object.
    pub fn json(&self) -> serde_json::Value {
        json::object(self)
    }

    /// One page that needs nothing else.
    pub fn html(&self) -> String {
        html::page(self)
    }
}

fn bad_puzzle(reason: &RejectReason) -> Error {
    Error::BadData(format!("{}: {}", reason.kind.id(), reason.message))
}

fn only_solution(puzzle: &Puzzle) -> Result<Grid, Error> {
    let limits = Limits::default();
    let mut solutions: Vec<Solution> = Vec::new();
    Backtracker.solve(&[puzzle.board()], limits, &mut solutions);
    let found = solutions
        .pop()
        .map(|solution| (Status::of(&solution), solution.first));
    let what = match found {
        Some((Status::Unique, Some(solution))) => return Ok(solution),
        Some((Status::Multiple, _)) => "the puzzle has more than one solution".into(),
        Some((Status::GaveUp, _)) => format!(
            "it is not known whether the puzzle has exactly one solution: the search was given up \
             after {} nodes",
            limits.nodes
        ),
        _ => "the puzzle has no solution".into(),
    };
    Err(Error::BadData(format!(
        "{what}; only one with exactly one has a grade"
    )))
}
