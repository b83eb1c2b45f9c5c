//! Tests columns of structs that have two fields of one name, which Arrow and Parquet allow.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, AsArray, Int64Array, ListArray, RecordBatch, StringArray, StructArray,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, Fields};
use parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

use crate::tables::arrow_file;
use crate::util::{PUZZLE, TestDir, stderr};

/// A struct with an integer in each field.
fn pairs(names: &[&str], rows: &[&[i64]]) -> ArrayRef {
    let field = |name: &&str| Field::new(*name, DataType::Int64, true);
    let fields: Fields = names.iter().map(field).collect();
    let column = |at: usize| -> ArrayRef {
        Arc::new(rows.iter().map(|row| Some(row[at])).collect::<Int64Array>())
    };
    Arc::new(StructArray::new(
        fields,
        (0..names.len()).map(column).collect(),
        None,
    ))
}

/// A table with a struct `s`, and the same structs in a list `l`.
fn table(names: &[&str], rows: &[&[i64]]) -> RecordBatch {
    let structs = pairs(names, rows);
    let item = Arc::new(Field::new("item", structs.data_type().clone(), true));
    let offsets = OffsetBuffer::from_lengths(vec![1; rows.len()]);
    let lists: ArrayRef = Arc::new(ListArray::new(item, offsets, Arc::clone(&structs), None));
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; rows.len()]));
    RecordBatch::try_from_iter([("puzzle", puzzles), ("s", structs), ("l", lists)]).unwrap()
}

fn write_parquet(dir: &TestDir, name: &str, batch: &RecordBatch) {
    let file = File::create(dir.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn both_values_of_a_name_are_kept() {
    let dir = TestDir::new();
    let twice = table(&["z", "z"], &[&[1, 4], &[2, 5]]);
    write_parquet(&dir, "in.parquet", &twice);
    dir.write("in.arrow", arrow_file(&twice, 10, None));
    for input in ["in.parquet", "in.arrow"] {
        let output = dir.run(&["convert", input, "-o", "out.ndjson", "--overwrite"]);
        let message = stderr(&output);
        assert!(output.status.success(), "{input}: {message}");
        let said = "column s has a struct with two fields z: the second is called z_2";
        assert_eq!(message.matches(said).count(), 1, "{input}: {message}");
        assert!(
            message.contains("column l has a struct"),
            "{input}: {message}"
        );
        let text = String::from_utf8(dir.read("out.ndjson")).unwrap();
        let rows: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(rows[1]["s"], json!({"z": 2, "z_2": 5}), "{input}");
        assert_eq!(rows[1]["l"], json!([{"z": 2, "z_2": 5}]), "{input}");
        assert_eq!(
            text.lines().next().unwrap().matches("\"z\"").count(),
            2,
            "{text}"
        );
    }
}

/// The fields of several inputs are matched by name.
#[test]
fn structs_of_several_inputs_have_all_values() {
    let dir = TestDir::new();
    write_parquet(&dir, "a.parquet", &table(&["z", "z"], &[&[1, 4]]));
    write_parquet(&dir, "b.parquet", &table(&["y", "z", "z"], &[&[7, 2, 5]]));
    dir.succeed("convert a.parquet b.parquet -o out.parquet");
    let batch = dir.parquet("out.parquet");
    let structs = batch.column_by_name("s").unwrap().as_struct();
    let value = |name: &str, row: usize| -> Option<i64> {
        let column = structs.column_by_name(name).unwrap();
        let column = column.as_primitive::<arrow::datatypes::Int64Type>();
        column.iter().nth(row).flatten()
    };
    assert_eq!(
        [value("z", 0), value("z_2", 0), value("y", 0)],
        [Some(1), Some(4), None]
    );
    assert_eq!(
        [value("z", 1), value("z_2", 1), value("y", 1)],
        [Some(2), Some(5), Some(7)]
    );
}
