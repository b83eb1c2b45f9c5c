//! Tests `augment`: the isomorphs of each puzzle, and the columns that describe them.

use std::collections::HashSet;

use sudoku_core::board::{Grid, Isomorph};

use crate::sets::duplicates::{csv, min_lex_form, with_isomorphs};
use crate::util::{PUZZLE, TestDir, numbers, stderr, texts};

#[test]
fn copies_are_different_isomorphs_that_can_be_undone() {
    let dir = TestDir::new();
    let rows = with_isomorphs(&dir, "40", 0, 1);
    dir.write("in.csv", csv(&rows));
    let run_augment = |out: &str, options: &[&str]| {
        let arguments = format!("augment in.csv -o {out} --copies 250 --seed 3");
        dir.succeed((&arguments, options));
    };
    run_augment(
        "out.parquet",
        &["--threads", "1", "--summary", "summary.json"],
    );
    let table = dir.parquet("out.parquet");
    assert_eq!(table.num_rows(), 40 * 250);
    let [puzzles, solutions, names, groups, made] =
        ["puzzle", "solution", "name", "group", "transformation"].map(|name| texts(&table, name));
    let copies = numbers(&table, "copy");
    let mut group_name_pairs: HashSet<(String, String)> = HashSet::new();
    let mut seen_copies = HashSet::new();
    for at in 0..table.num_rows() {
        let row = &rows[at / 250];
        let fields: Vec<&str> = row.split(',').collect();
        let value_in_row = |column: &[Option<String>]| column[at].clone().unwrap();
        assert_eq!(
            value_in_row(&names),
            fields[2],
            "other columns are carried along"
        );
        assert_eq!(copies[at], Some(at as u64 % 250 + 1));
        let isomorph: Isomorph = value_in_row(&made).parse().unwrap();
        let [puzzle, solution]: [Grid; 2] =
            [&puzzles, &solutions].map(|column| value_in_row(column).parse().unwrap());
        let inverse = isomorph.inverse();
        assert_eq!(inverse.apply(&puzzle).as_str(), fields[0]);
        assert_eq!(inverse.apply(&solution).as_str(), fields[1]);
        assert!(solution.is_solution() && solution.extends(&puzzle));
        assert_ne!(puzzle.as_str(), fields[0]);
        assert!(seen_copies.insert(puzzle), "{puzzle}");
        if at % 25 == 0 {
            assert_eq!(min_lex_form(puzzle.as_str()), min_lex_form(fields[0]));
        }
        group_name_pairs.insert((value_in_row(&groups), value_in_row(&names)));
    }
    assert_eq!(group_name_pairs.len(), 40, "a group a puzzle");
    let summary: serde_json::Value = serde_json::from_slice(&dir.read("summary.json")).unwrap();
    assert_eq!(
        (&summary["rows_in"], &summary["rows_out"]),
        (&40.into(), &10_000.into())
    );
    assert_eq!(
        (&summary["copies"], &summary["with_fewer_copies"]),
        (&10_000.into(), &0.into())
    );

    run_augment("two.parquet", &["--threads", "2"]);
    assert!(dir.read("two.parquet") == dir.read("out.parquet"));
    run_augment("folder/", &[]);
    assert!(dir.exists("folder/_SUCCESS"));
    let other_seed = [
        "augment",
        "in.csv",
        "-o",
        "other.parquet",
        "--copies",
        "250",
        "--seed",
        "4",
    ];
    dir.succeed(&other_seed);
    assert_ne!(texts(&dir.parquet("other.parquet"), "puzzle"), puzzles);
    // `dedup` removes all copies again, and `split` keeps the copies of a puzzle in one part.
    let summary = dir.summary("dedup out.parquet -o back.parquet");
    assert_eq!(
        (&summary["rows_in"], &summary["rows_out"]),
        (&10_000.into(), &40.into())
    );
}

