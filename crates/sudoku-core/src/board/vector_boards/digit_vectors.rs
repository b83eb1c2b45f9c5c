//! Finds hidden singles and locked candidates of all nine digits at once, in vectors with a word for each
//! digit.
//!
//! ```text
//! band[0], band[1], band[2]   the three bands of a board: a vector of 12 words, digit d in word d
//!     bit 9·row + column      row and column within the band, 27 bits
//! ```
//!
//! A place is the only one of its house if exactly one of nine is set. This takes two folds of three
//! neighbours each, which keep the two facts "at least one" and "at least two": first over the three cells
//! of a mini-row, then over the three mini-rows of a row or of a box. Mini-columns and columns are folded
//! likewise. The vectors are those of the crate `wide`, which offers them as safe code on every machine.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use wide::u32x4;

use crate::board::candidates::Candidates;
use crate::board::cell_set::CellSet;

/// A vector with one word for each digit. The last three words are unused.
#[derive(Clone, Copy)]
pub(crate) struct DigitWords([u32x4; 3]);

impl DigitWords {
    pub(crate) const NONE: DigitWords = DigitWords([u32x4::ZERO; 3]);

    /// For each word, all bits set if every bit of `bit` is set in it, and 0 otherwise.
    #[inline(always)]
    pub(crate) fn words_with(self, bit: u32) -> DigitWords {
        let bit = u32x4::splat(bit);
        self.map(|words| (words & bit).simd_eq(bit))
    }

    #[inline(always)]
    fn map(self, f: impl Fn(u32x4) -> u32x4) -> DigitWords {
        let [a, b, c] = self.0;
        DigitWords([f(a), f(b), f(c)])
    }

    #[inline(always)]
    fn map2(self, other: DigitWords, f: impl Fn(u32x4, u32x4) -> u32x4) -> DigitWords {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        DigitWords([f(a, x), f(b, y), f(c, z)])
    }

    #[inline(always)]
    pub(crate) fn from_words(words: [u32; 12]) -> DigitWords {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = words;
        DigitWords([
            u32x4::new([a, b, c, d]),
            u32x4::new([e, f, g, h]),
            u32x4::new([i, j, k, l]),
        ])
    }

    /// The bits that are set in at least one word.
    #[inline(always)]
    pub(crate) fn in_any(self) -> u32 {
        let [a, b, c] = self.0;
        let [w, x, y, z] = (a | b | c).to_array();
        w | x | y | z
    }

    /// The bits that are set in exactly one word.
    #[inline(always)]
    pub(crate) fn in_exactly_one(self) -> u32 {
        let [a, b, c] = self.0;
        let at_least_one = (a | b | c).to_array();
        let at_least_two = (a & b | (a | b) & c).to_array();
        let [mut any, mut several] = [0; 2];
        for (one, two) in at_least_one.into_iter().zip(at_least_two) {
            several |= two | any & one;
            any |= one;
        }
        any & !several
    }

    #[inline(always)]
    fn words(self) -> [[u32; 4]; 3] {
        self.0.map(u32x4::to_array)
    }

    #[inline(always)]
    pub(crate) fn to_words(self) -> [u32; 12] {
        let [[a, b, c, d], [e, f, g, h], [i, j, k, l]] = self.words();
        [a, b, c, d, e, f, g, h, i, j, k, l]
    }

    /// Whether no bit is set.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        let [a, b, c] = self.0;
        (a | b | c).to_array() == [0; 4]
    }
}

impl BitAnd for DigitWords {
    type Output = DigitWords;
    #[inline(always)]
    fn bitand(self, other: DigitWords) -> DigitWords {
        self.map2(other, |a, b| a & b)
    }
}

impl BitOr for DigitWords {
    type Output = DigitWords;
    #[inline(always)]
    fn bitor(self, other: DigitWords) -> DigitWords {
        self.map2(other, |a, b| a | b)
    }
}

impl BitAnd<u32> for DigitWords {
    type Output = DigitWords;
    #[inline(always)]
    fn bitand(self, mask: u32) -> DigitWords {
        let mask = u32x4::splat(mask);
        self.map(|words| words & mask)
    }
}

