//! Classifies a line of a text with boards, for example as a row of cells, a drawn line between rows, or text.
//!
//! ```text
//! Grid 01                        text
//! [Puzzle]                       a section
//! *-----------*  +---+---+---+   rules
//! |.3.|4..|...|  53. .7. ...     rows of nine cells
//! | 1234 5 67 | 8 9 12 | …       a row of nine cells with pencil marks
//! ---------                      a rule, or a row of nine blanks: the rows around it decide
//! Row A: 53..7....               a row with something around its cells
//! A B C  D E F  G H I            the names of the columns: a rule
//! ```

use super::fields_row::fields_row;
use super::heading::is_heading;
use super::line_scan::{CellRow, LineKind, LineScan};
use super::wrapped_row::{strip_frame, strip_wrapping};
use crate::board::Size;

/// The maximum length of a line that can be a row, in bytes.
pub(crate) const LONGEST_ROW: usize = 1024;

/// The names of sections in `.sdk` files that do not contain the puzzle.
const OTHER_SECTIONS: [&[u8]; 9] = [
    b"state",
    b"pencilmarks",
    b"candidates",
    b"solution",
    b"options",
    b"settings",
    b"colors",
    b"notes",
    b"history",
];

/// Classifies a line, which is given without its line end.
pub(crate) fn kind(line: &[u8]) -> LineKind {
    if let Some(row) = plain_row(line) {
        return LineKind::Row(row);
    }
    let trimmed_line = line.trim_ascii();
    match trimmed_line {
        [] => return LineKind::Blank,
        [b'#', ..] => return LineKind::Comment,
        [b'[', name @ .., b']'] if name.iter().any(u8::is_ascii_alphabetic) => {
            let is_section = |section: &[u8]| name.trim_ascii().eq_ignore_ascii_case(section);
            if is_section(b"puzzle") {
                return LineKind::Section { is_puzzle: true };
            }
            if OTHER_SECTIONS.into_iter().any(is_section) {
                return LineKind::Section { is_puzzle: false };
            }
        }
        _ => {}
    }
    if line.len() > LONGEST_ROW || is_numbered(trimmed_line) {
        return LineKind::Text {
            resembles_row: false,
        };
    }
    let scan = LineScan::from_line(line);
    if scan.letters > 0 && is_heading(trimmed_line) {
        return LineKind::Rule;
    }
    if let Some((row, _)) = fields_row(line) {
        return LineKind::Row(row);
    }
    let kind = scan.kind(line);
    let is_row =
        |row: CellRow| row.has_marks || row.cells == 81 || Size::ORDERS.contains(&row.cells);
    let without_wrapping = match kind {
        // With letters, a row's name and its cells together can look like a row of a larger board, so the name is
        // removed first.
        LineKind::Row(row) if is_row(row) && scan.letters == 0 => None,
        LineKind::Row(_) | LineKind::Text { .. } => strip_wrapping(line),
        LineKind::Rule if scan.run_length < 3 => strip_frame(line),
        _ => None,
    };
    match without_wrapping {
        Some((row, _)) => LineKind::Row(row),
        None => kind,
    }
}

/// A fast path for the most common kind of row: nine digits or blanks, with bars only between boxes.
fn plain_row(line: &[u8]) -> Option<CellRow> {
    let cells: [u8; 9] = match *line {
        [a, b, c, b'|', d, e, f, b'|', g, h, i]
        | [b'|', a, b, c, b'|', d, e, f, b'|', g, h, i, b'|'] => [a, b, c, d, e, f, g, h, i],
        _ => line.try_into().ok()?,
    };
    let is_digit = |byte: &u8| matches!(byte, b'1'..=b'9');
    let blank = cells.iter().copied().find(|byte| !is_digit(byte));
    let is_plain =
        |byte: &u8| is_digit(byte) || (Some(*byte) == blank && matches!(byte, b'.' | b'0'));
    cells.iter().all(is_plain).then_some(CellRow {
        cells: 9,
        blank: blank.map(char::from),
        ..CellRow::default()
    })
}

