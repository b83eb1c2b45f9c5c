//! Finds everything that follows from one node (a candidate on or off), in the order of Sudoku Explainer.

use super::node::{Cause, LinkKinds, Node, off_from, on_from};
use crate::bit_rows::number_type;
use crate::board::{CandidateSet, CellSet, DigitSet};
use crate::rating::board::Board;

/// The kinds of deductions that a run (the search from one assumption) makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunMode {
    /// Whether to use links between the candidates of a cell.
    pub(super) cells: bool,
    /// Whether off-nodes are removed from the grid of candidates, which creates new strong links.
    pub(super) dynamic: bool,
    /// The level of the rules (techniques) that are applied when no link leads to a new node; 0 for no rules.
    pub(super) level: u8,
}

impl RunMode {
    pub(super) fn links(self) -> LinkKinds {
        LinkKinds {
            cells: self.cells,
            houses: true,
        }
    }
}

number_type! {
    /// The index in [`ChainRun::nodes`] of a node that a run has found. A [`Node`] has a number of its own, which is the
    /// same in all runs.
    pub(super) RunIndex
}

/// A node that a run has found, with the reason why it follows.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunNode {
    pub(super) node: Node,
    pub(super) cause: Cause,
    /// The node's first parent; [`NOT_FOUND`] if the node is the start, or follows by a rule.
    parent: RunIndex,
    /// The number of nodes on the longest path from the start to this node. The chain that ends here has at least as
    /// many nodes.
    pub(super) depth: u16,
    /// The number of nodes in the chain that ends here: this node and all its ancestors. 0 until it is computed.
    count: u16,
}

/// A rule (a technique) that a run has applied: the off-nodes that it needs, and, if it is a nested chain, the number
/// of that chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleUse {
    pub(super) parents: CandidateSet,
    pub(super) nested: Option<u32>,
}

/// The index of a node that the run has not found.
const NOT_FOUND: RunIndex = RunIndex(u16::MAX);

/// A run: the nodes that follow from one assumption, in the order in which they were found.
#[derive(Clone, Debug)]
pub(super) struct ChainRun {
    pub(super) nodes: Vec<RunNode>,
    /// For each node by its number, its index in `nodes`; [`NOT_FOUND`] if the run has not found it.
    indexes: Vec<RunIndex>,
    on: CandidateSet,
    off: CandidateSet,
    rules: Vec<RuleUse>,
    /// If the run is contradictory, the indexes of a node and of its opposite. The one found later is not in `on` and
    /// `off`.
    pub(super) contradiction: Option<[RunIndex; 2]>,
    queues: [Vec<RunIndex>; 2],
}

impl Default for ChainRun {
    fn default() -> ChainRun {
        ChainRun {
            nodes: Vec::new(),
            indexes: vec![NOT_FOUND; Node::COUNT],
            on: CandidateSet::EMPTY,
            off: CandidateSet::EMPTY,
            rules: Vec::new(),
            contradiction: None,
            queues: Default::default(),
        }
    }
}

impl ChainRun {
    pub(super) fn on(&self) -> &CandidateSet {
        &self.on
    }

    pub(super) fn off(&self) -> &CandidateSet {
        &self.off
    }

    /// The index in `nodes` of a node that the run has found.
    pub(super) fn index_of(&self, node: Node) -> RunIndex {
        self.indexes[node.index()]
    }

    /// Starts a new run, and finds everything that follows from `start`. When no link leads to a new node, calls
    /// `rules`. That function adds off-nodes by [`ChainRun::add_by_rule`], and returns whether it added any.
    pub(super) fn fill(
        &mut self,
        initial: &Board,
        grid: &mut Board,
        start: Node,
        mode: RunMode,
        mut rules: impl FnMut(&mut ChainRun, &Board) -> bool,
    ) {
        for found in &self.nodes {
            self.indexes[found.node.index()] = NOT_FOUND;
        }
        self.nodes.clear();
        self.rules.clear();
        self.queues.iter_mut().for_each(Vec::clear);
        self.on = CandidateSet::EMPTY;
        self.off = CandidateSet::EMPTY;
        self.contradiction = None;
        self.add_node(start, Cause::Start, NOT_FOUND, 1);
        let mut heads = [0, 0];
        loop {
            // Follow all on-nodes before the next off-node.
            let found = if let Some(&at) = self.queues[0].get(heads[0]) {
                heads[0] += 1;
                self.follow_on(grid, mode, at)
            } else if let Some(&at) = self.queues[1].get(heads[1]) {
                heads[1] += 1;
                self.follow_off(initial, grid, mode, at)
            } else if mode.level > 0 && rules(self, grid) {
                continue;
            } else {
                return;
            };
            if let Some(pair) = found {
                self.contradiction = Some(pair);
                return;
            }
        }
    }

