//! The HTML page that explains the rating of a puzzle. A step that places a digit without chains is shown as
//! one line, every other step with a drawing.

use super::document::{escape_html, html_document};
use super::drawing::{self, define_board};
use super::figure::{caption_html, caption_with_reason, page_head, solution_section};
use super::folded::collapsed_html;
use super::parts::SharedParts;
use crate::board::{Candidates, CellSet};
use crate::explain::chained;
use crate::explain::rated::{RatedStep, RatedWalk, fact_rows};
use crate::explain::step_board::StepBoard;

pub(in crate::explain) fn rated_page(walk: &RatedWalk) -> String {
    let clues = Candidates::clues(&walk.puzzle);
    let mut shared_parts = SharedParts::new("p");
    let fact_rows = fact_rows(walk);
    let fact_rows = fact_rows.iter().map(|(name, value)| (*name, value.clone()));
    let mut body = page_head::<Candidates>(&mut shared_parts, &walk.puzzle, fact_rows);
    for sentence in walk.sentences_about_ratings() {
        body += &format!("<p>{}</p>\n", escape_html(&sentence));
    }
    let mut is_listing = false;
    for (n, step) in walk.steps.iter().enumerate() {
        if step.is_single() != is_listing {
            is_listing = step.is_single();
            body += &if is_listing {
                format!(
                    "<section>\n<h2>Singles</h2>\n<ol class=\"columns\" start=\"{}\">\n",
                    n + 1
                )
            } else {
                "</ol>\n</section>\n".to_owned()
            };
        }
        body += &if is_listing {
            step_line(step)
        } else {
            step_section(&mut shared_parts, n, step, clues)
        };
    }
    if is_listing {
        body += "</ol>\n</section>\n";
    }
    if let Some(why) = walk.reason_for_end() {
        body += &format!("<p>{}</p>\n", escape_html(why));
    }
    body += &solution_section::<Candidates>(&mut shared_parts, &walk.solution, &clues);
    let title = walk.title();
    html_document(&title, &body)
}

fn step_line(step: &RatedStep) -> String {
    let RatedStep {
        technique,
        rating,
        board,
        step,
        ..
    } = step;
    let caption = caption_html(board, step);
    format!("<li>{rating} {}: {caption}</li>\n", escape_html(technique))
}

fn step_section(parts: &mut SharedParts, n: usize, step: &RatedStep, clues: CellSet) -> String {
    let id = format!("s{}", n + 1);
    let title = format!("Step {}: {}", n + 1, step.technique);
    let label = step.step.effect.to_string();
    let step_figure =
        drawing::draw_steps(&id, &step.board, std::slice::from_ref(&step.step), &label);
    format!(
        "<section>\n<h2>{}</h2>\n<p class=\"meta\">{}</p>\n{}<div class=\"figures one\">\n\
         <figure>\n{step_figure}<figcaption>{}</figcaption>\n</figure>\n</div>\n</section>\n",
        escape_html(&title),
        step.rating_and_level(),
        define_board(parts, &id, &step.board, &clues),
        chained_caption(step),
    )
}

/// The HTML caption of a step, like [`caption_html`]. If the step has several chains, the caption lists the
/// conclusion of each chain, and hides the nodes of the chains until a click, because there can be hundreds.
fn chained_caption(
    RatedStep {
        chains,
        board,
        step,
        ..
    }: &RatedStep,
) -> String {
    let Some((claim, cases)) = chained::outline_of_chains(chains, &step.effect) else {
        return caption_html(board, step);
    };
    let case_items = cases.iter().map(|(head, nodes)| {
        if nodes.is_empty() {
            format!("<li>{}</li>\n", escape_html(head))
        } else {
            format!("<li>{}</li>\n", collapsed_html(head, &escape_html(nodes)))
        }
    });
    let case_items: String = case_items.collect();
    format!(
        "{}<ul>\n{case_items}</ul>\n",
        caption_with_reason(step, &claim)
    )
}
