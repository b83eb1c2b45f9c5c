//! Parses and validates the text of a puzzle of a size other than 9 × 9.

use super::alphabet::{Alphabet, Alphabets, parse_cells};
use super::{Size, SizedGrid};
use crate::solve::Solution;
use crate::text::{Given, ParseError, ParseErrorKind, is_cell};

/// A puzzle of a size other than 9 × 9, whose clues have no conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizedPuzzle {
    /// The clues of the puzzle.
    pub clues: SizedGrid,
    /// The solution that came with the puzzle's text. It is not checked.
    pub given: Given<SizedGrid>,
    /// The result of the solver; `None` as long as the puzzle has not been solved.
    pub solution: Option<Solution<SizedGrid>>,
}

/// Whether the text has as many cells as a grid of another size than 9 × 9, so that [`parse`] must be used.
pub fn is_other_size(text: &[u8]) -> bool {
    Size::from_cells(text.len()).is_some() && text.iter().all(u8::is_ascii_graphic)
}

/// Whether a text has the length of a grid of any size (including 9 × 9), and only characters of such
/// grids: digits, empty cells, and letters for 12 × 12 and above.
pub fn is_grid_text(text: &[u8]) -> bool {
    let has_letters = Size::from_cells(text.len()).is_some_and(Size::has_letters);
    let is_symbol = |byte: &u8| is_cell(*byte) || has_letters && byte.is_ascii_alphanumeric();
    Size::is_cell_count(text.len()) && text.iter().all(is_symbol)
}

/// Parses a puzzle of another size than 9 × 9; `None` if no size has the number of cells that the text has.
pub fn parse(
    text: &[u8],
    given: Option<&[u8]>,
    alphabets: &Alphabets,
) -> Option<Result<SizedPuzzle, ParseError>> {
    let clues = parse_grid(text, alphabets)?;
    Some(clues.and_then(|clues| {
        if let Some(conflict) = clues.conflict() {
            return Err(ParseError::new(ParseErrorKind::Conflict, conflict));
        }
        let given = match given.map(|text| parse_grid(text, alphabets)) {
            None => Given::Absent,
            Some(Some(Ok(grid))) => Given::Grid(grid),
            Some(_) => Given::Malformed,
        };
        Ok(SizedPuzzle {
            clues,
            given,
            solution: None,
        })
    }))
}

/// Parses a grid of another size than 9 × 9, whose symbols may be in conflict; `None` if no size has the number
/// of cells that the text has.
pub fn parse_grid(text: &[u8], alphabets: &Alphabets) -> Option<Result<SizedGrid, ParseError>> {
    let (size, cells) = parse_cells(std::str::from_utf8(text).ok()?)?;
    let alphabet = alphabets
        .get(size)
        .map_err(|question| ParseError::new(ParseErrorKind::UnsupportedSize, question));
    let grid = alphabet.and_then(|alphabet| {
        check_alphabet(&cells, alphabet)?;
        let grid = SizedGrid::new(size, cells.iter().map(|cell| alphabet.symbol(*cell)));
        grid.ok_or_else(|| {
            ParseError::new(ParseErrorKind::WrongLength, "not one symbol for each cell")
        })
    });
    Some(grid)
}

fn check_alphabet(cells: &[char], alphabet: &Alphabet) -> Result<(), ParseError> {
    let is_symbol = |cell: char| alphabet.symbol(cell).is_some();
    let is_unknown_character = |cell: char| !is_symbol(cell) && !alphabet.is_blank(cell);
    let indexed_cells = cells.iter().enumerate();
    if let Some((at, cell)) = { indexed_cells }.find(|(_, cell)| is_unknown_character(**cell)) {
        let message = format!(
            "{cell:?} at position {} is neither a symbol of {alphabet} nor a blank",
            at + 1
        );
        return Err(ParseError::new(ParseErrorKind::BadCharacter, message));
    }
    let mut blanks = cells.iter().filter(|cell| !is_symbol(**cell));
    let blank = blanks.next();
    match (blank, blanks.find(|other| Some(*other) != blank)) {
        (Some(one), Some(other)) => {
            let message = format!("{one:?} and {other:?} both stand for an empty cell");
            Err(ParseError::new(ParseErrorKind::MixedBlanks, message))
        }
        _ => Ok(()),
    }
}
