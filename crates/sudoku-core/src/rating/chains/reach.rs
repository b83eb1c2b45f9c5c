//! What is on because a candidate is on, for all candidates at once, by the number of links.
//!
//! ```text
//! on(a) → off(x) → on(b)      a step of two links: a sees x, and x has a strong link to b
//! layers[k][a]                the b that are k steps from a and no fewer
//! ```
//!
//! Chains of static links from a candidate to its opposite, and cycles, are read off the layers: a
//! search from each start in turn visits the same nodes one by one.

use super::bits::{Bits, Numbering};
use super::node::{Links, Node, off_from, on_from};
use crate::rating::board::Board;

/// The layers of one kind of links.
pub(super) struct Reach<const W: usize> {
    /// Per candidate those that are off if it is on.
    pub(super) off: Vec<Bits<W>>,
    /// Per candidate those that are on if it is off.
    pub(super) strong: Vec<Strong>,
    steps: Vec<Bits<W>>,
    /// Those that have just been reached.
    pub(super) fresh: Vec<Bits<W>>,
    /// Those that have been reached, the start included.
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
        self.to[..usize::from(self.count)]
            .iter()
            .map(|to| usize::from(*to))
    }
}

impl<const W: usize> Default for Reach<W> {
    fn default() -> Reach<W> {
        Reach {
            off: Vec::new(),
            strong: Vec::new(),
            steps: Vec::new(),
            fresh: Vec::new(),
            reached: Vec::new(),
        }
    }
}

impl<const W: usize> Reach<W> {
    /// Layer 0: each candidate alone.
    pub(super) fn start(&mut self, board: &Board, links: Links, numbering: &Numbering) {
        let count = numbering.len();
        self.off.clear();
        self.strong.clear();
        self.fresh.clear();
        for &(cell, digit) in numbering.candidates() {
            let mut off = Bits::EMPTY;
            off_from(board, links, cell, digit, |node, _| {
                off.insert(number(numbering, node));
                None::<()>
            });
            self.off.push(off);
            let mut strong = Strong::default();
            for (node, _) in on_from(board, links, cell, digit) {
                strong.to[usize::from(strong.count)] = number(numbering, node) as u16;
                strong.count += 1;
            }
            self.strong.push(strong);
            let mut alone = Bits::EMPTY;
            alone.insert(self.fresh.len());
            self.fresh.push(alone);
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
        self.reached.clone_from(&self.fresh);
    }

    /// Goes to the next layer; the number of candidates in it.
    pub(super) fn advance(&mut self) -> u64 {
        let mut visited = 0;
        for a in 0..self.fresh.len() {
            let mut next = Bits::EMPTY;
            let steps = &self.steps;
            if !self.fresh[a].is_empty() {
                self.fresh[a].for_each(|b| {
                    next.add(&steps[b]);
                    visited += 1;
                });
                next.remove(&self.reached[a]);
                self.reached[a].add(&next);
            }
            self.fresh[a] = next;
        }
        visited
    }

    /// The candidates that are off because this one is on, once the layers are complete.
    pub(super) fn reached_off(&self, start: usize) -> Bits<W> {
        let mut off = Bits::EMPTY;
        self.reached[start].for_each(|on| off.add(&self.off[on]));
        off
    }

    pub(super) fn is_complete(&self) -> bool {
        self.fresh.iter().all(Bits::is_empty)
    }
}

fn number(numbering: &Numbering, node: Node) -> usize {
    numbering.number(node.cell(), node.digit())
}
