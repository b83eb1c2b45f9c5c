//! The digits that each cell has in the solutions of a puzzle of any size.

/// The digits that each cell of a puzzle of any size has in its solutions. On grids above 9 × 9, a digit is one of the
/// symbols `1`–`9`, `A`–`P`. No cell has a digit if the puzzle has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionDigits {
    order: usize,
    /// For each cell in row order, a mask: bit d for the digit with the index d.
    masks: Box<[u32]>,
}

impl SolutionDigits {
    /// `masks` has bit d for each digit d that a cell has in some solution, in row order.
    pub(crate) fn from_masks(order: usize, masks: Vec<u32>) -> SolutionDigits {
        SolutionDigits {
            order,
            masks: masks.into(),
        }
    }

    /// The digits of a puzzle with exactly one solution. `solution` is the text of a full grid in normal form: a
    /// character for each cell in row order.
    pub fn from_only_solution(solution: &str) -> SolutionDigits {
        let masks = solution.bytes().map(|byte| match byte {
            b'1'..=b'9' => 1 << (byte - b'1'),
            b'A'..=b'P' => 1 << (byte - b'A' + 9),
            _ => 0,
        });
        let masks: Vec<u32> = masks.collect();
        SolutionDigits::from_masks(masks.len().isqrt(), masks)
    }

    /// Whether the puzzle has a solution.
    pub fn has_solution(&self) -> bool {
        self.masks.first().is_some_and(|mask| *mask != 0)
    }

    /// The number of cells that do not have the same digit in all solutions.
    pub fn ambiguous_cells(&self) -> usize {
        self.masks
            .iter()
            .filter(|mask| mask.count_ones() > 1)
            .count()
    }

    /// The cells that have the same digit in all solutions, as a grid in normal form: `.` for the other cells.
    pub fn backbone(&self) -> String {
        let cells = self.masks.iter().map(|mask| match mask.count_ones() {
            1 => character(mask.trailing_zeros() as usize),
            _ => '.',
        });
        cells.collect()
    }

    /// The digits of all cells as pencil marks: for each cell in row order one character for each digit, which is the
    /// digit or `.`.
    pub fn marks(&self) -> String {
        let characters = self.flags().enumerate();
        let characters = characters.map(|(at, is_in_solution)| {
            if is_in_solution {
                character(at % self.order)
            } else {
                '.'
            }
        });
        characters.collect()
    }

    /// Whether a cell has a digit in some solution, for each cell in row order and each digit.
    pub fn flags(&self) -> impl Iterator<Item = bool> + '_ {
        let masks = self.masks.iter();
        masks.flat_map(|mask| (0..self.order).map(move |digit| mask >> digit & 1 == 1))
    }
}

/// The character of the digit with this index: `1`–`9`, then `A`–`P`.
fn character(index: usize) -> char {
    let index = index as u8;
    char::from(if index < 9 {
        b'1' + index
    } else {
        b'A' + index - 9
    })
}
