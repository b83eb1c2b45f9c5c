//! Adds the links of almost locked sets that chains need: the fast twin of [`AlsLinks::link`].
//!
//! [`AlsLinks::link`]: super::links::AlsLinks::link

use super::net::AlsNet;
use crate::board::{Cell, CellSet, Digit, DigitSet};
use crate::grade::Position;
use crate::grade::techniques::link_graph::GraphBuilder;

/// Adds the links of all almost locked sets to a graph, except links for which a smaller set has a better one.
/// Also adds links from a set to a cell outside it: if the set lacks a digit, it contains all its others, which
/// may leave the cell only one candidate.
pub(in crate::grade::techniques) fn link_quickly(board: &Position, graph: &mut GraphBuilder) {
    let mut beside = Vec::new();
    let mut house = None;
    let net = board.derived::<AlsNet>();
    let mut numbers = Numbers {
        board,
        net,
        in_graph: vec![None; net.node_count()],
    };
    for (at, set) in net.sets().all.iter().enumerate() {
        if house != Some(set.house) {
            beside.clear();
            house = Some(set.house);
        }
        link_digits(at, &mut numbers, graph);
        if set.outward.len() >= 2 {
            link_cells_beside(at, &mut beside, &mut numbers, graph);
        }
    }
}

/// Maps the nodes of [`AlsNet`] to the nodes of the graph that is being built.
struct Numbers<'a> {
    board: &'a Position,
    net: &'a AlsNet,
    /// By node of the net, the number of its node in the graph; `None` if it has not been added to the graph.
    in_graph: Vec<Option<u16>>,
}

impl Numbers<'_> {
    /// The graph node for a digit of an almost locked set. It is added to the graph if it does not exist.
    fn in_graph(&mut self, set: usize, digit: Digit, graph: &mut GraphBuilder) -> u16 {
        if let Some((node, places)) = self.net.find(self.board, set, digit) {
            let number = &mut self.in_graph[node];
            *number.get_or_insert_with(|| {
                if places.is_in_crossing {
                    graph.node(digit, places.cells)
                } else {
                    // Links of other kinds only join nodes in crossings, so the graph does not have this node yet.
                    graph.add_group(digit, places.cells)
                }
            })
        } else {
            let cells = self.net.sets().all[set].cells;
            graph.node(digit, cells & self.board.places(digit))
        }
    }
}

/// Adds strong links between the digits of an almost locked set that exclude another candidate if they are in the set.
fn link_digits(at: usize, numbers: &mut Numbers<'_>, graph: &mut GraphBuilder) {
    let set = &numbers.net.sets().all[at];
    for x in set.useful {
        let needed = set.needed_with(x).intersection(set.useful).above(x);
        if !needed.is_empty() {
            let from = numbers.in_graph(at, x, graph);
            for z in needed {
                let to = numbers.in_graph(at, z, graph);
                graph.link(from, to);
            }
        }
    }
}

/// A cell outside a set that keeps only one candidate, `left`, if the set lacks one of the digits `lacked`.
struct Beside {
    places: u16,
    cell: Cell,
    left: Digit,
    lacked: DigitSet,
}

/// Adds the links from a set to each cell that keeps only one candidate if the set lacks a digit. `smaller` has
/// these cells for the earlier sets of the same house. If a smaller set within the cells of this set has such a
/// link to the same candidate, another link adds nothing.
fn link_cells_beside(
    at: usize,
    smaller: &mut Vec<Beside>,
    numbers: &mut Numbers<'_>,
    graph: &mut GraphBuilder,
) {
    let set = &numbers.net.sets().all[at];
    let board = numbers.board;
    // `seen_once` and `seen_twice` are the cells in which the set sees at least one and at least two candidates;
    // further down, `left_once` and `left_twice` are those in which it leaves at least one and at least two.
    let mut seen_by = [CellSet::EMPTY; 9];
    let (mut seen_once, mut seen_twice) = (CellSet::EMPTY, CellSet::EMPTY);
    for digit in set.outward {
        let seen = numbers.net.seen(board, at, digit);
        seen_by[digit.index()] = seen;
        seen_twice |= seen_once & seen;
        seen_once |= seen;
    }
    if seen_twice.is_empty() {
        return;
    }
    let (mut left_once, mut left_twice) = (CellSet::EMPTY, CellSet::EMPTY);
    for (digit, seen) in Digit::ALL.into_iter().zip(seen_by) {
        let left = board.open_places(digit).without(seen);
        left_twice |= left_once & left;
        left_once |= left;
    }
    for cell in (seen_twice & left_once).without(left_twice) {
        let is_seen = |digit: &Digit| seen_by[digit.index()].contains(cell);
        let seen: DigitSet = set.outward.filter(is_seen).collect();
        let all = board.by_cell()[cell.index()];
        let Some(left) = all.intersection(seen.complement()).single() else {
            continue;
        };
        let is_known = |beside: &&Beside| {
            beside.places & !set.places == 0 && beside.cell == cell && beside.left == left
        };
        let known = smaller.iter().filter(is_known);
        let known = known.fold(DigitSet::EMPTY, |all, beside| all.union(beside.lacked));
        let mut lacked = set.outward.intersection(seen.complement());
        lacked.remove(left);
        for digit in lacked.intersection(known.complement()) {
            let cell = graph.node(left, CellSet::of(cell));
            let node = numbers.in_graph(at, digit, graph);
            graph.link(node, cell);
        }
        smaller.push(Beside {
            places: set.places,
            cell,
            left,
            lacked,
        });
    }
}
