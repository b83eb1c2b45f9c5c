//! Tests `validate`: each invalid record is listed with its position and the reason.

use serde_json::{Value, json};

use crate::util::{PUZZLE, SOLUTION, TestDir, numbers, texts};

/// Writes invalid records of every kind. Returns the row, line and reason that are expected for each.
fn dir_with_inputs() -> (TestDir, Vec<(u64, u64, &'static str)>) {
    let dir = TestDir::new();
    let wrong_solution = SOLUTION.replacen("534", "543", 1);
    let puzzle_without_solution = format!("55{}", ".".repeat(79));
    let unsolvable_without_conflict = format!("12345678{}9{}", ".".repeat(9), ".".repeat(63));
    let puzzle_with_several_solutions = ".".repeat(81);
    let records = [
        (format!("{PUZZLE},{SOLUTION}"), None),
        (format!("{PUZZLE},{wrong_solution}"), Some("wrong_solution")),
        ("12,".to_owned(), Some("wrong_length")),
        (format!("{unsolvable_without_conflict},"), Some("none")),
        (format!("{PUZZLE},"), None),
        (
            format!("{puzzle_with_several_solutions},{SOLUTION}"),
            Some("multiple"),
        ),
        (format!("{puzzle_without_solution},"), Some("conflict")),
        (format!("{PUZZLE},123"), Some("wrong_solution")),
    ];
    let mut text = "puzzle,solution\n".to_owned();
    let mut expected_rejects = Vec::new();
    for (row, (record, why)) in (0..).zip(records) {
        expected_rejects.extend(why.map(|why| (row, text.len() as u64, why)));
        text += &record;
        text.push('\n');
    }
    dir.write("in.csv", text);
    (dir, expected_rejects)
}

#[test]
fn every_record_that_fails_is_named_with_its_place_and_reason() {
    let (dir, expected) = dir_with_inputs();
    let message = dir.fail("validate in.csv -o bad.parquet", 3);
    assert!(
        message.contains("6 that fail written to bad.parquet"),
        "{message}"
    );
    let table = dir.parquet("bad.parquet");
    let found_rejects: Vec<_> = (0..table.num_rows())
        .map(|at| {
            let get_number = |column| numbers(&table, column)[at].unwrap();
            assert_eq!(get_number("line"), get_number("row") + 2);
            (
                get_number("row"),
                get_number("byte_offset"),
                texts(&table, "why")[at].clone().unwrap(),
            )
        })
        .collect();
    let expected: Vec<_> = (expected.into_iter())
        .map(|(row, byte, why)| (row, byte, why.to_owned()))
        .collect();
    assert_eq!(found_rejects, expected);
    let messages = texts(&table, "message");
    let first_message = messages[0].as_deref().unwrap();
    assert!(
        first_message.contains("4 in r1c2") && first_message.contains("solution has 3 there"),
        "{first_message}"
    );
    assert!(
        texts(&table, "raw")[0]
            .as_deref()
            .unwrap()
            .starts_with(PUZZLE)
    );
}

#[test]
fn json_lines_go_to_standard_output_and_a_few_lines_to_standard_error() {
    let (dir, expected) = dir_with_inputs();
    let output = dir.run("validate in.csv --format json");
    assert_eq!(output.status.code(), Some(3));
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), expected.len());
    assert_eq!(lines[4]["why"], json!("conflict"));
    assert_eq!(lines[4]["line"], json!(8));
    assert_eq!(lines[4]["source"], json!("in.csv"));
    // `validate` without `--format` lists the failures as text.
    let message = dir.fail("validate in.csv", 3);
    assert!(
        message.contains("in.csv, line 3, byte 180: wrong_solution: "),
        "{message}"
    );
    assert_eq!(message.matches("in.csv, line ").count(), 6, "{message}");
    dir.write("many.txt", format!("{}\n", ".".repeat(81)).repeat(12));
    let message = dir.fail("validate many.txt", 3);
    assert_eq!(
        message
            .matches(": multiple: it has several solutions")
            .count(),
        10,
        "{message}"
    );
    assert!(message.contains("--format ndjson for all 12"), "{message}");
}

#[test]
fn a_dataset_without_a_fault_has_an_empty_table() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n"));
    dir.succeed("validate in.txt -o bad.csv");
    let table = String::from_utf8(dir.read("bad.csv")).unwrap();
    assert_eq!(table, "source,row,line,byte_offset,why,message,raw\n");
    assert_eq!(dir.succeed("validate in.txt --format json"), "");
    let conflicting_arguments = "validate in.txt --format json --summary -";
    assert!(
        dir.fail(conflicting_arguments, 2)
            .contains("standard output")
    );
}
