//! Finds the first cycle from one start that removes anything.

use super::listing::removed_by_cycle;
use crate::board::{CandidateSet, Cell, Digit};
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::chains::node::{LinkKinds, Node};
use crate::rating::chains::reach::{LinkOrder, Strong};

/// The links between the numbered candidates of a board.
pub(super) struct CycleNet<'a> {
    pub(super) board: &'a Board,
    pub(super) candidates: &'a [(Cell, Digit)],
    pub(super) links: LinkKinds,
    pub(super) order: &'a LinkOrder,
    /// For each candidate those that are on if it is off.
    pub(super) strong: &'a [Strong],
}

/// The search's on-nodes in the order in which they were reached.
pub(super) struct Cycles {
    steps: Vec<CycleStep>,
    /// The search in which a candidate was last visited as an on-node, and as an off-node.
    met: Vec<[u32; 2]>,
    now: u32,
}

/// An on-node, the off-node before it, and the place of the on-node before that. Nodes are numbers of
/// candidates.
#[derive(Clone, Copy)]
struct CycleStep {
    on: u16,
    off: u16,
    before: u16,
}

/// The indices of [`Cycles::met`].
const ON: usize = 0;
const OFF: usize = 1;

impl Default for Cycles {
    fn default() -> Cycles {
        Cycles {
            steps: Vec::new(),
            met: vec![[0; 2]; Node::COUNT / 2],
            now: 0,
        }
    }
}

impl Cycles {
    /// The candidates removed by the first cycle of this length that removes any. Shorter cycles must not remove
    /// anything, and are not searched.
    pub(super) fn first(
        &mut self,
        net: &CycleNet<'_>,
        start: usize,
        length: u32,
        budget: &mut Budget,
    ) -> Option<CandidateSet> {
        self.begin(start);
        let mut layer = 0..1;
        for _ in 1..length / 2 {
            if !budget.spend(layer.len() as u64) {
                return None;
            }
            let end = self.steps.len();
            for at in layer {
                self.extend(net, at);
            }
            layer = end..self.steps.len();
        }
        layer.into_iter().find_map(|at| self.close(net, start, at))
    }

    fn begin(&mut self, start: usize) {
        if self.now == u32::MAX {
            self.met.fill([0; 2]);
            self.now = 0;
        }
        self.now += 1;
        self.steps.clear();
        let node = start as u16;
        self.steps.push(CycleStep {
            on: node,
            off: node,
            before: 0,
        });
        self.met[start][ON] = self.now;
    }

    /// Adds the on-nodes that follow from this one and have not been reached. Off-nodes that have already
    /// been visited lead to no new nodes.
    fn extend(&mut self, net: &CycleNet<'_>, at: usize) {
        let Cycles { steps, met, now } = self;
        let mut meet = |node: usize, kind: usize| {
            let is_new = met[node][kind] != *now;
            met[node][kind] = *now;
            is_new
        };
        let on = usize::from(steps[at].on);
        for off in net.order.off_from(net.links, on) {
            if meet(off, OFF) {
                for next in net.strong[off].iter() {
                    if meet(next, ON) {
                        steps.push(CycleStep {
                            on: next as u16,
                            off: off as u16,
                            before: at as u16,
                        });
                    }
                }
            }
        }
    }

    fn close(&self, net: &CycleNet<'_>, start: usize, at: usize) -> Option<CandidateSet> {
        let on = usize::from(self.steps[at].on);
        let mut offs = net.order.off_from(net.links, on);
        offs.find_map(|off| {
            let is_closed = net.strong[off].iter().any(|end| end == start);
            if !is_closed || self.path(at).any(|step| step == (off, OFF)) {
                return None;
            }
            let nodes = self.path(at).chain([(off, OFF)]).map(|(node, kind)| {
                let (cell, digit) = net.candidates[node];
                match kind {
                    ON => Node::on(cell, digit),
                    _ => Node::off(cell, digit),
                }
            });
            let removed = removed_by_cycle(net.board, nodes);
            (!removed.is_empty()).then_some(removed)
        })
    }

    /// The nodes from this index back to the start, with their kinds.
    fn path(&self, at: usize) -> impl Iterator<Item = (usize, usize)> {
        let before = |at: &usize| (*at > 0).then(|| usize::from(self.steps[*at].before));
        let places = std::iter::successors(Some(at), before);
        places.flat_map(|at| {
            let step = self.steps[at];
            let off = (at > 0).then_some((usize::from(step.off), OFF));
            [(usize::from(step.on), ON)].into_iter().chain(off)
        })
    }
}
