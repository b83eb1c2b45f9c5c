//! Parses a puzzle of any size, in any notation.

use std::borrow::Cow;

use super::{Alphabets, SizedPuzzle, is_other_size, parse};
use crate::board::Size;
use crate::text::notation::{self, is_no_solution, starts_list};
use crate::text::{Normalised, ParseError, ParseErrorKind, Puzzle, normalise, validate};

/// A puzzle of any size, whose clues have no conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyPuzzle {
    /// A 9 × 9 puzzle.
    Nine(Puzzle),
    /// A puzzle of another size.
    Sized(Box<SizedPuzzle>),
}

/// Parses a puzzle of any size: plain text, or a text in one of the [notations](notation::NOTATIONS). `given` is the
/// text of the solution that comes with the puzzle; a word such as `nan` says that there is none.
///
/// ```
/// use sudoku_core::sizes::{Alphabets, AnyPuzzle, parse_any};
///
/// let puzzle = parse_any(b"[[1, 0, 3, 0], [3, 4, 0, 2], [0, 1, 4, 3], [4, 3, 0, 1]]", None, &Alphabets::default())?;
/// let AnyPuzzle::Sized(puzzle) = puzzle else { panic!("a 4 x 4 puzzle") };
/// assert_eq!(puzzle.clues.as_str(), "1.3.34.2.14343.1");
/// # Ok::<(), sudoku_core::ParseError>(())
/// ```
///
/// # Errors
/// The text is no grid, its symbols are not those of the alphabet of its size, or its clues have a conflict.
pub fn parse_any(
    text: &[u8],
    given: Option<&[u8]>,
    alphabets: &Alphabets,
) -> Result<AnyPuzzle, ParseError> {
    // Nearly all texts have 81 cells, and so have their solutions.
    let is_plain = |given: &&[u8]| text.len() == 81 && given.len() == 81;
    let given = match given.filter(is_plain) {
        Some(plain) => Some(Cow::Borrowed(plain)),
        None => given.and_then(|given| given_grid(given, alphabets)),
    };
    let given = given.as_deref();
    if starts_list(text)
        && let Some(reading) = notation::read(text, alphabets.digits())
    {
        return parse_plain(reading?.text.as_bytes(), given, alphabets);
    }
    let reason = match parse_plain(text, given, alphabets) {
        Err(reason) if reason.kind != ParseErrorKind::Conflict => reason,
        parsed => return parsed,
    };
    match notation::read(text, alphabets.digits()) {
        None => Err(better_reason(text, reason)),
        Some(reading) => {
            let plain = reading?.text;
            // A text that is a character for each cell already has the better message.
            if plain.as_bytes() == text {
                return Err(reason);
            }
            parse_plain(plain.as_bytes(), given, alphabets)
        }
    }
}

/// Parses the grid in a text of any size and notation, as [`parse_any`] does, whose symbols may be in conflict. The
/// result is in normal form.
///
/// # Errors
/// The text is no grid, or its symbols are not those of the alphabet of its size.
pub fn parse_any_grid(text: &[u8], alphabets: &Alphabets) -> Result<String, ParseError> {
    let reason = match plain_grid(text, alphabets) {
        Err(reason) => reason,
        grid => return grid,
    };
    match notation::read(text, alphabets.digits()) {
        None => Err(better_reason(text, reason)),
        Some(reading) => plain_grid(reading?.text.as_bytes(), alphabets),
    }
}

/// The error for a text that is in no notation. `reason` is the error for a text that is a character for each cell.
fn better_reason(text: &[u8], reason: ParseError) -> ParseError {
    if !starts_list(text.trim_ascii_start()) {
        return reason;
    }
    let message = "the text starts like a list, but is no list of cells or rows";
    ParseError::new(ParseErrorKind::BadCharacter, message)
}

fn plain_grid(text: &[u8], alphabets: &Alphabets) -> Result<String, ParseError> {
    let text = &alphabets.nine_from_letters(text);
    let sized =
        || super::parse_grid(text, alphabets).map(|grid| grid.map(|grid| grid.as_str().to_owned()));
    if is_other_size(text)
        && let Some(grid) = sized()
    {
        return grid;
    }
    match normalise(text) {
        Ok(Normalised::Clues(grid)) => Ok(grid.as_str().to_owned()),
        Ok(Normalised::Marks(marks)) => Ok(marks.clues().as_str().to_owned()),
        Err(reason) if reason.kind == ParseErrorKind::UnsupportedSize => {
            sized().unwrap_or(Err(reason))
        }
        Err(reason) => Err(reason),
    }
}

