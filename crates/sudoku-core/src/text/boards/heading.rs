//! Headings: lines that name the columns of a board.
//!
//! ```text
//!     1 2 3   4 5 6   7 8 9          C1 C2 C3   C4 C5 C6   C7 C8 C9          | | A | B | C | … |
//! ```

use super::line_characters::{characters, is_decoration};
use crate::board::Size;

/// Whether the line names the columns of a board with letters: `A B C …`, `C1 C2 C3 …`, `c1 c2 …`, `col1 col2 …`.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let names = names(line);
    let has_letter = |name: &String| name.starts_with(|c: char| c.is_ascii_alphabetic());
    names.iter().any(has_letter) && are_in_order(&names) || is_alphabet(line)
}

/// Whether the line has only the numbers from 1 to that of the last column, so that it is either a heading or a row.
pub(super) fn is_count(line: &[u8]) -> bool {
    let digits: Vec<u8> = line.iter().copied().filter(u8::is_ascii_digit).collect();
    let has_others = characters(line).any(|c| !c.is_ascii_digit() && c != '*' && !is_decoration(c));
    let is_short = [4, 6, 9].contains(&digits.len()) && b"123456789".starts_with(&digits);
    !has_others && (is_short || are_in_order(&names(line)))
}

/// The names of the columns, in upper case. A name of the corner, above the names of the rows, is left out.
fn names(line: &[u8]) -> Vec<String> {
    let text: String = characters(line).filter(|c| *c != '*').collect();
    let groups = text.split(is_decoration).filter(|group| !group.is_empty());
    let mut names: Vec<String> = groups.map(str::to_ascii_uppercase).collect();
    if names.len() > Size::ORDERS[0] && !Size::ORDERS.contains(&names.len()) {
        names.remove(0);
    }
    names
}

/// Whether the names are those of all columns of a board, from the first on.
fn are_in_order(names: &[String]) -> bool {
    let is_next = |(at, name): (usize, &String)| {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = &name[letters.len()..];
        match (letters, number) {
            ("" | "C" | "COL" | "COLUMN", number) => number.parse() == Ok(at + 1),
            (letter, "") => letter.len() == 1 && letter.as_bytes()[0] == b'A' + at as u8,
            _ => false,
        }
    };
    Size::ORDERS.contains(&names.len()) && names.iter().enumerate().all(is_next)
}

/// Whether the line has only the letters A to I, apart from separators.
fn is_alphabet(line: &[u8]) -> bool {
    let letters = line
        .iter()
        .filter(|byte| !is_decoration(char::from(**byte)));
    letters.map(u8::to_ascii_uppercase).eq(*b"ABCDEFGHI")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_name_all_columns_in_order() {
        for line in [
            "   C1 C2 C3   C4 C5 C6   C7 C8 C9  ",
            "  C1 C2   C3 C4",
            "A B C D E F G H I",
            "  ABC DEF GHI",
            "| | A | B | C | D | E | F | G | H | I |",
            "| Row | C1 | C2 | C3 | C4 | C5 | C6 | C7 | C8 | C9 |",
            "col1,col2,col3,col4",
        ] {
            assert!(is_heading(line.as_bytes()), "{line}");
        }
        for line in ["1 2 3 | 4 5 6 | 7 8 9", "| | 1 | 2 | 3 | 4 |", "1 2 3 4"] {
            assert!(
                is_count(line.as_bytes()) && !is_heading(line.as_bytes()),
                "{line}"
            );
        }
        for line in [
            "A B C",
            "C1 C2 C3",
            "1 2 3 4 5",
            "C2 C1 C3 C4",
            "A cat sat",
            "",
        ] {
            assert!(
                !is_heading(line.as_bytes()) && !is_count(line.as_bytes()),
                "{line}"
            );
        }
    }
}
