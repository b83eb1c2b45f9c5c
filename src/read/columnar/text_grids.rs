//! Grids stored as lists of texts: one text for each cell, or one for each row.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringArray, StringBuilder};
use arrow::datatypes::DataType;
use arrow::error::ArrowError;

use super::lists::ListRanges;
use crate::carry::cast::cast_column;
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::sizes::Size;

/// The most characters that are kept of a list that is not a grid.
const MOST_DISPLAYED: usize = 2000;

/// Converts lists of texts, or lists of lists of texts, to grids. A list that is not a grid becomes
/// the text of a list, and is reported with its row and the reason.
pub(super) fn texts(
    outer: &ListRanges,
    inner: Option<&ListRanges>,
    cells: &ArrayRef,
) -> Result<(ArrayRef, Vec<(usize, RejectReason)>), ArrowError> {
    let cells = cast_column(cells, &DataType::Utf8)?;
    let cells: &StringArray = cells.as_string();
    let mut texts = StringBuilder::new();
    let mut reasons = Vec::new();
    for (row, range) in outer.ranges.iter().enumerate() {
        let Some(range) = range else {
            texts.append_null();
            continue;
        };
        let grid = match inner {
            None => row_by_row(cells, range.clone()),
            Some(rows) => nested(cells, &rows.ranges[range.clone()]),
        };
        match grid {
            Ok(text) => texts.append_value(text),
            Err(reason) => {
                texts.append_value(display(cells, range, inner));
                reasons.push((row, reason));
            }
        }
    }
    Ok((Arc::new(texts.finish()), reasons))
}

fn wrong(message: String) -> RejectReason {
    RejectReason::new(RejectKind::WrongLength, message)
}

fn value(cells: &StringArray, at: usize) -> &str {
    match cells.is_valid(at) {
        true => cells.value(at),
        false => "",
    }
}

/// The grid of a list with one text for each cell, or one for each row.
fn row_by_row(cells: &StringArray, list: Range<usize>) -> Result<String, RejectReason> {
    let count = list.len();
    let mut lengths = list.clone().map(|at| value(cells, at).chars().count());
    if Size::ORDERS.contains(&count) && lengths.all(|length| length == count) {
        return Ok(list.map(|at| value(cells, at)).collect());
    }
    match Size::ORDERS.iter().find(|side| *side * *side == count) {
        Some(side) => {
            let mut text = String::with_capacity(count);
            add(cells, list, *side, &mut text)?;
            Ok(text)
        }
        None if Size::ORDERS.contains(&count) => Err(wrong(format!(
            "a list of {count} rows that do not have {count} cells each"
        ))),
        None => Err(wrong(format!(
            "a list of {count} texts; a puzzle has 81 cells, or 9 rows"
        ))),
    }
}

/// The grid of a list of rows of cells.
fn nested(cells: &StringArray, rows: &[Option<Range<usize>>]) -> Result<String, RejectReason> {
    let side = rows.len();
    if !Size::ORDERS.contains(&side) {
        return Err(wrong(format!("a grid of {side} rows; a puzzle has 9")));
    }
    let mut text = String::with_capacity(side * side);
    for (number, row) in (1..).zip(rows) {
        let row = row.clone().unwrap_or_default();
        if row.len() != side {
            return Err(wrong(format!(
                "row {number} of the grid has {} cells; each of its {side} rows must have as many",
                row.len()
            )));
        }
        add(cells, row, side, &mut text)?;
    }
    Ok(text)
}

/// Appends the cells. Empty texts and null are empty cells; numbers above 9 become letters.
fn add(
    cells: &StringArray,
    list: Range<usize>,
    side: usize,
    text: &mut String,
) -> Result<(), RejectReason> {
    for at in list {
        let cell = value(cells, at).trim();
        let mut characters = cell.chars();
        let cell_text = match (characters.next(), characters.next()) {
            (None, _) => Some('.'),
            (Some(character), None) => Some(character),
            _ => {
                let number = cell.parse::<usize>().ok();
                let number = number.filter(|number| (10..=side).contains(number));
                number
                    .and_then(|number| char::from_digit(number as u32, 36))
                    .map(|letter| letter.to_ascii_uppercase())
            }
        };
        text.push(cell_text.ok_or_else(|| {
            let position = text.chars().count() + 1;
            let message = format!("{cell:?} at position {position} is not a cell");
            RejectReason::new(RejectKind::BadCharacter, message)
        })?);
    }
    Ok(())
}

/// The list as JSON, cut to [`MOST_DISPLAYED`] characters.
fn display(cells: &StringArray, list: &Range<usize>, inner: Option<&ListRanges>) -> String {
    let row = |range: Range<usize>| {
        let cells: Vec<String> = range
            .take(MOST_DISPLAYED)
            .map(|at| format!("{:?}", value(cells, at)))
            .collect();
        format!("[{}]", cells.join(","))
    };
    let mut text = match inner {
        None => row(list.clone()),
        Some(rows) => {
            let rows = rows.ranges[list.clone()]
                .iter()
                .take(MOST_DISPLAYED)
                .cloned();
            let rows: Vec<String> = rows.map(|range| row(range.unwrap_or_default())).collect();
            format!("[{}]", rows.join(","))
        }
    };
    if let Some((end, _)) = text.char_indices().nth(MOST_DISPLAYED) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::columnar::grids::{is_grid, texts as grids};
    use arrow::array::builder::ListBuilder;

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    /// The texts of these lists, or the reasons why they are not grids.
    fn read(lists: &[Vec<&str>]) -> Vec<String> {
        let mut builder = ListBuilder::new(StringBuilder::new());
        for list in lists {
            builder.append_value(list.iter().map(Some));
        }
        let column: ArrayRef = Arc::new(builder.finish());
        assert!(is_grid(column.data_type()));
        let (texts, reasons) = grids(&column, 0).unwrap();
        let texts: &StringArray = texts.as_string();
        let mut reported: Vec<String> = texts.iter().flatten().map(str::to_owned).collect();
        for (row, reason) in reasons {
            reported[row] = format!("{}: {}", reason.kind.id(), reason.message);
        }
        reported
    }

    #[test]
    fn cells_and_rows_are_grids() {
        let cells: Vec<&str> = (0..81).map(|at| &PUZZLE[at..=at]).collect();
        let blank: Vec<&str> = cells.iter().map(|cell| cell.trim_matches('.')).collect();
        let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..][..9]).collect();
        assert_eq!(read(&[cells, blank, rows]), [PUZZLE; 3]);
        let mut large = vec!["0"; 256];
        large[1] = "16";
        assert!(read(&[large])[0].starts_with("0G0"));
        assert_eq!(
            read(&[vec!["1234", "3412", "2143", "4321"]]),
            ["1234341221434321"]
        );
    }

    #[test]
    fn an_invalid_grid_is_rejected_with_its_position() {
        let mut wrong = vec!["0"; 81];
        wrong[3] = "10";
        let reported = read(&[vec!["1", "2"], wrong, vec!["123"; 9]]);
        assert_eq!(
            reported[0],
            "wrong_length: a list of 2 texts; a puzzle has 81 cells, or 9 rows"
        );
        assert_eq!(
            reported[1],
            "bad_character: \"10\" at position 4 is not a cell"
        );
        assert_eq!(
            reported[2],
            "wrong_length: a list of 9 rows that do not have 9 cells each"
        );
    }
}
