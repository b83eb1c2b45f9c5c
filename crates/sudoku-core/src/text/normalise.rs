//! Parses the text of a puzzle and brings it into normal form.
//!
//! A grid is 81 characters: digits, and one character that marks all empty cells. Pencil marks are 729
//! characters, nine for each cell: the n-th is the digit n, or the blank character if n is not a
//! candidate. They can also be written as 81 groups of digits. The next stage checks the clues for
//! conflicts.

use crate::board::{CandidateSet, Cell, CellSet, Digit, Grid, Marks, Size, digit_at};
use crate::text::{ParseError, ParseErrorKind};

/// The characters that can mark an empty cell. A puzzle must use only one of them.
pub const BLANKS: [char; 9] = ['.', '0', '*', '_', '-', 'x', 'X', ' ', '?'];

/// A parsed text in normal form: `.` for an empty cell or a missing candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Normalised {
    /// The text is a grid.
    Clues(Grid),
    /// The text is pencil marks. Cells with one candidate are clues.
    Marks(Box<Marks>),
}

/// Parses the text of a puzzle.
///
/// # Errors
/// The first of these that applies: the text is not UTF-8; it is empty; it has neither 81 cells nor the
/// pencil marks of 81 cells; it has a character that is neither a digit nor a blank, or a digit in the place
/// of another digit's mark; it has two kinds of blanks.
pub fn normalise(text: &[u8]) -> Result<Normalised, ParseError> {
    match <&[u8; 81]>::try_from(text).ok().and_then(fast_grid) {
        Some(grid) => Ok(Normalised::Clues(grid)),
        None => parse_uncommon(text),
    }
}

fn parse_uncommon(text: &[u8]) -> Result<Normalised, ParseError> {
    match <&[u8; 729]>::try_from(text).ok().and_then(clean_marks) {
        Some(marks) => Ok(Normalised::Marks(Box::new(marks))),
        None => parse_carefully(text),
    }
}

/// Whether [`normalise`] can parse these 81 bytes by its fast path: they are digits and one kind of blanks.
pub fn is_clean(cells: &[u8; 81]) -> bool {
    fast_grid(cells).is_some()
}

/// Whether a byte is a digit or a blank.
pub fn is_cell(byte: u8) -> bool {
    is_digit(byte) || is_blank(char::from(byte))
}

fn is_digit(byte: u8) -> bool {
    byte.wrapping_sub(b'1') < 9
}

fn is_blank(character: char) -> bool {
    BLANKS.contains(&character)
}

/// The fast path for 81 characters without separators; `None` if the text needs the slow path. The loop has
/// no early exit, so that the compiler vectorises it.
fn fast_grid(cells: &[u8; 81]) -> Option<Grid> {
    let blank = cells
        .iter()
        .copied()
        .find(|byte| !is_digit(*byte))
        .unwrap_or(b'.');
    let mut are_all_cells = true;
    let mut has_digit = false;
    let mut normal = [b'.'; 81];
    for (to, from) in normal.iter_mut().zip(cells) {
        let digit = is_digit(*from);
        *to = if digit { *from } else { b'.' };
        are_all_cells &= digit | (*from == blank);
        has_digit |= digit;
    }
    // A text that has only spaces is empty; it is not a grid without clues.
    let is_not_blank = has_digit | (blank != b' ');
    if are_all_cells && is_not_blank && is_blank(char::from(blank)) {
        Grid::from_normal_form(&normal)
    } else {
        None
    }
}

/// The fast path for 729 characters without separators; `None` if the text needs the slow path.
fn clean_marks(marks: &[u8; 729]) -> Option<Marks> {
    let mut blank = None;
    let mut normal = [b'.'; 729];
    for (at, (to, from)) in normal.iter_mut().zip(marks).enumerate() {
        if *from == digit_at(at) {
            *to = *from;
        } else if *from != *blank.get_or_insert(*from) {
            return None;
        }
    }
    let is_not_blank = normal != [b'.'; 729] || blank != Some(b' ');
    let has_blank = blank.is_none_or(|blank| is_blank(char::from(blank)));
    (is_not_blank && has_blank)
        .then(|| Marks::from_normal_form(&normal))
        .flatten()
}

