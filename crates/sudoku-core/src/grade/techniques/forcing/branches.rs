//! The boards that follow from assuming each candidate.

use super::propagate;
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Contradiction, Digit};
use crate::grade::Position;
use crate::grade::position::Derived;

/// Each candidate assumed, with the singles that follow.
pub(super) struct WithSingles(pub(super) Branches);

impl Derived for WithSingles {
    fn of(board: &Position) -> WithSingles {
        WithSingles(Branches::with_singles(board))
    }
}

/// Each candidate assumed, with the deductions of full house to jellyfish that follow.
pub(super) struct WithBasics(pub(super) Branches);

impl Derived for WithBasics {
    fn of(board: &Position) -> WithBasics {
        WithBasics(board.derived::<WithSingles>().0.extend(propagate::basics))
    }
}

/// For each open candidate of a board: the board that follows from it, or `None` if it leads to a
/// contradiction.
#[derive(Clone, Debug)]
pub(super) struct Branches {
    cases: Vec<(Digit, Cell, Option<Candidates>)>,
    /// By digit and cell: the index of the case.
    index: Box<[[u16; 81]; 9]>,
}

impl Branches {
    /// Assumes each candidate, and fills in the singles that follow.
    fn with_singles(board: &Candidates) -> Branches {
        let mut cases = Vec::new();
        let mut index = Box::new([[u16::MAX; 81]; 9]);
        for digit in Digit::ALL {
            for cell in board.open_places(digit) {
                let mut branch = board.clone();
                branch.place(cell, digit);
                let result = propagate::singles(&mut branch);
                index[digit.index()][cell.index()] = cases.len() as u16;
                cases.push((digit, cell, result.is_ok().then_some(branch)));
            }
        }
        Branches { cases, index }
    }

    /// Extends all branches by further deductions.
    pub(super) fn extend(
        &self,
        propagate: impl Fn(&mut Candidates) -> Result<(), Contradiction>,
    ) -> Branches {
        let cases = self.cases.iter().map(|(digit, cell, branch)| {
            let mut branch = branch.clone();
            if let Some(board) = &mut branch
                && propagate(board).is_err()
            {
                branch = None;
            }
            (*digit, *cell, branch)
        });
        Branches {
            cases: cases.collect(),
            index: self.index.clone(),
        }
    }

    /// The candidates that lead to a contradiction.
    pub(super) fn refuted(&self) -> CandidateSet {
        let mut refuted = CandidateSet::EMPTY;
        for (digit, cell, branch) in &self.cases {
            if branch.is_none() {
                refuted.insert(*digit, CellSet::of(*cell));
            }
        }
        refuted
    }

    /// The open candidates that are removed in all of these cases; none if there is no case.
    pub(super) fn gone_in_all(
        &self,
        board: &Candidates,
        cases: impl Iterator<Item = (Digit, Cell)>,
    ) -> CandidateSet {
        let mut any = false;
        let mut left = CandidateSet::EMPTY;
        for (digit, cell) in cases {
            any = true;
            let at = usize::from(self.index[digit.index()][cell.index()]);
            if let Some((_, _, Some(branch))) = self.cases.get(at) {
                left |= &CandidateSet::new(*branch.all_places());
            }
        }
        if any {
            CandidateSet::new(board.all_open_places()).without(&left)
        } else {
            CandidateSet::EMPTY
        }
    }
}
