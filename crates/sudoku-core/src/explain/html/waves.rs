//! The HTML pages for the waves of a puzzle, and for a position of HoDoKu's library.

use super::document::{document, escape, in_rows};
use super::drawing::{defined, figure_of_board};
use super::figure::{LEGEND, caption, figure, head, solution};
use super::parts::SharedParts;
use super::section::WaveSection;
use super::svg;
use crate::board::CellSet;
use crate::explain::library::LibraryPosition;
use crate::explain::manual::ABOUT_SEARCH;
use crate::explain::outline::{NOTATION, has_trace};
use crate::explain::technique::{name, place};
use crate::explain::walk::{Walk, Wave};
use crate::grade::Level;

/// A wave of singles with more steps than this gets the full width of the page.
const BESIDE: usize = 24;

/// The label of the board on which no technique finds anything.
const STALLED: &str = "The board on which all techniques stall";

pub(in crate::explain) fn puzzle(walk: &Walk) -> String {
    let rank = walk.grade.rank;
    let clues: CellSet = walk.puzzle.clues.clues().map(|(cell, _)| cell).collect();
    let mut parts = SharedParts::new("p");
    let facts = walk.columns();
    let facts = facts
        .iter()
        .map(|(column, value)| (column.as_str(), value.to_string()));
    let mut body = head(&mut parts, &walk.puzzle, clues, facts);
    body += &in_rows(walk.waves.iter().zip(1..).map(|(wave, n)| {
        let title = format!("Wave {n}: {}", wave.technique.name);
        let is_small = wave.technique.level == Level::Easy && wave.steps.len() <= BESIDE;
        let html = section(&mut parts, &title, &format!("w{n}"), wave);
        (is_small, html)
    }));
    if let Some(board) = &walk.stalled {
        body += &format!(
            "<section>\n<h2>Search</h2>\n<p>{}</p>\n<div class=\"figures one\">\n{}</div>\n\
             </section>\n",
            escape(ABOUT_SEARCH),
            figure_of_board(&mut parts, board, &clues, ("stalled", STALLED))
        );
    }
    body += &solution(&mut parts, &walk.solution, clues);
    let title = format!("Sudoku explained: {} ({})", name(rank), place(rank));
    document(&title, &body)
}

pub(in crate::explain) fn library(position: &LibraryPosition) -> String {
    let mut parts = SharedParts::new("p");
    let mut body = format!("<p>{}</p>\n{LEGEND}", escape(&position.verdict()));
    for (n, wave) in position.found.iter().enumerate() {
        body += &section(&mut parts, wave.technique.name, &format!("w{n}"), wave);
    }
    let title = format!("Sudoku explained: HoDoKu {}", position.code());
    document(&title, &body)
}

impl Walk {
    /// An HTML figure for a page that has the CSS [`PAGE_STYLE`](crate::explain::PAGE_STYLE). It shows the
    /// board before the hardest wave with one of its steps, or the board on which no technique finds
    /// anything. The figure uses `id` as the id of the board, so no other id of the page may start with it.
    pub fn hardest_figure(&self, id: &str) -> String {
        match &self.stalled {
            Some(board) => {
                let clues = self.puzzle.clues.clues().map(|(cell, _)| cell).collect();
                let mut parts = SharedParts::new(&format!("{id}-"));
                figure_of_board(&mut parts, board, &clues, (id, STALLED))
            }
            None => {
                // The first of the hardest waves. A solved grid has none.
                let hardest = self.waves.iter().map(|wave| wave.rank).max();
                let wave = self.waves.iter().find(|wave| Some(wave.rank) == hardest);
                wave.map_or_else(String::new, |wave| first_step(wave, id))
            }
        }
    }
}

/// A figure of the wave's board with its first step, and the description of that step.
fn first_step(wave: &Wave, id: &str) -> String {
    let mut parts = SharedParts::new(&format!("{id}-"));
    match wave.steps.first() {
        Some(step) => {
            let board = defined(&mut parts, id, &wave.board, &wave.clues);
            board + &figure(id, &wave.board, step)
        }
        None => {
            let label = wave.technique.name;
            figure_of_board(&mut parts, &wave.board, &wave.clues, (id, label))
        }
    }
}

/// The section for a wave.
fn section(parts: &mut SharedParts, title: &str, id: &str, wave: &Wave) -> String {
    let draw = |at: std::ops::Range<usize>| match at.len() {
        1 if !is_shared(wave) => {
            let label = wave.steps[at.start].effect.to_string();
            svg::steps(id, &wave.board, &wave.steps[at], &label)
        }
        _ => svg::steps(id, &wave.board, &wave.steps[at], title),
    };
    let section = WaveSection {
        title,
        meta: format!("{}; {}", wave.place(), wave.counts()),
        note: wave.steps.iter().any(has_trace).then_some(NOTATION),
        board: defined(parts, id, &wave.board, &wave.clues),
        is_large: false,
        is_shared: is_shared(wave),
        steps: wave.steps.len(),
        draw: &draw,
        caption: &|at| caption(&wave.board, &wave.steps[at]),
    };
    section.html()
}

/// Whether the steps of a wave share one drawing, as those of singles do.
fn is_shared(wave: &Wave) -> bool {
    wave.technique.level == Level::Easy || wave.steps.is_empty()
}