    fn add_node(&mut self, node: Node, cause: Cause, parent: RunIndex, depth: u16) {
        let node_index = self.push(node, cause, parent, depth);
        self.indexes[node.index()] = node_index;
        let cell = CellSet::of(node.cell());
        let (set, queue) = if node.is_on() {
            (&mut self.on, 0)
        } else {
            (&mut self.off, 1)
        };
        set.insert(node.digit(), cell);
        self.queues[queue].push(node_index);
    }

    fn push(&mut self, node: Node, cause: Cause, parent: RunIndex, depth: u16) -> RunIndex {
        let node_index = RunIndex::new(self.nodes.len());
        self.nodes.push(RunNode {
            node,
            cause,
            parent,
            depth,
            count: 0,
        });
        node_index
    }

    /// Adds those off-nodes of a rule that are new. Returns whether there are any.
    pub(super) fn add_by_rule(
        &mut self,
        removed: &CandidateSet,
        parents: CandidateSet,
        nested: impl FnOnce() -> Option<u32>,
    ) -> bool {
        let new_removals = removed.without(&self.off);
        if new_removals.is_empty() {
            return false;
        }
        let rule = self.rules.len() as u16;
        let nested = nested();
        self.rules.push(RuleUse { parents, nested });
        let mut depth = 0;
        for (digit, cells) in parents.by_digit() {
            for cell in cells {
                depth = depth.max(self.depth_of(Node::off(cell, digit)));
            }
        }
        let cells_in_order = new_removals
            .by_digit()
            .fold(CellSet::EMPTY, |all, (_, cells)| all | cells);
        for cell in cells_in_order {
            for (digit, _) in new_removals
                .by_digit()
                .filter(|(_, cells)| cells.contains(cell))
            {
                self.add_node(
                    Node::off(cell, digit),
                    Cause::Rule(rule),
                    NOT_FOUND,
                    depth + 1,
                );
            }
        }
        true
    }

    fn depth_of(&self, node: Node) -> u16 {
        self.nodes
            .get(self.index_of(node).index())
            .map_or(0, |found| found.depth)
    }

    fn follow_on(&mut self, grid: &Board, mode: RunMode, at: RunIndex) -> Option<[RunIndex; 2]> {
        let RunNode { node, depth, .. } = self.nodes[at.index()];
        off_from(
            grid,
            mode.links(),
            node.cell(),
            node.digit(),
            |next, cause| {
                let (cell, digit) = (next.cell(), next.digit());
                if self.on.cells(digit).contains(cell) {
                    let opposite = self.index_of(Node::on(cell, digit));
                    let end = self.push(next, cause, at, depth + 1);
                    return Some([opposite, end]);
                }
                if !self.off.cells(digit).contains(cell) {
                    self.add_node(next, cause, at, depth + 1);
                }
                None
            },
        )
    }

    fn follow_off(
        &mut self,
        initial: &Board,
        grid: &mut Board,
        mode: RunMode,
        at: RunIndex,
    ) -> Option<[RunIndex; 2]> {
        let RunNode { node, depth, .. } = self.nodes[at.index()];
        let nexts = on_from(grid, mode.links(), node.cell(), node.digit());
        if mode.dynamic {
            grid.remove(node.cell(), node.digit());
        }
        for (next, cause) in nexts {
            let (cell, digit) = (next.cell(), next.digit());
            let is_contradiction = self.off.cells(digit).contains(cell);
            if !is_contradiction && self.on.cells(digit).contains(cell) {
                continue;
            }
            let mut depth = depth;
            if mode.dynamic {
                self.for_each_hidden(initial, next, cause, node, |parent| {
                    depth = depth.max(self.nodes[parent.index()].depth);
                });
            }
            if is_contradiction {
                let opposite = self.index_of(Node::off(cell, digit));
                let end = self.push(next, cause, at, depth + 1);
                return Some([end, opposite]);
            }
            self.add_node(next, cause, at, depth + 1);
        }
        None
    }

