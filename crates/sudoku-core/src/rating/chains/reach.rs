//! Finds the consequences of all candidates at the same time, layer by layer: the candidates that must be on
//! if a candidate is on, by the number of links.
//!
//! ```text
//! on(a) → off(x) → on(b)      a step of two links: a sees x, and x has a strong link to b
//! layers[k][a]                all b that are k steps from a, and not fewer
//! ```
//!
//! Cycles, and chains of static links from a candidate to its opposite, are found in these layers. Separate
//! searches from each start would visit the same nodes many times.

use super::bits::{Bits, Numbering};
use super::node::LinkKinds;
use crate::board::Digit;
use crate::rating::board::{Board, CHAIN_ORDER, peer_groups};

/// All links of a board. A search chooses the kinds that it uses.
pub(super) struct BoardLinks<const W: usize> {
    /// For each candidate, the other candidates of its cell.
    mates: Vec<Bits<W>>,
    /// For each candidate, the candidates of its digit in the peers of its cell.
    peers: Vec<Bits<W>>,
    /// For each candidate, its strong link in the cell, if the cell has two candidates.
    by_cell: Vec<Strong>,
    /// For each candidate, its strong links in houses: other places of the digit in houses with two places.
    by_house: Vec<Strong>,
    order: LinkOrder,
}

/// For each candidate, the candidates that are off if it is on, in the order in which the reference visits
/// them.
#[derive(Default)]
pub(super) struct LinkOrder {
    /// For each candidate, the range of the candidates of its cell: the number of the first one, and one more
    /// than the last.
    cell: Vec<(u16, u16)>,
    /// For all candidates, the other places of the digit in the box, then in the rest of the row, then in the
    /// rest of the column.
    peers: Vec<u16>,
    /// For each candidate, the end of its part of `peers`.
    peers_end: Vec<u32>,
}

impl LinkOrder {
    fn clear(&mut self) {
        self.cell.clear();
        self.peers.clear();
        self.peers_end.clear();
    }

    /// The twin of [`off_from`](super::node::off_from) for numbered candidates.
    #[inline]
    pub(super) fn off_from(&self, links: LinkKinds, on: usize) -> impl Iterator<Item = usize> + '_ {
        let (first, end) = match links.cells {
            true => self.cell[on],
            false => (0, 0),
        };
        let mates = (usize::from(first)..usize::from(end)).filter(move |mate| *mate != on);
        let start = on.checked_sub(1).map_or(0, |before| self.peers_end[before]);
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
    pub(super) fn order(&self) -> &LinkOrder {
        &self.order
    }

