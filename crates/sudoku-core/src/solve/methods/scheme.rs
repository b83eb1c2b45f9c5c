//! `backtrack`: a depth-first search with inference rules and an order of the cells.

use super::descent::{Order, SearchRun, descend};
use super::rules::{Rule, check};
use super::{Limits, SearchMethod};
use crate::board::Candidates;

crate::enum_with_ids! {
    /// The inference rules of a search node. The first rule that changes the board is applied, until none
    /// does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scheme {
        /// No inference: filling a cell only removes its digit from its peers.
        None = "none",
        /// Naked and hidden singles.
        Singles = "singles",
        /// Singles, and naked and hidden pairs.
        Pairs = "pairs",
        /// Singles, pairs, and naked and hidden triples.
        Triples = "triples",
    }
}

impl Scheme {
    fn rules(self) -> &'static [Rule] {
        const RULES: [Rule; 6] = [
            Rule::NakedSingle,
            Rule::HiddenSingle,
            Rule::NakedPair,
            Rule::HiddenPair,
            Rule::NakedTriple,
            Rule::HiddenTriple,
        ];
        &RULES[..2 * self as usize]
    }
}

/// The method `backtrack`.
pub(super) struct Backtrack {
    pub(super) scheme: Scheme,
    pub(super) order: Order,
}

impl SearchMethod for Backtrack {
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun {
        let rules = self.scheme.rules();
        descend(board.clone(), limits, self.order, |board, counts| {
            'again: loop {
                for rule in rules {
                    if rule.apply(board, counts)? {
                        continue 'again;
                    }
                }
                break;
            }
            match self.scheme {
                // Without inference, a cell without candidates is noticed only when it is chosen for a
                // guess.
                Scheme::None => Ok(()),
                _ => check(board),
            }
        })
    }
}
