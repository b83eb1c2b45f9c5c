//! Tests that what is counted does not depend on the number of threads, which add up partial counts in any order.

use sudoku_core::random::Rng;

use crate::util::{PUZZLE, SOLUTION, TestDir, stderr};

const THREADS: [&str; 5] = ["1", "2", "3", "7", "16"];

/// Replaces the digits of a grid.
fn rename(grid: &str, shift: usize) -> String {
    let digits = grid.bytes().map(|cell| match cell {
        b'1'..=b'9' => b'1' + (cell - b'1' + shift as u8) % 9,
        blank => blank,
    });
    digits.map(char::from).collect()
}

/// A table with repeated puzzles, wrong solutions and rejects. Some of its columns have few values, others more than are
/// listed, or another one in each row.
fn random_table(seed: u64, rows: usize) -> String {
    let mut rng = Rng::new(seed);
    let mut csv = String::from("puzzle,solution,prediction,level,stars,n,x,d,note,canonical\n");
    for row in 0..rows {
        // Most puzzles lack some clues, so that few are equal.
        let shift = rng.below(9);
        let mut puzzle = rename(PUZZLE, shift).into_bytes();
        for _ in 0..rng.below(6) {
            puzzle[rng.below(81)] = b'.';
        }
        let puzzle = String::from_utf8(puzzle).unwrap();
        let puzzle = if rng.below(200) == 0 { "none" } else { &puzzle };
        let solution = rename(SOLUTION, (shift + usize::from(rng.below(50) == 0)) % 9);
        let prediction = rename(SOLUTION, (shift + rng.below(2)) % 9);
        let level = ["easy", "hard", ""][rng.below(3)];
        let stars = rng.below(1300);
        let number = rng.below(1 << 40);
        let float = f64::from(rng.below(1 << 20) as u32) * 1e-3 - 500.0;
        let note = if rng.below(3) == 0 { "" } else { "a text" };
        csv += &format!(
            "{puzzle},{solution},{prediction},{level},{stars},{number},{float},{:?},{note} {row},{}\n",
            rng.below(100) as f64 / 4.0,
            rename(PUZZLE, rng.below(9))
        );
    }
    csv
}

#[test]
fn all_figures_are_the_same_with_any_number_of_threads() {
    for (seed, rows) in [(1, 1_500), (2, 40)] {
        let dir = TestDir::new();
        dir.write("in.csv", random_table(seed, rows));
        dir.write("other.csv", random_table(seed + 10, rows / 2));
        dir.succeed("convert in.csv -o in.parquet");
        dir.succeed("convert in.csv -o few.csv --limit 60");
        dir.succeed("compare few.csv -o runs.parquet --solvers lanes,dlx");
        dir.succeed("convert in.csv -o rejected.csv --rejects rejects.csv --overwrite");
        for command in [
            "stats in.csv other.csv --format json -o out",
            "stats in.parquet --by level --format json --memory-limit 200MiB -o out",
            "stats in.parquet rejects.csv --format json -o out",
            "stats runs.parquet --format json -o out",
            "report in.parquet other.csv -o out",
            "report runs.parquet -o out",
            "solve in.csv --format csv -o out",
            "validate in.parquet --format csv -o out",
            "evaluate in.csv --prediction-column prediction --format csv -o out",
            "grade in.csv --ladder basic -o rows.csv --report out.json",
        ] {
            let name = command.rsplit(' ').next().unwrap();
            let mut outputs = Vec::new();
            for threads in THREADS {
                let arguments = format!("{command} --threads {threads} --overwrite");
                let run = dir.run(&arguments);
                let is_done = matches!(run.status.code(), Some(0 | 3));
                assert!(is_done, "{arguments}: {}", stderr(&run));
                outputs.push((run.status.code(), run.stdout, dir.read(name)));
            }
            let first = outputs.first();
            assert!(
                outputs.iter().all(|output| Some(output) == first),
                "seed {seed}: {command}"
            );
        }
    }
}