    /// Calls `visit` with the parents of an on-node except the first: the other off-nodes of its cell or house, which
    /// had to be removed before only this node and its first parent were left.
    fn for_each_hidden(
        &self,
        initial: &Board,
        node: Node,
        cause: Cause,
        parent: Node,
        mut visit: impl FnMut(RunIndex),
    ) {
        match cause {
            Cause::Cell => {
                let kept_digits = DigitSet::from_iter([node.digit(), parent.digit()]);
                let removed_digits = initial
                    .digits(node.cell())
                    .intersection(kept_digits.complement());
                for digit in removed_digits {
                    visit(self.index_of(Node::off(node.cell(), digit)));
                }
            }
            Cause::House(house) => {
                let mut removed_cells = initial.cells(node.digit()) & house.cells();
                removed_cells.remove(node.cell());
                removed_cells.remove(parent.cell());
                removed_cells.for_each(|cell| visit(self.index_of(Node::off(cell, node.digit()))));
            }
            Cause::Start | Cause::Rule(_) => {}
        }
    }

    /// Calls `visit` with the index of each parent of a node, in order. A node follows from its parents.
    fn for_each_parent(
        &self,
        initial: &Board,
        mode: RunMode,
        found: &RunNode,
        mut visit: impl FnMut(RunIndex),
    ) {
        match found.cause {
            Cause::Start => {}
            Cause::Rule(rule) => {
                let parents = self.rules[usize::from(rule)].parents;
                let cells_in_order = parents
                    .by_digit()
                    .fold(CellSet::EMPTY, |all, (_, cells)| all | cells);
                for cell in cells_in_order {
                    for (digit, _) in parents.by_digit().filter(|(_, set)| set.contains(cell)) {
                        visit(self.index_of(Node::off(cell, digit)));
                    }
                }
            }
            Cause::Cell | Cause::House(_) => {
                visit(found.parent);
                if mode.dynamic && found.node.is_on() {
                    let parent = self.nodes[found.parent.index()].node;
                    self.for_each_hidden(initial, found.node, found.cause, parent, visit);
                }
            }
        }
    }

    /// Calls `visit` with a node and each of its ancestors once, breadth first.
    pub(super) fn walk(
        &self,
        initial: &Board,
        mode: RunMode,
        end: RunIndex,
        node_queue: &mut NodeQueue,
        mut visit: impl FnMut(&RunNode),
    ) {
        node_queue.start();
        node_queue.meet(self.nodes[end.index()].node, end);
        while let Some(at) = node_queue.next() {
            let found = &self.nodes[at.index()];
            visit(found);
            self.for_each_parent(initial, mode, found, |parent| {
                node_queue.meet(self.nodes[parent.index()].node, parent);
            });
        }
    }

    /// The number of nodes in the chain that ends at the node `end`: this node and all its ancestors.
    pub(super) fn count(
        &mut self,
        initial: &Board,
        mode: RunMode,
        end: RunIndex,
        node_queue: &mut NodeQueue,
    ) -> u32 {
        let known_count = self.nodes[end.index()].count;
        if known_count != 0 {
            return u32::from(known_count);
        }
        let mut count = 0;
        self.walk(initial, mode, end, node_queue, |_| count += 1);
        self.nodes[end.index()].count = count;
        u32::from(count)
    }

    pub(super) fn nested(&self, found: &RunNode) -> Option<u32> {
        match found.cause {
            Cause::Rule(rule) => self.rules[usize::from(rule)].nested,
            _ => None,
        }
    }
}

/// A queue of nodes of a run, stored as indexes. Each node can be added only once.
#[derive(Debug)]
pub(super) struct NodeQueue {
    seen: Vec<u32>,
    stamp: u32,
    queue: Vec<RunIndex>,
    head: usize,
}

impl Default for NodeQueue {
    fn default() -> NodeQueue {
        NodeQueue {
            seen: vec![0; Node::COUNT],
            stamp: 0,
            queue: Vec::new(),
            head: 0,
        }
    }
}

impl NodeQueue {
    fn start(&mut self) {
        if self.stamp == u32::MAX {
            self.seen.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.queue.clear();
        self.head = 0;
    }

    fn meet(&mut self, node: Node, at: RunIndex) {
        let seen_stamp = &mut self.seen[node.index()];
        if *seen_stamp != self.stamp {
            *seen_stamp = self.stamp;
            self.queue.push(at);
        }
    }

    fn next(&mut self) -> Option<RunIndex> {
        let node_index = self.queue.get(self.head).copied();
        self.head += 1;
        node_index
    }
}
