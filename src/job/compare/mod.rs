//! Runs several solvers on the same puzzles and writes a row for each puzzle and solver.
//!
//! ```text
//! writing thread   CompareOutput: takes the rows of each batch from the job, and waits for the runs
//!   │ batch n
//! compare thread   Comparison: runs every solver on every puzzle, and writes the table of runs
//! ```
//!
//! While runs are timed, the job reads no further batch, so that its work does not affect the times.
//!
//! The lanes solve many puzzles at once, so their time is measured per batch. Every other solver is timed
//! for each puzzle. With several threads, each run still uses one thread, but shares caches, memory and
//! perhaps its core with other runs. The times are then longer, and the counts are the same.

mod columns;
mod output;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::error::Error;
use crate::table::column::{Rows, batch_of};
use sudoku_core::Puzzle;
use sudoku_core::board::Grid;
use sudoku_core::solve::{Kernel, Limits, Method, SearchRun, Solution, Solver, Status, solve_all};

use self::columns::{RunRow, columns};
pub use self::columns::{run_columns, runs_schema};
pub use output::{CompareOutput, Compared};

/// The number of puzzles of a batch. It is large enough to fill the lanes of the vector solver, and small enough that
/// the rows about the solvers' runs fit into memory.
const PUZZLES_AT_A_TIME: usize = 1024;

/// The number of pieces per thread into which a batch is divided. Several small pieces keep all threads busy,
/// because some puzzles take longer.
const PARTS_PER_THREAD: usize = 4;

/// A run of one solver on one puzzle, with its duration.
struct TimedRun {
    /// The solutions that the solver found, and the counts of its search.
    run: SearchRun,
    /// The duration of the run.
    time: Duration,
    /// Whether the solver's result agrees with the known solutions of the puzzle; `None` if the solver gave up.
    agrees: Option<bool>,
}

/// A solver that takes part in a comparison.
pub struct Contender {
    /// The solving method, whose name is in the table.
    pub method: Method,
    /// The implementation of the method, which runs on each puzzle.
    pub solver: Box<dyn Solver>,
}

impl Contender {
    /// Makes the solver for a method. The solver with lanes uses the instruction set `kernel`.
    pub fn new(method: Method, kernel: Kernel) -> Contender {
        Contender {
            method,
            solver: method.solver(kernel),
        }
    }
}

/// The solvers of a comparison, and how often, how long and on how many threads each of them runs.
pub struct Comparison {
    /// The solvers that run on every puzzle.
    pub contenders: Vec<Contender>,
    /// The number of solutions and the number of search nodes after which the run of a solver on a puzzle ends.
    pub limits: Limits,
    /// The number of times that each run is repeated. The shortest time counts.
    pub repeat: u32,
    /// The instruction set of the solver that computes the known solutions, with which all runs are compared.
    pub kernel: Kernel,
    /// The number of solver runs at the same time. The times of the runs are comparable only if it is 1.
    pub threads: usize,
    /// Whether inputs without any 9 × 9 puzzle are accepted.
    pub allow_empty: bool,
}

/// The progress of a comparison, which other threads can read, and a flag that ends the comparison early.
#[derive(Default)]
struct CompareProgress {
    finished_runs: AtomicU64,
    ends_early: AtomicBool,
}

/// A puzzle, with its row and label.
struct LabelledPuzzle {
    source: String,
    row: u64,
    label: Option<String>,
    puzzle: Puzzle,
}

