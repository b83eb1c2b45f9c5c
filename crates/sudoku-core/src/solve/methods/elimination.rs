//! The solving method `elimination`: applies naked singles, hidden singles, naked pairs and pointing at each
//! node, then guesses in the cell with the fewest candidates.

use super::method_search::{Order, SearchRun, search_depth_first};
use super::rules::{Rule, RuleCounts, check_candidates_left};
use super::{Limits, SearchMethod};
use crate::board::{Candidates, Contradiction};

/// The four techniques of `elimination`, in the order in which they are applied.
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
    /// Applies one round of the four techniques. Returns whether the board has changed.
    fn apply_round(
        self,
        board: &mut Candidates,
        counts: &mut RuleCounts,
    ) -> Result<bool, Contradiction> {
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

/// The solving method `elimination`, with its setting.
pub(super) struct Elimination {
    pub(super) rounds: Rounds,
}

impl SearchMethod for Elimination {
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun {
        search_depth_first(board.clone(), limits, Order::Mrv, |board, counts| {
            while self.rounds.apply_round(board, counts)? {}
            check_candidates_left(board)
        })
    }
}
