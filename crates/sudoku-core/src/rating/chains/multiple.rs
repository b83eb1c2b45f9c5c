//! Producers 25 to 32: hints that follow from several assumptions, one of which must be true.

use super::chain_hint::{ChainHint, KEY_CELL, KEY_CONTRADICTION, KEY_DOUBLE, KEY_REGION, effect};
use super::kind::ChainKind;
use super::length::bonus;
use super::nested::{self, NestedChains};
use super::node::{Cause, Node};
use super::run::{ChainRun, NodeQueue, RunIndex};
use crate::board::{CandidateSet, Cell, CellSet, Digit, House};
use crate::rating::board::{Board, houses_of};
use crate::rating::budget::Budget;
use crate::rating::hint::Hint;
use crate::rating::values::ChainNode;

/// The runs of a call, by their start: a run is the search from one assumption. Also working memory that is reused from
/// call to call.
#[derive(Default)]
pub(super) struct ChainRuns {
    runs_by_start: Vec<ChainRun>,
    is_computed: Vec<bool>,
    node_queue: NodeQueue,
    nested: NestedChains<ChainRuns>,
}

/// A hint that follows from several chains: the ends of the chains, and the node that follows. An end is given as the
/// start of a run and the index of a node in that run.
struct HintEnds<'a> {
    ends: &'a [(Node, RunIndex)],
    key: u8,
    node: Node,
}

/// Lists all hints of this kind, in the order in which Sudoku Explainer generates them.
pub(super) fn all(
    board: &Board,
    kind: ChainKind,
    runs: &mut ChainRuns,
    budget: &mut Budget,
) -> Vec<ChainHint> {
    let mut found_hints = Vec::new();
    runs.for_each(board, kind, budget, |runs, hint| {
        let Some((removed, placed)) = effect(board, hint.node) else {
            return;
        };
        let length = runs.length(board, kind, hint.ends);
        found_hints.push(ChainHint {
            technique: kind.technique(),
            rating: kind.base() + bonus(length),
            length,
            key: hint.key,
            removed,
            placed,
            chains: runs.chains(board, kind, &hint),
            is_cycle: false,
        });
    });
    found_hints
}

/// The chains of a hint that [`best`] found. Each chain begins with its start. The nodes are ordered by the length of
/// the longest path from the start.
pub(super) fn chains_of(
    board: &Board,
    kind: ChainKind,
    hint: &Hint,
    runs: &mut ChainRuns,
    budget: &mut Budget,
) -> Vec<Vec<ChainNode>> {
    let mut best_chains: Option<(u8, Vec<Vec<ChainNode>>)> = None;
    runs.for_each(board, kind, budget, |runs, ends| {
        if effect(board, ends.node) != Some((hint.removed, hint.placed))
            || best_chains
                .as_ref()
                .is_some_and(|(key, _)| *key <= ends.key)
            || runs.length(board, kind, ends.ends) != hint.length
        {
            return;
        }
        let chains = ends.ends.iter().map(|(start, end)| {
            let mut nodes = Vec::new();
            let run = &runs.runs_by_start[start.index()];
            run.walk(board, kind.mode(), *end, &mut runs.node_queue, |found| {
                nodes.push((found.depth, found.node.with_cause(found.cause)));
            });
            nodes.sort_by_key(|(depth, _)| *depth);
            nodes.into_iter().map(|(_, node)| node).collect()
        });
        best_chains = Some((ends.key, chains.collect()));
    });
    best_chains.map_or_else(Vec::new, |(_, chains)| chains)
}

/// The best hint of this kind; the first one if several are equal. `None` if there is none.
pub(super) fn best(
    board: &Board,
    kind: ChainKind,
    runs: &mut ChainRuns,
    budget: &mut Budget,
) -> Option<ChainHint> {
    let mut best_end: Option<(u32, u8, Node)> = None;
    runs.for_each(board, kind, budget, |runs, hint| {
        let is_better =
            |length: u32| best_end.is_none_or(|(best, key, _)| (length, hint.key) < (best, key));
        // A node has at least as many ancestors as the longest path to it has nodes before it.
        if is_better(runs.least_length(hint.ends)) && effect(board, hint.node).is_some() {
            let length = runs.length(board, kind, hint.ends);
            if is_better(length) {
                best_end = Some((length, hint.key, hint.node));
            }
        }
    });
    let (length, key, node) = best_end?;
    let (removed, placed) = effect(board, node)?;
    Some(ChainHint {
        technique: kind.technique(),
        rating: kind.base() + bonus(length),
        length,
        key,
        removed,
        placed,
        chains: Vec::new(),
        is_cycle: false,
    })
}

