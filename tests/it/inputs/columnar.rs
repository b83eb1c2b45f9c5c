//! Tests Parquet and Arrow files as inputs: supported types, and damaged or malicious files.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, Float64Array, LargeStringArray, ListArray, StringArray,
    StringDictionaryBuilder, StringViewArray, UInt8Array,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int8Type, Int64Type, UInt16Type};
use arrow::ipc::CompressionType;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::tables::{arrow_file, arrow_stream, batch, cells, lists_of_cells, nested, parquet};
use crate::util::{PUZZLE, SOLUTION, TestDir, generated, gzip, numbers, stderr, texts};

fn lists_of_lists(number: DataType) -> DataType {
    let list_of = |of| DataType::List(Arc::new(Field::new("item", of, true)));
    list_of(list_of(number))
}

#[test]
fn the_table_is_the_same_for_every_column_type_that_holds_grids() {
    let dir = TestDir::new();
    let rows = generated(&dir, "700");
    let puzzles: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
    let solutions: Vec<&str> = rows.iter().map(|row| row.1.as_str()).collect();
    let text_array = |grids: &[&str]| -> ArrayRef { Arc::new(StringArray::from(grids.to_vec())) };
    let dictionary = |key| DataType::Dictionary(Box::new(key), Box::new(DataType::Utf8));
    let text_types = [
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Binary,
        DataType::BinaryView,
        dictionary(DataType::UInt16),
        dictionary(DataType::Int64),
    ];
    let mut columns: Vec<(String, ArrayRef, ArrayRef)> = text_types
        .iter()
        .map(|kind| {
            let grid_column = |grids| cast(&text_array(grids), kind).unwrap();
            (
                kind.to_string(),
                grid_column(&puzzles),
                grid_column(&solutions),
            )
        })
        .collect();
    columns.push((
        "flat".into(),
        lists_of_cells(&puzzles),
        lists_of_cells(&solutions),
    ));
    columns.push(("nested".into(), nested(&puzzles), nested(&solutions)));
    for number in [DataType::Int8, DataType::UInt16, DataType::UInt64] {
        let nested_grid_column =
            |grids| cast(&nested(grids), &lists_of_lists(number.clone())).unwrap();
        columns.push((
            format!("lists of {number}"),
            nested_grid_column(&puzzles),
            nested_grid_column(&solutions),
        ));
    }
    let mut expected: Option<Vec<u8>> = None;
    for (kind, puzzles, solutions) in columns {
        let count = puzzles.len() as i64;
        let rating: ArrayRef = Arc::new(Float64Array::from_iter(
            (0..count).map(|n| (n % 7 > 0).then_some(n as f64 / 3.0)),
        ));
        let batch = batch(vec![
            ("rating", rating),
            ("grid", puzzles),
            ("solution", solutions),
        ]);
        let rows = WriterProperties::builder().set_max_row_group_row_count(Some(300));
        let version_2 = WriterProperties::builder()
            .set_writer_version(WriterVersion::PARQUET_2_0)
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_dictionary_enabled(false)
            .set_encoding(match kind.as_str() {
                "Utf8" => Encoding::DELTA_BYTE_ARRAY,
                "Binary" => Encoding::DELTA_LENGTH_BYTE_ARRAY,
                "flat" => Encoding::DELTA_BINARY_PACKED,
                _ => Encoding::PLAIN,
            })
            .set_column_encoding("rating".into(), Encoding::PLAIN);
        let files = [
            ("in.parquet", parquet(&batch, rows.build())),
            ("v2.parquet", parquet(&batch, version_2.build())),
            ("in.arrow", arrow_file(&batch, 200, None)),
            (
                "lz4.feather",
                arrow_file(&batch, 700, Some(CompressionType::LZ4_FRAME)),
            ),
            (
                "zstd.ipc",
                arrow_file(&batch, 333, Some(CompressionType::ZSTD)),
            ),
            ("in.arrows", arrow_stream(&batch, 200, None)),
            (
                "lz4",
                arrow_stream(&batch, 650, Some(CompressionType::LZ4_FRAME)),
            ),
            ("arrows.gz", gzip(&arrow_stream(&batch, 650, None))),
        ];
        for (name, bytes) in files {
            dir.write(name, bytes);
            dir.succeed(&format!("convert {name} -o out.csv --overwrite"));
            let table = dir.read("out.csv");
            let expected = expected.get_or_insert_with(|| table.clone());
            assert!(*expected == table, "{kind} in {name}");
        }
    }
    let expected = String::from_utf8(expected.unwrap()).unwrap();
    assert_eq!(expected.lines().next(), Some("rating,grid,solution"));
    assert_eq!(expected.lines().count(), 701);
}

