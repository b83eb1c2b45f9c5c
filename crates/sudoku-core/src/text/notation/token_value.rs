//! What a token of a grid can mean by itself: an empty cell, a number or a letter.

use crate::text::BLANKS;

/// Words that stand for an empty cell, in lower case.
const EMPTY_WORDS: [&str; 9] = [
    "",
    "none",
    "null",
    "nan",
    "na",
    "n/a",
    "<na>",
    "nil",
    "undefined",
];

/// Whether a text is a word that stands for an empty cell, such as `None` or `nan`, in upper or lower case.
pub(crate) fn is_empty_word(text: &[u8]) -> bool {
    let mut words = EMPTY_WORDS.iter().filter(|word| !word.is_empty());
    words.any(|word| text.eq_ignore_ascii_case(word.as_bytes()))
}

/// The meaning of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenValue<'a> {
    /// An empty cell, as it is written. Words are the same in upper and lower case.
    Empty(&'a str),
    Number(i64),
    Letter(char),
}

impl<'a> TokenValue<'a> {
    /// The meaning of a token; `None` if it cannot be a cell.
    pub(super) fn from_token(token: &'a str) -> Option<TokenValue<'a>> {
        let token = token.trim();
        let token = unquote(token);
        if let Some(word) = EMPTY_WORDS
            .iter()
            .find(|word| token.eq_ignore_ascii_case(word))
        {
            return Some(TokenValue::Empty(word));
        }
        let mut characters = token.chars();
        if let (Some(character), None) = (characters.next(), characters.next()) {
            return match character {
                '0'..='9' => character
                    .to_digit(10)
                    .map(|digit| TokenValue::Number(digit.into())),
                blank if BLANKS.contains(&blank) => Some(TokenValue::Empty(token)),
                ':' | ';' | '<' | '=' | '>' | '@' => Some(TokenValue::Letter(character)),
                letter if letter.is_ascii_alphabetic() => Some(TokenValue::Letter(letter)),
                _ => None,
            };
        }
        match whole_number(token)? {
            -1 => Some(TokenValue::Empty("-1")),
            number => Some(TokenValue::Number(number)),
        }
    }
}

fn unquote(token: &str) -> &str {
    let quoted = |quote| {
        let inner: Option<&str> = token.strip_prefix(quote)?.strip_suffix(quote);
        inner
    };
    quoted('"')
        .or_else(|| quoted('\''))
        .map_or(token, str::trim)
}

/// The number in a text such as `5`, `5.`, `5.0` or `5.000e+00`; `None` if it is no whole number of at most two digits.
fn whole_number(text: &str) -> Option<i64> {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    if text.len() > 32
        || !text.chars().all(is_number)
        || !text.contains(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    (number.fract() == 0.0 && (-1.0..=99.0).contains(&number)).then_some(number as i64)
}