impl Not for DigitWords {
    type Output = DigitWords;
    #[inline(always)]
    fn not(self) -> DigitWords {
        self.map(|words| !words)
    }
}

impl Shl<u32> for DigitWords {
    type Output = DigitWords;
    #[inline(always)]
    fn shl(self, by: u32) -> DigitWords {
        self.map(|words| words << by)
    }
}

impl Shr<u32> for DigitWords {
    type Output = DigitWords;
    #[inline(always)]
    fn shr(self, by: u32) -> DigitWords {
        self.map(|words| words >> by)
    }
}

/// A mask of the first cell of every row of a band.
const ROWS: u32 = 0o001_001_001;
/// A mask of the first cell of every mini-row of a band.
const MINI_ROWS: u32 = 0o111_111_111;
/// A mask of the first mini-row of every box of a band. Its bits are also the first cells of the boxes.
const BOXES: u32 = 0o111;
/// A mask of the first row of a band. Its bits are also the first cells of the mini-columns.
const MINI_COLUMNS: u32 = 0o777;
/// A mask of the 27 cells of a band.
pub(crate) const BAND: u32 = (1 << 27) - 1;

/// Counts the places of each digit in groups of cells. Each group is one bit in two masks: groups with at
/// least one place, and groups with at least two.
#[derive(Clone, Copy)]
struct GroupCount {
    any: DigitWords,
    several: DigitWords,
}

impl GroupCount {
    #[inline(always)]
    fn from_words(cells: DigitWords) -> GroupCount {
        GroupCount {
            any: cells,
            several: DigitWords::NONE,
        }
    }

    #[inline(always)]
    fn sum(a: GroupCount, b: GroupCount, c: GroupCount) -> GroupCount {
        GroupCount {
            any: a.any | b.any | c.any,
            several: a.several
                | b.several
                | c.several
                | (a.any & b.any)
                | ((a.any | b.any) & c.any),
        }
    }

    /// Adds the count at each bit and the counts `step` and `2 · step` bits above it. Keeps only the sums at
    /// the bits of `firsts`; the other sums have no meaning.
    #[inline(always)]
    fn fold(self, step: u32, firsts: u32) -> GroupCount {
        let sum = self.sum_of_three(step);
        GroupCount {
            any: sum.any & firsts,
            several: sum.several & firsts,
        }
    }

    /// Adds the count at each bit and the counts `step` and `2 · step` bits above it.
    #[inline(always)]
    fn sum_of_three(self, step: u32) -> GroupCount {
        let shifted_counts = |by: u32| GroupCount {
            any: self.any >> by,
            several: self.several >> by,
        };
        GroupCount::sum(self, shifted_counts(step), shifted_counts(2 * step))
    }

    #[inline(always)]
    fn exactly_one(self) -> DigitWords {
        self.any & !self.several
    }
}

/// Copies each bit to the bits `step` and `2 · step` above it. This turns the first place of a group, which
/// [`GroupCount::fold`] keeps, into the whole group.
#[inline(always)]
fn spread(firsts: DigitWords, step: u32) -> DigitWords {
    firsts | firsts << step | firsts << (2 * step)
}

/// The possible cells of the nine digits on a board: a vector for each band, and in it a word for each digit.
#[derive(Clone, Copy)]
pub(crate) struct DigitVectors {
    band: [DigitWords; 3],
}

/// A set of cells for each digit, from digit 1 to digit 9.
type PerDigit = [CellSet; 9];

impl DigitVectors {
    /// For each digit, the unsolved cells in which it is a candidate.
    #[inline(always)]
    pub(crate) fn open(board: &Candidates) -> DigitVectors {
        DigitVectors::from_sets(board.all_places(), board.unsolved())
    }

    /// For each digit, the solved and unsolved cells in which it is a candidate.
    #[inline(always)]
    pub(crate) fn places(board: &Candidates) -> DigitVectors {
        DigitVectors::from_sets(board.all_places(), CellSet::FULL)
    }

