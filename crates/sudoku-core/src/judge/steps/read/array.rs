//! Reads the arrays of 325 numbers: the number of clues, then the row, the column (both from 0), the digit and the rank of
//! the technique of each cell; first of the clues, then of the others in the order in which they are filled.

use super::json::Json;
use crate::judge::steps::{Move, MoveKind};

/// The number of items of an array.
const ITEMS: usize = 1 + 4 * 81;

/// The numbers of a list of an array; `None` for other lists.
pub(super) fn numbers(items: &[Json]) -> Option<Vec<u16>> {
    let number = |item: &Json| match item {
        Json::Number(number) if (0.0..65536.0).contains(number) && number.fract() == 0.0 => {
            Some(*number as u16)
        }
        _ => None,
    };
    let all: Option<Vec<u16>> = items.iter().map(number).collect();
    all.filter(|numbers| numbers.len() == ITEMS)
}

/// The placements after the clues. A cell with the digit 0 ends the sequence: the rest of the array is padding.
pub(super) fn moves(numbers: &[u16]) -> Result<Vec<Move>, String> {
    let (clues, cells) = numbers.split_first().ok_or("the array is empty")?;
    if *clues > 81 {
        return Err(format!(
            "the array begins with {clues}, which is no number of clues"
        ));
    }
    let filled = cells.chunks_exact(4).skip(usize::from(*clues));
    let filled = filled.take_while(|cell| cell[2] != 0);
    Ok(filled
        .map(|cell| Move {
            kind: MoveKind::Place,
            row: cell[0].saturating_add(1),
            column: cell[1].saturating_add(1),
            digit: cell[2],
        })
        .collect())
}
