//! The notations in which people write a grid as text: in a field of a table, on a line, or over several lines.
//!
//! ```text
//! text ── fold ─→ ASCII ── unprotect ─→ grid's text ── a notation ─→ tokens ── symbols ─→ a character for each cell
//! ```
//!
//! A text that is already a character for each cell is parsed by [`normalise`], and never comes
//! here. So notations cost nothing where they are not used.

mod board;
mod characters;
mod fields;
pub(super) mod fold;
mod game_id;
mod list;
mod numbers;
mod protection;
mod rows;
pub(super) mod symbols;
mod token_value;
mod tokens;

use std::borrow::Cow;

pub use numbers::{Number, NumberProblem, NumberSymbols, SymbolCounts};
pub(crate) use symbols::DigitsVotes;
pub use symbols::{Digits, Symbols, cell_character, is_cell_token};
pub(crate) use token_value::is_empty_word;

use crate::board::Size;
use crate::text::{BLANKS, ParseError, normalise};
pub(crate) use fold::{Folded, fold, fold_character};
use protection::unprotect;
use symbols::plain_text;
use tokens::{Split, Written};

/// A way to write a grid as text.
#[derive(Debug)]
pub struct Notation {
    /// The name in messages and documents.
    pub id: &'static str,
    /// A sentence that describes the notation.
    pub what: &'static str,
    /// A grid in this notation.
    pub example: &'static str,
    /// Why the notation is not confused with others.
    pub distinct: &'static str,
    split: fn(&str) -> Split<'_>,
}

impl PartialEq for Notation {
    fn eq(&self, other: &Notation) -> bool {
        self.id == other.id
    }
}

impl Eq for Notation {}

/// All notations, in the order in which they are tried.
pub static NOTATIONS: [Notation; 6] = [
    Notation {
        id: "characters",
        what: "a character for each cell, or the nine pencil marks of each cell; white space is ignored, unless it \
               marks the empty cells",
        example: "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        distinct: "it has as many characters as a grid has cells",
        split: characters::split,
    },
    Notation {
        id: "rows",
        what: "the rows on one line, with the same separator between any two: a slash, bar, comma, semicolon, dash, \
               dot, or an escaped line end",
        example: "53..7..../6..195.../.98....6./8...6...3/4..8.3..1/7...2...6/.6....28./...419..5/....8..79",
        distinct: "the separator is no blank of the grid, and stands after every row",
        split: rows::split,
    },
    Notation {
        id: "list",
        what: "a list of a program, flat or with a list or text for each row: Python, JSON, NumPy, JavaScript, R, \
               MATLAB, PostgreSQL",
        example: "[[5, 3, 0, 0, 7, 0, 0, 0, 0], [6, 0, 0, 1, 9, 5, 0, 0, 0], [0, 9, 8, 0, 0, 0, 0, 6, 0], \
                  [8, 0, 0, 0, 6, 0, 0, 0, 3], [4, 0, 0, 8, 0, 3, 0, 0, 1], [7, 0, 0, 0, 2, 0, 0, 0, 6], \
                  [0, 6, 0, 0, 0, 0, 2, 8, 0], [0, 0, 0, 4, 1, 9, 0, 0, 5], [0, 0, 0, 0, 8, 0, 0, 7, 9]]",
        distinct: "all of it is inside brackets",
        split: list::split,
    },
    Notation {
        id: "fields",
        what: "the cells between commas, semicolons, tabs, bars or white space, on one line or a row on each line; \
               whole numbers as floats too; nothing between two delimiters is an empty cell",
        example: "5,3,,,7,,,,,6,,,1,9,5,,,,,9,8,,,,,6,,8,,,,6,,,,3,4,,,8,,3,,,1,7,,,,2,,,,6,,6,,,,,2,8,,,,,4,1,9,,,5,,,,,8,,,7,9",
        distinct: "it has as many fields as a grid has cells",
        split: fields::split,
    },
    Notation {
        id: "game_id",
        what: "the id of a game of Simon Tatham's Solo, or an address that has all cells in it",
        example: "3x3:5_3b7d6b1_9_5d9_8d6a8c6c3_4b8a3b1_7c2c6a6d2_8d4_1_9b5d8b7_9",
        distinct: "it starts with the shape of a box and a colon, or with https",
        split: game_id::split,
    },
    Notation {
        id: "board",
        what: "a board of several lines, with or without rules, frames, headings and names of rows, and with words \
               around it",
        example: "  C1 C2 C3 C4 C5 C6 C7 C8 C9\n\
                  R1 5 3 . | . 7 . | . . .\n\
                  R2 6 . . | 1 9 5 | . . .\n\
                  R3 . 9 8 | . . . | . 6 .\n\
                  ------+-------+------\n\
                  R4 8 . . | . 6 . | . . 3\n\
                  R5 4 . . | 8 . 3 | . . 1\n\
                  R6 7 . . | . 2 . | . . 6\n\
                  ------+-------+------\n\
                  R7 . 6 . | . . . | 2 8 .\n\
                  R8 . . . | 4 1 9 | . . 5\n\
                  R9 . . . | . 8 . | . 7 9\n",
        distinct: "exactly one board of n lines with n cells is in the text",
        split: board::split,
    },
];

