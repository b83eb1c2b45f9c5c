//! Finds the consequences of all candidates at the same time, layer by layer. If candidate a is on, layer k of a has
//! the candidates that must then be on too, and that take k steps of two links to reach.
//!
//! ```text
//! on(a) → off(x) → on(b)      a step of two links: a sees x, and x has a strong link to b
//! layers[k][a]                all b that are k steps from a, and not fewer
//! ```
//!
//! Forcing chains and cycles are found in these layers. Separate searches from each start would visit the same nodes
//! many times.

use super::node::LinkKinds;
use super::numbering::CandidateNumbering;
use crate::bit_rows::BitSet;
use crate::board::Digit;
use crate::rating::board::{Board, CHAIN_ORDER, houses_of, peer_groups};

/// All links between the candidates of a board. A search chooses which kinds of links it uses.
pub(super) struct BoardLinks<const W: usize> {
    /// For each candidate, the other candidates of its cell.
    mates: Vec<BitSet<W>>,
    /// For each candidate, the candidates of the same digit in the peers of its cell.
    peers: Vec<BitSet<W>>,
    /// For each candidate, its strong link to the only other candidate of its cell, if the cell has exactly two
    /// candidates.
    by_cell: Vec<StrongLinks>,
    /// For each candidate, its strong links in houses: if a house has exactly two places of the digit, the other place.
    by_house: Vec<StrongLinks>,
    order: LinkOrder,
}

/// For each candidate, the candidates that are off if it is on, in the order in which Sudoku Explainer visits them.
#[derive(Default)]
pub(super) struct LinkOrder {
    /// For each candidate, the numbers of the candidates of its cell, as a range: the first number, and one past the
    /// last.
    cell: Vec<(u16, u16)>,
    /// For each candidate, the other places of its digit: first in the box, then in the rest of the row, then in the
    /// rest of the column. The lists of all candidates are stored one after the other.
    peers: Vec<u16>,
    /// For each candidate, the index at which its list in `peers` ends.
    peers_end: Vec<u32>,
}

impl LinkOrder {
    fn clear(&mut self) {
        self.cell.clear();
        self.peers.clear();
        self.peers_end.clear();
    }

    fn fill(&mut self, board: &Board, numbering: &CandidateNumbering) {
        self.clear();
        for cell in board.empty() {
            let first_number = self.cell.len();
            let end = first_number + board.digits(cell).len();
            (self.cell).resize(end, (first_number as u16, end as u16));
        }
        for &(cell, digit) in numbering.candidates() {
            for group in peer_groups(cell) {
                let peers = board.cells(digit) & group;
                (self.peers).extend(peers.map(|peer| numbering.number(peer, digit) as u16));
            }
            self.peers_end.push(self.peers.len() as u32);
        }
    }

    /// Like [`off_from`](super::node::off_from), but for numbered candidates.
    #[inline]
    pub(super) fn off_from(&self, links: LinkKinds, on: usize) -> impl Iterator<Item = usize> + '_ {
        let (first, end) = if links.cells { self.cell[on] } else { (0, 0) };
        let mates = (usize::from(first)..usize::from(end)).filter(move |mate| *mate != on);
        let start = on
            .checked_sub(1)
            .map_or(0, |previous| self.peers_end[previous]);
        let peers = &self.peers[start as usize..self.peers_end[on] as usize];
        mates.chain(peers.iter().map(|peer| usize::from(*peer)))
    }
}

impl<const W: usize> Default for BoardLinks<W> {
    fn default() -> BoardLinks<W> {
        BoardLinks {
            mates: Vec::new(),
            peers: Vec::new(),
            by_cell: Vec::new(),
            by_house: Vec::new(),
            order: LinkOrder::default(),
        }
    }
}

impl<const W: usize> BoardLinks<W> {
    /// The links in the order of Sudoku Explainer. Computed at the first call after [`BoardLinks::fill`].
    pub(super) fn order(&mut self, board: &Board, numbering: &CandidateNumbering) -> &LinkOrder {
        if self.order.cell.len() < numbering.len() {
            self.order.fill(board, numbering);
        }
        &self.order
    }