    #[inline(always)]
    fn from_sets(sets: &PerDigit, mask: CellSet) -> DigitVectors {
        let mut band = [[0; 12]; 3];
        for (d, cells) in sets.iter().enumerate() {
            let bits = (*cells & mask).bits();
            for (b, words) in band.iter_mut().enumerate() {
                words[d] = (bits >> (27 * b)) as u32 & BAND;
            }
        }
        DigitVectors {
            band: band.map(DigitWords::from_words),
        }
    }

    /// Converts the vectors to a set of cells for each digit; `None` if all sets are empty.
    #[inline(always)]
    fn to_sets(self) -> Option<PerDigit> {
        let [a, b, c] = self.band;
        if (a | b | c).is_empty() {
            return None;
        }
        let words = self.band.map(DigitWords::words);
        let mut sets = [CellSet::EMPTY; 9];
        for (d, cells) in sets.iter_mut().enumerate() {
            let word = |b: usize| u128::from(words[b][d / 4][d % 4]);
            *cells = CellSet::from_bits(word(0) | word(1) << 27 | word(2) << 54);
        }
        Some(sets)
    }

    /// Applies a function to the vector of each band.
    #[inline(always)]
    fn map_bands<T: Copy>(self, f: impl Fn(DigitWords) -> T) -> [T; 3] {
        let [a, b, c] = self.band;
        [f(a), f(b), f(c)]
    }

    /// For each band, how many places each digit has in each mini-row: none, one or several.
    #[inline(always)]
    fn mini_rows(self) -> [GroupCount; 3] {
        self.map_bands(|band| GroupCount::from_words(band).fold(1, MINI_ROWS))
    }

    /// For each band, how many places each digit has in each mini-column: none, one or several.
    #[inline(always)]
    fn mini_columns(self) -> [GroupCount; 3] {
        self.map_bands(|band| GroupCount::from_words(band).fold(9, MINI_COLUMNS))
    }

    #[inline(always)]
    pub(crate) fn from_bands(band: [DigitWords; 3]) -> DigitVectors {
        DigitVectors { band }
    }

    /// Hidden singles in boxes: places that are the only one of their digit in a box; `None` if there are
    /// none.
    pub(crate) fn hidden_singles_in_boxes(mut self) -> Option<PerDigit> {
        self.band = self.lone_places_in_boxes();
        self.to_sets()
    }

    /// Hidden singles in rows and columns: places that are the only one of their digit in a line; `None` if
    /// there are none.
    pub(crate) fn hidden_singles_in_lines(mut self) -> Option<PerDigit> {
        self.band = self.lone_places_in_lines();
        self.to_sets()
    }

    /// The hidden singles in boxes: for each band, a vector with a word for each digit.
    #[inline(always)]
    pub(crate) fn lone_places_in_boxes(mut self) -> [DigitWords; 3] {
        for band in &mut self.band {
            // First add the three cells of each mini-column, then the three mini-columns of each box.
            let columns = GroupCount::from_words(*band).sum_of_three(9);
            let boxes = columns.sum_of_three(1).exactly_one() & BOXES;
            *band = *band & spread(spread(boxes, 9), 1);
        }
        self.band
    }

    /// The hidden singles in rows and columns: for each band, a vector with a word for each digit.
    #[inline(always)]
    pub(crate) fn lone_places_in_lines(mut self) -> [DigitWords; 3] {
        let minis = self.mini_rows();
        let [a, b, c] = self.mini_columns();
        let columns = spread(GroupCount::sum(a, b, c).exactly_one(), 9);
        for (band, minis) in self.band.iter_mut().zip(minis) {
            let rows = minis.fold(3, ROWS).exactly_one();
            *band = *band & (spread(spread(rows, 3), 1) | columns);
        }
        self.band
    }