#[cold]
fn parse_carefully(text: &[u8]) -> Result<Normalised, ParseError> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let message = format!(
            "byte {} of the puzzle is not UTF-8",
            error.valid_up_to() + 1
        );
        ParseError::new(ParseErrorKind::NotUtf8, message)
    })?;
    let is_space = |character: char| character.is_ascii_whitespace();
    let trimmed_text = text.trim_matches(is_space);
    if trimmed_text.is_empty() {
        return Err(ParseError::new(
            ParseErrorKind::Empty,
            "the puzzle is empty",
        ));
    }
    // If spaces mark empty cells, leading and trailing spaces are cells too. Otherwise white space is
    // ignored.
    let is_puzzle_length = |cells: usize| cells == 81 || cells == 729;
    let characters: Vec<char> = text.chars().collect();
    let trimmed_characters: Vec<char> = trimmed_text.chars().collect();
    let characters_without_space: Vec<char> = text.chars().filter(|c| !is_space(*c)).collect();
    let unspaced_length = characters_without_space.len();
    let groups: Vec<&str> = trimmed_text.split_ascii_whitespace().collect();
    let are_groups = groups.len() == 81
        && !is_puzzle_length(characters_without_space.len())
        && parse_marks(&characters).is_err();
    if are_groups {
        return parse_groups(&groups);
    }
    let cells = if is_puzzle_length(characters.len()) {
        characters
    } else if !is_puzzle_length(trimmed_characters.len())
        && is_puzzle_length(characters_without_space.len())
    {
        characters_without_space
    } else {
        trimmed_characters
    };
    match cells.len() {
        81 => parse_grid(&cells).map(Normalised::Clues),
        729 => parse_marks(&cells).map(|marks| Normalised::Marks(Box::new(marks))),
        other => {
            // If the text without spaces has the size of a grid, its spaces separated rows, so the error
            // names this size.
            let size = Size::from_cells(unspaced_length).map_or(other, Size::cells);
            Err(wrong_length(size))
        }
    }
}

/// Parses pencil marks that are written as a group of digits for each cell.
fn parse_groups(groups: &[&str]) -> Result<Normalised, ParseError> {
    let mut set = CandidateSet::EMPTY;
    for (cell, group) in Cell::all().zip(groups) {
        for character in group.chars() {
            let value = character
                .to_digit(10)
                .and_then(|value| u8::try_from(value).ok());
            let digit = value.and_then(Digit::from_value);
            let new_digit = digit.filter(|digit| !set.cells(*digit).contains(cell));
            let Some(digit) = new_digit else {
                let problem = match digit {
                    Some(_) => "occurs twice",
                    None => "is not a digit",
                };
                let message = format!("{character:?} in group {} {problem}", cell.index() + 1);
                return Err(ParseError::new(ParseErrorKind::BadCharacter, message));
            };
            set.insert(digit, CellSet::of(cell));
        }
    }
    Ok(Normalised::Marks(Box::new(Marks::from_candidates(&set))))
}

fn wrong_length(cells: usize) -> ParseError {
    match Size::from_cells(cells) {
        None => {
            let message = format!("{cells} cells; a puzzle has 81");
            ParseError::new(ParseErrorKind::WrongLength, message)
        }
        Some(size) => {
            let message = format!("{cells} cells are {size}; only 9 × 9 puzzles are accepted here");
            ParseError::new(ParseErrorKind::UnsupportedSize, message)
        }
    }
}

fn parse_grid(cells: &[char]) -> Result<Grid, ParseError> {
    let text = replace_blanks(cells, "an empty cell", |_, character| {
        matches!(character, '1'..='9')
    })?;
    Grid::from_normal_form(text.as_bytes()).ok_or_else(|| wrong_length(text.len()))
}

