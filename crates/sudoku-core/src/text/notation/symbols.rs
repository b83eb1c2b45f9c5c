//! The symbols of cells: which tokens stand for an empty cell, and which for a digit.
//!
//! A token alone does not say this: `0` is an empty cell beside `1` to `9`, and a digit where `-1` is the empty cell. So
//! the meaning of numbers is decided for a whole input, from its first records.

use std::borrow::Cow;

use super::numbers::{Number, NumberSymbols, SymbolCounts};
use super::token_value::TokenValue;
use super::tokens::Tokens;
use crate::text::{ParseError, ParseErrorKind};

/// The meaning of the numbers in an input: which number is the first digit. The number below it is an empty cell, unless
/// the digits are from 0 on; then only another symbol, such as -1, is an empty cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    first: i64,
}

impl Digits {
    /// The digits of a 9 × 9 grid are 1 to 9, and 0 is an empty cell.
    pub const FROM_ONE: Digits = Digits { first: 1 };
    /// The digits are 0 to 8. Another symbol, such as -1, is an empty cell.
    pub const FROM_ZERO: Digits = Digits { first: 0 };
    /// The digits are 2 to 10, and 1 is an empty cell, as in the token ids of models.
    pub const FROM_TWO: Digits = Digits { first: 2 };

    /// The meaning of numbers where `offset` is an empty cell, and digit d is `offset + d`. For -1, other symbols can
    /// be empty cells instead.
    pub fn from_offset(offset: i16) -> Digits {
        Digits {
            first: i64::from(offset) + 1,
        }
    }

    /// The number that stands for an empty cell; `None` if no number does.
    fn empty(self) -> Option<i64> {
        (self.first > 0).then_some(self.first - 1)
    }

    /// A phrase that says which numbers are the digits of a grid of this order.
    pub fn describe(self, order: usize) -> String {
        let last = self.first + order as i64 - 1;
        format!("digits are {} to {last}", self.first)
    }
}

impl Default for Digits {
    fn default() -> Digits {
        Digits::FROM_ONE
    }
}

/// Decides the meaning of the numbers in an input from its first grids, as [`SymbolCounts`] does for arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct DigitsVotes {
    counts: SymbolCounts,
    chosen: Option<Digits>,
}

impl DigitsVotes {
    /// Counts a grid.
    pub(crate) fn count(&mut self, tokens: &Tokens<'_>) {
        let order = tokens.order as i128;
        let cells = tokens.cells.iter();
        let numbers = cells.map(|cell| match TokenValue::from_token(cell) {
            Some(TokenValue::Empty("-1")) => Number::Whole(-1),
            Some(TokenValue::Empty(_)) => Number::Null,
            Some(TokenValue::Number(number)) => Number::Whole(number.into()),
            Some(TokenValue::Letter(_)) | None => Number::Other,
        });
        let numbers: Vec<Number> = numbers.collect();
        let has = |wanted: i128| numbers.contains(&Number::Whole(wanted));
        let has_blank = has(-1) || has(0) || numbers.contains(&Number::Null);
        let is_shifted = match (has(order + 1), has(order)) {
            (true, _) => Some(has(1) && !has_blank),
            (false, true) => Some(false),
            (false, false) => has_blank.then_some(false),
        };
        self.counts
            .add(numbers.into_iter(), tokens.order, is_shifted);
    }

    /// Sets the meaning, instead of the one that most grids fit.
    pub(crate) fn choose(&mut self, digits: Digits) {
        self.chosen = Some(digits);
    }

    /// The meaning that was set, or that most grids fit. Grids that can be read in two ways are rejected one by one.
    pub(crate) fn digits(&self) -> Digits {
        let inferred = || match self.counts.symbols() {
            Some(NumberSymbols {
                one, problem: None, ..
            }) => Digits {
                first: i64::from(one),
            },
            _ => Digits::FROM_ONE,
        };
        self.chosen.unwrap_or_else(inferred)
    }
}

