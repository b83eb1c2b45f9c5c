//! Finds the candidates that chains with almost locked sets remove, without listing the chains. This is a faster version
//! of the search in [`removals`](super::super::listed::removals).
//!
//! The nodes of the graph without sets have colours (see [`colours`](super::colours)): all nodes of a colour are true, or
//! all are false. So colours take the place of these nodes, and the nodes of almost locked sets are added to them.
//!
//! ```text
//! set          bit n is set if the colour, node or candidate with number n is in the set (see Numbers)
//! excluded     for each colour and inner node, the set that is false if it is true
//! implied      for each colour and inner node, the set that is false if it is false
//! ```

use super::colours::{Clusters, Colour};
use super::components;
use super::set_numbers::{Number, Numbers};
use crate::bit_rows::BitSet;
use crate::board::{CandidateSet, Cell, CellSet, Digit};
use crate::grade::techniques::als::{SetGraph, SetNodeId};
use crate::grade::techniques::link_graph::GraphBuilder;
use crate::grade::{Node, Position};

/// The candidates that are removed by chains with the links of a graph and of almost locked sets; `None` if there are
/// more numbers than the largest set can hold. In each strong link of the graph, exactly one of the two nodes is true.
pub(in super::super) fn eliminations(
    board: &Position,
    graph: &GraphBuilder,
) -> Option<CandidateSet> {
    let clusters = Clusters::from_links(graph);
    let sets = SetGraph::from_position(board);
    let numbers = Numbers::new(board, graph, &clusters, &sets);
    let chains = ChainGraph {
        board,
        graph,
        clusters: &clusters,
        sets: &sets,
        numbers: &numbers,
    };
    Some(match numbers.all.div_ceil(64) {
        0..=2 => chains.eliminations::<2>(),
        3..=4 => chains.eliminations::<4>(),
        5..=6 => chains.eliminations::<6>(),
        7..=8 => chains.eliminations::<8>(),
        9..=12 => chains.eliminations::<12>(),
        13..=24 => chains.eliminations::<24>(),
        _ => return None,
    })
}

/// The graph in which chains are searched: colours and nodes of almost locked sets.
struct ChainGraph<'a> {
    board: &'a Position,
    graph: &'a GraphBuilder,
    clusters: &'a Clusters,
    sets: &'a SetGraph<'a>,
    numbers: &'a Numbers,
}

