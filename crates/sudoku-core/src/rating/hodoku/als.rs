//! Almost locked sets, and the digits that two of them cannot both have.

use super::part::Part;
use super::state::State;
use super::tables::{has, members};
use crate::board::{CellSet, Digit, DigitSet, House};

/// Cells of a house with one digit more than cells.
pub(super) struct Als {
    pub(super) cells: CellSet,
    pub(super) digits: DigitSet,
    /// By digit, the index of the cells that have it in [`AlmostLocked::places`].
    places: [u16; 9],
}

/// Cells of an almost locked set that have a digit.
struct Places {
    cells: CellSet,
    /// The other cells that have the digit and see all of these.
    seen: CellSet,
}

/// Two almost locked sets and their restricted common digits: one or two digits that only one of the two
/// sets can have.
pub(super) struct Link {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) digits: [Option<Digit>; 2],
}

/// The almost locked sets of a state and their links.
#[derive(Default)]
pub(super) struct AlmostLocked {
    /// House by house, each subset of cells before those that it begins. A set that lies in two houses is
    /// listed once.
    pub(super) sets: Vec<Als>,
    /// The links between sets that do not overlap, by first and second set.
    pub(super) links: Vec<Link>,
    /// By digit: many sets share the same cells of a digit.
    places: [Vec<Places>; 9],
}

impl AlmostLocked {
    pub(super) fn new(state: &State) -> AlmostLocked {
        let mut all = AlmostLocked::default();
        for house in House::ALL {
            let part = Part::new(state, house.cells() & state.empty());
            // Sets of other houses seldom have the same cells of a digit.
            let known = all.places.each_ref().map(Vec::len);
            part.subsets(0, &mut |chosen, digits| -> Option<()> {
                if digits.count_ones() == chosen.count_ones() + 1 {
                    let cells = part.cells(chosen);
                    if is_first_house(house, cells) {
                        all.push(state, (cells, DigitSet::from_bits(digits)), known);
                    }
                }
                None
            });
        }
        all.links = all.links();
        all
    }

    fn push(&mut self, state: &State, (cells, digits): (CellSet, DigitSet), known: [usize; 9]) {
        let mut places = [0; 9];
        for digit in digits {
            let of_digit = &mut self.places[digit.index()];
            let cells = cells & state.places(digit);
            let mut new = of_digit[known[digit.index()]..].iter();
            let at = match new.position(|places| places.cells == cells) {
                Some(at) => known[digit.index()] + at,
                None => {
                    let seen = cells.common_peers() & state.places(digit);
                    of_digit.push(Places { cells, seen });
                    of_digit.len() - 1
                }
            };
            places[digit.index()] = at as u16;
        }
        self.sets.push(Als {
            cells,
            digits,
            places,
        });
    }

    /// The other cells with a digit of the set that see all of its cells with this digit.
    pub(super) fn seen(&self, set: &Als, digit: Digit) -> CellSet {
        self.places[digit.index()][usize::from(set.places[digit.index()])].seen
    }

    /// The cells that see all places of the digit in both sets.
    pub(super) fn seen_by(&self, a: &Als, b: &Als, digit: Digit) -> CellSet {
        self.seen(a, digit) & self.seen(b, digit)
    }

    /// All links. A third digit replaces the second one, as in the reference.
    fn links(&self) -> Vec<Link> {
        let words = self.sets.len().div_ceil(64).max(1);
        let linked = Digit::ALL.map(|digit| self.linked(digit, words));
        let mut links = Vec::new();
        for (first, a) in self.sets.iter().enumerate() {
            let of_digit = |digit: Digit| {
                let at = usize::from(a.places[digit.index()]);
                &linked[digit.index()][at * words..][..words]
            };
            let any = |word: usize| {
                let words = a.digits.into_iter().map(|digit| of_digit(digit)[word]);
                words.fold(0, |all, word| all | word)
            };
            // Later sets only.
            let from = first / 64;
            let later = (from..words).map(|word| match word == from {
                true => any(word) & !1 << (first % 64),
                false => any(word),
            });
            for second in members(later).map(|second| 64 * from + second) {
                if !(a.cells & self.sets[second].cells).is_empty() {
                    continue;
                }
                let mut digits = [None; 2];
                for digit in a.digits.filter(|digit| has(of_digit(*digit), second)) {
                    digits[usize::from(digits[0].is_some())] = Some(digit);
                }
                links.push(Link {
                    first,
                    second,
                    digits,
                });
            }
        }
        links
    }

    /// For each of the places of a digit, the sets all of whose places it sees, as `words` words of bits.
    fn linked(&self, digit: Digit, words: usize) -> Vec<u64> {
        let places = &self.places[digit.index()];
        let mut sets = vec![0; places.len() * words];
        for (at, set) in self.sets.iter().enumerate() {
            if set.digits.contains(digit) {
                let row = usize::from(set.places[digit.index()]) * words;
                sets[row + at / 64] |= 1 << (at % 64);
            }
        }
        let mut linked = vec![0; places.len() * words];
        // Most places see no others.
        let mut seeing: Vec<usize> = (0..places.len())
            .filter(|at| !places[*at].seen.is_empty())
            .collect();
        let first = |at: &usize| places[*at].cells.first();
        seeing.sort_unstable_by_key(first);
        for one in &seeing {
            let row = &mut linked[one * words..][..words];
            for cell in places[*one].seen {
                let from = seeing.partition_point(|at| first(at) < Some(cell));
                let mut others = seeing[from..].iter();
                while let Some(other) = others.next().filter(|at| first(at) == Some(cell)) {
                    if places[*other].cells.is_subset(places[*one].seen) {
                        let sets = &sets[other * words..][..words];
                        row.iter_mut().zip(sets).for_each(|(row, set)| *row |= set);
                    }
                }
            }
        }
        linked
    }
}

/// Whether the house is the first one, in the order rows, columns, blocks, that has all of the cells.
fn is_first_house(house: House, set: CellSet) -> bool {
    set.first().is_some_and(|cell| {
        let mut houses = cell.houses().into_iter();
        houses.find(|other| set.is_subset(other.cells())) == Some(house)
    })
}
