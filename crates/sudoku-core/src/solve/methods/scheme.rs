//! The solving method `backtrack`: a depth-first search with inference rules and an order of the cells.

use super::method_search::{Order, SearchRun, search_depth_first};
use super::rules::{Rule, check_candidates_left};
use super::{Limits, SearchMethod};
use crate::board::Candidates;

crate::enum_with_ids! {
    /// The inference rules that are applied at each search node: always the first rule that changes the
    /// board, until none does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Scheme {
        /// No inference: filling a cell only removes its digit from its peers.
        None = "none",
        /// The rules are naked and hidden singles.
        Singles = "singles",
        /// The rules are singles, and naked and hidden pairs.
        Pairs = "pairs",
        /// The rules are singles, pairs, and naked and hidden triples.
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

/// The solving method `backtrack`, with its settings.
pub(super) struct Backtrack {
    pub(super) scheme: Scheme,
    pub(super) order: Order,
}

impl SearchMethod for Backtrack {
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun {
        let rules = self.scheme.rules();
        search_depth_first(board.clone(), limits, self.order, |board, counts| {
            'again: loop {
                for rule in rules {
                    if rule.apply(board, counts)? {
                        continue 'again;
                    }
                }
                break;
            }
            match self.scheme {
                // Without inference rules, a cell without candidates is only noticed when it is chosen for a
                // guess.
                Scheme::None => Ok(()),
                _ => check_candidates_left(board),
            }
        })
    }
}
