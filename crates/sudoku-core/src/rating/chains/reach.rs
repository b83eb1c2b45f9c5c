//! Finds, for all candidates at once, the candidates that are on because a candidate is on, by the number of
//! links.
//!
//! ```text
//! on(a) → off(x) → on(b)      a step of two links: a sees x, and x has a strong link to b
//! layers[k][a]                the b that are k steps from a and no fewer
//! ```
//!
//! Chains of static links from a candidate to its opposite, and cycles, are found in these layers. A separate
//! search from each start would visit the same nodes one by one.

use super::bits::{Bits, Numbering};
use super::node::LinkKinds;
use crate::board::Digit;
use crate::rating::board::{Board, CHAIN_ORDER, peer_groups};

/// The links of a board, from which those of one kind are chosen.
pub(super) struct BoardLinks<const W: usize> {
    /// For each candidate the others of its cell, and those of its digit in its peers.
    mates: Vec<Bits<W>>,
    peers: Vec<Bits<W>>,
    /// For each candidate the other one of its cell if there are two, and the other places of its digit in
    /// houses with two.
    by_cell: Vec<Strong>,
    by_house: Vec<Strong>,
    order: LinkOrder,
}

/// The candidates that are off because a candidate is on, in the order in which the reference visits them.
#[derive(Default)]
pub(super) struct LinkOrder {
    /// For each candidate the first one of its cell, and the one after the last.
    cell: Vec<(u16, u16)>,
    /// For each candidate its digit's other places in its box, then in the rest of its row, then of its column.
    peers: Vec<u16>,
    /// For each candidate the end of its places in `peers`.
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
        // In chain order, so that those of a candidate are in the order of `on_from`.
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

/// The layers of one kind of links.
pub(super) struct Reach<const W: usize> {
    /// For each candidate those that are off if it is on.
    pub(super) off: Vec<Bits<W>>,
    /// For each candidate those that are on if it is off.
    pub(super) strong: Vec<Strong>,
    /// For each candidate those that are on before the last two links of a cycle through it.
    pub(super) closing: Vec<Bits<W>>,
    steps: Vec<Bits<W>>,
    /// The candidates reached in the last step.
    pub(super) fresh: Vec<Bits<W>>,
    /// The candidates that have been reached, including the start.
    pub(super) reached: Vec<Bits<W>>,
}

/// At most four candidates: one by the cell, and one a house.
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
    /// Layer 0: each candidate alone. Candidates that are not wanted are left out, and those that links
    /// connect with them must not be wanted either.
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
        // on(a) → off(x) for all x that see a, and x sees a as a sees x.
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

    /// Computes the next layer. Returns the number of candidates from which steps were taken.
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

    /// The candidates that are off because this one is on, once the layers are complete.
    pub(super) fn reached_off(&self, start: usize) -> Bits<W> {
        let mut off = Bits::EMPTY;
        self.reached[start].for_each(|on| off.add(&self.off[on]));
        off
    }

    /// Whether the last step leads from a candidate off to the candidate on: `off(a) → on(b) → … → on(a)`.
    pub(super) fn comes_on(&self, candidate: usize) -> bool {
        let mut strong = self.strong[candidate].iter();
        strong.any(|b| self.fresh[b].contains(candidate))
    }

    pub(super) fn is_complete(&self) -> bool {
        self.fresh.iter().all(Bits::is_empty)
    }
}