#[test]
fn lists_that_are_not_grids_are_rejects_with_their_numbers() {
    let dir = TestDir::new();
    let mut wrong_cells: Vec<Option<i64>> = cells(PUZZLE).collect();
    wrong_cells[40] = Some(12);
    let too_few_cells: Vec<Option<i64>> = cells(PUZZLE).take(80).collect();
    let lists = [
        Some(cells(PUZZLE).collect::<Vec<_>>()),
        None,
        Some(wrong_cells),
        Some(too_few_cells),
    ];
    let puzzles: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(lists));
    let batch = batch(vec![("board", puzzles)]);
    dir.write("in.arrow", arrow_file(&batch, 3, None));
    dir.write("in.parquet", parquet(&batch, WriterProperties::default()));
    for input in ["in.arrow", "in.parquet"] {
        dir.succeed(&format!("grade {input} -o out.parquet --overwrite"));
        assert_eq!(
            texts(&dir.parquet("out.parquet"), "puzzle"),
            [Some(PUZZLE.into())]
        );
        let rejects = dir.parquet("out.rejects.parquet");
        assert_eq!(numbers(&rejects, "row"), [Some(1), Some(2), Some(3)]);
        let errors: Vec<_> = texts(&rejects, "error").into_iter().flatten().collect();
        assert_eq!(errors, ["null_value", "bad_character", "wrong_length"]);
        let messages = texts(&rejects, "message");
        assert_eq!(
            messages[1].as_deref(),
            Some("12 at position 41 is not between 0 and 9")
        );
        let raw = texts(&rejects, "raw");
        assert!(raw[2].as_ref().unwrap().starts_with("[5,3,null,null,7,"));
    }
}

#[test]
fn other_columns_keep_their_types() {
    let dir = TestDir::new();
    let mut level = StringDictionaryBuilder::<Int8Type>::new();
    level.append_value("easy");
    level.append_null();
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "puzzle",
            Arc::new(StringViewArray::from(vec![PUZZLE, PUZZLE])),
        ),
        ("level_given", Arc::new(level.finish())),
        ("long", Arc::new(LargeStringArray::from(vec!["a", "b"]))),
        (
            "view",
            Arc::new(StringViewArray::from(vec![
                "a text of more than twelve",
                "b",
            ])),
        ),
        ("small", Arc::new(UInt8Array::from(vec![Some(7), None]))),
        (
            "bytes",
            Arc::new(BinaryArray::from(vec![b"\xff\x00".as_slice(), b""])),
        ),
        ("tags", lists_of_cells(&["12.", "3"])),
    ];
    let batch = batch(columns);
    dir.write("in.arrow", arrow_file(&batch, 1, None));
    dir.write("in.parquet", parquet(&batch, WriterProperties::default()));
    for input in ["in.arrow", "in.parquet"] {
        dir.succeed(&format!("convert {input} -o out.parquet --overwrite"));
        let table = dir.parquet("out.parquet");
        for name in ["level_given", "long", "view", "small", "bytes", "tags"] {
            let (written, read) = (table.column_by_name(name), batch.column_by_name(name));
            let (written, read) = (written.unwrap(), read.unwrap());
            // The keys of dictionaries are converted to 32 bits.
            let read_column = match read.data_type() {
                DataType::Dictionary(_, values) => {
                    let wide_type = DataType::Dictionary(Box::new(DataType::Int32), values.clone());
                    &arrow::compute::cast(read, &wide_type).unwrap()
                }
                _ => read,
            };
            assert_eq!(written.data_type(), read_column.data_type(), "{name}");
            assert_eq!(written, read_column, "{name} of {input}");
        }
        let message = dir.fail(&format!("convert {input} -o x.csv"), 2);
        assert!(
            message.contains("tags") && message.contains("--keep"),
            "{message}"
        );
        let other_columns = "level_given,long,view,small,bytes";
        dir.succeed((
            &format!("convert {input} -o x.tsv --keep"),
            &[other_columns, "--overwrite"],
        ));
        let text = String::from_utf8(dir.read("x.tsv")).unwrap();
        assert!(
            text.contains("..79\teasy\ta\ta text of more than twelve\t7\tff00\n"),
            "{text}"
        );
    }
}

#[test]
fn arrow_streams_can_be_read_from_pipes_and_arrow_files_cannot() {
    let dir = TestDir::new();
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; 3]));
    let batch = batch(vec![("puzzle", puzzles)]);
    let convert_to_lines = "convert - -o - --format lines";
    let output = dir.pipe(convert_to_lines, &arrow_stream(&batch, 2, None));
    assert_eq!(output.stdout, format!("{PUZZLE}\n").repeat(3).as_bytes());

    let file = arrow_file(&batch, 2, None);
    let output = dir.pipe(convert_to_lines, &file);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("save it as a file, or send a stream"));
    dir.write("in.arrow.gz", gzip(&file));
    let message = dir.fail("convert in.arrow.gz -o x.csv", 3);
    assert!(message.contains("decompress the file first"), "{message}");
    dir.write("in.arrow", "puzzle\n");
    let message = dir.fail("convert in.arrow -o x.csv", 3);
    assert!(message.contains("not an Arrow file or stream"), "{message}");
    dir.write("old.feather", "FEA1 and so on");
    let message = dir.fail("convert old.feather -o x.csv", 3);
    assert!(message.contains("Feather version 1"), "{message}");
    let message = dir.fail(
        "convert in.arrow -o x.csv --input-format csv --allow-empty",
        0,
    );
    assert!(message.contains("no rows"), "{message}");
}

