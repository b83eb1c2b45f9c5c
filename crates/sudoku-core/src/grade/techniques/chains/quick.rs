//! Finds the candidates that chains remove, without listing the chains. Sets of nodes are stored as bits. This is a
//! faster version of [`closure`](super::closure).
//!
//! A node that excludes another node of the graph is an inner node: a chain can lead through it. All other nodes are
//! ends: chains can only begin and end there, so their implications are not followed. With almost locked sets, half of
//! the nodes are ends.
//!
//! ```text
//! row          a set of numbers: bit n for number n
//! numbers      first the candidates of the board, by digit and cell; then the inner nodes of several
//!              cells; then the ends, which have rows but no bits
//! ```
//!
//! A node of one cell has the same number as its candidate.

use super::components;
use super::node_set::{NodeSet, add, common, for_each_bit, insert};
use crate::board::{CandidateSet, Cell, CellSet, Digit};
use crate::grade::techniques::als::SetNodesInGraph;
use crate::grade::techniques::link_graph::GraphBuilder;
use crate::grade::{Node, Position};

/// The candidates that the chains of a graph remove; `None` if the candidates and inner nodes of the graph are more
/// than the largest set can hold. The nodes of almost locked sets in the graph are treated like other nodes.
#[cfg(test)]
fn eliminations(board: &Position, graph: &GraphBuilder) -> Option<CandidateSet> {
    from_numbers(board, graph, &Numbers::from_graph(board, graph, None))
}

/// The candidates that the chains of a graph remove; `None` if the candidates and inner nodes of the graph are more
/// than the largest set can hold. `of_sets` are the nodes of almost locked sets, which have been added to the graph.
pub(super) fn eliminations_with_sets(
    board: &Position,
    graph: &GraphBuilder,
    of_sets: &SetNodesInGraph<'_>,
) -> Option<CandidateSet> {
    from_numbers(
        board,
        graph,
        &Numbers::from_graph(board, graph, Some(of_sets)),
    )
}

fn from_numbers(board: &Position, graph: &GraphBuilder, numbers: &Numbers) -> Option<CandidateSet> {
    Some(match numbers.bits.div_ceil(64) {
        0..=2 => Chains::<2>::from_graph(board, graph, numbers).eliminations(graph, numbers),
        3..=4 => Chains::<4>::from_graph(board, graph, numbers).eliminations(graph, numbers),
        5..=6 => Chains::<6>::from_graph(board, graph, numbers).eliminations(graph, numbers),
        7..=8 => Chains::<8>::from_graph(board, graph, numbers).eliminations(graph, numbers),
        9..=12 => Chains::<12>::from_graph(board, graph, numbers).eliminations(graph, numbers),
        13..=24 => Chains::<24>::from_graph(board, graph, numbers).eliminations(graph, numbers),
        _ => return None,
    })
}

/// Numbers the candidates of the board and the nodes of the graph, and lists the pairs of nodes that exclude each
/// other.
struct Numbers {
    /// For each digit and cell, the number of the candidate; [`NO_NUMBER`] if the cell does not have the candidate.
    of_candidate: [[u16; 81]; 9],
    candidates: Vec<(Digit, Cell)>,
    /// For each node of the graph, the number assigned to it.
    of_node: Vec<u16>,
    /// For each node, the open places of its digit that see all of its cells.
    seen: Vec<CellSet>,
    /// The pairs of groups (nodes of several cells) that exclude each other, each pair in one order.
    excluded_groups: Vec<(u16, u16)>,
    /// The number of candidates and inner nodes. Only these have bits in a set.
    bits: usize,
    /// The number of nodes that can only be the end of a chain. Their numbers follow those of candidates and inner
    /// nodes.
    ends: usize,
}

const NO_NUMBER: u16 = u16::MAX;

