//! Tests that the types of JSON and CSV columns are inferred from their values, and that no value changes.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{DataType, Float64Type, Int64Type};

use crate::util::{PUZZLE, TestDir};

/// A text of JSON objects, one per line. Each has a puzzle and these members.
fn lines(members: &[&str]) -> String {
    let json_line = |members: &&str| format!("{{\"puzzle\":\"{PUZZLE}\",{members}}}\n");
    members.iter().map(json_line).collect()
}

fn convert(dir: &TestDir, input: &str, options: &[&str]) -> arrow::array::RecordBatch {
    let arguments = format!("convert {input} -o out.parquet --overwrite");
    dir.succeed((&arguments, options));
    dir.parquet("out.parquet")
}

fn types(table: &arrow::array::RecordBatch) -> Vec<String> {
    let schema = table.schema();
    let fields = schema
        .fields()
        .iter()
        .filter(|field| field.name() != "puzzle");
    fields
        .map(|field| format!("{}: {}", field.name(), field.data_type()))
        .collect()
}

#[test]
fn json_keeps_its_numbers_truth_values_arrays_and_objects() {
    let dir = TestDir::new();
    let text = lines(&[
        r#""id":1,"rating":9.1,"ok":true,"tags":["a"],"by":{"name":"x","n":[1]},"mix":1"#,
        r#""id":null,"rating":3,"ok":false,"tags":[],"by":{"name":null},"mix":"1""#,
    ]);
    dir.write("in.ndjson", &text);
    let table = convert(&dir, "in.ndjson", &[]);
    let expected = [
        "id: Int64",
        "rating: Float64",
        "ok: Boolean",
        "tags: List(Utf8)",
        "by: Struct(\"name\": Utf8, \"n\": List(Int64))",
        "mix: Utf8",
    ];
    assert_eq!(types(&table), expected);
    let ids = table
        .column_by_name("id")
        .unwrap()
        .as_primitive::<Int64Type>();
    assert_eq!((ids.value(0), ids.is_null(1)), (1, true));

    // Converted back to JSON, the output has the values of the input.
    dir.succeed("convert out.parquet -o back.ndjson");
    let read_back = String::from_utf8(dir.read("back.ndjson")).unwrap();
    let json_values = |text: &str| -> Vec<serde_json::Value> {
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    for (before, after) in json_values(&text).iter().zip(json_values(&read_back)) {
        assert_eq!(before["id"], after["id"]);
        assert_eq!(before["tags"], after["tags"]);
        assert_eq!(before["by"]["name"], after["by"]["name"]);
        assert_eq!(before["rating"].as_f64(), after["rating"].as_f64());
    }
    let text_only = convert(&dir, "in.ndjson", &["--infer-types=none"]);
    assert!(
        types(&text_only)
            .iter()
            .all(|column| column.ends_with(": Utf8"))
    );
    let with_given_types = convert(&dir, "in.ndjson", &["--types", "id=float64,by=text"]);
    assert!(types(&with_given_types).contains(&"id: Float64".to_owned()));
    assert!(types(&with_given_types).contains(&"by: Utf8".to_owned()));
}

#[test]
fn a_later_value_of_another_type_ends_the_run_with_its_row() {
    let dir = TestDir::new();
    let white_space = " ".repeat(1 << 19);
    for (first, later, reported) in [
        (
            "\"n\":1",
            "\"n\":2.5",
            "column n is read as int64, which 2.5 is not",
        ),
        (
            "\"n\":1",
            "\"n\":\"2\"",
            "column n is read as int64, which \"2\" is not",
        ),
        (
            "\"n\":[1]",
            "\"n\":[true]",
            "column n is read as List(Int64), which [true] is not",
        ),
        (
            "\"n\":1.5",
            "\"n\":9007199254740993",
            "is read as float64, which 9007199254740993",
        ),
    ] {
        let text = format!(
            "{}{white_space}\n{white_space}\n{}",
            lines(&[first, first]),
            lines(&[later])
        );
        dir.write("in.ndjson", &text);
        for threads in ["1", "3"] {
            let arguments = format!("convert in.ndjson -o x.parquet --threads {threads}");
            let message = dir.fail(&arguments, 3);
            assert!(
                message.contains("in.ndjson, row 2: ") && message.contains(reported),
                "{message}"
            );
            assert!(message.contains("--types n=text"), "{message}");
            assert!(!dir.exists("x.parquet"));
        }
        let table = convert(&dir, "in.ndjson", &["--types", "n=text"]);
        let texts = table.column_by_name("n").unwrap().as_string::<i32>();
        let written_number = later.strip_prefix("\"n\":").unwrap().trim_matches('"');
        assert_eq!(texts.value(2), written_number);
        // The values of records that are not selected are not checked.
        convert(&dir, "in.ndjson", &["--limit", "2"]);
    }
}

#[test]
fn csv_columns_are_typed_on_request() {
    let dir = TestDir::new();
    let header = "puzzle,id,rating,ok,code,day,none";
    let rows = ["1,1.50,true,007,2024-01-01,", "-2,NaN,False,010,,"];
    let rows: String = rows.iter().map(|row| format!("{PUZZLE},{row}\n")).collect();
    dir.write("in.csv", format!("{header}\n{rows}"));
    let all_text = convert(&dir, "in.csv", &[]);
    assert!(
        types(&all_text)
            .iter()
            .all(|column| column.ends_with(": Utf8"))
    );
    let table = convert(&dir, "in.csv", &["--infer-types"]);
    let expected = [
        "id: Int64",
        "rating: Float64",
        "ok: Boolean",
        "code: Utf8",
        "day: Date32",
        "none: Utf8",
    ];
    assert_eq!(types(&table), expected);
    let ratings = table
        .column_by_name("rating")
        .unwrap()
        .as_primitive::<Float64Type>();
    assert!(ratings.value(0) == 1.5 && ratings.value(1).is_nan());
    let message = dir.fail("convert in.csv -o x.csv --types other=int64", 2);
    assert!(message.contains("--types other=int64"), "{message}");
    dir.fail("convert in.csv -o x.csv --types code=number", 2);
    let message = dir.fail("convert in.csv -o x.csv --types code=int64", 3);
    assert!(
        message.contains("in.csv, row 0: column code is read as int64, which 007 is not"),
        "{message}"
    );
}

#[test]
fn dates_and_timestamps_of_csv_are_typed_on_request_and_keep_their_values() {
    let dir = TestDir::new();
    let rows = "1999-12-31,2024-01-01 10:00:00.5,2024-01-01T10:00:00Z,2024-01-01T10:00:00+01:00\n";
    let table = format!("puzzle,day,at,utc,zoned\n{PUZZLE},{rows}{PUZZLE},,,,\n");
    dir.write("in.csv", table);
    let table = convert(&dir, "in.csv", &["--infer-types=all"]);
    let expected = [
        "day: Date32",
        "at: Timestamp(µs)",
        "utc: Timestamp(µs, \"UTC\")",
        "zoned: Utf8",
    ];
    assert_eq!(types(&table), expected);
    dir.succeed("convert out.parquet -o out.csv");
    let text = String::from_utf8(dir.read("out.csv")).unwrap();
    let written =
        "1999-12-31,2024-01-01T10:00:00.500,2024-01-01T10:00:00Z,2024-01-01T10:00:00+01:00\n";
    assert!(text.contains(written), "{text}");
    // Dates are timestamps at midnight where another file has times.
    dir.write(
        "b.csv",
        format!("puzzle,day\n{PUZZLE},2024-01-01 10:00:00\n"),
    );
    dir.write("a.csv", format!("puzzle,day\n{PUZZLE},2024-01-01\n"));
    for inputs in ["a.csv b.csv", "b.csv a.csv"] {
        dir.succeed(&format!(
            "convert {inputs} -o both.csv --infer-types=all --overwrite"
        ));
        let text = String::from_utf8(dir.read("both.csv")).unwrap();
        assert!(
            text.contains("2024-01-01T00:00:00") && text.contains("2024-01-01T10:00:00"),
            "{text}"
        );
    }
    let zoned = convert(&dir, "in.csv", &["--types", "zoned=timestamptz,day=text"]);
    assert_eq!(types(&zoned)[3], "zoned: Timestamp(µs, \"UTC\")");
    let message = dir.fail("convert in.csv -o x.csv --types at=date", 3);
    assert!(
        message.contains("row 0: column at is read as date, which 2024-01-01 10:00:00.5 is not"),
        "{message}"
    );
    dir.write(
        "days.ndjson",
        format!("{{\"puzzle\":\"{PUZZLE}\",\"day\":\"2024-01-01\"}}\n"),
    );
    assert_eq!(types(&convert(&dir, "days.ndjson", &[])), ["day: Utf8"]);
    assert_eq!(
        types(&convert(&dir, "days.ndjson", &["--types", "day=date"])),
        ["day: Date32"]
    );
}

#[test]
fn nan_and_infinities_are_written_and_read_back() {
    let dir = TestDir::new();
    let header = format!("puzzle,f\n{PUZZLE},NaN\n{PUZZLE},inf\n{PUZZLE},-inf\n{PUZZLE},1.5\n");
    dir.write("in.csv", header);
    convert(&dir, "in.csv", &["--infer-types"]);
    dir.succeed("convert out.parquet -o out.ndjson");
    let text = String::from_utf8(dir.read("out.ndjson")).unwrap();
    for value in [
        "\"f\":\"NaN\"",
        "\"f\":\"Infinity\"",
        "\"f\":\"-Infinity\"",
        "\"f\":1.5",
    ] {
        assert!(text.contains(value), "{text}");
    }
    let table = convert(&dir, "out.ndjson", &[]);
    let floats = table
        .column_by_name("f")
        .unwrap()
        .as_primitive::<Float64Type>();
    assert!(floats.value(0).is_nan());
    assert_eq!(
        floats.values()[1..],
        [f64::INFINITY, f64::NEG_INFINITY, 1.5]
    );
}

#[test]
fn inputs_with_different_types_get_a_common_type_that_is_logged() {
    let dir = TestDir::new();
    dir.write(
        "a.ndjson",
        lines(&[r#""n":1.50,"s":{"a":1},"l":[],"t":{"x":1}"#]),
    );
    dir.write(
        "b.ndjson",
        lines(&[r#""n":"x","s":{"b":"y"},"l":[2],"t":null"#]),
    );
    let arguments = "convert a.ndjson b.ndjson -o out.parquet";
    let output = dir.run(arguments);
    let message = crate::util::stderr(&output);
    assert!(output.status.success(), "{message}");
    let expected_message = "column n is float64 in a.ndjson, text in b.ndjson: it becomes text";
    assert!(message.contains(expected_message), "{message}");
    let table = dir.parquet("out.parquet");
    let numbers = table.column_by_name("n").unwrap().as_string::<i32>();
    // The text `1.50` is kept as it is, and is not normalised like a number.
    assert_eq!((numbers.value(0), numbers.value(1)), ("1.50", "x"));
    let expected_type = "s: Struct(\"a\": Int64, \"b\": Utf8)";
    assert!(
        types(&table).contains(&expected_type.to_owned()),
        "{:?}",
        types(&table)
    );
    assert_eq!(
        table.column_by_name("l").unwrap().data_type(),
        &DataType::new_list(DataType::Utf8, true)
    );
    let texts = table.column_by_name("t").unwrap().as_string::<i32>();
    assert_eq!((texts.value(0), texts.is_null(1)), ("{\"x\":1}", true));

    // The same rule holds for a column that is in a Parquet file and in a JSON file.
    dir.write("c.ndjson", lines(&[r#""n":7"#]));
    convert(&dir, "c.ndjson", &[]);
    dir.write("d.ndjson", lines(&[r#""n":2.5"#]));
    dir.succeed("convert out.parquet d.ndjson -o cd.parquet");
    let table = dir.parquet("cd.parquet");
    let numbers = table
        .column_by_name("n")
        .unwrap()
        .as_primitive::<Float64Type>();
    assert_eq!(numbers.values()[..], [7.0, 2.5]);
}

/// Regression test: numbers that no double can hold were silently rounded. Of two equal keys in an object,
/// one was silently lost.
#[test]
fn values_that_json_cannot_hold_are_reported() {
    let dir = TestDir::new();
    let json_line = |n: &str| format!("{{\"puzzle\":\"{PUZZLE}\",{n}}}\n");
    dir.write("twice.ndjson", json_line("\"n\":1,\"n\":2").repeat(3));
    let arguments_for = |input| ["convert", input, "-o", "out.ndjson", "--overwrite"];
    let output = dir.run(&arguments_for("twice.ndjson"));
    let message = crate::util::stderr(&output);
    let expected = "twice.ndjson: an object has the key \"n\" twice: the last value counts";
    assert_eq!(message.matches(expected).count(), 1, "{message}");
    assert!(
        String::from_utf8(dir.read("out.ndjson"))
            .unwrap()
            .contains("\"n\":2")
    );

    dir.write(
        "long.ndjson",
        json_line("\"n\":0.1234567890123456789012").repeat(3),
    );
    let message = crate::util::stderr(&dir.run(&arguments_for("long.ndjson")));
    let expected = "column n: 0.1234567890123456789012 has more digits than float64 holds";
    assert_eq!(message.matches(expected).count(), 1, "{message}");
    assert!(message.contains("--types n=text"), "{message}");

    // A number outside the range of doubles, and an object with a repeated key, become text.
    dir.write(
        "small.ndjson",
        json_line("\"n\":1e-400,\"o\":{\"a\":1,\"a\":2}"),
    );
    let message = crate::util::stderr(&dir.run(&arguments_for("small.ndjson")));
    assert!(!message.contains("digits"), "{message}");
    let written_text = String::from_utf8(dir.read("out.ndjson")).unwrap();
    assert!(written_text.contains("\"n\":\"1e-400\""), "{written_text}");
    assert!(
        written_text.contains("{\\\"a\\\":1,\\\"a\\\":2}"),
        "{written_text}"
    );
}

/// Columns of CSV stay text, since the type of a column must not depend on its values. The log says so once.
#[test]
fn columns_of_numbers_that_stay_text_are_named_once() {
    let dir = TestDir::new();
    for name in ["a.csv", "b.csv"] {
        let header = "puzzle,id,rating,zip,note";
        dir.write(name, format!("{header}\n{PUZZLE},1,9.5,00123,x\n"));
    }
    let log = |arguments: &str| crate::util::stderr(&dir.run((arguments, &["--overwrite"][..])));
    let message = log("convert a.csv b.csv -o o.parquet");
    assert!(
        message.contains("a.csv: columns with numbers stay text, as all columns of CSV: id, rating; --infer-types=all gives"),
        "{message}"
    );
    assert_eq!(message.matches("stay text").count(), 1, "{message}");
    for arguments in [
        "convert a.csv -o o.csv",
        "convert a.csv -o o.npy",
        "convert a.csv -o o.parquet --infer-types=all",
        "convert a.csv -o o.parquet --infer-types=none",
        "convert a.csv -o o.parquet --types id=int64,rating=float64",
        "convert a.csv -o o.parquet --keep zip,note",
        "grade a.csv -o o.parquet --select puzzle,level",
        "validate a.csv",
    ] {
        let message = log(arguments);
        assert!(!message.contains("stay text"), "{arguments}: {message}");
    }
    // A folder says so only on the nights that read a new file.
    dir.succeed("convert a.csv -o out/ --resume");
    let message = crate::util::stderr(&dir.run("convert a.csv -o out/ --resume"));
    assert!(!message.contains("stay text"), "{message}");
}
