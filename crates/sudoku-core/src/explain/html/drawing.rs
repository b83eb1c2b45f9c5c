//! Draws boards of any size, and steps on them, as SVG.
//!
//! Each board is written once as an SVG definition, to which the drawings of its steps refer. Parts that
//! several boards have in common are written once too.

use super::document::escape_html;
use super::geometry::BoardGeometry;
use super::parts::SharedParts;
use super::section;
use crate::bit_rows::bits;
use crate::explain::role::{CandidateRole, CandidateRoles};
use crate::explain::shown::ShownBoard;
use crate::explain::step_board::StepBoard;
use crate::sizes::Symbol;

/// The smallest scale of a large drawing, in pixels per unit. It keeps candidates readable. If the drawing is then
/// wider than the page, the reader can scroll.
const LEAST_SCALE: f64 = 0.62;
/// The smallest scale of a large drawing without candidates, whose smallest texts are the numbers of rows and
/// columns.
const LEAST_SCALE_FILLED: f64 = 0.5;

/// Draws the lines and symbols of a board as an SVG definition with this id, to which [`layered_drawing`]
/// refers.
pub(super) fn draw_board<B: StepBoard>(
    parts: &mut SharedParts,
    id: &str,
    board: &B,
    clues: &B::Clues,
) -> String {
    let geometry = board_geometry(board);
    let filled_text = |row: usize, are_clues: bool| {
        let symbols = geometry.cells_of_row(row).filter_map(|cell| {
            let symbols = board.symbols(cell);
            let is_shown = !board.is_open(cell) && B::is_clue(clues, cell) == are_clues;
            (is_shown && symbols != 0).then(|| (cell, symbols.trailing_zeros() as usize))
        });
        let class = if are_clues { "given" } else { "set" };
        geometry.filled_cells_svg(class, symbols, symbol_character)
    };
    let clue_text: String = geometry
        .row_indices()
        .map(|row| filled_text(row, true))
        .collect();
    let mut svg = format!("<g id=\"{id}\">\n");
    svg += &parts.group_or_reference(geometry.lines_svg() + &clue_text);
    for row in geometry.row_indices() {
        let open_cells = geometry
            .cells_of_row(row)
            .filter(|cell| board.is_open(*cell));
        let candidates =
            open_cells.flat_map(|cell| bits(board.symbols(cell)).map(move |at| (cell, at)));
        let candidates = geometry.candidates_svg(&candidates, symbol_character);
        svg += &parts.group_or_reference(filled_text(row, false) + &candidates);
    }
    svg + "</g>\n"
}

/// Draws steps on the board that is defined with this id. If there are several steps, their houses, cells and
/// chains are left out, because they would overlap.
pub(super) fn draw_steps<B: ShownBoard>(
    id: &str,
    board: &B,
    steps: &[B::Step],
    label: &str,
) -> String {
    let geometry = board_geometry(board);
    let (mut below, mut above) = (String::new(), String::new());
    if let [step] = steps {
        below += &board.shades_svg(&geometry, step);
        above += &B::groups_svg(step);
    }
    for (cell, _) in steps.iter().flat_map(|step| placed_symbols::<B>(step)) {
        below += &geometry.cell_svg(cell, "in-placed");
    }
    above += &draw_marks(board, &geometry, &board.roles(steps));
    if let [step] = steps {
        above += &B::links_svg(step);
    }
    layered_drawing(id, board, label, &below, &above)
}

/// The symbols that the step places, as pairs of cell and symbol in the order of the cells.
fn placed_symbols<B: StepBoard>(step: &B::Step) -> Vec<(usize, usize)> {
    let mut placements = B::step(step).placed;
    placements.sort_unstable();
    placements
}

/// Draws a disc behind each candidate that has a role in the steps, such as being removed.
fn draw_marks<B: StepBoard>(board: &B, geometry: &BoardGeometry, roles: &CandidateRoles) -> String {
    let mut svg = String::new();
    for cell in geometry.cell_indices().filter(|cell| board.is_open(*cell)) {
        for symbol in 0..board.order() {
            let Some(role) = roles.role_of(cell, symbol) else {
                continue;
            };
            let class = match role {
                CandidateRole::Pattern => "pattern",
                CandidateRole::Other => "other",
                CandidateRole::Removed => "removed",
                CandidateRole::Placed => "placed",
            };
            svg += &geometry.mark_svg(cell, symbol, class, symbol_character(symbol));
        }
    }
    svg
}

/// An SVG drawing with three layers: the SVG `below`, then the board with this id, then the SVG `above`.
fn layered_drawing<B: StepBoard>(
    id: &str,
    board: &B,
    label: &str,
    below: &str,
    above: &str,
) -> String {
    let size = board_geometry(board).size();
    format!(
        "<svg viewBox=\"0 0 {size} {size}\" role=\"img\" aria-label=\"{}\"{}>\n\
         <rect class=\"paper\" width=\"{size}\" height=\"{size}\" />\n\
         {below}<use href=\"#{id}\" />\n{above}</svg>\n",
        escape_html(label),
        least_width_attribute(board)
    )
}

/// An HTML attribute with the smallest width at which a large drawing is readable; empty for other drawings.
fn least_width_attribute<B: StepBoard>(board: &B) -> String {
    let geometry = board_geometry(board);
    if !geometry.is_large() {
        return String::new();
    }
    let has_candidates =
        (geometry.cell_indices()).any(|cell| board.is_open(cell) && board.symbols(cell) != 0);
    let least_scale = if has_candidates {
        LEAST_SCALE
    } else {
        LEAST_SCALE_FILLED
    };
    format!(
        " style=\"min-width: {:.0}px\"",
        geometry.size() as f64 * least_scale
    )
}

/// The SVG element that defines a board, so that drawings can refer to it by its id.
pub(super) fn define_board<B: StepBoard>(
    parts: &mut SharedParts,
    id: &str,
    board: &B,
    clues: &B::Clues,
) -> String {
    section::board_definition(&draw_board(parts, id, board, clues))
}

/// An HTML figure that shows a board without steps.
pub(super) fn figure_of_board<B: StepBoard>(
    parts: &mut SharedParts,
    board: &B,
    clues: &B::Clues,
    (id, label): (&str, &str),
) -> String {
    let definitions = define_board(parts, id, board, clues);
    let drawing = layered_drawing(id, board, label, "", "");
    format!("<figure>\n{definitions}{drawing}</figure>\n")
}

/// The positions of cells and candidates in a drawing of this board.
pub(super) fn board_geometry(board: &impl StepBoard) -> BoardGeometry {
    let (rows, columns) = board.of_box();
    BoardGeometry::new(board.order(), rows, columns)
}

fn symbol_character(symbol: usize) -> char {
    Symbol::new(symbol).character()
}
