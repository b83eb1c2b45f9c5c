//! Tests of every notation in the list, and of texts that are in none.

use super::*;
use crate::text::{Normalised, normalise};

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// The grid in a text, or the error; `None` if the text is in no notation.
fn read_grid(text: &str) -> Option<Result<String, String>> {
    let mut votes = DigitsVotes::default();
    vote(text.as_bytes(), &mut votes);
    let reading = read(text.as_bytes(), votes.digits())?;
    let grid = reading.and_then(|reading| match normalise(reading.text.as_bytes())? {
        Normalised::Clues(grid) => Ok(grid.to_string()),
        Normalised::Marks(marks) => Ok(marks.clues().to_string()),
    });
    Some(grid.map_err(|error| error.to_string()))
}

#[test]
fn each_example_is_read_in_its_notation_alone() {
    for notation in &NOTATIONS {
        let readers: Vec<&str> = NOTATIONS
            .iter()
            .filter(|other| matches!((other.split)(notation.example), Some(Ok(_))))
            .map(|other| other.id)
            .collect();
        assert_eq!(readers, [notation.id], "{}", notation.example);
        assert_eq!(read_grid(notation.example), Some(Ok(PUZZLE.to_owned())));
        assert!(!notation.what.is_empty() && !notation.distinct.is_empty());
    }
}

#[test]
fn each_notation_is_read_however_its_cells_are_written() {
    let cells: Vec<&str> = PUZZLE.split("").filter(|cell| !cell.is_empty()).collect();
    let with = |blank: &str| -> Vec<String> {
        let written = cells.iter().map(|cell| match *cell {
            "." => blank.to_owned(),
            digit => digit.to_owned(),
        });
        written.collect()
    };
    let rows = |cells: &[String], between: &str| -> Vec<String> {
        cells.chunks(9).map(|row| row.join(between)).collect()
    };
    let mut texts = Vec::new();
    for blank in [
        "0", "-1", "None", "nan", "null", "", "'.'", "\"\"", "0.0", "NA",
    ] {
        let cells = with(blank);
        texts.push(format!("[{}]", cells.join(", ")));
        texts.push(format!("({})", cells.join(",")));
        texts.push(format!("[[{}]]", rows(&cells, ", ").join("],\n [")));
        texts.push(format!(
            "[array([{}])]",
            rows(&cells, ", ").join("]),\n array([")
        ));
        texts.push(format!(
            "array([[{}]], dtype=int64)",
            rows(&cells, ", ").join("],\n       [")
        ));
        texts.push(format!("c({})", cells.join(", ")));
        texts.push(format!("{{{{{}}}}}", rows(&cells, ",").join("},{")));
        texts.push(cells.join(","));
        texts.push(cells.join(";"));
        texts.push(rows(&cells, ",").join("\n"));
        texts.push(rows(&cells, "\t").join("\r\n") + "\n");
        let objects = rows(&cells, ", ");
        let objects = objects
            .iter()
            .zip(1..)
            .map(|(row, n)| format!("\"row{n}\": [{row}]"));
        texts.push(format!("{{{}}}", objects.collect::<Vec<_>>().join(", ")));
    }
    for blank in ["0", "-1", "nan", "0.", "0.000e+00"] {
        let cells = with(blank);
        texts.push(format!("[{}]", cells.join(" ")));
        texts.push(format!("[[{}]]", rows(&cells, " ").join("]\n [")));
        texts.push(cells.join(" "));
        texts.push(rows(&cells, "  ").join("\n"));
    }
    let numpy = with("np.int64(0)").join(", ");
    texts.push(format!("[{}]", numpy.replace("[5", "[np.int64(5)")));
    for blank in [".", "0", "_", "*", "x", "-", "?", "·", "□", "⬜"] {
        let rows = rows(&with(blank), "");
        for text in [
            format!("['{}']", rows.join("', '")),
            format!("[\"{}\"]", rows.join("\",\n \"")),
            rows.join("/"),
            rows.join("|") + "|",
            rows.join(", "),
            rows.join("\\n"),
            format!("=\"{}\"", rows.concat()),
            format!("'{}", rows.concat()),
            format!("puzzle = \"{}\";", rows.concat()),
            format!("\u{feff}{}\u{200b}", rows.concat()),
        ] {
            texts.push(text);
        }
    }
    texts.push(
        PUZZLE
            .replace('.', "0")
            .chars()
            .map(|c| char::from_u32(c as u32 + 0xfee0).unwrap())
            .collect(),
    );
    for text in texts {
        assert_eq!(read_grid(&text), Some(Ok(PUZZLE.to_owned())), "{text}");
    }
}

