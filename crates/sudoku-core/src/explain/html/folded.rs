//! Folds long lists in the captions of steps: the reader opens a list with a click.
//!
//! ```text
//! 3 cases, 768 deductions
//!   If r1c3 is 1: all that is removed is gone. The last line: r4c4<>8, …
//!     > the 81 lines before it, in order
//! ```

use super::document::escape_html;
use crate::board::{Candidates, CellSet, Digit};
use crate::explain::words::{self, OutlineLine, outline_of_step};
use crate::grade::{Case, Step};

/// A case of a forcing step with more deductions than this is folded.
const MOST_UNFOLDED_DEDUCTIONS: usize = 8;

/// If a step removes more candidates than this, its caption has only their number, and lists them in a folded
/// part.
const MOST_LISTED_CANDIDATES: usize = 24;

/// The effect of a step as HTML. If it removes many candidates, the list of them is folded.
pub(super) fn effect_html(step: &Step) -> String {
    let removed_by_digit = Digit::ALL.map(|digit| step.effect.removed(digit));
    let count: usize = removed_by_digit.iter().map(|cells| cells.len()).sum();
    let text = escape_html(&step.effect.to_string());
    if count <= MOST_LISTED_CANDIDATES || step.effect.places_something() {
        return format!("<span class=\"effect\">{text}</span>");
    }
    let cells = removed_by_digit
        .into_iter()
        .reduce(|all, cells| all | cells);
    let cells = cells.map_or(0, CellSet::len);
    format!(
        "<span class=\"effect\">{count} candidates of {} removed</span>\
         {}",
        words::count_with_noun(cells, "cell"),
        collapsed_html("which", &format!("<span class=\"effect\">{text}</span>"))
    )
}

/// HTML lists that explain a step: the parts that the step combines, or its cases with their deductions. Empty
/// if the step has neither.
pub(super) fn traces_html(board: &Candidates, step: &Step) -> String {
    let outline = outline_of_step(board, step);
    if outline.is_empty() {
        return String::new();
    }
    if step.pattern.cases.is_empty() {
        return collapsed_html(
            &words::count_with_noun(outline.len(), "part"),
            &outline_list(&outline),
        );
    }
    let deductions = step.pattern.cases.iter().map(Case::len).sum();
    format!(
        "<p class=\"meta\">{}, {}</p>\n{}",
        words::count_with_noun(outline.len(), "case"),
        words::count_with_noun(deductions, "deduction"),
        outline_list(&outline)
    )
}

/// An HTML list of the cases or parts of a step.
pub(super) fn outline_list(outline: &[OutlineLine]) -> String {
    let list_items = outline
        .iter()
        .map(|own| format!("<li>{}</li>\n", outline_item(own)));
    format!("<ul>\n{}</ul>\n", list_items.collect::<String>())
}

/// A case as HTML: its assumption, then its deductions in order. If there are many deductions, the end of the
/// case and the last deduction come first, and the other deductions are folded.
fn outline_item(
    OutlineLine {
        text,
        lines_below: below,
        last_line: end,
    }: &OutlineLine,
) -> String {
    let text = escape_html(text);
    match (end, below.split_last()) {
        (Some(end), Some((last, before))) if before.len() >= MOST_UNFOLDED_DEDUCTIONS => {
            let summary = format!(
                "the {} before it, in order",
                words::count_with_noun(before.len(), "line")
            );
            format!(
                "{text} <strong>{}</strong> The last line: {}\n{}",
                escape_html(end),
                escape_html(last),
                collapsed_html(&summary, &lines_list(before.iter()))
            )
        }
        _ => text + &lines_list(below.iter().chain(end)),
    }
}

fn lines_list<'a>(lines: impl Iterator<Item = &'a String>) -> String {
    let lines = lines.map(|line| format!("<li>{}</li>\n", escape_html(line)));
    match lines.collect::<String>() {
        none if none.is_empty() => none,
        lines => format!("<ol>\n{lines}</ol>"),
    }
}

/// HTML that is hidden until the reader clicks on the summary.
pub(super) fn collapsed_html(summary: &str, html: &str) -> String {
    let summary = escape_html(summary);
    format!("<details><summary>{summary}</summary>\n{html}</details>\n")
}
