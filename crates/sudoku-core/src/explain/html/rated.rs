//! The HTML page of a rating. A step that places a digit without chains is one line; every other step has a
//! drawing.

use super::document::{document, escape};
use super::drawing::{self, defined};
use super::figure::{caption, captioned, head, solution};
use super::folded::folded;
use super::parts::SharedParts;
use crate::board::{Candidates, CellSet};
use crate::explain::chained;
use crate::explain::rated::{RatedStep, RatedWalk, facts};
use crate::explain::step_board::StepBoard;

pub(in crate::explain) fn rated(walk: &RatedWalk) -> String {
    let clues = Candidates::clues(&walk.puzzle);
    let mut parts = SharedParts::new("p");
    let facts = facts(walk);
    let facts = facts.iter().map(|(name, value)| (*name, value.clone()));
    let mut body = head::<Candidates>(&mut parts, &walk.puzzle, facts);
    for sentence in walk.sentences_about_ratings() {
        body += &format!("<p>{}</p>\n", escape(&sentence));
    }
    let mut is_listing = false;
    for (n, step) in walk.steps.iter().enumerate() {
        if step.is_single() != is_listing {
            is_listing = step.is_single();
            body += &match is_listing {
                true => format!(
                    "<section>\n<h2>Singles</h2>\n<ol class=\"columns\" start=\"{}\">\n",
                    n + 1
                ),
                false => "</ol>\n</section>\n".to_owned(),
            };
        }
        body += &match is_listing {
            true => line(step),
            false => section(&mut parts, n, step, clues),
        };
    }
    if is_listing {
        body += "</ol>\n</section>\n";
    }
    if let Some(why) = walk.reason_for_end() {
        body += &format!("<p>{}</p>\n", escape(why));
    }
    body += &solution::<Candidates>(&mut parts, &walk.solution, &clues);
    let title = walk.title();
    document(&title, &body)
}

fn line(step: &RatedStep) -> String {
    let RatedStep {
        technique,
        rating,
        board,
        step,
        ..
    } = step;
    let caption = caption(board, step);
    format!("<li>{rating} {}: {caption}</li>\n", escape(technique))
}

fn section(parts: &mut SharedParts, n: usize, step: &RatedStep, clues: CellSet) -> String {
    let id = format!("s{}", n + 1);
    let title = format!("Step {}: {}", n + 1, step.technique);
    let label = step.step.effect.to_string();
    let figure = drawing::steps(&id, &step.board, std::slice::from_ref(&step.step), &label);
    format!(
        "<section>\n<h2>{}</h2>\n<p class=\"meta\">{}</p>\n{}<div class=\"figures one\">\n\
         <figure>\n{figure}<figcaption>{}</figcaption>\n</figure>\n</div>\n</section>\n",
        escape(&title),
        step.place(),
        defined(parts, &id, &step.board, &clues),
        chained_caption(step),
    )
}

/// Like [`caption`], for steps with several chains: names their ends, and folds their nodes, of which there
/// can be hundreds.
fn chained_caption(
    RatedStep {
        chains,
        board,
        step,
        ..
    }: &RatedStep,
) -> String {
    let Some((claim, cases)) = chained::outline(chains, &step.effect) else {
        return caption(board, step);
    };
    let cases = cases.iter().map(|(head, nodes)| match nodes.is_empty() {
        true => format!("<li>{}</li>\n", escape(head)),
        false => format!("<li>{}</li>\n", folded(head, &escape(nodes))),
    });
    let cases: String = cases.collect();
    format!("{}<ul>\n{cases}</ul>\n", captioned(step, &claim))
}
