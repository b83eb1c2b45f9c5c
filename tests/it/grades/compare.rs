//! Tests `compare`, and the solvers that `solve --solver` selects.

use serde_json::Value;

use crate::util::{PUZZLE, SOLUTION, TestDir, generated, numbers, stderr};

/// A puzzle for which a search in row order takes very long.
const ADVERSARIAL: &str =
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

#[test]
fn every_solver_has_a_row_for_every_puzzle_and_the_tables_sum_them_up() {
    let dir = TestDir::new();
    let grid_of_16 = ".".repeat(16);
    dir.write(
        "in.csv",
        format!(
            "puzzle,difficulty\n{PUZZLE},easy\n{ADVERSARIAL},evil\n{grid_of_16},small\n12345,bad\n"
        ),
    );
    let printed = dir.succeed("compare in.csv -o runs.csv --label difficulty --json");
    let tables: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(tables["puzzles"], 2);
    assert_eq!(
        (&tables["other_sizes"], &tables["rejects"]),
        (&1.into(), &1.into())
    );
    let solvers = tables["solvers"].as_array().unwrap();
    assert_eq!(solvers.len(), 14);
    let solver_row = |name: &str| solvers.iter().find(|row| row["solver"] == name).unwrap();
    assert_eq!(solver_row("lanes")["solved"], 2);
    assert!(solver_row("backtrack-none-fixed")["solved"].as_u64() < Some(2));
    // The table by label has, for each label, the same solvers as the table by solver.
    let label_table = tables["by_label"].as_array().unwrap();
    let names = label_table.iter().filter(|row| row["label"] == "easy");
    let expected_names = solvers.iter().map(|row| &row["solver"]);
    assert!(names.map(|row| &row["solver"]).eq(expected_names));
    assert_eq!(tables["clues"][1]["label"], "evil");
    assert_eq!(tables["clues"][1]["clues"], 17.0);
    let text = String::from_utf8(dir.read("runs.csv")).unwrap();
    assert_eq!(text.lines().count(), 1 + 2 * 14);
    assert!(
        text.lines().skip(1).all(|row| !row.contains("false,false")),
        "{text}"
    );
    assert!(
        text.contains("backtrack-triples-mrv,triples,mrv,true,true,"),
        "{text}"
    );
    let text = dir.succeed(
        "compare in.csv -o runs.parquet --solvers dlx,backtrack --repeat 2 --parallel-runs 2",
    );
    assert!(
        text.contains("backtrack-pairs-mrv") && !text.contains("templates"),
        "{text}"
    );
    assert!(
        text.contains("1 records that are not puzzles were left out"),
        "{text}"
    );
    dir.fail("compare in.csv -o x.csv --solvers dancing", 2);
    dir.fail("compare in.csv -o x.csv --label level", 3);
    dir.fail("compare in.csv -o x.txt", 2);
    dir.fail("compare in.csv -o runs.csv", 4);
}

/// Regression test: records that are not puzzles were dropped, and only their number was
/// printed.
#[test]
fn records_that_are_not_puzzles_are_in_the_rejects_table() {
    let dir = TestDir::new();
    let conflicting_clues = format!("11{}", ".".repeat(79));
    dir.write(
        "in.csv",
        format!("puzzle\n{PUZZLE}\nx\n{conflicting_clues}\n"),
    );
    let compare_arguments = [
        "compare",
        "in.csv",
        "-o",
        "runs.csv",
        "--solvers",
        "lanes",
        "--overwrite",
    ];
    let output = dir.run(&compare_arguments);
    assert!(
        stderr(&output).contains("2 rejected (see runs.rejects.csv)"),
        "{}",
        stderr(&output)
    );
    let rejects = String::from_utf8(dir.read("runs.rejects.csv")).unwrap();
    assert!(
        rejects.contains(",wrong_length,") && rejects.contains(",conflict,"),
        "{rejects}"
    );
    let all_options = [
        &compare_arguments[..],
        &["--rejects", "bad.ndjson", "--summary", "run.json"],
    ]
    .concat();
    dir.succeed(&all_options);
    assert_eq!(
        dir.read("bad.ndjson").split(|byte| *byte == b'\n').count(),
        3
    );
    let summary: Value = serde_json::from_slice(&dir.read("run.json")).unwrap();
    assert_eq!(summary["command"], "compare");
    assert_eq!(
        (&summary["rows_in"], &summary["rejects"]["conflict"]),
        (&3.into(), &1.into())
    );
    assert_eq!(
        (&summary["puzzles"], &summary["runs"]),
        (&1.into(), &1.into())
    );
    let runs_before = dir.read("runs.csv");
    let few_rejects = [&compare_arguments[..], &["--max-rejects", "1"]].concat();
    assert!(dir.fail(&few_rejects, 3).contains("--max-rejects allows 1"));
    assert_eq!(dir.read("runs.csv"), runs_before);
}

