//! The boards that follow from assuming each candidate of a board, one by one.

use super::propagate;
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Contradiction, Digit};

/// The branches of a board: for each candidate of an unsolved cell, the board that follows from assuming that it is
/// true; `None` if the assumption leads to a contradiction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Branches {
    cases: Vec<(Digit, Cell, Option<Candidates>)>,
    /// For each digit and cell, the index in `cases` of the case that assumes this candidate.
    index: Box<[[u16; 81]; 9]>,
    /// The unsolved cells of the original board, before any assumption.
    unsolved: CellSet,
}

impl Branches {
    /// Assumes each candidate of the board, and fills in the singles that follow from it.
    pub(super) fn with_singles(board: &Candidates) -> Branches {
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
        Branches {
            cases,
            index,
            unsolved: board.unsolved(),
        }
    }

    /// The assumed candidates, each with the board that follows from it; `None` if it leads to a contradiction.
    pub(super) fn cases(&self) -> &[(Digit, Cell, Option<Candidates>)] {
        &self.cases
    }

    /// The index of the case that assumes this candidate; `None` if the board does not have the candidate.
    pub(super) fn case(&self, digit: Digit, cell: Cell) -> Option<usize> {
        let case_index = usize::from(self.index[digit.index()][cell.index()]);
        (case_index < self.cases.len()).then_some(case_index)
    }

    /// The digits that are placed on the board of a branch but not on the original board, with their cells.
    pub(super) fn placed_on(&self, branch: &Candidates) -> impl Iterator<Item = (Digit, Cell)> {
        let solved_cells = self.unsolved.without(branch.unsolved());
        let by_digit = Digit::ALL.into_iter().zip(*branch.all_places());
        by_digit
            .flat_map(move |(digit, places)| (places & solved_cells).map(move |cell| (digit, cell)))
    }

    /// Keeps the assumptions, but replaces their boards. `boards` is in the order of the cases.
    pub(super) fn with_boards(&self, boards: Vec<Option<Candidates>>) -> Branches {
        let cases = self.cases.iter().zip(boards);
        Branches {
            cases: cases
                .map(|((digit, cell, _), board)| (*digit, *cell, board))
                .collect(),
            index: self.index.clone(),
            unsolved: self.unsolved,
        }
    }

    /// Applies the function `propagate` to the board of each branch that has no contradiction.
    pub(super) fn extend(
        &self,
        propagate: impl Fn(&mut Candidates) -> Result<(), Contradiction>,
    ) -> Branches {
        let boards = self.cases.iter().map(|(.., branch)| {
            let mut board = branch.clone()?;
            propagate(&mut board).is_ok().then_some(board)
        });
        self.with_boards(boards.collect())
    }

    /// The candidates whose assumption leads to a contradiction.
    pub(super) fn refuted(&self) -> CandidateSet {
        let mut refuted_candidates = CandidateSet::EMPTY;
        for (digit, cell, branch) in &self.cases {
            if branch.is_none() {
                refuted_candidates.insert(*digit, CellSet::of(*cell));
            }
        }
        refuted_candidates
    }

    /// The candidates that are removed on the branch of every one of these assumptions; empty if there are no
    /// assumptions.
    pub(super) fn gone_in_all(
        &self,
        board: &Candidates,
        cases: impl Iterator<Item = (Digit, Cell)>,
    ) -> CandidateSet {
        let mut has_cases = false;
        let mut candidates_left = CandidateSet::EMPTY;
        for (digit, cell) in cases {
            has_cases = true;
            let case_index = usize::from(self.index[digit.index()][cell.index()]);
            if let Some((_, _, Some(branch))) = self.cases.get(case_index) {
                candidates_left |= &CandidateSet::new(*branch.all_places());
            }
        }
        if has_cases {
            CandidateSet::new(board.all_open_places()).without(&candidates_left)
        } else {
            CandidateSet::EMPTY
        }
    }
}
