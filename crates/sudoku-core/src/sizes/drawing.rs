//! Drawings of boards and steps of any size.
//!
//! A board is drawn once, and every drawing of its steps refers to it. Boards share the parts that are equal.

use super::Symbol;
use super::board::{SizedBoard, bits};
use super::shape::Shape;
use super::step::SizedStep;
use crate::explain::{Geometry, SharedParts};

/// The least scale of a large drawing, in pixels for each unit. It keeps candidates readable; a drawing that
/// is wider than the page can be scrolled.
const LEAST_SCALE: f64 = 0.62;
/// The same for a board without candidates, whose smallest texts are the numbers of rows and columns.
const LEAST_SCALE_FILLED: f64 = 0.5;

/// Whether a drawing needs the whole width of a page.
pub(super) fn is_large(shape: &Shape) -> bool {
    shape.order > 9
}

/// A drawing of a board, which other drawings refer to by its id.
pub(super) struct BoardDrawing<'a> {
    pub(super) id: &'a str,
    pub(super) board: &'a SizedBoard,
    /// The cells that have a clue.
    pub(super) clues: &'a [bool],
}

impl BoardDrawing<'_> {
    /// Draws the lines and symbols of the board, to which [`BoardDrawing::steps`] refers.
    pub(super) fn board(&self, parts: &mut SharedParts) -> String {
        let rows = || self.shape().houses[..self.shape().order].iter();
        let clues: String = rows().map(|row| self.filled(row, true)).collect();
        let mut svg = format!("<g id=\"{}\">\n", self.id);
        svg += &parts.part(self.geometry().lines() + &clues);
        for row in rows() {
            let open = row.iter().copied().filter(|&cell| self.board.open[cell]);
            let symbols = |cell| bits(self.board.candidates[cell]).map(move |at| (cell, at));
            let candidates = self.geometry().candidates(&open.flat_map(symbols), name);
            svg += &parts.part(self.filled(row, false) + &candidates);
        }
        svg + "</g>\n"
    }

    /// Draws steps on the board. Houses and cells are marked only for a single step, because those of
    /// several steps would overlap.
    pub(super) fn steps(&self, steps: &[SizedStep], label: &str) -> String {
        let geometry = self.geometry();
        let whole = geometry.whole();
        let least = match self.has_candidates() {
            true => LEAST_SCALE,
            false => LEAST_SCALE_FILLED,
        };
        let style = match is_large(self.shape()) {
            true => format!(" style=\"min-width: {:.0}px\"", whole as f64 * least),
            false => String::new(),
        };
        let mut svg = format!(
            "<svg viewBox=\"0 0 {whole} {whole}\" role=\"img\" aria-label=\"{}\"{style}>\n\
             <rect class=\"paper\" width=\"{whole}\" height=\"{whole}\" />\n",
            crate::explain::escape(label)
        );
        if let [step] = steps {
            for house in &step.houses {
                svg += &geometry.house(*house, "house");
            }
            for cell in &step.cells {
                svg += &geometry.cell(*cell, "in-pattern");
            }
        }
        let placed = || steps.iter().flat_map(|step| &step.placed);
        for (cell, _) in placed() {
            svg += &geometry.cell(*cell, "in-placed");
        }
        svg += &format!("<use href=\"#{}\" />\n", self.id);
        for step in steps {
            for &cell in &step.cells {
                for symbol in bits(step.symbols & self.board.candidates[cell]) {
                    if !step.placed.contains(&(cell, symbol)) {
                        svg += &geometry.mark(cell, symbol, "pattern", name(symbol));
                    }
                }
            }
            for &(cell, symbol) in &step.removed {
                svg += &geometry.mark(cell, symbol, "removed", name(symbol));
            }
        }
        for &(cell, symbol) in placed() {
            svg += &geometry.mark(cell, symbol, "placed", name(symbol));
        }
        svg + "</svg>\n"
    }

    fn shape(&self) -> &'static Shape {
        self.board.shape
    }

    fn has_candidates(&self) -> bool {
        let mut cells = self.board.candidates.iter().zip(&self.board.open);
        cells.any(|(candidates, is_open)| *is_open && *candidates != 0)
    }

    fn geometry(&self) -> Geometry {
        let shape = self.shape();
        Geometry::new(shape.order, shape.box_rows, shape.box_columns)
    }

    /// Draws the symbols of the filled cells of a row: either the clues or the others.
    fn filled(&self, row: &[usize], are_clues: bool) -> String {
        let filled = row.iter().copied().filter(|&cell| {
            let is_filled = !self.board.open[cell] && self.board.candidates[cell] != 0;
            is_filled && self.clues[cell] == are_clues
        });
        let symbols =
            filled.map(|cell| (cell, self.board.candidates[cell].trailing_zeros() as usize));
        let class = if are_clues { "given" } else { "set" };
        self.geometry().filled(class, symbols, name)
    }
}

fn name(symbol: usize) -> char {
    Symbol::new(symbol).character()
}