impl Numbers {
    /// Numbers the candidates and nodes. `of_sets` already knows what the nodes of almost locked sets exclude, so that
    /// is not computed again.
    fn from_graph(
        board: &Position,
        graph: &GraphBuilder,
        of_sets: Option<&SetNodesInGraph<'_>>,
    ) -> Numbers {
        let nodes = graph.nodes();
        let mut numbers = Numbers {
            of_candidate: [[NO_NUMBER; 81]; 9],
            candidates: Vec::with_capacity(256),
            of_node: vec![NO_NUMBER; nodes.len()],
            seen: Vec::with_capacity(nodes.len()),
            excluded_groups: Vec::with_capacity(512),
            bits: 0,
            ends: 0,
        };
        for digit in Digit::ALL {
            let of_digit = &mut numbers.of_candidate[digit.index()];
            (board.open_places(digit) | graph.single_cells(digit)).for_each(|cell| {
                of_digit[cell.index()] = numbers.candidates.len() as u16;
                numbers.candidates.push((digit, cell));
            });
        }
        numbers.bits = numbers.candidates.len();
        let mut is_inner = vec![false; nodes.len()];
        for (node, &Node { digit, cells }) in (0..).zip(nodes) {
            let known_seen = of_sets.and_then(|sets| sets.seen(node));
            let seen =
                known_seen.unwrap_or_else(|| cells.common_peers() & board.open_places(digit));
            numbers.seen.push(seen);
            if let Some(cell) = cells.single() {
                numbers.of_node[usize::from(node)] =
                    numbers.of_candidate[digit.index()][cell.index()];
                continue;
            }
            is_inner[usize::from(node)] |= !(seen & graph.single_cells(digit)).is_empty();
            let mut add_pair = |other: u16| {
                is_inner[usize::from(node)] = true;
                is_inner[usize::from(other)] = true;
                numbers.excluded_groups.push((node, other));
            };
            // Each pair is found only once: if one of its nodes is not in `of_sets`, from that node; otherwise from the
            // node with the lower number.
            if let Some(others) = of_sets.and_then(|sets| sets.excluded(node)) {
                let is_group = |other: u16| nodes[usize::from(other)].cells.single().is_none();
                others
                    .filter(|other| *other > node && is_group(*other))
                    .for_each(add_pair);
            } else {
                let is_of_set = |other| of_sets.is_some_and(|sets| sets.seen(other).is_some());
                graph.for_each_group_within(digit, seen, |other| {
                    if other > node || is_of_set(other) {
                        add_pair(other);
                    }
                });
            }
        }
        for (number, is_inner) in numbers.of_node.iter_mut().zip(is_inner) {
            if is_inner {
                *number = numbers.bits as u16;
                numbers.bits += 1;
            }
        }
        let ends = numbers.of_node.iter_mut();
        for end in ends.filter(|number| **number == NO_NUMBER) {
            *end = (numbers.bits + numbers.ends) as u16;
            numbers.ends += 1;
        }
        numbers
    }

    fn node(&self, node: u16) -> usize {
        self.of_node[usize::from(node)].into()
    }

    fn is_end(&self, number: usize) -> bool {
        number >= self.bits
    }
}

/// The implications between nodes and candidates, as a bit set for each node.
struct Chains<const W: usize> {
    /// For each candidate and inner node, by number, the candidates and nodes that are false if it is true.
    excluded: Vec<NodeSet<W>>,
    /// For each inner node, by number, the candidates and nodes that are false if the node is false. At first these
    /// follow by one strong and one weak link, later by chains of any length.
    implied: Vec<NodeSet<W>>,
    /// The nodes that can be inside a chain, not only at its ends.
    inner: NodeSet<W>,
}