    #[inline(always)]
    pub(super) fn fill(&mut self, board: &Board, numbering: &CandidateNumbering) {
        let candidates = numbering.candidates();
        self.mates.clear();
        self.peers.clear();
        self.by_cell.clear();
        self.by_house.clear();
        self.order.clear();
        self.by_house
            .resize(candidates.len(), StrongLinks::default());
        for cell in board.empty() {
            let size = board.digits(cell).len();
            let first_number = self.mates.len();
            let mut cell_candidates = BitSet::EMPTY;
            (first_number..first_number + size).for_each(|n| cell_candidates.insert(n));
            for n in first_number..first_number + size {
                let mut mates = cell_candidates;
                mates.remove(n);
                self.mates.push(mates);
                let mut strong = StrongLinks::default();
                if size == 2 {
                    strong.insert(2 * first_number + 1 - n);
                }
                self.by_cell.push(strong);
            }
        }
        let mut by_house_and_digit = [[BitSet::<W>::EMPTY; 9]; 27];
        for (n, &(cell, digit)) in candidates.iter().enumerate() {
            for (house, _) in houses_of(cell) {
                by_house_and_digit[house.index()][digit.index()].insert(n);
            }
        }
        for (n, &(cell, digit)) in candidates.iter().enumerate() {
            let mut peers = BitSet::EMPTY;
            for (house, _) in houses_of(cell) {
                peers.add(&by_house_and_digit[house.index()][digit.index()]);
            }
            peers.remove(n);
            self.peers.push(peers);
        }
        // Visit the houses in [`CHAIN_ORDER`], so that the links of a candidate are in the same order as those of
        // `on_from`.
        for house in CHAIN_ORDER {
            for digit in Digit::ALL {
                let places = board.places(house, digit);
                if has_two(places) {
                    let number = |n: u32| numbering.number(house.cell(n as usize), digit);
                    let a = number(places.trailing_zeros());
                    let b = number(15 - places.leading_zeros());
                    self.by_house[a].insert(b);
                    self.by_house[b].insert(a);
                }
            }
        }
    }
}

/// Whether exactly two bits are set: a digit with two places in a house.
fn has_two(bits: u16) -> bool {
    let other_bits = bits & bits.wrapping_sub(1);
    other_bits != 0 && other_bits & (other_bits - 1) == 0
}

/// The state of a breadth-first search from all candidates at once, along chosen kinds of links.
pub(super) struct ReachSearch<const W: usize> {
    /// For each candidate, the candidates that are off if it is on.
    pub(super) off: Vec<BitSet<W>>,
    /// For each candidate, the candidates that are on if it is off.
    pub(super) strong: Vec<StrongLinks>,
    /// For each candidate, the candidates that can be the last on-node of a cycle from that candidate.
    pub(super) closing: Vec<BitSet<W>>,
    steps: Vec<BitSet<W>>,
    /// For each start, the candidates that the last layer reached for the first time. `reached_before` has those of the
    /// layer before.
    pub(super) newly_reached: Vec<BitSet<W>>,
    pub(super) reached_before: Vec<BitSet<W>>,
    /// For each start, all candidates reached so far, including the start itself.
    pub(super) reached: Vec<BitSet<W>>,
}

/// The strong links of a candidate: at most one in its cell, and at most one in each of its houses.
#[derive(Clone, Copy, Default)]
pub(super) struct StrongLinks {
    to: [u16; 4],
    count: u8,
}

impl StrongLinks {
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let to = &self.to[..usize::from(self.count)];
        to.iter().map(|to| usize::from(*to))
    }

    fn insert(&mut self, to: usize) {
        if self.iter().all(|known| known != to) {
            self.to[usize::from(self.count)] = to as u16;
            self.count += 1;
        }
    }
}

impl<const W: usize> Default for ReachSearch<W> {
    fn default() -> ReachSearch<W> {
        ReachSearch {
            off: Vec::new(),
            strong: Vec::new(),
            closing: Vec::new(),
            steps: Vec::new(),
            newly_reached: Vec::new(),
            reached_before: Vec::new(),
            reached: Vec::new(),
        }
    }
}

