//! `elimination`: naked singles, hidden singles, naked pairs and pointing at each node, then a guess
//! in the cell with the fewest candidates.

use super::descent::{Order, Run, descend};
use super::rules::{Rule, RuleCounts, check};
use super::{Limits, Search};
use crate::board::{Candidates, Contradiction};

/// The four techniques, in their order.
const RULES: [Rule; 4] = [
    Rule::NakedSingle,
    Rule::HiddenSingle,
    Rule::NakedPair,
    Rule::Pointing,
];

/// How the techniques take turns, round after round until none changes the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// Each technique once a round.
    Each,
    /// Each technique to its own fixed point before the next has its turn.
    Fixpoint,
}

impl Rounds {
    /// Both of them.
    pub const ALL: [Rounds; 2] = [Rounds::Each, Rounds::Fixpoint];

    /// `each` or `fixpoint`.
    pub const fn id(self) -> &'static str {
        match self {
            Rounds::Each => "each",
            Rounds::Fixpoint => "fixpoint",
        }
    }

    /// One round; whether it changed the board.
    fn round(self, board: &mut Candidates, counts: &mut RuleCounts) -> Result<bool, Contradiction> {
        let mut any = false;
        for rule in RULES {
            while rule.apply(board, counts)? {
                any = true;
                if self == Rounds::Each {
                    break;
                }
            }
        }
        Ok(any)
    }
}

/// The method `elimination`.
pub(super) struct Elimination {
    pub(super) rounds: Rounds,
}

impl Search for Elimination {
    fn search(&self, board: &Candidates, limits: Limits) -> Run {
        descend(board.clone(), limits, Order::Mrv, |board, counts| {
            while self.rounds.round(board, counts)? {}
            check(board)
        })
    }
}
