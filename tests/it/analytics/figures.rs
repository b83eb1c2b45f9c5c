//! Regression tests of `stats`: figures that earlier versions computed wrongly, and statistics that are
//! refused.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, Decimal256Array, DurationMillisecondArray, Float16Array, RecordBatch, StringArray,
};
use arrow::ipc::writer::FileWriter;
use serde_json::{Value, json};

use super::{stats, write_graded};
use crate::util::{PUZZLE, TestDir, stderr};

fn column<'a>(of: &'a Value, name: &str) -> &'a Value {
    let columns = of["columns"].as_array().unwrap();
    columns
        .iter()
        .find(|column| column["name"] == name)
        .unwrap()
}

#[test]
fn quartiles_of_64_bits_are_not_cut_at_63() {
    let dir = TestDir::new();
    dir.write(
        "u.ndjson",
        "{\"u\": 18446744073709551615}\n{\"u\": 9223372036854775808}\n{\"u\": 1}\n{\"u\": null}\n",
    );
    let statistics = stats(&dir, &["u.ndjson"]);
    let column_statistics = column(&statistics, "u");
    assert_eq!(
        (&column_statistics["median"], &column_statistics["q75"]),
        (&json!(1u64 << 63), &json!(u64::MAX))
    );
    assert_eq!(
        (&column_statistics["nulls"], &column_statistics["distinct"]),
        (&json!(1), &json!(3))
    );
}

#[test]
fn minus_zero_is_zero_and_infinity_has_one_spelling() {
    let dir = TestDir::new();
    dir.write("x.csv", "x\n0.0\n-0.0\n1.5\n");
    let statistics = stats(&dir, &["x.csv"]);
    let column_statistics = column(&statistics, "x");
    assert_eq!(column_statistics["distinct"], 2);
    assert_eq!(column_statistics["values"], json!([[0.0, 2], [1.5, 1]]));
}

#[test]
fn foreign_columns_with_names_of_this_program_are_not_mistaken_for_its_columns() {
    let dir = TestDir::new();
    dir.write(
        "ff.csv",
        format!("puzzle,clues,rank,nodes,effort\n{PUZZLE},-3,7,-4,5\n{PUZZLE},99,8,1,-1\n"),
    );
    let statistics = stats(&dir, &["ff.csv"]);
    // The clues are counted in the puzzles; the column `clues` is ignored.
    assert_eq!(statistics["clues"]["values"], json!([[30, 2]]));
    assert_eq!(
        (
            &statistics["nodes"]["count"],
            &statistics["effort"]["count"]
        ),
        (&json!(0), &json!(0))
    );
    for (name, least, most) in [
        ("clues", -3, 99),
        ("rank", 7, 8),
        ("nodes", -4, 1),
        ("effort", -1, 5),
    ] {
        let column_statistics = column(&statistics, name);
        assert_eq!(
            (&column_statistics["min"], &column_statistics["max"]),
            (&json!(least), &json!(most)),
            "{name}"
        );
    }
}

#[test]
fn rows_with_missing_fields_are_rejects_and_digits_stay_text() {
    let dir = TestDir::new();
    dir.write("ra.csv", "id,v<w\n00123,2\n1,2,3\n2\n00007,x\n");
    let statistics = stats(&dir, &["ra.csv"]);
    assert_eq!(statistics["rows"], 2);
    assert_eq!(statistics["rejects"]["too_many_columns"]["rows"], 1);
    assert_eq!(
        statistics["rejects"]["missing_column"]["first"][0]["line"],
        4
    );
    assert_eq!(
        (
            &column(&statistics, "id")["type"],
            &column(&statistics, "id")["min"]
        ),
        (&json!("string"), &json!("00007"))
    );
    dir.write("lat.csv", b"id,v\n1,caf\xe9\n2,x\n");
    assert_eq!(stats(&dir, &["lat.csv"])["rejects"]["not_utf8"]["rows"], 1);
}