impl ChainGraph<'_> {
    fn eliminations<const W: usize>(&self) -> CandidateSet {
        let excluded = self.excluded::<W>();
        let mut links = Vec::with_capacity(512);
        let by_ends = self.implied_by_ends::<W>(&mut links);
        let mut implied = by_ends.clone();
        self.add_implied(&excluded, &links, &mut implied);
        components::complete(&mut implied);
        let mut removed = BitSet::EMPTY;
        for (excluded, implied) in excluded.iter().zip(&implied) {
            removed.add(&excluded.common(implied));
        }
        // These chains have an inner node at one end. In the others, both ends are nodes without number, so the first
        // strong link joins such a node with a numbered one. The numbered one is true if the end is false.
        let inner = BitSet::below(self.numbers.inner);
        for (excluded, by_ends) in excluded.iter().zip(&by_ends) {
            if !by_ends.is_empty() {
                let mut all = BitSet::EMPTY;
                excluded.common(&inner).for_each(|number| {
                    all.add(&implied[number]);
                });
                removed.add(&by_ends.common(&all));
            }
        }
        self.candidates(&removed)
    }

    /// For each colour and inner node, the set that is false if it is true.
    fn excluded<const W: usize>(&self) -> Vec<BitSet<W>> {
        let mut excluded = vec![BitSet::EMPTY; self.numbers.inner];
        for (Node { digit, cells }, colour) in self.clusters.nodes(self.graph) {
            let of_digit = self.numbers.of_digit(digit);
            let single = cells.single();
            let seen = single.map_or_else(|| cells.common_peers(), Cell::peers);
            let seen = seen & self.board.open_places(digit);
            let row = &mut excluded[colour.index()];
            seen.for_each(|cell| row.insert(of_digit[cell.index()].index()));
            if let Some(cell) = single {
                let mut others = self.board.by_cell()[cell.index()];
                others.remove(digit);
                for other in others {
                    row.insert(self.numbers.of_digit(other)[cell.index()].index());
                }
            } else {
                self.graph.for_each_within(digit, seen, |other| {
                    let other = self.clusters.colour(other);
                    exclude_each_other(&mut excluded, colour.into(), other.into());
                });
            }
        }
        let colours = self.clusters.colour_count();
        self.sets.numbered_nodes().for_each(|(id, node)| {
            let number = self.numbers.of_set_node(id);
            let Some(number) = number.filter(|number| number.index() >= colours) else {
                return;
            };
            let of_digit = self.numbers.of_digit(node.digit);
            node.seen.for_each(|cell| {
                exclude_each_other(&mut excluded, number, of_digit[cell.index()]);
            });
            if let Some(cell) = node.cells.single() {
                let mut others = self.board.by_cell()[cell.index()];
                others.remove(node.digit);
                for other in others {
                    let other = self.numbers.of_digit(other)[cell.index()];
                    exclude_each_other(&mut excluded, number, other);
                }
            }
            self.graph
                .for_each_group_within(node.digit, node.seen, |group| {
                    let colour = self.clusters.colour(group);
                    exclude_each_other(&mut excluded, number, colour.into());
                });
        });
        self.sets.excluded_pairs().for_each(|pair| {
            if let [Some(a), Some(b)] = pair.map(|node| self.numbers.of_set_node(node)) {
                exclude_each_other(&mut excluded, a, b);
            }
        });
        excluded
    }

    /// For each colour and inner node, the candidates that are false if it is false, because nodes without number are
    /// then true. Adds to `others` the links between nodes with numbers. A link between two nodes without number removes
    /// nothing, because the two have different digits.
    fn implied_by_ends<const W: usize>(&self, others: &mut Vec<[Number; 2]>) -> Vec<BitSet<W>> {
        let mut implied = vec![BitSet::EMPTY; self.numbers.inner];
        let mut add_end = |from: Number, end: SetNodeId| {
            let end = self.sets.node(end);
            let of_digit = self.numbers.of_digit(end.digit);
            let implied = &mut implied[from.index()];
            (end.seen).for_each(|cell| implied.insert(of_digit[cell.index()].index()));
        };
        self.sets.links().for_each(|[a, b]| {
            match [a, b].map(|node| self.numbers.of_set_node(node)) {
                [Some(a), Some(b)] => others.push([a, b]),
                [Some(from), None] => add_end(from, b),
                [None, Some(from)] => add_end(from, a),
                [None, None] => {}
            }
        });
        implied
    }

    /// Adds to `implied` the implications over a strong link of the graph, or over one of `links`, and then a weak link.
    fn add_implied<const W: usize>(
        &self,
        excluded: &[BitSet<W>],
        links: &[[Number; 2]],
        implied: &mut [BitSet<W>],
    ) {
        for colour in self.clusters.all_colours() {
            implied[colour.index()].add(&excluded[colour.opposite().index()]);
        }
        for colour in &self.clusters.odd {
            for colour in [*colour, colour.opposite()].map(Colour::index) {
                implied[colour].add(&excluded[colour]);
            }
        }
        for [a, b] in links.iter().map(|link| link.map(Number::index)) {
            implied[a].add(&excluded[b]);
            implied[b].add(&excluded[a]);
        }
    }

    /// The candidates in a set.
    fn candidates<const W: usize>(&self, set: &BitSet<W>) -> CandidateSet {
        let mut all = CandidateSet::EMPTY;
        if set.is_empty() {
            return all;
        }
        for digit in Digit::ALL {
            let of_digit = self.numbers.of_digit(digit);
            let is_in = |cell: &Cell| set.contains(of_digit[cell.index()].index());
            let cells: CellSet = self.board.open_places(digit).filter(is_in).collect();
            all.insert(digit, cells);
        }
        all
    }
}

/// Adds b to the row of a, and a to the row of b if b has one.
fn exclude_each_other<const W: usize>(excluded: &mut [BitSet<W>], a: Number, b: Number) {
    let [a, b] = [a, b].map(Number::index);
    excluded[a].insert(b);
    if let Some(of_b) = excluded.get_mut(b) {
        of_b.insert(a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::grade::techniques::chains::graphs::GroupGraph;
    use crate::grade::techniques::chains::{links, listed};
    use crate::grade::techniques::testing::remove_some_candidates;
    use crate::grade::{Ladder, Rank};
    use crate::random::Rng;

    /// Compares the two searches, and returns whether they find a removal.
    fn compare(board: &Position, case: &str) -> bool {
        let mut graph = board.derived::<GroupGraph>().0.clone();
        let quick = eliminations(board, &graph).unwrap();
        links::almost_locked(board, &mut graph);
        let slow = listed::removals::eliminations(&graph.build(board, true));
        assert_eq!(quick, slow, "{case}");
        !quick.is_empty()
    }

    #[test]
    fn colours_and_sets_reach_the_same_candidates_as_the_closure() {
        let seed = 23;
        let mut rng = Rng::new(seed);
        let ladders = [Rank::LOCKED_CLAIMING, Rank::UNIQUENESS].map(Ladder::up_to);
        let (mut any, mut none) = (0, 0);
        for n in 0..200 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            let mut board = ladders[n as usize % 2].stall(&puzzle);
            let case = format!("seed {seed}, {n}: {puzzle}");
            let found = compare(&board, &case);
            any += usize::from(found);
            none += usize::from(!found);
            // Removing candidates of the solution creates boards with contradictions.
            remove_some_candidates(&mut board, &mut rng);
            compare(&board, &case);
        }
        assert!(any > 50 && none > 50, "{any}, {none}");
    }
}
