//! `backtrack`: a depth-first search with inference rules and an order of the cells.

use super::descent::{Order, SearchRun, descend};
use super::rules::{Rule, check};
use super::{Limits, SearchMethod};
use crate::board::Candidates;

/// The inference rules of a search node. The first rule that changes the board is applied, until none
/// does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// No inference: filling a cell only removes its digit from its peers.
    None,
    /// Naked and hidden singles.
    Singles,
    /// Singles, and naked and hidden pairs.
    Pairs,
    /// Singles, pairs, and naked and hidden triples.
    Triples,
}

impl Scheme {
    /// All schemes, from the weakest.
    pub const ALL: [Scheme; 4] = [
        Scheme::None,
        Scheme::Singles,
        Scheme::Pairs,
        Scheme::Triples,
    ];

    /// The id: `none`, `singles`, `pairs` or `triples`.
    pub const fn id(self) -> &'static str {
        match self {
            Scheme::None => "none",
            Scheme::Singles => "singles",
            Scheme::Pairs => "pairs",
            Scheme::Triples => "triples",
        }
    }

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