impl ChainRuns {
    /// Calls `visit` with each hint, in the order in which Sudoku Explainer generates them.
    fn for_each(
        &mut self,
        board: &Board,
        kind: ChainKind,
        budget: &mut Budget,
        mut visit: impl FnMut(&mut ChainRuns, HintEnds<'_>),
    ) {
        self.runs_by_start
            .resize_with(Node::COUNT, ChainRun::default);
        self.is_computed.clear();
        self.is_computed.resize(Node::COUNT, false);
        self.nested.clear();
        let fewest_digits = if kind.mode().dynamic { 2 } else { 3 };
        for cell in board.empty() {
            let digits = board.digits(cell);
            if digits.len() < fewest_digits {
                continue;
            }
            for digit in digits {
                let on = Node::on(cell, digit);
                if !self.fill(board, kind, on, budget) {
                    return;
                }
                if kind.mode().dynamic {
                    let off = Node::off(cell, digit);
                    if !self.fill(board, kind, off, budget) {
                        return;
                    }
                    self.visit_contradiction(on, off, &mut visit);
                    self.visit_contradiction(off, on, &mut visit);
                    if digits.len() >= 3 && !kind.is_nishio() {
                        self.visit_common(&[on, off], KEY_DOUBLE, &mut visit);
                    }
                }
                if !kind.is_nishio() && !self.visit_regions(board, kind, on, budget, &mut visit) {
                    return;
                }
            }
            if !kind.is_nishio() {
                let mut starts = [Node::on(cell, Digit::ALL[0]); 9];
                let count = digits.len();
                for (start, digit) in starts.iter_mut().zip(digits) {
                    *start = Node::on(cell, digit);
                }
                self.visit_common(&starts[..count], KEY_CELL, &mut visit);
            }
        }
    }

    /// If the run is contradictory, calls `visit` with the hint that the opposite of the run's start is true.
    fn visit_contradiction(
        &mut self,
        start: Node,
        opposite: Node,
        visit: &mut impl FnMut(&mut ChainRuns, HintEnds<'_>),
    ) {
        if let Some([a, b]) = self.runs_by_start[start.index()].contradiction {
            let hint = HintEnds {
                ends: &[(start, a), (start, b)],
                key: KEY_CONTRADICTION,
                node: opposite,
            };
            visit(self, hint);
        }
    }

    /// For each house in which the cell of `first` is the first place of its digit, calls `visit` with the hints from
    /// all places of the digit. Returns false if the budget is spent.
    fn visit_regions(
        &mut self,
        board: &Board,
        kind: ChainKind,
        first: Node,
        budget: &mut Budget,
        visit: &mut impl FnMut(&mut ChainRuns, HintEnds<'_>),
    ) -> bool {
        let digit = first.digit();
        for (house, place) in houses_of(first.cell()) {
            let places = board.places(*house, digit);
            if places.count_ones() < 2 || places.trailing_zeros() as usize != *place {
                continue;
            }
            let mut starts = [first; 9];
            let mut count = 0;
            for cell in house.unproject(places) {
                starts[count] = Node::on(cell, digit);
                if !self.fill(board, kind, starts[count], budget) {
                    return false;
                }
                count += 1;
            }
            self.visit_common(&starts[..count], KEY_REGION, visit);
        }
        true
    }

    /// Calls `visit` with each node that the runs from all these starts have found: first the on-nodes, then the
    /// off-nodes, both in the order of the first run.
    fn visit_common(
        &mut self,
        starts: &[Node],
        key: u8,
        visit: &mut impl FnMut(&mut ChainRuns, HintEnds<'_>),
    ) {
        let [mut on, mut off] = [CandidateSet::FULL; 2];
        for start in starts {
            let run = &self.runs_by_start[start.index()];
            on &= run.on();
            off &= run.off();
        }
        for (common, is_on) in [(on, true), (off, false)] {
            if common.is_empty() {
                continue;
            }
            for at in 0..self.runs_by_start[starts[0].index()].nodes.len() {
                let node = self.runs_by_start[starts[0].index()].nodes[at].node;
                let node_index = self.runs_by_start[starts[0].index()].index_of(node);
                // Of two contradictory nodes, the one found second is not in the sets of the run.
                if node.is_on() != is_on
                    || node_index.index() != at
                    || !common.cells(node.digit()).contains(node.cell())
                {
                    continue;
                }
                let mut ends = [(starts[0], RunIndex::new(at)); 9];
                for (end, start) in ends.iter_mut().zip(starts) {
                    *end = (*start, self.runs_by_start[start.index()].index_of(node));
                }
                let hint = HintEnds {
                    ends: &ends[..starts.len()],
                    key,
                    node,
                };
                visit(self, hint);
            }
        }
    }

    /// Computes the run from this start, unless this call has already computed it. Returns false if the budget is
    /// spent.
    fn fill(&mut self, board: &Board, kind: ChainKind, start: Node, budget: &mut Budget) -> bool {
        if self.is_computed[start.index()] {
            return true;
        }
        let mut run = std::mem::take(&mut self.runs_by_start[start.index()]);
        let nested = &mut self.nested;
        let mut grid = board.clone();
        run.fill(board, &mut grid, start, kind.mode(), |run, grid| {
            nested::apply(kind.mode().level, board, grid, run, nested, all, budget)
        });
        let enough = budget.spend(run.nodes.len() as u64);
        self.runs_by_start[start.index()] = run;
        self.is_computed[start.index()] = true;
        enough
    }

    fn least_length(&self, ends: &[(Node, RunIndex)]) -> u32 {
        let depth = |end: &(Node, RunIndex)| {
            u32::from(self.runs_by_start[end.0.index()].nodes[end.1.index()].depth)
        };
        ends.iter().map(depth).sum()
    }

    /// The number of nodes in all chains of the hint, including the chains nested in them. A nested chain that is used
    /// several times counts once.
    fn length(&mut self, board: &Board, kind: ChainKind, ends: &[(Node, RunIndex)]) -> u32 {
        let mut flat_length = 0;
        for (start, end) in ends {
            let run = &mut self.runs_by_start[start.index()];
            flat_length += run.count(board, kind.mode(), *end, &mut self.node_queue);
        }
        if kind.mode().level < 2 {
            return flat_length;
        }
        let mut chains: Vec<u32> = Vec::new();
        let nested = &self.nested;
        for (start, end) in ends {
            let run = &self.runs_by_start[start.index()];
            run.walk(board, kind.mode(), *end, &mut self.node_queue, |found| {
                if let Some(chain) = run.nested(found)
                    && !chains.iter().any(|known| nested.is_same(*known, chain))
                {
                    chains.push(chain);
                }
            });
        }
        flat_length
            + chains
                .iter()
                .map(|chain| nested.length(*chain))
                .sum::<u32>()
    }

    /// For each chain of the hint, its nodes from the end back to the start.
    fn chains(
        &mut self,
        board: &Board,
        kind: ChainKind,
        hint: &HintEnds<'_>,
    ) -> Vec<Vec<(Node, Cause)>> {
        let chain = |(start, end): &(Node, RunIndex)| {
            let mut nodes = Vec::new();
            let run = &self.runs_by_start[start.index()];
            run.walk(board, kind.mode(), *end, &mut self.node_queue, |found| {
                nodes.push((found.node, found.cause));
            });
            // The starts are the candidates of a cell, or the places of a digit in a house. That is why one of them
            // must be true.
            let source = match hint.key {
                KEY_CELL => Some(Cause::Cell),
                KEY_REGION => shared_house(hint.ends).map(Cause::House),
                _ => None,
            };
            if let Some(source) = source {
                for (_, cause) in nodes.iter_mut().filter(|(_, cause)| *cause == Cause::Start) {
                    *cause = source;
                }
            }
            nodes
        };
        hint.ends.iter().map(chain).collect()
    }
}

/// A house that contains the starts of all chains. If there are two, the one that is searched first.
fn shared_house(ends: &[(Node, RunIndex)]) -> Option<House> {
    let cells: CellSet = ends.iter().map(|(start, _)| start.cell()).collect();
    let first_cell: Cell = cells.first()?;
    let houses = houses_of(first_cell).iter().map(|(house, _)| *house);
    houses
        .into_iter()
        .find(|house| cells.is_subset(house.cells()))
}
