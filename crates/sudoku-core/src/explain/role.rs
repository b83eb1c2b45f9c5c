//! The role of each candidate in a step, which determines its colour in drawings.

use super::step_board::StepBoard;
use crate::bit_rows::bits;
use crate::board::{Candidates, CellSet, Digit};
use crate::grade::{Node, Pattern, Step};
use crate::sizes::{SizedBoard, SizedStep};

/// The role of a candidate in a step. If a candidate has several roles, the last of them in this enum counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CandidateRole {
    /// The candidate is in the pattern; in a chain, it is the end of a strong link.
    Pattern,
    /// The candidate has a second role in the pattern: fin, pincer, or member of a second set; in a
    /// chain, it is the start of a strong link.
    Other,
    /// The step removes the candidate.
    Removed,
    /// The step places the candidate.
    Placed,
}

/// The role of each candidate of a board.
#[derive(Clone)]
pub(super) struct CandidateRoles {
    order: usize,
    /// The role of each candidate, by cell and then by symbol; `None` if the candidate has no role.
    role_by_candidate: Vec<Option<CandidateRole>>,
}

impl CandidateRoles {
    /// Roles for a board with `order` rows on which no candidate has a role yet.
    fn without_steps(order: usize) -> CandidateRoles {
        CandidateRoles {
            order,
            role_by_candidate: vec![None; order.pow(3)],
        }
    }

    /// The roles that the candidates of a 9 × 9 board have in these steps.
    pub(super) fn from_steps<'a>(
        board: &Candidates,
        steps: impl IntoIterator<Item = &'a Step>,
    ) -> CandidateRoles {
        let mut roles = CandidateRoles::without_steps(9);
        for step in steps {
            roles.add_step(board, step);
        }
        roles
    }

    /// The roles that the candidates have in these steps, on a board of another size than 9 × 9.
    pub(super) fn from_sized_steps(board: &SizedBoard, steps: &[SizedStep]) -> CandidateRoles {
        let mut roles = CandidateRoles::without_steps(board.order());
        for step in steps {
            for &cell in step.cells.iter().filter(|cell| board.is_open(**cell)) {
                for symbol in bits(step.symbols & board.symbols(cell)) {
                    roles.set_role(cell, symbol, CandidateRole::Pattern);
                }
            }
            for &(cell, symbol) in &step.removed {
                roles.set_role(cell, symbol, CandidateRole::Removed);
            }
            for &(cell, symbol) in &step.placed {
                roles.set_role(cell, symbol, CandidateRole::Placed);
            }
        }
        roles
    }

    /// The role of a candidate; `None` if no step involves it.
    pub(super) fn role_of(&self, cell: usize, symbol: usize) -> Option<CandidateRole> {
        self.role_by_candidate[cell * self.order + symbol]
    }

    fn add_step(&mut self, board: &Candidates, step: &Step) {
        for part in step.parts() {
            self.add_pattern(board, &part.pattern);
        }
        for digit in Digit::ALL {
            self.set_roles(digit, step.effect.removed(digit), CandidateRole::Removed);
            self.set_roles(digit, step.effect.placed(digit), CandidateRole::Placed);
        }
    }

    fn add_pattern(&mut self, board: &Candidates, pattern: &Pattern) {
        let strong_links = || pattern.chain.iter().filter(|link| link.strong);
        let chain_cells = strong_links().fold(CellSet::EMPTY, |all, link| {
            all | link.from.cells | link.to.cells
        });
        for link in strong_links() {
            for (Node { digit, cells }, role) in [
                (link.from, CandidateRole::Other),
                (link.to, CandidateRole::Pattern),
            ] {
                self.set_roles(digit, cells & board.open_places(digit), role);
            }
        }
        // In cells of a chain, only the candidates of the chain have a role, not all digits of the pattern.
        for digit in pattern.digits {
            let other_places = board.open_places(digit).without(chain_cells);
            self.set_roles(digit, pattern.cells & other_places, CandidateRole::Pattern);
            self.set_roles(digit, pattern.others & other_places, CandidateRole::Other);
        }
        for set in pattern.sets.iter().filter(|_| chain_cells.is_empty()) {
            let role = if set.cells.is_subset(pattern.cells) {
                CandidateRole::Pattern
            } else {
                CandidateRole::Other
            };
            for digit in set.digits {
                self.set_roles(digit, set.cells & board.open_places(digit), role);
            }
        }
    }

    fn set_roles(&mut self, digit: Digit, cells: CellSet, role: CandidateRole) {
        for cell in cells {
            self.set_role(cell.index(), digit.index(), role);
        }
    }

    fn set_role(&mut self, cell: usize, symbol: usize, role: CandidateRole) {
        let role_of_candidate = &mut self.role_by_candidate[cell * self.order + symbol];
        *role_of_candidate = (*role_of_candidate).max(Some(role));
    }
}
