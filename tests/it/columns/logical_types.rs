//! Tests that UUIDs, JSON, booleans stored as bytes, and times in UTC are carried unchanged, or refused.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BinaryArray, FixedSizeBinaryArray, Int8Array, ListArray, RecordBatch,
    StringArray, StructArray,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{Field, Schema};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{SchemaDescriptor, Type};

use crate::tables::arrow_file;
use crate::util::{PUZZLE, TestDir};

const UUID: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A field with an extension type.
fn field_with_extension(name: &str, extension: &str, values: &ArrayRef) -> Field {
    let metadata = [
        ("ARROW:extension:name", extension),
        ("ARROW:extension:metadata", ""),
    ];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Field::new(name, values.data_type().clone(), true).with_metadata(HashMap::from(metadata))
}

fn table(extension: &str, values: ArrayRef) -> RecordBatch {
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; values.len()]));
    let column = match extension {
        "" => Field::new("c", values.data_type().clone(), true),
        extension => field_with_extension("c", extension, &values),
    };
    let fields = vec![
        Field::new("puzzle", puzzles.data_type().clone(), true),
        column,
    ];
    RecordBatch::try_new(Arc::new(Schema::new(fields)), vec![puzzles, values]).unwrap()
}

/// The Parquet type of the column `c` in this file.
fn in_parquet(dir: &TestDir, name: &str) -> Type {
    let file = std::fs::File::open(dir.path(name)).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let schema = reader.metadata().file_metadata().schema().clone();
    let fields = schema.get_fields().iter();
    fields
        .into_iter()
        .find(|field| field.name() == "c")
        .unwrap()
        .as_ref()
        .clone()
}

#[test]
fn extension_types_are_kept() {
    let dir = TestDir::new();
    let uuids: ArrayRef = Arc::new(FixedSizeBinaryArray::try_from(vec![&UUID[..]]).unwrap());
    let json: ArrayRef = Arc::new(StringArray::from(vec!["{\"a\":1}"]));
    let bools: ArrayRef = Arc::new(Int8Array::from(vec![1]));
    let binary_column: ArrayRef = Arc::new(BinaryArray::from(vec![&b"x"[..]]));
    let uuid_text = "00010203-0405-0607-0809-0a0b0c0d0e0f";
    for (extension, values, parquet, text) in [
        ("arrow.uuid", uuids, Some(LogicalType::Uuid), uuid_text),
        (
            "arrow.json",
            json,
            Some(LogicalType::Json),
            "\"{\"\"a\"\":1}\"",
        ),
        ("arrow.bool8", bools, None, "true"),
        ("geoarrow.wkb", binary_column, None, "78"),
    ] {
        dir.write("in.arrow", arrow_file(&table(extension, values), 2, None));
        let convert =
            |from: &str, to: &str| dir.run(&format!("convert {from} -o {to} --overwrite"));
        assert!(convert("in.arrow", "a.parquet").status.success());
        if parquet.is_some() {
            let type_in_parquet = in_parquet(&dir, "a.parquet");
            assert_eq!(
                type_in_parquet.get_basic_info().logical_type_ref(),
                parquet.as_ref(),
                "{extension}"
            );
        }
        // The types survive a conversion from Parquet to Arrow and back.
        assert!(convert("a.parquet", "b.arrow").status.success());
        assert!(convert("b.arrow", "c.parquet").status.success());
        let schema = dir.parquet("c.parquet").schema();
        let name = schema
            .field_with_name("c")
            .unwrap()
            .metadata()
            .get("ARROW:extension:name");
        assert_eq!(name.map(String::as_str), Some(extension));
        let output = convert("c.parquet", "d.csv");
        assert!(output.status.success());
        let message = crate::util::stderr(&output);
        let csv = String::from_utf8(dir.read("d.csv")).unwrap();
        assert_eq!(csv, format!("puzzle,c\n{PUZZLE},{text}\n"), "{extension}");
        let is_reported = message.contains("is of the extension type geoarrow.wkb");
        assert_eq!(is_reported, extension == "geoarrow.wkb", "{message}");
    }
}