impl<const W: usize> Chains<W> {
    fn from_graph(board: &Position, graph: &GraphBuilder, numbers: &Numbers) -> Chains<W> {
        let mut excluded = vec![[0; W]; numbers.bits + numbers.ends];
        let mut inner = [0; W];
        let nodes = graph.nodes().iter().zip(&numbers.seen);
        for ((&Node { digit, cells }, &seen), &number) in nodes.zip(&numbers.of_node) {
            let number = usize::from(number);
            let of_digit = &numbers.of_candidate[digit.index()];
            let row = &mut excluded[number];
            seen.for_each(|cell| insert(row, of_digit[cell.index()].into()));
            if let Some(cell) = cells.single() {
                insert(&mut inner, number);
                let mut others = board.by_cell()[cell.index()];
                others.remove(digit);
                for other in others {
                    let number = numbers.of_candidate[other.index()][cell.index()];
                    insert(row, number.into());
                }
            } else if !numbers.is_end(number) {
                insert(&mut inner, number);
                (seen & graph.single_cells(digit)).for_each(|cell| {
                    let single = usize::from(of_digit[cell.index()]);
                    insert(&mut excluded[single], number);
                });
            }
        }
        for (node, other) in &numbers.excluded_groups {
            let (node, other) = (numbers.node(*node), numbers.node(*other));
            insert(&mut excluded[node], other);
            insert(&mut excluded[other], node);
        }
        let mut implied = vec![[0; W]; numbers.bits];
        for (from, to) in graph.links() {
            if let Some(implied) = implied.get_mut(numbers.node(*from)) {
                add(implied, &excluded[numbers.node(*to)]);
            }
        }
        Chains {
            excluded,
            implied,
            inner,
        }
    }

    /// The candidates that are false whether some node is true or false. So they are false in any case.
    fn eliminations(mut self, graph: &GraphBuilder, numbers: &Numbers) -> CandidateSet {
        components::complete(&mut self.implied, &self.inner);
        let mut removed = [0; W];
        for (excluded, implied) in self.excluded.iter().zip(&self.implied) {
            add(&mut removed, &common(excluded, implied));
        }
        self.remove_between_ends(graph, numbers, &mut removed);
        let mut all = CandidateSet::EMPTY;
        for_each_bit(&removed, |number| {
            if let Some((digit, cell)) = numbers.candidates.get(number) {
                all.insert(*digit, CellSet::of(*cell));
            }
        });
        all
    }

    /// Adds the candidates removed by chains whose two ends are both nodes that can only be ends.
    fn remove_between_ends(
        &self,
        graph: &GraphBuilder,
        numbers: &Numbers,
        removed: &mut NodeSet<W>,
    ) {
        // For some nodes, `if_true` has the nodes and candidates that are false if the node is true, over chains of any
        // length. `of_number` maps the number of a node to its index in `if_true`.
        let mut if_true: Vec<NodeSet<W>> = Vec::with_capacity(64);
        let mut of_number = vec![NO_NUMBER; numbers.bits];
        for &(from, to) in graph.links() {
            let (from, to) = (numbers.node(from), numbers.node(to));
            // Two linked ends have different digits, because two linked groups of the same digit would exclude each
            // other. Each end only excludes places of its own digit, so together they remove nothing.
            if !numbers.is_end(from) || numbers.is_end(to) {
                continue;
            }
            let at = &mut of_number[to];
            if *at == NO_NUMBER {
                *at = if_true.len() as u16;
                if_true.push(self.if_true(to));
            }
            let all = &if_true[usize::from(*at)];
            add(removed, &common(&self.excluded[from], all));
        }
    }

    /// The candidates and nodes that are false if an inner node is true, over chains of any length.
    fn if_true(&self, number: usize) -> NodeSet<W> {
        let mut all = self.excluded[number];
        for_each_bit(&common(&all, &self.inner), |other| {
            add(&mut all, &self.implied[other]);
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::{closure, links};
    use super::*;
    use crate::generate::Generator;
    use crate::grade::{Ladder, Rank};

    #[test]
    fn rows_of_bits_reach_the_same_candidates_as_the_closure() {
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
                let slow = closure::eliminations(&graph);
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
            let mut few = GraphBuilder::default();
            links::bilocal(&board, &mut few);
            links::grouped(&board, &mut few);
            let mut many = few.clone();
            let nodes = links::needed_almost_locked(&board, &mut few);
            links::almost_locked(&board, &mut many);
            let needed = eliminations_with_sets(&board, &few, &nodes).unwrap();
            let all = eliminations(&board, &many).unwrap();
            assert_eq!(needed, all, "seed {seed}: {puzzle}");
            let without_nodes = eliminations(&board, &few).unwrap();
            assert_eq!(without_nodes, all, "seed {seed}: {puzzle}");
            assert!(few.nodes().len() <= many.nodes().len());
        }
    }
}
