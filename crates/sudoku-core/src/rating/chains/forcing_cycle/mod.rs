//! Producer 23: forcing chains and cycles. Cycles lead from a candidate back to itself; they are rated 6.5
//! with links of one kind, and 7.0 with both. Forcing chains lead from a candidate to its opposite; they
//! are rated 6.6 with links in houses only, and 7.0 with both. A bonus for the length is added.
//!
//! ```text
//! best       finds the best hint, from the layers of all starts at once
//! cycle      searches the cycles of one start
//! chain      searches the chain from one start to its opposite
//! screened   lists all hints for nested chains; searches only from starts that can have hints
//! passes     the kinds of links, in the order of the reference
//! listing    lists all hints by a search from each start: the readable twin
//! finish     decides whether chains up to a rating solve the rest of a puzzle
//! ```

mod chain;
mod cycle;
mod finish;
#[cfg(test)]
mod listing;
mod passes;
mod screened;

pub(super) use finish::solve;
#[cfg(test)]
pub(super) use listing::all as listed;
pub(super) use screened::all;

use super::bits::Numbering;
use super::chain_hint::effect;
use super::length::bonus;
use super::node::{LinkKinds, Node};
use super::reach::{BoardLinks, Reach};
use crate::board::{CandidateSet, Cell, CellSet, Digit};
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::hint::Hint;
use chain::ChainSearch;
use cycle::{CycleNet, Cycles};
use passes::{PASSES, bases, is_start};

/// The memory that calls reuse.
#[derive(Default)]
pub(super) struct Layers {
    numbering: Numbering,
    /// Whether the last search found no hint. If so, its layers with links of both kinds are complete.
    is_complete: bool,
    /// For each digit, its places in the last search with links in houses only, which found nothing.
    quiet: [CellSet; 9],
    small: (BoardLinks<4>, Reach<4>),
    middle: (BoardLinks<6>, Reach<6>),
    large: (BoardLinks<12>, Reach<12>),
    cycles: Cycles,
    chain: ChainSearch,
}

impl Layers {
    /// Forgets everything about the last puzzle.
    pub(super) fn forget(&mut self) {
        self.is_complete = false;
        self.quiet = [CellSet::EMPTY; 9];
    }

    /// The consequences of each candidate by links of both kinds; `None` if they are not known for this
    /// board.
    pub(super) fn complete<const W: usize>(&self, numbering: &Numbering) -> Option<&Reach<W>>
    where
        Layers: Sized<W>,
    {
        let is_known = self.is_complete && *numbering == self.numbering;
        is_known.then(|| self.sized())
    }
}

/// The layers for boards with at most `64 · W` candidates.
pub(super) trait Sized<const W: usize> {
    fn sized(&self) -> &Reach<W>;
}

impl Sized<4> for Layers {
    fn sized(&self) -> &Reach<4> {
        &self.small.1
    }
}

impl Sized<6> for Layers {
    fn sized(&self) -> &Reach<6> {
        &self.middle.1
    }
}

impl Sized<12> for Layers {
    fn sized(&self) -> &Reach<12> {
        &self.large.1
    }
}

/// The best forcing chain or cycle; among equal hints the first one.
pub(super) fn best(board: &Board, layers: &mut Layers, budget: &mut Budget) -> Option<Hint> {
    let Layers {
        numbering,
        cycles,
        quiet,
        ..
    } = layers;
    numbering.fill(board);
    let mut search = LayerSearch {
        board,
        numbering,
        quiet,
        cycles,
        budget,
        best: None,
    };
    match search.numbering.len() {
        0..=256 => search.all_passes(&mut layers.small),
        257..=384 => search.all_passes(&mut layers.middle),
        _ => search.all_passes(&mut layers.large),
    }
    // If a search was skipped or ended early, the layers are not complete.
    let is_whole = board.cells_with(1).is_empty() && !search.budget.is_spent();
    layers.is_complete = search.best.is_none() && is_whole;
    search.best.map(|best| best.hint)
}

/// The best hint so far. Hints are ordered by rating, length and key, then by pass, start and kind, as the
/// reference generates them.
struct RankedHint {
    rank: HintRank,
    hint: Hint,
}

type HintRank = (f64, u32, u8, usize, usize, u8);

struct LayerSearch<'a> {
    board: &'a Board,
    numbering: &'a Numbering,
    quiet: &'a mut [CellSet; 9],
    cycles: &'a mut Cycles,
    budget: &'a mut Budget,
    best: Option<RankedHint>,
}

