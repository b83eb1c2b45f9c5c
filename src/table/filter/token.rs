//! Splits the text of a condition into words, numbers, quoted texts and signs. Each has its position in bytes.

use super::Problem;
use super::error::{END, Fault};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name or keyword without quotes.
    Word(&'a str),
    /// A name in double quotes.
    Name(String),
    /// A text in single quotes.
    Text(String),
    Number(&'a str),
    Sign(&'a str),
    End,
}

impl Token<'_> {
    /// The name of the token in error messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(text) | Token::Number(text) | Token::Sign(text) => (*text).to_owned(),
            Token::Name(name) => format!("\"{name}\""),
            Token::Text(text) => format!("'{text}'"),
            Token::End => END.to_owned(),
        }
    }
}

/// The signs with more than one character. `--` and `/*` would start comments, which are not supported.
const LONG_SIGNS: &[&str] = &[
    "::", "<=", ">=", "<>", "!=", "==", "//", "||", "**", "->", "--", "/*",
];

/// Splits a text into tokens. The last one is [`Token::End`].
pub(super) fn tokenise(text: &str) -> Result<Vec<(usize, Token<'_>)>, Fault> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while let Some(first) = text[offset..].chars().next() {
        let remaining_text = &text[offset..];
        let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let (token, length) = if first.is_whitespace() {
            offset += first.len_utf8();
            continue;
        } else if is_number(remaining_text) || first == '.' && is_number(&remaining_text[1..]) {
            let length = number_length(remaining_text);
            (Token::Number(&remaining_text[..length]), length)
        } else if is_in_word(first) {
            let length = remaining_text
                .find(|c| !is_in_word(c))
                .unwrap_or(remaining_text.len());
            (Token::Word(&remaining_text[..length]), length)
        } else if first == '\'' || first == '"' {
            let open_quote = || (offset, Problem::OpenQuote(first));
            let (content, length) = parse_quoted(remaining_text, first).ok_or_else(open_quote)?;
            let token = if first == '"' {
                Token::Name
            } else {
                Token::Text
            };
            (token(content), length)
        } else {
            let sign = LONG_SIGNS
                .iter()
                .find(|sign| remaining_text.starts_with(**sign));
            let length = sign.map_or(first.len_utf8(), |sign| sign.len());
            (Token::Sign(&remaining_text[..length]), length)
        };
        tokens.push((offset, token));
        offset += length;
    }
    tokens.push((text.len(), Token::End));
    Ok(tokens)
}

fn is_in_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The length of the number at the start of a text, with its decimal point and exponent. Letters that directly follow
/// the number are included, so that the whole word is reported as invalid.
fn number_length(text: &str) -> usize {
    let mut length = 0;
    for (at, byte) in text.bytes().enumerate() {
        let is_exponent = at > 0 && matches!(text.as_bytes()[at - 1], b'e' | b'E');
        let is_part = byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
        if !(is_part || is_exponent && matches!(byte, b'+' | b'-')) {
            break;
        }
        length = at + 1;
    }
    length
}

/// The text between the quotes at the start of `text`, and its length including the quotes. A doubled quote stands for
/// one quote. `None` if the closing quote is missing.
fn parse_quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character == quote && characters.next_if(|(_, next)| *next == quote).is_none() {
            return Some((content, at + 1));
        }
        content.push(character);
    }
    None
}