#[test]
fn a_column_of_an_unusual_type_does_not_affect_the_other_columns() {
    let dir = TestDir::new();
    let decimals = Decimal256Array::from(vec![Some(15.into()), None]);
    let columns: [(&str, ArrayRef); 4] = [
        ("puzzle", Arc::new(StringArray::from(vec![PUZZLE, PUZZLE]))),
        (
            "d",
            Arc::new(decimals.with_precision_and_scale(50, 3).unwrap()),
        ),
        ("t", Arc::new(DurationMillisecondArray::from(vec![1, 2]))),
        (
            "f",
            Arc::new(Float16Array::from_iter_values([
                half_precision(1.5),
                half_precision(2.5),
            ])),
        ),
    ];
    let rows = RecordBatch::try_from_iter(columns).unwrap();
    let file = std::fs::File::create(dir.path("odd.arrow")).unwrap();
    let mut writer = FileWriter::try_new(file, &rows.schema()).unwrap();
    writer.write(&rows).unwrap();
    writer.finish().unwrap();
    let statistics = stats(&dir, &["odd.arrow"]);
    assert_eq!(
        (&statistics["rows"], &statistics["duplicates"]["repeating"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(
        (
            &column(&statistics, "d")["nulls"],
            &column(&statistics, "d")["distinct"]
        ),
        (&json!(1), &Value::Null)
    );
    assert_eq!(column(&statistics, "f")["mean"], 2.0);
    assert_eq!(column(&statistics, "t")["distinct"], 2);
    let text = dir.succeed("stats odd.arrow");
    assert!(text.contains("Only nulls are counted of d"), "{text}");
}

fn half_precision(
    value: f32,
) -> <arrow::datatypes::Float16Type as arrow::datatypes::ArrowPrimitiveType>::Native {
    <arrow::datatypes::Float16Type as arrow::datatypes::ArrowPrimitiveType>::Native::from_f32(value)
}

#[test]
fn statistics_that_contradict_themselves_are_refused() {
    let dir = TestDir::new();
    write_graded(&dir);
    let statistics: Value = serde_json::from_slice(&dir.read("graded.json")).unwrap();
    let assert_refused = |path: &str, to: Value, words: &str| {
        let mut changed_statistics = statistics.clone();
        *changed_statistics.pointer_mut(path).unwrap() = to;
        dir.write("dm.json", changed_statistics.to_string());
        for arguments in [
            &["report", "dm.json", "-o", "x.html"][..],
            &["report", "dm.json", "--card", "x.md"],
            &["stats", "--merge", "dm.json"],
        ] {
            let message = dir.fail(arguments, 3);
            assert!(
                message.contains("dm.json: these statistics are damaged")
                    && message.contains(words),
                "{message}"
            );
        }
    };
    assert_refused("/rows", json!(99_999), "its inputs have 44 rows");
    assert_refused("/level/easy", json!(5_000_000), "level adds up to");
    assert_refused("/cells/digits", json!(vec![[0; 9]; 82]), "82 cells");
    assert_refused("/cells/digits", json!(vec![[0; 9]; 9]), "9 cells");
    // Regression test: with the highest possible number of clues, drawing the chart of clues did not end.
    assert_refused(
        "/clues",
        json!({
            "count": 1, "sum": u64::MAX, "min": u64::MAX, "max": u64::MAX, "rounded": false,
            "values": [[u64::MAX, 1]]
        }),
        "clues",
    );
    // Statistics of a file without the column `technique` can be merged with the other statistics.
    dir.succeed("grade set.csv -o few.parquet --select level,difficulty");
    dir.succeed("stats few.parquet -o few.json");
    let merged = stats(&dir, &["--merge", "few.json"]);
    assert_eq!(
        (&merged["level"], &merged["technique"]),
        (&statistics["level"], &json!({}))
    );
    let message = dir.fail("stats --merge graded.json ./graded.json", 2);
    assert!(message.contains("named twice"), "{message}");
}

#[test]
fn tables_are_read_as_convert_reads_them() {
    let dir = TestDir::new();
    write_graded(&dir);
    let easy_statistics = stats(&dir, &["graded.parquet", "--where", "difficulty = 'easy'"]);
    assert_eq!(easy_statistics["rows"], 22);
    assert_eq!(
        stats(&dir, &["graded.parquet", "--limit", "5", "--skip", "40"])["rows"],
        4
    );
    let sample_arguments = ["graded.parquet", "--sample", "0.5", "--seed", "3"];
    let rows = stats(&dir, &sample_arguments)["rows"].as_u64().unwrap();
    assert!((10..35).contains(&rows), "{rows}");
    let kept_columns = stats(&dir, &["graded.parquet", "--keep", "note"]);
    assert!(
        column(&kept_columns, "note")["distinct"] == 43
            && kept_columns["columns"].as_array().unwrap().len() == 1
    );
    // Standard input cannot be read twice, so the puzzles of repeated rows are stored in a temporary file.
    let file_statistics = stats(&dir, &["set.csv"]);
    let input = dir.read("set.csv");
    let output = dir.pipe("stats - --format json", &input);
    let mut stdin_statistics: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(stdin_statistics["inputs"][0]["name"], "-");
    stdin_statistics["inputs"] = file_statistics["inputs"].clone();
    for rejects in stdin_statistics["rejects"]
        .as_object_mut()
        .unwrap()
        .values_mut()
    {
        for first in rejects["first"].as_array_mut().unwrap() {
            first["source"] = json!("set.csv");
        }
    }
    assert_eq!(stdin_statistics, file_statistics);
    assert_eq!(
        file_statistics["duplicates"]["examples"][0]["puzzles"][0],
        PUZZLE
    );
    // The same input, counted by `grade --report`.
    let run_statistics: Value = serde_json::from_slice(&dir.read("graded.json")).unwrap();
    for key in ["rows", "rejects", "clues", "cells"] {
        assert_eq!(file_statistics[key], run_statistics[key], "{key}");
    }
}

#[test]
fn threads_and_memory_do_not_change_a_byte() {
    let dir = TestDir::new();
    write_graded(&dir);
    let stats_by_note = "stats graded.parquet --format json --by note";
    let on_one_thread = dir.succeed(&format!("{stats_by_note} --threads 1"));
    let on_seven_threads = dir.succeed(&format!(
        "{stats_by_note} --threads 7 --memory-limit 200MiB"
    ));
    assert_eq!(on_one_thread, on_seven_threads);
    let message = dir.fail("stats graded.parquet --memory-limit 64MiB", 2);
    assert!(message.contains("stats needs at least"), "{message}");
}

#[test]
fn a_missing_temporary_folder_is_named() {
    let dir = TestDir::new();
    write_graded(&dir);
    let mut command = dir.command("stats -");
    command.env("TMPDIR", dir.path("no/such/folder"));
    command.stdin(std::fs::File::open(dir.path("set.csv")).unwrap());
    let output = command.output().unwrap();
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("cannot write") && message.contains("no/such/folder"),
        "{message}"
    );
}

#[test]
fn the_brief_form_answers_the_first_questions() {
    let dir = TestDir::new();
    write_graded(&dir);
    let whole = dir.succeed("stats graded.parquet");
    let brief = dir.succeed("stats graded.parquet --brief");
    let titles = |text: &str| -> Vec<String> {
        let titles = text
            .lines()
            .filter(|line| line.starts_with(char::is_alphabetic));
        titles.map(str::to_owned).collect()
    };
    assert_eq!(
        titles(&brief),
        [
            "Overview",
            "Status",
            "Levels",
            "Techniques: the hardest needed, and all that are used"
        ]
    );
    assert!(titles(&whole).len() > titles(&brief).len());
    for line in brief.lines() {
        assert!(whole.contains(line), "{line}");
    }
    let keys = dir.succeed("stats graded.parquet --brief --format csv");
    assert!(keys.lines().any(|line| line.starts_with("level,")) && !keys.contains("\nnumbers,"));
    let message = dir.fail("stats graded.parquet --brief --format json", 2);
    assert!(
        message.contains("leave --brief or --format json out"),
        "{message}"
    );
}