#[test]
fn a_truncated_arrow_file_or_stream_is_an_error_with_its_position() {
    let dir = TestDir::new();
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; 3000]));
    let batch = batch(vec![("puzzle", puzzles)]);
    let file = arrow_file(&batch, 1000, None);
    dir.write("cut.arrow", &file[..file.len() - 1]);
    let message = dir.fail("convert cut.arrow -o x.csv", 3);
    assert!(
        message.contains("cut.arrow: at byte") && message.contains("truncated"),
        "{message}"
    );
    let stream = arrow_stream(&batch, 1000, None);
    let cut_at = stream.len() / 2;
    dir.write("cut.arrows", &stream[..cut_at]);
    let message = dir.fail("convert cut.arrows -o x.csv", 3);
    assert!(
        message.contains(&format!("cut.arrows: at byte {cut_at}: ")),
        "{message}"
    );
    assert!(!dir.exists("x.csv"));
}

/// Converts a file under a low memory limit that the system enforces. Returns the exit code and standard error.
#[cfg(target_os = "linux")]
fn with_little_memory(dir: &TestDir, input: &str) -> (Option<i32>, String) {
    let options = "--overwrite --threads 1 --rejects bad.csv --allow-empty";
    run_with_little_memory(dir, &format!("convert {input} -o x.ndjson {options}"))
}

/// Runs the command under a low memory limit that the system enforces. Returns its exit code and standard error.
#[cfg(target_os = "linux")]
fn run_with_little_memory(dir: &TestDir, arguments: &str) -> (Option<i32>, String) {
    let script = "ulimit -v 700000 && exec \"$0\" \"$@\"";
    let output = std::process::Command::new("bash")
        .current_dir(dir.path(""))
        .args(["-c", script, env!("CARGO_BIN_EXE_pipeline")])
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    (output.status.code(), stderr(&output))
}

/// Regression test: `stats` reserved 2 GiB for the metadata of this file of a hundred bytes, and aborted.
#[cfg(target_os = "linux")]
#[test]
fn statistics_of_a_file_that_states_a_huge_size_are_refused() {
    let dir = TestDir::new();
    let stated_size = i32::MAX.to_le_bytes();
    let stream = [&[0xff; 4][..], &stated_size, &[0; 100]].concat();
    dir.write("in.arrows", stream);
    let (code, message) = run_with_little_memory(&dir, "stats in.arrows --threads 1");
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("has 2147483647 bytes"), "{message}");
}

/// The file stores 300 MiB of zeros in a few kilobytes.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_unpacks_to_far_more_is_refused() {
    let dir = TestDir::new();
    let zeros: ArrayRef = Arc::new(StringArray::from(vec!["0".repeat(300 << 20)]));
    let small_batch = |rows: usize| -> ArrayRef { Arc::new(StringArray::from(vec![PUZZLE; rows])) };
    let zstd = || {
        WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_dictionary_enabled(false)
            .set_statistics_enabled(parquet::file::properties::EnabledStatistics::None)
    };
    let table_with_long_text = batch(vec![("puzzle", zeros.clone())]);
    dir.write(
        "page.parquet",
        parquet(&table_with_long_text, zstd().build()),
    );
    dir.write(
        "text.arrow",
        arrow_file(&table_with_long_text, 1, Some(CompressionType::ZSTD)),
    );
    dir.write(
        "text.arrows",
        arrow_stream(&table_with_long_text, 1, Some(CompressionType::LZ4_FRAME)),
    );
    drop((zeros, table_with_long_text));
    // A single list with 2^26 numbers.
    let count = 1 << 26;
    let list: ArrayRef = Arc::new(ListArray::new(
        Arc::new(Field::new("item", DataType::UInt8, true)),
        arrow::buffer::OffsetBuffer::from_lengths([count]),
        Arc::new(UInt8Array::from(vec![0; count])),
        None,
    ));
    let table_with_long_list = batch(vec![("puzzle", small_batch(1)), ("list", list)]);
    let writer = zstd().set_dictionary_enabled(true).build();
    dir.write("list.parquet", parquet(&table_with_long_list, writer));
    drop(table_with_long_list);
    for input in ["page.parquet", "text.arrow", "text.arrows", "list.parquet"] {
        assert!(dir.read(input).len() < 4 << 20, "{input}");
        let (code, message) = with_little_memory(&dir, input);
        assert_eq!(code, Some(3), "{input}: {message}");
        assert!(
            message.contains("at a time: ") && message.contains("write"),
            "{input}: {message}"
        );
    }
    // A dictionary stores a long text once, and many rows refer to it.
    let text = "x".repeat(1 << 20);
    let rows = 600;
    let key_array = arrow::array::UInt16Array::from(vec![0; rows]);
    let values = Arc::new(StringArray::from(vec![text]));
    let texts = arrow::array::DictionaryArray::<UInt16Type>::new(key_array, values);
    let batch = batch(vec![("puzzle", Arc::new(texts))]);
    dir.write("texts.arrow", arrow_file(&batch, rows, None));
    dir.write(
        "texts.parquet",
        parquet(&batch, zstd().set_dictionary_enabled(true).build()),
    );
    for input in ["texts.arrow", "texts.parquet"] {
        let (code, message) = with_little_memory(&dir, input);
        assert_eq!(code, Some(0), "{input}: {message}");
        let reject_text = String::from_utf8(dir.read("bad.csv")).unwrap();
        assert_eq!(reject_text.lines().count(), rows + 1);
        assert!(reject_text.contains("the text has 1048576 bytes; a puzzle has 81"));
    }
}

