//! Vectors with a word for each of sixteen cells of one board. With them, the solver scores many
//! guesses at once.

use super::words::Words;

/// A vector with a word for each of sixteen cells.
pub(crate) trait Cells: Words {
    /// The type of a list of up to 64 numbers, each below 128.
    type Numbers: Copy;

    /// The numbers of the bits that are set, in ascending order, followed by 127s. Bit n of `bits[1]`
    /// has the number 64 + n. At most 64 bits may be set, and at least one bit of `bits[0]` must be
    /// clear.
    fn numbers(proof: Self::Proof, bits: [u64; 2]) -> Self::Numbers;

    /// The first sixteen numbers, and the list of the remaining ones.
    fn next_sixteen(numbers: Self::Numbers) -> (Self, Self::Numbers);

    /// Loads the words from memory.
    fn load(proof: Self::Proof, words: &[u32; 16]) -> Self;

    /// For each word, the word at this index in a table of 32. Only the low five bits of an index
    /// count.
    fn lookup(self, table: [Self; 2]) -> Self;

    /// For each word, `1 << word`. Only the low five bits of the word count.
    fn bit(self) -> Self;

    /// The number of bits set in each word.
    fn count_ones(self) -> Self;

    /// The number of the highest bit set in each word; all bits set for a word that is 0.
    fn highest(self) -> Self;

    /// The smaller word of each pair.
    fn min(self, others: Self) -> Self;

    /// The smallest word of all lanes.
    fn lowest(self) -> u32;

    /// In each lane, the word of `others` if `one` is less than `other`, and otherwise the word of
    /// `self`.
    fn replace_where_lower(self, one: Self, other: Self, others: Self) -> Self;

    /// In each lane, the word of `others` if `test` has any of `bits`, and otherwise the word of
    /// `self`.
    fn replace_where_any(self, test: Self, bits: Self, others: Self) -> Self;

    /// The words of `self`; where `test` has any of `bits`, `bit` is set too.
    fn or_where_any(self, test: Self, bits: Self, bit: u32) -> Self;
}

/// An algorithm on the cells of one board, written once for all instruction sets.
///
/// All of its code must be inlined into [`CellWork::run`], as into
/// [`LaneWork::run`](super::LaneWork::run).
pub(crate) trait CellWork {
    /// The result type.
    type Output;

    /// Runs the work.
    fn run<C: Cells>(self, proof: C::Proof) -> Self::Output;
}
