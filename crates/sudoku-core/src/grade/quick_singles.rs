//! A fast path for naked and hidden singles, the four easiest techniques. Most steps of most puzzles are singles.
//!
//! The results equal those of the four techniques in `techniques/singles`, which are slower but easier to read. A test
//! compares them.

use crate::board::{Candidates, CellSet, VectorBoard};
use crate::grade::rank::Rank;

/// The number of techniques that are singles: full house, naked single, hidden single in a box, hidden single in a
/// line.
pub(super) const RUNGS: usize = Rank::HIDDEN_SINGLE_LINE.index() + 1;

/// Applies singles until the board is full or no single is left. Each round applies all steps of the easiest technique
/// that finds any, and then calls `after_wave` with the index of that technique, counted from 0.
pub(super) fn apply(board: &mut Candidates, mut after_wave: impl FnMut(usize)) {
    let mut vectors = VectorBoard::new(board);
    while !vectors.is_solved() {
        let naked = vectors.naked_singles();
        let (rung, placements) = if !naked.is_empty() {
            let full_houses = vectors.last_of_a_house(naked);
            if full_houses.is_empty() {
                (1, vectors.naked_placements(naked))
            } else {
                (0, vectors.naked_placements(full_houses))
            }
        } else if let Some(hidden) = vectors.hidden_in_boxes() {
            (2, hidden)
        } else if let Some(hidden) = vectors.hidden_in_lines() {
            (3, hidden)
        } else {
            break;
        };
        vectors.place(&placements);
        after_wave(rung);
    }
    *board = vectors.candidates();
}

/// Returns the cells of the set `cells` that are the only unsolved cell of a house.
pub(crate) fn last_of_a_house(unsolved: CellSet, cells: CellSet) -> CellSet {
    let mut last_cells = CellSet::EMPTY;
    for cell in cells {
        let this_cell = CellSet::of(cell);
        let is_last = cell
            .houses()
            .iter()
            .any(|house| house.cells() & unsolved == this_cell);
        if is_last {
            last_cells |= this_cell;
        }
    }
    last_cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Digit};
    use crate::generate::Generator;
    use crate::grade::{LADDER, Position, Steps};
    use crate::random::Rng;

    #[test]
    fn the_waves_are_those_of_the_four_techniques() {
        let seed = 31;
        let mut rng = Rng::new(seed);
        let generator = Generator::any(seed);
        for n in 0..200 {
            let puzzle = generator.puzzle(n).unwrap().puzzle;
            let mut start = Candidates::new(&puzzle);
            if n % 2 == 1 {
                // Remove random candidates, even candidates of the solution.
                for _ in 0..rng.below(60) {
                    let cell = CellSet::of(Cell::new(rng.below(81))) & start.unsolved();
                    start.eliminate(Digit::from_index(rng.below(9)), cell);
                }
            }
            let mut board = start.clone();
            let mut quick_rungs = Vec::new();
            apply(&mut board, |rung| quick_rungs.push(rung));
            let mut position = Position::with_clues(start, CellSet::EMPTY);
            let mut steps = Steps::union_only();
            let mut rungs_of_waves = Vec::new();
            while !position.is_solved() {
                let Some(rung) = LADDER[..RUNGS].iter().position(|technique| {
                    steps.clear();
                    technique.find_all(&position, &mut steps);
                    !steps.is_empty()
                }) else {
                    break;
                };
                rungs_of_waves.push(rung);
                position.apply(steps.union());
            }
            assert_eq!(
                (&board, quick_rungs),
                (position.board(), rungs_of_waves),
                "seed {seed}: {puzzle}"
            );
        }
    }
}
