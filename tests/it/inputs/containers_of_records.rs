//! Tests records in JSON arrays, zip archives, NumPy arrays, lists of texts, and struct fields.

use std::sync::Arc;

use arrow::array::builder::{ListBuilder, StringBuilder};
use arrow::array::{ArrayRef, AsArray, Int64Array, StringArray, StructArray};
use arrow::datatypes::{DataType, Field};
use parquet::file::properties::WriterProperties;

use crate::tables::{arrow_file, batch, digits, npy, parquet};
use crate::util::{PUZZLE, SOLUTION, TestDir, gzip, texts};

fn object(id: usize) -> String {
    format!("{{\"id\": {id},\n  \"puzzle\": \"{PUZZLE}\", \"note\": \"a ] }} , \\\" {id}\"}}")
}

#[test]
fn a_json_array_is_read_like_lines_of_its_objects() {
    let dir = TestDir::new();
    // There are more records than fit into one batch, and more bytes than are used to detect the format.
    let objects: Vec<String> = (0..20_000).map(object).collect();
    let array = format!("\u{feff} [\n {} \n]\n", objects.join(" ,\n "));
    dir.write("in.json", &array);
    dir.write("in.json.gz", gzip(array.as_bytes()));
    let lines: Vec<String> = objects
        .iter()
        .map(|object| object.replace('\n', ""))
        .collect();
    dir.write("in.ndjson", lines.join("\n"));
    for input in ["in.json", "in.json.gz", "in.ndjson"] {
        let output = format!("{input}.csv");
        dir.succeed(&format!("convert {input} -o {output} --threads 2"));
    }
    let expected = dir.read("in.ndjson.csv");
    assert!(dir.read("in.json.csv") == expected);
    assert!(dir.read("in.json.gz.csv") == expected);
    let piped = [
        "convert",
        "-",
        "-o",
        "-",
        "--format",
        "csv",
        "--input-format",
        "json",
    ];
    assert!(dir.pipe(&piped, array.as_bytes()).stdout == expected);
    assert!(dir.pipe(&piped, lines.join("\n").as_bytes()).stdout == expected);
}

#[test]
fn a_json_array_without_a_proper_end_is_damage() {
    let dir = TestDir::new();
    let two_objects = format!("[{},{}", object(1), object(2));
    for (text, reported) in [
        (two_objects.clone(), "is not closed"),
        (format!("{two_objects},"), "is not closed"),
        (
            format!("[{},{{\"id\": 2, \"puz", object(1)),
            "is not closed",
        ),
        (
            format!("{two_objects}]\n[{}]", object(3)),
            "follows the JSON array",
        ),
        (format!("{two_objects}] x"), "follows the JSON array"),
    ] {
        dir.write("in.json", &text);
        let message = dir.fail("convert in.json -o out.csv", 3);
        assert!(message.contains(reported), "{text}: {message}");
        let expected_location = format!("at byte {}", text.len());
        assert!(
            message.contains(&expected_location),
            "{expected_location}: {message}"
        );
        assert!(!dir.exists("out.csv"));
        let arguments = "convert in.json -o kept.csv --keep-going --overwrite";
        dir.fail(arguments, 5);
        let kept_text = String::from_utf8(dir.read("kept.csv")).unwrap();
        assert!(kept_text.lines().count() >= 2, "{kept_text}");
    }
    dir.write("in.json", format!("[{},5,{}]", object(1), object(2)));
    dir.succeed("convert in.json -o out.csv --overwrite --rejects bad.csv");
    let rejects = String::from_utf8(dir.read("bad.csv")).unwrap();
    assert!(
        rejects.contains("in.json,1,") && rejects.contains("bad_json"),
        "{rejects}"
    );
}

#[test]
fn values_within_objects_are_puzzles_too() {
    let dir = TestDir::new();
    let game = format!(
        "{{\"id\":1,\"game\":{{\"at\":{{\"board\":\"{PUZZLE}\",\"answer\":\"{SOLUTION}\"}}}}}}"
    );
    dir.write("in.ndjson", &game);
    dir.write("in.json", format!("[{game}]"));
    for input in ["in.ndjson", "in.json"] {
        let column_options = "--puzzle-column game.at.board --solution-column game.at.answer";
        let arguments = format!("convert {input} -o out.csv --overwrite --keep id");
        dir.succeed((&arguments, column_options));
        let text = String::from_utf8(dir.read("out.csv")).unwrap();
        assert_eq!(text, format!("id,puzzle,solution\n1,{PUZZLE},{SOLUTION}\n"));
    }
}