impl Comparison {
    /// Runs every solver on these puzzles. Returns the rows of the table of solver runs; `None` if the comparison was
    /// ended early.
    fn run_all_solvers(
        &self,
        puzzles: &[LabelledPuzzle],
        threads: &ThreadPool,
        progress: &CompareProgress,
    ) -> Result<Option<RecordBatch>, Error> {
        let bare_puzzles: Vec<&Puzzle> = puzzles.iter().map(|labelled| &labelled.puzzle).collect();
        let known_solutions = solve_all(self.kernel, &bare_puzzles, Limits::default());
        let puzzles_per_chunk = match self.threads {
            ..=1 => bare_puzzles.len(),
            threads => bare_puzzles.len().div_ceil(threads * PARTS_PER_THREAD),
        };
        let runs_by_solver: Vec<Vec<TimedRun>> = threads.install(|| {
            let runs_by_solver = self.contenders.iter().map(|contender| {
                let puzzle_chunks = bare_puzzles
                    .par_chunks(puzzles_per_chunk)
                    .zip(known_solutions.par_chunks(puzzles_per_chunk));
                let timed_runs = puzzle_chunks.flat_map_iter(|(puzzles, known_solutions)| {
                    self.time_solver(contender, puzzles, known_solutions, progress)
                });
                timed_runs.collect()
            });
            runs_by_solver.collect()
        });
        if progress.ends_early.load(Ordering::Relaxed) {
            return Ok(None);
        }
        self.run_rows(puzzles, &known_solutions, &runs_by_solver)
            .map(Some)
    }

    /// Runs one solver on these puzzles, and measures the time of each run. If the comparison is ended early,
    /// the remaining runs are missing.
    fn time_solver(
        &self,
        contender: &Contender,
        puzzles: &[&Puzzle],
        known_solutions: &[Solution],
        progress: &CompareProgress,
    ) -> Vec<TimedRun> {
        let boards: Vec<_> = puzzles.iter().map(|puzzle| puzzle.board()).collect();
        let puzzles_per_run = if contender.method == Method::Lanes {
            boards.len()
        } else {
            1
        };
        let mut timed_runs = Vec::with_capacity(boards.len());
        for part in boards.chunks(puzzles_per_run) {
            let mut runs = Vec::with_capacity(part.len());
            let mut shortest = Duration::MAX;
            for _ in 0..self.repeat {
                if progress.ends_early.load(Ordering::Relaxed) {
                    return timed_runs;
                }
                runs.clear();
                let start = Instant::now();
                contender.solver.measure(part, self.limits, &mut runs);
                shortest = shortest.min(start.elapsed());
            }
            let time = shortest / part.len() as u32;
            progress
                .finished_runs
                .fetch_add(part.len() as u64, Ordering::Relaxed);
            for run in runs {
                let (puzzle, known_solution) = (
                    puzzles[timed_runs.len()],
                    &known_solutions[timed_runs.len()],
                );
                let agrees = agrees_with_known(puzzle, known_solution, &run.solution);
                timed_runs.push(TimedRun { run, time, agrees });
            }
        }
        timed_runs
    }

    /// The rows of the table of runs, ordered by puzzle.
    fn run_rows(
        &self,
        puzzles: &[LabelledPuzzle],
        known_solutions: &[Solution],
        runs: &[Vec<TimedRun>],
    ) -> Result<RecordBatch, Error> {
        let mut rows = Vec::with_capacity(puzzles.len() * self.contenders.len());
        for (at, (puzzle, known_solution)) in puzzles.iter().zip(known_solutions).enumerate() {
            for (contender, runs) in self.contenders.iter().zip(runs) {
                rows.push(RunRow {
                    puzzle,
                    known_solution,
                    method: contender.method,
                    run: &runs[at],
                });
            }
        }
        Ok(batch_of(&columns(), Rows::of_inputs(&rows))?)
    }
}

/// Whether the result of a run agrees with the known solutions; `None` if the solver gave up without a solution.
fn agrees_with_known(puzzle: &Puzzle, known_solution: &Solution, found: &Solution) -> Option<bool> {
    let is_solution = |grid: &Grid| grid.is_solution() && puzzle.allows(grid);
    match (&found.first, found.gave_up) {
        (None, true) => None,
        (None, false) => Some(Status::from_solution(known_solution) == Status::None),
        (Some(first), _) => Some(match Status::from_solution(known_solution) {
            Status::Unique => known_solution.first.as_ref() == Some(first) && found.count == 1,
            _ => is_solution(first),
        }),
    }
}
