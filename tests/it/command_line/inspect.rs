//! Tests `inspect`: the format, the columns and the counts of grids that it shows.

use crate::tables::npy;
use crate::util::{PUZZLE, SOLUTION, TestDir, gzip};

#[test]
fn inspect_shows_the_format_and_the_command_to_convert() {
    let dir = TestDir::new();
    let text = format!(
        "id;quizzes;solutions\r\n7;{0};{SOLUTION}\r\n8;{1};\r\n9;x;\r\n",
        PUZZLE.replace('.', "0"),
        PUZZLE.replace('.', "0")
    );
    dir.write("a b.csv.gz", gzip(format!("\u{feff}{text}").as_bytes()));
    let stdout = dir.succeed(&["inspect", "a b.csv.gz", "--keep", "id"]);
    for words in [
        "gzip",
        "csv: its first line names a column \"quizzes\"",
        "';'",
        "crlf, a byte order mark",
        "quizzes    the puzzle",
        "solutions  the solution",
        "id         carried through",
        "2 of 9 × 9, empty cells are '0'",
        "all 3 looked at: 2 puzzles, 1 rejected (1 wrong_length)",
        &format!("row 0, line 2: {PUZZLE} id=\"7\""),
        "row 2, line 4: rejected: wrong_length: 1 cells; a puzzle has 81",
        "pipeline convert 'a b.csv.gz' --keep id -o 'a b.parquet'",
        "writes id, quizzes, solutions",
    ] {
        assert!(stdout.contains(words), "{words}: {stdout}");
    }
    let json = dir.succeed(&["inspect", "a b.csv.gz", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["delimiter"], ";");
    assert_eq!(
        json["columns"][1],
        serde_json::json!({"name": "quizzes", "role": "puzzle"})
    );
    assert_eq!(json["rejects"]["wrong_length"], 1);
    assert_eq!(json["sample"][0]["puzzle"], PUZZLE);
}

/// Regression test: 12 × 12 grids were accepted as puzzles, but not included in the counts of grids and of
/// characters for empty cells.
#[test]
fn inspect_counts_grids_of_every_size() {
    let dir = TestDir::new();
    for size in ["4", "6", "9", "12", "16"] {
        dir.succeed(&format!("generate 2 --size {size} --seed 1 -o in.txt -f"));
        let stdout = dir.succeed("inspect in.txt");
        let expected = format!("2 of {size} × {size}, empty cells are ");
        assert!(stdout.contains(&expected), "{stdout}");
    }
}

#[test]
fn inspect_shows_what_arrays_of_numbers_have_in_empty_cells() {
    let dir = TestDir::new();
    let array = |empty: &str| {
        let cells: Vec<String> = PUZZLE
            .chars()
            .map(|cell| cell.to_string().replace('.', empty))
            .collect();
        format!("[{}]", cells.join(","))
    };
    let bytes: Vec<u8> = PUZZLE
        .bytes()
        .map(|cell| if cell == b'.' { 0 } else { cell - b'0' })
        .collect();
    for (name, content, expected) in [
        ("a.npy", npy("|u1", "(1, 81)", &bytes), "'0'"),
        ("b.json", array("0").into_bytes(), "'0'"),
        (
            "c.ndjson",
            format!("{{\"puzzle\":{}}}\n", array("0")).into_bytes(),
            "'0'",
        ),
        (
            "d.ndjson",
            format!("{{\"puzzle\":{}}}\n", array("-1")).into_bytes(),
            "\"-1\"",
        ),
        (
            "e.ndjson",
            format!("{{\"puzzle\":{}}}\n", array("null")).into_bytes(),
            "\"null\"",
        ),
        (
            "f.ndjson",
            format!("{{\"puzzle\":\"{PUZZLE}\"}}\n").into_bytes(),
            "'.'",
        ),
    ] {
        dir.write(name, content);
        let stdout = dir.succeed(&["inspect", name]);
        let expected = format!("1 of 9 × 9, empty cells are {expected}");
        assert!(stdout.contains(&expected), "{name}: {stdout}");
    }
}

#[test]
fn inspect_reads_parquet_pipes_and_damaged_files_too() {
    let dir = TestDir::new();
    dir.succeed("generate 1500 --seed 3 -o in.parquet");
    let stdout = dir.succeed("inspect in.parquet");
    assert!(stdout.contains("parquet: it starts with PAR1"), "{stdout}");
    assert!(
        stdout.contains("the first 1,000 looked at: 1,000 puzzles, 0 rejected"),
        "{stdout}"
    );
    let output = dir.pipe("inspect -", format!("3\n{PUZZLE}\n").as_bytes());
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        stdout.contains("its first line says how many follow"),
        "{stdout}"
    );
    let compressed = gzip(format!("{PUZZLE}\n").repeat(900).as_bytes());
    dir.write("cut.gz", &compressed[..compressed.len() / 2]);
    let output = dir.run("inspect cut.gz");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stdout.contains("truncated") && stdout.contains(PUZZLE),
        "{stdout}"
    );
    dir.fail("inspect missing", 2);
}
