//! Finds the removals of chains in which exactly one of the two nodes of each strong link is true: the two candidates
//! of a cell, or two nodes that contain all places of a digit in a house. This is a faster version of
//! [`removals`](super::super::listed::removals).
//!
//! Such links join nodes to clusters with two colours: either all nodes of one colour are true, or all
//! nodes of the other. So chains lead from colour to colour, and there are fewer colours than nodes.
//!
//! ```text
//! colour       2n and 2n + 1 are the colours of cluster n: if one is false, the other one is true
//! colour set   bit n for colour n
//! ```
//!
//! A candidate is removed if two colours exclude it of which at least one is true: the two colours of a cluster, or a
//! colour and one that its opposite leads to.

use crate::bit_rows::{BitSet, number_type};
use crate::board::{CandidateSet, CellSet, Digit, DigitSet};
use crate::grade::techniques::link_graph::{GraphBuilder, NodeId};
use crate::grade::{Node, Position};

number_type! {
    /// One of the two colours of a cluster. Cluster c has the colours 2c and 2c + 1.
    pub(super) Colour
}

impl Colour {
    /// The other colour of the cluster.
    #[inline(always)]
    pub(super) fn opposite(self) -> Colour {
        Colour(self.0 ^ 1)
    }
}

/// The candidates that the chains of a graph remove; `None` if the graph has more colours than the largest set can
/// hold.
pub(in super::super) fn eliminations(
    board: &Position,
    graph: &GraphBuilder,
) -> Option<CandidateSet> {
    let clusters = Clusters::from_links(graph);
    Some(match clusters.colour_count().div_ceil(64) {
        0..=1 => from_clusters::<1>(board, graph, &clusters),
        2 => from_clusters::<2>(board, graph, &clusters),
        3..=4 => from_clusters::<4>(board, graph, &clusters),
        5..=8 => from_clusters::<8>(board, graph, &clusters),
        _ => return None,
    })
}

/// The clusters of a graph, and the colour of each node. A cluster is all nodes that strong links connect.
pub(super) struct Clusters {
    /// The number of clusters; there are twice as many colours.
    count: usize,
    /// For each node, its colour.
    colours: Vec<Colour>,
    /// One colour of each cluster that has a cycle of an odd number of links. Both colours of such a cluster would have
    /// to be true, which is a contradiction.
    pub(super) odd: Vec<Colour>,
}

impl Clusters {
    /// The number of colours of all clusters.
    #[inline]
    pub(super) fn colour_count(&self) -> usize {
        2 * self.count
    }

    /// The colours of all clusters, in ascending order.
    pub(super) fn all_colours(&self) -> impl Iterator<Item = Colour> + use<> {
        (0..self.colour_count()).map(Colour::new)
    }

    /// The colour of a node of the graph.
    #[inline]
    pub(super) fn colour(&self, node: NodeId) -> Colour {
        self.colours[node.index()]
    }

    /// The nodes of the graph, each with its colour.
    pub(super) fn nodes(&self, graph: &GraphBuilder) -> impl Iterator<Item = (Node, Colour)> {
        graph
            .nodes()
            .iter()
            .copied()
            .zip(self.colours.iter().copied())
    }

    pub(super) fn from_links(graph: &GraphBuilder) -> Clusters {
        let nodes = graph.nodes().len();
        let roots = (0..nodes).map(|node| (NodeId::new(node), 0));
        let mut forest = Forest(roots.collect());
        let mut in_odd_cycle = Vec::new();
        // Each link is listed in both directions, one right after the other. So every second entry is skipped.
        for &(a, b) in graph.links().iter().step_by(2) {
            if !forest.join(a, b) {
                in_odd_cycle.push(a);
            }
        }
        let mut count = 0;
        let mut colours: Vec<Colour> = Vec::with_capacity(nodes);
        for (node, &(above, differs)) in forest.0.iter().enumerate() {
            if above.index() == node {
                colours.push(Colour(2 * count));
                count += 1;
            } else {
                // A parent has a lower number than its children.
                colours.push(Colour(colours[above.index()].0 ^ differs));
            }
        }
        let odd = in_odd_cycle.iter().map(|node| colours[node.index()]);
        Clusters {
            count: count.into(),
            odd: odd.collect(),
            colours,
        }
    }
}

