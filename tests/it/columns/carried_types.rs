//! Tests that carried columns keep their types and names.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BinaryViewArray, Date32Array, Date64Array, DictionaryArray,
    DurationSecondArray, FixedSizeBinaryArray, Int8Array, Int32Array, Int64Array,
    IntervalMonthDayNanoArray, ListArray, NullArray, RecordBatch, RunArray, StringArray,
    StringViewArray, StructArray, Time32SecondArray, TimestampMicrosecondArray,
    TimestampSecondArray, UnionArray,
};
use arrow::buffer::{OffsetBuffer, ScalarBuffer};
use arrow::datatypes::{
    DataType, Field, Fields, Int8Type, Int32Type, IntervalMonthDayNano, TimeUnit, UnionFields,
};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::tables::{arrow_file, arrow_stream, batch};
use crate::util::{PUZZLE, TestDir};

/// Writes an Arrow file with a column of puzzles and this column.
fn write_with_puzzles(dir: &TestDir, name: &str, column: ArrayRef) {
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; column.len()]));
    let table = batch(vec![("puzzle", puzzles), (name, column)]);
    dir.write("in.arrow", arrow_file(&table, 2, None));
}

fn convert(dir: &TestDir, output: &str) {
    dir.succeed(&format!("convert in.arrow -o {output} --overwrite"));
}

/// The column of this name after a conversion to Parquet.
fn in_parquet(dir: &TestDir, name: &str) -> ArrayRef {
    convert(dir, "out.parquet");
    Arc::clone(dir.parquet("out.parquet").column_by_name(name).unwrap())
}

/// The values of the column of this name after a conversion to NDJSON.
fn in_ndjson(dir: &TestDir, name: &str) -> serde_json::Value {
    convert(dir, "out.ndjson");
    let text = String::from_utf8(dir.read("out.ndjson")).unwrap();
    let rows = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()[name].clone());
    rows.collect()
}

fn dictionary(keys: Vec<Option<i8>>, values: impl Array + 'static) -> ArrayRef {
    let key_array = Int8Array::from(keys);
    Arc::new(DictionaryArray::<Int8Type>::new(
        key_array,
        Arc::new(values),
    ))
}

#[test]
fn dictionaries_and_runs_of_any_type_are_written_as_their_values() {
    let dir = TestDir::new();
    let long_text = "a text of more than twelve bytes";
    let bytes: Vec<&[u8]> = vec![b"a", b"b"];
    let run_array = RunArray::<Int32Type>::try_new(
        &Int32Array::from(vec![1, 3]),
        &StringArray::from(vec!["x", "y"]),
    );
    let dictionary_keys = || vec![Some(1), None, Some(0)];
    for (column, data_type, json) in [
        (
            dictionary(
                dictionary_keys(),
                StringViewArray::from(vec!["a", long_text]),
            ),
            DataType::Utf8,
            serde_json::json!([long_text, null, "a"]),
        ),
        (
            dictionary(dictionary_keys(), BinaryViewArray::from(bytes.clone())),
            DataType::Binary,
            serde_json::json!(["62", null, "61"]),
        ),
        (
            dictionary(
                dictionary_keys(),
                FixedSizeBinaryArray::try_from(bytes).unwrap(),
            ),
            DataType::FixedSizeBinary(1),
            serde_json::json!(["62", null, "61"]),
        ),
        (
            dictionary(dictionary_keys(), Int64Array::from(vec![Some(7), None])),
            DataType::Int64,
            serde_json::json!([null, null, 7]),
        ),
        (
            Arc::new(run_array.unwrap()),
            DataType::Utf8,
            serde_json::json!(["x", "y", "y"]),
        ),
    ] {
        let stored_type = column.data_type().to_string();
        write_with_puzzles(&dir, "c", column);
        assert_eq!(
            in_parquet(&dir, "c").data_type(),
            &data_type,
            "{stored_type}"
        );
        assert_eq!(in_ndjson(&dir, "c"), json, "{stored_type}");
        for output in ["out.csv", "out.arrow", "out.tsv"] {
            convert(&dir, output);
        }
    }
}

