//! Computes which nodes follow from each node along chains of any length.

use crate::board::CandidateSet;
use crate::grade::techniques::link_graph::{BitRows, Graph, add, bits};

/// The consequences of each false node along chains of any length.
///
/// "a is false" leads over a strong link to "b is true", and from there over a weak link to "c is
/// false". Such double steps form a graph on the nodes. All nodes of a strongly connected component
/// of this graph reach the same nodes. Tarjan's algorithm (1972) finds each component after all
/// components that it reaches, so a component's result is the union of its successors' results.
pub(super) struct Closure {
    /// By node, its component.
    pub(super) component: Vec<u32>,
    /// By component, the candidates that are false if a node of the component is.
    pub(super) excluded: Vec<CandidateSet>,
}

impl Closure {
    pub(super) fn from_graph(graph: &Graph) -> Closure {
        let steps = double_steps(graph);
        let mut search = TarjanSearch::new(graph, &steps);
        for n in 0..graph.nodes.len() {
            if search.number[n] == UNSEEN {
                search.visit(n);
            }
        }
        Closure {
            component: search.component,
            excluded: search.excluded,
        }
    }

    /// The candidates that chains remove: those that a node excludes, and that are also false if
    /// the node is false. Such a candidate sees both ends of a chain, at least one of which is
    /// true.
    pub(super) fn eliminations(&self, graph: &Graph) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for (n, &component) in self.component.iter().enumerate() {
            graph.exclude_among(n as u16, &self.excluded[component as usize], &mut all);
        }
        all
    }
}

/// For each node, the nodes that are false if it is, after one strong and one weak link.
fn double_steps(graph: &Graph) -> BitRows {
    let mut steps = BitRows::new(graph.nodes.len());
    for n in 0..graph.len() {
        let row = steps.row_mut(n);
        for &other in graph.strong_links(n as u16) {
            add(row, graph.rows.row(usize::from(other)));
        }
    }
    steps
}

const UNSEEN: u32 = u32::MAX;

/// The state of Tarjan's search, with the successors as rows of bits.
struct TarjanSearch<'a> {
    graph: &'a Graph,
    steps: &'a BitRows,
    number: Vec<u32>,
    low: Vec<u32>,
    next_number: u32,
    seen: Vec<u64>,
    on_stack: Vec<u64>,
    stack: Vec<usize>,
    component: Vec<u32>,
    excluded: Vec<CandidateSet>,
    /// By component, the nodes that it reaches, as rows of bits.
    reached: Vec<u64>,
    /// A buffer for one row.
    open: Vec<u64>,
}

impl<'a> TarjanSearch<'a> {
    fn new(graph: &'a Graph, steps: &'a BitRows) -> TarjanSearch<'a> {
        let nodes = graph.nodes.len();
        TarjanSearch {
            graph,
            steps,
            number: vec![UNSEEN; nodes],
            low: vec![0; nodes],
            next_number: 0,
            seen: vec![0; steps.stride],
            on_stack: vec![0; steps.stride],
            stack: Vec::with_capacity(nodes),
            component: vec![0; nodes],
            excluded: Vec::new(),
            reached: vec![0; steps.stride * nodes],
            open: vec![0; steps.stride],
        }
    }

    fn visit(&mut self, start: usize) {
        let mut path = vec![start];
        self.enter(start);
        while let Some(&n) = path.last() {
            match self.unseen_successor(n) {
                Some(next) => {
                    self.enter(next);
                    path.push(next);
                }
                None => {
                    path.pop();
                    self.leave(n);
                    if let Some(&parent) = path.last() {
                        self.low[parent] = self.low[parent].min(self.low[n]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, n: usize) {
        self.number[n] = self.next_number;
        self.low[n] = self.next_number;
        self.next_number += 1;
        self.seen[n / 64] |= 1 << (n % 64);
        self.on_stack[n / 64] |= 1 << (n % 64);
        self.stack.push(n);
    }

    fn unseen_successor(&self, n: usize) -> Option<usize> {
        let row = self.steps.row(n);
        let unseen = row.iter().zip(&self.seen).map(|(row, seen)| row & !seen);
        let mut words = unseen.enumerate();
        words
            .find(|(_, word)| *word != 0)
            .map(|(at, word)| 64 * at + word.trailing_zeros() as usize)
    }

    fn leave(&mut self, n: usize) {
        for (at, (row, on_stack)) in self.steps.row(n).iter().zip(&self.on_stack).enumerate() {
            for bit in bits(&[row & on_stack]) {
                self.low[n] = self.low[n].min(self.number[64 * at + bit]);
            }
        }
        if self.low[n] == self.number[n] {
            self.close_component(n);
        }
    }

    /// Completes the component of `root`: the nodes on the stack from `root` up, which all reach
    /// each other.
    fn close_component(&mut self, root: usize) {
        let stride = self.steps.stride;
        let id = self.excluded.len();
        let from = self
            .stack
            .iter()
            .rposition(|&n| n == root)
            .expect("the root is on the stack");
        let (closed, scratch) = self.reached.split_at_mut(id * stride);
        let (reached, open) = (&mut scratch[..stride], &mut self.open);
        open.fill(0);
        let mut excluded = CandidateSet::EMPTY;
        for n in self.stack.drain(from..) {
            self.component[n] = id as u32;
            self.on_stack[n / 64] &= !(1 << (n % 64));
            reached[n / 64] |= 1 << (n % 64);
            add(open, self.steps.row(n));
            for &other in self.graph.strong_links(n as u16) {
                self.graph.exclude(other, &mut excluded);
            }
        }
        for at in 0..stride {
            loop {
                let left = open[at] & !reached[at];
                if left == 0 {
                    break;
                }
                let next = 64 * at + left.trailing_zeros() as usize;
                let other = self.component[next] as usize;
                excluded |= &self.excluded[other];
                add(reached, &closed[other * stride..(other + 1) * stride]);
            }
        }
        self.excluded.push(excluded);
    }
}
