//! Backdoors of a puzzle: sets of cells that, once filled, let naked and hidden singles solve it.

use crate::board::{Candidates, Cell, Grid, fill_singles};

/// The size of the largest backdoor that [`backdoors`] looks for, in cells. A few of the hardest known
/// puzzles need three cells.
pub const MOST_BACKDOORS: usize = 3;

/// The size of the smallest backdoor: the smallest number of cells that, filled in addition to the clues,
/// let naked and hidden singles solve the puzzle. `solution` must be its only solution. `None` if the size
/// is larger than [`MOST_BACKDOORS`].
pub fn backdoors(board: &Candidates, solution: &Grid) -> Option<u8> {
    let board = after_singles(board.clone())?;
    if board.unsolved().is_empty() {
        return Some(0);
    }
    (1..=MOST_BACKDOORS)
        .find_map(|count| has_backdoor(&board, solution, count, 0).then_some(count as u8))
}

/// Whether any `count` cells are a backdoor of the board. Only cells with an index of at least `from` are
/// tried.
fn has_backdoor(board: &Candidates, solution: &Grid, count: usize, from: usize) -> bool {
    let unsolved_cells = board.unsolved();
    unsolved_cells
        .into_iter()
        .filter(|cell| cell.index() >= from)
        .any(|cell| {
            let Some(board_with_cell) = fill_cell(board, solution, cell) else {
                return false;
            };
            // Either singles solve the board after this cell is filled, or more cells are filled. Only unsolved
            // cells are tried, so a cell that singles have filled is not tried again.
            board_with_cell.unsolved().is_empty()
                || count > 1
                    && has_backdoor(&board_with_cell, solution, count - 1, cell.index() + 1)
        })
}

/// Fills a cell with its digit in the solution, and then all singles; `None` if they lead to a contradiction.
fn fill_cell(board: &Candidates, solution: &Grid, cell: Cell) -> Option<Candidates> {
    let mut filled_board = board.clone();
    filled_board.place(cell, solution.get(cell)?);
    after_singles(filled_board)
}

/// Fills naked and hidden singles until none is left; `None` if they lead to a contradiction.
fn after_singles(mut board: Candidates) -> Option<Candidates> {
    fill_singles(&mut board, |_, _| false).ok()?;
    Some(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Kernel, Limits, solve_all};
    use crate::text::Puzzle;

    /// The readable twin of [`backdoors`]: tries every set of up to two cells.
    fn backdoor_size_by_trying_all(board: &Candidates, solution: &Grid) -> Option<u8> {
        let cells: Vec<Cell> = Cell::all().collect();
        let singles_solve = |given: &[Cell]| {
            let mut board = board.clone();
            for cell in given {
                if !board.unsolved().contains(*cell) {
                    continue;
                }
                board.place(*cell, solution.get(*cell).unwrap());
            }
            after_singles(board).is_some_and(|board| board.unsolved().is_empty())
        };
        if singles_solve(&[]) {
            return Some(0);
        }
        if cells.iter().any(|cell| singles_solve(&[*cell])) {
            return Some(1);
        }
        let mut pairs = cells
            .iter()
            .flat_map(|a| cells.iter().map(move |b| [*a, *b]));
        pairs.any(|pair| singles_solve(&pair)).then_some(2)
    }

    #[test]
    fn no_smaller_set_is_a_backdoor() {
        let puzzle_texts = [
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
        ];
        let puzzles: Vec<Puzzle> = puzzle_texts.map(|text| text.parse().unwrap()).to_vec();
        let solutions = solve_all(Kernel::fastest(), &puzzles, Limits::default());
        let mut backdoor_sizes = Vec::new();
        for (puzzle, solution) in puzzles.iter().zip(solutions) {
            let solution = solution.first.unwrap();
            let count = backdoors(&puzzle.board(), &solution);
            assert_eq!(
                count,
                backdoor_size_by_trying_all(&puzzle.board(), &solution),
                "{puzzle}"
            );
            backdoor_sizes.push(count);
        }
        assert_eq!(backdoor_sizes[0], Some(0));
        assert!(
            backdoor_sizes.iter().any(|count| *count > Some(0)),
            "{backdoor_sizes:?}"
        );
    }
}