#[test]
fn a_damaged_grid_is_an_error_or_in_no_notation() {
    let list = format!(
        "[{}]",
        PUZZLE
            .replace('.', "0")
            .split("")
            .collect::<Vec<_>>()
            .join(" ")
    );
    for (text, expected) in [
        (
            list.replacen("0 ", "", 1),
            "wrong_length: a list of 80 cells; a puzzle has 81",
        ),
        (
            list.replacen("0 0", "0 ... 0", 1),
            "wrong_length: the list was cut when it was written",
        ),
        (
            list.replacen("5", "55", 1),
            "bad_character: \"55\" at position 1 is not between 0 and 9",
        ),
        (
            list.replacen("0", "None", 1),
            "mixed_blanks: \"none\" and \"0\" both stand for an empty cell; are the digits 0 to 8?",
        ),
    ] {
        let error = read_grid(&text).unwrap().unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    for text in [
        "",
        "no puzzle",
        "[1, 2, 3",
        "[1, 2, 3]]",
        "rows sum to 45 45 45 45 45 45 45 45 45",
        "{\"role\": \"user\", \"content\": \"Solve it\"}",
        &PUZZLE[1..],
        &PUZZLE[..80],
        "{\"r2\": [1, 2, 3, 4], \"r1\": [3, 4, 1, 2], \"r3\": [2, 1, 4, 3], \"r4\": [4, 3, 2, 1]}",
    ] {
        assert!(!matches!(read_grid(text), Some(Ok(_))), "{text}");
    }
}

#[test]
fn rows_with_names_are_boards_of_any_size() {
    let text = "Row 1: . 2 . 5 . .\nRow 2: 4 3 . . . .\nRow 3: 2 . . . . 6\nRow 4: . . 4 . . .\n\
                Row 5: . . . . . .\nRow 6: . 4 . . 5 3";
    let reading = read(text.as_bytes(), Digits::default()).and_then(Result::ok);
    let text = reading.map(|reading| reading.text);
    assert_eq!(
        text.as_deref(),
        Some(".2.5..43....2....6..4..........4..53")
    );
}

/// Compares the table in `docs/formats.md` with the notations. If `UPDATE_DOCS=1` is set, rewrites the table.
#[test]
fn the_documented_notations_are_these() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let Ok(text) = std::fs::read_to_string(path) else {
        return; // A packaged crate has no documents beside it.
    };
    let (begin, end) = ("<!-- notations: begin -->\n", "<!-- notations: end -->");
    let (before, rest) = text.split_once(begin).expect("the marker of its begin");
    let (_, after) = rest.split_once(end).expect("the marker of its end");
    let mut table = "| notation | what it is | how it begins |\n|---|---|---|\n".to_owned();
    for notation in &NOTATIONS {
        let (id, what) = (notation.id, notation.what);
        let first_lines = notation.example.lines().take(2).map(str::trim);
        let example: String = first_lines.collect::<Vec<_>>().join(" ⏎ ");
        let start: String = example.chars().take(36).collect();
        let start = start.replace('|', "\\|");
        table += &format!("| {id} | {what} | `{start}…` |\n");
    }
    let expected = format!("{before}{begin}{table}{end}{after}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, expected).unwrap();
    } else {
        assert_eq!(text, expected, "run UPDATE_DOCS=1 cargo test");
    }
}