/// The symbols of a grid, as they were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbols {
    /// The text that stands for an empty cell; `None` if no cell is empty.
    pub empty: Option<String>,
    /// The meaning of the numbers.
    pub digits: Digits,
}

/// The cells as plain text: a character for each cell, `.` for an empty cell. Also returns the symbols.
///
/// # Errors
/// A token is no cell, or two symbols stand for an empty cell.
pub(super) fn plain_text(
    tokens: &Tokens<'_>,
    digits: Digits,
) -> Result<(String, Symbols), ParseError> {
    let has_letters = tokens
        .cells
        .iter()
        .any(|cell| matches!(TokenValue::from_token(cell), Some(TokenValue::Letter(_))));
    let mut text = String::with_capacity(tokens.cells.len());
    let mut empty: Option<Cow<'_, str>> = None;
    for (at, token) in tokens.cells.iter().enumerate() {
        let bad = || {
            let message = format!("{token:?} at position {} is not a cell", at + 1);
            ParseError::new(ParseErrorKind::BadCharacter, message)
        };
        let value = TokenValue::from_token(token).ok_or_else(bad)?;
        let blank = match value {
            TokenValue::Empty(blank) => blank,
            TokenValue::Letter(letter) => {
                text.push(letter);
                continue;
            }
            TokenValue::Number(0) if has_letters => {
                // In an alphabet such as 0-9A-F, `0` is a symbol. The alphabet is inferred later.
                text.push('0');
                continue;
            }
            TokenValue::Number(number) if Some(number) == digits.empty() => match number {
                0 => "0",
                1 => "1",
                _ => token.trim(),
            },
            TokenValue::Number(number) => {
                let cell = digit(number - digits.first, tokens.order);
                text.push(cell.ok_or_else(|| {
                    let least = digits.empty().unwrap_or(digits.first);
                    let most = digits.first + tokens.order as i64 - 1;
                    let position = at + 1;
                    let message = format!(
                        "{token:?} at position {position} is not between {least} and {most}"
                    );
                    ParseError::new(ParseErrorKind::BadCharacter, message)
                })?);
                continue;
            }
        };
        if let Some(other) = empty.as_deref().filter(|other| *other != blank) {
            return Err(mixed(other, blank));
        }
        empty.get_or_insert(Cow::Borrowed(blank));
        text.push('.');
    }
    if digits == Digits::FROM_ONE
        && empty.as_deref() == Some("0")
        && is_full_from_zero(&text, tokens.order)
    {
        let message = "it has 0 once in each row, and the largest digit nowhere: a full grid of digits from 0 on";
        return Err(ParseError::new(ParseErrorKind::MixedBlanks, message));
    }
    let empty = empty.map(Cow::into_owned);
    Ok((text, Symbols { empty, digits }))
}

/// Whether a grid has one empty cell in each row, and lacks the largest digit.
fn is_full_from_zero(text: &str, order: usize) -> bool {
    let largest = digit(order as i64 - 1, order);
    let mut rows = text.as_bytes().chunks(order);
    rows.all(|row| row.iter().filter(|cell| **cell == b'.').count() == 1)
        && !largest.is_some_and(|digit| text.contains(digit))
}

/// The character for a token in a board of this order: a digit, a letter, or a blank. The symbols of the whole board
/// are checked later. `None` if the token is no cell.
pub fn cell_character(token: &str, order: usize) -> Option<char> {
    match TokenValue::from_token(token)? {
        TokenValue::Empty("-1") => Some('-'),
        TokenValue::Empty(blank) if blank.len() == 1 => blank.chars().next(),
        TokenValue::Empty(_) => Some('.'),
        TokenValue::Number(0) => Some('0'),
        TokenValue::Number(number) => digit(number - 1, order),
        TokenValue::Letter(letter) => Some(letter),
    }
}

