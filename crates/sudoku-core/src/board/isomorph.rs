//! Isomorphs: the 2 · 9! · 6⁸ transformations that keep a puzzle essentially the same.

use std::fmt;
use std::str::FromStr;

use super::candidate_set::CandidateSet;
use super::cell::Cell;
use super::cell_set::CellSet;
use super::digit::Digit;
use super::grid::Grid;
use super::marks::Marks;
use crate::random::Rng;

/// A transformation of a grid that keeps it the same puzzle: it renames digits, permutes the bands, the
/// stacks, the rows of a band and the columns of a stack, and may exchange rows with columns.
///
/// As text, it is `312456789 r123456789 c456123789 t`: the images of the digits 1–9, of the rows 1–9 and of
/// the columns 1–9. The last character is `t` if rows and columns are exchanged first, otherwise `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isomorph {
    digits: [Digit; 9],
    rows: [usize; 9],
    columns: [usize; 9],
    transpose: bool,
}

impl Isomorph {
    /// The transformation that changes nothing.
    pub fn identity() -> Isomorph {
        let lines = std::array::from_fn(|line| line);
        Isomorph {
            digits: Digit::ALL,
            rows: lines,
            columns: lines,
            transpose: false,
        }
    }

    /// A random transformation, drawn so that all are equally likely.
    pub fn random(rng: &mut Rng) -> Isomorph {
        let mut digits = Digit::ALL;
        rng.shuffle(&mut digits);
        Isomorph {
            digits,
            rows: random_lines(rng),
            columns: random_lines(rng),
            transpose: rng.below(2) == 1,
        }
    }

    /// The transformation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Isomorph {
        let mut inverse = self.clone();
        // If rows and columns are exchanged, the columns of the grid become the rows of its image.
        let (rows, columns) = if self.transpose {
            (&self.columns, &self.rows)
        } else {
            (&self.rows, &self.columns)
        };
        for (from, to) in Digit::ALL.into_iter().zip(self.digits) {
            inverse.digits[to.index()] = from;
        }
        for from in 0..9 {
            inverse.rows[rows[from]] = from;
            inverse.columns[columns[from]] = from;
        }
        inverse
    }

    /// The cell to which the transformation moves this cell.
    pub fn cell(&self, cell: Cell) -> Cell {
        let (row, column) = if self.transpose {
            (cell.column(), cell.row())
        } else {
            (cell.row(), cell.column())
        };
        Cell::at(self.rows[row], self.columns[column])
    }

    /// The digit that the transformation puts in place of this digit.
    pub fn digit(&self, digit: Digit) -> Digit {
        self.digits[digit.index()]
    }

    /// The image of a grid under this transformation.
    pub fn apply(&self, grid: &Grid) -> Grid {
        let mut image = Grid::EMPTY;
        for (cell, digit) in grid.clues() {
            image.set(self.cell(cell), Some(self.digit(digit)));
        }
        image
    }

    /// The pencil marks of the transformed grid.
    pub fn apply_to_marks(&self, marks: &Marks) -> Marks {
        let mut image = CandidateSet::EMPTY;
        for (digit, cells) in marks.set().by_digit() {
            let cells: CellSet = cells.map(|cell| self.cell(cell)).collect();
            image.insert(self.digit(digit), cells);
        }
        Marks::from_candidates(&image)
    }
}

impl fmt::Display for Isomorph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits
            .iter()
            .try_for_each(|digit| write!(f, "{digit}"))?;
        for (name, lines) in [('r', &self.rows), ('c', &self.columns)] {
            write!(f, " {name}")?;
            lines
                .iter()
                .try_for_each(|line| write!(f, "{}", line + 1))?;
        }
        write!(f, " {}", if self.transpose { 't' } else { '-' })
    }
}

/// The error for a text that is not an isomorph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an isomorph is written as 123456789 r123456789 c123456789 -, with t for - where rows and columns are exchanged"
)]
pub struct InvalidIsomorph;

impl FromStr for Isomorph {
    type Err = InvalidIsomorph;

    fn from_str(text: &str) -> Result<Isomorph, InvalidIsomorph> {
        let text_parts: Vec<&str> = text.split(' ').collect();
        let [digits, rows, columns, last] = text_parts[..] else {
            return Err(InvalidIsomorph);
        };
        let rows = rows.strip_prefix('r').and_then(parse_permutation);
        let columns = columns.strip_prefix('c').and_then(parse_permutation);
        let [digits, rows, columns] =
            [parse_permutation(digits), rows, columns].map(|lines| lines.ok_or(InvalidIsomorph));
        let (rows, columns) = (rows?, columns?);
        // The rows of a band must stay together, and so must the columns of a stack.
        let keeps_groups = |lines: &[usize; 9]| {
            let (groups, _) = lines.as_chunks::<3>();
            groups
                .iter()
                .all(|group| group.iter().all(|line| line / 3 == group[0] / 3))
        };
        if !keeps_groups(&rows) || !keeps_groups(&columns) {
            return Err(InvalidIsomorph);
        }
        Ok(Isomorph {
            digits: digits?.map(Digit::from_index),
            rows,
            columns,
            transpose: match last {
                "t" => true,
                "-" => false,
                _ => return Err(InvalidIsomorph),
            },
        })
    }
}

/// Parses a permutation of the digits 1–9; in the result, they are counted from 0.
fn parse_permutation(text: &str) -> Option<[usize; 9]> {
    let digits: [u8; 9] = text.as_bytes().try_into().ok()?;
    let digit_indices = digits.map(|digit| usize::from(digit.wrapping_sub(b'1')));
    let seen_digits = digit_indices.iter().fold(0_u32, |all, place| match place {
        0..9 => all | 1 << place,
        _ => all,
    });
    (seen_digits == 0x1ff).then_some(digit_indices)
}

/// A random permutation of the nine rows or columns that keeps the lines of a band or stack together.
fn random_lines(rng: &mut Rng) -> [usize; 9] {
    let mut groups = [0, 1, 2];
    rng.shuffle(&mut groups);
    let mut lines = [0; 9];
    for (at, group) in groups.into_iter().enumerate() {
        let mut line_indices = [0, 1, 2].map(|i| 3 * group + i);
        rng.shuffle(&mut line_indices);
        lines[3 * at..][..3].copy_from_slice(&line_indices);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_isomorph_can_be_undone_and_written() {
        let seed = 71;
        let mut rng = Rng::new(seed);
        let grid: Grid =
            "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
                .parse()
                .unwrap();
        for _ in 0..200 {
            let isomorph = Isomorph::random(&mut rng);
            let image = isomorph.apply(&grid);
            let inverse = isomorph.inverse();
            assert_eq!(inverse.apply(&image), grid, "seed {seed}: {isomorph}");
            assert_eq!(isomorph.to_string().parse(), Ok(isomorph.clone()));
            assert_eq!(inverse.inverse(), isomorph);
        }
        for wrong in [
            "",
            "123456789 r123456789 c123456789",
            "123456789 r123456789 c123456789 x",
            "123456788 r123456789 c123456789 -",
            "123456789 r124356789 c123456789 -",
            "123456789 123456789 123456789 -",
        ] {
            assert_eq!(wrong.parse::<Isomorph>(), Err(InvalidIsomorph), "{wrong}");
        }
    }
}
