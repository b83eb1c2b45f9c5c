//! Extracts from a block of lines the cells of a board and its title, or the reason why the block is not a board.

use super::block::Block;
use super::pencil_marks;
use super::row_cells::groups;
use super::wrapped_row::{cells_of, push_row};
use crate::board::Size;
use crate::text::{ParseError, ParseErrorKind};

/// The title of a board, without brackets around it and without a colon at its end.
pub fn title(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii();
    match line {
        [b'[', title @ .., b']'] | [title @ .., b':'] => title.trim_ascii(),
        title => title,
    }
}

/// The text of a board: all cells row by row, or the pencil marks of all cells. `bytes` is the text in which
/// the block was found.
///
/// # Errors
/// The block is not a complete board, a row is not UTF-8, or pencil marks are not nine groups of digits.
pub fn cells(bytes: &[u8], block: &Block) -> Result<Vec<u8>, ParseError> {
    let order = block.size;
    if let Some(message) = defect(block) {
        return Err(ParseError::new(ParseErrorKind::WrongLength, message));
    }
    let has_marks = block.rows.iter().any(|row| row.has_marks);
    let mut text = Vec::with_capacity(if has_marks {
        pencil_marks::MARKS_LENGTH
    } else {
        order * order
    });
    for (at, row) in block.rows.iter().enumerate() {
        let line = &bytes[row.start..row.end];
        if has_marks {
            let groups = groups(&cells_of(line, row.wrapping));
            let has_nine_cells = groups.len() == 9
                && groups
                    .iter()
                    .all(|group| pencil_marks::push_cell(group.as_bytes(), &mut text));
            if !has_nine_cells {
                let message = format!("row {} is not nine groups of digits", at + 1);
                return Err(ParseError::new(ParseErrorKind::BadCharacter, message));
            }
        } else if !push_row(line, row.cells, row.wrapping, &mut text) {
            let message = format!("row {} is not UTF-8", at + 1);
            return Err(ParseError::new(ParseErrorKind::NotUtf8, message));
        }
    }
    Ok(text)
}

/// The reason why a block is not a complete board; `None` if it is complete.
fn defect(block: &Block) -> Option<String> {
    let order = block.size;
    if block.is_text() {
        return Some(
            "text that is neither a row of cells nor the title of a board, a comment (#) or a rule"
                .to_owned(),
        );
    }
    if order == 1 {
        return None;
    }
    let first_wrong_row = block.rows.iter().position(|row| row.cells != order);
    match first_wrong_row {
        _ if block.has_text => Some("a line between the rows is not a row of cells".to_owned()),
        _ if block.rows.len() != order => {
            let rows = block.rows.len();
            let rows = if rows == 1 {
                "1 row".to_owned()
            } else {
                format!("{rows} rows")
            };
            Some(format!(
                "{rows} of cells; a board has {}",
                Size::ORDERS
                    .iter()
                    .find(|size| **size == order)
                    .unwrap_or(&9)
            ))
        }
        Some(at) => {
            let cells = block.rows.get(at).map_or(0, |row| row.cells);
            Some(format!(
                "row {} has {cells} cells; a board has {order}",
                at + 1
            ))
        }
        None => None,
    }
}
