//! Tests input formats: layouts of lines and tables, the choice of columns, and Parquet.

use std::fs::File;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, DictionaryArray, Float64Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray,
};
use arrow::datatypes::Int32Type;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::util::{PUZZLE, SOLUTION, TestDir, gzip, texts};

const EASY_TECHNIQUE: &str = "naked_single";

/// Grades the file, and asserts that it has exactly one puzzle, whose level is `easy`.
fn grade_one_easy_puzzle(dir: &TestDir, name: &str) -> RecordBatch {
    dir.succeed(("grade -o out.parquet --overwrite", &[name]));
    let table = dir.parquet("out.parquet");
    assert_eq!(
        texts(&table, "technique"),
        [Some(EASY_TECHNIQUE.to_owned())],
        "{name}"
    );
    assert_eq!(texts(&table, "puzzle"), [Some(PUZZLE.to_owned())], "{name}");
    table
}

#[test]
fn lines_are_read_with_any_text_around_the_puzzles() {
    let dir = TestDir::new();
    let zeros = PUZZLE.replace('.', "0");
    for (name, text, comment) in [
        ("plain", format!("{PUZZLE}\n"), None),
        ("no line end", PUZZLE.to_owned(), None),
        ("windows", format!("# a list\r\n\r\n{zeros}\r\n"), None),
        ("mark", format!("\u{feff}{zeros}\n"), None),
        ("rated", format!("{PUZZLE},9.1\n"), Some("9.1")),
        ("told", format!("{PUZZLE} # easy one\n"), Some("easy one")),
    ] {
        dir.write(name, &text);
        let table = grade_one_easy_puzzle(&dir, name);
        assert_eq!(
            texts(&table, "comment"),
            [comment.map(str::to_owned)],
            "{name}"
        );
        dir.write(name, gzip(text.as_bytes()));
        grade_one_easy_puzzle(&dir, name);
        dir.write(name, zstd::encode_all(text.as_bytes(), 0).unwrap());
        grade_one_easy_puzzle(&dir, name);
    }
}

#[test]
fn well_known_table_layouts_are_read_without_options() {
    let dir = TestDir::new();
    let zeros = PUZZLE.replace('.', "0");
    for text in [
        format!("quizzes,solutions\n{zeros},{SOLUTION}\n"),
        format!("puzzle,solution\n{zeros},{SOLUTION}\n"),
        format!("id,puzzle,solution,clues,difficulty\n1,{PUZZLE},{SOLUTION},30,0.0\n"),
        format!("quizzes,solutions,clue_numbers\n{zeros},{SOLUTION},30\n"),
        format!("source,question,answer,rating\npuzzles0,{PUZZLE},{SOLUTION},0\n"),
        format!(
            "puzzle,solution,missing,difficulty,set,solving_time\n{zeros},{SOLUTION},51,e,t,1\n"
        ),
        format!("Grid;SOLUTION\r\n\"{PUZZLE}\";\"{SOLUTION}\"\r\n"),
        format!("id\tboard\tanswer\n1\t{PUZZLE}\t{SOLUTION}\n"),
        format!("solution,note,puzzle\n{SOLUTION},\"two\nlines, \"\"quoted\"\"\",{PUZZLE}"),
    ] {
        dir.write("in.csv", &text);
        let table = grade_one_easy_puzzle(&dir, "in.csv");
        assert_eq!(
            texts(&table, "solution_given"),
            [Some("correct".to_owned())],
            "{text}"
        );
    }
    let table = dir.parquet("out.parquet");
    assert_eq!(
        texts(&table, "note"),
        [Some("two\nlines, \"quoted\"".to_owned())]
    );
}

#[test]
fn columns_can_be_named_and_chosen() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("a,clues,b,c\n{PUZZLE},30,{SOLUTION},x\n"));
    dir.succeed("grade in.csv -o out.parquet --puzzle-column a --solution-column b --keep c");
    let table = dir.parquet("out.parquet");
    assert_eq!(texts(&table, "c"), [Some("x".to_owned())]);
    assert!(table.column_by_name("input_clues").is_none());
    let message = dir.fail("grade in.csv -o x.csv --puzzle-column z", 3);
    assert!(
        message.contains("\"z\"") && message.contains("a, clues, b, c"),
        "{message}"
    );
    dir.succeed("grade in.csv -o all.parquet --puzzle-column a");
    let table = dir.parquet("all.parquet");
    assert_eq!(texts(&table, "input_clues"), [Some("30".to_owned())]);
}

