//! Tests of the forms in which moves are written.

use crate::board::Grid;
use crate::judge::steps::read::{STEP_FORMS, read_steps};

fn moves(text: &str) -> String {
    match read_steps(text, &Grid::EMPTY) {
        Ok(steps) => {
            let moves = steps.moves.iter().map(ToString::to_string);
            format!("{}: {}", steps.form.id, moves.collect::<Vec<_>>().join(" "))
        }
        Err(why) => why,
    }
}

/// An array of two clues and two placements.
fn array() -> String {
    let mut numbers = vec![2, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 4, 3, 4, 4, 5, 2];
    numbers.resize(325, 0);
    format!("{numbers:?}")
}

#[test]
fn every_form_is_read_and_its_example_has_its_name() {
    let expected = [
        "moves: r1c3=4 r5c5=5 r2c2<>3",
        "numbered_steps: r1c3=4 r5c5<>1 r5c5<>2",
        "messages: r1c3=4",
        "step_table: r1c3=4 r5c5<>1",
        "list: r1c3=4 r5c5<>1",
        "boards: r1c3=4 r1c4=5",
        "array: r1c3=4 r5c5=5",
    ];
    for (form, expected) in STEP_FORMS.iter().zip(expected) {
        let example = match form.id {
            "array" => array(),
            _ => form.example.to_owned(),
        };
        assert_eq!(moves(&example), expected);
    }
}

#[test]
fn other_ways_to_write_the_forms_are_read() {
    let board = Grid::EMPTY.as_str();
    let rows: Vec<String> = (0..9)
        .map(|row| board[9 * row..][..9].replace('.', "0"))
        .collect();
    let rows = format!("{rows:?}").replacen("000000000", "004000000", 1);
    for (text, expected) in [
        (r#"{"steps": ["r1c3=4"]}"#.to_owned(), "list: r1c3=4"),
        ("['r1c3=4', 'r5c5<>1']".to_owned(), "moves: r1c3=4 r5c5<>1"),
        ("[]".to_owned(), "list: "),
        (
            "E5=5, then A3 = 4 and A1 is 7".to_owned(),
            "moves: r5c5=5 r1c3=4 r1c1=7",
        ),
        (
            "1. Row 5, column 5 is 5.\n2. Place 4 at r1c3.".to_owned(),
            "moves: r5c5=5 r1c3=4",
        ),
        (
            r#"["E5=5", "row 1 column 3: 4"]"#.to_owned(),
            "list: r5c5=5 r1c3=4",
        ),
        (
            "Ｒ１Ｃ３＝４, r５c5 → 𝟓, r2c2≠３".to_owned(),
            "moves: r1c3=4 r5c5=5 r2c2<>3",
        ),
        (r#"["（1，3）：４"]"#.to_owned(), "list: r1c3=4"),
        (
            r#"{"moves": ["r1c3=4"], "answer": "done"}"#.to_owned(),
            "list: r1c3=4",
        ),
        (
            r#"[{"move": "r1c3=4", "verdict": "implied"}, {"move": "r5c5<>1"}]"#.to_owned(),
            "step_table: r1c3=4 r5c5<>1",
        ),
        (
            r#"[{"role": "assistant", "content": [{"type": "text", "text": "r1c3=4"}]}]"#
                .to_owned(),
            "messages: r1c3=4",
        ),
        (
            "1. r1c3=4 and r1c4=5\n2. Pair: r5c5-1 r5c6-1, then r6c6=2".to_owned(),
            "numbered_steps: r1c3=4 r1c4=5 r5c5<>1 r5c6<>1 r6c6=2",
        ),
        (
            "1️⃣. Full house: r1c3=4️⃣".to_owned(),
            "numbered_steps: r1c3=4",
        ),
        (
            r#"{"placements": ["r1c3=4"], "eliminations": null}"#.to_owned(),
            "step_table: r1c3=4",
        ),
        (
            format!("{}\n\nthen\n\n4{}", board, &board[1..]),
            "boards: r1c1=4",
        ),
        (format!("[{rows}, {rows}]"), "boards: r1c3=4"),
        (rows.clone(), "boards: r1c3=4"),
        (
            "12) **Naked single: r1c3=4**, r1c4=5".to_owned(),
            "numbered_steps: r1c3=4 r1c4=5",
        ),
        (
            "1. r1c3=4, since r1c4=5\n2. Pair: r5c5-1\nThen r6c6=2.".to_owned(),
            "numbered_steps: r1c3=4 r5c5<>1 r6c6=2",
        ),
        (
            "no move".to_owned(),
            "the text has neither moves such as r1c3=4 nor boards",
        ),
        (
            r#"["r1c3=4", "r1c3"]"#.to_owned(),
            "\"r1c3\" of the list is no move",
        ),
        (r#"[1, 2]"#.to_owned(), "1 of the list is no move"),
    ] {
        assert_eq!(moves(&text), expected, "{text}");
    }
}

/// Compares the table in `docs/training.md` with the forms. If `UPDATE_DOCS=1` is set, rewrites it.
#[test]
fn the_documented_forms_of_steps_are_these() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/training.md");
    let Ok(text) = std::fs::read_to_string(path) else {
        return; // A packaged crate has no documents beside it.
    };
    let mut table = "| form | what it is | how it begins |\n|---|---|---|\n".to_owned();
    for form in &STEP_FORMS {
        let start: String = form.example.replace('\n', " ⏎ ").chars().take(44).collect();
        table += &format!("| `{}` | {} | `{start}…` |\n", form.id, form.what);
    }
    let (begin, end) = ("<!-- step forms: begin -->\n", "<!-- step forms: end -->");
    let (before, rest) = text.split_once(begin).expect("the marker of its begin");
    let (_, after) = rest.split_once(end).expect("the marker of its end");
    let expected = format!("{before}{begin}{table}{end}{after}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, expected).unwrap();
    } else {
        assert_eq!(text, expected, "run UPDATE_DOCS=1 cargo test");
    }
}
