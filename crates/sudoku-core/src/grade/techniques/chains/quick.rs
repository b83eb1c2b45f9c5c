//! The removals of chains by rows of bits, for graphs that are not listed: the quick twin of
//! [`Closure`](super::closure::Closure).

use crate::board::{CandidateSet, CellSet, Digit};
use crate::grade::techniques::link_graph::GraphBuilder;
use crate::grade::{Node, Position};

/// The removals of the chains of a graph; `None` if it has more nodes than a row can have bits.
pub(super) fn eliminations(board: &Position, graph: &GraphBuilder) -> Option<CandidateSet> {
    Some(match graph.nodes().len().div_ceil(64) {
        0 => CandidateSet::EMPTY,
        1 => Chains::<1>::of(board, graph).eliminations(board),
        2 => Chains::<2>::of(board, graph).eliminations(board),
        3 => Chains::<3>::of(board, graph).eliminations(board),
        4 => Chains::<4>::of(board, graph).eliminations(board),
        5..=6 => Chains::<6>::of(board, graph).eliminations(board),
        7..=8 => Chains::<8>::of(board, graph).eliminations(board),
        9..=12 => Chains::<12>::of(board, graph).eliminations(board),
        13..=16 => Chains::<16>::of(board, graph).eliminations(board),
        17..=24 => Chains::<24>::of(board, graph).eliminations(board),
        _ => return None,
    })
}

/// A set of nodes: bit n for node n.
type Row<const W: usize> = [u64; W];

/// A graph whose weak links are rows.
struct Chains<const W: usize> {
    /// The nodes, digit by digit.
    nodes: Vec<Node>,
    /// By node: the open places of its digit that see all its cells.
    seen: Vec<CellSet>,
    /// By node: the start of its strong links in `ends`; then the end of the last.
    first_end: Vec<u32>,
    /// The nodes of which one is true if the node is false.
    ends: Vec<u16>,
    /// By node: the nodes that are false if it is true.
    excluded: Vec<Row<W>>,
    /// By cell: the nodes that are a single candidate of it.
    in_cell: [Row<W>; 81],
    /// By digit: its nodes.
    of_digit: [Row<W>; 9],
}

impl<const W: usize> Chains<W> {
    fn of(board: &Position, graph: &GraphBuilder) -> Chains<W> {
        let count = graph.nodes().len();
        let mut chains = Chains {
            nodes: Vec::with_capacity(count),
            seen: Vec::with_capacity(count),
            first_end: vec![0; count + 1],
            ends: vec![0; graph.links().len()],
            excluded: vec![[0; W]; count],
            in_cell: [[0; W]; 81],
            of_digit: [[0; W]; 9],
        };
        let mut number = vec![0; count];
        for digit in Digit::ALL {
            let first = chains.nodes.len();
            for (old, node) in graph.nodes().iter().enumerate() {
                if node.digit == digit {
                    number[old] = chains.nodes.len();
                    chains.nodes.push(*node);
                }
            }
            chains.add_digit(board, digit, first);
        }
        for (n, node) in chains.nodes.iter().enumerate() {
            if let Some(cell) = node.cells.single() {
                let others = chains.in_cell[cell.index()];
                add(&mut chains.excluded[n], &others);
                remove(&mut chains.excluded[n], n);
            }
        }
        let number = |old: u16| number[usize::from(old)];
        for &(from, _) in graph.links() {
            chains.first_end[number(from) + 1] += 1;
        }
        for n in 0..count {
            chains.first_end[n + 1] += chains.first_end[n];
        }
        let mut next = chains.first_end.clone();
        for &(from, to) in graph.links() {
            let at = &mut next[number(from)];
            chains.ends[*at as usize] = number(to) as u16;
            *at += 1;
        }
        chains
    }

    /// The nodes of which one is true if the node is false.
    fn strong(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.first_end[n] as usize..self.first_end[n + 1] as usize;
        self.ends[range].iter().map(|end| usize::from(*end))
    }

    /// Fills in what the nodes of a digit exclude of that digit. A node excludes those that have no
    /// cell outside the places that it sees.
    fn add_digit(&mut self, board: &Position, digit: Digit, first: usize) {
        let mut with_cell = [[0; W]; 81];
        let mut all = [0; W];
        let mut cells = CellSet::EMPTY;
        for (n, node) in self.nodes.iter().enumerate().skip(first) {
            let seen = node.cells.common_peers() & board.open_places(digit);
            self.seen.push(seen);
            insert(&mut all, n);
            cells |= node.cells;
            node.cells
                .for_each(|cell| insert(&mut with_cell[cell.index()], n));
            if let Some(cell) = node.cells.single() {
                insert(&mut self.in_cell[cell.index()], n);
            }
        }
        self.of_digit[digit.index()] = all;
        for n in first..self.nodes.len() {
            let mut outside = [0; W];
            for cell in cells.without(self.seen[n]) {
                add(&mut outside, &with_cell[cell.index()]);
            }
            self.excluded[n] = without(&all, &outside);
        }
    }

