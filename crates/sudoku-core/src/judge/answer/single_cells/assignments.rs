//! Reads cells that are named one by one: `r1c3 = 4`, `(1, 3): 4`, `row 1, column 3 is 4`, `value(4, r1c3)`.

use super::super::tokens::CellSyntax;
use super::assertions::is_asserted;
use super::objects::cell_object;

/// The symbol of a named cell, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Number(usize),
    Letter(u8),
}

/// The value of a named cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) value: Value,
    /// The start and the end in the simple text.
    pub(super) start: usize,
    pub(super) end: usize,
}

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

/// Reads small parts of a text one after the other.
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    syntax: CellSyntax,
}

impl Cursor<'_> {
    /// Skips one of these words, without regard to upper and lower case. Longer words must stand before their beginnings.
    fn skip_word(&mut self, words: &[&str]) -> Option<()> {
        let rest = &self.text[self.at..];
        let word = words.iter().find(|word| {
            rest.get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        })?;
        self.at += word.len();
        Some(())
    }

    /// Skips up to `most` of these characters.
    fn skip(&mut self, characters: &[u8], most: usize) {
        let rest = self.text[self.at..].iter().take(most);
        self.at += rest.take_while(|byte| characters.contains(byte)).count();
    }

    /// The row and the column in a name such as `r1c3` or `row 1, column 3`.
    fn named_cell(&mut self) -> Option<(usize, usize)> {
        self.skip_word(&["row", "r"])?;
        self.skip(b" _*", 3);
        let row = self.number()?;
        self.skip(b" ,_*", 4);
        let _ = self.skip_word(&["and "]);
        self.skip_word(&["column", "col", "c"])?;
        self.skip(b". _*", 4);
        Some((row, self.number()?))
    }

    fn named_column(&mut self) -> Option<usize> {
        self.skip_word(&["column", "col", "c"])?;
        self.skip(b" _", 2);
        self.number()
    }

    /// A number of one or two digits that is not a part of a longer word.
    fn number(&mut self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let length = rest
            .iter()
            .take(3)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if !(1..=2).contains(&length) {
            return None;
        }
        self.at += length;
        std::str::from_utf8(&rest[..length]).ok()?.parse().ok()
    }

    /// A number, or a letter that stands for a digit and is not a word of a sentence, as in `is a 4`.
    fn value(&mut self) -> Option<Value> {
        let rest = &self.text[self.at..];
        let value = match rest {
            [letter, ..] if self.syntax.has_letters && letter.is_ascii_alphabetic() => {
                self.at += 1;
                Value::Letter(*letter)
            }
            _ => Value::Number(self.number()?),
        };
        let is_word = match (value, &self.text[self.at..]) {
            (_, [next, ..]) if next.is_ascii_alphanumeric() => true,
            (Value::Letter(_), [b' ' | b'\'', next, ..]) => next.is_ascii_alphabetic(),
            _ => false,
        };
        (!is_word).then_some(value)
    }

    /// Whether another candidate stands here, behind a value: `4, 5`, `4 or 5`, `4/5`, `4.5`, `4?`.
    fn finds_candidate(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if matches!(rest, [b'.', digit, ..] if digit.is_ascii_digit()) {
            return true;
        }
        self.skip(b" *`\"'", 6);
        if self.skip_word(&["?", "or "]).is_some() {
            return true;
        }
        let _ = self.skip_word(&[",", "/", "-", "|", "&", "~", ";"]);
        self.skip(b" *`\"'(", 6);
        let _ = self.skip_word(&["and ", "or "]);
        self.skip(b" *`\"'(", 6);
        // A cell such as `(1, 4)` begins with a number, too.
        let is_in_bracket = self.text[..self.at].ends_with(b"(");
        self.value().is_some() && (!is_in_bracket || self.skip_word(&[")"]).is_some())
    }
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

/// The row and the column in a name such as `A3`.
fn lettered_cell(cursor: &mut Cursor<'_>) -> Option<(usize, usize)> {
    let letter = *cursor.text.get(cursor.at)?;
    let row = usize::from(letter.checked_sub(b'A')?) + 1;
    if row > cursor.syntax.order.max(9) {
        return None;
    }
    cursor.at += 1;
    Some((row, cursor.number()?))
}

/// The row and the column in the text of a field: `r1c3`, `A3`, `[1, 3]`, `1,3`.
pub(super) fn assignment_of_cell(field: &str, syntax: CellSyntax) -> Option<(usize, usize)> {
    let text = field.as_bytes();
    let mut cursor = Cursor {
        text,
        at: 0,
        syntax,
    };
    let cell = cursor.named_cell().or_else(|| {
        cursor.at = 0;
        lettered_cell(&mut cursor)
    });
    let cell = cell.or_else(|| {
        cursor.at = 0;
        cursor.skip(b"[( ", 3);
        let row = cursor.number()?;
        cursor.skip(b", ", 3);
        Some((row, cursor.number()?))
    })?;
    cursor.skip(b"]) ", 3);
    (cursor.at == text.len()).then_some(cell)
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
