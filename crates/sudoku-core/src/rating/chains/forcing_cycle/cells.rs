//! Applies cell forcing chains. They remove a candidate that is off whichever candidate of some cell is true.
//!
//! [`finish`](super::finish) uses them to test whether the steps up to a rating solve the rest of a puzzle, although
//! Sudoku Explainer only finds them in producer 26, with other hints. That is allowed because later removals never
//! destroy them: the chains from the candidates of the cell still lead to the same node, and none becomes longer. If
//! the cell has only two candidates left, there is a forcing chain instead:
//!
//! ```text
//! on(e) → … → off(a) ═ on(b) → … → off(e)      a and b are the candidates of the cell
//! ```
//!
//! If one of the chains becomes contradictory, there is a forcing chain as well. Region forcing chains are not
//! applied, because Sudoku Explainer skips a region whose first place is in a cell with two candidates.

use super::super::kind::ChainKind;
use super::super::length::bonus;
use super::super::numbering::CandidateNumbering;
use super::super::reach::{BoardLinks, ReachSearch};
use super::passes::{PASSES, bases};
use crate::bit_rows::BitSet;
use crate::board::{Candidates, CellSet, Digit};
use crate::rating::board::Board;
use crate::rating::budget::Budget;

/// The upper limit of chain lengths that are tried, in nodes.
const MOST_NODES: u32 = 2_000;

/// Cell forcing chains start in cells with at least this many candidates. A cell with two candidates gives a forcing
/// chain instead.
const LEAST_STARTS: usize = 3;

/// The largest length, in nodes, of cell forcing chains rated at most `highest`. `None` if some forcing chain or Nishio
/// chain of this board could be rated higher than the limit `highest`.
///
/// A forcing chain has each candidate at most once, and its start twice. Both chains of a Nishio hint use the
/// places of one digit only, each of which is on or off.
pub(super) fn longest_chain(
    board: &Board,
    numbering: &CandidateNumbering,
    highest: f64,
) -> Option<u32> {
    let forcing = bases(PASSES[2]).1 + bonus(numbering.len() as u32 + 1);
    let places = Digit::ALL.map(|digit| board.cells(digit).len() as u32);
    let most_places = places.into_iter().max().unwrap_or(0);
    let nishio = ChainKind::NISHIO.base() + bonus(2 * (most_places + 1));
    let is_within = |length: &u32| ChainKind::MULTIPLE.base() + bonus(*length) <= highest;
    let longest = (0..MOST_NODES).take_while(is_within).last()?;
    (forcing <= highest && nishio <= highest).then_some(longest)
}

/// Applies all cell forcing chains of at most `longest` nodes. `graph` has the links of the board. Returns whether
/// there are any.
#[inline(always)]
pub(super) fn apply<const W: usize>(
    board: &Board,
    longest: u32,
    (graph, reach): &mut (BoardLinks<W>, ReachSearch<W>),
    numbering: &CandidateNumbering,
    candidates: &mut Candidates,
    budget: &mut Budget,
) -> bool {
    let is_start: Vec<bool> = (numbering.candidates().iter())
        .map(|(cell, _)| board.digits(*cell).len() >= LEAST_STARTS)
        .collect();
    // For each layer of the search and each start, the candidates that this layer is the first to find off.
    let mut layers: Vec<Vec<BitSet<W>>> = Vec::new();
    let mut off_so_far = vec![BitSet::<W>::EMPTY; numbering.len()];
    reach.start(graph, PASSES[2], |_| true);
    while !reach.is_complete() {
        let mut new_layer = Vec::with_capacity(numbering.len());
        for ((fresh, all), is_start) in reach
            .newly_reached
            .iter()
            .zip(&mut off_so_far)
            .zip(&is_start)
        {
            let mut off = BitSet::EMPTY;
            if *is_start {
                fresh.for_each(|on| off.add(&reach.off[on]));
                off.subtract(all);
                all.add(&off);
            }
            new_layer.push(off);
        }
        layers.push(new_layer);
        if !budget.spend(reach.advance()) {
            return false;
        }
    }
    // The number of nodes in the chain: on(start), two nodes for each layer before, and the off-node at the end.
    let length = |start: usize, end: usize| {
        let layer_index = layers.iter().position(|layer| layer[start].contains(end));
        layer_index.map_or(MOST_NODES, |layer| 2 * layer as u32 + 2)
    };
    let mut has_removals = false;
    let mut next_start = 0;
    for cell in board.empty() {
        let starts = next_start..next_start + board.digits(cell).len();
        next_start = starts.end;
        if starts.len() < LEAST_STARTS {
            continue;
        }
        let mut common = off_so_far[starts.start];
        for start in starts.clone() {
            common.keep(&off_so_far[start]);
        }
        common.for_each(|end| {
            if starts.clone().map(|start| length(start, end)).sum::<u32>() <= longest {
                let (cell, digit) = numbering.candidates()[end];
                candidates.eliminate(digit, CellSet::of(cell));
                has_removals = true;
            }
        });
    }
    has_removals
}
