//! Tests that a table of text is read back with the names of its columns, whatever characters they have.

use serde_json::{Map, Value};
use sudoku_core::random::Rng;

use crate::util::{PUZZLE, SOLUTION, TestDir};

/// Pieces of names: characters with a meaning in CSV, TSV or another text format, and starts of other formats.
const PIECES: &[&str] = &[
    "#", "# ", "\"", "\n", "\r", "\t", ",", ";", "|", " ", "'", "a", "id", "puzzle", "sudoku", "1",
    "0", ".", "x", "\\", ":", "-", "*", "=", "{", "[", "<", "é", "\u{feff}", "PAR1", "ARROW1",
    "GIF89a", PUZZLE, "1.34",
];

fn random_text(rng: &mut Rng) -> String {
    let pieces = 1 + rng.below(4);
    (0..pieces)
        .map(|_| PIECES[rng.below(PIECES.len())])
        .collect()
}

/// Readers remove white space around a name. Names that are the same without it, or differ in case only, are not used.
fn plain(name: &str) -> String {
    name.trim().to_lowercase()
}

fn objects(text: &str) -> Vec<Map<String, Value>> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn names_of_any_characters_are_read_back() {
    let dir = TestDir::new();
    let seed = 11;
    for case in 0..100 {
        let mut rng = Rng::for_item(seed, case);
        let mut names: Vec<String> = Vec::new();
        while names.len() < 1 + case as usize % 4 {
            let name = random_text(&mut rng);
            let is_new = names.iter().all(|known| plain(known) != plain(&name));
            let taken = ["", "puzzle", "sudoku", "id"];
            if is_new && !taken.contains(&plain(&name).as_str()) {
                names.push(name);
            }
        }
        let puzzle_at = rng.below(names.len() + 1);
        names.insert(puzzle_at, "puzzle".to_owned());
        let rows = [PUZZLE, SOLUTION].iter().map(|puzzle| {
            let values = names.iter().enumerate().map(|(at, name)| {
                let value = if at == puzzle_at {
                    (*puzzle).to_owned()
                } else {
                    random_text(&mut rng)
                };
                (name.clone(), Value::from(value))
            });
            values.collect::<Map<_, _>>()
        });
        let rows: Vec<_> = rows.collect();
        let lines: Vec<_> = rows
            .iter()
            .map(|row| Value::from(row.clone()).to_string() + "\n")
            .collect();
        dir.write("in.ndjson", lines.concat());
        for format in ["csv", "tsv"] {
            let context = || format!("seed {seed}, case {case}, {format}: {names:?}");
            let output = format!("out.{format}");
            let write = ["convert", "in.ndjson", "-o", &output, "-q", "--overwrite"];
            assert!(dir.run(&write).status.success(), "{}", context());
            let read = ["convert", &output, "-o", "-", "--format", "ndjson", "-q"];
            let back = dir.run(&read);
            let message = String::from_utf8_lossy(&back.stderr);
            assert!(back.status.success(), "{}: {message}", context());
            let expected = rows.iter().map(|row| {
                let pairs = row
                    .iter()
                    .map(|(name, value)| (name.trim().to_owned(), value.clone()));
                pairs.collect::<Map<_, _>>()
            });
            let back = objects(std::str::from_utf8(&back.stdout).unwrap());
            assert_eq!(back, expected.collect::<Vec<_>>(), "{}", context());
        }
    }
}

/// The line of the second name was taken for a record, and the line before it for a comment.
#[test]
fn a_first_name_that_starts_another_format_is_read_back() {
    let dir = TestDir::new();
    for first in [
        "#id",
        "# puzzle",
        "{",
        "PAR1",
        "PK\u{3}\u{4}",
        "Obj\u{1}",
        "\u{feff}id",
    ] {
        let row = serde_json::json!({ first: "1", "x\ny": "2", "puzzle": PUZZLE });
        dir.write("in.ndjson", format!("{row}\n"));
        dir.succeed("convert in.ndjson -o out.csv --overwrite");
        let back = dir.succeed("convert out.csv -o - --format ndjson");
        assert_eq!(
            objects(&back)[..],
            [row.as_object().unwrap().clone()],
            "{first:?}"
        );
        // Other programs do not quote these names.
        if first.starts_with('#') {
            let text = String::from_utf8(dir.read("out.csv")).unwrap();
            dir.write("other.csv", text.replace(&format!("\"{first}\""), first));
            assert_eq!(
                dir.succeed("convert other.csv -o - --format ndjson"),
                back,
                "{first:?}"
            );
        }
    }
}
