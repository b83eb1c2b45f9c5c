//! Finds the forcing cycles that lead from a given candidate back to itself.

use super::passes::SeenCells;
use crate::bit_rows::BitSet;
use crate::board::{CandidateSet, Cell, Digit};
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::chains::node::{Cause, LinkKinds, Node, off_from, on_from};
use crate::rating::chains::reach::{LinkOrder, StrongLinks};

/// The links between the numbered candidates of a board, in the form in which the search for cycles uses them.
pub(super) struct CycleNet<'a> {
    pub(super) board: &'a Board,
    pub(super) candidates: &'a [(Cell, Digit)],
    pub(super) links: LinkKinds,
    pub(super) order: &'a LinkOrder,
    /// For each candidate, its strong links: the candidates that are on if it is off.
    pub(super) strong: &'a [StrongLinks],
}

impl CycleNet<'_> {
    /// Converts a candidate number and a state, [`ON`] or [`OFF`], to a node.
    pub(super) fn node(&self, (number, state): (usize, usize)) -> Node {
        let (cell, digit) = self.candidates[number];
        match state {
            ON => Node::on(cell, digit),
            _ => Node::off(cell, digit),
        }
    }

    /// The nodes of a path from its end back to its start, each with the reason why it follows from the next node in
    /// this list.
    pub(super) fn with_causes<'b>(
        &self,
        path: impl Iterator<Item = &'b (usize, usize)>,
    ) -> Vec<(Node, Cause)> {
        let nodes: Vec<Node> = path.map(|step| self.node(*step)).collect();
        let causes = nodes.windows(2).map(|pair| self.cause(pair[0], pair[1]));
        let causes = causes.chain([Cause::Start]);
        nodes.iter().copied().zip(causes).collect()
    }

    /// The reason why `node` follows from `from`.
    fn cause(&self, node: Node, from: Node) -> Cause {
        let (cell, digit) = (from.cell(), from.digit());
        let found = if from.is_on() {
            let is_it = |next, cause| (next == node).then_some(cause);
            off_from(self.board, self.links, cell, digit, is_it)
        } else {
            let mut nexts = on_from(self.board, self.links, cell, digit);
            nexts.find_map(|(next, cause)| (next == node).then_some(cause))
        };
        found.expect("a link joins the nodes")
    }
}

/// The working memory of searches for forcing cycles.
pub(super) struct CycleSearch {
    steps: Vec<CycleStep>,
    /// For each candidate, the numbers of the last searches that reached it: one for on, one for off, indexed by [`ON`]
    /// and [`OFF`].
    met: Vec<[u32; 2]>,
    search_number: u32,
    path: Vec<(usize, usize)>,
}

/// A step of the search: an on-node, the off-node that it follows from, and the index of the step before, whose on-node
/// sets that off-node off. Nodes are stored as candidate numbers.
#[derive(Clone, Copy)]
struct CycleStep {
    on: u16,
    off: u16,
    previous: u16,
}

/// The index of the state "true" of a candidate, for example in [`CycleSearch::met`]. [`OFF`] is the index of "false".
pub(super) const ON: usize = 0;
pub(super) const OFF: usize = 1;

impl Default for CycleSearch {
    fn default() -> CycleSearch {
        CycleSearch {
            steps: Vec::new(),
            met: vec![[0; 2]; Node::COUNT / 2],
            search_number: 0,
            path: Vec::new(),
        }
    }
}

