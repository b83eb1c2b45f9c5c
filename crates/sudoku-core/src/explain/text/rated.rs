//! Writes the rating of a puzzle as text. A step that places a digit without chains is shown as one line,
//! every other step with a board.

use super::TextWriter;
use super::paint::TextColour;
use crate::board::Candidates;
use crate::explain::rated::{RatedStep, RatedWalk, fact_rows};
use crate::explain::step_board::StepBoard;
use crate::explain::words;

impl TextWriter {
    pub(in crate::explain) fn rated_text(&self, walk: &RatedWalk) -> String {
        let clues = Candidates::clues(&walk.puzzle);
        let mut text = self.heading_text("Steps");
        for (n, step) in walk.steps.iter().enumerate() {
            if step.is_single() {
                text += &self.step_line(n, step);
                continue;
            }
            if self.brief {
                text += &self.step_line(n, step);
                text += &self.reasons_text(&step.board, &step.step);
                continue;
            }
            if !text.ends_with("\n\n") {
                text.push('\n');
            }
            text += &self.board_with_steps(&step.board, &clues, std::slice::from_ref(&step.step));
            let heading = format!("{} ({})", step.technique, step.rating_and_level());
            let heading = self.wrapped("", &heading);
            text += &self
                .painter
                .paint_text(TextColour::Heading, heading.trim_end());
            text.push('\n');
            text += &self.wrapped(&format!("{:>3}. ", n + 1), &step.step.effect.to_string());
            text += &self.reasons_text(&step.board, &step.step);
            text.push('\n');
        }
        if !text.ends_with("\n\n") {
            text.push('\n');
        }
        if let Some(why) = walk.reason_for_end() {
            text += &self.wrapped("", why);
            text.push('\n');
        }
        text + &self.ratings_text(walk)
    }

    fn ratings_text(&self, walk: &RatedWalk) -> String {
        let mut text = self.heading_text("Rating");
        text += &self.grids_text::<Candidates>(&walk.puzzle, &walk.solution);
        text.push('\n');
        for (column, value) in fact_rows(walk) {
            text += &format!("  {column:<14}  {value}\n");
        }
        text.push('\n');
        for sentence in walk.sentences_about_ratings() {
            text += &self.wrapped("", &sentence);
        }
        text
    }

    /// The line of the step with index `n`, such as ` 12. 6.6  Forcing chain: r1c2<>3`.
    fn step_line(&self, n: usize, step: &RatedStep) -> String {
        let RatedStep {
            technique,
            rating,
            board,
            step,
            ..
        } = step;
        let reason = if step.effect.places_something() {
            words::why(board, step)
        } else {
            String::new()
        };
        let line = format!(
            "{:>4}  {technique}: {}  {reason}",
            rating.to_string(),
            step.effect
        );
        self.wrapped(&format!("{:>3}. ", n + 1), line.trim())
    }
}
