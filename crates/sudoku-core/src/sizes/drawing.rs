//! Draws boards of any size as SVG.
//!
//! ```text
//! (0, 0) ┌ labels, 28 wide
//!        │ (28, 28) ┌ cells, which are squares; the candidates of a cell are arranged like the
//!        │          │ cells of a box, at least 20 apart
//! ```
//!
//! A board is drawn once, and every drawing of its steps refers to it. Boards share the parts that are equal.

use std::fmt::Write;

use super::Symbol;
use super::board::{SizedBoard, bits};
use super::shape::Shape;
use super::step::SizedStep;
use crate::explain::SharedParts;

const MARGIN: usize = 28;
/// The distance between the centres of two candidates.
const APART: usize = 20;
/// The smallest width of a cell.
const LEAST_CELL: usize = 60;
/// The radius of the disc behind a candidate.
const RADIUS: usize = 9;
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
        svg += &parts.part(self.lines() + &clues);
        for row in rows() {
            svg += &parts.part(self.filled(row, false) + &self.candidates(row));
        }
        svg + "</g>\n"
    }

    /// Draws the lines of the board, and the numbers of its rows and columns.
    fn lines(&self) -> String {
        let shape = self.shape();
        let (side, end) = (self.side(), self.end());
        let mut svg = String::new();
        for n in 0..shape.order {
            let (middle, label) = (MARGIN + n * side + side / 2, n + 1);
            let _ = writeln!(
                svg,
                "<text class=\"label\" x=\"{middle}\" y=\"20\">{label}</text>\
                 <text class=\"label\" x=\"13\" y=\"{}\">{label}</text>",
                middle + 6
            );
        }
        for n in 1..shape.order {
            let at = MARGIN + n * side;
            let _ = writeln!(
                svg,
                "<path class=\"thin\" d=\"M{at} {MARGIN}V{end}M{MARGIN} {at}H{end}\" />"
            );
        }
        for house in 2 * shape.order..3 * shape.order {
            svg += &self.house(house, "thick");
        }
        svg
    }

    /// Draws steps on the board. Houses and cells are marked only for a single step, because those of
    /// several steps would overlap.
    pub(super) fn steps(&self, steps: &[SizedStep], label: &str) -> String {
        let whole = self.end() + 2;
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
                svg += &self.house(*house, "house");
            }
            for cell in &step.cells {
                svg += &self.cell(*cell, "in-pattern");
            }
        }
        let placed = || steps.iter().flat_map(|step| &step.placed);
        for (cell, _) in placed() {
            svg += &self.cell(*cell, "in-placed");
        }
        let _ = writeln!(svg, "<use href=\"#{}\" />", self.id);
        for step in steps {
            for &cell in &step.cells {
                for symbol in bits(step.symbols & self.board.candidates[cell]) {
                    if !step.placed.contains(&(cell, symbol)) {
                        svg += &self.mark(cell, symbol, "pattern");
                    }
                }
            }
            for &(cell, symbol) in &step.removed {
                svg += &self.mark(cell, symbol, "removed");
            }
        }
        for &(cell, symbol) in placed() {
            svg += &self.mark(cell, symbol, "placed");
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

    /// The width of a cell.
    fn side(&self) -> usize {
        let shape = self.shape();
        let candidates = shape.box_rows.max(shape.box_columns);
        (APART * candidates + 3).max(LEAST_CELL)
    }

    /// The coordinate, x and y, of the lower right corner of the board.
    fn end(&self) -> usize {
        MARGIN + self.shape().order * self.side()
    }

    /// Draws the symbols of the filled cells of a row: either the clues or the others.
    fn filled(&self, row: &[usize], are_clues: bool) -> String {
        let middle = self.side() / 2;
        let filled = row.iter().copied().filter(|&cell| {
            !self.board.open[cell]
                && self.board.candidates[cell] != 0
                && self.clues[cell] == are_clues
        });
        let glyphs = filled.map(|cell| {
            let (x, y) = self.corner(cell);
            let symbol = self.board.candidates[cell].trailing_zeros();
            (x + middle, y + middle + 13, symbol as usize)
        });
        line_of_text(if are_clues { "given" } else { "set" }, glyphs)
    }

    /// Draws the candidates of a row. Candidates at the same height are one line of text.
    fn candidates(&self, row: &[usize]) -> String {
        let shape = self.shape();
        let lines = (0..shape.box_rows).map(|line| {
            let open = row.iter().copied().filter(|&cell| self.board.open[cell]);
            let candidates = open.flat_map(|cell| {
                let all = bits(self.board.candidates[cell]);
                let at_height = all.filter(move |symbol| symbol / shape.box_columns == line);
                at_height.map(move |symbol| {
                    let (x, y) = self.center(cell, symbol);
                    (x, y + 6, symbol)
                })
            });
            line_of_text("pencil", candidates)
        });
        lines.collect()
    }

    /// Draws a disc behind a candidate.
    fn mark(&self, cell: usize, symbol: usize, class: &str) -> String {
        let (x, y) = self.center(cell, symbol);
        let mut svg = String::new();
        // The stroke lies below the disc and is longer, so that the symbol stays readable.
        if class == "removed" {
            let (x, y) = (x - 11, y + 8);
            let _ = writeln!(svg, "<path class=\"strike\" d=\"M{x} {y}l22 -16\" />");
        }
        let name = Symbol::new(symbol).character();
        let _ = writeln!(
            svg,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" />\
             <text class=\"mark\" x=\"{x}\" y=\"{}\">{name}</text>",
            y + 5
        );
        svg
    }

    fn cell(&self, cell: usize, class: &str) -> String {
        self.rect(cell, (1, 1), class)
    }

    fn house(&self, house: usize, class: &str) -> String {
        let shape = self.shape();
        let cells = match house / shape.order {
            0 => (1, shape.order),
            1 => (shape.order, 1),
            _ => (shape.box_rows, shape.box_columns),
        };
        self.rect(shape.houses[house][0], cells, class)
    }

    /// Draws a rectangle of this many rows and columns of cells, whose upper left cell is `from`.
    fn rect(&self, from: usize, (rows, columns): (usize, usize), class: &str) -> String {
        let ((x, y), side) = (self.corner(from), self.side());
        let (width, height) = (columns * side, rows * side);
        format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" />\n"
        )
    }

    /// The upper left corner of a cell.
    fn corner(&self, cell: usize) -> (usize, usize) {
        let (order, side) = (self.shape().order, self.side());
        (MARGIN + cell % order * side, MARGIN + cell / order * side)
    }

    /// The centre of a candidate.
    fn center(&self, cell: usize, symbol: usize) -> (usize, usize) {
        let shape = self.shape();
        let ((x, y), side) = (self.corner(cell), self.side());
        let at = |n: usize, of: usize| (2 * n + 1) * side / (2 * of);
        (
            x + at(symbol % shape.box_columns, shape.box_columns),
            y + at(symbol / shape.box_columns, shape.box_rows),
        )
    }
}

fn line_of_text(class: &str, glyphs: impl Iterator<Item = (usize, usize, usize)>) -> String {
    let (mut xs, mut height, mut text) = (Vec::new(), 0, String::new());
    for (x, y, symbol) in glyphs {
        xs.push(x.to_string());
        height = y;
        text.push(Symbol::new(symbol).character());
    }
    if text.is_empty() {
        return String::new();
    }
    let xs = xs.join(" ");
    format!("<text class=\"{class}\" x=\"{xs}\" y=\"{height}\">{text}</text>\n")
}
