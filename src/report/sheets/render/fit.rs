//! Fits a table to the width of a terminal. A table whose words do not fit beside each other becomes a list.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};

use super::column_format::ColumnFormat;
use crate::report::sheets::sheet::Sheet;
use crate::wrap::wrap_list;

/// The width of the borders and the padding of a column, and of the border of a table, in characters.
const BESIDE_COLUMN: usize = 3;
const BORDER: usize = 1;

/// Makes the table break between words where it is wider than `width`. Returns false if some word or number would have
/// to be divided.
pub(super) fn fit_table(table: &mut Table, width: usize) -> bool {
    let longest_words: Vec<usize> = (0..table.column_count())
        .map(|at| {
            let header = table.header().and_then(|row| row.cell_iter().nth(at));
            let cells = table.row_iter().filter_map(|row| row.cell_iter().nth(at));
            let words = header
                .into_iter()
                .map(|cell| longest_word(&cell.content(), false));
            let words = words.chain(cells.map(|cell| longest_word(&cell.content(), true)));
            words.max().unwrap_or(0)
        })
        .collect();
    let least_width = longest_words
        .iter()
        .map(|word| word + BESIDE_COLUMN)
        .sum::<usize>()
        + BORDER;
    if least_width > width {
        return false;
    }
    table
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(width).unwrap_or(u16::MAX));
    for (column, word) in table.column_iter_mut().zip(longest_words) {
        let least = Width::Fixed(u16::try_from(word + BESIDE_COLUMN - BORDER).unwrap_or(u16::MAX));
        column.set_constraint(ColumnConstraint::LowerBoundary(least));
    }
    true
}

/// The length of the longest part of a cell that stays on one line: a word, or a number with its unit.
fn longest_word(text: &str, keeps_units: bool) -> usize {
    let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    if keeps_units && is_number && text.len() < 16 {
        return text.chars().count();
    }
    text.split(' ')
        .map(|word| word.chars().count())
        .max()
        .unwrap_or(0)
}

/// The sheet as a list: for each row its keys, then its values with the names of their columns. Values that are null
/// are left out.
pub(super) fn list(sheet: &Sheet, rows: usize, width: usize) -> String {
    let keys = sheet.keys.max(1).min(sheet.columns.len());
    let formats = ColumnFormat::of_sheet(sheet);
    let mut text = String::new();
    for row in &sheet.rows[..rows] {
        let cells: Vec<String> = (row.iter().zip(&formats))
            .map(|(value, format)| format.text(value))
            .collect();
        let values = (row.iter().zip(&sheet.columns).zip(&cells).skip(keys))
            .filter(|((value, _), _)| !value.is_null())
            .map(|((_, column), cell)| format!("{column} {cell}"));
        let values: Vec<String> = values.collect();
        text += &wrap_list(&format!("{}:", cells[..keys].join(", ")), &values, 2, width);
        text.push('\n');
    }
    text
}
