//! Tests of JSON whose records are neither objects in lines nor elements of one array of objects.

use crate::tables::digits;
use crate::util::{PUZZLE, SOLUTION, TestDir};

const OTHER: &str =
    "..43..2.9..5..9..1.7..6..43..6..2.8719...74...5..83...6.....1.5..35.869..4291.3..";

fn flat(grid: &str) -> String {
    format!("{:?}", digits(grid))
}

fn board(grid: &str) -> String {
    let rows: Vec<String> = digits(grid)
        .chunks(9)
        .map(|row| format!("{row:?}"))
        .collect();
    format!("[{}]", rows.join(",\n "))
}

fn records() -> [String; 2] {
    [PUZZLE, OTHER].map(|grid| format!("{{\"puzzle\": \"{grid}\", \"n\": 1}}"))
}

fn assert_puzzles(dir: &TestDir, text: &str, puzzles: &[&str]) {
    for text in [
        text.to_owned(),
        format!("\u{feff}{text}"),
        text.replace('\n', "\r\n"),
    ] {
        dir.write("in.json", &text);
        let output = dir.succeed("convert in.json -o - --format ndjson");
        let rows: Vec<serde_json::Value> = output
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let read: Vec<&str> = rows
            .iter()
            .map(|row| {
                row.as_object()
                    .unwrap()
                    .values()
                    .find_map(|value| value.as_str())
                    .unwrap()
            })
            .collect();
        assert_eq!(read, puzzles, "{text}");
    }
}

#[test]
fn arrays_of_texts_and_of_boards_are_puzzles() {
    let dir = TestDir::new();
    let both = [PUZZLE, OTHER];
    for text in [
        format!("[\"{PUZZLE}\", \"{OTHER}\"]"),
        format!("[\"{PUZZLE}\",\n \"{OTHER}\",\n]\n"),
        format!("[{}, {}]", flat(PUZZLE), flat(OTHER)),
        format!("[{},\n{}]", board(PUZZLE), board(OTHER)),
        format!("{}\n{}\n", flat(PUZZLE), flat(OTHER)),
        format!("{}\n\n{}\n", board(PUZZLE), board(OTHER)),
    ] {
        assert_puzzles(&dir, &text, &both);
    }
    for text in [board(PUZZLE), flat(PUZZLE), flat(PUZZLE) + ",\n"] {
        assert_puzzles(&dir, &text, &[PUZZLE]);
    }
    dir.write(
        "in.json",
        format!("[\"{PUZZLE}\", \"12\", {{}}, null, {}]", flat(&PUZZLE[1..])),
    );
    dir.succeed("convert in.json -o x.csv --rejects r.csv --max-rejects 4");
    let rejects = String::from_utf8(dir.read("r.csv")).unwrap();
    assert_eq!(rejects.lines().count(), 5, "{rejects}");
    dir.write("in.json", format!("[\"{PUZZLE}\", \"{OTHER}\""));
    assert!(
        dir.fail("convert in.json -o y.csv", 3)
            .contains("the JSON array is not closed")
    );
}

#[test]
fn objects_need_no_commas_and_no_brackets() {
    let dir = TestDir::new();
    let [one, two] = records();
    let pretty = |object: &str| object.replace(", ", ",\n  ").replace('{', "{\n  ");
    for text in [
        format!("[\n{one}\n{two}\n]\n"),
        format!("{one},\n{two},\n"),
        format!("{one},\n{two}\n"),
        format!("{one}{two}"),
        format!("{one} {two}\n"),
        format!("{}\n{}\n", pretty(&one), pretty(&two)),
        format!("[{},\n{},\n]", pretty(&one), pretty(&two)),
    ] {
        assert_puzzles(&dir, &text, &[PUZZLE, OTHER]);
    }
    assert_puzzles(&dir, &pretty(&one), &[PUZZLE]);
    dir.write("in.json", format!("{}\n{{\"puzzle\":\n", pretty(&one)));
    dir.succeed("convert in.json -o x.csv --rejects r.csv");
    assert!(
        String::from_utf8(dir.read("r.csv"))
            .unwrap()
            .contains("bad_json")
    );
}

