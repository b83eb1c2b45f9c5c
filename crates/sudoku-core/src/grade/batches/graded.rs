//! Solves and grades many puzzles in one call: [`Ladder::grade_all`].

use std::borrow::Borrow;

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

impl Ladder {
    /// Solves and grades puzzles. The results are in the order of the puzzles.
    ///
    /// If the techniques up to locked candidates solve a puzzle, it is not searched, because the solver would find
    /// the same solution without a guess. All other puzzles are graded only if the solver finds exactly one
    /// solution.
    ///
    /// ```
    /// use sudoku_core::{Kernel, Ladder, Limits, Puzzle};
    ///
    /// let puzzles: Vec<Puzzle> = vec![
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?,
    ///     "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........".parse()?,
    ///     ".................................................................................".parse()?,
    /// ];
    /// let graded = Ladder::default().grade_all(Kernel::fastest(), &puzzles, Limits::default());
    /// let hardest = |at: usize| graded[at].grade.as_ref().map(|grade| grade.rank.id());
    /// assert_eq!(hardest(0), Some("naked_single"));
    /// assert_eq!(hardest(1), Some("nishio"));
    /// assert_eq!(hardest(2), None); // not exactly one solution
    /// # Ok::<(), sudoku_core::ParseError>(())
    /// ```
    pub fn grade_all<P: Borrow<Puzzle>>(
        &self,
        kernel: Kernel,
        puzzles: &[P],
        limits: Limits,
    ) -> Vec<Graded> {
        let puzzles: Vec<&Puzzle> = puzzles.iter().map(Borrow::borrow).collect();
        self.grade_batch(kernel, &puzzles, limits)
    }

    /// This function is not generic, so the code for vector lanes is compiled only in this crate, not in each crate
    /// that calls [`Ladder::grade_all`].
    fn grade_batch(&self, kernel: Kernel, puzzles: &[&Puzzle], limits: Limits) -> Vec<Graded> {
        let start_boards = puzzles.iter().map(|&puzzle| Start::from(puzzle));
        let progress = self.begin(kernel, start_boards);
        let solutions = search_unsolved(kernel, puzzles, &progress, limits);
        let is_unique = |solution: &Solution| Status::from_solution(solution) == Status::Unique;
        let unique = progress.into_iter().zip(&solutions);
        let unique = unique.filter(|(_, solution)| is_unique(solution));
        let mut grades = self
            .finish(kernel, unique.map(|(progress, _)| progress).collect())
            .into_iter();
        let graded = solutions.into_iter().map(|solution| Graded {
            grade: is_unique(&solution).then(|| grades.next()).flatten(),
            solution,
        });
        graded.collect()
    }
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