#[test]
fn a_null_among_the_values_of_a_dictionary_is_null() {
    let dir = TestDir::new();
    let values = StringArray::from(vec![Some("a"), None]);
    write_with_puzzles(&dir, "c", dictionary(vec![Some(1), Some(0), None], values));
    assert_eq!(in_ndjson(&dir, "c"), serde_json::json!([null, "a", null]));
    let column = in_parquet(&dir, "c");
    assert!(matches!(column.data_type(), DataType::Dictionary(..)));
    let nulls: Vec<bool> = (0..3).map(|row| column.is_null(row)).collect();
    assert_eq!(nulls, [true, false, true]);
}

/// A value that a text format cannot represent is an error.
#[test]
fn dates_that_text_cannot_hold_are_an_error_with_column_and_row() {
    let dir = TestDir::new();
    let infinite = i64::MAX;
    let microseconds = || TimestampMicrosecondArray::from(vec![0, -infinite]);
    let item_field = Arc::new(Field::new("item", microseconds().data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths([1, 1]);
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Date32Array::from(vec![0, i32::MAX])),
        Arc::new(microseconds()),
        Arc::new(microseconds().with_timezone("UTC")),
        Arc::new(TimestampSecondArray::from(vec![0, 1 << 60])),
        Arc::new(Time32SecondArray::from(vec![0, 90_000])),
        Arc::new(DurationSecondArray::from(vec![0, infinite])),
        dictionary(vec![Some(0), Some(1)], microseconds()),
        Arc::new(ListArray::new(
            item_field,
            offsets,
            Arc::new(microseconds()),
            None,
        )),
    ];
    for column in columns {
        let (data_type, nested) = (
            column.data_type().to_string(),
            column.data_type().is_nested(),
        );
        write_with_puzzles(&dir, "d", column);
        for output in ["x.ndjson", "x.csv", "x.tsv"] {
            if nested && output != "x.ndjson" {
                continue;
            }
            let message = dir.fail(&format!("convert in.arrow -o {output}"), 3);
            assert!(
                message.contains("in.arrow, row 1: column d: ") && message.contains("--keep"),
                "{data_type}: {message}"
            );
            assert!(!dir.exists(output), "{data_type}");
        }
        if !nested {
            let partition_arguments = "convert in.arrow -o by/ --partition-by d --overwrite";
            dir.fail(partition_arguments, 3);
        }
        convert(&dir, "out.arrow");
        // A format that only holds grids leaves the column out.
        convert(&dir, "out.txt");
    }
    write_with_puzzles(&dir, "d", Arc::new(Date32Array::from(vec![0, i32::MAX])));
    let condition = "d = '1970-01-01'";
    dir.succeed(&["convert", "in.arrow", "-o", "y.csv", "--where", condition]);
    let text = String::from_utf8(dir.read("y.csv")).unwrap();
    assert_eq!(text.lines().count(), 2, "the bad row is not written");
    assert_eq!(
        in_parquet(&dir, "d").as_ref(),
        &Date32Array::from(vec![0, i32::MAX])
    );
}

#[test]
fn named_time_zones_are_known() {
    let dir = TestDir::new();
    let timestamp_in =
        |zone: &str| Arc::new(TimestampMicrosecondArray::from(vec![0]).with_timezone(zone));
    for (zone, text) in [
        ("UTC", "1970-01-01T00:00:00Z"),
        ("Europe/Berlin", "1970-01-01T01:00:00+01:00"),
        ("+02:00", "1970-01-01T02:00:00+02:00"),
    ] {
        write_with_puzzles(&dir, "added", timestamp_in(zone));
        assert_eq!(in_ndjson(&dir, "added"), serde_json::json!([text]));
        let zoned = DataType::Timestamp(TimeUnit::Microsecond, Some(zone.into()));
        assert_eq!(in_parquet(&dir, "added").data_type(), &zoned);
        let condition = "added < '1970-01-02'";
        let arguments = "convert in.arrow -o out.csv --overwrite";
        dir.succeed((arguments, &["--where", condition]));
        assert!(
            String::from_utf8(dir.read("out.csv"))
                .unwrap()
                .contains(text)
        );
        let partition_arguments = "convert in.arrow -o by/ --partition-by added --overwrite";
        dir.succeed(partition_arguments);
        assert!(
            dir.tree("by")
                .keys()
                .any(|file| file.starts_with("added=1970-01-01T"))
        );
    }
    write_with_puzzles(&dir, "added", timestamp_in("Middle/Earth"));
    for arguments in [
        &["-o", "x.csv"][..],
        &["-o", "x.ndjson"],
        &["-o", "x/", "--partition-by", "added"],
    ] {
        let message = dir.fail(("convert in.arrow", arguments), 2);
        assert!(message.contains("added"), "{message}");
    }
    convert(&dir, "out.parquet");
}

