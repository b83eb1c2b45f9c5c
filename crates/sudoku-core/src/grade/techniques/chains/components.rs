//! Extends implications between the nodes of chains from one step to any number of steps (the transitive closure), for
//! [`quick`](super::quick).

use super::node_set::{
    NodeSet, add, common, contains, first, for_each_bit, insert, remove, without,
};

/// Extends the rows of implied nodes from one step to any number of steps (the transitive closure). Only the nodes in
/// `with_row` are followed; the rows of the other nodes do not change.
pub(super) fn complete<const W: usize>(rows: &mut [NodeSet<W>], with_row: &NodeSet<W>) {
    let mut search = ComponentSearch {
        order: vec![0; rows.len()],
        rows,
        with_row: *with_row,
        entered: [0; W],
        open: [0; W],
        open_list: Vec::with_capacity(64),
        path: Vec::with_capacity(64),
    };
    for_each_bit(with_row, |start| {
        if !contains(&search.entered, start) {
            search.enter(start);
            search.walk();
        }
    });
}

/// Tarjan's search (1972) for strongly connected components. All nodes of a component imply the same nodes. A
/// component is completed after all components that it leads to. [`crate::bit_rows::Closure`] computes the same
/// for sets of any size; here the size is fixed, and the rows are extended in place.
struct ComponentSearch<'a, const W: usize> {
    /// By node, the nodes that it implies.
    rows: &'a mut [NodeSet<W>],
    /// The nodes that are followed; the other nodes imply nothing further.
    with_row: NodeSet<W>,
    /// By node, its position in `open_list` when the search entered it.
    order: Vec<u16>,
    /// The nodes that the search has entered.
    entered: NodeSet<W>,
    open: NodeSet<W>,
    open_list: Vec<u16>,
    path: Vec<PathNode<W>>,
}

/// A node on the path from the start of the search to the node that is visited now.
struct PathNode<const W: usize> {
    node: usize,
    /// The nodes implied by this node that the search has not followed yet.
    left: NodeSet<W>,
    /// The lowest position in `open_list` to which this node is known to lead.
    low: u16,
}

impl<const W: usize> ComponentSearch<'_, W> {
    fn walk(&mut self) {
        while let Some(visit) = self.path.last_mut() {
            let Some(next) = first(&visit.left) else {
                self.leave();
                continue;
            };
            remove(&mut visit.left, next);
            if !contains(&self.entered, next) {
                self.enter(next);
            } else if contains(&self.open, next) {
                visit.low = visit.low.min(self.order[next]);
            } else {
                // A node of a complete component already has everything that it implies in its row.
                let row = self.rows[next];
                visit.left = without(&visit.left, &row);
                add(&mut self.rows[visit.node], &row);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        let low = self.open_list.len() as u16;
        self.order[node] = low;
        insert(&mut self.entered, node);
        insert(&mut self.open, node);
        self.open_list.push(node as u16);
        let mut left = common(&self.rows[node], &self.with_row);
        remove(&mut left, node);
        self.path.push(PathNode { node, left, low });
    }

    /// Completes the component if the last node of the path is its root, and goes back to the node before it.
    fn leave(&mut self) {
        let Some(PathNode { node, low, .. }) = self.path.pop() else {
            return;
        };
        let row = self.rows[node];
        let is_complete = low == self.order[node];
        if is_complete {
            for member in self.open_list.drain(usize::from(low)..) {
                remove(&mut self.open, member.into());
                self.rows[usize::from(member)] = row;
            }
        }
        if let Some(before) = self.path.last_mut() {
            add(&mut self.rows[before.node], &row);
            if is_complete {
                before.left = without(&before.left, &row);
            } else {
                before.low = before.low.min(low);
            }
        }
    }
}
