//! Which numbers stand for empty cells and for digits, inferred from the first grids of an input: of arrays and of lists as
//! text.
//!
//! ```text
//! empty  digits   occurs in
//! 0      1 to 9   most inputs
//! 1      2 to 10  tokens of models, which have 0 for padding
//! -1     1 to 9   boards of games
//! -1     0 to 8   boards of programs that count from 0
//! ```
//!
//! Null and NaN are always empty cells. Grids with null and 0, and full grids of the digits 0 to 8, could be read in two
//! ways, so all grids of such an input are rejected.

/// The numbers that stand for an empty cell and for the digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberSymbols {
    /// The number that stands for an empty cell.
    pub empty: i16,
    /// The number that stands for the digit 1. The other digits follow it.
    pub one: i16,
    /// Why no number of the input can be read; `None` if they can.
    pub problem: Option<NumberProblem>,
}

/// Why no number of an input can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberProblem {
    /// Null and 0 are in the same grids.
    NullAndZero,
    /// The grids are full, and their digits are 0 to 8.
    FromZero,
}

impl From<i16> for NumberSymbols {
    /// The empty cell is this number, and the digits follow it.
    fn from(empty: i16) -> NumberSymbols {
        NumberSymbols {
            empty,
            one: empty + 1,
            problem: None,
        }
    }
}

impl NumberSymbols {
    /// -1 is the empty cell, and each digit is itself.
    const MINUS_ONE_IS_EMPTY: NumberSymbols = NumberSymbols {
        empty: -1,
        one: 1,
        problem: None,
    };

    const fn with_problem(problem: NumberProblem) -> NumberSymbols {
        NumberSymbols {
            empty: 0,
            one: 1,
            problem: Some(problem),
        }
    }

    /// The number that stands for an empty cell, if it is not negative, the digits follow it, and all is clear.
    pub fn offset_of_bytes(self) -> Option<u8> {
        let is_plain = self.problem.is_none() && self.one == self.empty + 1;
        u8::try_from(self.empty).ok().filter(|_| is_plain)
    }

    /// What the numbers mean, for the log; `None` for 0 to 9.
    pub fn description(self) -> Option<&'static str> {
        match (self.problem, self.empty, self.one) {
            (None, 1, 2) => Some("1 is an empty cell, and the digits are the numbers from 2 on"),
            (None, -1, 1) => Some("-1 is an empty cell"),
            (None, -1, 0) => Some("-1 is an empty cell, and the digits are 0 to 8"),
            _ => None,
        }
    }
}

/// A cell of a grid of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A missing value.
    Null,
    /// A whole number.
    Whole(i128),
    /// A letter, a fraction, or what is no number.
    Other,
}

/// Counts of the first grids of an input, by the numbers in them.
#[derive(Clone, Debug, Default)]
pub struct SymbolCounts {
    grids: usize,
    /// The grids with -1.
    minus_one: usize,
    /// The grids with 0 in other places than once in each row, or with null or -1.
    with_blanks: usize,
    null: usize,
    null_and_zero: usize,
    /// The full grids that have 0 once in each row, and no 9.
    from_zero: usize,
    /// Whether some grid has 0, and whether some has the number of the last digit.
    has_zero: bool,
    has_last: bool,
    /// The grids whose digit d is the number d, and those where it is d + 1.
    plain: usize,
    shifted: usize,
}

impl SymbolCounts {
    /// Counts a grid with these numbers, one for each cell, row by row. `is_shifted` says whether digit d is the number d + 1, if that is known.
    pub fn add(
        &mut self,
        numbers: impl Iterator<Item = Number>,
        order: usize,
        is_shifted: Option<bool>,
    ) {
        let last = order as i128;
        let (mut minus_one, mut null, mut zeros, mut has_last) = (false, false, 0, false);
        let (mut is_zero_once_a_row, mut zeros_in_row) = (true, 0);
        for (cell, number) in numbers.enumerate() {
            match number {
                Number::Null => null = true,
                Number::Whole(0) => (zeros, zeros_in_row) = (zeros + 1, zeros_in_row + 1),
                Number::Whole(-1) => minus_one = true,
                Number::Whole(number) if number == last => has_last = true,
                Number::Whole(number) if (1..last).contains(&number) => {}
                Number::Whole(_) | Number::Other => is_zero_once_a_row = false,
            }
            if cell % order == order - 1 {
                is_zero_once_a_row &= zeros_in_row == 1;
                zeros_in_row = 0;
            }
        }
        let from_zero = is_zero_once_a_row && !minus_one && !null && !has_last;
        self.grids += 1;
        self.minus_one += usize::from(minus_one);
        self.null += usize::from(null);
        self.null_and_zero += usize::from(null && zeros > 0);
        self.from_zero += usize::from(from_zero);
        self.with_blanks += usize::from(minus_one || null || zeros > 0 && !from_zero);
        self.has_zero |= zeros > 0;
        self.has_last |= has_last;
        match is_shifted {
            Some(true) => self.shifted += 1,
            Some(false) => self.plain += 1,
            None => {}
        }
    }

    /// The symbols that most grids fit, so that one odd number in one grid does not change how all the others are read.
    /// `None` if there are no grids.
    pub fn symbols(&self) -> Option<NumberSymbols> {
        if self.grids == 0 {
            return None;
        }
        Some(
            if self.minus_one > 0 && self.minus_one * 2 >= self.with_blanks {
                if self.has_zero && !self.has_last {
                    NumberSymbols::from(-1)
                } else {
                    NumberSymbols::MINUS_ONE_IS_EMPTY
                }
            } else if self.null_and_zero > 0 && self.null_and_zero * 2 >= self.null {
                NumberSymbols::with_problem(NumberProblem::NullAndZero)
            } else if self.from_zero * 10 >= self.grids * 9 {
                NumberSymbols::with_problem(NumberProblem::FromZero)
            } else {
                NumberSymbols::from(i16::from(self.shifted > self.plain))
            },
        )
    }
}

impl NumberSymbols {
    /// The symbols of solutions, whose own are `self`. Full grids of the digits 0 to 8 are solutions that count from 0.
    pub fn for_solutions(self) -> NumberSymbols {
        match self.problem {
            Some(NumberProblem::FromZero) => NumberSymbols::from(-1),
            _ => self,
        }
    }
}