/// Whether the line is a word, a space and a number, such as `Grid 10000`. Without the space, a row of cells could look
/// the same.
fn is_numbered(line: &[u8]) -> bool {
    let word = line.iter().take_while(|byte| byte.is_ascii_alphabetic());
    let (word, number) = line.split_at(word.count());
    let digits = number.trim_ascii_start();
    word.len() >= 3
        && digits.len() < number.len()
        && !digits.is_empty()
        && digits.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::super::row_cells::{groups, push_cells};
    use super::*;

    fn kind_name(line: &str) -> String {
        match kind(line.as_bytes()) {
            LineKind::Row(CellRow {
                cells,
                has_marks: true,
                ..
            }) => {
                format!("{cells} marks {}", groups(line.as_bytes()).join("/"))
            }
            LineKind::Row(CellRow { cells, .. }) => {
                let mut text = Vec::new();
                assert!(push_cells(line.as_bytes(), cells, &mut text));
                format!("{cells} {}", String::from_utf8(text).unwrap())
            }
            kind => format!("{kind:?}"),
        }
    }

    #[test]
    fn rows_are_rows_however_they_are_decorated() {
        for line in [
            "53..7....",
            "|53.|.7.|...|",
            "| 5 3 . | . 7 . | . . . |",
            "5 3 . . 7 . . . .",
            "53. .7. ...",
            "53.:.7.:...",
            "│53.│.7.│...│",
            "║ 5 3 . │ . 7 . ┃ . . . ║",
            "  5, 3, ., ., 7, ., ., ., .",
            "[5,3,.,.,7,.,.,.,.],",
            "5\t3\t.\t.\t7\t.\t.\t.\t.",
        ] {
            assert_eq!(kind_name(line), "9 53..7....", "{line}");
        }
        for line in [
            "53  7    ",
            "|53 | 7 |   |",
            "53 | 7 |   ",
            "| 5 3   |   7   |       |",
            "|5 3  |  7  |     |",
            "| 5 | 3 |   |   | 7 |   |   |   |   |",
            "│5│3│ │ │7│ │ │ │ │",
            "| 5|3 | | |7| | | | |",
        ] {
            assert_eq!(kind_name(line), "9 53  7    ", "{line}");
        }
        for (line, expected) in [
            ("|   |   |   |", "9          "),
            (".........", "9 ........."),
            ("--3--4--5", "9 --3--4--5"),
            ("xx3xx4xx5", "9 xx3xx4xx5"),
            ("53..7...", "8 53..7..."),
            ("53..a....", "9 53..a...."),
            ("53.é7....", "9 53.é7...."),
            ("12.4", "4 12.4"),
            ("..A1 .... 9..G ....", "16 ..A1....9..G...."),
            (
                "| 12 3 456 | 7 8 9 | 1 23 4 |",
                "9 marks 12/3/456/7/8/9/1/23/4",
            ),
            ("12 . 3 4 5 6 7 8 9", "9 marks 12/./3/4/5/6/7/8/9"),
        ] {
            assert_eq!(kind_name(line), expected, "{line}");
        }
    }

    #[test]
    fn other_lines_are_distinguished_from_rows() {
        for line in [
            "---+---+---",
            "|---+---+---|",
            "*-----------*",
            "-----------",
            "------+-------+------",
            ".-----.-----.-----.",
            ":-----+-----+-----:",
            "'-----'-----'-----'",
            "┌───┬───┬───┐",
            "╠═══╬═══╣",
            "===========",
        ] {
            assert_eq!(kind(line.as_bytes()), LineKind::Rule, "{line}");
        }
        // These lines contain crosses, question marks or zeros, which do not occur in drawn lines.
        for line in [
            "--X",
            "---+---+--X",
            "-x-",
            "--?--",
            "0--",
            "---0---",
            "+X+",
            "?+?",
        ] {
            assert_ne!(kind(line.as_bytes()), LineKind::Rule, "{line}");
        }
        assert_eq!(kind(b"---------"), LineKind::Fill('-', 9));
        assert_eq!(kind(b"|---|---|---|"), LineKind::Fill('-', 9));
        assert_eq!(kind(b" \t"), LineKind::Blank);
        assert_eq!(kind(b"#Aauthor"), LineKind::Comment);
        assert_eq!(kind(b"[Puzzle]"), LineKind::Section { is_puzzle: true });
        assert_eq!(kind(b"[STATE]"), LineKind::Section { is_puzzle: false });
        for (line, resembles_row) in [
            ("Grid 01", false),
            ("Puzzle 12", false),
            ("Board 0001", false),
            ("[Game 7]", false),
            ("53..a.....", true),
            ("hello", false),
        ] {
            assert_eq!(
                kind(line.as_bytes()),
                LineKind::Text { resembles_row },
                "{line}"
            );
        }
        let long_line = [b'1'; LONGEST_ROW + 1];
        assert_eq!(
            kind(&long_line),
            LineKind::Text {
                resembles_row: false
            }
        );
    }

    /// The fast path for common rows gives the same result as the general code.
    #[test]
    fn a_plain_row_has_the_cells_of_its_characters() {
        let seed = 11;
        let mut rng = crate::random::Rng::for_item(seed, 0);
        let mut plain_rows = 0;
        for _ in 0..20_000 {
            let blank = [b'.', b'0', b'-'][rng.below(3)];
            let mut cell = || match rng.below(3) {
                0 => b'1' + rng.below(9) as u8,
                1 if rng.below(40) == 0 => b"|.0x "[rng.below(5)],
                _ => blank,
            };
            let cells: Vec<u8> = (0..9).map(|_| cell()).collect();
            let boxes: Vec<&[u8]> = cells.chunks(3).collect();
            let with_bars = boxes.join(&b'|');
            let framed = [b"|", &with_bars[..], b"|"].concat();
            for line in [cells.clone(), with_bars, framed] {
                let Some(row) = plain_row(&line) else {
                    continue;
                };
                plain_rows += 1;
                let from_characters = LineScan::from_line(&line).kind(&line);
                let line = String::from_utf8_lossy(&line);
                assert_eq!(from_characters, LineKind::Row(row), "seed {seed}: {line}");
            }
        }
        assert!(plain_rows > 20_000, "{plain_rows}");
    }
}
