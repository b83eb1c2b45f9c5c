//! The text of a rating. A step that places a digit without chains is one line; every other step has a
//! board.

use super::paint::Paint;
use super::wrap::wrap;
use super::{TextWriter, reasons};
use crate::board::Candidates;
use crate::explain::rated::{RatedStep, RatedWalk, facts};
use crate::explain::step_board::StepBoard;
use crate::explain::words;

impl TextWriter {
    pub(in crate::explain) fn rated(&self, walk: &RatedWalk) -> String {
        let clues = Candidates::clues(&walk.puzzle);
        let mut text = self.heading("Steps");
        for (n, step) in walk.steps.iter().enumerate() {
            if step.is_single() {
                text += &line(n, step);
                continue;
            }
            if self.brief {
                text += &line(n, step);
                text += &reasons(&step.board, &step.step);
                continue;
            }
            if !text.ends_with("\n\n") {
                text.push('\n');
            }
            text += &self.board(&step.board, &clues, std::slice::from_ref(&step.step));
            let head = format!("{} ({})", step.technique, step.place());
            text += &self.painter.paint(Paint::Heading, &head);
            text.push('\n');
            text += &wrap(&format!("{:>3}. ", n + 1), &step.step.effect.to_string());
            text += &reasons(&step.board, &step.step);
            text.push('\n');
        }
        if !text.ends_with("\n\n") {
            text.push('\n');
        }
        if let Some(why) = walk.reason_for_end() {
            text += &wrap("", why);
            text.push('\n');
        }
        text + &self.ratings(walk)
    }

    fn ratings(&self, walk: &RatedWalk) -> String {
        let mut text = self.heading("Rating");
        text += &self.grids::<Candidates>(&walk.puzzle, &walk.solution);
        text.push('\n');
        for (column, value) in facts(walk) {
            text += &format!("  {column:<14}  {value}\n");
        }
        text.push('\n');
        for sentence in walk.sentences_about_ratings() {
            text += &wrap("", &sentence);
        }
        text
    }
}

/// The line for step `n`, such as ` 12. 6.6  Forcing chain  r1c2<>3`.
fn line(n: usize, step: &RatedStep) -> String {
    let RatedStep {
        technique,
        rating,
        board,
        step,
        ..
    } = step;
    let why = match step.effect.places_something() {
        true => words::why(board, step),
        false => String::new(),
    };
    let line = format!(
        "{:>4}  {technique}: {}  {why}",
        rating.to_string(),
        step.effect
    );
    wrap(&format!("{:>3}. ", n + 1), line.trim())
}
