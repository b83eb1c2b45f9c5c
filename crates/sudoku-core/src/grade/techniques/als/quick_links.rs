//! Adds the links of almost locked sets that chains need: the fast twin of [`AlsLinks::link`].
//!
//! [`AlsLinks::link`]: super::links::AlsLinks::link

use super::net::AlsNet;
use super::nodes::SetNode;
use super::quick_sets::{Needed, QuickSet};
use crate::board::{Cell, CellSet, Digit, DigitSet};
use crate::grade::Position;
use crate::grade::techniques::link_graph::GraphBuilder;

/// Adds the links of all sets to a graph, except links for which a smaller set has a better one.
/// Also adds links from a set to a cell outside: if the set lacks x, it holds its other digits,
/// which may leave the cell only one candidate.
pub(in crate::grade::techniques) fn link_quickly(board: &Position, graph: &mut GraphBuilder) {
    let mut beside = Vec::new();
    let mut house = None;
    let mut nodes = Vec::with_capacity(9);
    let net = board.derived::<AlsNet>();
    let mut numbers = Numbers(vec![None; net.node_count()]);
    for (at, set) in net.sets().all.iter().enumerate() {
        if house != Some(set.house) {
            beside.clear();
            house = Some(set.house);
        }
        // A node that is a single cell also excludes the other candidates of the cell.
        let is_useful =
            |(_, node): &NumberedNode<'_>| !node.seen.is_empty() || node.cells.single().is_some();
        nodes.clear();
        nodes.extend(net.nodes_of(at).filter(is_useful));
        if nodes.len() < 2 {
            continue;
        }
        link_digits(&net.sets().needed(set), &nodes, &mut numbers, graph);
        link_cells_beside(board, set, &nodes, &mut beside, &mut numbers, graph);
    }
}

/// A node of the sets, and its number there.
type NumberedNode<'a> = (usize, &'a SetNode);

/// By the number of a node of the sets: its number in the graph.
struct Numbers(Vec<Option<u16>>);

impl Numbers {
    fn in_graph(&mut self, (number, node): NumberedNode<'_>, graph: &mut GraphBuilder) -> u16 {
        *self.0[number].get_or_insert_with(|| graph.node(node.digit, node.cells))
    }
}

/// Adds the links between digits of a set that exclude something by being in the set.
fn link_digits(
    needed: &Needed,
    digits: &[NumberedNode<'_>],
    numbers: &mut Numbers,
    graph: &mut GraphBuilder,
) {
    for (n, x) in digits.iter().enumerate() {
        let needed = needed.with(x.1.digit);
        let others = digits[n + 1..].iter();
        for z in others.filter(|(_, z)| needed.contains(z.digit)) {
            let [a, b] = [x, z].map(|node| numbers.in_graph(*node, graph));
            graph.link(a, b);
        }
    }
}

/// A cell that keeps only one candidate if a set lacks one of its digits.
struct Beside {
    places: u16,
    cell: Cell,
    left: Digit,
    lacked: DigitSet,
}

/// Adds the links from a set to each cell that keeps only one candidate if the set lacks a digit.
/// `smaller` has such cells for the earlier sets of the same house: if a smaller set among the cells
/// of this set has a link to the same candidate, another link adds nothing.
fn link_cells_beside(
    board: &Position,
    set: &QuickSet,
    digits: &[NumberedNode<'_>],
    smaller: &mut Vec<Beside>,
    numbers: &mut Numbers,
    graph: &mut GraphBuilder,
) {
    let (mut once, mut twice) = (CellSet::EMPTY, CellSet::EMPTY);
    let mut useful = 0;
    for (_, places) in digits {
        twice |= once & places.seen;
        once |= places.seen;
        useful += usize::from(!places.seen.is_empty());
    }
    if useful < 2 {
        return;
    }
    for cell in twice {
        let all = board.by_cell()[cell.index()];
        // At most one candidate of the cell may be missing in the set.
        if all.intersection(set.digits.complement()).len() > 1 {
            continue;
        }
        let seen = digits
            .iter()
            .filter(|(_, places)| places.seen.contains(cell));
        let seen: DigitSet = seen.map(|(_, places)| places.digit).collect();
        let Some(left) = all.intersection(seen.complement()).single() else {
            continue;
        };
        let is_known = |beside: &&Beside| {
            beside.places & !set.places == 0 && beside.cell == cell && beside.left == left
        };
        let known = smaller.iter().filter(is_known);
        let known = known.fold(DigitSet::EMPTY, |all, beside| all.union(beside.lacked));
        let mut lacked = DigitSet::EMPTY;
        for node in digits {
            let (_, places) = *node;
            let digit = places.digit;
            let is_lacked = digit != left && !seen.contains(digit);
            if is_lacked && !places.seen.is_empty() {
                lacked.insert(digit);
                if !known.contains(digit) {
                    let cell = graph.node(left, CellSet::of(cell));
                    let node = numbers.in_graph(*node, graph);
                    graph.link(node, cell);
                }
            }
        }
        smaller.push(Beside {
            places: set.places,
            cell,
            left,
            lacked,
        });
    }
}