impl CycleSearch {
    /// Calls `visit` with the nodes of each cycle from `start`, shortest cycles first. The nodes go from the last
    /// off-node back to the start. `closing` has the candidates that can be the last on-node of a cycle.
    pub(super) fn for_each_cycle<const W: usize>(
        &mut self,
        net: &CycleNet<'_>,
        start: usize,
        closing: &BitSet<W>,
        budget: &mut Budget,
        mut visit: impl FnMut(&[(usize, usize)]),
    ) {
        self.begin(start);
        let mut step_index = 0;
        while step_index < self.steps.len() {
            self.extend(net, step_index);
            step_index += 1;
        }
        budget.spend(self.steps.len() as u64);
        for step_index in 1..self.steps.len() {
            let on = usize::from(self.steps[step_index].on);
            if !closing.contains(on) {
                continue;
            }
            for off in net.order.off_from(net.links, on) {
                let is_closed = net.strong[off].iter().any(|end| end == start);
                if is_closed && !self.path(step_index).any(|step| step == (off, OFF)) {
                    let mut path = std::mem::take(&mut self.path);
                    path.clear();
                    path.push((off, OFF));
                    path.extend(self.path(step_index));
                    visit(&path);
                    self.path = path;
                }
            }
        }
    }

    /// Finds the first cycle of this length that removes a candidate, and returns what it removes; `None` if there is
    /// no such cycle, or if the budget is spent. The caller must know that shorter cycles remove nothing. `closing` has
    /// the candidates that can be the last on-node of a cycle.
    pub(super) fn first_removal<const W: usize>(
        &mut self,
        net: &CycleNet<'_>,
        start: usize,
        closing: &BitSet<W>,
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
        let is_closing = |at: &usize| closing.contains(usize::from(self.steps[*at].on));
        let mut ends = layer.filter(is_closing);
        ends.find_map(|at| self.closing_removal(net, start, at))
    }

    fn begin(&mut self, start: usize) {
        if self.search_number == u32::MAX {
            self.met.fill([0; 2]);
            self.search_number = 0;
        }
        self.search_number += 1;
        self.steps.clear();
        let node = start as u16;
        self.steps.push(CycleStep {
            on: node,
            off: node,
            previous: 0,
        });
        self.met[start][ON] = self.search_number;
    }

    /// Adds a step for each new on-node that follows from step `at` by one off-node. An off-node that was visited
    /// before leads to nothing new.
    fn extend(&mut self, net: &CycleNet<'_>, at: usize) {
        let CycleSearch {
            steps,
            met,
            search_number,
            ..
        } = self;
        let mut meet = |node: usize, kind: usize| {
            let is_new = met[node][kind] != *search_number;
            met[node][kind] = *search_number;
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
                            previous: at as u16,
                        });
                    }
                }
            }
        }
    }

    /// The candidates that a cycle removes whose last two nodes are the on-node of step `at` and an off-node. Of
    /// several such cycles, the first that removes any candidate counts.
    fn closing_removal(&self, net: &CycleNet<'_>, start: usize, at: usize) -> Option<CandidateSet> {
        let mut seen_cells = SeenCells::NOTHING;
        self.path(at)
            .for_each(|step| seen_cells.add(net.node(step)));
        let on = usize::from(self.steps[at].on);
        let mut offs = net.order.off_from(net.links, on);
        offs.find_map(|off| {
            let is_closed = net.strong[off].iter().any(|end| end == start);
            let node = net.node((off, OFF));
            let is_on_path = || self.path(at).any(|step| step == (off, OFF));
            if !is_closed || seen_cells.has(node.cell()) && is_on_path() {
                return None;
            }
            let mut seen_cells = seen_cells.clone();
            seen_cells.add(node);
            let removed = seen_cells.removed(net.board);
            (!removed.is_empty()).then_some(removed)
        })
    }

    /// The nodes from step `at` back to the start, each as its candidate number and its state.
    fn path(&self, at: usize) -> impl Iterator<Item = (usize, usize)> {
        let previous = |at: &usize| (*at > 0).then(|| usize::from(self.steps[*at].previous));
        let places = std::iter::successors(Some(at), previous);
        places.flat_map(|at| {
            let step = self.steps[at];
            let off = (at > 0).then_some((usize::from(step.off), OFF));
            [(usize::from(step.on), ON)].into_iter().chain(off)
        })
    }
}
