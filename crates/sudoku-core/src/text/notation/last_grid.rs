//! Finds the last grid in a text with words around it, such as the answer of a language model.

use super::{Digits, read};
use crate::text::boards::{NextBlock, cells, next_block};

/// The text of the last grid of this order in a text, in any notation: a board of several lines, or a line or a list
/// that is a grid. `None` if there is none.
pub fn last_grid(text: &str, order: usize) -> Option<String> {
    let is_grid = |cells: &str| cells.chars().count() == order * order;
    let on_line = |line: &str| {
        let line = line.trim().trim_matches(['*', '`', '$']);
        let reading = read(line.as_bytes(), Digits::default())?.ok()?;
        Some(reading.text).filter(|cells| is_grid(cells))
    };
    let board = last_board(text).filter(|(_, cells)| is_grid(cells));
    let mut end = 0;
    let lines = text.split_inclusive('\n').filter_map(|line| {
        end += line.len();
        Some((end, on_line(line)?))
    });
    let list = last_list(text).and_then(|(end, list)| {
        let reading = read(list.as_bytes(), Digits::default())?.ok()?;
        Some((end, reading.text)).filter(|(_, cells)| is_grid(cells))
    });
    let found = board.into_iter().chain(lines.last()).chain(list);
    found.max_by_key(|(end, _)| *end).map(|(_, cells)| cells)
}

/// The last whole board of several lines, with the offset of its end.
fn last_board(text: &str) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let mut last = None;
    let mut offset = 0;
    while let NextBlock::Block(block) = next_block(bytes, offset, true) {
        offset = block.end;
        if block.is_whole()
            && block.rows.len() > 1
            && let Ok(cells) = cells(bytes, &block)
            && let Ok(cells) = String::from_utf8(cells)
        {
            last = Some((block.end, cells));
        }
    }
    last
}

/// The last list in brackets or braces that is not inside another one, with the offset of its end.
fn last_list(text: &str) -> Option<(usize, &str)> {
    let mut depth = 0_usize;
    let mut start = 0;
    let mut last = None;
    for (at, character) in text.char_indices() {
        match character {
            '[' | '{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            ']' | '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    last = Some((at + 1, &text[start..=at]));
                }
            }
            _ => {}
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = "1234341221434321";

    #[test]
    fn the_last_grid_in_any_notation_is_found() {
        for text in [
            "Row 1: 1 2 3 4\nRow 2: 3 4 1 2\nRow 3: 2 1 4 3\nRow 4: 4 3 2 1\nDone.",
            "| | C1 | C2 | C3 | C4 |\n|---|---|---|---|---|\n| R1 | 1 | 2 | 3 | 4 |\n| R2 | 3 | 4 | 1 | 2 |\n\
             | R3 | 2 | 1 | 4 | 3 |\n| R4 | 4 | 3 | 2 | 1 |\n",
            "The answer is\n```json\n{\"row1\": [1,2,3,4],\n \"row2\": [3,4,1,2],\n \"row3\": [2,1,4,3],\n \"row4\": [4,3,2,1]}\n```",
            "It is 1.2.\n1234/3412/2143/4321\nas you see.",
            "１２３４\n３４１２\n２１４３\n４３２１\n",
        ] {
            let found = last_grid(text, 4).map(|cells| {
                let reading = read(cells.as_bytes(), Digits::default());
                reading
                    .and_then(Result::ok)
                    .map_or(cells, |reading| reading.text)
            });
            assert_eq!(found.as_deref(), Some(GRID), "{text}");
        }
        for text in [
            "",
            "no grid",
            "rows sum to 10 10 10 10",
            "1 2 3 4\n3 4 1 2\n2 1 4 3\n",
        ] {
            assert_eq!(last_grid(text, 4), None, "{text}");
        }
    }
}
