//! Tests that a run without a valid record fails, unless `--allow-empty` is given, and that errors name
//! unsupported formats.

use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema};
use arrow::ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;

use crate::util::{PUZZLE, TestDir, gzip, stderr};

/// Converts the input. Returns the exit code and standard error.
fn convert(dir: &TestDir, arguments: &[&str]) -> (i32, String) {
    let arguments_with_output = [&["convert", "-o", "out.csv", "--overwrite"], arguments].concat();
    let output = dir.run(&arguments_with_output);
    let message = stderr(&output);
    assert!(!message.contains("panicked"), "{message}");
    let is_control_character = |character: char| character.is_control() && character != '\n';
    assert!(!message.contains(is_control_character), "{message:?}");
    (output.status.code().unwrap(), message)
}

#[test]
fn an_input_without_any_puzzle_fails_the_run_with_advice() {
    let dir = TestDir::new();
    dir.write("good.txt", PUZZLE);
    let prose = "Dear reader\nthere are no puzzles in here.\n";
    dir.write("prose.txt", prose);
    dir.write("ids.csv", "puzzle,board\n1,x\n2,y\n");
    for (name, words) in [
        (
            "prose.txt",
            "none of its 2 records is a puzzle; the first, on line 1: wrong_length",
        ),
        (
            "prose.txt",
            "it was read as lines (it is of no other format)",
        ),
        ("ids.csv", "--puzzle-column names the column"),
    ] {
        for inputs in [&[name][..], &["good.txt", name]] {
            let (code, message) = convert(&dir, inputs);
            assert_eq!(code, 3, "{message}");
            assert!(
                message.contains(words) && message.contains("--allow-empty"),
                "{message}"
            );
            assert!(!dir.exists("out.csv"));
        }
        assert_eq!(convert(&dir, &[name, "--allow-empty"]).0, 0);
        assert_eq!(
            convert(&dir, &[name, "--limit", "0"]).0,
            0,
            "nothing was asked for"
        );
        // With `--keep-going`, an input without any puzzle is reported as damaged.
        let (code, message) = convert(&dir, &["good.txt", name, "--keep-going"]);
        assert_eq!(code, 5, "{message}");
        assert!(
            message.contains("damaged: ") && message.contains(name),
            "{message}"
        );
        assert_eq!(
            convert(&dir, &[name, "--keep-going"]).0,
            3,
            "nothing is left"
        );
        std::fs::remove_file(dir.path("out.csv")).unwrap();
    }
    let mixed = format!("{prose}{PUZZLE}\n");
    assert_eq!(convert(&dir, &["good.txt"]).0, 0);
    dir.write("mixed.txt", mixed);
    let (code, message) = convert(&dir, &["mixed.txt"]);
    assert_eq!(code, 0, "one puzzle is enough: {message}");
}

#[test]
fn a_file_without_a_byte_fails_and_a_table_without_rows_fails_alone() {
    let dir = TestDir::new();
    dir.write("good.txt", PUZZLE);
    let schema = Arc::new(Schema::new(vec![Field::new(
        "puzzle",
        DataType::Utf8,
        true,
    )]));
    let parquet = ArrowWriter::try_new(Vec::new(), schema.clone(), None).unwrap();
    let file = FileWriter::try_new(Vec::new(), &schema).unwrap();
    let stream = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    dir.write("zero.txt", "");
    dir.write("zero.txt.gz", gzip(b""));
    dir.write("comments.txt", "# nothing today\n");
    dir.write("header.csv", "id,puzzle\n");
    dir.write("rows.parquet", parquet.into_inner().unwrap());
    dir.write("rows.arrow", file.into_inner().unwrap());
    dir.write("rows.arrows", stream.into_inner().unwrap());
    for name in ["zero.txt", "zero.txt.gz"] {
        for inputs in [&[name][..], &["good.txt", name]] {
            let (code, message) = convert(&dir, inputs);
            assert_eq!(code, 3, "{message}");
            assert!(
                message.contains(&format!("{name}: it is empty")),
                "{message}"
            );
        }
    }
    for name in [
        "comments.txt",
        "header.csv",
        "rows.parquet",
        "rows.arrow",
        "rows.arrows",
    ] {
        let (code, message) = convert(&dir, &[name]);
        assert_eq!(code, 3, "{name}: {message}");
        assert!(
            message.contains(&format!("there is no puzzle in {name}")),
            "{message}"
        );
        assert_eq!(
            convert(&dir, &["good.txt", name]).0,
            0,
            "{name} beside others"
        );
        // A shard does not fail if none of its inputs has a puzzle.
        assert_eq!(convert(&dir, &[name, "good.txt", "--shard", "0/2"]).0, 0);
    }
    for name in ["zero.txt", "zero.txt.gz", "header.csv", "rows.parquet"] {
        assert_eq!(convert(&dir, &[name, "--allow-empty"]).0, 0, "{name}");
    }
    let arguments = ["convert", "header.csv", "-o", "out.csv", "--overwrite"];
    let output = dir
        .command(&arguments)
        .env("PIPELINE_ALLOW_EMPTY", "true")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "the variable does the same");
}

