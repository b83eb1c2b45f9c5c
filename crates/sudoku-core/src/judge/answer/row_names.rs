//! The names of rows: `Row 1:`, `R1`, `First row`, `A |`, `1.`.

use super::simplify::{LETTER, Simple};
use super::tokens::{Kind, Token, is_mark};

/// How a row is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    /// With a word that means row. Sentences may stand between such rows.
    Word,
    Letter,
    Number,
}

/// The name of a row, with its index as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowName {
    pub(super) kind: NameKind,
    pub(super) index: usize,
}

const ROW_WORDS: [&str; 19] = [
    "row", "r", "line", "rank", "zeile", "reihe", "fila", "ligne", "riga", "rij", "linha", "rows",
    "linea", "rad", "rivi", "wiersz", "sor", "baris", "satir",
];

/// Words for a row that have letters outside ASCII. Words that mean a column, such as 列 and столбец, must not be added.
const OTHER_ROW_WORDS: [&str; 24] = [
    "行",
    "行目",
    "строка",
    "ряд",
    "рядок",
    "ред",
    "línea",
    "línia",
    "rząd",
    "řádek",
    "satır",
    "hàng",
    "dòng",
    "γραμμή",
    "σειρά",
    "שורה",
    "الصف",
    "صف",
    "السطر",
    "سطر",
    "ردیف",
    "행",
    "줄",
    "แถว",
];

/// Stands before a number in Chinese and Japanese and makes it an ordinal.
const ORDINAL_MARK: &str = "第";

/// Names of lists whose items are rows, as in `grid[0]`.
const LIST_WORDS: [&str; 7] = [
    "grid", "board", "sudoku", "solution", "matrix", "rows", "arr",
];

const NUMBER_WORDS: [[&str; 2]; 9] = [
    ["first", "one"],
    ["second", "two"],
    ["third", "three"],
    ["fourth", "four"],
    ["fifth", "five"],
    ["sixth", "six"],
    ["seventh", "seven"],
    ["eighth", "eight"],
    ["ninth", "nine"],
];

const FILLERS: [&str; 13] = [
    "the", "is", "are", "reads", "becomes", "be", "final", "now", "and", "cells", "values",
    "digits", "numbers",
];

/// The longest name, in tokens.
const LONGEST_NAME: usize = 12;

/// The name that the tokens before a row are; `None` if they are something else. `number` is the number behind the words
/// if it stands directly before the cells.
pub(super) fn row_name(
    tokens: &[Token],
    simple: &Simple<'_>,
    number: Option<usize>,
) -> Option<RowName> {
    let text = &simple.text;
    let mut has_word = false;
    let mut has_filler = false;
    let mut index = number;
    let mut kind = NameKind::Number;
    if tokens.len() > LONGEST_NAME {
        return None;
    }
    for token in tokens {
        let own = std::str::from_utf8(&text[token.start..token.end]).ok()?;
        let word = own
            .trim_matches(|c: char| c == '.' || c == '?' || c.is_ascii() && is_mark(c as u8))
            .to_ascii_lowercase();
        let found = match token.kind {
            Kind::Cells | Kind::Number(_) => word.parse().ok(),
            Kind::Word if own.bytes().any(|byte| byte == LETTER) => {
                let (number, is_row) = other_word(token, simple)?;
                has_word |= is_row;
                has_filler |= !is_row;
                match number {
                    Some(_) => number,
                    None => continue,
                }
            }
            Kind::Word => {
                if ROW_WORDS.contains(&word.as_str()) {
                    has_word = true;
                    continue;
                }
                if LIST_WORDS.contains(&word.as_str()) && text.get(token.end) == Some(&b'[') {
                    has_word = true;
                    continue;
                }
                if FILLERS.contains(&word.as_str()) {
                    has_filler = true;
                    continue;
                }
                let found = index_in(&word, &mut has_word);
                if let (Some(_), [_]) = (found, word.as_bytes()) {
                    kind = NameKind::Letter;
                }
                found
            }
            _ => continue,
        };
        if index.replace(found?).is_some() {
            return None;
        }
    }
    let index = index?;
    if has_word {
        return Some(RowName {
            kind: NameKind::Word,
            index,
        });
    }
    (!has_filler).then_some(RowName { kind, index })
}

/// Whether words say nothing but that the cells of a row follow.
pub(super) fn are_fillers(tokens: &[Token], text: &[u8]) -> bool {
    let mut words = tokens.iter().filter(|token| token.kind == Kind::Word);
    words.all(|token| {
        let word = text[token.start..token.end].to_ascii_lowercase();
        FILLERS.iter().any(|filler| filler.as_bytes() == word)
    })
}

/// The index in a word such as `r1`, `row_1`, `1st`, `first`, `b`.
fn index_in(word: &str, has_row_word: &mut bool) -> Option<usize> {
    if let Some(at) = NUMBER_WORDS.iter().position(|names| names.contains(&word)) {
        return Some(at + 1);
    }
    if let [letter @ b'a'..=b'z'] = word.as_bytes() {
        return Some(usize::from(letter - b'a') + 1);
    }
    for suffix in ["st", "nd", "rd", "th"] {
        if let Some(number) = word.strip_suffix(suffix)
            && let Ok(number) = number.parse()
        {
            return Some(number);
        }
    }
    let letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (letters, rest) = word.split_at(letters);
    let number = rest.trim_start_matches(['_', '-', '.', '#']);
    if !ROW_WORDS.contains(&letters) {
        return None;
    }
    *has_row_word = true;
    number.parse().ok().or_else(|| {
        let at = NUMBER_WORDS
            .iter()
            .position(|names| names.contains(&number))?;
        Some(at + 1)
    })
}

/// The number in a word with letters that are not ASCII, such as `第1行`, and whether the word means row; `None` if the
/// word is something else.
fn other_word(token: &Token, simple: &Simple<'_>) -> Option<(Option<usize>, bool)> {
    let mut number = None;
    let mut is_row = false;
    let mut start = token.start;
    let own = &simple.text[token.start..token.end];
    for part in own.chunk_by(|one, next| one.is_ascii_digit() == next.is_ascii_digit()) {
        let place = start..start + part.len();
        start = place.end;
        if part[0].is_ascii_digit() {
            let own = std::str::from_utf8(part).ok()?.parse().ok()?;
            if number.replace(own).is_some() {
                return None;
            }
            continue;
        }
        let word = simple.original(place).to_lowercase();
        let word = word.trim_matches(|c: char| c == '.' || c.is_ascii() && is_mark(c as u8));
        if OTHER_ROW_WORDS.contains(&word) {
            is_row = true;
        } else if word != ORDINAL_MARK && !word.is_empty() {
            return None;
        }
    }
    Some((number, is_row))
}
