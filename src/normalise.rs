//! Stage 2 of 7: the text of a puzzle → the canonical grid, or why it is none.
//!
//! A grid is n digits and 81 − n of one blank character. Whether the digits contradict each other
//! is for the next stage.

use crate::board::Grid;
use crate::reject::{RejectKind, RejectReason};

/// The characters that may stand for an empty cell.
pub const BLANKS: [char; 9] = ['.', '0', '*', '_', '-', 'x', 'X', ' ', '?'];

/// The grid that this text stands for.
///
/// # Errors
/// The first that applies of: not UTF-8, empty, not 81 cells, a character that is neither digit
/// nor blank, two kinds of blank.
pub fn normalise(text: &[u8]) -> Result<Grid, RejectReason> {
    match <&[u8; 81]>::try_from(text).ok().and_then(clean) {
        Some(grid) => Ok(grid),
        None => with_care(text),
    }
}

/// Whether the bytes are a grid as it is nearly always written.
pub(crate) fn is_clean(cells: &[u8; 81]) -> bool {
    clean(cells).is_some()
}

/// Whether a byte may stand in a grid.
pub(crate) fn is_cell(byte: u8) -> bool {
    is_digit(byte) || is_blank(char::from(byte))
}

fn is_digit(byte: u8) -> bool {
    byte.wrapping_sub(b'1') < 9
}

fn is_blank(character: char) -> bool {
    BLANKS.contains(&character)
}

/// Loops over all 81 bytes without a way out, so that the compiler makes vectors of them.
fn clean(cells: &[u8; 81]) -> Option<Grid> {
    let blank = cells
        .iter()
        .copied()
        .find(|byte| !is_digit(*byte))
        .unwrap_or(b'.');
    let mut all_cells = true;
    let mut any_digit = false;
    let mut canonical = [b'.'; 81];
    for (to, from) in canonical.iter_mut().zip(cells) {
        let digit = is_digit(*from);
        *to = if digit { *from } else { b'.' };
        all_cells &= digit | (*from == blank);
        any_digit |= digit;
    }
    // Nothing but spaces is not a grid without clues: it is nothing.
    let something = any_digit | (blank != b' ');
    if all_cells && something && is_blank(char::from(blank)) {
        Grid::from_canonical(&canonical)
    } else {
        None
    }
}

#[cold]
fn with_care(text: &[u8]) -> Result<Grid, RejectReason> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let message = format!(
            "byte {} of the puzzle is not UTF-8",
            error.valid_up_to() + 1
        );
        RejectReason::new(RejectKind::NotUtf8, message)
    })?;
    let is_space = |character: char| character.is_ascii_whitespace();
    let trimmed = text.trim_matches(is_space);
    if trimmed.is_empty() {
        return Err(RejectReason::new(
            RejectKind::NullValue,
            "the puzzle is empty",
        ));
    }
    let squeezed: Vec<char> = text.chars().filter(|c| !is_space(*c)).collect();
    let cells: Vec<char> = if text.chars().count() == 81 {
        text.chars().collect()
    } else if trimmed.chars().count() != 81 && squeezed.len() == 81 {
        squeezed
    } else {
        trimmed.chars().collect()
    };
    if cells.len() != 81 {
        return Err(wrong_length(cells.len()));
    }
    canonical(&cells)
}

fn wrong_length(cells: usize) -> RejectReason {
    let size = match cells {
        16 => "4 × 4",
        36 => "6 × 6",
        256 => "16 × 16",
        625 => "25 × 25",
        729 => "a 9 × 9 grid of pencil marks",
        _ => {
            let message = format!("{cells} cells; a puzzle has 81");
            return RejectReason::new(RejectKind::WrongLength, message);
        }
    };
    let message = format!("{cells} cells are {size}; only 9 × 9 puzzles with 81 are read");
    RejectReason::new(RejectKind::UnsupportedSize, message)
}

