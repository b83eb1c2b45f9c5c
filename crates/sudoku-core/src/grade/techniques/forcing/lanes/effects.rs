//! Tracks which candidates a forcing technique eliminates, while it still follows its branches.
//!
//! A branch is the board that follows from assuming a candidate. A technique eliminates the candidates whose branch has
//! a contradiction, and the candidates that are removed on the branches of all candidates of a cell, or of all places
//! of a digit in a house. A candidate of a solution is never eliminated. So the search ends as soon as only the
//! candidates of a solution are left. One cell is enough for that, if its wrong candidates are refuted and the right
//! one solves the board. If a candidate is eliminated already or is in the known solution, its branch is only followed
//! if the other branches of its cell, or of one of its houses, have a removed candidate in common.

use super::super::branches::Branches;
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit};
use crate::solve::{Limits, find_solutions};

/// The number of groups of candidates: one for each cell, and one for each digit in each house.
const GROUPS: usize = 81 + 9 * 27;

/// The largest number of nodes that the solver may visit to find a solution.
const NODES: u64 = 5000;

/// The candidates of a cell, or the places of a digit in a house, as indexes of cases. One of them must be true.
#[derive(Clone, Copy, Default)]
struct Group {
    cases: [u16; 9],
    len: usize,
}

impl Group {
    fn cases(&self) -> impl Iterator<Item = usize> {
        self.cases[..self.len].iter().copied().map(usize::from)
    }
}

/// Collects the candidates that a technique is known to eliminate after the branches followed so far.
pub(super) struct Effects<'a> {
    branches: &'a Branches,
    groups: Vec<Group>,
    /// The candidates of the unsolved cells before any elimination.
    open: CandidateSet,
    /// The candidates of a solution of the board; `None` if none was found within [`NODES`] nodes.
    solution: Option<CandidateSet>,
    eliminated: CandidateSet,
    /// For each case, whether its branch has been followed to the end.
    ended: Vec<bool>,
    /// Whether candidates have been eliminated since the last call of [`Effects::take_change`].
    changed: bool,
}

impl Effects<'_> {
    /// Starts to track the eliminations from `branches`. No branch has been followed yet.
    pub(super) fn new<'a>(board: &Candidates, branches: &'a Branches) -> Effects<'a> {
        let limits = Limits {
            solutions: 1,
            nodes: NODES,
        };
        let (solutions, _) = find_solutions(board, limits);
        let mut groups = vec![Group::default(); GROUPS];
        for (at, (digit, cell, _)) in branches.cases().iter().enumerate() {
            for group in groups_of(*digit, *cell) {
                let group = &mut groups[group];
                group.cases[group.len] = at as u16;
                group.len += 1;
            }
        }
        Effects {
            branches,
            groups,
            open: CandidateSet::new(board.all_open_places()),
            solution: solutions
                .first()
                .map(|grid| CandidateSet::new(grid.places())),
            eliminated: CandidateSet::EMPTY,
            ended: vec![false; branches.cases().len()],
            changed: false,
        }
    }

    /// The candidates that are known to be eliminated so far.
    pub(super) fn eliminated(&self) -> &CandidateSet {
        &self.eliminated
    }

    /// The candidates of a solution of the board; `None` if no solution is known.
    pub(super) fn solution(&self) -> Option<&CandidateSet> {
        self.solution.as_ref()
    }

    /// Whether only the candidates of the known solution are left, so that nothing more can be eliminated.
    pub(super) fn is_complete(&self) -> bool {
        self.solution
            .as_ref()
            .is_some_and(|solution| self.left().without(solution).is_empty())
    }

    /// Whether candidates have been eliminated since the last call of this function.
    pub(super) fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// The cases of the `most` groups that are solved furthest: the boards of their cases have the fewest unsolved
    /// cells. Each case occurs once.
    pub(super) fn first_cases(&self, boards: &[Option<Candidates>], most: usize) -> Vec<usize> {
        let mut groups: Vec<_> = self.groups.iter().filter(|group| group.len > 1).collect();
        groups.sort_by_cached_key(|group| {
            let boards = group.cases().filter_map(|case| boards[case].as_ref());
            boards.map(|board| board.unsolved().len()).sum::<usize>()
        });
        let mut first_cases = Vec::new();
        for case in groups.into_iter().take(most).flat_map(Group::cases) {
            if !first_cases.contains(&case) {
                first_cases.push(case);
            }
        }
        first_cases
    }

    /// Records that the branch of the case `at` has been followed to the end.
    pub(super) fn end(&mut self, at: usize, boards: &[Option<Candidates>]) {
        self.ended[at] = true;
        let (digit, cell, _) = self.branches.cases()[at];
        if boards[at].is_none() {
            self.eliminated.insert(digit, CellSet::of(cell));
            self.changed = true;
        }
        for group in groups_of(digit, cell) {
            let group = self.groups[group];
            if group.cases().all(|case| self.ended[case]) {
                let gone = self.common(&group, boards);
                self.changed |= !gone.is_empty();
                self.eliminated |= &gone;
            }
        }
    }

    /// Whether any candidate can still be eliminated by following the branch of this case further.
    pub(super) fn is_needed(&self, at: usize, boards: &[Option<Candidates>]) -> bool {
        let (digit, cell, _) = self.branches.cases()[at];
        let contains = |set: &CandidateSet| set.cells(digit).contains(cell);
        if !contains(&self.eliminated) && !self.solution.as_ref().is_some_and(contains) {
            return true;
        }
        groups_of(digit, cell).into_iter().any(|group| {
            let common_candidates = self.common(&self.groups[group], boards);
            let solution = self.solution.unwrap_or_default();
            !common_candidates.without(&solution).is_empty()
        })
    }

    /// The candidates, not eliminated yet, that are removed on the boards of all cases of the group that have been
    /// followed to the end.
    fn common(&self, group: &Group, boards: &[Option<Candidates>]) -> CandidateSet {
        let mut common_candidates = self.left();
        for case in group.cases() {
            if let (true, Some(board)) = (self.ended[case], &boards[case]) {
                common_candidates =
                    common_candidates.without(&CandidateSet::new(*board.all_places()));
            }
        }
        common_candidates
    }

    fn left(&self) -> CandidateSet {
        self.open.without(&self.eliminated)
    }
}

/// The indexes of the four groups that contain a candidate: its cell, and its digit in its row, its column and its box.
fn groups_of(digit: Digit, cell: Cell) -> [usize; 4] {
    let rows = 81 + 27 * digit.index();
    let [columns, boxes] = [rows + 9, rows + 18];
    [
        cell.index(),
        rows + cell.row(),
        columns + cell.column(),
        boxes + cell.box_index(),
    ]
}
