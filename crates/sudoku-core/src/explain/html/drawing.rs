//! Drawings of boards of any size.
//!
//! A board is drawn once, and the drawings of its steps refer to it. Equal parts of several boards are
//! written once.

use super::document::escape;
use super::geometry::Geometry;
use super::parts::SharedParts;
use super::section;

/// The smallest scale of a large drawing, in pixels per unit. It keeps candidates readable; if the drawing is
/// wider than the page, the reader can scroll.
const LEAST_SCALE: f64 = 0.62;
/// The smallest scale for a board without candidates. Its smallest texts are the numbers of rows and columns.
const LEAST_SCALE_FILLED: f64 = 0.5;

/// A board of any size that can be drawn. Cells are numbered in row order, symbols from 0.
pub(crate) trait DrawnBoard {
    /// The type that says which cells have a clue.
    type Clues: ?Sized;

    /// Whether a cell has a clue.
    fn is_clue(clues: &Self::Clues, cell: usize) -> bool;

    /// The character of a symbol.
    fn character(symbol: usize) -> char;

    /// The positions of the cells in the drawing.
    fn geometry(&self) -> Geometry;

    /// Whether a cell has no symbol yet.
    fn is_open(&self, cell: usize) -> bool;

    /// Bit s for symbol s: the candidates of an open cell, or the symbol of a filled cell.
    fn symbols(&self, cell: usize) -> u32;
}

/// Draws the lines and symbols of a board. [`steps_on`] refers to the drawing by its id.
pub(crate) fn board<B: DrawnBoard>(
    parts: &mut SharedParts,
    id: &str,
    board: &B,
    clues: &B::Clues,
) -> String {
    let geometry = board.geometry();
    let filled = |row: usize, are_clues: bool| {
        let symbols = geometry.row(row).filter_map(|cell| {
            let symbols = board.symbols(cell);
            let is_shown = !board.is_open(cell) && B::is_clue(clues, cell) == are_clues;
            (is_shown && symbols != 0).then(|| (cell, symbols.trailing_zeros() as usize))
        });
        let class = if are_clues { "given" } else { "set" };
        geometry.filled(class, symbols, B::character)
    };
    let given: String = geometry.rows().map(|row| filled(row, true)).collect();
    let mut svg = format!("<g id=\"{id}\">\n");
    svg += &parts.part(geometry.lines() + &given);
    for row in geometry.rows() {
        let open = geometry.row(row).filter(|cell| board.is_open(*cell));
        let candidates = open.flat_map(|cell| bits(board.symbols(cell)).map(move |at| (cell, at)));
        let candidates = geometry.candidates(&candidates, B::character);
        svg += &parts.part(filled(row, false) + &candidates);
    }
    svg + "</g>\n"
}

/// Draws steps on the board with this id. `below` is drawn before the board, `above` after it.
pub(crate) fn steps_on<B: DrawnBoard>(
    id: &str,
    board: &B,
    label: &str,
    below: &str,
    above: &str,
) -> String {
    let size = board.geometry().size();
    format!(
        "<svg viewBox=\"0 0 {size} {size}\" role=\"img\" aria-label=\"{}\"{}>\n\
         <rect class=\"paper\" width=\"{size}\" height=\"{size}\" />\n\
         {below}<use href=\"#{id}\" />\n{above}</svg>\n",
        escape(label),
        least_width(board)
    )
}

/// The HTML attribute that keeps the scale of a large drawing readable; empty for other drawings.
fn least_width<B: DrawnBoard>(board: &B) -> String {
    let geometry = board.geometry();
    if !geometry.is_large() {
        return String::new();
    }
    let has_candidates =
        (geometry.cells()).any(|cell| board.is_open(cell) && board.symbols(cell) != 0);
    let least = match has_candidates {
        true => LEAST_SCALE,
        false => LEAST_SCALE_FILLED,
    };
    format!(
        " style=\"min-width: {:.0}px\"",
        geometry.size() as f64 * least
    )
}

/// The SVG definition of a board, to which drawings refer by its id.
pub(crate) fn defined<B: DrawnBoard>(
    parts: &mut SharedParts,
    id: &str,
    drawn: &B,
    clues: &B::Clues,
) -> String {
    section::defined(&board(parts, id, drawn, clues))
}

/// A figure that shows a board without steps.
pub(crate) fn figure_of_board<B: DrawnBoard>(
    parts: &mut SharedParts,
    board: &B,
    clues: &B::Clues,
    (id, label): (&str, &str),
) -> String {
    let defined = defined(parts, id, board, clues);
    let drawing = steps_on(id, board, label, "", "");
    format!("<figure>\n{defined}{drawing}</figure>\n")
}

/// The indices of the bits that are set, in ascending order.
fn bits(mask: u32) -> impl Iterator<Item = usize> + Clone {
    (0..u32::BITS as usize).filter(move |bit| mask >> bit & 1 == 1)
}