#[test]
fn columns_that_a_format_cannot_store_are_refused_before_the_run() {
    let dir = TestDir::new();
    let union = UnionArray::try_new(
        UnionFields::try_new([0], [Field::new("n", DataType::Int64, true)]).unwrap(),
        ScalarBuffer::from(vec![0_i8]),
        None,
        vec![Arc::new(Int64Array::from(vec![1]))],
    );
    let interval = IntervalMonthDayNano::new(1, 2, 3);
    let columns: Vec<(ArrayRef, &[&str])> = vec![
        (
            Arc::new(union.unwrap()),
            &["x.parquet", "x.csv", "x.ndjson", "x/"],
        ),
        (
            Arc::new(IntervalMonthDayNanoArray::from(vec![interval])),
            &["x.parquet", "x/"],
        ),
        (
            Arc::new(StructArray::new_empty_fields(1, None)),
            &["x.parquet", "x.csv", "x/"],
        ),
    ];
    for (column, outputs) in columns {
        write_with_puzzles(&dir, "c", column);
        for output in outputs {
            let message = dir.fail(&format!("convert in.arrow -o {output}"), 2);
            assert!(
                message.contains("column c (") && message.contains("--keep"),
                "{message}"
            );
            assert_eq!(dir.files(), ["in.arrow"], "nothing was begun");
        }
        dir.succeed("convert in.arrow -o - --keep none --format csv");
    }
}

/// Parquet has no timestamps in seconds, and no dates in milliseconds. Such columns become timestamps in
/// milliseconds and dates in days, not numbers.
#[test]
fn dates_and_times_stay_dates_and_times_in_parquet() {
    let dir = TestDir::new();
    let seconds_array = || Arc::new(TimestampSecondArray::from(vec![Some(1), None])) as ArrayRef;
    let fields = Fields::from(vec![Field::new(
        "at",
        seconds_array().data_type().clone(),
        true,
    )]);
    let milliseconds = DataType::Timestamp(TimeUnit::Millisecond, None);
    let days = Date64Array::from(vec![86_400_000, -86_400_000]);
    for (column, expected) in [
        (seconds_array(), milliseconds.clone()),
        (Arc::new(days), DataType::Date32),
        (
            Arc::new(Time32SecondArray::from(vec![1, 2])),
            DataType::Time32(TimeUnit::Millisecond),
        ),
        (
            Arc::new(StructArray::new(fields, vec![seconds_array()], None)),
            DataType::Struct(vec![Field::new("at", milliseconds, true)].into()),
        ),
    ] {
        let type_before = column.data_type().clone();
        write_with_puzzles(&dir, "c", Arc::clone(&column));
        let written_column = in_parquet(&dir, "c");
        assert_eq!(written_column.data_type(), &expected);
        if let Ok(back) = arrow::compute::cast(&written_column, &type_before) {
            assert_eq!(&back, &column, "{type_before}");
        }
    }
    write_with_puzzles(
        &dir,
        "c",
        Arc::new(TimestampSecondArray::from(vec![0, 1 << 60])),
    );
    let message = dir.fail("convert in.arrow -o x.parquet", 3);
    assert!(message.contains("in.arrow, row 1: column c: "), "{message}");
    write_with_puzzles(&dir, "c", Arc::new(NullArray::new(1)));
    assert_eq!(in_ndjson(&dir, "c"), serde_json::json!([null]));
}

