//! `inspect`.

use crate::util::{PUZZLE, Place, SOLUTION, gzip};

#[test]
fn inspect_says_what_a_file_is_and_what_convert_would_do() {
    let place = Place::new();
    let text = format!(
        "id;quizzes;solutions\r\n7;{0};{SOLUTION}\r\n8;{1};\r\n9;x;\r\n",
        PUZZLE.replace('.', "0"),
        PUZZLE.replace('.', "0")
    );
    place.write("a b.csv.gz", gzip(format!("\u{feff}{text}").as_bytes()));
    let said = place.succeed(&["inspect", "a b.csv.gz", "--keep", "id"]);
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
        assert!(said.contains(words), "{words}: {said}");
    }
    let json = place.succeed(&["inspect", "a b.csv.gz", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["delimiter"], ";");
    assert_eq!(
        json["columns"][1],
        serde_json::json!({"name": "quizzes", "role": "puzzle"})
    );
    assert_eq!(json["rejects"]["wrong_length"], 1);
    assert_eq!(json["sample"][0]["puzzle"], PUZZLE);
}

/// Regression test: 12 × 12 grids were puzzles, but were missing from the counts of grids and of empty
/// cells.
#[test]
fn inspect_counts_grids_of_every_size() {
    let place = Place::new();
    for size in ["4", "6", "9", "12", "16"] {
        place.succeed(&format!("generate 2 --size {size} --seed 1 -o in.txt -f"));
        let said = place.succeed("inspect in.txt");
        let expected = format!("2 of {size} × {size}, empty cells are ");
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn inspect_reads_parquet_pipes_and_damaged_files_too() {
    let place = Place::new();
    place.succeed("generate 1500 --seed 3 -o in.parquet");
    let said = place.succeed("inspect in.parquet");
    assert!(said.contains("parquet: it starts with PAR1"), "{said}");
    assert!(
        said.contains("the first 1,000 looked at: 1,000 puzzles, 0 rejected"),
        "{said}"
    );
    let output = place.pipe("inspect -", format!("3\n{PUZZLE}\n").as_bytes());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("its first line says how many follow"),
        "{said}"
    );
    let whole = gzip(format!("{PUZZLE}\n").repeat(900).as_bytes());
    place.write("cut.gz", &whole[..whole.len() / 2]);
    let output = place.run("inspect cut.gz");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(
        said.contains("truncated") && said.contains(PUZZLE),
        "{said}"
    );
    place.fail("inspect missing", 2);
}
