//! Reads cells that are named one by one: `r1c3 = 4`, `(1, 3): 4`, `row 1, column 3 is 4`, `value(4, r1c3)`.

use super::super::tokens::CellSyntax;
use super::assertions::is_asserted;
use super::named_cells::{Assignment, Cursor, Value, lettered_cell};
use super::objects::cell_object;

/// All assignments of a text, in order. Candidates and values that the text denies are none.
pub(super) fn assignments(text: &[u8], syntax: CellSyntax) -> Vec<Assignment> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'{'
            && let Some(cell) = cell_object(text, at, syntax)
        {
            at = cell.end;
            found.push(cell);
            continue;
        }
        let may_start = match text[at] {
            b'(' | b'[' => true,
            b'r' | b'A'..=b'Z' => at == 0 || !text[at - 1].is_ascii_alphanumeric(),
            _ => false,
        };
        match may_start.then(|| assignment(text, at, syntax)).flatten() {
            Some(assignment) => {
                at = assignment.end;
                let mut cursor = Cursor { text, at, syntax };
                if !cursor.finds_candidate() && is_asserted(text, assignment.start, assignment.end)
                {
                    found.push(assignment);
                }
            }
            None => at += 1,
        }
    }
    found
}

/// The value in words such as `place 4 at` at the end of a text.
fn placed_value(text: &[u8], syntax: CellSyntax) -> Option<Value> {
    let text = text[text.len().saturating_sub(24)..].trim_ascii_end();
    let words = [b" at".as_slice(), b" in", b" into"];
    let text = words
        .iter()
        .find_map(|word| text.strip_suffix(*word))?
        .trim_ascii_end();
    let start = text.iter().rposition(u8::is_ascii_whitespace)?;
    let mut cursor = Cursor {
        text,
        at: start + 1,
        syntax,
    };
    let value = cursor.value()?;
    let before = text[..start].trim_ascii_end().to_ascii_lowercase();
    let verbs = [
        b"place".as_slice(),
        b"put",
        b"write",
        b"enter",
        b"insert",
        b"set",
    ];
    let is_placed = verbs.iter().any(|verb| {
        let before = before.strip_suffix(*verb);
        before.is_some_and(|before| !before.last().is_some_and(u8::is_ascii_alphanumeric))
    });
    (is_placed && cursor.at == text.len()).then_some(value)
}

fn assignment(text: &[u8], start: usize, syntax: CellSyntax) -> Option<Assignment> {
    let mut cursor = Cursor {
        text,
        at: start,
        syntax,
    };
    let assigned = |(row, column): (usize, usize), value: Value, end: usize| Assignment {
        row,
        column,
        value,
        start,
        end,
    };
    let cell = if matches!(text[start], b'(' | b'[') {
        cursor.at += 1;
        cursor.skip(b" ", 2);
        let inside = cursor.at;
        // `(4, r1c3)`
        if let Some(value) = cursor.value() {
            cursor.skip(b" ,", 4);
            if let Some(cell) = cursor.named_cell() {
                cursor.skip(b" ", 2);
                cursor.skip_word(&[")", "]"])?;
                return Some(assigned(cell, value, cursor.at));
            }
        }
        cursor.at = inside;
        let _ = cursor.skip_word(&["row", "r"]);
        cursor.skip(b" ", 1);
        let row = cursor.number()?;
        cursor.skip(b" ,][", 4);
        let column = match cursor.named_column() {
            Some(column) => column,
            None => cursor.number()?,
        };
        cursor.skip(b" ", 2);
        if text[start] == b'[' {
            // `[1 3 4]`
            if let Some(value) = cursor.value() {
                cursor.skip_word(&["]"])?;
                return Some(assigned((row, column), value, cursor.at));
            }
        }
        cursor.skip_word(&[")", "]"])?;
        (row, column)
    } else if let Some(cell) = cursor.named_cell() {
        if let Some(value) = placed_value(&text[..start], syntax) {
            return Some(assigned(cell, value, cursor.at));
        }
        cell
    } else {
        cursor.at = start;
        lettered_cell(&mut cursor)?
    };
    cursor.skip(b" *`\"')", 6);
    let words = [
        ":=",
        "=>",
        "==",
        "->",
        "=",
        ":",
        "is ",
        "should be ",
        "must be ",
        "becomes ",
        "gets ",
        "has ",
    ];
    cursor.skip_word(&words)?;
    cursor.skip(b" *`\"'>", 6);
    let value = cursor.value()?;
    Some(assigned(cell, value, cursor.at))
}

