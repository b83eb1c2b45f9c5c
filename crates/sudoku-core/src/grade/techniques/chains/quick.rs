//! Finds the removals of chains by rows of bits, without listing the chains: the fast twin of
//! [`Closure`](super::closure::Closure).
//!
//! ```text
//! row          a set of nodes: bit n for node n
//! nodes        first those of the graph, then the board's other candidates
//! ```

use crate::board::{CandidateSet, Cell, CellSet, Digit};
use crate::grade::techniques::link_graph::GraphBuilder;
use crate::grade::{Node, Position};

/// The removals of the chains of a graph; `None` if the graph has more nodes than the longest row has
/// bits.
pub(super) fn eliminations(board: &Position, graph: &GraphBuilder) -> Option<CandidateSet> {
    let numbers = NodeNumbers::from_graph(board, graph);
    Some(match numbers.count.div_ceil(64) {
        0..=2 => Chains::<2>::from_graph(board, graph, &numbers).eliminations(graph, &numbers),
        3 => Chains::<3>::from_graph(board, graph, &numbers).eliminations(graph, &numbers),
        4 => Chains::<4>::from_graph(board, graph, &numbers).eliminations(graph, &numbers),
        5..=6 => Chains::<6>::from_graph(board, graph, &numbers).eliminations(graph, &numbers),
        7..=8 => Chains::<8>::from_graph(board, graph, &numbers).eliminations(graph, &numbers),
        9..=12 => Chains::<12>::from_graph(board, graph, &numbers).eliminations(graph, &numbers),
        13..=16 => Chains::<16>::from_graph(board, graph, &numbers).eliminations(graph, &numbers),
        17..=24 => Chains::<24>::from_graph(board, graph, &numbers).eliminations(graph, &numbers),
        _ => return None,
    })
}

/// The numbering of nodes and candidates, as bits of rows.
struct NodeNumbers {
    /// The number of each candidate, by digit and cell.
    of_candidate: [[u16; 81]; 9],
    /// The candidates that are not nodes of the graph. They are numbered after the nodes.
    others: Vec<(Digit, Cell)>,
    /// The number of nodes and of these candidates.
    count: usize,
    /// Whether the graph has nodes of several cells.
    has_groups: bool,
}

const NO_NODE: u16 = u16::MAX;

impl NodeNumbers {
    fn from_graph(board: &Position, graph: &GraphBuilder) -> NodeNumbers {
        let mut numbers = NodeNumbers {
            of_candidate: [[NO_NODE; 81]; 9],
            others: Vec::with_capacity(256),
            count: graph.nodes().len(),
            has_groups: false,
        };
        for (number, node) in graph.nodes().iter().enumerate() {
            match node.cells.single() {
                Some(cell) => {
                    numbers.of_candidate[node.digit.index()][cell.index()] = number as u16;
                }
                None => numbers.has_groups = true,
            }
        }
        for digit in Digit::ALL {
            let of_digit = &mut numbers.of_candidate[digit.index()];
            board.open_places(digit).for_each(|cell| {
                let number = &mut of_digit[cell.index()];
                if *number == NO_NODE {
                    *number = numbers.count as u16;
                    numbers.count += 1;
                    numbers.others.push((digit, cell));
                }
            });
        }
        numbers
    }

    /// The candidate with this number; `None` if it is a node of several cells.
    fn candidate(&self, graph: &GraphBuilder, number: usize) -> Option<(Digit, Cell)> {
        let nodes = graph.nodes();
        match nodes.get(number) {
            Some(node) => node.cells.single().map(|cell| (node.digit, cell)),
            None => self.others.get(number - nodes.len()).copied(),
        }
    }
}

/// A set of nodes: bit n for node n.
type NodeSet<const W: usize> = [u64; W];

