//! Solves and grades many puzzles in one call: [`Ladder::grade_all`].

use crate::board::Candidates;
use crate::grade::batches::batch::GradeProgress;
use crate::grade::grades::Grade;
use crate::grade::ladder::Ladder;
use crate::grade::start::Start;
use crate::solve::{Kernel, Limits, Solution, Status};
use crate::text::Puzzle;

/// The result of [`Ladder::grade_all`] for one puzzle: its solutions and its grade.
#[derive(Clone, Debug)]
pub struct Graded {
    /// The solutions of the puzzle that were found within the limits of the search.
    pub solution: Solution,
    /// The grade; `None` unless the puzzle has exactly one solution.
    pub grade: Option<Grade>,
}

/// See [`Ladder::grade_all`]. This function is not generic, so the code for vector lanes is compiled only in this crate,
/// not in each crate that calls [`Ladder::grade_all`].
pub(in crate::grade) fn solve_and_grade(
    ladder: &Ladder,
    kernel: Kernel,
    puzzles: &[&Puzzle],
    limits: Limits,
) -> Vec<Graded> {
    let start_boards = puzzles.iter().map(|&puzzle| Start::from(puzzle));
    let progress = ladder.begin(kernel, start_boards);
    let solutions = search_unsolved(kernel, puzzles, &progress, limits);
    let is_unique = |solution: &Solution| Status::from_solution(solution) == Status::Unique;
    let unique = progress.into_iter().zip(&solutions);
    let unique = unique.filter(|(_, solution)| is_unique(solution));
    let mut grades = ladder
        .finish(kernel, unique.map(|(progress, _)| progress).collect())
        .into_iter();
    let graded = solutions.into_iter().map(|solution| Graded {
        grade: is_unique(&solution).then(|| grades.next()).flatten(),
        solution,
    });
    graded.collect()
}

/// The solutions of each puzzle. If the techniques did not solve the puzzle, the solver searches from the board on
/// which they stopped.
fn search_unsolved(
    kernel: Kernel,
    puzzles: &[&Puzzle],
    progress: &[GradeProgress],
    limits: Limits,
) -> Vec<Solution> {
    let boards: Vec<Candidates> = puzzles
        .iter()
        .zip(progress)
        .filter(|(_, progress)| progress.solution().is_none())
        .map(|(puzzle, progress)| {
            let board_left = progress.board().cloned();
            board_left.unwrap_or_else(|| puzzle.board())
        })
        .collect();
    let mut searched = Vec::with_capacity(boards.len());
    kernel.solver().solve(&boards, limits, &mut searched);
    let mut searched = searched.into_iter();
    let solutions = progress.iter().map(|progress| match progress.solution() {
        Some(grid) => Some(Solution::without_search(grid)),
        None => searched.next(),
    });
    solutions.flatten().collect()
}
