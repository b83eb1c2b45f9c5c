//! What a technique of forcing chains eliminates, known while its branches are still being followed.
//!
//! A technique eliminates what is refuted, and what is gone in all cases of a cell or of a digit in a house.
//! Nothing of a solution is ever eliminated. So the search can end as soon as only a solution is left, which
//! one cell is enough for: its wrong candidates are refuted, and the right one solves the board. And a
//! case that is eliminated anyway, or is true in the solution, is followed only if the other
//! cases of its cell or one of its houses have something in common.

use super::super::branches::Branches;
use crate::board::{CandidateSet, Candidates, Cell, CellSet, Digit};
use crate::solve::{Limits, find_solutions};

/// The cells, then the houses of each digit.
const GROUPS: usize = 81 + 9 * 27;

/// The most nodes of the search for a solution.
const NODES: u64 = 5000;

/// The cases of a cell, or of a digit in a house: one of them is true.
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

/// The eliminations of a technique.
pub(super) struct Effects<'a> {
    branches: &'a Branches,
    groups: Vec<Group>,
    /// The open candidates of the board.
    open: CandidateSet,
    /// A solution of the board, if one is known.
    solution: Option<CandidateSet>,
    eliminated: CandidateSet,
    /// Whether the board of each case is final.
    ended: Vec<bool>,
    /// Whether there are more eliminations than at the last call of [`Effects::take_change`].
    changed: bool,
}

impl Effects<'_> {
    /// Nothing is eliminated yet.
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

    /// What is eliminated so far.
    pub(super) fn eliminated(&self) -> &CandidateSet {
        &self.eliminated
    }

    /// The solution, if one is known.
    pub(super) fn solution(&self) -> Option<&CandidateSet> {
        self.solution.as_ref()
    }

    /// Whether only a solution is left, so that nothing more can be eliminated.
    pub(super) fn is_complete(&self) -> bool {
        self.solution
            .as_ref()
            .is_some_and(|solution| self.left().without(solution).is_empty())
    }

    /// Whether more is eliminated than at the last call.
    pub(super) fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// The cases of the groups that are the nearest to their ends, each once.
    pub(super) fn first_cases(&self, boards: &[Option<Candidates>], most: usize) -> Vec<usize> {
        let mut groups: Vec<_> = self.groups.iter().filter(|group| group.len > 1).collect();
        groups.sort_by_cached_key(|group| {
            let boards = group.cases().filter_map(|case| boards[case].as_ref());
            boards.map(|board| board.unsolved().len()).sum::<usize>()
        });
        let mut first = Vec::new();
        for case in groups.into_iter().take(most).flat_map(Group::cases) {
            if !first.contains(&case) {
                first.push(case);
            }
        }
        first
    }

    /// Records that the board of a case is final.
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

    /// Whether a case that has not ended can eliminate anything more.
    pub(super) fn is_needed(&self, at: usize, boards: &[Option<Candidates>]) -> bool {
        let (digit, cell, _) = self.branches.cases()[at];
        let contains = |set: &CandidateSet| set.cells(digit).contains(cell);
        if !contains(&self.eliminated) && !self.solution.as_ref().is_some_and(contains) {
            return true;
        }
        groups_of(digit, cell).into_iter().any(|group| {
            let common = self.common(&self.groups[group], boards);
            let solution = self.solution.unwrap_or_default();
            !common.without(&solution).is_empty()
        })
    }

    /// What is not eliminated and gone in all cases of a group that have ended.
    fn common(&self, group: &Group, boards: &[Option<Candidates>]) -> CandidateSet {
        let mut common = self.left();
        for case in group.cases() {
            if let (true, Some(board)) = (self.ended[case], &boards[case]) {
                common = common.without(&CandidateSet::new(*board.all_places()));
            }
        }
        common
    }

    fn left(&self) -> CandidateSet {
        self.open.without(&self.eliminated)
    }
}

/// The cell of a candidate, and its row, column and box.
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
