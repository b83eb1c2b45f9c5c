//! Pencil marks, the candidates of a grid, as text.

use std::fmt;

use super::candidate_set::CandidateSet;
use super::candidates::Candidates;
use super::cell::Cell;
use super::cell_set::CellSet;
use super::digit::Digit;
use super::grid::Grid;

/// The pencil marks of a 9 × 9 grid in normal form: 729 characters, nine for each cell. A cell with exactly
/// one mark is a clue. If a cell has no mark, the puzzle has no solution.
///
/// ```text
/// 1.3......│.2.......│…     cell by cell in row order; within a cell from 1 to 9,
/// r1c1 1, 3│r1c2 is 2│      `.` for a digit that is not marked
/// ```
///
/// Like [`Grid`], this type stores the characters.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Marks([u8; 729]);

impl Marks {
    /// Parses 729 characters in normal form; `None` for any other text.
    pub fn from_normal_form(text: &[u8]) -> Option<Marks> {
        let characters: [u8; 729] = text.try_into().ok()?;
        let is_mark = |(at, byte): (usize, &u8)| matches!(*byte, b'.') || *byte == digit_at(at);
        characters
            .iter()
            .enumerate()
            .all(is_mark)
            .then_some(Marks(characters))
    }

    /// The pencil marks that mark exactly these candidates.
    pub fn from_candidates(set: &CandidateSet) -> Marks {
        let mut characters = [b'.'; 729];
        for (digit, cells) in set.by_digit() {
            cells.for_each(|cell| {
                let index = mark_index(cell, digit);
                characters[index] = digit_at(index);
            });
        }
        Marks(characters)
    }

    /// The pencil marks as text: 729 characters in normal form.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("the characters are ASCII by construction")
    }

    /// Whether the digit is marked in the cell.
    pub fn contains(&self, cell: Cell, digit: Digit) -> bool {
        self.0[mark_index(cell, digit)] != b'.'
    }

    /// The set of all marked candidates.
    pub fn set(&self) -> CandidateSet {
        CandidateSet::new(Digit::ALL.map(|digit| {
            let marked = Cell::all().filter(|cell| self.contains(*cell, digit));
            marked.collect::<CellSet>()
        }))
    }

    /// The clues of the puzzle: the cells with exactly one mark.
    pub fn clues(&self) -> Grid {
        let mut clues = Grid::EMPTY;
        for (cell, marks) in Cell::all().zip(self.0.chunks_exact(9)) {
            let mut marked = marks.iter().filter(|byte| **byte != b'.');
            if let (Some(digit), None) = (marked.next(), marked.next()) {
                clues.set(cell, Digit::from_value(digit - b'0'));
            }
        }
        clues
    }

    /// The board whose candidates are the marks, except for those that the clues exclude. `clues` must be the
    /// result of [`Marks::clues`].
    pub fn board(&self, clues: &Grid) -> Candidates {
        let mut board = Candidates::new(clues);
        board.keep_only(&self.set());
        board
    }

    /// Whether every digit of this grid is marked in its cell. If not, the grid cannot be a solution.
    pub fn allow(&self, grid: &Grid) -> bool {
        grid.clues().all(|(cell, digit)| self.contains(cell, digit))
    }
}

/// The index of the character for a digit in a cell, 0–728.
fn mark_index(cell: Cell, digit: Digit) -> usize {
    9 * cell.index() + digit.index()
}

/// The digit that a mark at this index of the text stands for, as an ASCII character.
pub(crate) fn digit_at(place: usize) -> u8 {
    b'1' + (place % 9) as u8
}

impl fmt::Display for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Marks({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_sets_say_the_same() {
        let cell = |at| CellSet::of(Cell::new(at));
        let [one, two, three] = [0, 1, 2].map(Digit::from_index);
        let mut set = CandidateSet::with_digit(one, cell(0));
        set.insert(three, cell(0));
        set.insert(two, cell(1) | cell(80));
        let marks = Marks::from_candidates(&set);
        assert!(marks.as_str().starts_with("1.3.......2......."));
        assert!(marks.as_str().ends_with("..2......."[1..].trim_end()));
        assert_eq!(
            Marks::from_normal_form(marks.as_str().as_bytes()),
            Some(marks.clone())
        );
        assert_eq!(marks.set(), set);
        let clues: Vec<_> = marks.clues().clues().collect();
        assert_eq!(clues, [(Cell::new(1), two), (Cell::new(80), two)]);
        let shifted_text = format!("..{}", &marks.as_str()[..727]);
        assert_eq!(Marks::from_normal_form(shifted_text.as_bytes()), None);
    }

    #[test]
    fn marks_that_clues_exclude_are_no_candidates() {
        let mut text = "123456789".repeat(81);
        text.replace_range(..9, "....5....");
        let marks = Marks::from_normal_form(text.as_bytes()).unwrap();
        let clues = marks.clues();
        assert_eq!(marks.board(&clues), Candidates::new(&clues));
        assert!(marks.allow(&clues));
    }
}