/// A Parquet file with one row and without an Arrow schema, as other programs write it.
fn foreign_parquet_file(column: &str) -> Vec<u8> {
    let type_end = if column.ends_with('}') { "" } else { ";" };
    let schema =
        format!("message table {{ required binary puzzle (UTF8); required {column}{type_end} }}");
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let physical = SchemaDescriptor::new(schema.clone())
        .column(1)
        .physical_type();
    // If the column is a list, its only row is a list with one value.
    let is_list = column.contains("repeated");
    let (definitions, repetitions) = if is_list {
        (Some(&[1_i16][..]), Some(&[0_i16][..]))
    } else {
        (None, None)
    };
    let properties = Arc::new(WriterProperties::default());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let mut row_group = file.next_row_group().unwrap();
    let mut puzzles = row_group.next_column().unwrap().unwrap();
    let puzzle = [ByteArray::from(PUZZLE)];
    puzzles
        .typed::<ByteArrayType>()
        .write_batch(&puzzle, None, None)
        .unwrap();
    puzzles.close().unwrap();
    let mut values = row_group.next_column().unwrap().unwrap();
    match physical {
        Physical::INT64 => {
            values
                .typed::<Int64Type>()
                .write_batch(&[45_296_000_000], definitions, repetitions)
                .unwrap();
        }
        Physical::BYTE_ARRAY => {
            let value = [ByteArray::from("{}")];
            values
                .typed::<ByteArrayType>()
                .write_batch(&value, definitions, repetitions)
                .unwrap();
        }
        _ => {
            let length = if column.contains("INTERVAL") { 12 } else { 16 };
            let value = [ByteArray::from(UUID[..length].to_vec()).into()];
            values
                .typed::<FixedLenByteArrayType>()
                .write_batch(&value, definitions, repetitions)
                .unwrap();
        }
    }
    values.close().unwrap();
    row_group.close().unwrap();
    file.into_inner().unwrap()
}

#[test]
fn parquet_keeps_its_logical_types() {
    let dir = TestDir::new();
    for (column, csv) in [
        (
            "fixed_len_byte_array(16) c (UUID)",
            Some("00010203-0405-0607-0809-0a0b0c0d0e0f"),
        ),
        ("binary c (JSON)", Some("{}")),
        ("binary c (BSON)", Some("7b7d")),
        ("binary c (ENUM)", Some("{}")),
        ("int64 c (TIME(MICROS,true))", None),
    ] {
        dir.write("in.parquet", foreign_parquet_file(column));
        dir.succeed("convert in.parquet -o out.parquet --overwrite");
        let (before, after) = (
            in_parquet(&dir, "in.parquet"),
            in_parquet(&dir, "out.parquet"),
        );
        let (before, after) = (before.get_basic_info(), after.get_basic_info());
        assert_eq!(
            before.logical_type_ref(),
            after.logical_type_ref(),
            "{column}"
        );
        assert_eq!(before.converted_type(), after.converted_type(), "{column}");
        assert_eq!(after.repetition(), Repetition::OPTIONAL);
        let convert_to_csv = "convert in.parquet -o out.csv --overwrite";
        match csv {
            Some(text) => {
                dir.succeed(convert_to_csv);
                let csv = String::from_utf8(dir.read("out.csv")).unwrap();
                assert_eq!(csv, format!("puzzle,c\n{PUZZLE},{text}\n"), "{column}");
            }
            None => {
                let message = dir.fail(convert_to_csv, 2);
                assert!(
                    message.contains("column c") && message.contains("UTC"),
                    "{message}"
                );
            }
        }
    }
    dir.write(
        "in.parquet",
        foreign_parquet_file("fixed_len_byte_array(12) c (INTERVAL)"),
    );
    let message = dir.fail("convert in.parquet -o x.parquet", 2);
    assert!(
        message.contains("months would be lost") && message.contains("--keep"),
        "{message}"
    );
    dir.succeed("convert in.parquet -o x.parquet --keep none");
}

