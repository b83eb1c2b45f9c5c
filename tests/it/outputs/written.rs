//! Tests that every output format can be read back.

use std::collections::HashMap;
use std::fs::File;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::Schema;
use arrow::ipc::reader::{FileReader, StreamReader};
use sudoku_pipeline::formats::output_formats;
use sudoku_pipeline::write::{Holds, OutputFormat};

use crate::util::{PUZZLE, SOLUTION, TestDir, stderr, texts};

/// The formats whose files can be read back with all columns of the table.
const FORMATS_WITH_ALL_COLUMNS: [&str; 6] = ["parquet", "csv", "tsv", "ndjson", "arrow", "arrows"];

/// The formats in which a table is a single file. In the format `hrm`, a table is a folder (see `training.rs`).
fn single_file_formats() -> impl Iterator<Item = OutputFormat> {
    output_formats().filter(|format| !format.is_folder())
}

/// Writes a table with puzzles, solutions, and two other columns, one of which has a text that must be quoted
/// in CSV.
fn write_table(dir: &TestDir) {
    let puzzles = dir.succeed("generate 5000 --seed 3 -o - --format csv");
    let mut text = String::from("id,puzzle,solution,note\n");
    for (id, row) in puzzles.lines().skip(1).enumerate() {
        let note = [
            "",
            "plain",
            "\"a, \"\"b\"\"\"",
            "\"tab\tand\nline\"",
            "naïve",
        ][id % 5];
        text += &format!("{id},{row},{note}\n");
    }
    dir.write("in.csv", text);
    dir.succeed("convert in.csv -o expected.csv");
}

#[test]
fn every_written_table_can_be_read_back_with_the_same_rows() {
    let dir = TestDir::new();
    write_table(&dir);
    let expected = dir.read("expected.csv");
    let compressed_endings = ["csv.gz", "csv.zst", "tsv.gz", "tsv.zst"];
    for ending in FORMATS_WITH_ALL_COLUMNS.iter().chain(&compressed_endings) {
        let file = &format!("t.{ending}");
        dir.succeed(&format!("convert in.csv -o {file}"));
        dir.succeed(&format!("convert {file} -o again.csv --overwrite"));
        assert!(dir.read("again.csv") == expected, "{ending}");
    }
    // The format `lines` writes puzzles and solutions.
    dir.succeed("convert in.csv -o grids.csv --keep none");
    let expected = dir.read("grids.csv");
    for ending in ["txt", "txt.gz", "sdm.zst"] {
        let file = &format!("t.{ending}");
        dir.succeed(&format!("convert in.csv -o {file}"));
        dir.succeed(&format!(
            "convert {file} -o again.csv --overwrite --keep none"
        ));
        assert!(dir.read("again.csv") == expected, "{ending}");
    }
}

#[test]
fn types_and_metadata_are_read_back() {
    let dir = TestDir::new();
    write_table(&dir);
    let grade_to = |output: &str| dir.succeed(&format!("grade in.csv -o {output}"));
    for output in ["t.parquet", "t.arrow", "t.arrows"] {
        grade_to(output);
    }
    let expected = dir.parquet("t.parquet");
    let check_batches = |schema: &Schema, batches: Vec<RecordBatch>| {
        assert_eq!(schema.metadata()["pipeline.command"], "grade");
        assert_eq!(schema.metadata()["pipeline.inputs"], "[\"in.csv\"]");
        assert!(schema.metadata().contains_key("pipeline.techniques"));
        concat_batches(&batches[0].schema(), &batches).unwrap()
    };
    let open_file = |name: &str| File::open(dir.path(name)).unwrap();
    let file = FileReader::try_new(open_file("t.arrow"), None).unwrap();
    let file = check_batches(&file.schema(), file.map(Result::unwrap).collect());
    let stream = StreamReader::try_new(open_file("t.arrows"), None).unwrap();
    let stream = check_batches(&stream.schema(), stream.map(Result::unwrap).collect());
    assert_eq!(file, stream);
    for field in expected.schema().fields() {
        assert_eq!(
            file.schema().field_with_name(field.name()).unwrap(),
            field.as_ref()
        );
        let name = field.name().as_str();
        assert_eq!(&file[name], &expected[name]);
    }
    // `convert` also keeps the types of the columns.
    for input in ["t.parquet", "t.arrow", "t.arrows"] {
        dir.succeed(&format!("convert {input} -o again.parquet --overwrite"));
        let table_read_back = dir.parquet("again.parquet");
        for name in ["row", "rank", "effort", "waves", "nodes", "technique"] {
            assert_eq!(&table_read_back[name], &expected[name], "{name} of {input}");
        }
    }
}

