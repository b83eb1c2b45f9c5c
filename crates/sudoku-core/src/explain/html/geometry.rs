//! Computes the positions of cells and candidates in a drawing, and draws what boards of all sizes have in
//! common.
//!
//! ```text
//! (0, 0) ┌ labels, as wide as the margin
//!        │ (margin, margin) ┌ cells, which are squares; the candidates of a cell are arranged like the
//!        │                  │ cells of a box, at least 20 apart
//! ```

use std::fmt::Write;

/// The distance between the centres of two neighbouring candidates, in units of the drawing.
const CANDIDATE_DISTANCE: usize = 20;
/// The smallest width of a cell, in units of the drawing.
const LEAST_CELL_WIDTH: usize = 60;
/// The radius of the disc behind a candidate, in units of the drawing.
pub(in crate::explain) const DISC_RADIUS: usize = 9;

/// The geometry of a drawn board: its size and the positions in it. Cells are numbered in row order, symbols
/// from 0.
#[derive(Clone, Copy)]
pub(in crate::explain) struct BoardGeometry {
    order: usize,
    box_rows: usize,
    box_columns: usize,
    margin: usize,
    /// The width of a cell, in units of the drawing.
    cell_width: usize,
}

impl BoardGeometry {
    /// The geometry of a board with `order` rows, whose boxes have this many rows and columns.
    pub(in crate::explain) const fn new(
        order: usize,
        box_rows: usize,
        box_columns: usize,
    ) -> BoardGeometry {
        let longest_side = if box_rows > box_columns {
            box_rows
        } else {
            box_columns
        };
        let (margin, cell_width) = match (order, CANDIDATE_DISTANCE * longest_side + 3) {
            (9, _) => (26, LEAST_CELL_WIDTH),
            (_, cell_width) if cell_width < LEAST_CELL_WIDTH => (28, LEAST_CELL_WIDTH),
            (_, cell_width) => (28, cell_width),
        };
        BoardGeometry {
            order,
            box_rows,
            box_columns,
            margin,
            cell_width,
        }
    }

    /// The width and height of the drawing, in units of the drawing.
    pub(in crate::explain) const fn size(&self) -> usize {
        self.lower_right() + 2
    }

    /// Whether a drawing needs the full width of a page.
    pub(in crate::explain) const fn is_large(&self) -> bool {
        self.order > 9
    }

    /// The indices of the board's rows, from 0.
    pub(super) fn row_indices(&self) -> std::ops::Range<usize> {
        0..self.order
    }

    /// The indices of the cells in this row, in row order.
    pub(super) fn cells_of_row(&self, row: usize) -> std::ops::Range<usize> {
        row * self.order..(row + 1) * self.order
    }

    /// The indices of all cells of the board, in row order.
    pub(super) fn cell_indices(&self) -> std::ops::Range<usize> {
        0..self.order * self.order
    }

    /// The x coordinate of the board's lower right corner, which is also its y coordinate.
    const fn lower_right(&self) -> usize {
        self.margin + self.order * self.cell_width
    }

    /// The coordinates of the upper left corner of a cell.
    fn upper_left_of_cell(&self, cell: usize) -> (usize, usize) {
        let offset = |n: usize| self.margin + n * self.cell_width;
        (offset(cell % self.order), offset(cell / self.order))
    }

    /// The coordinates of the centre of a candidate.
    pub(in crate::explain) fn candidate_centre(
        &self,
        cell: usize,
        symbol: usize,
    ) -> (usize, usize) {
        let (x, y) = self.upper_left_of_cell(cell);
        let position_in_cell = |n: usize, of: usize| (2 * n + 1) * self.cell_width / (2 * of);
        (
            x + position_in_cell(symbol % self.box_columns, self.box_columns),
            y + position_in_cell(symbol / self.box_columns, self.box_rows),
        )
    }

    /// The SVG of the lines between cells and boxes, and of the labels of rows and columns.
    pub(in crate::explain) fn lines_svg(&self) -> String {
        let (margin, end) = (self.margin, self.lower_right());
        let (left, above) = (margin / 2 - 1, margin / 2 + 6);
        let mut svg = String::new();
        for n in 0..self.order {
            let (middle, label) = (margin + n * self.cell_width + self.cell_width / 2, n + 1);
            // A write into a string cannot fail, so the result is ignored.
            let _ = writeln!(
                svg,
                "<text class=\"label\" x=\"{middle}\" y=\"{above}\">{label}</text>\
                 <text class=\"label\" x=\"{left}\" y=\"{}\">{label}</text>",
                middle + 6
            );
        }
        // Thick lines are drawn in a second pass, over the thin ones.
        let is_thin =
            |n: &usize| !(n.is_multiple_of(self.box_rows) && n.is_multiple_of(self.box_columns));
        for n in (1..self.order).filter(is_thin) {
            let line_position = margin + n * self.cell_width;
            let _ = writeln!(
                svg,
                "<path class=\"thin\" d=\"M{line_position} {margin}V{end}M{margin} {line_position}H{end}\" />"
            );
        }
        for box_ in 0..self.order {
            svg += &self.house_svg(2 * self.order + box_, "thick");
        }
        svg
    }

