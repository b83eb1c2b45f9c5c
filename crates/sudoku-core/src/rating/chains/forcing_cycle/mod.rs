//! Producer 23: forcing chains and cycles. Cycles lead from a candidate back to itself; they are rated 6.5
//! with links of one kind, and 7.0 with both. Forcing chains lead from a candidate to its opposite; they
//! are rated 6.6 with links in houses only, and 7.0 with both. A bonus for the length is added.
//!
//! ```text
//! best       finds the best hint, from the layers of all starts at once
//! cycle      searches the cycles of one start
//! chain      searches the chain from one start to its opposite
//! screened   lists all hints for nested chains; searches only from starts that can have hints
//! passes     the kinds of links, in the order of Sudoku Explainer
//! listing    lists all hints by a search from each start: the readable twin
//! recheck    tests whether a board without such hints still has none after it has lost candidates
//! finish     decides whether chains up to a rating solve the rest of a puzzle
//! ```

mod cells;
mod chain;
mod cycle;
mod finish;
#[cfg(test)]
mod listing;
mod passes;
mod recheck;
mod screened;

pub(super) use finish::solve;
#[cfg(test)]
pub(super) use listing::all as listed;
pub(super) use screened::all;

use super::chain_hint::effect;
use super::length::bonus;
use super::node::{LinkKinds, Node};
use super::numbering::CandidateNumbering;
use super::reach::{BoardLinks, ReachSearch};
use crate::board::{CandidateSet, Cell, CellSet, Digit};
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::hint::Hint;
use crate::rating::values::names;
use crate::vectors::{PlainWork, Vectors};
use chain::ChainSearch;
use cycle::{CycleNet, CycleSearch};
use passes::{PASSES, bases, is_start};
use recheck::still_has_none;

/// The memory of the searches for forcing chains and cycles, reused from call to call.
#[derive(Default)]
pub(super) struct ChainLayers {
    vectors: Vectors,
    numbering: CandidateNumbering,
    /// The board of the last search, if that search found no hint; otherwise `None`. `reached` then has the results of
    /// complete searches: all consequences of each candidate, by links in cells and houses.
    complete: Option<Board>,
    /// For each digit, its places on the last board on which a search that only used links in houses found nothing.
    quiet: [CellSet; 9],
    small: (BoardLinks<4>, ReachSearch<4>),
    middle: (BoardLinks<6>, ReachSearch<6>),
    large: (BoardLinks<12>, ReachSearch<12>),
    cycles: CycleSearch,
    chain: ChainSearch,
}

impl ChainLayers {
    /// Forgets all results of the last puzzle. Must be called before a new puzzle.
    pub(super) fn forget(&mut self) {
        self.complete = None;
        self.quiet = [CellSet::EMPTY; 9];
    }

    /// The numbers of the candidates, if the last search was on this board and was complete: it found all consequences
    /// by both kinds of links. The numbers may include candidates that have been removed since.
    pub(super) fn complete(&self, board: &Board) -> Option<&CandidateNumbering> {
        let is_known = self.complete.as_ref() == Some(board);
        is_known.then_some(&self.numbering)
    }

    /// Updates the result of a complete search to a board with fewer candidates. Returns whether this board has no hint
    /// either.
    fn still_has_none(&mut self, board: &Board, budget: &mut Budget) -> bool {
        let Some(complete) = &mut self.complete else {
            return false;
        };
        let numbering = &self.numbering;
        let is_quiet = match numbering.len() {
            0..=256 => still_has_none(board, complete, numbering, &mut self.small.1, budget),
            257..=384 => still_has_none(board, complete, numbering, &mut self.middle.1, budget),
            _ => still_has_none(board, complete, numbering, &mut self.large.1, budget),
        };
        if is_quiet {
            self.quiet = Digit::ALL.map(|digit| board.cells(digit));
        }
        is_quiet
    }
}

/// Gives access to the search results for boards with at most `64 · W` candidates.
pub(super) trait SizedReach<const W: usize> {
    fn sized_reach(&self) -> &ReachSearch<W>;
}

impl SizedReach<4> for ChainLayers {
    fn sized_reach(&self) -> &ReachSearch<4> {
        &self.small.1
    }
}

impl SizedReach<6> for ChainLayers {
    fn sized_reach(&self) -> &ReachSearch<6> {
        &self.middle.1
    }
}

impl SizedReach<12> for ChainLayers {
    fn sized_reach(&self) -> &ReachSearch<12> {
        &self.large.1
    }
}

/// The best forcing chain or cycle; the first one if several are equal.
pub(super) fn best(board: &Board, layers: &mut ChainLayers, budget: &mut Budget) -> Option<Hint> {
    if layers.still_has_none(board, budget) {
        return None;
    }
    let ChainLayers {
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
    let (vectors, all) = (layers.vectors, &mut search);
    match numbering.len() {
        0..=256 => vectors.run_plain(PassesWork(all, &mut layers.small)),
        257..=384 => vectors.run_plain(PassesWork(all, &mut layers.middle)),
        _ => vectors.run_plain(PassesWork(all, &mut layers.large)),
    }
    // The search is not complete if a pass was skipped or stopped early.
    let is_whole = board.cells_with(1).is_empty() && !search.budget.is_spent();
    let is_complete = search.best.is_none() && is_whole;
    layers.complete = is_complete.then(|| board.clone());
    search.best.map(|best| best.hint)
}

/// The best hint so far, with its rank. Hints are compared by rating, length and key, and then by the order in which
/// Sudoku Explainer generates them: by pass, start and kind.
struct RankedHint {
    rank: HintRank,
    hint: Hint,
}

type HintRank = (f64, u32, u8, usize, usize, u8);

struct LayerSearch<'a> {
    board: &'a Board,
    numbering: &'a CandidateNumbering,
    quiet: &'a mut [CellSet; 9],
    cycles: &'a mut CycleSearch,
    budget: &'a mut Budget,
    best: Option<RankedHint>,
}

