//! Rows of several lengths, and lists whose names are not those of the rows in order.

use super::chosen::{PUZZLE, RIGHT};
use super::*;

fn is_read(text: &str) -> bool {
    let answer = read_answer(text, PUZZLE, &Alphabets::default());
    answer.is_ok_and(|answer| answer.grid == RIGHT)
}

/// The solution in parts of these lengths.
fn parts(lengths: &[usize]) -> Vec<Vec<char>> {
    let mut cells = RIGHT.chars();
    let parts = lengths.iter();
    parts
        .map(|length| cells.by_ref().take(*length).collect())
        .collect()
}

fn join(cells: &[char], separator: &str) -> String {
    let cells: Vec<String> = cells.iter().map(char::to_string).collect();
    cells.join(separator)
}

#[test]
fn ragged_rows_in_brackets_are_no_grid() {
    let even = [9; 9];
    let late = [9, 9, 9, 9, 9, 9, 9, 8, 10];
    let early = [10, 8, 9, 9, 9, 9, 9, 9, 9];
    // How a row, and all rows, are written.
    let forms: [(&str, &str, &str, &str, &str, &str); 12] = [
        ("[\n", "", ", ", "", ",\n", "\n]"),
        ("[\n", "", " ", "", "\n", "\n]"),
        ("\\boxed{\n", "", " ", "", "\n", "\n}"),
        ("solution = {\n", "", ", ", "", ",\n", "\n};"),
        ("(\n", "(", ", ", ")", ",\n", "\n)"),
        ("(", "(", ", ", ")", ", ", ")"),
        ("[", "[", ", ", "]", ", ", "]"),
        ("[\n", "  [", ", ", "]", ",\n", "\n]"),
        ("[", "\"", " ", "\"", ", ", "]"),
        ("[\n", "\"", " ", "\"", ",\n", "\n]"),
        ("[", "'", " ", "'", ", ", "]"),
        (
            "\\begin{array}{ccc}\n",
            "",
            " & ",
            "",
            " \\\\\n",
            "\n\\end{array}",
        ),
    ];
    for (start, before, cell, behind, row, end) in forms {
        for (lengths, is_grid) in [(even, true), (late, false), (early, false)] {
            let rows = parts(&lengths);
            let rows: Vec<String> = rows
                .iter()
                .map(|cells| format!("{before}{}{behind}", join(cells, cell)))
                .collect();
            let text = format!("Solution:\n{start}{}{end}", rows.join(row));
            assert_eq!(is_read(&text), is_grid, "{text}");
        }
    }
    // A flat list may be wrapped anywhere else.
    for length in [10, 12, 20, 27, 40] {
        let lengths: Vec<usize> = (0..81)
            .step_by(length)
            .map(|at| length.min(81 - at))
            .collect();
        if lengths.len() == 9 {
            continue;
        }
        let lines: Vec<String> = parts(&lengths)
            .iter()
            .map(|cells| join(cells, ", "))
            .collect();
        let text = format!("Solution:\n[{}]", lines.join(",\n"));
        assert!(is_read(&text), "{text}");
    }
}

#[test]
fn names_of_other_lines_in_an_object_are_no_rows() {
    let name = |prefix: &str, numbers: &[usize]| -> Vec<String> {
        let numbers = numbers.iter();
        numbers
            .map(|number| prefix.replace('#', &number.to_string()))
            .collect()
    };
    let ordered: Vec<usize> = (1..=9).collect();
    let reversed: Vec<usize> = (1..=9).rev().collect();
    let shifted: Vec<usize> = (2..=10).collect();
    for (prefix, numbers, is_grid) in [
        ("row#", &ordered, true),
        ("r#", &ordered, true),
        ("row#", &reversed, false),
        ("r#", &shifted, false),
        ("col#", &ordered, false),
        ("c#", &ordered, false),
        ("column_#", &ordered, false),
        ("box#", &ordered, false),
    ] {
        let rows = parts(&[9; 9]);
        for (cell, open, close) in [(", ", "[", "]"), (" ", "\"", "\""), ("", "\"", "\"")] {
            for (start, row, end) in [("{", ", ", "}"), ("{\n", ",\n", "\n}"), ("", ", ", "")] {
                let items: Vec<String> = name(prefix, numbers)
                    .iter()
                    .zip(&rows)
                    .map(|(name, cells)| format!("\"{name}\": {open}{}{close}", join(cells, cell)))
                    .collect();
                let text = format!("{start}{}{end}", items.join(row));
                assert_eq!(is_read(&text), is_grid, "{text}");
            }
        }
    }
    let by_cell = |numbers: &dyn Fn(usize) -> (usize, usize)| -> String {
        let cells = RIGHT.chars().enumerate().map(|(at, cell)| {
            let (row, column) = numbers(at);
            format!("\"r{row}c{column}\": {cell}")
        });
        format!("{{{}}}", cells.collect::<Vec<_>>().join(", "))
    };
    assert!(is_read(&by_cell(&|at| (at / 9 + 1, at % 9 + 1))));
    for text in [
        by_cell(&|at| (at / 9 + 2, at % 9 + 2)),
        by_cell(&|at| (at % 9 + 1, at / 9 + 1)),
        by_cell(&|at| (at / 9 + 2, at % 9 + 1)),
    ] {
        assert!(!is_read(&text), "{text}");
    }
}
