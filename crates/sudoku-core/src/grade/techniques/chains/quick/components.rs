//! Computes the transitive closure of the implications between the nodes of chains, for
//! [`set_chains`](super::set_chains).

use crate::bit_rows::BitSet;

/// Computes the transitive closure of implications: `rows` has, for each of the first nodes, the nodes that it implies.
/// The nodes after these imply nothing.
pub(super) fn complete<const W: usize>(rows: &mut [BitSet<W>]) {
    let with_row = BitSet::below(rows.len());
    let mut search = ComponentSearch {
        order: vec![0; rows.len()],
        rows,
        with_row,
        entered: BitSet::EMPTY,
        open: BitSet::EMPTY,
        open_list: Vec::with_capacity(64),
        path: Vec::with_capacity(64),
    };
    with_row.for_each(|start| {
        if !search.entered.contains(start) {
            search.enter(start);
            search.walk();
        }
    });
}

/// Tarjan's search (1972) for strongly connected components. All nodes of a component imply the same nodes. A component
/// is completed after all components that it leads to. [`crate::bit_rows::Closure`] computes the same for sets of any
/// size; this search has a fixed size, and extends the rows in place.
struct ComponentSearch<'a, const W: usize> {
    /// For each node, the nodes that it implies.
    rows: &'a mut [BitSet<W>],
    /// The nodes that have a row. The search does not follow the other nodes.
    with_row: BitSet<W>,
    /// For each node, the length of `open_list` when the search entered the node.
    order: Vec<u16>,
    /// The nodes that the search has entered.
    entered: BitSet<W>,
    open: BitSet<W>,
    open_list: Vec<u16>,
    path: Vec<PathNode<W>>,
}

/// A node on the path from the start of the search to the current node.
struct PathNode<const W: usize> {
    node: usize,
    /// The nodes that this node implies and that the search has not followed yet.
    left: BitSet<W>,
    /// The lowest position in `open_list` of the nodes to which this node is known to lead.
    low: u16,
}

impl<const W: usize> ComponentSearch<'_, W> {
    fn walk(&mut self) {
        while let Some(visit) = self.path.last_mut() {
            let Some(next) = visit.left.first() else {
                self.leave();
                continue;
            };
            visit.left.remove(next);
            if !self.entered.contains(next) {
                self.enter(next);
            } else if self.open.contains(next) {
                visit.low = visit.low.min(self.order[next]);
            } else {
                // If the component of a node is complete, its row already contains everything that the node implies.
                let row = self.rows[next];
                visit.left.subtract(&row);
                self.rows[visit.node].add(&row);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        let low = self.open_list.len() as u16;
        self.order[node] = low;
        self.entered.insert(node);
        self.open.insert(node);
        self.open_list.push(node as u16);
        let mut left = self.rows[node].common(&self.with_row);
        left.remove(node);
        self.path.push(PathNode { node, left, low });
    }

    /// Leaves the last node of the path, and goes back to the node before it. If the last node is the root of its
    /// component, the component is completed.
    fn leave(&mut self) {
        let Some(PathNode { node, low, .. }) = self.path.pop() else {
            return;
        };
        let row = self.rows[node];
        let is_complete = low == self.order[node];
        if is_complete {
            for member in self.open_list.drain(usize::from(low)..) {
                self.open.remove(member.into());
                self.rows[usize::from(member)] = row;
            }
        }
        if let Some(before) = self.path.last_mut() {
            self.rows[before.node].add(&row);
            if is_complete {
                before.left.subtract(&row);
            } else {
                before.low = before.low.min(low);
            }
        }
    }
}
