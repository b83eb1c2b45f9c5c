//! Cuts the simple text into tokens: cells, words, separators and line ends.

use super::simplify::{BREAK, LETTER};
use crate::board::Size;
use crate::text::notation::is_empty_word;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Cells, one for each character: `5`, `53..7....`, `**5**`.
    Cells,
    /// A number above 9 that is one cell of a larger grid.
    Number(u8),
    /// A word or number that stands for an empty cell: `None`, `-1`.
    Empty,
    /// Only dashes, stars or underscores: part of a rule, emphasis, or empty cells.
    Marks,
    Word,
    Separator(u8),
    LineEnd,
    /// The start or end of a block of code.
    Fence,
    /// The boundary of a tag.
    Break,
}

/// A token and its place in the simple text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What can be a cell of the grids that are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellSyntax {
    pub(super) order: usize,
    /// The number of columns of a box.
    pub(super) box_columns: usize,
    /// Whether letters stand for digits.
    pub(super) has_letters: bool,
}

impl CellSyntax {
    pub(super) fn cells(self) -> usize {
        self.order * self.order
    }

    /// Whether so many cells are rather a damaged grid than other numbers.
    pub(super) fn are_remains(self, count: usize) -> bool {
        4 * count >= 3 * self.cells() && 4 * count <= 5 * self.cells()
    }

    fn is_digit(self, byte: u8) -> bool {
        byte.is_ascii_digit() && (self.order >= 9 || usize::from(byte - b'0') <= self.order)
            || self.has_letters && byte.is_ascii_alphabetic()
    }

    /// The kind of a token that consists of letters, digits, blanks and marks.
    fn kind(self, text: &[u8]) -> Kind {
        if text.iter().all(|byte| is_mark(*byte)) {
            return Kind::Marks;
        }
        let bare = trim(text, is_mark);
        if text == b"-1" || is_empty_word(bare) {
            return Kind::Empty;
        }
        if self.order > 9 {
            let digits = bare.strip_suffix(b".").unwrap_or(bare);
            if let [tens @ b'1'..=b'9', ones @ b'0'..=b'9'] = digits {
                let number = (tens - b'0') * 10 + ones - b'0';
                return if usize::from(number) <= self.order {
                    Kind::Number(number)
                } else {
                    Kind::Word
                };
            }
        }
        let is_blank = |byte: u8| matches!(byte, b'.' | b'?' | b'x' | b'X') || is_mark(byte);
        if !text
            .iter()
            .all(|byte| self.is_digit(*byte) || is_blank(*byte))
        {
            return Kind::Word;
        }
        if self.has_letters {
            // A word is not a part of a row.
            let bare = bare.strip_suffix(b".").unwrap_or(bare);
            let length = bare.len();
            let is_run = length >= self.order && (length == self.order || length == self.cells());
            let is_group = length == 1 || length == self.box_columns;
            let is_upper = !bare
                .iter()
                .any(|byte| byte.is_ascii_lowercase() && *byte != b'x');
            let has_letter = bare.iter().any(u8::is_ascii_alphabetic);
            let is_symbol = length == 1 && self.order > 9;
            let is_part = is_run || is_symbol || is_group && is_upper;
            if has_letter && !is_part {
                return Kind::Word;
            }
        }
        Kind::Cells
    }
}

/// Whether a character can be emphasis, a part of a rule, or an empty cell.
pub(super) fn is_mark(byte: u8) -> bool {
    matches!(byte, b'*' | b'_' | b'-')
}

fn trim(text: &[u8], is_outside: impl Fn(u8) -> bool) -> &[u8] {
    let start = text.iter().take_while(|byte| is_outside(**byte)).count();
    let end = text[start..]
        .iter()
        .rev()
        .take_while(|byte| is_outside(**byte))
        .count();
    &text[start..text.len() - end]
}

fn is_part_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == LETTER || is_mark(byte) || matches!(byte, b'.' | b'?')
}

