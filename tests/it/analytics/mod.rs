//! Tests of `stats`, `report`, and `grade --report`.

mod figures;
mod other_tables;
mod page;
mod runs;
mod statistics;
mod threads;

use serde_json::Value;

use crate::util::{PUZZLE, SOLUTION, TestDir, generated};

/// A puzzle whose hardest technique is at least as hard as an X-wing.
const HARD_PUZZLE: &str =
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";

fn stats(dir: &TestDir, arguments: &[&str]) -> Value {
    let stats_arguments = [&["stats"], arguments, &["--format", "json"]].concat();
    serde_json::from_str(&dir.succeed(&stats_arguments)).unwrap()
}

/// Grades a dataset with labels, a duplicate, a wrong given solution, a puzzle without a solution, and two
/// rejects.
fn write_graded(dir: &TestDir) {
    let mut csv = String::from("puzzle,solution,difficulty,note\n");
    for (at, (puzzle, solution)) in generated(dir, "40").iter().enumerate() {
        let label = if at % 2 == 0 { "easy" } else { "hard" };
        csv += &format!("{puzzle},{solution},{label},{at}\n");
    }
    csv += &format!("{PUZZLE},{SOLUTION},easy,x\n");
    csv += &format!("{PUZZLE},{SOLUTION},easy,\n");
    csv += &format!(
        "{PUZZLE},{},hard,y\n",
        SOLUTION
            .replace('5', "x")
            .replace('6', "5")
            .replace('x', "6")
    );
    csv += &format!("11{},,,z\n", &PUZZLE[2..]);
    csv += &format!("5{},,hard,z\n", ".".repeat(80));
    csv += "short,,,\n";
    dir.write("set.csv", csv);
    dir.succeed("grade set.csv -o graded.parquet --with canonical,waves --report graded.json");
}
