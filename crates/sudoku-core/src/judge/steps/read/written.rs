//! Reads moves such as `r1c3=4` and `r1c3<>4` in a text.

use crate::judge::steps::{Move, MoveKind};

/// The signs between a cell and a digit. Longer signs come before their beginnings.
const SIGNS: [(&str, MoveKind); 14] = [
    ("<>", MoveKind::Eliminate),
    ("!=", MoveKind::Eliminate),
    ("/=", MoveKind::Eliminate),
    ("=/=", MoveKind::Eliminate),
    ("≠", MoveKind::Eliminate),
    (":=", MoveKind::Place),
    ("==", MoveKind::Place),
    ("=>", MoveKind::Place),
    ("=", MoveKind::Place),
    (":", MoveKind::Place),
    ("->", MoveKind::Place),
    ("<-", MoveKind::Place),
    ("→", MoveKind::Place),
    ("←", MoveKind::Place),
];

/// The signs of eliminations that stand directly behind the cell. With a space they can be dashes of a sentence.
const MINUS_SIGNS: [char; 3] = ['-', '−', '–'];

/// All moves of a text, in their order.
pub(super) fn moves(text: &str) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(['r', 'R', '(']) {
        let start = at + offset;
        let before = text[..start].chars().next_back();
        let is_in_word = before.is_some_and(char::is_alphanumeric);
        at = match moves_at(&text[start..]).filter(|_| !is_in_word) {
            Some((own, length)) => {
                moves.extend(own);
                start + length
            }
            None => start + 1,
        };
    }
    moves
}

/// The moves of a text that has lines with a number and moves; `None` if it has no such lines. What follows the moves on such
/// a line is a reason, in which other moves can be named.
pub(super) fn numbered_steps(text: &str) -> Option<Vec<Move>> {
    let mut has_numbers = false;
    let mut all = Vec::new();
    for line in text.lines() {
        match numbered_step(line) {
            Some(own) => {
                has_numbers = true;
                all.extend(own);
            }
            None => all.extend(moves(line)),
        }
    }
    has_numbers.then_some(all)
}

/// The moves in a line such as `12. Naked pair: r1c3-4, r1c5-4. Reason` or `12. r1c3=4, reason`.
fn numbered_step(line: &str) -> Option<Vec<Move>> {
    let line = line.trim_start_matches([' ', '\t', '*', '-', '#', '>']);
    let number = line.bytes().take_while(u8::is_ascii_digit).count();
    let line = line[number..]
        .strip_prefix(['.', ')'])
        .filter(|_| number > 0)?;
    let start = |text: &str| text.len() - text.trim_start_matches(['*', '`', ' ']).len();
    let mut rest = &line[start(line)..];
    if moves_at(rest).is_none() {
        let (_, changes) = line.split_once(": ")?;
        rest = &changes[start(changes)..];
    }
    let mut moves = Vec::new();
    while let Some((own, end)) = moves_at(rest) {
        moves.extend(own);
        rest = rest[end..].trim_start_matches(['*', '`']);
        let separators = [',', ';', ' ', '*', '`'];
        rest = rest.trim_start_matches(separators);
        while let Some(after) = ["and ", "then "]
            .iter()
            .find_map(|word| rest.strip_prefix(word))
        {
            rest = after.trim_start_matches(separators);
        }
    }
    (!moves.is_empty()).then_some(moves)
}

/// The moves at the start of a text, and where they end. There are several if several digits are eliminated.
fn moves_at(text: &str) -> Option<(Vec<Move>, usize)> {
    let (row, column, after_cell) = cell_at(text)?;
    let sign_text = after_cell.trim_start_matches([' ', '*', '`']);
    let (kind, after_sign) = SIGNS
        .iter()
        .find_map(|(sign, kind)| Some((*kind, sign_text.strip_prefix(sign)?)))
        .or_else(|| Some((MoveKind::Eliminate, after_cell.strip_prefix(MINUS_SIGNS)?)))?;
    let digits_text = after_sign.trim_start_matches([' ', '*', '`']);
    let length = digits_text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = digits_text.split_at(length);
    if length == 0 || rest.starts_with(char::is_alphanumeric) || lists_candidates(rest) {
        return None;
    }
    let new = |digit| Move {
        kind,
        row,
        column,
        digit,
    };
    let moves = match kind {
        MoveKind::Place => vec![new(number(digits))],
        MoveKind::Eliminate => {
            let digits = digits.bytes();
            digits.map(|digit| new(u16::from(digit - b'0'))).collect()
        }
    };
    Some((moves, text.len() - rest.len()))
}

