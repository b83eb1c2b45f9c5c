//! Parses HoDoKu's library of test cases for techniques. Each line is a test case: the code of a technique, a
//! board, and the changes that the technique makes there.
//!
//! ```text
//! :0300:1:.1.7+85...……:741 158:717 718:111:a comment
//!  │    │ │           │       │       │   └ comment
//!  │    │ │           │       │       └ placements
//!  │    │ │           │       └ candidates that the step removes
//!  │    │ │           └ candidates removed before, each as digit, row, column
//!  │    │ └ 81 cells; + before a digit that was placed, not given
//!  │    └ the digits of the step
//!  └ the technique's code, and a variant: 0300-x
//! ```

use crate::board::{Candidates, Cell, CellSet, Digit, Grid};

/// The fields of a line of HoDoKu's library as bytes, not parsed. Fields after the board can be absent.
#[derive(Clone, Copy, Debug)]
pub struct LibraryFields<'a> {
    /// The technique's code, with its variant if it has one.
    pub code: &'a [u8],
    /// The characters of the board, with a `+` before each digit that was placed.
    pub board: &'a [u8],
    /// Candidates that were removed before the step, as triples of digit, row and column.
    pub removed: &'a [u8],
    /// Candidates that the step removes, as triples of digit, row and column; `None` if the line has no
    /// such field.
    pub eliminations: Option<&'a [u8]>,
    /// Digits that the step places, as triples of digit, row and column; `None` if the line has no such
    /// field.
    pub placements: Option<&'a [u8]>,
    /// The comment at the end of the line; `None` if the line ends before it.
    pub comment: Option<&'a [u8]>,
}

impl<'a> LibraryFields<'a> {
    /// Splits a line of the library at its colons; `None` if it does not start with a colon or has no board.
    pub fn split(line: &'a [u8]) -> Option<LibraryFields<'a>> {
        let mut fields = line.splitn(8, |byte| *byte == b':');
        let (start, code) = (fields.next()?, fields.next()?);
        let (_digits, board) = (fields.next()?, fields.next()?);
        start.is_empty().then(|| LibraryFields {
            code,
            board,
            removed: fields.next().unwrap_or_default(),
            eliminations: fields.next(),
            placements: fields.next(),
            comment: fields.next(),
        })
    }
}

/// Parses a triple of digit, row and column, each 1–9: `741` is digit 7 in r4c1. `None` for any other
/// text.
pub(crate) fn parse_triple(triple: &[u8]) -> Option<(Digit, Cell)> {
    let &[digit, row, column] = triple else {
        return None;
    };
    let from_zero = |byte: u8| Digit::from_value(byte.wrapping_sub(b'0')).map(Digit::index);
    let digit = Digit::from_index(from_zero(digit)?);
    Some((digit, Cell::at(from_zero(row)?, from_zero(column)?)))
}

/// Splits a list of triples at white space. Each triple comes with the candidate that it names; `None` if the
/// triple is malformed.
pub fn triples(text: &[u8]) -> impl Iterator<Item = (&[u8], Option<(Digit, Cell)>)> {
    let triples = text.split(u8::is_ascii_whitespace);
    triples
        .filter(|triple| !triple.is_empty())
        .map(|triple| (triple, parse_triple(triple)))
}

/// A parsed line of HoDoKu's library: a test case for a technique.
#[derive(Clone, Debug)]
pub struct LibraryLine {
    /// The technique's code: four digits, or five for a siamese fish.
    pub code: String,
    /// The part of the code after the hyphen: `1`, `2`, …, or `x` if the technique must not find
    /// anything. `None` if there is no hyphen.
    pub variant: Option<String>,
    /// The board before the step, without the candidates that were removed earlier.
    pub board: Candidates,
    /// The cells whose digits are clues of the puzzle, not placed by earlier steps.
    pub clues: CellSet,
    /// The candidates that the step removes.
    pub removed: Vec<(Digit, Cell)>,
    /// The digits that the step places.
    pub placed: Vec<(Digit, Cell)>,
}

impl LibraryLine {
    /// Parses a line of HoDoKu's library.
    ///
    /// # Errors
    /// The line is malformed; the error is a message that says how.
    pub fn parse(line: &str) -> Result<LibraryLine, String> {
        let fields = LibraryFields::split(line.trim_end().as_bytes());
        let Some(LibraryFields {
            code,
            board,
            removed,
            eliminations: Some(eliminations),
            placements: Some(placements),
            ..
        }) = fields
        else {
            return Err("a line of HoDoKu's library has at least seven fields after colons".into());
        };
        let code = String::from_utf8_lossy(code);
        let (code, variant) = match code.split_once('-') {
            Some((code, variant)) => (code, Some(variant.to_owned())),
            None => (&*code, None),
        };
        let (grid, clues) = parse_board(&String::from_utf8_lossy(board))?;
        let mut candidates = Candidates::new(&grid);
        for (digit, cell) in parse_triples(removed)? {
            candidates.eliminate(digit, CellSet::of(cell));
        }
        Ok(LibraryLine {
            code: code.to_owned(),
            variant,
            board: candidates,
            clues,
            removed: parse_triples(eliminations)?,
            placed: parse_triples(placements)?,
        })
    }
}

/// Parses the characters of a board. Returns the grid, and the cells of the clues, whose digits have no `+`.
fn parse_board(text: &str) -> Result<(Grid, CellSet), String> {
    let mut grid = String::with_capacity(81);
    let mut clues = CellSet::EMPTY;
    let mut was_placed = false;
    for byte in text.chars() {
        if byte == '+' {
            was_placed = true;
            continue;
        }
        if grid.len() < 81 && byte.is_ascii_digit() && byte != '0' && !was_placed {
            clues.insert(Cell::new(grid.len()));
        }
        was_placed = false;
        grid.push(if byte == '0' { '.' } else { byte });
    }
    let grid: Grid = grid
        .parse()
        .map_err(|_| format!("not a board of 81 cells: {text}"))?;
    Ok((grid, clues))
}

fn parse_triples(text: &[u8]) -> Result<Vec<(Digit, Cell)>, String> {
    triples(text)
        .map(|(triple, candidate)| {
            candidate.ok_or_else(|| {
                let triple = String::from_utf8_lossy(triple);
                format!("not a candidate as digit, row, column: {triple}")
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = ":0300:3:+5.9274816768.15.422146..57.39784265164259173818576329\
                        4.21.5..67973126485.56..712.:178 242:394 395:111:comment";

    #[test]
    fn a_line_has_a_board_and_a_step() {
        let line = LibraryLine::parse(LINE).unwrap();
        assert_eq!((line.code.as_str(), line.variant), ("0300", None));
        assert!(!line.clues.contains(Cell::at(0, 0)));
        assert!(line.clues.contains(Cell::at(0, 2)));
        assert_eq!(line.board.by_cell()[0].to_string(), "5");
        let digit_three = Digit::from_index(2);
        assert_eq!(
            line.removed,
            [(digit_three, Cell::at(8, 3)), (digit_three, Cell::at(8, 4))]
        );
        assert_eq!(line.placed, [(Digit::from_index(0), Cell::at(0, 0))]);
    }

    #[test]
    fn an_invalid_library_line_is_an_error_with_a_reason() {
        for text in [
            "",
            ":0300:1:..",
            &LINE.replace("178", "1780"),
            &LINE.replace("+5", ""),
        ] {
            assert!(!LibraryLine::parse(text).unwrap_err().is_empty(), "{text}");
        }
    }
}
