//! The almost locked sets of a board by table, for the quick finders.

use std::ops::Range;

use wide::u16x8;

use super::eights::{CELL_COUNTS, bits, count, zeros};
use crate::board::{Cell, CellSet, Digit, DigitSet, House, HouseKind};
use crate::grade::Position;

/// An almost locked set.
pub(super) struct QuickSet {
    /// A house of the cells, and the cells as numbered by [`House::project`].
    pub(super) house: House,
    pub(super) places: u16,
    pub(super) cells: CellSet,
    pub(super) digits: DigitSet,
    /// The number of sets among those of the house that come before this one.
    before: u16,
}

impl QuickSet {
    /// The houses that have all the cells.
    pub(super) fn houses(&self) -> impl Iterator<Item = House> {
        let cells = self.cells;
        let first = cells.first().map(Cell::houses);
        let houses = first.into_iter().flatten();
        houses.filter(move |house| cells.is_subset(house.cells()))
    }
}

/// The almost locked sets of a board.
pub(super) struct QuickSets {
    /// Every set once, house by house.
    pub(super) all: Vec<QuickSet>,
    /// By house: its sets in `all`.
    of_house: [Range<usize>; 27],
    /// The places and digits of all sets, house by house. Those that lie in several houses are there
    /// several times.
    within: Vec<(u16, u16)>,
    /// By house: its sets in `within`. Smaller sets come before the larger ones that have all their
    /// cells.
    within_house: [Range<usize>; 27],
}

impl QuickSets {
    pub(super) fn from_position(board: &Position) -> QuickSets {
        let mut sets = QuickSets {
            all: Vec::with_capacity(384),
            of_house: [const { 0..0 }; 27],
            within: Vec::with_capacity(640),
            within_house: [const { 0..0 }; 27],
        };
        let mut choices = Choices::new();
        for (house, open) in House::ALL
            .into_iter()
            .zip(House::project_all(board.unsolved()))
        {
            let (first, first_within) = (sets.all.len(), sets.within.len());
            choices.fill(board, house, open);
            choices.for_each_set(|places, digits| {
                if !is_listed_elsewhere(house, places) {
                    sets.all.push(QuickSet {
                        house,
                        places,
                        cells: house.unproject(places),
                        digits: DigitSet::from_bits(digits),
                        before: (sets.within.len() - first_within) as u16,
                    });
                }
                sets.within.push((places, digits));
            });
            sets.of_house[house.index()] = first..sets.all.len();
            sets.within_house[house.index()] = first_within..sets.within.len();
        }
        sets
    }

    /// The sets of a house, without those that are listed in another one.
    pub(super) fn of_house(&self, house: House) -> Range<usize> {
        self.of_house[house.index()].clone()
    }

    /// The links of a set that chains need.
    pub(super) fn needed(&self, set: &QuickSet) -> Needed {
        let mut needless = [u16x8::ZERO, u16x8::ZERO];
        let within = &self.within[self.within_house[set.house.index()].clone()];
        for &(places, digits) in &within[..usize::from(set.before)] {
            if places & !set.places == 0 {
                let digits = u16x8::splat(digits);
                for (needless, bits) in needless.iter_mut().zip(DIGIT_BITS) {
                    let bits = u16x8::new(bits);
                    *needless |= (digits & bits).simd_eq(bits) & digits;
                }
            }
        }
        let [low, high] = needless.map(u16x8::to_array);
        Needed {
            digits: set.digits,
            needless: [low, high],
        }
    }
}

/// The bits of the digits; behind the last digit a bit that no digit has.
const DIGIT_BITS: [[u16; 8]; 2] = [
    [1, 2, 4, 8, 16, 32, 64, 128],
    [256, 512, 512, 512, 512, 512, 512, 512],
];

/// The links between the digits of a set that smaller sets do not make needless.
pub(super) struct Needed {
    digits: DigitSet,
    /// By digit x, in eights: the digits z that are with x in a smaller set among the cells. Its
    /// places of x and of z are among those here. So they see more, and each chain over x and z of
    /// this set is also one over the smaller set.
    needless: [[u16; 8]; 2],
}

impl Needed {
    /// The digits whose links with this one chains need.
    pub(super) fn with(&self, digit: Digit) -> DigitSet {
        let mut others = self.digits;
        others.remove(digit);
        let needless = self.needless.as_flattened()[digit.index()];
        others.intersection(DigitSet::from_bits(needless).complement())
    }
}

/// All choices of open cells of a house: bit n of a choice's number stands for the n-th open cell.
struct Choices {
    /// The number of choices.
    len: usize,
    /// By choice: its places in the house, and its digits.
    places: [u16; 512],
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

    /// Replaces the choices by those of the open cells of a house.
    fn fill(&mut self, board: &Position, house: House, open: u16) {
        self.len = 1;
        for place in bits(open.into()) {
            let own = board.by_cell()[house.cell(place).index()].bits();
            // Each choice so far, also with this cell.
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

    /// Visits the places and the digits of each almost locked set.
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

/// Whether a row or a column has all these cells of a box, or a row those of a column.
fn is_listed_elsewhere(house: House, places: u16) -> bool {
    let within = |all: &[u16]| all.iter().any(|all| places & !all == 0);
    match house.kind() {
        HouseKind::Row => false,
        HouseKind::Column => places.is_power_of_two(),
        HouseKind::Box => within(&[0o007, 0o070, 0o700, 0o111, 0o222, 0o444]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sets::almost_locked_sets;
    use super::*;
    use crate::generate::Generator;
    use crate::grade::Ladder;

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
            let slow = almost_locked_sets(&board);
            let slow = slow.iter().map(|set| (set.cells.bits(), set.digits.bits()));
            let at = format!("seed {seed}: {puzzle}");
            assert_eq!(sorted(quick.collect()), sorted(slow.collect()), "{at}");
        }
    }
}