fn parse_marks(cells: &[char]) -> Result<Marks, ParseError> {
    let text = replace_blanks(cells, "a missing digit", |at, character| {
        character == char::from(digit_at(at))
    })?;
    Marks::from_normal_form(text.as_bytes()).ok_or_else(|| wrong_length(text.len()))
}

/// Replaces the character for blanks by `.`. Fails if another character stands where it does not belong.
fn replace_blanks(
    cells: &[char],
    blank_meaning: &str,
    belongs: impl Fn(usize, char) -> bool,
) -> Result<String, ParseError> {
    let misplaced_characters = || {
        let indexed_cells = cells.iter().copied().enumerate();
        indexed_cells.filter(|(at, character)| !belongs(*at, *character))
    };
    if let Some((at, character)) = misplaced_characters().find(|(_, other)| !is_blank(*other)) {
        let position = at + 1;
        let message = if matches!(character, '1'..='9') {
            let expected_mark = char::from(digit_at(at));
            format!(
                "{character:?} at position {position} is in the place of the mark {expected_mark:?}"
            )
        } else {
            format!("{character:?} at position {position} is neither a digit nor a blank")
        };
        return Err(ParseError::new(ParseErrorKind::BadCharacter, message));
    }
    let mut blanks = misplaced_characters().map(|(_, blank)| blank);
    let blank = blanks.next();
    if let (Some(one), Some(other)) = (blank, blanks.find(|other| Some(*other) != blank)) {
        let message = format!("{one:?} and {other:?} both stand for {blank_meaning}");
        return Err(ParseError::new(ParseErrorKind::MixedBlanks, message));
    }
    let symbol_or_dot = |(at, &character)| {
        if belongs(at, character) {
            character
        } else {
            '.'
        }
    };
    Ok(cells.iter().enumerate().map(symbol_or_dot).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    fn normalised_text(text: &[u8]) -> String {
        match normalise(text) {
            Ok(Normalised::Clues(grid)) => grid.to_string(),
            Ok(Normalised::Marks(marks)) => marks.to_string(),
            Err(reason) => format!("{}: {}", reason.kind.id(), reason.message),
        }
    }

    #[test]
    fn every_way_to_write_a_grid_is_understood() {
        for blank in BLANKS {
            let text = PUZZLE.replace('.', &blank.to_string());
            assert_eq!(normalised_text(text.as_bytes()), PUZZLE);
        }
        let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect();
        for text in [
            rows.join(" "),
            rows.join("\r\n") + "\n",
            format!(" {PUZZLE}\t"),
        ] {
            assert_eq!(normalised_text(text.as_bytes()), PUZZLE);
        }
        let full_grid = "1".repeat(81);
        assert_eq!(normalised_text(full_grid.as_bytes()), full_grid);
        assert_eq!(normalised_text(".".repeat(81).as_bytes()), ".".repeat(81));
    }

    #[test]
    fn every_other_text_is_rejected_with_a_reason() {
        let with_character = |at: usize, by: &str| {
            let mut text = PUZZLE.to_owned();
            text.replace_range(at..=at, by);
            text.into_bytes()
        };
        let sized = |cells| "1".repeat(cells).into_bytes();
        let cases: [(Vec<u8>, &str); 14] = [
            (b"".to_vec(), "null_value: the puzzle is empty"),
            (b" ".repeat(81), "null_value: the puzzle is empty"),
            (b" \t\n".to_vec(), "null_value: the puzzle is empty"),
            (sized(80), "wrong_length: 80 cells; a puzzle has 81"),
            (sized(82), "wrong_length: 82 cells; a puzzle has 81"),
            (b" a b ".to_vec(), "wrong_length: 3 cells; a puzzle has 81"),
            (
                sized(16),
                "unsupported_size: 16 cells are 4 × 4; only 9 × 9 puzzles are accepted here",
            ),
            (
                sized(36),
                "unsupported_size: 36 cells are 6 × 6; only 9 × 9 puzzles are accepted here",
            ),
            (
                sized(256),
                "unsupported_size: 256 cells are 16 × 16; only 9 × 9 puzzles are accepted here",
            ),
            (
                sized(625),
                "unsupported_size: 625 cells are 25 × 25; only 9 × 9 puzzles are accepted here",
            ),
            (
                with_character(4, "a"),
                "bad_character: 'a' at position 5 is neither a digit nor a blank",
            ),
            (
                with_character(4, "é"),
                "bad_character: 'é' at position 5 is neither a digit nor a blank",
            ),
            (
                with_character(2, "0"),
                "mixed_blanks: '.' and '0' both stand for an empty cell",
            ),
            (
                [b"12".as_slice(), b"\xff"].concat(),
                "not_utf8: byte 3 of the puzzle is not UTF-8",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(normalised_text(&text), expected);
        }
    }

    #[test]
    fn the_fast_path_agrees_with_the_careful_one() {
        let seed = 81;
        let mut rng = Rng::new(seed);
        let odd_bytes = [b'a', b'\n', b'\t', 0, 0x80, 0xff, b':', b'/', b'9', b'1'];
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
                    *byte = [BLANKS[rng.below(9)] as u8, odd_bytes[rng.below(10)]][rng.below(2)];
                }
            }
            assert_eq!(
                normalise(&text),
                parse_carefully(&text),
                "seed {seed}, case {case}: {text:?}"
            );
        }
    }

    #[test]
    fn both_paths_read_the_same_pencil_marks() {
        let seed = 729;
        let mut rng = Rng::new(seed);
        let odd_bytes = [b'a', b'\n', 0, 0xff, b'1', b'9', b' ', b'.'];
        let mut accepted_count = 0;
        for case in 0..5000 {
            let blank = BLANKS[rng.below(9)] as u8;
            let length = [729, 729, 729, 728, 730][rng.below(5)];
            let mut text: Vec<u8> = (0..length)
                .map(|at| [digit_at(at), blank][rng.below(2)])
                .collect();
            for _ in 0..rng.below(3) {
                text[rng.below(728)] = odd_bytes[rng.below(8)];
            }
            let normalised = normalise(&text);
            accepted_count += u32::from(normalised.is_ok());
            assert_eq!(
                normalised,
                parse_carefully(&text),
                "seed {seed}, case {case}: {}",
                String::from_utf8_lossy(&text)
            );
        }
        assert!(accepted_count > 1000);
    }

    #[test]
    fn pencil_marks_may_be_broken_into_lines_and_groups() {
        let cells: Vec<String> = (0..81)
            .map(|cell| {
                (0..9)
                    .filter(|d| (cell + d) % 4 > 0)
                    .map(|d| char::from(digit_at(d)))
                    .collect()
            })
            .collect();
        let positions: String = cells
            .iter()
            .flat_map(|cell| {
                ('1'..='9').map(|digit| if cell.contains(digit) { digit } else { '.' })
            })
            .collect();
        let rows: Vec<&str> = (0..9)
            .map(|row| &positions[81 * row..81 * (row + 1)])
            .collect();
        let lines: Vec<String> = cells.chunks(9).map(|row| row.join("  ")).collect();
        for text in [
            rows.join("\n"),
            format!("\n {positions} "),
            cells.join(" "),
            lines.join(" \r\n"),
        ] {
            assert_eq!(normalised_text(text.as_bytes()), positions);
        }
        // Both as 729 marks and as 81 groups, this text means the same: every digit is a candidate of every
        // cell.
        let full_marks = vec!["123456789"; 81].join(" ");
        assert_eq!(
            normalised_text(full_marks.as_bytes()),
            "123456789".repeat(81)
        );
        // 81 single digits are a grid, not groups of pencil marks.
        let grid = vec!["1"; 81].join(" ");
        assert_eq!(normalised_text(grid.as_bytes()), "1".repeat(81));
    }
}
