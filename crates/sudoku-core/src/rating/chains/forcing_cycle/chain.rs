//! Searches for a forcing chain: from a node (a candidate that is assumed true or false) to its opposite.

use super::cycle::{CycleNet, OFF, ON};
use crate::rating::budget::Budget;
use crate::rating::chains::node::Node;

/// The working memory of searches for forcing chains.
pub(super) struct ChainSearch {
    steps: Vec<ChainStep>,
    /// For each candidate, the numbers of the last searches that reached it: one for off, one for on, indexed by
    /// [`OFF`] and [`ON`].
    met: Vec<[u32; 2]>,
    search_number: u32,
    path: Vec<(usize, usize)>,
}

/// A step of a chain: a candidate that is on or off, and the index of the step that it follows from.
#[derive(Clone, Copy)]
struct ChainStep {
    node: u16,
    state: u8,
    previous: u16,
}

impl Default for ChainSearch {
    fn default() -> ChainSearch {
        ChainSearch {
            steps: Vec::new(),
            met: vec![[0; 2]; Node::COUNT / 2],
            search_number: 0,
            path: Vec::new(),
        }
    }
}

impl ChainSearch {
    /// Searches breadth first for the opposite of the start. Returns the nodes of the chain, from that opposite back to
    /// the start; `None` if it is not reached.
    pub(super) fn search(
        &mut self,
        net: &CycleNet<'_>,
        (start, state): (usize, usize),
        budget: &mut Budget,
    ) -> Option<&[(usize, usize)]> {
        if self.search_number == u32::MAX {
            self.met.fill([0; 2]);
            self.search_number = 0;
        }
        self.search_number += 1;
        self.steps.clear();
        self.enter(start, state, 0);
        let target = (start, 1 - state);
        let mut step_index = 0;
        while step_index < self.steps.len() && self.met[target.0][target.1] != self.search_number {
            let ChainStep { node, state, .. } = self.steps[step_index];
            let node = usize::from(node);
            if usize::from(state) == ON {
                for off in net.order.off_from(net.links, node) {
                    self.enter(off, OFF, step_index);
                }
            } else {
                for on in net.strong[node].iter() {
                    self.enter(on, ON, step_index);
                }
            }
            step_index += 1;
        }
        budget.spend(self.steps.len() as u64);
        let end_index = (self.steps.iter())
            .rposition(|step| (usize::from(step.node), usize::from(step.state)) == target)?;
        self.path.clear();
        let mut step_index = end_index;
        loop {
            let step = self.steps[step_index];
            (self.path).push((usize::from(step.node), usize::from(step.state)));
            if step_index == 0 {
                return Some(&self.path);
            }
            step_index = usize::from(step.previous);
        }
    }

    fn enter(&mut self, node: usize, state: usize, previous: usize) {
        let met = &mut self.met[node][state];
        if *met != self.search_number {
            *met = self.search_number;
            self.steps.push(ChainStep {
                node: node as u16,
                state: state as u8,
                previous: previous as u16,
            });
        }
    }
}