    /// For each node: the nodes that are true if it is, over any number of links; itself included.
    fn reached(&mut self) -> Vec<Row<W>> {
        let mut rows = std::mem::take(&mut self.excluded);
        // First over a weak and a strong link.
        for row in &mut rows {
            let mut follows = [0; W];
            for_each(row, |other| {
                self.strong(other).for_each(|end| insert(&mut follows, end));
            });
            *row = follows;
        }
        // Then over all, row by row from the first. What a complete row has need not be followed.
        for n in 0..rows.len() {
            let mut left = rows[n];
            let mut row = left;
            insert(&mut row, n);
            while let Some(next) = first(&left) {
                remove(&mut left, next);
                let fresh = without(&rows[next], &row);
                add(&mut row, &fresh);
                if next < n {
                    left = without(&left, &rows[next]);
                } else {
                    add(&mut left, &fresh);
                }
            }
            rows[n] = row;
        }
        rows
    }

    /// The candidates that a node excludes, and that another one excludes that is true if the first
    /// is false.
    fn eliminations(mut self, board: &Position) -> CandidateSet {
        let reached = self.reached();
        let mut all = [CellSet::EMPTY; 9];
        for (n, node) in self.nodes.iter().enumerate() {
            let (digit, seen) = (node.digit.index(), self.seen[n]);
            let mut if_false = [0; W];
            self.strong(n)
                .for_each(|end| add(&mut if_false, &reached[end]));
            let if_false = &if_false;
            // Another node of the digit sees the same places.
            if !seen.is_subset(all[digit]) {
                let mut removed = CellSet::EMPTY;
                for_each_of(if_false, &self.of_digit[digit], |other| {
                    removed |= self.seen[other];
                });
                all[digit] |= removed & seen;
            }
            // The other candidates of the cell, which nodes in the cell exclude, or see.
            let Some(cell) = node.cells.single() else {
                continue;
            };
            let mut others = board.by_cell()[cell.index()];
            others.remove(node.digit);
            for other in others {
                let of_digit = &self.of_digit[other.index()];
                let mut is_removed = {
                    let in_cell = without(&self.in_cell[cell.index()], of_digit);
                    meet(if_false, &in_cell)
                };
                for_each_of(if_false, of_digit, |node| {
                    is_removed |= self.seen[node].contains(cell);
                });
                if is_removed {
                    all[other.index()].insert(cell);
                }
            }
        }
        CandidateSet::new(all)
    }
}

fn insert<const W: usize>(row: &mut Row<W>, n: usize) {
    row[n / 64] |= 1 << (n % 64);
}

fn remove<const W: usize>(row: &mut Row<W>, n: usize) {
    row[n / 64] &= !(1 << (n % 64));
}

fn add<const W: usize>(row: &mut Row<W>, more: &Row<W>) {
    for (word, more) in row.iter_mut().zip(more) {
        *word |= more;
    }
}

fn without<const W: usize>(row: &Row<W>, less: &Row<W>) -> Row<W> {
    let mut left = *row;
    for (word, less) in left.iter_mut().zip(less) {
        *word &= !less;
    }
    left
}

/// Whether the rows have a node in common.
fn meet<const W: usize>(row: &Row<W>, other: &Row<W>) -> bool {
    let common = row.iter().zip(other);
    common.fold(0, |all, (a, b)| all | a & b) != 0
}

fn first<const W: usize>(row: &Row<W>) -> Option<usize> {
    let at = row.iter().position(|word| *word != 0)?;
    Some(64 * at + row[at].trailing_zeros() as usize)
}

fn for_each<const W: usize>(row: &Row<W>, visit: impl FnMut(usize)) {
    for_each_of(row, &[!0; W], visit);
}

/// Visits the nodes that are in both rows.
fn for_each_of<const W: usize>(row: &Row<W>, other: &Row<W>, mut visit: impl FnMut(usize)) {
    for (at, (row, other)) in row.iter().zip(other).enumerate() {
        let mut word = row & other;
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
                let slow = Closure::of(&graph).eliminations(&graph);
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