#[cfg(test)]
mod tests {
    use super::super::super::tokens::cell_syntax;
    use super::*;

    fn read(text: &str, order: usize) -> Vec<(usize, usize, Value)> {
        let found = assignments(text.as_bytes(), cell_syntax(order, order > 9));
        found
            .iter()
            .map(|cell| (cell.row, cell.column, cell.value))
            .collect()
    }

    #[test]
    fn named_cells_are_read() {
        for text in [
            "r1c3 = 4",
            "R1C3: 4",
            "**r1c3** = **4**",
            "(1, 3): 4",
            "(1,3) = 4",
            "grid[1][3] = 4",
            "row 1, column 3 is 4.",
            "Row 1 and col 3 -> 4",
            "\"r1c3\": 4",
            "value(4, r1c3)",
            "(R1, C3) = 4",
            "A3 = 4",
            "[1 3 4]",
            "Place 4 at r1c3",
        ] {
            assert_eq!(read(text, 9), [(1, 3, Value::Number(4))], "{text}");
        }
        for text in [
            "r1c3 is not 4",
            "r1c3",
            "(1, 3)",
            "row 1 column 3 has",
            "r1c3 = 4x",
            "Replace 4 at r1c3",
        ] {
            assert_eq!(read(text, 9), [], "{text}");
        }
        let two = [(1, 3, Value::Number(4)), (1, 4, Value::Number(5))];
        for text in [
            "r1c3 = 4, r1c4 = 5",
            "(1, 3): 4, (1, 4): 5",
            "(1, 3) = 4 (1, 4) = 5",
            "A3=4/A4=5",
            "1. r1c3 = 4\n2. r1c4 = 5",
            "[1 3 4] [1 4 5]",
            "r1c3 = 4. r1c4 = 5.",
        ] {
            assert_eq!(read(text, 9), two, "{text}");
        }
    }

    #[test]
    fn candidates_and_denied_cells_are_no_assignments() {
        for text in [
            "r1c3: 4, 5",
            "r1c3 = 4 or 5",
            "r1c3 = 4/5",
            "r1c3 = 4-5",
            "r1c3 = 4.5",
            "r1c3 = 4 5",
            "r1c3 = **4**, **5**",
            "r1c3 = 4 (5)",
            "r1c3 = 4?",
            "r1c3 = 4 is impossible.",
            "If r1c3 = 4, there is a conflict.",
            "It is false that r1c3 is 4.",
            "I cannot place 4 at r1c3.",
            "Place 4 or 5 at r1c3",
        ] {
            assert_eq!(read(text, 9), [], "{text}");
        }
    }

    #[test]
    fn cells_of_large_grids_are_read() {
        use Value::{Letter, Number};
        for (text, cell) in [
            ("r1c1 = A", (1, 1, Letter(b'A'))),
            ("r1c1 = c, r1c2", (1, 1, Letter(b'c'))),
            ("(12, 16): G", (12, 16, Letter(b'G'))),
            ("value(B, r1c3)", (1, 3, Letter(b'B'))),
            ("P16 = 12", (16, 16, Number(12))),
            ("Place 12 at r1c1", (1, 1, Number(12))),
            ("Place C in r1c1", (1, 1, Letter(b'C'))),
        ] {
            assert_eq!(read(text, 16), [cell], "{text}");
        }
        assert_eq!(
            read("R5 = 7, r1c1 = Y", 25),
            [(18, 5, Number(7)), (1, 1, Letter(b'Y'))]
        );
        for text in [
            "Row 1, column 1 is a naked single",
            "r1c1: I think",
            "Q1 = 4",
            "r1c1 = A or B",
            "r1c1 = AB",
        ] {
            assert_eq!(read(text, 16), [], "{text}");
        }
    }
}
