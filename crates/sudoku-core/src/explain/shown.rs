//! Texts and drawings of an explanation that depend on the size of the grid.

use super::html::{self, Geometry};
use super::manual::ABOUT_SEARCH;
use super::role::Roles;
use super::step_board::StepBoard;
use super::technique::{name, place};
use super::walk::Walk;
use super::words::{self, Outline};
use crate::board::{Candidates, Digit};
use crate::grade::Step;
use crate::sizes::{SizedBoard, SizedGrid, SizedStep};
use crate::text::Puzzle;

/// The texts for a board on which no technique finds anything.
pub(super) struct StalledTexts {
    pub(super) heading: &'static str,
    pub(super) about: &'static str,
    /// The title of the drawing for screen readers.
    pub(super) label: &'static str,
}

/// A board that text and HTML explanations can show.
pub(super) trait ShownBoard: StepBoard {
    const STALLED: StalledTexts;

    /// The HTML legend of the colours and lines in drawings.
    fn legend() -> String;

    /// The title of a walk's page.
    fn title(walk: &Walk<Self>) -> String;

    /// A sentence about the grade of a walk.
    fn verdict(walk: &Walk<Self>) -> String;

    /// The clues as text: a character for each cell, `.` for an empty cell.
    fn given(puzzle: &Self::Puzzle) -> &str;

    /// The board at the start: the clues only, or the candidates too if the puzzle has pencil
    /// marks.
    fn givens(puzzle: &Self::Puzzle) -> Self;

    /// The roles of the candidates in these steps.
    fn roles(&self, steps: &[Self::Step]) -> Roles;

    /// Whether a step is shown as a single line of text, without a drawing.
    fn is_one_line(step: &Self::Step) -> bool;

    /// The labelled parts of a step's argument. The last part is the reason.
    fn argument(&self, step: &Self::Step) -> Vec<(String, String)>;

    /// The parts and cases of a step, as lines with numbered lines below. Only 9 × 9 steps have
    /// any.
    fn outline(&self, _step: &Self::Step) -> Vec<Outline> {
        Vec::new()
    }

    /// Whether the outline of a step has deductions. Only 9 × 9 steps have any.
    fn has_trace(_step: &Self::Step) -> bool {
        false
    }

    /// The caption of a step: its effect and reason, as HTML.
    fn caption(&self, step: &Self::Step) -> String;

    /// The shaded houses and cells of a step as SVG. They are drawn below the board.
    fn shades(&self, geometry: &Geometry, step: &Self::Step) -> String;

    /// The groups of cells in a step's chain as SVG. They are drawn below the candidates.
    fn groups(_step: &Self::Step) -> String {
        String::new()
    }

    /// The links of a step's chain as SVG. They are drawn above the candidates.
    fn links(_step: &Self::Step) -> String {
        String::new()
    }
}

impl ShownBoard for Candidates {
    const STALLED: StalledTexts = StalledTexts {
        heading: "Search",
        about: ABOUT_SEARCH,
        label: "The board on which all techniques stall",
    };

    fn legend() -> String {
        html::LEGEND.to_owned()
    }

    fn title(walk: &Walk) -> String {
        let rank = walk.grade.rank;
        format!("Sudoku explained: {} ({})", name(rank), place(rank))
    }

    fn verdict(walk: &Walk) -> String {
        let clues = walk.puzzle.clues.clue_count();
        words::verdict(walk.grade.rank, clues, walk.grade.total_waves())
    }

    fn given(puzzle: &Puzzle) -> &str {
        puzzle.clues.as_str()
    }

    fn givens(puzzle: &Puzzle) -> Candidates {
        let mut board = puzzle.board();
        if puzzle.marks.is_none() {
            for digit in Digit::ALL {
                board.eliminate(digit, board.unsolved());
            }
        }
        board
    }

    fn roles(&self, steps: &[Step]) -> Roles {
        Roles::from_steps(self, steps)
    }

    fn is_one_line(step: &Step) -> bool {
        step.effect.places_something() && step.pattern.why.is_empty()
    }

    fn argument(&self, step: &Step) -> Vec<(String, String)> {
        let mut parts = words::parts(step);
        parts.push(("why".to_owned(), words::why(self, step)));
        parts
    }

    fn outline(&self, step: &Step) -> Vec<Outline> {
        words::outline(self, step)
    }

    fn has_trace(step: &Step) -> bool {
        words::has_trace(step)
    }

    fn caption(&self, step: &Step) -> String {
        html::caption(self, step)
    }

    fn shades(&self, _geometry: &Geometry, step: &Step) -> String {
        html::shades(step)
    }

    fn groups(step: &Step) -> String {
        html::groups(step)
    }

    fn links(step: &Step) -> String {
        html::curves(step)
    }
}

impl ShownBoard for SizedBoard {
    const STALLED: StalledTexts = StalledTexts {
        heading: "Beyond",
        about: "Ranks 1 to 15 find nothing here, and there are no other ranks for sizes other than 9 × 9.",
        label: "The board on which ranks 1 to 15 stall",
    };

    fn legend() -> String {
        html::legend_of_all_sizes()
    }

    fn title(walk: &Walk<SizedBoard>) -> String {
        let size = walk.puzzle.size();
        match walk.grade.beyond {
            true => {
                format!("Sudoku {size} explained: beyond (no technique of ranks 1 to 15 solves it)")
            }
            false => {
                let rank = walk.grade.rank;
                format!("Sudoku {size} explained: {} ({})", name(rank), place(rank))
            }
        }
    }

    fn verdict(walk: &Walk<SizedBoard>) -> String {
        let (clues, waves) = (walk.puzzle.clue_count(), walk.grade.total_waves());
        match walk.grade.beyond {
            true => words::verdict_beyond(clues, waves),
            false => words::verdict(walk.grade.rank, clues, waves),
        }
    }

    fn given(puzzle: &SizedGrid) -> &str {
        puzzle.as_str()
    }

    fn givens(puzzle: &SizedGrid) -> SizedBoard {
        SizedBoard::from(puzzle).without_candidates()
    }

    fn roles(&self, steps: &[SizedStep]) -> Roles {
        Roles::from_sized_steps(self, steps)
    }

    fn is_one_line(step: &SizedStep) -> bool {
        !step.placed.is_empty()
    }

    fn argument(&self, step: &SizedStep) -> Vec<(String, String)> {
        vec![("why".to_owned(), self.why(step))]
    }

    fn caption(&self, step: &SizedStep) -> String {
        html::plain_caption(&self.effect(step), &self.why(step))
    }

    fn shades(&self, geometry: &Geometry, step: &SizedStep) -> String {
        let houses = step.houses.iter();
        let houses = houses.map(|house| geometry.house(*house, "house"));
        let cells = step.cells.iter();
        houses
            .chain(cells.map(|cell| geometry.cell(*cell, "in-pattern")))
            .collect()
    }
}
