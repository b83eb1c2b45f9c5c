//! Finds the almost locked sets of a board by lookup tables, for the searches that do not list steps.

use std::ops::Range;

use wide::u16x8;

use super::eights::{CELL_COUNTS, count, zeros};
use super::nodes::{is_in_crossing, seen};
use crate::bit_rows::bits;
use crate::board::{Cell, CellSet, Digit, DigitSet, House, HouseKind};
use crate::grade::Position;

/// An almost locked set: n cells of a house that together have n + 1 digits.
pub(super) struct QuickSet {
    /// A house that contains all cells of the set. `places` are the positions of these cells in the house, as bits.
    pub(super) house: House,
    pub(super) places: u16,
    pub(super) cells: CellSet,
    pub(super) digits: DigitSet,
    /// The digits that exclude a candidate outside the set: an open place outside sees all places of the digit in the
    /// set.
    pub(super) outward: DigitSet,
    /// The digits in `outward`, and the digits with a single place in the set. A digit with a single place excludes the
    /// other candidates of its cell.
    pub(super) useful: DigitSet,
    /// For each digit x, the digits z for which a smaller set within the same cells has both x and z. Each chain over x
    /// and z of this set is also a chain over the smaller set, because there x and z have no more places, and at least
    /// as many cells see them all. Stored in groups of eight; all 0 if the set has fewer than two useful digits.
    needless: [[u16; 8]; 2],
}

impl QuickSet {
    /// The houses that contain all cells of the set: three for a single cell, otherwise one or two.
    pub(super) fn houses(&self) -> impl Iterator<Item = House> {
        let cells = self.cells;
        let first = cells.first().map(Cell::houses);
        let houses = first.into_iter().flatten();
        houses.filter(move |house| cells.is_subset(house.cells()))
    }

    /// The digits of the set that chains need to link with this digit: no smaller set within the same cells has both
    /// digits.
    pub(super) fn needed_with(&self, digit: Digit) -> DigitSet {
        let mut others = self.digits;
        others.remove(digit);
        let needless = self.needless.as_flattened()[digit.index()];
        others.intersection(DigitSet::from_bits(needless).complement())
    }
}

/// All almost locked sets of a board.
pub(super) struct QuickSets {
    /// The almost locked sets, ordered by house. Each set is listed once.
    pub(super) all: Vec<QuickSet>,
    /// For each house, the range of its sets in `all`.
    of_house: [Range<usize>; 27],
}

impl QuickSets {
    pub(super) fn from_position(board: &Position) -> QuickSets {
        let mut sets = QuickSets {
            all: Vec::with_capacity(384),
            of_house: [const { 0..0 }; 27],
        };
        let mut choices = Choices::new();
        // All almost locked sets of the current house, even sets that are listed for another house. A smaller set comes
        // before all larger sets that contain its cells.
        let mut within = Vec::with_capacity(8);
        for (house, open) in House::ALL
            .into_iter()
            .zip(House::project_all(board.unsolved()))
        {
            let first = sets.all.len();
            let of_digits = OpenPlaces::of_house(board, house);
            within.clear();
            let mut count = 0;
            choices.fill(board, house, open);
            choices.for_each_set(|places, digits| {
                if !is_listed_elsewhere(house, places) {
                    let all = DigitSet::from_bits(digits);
                    let outward = of_digits.outward(places).intersection(all);
                    let useful = outward.union(of_digits.single(places).intersection(all));
                    let needless = if useful.len() < 2 {
                        [[0; 8]; 2]
                    } else {
                        needless(&within, places)
                    };
                    sets.all.push(QuickSet {
                        house,
                        places,
                        cells: house.unproject(places),
                        digits: all,
                        outward,
                        useful,
                        needless,
                    });
                }
                if count % 8 == 0 {
                    within.push(Eight::EMPTY);
                }
                let eight = &mut within[count / 8];
                eight.places[count % 8] = places;
                eight.digits[count % 8] = digits;
                count += 1;
            });
            sets.of_house[house.index()] = first..sets.all.len();
        }
        sets
    }

    /// The range in `all` of the almost locked sets that are listed for this house. A set that is in several houses is
    /// listed only for the first one.
    pub(super) fn of_house(&self, house: House) -> Range<usize> {
        self.of_house[house.index()].clone()
    }
}

/// The places and the digits of up to eight almost locked sets of a house.
struct Eight {
    /// For each set, its places in the house as bits; all bits are set in unused entries.
    places: [u16; 8],
    digits: [u16; 8],
}

impl Eight {
    const EMPTY: Eight = Eight {
        places: [!0; 8],
        digits: [0; 8],
    };
}

/// Computes the field `needless` of the set with these places. `smaller` contains all sets of the house that were found
/// before.
fn needless(smaller: &[Eight], places: u16) -> [[u16; 8]; 2] {
    let mut needless = [u16x8::ZERO; 2];
    for eight in smaller {
        for n in bits(zeros(u16x8::new(eight.places) & u16x8::splat(!places))) {
            let digits = u16x8::splat(eight.digits[n % 8]);
            for (needless, bits) in needless.iter_mut().zip(DIGIT_BITS) {
                let bits = u16x8::new(bits);
                *needless |= (digits & bits).simd_eq(bits) & digits;
            }
        }
    }
    needless.map(u16x8::to_array)
}

