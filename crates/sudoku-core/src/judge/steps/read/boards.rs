//! Reads successive boards: the moves are the differences between each board and the one before.

use super::json::Json;
use crate::board::{Cell, Grid};
use crate::judge::answer::find_grids;
use crate::judge::steps::Move;
use crate::sizes::{Alphabets, parse_any_grid};

/// The boards in a text, in their order.
pub(super) fn boards_in(text: &str, clues: &Grid) -> Vec<Grid> {
    let found = find_grids(text, clues.as_str(), &Alphabets::default());
    let boards = found.iter();
    boards
        .filter_map(|found| Grid::from_normal_form(found.grid.as_bytes()))
        .collect()
}

/// The boards of a list in which each item is one: a text, a list of texts or of digits, or an object with such a field.
pub(super) fn listed(items: &[Json]) -> Option<Vec<Grid>> {
    let boards: Option<Vec<Grid>> = items.iter().map(board).collect();
    let boards = boards.filter(|boards| !boards.is_empty());
    // The items can also be the rows of one board.
    boards.or_else(|| Some(vec![board_of_items(items)?]))
}

fn board_of_items(items: &[Json]) -> Option<Grid> {
    let mut text = String::new();
    for item in items {
        add_cells(item, &mut text)?;
    }
    grid(&text)
}

fn board(item: &Json) -> Option<Grid> {
    let mut text = String::new();
    add_cells(item, &mut text)?;
    grid(&text)
}

fn grid(text: &str) -> Option<Grid> {
    let grid = parse_any_grid(text.as_bytes(), &Alphabets::default()).ok()?;
    Grid::from_normal_form(grid.as_bytes())
}

/// Adds the characters of a text, of numbers and of the items of lists.
fn add_cells(item: &Json, text: &mut String) -> Option<()> {
    match item {
        Json::Text(own) => text.push_str(own),
        Json::Number(number) if (0.0..10.0).contains(number) && number.fract() == 0.0 => {
            text.push(char::from(b'0' + *number as u8));
        }
        Json::List(items) => {
            for item in items {
                add_cells(item, text)?;
            }
        }
        Json::Object(_) => add_cells(item.field("board").or_else(|| item.field("grid"))?, text)?,
        Json::Number(_) | Json::Other => return None,
    }
    Some(())
}

/// The cells of each board that have a digit which the board before does not have there, as placements in row order. A cell
/// that becomes empty is no move. `None` if there are no boards.
pub(super) fn moves_between(boards: &[Grid], clues: &Grid) -> Option<Vec<Move>> {
    if boards.is_empty() {
        return None;
    }
    let mut moves = Vec::new();
    let mut before = *clues;
    for board in boards {
        let changed = Cell::all().filter(|cell| board.get(*cell) != before.get(*cell));
        moves.extend(changed.filter_map(|cell| Some(Move::place(cell, board.get(cell)?))));
        before = *board;
    }
    Some(moves)
}
