//! Figures of boards, with captions that describe the steps.

use super::document::{escape, table};
use super::drawing::figure_of_board;
use super::folded::{effect, traces};
use super::parts::SharedParts;
use super::section;
use super::svg::{self, SET_COLOURS};
use crate::board::{Candidates, CellSet, Digit, Grid};
use crate::explain::words;
use crate::grade::Step;
use crate::text::Puzzle;

/// The legend of the drawings of 9 × 9 boards.
pub(super) const LEGEND: &str = r#"<ul class="legend">
<li><svg viewBox="0 0 26 20" aria-hidden="true"><circle class="pattern" cx="13" cy="10" r="8" /></svg>pattern</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><circle class="other" cx="13" cy="10" r="8" /></svg>second role: fins, pincers, another set; every other end of a chain</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><path class="strike" d="M2 18l22 -16" /><circle class="removed" cx="13" cy="10" r="8" /></svg>removed</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><circle class="placed" cx="13" cy="10" r="8" /></svg>placed</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><path class="strong" d="M1 12Q13 4 25 12" /></svg>strong link: one of the two is true</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><path class="weak" d="M1 12Q13 4 25 12" /></svg>weak link: at most one is true</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><path class="group" d="M7 10L19 10" /></svg>group: one of the cells</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><rect class="tint tint-0" x="2" y="2" width="11" height="16" /><rect class="tint tint-1" x="13" y="2" width="11" height="16" /></svg>sets, each in the colour of its name</li>
</ul>
"#;

/// The legend of the drawings of other sizes, where candidates have fewer roles.
pub(crate) fn legend_of_all_sizes() -> String {
    let roles = ["pattern</li>", "removed</li>", "placed</li>"];
    let lines = LEGEND.split_inclusive('\n').filter(|line| {
        let is_item = line.starts_with("<li>");
        !is_item || roles.iter().any(|role| line.trim_end().ends_with(role))
    });
    lines.collect()
}

/// The head of a page: the puzzle as text and as a drawing, and a table of facts.
pub(super) fn head<'a>(
    parts: &mut SharedParts,
    puzzle: &Puzzle,
    clues: CellSet,
    facts: impl Iterator<Item = (&'a str, String)>,
) -> String {
    let label = ("the-puzzle", "The puzzle");
    format!(
        "<p class=\"lead\"><code>{puzzle}</code></p>\n<div class=\"head\">\n{}{}{LEGEND}</div>\n",
        figure_of_board(parts, &givens(puzzle), &clues, label),
        table(facts)
    )
}

/// The board at the start: the clues only, or the candidates too if the puzzle has pencil marks.
fn givens(puzzle: &Puzzle) -> Candidates {
    let mut board = puzzle.board();
    if puzzle.marks.is_some() {
        return board;
    }
    for digit in Digit::ALL {
        board.eliminate(digit, board.unsolved());
    }
    board
}

/// The section that shows the solution.
pub(super) fn solution(parts: &mut SharedParts, solution: &Grid, clues: CellSet) -> String {
    let board = Candidates::new(solution);
    let drawing = figure_of_board(parts, &board, &clues, ("solution", "The solution"));
    section::solution_section(solution.as_str(), false, &drawing)
}

pub(super) fn figure(id: &str, board: &Candidates, step: &Step) -> String {
    let drawing = svg::steps(
        id,
        board,
        std::slice::from_ref(step),
        &step.effect.to_string(),
    );
    section::captioned_figure(&drawing, &caption(board, step))
}

pub(super) fn caption(board: &Candidates, step: &Step) -> String {
    captioned(step, &words::why(board, step)) + &traces(board, step)
}

/// The caption of a step: its effect, the reason `why`, and the named parts of its pattern.
pub(super) fn captioned(step: &Step, why: &str) -> String {
    let mut html = format!("{} {}", effect(step), escape(why));
    for (n, (label, value)) in words::parts(&step.pattern).iter().enumerate() {
        let class = match label.as_str() {
            "pattern" => continue,
            "chain" | "pairs" | "links" => "chain".to_owned(),
            _ => format!("named tint-{}", n % SET_COLOURS),
        };
        let (label, value) = (escape(label), escape(value));
        html += &format!("<br /><span class=\"{class}\">{label}: {value}</span>");
    }
    html
}
