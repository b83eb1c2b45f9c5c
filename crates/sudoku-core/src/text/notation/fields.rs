//! Cells between delimiters, or between white space, on one line or a row on each line.
//!
//! ```text
//! 5,3,0,0,7,…     5,3,,,7,…     5.0 3.0 nan …     5.000e+00 3.000e+00 0.000e+00 …     -1 -1 4 3 …
//! ```

use super::tokens::{Split, Tokens, Written, order_of, wrong_count};
use crate::board::Size;

/// The delimiters that are tried, in this order.
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// At least this share of the fields must be cells, so that a text with too few or too many is called a list of cells.
const LEAST_CELLS: usize = 40;

/// Splits a text into its fields.
pub(super) fn split(text: &str) -> Split<'_> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let delimiters = DELIMITERS
        .into_iter()
        .filter(|delimiter| text.contains(*delimiter));
    for delimiter in delimiters {
        if let Some(split) = join(&lines, |line| delimited(line, delimiter)) {
            return Some(split);
        }
    }
    join(&lines, |line| line.split_whitespace().collect())
}

/// The fields of a line. A delimiter at the end of the line, or at both ends, does not add an empty field.
fn delimited(line: &str, delimiter: char) -> Vec<&str> {
    let is_grid_row = |fields: usize| Size::ORDERS.contains(&fields) || Size::is_cell_count(fields);
    let fields: Vec<&str> = line.split(delimiter).map(str::trim).collect();
    let (count, is_closed) = (fields.len(), fields.last() == Some(&""));
    let is_framed = is_closed && fields.first() == Some(&"");
    if is_grid_row(count) || !is_closed {
        fields
    } else if is_framed && is_grid_row(count - 2) {
        fields[1..count - 1].to_vec()
    } else if is_grid_row(count - 1) {
        fields[..count - 1].to_vec()
    } else {
        fields
    }
}

/// The cells of a grid on one line, or of n lines with n cells each.
fn join<'a>(lines: &[&'a str], fields: impl Fn(&'a str) -> Vec<&'a str>) -> Split<'a> {
    match lines {
        [line] => {
            let cells = fields(line);
            let count = cells.len();
            let tokens = Tokens::new(count.isqrt(), cells);
            match order_of(count) {
                Some(_) if tokens.are_cells() => Some(Ok(Written::Tokens(tokens))),
                // A line with nearly as many cells as a 9 × 9 grid was meant as one.
                None if count >= LEAST_CELLS && tokens.are_cells() => {
                    Some(Err(wrong_count("a line", count)))
                }
                _ => None,
            }
        }
        rows if Size::ORDERS.contains(&rows.len()) => {
            let order = rows.len();
            let mut cells = Vec::with_capacity(order * order);
            for row in rows {
                let row = fields(row);
                if row.len() != order {
                    return None;
                }
                cells.extend(row);
            }
            let tokens = Tokens::new(order, cells);
            tokens.are_cells().then_some(Ok(Written::Tokens(tokens)))
        }
        _ => None,
    }
}