/// The bit of each digit. Unused entries have a bit that stands for no digit.
const DIGIT_BITS: [[u16; 8]; 2] = [
    [1, 2, 4, 8, 16, 32, 64, 128],
    [256, 512, 512, 512, 512, 512, 512, 512],
];

/// For each digit, its open places in one house, as vectors.
struct OpenPlaces {
    /// For each digit, its open places in the house as bits, in vectors of eight digits.
    places: [u16x8; 2],
    /// The digits for which an open place outside the house sees all their places in the house.
    outward: DigitSet,
}

impl OpenPlaces {
    fn of_house(board: &Position, house: House) -> OpenPlaces {
        let open = &board.open_by_house()[house.index()];
        let mut padded = [0; 16];
        padded[..9].copy_from_slice(open);
        let (eights, _) = padded.as_chunks();
        let outward = Digit::ALL.into_iter().zip(open).filter(|(digit, places)| {
            is_in_crossing(house, **places) && !seen(board, house, *digit, **places).is_empty()
        });
        OpenPlaces {
            places: [u16x8::new(eights[0]), u16x8::new(eights[1])],
            outward: outward.map(|(digit, _)| digit).collect(),
        }
    }

    /// The digits for which an open place outside `places` sees all their open places in `places`.
    fn outward(&self, places: u16) -> DigitSet {
        // If `places` has all open places of a digit in the house, no other open place of the house sees them.
        let all_here = self.digits_with_none(|open| open & !u16x8::splat(places));
        all_here.complement().union(self.outward)
    }

    /// The digits that have at most one open place among `places`.
    fn single(&self, places: u16) -> DigitSet {
        self.digits_with_none(|open| {
            let own = open & u16x8::splat(places);
            own & (own - u16x8::ONE)
        })
    }

    /// The digits whose open places the function `of_places` maps to the empty set.
    fn digits_with_none(&self, of_places: impl Fn(u16x8) -> u16x8) -> DigitSet {
        let [low, high] = self.places.map(|open| zeros(of_places(open)) as u16);
        DigitSet::from_bits(low | (high & 1) << 8)
    }
}

/// All subsets of the unsolved cells of a house. Bit n of a subset's index is set if it contains the n-th unsolved
/// cell.
struct Choices {
    /// The number of subsets: 2 to the power of the number of unsolved cells.
    len: usize,
    /// For each subset, the positions of its cells in the house, as bits.
    places: [u16; 512],
    /// For each subset, the union of the candidates of its cells, as bits.
    digits: [u16; 512],
}

impl Choices {
    fn new() -> Choices {
        Choices {
            len: 0,
            places: [0; 512],
            digits: [0; 512],
        }
    }

    /// Computes all subsets of the cells `open`, the unsolved cells of a house.
    fn fill(&mut self, board: &Position, house: House, open: u16) {
        self.len = 1;
        for place in bits(open) {
            let own = board.by_cell()[house.cell(place).index()].bits();
            // Append a copy of each subset so far, with this cell added.
            let double = |numbers: &mut [u16; 512], bits: u16| {
                let (without, with) = numbers.split_at_mut(self.len);
                for (with, without) in with.iter_mut().zip(without) {
                    *with = *without | bits;
                }
            };
            double(&mut self.places, 1 << place);
            double(&mut self.digits, own);
            self.len *= 2;
        }
    }

    /// Calls `visit` with the places and the digits of each almost locked set.
    fn for_each_set(&self, mut visit: impl FnMut(u16, u16)) {
        let (places, _) = self.places[..self.len.max(8)].as_chunks::<8>();
        let (digits, _) = self.digits.as_chunks::<8>();
        let valid = if self.len < 8 {
            (1 << self.len) - 1
        } else {
            !0
        };
        for ((places, digits), cells) in places.iter().zip(digits).zip(&CELL_COUNTS) {
            let wanted = u16x8::new(*cells) + u16x8::ONE;
            let sets = zeros(count(u16x8::new(*digits)) - wanted) & valid;
            for n in bits(sets) {
                visit(places[n], digits[n]);
            }
        }
    }
}

/// Whether an almost locked set with these cells is listed for another house: a line instead of a box, or a row instead
/// of a column.
fn is_listed_elsewhere(house: House, places: u16) -> bool {
    match house.kind() {
        HouseKind::Row => false,
        HouseKind::Column => places.is_power_of_two(),
        HouseKind::Box => is_in_crossing(house, places),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::grade::Ladder;
    use crate::grade::almost_locked_sets;

    #[test]
    fn they_are_the_sets_of_the_readable_search() {
        let seed = 19;
        for n in 0..40 {
            let puzzle = Generator::any(seed).puzzle(n).unwrap().puzzle;
            let board = Ladder::named("basic").unwrap().stall(&puzzle);
            let sorted = |mut sets: Vec<(u128, u16)>| {
                sets.sort_unstable();
                sets
            };
            let quick = QuickSets::from_position(&board);
            let quick = (quick.all.iter()).map(|set| (set.cells.bits(), set.digits.bits()));
            let slow = almost_locked_sets(board.by_cell(), board.unsolved());
            let slow = slow.iter().map(|set| (set.cells.bits(), set.digits.bits()));
            let at = format!("seed {seed}: {puzzle}");
            assert_eq!(sorted(quick.collect()), sorted(slow.collect()), "{at}");
        }
    }
}