fn write_parquet(dir: &TestDir, name: &str, columns: Vec<(&str, ArrayRef)>) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let file = File::create(dir.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

#[test]
fn parquet_is_read_with_any_string_type_and_other_columns_keep_their_types() {
    let dir = TestDir::new();
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(vec![PUZZLE])),
        Arc::new(LargeStringArray::from(vec![PUZZLE])),
        Arc::new(StringViewArray::from(vec![PUZZLE])),
        Arc::new([PUZZLE].into_iter().collect::<DictionaryArray<Int32Type>>()),
    ];
    for puzzles in arrays {
        let rating: ArrayRef = Arc::new(Float64Array::from(vec![1.5]));
        write_parquet(
            &dir,
            "in.parquet",
            vec![("rating", rating.clone()), ("puzzle", puzzles)],
        );
        let table = grade_one_easy_puzzle(&dir, "in.parquet");
        assert_eq!(table.column_by_name("rating").unwrap(), &rating);
    }
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    write_parquet(&dir, "in.parquet", vec![("puzzle", numbers)]);
    let message = dir.fail("grade in.parquet -o x.csv", 3);
    assert!(message.contains("Int64"), "{message}");
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![None, Some(PUZZLE), Some("x")]));
    write_parquet(&dir, "in.parquet", vec![("puzzle", puzzles)]);
    dir.succeed("grade in.parquet -o nulls.parquet");
    let rejects = dir.parquet("nulls.rejects.parquet");
    let errors: Vec<_> = texts(&rejects, "error").into_iter().flatten().collect();
    assert_eq!(errors, ["null_value", "wrong_length"]);
}

#[test]
fn empty_inputs_give_empty_tables() {
    let dir = TestDir::new();
    dir.write("empty.txt", "");
    dir.write("header.csv", "puzzle,solution\n");
    for input in ["empty.txt", "header.csv"] {
        for output in ["out.parquet", "out.csv", "out.csv.gz"] {
            let arguments = format!("grade {input} -o {output} --overwrite");
            dir.succeed(&format!("{arguments} --allow-empty"));
        }
        assert_eq!(dir.parquet("out.parquet").num_rows(), 0);
        assert!(dir.read("out.csv").starts_with(b"source,row,"));
        let arguments_again = "convert out.csv.gz -o again.txt --overwrite";
        dir.succeed(&format!("{arguments_again} --allow-empty"));
        assert_eq!(dir.read("again.txt"), b"");
    }
}

#[test]
fn the_parquet_file_is_compressed_and_indexed_and_names_its_writer() {
    let dir = TestDir::new();
    dir.succeed("generate 300 --seed 4 -o in.csv");
    dir.succeed("grade in.csv -o out.parquet");
    let file = File::open(dir.path("out.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let metadata = reader.metadata();
    let pairs = metadata.file_metadata().key_value_metadata().unwrap();
    let metadata_value = |key: &str| {
        let pair = pairs.iter().find(|pair| pair.key == key).unwrap();
        pair.value.clone().unwrap()
    };
    assert_eq!(metadata_value("pipeline.inputs"), r#"["in.csv"]"#);
    assert_eq!(metadata_value("pipeline.ladder_version"), "2");
    assert!(metadata_value("pipeline.techniques").starts_with("full_house,naked_single,"));
    assert_eq!(
        metadata_value("pipeline.version"),
        env!("CARGO_PKG_VERSION")
    );
    for column in metadata.row_group(0).columns() {
        assert!(matches!(
            column.compression(),
            parquet::basic::Compression::ZSTD(_)
        ));
        assert!(column.offset_index_offset().is_some() && column.column_index_offset().is_some());
    }
}
