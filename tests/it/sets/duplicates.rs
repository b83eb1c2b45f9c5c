//! Tests `dedup`: it writes the first puzzle of each class of equal puzzles, and a table of duplicates.

use std::collections::HashMap;

use sudoku_core::board::{Grid, Isomorph, canonical};
use sudoku_core::random::Rng;

use crate::util::{PUZZLE, SOLUTION, TestDir, generated, numbers, texts};

/// Rows of `puzzle,solution,name` in random order: some puzzles, and for each of them `isomorphs_per_puzzle` isomorphs.
pub(crate) fn with_isomorphs(
    dir: &TestDir,
    count: &str,
    isomorphs_per_puzzle: usize,
    seed: u64,
) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut rows = Vec::new();
    for (number, (puzzle, solution)) in generated(dir, count).into_iter().enumerate() {
        let [puzzle, solution]: [Grid; 2] = [puzzle, solution].map(|text| text.parse().unwrap());
        rows.push(format!("{puzzle},{solution},p{number}"));
        for copy in 0..isomorphs_per_puzzle {
            let isomorph = Isomorph::random(&mut rng);
            let [puzzle, solution] = [puzzle, solution].map(|grid| isomorph.apply(&grid));
            rows.push(format!("{puzzle},{solution},p{number}c{copy}"));
        }
    }
    rng.shuffle(&mut rows);
    rows
}

pub(crate) fn csv(rows: &[String]) -> String {
    format!("puzzle,solution,name\n{}\n", rows.join("\n"))
}

pub(crate) fn min_lex_form(text: &str) -> Grid {
    canonical(&text.parse().unwrap()).form
}

#[test]
fn the_first_of_each_class_stays_and_the_others_name_it() {
    let dir = TestDir::new();
    let rows = with_isomorphs(&dir, "150", 4, 1);
    let (one, other) = rows.split_at(400);
    dir.write("a.csv", csv(one));
    dir.write("b.csv", csv(other));
    let run_dedup = |out: &str, options: &[&str]| {
        let duplicates = format!("{out}.duplicates.parquet");
        let arguments = [
            "dedup",
            "a.csv",
            "b.csv",
            "-o",
            out,
            "--duplicates",
            &duplicates,
        ];
        dir.succeed(&[&arguments[..], options].concat());
    };
    run_dedup(
        "out.parquet",
        &["--summary", "summary.json", "--threads", "1"],
    );
    let table = dir.parquet("out.parquet");
    let kept_names = texts(&table, "name");
    // The expected rows: the first row of each class, in input order.
    let mut first_row_by_form: HashMap<Grid, usize> = HashMap::new();
    let mut expected_first_rows = Vec::new();
    let mut repeats = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let first_row = *first_row_by_form
            .entry(min_lex_form(&row[..81]))
            .or_insert(at);
        if first_row == at {
            expected_first_rows.push(row.rsplit(',').next().map(str::to_owned));
        } else {
            repeats.push((at, first_row));
        }
    }
    assert_eq!(expected_first_rows.len(), 150);
    assert_eq!(kept_names, expected_first_rows);
    let duplicates = dir.parquet("out.parquet.duplicates.parquet");
    let row_indices = |source: &str, row: &str| -> Vec<usize> {
        let sources = texts(&duplicates, source);
        let rows = numbers(&duplicates, row);
        sources
            .iter()
            .zip(rows)
            .map(|(source, row)| {
                let rows_before = if source.as_deref() == Some("b.csv") {
                    400
                } else {
                    0
                };
                rows_before + row.unwrap() as usize
            })
            .collect()
    };
    let found_rows: Vec<_> = row_indices("source", "row")
        .into_iter()
        .zip(row_indices("first_source", "first_row"))
        .collect();
    assert_eq!(found_rows, repeats);
    // The table of duplicates also has the columns of the input.
    let names = texts(&duplicates, "name");
    let expected_first_rows: Vec<_> = repeats
        .iter()
        .map(|(at, _)| rows[*at].rsplit(',').next().map(str::to_owned))
        .collect();
    assert_eq!(names, expected_first_rows);

    let summary: serde_json::Value = serde_json::from_slice(&dir.read("summary.json")).unwrap();
    assert_eq!(summary["rows_in"], 750);
    assert_eq!(summary["rows_out"], 150);
    assert_eq!(summary["duplicates"], 600);
    assert_eq!(summary["classes"], 150);
    assert_eq!(summary["text_fallbacks"], 0);

    for (out, options) in [
        ("two.parquet", ["--threads", "2"]),
        ("little.parquet", ["--memory-limit", "96MiB"]),
    ] {
        run_dedup(out, &options);
        assert!(dir.read(out) == dir.read("out.parquet"), "{out}");
        let duplicates = dir.read(&format!("{out}.duplicates.parquet"));
        assert!(
            duplicates == dir.read("out.parquet.duplicates.parquet"),
            "{out}"
        );
    }
}

