//! Moves, the verdicts on them, and what a sequence of them is worth.

use std::fmt;

use crate::board::{Cell, Digit};
use crate::grade::Rank;

/// What a move does with the digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// Writes the digit into the cell.
    Place,
    /// Removes the digit from the candidates of the cell.
    Eliminate,
}

/// A move as it is written: its cell or digit may not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// What the move does.
    pub kind: MoveKind,
    /// The row; a board has those from 1 to 9.
    pub row: u16,
    /// The column; a board has those from 1 to 9.
    pub column: u16,
    /// The digit; a board has those from 1 to 9.
    pub digit: u16,
}

impl Move {
    /// The move that does this with the digit of a cell.
    pub fn new(kind: MoveKind, cell: Cell, digit: Digit) -> Move {
        Move {
            kind,
            row: cell.row() as u16 + 1,
            column: cell.column() as u16 + 1,
            digit: digit.value().into(),
        }
    }

    /// The move that places a digit in a cell.
    pub fn place(cell: Cell, digit: Digit) -> Move {
        Move::new(MoveKind::Place, cell, digit)
    }

    /// The move that removes a digit from the candidates of a cell.
    pub fn eliminate(cell: Cell, digit: Digit) -> Move {
        Move::new(MoveKind::Eliminate, cell, digit)
    }

    /// The cell and the digit; `None` if one of them does not exist.
    pub fn target(&self) -> Option<(Cell, Digit)> {
        let index = |number: u16| (1..=9).contains(&number).then(|| usize::from(number) - 1);
        let cell = Cell::at(index(self.row)?, index(self.column)?);
        Some((cell, Digit::from_index(index(self.digit)?)))
    }
}

/// Writes `r1c3=4` for a placement and `r1c3<>4` for an elimination.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.kind {
            MoveKind::Place => "=",
            MoveKind::Eliminate => "<>",
        };
        write!(f, "r{}c{}{sign}{}", self.row, self.column, self.digit)
    }
}

crate::enum_with_ids! {
    /// The verdict on a move. The table at the top of the module has the exact conditions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum MoveVerdict {
        /// A technique of the ladder gives the move.
        Implied = "implied",
        /// The move agrees with every solution, but no technique of the ladder gives it yet.
        True = "true",
        /// The move agrees with some solutions, but not with all.
        Possible = "possible",
        /// The move agrees with no solution.
        False = "false",
        /// The board already has what the move says.
        Repeated = "repeated",
        /// The move breaks a rule: no such cell or digit, the cell has another digit, or a peer has the digit.
        Illegal = "illegal",
    }
}

impl MoveVerdict {
    /// Whether the move contradicts the rules or all solutions.
    pub const fn is_wrong(self) -> bool {
        matches!(self, MoveVerdict::False | MoveVerdict::Illegal)
    }

    /// The part of a placement's share of the reward that the verdict earns; see [`JudgedSteps::reward`].
    ///
    /// [`JudgedSteps::reward`]: super::JudgedSteps::reward
    pub(super) const fn value(self, kind: MoveKind) -> f64 {
        match (self, kind) {
            (MoveVerdict::Implied, MoveKind::Place) => 1.0,
            (MoveVerdict::True | MoveVerdict::Possible, MoveKind::Place) => 0.5,
            (MoveVerdict::False | MoveVerdict::Illegal, _) => -1.0,
            _ => 0.0,
        }
    }
}

/// A move with its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// The move.
    pub made: Move,
    /// The verdict on it.
    pub verdict: MoveVerdict,
    /// The rank of the technique that the move needs; `None` unless it is implied.
    pub rank: Option<Rank>,
}
