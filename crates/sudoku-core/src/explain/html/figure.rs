//! HTML figures of boards, with captions that describe the steps.

use super::document::{escape_html, html_table};
use super::drawing::{self, board_geometry, figure_of_board};
use super::folded::{collapsed_html, effect_html, traces_html};
use super::parts::SharedParts;
use super::section;
use super::svg::SET_COLOURS;
use crate::board::Candidates;
use crate::explain::shown::ShownBoard;
use crate::explain::step_board::StepBoard;
use crate::explain::words;
use crate::grade::Step;

/// A list of links with a longer text is folded.
const MOST_UNFOLDED_LINK_BYTES: usize = 80;

/// The HTML legend of the colours and lines in drawings of 9 × 9 boards.
pub(in crate::explain) const LEGEND_HTML: &str = r#"<ul class="legend">
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

/// The HTML legend for boards of other sizes than 9 × 9, whose candidates have fewer roles.
pub(in crate::explain) fn legend_of_all_sizes() -> String {
    let roles = ["pattern</li>", "removed</li>", "placed</li>"];
    let lines = LEGEND_HTML.split_inclusive('\n').filter(|line| {
        let is_item = line.starts_with("<li>");
        !is_item || roles.iter().any(|role| line.trim_end().ends_with(role))
    });
    lines.collect()
}

/// The first part of a page: the puzzle as text and as a drawing, and a table of facts about it.
pub(super) fn page_head<'a, B: ShownBoard>(
    parts: &mut SharedParts,
    puzzle: &B::Puzzle,
    facts: impl Iterator<Item = (&'a str, String)>,
) -> String {
    let givens = B::board_at_start(puzzle);
    let label = ("the-puzzle", "The puzzle");
    let board_figure = figure_of_board(parts, &givens, &B::clues(puzzle), label);
    let (table, legend) = (html_table(facts), B::legend());
    let is_large = board_geometry(&givens).is_large();
    // A large board leaves no room beside it, so the table of facts comes below it.
    let facts_html = if is_large {
        format!("<div>{table}{legend}</div>")
    } else {
        table + &legend
    };
    format!(
        "<p class=\"lead\"><code>{puzzle}</code></p>\n<div class=\"{}\">\n{board_figure}{facts_html}</div>\n",
        section::board_class(is_large, "head"),
    )
}

/// The section of a page that shows the solution of the puzzle.
pub(super) fn solution_section<B: StepBoard>(
    parts: &mut SharedParts,
    solution: &B::Grid,
    clues: &B::Clues,
) -> String {
    let board = B::from_grid(solution);
    let drawing = figure_of_board(parts, &board, clues, ("solution", "The solution"));
    let is_large = board_geometry(&board).is_large();
    section::solution_section(&solution.to_string(), is_large, &drawing)
}

/// An HTML figure with a drawing of one step and its caption.
pub(super) fn step_figure<B: ShownBoard>(id: &str, board: &B, step: &B::Step) -> String {
    let steps = std::slice::from_ref(step);
    let drawing = drawing::draw_steps(id, board, steps, &board.effect(step));
    section::captioned_figure(&drawing, &board.step_caption(step))
}

/// An HTML caption with the effect of a step and the reason for it.
pub(in crate::explain) fn plain_caption(effect: &str, why: &str) -> String {
    let (effect, why) = (escape_html(effect), escape_html(why));
    format!("<span class=\"effect\">{effect}</span> {why}")
}

pub(in crate::explain) fn caption_html(board: &Candidates, step: &Step) -> String {
    caption_with_reason(step, &words::why(board, step)) + &traces_html(board, step)
}

/// Whether a part of a pattern is a list of links that would be longer than the rest of the caption.
fn is_long_list(label: &str, value: &str) -> bool {
    matches!(label, "pairs" | "links") && value.len() > MOST_UNFOLDED_LINK_BYTES
}

/// The HTML caption of a step: its effect, the reason `why`, and the named parts of its pattern.
pub(super) fn caption_with_reason(step: &Step, why: &str) -> String {
    let mut html = format!("{} {}", effect_html(step), escape_html(why));
    for (n, (label, value)) in words::pattern_parts(step).iter().enumerate() {
        let class = match label.as_str() {
            "pattern" => continue,
            "chain" | "pairs" | "links" => "chain".to_owned(),
            _ => format!("named tint-{}", n % SET_COLOURS),
        };
        if is_long_list(label, value) {
            let list = format!("<span class=\"{class}\">{}</span>", escape_html(value));
            html += &collapsed_html(label, &list);
            continue;
        }
        let (label, value) = (escape_html(label), escape_html(value));
        html += &format!("<br /><span class=\"{class}\">{label}: {value}</span>");
    }
    html
}
