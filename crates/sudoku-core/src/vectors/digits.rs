//! The trait for vectors with one board: a word for each of its nine digits.

use super::words::Words;

/// The words of a board in memory: one for each of the nine digits, and seven unused ones.
pub(crate) type NineWords = [u32; 16];

/// A mask of the nine digits in the result of [`Words::zero_lanes`].
const DIGIT_LANES: u32 = (1 << 9) - 1;

/// A word for each of the nine digits of one board.
pub(crate) trait Digits: Words {
    /// Loads the words from memory.
    fn load(proof: Self::Proof, words: &NineWords) -> Self;

    /// Stores the words to memory.
    fn store(self, words: &mut NineWords);

    /// Counts for each bit of three words the digits that have it. For `more`, only finds the bits that
    /// any digit has.
    fn count(proof: Self::Proof, words: [Self; 3], more: [Self; 3]) -> Counts<Self>;

    /// Three masks, each the same in every lane: the bits set for at least one, at least two and at least
    /// three digits.
    fn any_three(self, proof: Self::Proof) -> [Self; 3];

    /// The word of digit 1.
    fn first(self) -> u32;

    /// Whether the words of all digits are 0.
    #[inline(always)]
    fn all_zero(self) -> bool {
        self.zero_lanes() & DIGIT_LANES == DIGIT_LANES
    }
}

/// The result of [`Digits::count`]. All lanes of a vector have the same word, except in `each` and
/// `several`.
pub(crate) struct Counts<D> {
    /// For each of the three words, the bits that exactly one digit has.
    pub(crate) single: [D; 3],
    /// For each of the three further words, the bits that at least one digit has.
    pub(crate) more: [D; 3],
    /// The bits that are set for at least one digit in each of the three words: a bit counts if all lanes
    /// have it.
    pub(crate) each: D,
    /// The bits that are set for at least two digits in one of the three words: a bit counts if any lane
    /// has it.
    pub(crate) several: D,
}