/// Whether a text behind a digit goes on with another candidate for the cell, as `, 5`, `/5`, ` or 5` or `.5`. A number before
/// `.`, `)` or `:` is that of a step.
fn lists_candidates(rest: &str) -> bool {
    if let Some(fraction) = rest.strip_prefix('.') {
        return fraction.starts_with(|c: char| c.is_ascii_digit());
    }
    let next = rest.trim_start_matches([',', '/', ' ']);
    if next.len() == rest.len() {
        return false;
    }
    let next = next.strip_prefix("or ").unwrap_or(next);
    let Some(after) = next.strip_prefix(|c: char| c.is_ascii_digit()) else {
        return false;
    };
    // "2 r1c4=9" is a number and a move, and "3 cells" a number of cells.
    let word = after.trim_start_matches(' ');
    let is_word = word.starts_with(char::is_alphabetic);
    let is_number = is_word && !["or ", "and "].iter().any(|joint| word.starts_with(joint));
    let ends_number = |c: char| c.is_alphanumeric() || matches!(c, '.' | ')' | ':');
    !after.starts_with(ends_number) && !is_number
}

/// The row and the column of a cell such as `r1c3` or `(1, 3)` at the start of a text, and the text after it.
fn cell_at(text: &str) -> Option<(u16, u16, &str)> {
    if let Some(pair) = text.strip_prefix('(') {
        let (row, rest) = number_at(pair.trim_start())?;
        let rest = rest.trim_start().strip_prefix(',')?;
        let (column, rest) = number_at(rest.trim_start())?;
        return Some((row, column, rest.trim_start().strip_prefix(')')?));
    }
    let (row, rest) = number_at(text.strip_prefix(['r', 'R'])?)?;
    let (column, rest) = number_at(rest.strip_prefix(['c', 'C'])?)?;
    Some((row, column, rest))
}

fn number_at(text: &str) -> Option<(u16, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    (length > 0).then(|| (number(digits), rest))
}

/// The value of decimal digits, or 65,535 if it is larger: that is outside every grid, too.
fn number(digits: &str) -> u16 {
    digits.parse().unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(moves: &[Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_way_to_write_a_move_is_read() {
        for (text, expected) in [
            ("r1c3=4", "r1c3=4"),
            ("R1C3 = 4.", "r1c3=4"),
            ("**r1c3** = **4**", "r1c3=4"),
            ("r1c3 := 4", "r1c3=4"),
            ("r1c3: 4", "r1c3=4"),
            ("(1, 3) = 4", "r1c3=4"),
            ("(1,3)->4", "r1c3=4"),
            ("r1c3 => 4, r1c4 <- 5", "r1c3=4 r1c4=5"),
            ("r1c3<>4", "r1c3<>4"),
            ("r1c3 != 4", "r1c3<>4"),
            ("r1c3≠4", "r1c3<>4"),
            ("r1c3-4", "r1c3<>4"),
            ("r1c3−4", "r1c3<>4"),
            ("r1c3 - 4", ""),
            ("rr1c3=4", ""),
            ("r1c3<>46", "r1c3<>4 r1c3<>6"),
            ("r10c3=4", "r10c3=4"),
            ("r1c3=0", "r1c3=0"),
            ("r1c3=12", "r1c3=12"),
            ("r1c3=99999999", "r1c3=65535"),
            ("put r1c3=4, r2c2=5;r3c3<>6", "r1c3=4 r2c2=5 r3c3<>6"),
            ("r1c3: 4, 5", ""),
            ("r1c3=4.5, r2c2=5/6", ""),
            ("r1c3 = 4 or 5", ""),
            ("r1c3=4. 2. r1c4=5, 3) r1c5=6", "r1c3=4 r1c4=5 r1c5=6"),
            ("1 r1c3=2 2 r1c4=9 3 r1c6=1", "r1c3=2 r1c4=9 r1c6=1"),
            ("r1c3=2, 3 cells left, r1c4=9", "r1c3=2 r1c4=9"),
            ("r1c3=4, 5 or 6", ""),
            ("1. r1c3=2 and then r1c4=9", "r1c3=2 r1c4=9"),
            ("r1c3 is 4", ""),
            ("r1c3=4x", ""),
            ("5r4c7 = 5r4c2 - 3r4c2", ""),
            ("bar1c3=4", ""),
            ("(1, 3)", ""),
            ("r1c3, r1c4", ""),
        ] {
            assert_eq!(texts(&moves(text)).join(" "), expected, "{text}");
        }
    }
}
