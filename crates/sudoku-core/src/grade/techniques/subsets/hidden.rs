//! Finds hidden subsets: N digits that have together at most N places in a house.

use crate::board::{CellSet, Digit, DigitSet};
use crate::grade::order::TechniqueName;
use crate::grade::techniques::subset::{ComplementCheck, bits_in_at_least, for_each_locked_choice};
use crate::grade::{Pattern, Position, Steps};

/// The techniques that find the complements of hidden subsets: naked subsets of the sizes 2, 3 and 4.
const COMPLEMENTS: [TechniqueName; 3] = [
    TechniqueName::NakedPair,
    TechniqueName::NakedTriple,
    TechniqueName::NakedQuad,
];

pub(super) fn hidden_subsets<const N: usize>(
    board: &Position,
    technique: TechniqueName,
    found: &mut Steps,
) {
    let open_by_house = board.open_by_house();
    let complement = ComplementCheck::new(N, board, &COMPLEMENTS[..N - 1], found);
    let singles = board.unsolved() & board.exactly_one();
    // For each digit, the houses in which it has at most N places. Only there can it be in a hidden subset of size N.
    let houses_with_few = Digit::ALL.map(|digit| board.by_house().with_at_most(N, digit));
    for house in board
        .changes(technique, found)
        .houses(bits_in_at_least::<N>(&houses_with_few))
    {
        let has_naked_single = || !(house.cells() & singles).is_empty();
        if complement.rules_out(board.unsolved_in(house), has_naked_single) {
            continue;
        }
        let mut digits = [Digit::from_index(0); 9];
        let mut sets = [0; 9];
        let mut count = 0;
        for digit in Digit::ALL {
            if houses_with_few[digit.index()] >> house.index() & 1 == 1 {
                digits[count] = digit;
                sets[count] = open_by_house[house.index()][digit.index()];
                count += 1;
            }
        }
        for_each_locked_choice::<N>(&sets[..count], |choice, places| {
            let subset: DigitSet = choice.into_iter().map(|at| digits[at]).collect();
            let cells: CellSet = house.unproject(places);
            let other_candidates = subset.complement().map(|digit| (digit, cells));
            found.eliminate(board, other_candidates, || {
                Pattern::new([house], cells, subset)
            });
        });
    }
    board.record_miss(technique, found);
}