/// Parses a text that has a character for each cell, or pencil marks.
fn parse_plain(
    text: &[u8],
    given: Option<&[u8]>,
    alphabets: &Alphabets,
) -> Result<AnyPuzzle, ParseError> {
    let text = &alphabets.nine_from_letters(text);
    let sized = || parse(text, given, alphabets);
    let to_any = |puzzle| AnyPuzzle::Sized(Box::new(puzzle));
    if is_other_size(text)
        && let Some(puzzle) = sized()
    {
        return puzzle.map(to_any);
    }
    match normalise(text) {
        Ok(start) => validate(start, given).map(AnyPuzzle::Nine),
        Err(reason) if reason.kind == ParseErrorKind::UnsupportedSize => {
            sized().map_or(Err(reason), |puzzle| puzzle.map(to_any))
        }
        Err(reason) => Err(reason),
    }
}

/// The text of a given solution as a character for each cell, if it is in another notation; `None` if it says that there
/// is no solution. Any other text is returned as it is.
fn given_grid<'a>(given: &'a [u8], alphabets: &Alphabets) -> Option<Cow<'a, [u8]>> {
    if is_no_solution(given) {
        return None;
    }
    let given = alphabets.nine_from_letters(given);
    let is_plain = normalise(&given).is_ok()
        || given.is_ascii() && Size::from_cells(given.trim_ascii().len()).is_some();
    if is_plain {
        return Some(given);
    }
    Some(match notation::read(&given, alphabets.digits()) {
        Some(Ok(reading)) => {
            let text = alphabets
                .nine_from_letters(reading.text.as_bytes())
                .into_owned();
            Cow::Owned(text)
        }
        _ => given,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn a_solution_may_be_in_another_notation_than_its_puzzle() {
        let list = format!("[{}]", SOLUTION.split("").collect::<Vec<_>>().join(" "));
        for (given, is_given) in [
            (SOLUTION, true),
            (&list, true),
            (&SOLUTION.replace('0', "."), true),
            ("nan", false),
            ("None", false),
            ("", false),
        ] {
            let given = Some(given.as_bytes());
            let puzzle = parse_any(PUZZLE.as_bytes(), given, &Alphabets::default()).unwrap();
            let AnyPuzzle::Nine(puzzle) = puzzle else {
                panic!("a 9 × 9 puzzle")
            };
            let grid = puzzle.given.grid().map(ToString::to_string);
            assert_eq!(grid.as_deref(), is_given.then_some(SOLUTION));
        }
    }

    #[test]
    fn letters_are_digits_where_the_user_says_so() {
        let letters: String = PUZZLE
            .chars()
            .map(|cell| match cell {
                '.' => '.',
                digit => char::from(digit as u8 - b'1' + b'A'),
            })
            .collect();
        let alphabet = "A-I".parse().unwrap();
        let alphabets = Alphabets::new(Some(&alphabet));
        let grid = parse_any_grid(letters.as_bytes(), &alphabets);
        assert_eq!(grid.as_deref(), Ok(PUZZLE));
        let spaced = letters.split("").collect::<Vec<_>>().join(" ");
        assert_eq!(
            parse_any_grid(spaced.as_bytes(), &alphabets).as_deref(),
            Ok(PUZZLE)
        );
        let list = format!(
            "['{}']",
            letters
                .split("")
                .filter(|c| !c.is_empty())
                .collect::<Vec<_>>()
                .join("', '")
        );
        assert_eq!(
            parse_any_grid(list.as_bytes(), &alphabets).as_deref(),
            Ok(PUZZLE)
        );
        assert!(parse_any_grid(letters.as_bytes(), &Alphabets::default()).is_err());
    }

    #[test]
    fn symbols_that_follow_the_digits_in_ascii_are_an_alphabet() {
        let letters = "ABCDEFG";
        let generator = crate::Generator::any(16);
        let grid = crate::sizes::generate_sized(Size::Sixteen, &generator, 0).unwrap();
        let own = |cell: char| match letters.find(cell) {
            Some(at) => char::from(b':' + at as u8),
            None => cell,
        };
        let text: String = grid.puzzle.as_str().chars().map(own).collect();
        let mut alphabets = Alphabets::default();
        alphabets.learn(text.as_bytes());
        let read = parse_any_grid(text.as_bytes(), &alphabets);
        assert_eq!(read.as_deref(), Ok(grid.puzzle.as_str()));
    }
}
