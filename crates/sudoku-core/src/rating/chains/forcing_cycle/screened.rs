//! Lists all forcing chains and cycles, but only searches from starts that can have hints. This is a faster version of
//! [`listing`](super::listing).
//!
//! A candidate contradicts itself if its consequences include its opposite. Every hint needs such candidates:
//!
//! ```text
//! chain to off(a)      a contradicts itself
//! chain to on(a)       so do all other candidates of the cell, which the chain removes, if links in cells are
//!                      followed too
//! cycle                so does a candidate outside, which the cycle removes:
//!                      on(e) → off(v) ═ … ═ on(u) → off(e), where u and v are nodes of the cycle
//! ```
//!
//! On most boards, no candidate contradicts itself, so there are no hints.

use super::super::chain_hint::{ChainHint, effect};
use super::super::length::bonus;
use super::super::node::LinkKinds;
use super::super::numbering::CandidateNumbering;
use super::super::reach::{BoardLinks, LinkOrder, ReachSearch};
use super::ChainLayers;
use super::chain::ChainSearch;
use super::cycle::{CycleNet, CycleSearch, OFF, ON};
use super::passes::{PASSES, bases, is_start, removed_by_cycle};
use crate::bit_rows::BitSet;
use crate::board::{Cell, Digit};
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::values::names;

/// Lists all forcing chains and cycles of a board, in the order in which Sudoku Explainer generates them.
pub(in crate::rating::chains) fn all(
    board: &Board,
    layers: &mut ChainLayers,
    budget: &mut Budget,
) -> Vec<ChainHint> {
    let ChainLayers {
        numbering,
        cycles,
        chain,
        complete,
        ..
    } = layers;
    *complete = None;
    numbering.fill(board);
    let listing = ScreenedListing {
        board,
        candidates: numbering.candidates(),
        cycles,
        chain,
        budget,
        found: Vec::new(),
    };
    match listing.candidates.len() {
        0..=256 => listing.all_passes(&mut layers.small, numbering),
        257..=384 => listing.all_passes(&mut layers.middle, numbering),
        _ => listing.all_passes(&mut layers.large, numbering),
    }
}

struct ScreenedListing<'a> {
    board: &'a Board,
    candidates: &'a [(Cell, Digit)],
    cycles: &'a mut CycleSearch,
    chain: &'a mut ChainSearch,
    budget: &'a mut Budget,
    found: Vec<ChainHint>,
}

impl ScreenedListing<'_> {
    fn all_passes<const W: usize>(
        mut self,
        (graph, reach): &mut (BoardLinks<W>, ReachSearch<W>),
        numbering: &CandidateNumbering,
    ) -> Vec<ChainHint> {
        graph.fill(self.board, numbering);
        // The last of the three passes uses both kinds of links.
        let refuted = self.refuted(PASSES[2], graph, reach);
        if refuted.is_empty() {
            return self.found;
        }
        for links in PASSES {
            let refuted_by_links = self.refuted(links, graph, reach);
            if !self.budget.is_spent() {
                let order = graph.order(self.board, numbering);
                self.pass(links, order, reach, [&refuted, &refuted_by_links]);
            }
        }
        self.found
    }

    /// The candidates whose assumption leads to their opposite by these kinds of links.
    fn refuted<const W: usize>(
        &mut self,
        links: LinkKinds,
        graph: &BoardLinks<W>,
        reach: &mut ReachSearch<W>,
    ) -> BitSet<W> {
        reach.start(graph, links, |_| true);
        while !reach.is_complete() && self.budget.spend(reach.advance()) {}
        let mut refuted = BitSet::EMPTY;
        for (n, (off, reached)) in reach.off.iter().zip(&reach.reached).enumerate() {
            if off.meets(reached) {
                refuted.insert(n);
            }
        }
        refuted
    }

    /// Adds the hints of one pass. `refuted` has the candidates that contradict themselves by links of both kinds, and
    /// `by_links` those that do so by the links of the pass.
    fn pass<const W: usize>(
        &mut self,
        links: LinkKinds,
        order: &LinkOrder,
        reach: &ReachSearch<W>,
        [refuted, by_links]: [&BitSet<W>; 2],
    ) {
        let has_cycles = !by_links.is_empty();
        let net = CycleNet {
            board: self.board,
            candidates: self.candidates,
            links,
            order,
            strong: &reach.strong,
        };
        let mut next_start = 0;
        for cell in self.board.empty() {
            let count = self.board.digits(cell).len();
            let starts = next_start..next_start + count;
            next_start += count;
            if !is_start(self.board, links, cell) {
                continue;
            }
            for start in starts.clone() {
                if has_cycles && reach.reached[start].meets(&reach.closing[start]) {
                    self.cycles(&net, start, &reach.closing[start]);
                }
                if !links.houses {
                    continue;
                }
                let mut other_starts = starts.clone().filter(|other| *other != start);
                let ends_off = by_links.contains(start);
                let ends_on = other_starts.all(|other| refuted.contains(other));
                for (is_wanted, kind) in [(ends_off, ON), (ends_on, OFF)] {
                    if is_wanted {
                        self.chain(&net, start, kind);
                    }
                }
            }
        }
    }

    fn cycles<const W: usize>(&mut self, net: &CycleNet<'_>, start: usize, closing: &BitSet<W>) {
        let (base, _, key) = bases(net.links);
        let ScreenedListing {
            cycles,
            budget,
            found,
            ..
        } = self;
        cycles.for_each_cycle(net, start, closing, budget, |path| {
            let removed = removed_by_cycle(net.board, path.iter().map(|step| net.node(*step)));
            if !removed.is_empty() {
                let length = path.len() as u32;
                let end = (start, ON);
                found.push(ChainHint {
                    technique: names::FORCING_CYCLE,
                    rating: base + bonus(length),
                    length,
                    key,
                    removed,
                    placed: None,
                    chains: vec![net.with_causes(std::iter::once(&end).chain(path))],
                    is_cycle: true,
                });
            }
        });
    }

    /// Adds the forcing chain from candidate number `start` in this state (on or off) to its opposite, if there is one.
    fn chain(&mut self, net: &CycleNet<'_>, start: usize, state: usize) {
        let Some(path) = self.chain.search(net, (start, state), self.budget) else {
            return;
        };
        let (_, base, key) = bases(net.links);
        let length = path.len() as u32;
        if let Some((removed, placed)) = effect(self.board, net.node(path[0])) {
            self.found.push(ChainHint {
                technique: names::FORCING_CHAIN,
                rating: base + bonus(length),
                length,
                key,
                removed,
                placed,
                chains: vec![net.with_causes(path.iter())],
                is_cycle: false,
            });
        }
    }
}
