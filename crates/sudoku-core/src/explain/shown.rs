//! Texts and drawings of explanations that differ between 9 × 9 boards and boards of other sizes.

use super::html::{self, BoardGeometry};
use super::manual::ABOUT_SEARCH;
use super::role::CandidateRoles;
use super::step_board::StepBoard;
use super::technique::{rank_and_level, technique_name};
use super::walk::Walk;
use super::words::{self, OutlineLine};
use crate::board::{Candidates, Digit};
use crate::grade::Step;
use crate::sizes::{SizedBoard, SizedGrid, SizedStep};
use crate::text::Puzzle;

/// The texts for a board on which no technique finds anything any more.
pub(super) struct StalledTexts {
    pub(super) heading: &'static str,
    pub(super) description: &'static str,
    /// The title of the drawing for screen readers.
    pub(super) screen_reader_title: &'static str,
}

/// A board that explanations can show as text and as HTML; implemented for 9 × 9 and for all other sizes.
pub(super) trait ShownBoard: StepBoard {
    const STALLED: StalledTexts;

    /// The HTML legend of the colours and lines in drawings.
    fn legend() -> String;

    /// The title of the page about the solution path of a puzzle.
    fn title(walk: &Walk<Self>) -> String;

    /// A sentence about the grade of a puzzle.
    fn verdict(walk: &Walk<Self>) -> String;

    /// The clues of a puzzle as text, with a character for each cell and `.` for an empty one.
    fn clues_text(puzzle: &Self::Puzzle) -> &str;

    /// The board for the first drawing of a puzzle. It has no candidates, unless the puzzle has pencil marks.
    fn board_at_start(puzzle: &Self::Puzzle) -> Self;

    /// The role of each candidate of the board in these steps.
    fn roles(&self, steps: &[Self::Step]) -> CandidateRoles;

    /// Whether a step is simple enough to be shown as a single line of text, without a drawing.
    fn is_one_line(step: &Self::Step) -> bool;

    /// The parts of the argument for a step, each with its label: the pattern, its sets, its chain. The last
    /// part is the reason, as a sentence.
    fn argument_parts(&self, step: &Self::Step) -> Vec<(String, String)>;

    /// The cases or the parts of a step, each with its numbered lines. Empty for other sizes than 9 × 9.
    fn step_outline(&self, _step: &Self::Step) -> Vec<OutlineLine> {
        Vec::new()
    }

    /// Whether a step has cases with deductions. False for other sizes than 9 × 9.
    fn has_trace(_step: &Self::Step) -> bool {
        false
    }

    /// The caption of a step as HTML: its effect and the reason for it.
    fn step_caption(&self, step: &Self::Step) -> String;

    /// The shaded houses and cells of a step as SVG. They are drawn below the board.
    fn shades_svg(&self, geometry: &BoardGeometry, step: &Self::Step) -> String;

    /// The grouped nodes of a step's chain, as SVG that is drawn over the board and below the discs of
    /// candidates.
    fn groups_svg(_step: &Self::Step) -> String {
        String::new()
    }

    /// The links of a step's chain, as SVG that is drawn above everything else.
    fn links_svg(_step: &Self::Step) -> String {
        String::new()
    }
}

impl ShownBoard for Candidates {
    const STALLED: StalledTexts = StalledTexts {
        heading: "Search",
        description: ABOUT_SEARCH,
        screen_reader_title: "The board on which all techniques stall",
    };

    fn legend() -> String {
        html::LEGEND_HTML.to_owned()
    }

    fn title(walk: &Walk) -> String {
        let rank = walk.grade.rank;
        format!(
            "Sudoku explained: {} ({})",
            technique_name(rank),
            rank_and_level(rank)
        )
    }

    fn verdict(walk: &Walk) -> String {
        let clues = walk.puzzle.clues.clue_count();
        words::verdict_sentence(walk.grade.rank, clues, walk.grade.total_waves())
    }

    fn clues_text(puzzle: &Puzzle) -> &str {
        puzzle.clues.as_str()
    }

    fn board_at_start(puzzle: &Puzzle) -> Candidates {
        let mut board = puzzle.board();
        if puzzle.marks.is_none() {
            for digit in Digit::ALL {
                board.eliminate(digit, board.unsolved());
            }
        }
        board
    }

    fn roles(&self, steps: &[Step]) -> CandidateRoles {
        CandidateRoles::from_steps(self, steps)
    }

    fn is_one_line(step: &Step) -> bool {
        step.effect.places_something() && step.pattern.why.is_empty()
    }

    fn argument_parts(&self, step: &Step) -> Vec<(String, String)> {
        let mut named_parts = words::pattern_parts(step);
        named_parts.push(("why".to_owned(), words::why(self, step)));
        named_parts
    }

    fn step_outline(&self, step: &Step) -> Vec<OutlineLine> {
        words::outline_of_step(self, step)
    }

    fn has_trace(step: &Step) -> bool {
        words::has_trace(step)
    }

    fn step_caption(&self, step: &Step) -> String {
        html::caption_html(self, step)
    }

    fn shades_svg(&self, _geometry: &BoardGeometry, step: &Step) -> String {
        html::draw_shades(step)
    }

    fn groups_svg(step: &Step) -> String {
        html::draw_groups(step)
    }

    fn links_svg(step: &Step) -> String {
        html::draw_links(step)
    }
}

impl ShownBoard for SizedBoard {
    const STALLED: StalledTexts = StalledTexts {
        heading: "Beyond",
        description: "Ranks 1 to 15 find nothing here, and there are no other ranks for sizes other than 9 × 9.",
        screen_reader_title: "The board on which ranks 1 to 15 stall",
    };

    fn legend() -> String {
        html::legend_of_all_sizes()
    }

    fn title(walk: &Walk<SizedBoard>) -> String {
        let size = walk.puzzle.size();
        if walk.grade.beyond {
            format!("Sudoku {size} explained: beyond (no technique of ranks 1 to 15 solves it)")
        } else {
            let rank = walk.grade.rank;
            format!(
                "Sudoku {size} explained: {} ({})",
                technique_name(rank),
                rank_and_level(rank)
            )
        }
    }

    fn verdict(walk: &Walk<SizedBoard>) -> String {
        let (clues, waves) = (walk.puzzle.clue_count(), walk.grade.total_waves());
        if walk.grade.beyond {
            words::verdict_beyond(clues, waves)
        } else {
            words::verdict_sentence(walk.grade.rank, clues, waves)
        }
    }

    fn clues_text(puzzle: &SizedGrid) -> &str {
        puzzle.as_str()
    }

    fn board_at_start(puzzle: &SizedGrid) -> SizedBoard {
        SizedBoard::from(puzzle).without_candidates()
    }

    fn roles(&self, steps: &[SizedStep]) -> CandidateRoles {
        CandidateRoles::from_sized_steps(self, steps)
    }

    fn is_one_line(step: &SizedStep) -> bool {
        !step.placed.is_empty()
    }

    fn argument_parts(&self, step: &SizedStep) -> Vec<(String, String)> {
        vec![("why".to_owned(), self.why(step))]
    }

    fn step_caption(&self, step: &SizedStep) -> String {
        html::plain_caption(&self.effect(step), &self.why(step))
    }

    fn shades_svg(&self, geometry: &BoardGeometry, step: &SizedStep) -> String {
        let houses = step.houses.iter();
        let houses = houses.map(|house| geometry.house_svg(*house, "house"));
        let cells = step.cells.iter();
        houses
            .chain(cells.map(|cell| geometry.cell_svg(*cell, "in-pattern")))
            .collect()
    }
}
