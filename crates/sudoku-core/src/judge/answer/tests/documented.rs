//! The forms and rules are documented, and the examples are right.

use super::*;

/// Each form is the one of its example.
#[test]
fn the_examples_are_in_their_forms() {
    let puzzle = "1...............";
    for form in FORMS {
        let puzzle = if form.id == "assignments" {
            "1...341221434321"
        } else {
            puzzle
        };
        let answer = read_answer(form.example, puzzle, &Alphabets::default());
        let read = answer.map(|answer| (answer.grid, answer.form.id));
        assert_eq!(read, Ok(("1234341221434321".to_owned(), form.id)));
    }
    let ids = FORMS.map(|form| form.id);
    assert!((1..ids.len()).all(|at| !ids[..at].contains(&ids[at])));
}

/// Compares the tables in `docs/training.md` with the forms and rules. If `UPDATE_DOCS=1` is set, rewrites them.
#[test]
fn the_documented_answers_are_these() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/training.md");
    let Ok(text) = std::fs::read_to_string(path) else {
        return; // A packaged crate has no documents beside it.
    };
    let mut forms = "| form | what it is | how it begins |\n|---|---|---|\n".to_owned();
    for form in FORMS {
        let lines: Vec<&str> = form.example.lines().take(2).collect();
        let mut start: String = lines.join(" ⏎ ").chars().take(36).collect();
        if start.chars().count() < form.example.chars().count() {
            start.push('…');
        }
        let start = start.replace('|', "\\|");
        forms += &format!("| `{}` | {} | `{start}` |\n", form.id, form.what);
    }
    let mut rules = "| rule | the grid stands |\n|---|---|\n".to_owned();
    for rule in RULES {
        rules += &format!("| `{}` | {} |\n", rule.id, rule.what);
    }
    let mut expected = text.clone();
    for (name, table) in [("forms", forms), ("rules", rules)] {
        let (begin, end) = (
            format!("<!-- answer {name}: begin -->\n"),
            format!("<!-- answer {name}: end -->"),
        );
        let (before, rest) = expected
            .split_once(&begin)
            .expect("the marker of its begin");
        let (_, after) = rest.split_once(&end).expect("the marker of its end");
        expected = format!("{before}{begin}{table}{end}{after}");
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, expected).unwrap();
    } else {
        assert_eq!(text, expected, "run UPDATE_DOCS=1 cargo test");
    }
}