#[test]
fn json_lines_have_every_column_in_every_row() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!(
            "puzzle,solution,note\n{PUZZLE},{SOLUTION},\n{},,\"a\"\"b\"\n",
            ".".repeat(81)
        ),
    );
    dir.succeed("grade in.csv -o t.ndjson");
    dir.succeed("grade in.csv -o t.parquet");
    let names: Vec<String> = dir
        .parquet("t.parquet")
        .schema()
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect();
    let text = String::from_utf8(dir.read("t.ndjson")).unwrap();
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for row in &rows {
        assert!(row.as_object().unwrap().keys().eq(&names), "{row}");
    }
    assert_eq!(rows[0]["puzzle"], PUZZLE);
    assert_eq!(rows[0]["rank"], 2);
    assert!(rows[0]["note"].is_null());
    assert_eq!(rows[1]["note"], "a\"b");
    assert_eq!(rows[1]["status"], "multiple");
    assert!(rows[1]["rank"].is_null() && rows[1]["solution_given"].is_null());
}

#[test]
fn tables_without_rows_can_be_written_and_read() {
    let dir = TestDir::new();
    dir.write("in.csv", "puzzle,solution,note\n");
    for format in single_file_formats() {
        let endings = if format.is_text {
            vec!["", ".gz", ".zst"]
        } else {
            vec![""]
        };
        for ending in endings {
            let output = &format!("t.{}{ending}", format.extension());
            dir.succeed(&format!("convert in.csv -o {output} --allow-empty"));
        }
    }
    // In NDJSON, only rows have the column names. All other formats keep the names in a table without rows.
    for ending in FORMATS_WITH_ALL_COLUMNS
        .iter()
        .filter(|ending| **ending != "ndjson")
    {
        let input = &format!("t.{ending}");
        let second_convert = ["convert", input, "-o", "again.csv", "--overwrite"];
        dir.succeed(&[&second_convert[..], &["--allow-empty"]].concat());
        assert_eq!(dir.read("again.csv"), b"puzzle,solution,note\n", "{ending}");
    }
    for name in ["t.ndjson", "t.txt", "t.sdk", "t.euler", "t.ss"] {
        assert_eq!(dir.read(name), b"", "{name}");
    }
}

#[test]
fn rejects_and_summary_are_written_beside_every_format() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n123\n"));
    for format in single_file_formats() {
        let output = format!("t.{}", format.extension());
        dir.succeed(&format!(
            "convert in.txt -o {output} --summary s.json --overwrite"
        ));
        let summary: HashMap<String, serde_json::Value> =
            serde_json::from_slice(&dir.read("s.json")).unwrap();
        let rejects = match format.holds {
            Holds::Table => format!("t.rejects.{}", format.extension()),
            Holds::Grids | Holds::Puzzles => "t.rejects.csv".to_owned(),
        };
        assert_eq!(summary["rejects_output"], rejects.as_str(), "{}", format.id);
        assert!(dir.exists(&rejects));
    }
    let rejects = dir.parquet("t.rejects.parquet");
    assert_eq!(texts(&rejects, "error"), [Some("wrong_length".to_owned())]);
}

#[test]
fn what_a_format_cannot_hold_is_refused_before_the_work() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for format in single_file_formats().filter(|format| format.holds == Holds::Grids) {
        let output = format!("t.{}", format.extension());
        let message = dir.fail(&format!("grade in.txt -o {output}"), 2);
        assert!(message.contains("not grades"), "{message}");
        dir.succeed(&format!("solve in.txt -o {output}"));
    }
    for format in single_file_formats().filter(|format| !format.is_text) {
        let output = format!("t.{}.gz", format.extension());
        let message = dir.fail(&format!("convert in.txt -o {output}"), 2);
        assert!(message.contains("is already compressed"), "{message}");
    }
    // Standard output has no name that would say a format: it is CSV.
    let rows = dir.succeed("convert in.txt -o -");
    assert_eq!(rows, dir.succeed("convert in.txt -o - --format csv"));
}

