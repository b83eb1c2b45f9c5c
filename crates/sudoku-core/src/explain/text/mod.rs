//! Writes explanations as text for a terminal of 80 columns.

mod board;
mod paint;
mod rated;
mod read_board;
mod wrap;

use super::library::LibraryPosition;
use super::manual::{ABOUT_SEARCH, Manual};
use super::markdown::{MarkdownBlock, parse_blocks};
use super::shown::ShownBoard;
use super::walk::{ColumnValue, Walk, Wave};
use super::words::NOTATION_SENTENCE;
use paint::{AnsiPainter, TextColour};
pub use read_board::{DrawnBoard, read_drawn_board};
use wrap::wrap_text;

/// The options for writing an explanation as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// Whether to use colours, written as ANSI escape sequences.
    pub color: bool,
    /// Whether to leave out the drawings of boards.
    pub brief: bool,
}

/// Writes explanations as text for a terminal.
pub(super) struct TextWriter {
    painter: AnsiPainter,
    brief: bool,
}

impl TextWriter {
    pub(super) fn new(options: TextOptions) -> TextWriter {
        TextWriter {
            painter: AnsiPainter {
                color: options.color,
            },
            brief: options.brief,
        }
    }

    pub(super) fn puzzle_text<B: ShownBoard>(&self, walk: &Walk<B>) -> String {
        let mut text = wrap_text("", &B::verdict(walk));
        text.push('\n');
        for (n, wave) in walk.waves.iter().enumerate() {
            text += &self.heading_text(&format!("Wave {}", n + 1));
            text += &self.wave_text(wave);
        }
        if let Some(board) = &walk.stalled {
            text += &self.heading_text(B::STALLED.heading);
            text += &self.board_with_steps(board, &B::clues(&walk.puzzle), &[]);
            text += &wrap_text("", B::STALLED.description);
            text.push('\n');
        }
        text + &self.summary_text(walk)
    }

    fn summary_text<B: ShownBoard>(&self, walk: &Walk<B>) -> String {
        let mut text = self.heading_text("Summary");
        text += &self.grids_text::<B>(&walk.puzzle, &walk.solution);
        text.push('\n');
        text + &aligned_columns(&walk.columns())
    }

    /// Draws the puzzle and its solution as grids.
    fn grids_text<B: ShownBoard>(&self, puzzle: &B::Puzzle, solution: &B::Grid) -> String {
        let of_box = B::from_grid(solution).of_box();
        let solution = solution.to_string();
        let grids = [("Puzzle", B::clues_text(puzzle)), ("Solution", &solution)];
        board::two_grids(of_box, grids, self.painter)
    }

    pub(super) fn library_text(&self, position: &LibraryPosition) -> String {
        let mut text = self.heading_text(&format!("HoDoKu {}", position.code()));
        text += &wrap_text("", &position.verdict_sentence());
        text.push('\n');
        for wave in &position.found {
            text += &self.wave_text(wave);
        }
        text
    }

    pub(super) fn manual_text(&self, manual: &Manual) -> String {
        let mut text = self.heading_text(manual.name());
        for (label, value) in manual.fact_rows() {
            text += &wrap_text(&format!("  {label:<18}"), &value);
        }
        text.push('\n');
        let doc = manual.info.map_or(ABOUT_SEARCH, |info| info.doc);
        for block in parse_blocks(doc) {
            text += &match block {
                MarkdownBlock::Heading(heading) => {
                    self.painter.paint_text(TextColour::Heading, &heading) + "\n\n"
                }
                MarkdownBlock::Paragraph(words) => wrap_text("", &words) + "\n",
                MarkdownBlock::Item(words) => wrap_text("- ", &words) + "\n",
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
        let rule_length = wrap::LINE_WIDTH.saturating_sub(name.chars().count() + 4);
        let line = format!("── {name} {}", "─".repeat(rule_length));
        self.painter.paint_text(TextColour::Heading, &line) + "\n\n"
    }

    fn wave_text<B: ShownBoard>(&self, wave: &Wave<B>) -> String {
        let mut text = self.board_with_steps(&wave.board, &wave.clues, &wave.steps);
        let heading = format!("{} ({})", wave.technique.name, wave.rank_and_level());
        text += &self.painter.paint_text(TextColour::Heading, &heading);
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
        board::board_text(board, clues, &board.roles(steps), self.painter) + "\n"
    }

    fn steps_text<B: ShownBoard>(&self, wave: &Wave<B>) -> String {
        let mut text = String::new();
        if wave.steps.iter().any(B::has_trace) {
            text += &wrap_text("", NOTATION_SENTENCE);
            text.push('\n');
        }
        for (n, step) in wave.steps.iter().enumerate() {
            let number = format!("{:>3}. ", n + 1);
            let effect = wave.board.effect(step);
            if B::is_one_line(step) {
                let reason = wave.board.why(step);
                text += &wrap_text(&number, &format!("{effect}  {reason}"));
                continue;
            }
            text += &wrap_text(&number, &effect);
            text += &reasons_text(&wave.board, step);
            for outline in wave.board.step_outline(step) {
                text += &wrap_text("     - ", &outline.text);
                for (n, line) in outline
                    .lines_below
                    .iter()
                    .chain(&outline.last_line)
                    .enumerate()
                {
                    text += &wrap_text(&format!("       {:>2}. ", n + 1), line);
                }
            }
            text.push('\n');
        }
        if !text.ends_with("\n\n") {
            text.push('\n');
        }
        text
    }
}

/// Writes one line of text for each column of a table, with its name and its value; the values are aligned.
fn aligned_columns(columns: &[(String, ColumnValue)]) -> String {
    let width = columns.iter().map(|(column, _)| column.len()).max();
    let width = width.unwrap_or(0);
    let line = |(column, value): &(String, ColumnValue)| format!("  {column:<width$}  {value}\n");
    columns.iter().map(line).collect()
}

/// Writes the parts of the argument for a step, one per line, with aligned labels.
fn reasons_text<B: ShownBoard>(board: &B, step: &B::Step) -> String {
    let lines = board.argument_parts(step);
    let width = lines.iter().map(|(label, _)| label.len()).max();
    let mut text = String::new();
    for (label, value) in lines.iter().filter(|(_, value)| !value.is_empty()) {
        text += &wrap_text(&format!("     {label:<0$}  ", width.unwrap_or(0)), value);
    }
    text
}