#[test]
fn unsupported_types_are_not_reported_as_damage() {
    let dir = TestDir::new();
    let item_field = Arc::new(Field::new("item", DataType::Int64, true));
    let no_values: ArrayRef = Arc::new(Int64Array::from(Vec::<i64>::new()));
    let lists =
        arrow::array::FixedSizeListArray::try_new_with_length(item_field, 0, no_values, None, 1);
    write_with_puzzles(&dir, "c", Arc::new(lists.unwrap()));
    let message = dir.fail("convert in.arrow -o x.csv", 2);
    assert!(
        message.contains("column c") && message.contains("not supported"),
        "{message}"
    );
    dir.succeed("convert in.arrow -o x.csv --keep none");

    // The Arrow schema that Polars writes to a Parquet file for a column of 128-bit integers.
    let arrow_schema = "/////6cAAAAEAAAA8v///xQAAAAEAAEAAAAKAAsACAAKAAQA+P///wwAAAAIAAgAAAAEAAIAAAA8AAAA\
                     BAAAALj///8oAAAAEAAAAAgAAAABAgAAAAAAAPT///+AAAAAAQAAAAgACQAEAAgAAQAAAG4AAADs////\
                     LAAAACAAAAAYAAAAARQAABAAEgAEABAAEQAIAAAADAAAAAAA/P///wQABAAGAAAAcHV6emxlAA==";
    let arrow_schema = KeyValue::new("ARROW:schema".into(), arrow_schema.to_owned());
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![arrow_schema]));
    let schema = "message table {
        optional binary puzzle (UTF8); optional fixed_len_byte_array(16) n; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(properties.build());
    let file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let file = file.into_inner().unwrap();
    dir.write("in.parquet", file);
    let message = dir.fail("convert in.parquet -o y.csv", 3);
    assert!(
        message.contains("a type that is not supported") && !message.contains("damaged"),
        "{message}"
    );
}

#[test]
fn names_that_differ_in_case_alone_do_not_collide() {
    let dir = TestDir::new();
    let (levels, notes) = ("Level,Technique,CLUES,puzzle,Note,note", "1,2,3");
    dir.write("in.csv", format!("{levels}\n{notes},{PUZZLE},4,5\n"));
    dir.succeed("grade in.csv -o out.csv");
    let text = String::from_utf8(dir.read("out.csv")).unwrap();
    let names: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let carried_names = [
        "input_Level",
        "input_Technique",
        "input_CLUES",
        "Note",
        "note_2",
    ];
    assert_eq!(names[2..7], carried_names);
    let mut lower_case_names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    lower_case_names.sort();
    lower_case_names.dedup();
    assert_eq!(lower_case_names.len(), names.len());
    for new in ["Note=LEVEL", "Note=NOTE_2"] {
        let message = dir.fail(&["grade", "in.csv", "-o", "x.csv", "--rename", new], 2);
        assert!(message.contains("two columns would be called"), "{message}");
    }
    dir.succeed("grade in.csv -o x.csv --rename level=LEVEL");

    // Columns of two inputs are the same column if their names differ only in case.
    dir.write("a.csv", format!("puzzle,Note\n{PUZZLE},a\n"));
    dir.write("b.csv", format!("NOTE,puzzle\nb,{PUZZLE}\n"));
    dir.succeed("convert a.csv b.csv -o both.csv");
    let text = String::from_utf8(dir.read("both.csv")).unwrap();
    assert_eq!(text, format!("puzzle,Note\n{PUZZLE},a\n{PUZZLE},b\n"));
}

#[test]
fn a_truncated_record_batch_is_counted_as_lost() {
    let dir = TestDir::new();
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; 2000]));
    let table: RecordBatch = batch(vec![("puzzle", puzzles)]);
    let stream = arrow_stream(&table, 200, None);
    dir.write("cut.arrows", &stream[..stream.len() / 2]);
    let summary = dir.summary("validate cut.arrows --max-damaged 1");
    let damaged_input = &summary["damaged"][0];
    let dropped_bytes = damaged_input["bytes_dropped"].as_u64().unwrap();
    let rows = summary["rows_in"]
        .as_u64()
        .or(summary["rows_out"].as_u64())
        .unwrap();
    assert_eq!(rows, 800, "four whole batches");
    let batch_bytes = stream.len() as u64 / 10;
    assert!(
        (batch_bytes / 4..batch_bytes).contains(&dropped_bytes),
        "{dropped_bytes} of {batch_bytes}"
    );
    assert_eq!(damaged_input["stored_bytes_unread"], 0);
}
