//! Reads cells that are named one by one: `r1c3 = 4`, `(1, 3): 4`, `row 1, column 3 is 4`, `value(4, r1c3)`.

use std::ops::Range;

/// The digit of a named cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) value: usize,
    /// The start and the end in the simple text.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// All assignments of a text, in order.
pub(super) fn assignments(text: &[u8]) -> Vec<Assignment> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let may_start = match text[at] {
            b'(' | b'[' => true,
            b'r' | b'R' | b'A'..=b'I' => at == 0 || !text[at - 1].is_ascii_alphanumeric(),
            _ => false,
        };
        match may_start.then(|| assignment(text, at)).flatten() {
            Some(assignment) => {
                at = assignment.end;
                found.push(assignment);
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
}

/// The digit in words such as `place 4 at` at the end of a text.
fn placed_value(text: &[u8]) -> Option<usize> {
    let text = text[text.len().saturating_sub(24)..].trim_ascii_end();
    let words = [b" at".as_slice(), b" in", b" into"];
    let text = words
        .iter()
        .find_map(|word| text.strip_suffix(*word))?
        .trim_ascii_end();
    let (last, before) = text.split_last()?;
    let before = before.trim_ascii_end().to_ascii_lowercase();
    let verbs = [
        b"place".as_slice(),
        b"put",
        b"write",
        b"enter",
        b"insert",
        b"set",
    ];
    let is_placed = verbs.iter().any(|verb| before.ends_with(verb));
    (is_placed && last.is_ascii_digit()).then(|| usize::from(last - b'0'))
}

fn assignment(text: &[u8], start: usize) -> Option<Assignment> {
    let mut cursor = Cursor { text, at: start };
    let (row, column) = if matches!(text[start], b'(' | b'[') {
        cursor.at += 1;
        cursor.skip(b" ", 2);
        let _ = cursor.skip_word(&["row", "r"]);
        cursor.skip(b" ", 1);
        let row = cursor.number()?;
        cursor.skip(b" ,][", 4);
        if let Some(cell) = cursor.named_cell() {
            cursor.skip(b" ", 2);
            cursor.skip_word(&[")", "]"])?;
            let (row, column, value, end) = (cell.0, cell.1, row, cursor.at);
            return Some(Assignment {
                row,
                column,
                value,
                start,
                end,
            });
        }
        let (row, column) = match cursor.named_column() {
            Some(column) => (row, column),
            None => (row, cursor.number()?),
        };
        cursor.skip(b" ", 2);
        if text[start] == b'['
            && let Some(value) = cursor.number()
        {
            // `[1 3 4]`
            cursor.skip_word(&["]"])?;
            let end = cursor.at;
            return Some(Assignment {
                row,
                column,
                value,
                start,
                end,
            });
        }
        cursor.skip_word(&[")", "]"])?;
        (row, column)
    } else if text[start].is_ascii_uppercase()
        && text.get(start + 1).is_some_and(u8::is_ascii_digit)
        && text[start] != b'R'
    {
        cursor.at += 1;
        (usize::from(text[start] - b'A') + 1, cursor.number()?)
    } else {
        let (row, column) = cursor.named_cell()?;
        if let Some(value) = placed_value(&text[..start]) {
            let end = cursor.at;
            return Some(Assignment {
                row,
                column,
                value,
                start,
                end,
            });
        }
        (row, column)
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
    let value = cursor.number()?;
    let next = text.get(cursor.at).copied().unwrap_or(b' ');
    if next.is_ascii_alphanumeric() {
        return None;
    }
    Some(Assignment {
        row,
        column,
        value,
        start,
        end: cursor.at,
    })
}

/// The cells of a puzzle with the assignments; `None` unless they fill all its empty cells, each with one value.
/// `symbols` are the characters of the digits.
pub(super) fn complete(
    assignments: &[Assignment],
    clues: &[u8],
    order: usize,
    symbols: &[u8],
) -> Option<(Vec<u8>, Range<usize>)> {
    let blanks = clues.iter().filter(|cell| **cell == b'.').count();
    if blanks == 0 || assignments.len() < blanks {
        return None;
    }
    let least = assignments
        .iter()
        .map(|cell| cell.row.min(cell.column))
        .min()?;
    let most = assignments
        .iter()
        .map(|cell| cell.row.max(cell.column))
        .max()?;
    let bases: &[usize] = match (least, most) {
        (0, most) if most < order => &[0],
        (1.., most) if most == order => &[1],
        (1.., most) if most < order => &[1, 0],
        _ => return None,
    };
    bases.iter().find_map(|base| {
        let mut cells = clues.to_vec();
        let mut assigned = vec![false; cells.len()];
        for cell in assignments {
            let at = (cell.row - base) * order + cell.column - base;
            let symbol = *symbols.get(cell.value.checked_sub(1)?)?;
            if assigned[at] && cells[at] != symbol {
                return None;
            }
            assigned[at] = true;
            cells[at] = symbol;
        }
        let place = assignments.first()?.start..assignments.last()?.end;
        (!cells.contains(&b'.')).then_some((cells, place))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let found = assignments(text.as_bytes());
            let cells: Vec<_> = found
                .iter()
                .map(|cell| (cell.row, cell.column, cell.value))
                .collect();
            assert_eq!(cells, [(1, 3, 4)], "{text}");
        }
        for text in [
            "r1c3 is not 4",
            "r1c3",
            "(1, 3)",
            "row 1 column 3 has",
            "r1c3 = 4x",
        ] {
            assert_eq!(assignments(text.as_bytes()), [], "{text}");
        }
    }
}