#[test]
fn a_table_can_go_through_pipes() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n").repeat(9));
    let convert_to = |format| ["convert", "-", "-o", "-", "--format", format];
    let stream = dir.pipe(
        &convert_to("arrow-stream"),
        format!("{PUZZLE}\n").repeat(9).as_bytes(),
    );
    assert!(stream.status.success(), "{}", stderr(&stream));
    let lines = dir.pipe(&convert_to("lines"), &stream.stdout);
    assert_eq!(lines.stdout, format!("{PUZZLE}\n").repeat(9).as_bytes());
}

/// Regression test: from two pandas files with a categorical column of 100 values and 8-bit keys, the program
/// wrote a Parquet file that neither pyarrow nor itself could read.
#[test]
fn dictionaries_of_several_inputs_fit_in_one_row_group() {
    use crate::tables::{arrow_stream, batch, parquet};
    use arrow::array::{ArrayRef, AsArray, DictionaryArray, Int8Array, StringArray};
    use arrow::datatypes::{DataType, Int8Type};
    use std::sync::Arc;

    let dir = TestDir::new();
    let file = |k: usize| {
        let values = (0..100).map(|n| format!("v{k}_{n}"));
        let values: ArrayRef = Arc::new(StringArray::from_iter_values(values));
        let key_array = Int8Array::from_iter_values(0..100);
        let categories = DictionaryArray::<Int8Type>::new(key_array, values);
        batch(vec![
            (
                "puzzle",
                Arc::new(StringArray::from(vec![PUZZLE; 100])) as _,
            ),
            ("cat", Arc::new(categories) as _),
        ])
    };
    for k in 0..3 {
        dir.write(
            &format!("{k}.parquet"),
            parquet(&file(k), Default::default()),
        );
        dir.write(&format!("{k}.arrows"), arrow_stream(&file(k), 50, None));
    }
    for kind in ["parquet", "arrows"] {
        let inputs: Vec<String> = (0..3).map(|k| format!("{k}.{kind}")).collect();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        dir.succeed(
            &[
                &["convert"],
                &inputs[..],
                &["-o", "o.parquet", "--overwrite"],
            ]
            .concat(),
        );
        let table = dir.parquet("o.parquet");
        let column = table.column_by_name("cat").unwrap();
        assert!(matches!(column.data_type(), DataType::Dictionary(..)));
        let texts = arrow::compute::cast(column, &DataType::Utf8).unwrap();
        let texts: Vec<_> = texts
            .as_string::<i32>()
            .iter()
            .map(Option::unwrap)
            .collect();
        assert_eq!(texts.len(), 300);
        assert_eq!(
            (texts[0], texts[127], texts[299]),
            ("v0_0", "v1_27", "v2_99")
        );
        dir.succeed("convert o.parquet -o x.csv --overwrite");
    }
}

/// Formats of boards cannot hold solutions and other columns. A message names the columns that are left out.
#[test]
fn columns_that_a_format_cannot_hold_are_named() {
    let dir = TestDir::new();
    let row = format!("{PUZZLE},{SOLUTION},7.1");
    dir.write("in.csv", format!("puzzle,solution,rating\n{row}\n"));
    let run_and_get_log = |arguments: &[&str]| stderr(&dir.run(arguments));
    let board_message = run_and_get_log(&["convert", "in.csv", "-o", "out.sdk"]);
    let expected_words = "sdk has the puzzles alone, without solution, rating: ";
    assert!(board_message.contains(expected_words), "{board_message}");
    let lines = run_and_get_log(&["convert", "in.csv", "-o", "out.txt"]);
    let expected_words = "lines has puzzles and solutions alone, without rating: ";
    assert!(lines.contains(expected_words), "{lines}");
    let table = run_and_get_log(&["convert", "in.csv", "-o", "out.parquet"]);
    assert!(!table.contains("without"), "{table}");
}