#[test]
fn fields_of_structs_are_puzzles_and_the_struct_is_carried() {
    let dir = TestDir::new();
    let text = |values: Vec<Option<&str>>| Arc::new(StringArray::from(values)) as ArrayRef;
    let field = |name| Arc::new(Field::new(name, DataType::Utf8, true));
    let game = StructArray::new(
        vec![field("board"), field("answer")].into(),
        vec![text(vec![Some(PUZZLE); 3]), text(vec![Some(SOLUTION); 3])],
        Some(vec![true, false, true].into()),
    );
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
    let table = batch(vec![("id", ids), ("game", Arc::new(game))]);
    dir.write("in.parquet", parquet(&table, WriterProperties::default()));
    dir.write("in.arrow", arrow_file(&table, 2, None));
    for input in ["in.parquet", "in.arrow"] {
        let column_options = "--puzzle-column game.board --solution-column game.answer";
        let arguments = format!("convert {input} -o out.parquet --overwrite");
        dir.succeed((&arguments, column_options));
        let table = dir.parquet("out.parquet");
        assert_eq!(
            texts(&table, "puzzle"),
            [Some(PUZZLE.to_owned()), Some(PUZZLE.to_owned())]
        );
        assert_eq!(
            texts(&table, "solution"),
            [Some(SOLUTION.to_owned()), Some(SOLUTION.to_owned())]
        );
        assert!(
            table
                .column_by_name("game")
                .unwrap()
                .as_struct_opt()
                .is_some()
        );
        let wrong_arguments = format!("convert {input} -o x.csv --puzzle-column game.other");
        let message = dir.fail(&wrong_arguments, 3);
        assert!(message.contains("game.other"), "{message}");
    }
}

#[test]
fn lists_of_texts_are_grids() {
    let dir = TestDir::new();
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value(PUZZLE.chars().map(|cell| Some(cell.to_string())));
    lists.append_value((0..9).map(|row| Some(&PUZZLE[9 * row..][..9])));
    lists.append_value([Some("what")]);
    let table = batch(vec![("puzzle", Arc::new(lists.finish()))]);
    dir.write("in.parquet", parquet(&table, WriterProperties::default()));
    dir.write("in.arrow", arrow_file(&table, 2, None));
    for input in ["in.parquet", "in.arrow"] {
        dir.succeed(&format!(
            "convert {input} -o out.csv --overwrite --rejects bad.csv"
        ));
        let text = String::from_utf8(dir.read("out.csv")).unwrap();
        assert_eq!(text, format!("puzzle\n{PUZZLE}\n{PUZZLE}\n"));
        let rejects = String::from_utf8(dir.read("bad.csv")).unwrap();
        assert!(
            rejects.contains("wrong_length") && rejects.contains("what"),
            "{rejects}"
        );
    }
}

#[test]
fn numpy_arrays_are_puzzles() {
    let dir = TestDir::new();
    let digits = digits(PUZZLE);
    let int64_bytes: Vec<u8> = digits
        .iter()
        .flat_map(|digit| i64::from(*digit).to_le_bytes())
        .collect();
    let characters: Vec<u8> = PUZZLE
        .chars()
        .flat_map(|c| (c as u32).to_le_bytes())
        .collect();
    let mut wrong_digits = digits.clone();
    wrong_digits[4] = 10;
    for (name, bytes, rows) in [
        (
            "u1",
            npy("|u1", "(2, 81)", &[digits.clone(), digits.clone()].concat()),
            2,
        ),
        ("i8", npy("<i8", "(1, 9, 9)", &int64_bytes), 1),
        ("one", npy("|i1", "(9, 9)", &digits), 1),
        ("unicode", npy("<U81", "(1,)", &characters), 1),
        ("bytes", npy("|S81", "(1,)", PUZZLE.as_bytes()), 1),
        ("cells", npy("<U1", "(1, 81)", &characters), 1),
    ] {
        dir.write("in.npy", &bytes);
        dir.succeed("convert in.npy -o out.csv --overwrite");
        let text = String::from_utf8(dir.read("out.csv")).unwrap();
        assert_eq!(
            text,
            format!("puzzle\n{}", format!("{PUZZLE}\n").repeat(rows)),
            "{name}"
        );
        let gzipped = gzip(&bytes);
        let arguments = "convert - -o - --format csv";
        assert_eq!(
            dir.pipe(arguments, &gzipped).stdout,
            text.as_bytes(),
            "{name}"
        );

        dir.write("in.npy", &bytes[..bytes.len() - 1]);
        let message = dir.fail("convert in.npy -o x.csv", 3);
        assert!(message.contains("cut short"), "{name}: {message}");
        dir.write("in.npy", [&bytes[..], b"more"].concat());
        let message = dir.fail("convert in.npy -o x.csv", 3);
        assert!(message.contains("more follows"), "{name}: {message}");
    }
    dir.write(
        "in.npy",
        npy("|u1", "(2, 81)", &[digits, wrong_digits].concat()),
    );
    dir.succeed("convert in.npy -o y.csv --rejects bad.csv");
    let rejects = String::from_utf8(dir.read("bad.csv")).unwrap();
    assert!(
        rejects.contains("10 at position 5 is not between 0 and 9"),
        "{rejects}"
    );
}
