//! Vectors with a 32-bit word for each of sixteen cells of one board. With them, the solver scores many
//! guesses at once.

use super::words::Words;

/// A vector with a 32-bit word for each of sixteen cells.
pub(crate) trait Cells: Words {
    /// The type of a list of up to 64 numbers, each below 128.
    type Numbers: Copy;

    /// Lists the numbers of the set bits in ascending order, followed by 127s. Bit n of `bits[1]` has the
    /// number 64 + n. At most 64 bits may be set, and at least one bit of `bits[0]` must be clear.
    fn numbers(proof: Self::Proof, bits: [u64; 2]) -> Self::Numbers;

    /// The first sixteen numbers of the list, one in each lane, and the list of the remaining numbers.
    fn next_sixteen(numbers: Self::Numbers) -> (Self, Self::Numbers);

    /// Loads sixteen words from memory.
    fn load(proof: Self::Proof, words: &[u32; 16]) -> Self;

    /// Looks up each word in a table of 32 words: the word is the index, of which only the low five bits
    /// count.
    fn lookup(self, table: [Self; 2]) -> Self;

    /// For each word w, `1 << w`. Only the low five bits of w count.
    fn bit(self) -> Self;

    /// The number of bits set in each word.
    fn count_ones(self) -> Self;

    /// For each word, the index of its highest set bit; a word without set bits gives a word with all bits
    /// set.
    fn highest(self) -> Self;

    /// For each lane, the smaller one of the two vectors' words.
    fn min(self, others: Self) -> Self;

    /// The smallest of the sixteen words.
    fn lowest(self) -> u32;

    /// In each lane, the word of `others` if `left` is less than `right`, and otherwise the word of
    /// `self`.
    fn replace_where_lower(self, left: Self, right: Self, others: Self) -> Self;

    /// In each lane, the word of `others` if `test` has any of `bits`, and otherwise the word of
    /// `self`.
    fn replace_where_any(self, test: Self, bits: Self, others: Self) -> Self;

    /// In each lane, the word of `self`. If `test` has any of `bits` there, the set bits of `bit` are set as well.
    fn or_where_any(self, test: Self, bits: Self, bit: u32) -> Self;
}

/// An algorithm on the cells of one board, written once for all instruction sets.
///
/// All of its code must be inlined into [`CellWork::run`], as into
/// [`LaneWork::run`](super::LaneWork::run).
pub(crate) trait CellWork {
    /// The result type of the algorithm.
    type Output;

    /// Runs the algorithm with the vector type `C`.
    fn run<C: Cells>(self, proof: C::Proof) -> Self::Output;
}