/// A union-find forest of linked nodes. The entry of a node is its parent, and 1 if node and parent have different
/// colours, otherwise 0. A root is its own parent, and has the lowest number of its tree.
struct Forest(Vec<(NodeId, u16)>);

impl Forest {
    /// The root of a node's tree, and 1 if root and node have different colours, otherwise 0.
    fn root(&self, node: NodeId) -> (NodeId, u16) {
        let (mut node, mut side) = (node, 0);
        loop {
            let (above, differs) = self.0[node.index()];
            if above == node {
                return (node, side);
            }
            node = above;
            side ^= differs;
        }
    }

    /// Gives the two nodes different colours. Returns false if they already have the same colour.
    fn join(&mut self, a: NodeId, b: NodeId) -> bool {
        let ((root_a, side_a), (root_b, side_b)) = (self.root(a), self.root(b));
        let differs = side_a ^ side_b ^ 1;
        if root_a == root_b {
            return differs == 0;
        }
        let (first, last) = (root_a.min(root_b), root_a.max(root_b));
        self.0[last.index()] = (first, differs);
        true
    }
}

/// The candidates that the chains remove: both colours of a cluster exclude them, directly or over other colours.
fn from_clusters<const W: usize>(
    board: &Position,
    graph: &GraphBuilder,
    clusters: &Clusters,
) -> CandidateSet {
    let mut colours = Colours::<W> {
        excluded: vec![Excluded::NONE; clusters.colour_count()],
        implied: vec![BitSet::EMPTY; clusters.colour_count()],
    };
    colours.follow_nodes(board, graph, clusters);
    for colour in &clusters.odd {
        let [one, other] = [*colour, colour.opposite()].map(Colour::index);
        colours.implied[one].insert(other);
        colours.implied[other].insert(one);
    }
    close(&mut colours.implied);
    colours.excluded_in_any_case()
}

/// What follows from each colour.
struct Colours<const W: usize> {
    /// For each colour, the candidates that its nodes exclude.
    excluded: Vec<Excluded>,
    /// For each colour, the colours that follow from it: at first by one weak and one strong link, later by chains of
    /// any length.
    implied: Vec<BitSet<W>>,
}

/// The candidates that a colour excludes, and their digits. Most colours have nodes of few digits.
#[derive(Clone, Copy)]
struct Excluded {
    digits: DigitSet,
    candidates: CandidateSet,
}

impl Excluded {
    const NONE: Excluded = Excluded {
        digits: DigitSet::EMPTY,
        candidates: CandidateSet::EMPTY,
    };

    fn insert(&mut self, digit: Digit, cells: CellSet) {
        self.digits.insert(digit);
        self.candidates.insert(digit, cells);
    }
}

impl<const W: usize> Colours<W> {
    /// Fills the sets: a colour excludes candidates and nodes, and the opposites of these nodes' colours follow.
    fn follow_nodes(&mut self, board: &Position, graph: &GraphBuilder, clusters: &Clusters) {
        let opposite_of = |node: NodeId| clusters.colour(node).opposite();
        for (Node { digit, cells }, colour) in clusters.nodes(graph) {
            let excluded = &mut self.excluded[colour.index()];
            let implied = &mut self.implied[colour.index()];
            if let Some(cell) = cells.single() {
                let seen = cell.peers() & board.open_places(digit);
                excluded.insert(digit, seen);
                let mut others = board.by_cell()[cell.index()];
                others.remove(digit);
                for other in others {
                    excluded.insert(other, cells);
                    if let Some(node) = graph.known_node_of_cell(other, cell) {
                        implied.insert(opposite_of(node).index());
                    }
                }
                // The groups that this node excludes are found from the groups.
                graph.for_each_cell_within(digit, seen, |node| {
                    implied.insert(opposite_of(node).index());
                });
            } else {
                let seen = cells.common_peers() & board.open_places(digit);
                excluded.insert(digit, seen);
                graph.for_each_within(digit, seen, |node| {
                    let opposite = opposite_of(node);
                    self.implied[colour.index()].insert(opposite.index());
                    self.implied[opposite.opposite().index()].insert(colour.opposite().index());
                });
            }
        }
    }

