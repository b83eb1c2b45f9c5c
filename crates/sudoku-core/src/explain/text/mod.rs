//! Explanations for a terminal of 80 columns.

mod board;
mod paint;
mod rated;
mod wrap;

use super::library::LibraryPosition;
use super::manual::{ABOUT_SEARCH, Manual};
use super::markdown::{MarkdownBlock, blocks};
use super::shown::ShownBoard;
use super::walk::{ColumnValue, Walk, Wave};
use super::words::NOTATION;
use paint::{Paint, Painter};
use wrap::wrap;

/// The options for explanations on a terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextOptions {
    /// Whether to use colours, by escape sequences.
    pub color: bool,
    /// Whether to omit the boards.
    pub brief: bool,
}

/// Writes explanations as text.
pub(super) struct TextWriter {
    painter: Painter,
    brief: bool,
}

impl TextWriter {
    pub(super) fn new(options: TextOptions) -> TextWriter {
        TextWriter {
            painter: Painter {
                color: options.color,
            },
            brief: options.brief,
        }
    }

    pub(super) fn puzzle<B: ShownBoard>(&self, walk: &Walk<B>) -> String {
        let mut text = wrap("", &B::verdict(walk));
        text.push('\n');
        for (n, wave) in walk.waves.iter().enumerate() {
            text += &self.heading(&format!("Wave {}", n + 1));
            text += &self.wave(wave);
        }
        if let Some(board) = &walk.stalled {
            text += &self.heading(B::STALLED.heading);
            text += &self.board(board, &B::clues(&walk.puzzle), &[]);
            text += &wrap("", B::STALLED.about);
            text.push('\n');
        }
        text + &self.summary(walk)
    }

    fn summary<B: ShownBoard>(&self, walk: &Walk<B>) -> String {
        let mut text = self.heading("Summary");
        text += &self.grids::<B>(&walk.puzzle, &walk.solution);
        text.push('\n');
        text + &aligned(&walk.columns())
    }

    /// The puzzle and its solution, drawn as grids.
    fn grids<B: ShownBoard>(&self, puzzle: &B::Puzzle, solution: &B::Grid) -> String {
        let of_box = B::from_grid(solution).of_box();
        let solution = solution.to_string();
        let grids = [("Puzzle", B::given(puzzle)), ("Solution", &solution)];
        board::two_grids(of_box, grids, self.painter)
    }

    pub(super) fn library(&self, position: &LibraryPosition) -> String {
        let mut text = self.heading(&format!("HoDoKu {}", position.code()));
        text += &wrap("", &position.verdict());
        text.push('\n');
        for wave in &position.found {
            text += &self.wave(wave);
        }
        text
    }

    pub(super) fn manual(&self, manual: &Manual) -> String {
        let mut text = self.heading(manual.name());
        for (label, value) in manual.facts() {
            text += &wrap(&format!("  {label:<18}"), &value);
        }
        text.push('\n');
        let doc = manual.info.map_or(ABOUT_SEARCH, |info| info.doc);
        for block in blocks(doc) {
            text += &match block {
                MarkdownBlock::Heading(heading) => {
                    self.painter.paint(Paint::Heading, &heading) + "\n\n"
                }
                MarkdownBlock::Paragraph(words) => wrap("", &words) + "\n",
                MarkdownBlock::Item(words) => wrap("- ", &words) + "\n",
            };
        }
        if let Some(example) = &manual.example {
            text += &self.painter.paint(Paint::Heading, "Example");
            text += "\n\n";
            text += &self.board(&example.board, &example.clues, &example.steps);
            text += &self.steps(example);
        }
        text
    }

    /// A line across the terminal that contains `name`.
    fn heading(&self, name: &str) -> String {
        let rest = wrap::WIDTH.saturating_sub(name.chars().count() + 4);
        let line = format!("── {name} {}", "─".repeat(rest));
        self.painter.paint(Paint::Heading, &line) + "\n\n"
    }

    fn wave<B: ShownBoard>(&self, wave: &Wave<B>) -> String {
        let mut text = self.board(&wave.board, &wave.clues, &wave.steps);
        let head = format!("{} ({})", wave.technique.name, wave.place());
        text += &self.painter.paint(Paint::Heading, &head);
        text += &format!("\n{}\n\n", wave.counts());
        text + &self.steps(wave)
    }

    fn board<B: ShownBoard>(&self, board: &B, clues: &B::Clues, steps: &[B::Step]) -> String {
        if self.brief {
            return String::new();
        }
        board::board(board, clues, &board.roles(steps), self.painter) + "\n"
    }

    fn steps<B: ShownBoard>(&self, wave: &Wave<B>) -> String {
        let mut text = String::new();
        if wave.steps.iter().any(B::has_trace) {
            text += &wrap("", NOTATION);
            text.push('\n');
        }
        for (n, step) in wave.steps.iter().enumerate() {
            let number = format!("{:>3}. ", n + 1);
            let effect = wave.board.effect(step);
            if B::is_one_line(step) {
                let why = wave.board.why(step);
                text += &wrap(&number, &format!("{effect}  {why}"));
                continue;
            }
            text += &wrap(&number, &effect);
            text += &reasons(&wave.board, step);
            for outline in wave.board.outline(step) {
                text += &wrap("     - ", &outline.text);
                for (n, line) in outline.below.iter().chain(&outline.end).enumerate() {
                    text += &wrap(&format!("       {:>2}. ", n + 1), line);
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

/// One line for each column of a table, with the values aligned.
fn aligned(columns: &[(String, ColumnValue)]) -> String {
    let width = columns.iter().map(|(column, _)| column.len()).max();
    let width = width.unwrap_or(0);
    let line = |(column, value): &(String, ColumnValue)| format!("  {column:<width$}  {value}\n");
    columns.iter().map(line).collect()
}

/// The labelled parts of a step's pattern, and the reason for the step.
fn reasons<B: ShownBoard>(board: &B, step: &B::Step) -> String {
    let lines = board.argument(step);
    let width = lines.iter().map(|(label, _)| label.len()).max();
    let mut text = String::new();
    for (label, value) in lines.iter().filter(|(_, value)| !value.is_empty()) {
        text += &wrap(&format!("     {label:<0$}  ", width.unwrap_or(0)), value);
    }
    text
}
