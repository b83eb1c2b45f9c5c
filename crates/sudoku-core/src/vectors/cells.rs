//! Vectors with sixteen cells of one board, a word for each, to score many guesses at once.

use super::words::Words;

/// A word for each of sixteen cells.
pub(crate) trait Cells: Words {
    /// Up to 64 numbers below 128.
    type Numbers: Copy;

    /// The numbers of the bits that are set, in order, and then 127s. In the upper word are the bits
    /// from 64 on. There must be a bit that is not set in the lower word, and 64 in all at most.
    fn numbers(proof: Self::Proof, bits: [u64; 2]) -> Self::Numbers;

    /// The first sixteen of the numbers, and the numbers from there on.
    fn next_sixteen(numbers: Self::Numbers) -> (Self, Self::Numbers);

    /// The words from memory.
    fn load(proof: Self::Proof, words: &[u32; 16]) -> Self;

    /// For each word the one at this index in a table of 32. Only the low five bits of an index count.
    fn lookup(self, table: [Self; 2]) -> Self;

    /// For each word the bit with this number. Only the low five bits of a number count.
    fn bit(self) -> Self;

    /// How many bits are set in each word.
    fn count_ones(self) -> Self;

    /// The number of the highest bit in each word; all bits for a word that is 0.
    fn highest(self) -> Self;

    /// The lower word in each lane.
    fn min(self, others: Self) -> Self;

    /// The lowest word of all lanes.
    fn lowest(self) -> u32;

    /// These words; where `one` is lower than `other`, the others.
    fn replace_where_lower(self, one: Self, other: Self, others: Self) -> Self;

    /// These words; where `test` has any of `bits`, the others.
    fn replace_where_any(self, test: Self, bits: Self, others: Self) -> Self;

    /// These words; where `test` has any of `bits`, with this bit too.
    fn or_where_any(self, test: Self, bits: Self, bit: u32) -> Self;
}

/// Work on the cells of one board.
///
/// All of it must be inlined into [`CellWork::run`], as into [`LaneWork::run`](super::LaneWork::run).
pub(crate) trait CellWork {
    /// The result type.
    type Output;

    /// Runs the work.
    fn run<C: Cells>(self, proof: C::Proof) -> Self::Output;
}
