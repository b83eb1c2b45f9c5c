//! Finds the first cycle from one start that removes anything.

use super::listing::removed_by_cycle;
use crate::board::CandidateSet;
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::chains::node::{LinkKinds, Node, off_from, on_from};

/// The search's on-nodes in the order in which they were reached.
pub(super) struct Cycles {
    steps: Vec<CycleStep>,
    /// The search in which a node was last visited.
    met: Vec<u32>,
    now: u32,
}

/// An on-node, the off-node before it, and the place of the on-node before that.
#[derive(Clone, Copy)]
struct CycleStep {
    on: Node,
    off: Node,
    before: u16,
}

impl Default for Cycles {
    fn default() -> Cycles {
        Cycles {
            steps: Vec::new(),
            met: vec![0; Node::COUNT],
            now: 0,
        }
    }
}

impl Cycles {
    /// What the first cycle of this length removes, if any removes anything. Shorter cycles must not remove
    /// anything, and are not searched.
    pub(super) fn first(
        &mut self,
        board: &Board,
        links: LinkKinds,
        start: Node,
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
                self.extend(board, links, at);
            }
            layer = end..self.steps.len();
        }
        layer
            .into_iter()
            .find_map(|at| self.close(board, links, start, at))
    }

    fn begin(&mut self, start: Node) {
        if self.now == u32::MAX {
            self.met.fill(0);
            self.now = 0;
        }
        self.now += 1;
        self.steps.clear();
        self.steps.push(CycleStep {
            on: start,
            off: start,
            before: 0,
        });
        self.met[start.index()] = self.now;
    }

    /// Adds the on-nodes that follow from this one and have not been reached. Off-nodes that have already
    /// been visited lead to no new nodes.
    fn extend(&mut self, board: &Board, links: LinkKinds, at: usize) {
        let on = self.steps[at].on;
        off_from(board, links, on.cell(), on.digit(), |off, _| {
            if self.meet(off) {
                for (next, _) in on_from(board, links, off.cell(), off.digit()) {
                    if self.meet(next) {
                        let before = at as u16;
                        self.steps.push(CycleStep {
                            on: next,
                            off,
                            before,
                        });
                    }
                }
            }
            None::<()>
        });
    }

    fn meet(&mut self, node: Node) -> bool {
        let is_new = self.met[node.index()] != self.now;
        self.met[node.index()] = self.now;
        is_new
    }

    fn close(
        &self,
        board: &Board,
        links: LinkKinds,
        start: Node,
        at: usize,
    ) -> Option<CandidateSet> {
        let on = self.steps[at].on;
        off_from(board, links, on.cell(), on.digit(), |off, _| {
            let mut ends = on_from(board, links, off.cell(), off.digit());
            if !ends.any(|(end, _)| end == start) || self.path(at).any(|node| node == off) {
                return None;
            }
            let nodes = self.path(at).chain([off]);
            let removed = removed_by_cycle(board, nodes);
            (!removed.is_empty()).then_some(removed)
        })
    }

    /// The nodes from this index back to the start.
    fn path(&self, at: usize) -> impl Iterator<Item = Node> {
        let before = |at: &usize| (*at > 0).then(|| usize::from(self.steps[*at].before));
        let places = std::iter::successors(Some(at), before);
        places.flat_map(|at| {
            let step = self.steps[at];
            [step.on].into_iter().chain((at > 0).then_some(step.off))
        })
    }
}