    /// The candidates that two colours exclude of which at least one is true: the colours of a cluster, or a colour
    /// and one that follows from its opposite.
    fn excluded_in_any_case(&self) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        for (colour, one) in self.excluded.iter().enumerate() {
            let mut add_common = |other: &Excluded| {
                for digit in one.digits.intersection(other.digits) {
                    all.insert(
                        digit,
                        one.candidates.cells(digit) & other.candidates.cells(digit),
                    );
                }
            };
            add_common(&self.excluded[colour ^ 1]);
            // If a second colour follows from the opposite of the first, the first follows from the opposite of the
            // second. So each pair is found twice.
            self.implied[colour ^ 1].for_each(|other| {
                if other >= colour {
                    add_common(&self.excluded[other]);
                }
            });
        }
        all
    }
}

/// Computes the transitive closure of the implications between colours, one cluster after the other (Warshall, 1962).
/// If a colour implies a second one, the opposite of the second implies the opposite of the first. This stays true
/// after each cluster, so the row of a colour's opposite shows which colours imply the colour.
fn close<const W: usize>(implied: &mut [BitSet<W>]) {
    for first in (0..implied.len()).step_by(2) {
        let before = [implied[first], implied[first + 1]];
        let [mut one, mut other] = before;
        if one.contains(first + 1) {
            one.add(&before[1]);
        }
        if other.contains(first) {
            other.add(&before[0]);
        }
        for (to, more) in [(&before[1], one), (&before[0], other)] {
            opposite(to).for_each(|colour| implied[colour].add(&more));
        }
        implied[first] = one;
        implied[first + 1] = other;
    }
}

/// The opposite of each colour in the set.
fn opposite<const W: usize>(set: &BitSet<W>) -> BitSet<W> {
    const FIRST: u64 = 0x5555_5555_5555_5555;
    set.map_words(|word| (word & FIRST) << 1 | word >> 1 & FIRST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Candidates;
    use crate::generate::Generator;
    use crate::grade::techniques::chains::{links, listed};
    use crate::grade::techniques::testing::remove_some_candidates;
    use crate::grade::{Ladder, Position, Rank};
    use crate::random::Rng;

    fn compare(board: &Position, case: &str) -> bool {
        let mut graph = GraphBuilder::default();
        let mut any = false;
        for add in [links::bivalue, links::bilocal, links::grouped] {
            add(board, &mut graph);
            let quick = eliminations(board, &graph).unwrap();
            let graph = graph.clone().build(board, true);
            let slow = listed::removals::eliminations(&graph);
            assert_eq!(quick, slow, "{case}");
            any |= !quick.is_empty();
        }
        any
    }

    #[test]
    fn colours_reach_the_same_candidates_as_the_closure() {
        let seed = 37;
        let mut rng = Rng::new(seed);
        let ladders = [Rank::LOCKED_CLAIMING, Rank::UNIQUENESS].map(Ladder::up_to);
        let (mut any, mut none) = (0, 0);
        for n in 0..300 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            let mut board = ladders[n as usize % 2].stall(&puzzle);
            let case = format!("seed {seed}, {n}: {puzzle}");
            let found = compare(&board, &case);
            any += usize::from(found);
            none += usize::from(!found);
            // Removing candidates of the solution creates boards with contradictions and odd cycles.
            remove_some_candidates(&mut board, &mut rng);
            compare(&board, &case);
        }
        assert!(any > 50 && none > 50, "{any}, {none}");
    }

    #[test]
    fn boards_with_all_candidates_have_no_chains() {
        let board = Position::with_clues(Candidates::FULL, CellSet::EMPTY);
        assert!(!compare(&board, "full"));
    }
}
