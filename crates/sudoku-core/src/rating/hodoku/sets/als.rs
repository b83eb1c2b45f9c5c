//! HoDoKu's almost locked sets, and their links: digits that only one of two sets can contain.

use std::ops::Range;

use crate::bit_rows::{BitRows, add, bits};
use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet};
use crate::grade::almost_locked_sets;

/// An almost locked set: n cells of a house that together have n + 1 digits.
pub(crate) struct Als {
    pub(crate) cells: CellSet,
    pub(crate) digits: DigitSet,
    /// The digits for which some place outside the set sees all their places in the set.
    seeing: DigitSet,
    /// For each digit of the set, the places outside that see all its places in the set.
    seen: [CellSet; 9],
}

impl Als {
    /// The places of the digit outside the set that see all its places in the set.
    pub(crate) fn seen(&self, digit: Digit) -> CellSet {
        self.seen[digit.index()]
    }

    /// The candidates of these digits that see all places of the same digit in both sets.
    pub(crate) fn seen_by_both<'a>(
        &'a self,
        other: &'a Als,
        digits: DigitSet,
    ) -> impl Iterator<Item = (Cell, Digit)> {
        digits.flat_map(|digit| {
            let seen = self.seen(digit) & other.seen(digit);
            seen.map(move |cell| (cell, digit))
        })
    }
}

/// A link between two almost locked sets, which must not overlap.
pub(crate) struct Link {
    pub(crate) first: usize,
    /// The index of the second set, greater than `first`.
    pub(crate) second: usize,
    /// The restricted common digits, one or two: only one of the two sets can contain such a digit.
    pub(crate) digits: DigitSet,
}

/// For each digit and cell, which of 64 consecutive almost locked sets have the digit in the cell, as bits.
type Holders = [[u64; 81]; 9];

/// The almost locked sets of a board and their links.
#[derive(Default)]
pub(crate) struct AlmostLocked {
    /// The almost locked sets, in the order of [`almost_locked_sets`].
    pub(crate) sets: Vec<Als>,
    /// The links, ordered by their first set, then by their second set.
    pub(crate) links: Vec<Link>,
    /// For each set, the end in `links` of its links to later sets. They begin where those of the previous set end.
    ends: Vec<usize>,
    /// For every 64 sets, which of them have which digit in which cell.
    holders: Vec<Holders>,
    /// For each digit, the empty cells that have it as a candidate.
    places: [CellSet; 9],
}

impl AlmostLocked {
    /// Finds the almost locked sets of a board, without their links.
    pub(crate) fn new(board: &Candidates) -> AlmostLocked {
        let mut almost_locked = AlmostLocked {
            places: board.all_open_places(),
            ..AlmostLocked::default()
        };
        for set in almost_locked_sets(&board.by_cell(), board.unsolved()) {
            almost_locked.push(set.cells, set.digits);
        }
        almost_locked
    }

    fn push(&mut self, cells: CellSet, digits: DigitSet) {
        let (word, bit) = (self.sets.len() / 64, self.sets.len() % 64);
        if bit == 0 {
            self.holders.push([[0; 81]; 9]);
        }
        let mut seen = [CellSet::EMPTY; 9];
        for digit in digits {
            let places = self.places[digit.index()];
            let holders = &mut self.holders[word][digit.index()];
            seen[digit.index()] = (cells & places).fold(places, |seen, cell| {
                holders[cell.index()] |= 1 << bit;
                seen & cell.peers()
            });
        }
        self.sets.push(Als {
            cells,
            digits,
            seeing: (digits.filter(|digit| !seen[digit.index()].is_empty())).collect(),
            seen,
        });
    }

    /// Appends the links of the next set to later sets, and returns their range in `links`. If two sets have more than
    /// two restricted common digits, the link keeps the first and the last of them, as in HoDoKu.
    pub(crate) fn link_next(&mut self) -> Range<usize> {
        let first = self.ends.len();
        let a = &self.sets[first];
        for word in first / 64..self.holders.len() {
            let mut linked = [0; 9];
            for digit in a.seeing {
                linked[digit.index()] = self.linked(a, digit, word);
            }
            let any: u64 = linked.iter().fold(0, |any, sets| any | sets);
            for bit in bits(any) {
                let second = 64 * word + bit;
                if second <= first || !(a.cells & self.sets[second].cells).is_empty() {
                    continue;
                }
                let is_linked = |digit: &Digit| linked[digit.index()] >> bit & 1 == 1;
                let mut linked_digits = Digit::ALL.into_iter().filter(is_linked);
                let ends = [linked_digits.next(), linked_digits.next_back()];
                self.links.push(Link {
                    first,
                    second,
                    digits: ends.into_iter().flatten().collect(),
                });
            }
        }
        self.ends.push(self.links.len());
        self.links_of(first)
    }

    /// As bits, the sets of a group of 64 that have the digit only in places that see all its places in `set`.
    fn linked(&self, set: &Als, digit: Digit, word: usize) -> u64 {
        let holders = &self.holders[word][digit.index()];
        let holders_in = |cells: CellSet| cells.fold(0, |sets, cell| sets | holders[cell.index()]);
        let seen = set.seen(digit);
        match holders_in(seen) {
            0 => 0,
            sets => sets & !holders_in(self.places[digit.index()].without(seen)),
        }
    }

    /// The range in `links` of the links from this set to later sets.
    pub(crate) fn links_of(&self, set: usize) -> Range<usize> {
        let start = set.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[set]
    }

    /// For each set, the sets with which it can remove a candidate: some candidate sees all places of its digit in both
    /// sets. The row of a set can contain the set itself.
    pub(crate) fn partners(&self) -> BitRows {
        let count = self.sets.len();
        let number = |(cell, digit): (Cell, Digit)| 9 * cell.index() + digit.index();
        let mut seeing = BitRows::new(9 * 81, count);
        for (at, set) in self.sets.iter().enumerate() {
            for candidate in set.seen_by_both(set, set.seeing) {
                seeing.insert(number(candidate), at);
            }
        }
        let mut partners = BitRows::new(count, count);
        for (at, set) in self.sets.iter().enumerate() {
            for candidate in set.seen_by_both(set, set.seeing) {
                add(partners.row_mut(at), seeing.row(number(candidate)));
            }
        }
        partners
    }
}