/// Whether a token can be a cell of a grid of this order: a number up to the order, an empty cell, or a letter on large
/// grids.
pub fn is_cell_token(token: &str, order: usize) -> bool {
    match TokenValue::from_token(token) {
        None => false,
        Some(TokenValue::Empty(_)) => true,
        Some(TokenValue::Number(number)) => (0..=order as i64).contains(&number),
        Some(TokenValue::Letter(_)) => order > 9,
    }
}

fn mixed(one: &str, other: &str) -> ParseError {
    let mut message = format!("{one:?} and {other:?} both stand for an empty cell");
    if one == "0" || other == "0" {
        message += "; are the digits 0 to 8?";
    }
    ParseError::new(ParseErrorKind::MixedBlanks, message)
}

/// The character of the digit with this index, from 0, in a grid of this order.
fn digit(index: i64, order: usize) -> Option<char> {
    let index = usize::try_from(index).ok().filter(|index| *index < order)?;
    let character = match index {
        0..9 => b'1' + index as u8,
        _ => b'A' + (index - 9) as u8,
    };
    Some(char::from(character))
}

#[cfg(test)]
mod tests {
    use super::super::numbers::NumberProblem;
    use super::*;

    fn read(cells: &[&str]) -> Result<String, String> {
        let tokens = Tokens::new(4, cells.to_vec());
        let mut votes = DigitsVotes::default();
        votes.count(&tokens);
        let plain = plain_text(&tokens, votes.digits());
        plain
            .map(|(text, _)| text)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_token_that_is_no_cell_keeps_its_place() {
        let count = |cells: &str| {
            let tokens = Tokens::new(4, cells.split(' ').collect());
            let mut votes = DigitsVotes::default();
            votes.count(&tokens);
            votes.counts.symbols().and_then(|symbols| symbols.problem)
        };
        let from_zero = Some(NumberProblem::FromZero);
        assert_eq!(count("0 1 2 3 2 3 0 1 1 0 3 2 3 2 1 0"), from_zero);
        // The zeros would be once a row if the other cells moved up.
        assert_eq!(count("3 1 2 no 0 3 2 0 1 2 0 3 1 2 3 0"), None);
    }

    #[test]
    fn tokens_become_cells() {
        for (cells, expected) in [
            (["1", "2.0", "3.", "4.0e+00", "0"], "1234."),
            (["1", "'2'", "\"3\"", "4", ""], "1234."),
            (["1", "2", "3", "4", "None"], "1234."),
            (["1", "2", "3", "4", "NaN"], "1234."),
            (["1", "2", "3", "4", "-1.0"], "1234."),
            (["0", "1", "2", "3", "-1"], "1234."),
            (["2", "3", "4", "5", "1"], "1234."),
            (["1", "2", "3", "4", "_"], "1234."),
            (["A", "B", "C", "D", "-1"], "ABCD."),
        ] {
            assert_eq!(read(&cells).as_deref(), Ok(expected), "{cells:?}");
        }
        for (cells, expected) in [
            (
                ["1", "2", "3", "None", "0"],
                "mixed_blanks: \"none\" and \"0\" both stand for an empty cell; are the digits 0 to 8?",
            ),
            (
                ["1", "2", "4", "-1", "0"],
                "mixed_blanks: \"-1\" and \"0\" both stand for an empty cell; are the digits 0 to 8?",
            ),
            (
                ["1", "2", "3", ".", "_"],
                "mixed_blanks: \".\" and \"_\" both stand for an empty cell",
            ),
            (
                ["1", "2", "9", "0", "0"],
                "bad_character: \"9\" at position 3 is not between 0 and 4",
            ),
            (
                ["1", "2.5", "3", "0", "0"],
                "bad_character: \"2.5\" at position 2 is not a cell",
            ),
        ] {
            assert_eq!(read(&cells).unwrap_err(), expected, "{cells:?}");
        }
    }
}
