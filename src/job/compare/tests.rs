//! Tests of comparisons with a solver that is wrong, and on several threads.

use super::*;
use crate::counts::ComparisonTables;
use crate::pool::worker_pool;
use sudoku_core::board::Candidates;
use sudoku_core::text::{normalise, validate};

/// A solver that returns the same grid for every puzzle.
struct WrongSolver(Grid);

impl Solver for WrongSolver {
    fn solve(&self, puzzles: &[Candidates], _: Limits, solutions: &mut Vec<Solution>) {
        solutions.extend(puzzles.iter().map(|_| Solution::without_search(self.0)));
    }
}

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// A puzzle whose solution is not that of [`PUZZLE`].
const OTHER_SOLUTION: &str =
    "4.258...38.19....57.....6..3..1......2.....5......2..6..8.....92....45.85...193.4";

fn parse_puzzle(text: &str) -> Puzzle {
    validate(normalise(text.as_bytes()).unwrap(), None).unwrap()
}

fn run_comparison(
    contenders: Vec<Contender>,
    threads: usize,
) -> (ComparisonTables, Vec<RecordBatch>) {
    let methods: Vec<Method> = contenders.iter().map(|one| one.method).collect();
    let comparison = Comparison {
        contenders,
        limits: Limits {
            solutions: 1,
            nodes: 1000,
        },
        repeat: 1,
        kernel: Kernel::fastest(),
        threads,
        allow_empty: false,
    };
    let puzzles = (0..80).map(|row| LabelledPuzzle {
        source: "in.txt".to_owned(),
        row,
        label: None,
        puzzle: parse_puzzle(if row % 2 == 0 { PUZZLE } else { OTHER_SOLUTION }),
    });
    let puzzles: Vec<LabelledPuzzle> = puzzles.collect();
    let mut tables = ComparisonTables::new(&methods);
    let pool = worker_pool(threads).unwrap();
    let progress = CompareProgress::default();
    let rows = comparison.run_all_solvers(&puzzles, &pool, &progress);
    assert_eq!(
        progress.finished_runs.load(Ordering::Relaxed),
        80 * methods.len() as u64
    );
    // A comparison that was ended early returns no rows.
    progress.ends_early.store(true, Ordering::Relaxed);
    let result = comparison.run_all_solvers(&puzzles, &pool, &progress);
    assert!(result.unwrap().is_none());
    let rows = rows.unwrap().unwrap();
    tables.add_rows(&rows).unwrap();
    (tables, vec![rows])
}

#[test]
fn a_solver_that_is_wrong_ends_the_comparison_with_its_puzzle_and_exit_code_3() {
    let kernel = Kernel::fastest();
    let correct_solvers = || vec![Contender::new(Method::Lanes, kernel)];
    let (tables, _) = run_comparison(correct_solvers(), 1);
    assert_eq!(tables.agreement(), Ok(()));
    let mut contenders = correct_solvers();
    contenders.push(Contender {
        method: Method::Templates,
        solver: Box::new(WrongSolver(SOLUTION.parse().unwrap())),
    });
    let (tables, written) = run_comparison(contenders, 1);
    let error = Error::from(tables.agreement().unwrap_err());
    assert_eq!(error.exit_code(), 3);
    let text = error.to_string();
    assert!(text.contains("40 runs"), "{text}");
    assert!(
        text.contains(&format!("templates on {OTHER_SOLUTION}")),
        "{text}"
    );
    // Each puzzle has a row for each of the four solvers, and the wrong solver is the last of them.
    let equal = written[0].column_by_name("equal").unwrap();
    let equal = equal
        .as_any()
        .downcast_ref::<arrow::array::BooleanArray>()
        .unwrap();
    let expected_equal = [true, true, true, false].repeat(40);
    assert!(equal.iter().eq(expected_equal.into_iter().map(Some)));
}

#[test]
fn with_several_threads_the_table_has_the_same_rows_but_for_the_times() {
    let kernel = Kernel::fastest();
    let methods: [Method; 3] =
        ["lanes", "backtrack-singles-mrv", "dlx"].map(|name| name.parse().unwrap());
    let contenders = || methods.map(|method| Contender::new(method, kernel)).into();
    // Writes the comparison to a separate file, and reads it without the columns of times.
    let without_times = |batches: Vec<RecordBatch>| -> Vec<RecordBatch> {
        let left_out_columns =
            ["source", "nanoseconds"].map(|name| runs_schema().index_of(name).unwrap());
        let columns: Vec<usize> = (0..runs_schema().fields().len())
            .filter(|at| !left_out_columns.contains(at))
            .collect();
        batches
            .iter()
            .map(|batch| batch.project(&columns).unwrap())
            .collect()
    };
    let (one, several) = (
        run_comparison(contenders(), 1).1,
        run_comparison(contenders(), 3).1,
    );
    assert_eq!(one[0].num_rows(), 80 * 3);
    assert_eq!(without_times(one), without_times(several));
}
