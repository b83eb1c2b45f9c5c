//! Explanations for a terminal of 80 columns.

mod board;
mod paint;
mod rated;
mod wrap;

use super::library::LibraryPosition;
use super::manual::{ABOUT_SEARCH, Manual};
use super::markdown::{MarkdownBlock, blocks};
use super::outline::{NOTATION, has_trace, outline};
use super::role::Roles;
use super::walk::{ColumnValue, Walk, Wave};
use super::words;
use crate::board::{Candidates, CellSet};
use crate::grade::Step;
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

    pub(super) fn puzzle(&self, walk: &Walk) -> String {
        let clues = walk.puzzle.clues.clue_count();
        let mut text = wrap(
            "",
            &words::verdict(walk.grade.rank, clues, walk.grade.total_waves()),
        );
        text.push('\n');
        for (n, wave) in walk.waves.iter().enumerate() {
            text += &self.heading(&format!("Wave {}", n + 1));
            text += &self.wave(wave);
        }
        if let Some(board) = &walk.stalled {
            let clues = walk.puzzle.clues.clues().map(|(cell, _)| cell).collect();
            text += &self.heading("Search");
            text += &self.board(board, clues, &[]);
            text += &wrap("", ABOUT_SEARCH);
            text.push('\n');
        }
        text + &self.summary(walk)
    }

    fn summary(&self, walk: &Walk) -> String {
        let mut text = self.heading("Summary");
        text += &board::two_grids(
            ("Puzzle", &walk.puzzle.clues),
            ("Solution", &walk.solution),
            self.painter,
        );
        text.push('\n');
        text + &aligned(&walk.columns())
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
            text += &self.board(&example.board, example.clues, &example.steps);
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

    fn wave(&self, wave: &Wave) -> String {
        let mut text = self.board(&wave.board, wave.clues, &wave.steps);
        let head = format!("{} ({})", wave.technique.name, wave.place());
        text += &self.painter.paint(Paint::Heading, &head);
        text += &format!("\n{}\n\n", wave.counts());
        text + &self.steps(wave)
    }

    fn board(&self, board: &Candidates, clues: CellSet, steps: &[Step]) -> String {
        if self.brief {
            return String::new();
        }
        let roles = Roles::from_steps(board, steps);
        board::board(board, clues, &roles, self.painter) + "\n"
    }

    fn steps(&self, wave: &Wave) -> String {
        let mut text = String::new();
        if wave.steps.iter().any(has_trace) {
            text += &wrap("", NOTATION);
            text.push('\n');
        }
        for (n, step) in wave.steps.iter().enumerate() {
            let number = format!("{:>3}. ", n + 1);
            let effect = step.effect.to_string();
            if step.effect.places_something() && step.pattern.why.is_empty() {
                let why = words::why(&wave.board, step);
                text += &wrap(&number, &format!("{effect}  {why}"));
                continue;
            }
            text += &wrap(&number, &effect);
            text += &reasons(&wave.board, step);
            for outline in outline(&wave.board, step) {
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
pub(crate) fn aligned(columns: &[(String, ColumnValue)]) -> String {
    let width = columns.iter().map(|(column, _)| column.len()).max();
    let width = width.unwrap_or(0);
    let line = |(column, value): &(String, ColumnValue)| format!("  {column:<width$}  {value}\n");
    columns.iter().map(line).collect()
}

/// The labelled parts of a step's pattern, and the reason for the step.
fn reasons(board: &Candidates, step: &Step) -> String {
    let mut lines = words::parts(&step.pattern);
    lines.push(("why".to_owned(), words::why(board, step)));
    let width = lines.iter().map(|(label, _)| label.len()).max();
    let mut text = String::new();
    for (label, value) in lines.iter().filter(|(_, value)| !value.is_empty()) {
        text += &wrap(&format!("     {label:<0$}  ", width.unwrap_or(0)), value);
    }
    text
}
