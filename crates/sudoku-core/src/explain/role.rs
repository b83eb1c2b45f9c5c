//! The role of each candidate in a step, which determines its colour in pictures.

use crate::board::{Candidates, Cell, CellSet, Digit};
use crate::grade::{Node, Pattern, Step};

/// The role of a candidate in a step. Later roles take precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CandidateRole {
    /// A candidate of the pattern; in a chain, the end of a strong link.
    Pattern,
    /// A candidate with a second role: fins, pincers, a second set; in a chain, the start of a
    /// strong link.
    Other,
    /// Removed by the step.
    Removed,
    /// Placed by the step.
    Placed,
}

/// The roles of a board's candidates.
#[derive(Clone)]
pub(super) struct Roles([[Option<CandidateRole>; 9]; 81]);

impl Roles {
    /// No candidate has a role.
    pub(super) fn none() -> Roles {
        Roles([[None; 9]; 81])
    }

    /// The roles of the board's candidates in these steps.
    pub(super) fn from_steps<'a>(
        board: &Candidates,
        steps: impl IntoIterator<Item = &'a Step>,
    ) -> Roles {
        let mut roles = Roles::none();
        for step in steps {
            roles.add(board, step);
        }
        roles
    }

    pub(super) fn get(&self, cell: Cell, digit: Digit) -> Option<CandidateRole> {
        self.0[cell.index()][digit.index()]
    }

    fn add(&mut self, board: &Candidates, step: &Step) {
        for part in step.parts() {
            self.add_pattern(board, &part.pattern);
        }
        for digit in Digit::ALL {
            self.mark(digit, step.effect.removed(digit), CandidateRole::Removed);
            self.mark(digit, step.effect.placed(digit), CandidateRole::Placed);
        }
    }

    fn add_pattern(&mut self, board: &Candidates, pattern: &Pattern) {
        let strong = || pattern.chain.iter().filter(|link| link.strong);
        let chained = strong().fold(CellSet::EMPTY, |all, link| {
            all | link.from.cells | link.to.cells
        });
        for link in strong() {
            for (Node { digit, cells }, role) in [
                (link.from, CandidateRole::Other),
                (link.to, CandidateRole::Pattern),
            ] {
                self.mark(digit, cells & board.open_places(digit), role);
            }
        }
        // Cells of the chain show only the chain's candidates, not all digits of the pattern.
        for digit in pattern.digits {
            let open = board.open_places(digit).without(chained);
            self.mark(digit, pattern.cells & open, CandidateRole::Pattern);
            self.mark(digit, pattern.others & open, CandidateRole::Other);
        }
        for set in pattern.sets.iter().filter(|_| chained.is_empty()) {
            let role = if set.cells.is_subset(pattern.cells) {
                CandidateRole::Pattern
            } else {
                CandidateRole::Other
            };
            for digit in set.digits {
                self.mark(digit, set.cells & board.open_places(digit), role);
            }
        }
    }

    fn mark(&mut self, digit: Digit, cells: CellSet, role: CandidateRole) {
        for cell in cells {
            let own = &mut self.0[cell.index()][digit.index()];
            *own = (*own).max(Some(role));
        }
    }
}
