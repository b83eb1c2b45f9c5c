//! `backtrack`: a scheme of inference rules at each node, and an order of the cells.

use super::descent::{Order, Run, descend};
use super::rules::{Rule, check};
use super::{Limits, Search};
use crate::board::Candidates;

/// Which rules are applied at each node: always the first that changes the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// None: a filled cell takes its digit out of its peers, and that is all.
    None,
    /// Naked and hidden singles.
    Singles,
    /// Singles, and naked and hidden pairs.
    Pairs,
    /// Singles, pairs, and naked and hidden triples.
    Triples,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 4] = [
        Scheme::None,
        Scheme::Singles,
        Scheme::Pairs,
        Scheme::Triples,
    ];

    /// `none`, `singles`, `pairs` or `triples`.
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

impl Search for Backtrack {
    fn search(&self, board: &Candidates, limits: Limits) -> Run {
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
                // Without inference a cell without candidates is found when it is its turn.
                Scheme::None => Ok(()),
                _ => check(board),
            }
        })
    }
}