    /// The hidden singles in rows, columns and boxes. Fails if a digit has no place in a house.
    #[inline(always)]
    pub(crate) fn hidden_singles(mut self) -> Result<DigitVectors, NoPlace> {
        let minis = self.mini_rows();
        let [a, b, c] = self.mini_columns();
        let columns = GroupCount::sum(a, b, c);
        let column_singles = spread(columns.exactly_one(), 9);
        let mut missing_mini_columns = !columns.any & MINI_COLUMNS;
        for (band, minis) in self.band.iter_mut().zip(minis) {
            let rows = minis.fold(3, ROWS);
            let boxes = minis.fold(9, BOXES);
            missing_mini_columns = missing_mini_columns | (!rows.any & ROWS) | (!boxes.any & BOXES);
            let row_singles = spread(spread(rows.exactly_one(), 3), 1);
            let box_singles = spread(spread(boxes.exactly_one(), 9), 1);
            *band = *band & (row_singles | box_singles | column_singles);
        }
        if (missing_mini_columns & DIGITS).is_empty() {
            Ok(self)
        } else {
            Err(NoPlace)
        }
    }

    /// The places of each digit that are in these cells; `None` if there are none.
    #[inline(always)]
    pub(crate) fn within(mut self, cells: CellSet) -> Option<PerDigit> {
        for (b, band) in self.band.iter_mut().enumerate() {
            *band = *band & ((cells.bits() >> (27 * b)) as u32 & BAND);
        }
        self.to_sets()
    }

    /// The removals of locked candidates (pointing): if all places of a digit in a box are in one line, the
    /// digit is removed from the rest of the line.
    pub(crate) fn pointing(mut self) -> Option<PerDigit> {
        let rows = self.mini_rows();
        // Columns: if a mini-column is the only one of its box with places, the digit is removed from the
        // same column in the other two bands.
        let [a, b, c] = self
            .mini_columns()
            .map(|columns| only_of_three(columns.any, 1, BOXES));
        let elsewhere = [b | c, a | c, a | b];
        for ((band, rows), elsewhere) in self.band.iter_mut().zip(rows).zip(elsewhere) {
            // Rows: find the mini-rows that are the only ones of their box with places of a digit.
            let lone_mini_rows = only_of_three(rows.any, 9, BOXES);
            let other_mini_rows = with_neighbour_in(lone_mini_rows, 3, ROWS);
            *band = *band & (spread(other_mini_rows, 1) | spread(elsewhere, 9));
        }
        self.to_sets()
    }

    /// The removals of locked candidates (claiming): if all places of a digit in a line are in one box, the
    /// digit is removed from the rest of the box.
    pub(crate) fn claiming(mut self) -> Option<PerDigit> {
        let rows = self.mini_rows();
        let [a, b, c] = self.mini_columns().map(|columns| columns.any);
        // Columns: find the mini-columns that are the only ones of their column with places of a digit.
        let only_of_column = [a & !(b | c), b & !(a | c), c & !(a | b)];
        for ((band, rows), alone) in self.band.iter_mut().zip(rows).zip(only_of_column) {
            let lone_mini_rows = only_of_three(rows.any, 3, ROWS);
            let box_rows = with_neighbour_in(lone_mini_rows, 9, BOXES);
            let box_columns = with_neighbour_in(alone, 1, BOXES);
            *band = *band & (spread(box_rows, 1) | spread(box_columns, 9));
        }
        self.to_sets()
    }
}

/// All bits whose group has another bit in `taken`. Groups have three bits, `step` apart, the first of them
/// in `firsts`.
#[inline(always)]
fn with_neighbour_in(taken: DigitWords, step: u32, firsts: u32) -> DigitWords {
    let count = GroupCount::from_words(taken).fold(step, firsts);
    spread(count.any, step) & !taken | spread(count.several, step)
}

/// A mask that keeps the nine words of digits, out of twelve.
const DIGITS: DigitWords = DigitWords([
    u32x4::new([!0; 4]),
    u32x4::new([!0; 4]),
    u32x4::new([!0, 0, 0, 0]),
]);

/// The error if a digit has no possible cell in a house.
pub(crate) struct NoPlace;

/// The bits of `taken` that are the only one of their group in `taken`. Groups have three bits, `step` apart,
/// the first of them in `firsts`.
#[inline(always)]
fn only_of_three(taken: DigitWords, step: u32, firsts: u32) -> DigitWords {
    taken
        & spread(
            GroupCount::from_words(taken)
                .fold(step, firsts)
                .exactly_one(),
            step,
        )
}
