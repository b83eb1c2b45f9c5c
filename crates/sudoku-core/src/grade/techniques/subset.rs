//! The search that naked subsets, hidden subsets and fish share: it finds N sets whose union has at most N members.

use crate::board::{Candidates, CellSet, DigitSet, House, count_nine};
use crate::grade::order::TechniqueName;
use crate::grade::{Position, Steps};

/// Calls `visit` with every choice of `N` sets (bit masks) whose union has at most `N` members. The arguments of
/// `visit` are the indexes of the sets, and their union.
pub(super) fn for_each_locked_choice<const N: usize>(
    sets: &[u16],
    visit: impl FnMut([usize; N], u16),
) {
    for_each_locked_choice_among(sets, sets.len(), visit);
}

/// Like [`for_each_locked_choice`], but only visits choices with at least one of the first `firsts` sets.
pub(super) fn for_each_locked_choice_among<const N: usize>(
    sets: &[u16],
    firsts: usize,
    mut visit: impl FnMut([usize; N], u16),
) {
    const { assert!(2 <= N && N <= 4) }
    let mut chosen = [0; N];
    for (i, &first) in sets[..firsts].iter().enumerate() {
        chosen[0] = i;
        for (j, &second) in sets.iter().enumerate().skip(i + 1) {
            let union_of_two = first | second;
            if count_nine(union_of_two) > N {
                continue;
            }
            chosen[1] = j;
            if N == 2 {
                visit(chosen, union_of_two);
                continue;
            }
            for (k, &third) in sets.iter().enumerate().skip(j + 1) {
                let union_of_three = union_of_two | third;
                if count_nine(union_of_three) > N {
                    continue;
                }
                chosen[2] = k;
                if N == 3 {
                    visit(chosen, union_of_three);
                    continue;
                }
                for (l, &fourth) in sets.iter().enumerate().skip(k + 1) {
                    if count_nine(union_of_three | fourth) <= N {
                        chosen[3] = l;
                        visit(chosen, union_of_three | fourth);
                    }
                }
            }
        }
    }
}

/// The bits that are set in at least `N` of these words, as a mask.
pub(super) fn bits_in_at_least<const N: usize>(words: &[u32]) -> u32 {
    // `at_least[n]` has the bits that are set in more than n of the words seen so far.
    let mut at_least = [0; N];
    for word in words {
        for n in (1..N).rev() {
            at_least[n] |= at_least[n - 1] & word;
        }
        at_least[0] |= word;
    }
    at_least[N - 1]
}

/// Rules out subsets whose complement was searched without result. If N of the k unsolved cells of a house form a naked
/// subset, the other k - N cells form a hidden subset, and the reverse. In the same way, fish in rows are complements
/// of fish in columns.
pub(super) struct ComplementCheck {
    size: usize,
    /// How many sizes of complements, from size 2 on, have been searched without result.
    complements: usize,
}

impl ComplementCheck {
    /// Creates the check for subsets of this size. `complements` are the techniques that find complements of the sizes
    /// 2, 3 and so on. They are only used if all of them have found nothing on this board.
    pub(super) fn new(
        size: usize,
        board: &Position,
        complements: &[TechniqueName],
        found: &Steps,
    ) -> ComplementCheck {
        let are_missed = complements
            .iter()
            .all(|mirror| board.is_missed(*mirror, found));
        ComplementCheck {
            size,
            complements: if are_missed { complements.len() } else { 0 },
        }
    }

    /// Whether a subset among `open` cells, digits or lines is impossible. If its complement would have size 1 (a
    /// single), `has_single` tells whether there may be one.
    pub(super) fn rules_out(&self, open: usize, has_single: impl FnOnce() -> bool) -> bool {
        match open.checked_sub(self.size) {
            None | Some(0) => true,
            Some(1) => !has_single(),
            Some(size) => size < 2 + self.complements,
        }
    }
}

/// If a subset lies in two houses and removes candidates from both, the other cells of the two houses; otherwise
/// `None`.
pub(super) fn rest_of_both(
    board: &Candidates,
    houses: [House; 2],
    cells: CellSet,
    digits: DigitSet,
) -> Option<CellSet> {
    let open_places = digits.fold(CellSet::EMPTY, |all, digit| all | board.open_places(digit));
    let rests = houses.map(|house| house.cells() & !cells);
    let lies_in_both = houses
        .into_iter()
        .all(|house| cells.is_subset(house.cells()));
    let both_lose = rests
        .into_iter()
        .all(|rest| !(rest & open_places).is_empty());
    (lies_in_both && both_lose).then_some(rests[0] | rests[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_counted_across_words() {
        let words = [0b0111, 0b0011, 0b0001, 0b1001];
        assert_eq!(bits_in_at_least::<2>(&words), 0b0011);
        assert_eq!(bits_in_at_least::<3>(&words), 0b0001);
        assert_eq!(bits_in_at_least::<4>(&words), 0b0001);
        assert_eq!(bits_in_at_least::<3>(&words[..2]), 0);
    }

    #[test]
    fn finds_every_choice_with_a_small_union() {
        let sets = [0b0011, 0b0110, 0b0101, 0b1100, 0b0001];
        let mut pairs = Vec::new();
        for_each_locked_choice::<2>(&sets, |choice, union| pairs.push((choice, union)));
        assert_eq!(pairs, [([0, 4], 0b0011), ([2, 4], 0b0101)]);
        let mut triples = 0;
        for_each_locked_choice::<3>(&sets, |_, _| triples += 1);
        assert_eq!(triples, 5, "any three of 0, 1, 2, 4; and 2, 3, 4");
    }
}
