//! Searches the best hint of a board within a bound, in the order in which Sudoku Explainer generates hints.

use super::reachable::Reachable;
use super::reached::{OFF, ON, RunResult};
use super::run::{BoundedRun, SharedData};
use crate::bit_rows::BitSet;
use crate::board::Digit;
use crate::rating::budget::Budget;
use crate::rating::chains::chain_hint::{
    KEY_CELL, KEY_CONTRADICTION, KEY_DOUBLE, KEY_REGION, effect,
};
use crate::rating::chains::kind::ChainKind;
use crate::rating::chains::node::Node;

/// A hint: its length in nodes, its key, and the node at which all its chains end.
pub(super) type BestEnd = (u32, u8, Node);

/// The state of the search for the best hint within a bound.
pub(super) struct HintSearch<'a, const W: usize> {
    pub(super) shared: SharedData<'a, W>,
    pub(super) run: &'a mut BoundedRun<W>,
    pub(super) reached: &'a mut [Vec<RunResult<W>>; 2],
    /// For both states (on and off), the assumed candidates whose runs on the last board are still valid.
    pub(super) kept: [BitSet<W>; 2],
    /// A new run finds at least the nodes of all hints of up to this length, even if the current search only needs
    /// shorter ones. Its result can then be kept for later searches.
    pub(super) least_limit: u32,
    pub(super) is_filled: &'a mut [BitSet<W>; 2],
    pub(super) budget: &'a mut Budget,
    pub(super) bound: u32,
    pub(super) best: Option<BestEnd>,
    pub(super) is_cut: bool,
    pub(super) reachable: Option<&'a Reachable<W>>,
}