#[test]
fn records_under_a_key_are_read() {
    let dir = TestDir::new();
    let [one, two] = records();
    let both = [PUZZLE, OTHER];
    for key in ["data", "puzzles", "rows", "records", "anything"] {
        assert_puzzles(
            &dir,
            &format!("{{\"version\": [1, 2], \"{key}\": [{one},\n {two}]}}\n"),
            &both,
        );
    }
    let api = format!(
        "{{\"features\": [{{\"name\": \"puzzle\"}}], \"rows\": [{{\"row_idx\": 0, \"row\": {one}, \"truncated_cells\": []}}, {{\"row_idx\": 1, \"row\": {two}}}], \"num_rows_total\": 2}}"
    );
    assert_puzzles(&dir, &api, &both);
    assert_puzzles(
        &dir,
        &format!("{{\"easy\": {one},\n \"hard\": {two}}}"),
        &both,
    );
    for texts in [
        format!("\"{PUZZLE}\", \"{OTHER}\""),
        format!("{}, {}", flat(PUZZLE), flat(OTHER)),
        format!("{}, {}", board(PUZZLE), board(OTHER)),
    ] {
        assert_puzzles(&dir, &format!("{{\"puzzles\": [{texts}]}}"), &both);
        assert_puzzles(&dir, &format!("{{\n\"easy\": [{texts}]\n}}"), &both);
    }
    // A record with a list of objects is one record.
    let line = format!("{{\"puzzle\": \"{PUZZLE}\", \"moves\": [{{\"r\": 1}}]}}");
    assert_puzzles(&dir, &line, &[PUZZLE]);
    assert_puzzles(
        &dir,
        &format!("{{\"board\": {}}}", board(PUZZLE)),
        &[PUZZLE],
    );
    dir.write(
        "in.json",
        format!("{{\"train\": [{one}], \"test\": [{two}]}}"),
    );
    let message = dir.fail("convert in.json -o x.csv", 3);
    assert!(
        message.contains("records under several keys (train, test): jq -c '.train[]'"),
        "{message}"
    );
    dir.write(
        "in.json",
        format!("{{\"data\": [{one}, {{\"puzzle\": \"12\"}}]}}"),
    );
    let rows = dir.succeed("grade in.json -o - --format csv --select source,row --rejects r.csv");
    assert_eq!(rows, "source,row\nin.json,0\n");
    let rejects = String::from_utf8(dir.read("r.csv")).unwrap();
    assert!(rejects.contains("in.json,1,,,wrong_length"), "{rejects}");
}

#[test]
fn columns_of_a_document_are_the_columns_of_a_table() {
    let dir = TestDir::new();
    let rows = format!("puzzle,solution,n\n{PUZZLE},{SOLUTION},1\n{PUZZLE},{SOLUTION},2\n");
    let (p, s) = (format!("\"{PUZZLE}\""), format!("\"{SOLUTION}\""));
    for text in [
        format!(
            "{{\"puzzle\": [{p}, {p}], \"solution\": [{s}, {s}], \"n\": [1, 2], \"meta\": \"x\"}}"
        ),
        format!(
            "{{\"puzzle\": {{\"0\": {p}, \"1\": {p}}},\n\"solution\": {{\"0\": {s}, \"1\": {s}}}, \"n\": {{\"0\": 1, \"1\": 2}}}}"
        ),
        format!(
            "{{\"columns\": [\"puzzle\", \"solution\", \"n\"], \"index\": [0, 1], \"data\": [[{p}, {s}, 1], [{p}, {s}, 2]]}}"
        ),
        format!(
            "{{\"schema\": {{\"fields\": []}}, \"data\": [{{\"puzzle\": {p}, \"solution\": {s}, \"n\": 1}}, {{\"puzzle\": {p}, \"solution\": {s}, \"n\": 2}}]}}"
        ),
    ] {
        dir.write("in.json", &text);
        assert_eq!(
            dir.succeed("convert in.json -o - --format csv"),
            rows,
            "{text}"
        );
        assert!(dir.succeed("inspect in.json").contains("json"));
    }
    // Columns of any size are read.
    let many = vec![p.as_str(); 3000].join(",");
    dir.write(
        "in.json",
        format!(
            "{{\"puzzle\": [{many}], \"solution\": [{}]}}",
            many.replace(PUZZLE, SOLUTION)
        ),
    );
    assert_eq!(dir.summary("validate in.json")["rows_in"], 3000);
}