#[test]
fn unsupported_formats_are_named_in_the_error() {
    let dir = TestDir::new();
    let text = format!("{PUZZLE}\n").repeat(30);
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut tar = vec![0; 512];
    tar[..12].copy_from_slice(b"id,puzzle,x\n");
    tar[257..262].copy_from_slice(b"ustar");
    tar.extend_from_slice(text.as_bytes());
    let noise: Vec<u8> = (0..4000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let files: [(&str, Vec<u8>, &str); 11] = [
        ("a.tar", tar.clone(), "a tar archive"),
        ("a.tar.gz", gzip(&tar), "a tar archive"),
        ("a.orc", b"ORC\x0a\0\0\x01".to_vec(), "ORC"),
        ("a.avro", b"Obj\x01\x04\x14".to_vec(), "Avro"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0".to_vec(), "a PNG image"),
        ("a.lz4", b"\x04\x22\x4d\x18\x64".to_vec(), "lz4"),
        (
            "a.db",
            b"SQLite format 3\0\x10".to_vec(),
            "an SQLite database",
        ),
        ("a.csv", utf16, "UTF-16 without a byte order mark"),
        (
            "a.parquet",
            b"PARE\x01\x02\x03\x04\x05".to_vec(),
            "encrypted Parquet",
        ),
        ("a.br", noise.clone(), "brotli, by its name"),
        ("a.bin", noise, "neither text nor a known binary format"),
    ];
    for (name, bytes, words) in files {
        dir.write(name, bytes);
        let (code, message) = convert(&dir, &[name]);
        assert_eq!(code, 3, "{name}: {message}");
        let expected_message = format!("{name}: this is {words}");
        assert!(message.contains(&expected_message), "{name}: {message}");
    }
}

#[test]
fn messages_have_no_control_characters() {
    let dir = TestDir::new();
    let names: Vec<String> = (0..500).map(|n| format!("c{n}")).collect();
    dir.write(
        "in.csv",
        format!("\x1b[31mred\x07,{}\n1,2\n", names.join(",")),
    );
    let (code, message) = convert(&dir, &["in.csv"]);
    assert_eq!(code, 3);
    assert!(
        message.contains("\\u{1b}[31mred\\u{7}") && message.contains("and 461 more"),
        "{message}"
    );
    dir.write("bad.txt", "\x1b[2J\n");
    let (code, message) = convert(&dir, &["bad.txt"]);
    assert_eq!(code, 3, "{message}");
    let (_, message) = convert(&dir, &["no\x1bsuch.txt"]);
    assert!(
        message.contains("no\\u{1b}such.txt: there is no such"),
        "{message}"
    );
}

/// All inputs are named at once, because otherwise a user would have to run the command again after each
/// corrected input.
#[test]
fn all_inputs_that_cannot_be_read_are_named_at_once() {
    let dir = TestDir::new();
    dir.write("good.csv", format!("puzzle\n{PUZZLE}\n"));
    dir.write("bad.parquet", "no table");
    dir.write("bad.json", "{\"a\":1}");
    let fail_to_convert = |inputs: &[&str]| dir.fail(("convert -o out.csv", inputs), 3);
    let message = fail_to_convert(&["bad.parquet", "good.csv", "bad.json"]);
    for words in [
        "bad.parquet: at byte 0",
        "bad.json: no puzzle column",
        "2 of 3 inputs cannot be read: --keep-going reads the others",
    ] {
        assert_eq!(message.matches(words).count(), 1, "{message}");
    }
    let message = fail_to_convert(&["bad.parquet", "bad.json"]);
    assert!(
        message.contains("2 of 2 inputs cannot be read\n"),
        "{message}"
    );
    assert!(!fail_to_convert(&["bad.parquet"]).contains("inputs"));
}
