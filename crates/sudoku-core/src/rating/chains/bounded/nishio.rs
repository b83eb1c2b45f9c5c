//! Nishio: each run uses one digit only. So the best hint of a digit stays the same as long as the places of the
//! digit do not change.

use super::{Arena, BestEnd, BoundedRuns, SearchTask, hint, number};
use crate::board::{CellSet, Digit};
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::chains::bits::Numbering;
use crate::rating::chains::forcing_cycle::Layers;
use crate::rating::chains::kind::ChainKind;
use crate::rating::hint::Hint;

/// For each digit, the result of its last search: its places, those of them where runs start, and its best hint.
#[derive(Default)]
pub(super) struct Known([Option<([CellSet; 2], Option<BestEnd>)>; 9]);

/// The best hint of all digits; the first one if several are equally short.
pub(in crate::rating::chains) fn best(
    board: &Board,
    runs: &mut BoundedRuns,
    layers: &Layers,
    budget: &mut Budget,
) -> Option<Hint> {
    let BoundedRuns {
        numbering, nishio, ..
    } = runs;
    let numbering = number(board, layers, numbering);
    match numbering.len() {
        0..=256 => nishio.update(&mut runs.small, board, numbering, budget),
        257..=384 => nishio.update(&mut runs.middle, board, numbering, budget),
        _ => nishio.update(&mut runs.large, board, numbering, budget),
    }
    // Among hints of equal length, the reference generates those of earlier cells first, then those
    // of lower digits, then on-nodes.
    let all = nishio.0.iter().flatten().filter_map(|(_, best)| *best);
    let best = all.min_by_key(|(length, _, end)| (*length, end.cell(), end.digit(), end.is_on()));
    best.and_then(|best| hint(board, ChainKind::NISHIO, best))
}

impl Known {
    fn update<const W: usize>(
        &mut self,
        arena: &mut Arena<W>,
        board: &Board,
        numbering: &Numbering,
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
                has_closures: false,
            };
            if !is_prepared {
                arena.prepare(task);
                is_prepared = true;
            }
            let best = arena.deepen(task, budget);
            *known = (!budget.is_spent()).then_some((places, best));
        }
    }
}
