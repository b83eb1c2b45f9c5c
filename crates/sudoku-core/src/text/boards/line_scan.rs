//! Counts the characters of a line by class, and classifies the line by these counts.

use super::line_characters::{CharacterClass, characters, class};
use super::row_cells::spaced_cells;
use crate::board::Size;

/// The kind of a line in a text with boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Blank,
    Comment,
    /// A drawn line between rows or around a board.
    Rule,
    /// One character that is repeated this many times. The line is either a drawn line or a row of empty cells.
    Fill(char, usize),
    Row(CellRow),
    /// The header of a section, such as `[Puzzle]`.
    Section {
        is_puzzle: bool,
    },
    /// Any other text. `resembles_row`: more than half of its characters are cells.
    Text {
        resembles_row: bool,
    },
}

/// A row of a board: the number of its cells, and how they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CellRow {
    pub cells: usize,
    /// Whether each cell is written as its candidates, a group of digits between spaces (pencil marks).
    pub has_marks: bool,
    /// The first character that stands for an empty cell; `None` if no cell is empty.
    pub blank: Option<char>,
    /// The decoration around the cells. It is removed before the cells are read.
    pub wrapping: Wrapping,
}

/// The kinds of decoration around the cells of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrapping {
    /// No decoration, only separators between cells.
    #[default]
    Bare,
    /// There is the same character at both ends, or a bullet, or quotes.
    Framed,
    /// There is a name before the cells, such as `Row A:`.
    Named,
    /// The cells are fields between delimiters, or words and numbers between white space.
    Fields,
}

/// Classifies a line of known characters in which all empty cells are written with the same character, and no character
/// belongs only to drawn lines. `None` for other lines.
pub(crate) fn clean_kind(line: &[u8]) -> Option<LineKind> {
    let scan = LineScan::from_line(line);
    let has_over_nine = scan.digits + scan.blanks + scan.letters > 9;
    let is_clean = scan.unknown + scan.rules == 0
        && !scan.mixed_blanks
        && (scan.letters == 0 || has_over_nine);
    is_clean.then(|| scan.kind(line))
}

/// The counts of the characters of a line, by class.
#[derive(Debug, Default)]
pub(super) struct LineScan {
    digits: usize,
    blanks: usize,
    blank: Option<char>,
    mixed_blanks: bool,
    /// The number of empty cells whose character does not also occur in drawn lines.
    marks: usize,
    pub(super) letters: usize,
    unknown: usize,
    /// How many characters of the line occur only in drawn lines between rows of cells, never in a row of cells.
    rules: usize,
    quotes: usize,
    /// The length of the longest sequence of one and the same line-drawing character.
    pub(super) run_length: usize,
    /// The number of groups of cells between separators.
    groups: usize,
    /// The number of groups with several characters, not all of which are digits.
    bad_groups: usize,
    /// The lengths of the shortest and of the longest group.
    group_lengths: Option<(usize, usize)>,
}

impl LineScan {
    pub(super) fn from_line(line: &[u8]) -> LineScan {
        if line.is_ascii() {
            LineScan::from_characters(line.iter().map(|byte| char::from(*byte)))
        } else {
            LineScan::from_characters(characters(line))
        }
    }

    fn from_characters(characters: impl Iterator<Item = char>) -> LineScan {
        let mut scan = LineScan::default();
        let mut run_length = 0;
        let mut last_character = ' ';
        let (mut length, mut digits) = (0, 0);
        for character in characters.chain([' ']) {
            let class = class(character);
            match class {
                CharacterClass::Decoration
                | CharacterClass::Bar
                | CharacterClass::LineDrawing
                | CharacterClass::Quote => {
                    scan.groups += usize::from(length > 0);
                    scan.bad_groups += usize::from(length > 1 && digits < length);
                    if length > 0 {
                        let (least, most) = scan.group_lengths.unwrap_or((length, length));
                        scan.group_lengths = Some((least.min(length), most.max(length)));
                    }
                    (length, digits) = (0, 0);
                }
                _ => length += 1,
            }
            match class {
                CharacterClass::Decoration | CharacterClass::Bar => {}
                CharacterClass::LineDrawing | CharacterClass::Rule => scan.rules += 1,
                CharacterClass::Quote => scan.quotes += 1,
                CharacterClass::Digit => {
                    scan.digits += 1;
                    digits += 1;
                }
                CharacterClass::Blank => {
                    scan.mixed_blanks |= scan.blank.is_some_and(|blank| blank != character);
                    scan.blank = scan.blank.or(Some(character));
                    scan.blanks += 1;
                    scan.marks += usize::from(!matches!(character, '.' | '-' | '_' | '*'));
                }
                CharacterClass::Letter => scan.letters += 1,
                CharacterClass::Unknown => scan.unknown += 1,
            }
            run_length = if character == last_character {
                run_length + 1
            } else {
                1
            };
            last_character = character;
            if matches!(character, '-' | '_' | '*' | '=') {
                scan.run_length = scan.run_length.max(run_length);
            }
        }
        scan
    }

    pub(super) fn kind(&self, line: &[u8]) -> LineKind {
        let row = |cells, has_marks| {
            let blank = self.blank;
            LineKind::Row(CellRow {
                cells,
                has_marks,
                blank,
                wrapping: Wrapping::Bare,
            })
        };
        if self.digits + self.letters + self.unknown + self.marks == 0 {
            let is_drawn = matches!(self.blank, None | Some('-' | '_' | '*'));
            if self.rules > 0
                || (self.quotes > 0 && is_drawn)
                || (self.mixed_blanks && self.run_length >= 3)
            {
                return LineKind::Rule;
            }
            match self.blank {
                None if spaced_cells(line).is_some() => return row(9, false),
                None => return LineKind::Rule,
                Some(blank @ ('-' | '_' | '*')) if Size::ORDERS.contains(&self.blanks) => {
                    return LineKind::Fill(blank, self.blanks);
                }
                Some('-' | '_' | '*') if self.blanks >= 3 => return LineKind::Rule,
                Some(_) => {}
            }
        }
        let cells = self.digits + self.blanks;
        let non_cells = self.letters + self.unknown + self.rules;
        let total = cells + non_cells;
        if self.groups == 9 && total > 9 && non_cells + self.bad_groups == 0 {
            return row(9, true);
        }
        // In a row with letters, the cells are single or in boxes. Words have different lengths.
        let are_boxes = self.group_lengths.is_none_or(|(least, most)| least == most);
        let has_letters = Size::from_order(total).is_some_and(Size::has_letters)
            && total == cells + self.letters
            && (self.letters == 0 || are_boxes);
        if non_cells == 0 || has_letters || (Size::ORDERS.contains(&total) && 2 * cells > total) {
            if total < 9 && spaced_cells(line).is_some() {
                return LineKind::Row(CellRow {
                    cells: 9,
                    blank: Some(' '),
                    ..CellRow::default()
                });
            }
            return row(total, false);
        }
        let resembles_row = 2 * cells > total;
        LineKind::Text { resembles_row }
    }
}
