//! Cells that a text names, with their values: `r1c3`, `A3`, `row 1, column 3`.

use super::super::tokens::CellSyntax;

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

/// Reads small parts of a text one after the other.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    pub(super) syntax: CellSyntax,
}

impl Cursor<'_> {
    /// Skips one of these words, without regard to upper and lower case. Longer words must stand before their beginnings.
    pub(super) fn skip_word(&mut self, words: &[&str]) -> Option<()> {
        let rest = &self.text[self.at..];
        let word = words.iter().find(|word| {
            rest.get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        })?;
        self.at += word.len();
        Some(())
    }

    /// Skips up to `most` of these characters.
    pub(super) fn skip(&mut self, characters: &[u8], most: usize) {
        let rest = self.text[self.at..].iter().take(most);
        self.at += rest.take_while(|byte| characters.contains(byte)).count();
    }

    /// The row and the column in a name such as `r1c3` or `row 1, column 3`.
    pub(super) fn named_cell(&mut self) -> Option<(usize, usize)> {
        self.skip_word(&["row", "r"])?;
        self.skip(b" _*", 3);
        let row = self.number()?;
        self.skip(b" ,_*", 4);
        let _ = self.skip_word(&["and "]);
        self.skip_word(&["column", "col", "c"])?;
        self.skip(b". _*", 4);
        Some((row, self.number()?))
    }

    pub(super) fn named_column(&mut self) -> Option<usize> {
        self.skip_word(&["column", "col", "c"])?;
        self.skip(b" _", 2);
        self.number()
    }

    /// A number of one or two digits that is not a part of a longer word.
    pub(super) fn number(&mut self) -> Option<usize> {
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
    pub(super) fn value(&mut self) -> Option<Value> {
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
    pub(super) fn finds_candidate(&mut self) -> bool {
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

/// The row and the column in a name such as `A3`.
pub(super) fn lettered_cell(cursor: &mut Cursor<'_>) -> Option<(usize, usize)> {
    let letter = *cursor.text.get(cursor.at)?;
    let row = usize::from(letter.checked_sub(b'A')?) + 1;
    if row > cursor.syntax.order.max(9) {
        return None;
    }
    cursor.at += 1;
    Some((row, cursor.number()?))
}

/// The row and the column in the text of a field: `r1c3`, `A3`, `[1, 3]`, `1,3`.
pub(super) fn cell_of_field(field: &str, syntax: CellSyntax) -> Option<(usize, usize)> {
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