#[test]
fn a_given_solution_in_lists_is_checked() {
    let dir = TestDir::new();
    let wrong_solution = SOLUTION.replace('5', "6");
    let columns = vec![
        ("grid", nested(&[PUZZLE, PUZZLE])),
        ("solution", nested(&[SOLUTION, &wrong_solution])),
    ];
    dir.write(
        "in.parquet",
        parquet(&batch(columns), WriterProperties::default()),
    );
    dir.succeed("solve in.parquet -o out.arrow");
    let file = File::open(dir.path("out.arrow")).unwrap();
    let mut reader = arrow::ipc::reader::FileReader::try_new(file, None).unwrap();
    let table = reader.next().unwrap().unwrap();
    let given_verdicts: Vec<_> = table["solution_given"]
        .as_string::<i32>()
        .iter()
        .flatten()
        .collect();
    assert_eq!(given_verdicts, ["correct", "wrong"]);
}

/// Regression test, found by fuzzing beside pyarrow: the decoder panicked with `assertion failed:
/// prefix.is_empty()`. The length of a buffer may exceed its items, and need not be a multiple of their size.
#[test]
fn a_buffer_may_end_within_an_item() {
    let dir = TestDir::new();
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; 3]));
    let ids: ArrayRef = Arc::new(UInt8Array::from(vec![1, 2, 3]));
    let ids = cast(&ids, &DataType::Int64).unwrap();
    let table = batch(vec![("id", ids), ("puzzle", puzzles)]);
    let mut changed_count = 0;
    for (name, whole) in [
        ("in.arrow", arrow_file(&table, 3, None)),
        ("in.arrows", arrow_stream(&table, 3, None)),
    ] {
        dir.write(name, &whole);
        let arguments = format!("convert {name} -o - --format csv");
        let expected = dir.succeed(&arguments);
        // The lengths of the two buffers: the ids, and the end offsets of the texts.
        for (length, items) in [(24_u64, "ids"), (16, "ends")] {
            let lengths = whole.windows(8).enumerate();
            let length_offsets =
                lengths.filter(|(at, bytes)| at % 8 == 0 && *bytes == length.to_le_bytes());
            for (at, _) in length_offsets {
                let mut longer_bytes = whole.clone();
                longer_bytes[at] += 1;
                dir.write(name, &longer_bytes);
                let output = dir.run(&arguments);
                let message = stderr(&output);
                assert!(
                    !message.contains("assertion"),
                    "{items} at byte {at}: {message}"
                );
                if output.status.success() {
                    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
                    changed_count += 1;
                }
            }
        }
    }
    assert!(changed_count >= 4, "{changed_count} buffers were longer");
}

/// Regression test: the memory of an uncompressed record batch was counted twice, so that a batch of 128
/// MiB or more was refused.
#[test]
fn a_record_batch_that_is_not_compressed_is_in_memory_once() {
    let dir = TestDir::new();
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; 40]));
    let long_note = "x".repeat(4 << 20);
    let note_column: ArrayRef = Arc::new(StringArray::from(vec![long_note.as_str(); 40]));
    let table = batch(vec![("puzzle", puzzles), ("note", note_column)]);
    dir.write("in.arrow", arrow_file(&table, 40, None));
    let summary = dir.summary("convert in.arrow -o out.csv --keep none");
    assert_eq!(summary["rows_out"], 40);
}
