//! Tests tables with thousands of columns. Once, 0.94 MB of NDJSON took 1.1 GB of memory, and a wide
//! header took minutes. Since then, names are found in constant time, and the number of fields in a batch is
//! limited.

use std::fs::File;

use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::util::{PUZZLE, TestDir};

/// Converts the input, and asserts that the memory stays within this limit. Returns the summary.
fn convert(dir: &TestDir, input: &str, output: &str, limit: u64) -> serde_json::Value {
    let memory = format!("{limit}MiB");
    let convert_command = ["convert", input, "-o", output, "--memory-limit", &memory];
    let summary = dir.summary(&convert_command);
    let peak = summary["peak_memory_bytes"].as_u64().unwrap();
    assert!(peak < limit << 20, "{input} to {output}: {peak} bytes");
    summary
}

#[test]
fn an_object_with_a_new_key_in_each_row_stays_within_the_limit() {
    const ROWS: usize = 3000;
    let dir = TestDir::new();
    let rows = (0..ROWS).map(|row| format!("{{\"puzzle\":\"{PUZZLE}\",\"k{row}\":{row}}}\n"));
    dir.write("in.ndjson", rows.collect::<String>());
    for output in ["out.csv", "out.parquet", "out.ndjson"] {
        let summary = convert(&dir, "in.ndjson", output, 256);
        assert_eq!(summary["rows_out"], ROWS);
    }
    let table = String::from_utf8(dir.read("out.csv")).unwrap();
    for (row, line) in table.lines().skip(1).enumerate() {
        let (before, after) = (",".repeat(row + 1), ",".repeat(ROWS - 1 - row));
        assert!(line == format!("{PUZZLE}{before}{row}{after}"), "row {row}");
    }
    let table = dir.parquet("out.parquet");
    assert_eq!((table.num_rows(), table.num_columns()), (ROWS, ROWS + 1));
    // The metadata of a column chunk is short, because it stays in memory until the end of the file.
    let file = File::open(dir.path("out.parquet")).unwrap();
    let file = SerializedFileReader::new(file).unwrap();
    for column in file.metadata().row_group(0).columns() {
        assert!(column.statistics().is_some());
        assert_eq!(column.column_index_offset(), None);
        assert_eq!(column.offset_index_offset(), None);
        assert!(column.definition_level_histogram().is_none());
    }
}

/// Regression test: a text of several megabytes was in memory about nine times while a Parquet column was
/// encoded: in the dictionary, in the statistics, and in a buffer for each page.
#[test]
fn rows_of_megabytes_have_neither_dictionary_nor_statistics() {
    let dir = TestDir::new();
    let long_notes = ["a", "b", "c"].map(|letter| letter.repeat(3 << 20));
    let rows = (0..12).map(|row| format!("{PUZZLE},{}\n", long_notes[row % 3]));
    dir.write(
        "in.csv",
        format!("puzzle,note\n{}", rows.collect::<String>()),
    );
    let convert_command = "convert in.csv -o out.parquet";
    dir.succeed(&format!("{convert_command} --max-record-bytes 4MiB"));
    let table = dir.parquet("out.parquet");
    let written_notes = crate::util::texts(&table, "note");
    for (row, note) in written_notes.iter().enumerate() {
        assert!(note.as_deref() == Some(&long_notes[row % 3]), "row {row}");
    }
    let file = File::open(dir.path("out.parquet")).unwrap();
    let file = SerializedFileReader::new(file).unwrap();
    let columns = file.metadata().row_group(0).columns();
    assert!(columns[0].statistics().is_some());
    assert!(columns[1].statistics().is_none());
    assert_eq!(columns[1].dictionary_page_offset(), None);
}

#[test]
fn an_object_with_many_keys_is_a_row() {
    let dir = TestDir::new();
    let json_fields: String = (0..32_000)
        .map(|key| format!(",\"k{key}\":{key}"))
        .collect();
    dir.write(
        "wide.ndjson",
        format!("{{\"puzzle\":\"{PUZZLE}\"{json_fields}}}\n"),
    );
    convert(&dir, "wide.ndjson", "wide.csv", 256);
    let table = String::from_utf8(dir.read("wide.csv")).unwrap();
    assert!(table.ends_with(",31998,31999\n"));
    // The same keys in an object inside a value. Such an object is read as a dictionary and not as a record.
    let object = format!(
        "{{\"puzzle\":\"{PUZZLE}\",\"of\":{{{}}}}}\n",
        &json_fields[1..]
    );
    dir.write("deep.ndjson", object.repeat(3));
    convert(&dir, "deep.ndjson", "deep.csv", 256);
}

#[test]
fn a_column_name_that_occurs_thousands_of_times_is_numbered() {
    let dir = TestDir::new();
    let names = "a,A,".repeat(8000);
    let header = format!("puzzle,{}", &names[..names.len() - 1]);
    dir.write(
        "in.csv",
        format!("{header}\n{PUZZLE}{}\n", ",".repeat(16_000)),
    );
    convert(&dir, "in.csv", "out.csv", 256);
    let table = String::from_utf8(dir.read("out.csv")).unwrap();
    assert!(table.starts_with("puzzle,a,A_2,a_3,A_4,"));
    assert!(table.contains(",a_15999,A_16000\n"));
}

/// With a wide header, short records have more fields than bytes. The memory limit must hold for these fields,
/// also while types are inferred.
#[test]
fn short_records_of_a_wide_header_stay_within_the_limit() {
    let dir = TestDir::new();
    let names: String = (0..9000).map(|name| format!(",c{name}")).collect();
    dir.write("in.csv", format!("puzzle{names}\n{}", "x\n".repeat(2000)));
    for infer in ["--infer-types=all", "--infer-types=none"] {
        let convert_command = "convert in.csv -o out.csv --memory-limit=160MiB --overwrite";
        let summary = dir.summary((convert_command, &["--allow-empty", infer]));
        assert_eq!(summary["rejected"], 2000, "{summary}");
        let peak = summary["peak_memory_bytes"].as_u64().unwrap();
        assert!(peak < 160 << 20, "{infer}: {peak} bytes");
    }
}
