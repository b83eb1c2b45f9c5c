//! `compare`, and `solve --solver`.

use serde_json::Value;

use crate::util::{PUZZLE, Place, SOLUTION};

/// A puzzle that was made to be hard for a search in row order.
const ADVERSARIAL: &str =
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

#[test]
fn every_solver_has_a_row_for_every_puzzle_and_the_tables_sum_them_up() {
    let place = Place::new();
    let large = ".".repeat(16);
    place.write(
        "in.csv",
        format!("puzzle,difficulty\n{PUZZLE},easy\n{ADVERSARIAL},evil\n{large},small\n12345,bad\n"),
    );
    let printed = place.succeed(&[
        "compare",
        "in.csv",
        "-o",
        "runs.csv",
        "--label",
        "difficulty",
        "--json",
    ]);
    let tables: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(tables["puzzles"], 2);
    assert_eq!(
        (&tables["other_sizes"], &tables["rejects"]),
        (&1.into(), &1.into())
    );
    let solvers = tables["solvers"].as_array().unwrap();
    assert_eq!(solvers.len(), 14);
    let of = |name: &str| solvers.iter().find(|row| row["solver"] == name).unwrap();
    assert_eq!(of("lanes")["solved"], 2);
    assert!(of("backtrack-none-fixed")["solved"].as_u64() < Some(2));
    // Every row of the table by label names its solver as the table of solvers does.
    let by_label = tables["by_label"].as_array().unwrap();
    let names = by_label.iter().filter(|row| row["label"] == "easy");
    let expected = solvers.iter().map(|row| &row["solver"]);
    assert!(names.map(|row| &row["solver"]).eq(expected));
    assert_eq!(tables["clues"][1]["label"], "evil");
    assert_eq!(tables["clues"][1]["clues"], 17.0);
    let text = String::from_utf8(place.read("runs.csv")).unwrap();
    assert_eq!(text.lines().count(), 1 + 2 * 14);
    assert!(
        text.lines().skip(1).all(|row| !row.contains("false,false")),
        "{text}"
    );
    assert!(
        text.contains("backtrack-triples-mrv,triples,mrv,true,true,"),
        "{text}"
    );
    let text = place.succeed(&[
        "compare",
        "in.csv",
        "-o",
        "runs.parquet",
        "--solvers",
        "dlx,backtrack",
        "--repeat",
        "2",
        "--parallel-runs",
        "2",
    ]);
    assert!(
        text.contains("backtrack-pairs-mrv") && !text.contains("templates"),
        "{text}"
    );
    assert!(
        text.contains("1 records that are not puzzles were left out"),
        "{text}"
    );
    place.fail(
        &["compare", "in.csv", "-o", "x.csv", "--solvers", "dancing"],
        2,
    );
    place.fail(&["compare", "in.csv", "-o", "x.csv", "--label", "level"], 3);
    place.fail(&["compare", "in.csv", "-o", "x.txt"], 2);
    place.fail(&["compare", "in.csv", "-o", "runs.csv"], 4);
}

/// Errors of inputs have the same messages as in other commands.
#[test]
fn an_input_without_a_puzzle_to_compare_is_explained() {
    let place = Place::new();
    let large = ".".repeat(16);
    place.write("small.txt", format!("{large}\n{large}\n"));
    place.write("text.txt", "no puzzle here\nand none here\n");
    place.write("none.csv", "puzzle\n");
    let compare = |input: &str| place.fail(&["compare", input, "-o", "runs.csv"], 3);
    let said = compare("small.txt");
    assert!(
        said.contains("9 × 9 puzzles only") && said.contains("are 2"),
        "{said}"
    );
    let dedup = place.fail(&["dedup", "text.txt", "-o", "unique.csv"], 3);
    assert_eq!(compare("text.txt"), dedup);
    let said = compare("none.csv");
    assert!(said.contains("there is no puzzle in none.csv"), "{said}");
    assert!(!place.exists("runs.csv"));
    place.succeed(&["compare", "none.csv", "-o", "runs.csv", "--allow-empty"]);
    let table = String::from_utf8(place.read("runs.csv")).unwrap();
    assert_eq!(table.lines().count(), 1);
    let input = ["compare", "none.csv", "-o", "./none.csv", "--overwrite"];
    assert!(place.fail(&input, 2).contains("is an input"));
}

#[test]
fn each_solver_solves_by_its_name_and_its_settings() {
    let place = Place::new();
    place.write("in.txt", format!("{PUZZLE}\n{ADVERSARIAL}\n"));
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
        let solve = ["solve", "in.txt", "-o", "out.csv", "--overwrite"];
        place.succeed(&[&solve, solver].concat());
        let text = String::from_utf8(place.read("out.csv")).unwrap();
        assert!(text.contains(SOLUTION), "{solver:?}: {text}");
        assert_eq!(text.matches(",unique,").count(), 2, "{solver:?}: {text}");
    }
    let slow = [
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
    place.succeed(&slow);
    let text = String::from_utf8(place.read("slow.csv")).unwrap();
    assert!(text.contains(",gave_up,"), "{text}");
    place.fail(
        &["solve", "in.txt", "-o", "x.csv", "--solver", "dancing"],
        2,
    );
    place.fail(
        &[
            "solve", "in.txt", "-o", "x.csv", "--solver", "dlx", "--order", "mrv",
        ],
        2,
    );
}