#[test]
fn symmetry_leaves_fewer_copies_and_large_sizes_have_none() {
    let dir = TestDir::new();
    let single_clue = format!("{}1", ".".repeat(80));
    let grid_of_4 = "1...............";
    let grid_of_16 = format!("G1{}", ".".repeat(254));
    dir.write(
        "in.txt",
        [
            PUZZLE,
            &".".repeat(81),
            &single_clue,
            grid_of_4,
            &grid_of_16,
            "nonsense",
        ]
        .join("\n"),
    );
    let options = "augment in.txt -o out.csv --copies 1000 --keep none";
    let summary = dir.summary(options);
    assert_eq!(summary["rows_in"], 6);
    assert_eq!(summary["rejected"], 1);
    // A single clue can be one of 9 digits in one of 81 cells on a 9 × 9 grid, and one of 4 digits in one of 16
    // cells on a 4 × 4 grid.
    // The 16 × 16 grid has no copies, and its row stays.
    assert_eq!(summary["rows_out"], 1000 + 728 + 63 + 1);
    assert_eq!(summary["copies"], 1000 + 728 + 63);
    assert_eq!(summary["with_fewer_copies"], 4);
    assert_eq!(summary["without_copies"], 1);
    let text = String::from_utf8(dir.read("out.csv")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with(&grid_of_16));
    assert_eq!(rows.count(), 1);
    let log = stderr(&dir.run("augment in.txt -o out.csv -f --copies 2 --keep none"));
    assert!(
        log.contains("1 puzzle has no copies: there are none of grids above 9 × 9"),
        "{log}"
    );
    for copies in ["0", "70000", "x"] {
        dir.fail(&format!("augment in.txt -o no.csv --copies {copies}"), 2);
    }
    dir.fail("augment in.txt -o no.csv", 2);
}

/// Regression test: a published set of 4 × 4 puzzles had four copies of each class, which were not found.
#[test]
fn small_puzzles_have_copies_of_their_class() {
    let dir = TestDir::new();
    let six_puzzle = "1.34.6456.23.31564564231312645.45312";
    let six_solution = "123456456123231564564231312645645312";
    let rows = [
        "12.4........43.1,",
        "1.3.4.....2.....,",
        &format!("{six_puzzle},{six_solution}"),
    ];
    dir.write("in.csv", format!("puzzle,solution\n{}\n", rows.join("\n")));
    let arguments = "augment in.csv -o copies.csv --with-original --copies";
    dir.succeed(&format!("{arguments} 30 --seed 4"));
    let text = String::from_utf8(dir.read("copies.csv")).unwrap();
    assert_eq!(text.lines().count(), 1 + 3 * 31);
    let first_row = text.lines().nth(1).unwrap();
    assert!(first_row.ends_with(",0,1234 r1234 c1234 -"), "{first_row}");

    // The copies are in the same class as their original, and their solutions are correct.
    for by in ["isomorph", "grid"] {
        let summary = dir.summary(&format!("dedup copies.csv -o one.csv -f --by {by}"));
        assert_eq!(
            (&summary["rows_out"], &summary["text_fallbacks"]),
            (&3.into(), &0.into())
        );
    }
    let summary = dir.summary("solve copies.csv -o solved.csv");
    assert_eq!(summary["solution_given"]["correct"], 31);
    let overlap_arguments = ["overlap", "in.csv", "copies.csv", "--by", "isomorph"];
    assert_eq!(dir.summary(&overlap_arguments)["twins"], 93);
    let split_arguments = [
        "split",
        "copies.csv",
        "-o",
        "sets/",
        "--into",
        "a=0.5,b=0.5",
        "--by",
        "isomorph",
    ];
    dir.succeed(&split_arguments);
    let overlap_of_sets = dir.summary("overlap sets/a.csv sets/b.csv --allow-empty");
    assert_eq!(overlap_of_sets["twins"], 0);
}

#[test]
fn pencil_marks_are_rewritten_with_their_puzzle() {
    let dir = TestDir::new();
    let mut pencil_marks = "123456789".repeat(81);
    pencil_marks.replace_range(0..2, "..");
    dir.write("in.txt", &pencil_marks);
    dir.succeed("augment in.txt -o out.csv --copies 5 --keep none");
    let text = String::from_utf8(dir.read("out.csv")).unwrap();
    let puzzles: HashSet<&str> = (text.lines().skip(1)).map(|line| &line[..729]).collect();
    assert_eq!(puzzles.len(), 5);
    for puzzle in puzzles {
        assert_eq!(puzzle.matches('.').count(), 2);
    }
}

#[test]
fn a_condition_may_choose_among_copies() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let options = [
        "augment",
        "in.txt",
        "-o",
        "out.csv",
        "--copies",
        "9",
        "--where",
        "copy <= 3",
    ];
    let summary = dir.summary(&options);
    let counts = ["rows_in", "rows_out", "filtered", "copies"].map(|name| summary[name].as_u64());
    assert_eq!(counts, [1, 3, 6, 9].map(Some));
}