/// Names of constructors, which stand before a list of cells.
const CONSTRUCTORS: [&[u8]; 18] = [
    b"array",
    b"np.array",
    b"numpy.array",
    b"torch.tensor",
    b"tensor",
    b"list",
    b"tuple",
    b"int",
    b"np.int64",
    b"np.int32",
    b"np.int8",
    b"np.uint8",
    b"matrix",
    b"Matrix",
    b"c",
    b"rbind",
    b"vector",
    b"jnp.array",
];

/// The tokens of a text. A key of JSON, and a name of a row within a line, starts a new line.
pub(super) fn tokens(text: &[u8], syntax: CellSyntax) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 2);
    let mut at = 0;
    let mut line_start = 0;
    while let Some(&byte) = text.get(at) {
        let start = at;
        let line_end = Token {
            kind: Kind::LineEnd,
            start,
            end: start,
        };
        let kind = match byte {
            b'\n' => {
                at += 1;
                Kind::LineEnd
            }
            BREAK => {
                at += 1;
                Kind::Break
            }
            b'`' if text[at..].starts_with(b"```") => {
                // The name of the language belongs to the fence.
                let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'`';
                at += text[at..]
                    .iter()
                    .take(24)
                    .take_while(|byte| is_name(byte))
                    .count();
                Kind::Fence
            }
            byte if is_part_of_token(byte) => {
                let rest = &text[at..];
                let length = rest
                    .iter()
                    .take_while(|byte| is_part_of_token(**byte))
                    .count();
                at += length;
                let word = &rest[..length];
                if matches!(text.get(at), Some(b'(' | b'[')) && CONSTRUCTORS.contains(&word) {
                    continue;
                }
                let kind = syntax.kind(word);
                if kind == Kind::Word && start > line_start && is_row_name(&text[start..]) {
                    tokens.push(line_end);
                    line_start = start;
                }
                kind
            }
            b' ' | b'\t' => {
                at += 1;
                continue;
            }
            separator => {
                at += 1;
                if matches!(separator, b'"' | b'\'') && is_key(&text[start..], separator) {
                    tokens.push(line_end);
                    line_start = start;
                }
                Kind::Separator(separator)
            }
        };
        if matches!(kind, Kind::LineEnd | Kind::Break) {
            line_start = at;
        }
        tokens.push(Token {
            kind,
            start,
            end: at,
        });
    }
    tokens
}

/// Whether a text starts with a short text in quotes and a colon.
fn is_key(text: &[u8], quote: u8) -> bool {
    let inner = text[1..].iter().take(32);
    let length = inner
        .take_while(|byte| **byte != quote && **byte != b'\n')
        .count();
    let rest = text.get(1 + length..).unwrap_or_default();
    let after = rest.iter().skip(1).find(|byte| **byte != b' ');
    rest.first() == Some(&quote) && length > 0 && after == Some(&b':')
}

/// Whether a text starts with the name of a row and a colon or an equals sign: `Row 2:`, `**R2**:`.
fn is_row_name(text: &[u8]) -> bool {
    let window = &text[..text.len().min(16)];
    let window = trim(window, is_mark);
    let letters = window
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    if !matches!(
        window[..letters].to_ascii_lowercase().as_slice(),
        b"row" | b"r"
    ) {
        return false;
    }
    let is_between = |byte: &u8| matches!(byte, b' ' | b'#' | b'_' | b'-' | b'*' | b'"' | b'\'');
    let rest = &window[letters..];
    let rest = &rest[rest.iter().take_while(|byte| is_between(byte)).count()..];
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after = rest[digits..].iter().find(|byte| !is_between(byte));
    (1..=2).contains(&digits) && matches!(after, Some(b':' | b'='))
}

/// The syntax of cells in grids of this order.
pub(super) fn cell_syntax(order: usize, has_letters: bool) -> CellSyntax {
    let size = Size::from_cells(order * order);
    CellSyntax {
        order,
        box_columns: size.map_or(3, |size| size.of_box().1),
        has_letters: has_letters || order > 9,
    }
}
