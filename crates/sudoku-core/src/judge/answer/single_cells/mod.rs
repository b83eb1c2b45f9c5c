//! Grids that are written cell by cell.

mod assertions;
mod assignments;
mod named_cells;
mod objects;

use std::ops::Range;

use self::assignments::assignments;
use self::named_cells::{Assignment, Value};
use super::candidate::Candidate;
use super::forms::ASSIGNMENTS;
use super::regions::{RegionKind, Regions};
use super::simplify::{Simple, simplify};
use super::tokens::{CellSyntax, cell_syntax};
use crate::sizes::{Alphabets, parse_any_grid};

/// The symbols of cells in normal form.
const SYMBOLS: &[u8; 25] = b"123456789ABCDEFGHIJKLMNOP";

/// The grids that are written cell by cell: in a part for the answer, or outside the thoughts.
pub(super) fn assigned(
    simple: &Simple<'_>,
    clues: &str,
    alphabets: &Alphabets,
    syntax: CellSyntax,
    regions: &Regions,
) -> Vec<Candidate> {
    let all = assignments(&simple.text, syntax);
    let blanks = clues.bytes().filter(|cell| *cell == b'.').count();
    if all.len() < blanks {
        return Vec::new();
    }
    let around = |cell: &Assignment, kind: RegionKind| {
        regions.around(kind, &simple.place(cell.start..cell.end))
    };
    let is_outside = |cell: &&Assignment| {
        let kinds = [RegionKind::Think, RegionKind::Deleted];
        kinds.iter().all(|kind| around(cell, *kind).is_none())
    };
    let outside: Vec<Assignment> = all.iter().filter(is_outside).copied().collect();
    let tags: Vec<Option<usize>> = all
        .iter()
        .map(|cell| around(cell, RegionKind::Tag).map(|tag| tag.inside.start))
        .collect();
    let mut parts: Vec<Vec<Assignment>> = Vec::new();
    let mut last = None;
    for (cell, tag) in all.iter().zip(tags) {
        if tag.is_some() && tag != last {
            parts.push(Vec::new());
        }
        if let (Some(_), Some(part)) = (tag, parts.last_mut()) {
            part.push(*cell);
        }
        last = tag;
    }
    let found = [outside].into_iter().chain(parts).filter_map(|part| {
        let (cells, place) = complete(&part, clues.as_bytes(), syntax.order, alphabets)?;
        let place = simple.place(place);
        Some(Candidate {
            grid: Some(String::from_utf8(cells).ok()?),
            count: clues.len(),
            form: &ASSIGNMENTS,
            lead: place.start..place.start,
            place,
        })
    });
    found.collect()
}

/// The rows, columns and numbers of the cells that a text names one by one, in their order, for a 9 × 9 grid.
pub(in crate::judge) fn named_cells(text: &str) -> Vec<(usize, usize, usize)> {
    let all = assignments(&simplify(text).text, cell_syntax(9, false));
    let cells = all.iter().filter_map(|cell| match cell.value {
        Value::Number(number) => Some((cell.row, cell.column, number)),
        Value::Letter(_) => None,
    });
    cells.collect()
}

/// The cells of a puzzle with the assignments; `None` unless they fill all its empty cells, each with one value.
fn complete(
    assignments: &[Assignment],
    clues: &[u8],
    order: usize,
    alphabets: &Alphabets,
) -> Option<(Vec<u8>, Range<usize>)> {
    let blanks = clues.iter().filter(|cell| **cell == b'.').count();
    if blanks == 0 || assignments.len() < blanks {
        return None;
    }
    let least = assignments
        .iter()
        .map(|cell| cell.row.min(cell.column))
        .min()?;
    let most = assignments
        .iter()
        .map(|cell| cell.row.max(cell.column))
        .max()?;
    let bases: &[usize] = match (least, most) {
        (0, most) if most < order => &[0],
        (1.., most) if most == order => &[1],
        (1.., most) if most < order => &[1, 0],
        _ => return None,
    };
    bases.iter().find_map(|base| {
        let mut values: Vec<Option<Value>> = vec![None; clues.len()];
        for cell in assignments {
            let own = &mut values[(cell.row - base) * order + cell.column - base];
            if own
                .replace(cell.value)
                .is_some_and(|value| value != cell.value)
            {
                return None;
            }
        }
        let mut cells = normal_form(&values, order, alphabets)?;
        for (cell, clue) in cells.iter_mut().zip(clues) {
            if *cell == b'.' {
                *cell = *clue;
            }
        }
        let place = assignments.first()?.start..assignments.last()?.end;
        (!cells.contains(&b'.')).then_some((cells, place))
    })
}

/// The cells in normal form; `None` if a value is no symbol. Letters are those of the alphabet, as in other grids.
fn normal_form(values: &[Option<Value>], order: usize, alphabets: &Alphabets) -> Option<Vec<u8>> {
    let has_letters = values
        .iter()
        .any(|value| matches!(value, Some(Value::Letter(_))));
    let mut cells = Vec::with_capacity(values.len());
    for value in values {
        cells.push(match value {
            None => b'.',
            Some(Value::Letter(letter)) => *letter,
            Some(Value::Number(number)) if has_letters => *b"0123456789".get(*number)?,
            Some(Value::Number(number)) => *SYMBOLS[..order].get(number.checked_sub(1)?)?,
        });
    }
    if !has_letters {
        return Some(cells);
    }
    let grid = parse_any_grid(&cells, alphabets).ok()?.into_bytes();
    let mut pairs = grid.iter().zip(values);
    let is_read = pairs.all(|(cell, value)| (*cell == b'.') == value.is_none());
    (grid.len() == values.len() && is_read).then_some(grid)
}
