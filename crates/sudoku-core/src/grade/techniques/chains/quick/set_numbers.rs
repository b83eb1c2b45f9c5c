//! Numbers the colours of strong links and the nodes of almost locked sets, for [`set_chains`](super::set_chains).

use super::colours::{Clusters, Colour};
use crate::bit_rows::number_type;
use crate::board::Digit;
use crate::grade::Position;
use crate::grade::techniques::als::{SetGraph, SetNodeId};
use crate::grade::techniques::link_graph::GraphBuilder;

number_type! {
    /// The number that [`Numbers`] gives to a colour, to an inner node, or to one of the remaining candidates.
    pub(super) Number
}

/// The first numbers are those of the colours.
impl From<Colour> for Number {
    #[inline(always)]
    fn from(colour: Colour) -> Number {
        Number::new(colour.index())
    }
}

/// Numbers everything that chains can make false.
///
/// ```text
/// colours      the colours of a graph's nodes, in their own order
/// inner nodes  other nodes of almost locked sets that exclude a colour or another inner node: chains can lead through
///              these
/// the rest     the candidates that are neither in a node of one cell of the graph nor an inner node: chains cannot
///              lead through these, but can remove them
/// ```
///
/// The remaining nodes of almost locked sets exclude only the rest of the candidates. Chains can only begin and end
/// there, so these nodes have no numbers. They are half of the nodes.
pub(super) struct Numbers {
    /// For each digit and cell, the number of the candidate.
    of_candidate: [[Number; 81]; 9],
    /// For each node of almost locked sets, its number or [`NO_NUMBER`].
    of_set_node: Vec<Number>,
    /// The number of colours and inner nodes.
    pub(super) inner: usize,
    /// The number of all numbers.
    pub(super) all: usize,
}

const NO_NUMBER: Number = Number(u16::MAX);

impl Numbers {
    pub(super) fn new(
        board: &Position,
        graph: &GraphBuilder,
        clusters: &Clusters,
        sets: &SetGraph<'_>,
    ) -> Numbers {
        let mut numbers = Numbers {
            of_candidate: [[NO_NUMBER; 81]; 9],
            of_set_node: vec![NO_NUMBER; sets.len()],
            inner: clusters.colour_count(),
            all: 0,
        };
        for (node, colour) in clusters.nodes(graph) {
            if let Some(cell) = node.cells.single() {
                numbers.of_candidate[node.digit.index()][cell.index()] = colour.into();
            }
        }
        // For each digit, the cells whose candidate is a colour or an inner node.
        let mut inner_cells = Digit::ALL.map(|digit| graph.single_cells(digit));
        let nodes = sets.nodes().zip(&mut numbers.of_set_node);
        let in_crossing = nodes.filter(|(node, _)| node.is_in_crossing);
        in_crossing.for_each(|(node, number)| {
            if let Some(cell) = node.cells.single() {
                let of_cell = &mut numbers.of_candidate[node.digit.index()][cell.index()];
                if *of_cell == NO_NUMBER {
                    *of_cell = next(&mut numbers.inner);
                    inner_cells[node.digit.index()] |= node.cells;
                }
                *number = *of_cell;
            } else if let Some(known) = graph.known_node(node.digit, node.cells) {
                *number = clusters.colour(known).into();
            }
        });
        let mut number_inner = |number: &mut Number| {
            if *number == NO_NUMBER {
                *number = next(&mut numbers.inner);
            }
        };
        sets.excluded_pairs().for_each(|pair| {
            for node in pair {
                number_inner(&mut numbers.of_set_node[node.index()]);
            }
        });
        let nodes = sets.nodes().zip(&mut numbers.of_set_node);
        nodes.for_each(|(node, number)| {
            if !(node.seen & inner_cells[node.digit.index()]).is_empty()
                || graph.has_group_within(node.digit, node.seen)
            {
                number_inner(number);
            }
        });
        numbers.all = numbers.inner;
        for (digit, inner_cells) in Digit::ALL.into_iter().zip(inner_cells) {
            let of_digit = &mut numbers.of_candidate[digit.index()];
            let rest = board.open_places(digit).without(inner_cells);
            rest.for_each(|cell| of_digit[cell.index()] = next(&mut numbers.all));
        }
        numbers
    }

    /// The numbers of the candidates of a digit, by cell.
    pub(super) fn of_digit(&self, digit: Digit) -> &[Number; 81] {
        &self.of_candidate[digit.index()]
    }

    /// The number of a node of almost locked sets; `None` if chains can only begin and end there.
    pub(super) fn of_set_node(&self, node: SetNodeId) -> Option<Number> {
        let number = self.of_set_node[node.index()];
        (number != NO_NUMBER).then_some(number)
    }
}

/// Returns the next number, and counts it.
fn next(count: &mut usize) -> Number {
    *count += 1;
    Number::new(*count - 1)
}