/// The relations between the nodes, as a row of bits for each node.
struct Chains<const W: usize> {
    /// By node, the nodes that are false if it is true.
    excluded: Vec<NodeSet<W>>,
    /// By node, the nodes that are false if it is false: at first over one strong and one weak link,
    /// later over chains of any length.
    implied: Vec<NodeSet<W>>,
}

impl<const W: usize> Chains<W> {
    fn from_graph(board: &Position, graph: &GraphBuilder, numbers: &NodeNumbers) -> Chains<W> {
        let excluded = graph.nodes().iter();
        let excluded = excluded.map(|node| excluded_by(*node, board, graph, numbers));
        let mut chains = Chains {
            excluded: excluded.collect(),
            implied: vec![[0; W]; graph.nodes().len()],
        };
        for (from, to) in graph.links() {
            let [from, to] = [*from, *to].map(usize::from);
            add(&mut chains.implied[from], &chains.excluded[to]);
        }
        chains
    }

    /// The candidates that a node excludes, and that are also false if the node is false.
    fn eliminations(mut self, graph: &GraphBuilder, numbers: &NodeNumbers) -> CandidateSet {
        ComponentSearch::complete(&mut self.implied);
        let mut removed = [0; W];
        for (excluded, implied) in self.excluded.iter().zip(&self.implied) {
            add(&mut removed, &common(excluded, implied));
        }
        let mut all = CandidateSet::EMPTY;
        for_each_bit(&removed, |number| {
            if let Some((digit, cell)) = numbers.candidate(graph, number) {
                all.insert(digit, CellSet::of(cell));
            }
        });
        all
    }
}

/// The nodes that are false if this node is true.
fn excluded_by<const W: usize>(
    node: Node,
    board: &Position,
    graph: &GraphBuilder,
    numbers: &NodeNumbers,
) -> NodeSet<W> {
    let mut row = [0; W];
    let Node { digit, cells } = node;
    let seen = cells.common_peers() & board.open_places(digit);
    let of_digit = &numbers.of_candidate[digit.index()];
    seen.for_each(|cell| insert(&mut row, of_digit[cell.index()].into()));
    if numbers.has_groups {
        graph.for_each_within(digit, seen, |other| insert(&mut row, other.into()));
    }
    if let Some(cell) = cells.single() {
        let mut others = board.by_cell()[cell.index()];
        others.remove(digit);
        for other in others {
            let number = numbers.of_candidate[other.index()][cell.index()];
            insert(&mut row, number.into());
        }
    }
    row
}

/// Tarjan's search (1972) for strongly connected components. All nodes of a component imply the same
/// nodes. A component is complete after all components that it leads to.
struct ComponentSearch<'a, const W: usize> {
    /// By node, the nodes that it implies.
    rows: &'a mut [NodeSet<W>],
    /// The nodes that have a row.
    with_row: NodeSet<W>,
    /// By node, the position in the order in which the search entered the nodes.
    order: Vec<u16>,
    /// The nodes that the search has entered.
    entered: NodeSet<W>,
    open: NodeSet<W>,
    open_list: Vec<u16>,
    path: Vec<PathNode<W>>,
}

/// A node on the path from the start of the search to the current node.
struct PathNode<const W: usize> {
    node: usize,
    /// The implied nodes that still have to be followed.
    left: NodeSet<W>,
    /// The lowest position of a node that this one is known to lead to, among nodes of incomplete
    /// components.
    low: u16,
}

impl<const W: usize> ComponentSearch<'_, W> {
    /// Extends the rows from one step to any number of steps.
    fn complete(rows: &mut [NodeSet<W>]) {
        let mut with_row = [0; W];
        (0..rows.len()).for_each(|node| insert(&mut with_row, node));
        let mut search = ComponentSearch {
            order: vec![0; rows.len()],
            rows,
            with_row,
            entered: [0; W],
            open: [0; W],
            open_list: Vec::with_capacity(64),
            path: Vec::with_capacity(64),
        };
        for start in 0..search.rows.len() {
            if !contains(&search.entered, start) {
                search.enter(start);
                search.walk();
            }
        }
    }

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
                // A complete node already has all its consequences in its row.
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

    /// Goes back to the previous node of the path.
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