fn canonical(cells: &[char]) -> Result<Grid, RejectReason> {
    let is_digit = |character: char| matches!(character, '1'..='9');
    let stray = |character: char| !is_digit(character) && !is_blank(character);
    if let Some((index, character)) = cells.iter().enumerate().find(|(_, c)| stray(**c)) {
        let message = format!(
            "{character:?} at position {} is neither a digit nor a blank",
            index + 1
        );
        return Err(RejectReason::new(RejectKind::BadCharacter, message));
    }
    let mut blanks = cells.iter().copied().filter(|c| !is_digit(*c));
    let blank = blanks.next();
    if let (Some(one), Some(other)) = (blank, blanks.find(|other| Some(*other) != blank)) {
        let message = format!("{one:?} and {other:?} both stand for an empty cell");
        return Err(RejectReason::new(RejectKind::MixedBlanks, message));
    }
    let text: String = cells
        .iter()
        .map(|c| if is_digit(*c) { *c } else { '.' })
        .collect();
    Grid::from_canonical(text.as_bytes()).ok_or_else(|| wrong_length(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    fn outcome(text: &[u8]) -> String {
        match normalise(text) {
            Ok(grid) => grid.to_string(),
            Err(reason) => format!("{}: {}", reason.kind.id(), reason.message),
        }
    }

    #[test]
    fn every_way_to_write_a_grid_is_understood() {
        for blank in BLANKS {
            let text = PUZZLE.replace('.', &blank.to_string());
            assert_eq!(outcome(text.as_bytes()), PUZZLE);
        }
        let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect();
        for text in [
            rows.join(" "),
            rows.join("\r\n") + "\n",
            format!(" {PUZZLE}\t"),
        ] {
            assert_eq!(outcome(text.as_bytes()), PUZZLE);
        }
        let full = "1".repeat(81);
        assert_eq!(outcome(full.as_bytes()), full);
        assert_eq!(outcome(".".repeat(81).as_bytes()), ".".repeat(81));
    }

    #[test]
    fn every_other_text_is_rejected_with_a_reason() {
        let with = |at: usize, by: &str| {
            let mut text = PUZZLE.to_owned();
            text.replace_range(at..=at, by);
            text.into_bytes()
        };
        let sized = |cells| "1".repeat(cells).into_bytes();
        let cases: [(Vec<u8>, &str); 15] = [
            (b"".to_vec(), "null_value: the puzzle is empty"),
            (b" ".repeat(81), "null_value: the puzzle is empty"),
            (b" \t\n".to_vec(), "null_value: the puzzle is empty"),
            (sized(80), "wrong_length: 80 cells; a puzzle has 81"),
            (sized(82), "wrong_length: 82 cells; a puzzle has 81"),
            (b" a b ".to_vec(), "wrong_length: 3 cells; a puzzle has 81"),
            (
                sized(16),
                "unsupported_size: 16 cells are 4 × 4; only 9 × 9 puzzles with 81 are read",
            ),
            (
                sized(36),
                "unsupported_size: 36 cells are 6 × 6; only 9 × 9 puzzles with 81 are read",
            ),
            (
                sized(256),
                "unsupported_size: 256 cells are 16 × 16; only 9 × 9 puzzles with 81 are read",
            ),
            (
                sized(625),
                "unsupported_size: 625 cells are 25 × 25; only 9 × 9 puzzles with 81 are read",
            ),
            (
                sized(729),
                "unsupported_size: 729 cells are a 9 × 9 grid of pencil marks; only 9 × 9 puzzles with 81 are read",
            ),
            (
                with(4, "a"),
                "bad_character: 'a' at position 5 is neither a digit nor a blank",
            ),
            (
                with(4, "é"),
                "bad_character: 'é' at position 5 is neither a digit nor a blank",
            ),
            (
                with(2, "0"),
                "mixed_blanks: '.' and '0' both stand for an empty cell",
            ),
            (
                [b"12".as_slice(), b"\xff"].concat(),
                "not_utf8: byte 3 of the puzzle is not UTF-8",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(outcome(&text), expected);
        }
    }

    #[test]
    fn the_fast_path_agrees_with_the_careful_one() {
        let seed = 81;
        let mut rng = Rng::new(seed);
        let strange = [b'a', b'\n', b'\t', 0, 0x80, 0xff, b':', b'/', b'9', b'1'];
        for case in 0..20_000 {
            let blank = BLANKS[rng.below(9)] as u8;
            let length = [81, 81, 81, 81, 80, 82, 90, 0][rng.below(8)];
            let mut text: Vec<u8> = (0..length)
                .map(|_| {
                    if rng.below(3) == 0 {
                        b'1' + rng.below(9) as u8
                    } else {
                        blank
                    }
                })
                .collect();
            for _ in 0..rng.below(3) {
                if let Some(byte) = text.get_mut(rng.below(81)) {
                    *byte = [BLANKS[rng.below(9)] as u8, strange[rng.below(10)]][rng.below(2)];
                }
            }
            assert_eq!(
                normalise(&text),
                with_care(&text),
                "seed {seed}, case {case}: {text:?}"
            );
        }
    }
}
