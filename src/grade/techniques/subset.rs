//! What naked subsets, hidden subsets and fish share: N sets whose union has at most N members.

use crate::board::{Candidates, CellSet, DigitSet, House, count_nine};

/// Calls `visit` with every choice of `N` of the sets whose union has at most `N` members, and
/// with that union. Sets are bit masks; the choice is the places of the sets in `sets`.
pub(super) fn for_each_locked_choice<const N: usize>(
    sets: &[u16],
    mut visit: impl FnMut([usize; N], u16),
) {
    if sets.len() < N {
        return;
    }
    let mut chosen = [0; N];
    choose(sets, 0, 0, 0, &mut chosen, &mut visit);
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

fn choose<const N: usize>(
    sets: &[u16],
    from: usize,
    depth: usize,
    union: u16,
    chosen: &mut [usize; N],
    visit: &mut impl FnMut([usize; N], u16),
) {
    if depth == N {
        visit(*chosen, union);
        return;
    }
    // So many have to be left for the other places.
    for at in from..=sets.len() - (N - depth) {
        let union = union | sets[at];
        if count_nine(union) <= N {
            chosen[depth] = at;
            choose(sets, at + 1, depth + 1, union, chosen, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