fn insert<const W: usize>(row: &mut NodeSet<W>, n: usize) {
    row[n / 64] |= 1 << (n % 64);
}

fn remove<const W: usize>(row: &mut NodeSet<W>, n: usize) {
    row[n / 64] &= !(1 << (n % 64));
}

fn contains<const W: usize>(row: &NodeSet<W>, n: usize) -> bool {
    row[n / 64] >> (n % 64) & 1 == 1
}

fn add<const W: usize>(row: &mut NodeSet<W>, more: &NodeSet<W>) {
    for (word, more) in row.iter_mut().zip(more) {
        *word |= more;
    }
}

fn without<const W: usize>(row: &NodeSet<W>, less: &NodeSet<W>) -> NodeSet<W> {
    let mut left = *row;
    for (word, less) in left.iter_mut().zip(less) {
        *word &= !less;
    }
    left
}

fn common<const W: usize>(row: &NodeSet<W>, other: &NodeSet<W>) -> NodeSet<W> {
    let mut common = *row;
    for (word, other) in common.iter_mut().zip(other) {
        *word &= other;
    }
    common
}

fn first<const W: usize>(row: &NodeSet<W>) -> Option<usize> {
    let at = row.iter().position(|word| *word != 0)?;
    Some(64 * at + row[at].trailing_zeros() as usize)
}

/// Calls `visit` with the number of each bit that is set, in increasing order.
pub(super) fn for_each_bit<const W: usize>(row: &[u64; W], mut visit: impl FnMut(usize)) {
    for (at, word) in row.iter().enumerate() {
        let mut word = *word;
        while word != 0 {
            visit(64 * at + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::closure::Closure;
    use super::super::links;
    use super::*;
    use crate::generate::Generator;
    use crate::grade::{Ladder, Rank};

    #[test]
    fn the_rows_reach_what_the_closure_reaches() {
        let seed = 23;
        let ladder = Ladder::up_to(Rank::UNIQUENESS);
        let (mut any, mut none, mut most) = (0, 0, 0);
        for n in 0..150 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            let board = ladder.stall(&puzzle);
            let mut graph = GraphBuilder::default();
            for add in [
                links::bivalue,
                links::bilocal,
                links::grouped,
                links::almost_locked,
            ] {
                add(&board, &mut graph);
                let quick = eliminations(&board, &graph).unwrap();
                let graph = graph.clone().build(&board, true);
                let slow = Closure::from_graph(&graph).eliminations(&graph);
                assert_eq!(quick, slow, "seed {seed}: {puzzle}");
                most = most.max(graph.len());
                any += usize::from(!quick.is_empty());
                none += usize::from(quick.is_empty());
            }
        }
        assert!(
            any > 100 && none > 100 && most > 64 * 8,
            "{any}, {none}, {most}"
        );
    }

    #[test]
    fn links_that_smaller_sets_make_needless_change_nothing() {
        let seed = 29;
        let ladder = Ladder::up_to(Rank::UNIQUENESS);
        for n in 0..150 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            let board = ladder.stall(&puzzle);
            let of = |almost_locked: fn(&Position, &mut GraphBuilder)| {
                let mut graph = GraphBuilder::default();
                links::bilocal(&board, &mut graph);
                links::grouped(&board, &mut graph);
                almost_locked(&board, &mut graph);
                let nodes = graph.nodes().len();
                (eliminations(&board, &graph).unwrap(), nodes)
            };
            let (needed, few) = of(links::needed_almost_locked);
            let (all, many) = of(links::almost_locked);
            assert_eq!(needed, all, "seed {seed}: {puzzle}");
            assert!(few <= many);
        }
    }
}
