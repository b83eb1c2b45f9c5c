//! What naked subsets, hidden subsets and fish share: N sets whose union has at most N members.

use crate::board::{Candidates, CellSet, DigitSet, House, count_nine};
use crate::grade::order::TechniqueName;
use crate::grade::{Position, Steps};

/// Calls `visit` with every choice of `N` of the sets whose union has at most `N` members, and
/// with that union. Sets are bit masks; the choice is the places of the sets in `sets`.
pub(super) fn for_each_locked_choice<const N: usize>(
    sets: &[u16],
    visit: impl FnMut([usize; N], u16),
) {
    for_each_locked_choice_among(sets, sets.len(), visit);
}

/// [`for_each_locked_choice`] with at least one of the first so many sets.
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
            let two = first | second;
            if count_nine(two) > N {
                continue;
            }
            chosen[1] = j;
            if N == 2 {
                visit(chosen, two);
                continue;
            }
            for (k, &third) in sets.iter().enumerate().skip(j + 1) {
                let three = two | third;
                if count_nine(three) > N {
                    continue;
                }
                chosen[2] = k;
                if N == 3 {
                    visit(chosen, three);
                    continue;
                }
                for (l, &fourth) in sets.iter().enumerate().skip(k + 1) {
                    if count_nine(three | fourth) <= N {
                        chosen[3] = l;
                        visit(chosen, three | fourth);
                    }
                }
            }
        }
    }
}

/// The bits that at least `N` of the words have.
pub(super) fn in_at_least<const N: usize>(words: &[u32]) -> u32 {
    // at_least[n]: in more than n of the words so far.
    let mut at_least = [0; N];
    for word in words {
        for n in (1..N).rev() {
            at_least[n] |= at_least[n - 1] & word;
        }
        at_least[0] |= word;
    }
    at_least[N - 1]
}

/// Where no subset of N of the open cells, digits or lines can be: a subset of N of k open ones is a
/// subset of the other k - N seen the other way round, naked and hidden, rows and columns.
pub(super) struct NothingLeft {
    n: usize,
    /// How many sizes from 2 on the techniques that see them the other way round have tried.
    mirrors: usize,
}

impl NothingLeft {
    /// The `mirrors` are the techniques that see sizes 2, 3, … the other way round; they count where
    /// they have found nothing on this board.
    pub(super) fn of(
        n: usize,
        board: &Position,
        mirrors: &[TechniqueName],
        found: &Steps,
    ) -> NothingLeft {
        let are_missed = mirrors.iter().all(|mirror| board.is_missed(*mirror, found));
        NothingLeft {
            n,
            mirrors: if are_missed { mirrors.len() } else { 0 },
        }
    }

    /// Whether that is so where `open` ones are; `has_single` tells of a single seen the other way
    /// round.
    pub(super) fn among(&self, open: usize, has_single: impl FnOnce() -> bool) -> bool {
        match open.checked_sub(self.n) {
            None | Some(0) => true,
            Some(1) => !has_single(),
            Some(size) => size < 2 + self.mirrors,
        }
    }
}

/// What is left of two houses when cells that both of them have keep the digits for themselves;
/// `None` unless both houses lose something.
pub(super) fn rest_of_both(
    board: &Candidates,
    houses: [House; 2],
    cells: CellSet,
    digits: DigitSet,
) -> Option<CellSet> {
    let open = digits.fold(CellSet::EMPTY, |all, digit| all | board.open_places(digit));
    let rests = houses.map(|house| house.cells() & !cells);
    let lies_in_both = houses
        .into_iter()
        .all(|house| cells.is_subset(house.cells()));
    let both_lose = rests.into_iter().all(|rest| !(rest & open).is_empty());
    (lies_in_both && both_lose).then_some(rests[0] | rests[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_counted_across_words() {
        let words = [0b0111, 0b0011, 0b0001, 0b1001];
        assert_eq!(in_at_least::<2>(&words), 0b0011);
        assert_eq!(in_at_least::<3>(&words), 0b0001);
        assert_eq!(in_at_least::<4>(&words), 0b0001);
        assert_eq!(in_at_least::<3>(&words[..2]), 0);
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