#[test]
fn the_equality_of_puzzles_can_be_chosen() {
    let dir = TestDir::new();
    // After the first puzzle: the same puzzle in another notation, a puzzle with the same solution, an isomorph, and a
    // puzzle without a solution.
    let zeros = PUZZLE.replace('.', "0");
    let one_more_clue = PUZZLE.replacen('.', "4", 1);
    assert!(SOLUTION.starts_with("534"));
    let isomorph = Isomorph::random(&mut Rng::new(5)).apply(&PUZZLE.parse().unwrap());
    let no_solution = format!("11{}", ".".repeat(79));
    let several_solutions = ".".repeat(81);
    let lines = [
        PUZZLE,
        &zeros,
        &one_more_clue,
        isomorph.as_str(),
        &several_solutions,
        &several_solutions,
        &no_solution,
    ];
    dir.write("in.txt", lines.join("\n"));
    let rows = |by: &str| {
        let output_name = format!("{by}.csv");
        let summary = dir.summary(&format!("dedup in.txt -o {output_name} --by {by}"));
        let text = String::from_utf8(dir.read(&output_name)).unwrap();
        let kept_lines: Vec<String> = text
            .lines()
            .skip(1)
            .map(|line| line.trim_matches(',').to_owned())
            .collect();
        (
            kept_lines,
            summary["duplicates"].as_u64().unwrap(),
            summary["text_fallbacks"].as_u64().unwrap(),
        )
    };
    let text = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let isomorph = isomorph.to_string();
    assert_eq!(
        rows("exact"),
        (
            text(&[PUZZLE, &one_more_clue, &isomorph, &several_solutions]),
            2,
            0
        )
    );
    assert_eq!(
        rows("isomorph"),
        (text(&[PUZZLE, &one_more_clue, &several_solutions]), 3, 0)
    );
    // Two rows do not have exactly one solution, so they are only duplicates of rows with the same text.
    assert_eq!(
        rows("solution"),
        (text(&[PUZZLE, &isomorph, &several_solutions]), 3, 2)
    );
    // Each run rejects the row whose digits conflict.
    assert!(dir.exists("exact.rejects.csv"));
}

#[test]
fn large_sizes_are_compared_by_their_text() {
    let dir = TestDir::new();
    let grid_of_16 = format!("G{}", ".".repeat(255));
    let relabelled = format!("2{}", ".".repeat(255));
    dir.write(
        "in.txt",
        [grid_of_16.as_str(), &relabelled, &grid_of_16].join("\n"),
    );
    let summary = dir.summary("dedup in.txt -o out.csv");
    assert_eq!(summary["duplicates"], 1);
    assert_eq!(summary["text_fallbacks"], 3);
    assert_eq!(summary["rows_out"], 2);
}

#[test]
fn dedup_of_rows_without_duplicates_and_of_no_rows() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    dir.succeed("dedup in.txt -o out.txt --duplicates d.csv");
    assert_eq!(dir.read("out.txt"), format!("{PUZZLE}\n").into_bytes());
    assert_eq!(
        dir.read("d.csv"),
        b"source,row,first_source,first_row,comment,puzzle\n"
    );
    // An existing output is only replaced with `--overwrite`.
    dir.fail("dedup in.txt -o out.txt", 4);
    dir.fail("dedup in.txt -o new.txt --duplicates d.csv", 4);
    assert!(!dir.exists("new.txt"));
    let dedup_again = "dedup in.txt -o out.txt --duplicates d.csv --overwrite";
    dir.succeed(dedup_again);
    dir.write("empty.txt", "");
    dir.fail("dedup empty.txt -o e.csv", 3);
    dir.succeed("dedup empty.txt -o e.csv --allow-empty");
}

#[test]
fn contradictory_options_are_refused() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for (arguments, code) in [
        (&["-o", "out/"][..], 2),
        (&["-o", "out.csv", "--duplicates", "d.txt"], 2),
        (&["-o", "out.csv", "--duplicates", "-"], 2),
        (&["-o", "out.csv", "--duplicates", "out.csv"], 2),
        (&["-o", "out.csv", "--duplicates", "in.txt"], 2),
        (&["-o", "out.csv", "--memory-limit", "70MiB"], 2),
    ] {
        dir.fail(("dedup in.txt", arguments), code);
    }
    assert_eq!(dir.files(), ["in.txt"]);
}