/// A call of [`LayerSearch::all_passes`]. It is compiled once for AVX2 machines and once for all others, as every
/// [`PlainWork`].
struct PassesWork<'a, 'b, const W: usize>(
    &'a mut LayerSearch<'b>,
    &'a mut (BoardLinks<W>, ReachSearch<W>),
);

impl<const W: usize> PlainWork for PassesWork<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.all_passes(self.1);
    }
}

impl LayerSearch<'_> {
    #[inline(always)]
    fn all_passes<const W: usize>(&mut self, (graph, reach): &mut (BoardLinks<W>, ReachSearch<W>)) {
        graph.fill(self.board, self.numbering);
        for (pass, links) in PASSES.into_iter().enumerate() {
            let (cycle, chain, _) = bases(links);
            if !self.is_better((cycle.min(chain), 0, 0, 0, 0, 0)) {
                continue;
            }
            if links.cells {
                reach.start(graph, links, |_| true);
                self.search_pass(pass, links, graph, reach);
            } else {
                self.search_houses(pass, links, graph, reach);
            }
        }
    }

    fn is_better(&self, rank: HintRank) -> bool {
        self.best.as_ref().is_none_or(|best| rank < best.rank)
    }

    /// Searches chains that only use links in houses. Such links join places of one digit, so a digit is skipped if its
    /// places have not changed since such a search found no hint.
    #[inline(always)]
    fn search_houses<const W: usize>(
        &mut self,
        pass: usize,
        links: LinkKinds,
        graph: &mut BoardLinks<W>,
        reach: &mut ReachSearch<W>,
    ) {
        let places = Digit::ALL.map(|digit| self.board.cells(digit));
        let is_new: [bool; 9] = std::array::from_fn(|d| places[d] != self.quiet[d]);
        let candidates = self.numbering.candidates();
        reach.start(graph, links, |n| is_new[candidates[n].1.index()]);
        self.search_pass(pass, links, graph, reach);
        if self.best.is_none() && !self.budget.is_spent() {
            *self.quiet = places;
        }
    }

    #[inline(always)]
    fn search_pass<const W: usize>(
        &mut self,
        pass: usize,
        links: LinkKinds,
        graph: &mut BoardLinks<W>,
        reach: &mut ReachSearch<W>,
    ) {
        let (cycle_base, chain_base, key) = bases(links);
        let mut length = 2;
        let mut has_refuted = false;
        while !reach.is_complete() {
            let rank = |base, length| (base + bonus(length), length, key, pass, 0, 0);
            let (cycle, chain) = (rank(cycle_base, length), rank(chain_base, length + 2));
            let cycle_is_better = self.is_better(cycle);
            if !cycle_is_better && !self.is_better(chain) {
                return;
            }
            if !self.budget.spend(reach.advance()) {
                return;
            }
            // The last on-node of a cycle of this length was reached in the layer before. If a cycle removes a
            // candidate e, there is a chain at most two nodes longer that refutes e: on(e) → off(v) ═ … ═ on(u) →
            // off(e), where u and v are nodes of the cycle.
            has_refuted = has_refuted || reach.has_refuted();
            if length >= 4 && cycle_is_better && has_refuted {
                self.cycles(links, graph, reach, cycle);
            }
            if links.houses && self.is_better(chain) {
                self.offer_chain(reach, chain);
            }
            length += 2;
        }
    }

    /// Offers the first forcing chain of the current length as a hint. Sets the start and the kind in `rank`, which are
    /// the only missing values.
    #[inline(always)]
    fn offer_chain<const W: usize>(&mut self, reach: &ReachSearch<W>, mut rank: HintRank) {
        for (start, fresh) in reach.newly_reached.iter().enumerate() {
            let (cell, digit) = self.numbering.candidates()[start];
            if self.board.digits(cell).len() < 2 {
                continue;
            }
            // A chain on(start) → … → on(b) → off(start) shows that the candidate is false.
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
                self.offer(names::FORCING_CHAIN, rank, removed, placed);
                return;
            }
        }
    }

    /// Offers as a hint the first cycle that removes a candidate. `rank` has the length of the cycle; its start is set
    /// here.
    #[inline(never)]
    fn cycles<const W: usize>(
        &mut self,
        links: LinkKinds,
        graph: &mut BoardLinks<W>,
        reach: &ReachSearch<W>,
        mut rank: HintRank,
    ) {
        for (start, before) in reach.reached_before.iter().enumerate() {
            let (cell, _) = self.numbering.candidates()[start];
            if !before.meets(&reach.closing[start]) || !is_start(self.board, links, cell) {
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
                order: graph.order(self.board, self.numbering),
                strong: &reach.strong,
            };
            let found =
                self.cycles
                    .first_removal(&net, start, &reach.closing[start], rank.1, self.budget);
            if let Some(removed) = found {
                return self.offer(names::FORCING_CYCLE, rank, removed, None);
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