/// Regression test: inside lists, logical types were read as bytes, texts, and times without a time zone.
#[test]
fn logical_types_are_kept_within_lists() {
    let dir = TestDir::new();
    let columns_in = |name: &str| {
        let file = std::fs::File::open(dir.path(name)).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let column = (0..2).map(|at| schema.column(at));
        let mut column = column.filter(|column| column.path().parts()[0] == "c");
        column.next().unwrap().logical_type_ref().cloned()
    };
    for (values, json) in [
        (
            "fixed_len_byte_array(16) element (UUID)",
            Some("[\"00010203-0405-0607-0809-0a0b0c0d0e0f\"]"),
        ),
        ("binary element (JSON)", Some("[\"{}\"]")),
        ("binary element (ENUM)", Some("[\"7b7d\"]")),
        ("int64 element (TIME(MICROS,true))", None),
    ] {
        let list = format!("group c (LIST) {{ repeated group list {{ required {values}; }} }}");
        dir.write("in.parquet", foreign_parquet_file(&list));
        dir.succeed("convert in.parquet -o out.parquet --overwrite");
        assert!(columns_in("in.parquet").is_some());
        assert_eq!(
            columns_in("in.parquet"),
            columns_in("out.parquet"),
            "{values}"
        );
        let convert_to_json = "convert in.parquet -o out.ndjson --overwrite";
        match json {
            Some(list) => {
                dir.succeed(convert_to_json);
                let line = String::from_utf8(dir.read("out.ndjson")).unwrap();
                let expected = format!("{{\"puzzle\":\"{PUZZLE}\",\"c\":{list}}}\n");
                assert_eq!(line, expected, "{values}");
            }
            None => {
                let message = dir.fail(convert_to_json, 2);
                assert!(
                    message.contains("column c") && message.contains("UTC"),
                    "{message}"
                );
            }
        }
    }
}

/// Tests structs in lists in maps, with nulls, from Arrow to Parquet and to text.
#[test]
fn nested_extension_types_are_kept() {
    let dir = TestDir::new();
    let uuids: ArrayRef =
        Arc::new(FixedSizeBinaryArray::try_from(vec![&UUID[..], &UUID[..]]).unwrap());
    let bools: ArrayRef = Arc::new(Int8Array::from(vec![Some(1), None]));
    let struct_array = StructArray::from(vec![
        (
            Arc::new(field_with_extension("u", "arrow.uuid", &uuids)),
            uuids,
        ),
        (
            Arc::new(field_with_extension("b", "arrow.bool8", &bools)),
            bools,
        ),
    ]);
    let item_field = Arc::new(Field::new("item", struct_array.data_type().clone(), true));
    let lists = ListArray::new(
        item_field,
        OffsetBuffer::from_lengths([0, 2, 0]),
        Arc::new(struct_array),
        Some(vec![false, true, true].into()),
    );
    dir.write("in.arrow", arrow_file(&table("", Arc::new(lists)), 2, None));
    dir.succeed("convert in.arrow -o a.parquet");
    dir.succeed("convert a.parquet -o b.arrow");
    let uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f";
    for from in ["in.arrow", "a.parquet", "b.arrow"] {
        dir.succeed(&format!("convert {from} -o out.ndjson --overwrite"));
        let text = String::from_utf8(dir.read("out.ndjson")).unwrap();
        let lines: Vec<&str> = text
            .lines()
            .map(|line| line.split_once("\",\"c\":").unwrap().1)
            .collect();
        let expected_array =
            format!("[{{\"u\":\"{uuid}\",\"b\":true}},{{\"u\":\"{uuid}\",\"b\":null}}]}}");
        assert_eq!(lines, ["null}", expected_array.as_str(), "[]}"], "{from}");
    }
}
