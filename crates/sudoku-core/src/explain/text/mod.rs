//! Writes explanations as text for a terminal.

mod board;
mod paint;
mod rated;
mod read_board;
mod summary;
mod wrap;

use super::library::LibraryPosition;
use super::manual::{ABOUT_SEARCH, Manual};
use super::markdown::{MarkdownBlock, parse_blocks};
use super::shown::ShownBoard;
use super::walk::{Walk, Wave};
use super::words::{NOTATION_SENTENCE, count_with_noun};
use paint::{AnsiPainter, TextColour};
pub use read_board::{DrawnBoard, read_drawn_board};
use wrap::wrap_text;

/// The options for writing an explanation as text.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Whether to use colours, written as ANSI escape sequences.
    pub color: bool,
    /// Whether to leave out the drawings of boards, and all but the first steps of a wave.
    pub brief: bool,
    /// The largest width of a line, in columns of the terminal.
    pub width: usize,
}

/// Without colours, complete, for a terminal of 80 columns.
impl Default for TextOptions {
    fn default() -> TextOptions {
        TextOptions {
            color: false,
            brief: false,
            width: 80,
        }
    }
}

/// The number of steps of a wave that a brief explanation shows, unless each takes one line.
const BRIEF_STEPS: usize = 3;

/// Writes explanations as text for a terminal.
pub(super) struct TextWriter {
    painter: AnsiPainter,
    brief: bool,
    width: usize,
}

impl TextWriter {
    pub(super) fn new(options: TextOptions) -> TextWriter {
        TextWriter {
            painter: AnsiPainter {
                color: options.color,
            },
            brief: options.brief,
            width: options.width,
        }
    }

    /// Wraps text to the width of the terminal (see [`wrap_text`]).
    fn wrapped(&self, first: &str, text: &str) -> String {
        wrap_text(first, text, self.width)
    }

    pub(super) fn puzzle_text<B: ShownBoard>(&self, walk: &Walk<B>) -> String {
        let mut text = self.wrapped("", &B::verdict(walk));
        text.push('\n');
        for (n, wave) in walk.waves.iter().enumerate() {
            text += &self.heading_text(&format!("Wave {}", n + 1));
            text += &self.wave_text(wave);
        }
        if let Some(board) = &walk.stalled {
            text += &self.heading_text(B::STALLED.heading);
            text += &self.board_with_steps(board, &B::clues(&walk.puzzle), &[]);
            text += &self.wrapped("", B::STALLED.description);
            text.push('\n');
        }
        text + &self.summary_text(walk)
    }

    fn summary_text<B: ShownBoard>(&self, walk: &Walk<B>) -> String {
        let mut text = self.heading_text("Summary");
        text += &self.grids_text::<B>(&walk.puzzle, &walk.solution);
        text.push('\n');
        text + &summary::aligned_columns(&walk.columns(), self.width)
    }

    /// Draws the puzzle and its solution as grids.
    fn grids_text<B: ShownBoard>(&self, puzzle: &B::Puzzle, solution: &B::Grid) -> String {
        let of_box = B::from_grid(solution).of_box();
        let solution = solution.to_string();
        let grids = [("Puzzle", B::clues_text(puzzle)), ("Solution", &solution)];
        board::two_grids(of_box, grids, self.width, self.painter)
    }

    pub(super) fn library_text(&self, position: &LibraryPosition) -> String {
        let mut text = self.heading_text(&format!("HoDoKu {}", position.code()));
        text += &self.wrapped("", &position.verdict_sentence());
        text.push('\n');
        for wave in &position.found {
            text += &self.wave_text(wave);
        }
        text
    }

    pub(super) fn manual_text(&self, manual: &Manual) -> String {
        let mut text = self.heading_text(manual.name());
        for (label, value) in manual.fact_rows() {
            text += &self.wrapped(&format!("  {label:<18}"), &value);
        }
        text.push('\n');
        let doc = manual.info.map_or(ABOUT_SEARCH, |info| info.doc);
        for block in parse_blocks(doc) {
            text += &match block {
                MarkdownBlock::Heading(heading) => {
                    self.painter.paint_text(TextColour::Heading, &heading) + "\n\n"
                }
                MarkdownBlock::Paragraph(words) => self.wrapped("", &words) + "\n",
                MarkdownBlock::Item(words) => self.wrapped("- ", &words) + "\n",
            };
        }
        if let Some(example) = &manual.example {
            text += &self.painter.paint_text(TextColour::Heading, "Example");
            text += "\n\n";
            text += &self.board_with_steps(&example.board, &example.clues, &example.steps);
            text += &self.steps_text(example);
        }
        text
    }

