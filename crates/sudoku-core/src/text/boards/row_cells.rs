//! Extracts the cells from a decorated row of a board.

use super::line_characters::{characters, is_decoration, is_vertical};

/// The nine cells of a row in which a space is an empty cell; `None` for other rows. Bars separate the single cells, or
/// groups of three characters (five or seven, if there are spaces around each cell). A row without bars must have nine
/// characters.
pub(super) fn spaced_cells(line: &[u8]) -> Option<[char; 9]> {
    let line: Vec<char> = characters(line).collect();
    let is_bar = |character: char| character == '|' || is_vertical(character);
    let first_bar = line.iter().position(|character| is_bar(*character));
    let last_bar = line.iter().rposition(|character| is_bar(*character));
    let (Some(first), Some(last)) = (first_bar, last_bar) else {
        return line.try_into().ok();
    };
    // Bars at the two ends of the row are optional, so only the part between them is split.
    let is_blank_outside = |part: &[char]| part.iter().all(|character| character.is_whitespace());
    let between_bars = if is_blank_outside(&line[..first])
        && is_blank_outside(&line[last + 1..])
        && first < last
    {
        &line[first + 1..last]
    } else {
        &line[..]
    };
    let boxes: Vec<&[char]> = between_bars.split(|character| is_bar(*character)).collect();
    let mut cells = Vec::with_capacity(9);
    match boxes.len() {
        9 => {
            for part in boxes {
                let mut cell_characters =
                    part.iter().filter(|character| !character.is_whitespace());
                cells.push(cell_characters.next().copied().unwrap_or(' '));
                if cell_characters.next().is_some() {
                    return None;
                }
            }
        }
        3 => {
            for part in boxes {
                let cell_offsets = match part.len() {
                    3 => [0, 1, 2],
                    5 => [0, 2, 4],
                    7 => [1, 3, 5],
                    _ => return None,
                };
                let filled_count = |characters: &[char]| {
                    characters
                        .iter()
                        .filter(|character| **character != ' ')
                        .count()
                };
                let box_cells = cell_offsets.map(|at| part[at]);
                if filled_count(part) != filled_count(&box_cells) {
                    return None;
                }
                cells.extend(box_cells);
            }
        }
        _ => return None,
    }
    cells.try_into().ok()
}

/// Appends the cells of a row to `text`. `cells` is their number. Returns `false` if the row is not UTF-8.
pub(crate) fn push_cells(line: &[u8], cells: usize, text: &mut Vec<u8>) -> bool {
    if line.len() == cells && line.iter().all(u8::is_ascii_graphic) {
        text.extend_from_slice(line);
        return true;
    }
    let text_length = text.len();
    if line.is_ascii() {
        let is_cell = |byte: &&u8| !is_decoration(char::from(**byte));
        text.extend(line.iter().filter(is_cell));
        if text.len() - text_length == cells {
            return true;
        }
        text.truncate(text_length);
    }
    let mut count = 0;
    let mut is_utf8 = true;
    for character in characters(line).filter(|character| !is_decoration(*character)) {
        is_utf8 &= character != '\u{fffd}';
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        count += 1;
    }
    if count < cells
        && let Some(spaced) = spaced_cells(line)
    {
        text.truncate(text_length);
        for character in spaced {
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    is_utf8
}

/// Splits a row with pencil marks into the groups of characters for each cell.
pub(crate) fn groups(line: &[u8]) -> Vec<String> {
    let text: String = characters(line).collect();
    let groups = text.split(is_decoration);
    groups
        .filter(|group| !group.is_empty())
        .map(str::to_owned)
        .collect()
}
