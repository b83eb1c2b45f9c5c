//! Grids of pencil marks: the candidates of each cell.
//!
//! The internal form has 729 characters, nine for each cell. The d-th of them is the digit d or a
//! dot.
//!
//! ```text
//! 1........ .2.4.6... 123456789 …     (without the spaces)
//! ```

use crate::text::BLANKS;

/// The number of characters of the internal form: 81 cells with 9 characters each.
pub const MARKS_LENGTH: usize = 729;

/// Appends the nine characters of a cell to `marks`. `group` is the cell's candidates in any order, or a single blank,
/// which stands for all nine digits. Returns `false`, and appends nothing, if `group` is not valid.
pub fn push_cell(group: &[u8], marks: &mut Vec<u8>) -> bool {
    let is_blank = |byte: &u8| BLANKS.contains(&char::from(*byte));
    let mut cell = *b".........";
    match group {
        [] => return false,
        [one] if is_blank(one) => cell = *b"123456789",
        group => {
            for byte in group {
                match byte {
                    b'1'..=b'9' => {
                        let mark_slot = &mut cell[usize::from(byte - b'1')];
                        if *mark_slot != b'.' {
                            return false;
                        }
                        *mark_slot = *byte;
                    }
                    byte if group.len() == 9 && is_blank(byte) => {}
                    _ => return false,
                }
            }
        }
    }
    marks.extend_from_slice(&cell);
    true
}

/// Reads a grid of 729 characters, nine for each cell. The digits of a cell may be in any order, and all
/// blanks must be the same character. `None` for other texts.
pub fn from_characters(text: &[u8]) -> Option<Vec<u8>> {
    if text.len() != MARKS_LENGTH {
        return None;
    }
    let blank = text.iter().find(|byte| !matches!(byte, b'1'..=b'9'));
    let is_mark = |byte: &u8| matches!(byte, b'1'..=b'9') || Some(byte) == blank;
    if !text.iter().all(is_mark) {
        return None;
    }
    let mut marks = Vec::with_capacity(MARKS_LENGTH);
    let cells = text.as_chunks::<9>().0;
    cells
        .iter()
        .all(|cell| push_cell(cell, &mut marks))
        .then_some(marks)
}

/// Whether a byte separates groups of digits.
pub fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b'|' | b';')
}

/// Reads a grid of 81 groups of digits. `None` for other texts, and if every group has one character, because
/// the text is then an ordinary grid.
pub fn from_groups(text: &[u8]) -> Option<Vec<u8>> {
    let mut marks = Vec::with_capacity(MARKS_LENGTH);
    let mut longest = 0;
    let groups = text.split(|byte| is_separator(*byte));
    for group in groups.filter(|group| !group.is_empty()) {
        longest = longest.max(group.len());
        if marks.len() == MARKS_LENGTH || !push_cell(group, &mut marks) {
            return None;
        }
    }
    (marks.len() == MARKS_LENGTH && longest > 1).then_some(marks)
}

/// Whether the lines are the rows of a board whose cells stand in nine columns: groups of digits, padded with spaces. In
/// each row of such a board, 81 characters can look like a grid whose empty cells are spaces.
///
/// ```text
/// 12       3        459      7        …
/// 8        126      5        129      …
/// ```
pub fn is_padded_board<'a>(lines: impl Iterator<Item = &'a [u8]>) -> bool {
    let (mut rows, mut longest) = (0, 0);
    // For each column of characters, whether a row has a digit there.
    let mut is_taken: Vec<bool> = Vec::new();
    for line in lines.take(9) {
        let groups = line
            .split(|byte| *byte == b' ')
            .filter(|group| !group.is_empty());
        let mut group_count = 0;
        for group in groups {
            if !push_cell(group, &mut Vec::new()) {
                return false;
            }
            longest = longest.max(group.len());
            group_count += 1;
        }
        if group_count != 9 {
            return false;
        }
        is_taken.resize(is_taken.len().max(line.len()), false);
        for (taken, byte) in is_taken.iter_mut().zip(line) {
            *taken |= *byte != b' ';
        }
        rows += 1;
    }
    let columns = is_taken
        .split(|taken| !taken)
        .filter(|column| !column.is_empty());
    rows == 9 && longest > 1 && columns.count() == 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_its_digits_in_order() {
        for (group, expected) in [
            ("1", Some("1........")),
            ("62", Some(".2...6...")),
            ("123456789", Some("123456789")),
            ("..3...7..", Some("..3...7..")),
            ("37.......", Some("..3...7..")),
            ("000000000", Some(".........")),
            (".", Some("123456789")),
            ("", None),
            ("11", None),
            ("1.", None),
            ("1a", None),
        ] {
            let mut marks = Vec::new();
            let is_cell = push_cell(group.as_bytes(), &mut marks);
            let expected = expected.unwrap_or_default();
            assert_eq!(String::from_utf8(marks).unwrap(), expected, "{group}");
            assert_eq!(is_cell, !expected.is_empty());
        }
    }

    #[test]
    fn rows_of_a_padded_board_have_their_cells_below_each_other() {
        let rows = |pad: fn(&str) -> String| -> Vec<String> {
            let groups = |row: usize| {
                (0..9).map(move |cell| &"123456789"[cell % 3..][..1 + (row + cell) % 4])
            };
            (0..9).map(|row| groups(row).map(pad).collect()).collect()
        };
        let is_board = |rows: &[String]| is_padded_board(rows.iter().map(String::as_bytes));
        for pad in [
            |cell: &str| format!("{cell:<9}"),
            |cell: &str| format!("{cell:>12}"),
            |cell: &str| format!("{cell:^10}"),
        ] {
            let board = rows(pad);
            assert!(is_board(&board), "{board:?}");
            assert!(!is_board(&board[1..]));
        }
        assert!(
            !is_board(&rows(|cell| format!("{cell} "))),
            "not below each other"
        );
        // Grids with spaces for empty cells.
        let grids: Vec<String> = (0..9)
            .map(|at| format!("{:>1$}", "12  3 4 5  6 78  9  1", 81 - at))
            .collect();
        assert!(!is_board(&grids));
    }

    #[test]
    fn groups_and_characters_say_the_same() {
        let groups: Vec<String> = (0..81)
            .map(|cell| match cell % 3 {
                0 => "1".to_owned(),
                1 => "29".to_owned(),
                _ => "123456789".to_owned(),
            })
            .collect();
        let marks = from_groups(groups.join(" ").as_bytes()).unwrap();
        assert_eq!(from_characters(&marks).as_ref(), Some(&marks));
        let zeros: Vec<u8> = marks
            .iter()
            .map(|byte| if *byte == b'.' { b'0' } else { *byte })
            .collect();
        assert_eq!(from_characters(&zeros).as_ref(), Some(&marks));
        for between in [",", " | ", "; "] {
            assert_eq!(
                from_groups(groups.join(between).as_bytes()).as_ref(),
                Some(&marks)
            );
        }
        assert_eq!(from_groups(groups[1..].join(" ").as_bytes()), None);
        assert_eq!(
            from_groups("1 ".repeat(81).as_bytes()),
            None,
            "an ordinary grid"
        );
        assert_eq!(from_characters(&marks[1..]), None);
        assert_eq!(from_characters(&[&marks[..728], b"x"].concat()), None);
    }
}
