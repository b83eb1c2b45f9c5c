//! `elimination`: applies naked singles, hidden singles, naked pairs and pointing at each node, then
//! guesses in the cell with the fewest candidates.

use super::descent::{Order, SearchRun, descend};
use super::rules::{Rule, RuleCounts, check};
use super::{Limits, SearchMethod};
use crate::board::{Candidates, Contradiction};

/// The four techniques, in the order of their application.
const RULES: [Rule; 4] = [
    Rule::NakedSingle,
    Rule::HiddenSingle,
    Rule::NakedPair,
    Rule::Pointing,
];

crate::enum_with_ids! {
    /// The order in which the techniques are repeated. Rounds are repeated until a round changes nothing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Rounds {
        /// Each round applies each technique once.
        Each = "each",
        /// Each round applies each technique until it changes nothing, and then the next technique.
        Fixpoint = "fixpoint",
    }
}

impl Rounds {
    /// Applies one round. Returns whether the board has changed.
    fn round(self, board: &mut Candidates, counts: &mut RuleCounts) -> Result<bool, Contradiction> {
        let mut has_changed = false;
        for rule in RULES {
            while rule.apply(board, counts)? {
                has_changed = true;
                if self == Rounds::Each {
                    break;
                }
            }
        }
        Ok(has_changed)
    }
}

/// The method `elimination`.
pub(super) struct Elimination {
    pub(super) rounds: Rounds,
}

impl SearchMethod for Elimination {
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun {
        descend(board.clone(), limits, Order::Mrv, |board, counts| {
            while self.rounds.round(board, counts)? {}
            check(board)
        })
    }
}