/// A grid that was read in some notation.
pub struct Reading {
    /// The notation.
    pub notation: &'static Notation,
    /// The grid: a character for each cell, or the nine characters of its pencil marks.
    pub text: String,
    /// The symbols of the cells; `None` if each cell was a character in the input.
    pub symbols: Option<Symbols>,
}

/// Reads a text in the first notation that fits it. `digits` is the meaning of numbers in the input. `None` if the
/// text is in no notation.
///
/// # Errors
/// The text is in a notation, but is not a grid: it has another number of cells, or a token is not a cell.
pub fn read(text: &[u8], digits: Digits) -> Option<Result<Reading, ParseError>> {
    let text = simplify(text)?;
    let (notation, written) = split(&text)?;
    Some(written.and_then(|written| {
        let (text, symbols) = match written {
            Written::Characters(text) => (text, None),
            Written::Tokens(tokens) => {
                let (text, symbols) = plain_text(&tokens, digits)?;
                (text, Some(symbols))
            }
        };
        Ok(Reading {
            notation,
            text,
            symbols,
        })
    }))
}

/// How a grid is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The notation.
    pub notation: &'static Notation,
    /// The text that stands for an empty cell; `None` if no cell is empty.
    pub empty: Option<String>,
}

/// Describes how a grid is written; `None` if the text is not a grid. `digits` is the meaning of numbers in the input.
pub fn describe(text: &[u8], digits: Digits) -> Option<Description> {
    let blank_in = |cells: &str| {
        let blank = cells.chars().find(|cell| BLANKS.contains(cell));
        blank.map(String::from)
    };
    if !starts_list(text)
        && let Ok(plain) = std::str::from_utf8(text)
        && (normalise(text).is_ok() || Size::from_cells(plain.trim().len()).is_some())
    {
        let has_space_cells = Size::is_cell_count(plain.len()) || plain.len() == 729;
        let cells = if has_space_cells {
            plain.to_owned()
        } else {
            plain.chars().filter(|c| !c.is_whitespace()).collect()
        };
        return Some(Description {
            notation: &NOTATIONS[0],
            empty: blank_in(&cells),
        });
    }
    let reading = read(text, digits)?.ok()?;
    let empty = match reading.symbols {
        Some(symbols) => symbols.empty,
        None => blank_in(&reading.text),
    };
    Some(Description {
        notation: reading.notation,
        empty,
    })
}

/// Counts the meanings of numbers that fit a text.
pub(crate) fn vote(text: &[u8], votes: &mut DigitsVotes) {
    let Some(text) = simplify(text) else { return };
    if let Some((_, Ok(Written::Tokens(tokens)))) = split(&text) {
        votes.count(&tokens);
    }
}

/// The longest text that is read as a grid, in bytes.
const LONGEST_TEXT: usize = 64 * 1024;

/// The text in ASCII, without protection around it; `None` if it is not UTF-8, or too long for a grid.
fn simplify(text: &[u8]) -> Option<Cow<'_, str>> {
    if text.len() > LONGEST_TEXT {
        return None;
    }
    Some(match fold(std::str::from_utf8(text).ok()?) {
        Cow::Borrowed(text) => Cow::Borrowed(unprotect(text)),
        Cow::Owned(text) => Cow::Owned(unprotect(&text).to_owned()),
    })
}

fn split(text: &str) -> Option<(&'static Notation, Result<Written<'_>, ParseError>)> {
    // A text in brackets is a list in all notations that could read it, and lists are common.
    if starts_list(text.as_bytes())
        && let Some(list) = NOTATIONS.iter().find(|notation| notation.id == "list")
        && let Some(split) = (list.split)(text)
    {
        return Some((list, split));
    }
    let mut tried = NOTATIONS.iter();
    tried.find_map(|notation| Some((notation, (notation.split)(text)?)))
}

/// Whether a text starts with a bracket, so that it is no plain text but may be a list.
pub(crate) fn starts_list(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'[' | b'(' | b'{'))
}

/// Whether a word in the place of a solution says that there is none: `nan`, `None`, `N/A`, `-`, `?`.
pub fn is_no_solution(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    let word = text.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    matches!(
        word.as_str(),
        "" | "nan"
            | "none"
            | "null"
            | "na"
            | "n/a"
            | "<na>"
            | "nil"
            | "undefined"
            | "-"
            | "--"
            | "?"
            | "unknown"
            | "unsolved"
            | "0"
            | "[]"
            | "no solution"
            | "not available"
    )
}

#[cfg(test)]
mod tests;
