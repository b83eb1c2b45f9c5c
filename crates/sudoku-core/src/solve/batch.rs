//! Solves a batch of puzzles in one call.

use std::borrow::Borrow;

use super::lanes::solve_puzzles;
use super::{Kernel, Limits, Solution};
use crate::board::Candidates;
use crate::text::Puzzle;

/// Solves puzzles. For each puzzle, counts the solutions up to a limit, and returns the first one found.
///
/// One call for many puzzles is up to three times as fast as one call for each puzzle, because the kernel
/// solves up to 32 puzzles at a time.
///
/// ```
/// use sudoku_core::{Kernel, Limits, Puzzle, Status, solve_all};
///
/// let puzzles: Vec<Puzzle> = vec![
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?,
///     ".................................................................................".parse()?,
/// ];
/// let solutions = solve_all(Kernel::fastest(), &puzzles, Limits::default());
/// assert_eq!(Status::from_solution(&solutions[0]), Status::Unique);
/// assert_eq!(
///     solutions[0].first.unwrap().as_str(),
///     "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
/// );
///
/// // The default limit of two tells a single solution from several; a higher one counts them.
/// let limits = Limits { solutions: 1000, ..Limits::default() };
/// let counted = solve_all(Kernel::fastest(), &puzzles[1..], limits);
/// assert_eq!(counted[0].count, 1000);
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
pub fn solve_all<P: Borrow<Puzzle>>(
    kernel: Kernel,
    puzzles: &[P],
    limits: Limits,
) -> Vec<Solution> {
    if let Some(vectors) = kernel.vectors() {
        // Calls with a single puzzle are common and short, so they avoid allocating a list of references.
        if let [puzzle] = puzzles {
            return solve_puzzles(vectors, &[puzzle.borrow()], limits);
        }
        let puzzles: Vec<&Puzzle> = puzzles.iter().map(Borrow::borrow).collect();
        return solve_puzzles(vectors, &puzzles, limits);
    }
    let boards: Vec<Candidates> = puzzles.iter().map(|one| one.borrow().board()).collect();
    let mut solutions = Vec::with_capacity(boards.len());
    kernel.solver().solve(&boards, limits, &mut solutions);
    solutions
}