    /// A rule across the terminal with `name` in it, as a heading.
    fn heading_text(&self, name: &str) -> String {
        let rule_length = self.width.saturating_sub(name.chars().count() + 4);
        let line = format!("── {name} {}", "─".repeat(rule_length));
        self.painter.paint_text(TextColour::Heading, &line) + "\n\n"
    }

    fn wave_text<B: ShownBoard>(&self, wave: &Wave<B>) -> String {
        let mut text = self.board_with_steps(&wave.board, &wave.clues, &wave.steps);
        let heading = format!("{} ({})", wave.technique.name, wave.rank_and_level());
        let heading = self.wrapped("", &heading);
        text += &self
            .painter
            .paint_text(TextColour::Heading, heading.trim_end());
        text += &format!("\n{}\n\n", wave.counts_sentence());
        text + &self.steps_text(wave)
    }

    fn board_with_steps<B: ShownBoard>(
        &self,
        board: &B,
        clues: &B::Clues,
        steps: &[B::Step],
    ) -> String {
        if self.brief {
            return String::new();
        }
        let (order, of_box) = (board.order(), board.of_box());
        if board::board_width(order, of_box) > self.width {
            let reason = "The candidates need a wider terminal; these are the digits.";
            let grid = board::filled_grid(of_box, &board.filled());
            return self.wrapped("", reason) + "\n" + &grid + "\n";
        }
        board::board_text(board, clues, &board.roles(steps), self.painter) + "\n"
    }

    fn steps_text<B: ShownBoard>(&self, wave: &Wave<B>) -> String {
        let mut text = String::new();
        if wave.steps.iter().any(B::has_trace) {
            text += &self.wrapped("", NOTATION_SENTENCE);
            text.push('\n');
        }
        let most = if self.brief && !wave.steps.iter().all(B::is_one_line) {
            BRIEF_STEPS
        } else {
            usize::MAX
        };
        for (n, step) in wave.steps.iter().enumerate().take(most) {
            let number = format!("{:>3}. ", n + 1);
            let effect = wave.board.effect(step);
            if B::is_one_line(step) {
                let reason = wave.board.why(step);
                text += &self.wrapped(&number, &format!("{effect}  {reason}"));
                continue;
            }
            text += &self.wrapped(&number, &effect);
            text += &self.reasons_text(&wave.board, step);
            for outline in wave.board.step_outline(step) {
                text += &self.wrapped("     - ", &outline.text);
                for (n, line) in outline
                    .lines_below
                    .iter()
                    .chain(&outline.last_line)
                    .enumerate()
                {
                    text += &self.wrapped(&format!("       {:>2}. ", n + 1), line);
                }
            }
            text.push('\n');
        }
        if wave.steps.len() > most {
            let more = count_with_noun(wave.steps.len() - most, "step");
            text += &format!("     and {more} more\n");
        }
        if !text.ends_with("\n\n") {
            text.push('\n');
        }
        text
    }

    /// Writes the parts of the argument for a step, one per line, with aligned labels.
    fn reasons_text<B: ShownBoard>(&self, board: &B, step: &B::Step) -> String {
        let lines = board.argument_parts(step);
        let width = lines.iter().map(|(label, _)| label.len()).max();
        let mut text = String::new();
        for (label, value) in lines.iter().filter(|(_, value)| !value.is_empty()) {
            text += &self.wrapped(&format!("     {label:<0$}  ", width.unwrap_or(0)), value);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::explain::{Explanation, TextOptions};

    /// Its Nishio has 54 instances.
    const NISHIO: &str =
        "....3..715..4.2............2..6..4...38.7..............7..8..1.6..5..2...........";

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for text in [NISHIO, ".1..3....4.....2"] {
            let explanation = Explanation::from_text(text.as_bytes()).unwrap();
            for width in [40, 60, 80] {
                let options = TextOptions {
                    width,
                    ..TextOptions::default()
                };
                let text = explanation.text(options);
                let widest = text.lines().map(|line| line.chars().count()).max();
                assert!(widest <= Some(width), "{widest:?} in {width}:\n{text}");
            }
        }
    }

    #[test]
    fn a_brief_explanation_shows_the_first_steps_of_a_wave() {
        let explanation = Explanation::from_text(NISHIO.as_bytes()).unwrap();
        let text = |brief| {
            explanation.text(TextOptions {
                brief,
                ..TextOptions::default()
            })
        };
        let (brief, complete) = (text(true), text(false));
        assert!(
            brief.contains("more\n") && !complete.contains("more\n"),
            "{brief}"
        );
        assert!(3 * brief.lines().count() < complete.lines().count());
    }
}
