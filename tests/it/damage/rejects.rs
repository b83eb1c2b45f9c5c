//! Tests the rejects table: the records that are not puzzles, each with its position and error.

use crate::util::{PUZZLE, TestDir, numbers, texts};

/// Texts of records that are not puzzles, each with the id of its error.
fn bad_records() -> Vec<(String, &'static str)> {
    let dots = |count| ".".repeat(count);
    vec![
        (dots(80), "wrong_length"),
        (format!("{}a", dots(80)), "bad_character"),
        (format!("{}0", dots(80)), "mixed_blanks"),
        (format!("5{}5{}", dots(7), dots(72)), "conflict"),
        ("NOT-UTF-8".to_owned(), "not_utf8"),
        ("MISSING".to_owned(), "missing_column"),
        (format!("{},2,3,4", dots(81)), "too_many_columns"),
        (String::new(), "null_value"),
        (dots(256), "unsupported_size"),
        // If a quoted field is never closed, only its own line is rejected.
        (format!("\"{}", dots(81)), "truncated_record"),
    ]
}

#[test]
fn every_bad_record_is_a_row_of_the_rejects_table() {
    let dir = TestDir::new();
    let mut text: Vec<u8> = b"id,puzzle,note\n".to_vec();
    let mut expected_rejects = Vec::new();
    let (mut row, mut line) = (0, 2);
    let mut add_record = |text: &mut Vec<u8>, record: &[u8], error: Option<&'static str>| {
        if let Some(error) = error {
            expected_rejects.push((row, line, text.len() as u64, error, record.to_vec()));
        }
        row += 1;
        line += 1;
        text.extend_from_slice(record);
        text.push(b'\n');
    };
    for at in 0..10_000 {
        if at % 500 == 250 {
            for (puzzle, error) in bad_records() {
                let record = match error {
                    "missing_column" => b"x".to_vec(),
                    "not_utf8" => [b"x,", PUZZLE.as_bytes(), b",caf\xe9"].concat(),
                    "too_many_columns" => format!("x,{puzzle}").into_bytes(),
                    _ => format!("x,{puzzle},note").into_bytes(),
                };
                add_record(&mut text, &record, Some(error));
            }
        }
        add_record(&mut text, format!("{at},{PUZZLE},fine").as_bytes(), None);
    }
    dir.write("in.csv", &text);
    let summary: serde_json::Value = serde_json::from_str(
        &dir.succeed("grade in.csv -o out.parquet --rejects bad.parquet --summary -"),
    )
    .unwrap();
    assert_eq!(summary["rows_out"], 10_000);
    assert_eq!(summary["rejected"], 200);
    assert_eq!(summary["rows_in"], 10_200);
    assert_eq!(dir.parquet("out.parquet").num_rows(), 10_000);

    let rejects = dir.parquet("bad.parquet");
    assert_eq!(rejects.num_rows(), expected_rejects.len());
    let (rows, lines) = (numbers(&rejects, "row"), numbers(&rejects, "line"));
    let (offsets, errors) = (numbers(&rejects, "byte_offset"), texts(&rejects, "error"));
    let (raws, messages) = (texts(&rejects, "raw"), texts(&rejects, "message"));
    for (at, (row, line, offset, error, record)) in expected_rejects.into_iter().enumerate() {
        assert_eq!(errors[at].as_deref(), Some(error), "{:?}", messages[at]);
        assert_eq!(rows[at], Some(row));
        assert_eq!(lines[at], Some(line));
        assert_eq!(offsets[at], Some(offset));
        let raw = raws[at].clone().unwrap();
        match std::str::from_utf8(&record) {
            Ok(record) => assert_eq!(raw, record),
            Err(_) => assert!(raw.ends_with("caf\\xe9"), "{raw}"),
        }
        assert!(!messages[at].as_ref().unwrap().is_empty());
    }
}

#[test]
fn a_conflict_names_its_two_cells() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("5{}5{}", ".".repeat(7), ".".repeat(72)));
    dir.succeed("convert in.txt -o out.csv --allow-empty");
    let rejects = String::from_utf8(dir.read("out.rejects.csv")).unwrap();
    assert!(
        rejects.contains("conflict,5 is in r1c1 and in r1c9 (row 1)"),
        "{rejects}"
    );
}

#[test]
fn without_a_rejects_table_rejects_are_logged() {
    let dir = TestDir::new();
    let arguments = "convert - -o - --format lines";
    let output = dir.pipe(
        &format!("{arguments} --allow-empty"),
        "short\n".repeat(12).as_bytes(),
    );
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
    assert_eq!(message.matches("wrong_length").count(), 10, "{message}");
    assert!(
        message.contains("--rejects FILE to keep all 12"),
        "{message}"
    );
}