/// Regression test: `compare` had no `--limit`.
#[test]
fn only_the_records_within_the_limit_are_compared() {
    let dir = TestDir::new();
    let puzzles = generated(&dir, "9");
    let lines: Vec<&str> = puzzles.iter().map(|(puzzle, _)| puzzle.as_str()).collect();
    dir.write("in.txt", lines.join("\n"));
    let compare_arguments = [
        "compare",
        "in.txt",
        "-o",
        "runs.parquet",
        "--solvers",
        "lanes,dlx",
    ];
    dir.succeed(&[&compare_arguments[..], &["--skip", "2", "--limit", "3"]].concat());
    let run_table = dir.parquet("runs.parquet");
    let rows = numbers(&run_table, "row").into_iter().flatten();
    assert!(rows.eq([2, 2, 3, 3, 4, 4]));
    let message = dir.run(&[&compare_arguments[..], &["-f", "--progress", "always"]].concat());
    assert!(stderr(&message).contains("rows"), "{}", stderr(&message));
    let message = dir.fail(
        &[&compare_arguments[..4], &["-f", "--label", "level"]].concat(),
        3,
    );
    assert!(message.contains("--label"), "{message}");
}

/// Regression test: the signal ended the process directly, and left a
/// temporary file that no later run removed.
#[test]
fn a_signal_ends_a_comparison_at_once_and_leaves_nothing() {
    let dir = TestDir::new();
    // With this limit for guesses, a search without rules takes minutes.
    dir.write("in.txt", format!("{ADVERSARIAL}\n").repeat(50));
    let solvers = "--solvers backtrack-none-fixed --guess-limit 100000000000";
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let compare_arguments = "compare in.txt -o runs.csv";
        let mut child = dir.command((compare_arguments, solvers)).spawn().unwrap();
        let has_started = || {
            dir.files()
                .iter()
                .any(|name| name.starts_with(".runs.csv."))
        };
        while !has_started() {
            assert!(child.try_wait().unwrap().is_none(), "it ended");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let pid = child.id().to_string();
        std::process::Command::new("kill")
            .args([signal, &pid])
            .status()
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
        assert_eq!(dir.files(), ["in.txt"], "{signal}");
    }
    // The next run removes temporary files that a killed run has left.
    dir.write(".runs.csv.a1B2c3.tmp", "left");
    dir.succeed("compare in.txt -o runs.csv --limit 1 --solvers lanes");
    assert_eq!(dir.files(), ["in.txt", "runs.csv"]);
}

/// Regression test: if the results could not be printed, the table of solver runs was still written, and blocked the
/// next run.
#[cfg(target_os = "linux")]
#[test]
fn a_comparison_that_cannot_be_printed_writes_no_table() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let compare_arguments = "compare in.txt -o runs.csv --solvers lanes";
    let full_device = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = dir
        .command(compare_arguments)
        .stdout(full_device)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(dir.files(), ["in.txt"]);
    dir.succeed(compare_arguments);
}

/// Errors about inputs have the same messages in `compare` as in other commands.
#[test]
fn an_input_without_a_puzzle_to_compare_is_explained() {
    let dir = TestDir::new();
    let grid_of_16 = ".".repeat(16);
    dir.write("small.txt", format!("{grid_of_16}\n{grid_of_16}\n"));
    dir.write("text.txt", "no puzzle here\nand none here\n");
    dir.write("none.csv", "puzzle\n");
    let fail_to_compare = |input: &str| dir.fail(&format!("compare {input} -o runs.csv"), 3);
    let message = fail_to_compare("small.txt");
    assert!(
        message.contains("9 × 9 puzzles only") && message.contains("are 2"),
        "{message}"
    );
    let dedup = dir.fail("dedup text.txt -o unique.csv", 3);
    let compared = fail_to_compare("text.txt").replace("runs.rejects", "unique.rejects");
    assert_eq!(compared, dedup);
    let message = fail_to_compare("none.csv");
    assert!(
        message.contains("there is no puzzle in none.csv"),
        "{message}"
    );
    assert!(!dir.exists("runs.csv"));
    dir.succeed("compare none.csv -o runs.csv --allow-empty");
    let table = String::from_utf8(dir.read("runs.csv")).unwrap();
    assert_eq!(table.lines().count(), 1);
    let input = "compare none.csv -o ./none.csv --overwrite";
    assert!(dir.fail(input, 2).contains("is an input"));
}

#[test]
fn each_solver_solves_by_its_name_and_its_settings() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n{ADVERSARIAL}\n"));
    for solver in [
        &["--solver", "templates"][..],
        &["--solver", "filter"],
        &["--solver", "dlx"],
        &["--solver", "elimination", "--rounds", "fixpoint"],
        &[
            "--solver",
            "backtrack",
            "--scheme",
            "pairs",
            "--order",
            "mrv",
        ],
        &["--solver", "backtrack-triples-mrv"],
    ] {
        let solve_arguments = ["solve", "in.txt", "-o", "out.csv", "--overwrite"];
        dir.succeed(&[&solve_arguments, solver].concat());
        let text = String::from_utf8(dir.read("out.csv")).unwrap();
        assert!(text.contains(SOLUTION), "{solver:?}: {text}");
        assert_eq!(text.matches(",unique,").count(), 2, "{solver:?}: {text}");
    }
    let slow_arguments = [
        "solve",
        "in.txt",
        "-o",
        "slow.csv",
        "--solver",
        "backtrack",
        "--scheme",
        "none",
        "--order",
        "fixed",
        "--guess-limit",
        "1000",
    ];
    dir.succeed(&slow_arguments);
    let text = String::from_utf8(dir.read("slow.csv")).unwrap();
    assert!(text.contains(",gave_up,"), "{text}");
    dir.fail("solve in.txt -o x.csv --solver dancing", 2);
    dir.fail("solve in.txt -o x.csv --solver dlx --order mrv", 2);
}
