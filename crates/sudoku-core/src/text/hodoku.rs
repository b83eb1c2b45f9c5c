//! Positions as HoDoKu's library writes them down: one line with a technique's code, a board and
//! what the technique does there.

use crate::board::{Candidates, Cell, CellSet, Digit, Grid};
use crate::grade::{Position, parse_triple};

/// A position of HoDoKu's library.
///
/// ```text
/// :0300:1:.1.7+85...……:741 158:717 718::
///  │    │ │          │       │       └ placements, then comments
///  │    │ │          │       └ candidates that the step removes
///  │    │ │          └ candidates removed before, as digit, row, column
///  │    │ └ 81 cells; + before a digit that was placed, not given
///  │    └ the digits of the step
///  └ the technique's code, and a variant: 0300-x
/// ```
#[derive(Clone, Debug)]
pub struct LibraryLine {
    /// Four digits, or five: the fifth marks a siamese fish.
    pub code: String,
    /// What stands behind the code: `1`, `2`, … or `x`, where the technique finds nothing.
    pub variant: Option<String>,
    /// The board, without the candidates that were removed; it knows which cells were given.
    pub position: Position,
    /// The candidates that the step removes.
    pub removed: Vec<(Digit, Cell)>,
    /// The digits that the step places.
    pub placed: Vec<(Digit, Cell)>,
}

impl LibraryLine {
    /// Reads a line; what is wrong with it, where it is none.
    pub fn parse(line: &str) -> Result<LibraryLine, String> {
        let fields: Vec<&str> = line.trim_end().split(':').collect();
        let [_, code, _, board, removed, eliminations, placements, ..] = fields[..] else {
            return Err("a line of HoDoKu's library has at least seven fields after colons".into());
        };
        let (code, variant) = match code.split_once('-') {
            Some((code, variant)) => (code, Some(variant.to_owned())),
            None => (code, None),
        };
        let (grid, clues) = parse_board(board)?;
        let mut candidates = Candidates::new(&grid);
        for (digit, cell) in parse_triples(removed)? {
            candidates.eliminate(digit, CellSet::of(cell));
        }
        Ok(LibraryLine {
            code: code.to_owned(),
            variant,
            position: Position::with_clues(candidates, clues),
            removed: parse_triples(eliminations)?,
            placed: parse_triples(placements)?,
        })
    }
}

/// The grid, and which of its cells were given.
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

fn parse_triples(text: &str) -> Result<Vec<(Digit, Cell)>, String> {
    text.split_whitespace()
        .map(|triple| {
            parse_triple(triple)
                .ok_or_else(|| format!("not a candidate as digit, row, column: {triple}"))
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
        assert!(!line.position.clues().contains(Cell::at(0, 0)));
        assert!(line.position.clues().contains(Cell::at(0, 2)));
        assert_eq!(line.position.digits(Cell::at(0, 0)).to_string(), "5");
        let three = Digit::from_index(2);
        assert_eq!(
            line.removed,
            [(three, Cell::at(8, 3)), (three, Cell::at(8, 4))]
        );
        assert_eq!(line.placed, [(Digit::from_index(0), Cell::at(0, 0))]);
    }

    #[test]
    fn what_is_no_line_says_why() {
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
