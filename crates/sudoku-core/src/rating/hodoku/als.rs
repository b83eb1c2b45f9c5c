//! Almost locked sets, and the digits that two of them cannot both have.

use super::state::State;
use crate::board::{Cell, CellSet, Digit, DigitSet, House};

/// Cells of a house with one digit more than cells.
pub(super) struct Als {
    pub(super) cells: CellSet,
    pub(super) digits: DigitSet,
    /// By digit, the cells that have it.
    pub(super) of: [CellSet; 9],
    /// By digit, the other cells that have it and see all of those.
    pub(super) seen: [CellSet; 9],
}

/// Two almost locked sets and their restricted common digits: one or two digits that only one of the two
/// sets can have.
pub(super) struct Link {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) digits: [Option<Digit>; 2],
}

/// All almost locked sets: house by house, each subset of cells before those that it begins. A set that lies
/// in two houses is listed once.
pub(super) fn all(state: &State) -> Vec<Als> {
    let mut found = Vec::new();
    for house in House::ALL {
        let cells: Vec<Cell> = (house.cells() & state.empty()).collect();
        deeper(
            state,
            &cells,
            (CellSet::EMPTY, DigitSet::EMPTY),
            &mut |set, digits| {
                if digits.len() == set.len() + 1 && is_first_house(house, set) {
                    found.push(Als::new(state, set, digits));
                }
            },
        );
    }
    found
}

/// Whether the house is the first one, in the order rows, columns, blocks, that has all of the cells.
fn is_first_house(house: House, set: CellSet) -> bool {
    set.first().is_some_and(|cell| {
        let mut houses = cell.houses().into_iter();
        houses.find(|other| set.is_subset(other.cells())) == Some(house)
    })
}

fn deeper(
    state: &State,
    cells: &[Cell],
    (chosen, digits): (CellSet, DigitSet),
    visit: &mut impl FnMut(CellSet, DigitSet),
) {
    for (at, cell) in cells.iter().enumerate() {
        let chosen = chosen | CellSet::of(*cell);
        let digits = digits.union(state.digits(*cell));
        visit(chosen, digits);
        deeper(state, &cells[at + 1..], (chosen, digits), visit);
    }
}

impl Als {
    fn new(state: &State, cells: CellSet, digits: DigitSet) -> Als {
        let mut of = [CellSet::EMPTY; 9];
        let mut seen = [CellSet::EMPTY; 9];
        for digit in digits {
            let places = state.places(digit);
            of[digit.index()] = cells & places;
            seen[digit.index()] = of[digit.index()].common_peers() & places;
        }
        Als {
            cells,
            digits,
            of,
            seen,
        }
    }
}

/// The cells that see all places of the digit in both sets.
pub(super) fn seen_by(a: &Als, b: &Als, digit: Digit) -> CellSet {
    a.seen[digit.index()] & b.seen[digit.index()]
}

/// The links between sets that do not overlap, by first and second set. A third digit replaces the second
/// one, as in the reference.
pub(super) fn links(sets: &[Als]) -> Vec<Link> {
    let mut links = Vec::new();
    let cells: Vec<CellSet> = sets.iter().map(|set| set.cells).collect();
    for (first, a) in sets.iter().enumerate() {
        let seen = a
            .seen
            .into_iter()
            .fold(CellSet::EMPTY, |all, cells| all | cells);
        for (second, b_cells) in cells.iter().enumerate().skip(first + 1) {
            if (*b_cells & seen).is_empty() || !(a.cells & *b_cells).is_empty() {
                continue;
            }
            let b = &sets[second];
            let mut digits = [None; 2];
            for digit in a.digits.intersection(b.digits) {
                if b.of[digit.index()].is_subset(a.seen[digit.index()]) {
                    digits[usize::from(digits[0].is_some())] = Some(digit);
                }
            }
            if digits[0].is_some() {
                links.push(Link {
                    first,
                    second,
                    digits,
                });
            }
        }
    }
    links
}