    pub(super) fn fill(&mut self, board: &Board, numbering: &Numbering) {
        let count = numbering.len();
        self.mates.clear();
        self.peers.clear();
        self.by_cell.clear();
        self.by_house.clear();
        self.order.clear();
        self.by_house.resize(count, Strong::default());
        let mut number = 0;
        for cell in board.empty() {
            let size = board.digits(cell).len();
            for at in number..number + size {
                let others = || (number..number + size).filter(|other| *other != at);
                let mut mates = Bits::EMPTY;
                others().for_each(|other| mates.insert(other));
                self.mates.push(mates);
                self.order
                    .cell
                    .push((number as u16, (number + size) as u16));
                let mut strong = Strong::default();
                if size == 2 {
                    others().for_each(|other| strong.insert(other));
                }
                self.by_cell.push(strong);
            }
            number += size;
        }
        for &(cell, digit) in numbering.candidates() {
            let mut peers = Bits::EMPTY;
            for group in peer_groups(cell) {
                for peer in board.cells(digit) & group {
                    let peer = numbering.number(peer, digit);
                    peers.insert(peer);
                    self.order.peers.push(peer as u16);
                }
            }
            self.peers.push(peers);
            self.order.peers_end.push(self.order.peers.len() as u32);
        }
        // Houses in chain order give each candidate's links the order of `on_from`.
        for house in CHAIN_ORDER {
            for digit in Digit::ALL {
                let places = board.places(house, digit);
                if places.count_ones() == 2 {
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

/// The layers of a search with one kind of links.
pub(super) struct Reach<const W: usize> {
    /// For each candidate, the candidates that are off if it is on.
    pub(super) off: Vec<Bits<W>>,
    /// For each candidate, the candidates that are on if it is off.
    pub(super) strong: Vec<Strong>,
    /// For each candidate, the candidates that can be the last on-node of a cycle through it.
    pub(super) closing: Vec<Bits<W>>,
    steps: Vec<Bits<W>>,
    /// For each start, the candidates that the last step reached.
    pub(super) fresh: Vec<Bits<W>>,
    /// For each start, all candidates that have been reached, including the start.
    pub(super) reached: Vec<Bits<W>>,
}

/// The strong links of a candidate: at most one in the cell, and one in each house.
#[derive(Clone, Copy, Default)]
pub(super) struct Strong {
    to: [u16; 4],
    count: u8,
}

impl Strong {
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

impl<const W: usize> Default for Reach<W> {
    fn default() -> Reach<W> {
        Reach {
            off: Vec::new(),
            strong: Vec::new(),
            closing: Vec::new(),
            steps: Vec::new(),
            fresh: Vec::new(),
            reached: Vec::new(),
        }
    }
}

impl<const W: usize> Reach<W> {
    /// Layer 0: each candidate that `is_wanted` reaches itself. Links must not connect wanted candidates with
    /// others.
    pub(super) fn start(
        &mut self,
        graph: &BoardLinks<W>,
        links: LinkKinds,
        is_wanted: impl Fn(usize) -> bool,
    ) {
        let count = graph.peers.len();
        self.off.clone_from(&graph.peers);
        self.strong.clear();
        self.strong.resize(count, Strong::default());
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
        self.steps.resize(count, Bits::EMPTY);
        // off(x) follows from on(a) if x sees a. The relation is symmetric.
        for x in 0..count {
            if self.strong[x].count > 0 {
                let mut to = Bits::EMPTY;
                self.strong[x].iter().for_each(|b| to.insert(b));
                let steps = &mut self.steps;
                self.off[x].for_each(|a| steps[a].add(&to));
            }
        }
        self.closing.clear();
        self.closing.extend(self.strong.iter().map(|strong| {
            let mut closing = Bits::EMPTY;
            strong.iter().for_each(|x| closing.add(&self.off[x]));
            closing
        }));
        self.fresh.clear();
        self.fresh.extend((0..count).map(|n| {
            let mut alone = Bits::EMPTY;
            if is_wanted(n) {
                alone.insert(n);
            }
            alone
        }));
        self.reached.clone_from(&self.fresh);
    }

    /// Computes the next layer. Returns the number of candidates from which steps were made.
    pub(super) fn advance(&mut self) -> u64 {
        let mut visited = 0;
        let steps = &self.steps;
        for (fresh, reached) in self.fresh.iter_mut().zip(&mut self.reached) {
            if fresh.is_empty() {
                continue;
            }
            let mut next = Bits::EMPTY;
            fresh.for_each(|b| {
                next.add(&steps[b]);
                visited += 1;
            });
            next.remove(reached);
            reached.add(&next);
            *fresh = next;
        }
        visited
    }

    /// The candidates that are off if this one is on. The layers must be complete.
    pub(super) fn reached_off(&self, start: usize) -> Bits<W> {
        let mut off = Bits::EMPTY;
        self.reached[start].for_each(|on| off.add(&self.off[on]));
        off
    }

    /// Whether the last step completes a chain from off to on for this candidate: `off(a) → on(b) → … →
    /// on(a)`.
    pub(super) fn comes_on(&self, candidate: usize) -> bool {
        let mut strong = self.strong[candidate].iter();
        strong.any(|b| self.fresh[b].contains(candidate))
    }

    pub(super) fn is_complete(&self) -> bool {
        self.fresh.iter().all(Bits::is_empty)
    }
}
