//! Nishio chains, which use only one digit. So the best hint of a digit stays the same as long as the digit's places do
//! not change.

use super::reached::{OFF, ON};
use super::search::BestEnd;
use super::{BoundedRuns, SearchMemory, SearchTask, hint, number_candidates};
use crate::board::{CellSet, Digit, House};
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::chains::forcing_cycle::ChainLayers;
use crate::rating::chains::kind::ChainKind;
use crate::rating::chains::numbering::CandidateNumbering;
use crate::rating::hint::Hint;

/// For each digit, its last search: the places of the digit, the places where chains started, and the best hint.
#[derive(Default)]
pub(super) struct DigitResults([Option<([CellSet; 2], Option<BestEnd>)>; 9]);

/// The best Nishio hint of all digits; the first one if several are equally short.
pub(in crate::rating::chains) fn best(
    board: &Board,
    runs: &mut BoundedRuns,
    layers: &ChainLayers,
    budget: &mut Budget,
) -> Option<Hint> {
    let BoundedRuns {
        numbering, nishio, ..
    } = runs;
    let numbering = number_candidates(board, layers, numbering);
    match numbering.len() {
        0..=256 => nishio.update(&mut runs.small, board, numbering, budget),
        257..=384 => nishio.update(&mut runs.middle, board, numbering, budget),
        _ => nishio.update(&mut runs.large, board, numbering, budget),
    }
    // Sudoku Explainer generates the hints by cell, then by digit, and first those that end with the candidate off. The
    // first of the shortest hints is the best.
    let best_hints = nishio.0.iter().flatten().filter_map(|(_, best)| *best);
    let best =
        best_hints.min_by_key(|(length, _, end)| (*length, end.cell(), end.digit(), end.is_on()));
    best.and_then(|best| hint(board, ChainKind::NISHIO, best))
}

impl DigitResults {
    fn update<const W: usize>(
        &mut self,
        arena: &mut SearchMemory<W>,
        board: &Board,
        numbering: &CandidateNumbering,
        budget: &mut Budget,
    ) {
        let single = board.cells_with(1);
        let mut is_prepared = false;
        for (known, digit) in self.0.iter_mut().zip(Digit::ALL) {
            let places = board.cells(digit);
            let places = [places, places.without(single)];
            if known.is_some_and(|(known, _)| known == places) {
                continue;
            }
            let task = SearchTask {
                board,
                numbering,
                kind: ChainKind::NISHIO,
                longest: u32::MAX,
                only: Some(digit),
                knows_reachable: false,
            };
            if !contradicts(places) {
                *known = Some((places, None));
                continue;
            }
            if !is_prepared {
                arena.prepare(task);
                is_prepared = true;
            }
            let best = arena.iterative_deepening(task, budget);
            *known = (!budget.is_spent()).then_some((places, best));
        }
    }
}

/// Whether a Nishio chain of one digit leads to a contradiction, of any length. `places` are the cells that have the
/// digit as a candidate, `starts` the cells in which chains start.
fn contradicts([places, starts]: [CellSet; 2]) -> bool {
    let mut houses = [CellSet::EMPTY; 27];
    let mut count = 0;
    for house in House::ALL {
        houses[count] = places & house.cells();
        count += usize::from(!houses[count].is_empty());
    }
    // If a start has reached a node, everything that follows from the node has been found too. So that node need not be
    // tried as a start.
    let mut starts_left = [starts; 2];
    for state in [ON, OFF] {
        while let Some(start) = starts_left[state].first() {
            let off = match state {
                ON => start.peers(),
                _ => CellSet::of(start),
            };
            let Some([on, left]) = follow(&houses[..count], places.without(off)) else {
                return true;
            };
            starts_left[ON] = starts_left[ON].without(on);
            starts_left[OFF] &= left;
        }
    }
    false
}

/// Follows a digit whose remaining places are `left`: in a house with one place left, the digit is on there. Returns
/// the places that are on, and those that are not off; `None` if a house loses its last place. Here a house may have
/// had only one place from the beginning, so more can follow than in a run.
fn follow(houses: &[CellSet], mut left: CellSet) -> Option<[CellSet; 2]> {
    let mut on = CellSet::EMPTY;
    loop {
        let left_before = left;
        for house in houses {
            let places = left & *house;
            let place = places.first()?;
            if places == CellSet::of(place) {
                on |= places;
                left = left.without(place.peers());
            }
        }
        if left == left_before {
            return Some([on, left]);
        }
    }
}
