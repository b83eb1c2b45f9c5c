//! Grids in the ids and addresses of games.
//!
//! ```text
//! 3x3:5_3b7d6b1_9_5d9_8d6a8c6c3…                 Simon Tatham's Solo: a letter is a number of empty cells
//! https://sudokuexchange.com/play/?s=090000…     an address with all cells in it
//! ```

use super::tokens::{Split, Tokens, Written, wrong_count};
use crate::board::Size;

/// Splits the id of a game, or finds the cells in an address.
pub(super) fn split(text: &str) -> Split<'_> {
    if text.starts_with("https://") || text.starts_with("http://") {
        return in_address(text);
    }
    let (shape, cells) = text.split_once(':')?;
    let (columns, rows) = shape.split_once('x')?;
    let rows = rows.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let order = columns.parse::<usize>().ok()? * rows.parse::<usize>().ok()?;
    if !Size::ORDERS.contains(&order) || cells.is_empty() {
        return None;
    }
    let mut tokens = Vec::with_capacity(order * order);
    let mut rest = cells;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            'a'..='z' => {
                let empty = first as usize - 'a' as usize + 1;
                tokens.extend(std::iter::repeat_n("", empty));
                1
            }
            '_' => 1,
            '1'..='9' => {
                let digits = rest
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(rest.len());
                tokens.push(&rest[..digits]);
                digits
            }
            _ => return None,
        };
        rest = &rest[length..];
    }
    Some(if tokens.len() == order * order {
        Ok(Written::Tokens(Tokens::new(order, tokens)))
    } else {
        Err(wrong_count("a game id", tokens.len()))
    })
}

/// The only grid of at least 81 cells in an address.
fn in_address(text: &str) -> Split<'_> {
    let parts = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_' | '*' | '-')));
    let mut grids = parts.filter(|part| part.len() >= 81 && Size::is_cell_count(part.len()));
    match (grids.next(), grids.next()) {
        (Some(grid), None) => Some(Ok(Written::Characters(grid.to_owned()))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Digits, read};

    fn grid(text: &str) -> Option<Result<String, String>> {
        let reading = read(text.as_bytes(), Digits::default())?;
        Some(
            reading
                .map(|reading| reading.text)
                .map_err(|error| error.message),
        )
    }

    #[test]
    fn ids_and_addresses_have_grids() {
        let puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let id = "3x3:5_3b7d6b1_9_5d9_8d6a8c6c3_4b8a3b1_7c2c6a6d2_8d4_1_9b5d8b7_9";
        assert_eq!(grid(id), Some(Ok(puzzle.to_owned())));
        let address = format!(
            "https://example.org/play/?s={}&v=2",
            puzzle.replace('.', "0")
        );
        assert_eq!(grid(&address), Some(Ok(puzzle.replace('.', "0"))));
        assert_eq!(
            grid("3x3:5_3b7"),
            Some(Err("a game id of 5 cells; a puzzle has 81".to_owned()))
        );
        for text in [
            "https://example.org/?s=123",
            "3x3:",
            "a: b",
            "12x34:5",
            "4x2:abc",
        ] {
            assert!(!matches!(grid(text), Some(Ok(_))), "{text}");
        }
    }
}