impl<const W: usize> HintSearch<'_, W> {
    /// Searches all hints, in the order in which Sudoku Explainer generates them.
    pub(super) fn search_all(&mut self, kind: ChainKind, only: Option<Digit>) {
        let board = self.shared.board;
        let is_dynamic = self.shared.mode.dynamic;
        let is_nishio = kind.is_nishio();
        let fewest_digits = if is_dynamic { 2 } else { 3 };
        for cell in board.empty() {
            let digits = board.digits(cell);
            if digits.len() < fewest_digits {
                continue;
            }
            let mut starts = [0; 9];
            for (start, digit) in starts.iter_mut().zip(digits) {
                *start = self.shared.numbering.number(cell, digit);
            }
            let starts = &starts[..digits.len()];
            for (&start, digit) in starts.iter().zip(digits) {
                if only.is_some_and(|only| only != digit) {
                    continue;
                }
                if is_dynamic {
                    self.fill(ON, start);
                    self.fill(OFF, start);
                    self.offer_contradiction(ON, start, Node::off(cell, digit));
                    self.offer_contradiction(OFF, start, Node::on(cell, digit));
                    if digits.len() >= 3 && !is_nishio {
                        self.search_common(&[(ON, start), (OFF, start)], KEY_DOUBLE);
                    }
                }
                if !is_nishio {
                    self.search_regions(start);
                }
            }
            if !is_nishio {
                self.search_one_of(starts, KEY_CELL);
            }
            if self.budget.is_spent() {
                return;
            }
        }
    }

    /// For each house in which this candidate is the first place of its digit, searches the hints from all places of
    /// the digit.
    fn search_regions(&mut self, start: usize) {
        let net = self.shared.net;
        let spot = &net.candidate_slots[start];
        for (slot, others) in spot.slots.into_iter().zip(spot.others).skip(1) {
            let (places, own) = (net.grid.slot(slot), !others);
            let is_first = places & (own - 1) == 0;
            if !is_first || places == own {
                continue;
            }
            let mut starts = [0; 9];
            let mut count = 0;
            net.numbers.for_each(slot, places, |place| {
                starts[count] = place;
                count += 1;
            });
            self.search_one_of(&starts[..count], KEY_REGION);
        }
    }

    /// Searches the nodes that follow from every one of these candidates. One of the candidates must be true.
    fn search_one_of(&mut self, starts: &[usize], key: u8) {
        if self
            .reachable
            .is_some_and(|reachable| !reachable.meet(starts))
        {
            return;
        }
        let mut states_and_starts = [(ON, 0); 9];
        for (entry, start) in states_and_starts.iter_mut().zip(starts) {
            self.fill(ON, *start);
            entry.1 = *start;
        }
        self.search_common(&states_and_starts[..starts.len()], key);
    }

    fn limit(&self) -> u32 {
        self.best.map_or(self.bound, |(length, ..)| length)
    }

    #[inline(always)]
    fn fill(&mut self, state: usize, start: usize) {
        if !self.is_filled[state].contains(start) {
            self.fill_new(state, start);
        }
    }

    #[inline(never)]
    fn fill_new(&mut self, state: usize, start: usize) {
        self.is_filled[state].insert(start);
        let limit = self.limit();
        let reached = &mut self.reached[state][start];
        let units = if self.kept[state].contains(start) && reached.is_enough_for(limit) {
            reached.node_count()
        } else {
            let limit = limit.max(self.least_limit);
            self.run.fill(&self.shared, (state, start), limit, reached)
        };
        self.is_cut |= reached.is_cut;
        self.budget.spend(units);
    }

    fn offer_contradiction(&mut self, state: usize, start: usize, node: Node) {
        if let Some(length) = self.reached[state][start].contradiction {
            self.is_cut |= length > self.bound;
            self.offer(length, KEY_CONTRADICTION, node);
        }
    }

    fn is_better(&self, length: u32, key: u8) -> bool {
        match self.best {
            Some((best, best_key, _)) => (length, key) < (best, best_key),
            None => length <= self.bound,
        }
    }

    fn offer(&mut self, length: u32, key: u8, node: Node) {
        if self.is_better(length, key) && effect(self.shared.board, node).is_some() {
            self.best = Some((length, key, node));
        }
    }

    /// Offers hints for the nodes that all of these runs have found: first the on-nodes, then the off-nodes, both in
    /// the order of the first run.
    #[inline(always)]
    fn search_common(&mut self, starts: &[(usize, usize)], key: u8) {
        let mut common = [self.shared.net.on_board; 2];
        for start in starts {
            let sets = &self.reached[start.0][start.1].sets;
            common[ON].keep(&sets[ON]);
            common[OFF].keep(&sets[OFF]);
        }
        for state in [ON, OFF] {
            if !common[state].is_empty() {
                self.offer_common(starts, state, &common[state], key);
            }
        }
    }

    /// Offers hints for nodes of one state (on or off) that all of these runs have found, if a hint is better than the
    /// best one so far.
    #[inline(never)]
    fn offer_common(
        &mut self,
        starts: &[(usize, usize)],
        state: usize,
        common: &BitSet<W>,
        key: u8,
    ) {
        let (mut shortest, mut longest) = (u32::MAX, 0);
        common.for_each(|n| {
            let length = self.length(starts, state, n);
            shortest = shortest.min(length);
            longest = longest.max(length);
        });
        self.is_cut |= longest > self.bound;
        if !self.is_better(shortest, key) {
            return;
        }
        let (first, start) = starts[0];
        for at in 0..self.reached[first][start].order(state).len() {
            let n = usize::from(self.reached[first][start].order(state)[at]);
            if common.contains(n) {
                let (cell, digit) = self.shared.numbering.candidates()[n];
                let node = match state {
                    ON => Node::on(cell, digit),
                    _ => Node::off(cell, digit),
                };
                self.offer(self.length(starts, state, n), key, node);
            }
        }
    }

    /// The length of the hint that node `n` follows from all these runs: the total number of nodes in the chains that
    /// end at `n`.
    fn length(&self, starts: &[(usize, usize)], state: usize, n: usize) -> u32 {
        let count = |start: &(usize, usize)| self.reached[start.0][start.1].count(state, n);
        starts.iter().map(count).sum()
    }
}