impl LayerSearch<'_> {
    fn all_passes<const W: usize>(&mut self, (graph, reach): &mut (BoardLinks<W>, Reach<W>)) {
        graph.fill(self.board, self.numbering);
        for (pass, links) in PASSES.into_iter().enumerate() {
            let (cycle, chain, _) = bases(links);
            if !self.is_better((cycle.min(chain), 0, 0, 0, 0, 0)) {
                continue;
            }
            if links.cells {
                reach.start(graph, links, |_| true);
                self.pass(pass, links, graph, reach);
            } else {
                self.houses(pass, links, graph, reach);
            }
        }
    }

    fn is_better(&self, rank: HintRank) -> bool {
        self.best.as_ref().is_none_or(|best| rank < best.rank)
    }

    /// The pass with links in houses only. These links connect places of one digit, so their consequences
    /// depend only on the places of that digit. Digits whose places led to no hint before are skipped.
    fn houses<const W: usize>(
        &mut self,
        pass: usize,
        links: LinkKinds,
        graph: &BoardLinks<W>,
        reach: &mut Reach<W>,
    ) {
        let places = Digit::ALL.map(|digit| self.board.cells(digit));
        let is_new: [bool; 9] = std::array::from_fn(|d| places[d] != self.quiet[d]);
        let candidates = self.numbering.candidates();
        reach.start(graph, links, |n| is_new[candidates[n].1.index()]);
        self.pass(pass, links, graph, reach);
        if self.best.is_none() && !self.budget.is_spent() {
            *self.quiet = places;
        }
    }

    fn pass<const W: usize>(
        &mut self,
        pass: usize,
        links: LinkKinds,
        graph: &BoardLinks<W>,
        reach: &mut Reach<W>,
    ) {
        let (cycle_base, chain_base, key) = bases(links);
        let mut length = 2;
        while !reach.is_complete() {
            let rank = |base, length| (base + bonus(length), length, key, pass, 0, 0);
            let (cycle, chain) = (rank(cycle_base, length), rank(chain_base, length + 2));
            let cycle_is_better = self.is_better(cycle);
            if !cycle_is_better && !self.is_better(chain) {
                return;
            }
            // The candidates that were reached last can be the last on-node of a cycle of this length.
            if length >= 4 && cycle_is_better {
                self.cycles(links, graph, reach, cycle);
            }
            if !self.budget.spend(reach.advance()) {
                return;
            }
            if links.houses && self.is_better(chain) {
                self.chains(reach, chain);
            }
            length += 2;
        }
    }

    /// Offers the first forcing chain of this length. `rank` lacks the start and the kind.
    fn chains<const W: usize>(&mut self, reach: &Reach<W>, mut rank: HintRank) {
        for (start, fresh) in reach.fresh.iter().enumerate() {
            let (cell, digit) = self.numbering.candidates()[start];
            if self.board.digits(cell).len() < 2 {
                continue;
            }
            // on(start) → … → on(b) → off(start)
            let to_off = fresh.meets(&reach.off[start]);
            let (kind, end) = if to_off {
                (1, Node::off(cell, digit))
            } else if reach.comes_on(start) {
                (2, Node::on(cell, digit))
            } else {
                continue;
            };
            if let Some((removed, placed)) = effect(self.board, end) {
                (rank.4, rank.5) = (start, kind);
                self.offer("Forcing chain", rank, removed, placed);
                return;
            }
        }
    }

    /// Offers the first effective cycle of this length. `rank` lacks the start.
    fn cycles<const W: usize>(
        &mut self,
        links: LinkKinds,
        graph: &BoardLinks<W>,
        reach: &Reach<W>,
        mut rank: HintRank,
    ) {
        for (start, fresh) in reach.fresh.iter().enumerate() {
            let (cell, _) = self.numbering.candidates()[start];
            if !fresh.meets(&reach.closing[start]) || !is_start(self.board, links, cell) {
                continue;
            }
            rank.4 = start;
            if !self.is_better(rank) {
                return;
            }
            let net = CycleNet {
                board: self.board,
                candidates: self.numbering.candidates(),
                links,
                order: graph.order(),
                strong: &reach.strong,
            };
            let found = self
                .cycles
                .first(&net, start, &reach.closing[start], rank.1, self.budget);
            if let Some(removed) = found {
                return self.offer("Forcing cycle", rank, removed, None);
            }
        }
    }

    fn offer(
        &mut self,
        technique: &'static str,
        rank: HintRank,
        removed: CandidateSet,
        placed: Option<(Cell, Digit)>,
    ) {
        if self.is_better(rank) {
            let (rating, length, ..) = rank;
            let hint = Hint {
                technique,
                rating,
                removed,
                placed,
                length,
            };
            self.best = Some(RankedHint { rank, hint });
        }
    }
}