impl<const W: usize> ReachSearch<W> {
    /// Starts a search. In layer 0, each candidate for which `is_wanted` is true has reached only itself. No link may
    /// join such a candidate with one for which it is false.
    #[inline(always)]
    pub(super) fn start(
        &mut self,
        graph: &BoardLinks<W>,
        links: LinkKinds,
        is_wanted: impl Fn(usize) -> bool,
    ) {
        let count = graph.peers.len();
        self.off.clone_from(&graph.peers);
        self.strong.clear();
        self.strong.resize(count, StrongLinks::default());
        for n in (0..count).filter(|n| is_wanted(*n)) {
            if links.cells {
                self.off[n].add(&graph.mates[n]);
                self.strong[n] = graph.by_cell[n];
            }
            if links.houses {
                let strong = &mut self.strong[n];
                graph.by_house[n].iter().for_each(|to| strong.insert(to));
            }
        }
        self.steps.clear();
        self.steps.resize(count, BitSet::EMPTY);
        // on(a) leads to off(x) if x sees a. This is mutual, so the candidates `a` are all candidates that x sees.
        for x in 0..count {
            if self.strong[x].count > 0 {
                let mut strong_ends = BitSet::EMPTY;
                self.strong[x].iter().for_each(|b| strong_ends.insert(b));
                let steps = &mut self.steps;
                self.off[x].for_each(|a| steps[a].add(&strong_ends));
            }
        }
        self.closing.clear();
        self.closing.extend(self.strong.iter().map(|strong| {
            let mut closing = BitSet::EMPTY;
            strong.iter().for_each(|x| closing.add(&self.off[x]));
            closing
        }));
        self.newly_reached.clear();
        self.newly_reached.extend((0..count).map(|n| {
            let mut alone = BitSet::EMPTY;
            if is_wanted(n) {
                alone.insert(n);
            }
            alone
        }));
        self.reached.clone_from(&self.newly_reached);
    }

    /// Computes the next layer. Returns the number of candidates that were followed, over all starts.
    #[inline(always)]
    pub(super) fn advance(&mut self) -> u64 {
        let mut visited = 0;
        std::mem::swap(&mut self.newly_reached, &mut self.reached_before);
        self.newly_reached.clear();
        for (reached_before, reached) in self.reached_before.iter().zip(&mut self.reached) {
            let mut new_candidates = BitSet::EMPTY;
            if !reached_before.is_empty() {
                reached_before.for_each(|b| {
                    new_candidates.add(&self.steps[b]);
                    visited += 1;
                });
                new_candidates.subtract(reached);
                reached.add(&new_candidates);
            }
            self.newly_reached.push(new_candidates);
        }
        visited
    }

    /// Whether the last layer has a candidate that refutes itself: `on(a) → … → off(a)`.
    #[inline(always)]
    pub(super) fn has_refuted(&self) -> bool {
        let mut all = self.newly_reached.iter().zip(&self.off);
        all.any(|(newly_reached, off)| newly_reached.meets(off))
    }

    /// Adds the consequences of new strong links, given as pairs of candidates, to a complete search.
    pub(super) fn add_links(&mut self, links: &[(usize, usize)]) {
        loop {
            let mut has_changed = false;
            for &(a, b) in links {
                for (u, v) in [(a, b), (b, a)] {
                    let reached_from_v = self.reached[v];
                    for reached in &mut self.reached {
                        if !reached.contains(v) && reached.meets(&self.off[u]) {
                            reached.add(&reached_from_v);
                            has_changed = true;
                        }
                    }
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// The candidates that are off if the candidate `start` is on. The search must be complete.
    pub(super) fn reached_off(&self, start: usize) -> BitSet<W> {
        let mut off = BitSet::EMPTY;
        self.reached[start].for_each(|on| off.add(&self.off[on]));
        off
    }

    /// Whether the last layer completes a chain from off to on for this candidate: `off(a) → on(b) → … → on(a)`.
    #[inline(always)]
    pub(super) fn comes_on(&self, candidate: usize) -> bool {
        let mut strong = self.strong[candidate].iter();
        strong.any(|b| self.newly_reached[b].contains(candidate))
    }

    pub(super) fn is_complete(&self) -> bool {
        self.newly_reached.iter().all(BitSet::is_empty)
    }
}
