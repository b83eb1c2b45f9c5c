//! Parses records that are grids: texts, numbers with as many digits as cells, and arrays of cells or rows.

use std::borrow::Cow;

use serde_json::Value;
use sudoku_core::sizes::{self, Size};

use crate::carry::text::json_text::parse_string;
use crate::error::Error;
use crate::read::bytes::head::Head;
use crate::read::columns::choose_fixed;
use crate::read::grids::NumberSymbols;
use crate::read::text::json::cells::{self, bad_json};
use crate::read::text::line_records::Grids;
use crate::read::{EmptyCell, ReadOptions};
use crate::table::reject::{RejectKind, RejectReason};

/// Parses grids without names of columns.
pub(super) struct GridParser {
    symbols: NumberSymbols,
}

impl GridParser {
    /// Infers from the first values which numbers stand for empty cells and for digits.
    pub(super) fn new<'a>(
        head: &Head<'_>,
        values: impl Iterator<Item = &'a str>,
        options: &ReadOptions,
    ) -> Result<GridParser, Error> {
        choose_fixed(head.source_name, &[], options)?;
        let arrays: Vec<&str> = values.filter(|value| value.starts_with('[')).collect();
        let inferred = || cells::inferred_symbols(&arrays);
        Ok(GridParser {
            symbols: options
                .token_offset
                .map_or_else(inferred, NumberSymbols::from),
        })
    }

    pub(super) fn parse<'a>(&self, record: &'a [u8]) -> Result<Grids<'a>, RejectReason> {
        let text = std::str::from_utf8(record).map_err(|error| {
            let message = format!(
                "byte {} of the record is not UTF-8",
                error.valid_up_to() + 1
            );
            RejectReason::new(RejectKind::NotUtf8, message)
        })?;
        let grid = grid(text, self.symbols)?;
        let bytes = match grid {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
        Ok(Grids {
            puzzle: bytes,
            solution: None,
            empty: empty_cell(text, self.symbols),
        })
    }
}

/// The text of a grid. Its JSON value is a string, an array, or a number with as many digits as the grid has cells.
pub(super) fn grid(json: &str, symbols: NumberSymbols) -> Result<Cow<'_, str>, RejectReason> {
    if json == "null" {
        let reason = RejectReason::new(RejectKind::NullValue, "the puzzle is null");
        return Err(reason);
    }
    if json.starts_with('[') {
        return cells::from_array(json, symbols);
    }
    let text = parse_string(json).map_err(|error| bad_json(&error))?;
    Ok(text.unwrap_or(Cow::Borrowed(json)))
}

/// What an array of numbers has in its empty cells; `None` for other values, which [`grid`] does not convert.
pub(super) fn empty_cell(json: &str, symbols: NumberSymbols) -> Option<EmptyCell> {
    if !json.starts_with('[') || json.contains('"') {
        return None;
    }
    Some(if json.contains("null") {
        EmptyCell::Null
    } else {
        EmptyCell::Number(symbols.empty)
    })
}

/// Whether this JSON value has as many cells as a grid: a text, or an array of cells or rows.
pub(super) fn is_whole_grid(json: &str) -> bool {
    match serde_json::from_str::<Value>(json) {
        Ok(Value::String(text)) => is_grid_text(&text),
        Ok(Value::Array(rows)) => {
            let is_text_of_row = |row: &Value| row.as_str().is_some_and(|text| text.len() > 1);
            if rows.iter().any(|row| row.is_array() || is_text_of_row(row)) {
                let has_row_length = |row: &Value| match row {
                    Value::Array(cells) => cells.len() == rows.len() && cells.iter().all(is_cell),
                    Value::String(text) => text.chars().count() == rows.len(),
                    _ => false,
                };
                return Size::ORDERS.contains(&rows.len()) && rows.iter().all(has_row_length);
            }
            Size::is_cell_count(rows.len()) && rows.iter().all(is_cell)
        }
        _ => false,
    }
}

/// Whether a text may be a grid: its length is that of one, and it has no spaces or line ends within.
fn is_grid_text(text: &str) -> bool {
    let text = text.trim();
    text.len() > 9 && sizes::is_grid_text(text.as_bytes())
}

fn is_cell(value: &Value) -> bool {
    match value {
        Value::Null | Value::Number(_) => true,
        Value::String(text) => text.chars().count() < 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_grid_is_told_from_a_row_and_from_a_list_of_grids() {
        let text = format!("\"{}\"", ".".repeat(81));
        let row = "[0,0,0,0,0,0,0,0,0]";
        let flat = format!("[{}0]", "0,".repeat(80));
        for (json, expected) in [
            (text.as_str(), true),
            (&format!("[{text}]"), false),
            (&flat, true),
            (&format!("[{flat}]"), false),
            (row, false),
            (&format!("[{row}{}]", format!(",{row}").repeat(8)), true),
            (
                &format!("[\"123......\"{}]", ",\".........\"".repeat(8)),
                true,
            ),
            ("\"some text\"", false),
            ("{}", false),
            ("[", false),
        ] {
            assert_eq!(is_whole_grid(json), expected, "{json}");
        }
    }
}