    /// An SVG rectangle around a house, with a CSS class. Houses are numbered from 0: first the rows, then
    /// the columns, then the boxes.
    pub(in crate::explain) fn house_svg(&self, house: usize, class: &str) -> String {
        let (order, n) = (self.order, house % self.order);
        let (from, rows, columns) = match house / order {
            0 => (n * order, 1, order),
            1 => (n, order, 1),
            _ => {
                let boxes_per_row = order / self.box_columns;
                let row = n / boxes_per_row * self.box_rows;
                let first_cell = row * order + n % boxes_per_row * self.box_columns;
                (first_cell, self.box_rows, self.box_columns)
            }
        };
        self.rectangle_svg(from, (rows, columns), class)
    }

    /// An SVG rectangle around a cell, with a CSS class.
    pub(in crate::explain) fn cell_svg(&self, cell: usize, class: &str) -> String {
        self.rectangle_svg(cell, (1, 1), class)
    }

    /// An SVG rectangle around `rows` × `columns` cells, with a CSS class. `from` is the cell in its upper
    /// left corner.
    fn rectangle_svg(&self, from: usize, (rows, columns): (usize, usize), class: &str) -> String {
        let (x, y) = self.upper_left_of_cell(from);
        let (width, height) = (columns * self.cell_width, rows * self.cell_width);
        format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" />\n"
        )
    }

    /// The symbols of the filled cells in one row, as an SVG text element with a CSS class.
    pub(in crate::explain) fn filled_cells_svg(
        &self,
        class: &str,
        cells: impl Iterator<Item = (usize, usize)>,
        name: fn(usize) -> char,
    ) -> String {
        let glyphs = cells.map(|(cell, symbol)| {
            let (x, y) = self.upper_left_of_cell(cell);
            (
                x + self.cell_width / 2,
                y + self.cell_width / 2 + 13,
                name(symbol),
            )
        });
        line_of_text(class, glyphs)
    }

    /// The candidates of the open cells in one row, as SVG. All candidates at the same height share one text
    /// element.
    pub(in crate::explain) fn candidates_svg(
        &self,
        candidates: &(impl Iterator<Item = (usize, usize)> + Clone),
        name: fn(usize) -> char,
    ) -> String {
        let lines = (0..self.box_rows).map(|line| {
            let labels = candidates.clone();
            let at_height = labels.filter(|(_, symbol)| symbol / self.box_columns == line);
            let glyphs = at_height.map(|(cell, symbol)| {
                let (x, y) = self.candidate_centre(cell, symbol);
                (x, y + 6, name(symbol))
            });
            line_of_text("pencil", glyphs)
        });
        lines.collect()
    }

    /// An SVG disc with the symbol of a candidate on it, with a CSS class. A removed candidate is also struck
    /// through.
    pub(in crate::explain) fn mark_svg(
        &self,
        cell: usize,
        symbol: usize,
        class: &str,
        name: char,
    ) -> String {
        let (x, y) = self.candidate_centre(cell, symbol);
        let mut svg = String::new();
        // The line that strikes the candidate through is drawn below the disc and is longer than it, so that
        // the symbol stays readable.
        if class == "removed" {
            let (x, y) = (x - 11, y + 8);
            let _ = writeln!(svg, "<path class=\"strike\" d=\"M{x} {y}l22 -16\" />");
        }
        let _ = writeln!(
            svg,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{DISC_RADIUS}\" />\
             <text class=\"mark\" x=\"{x}\" y=\"{}\">{name}</text>",
            y + 5
        );
        svg
    }
}

fn line_of_text(class: &str, glyphs: impl Iterator<Item = (usize, usize, char)>) -> String {
    let (mut xs, mut height, mut text) = (Vec::new(), 0, String::new());
    for (x, y, symbol) in glyphs {
        xs.push(x.to_string());
        height = y;
        text.push(symbol);
    }
    if text.is_empty() {
        return String::new();
    }
    let xs = xs.join(" ");
    format!("<text class=\"{class}\" x=\"{xs}\" y=\"{height}\">{text}</text>\n")
}
