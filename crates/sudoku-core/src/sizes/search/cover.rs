//! Solves puzzles of any size as exact cover problems. This is slower than the solver with clause learning,
//! and independent of it, so tests compare the two.

use crate::sizes::search::work_limit::work_limit;
use crate::sizes::shape::Shape;
use crate::sizes::{SizedBoard, SizedGrid, Symbol};
use crate::solve::{ExactCoverSearch, Limits, Solution};

/// Solves a puzzle as [`solve_sized`](crate::sizes::solve_sized) does, but by exact cover. An option counts
/// as a guess if its item has other options left.
pub fn cover_sized(puzzle: &SizedGrid, limits: Limits) -> Solution<SizedGrid> {
    let size = puzzle.size();
    let (shape, board) = (Shape::for_size(size), SizedBoard::from(puzzle));
    let order = shape.order;
    let candidates =
        (0..shape.cells()).flat_map(|cell| (0..order).map(move |symbol| (cell, symbol)));
    let options: Vec<(usize, usize)> = candidates
        .filter(|(cell, symbol)| board.candidates[*cell] >> symbol & 1 == 1)
        .collect();
    let items_of_option = options.iter().map(|&(cell, symbol)| {
        let item_of_house = |house: usize| shape.cells() + house * order + symbol;
        let [row, column, box_] = shape.houses_of(cell).map(item_of_house);
        [cell, row, column, box_]
    });
    let cover = ExactCoverSearch::search(
        4 * shape.cells(),
        items_of_option,
        limits,
        work_limit(limits) / 100,
    );
    let first_grid = cover.first_cover.and_then(|chosen| {
        let mut cells = vec![None; shape.cells()];
        for (cell, symbol) in chosen.into_iter().map(|option| options[option]) {
            cells[cell] = Some(Symbol::new(symbol));
        }
        SizedGrid::new(size, cells)
    });
    Solution {
        count: cover.count,
        first: first_grid,
        nodes: cover.guesses,
        backtracks: cover.backtracks,
        gave_up: cover.gave_up,
    }
}
