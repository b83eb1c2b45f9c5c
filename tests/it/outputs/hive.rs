//! Tests that partition folders named `name=value` become columns of the files in them.

use crate::util::{PUZZLE, TestDir};

/// The rows of an NDJSON text as JSON values, ordered by id, without the puzzle.
fn rows(text: &str) -> Vec<serde_json::Value> {
    let rows = text.lines().map(|line| {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        let columns = row.as_object_mut().unwrap();
        assert_eq!(columns.remove("puzzle").unwrap(), PUZZLE);
        row
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort_by_key(|row| row["id"].as_u64());
    rows
}

/// Regression test: the columns of `--partition-by` were lost when the folder was read.
#[test]
fn partition_folders_are_read_back_with_equal_values() {
    let odd_values = [
        "a/b",
        "..",
        ".",
        "a=b",
        "%2F",
        "é漢\u{1f600}",
        "",
        "__HIVE_DEFAULT_PARTITION__",
        "007",
        "1.50",
        " x ",
        "a\nb",
        "\"q\"",
        "null",
        "_a",
    ];
    let row_values = |n: usize| {
        let is_null = n.is_multiple_of(7);
        [
            ("text", serde_json::json!(odd_values[n % odd_values.len()])),
            ("number", serde_json::json!((n as i64 - 3) * 1_000_000_007)),
            ("float", serde_json::json!(n as f64 / 3.0)),
            ("flag", serde_json::json!(n.is_multiple_of(2))),
            (
                "some",
                if is_null {
                    serde_json::Value::Null
                } else {
                    serde_json::json!("x")
                },
            ),
        ]
    };
    let dir = TestDir::new();
    let mut text = String::new();
    for n in 0..40 {
        let mut row = serde_json::json!({"id": n, "puzzle": PUZZLE});
        for (name, value) in row_values(n) {
            row[name] = value;
        }
        text += &format!("{row}\n");
    }
    dir.write("in.ndjson", &text);
    for by in [
        "text",
        "number",
        "float",
        "flag",
        "some",
        "some,number,text",
    ] {
        for format in ["parquet", "ndjson", "arrow"] {
            let output_name = format!("{by}-{format}/");
            let arguments = [
                "convert",
                "in.ndjson",
                "-o",
                &output_name,
                "--partition-by",
                by,
            ];
            dir.succeed(&[&arguments[..], &["--output-format", format]].concat());
            let read_arguments = [
                "convert",
                &output_name,
                "-o",
                "-",
                "--output-format",
                "ndjson",
            ];
            assert_eq!(
                rows(&dir.succeed(&read_arguments)),
                rows(&text),
                "{output_name}"
            );
        }
    }
}

#[test]
fn partition_columns_have_types_and_can_be_left_out() {
    let dir = TestDir::new();
    for (folder, id) in [
        ("k=007/n=1/day=2024-01-31", 1),
        ("k=8/n=2/day=2024-02-01", 2),
        ("k=__HIVE_DEFAULT_PARTITION__/n=-3/day=2024-02-02", 3),
    ] {
        std::fs::create_dir_all(dir.path(&format!("in/{folder}"))).unwrap();
        dir.write(
            &format!("in/{folder}/f.csv"),
            format!("id,puzzle,N\n{id},{PUZZLE},own\n"),
        );
    }
    dir.write("in/plain.csv", format!("puzzle\n{PUZZLE}\n"));
    let convert_to_csv = |options: &[&str]| {
        let arguments = ["convert", "in", "-o", "-", "--output-format", "csv"];
        dir.succeed(&[&arguments[..], options].concat())
    };
    // Names that differ only in case are the same, so the column N of the file replaces the partition column.
    assert_eq!(
        convert_to_csv(&[]),
        format!(
            "id,puzzle,N,k,day\n1,{PUZZLE},own,007,2024-01-31\n2,{PUZZLE},own,8,2024-02-01\n\
             3,{PUZZLE},own,,2024-02-02\n,{PUZZLE},,,\n"
        )
    );
    assert!(convert_to_csv(&["--keep", "none"]).starts_with("puzzle\n"));
    dir.succeed(&["convert", "in/k=8", "-o", "k.parquet", "--where", "k = 8"]);
    assert_eq!(dir.parquet("k.parquet").num_rows(), 1);
    let stdout = dir.succeed("inspect in/k=8/n=2/day=2024-02-01/f.csv --keep day,k");
    for words in [
        "id      left out",
        "k       carried through",
        "day     carried through",
        "writes puzzle, k, day",
    ] {
        assert!(stdout.contains(words), "{words}: {stdout}");
    }
    let message = dir.fail("convert in/k=8 -o x.csv --keep other", 3);
    assert!(message.contains("no column \"other\""), "{message}");
    // `--types` and `--infer-types` also apply to partition columns.
    dir.succeed("convert in/k=8 -o t.parquet --types k=text");
    let schema = dir.parquet("t.parquet").schema();
    let type_of_k = schema.field_with_name("k").unwrap().data_type().clone();
    assert_eq!(type_of_k, arrow::datatypes::DataType::Utf8);
}

/// Regression test: the message stated the length of the value instead of the folder's name.
#[test]
fn a_value_that_is_too_long_for_a_folder_says_how_it_is_written() {
    let dir = TestDir::new();
    let long_value = "漢".repeat(80);
    dir.write("in.csv", format!("puzzle,k\n{PUZZLE},{long_value}\n"));
    let message = dir.fail("convert in.csv -o o/ --partition-by k", 3);
    assert!(message.contains("722 bytes, in which"), "{message}");
    assert!(message.contains("%E6%BC%A2"), "{message}");
}
