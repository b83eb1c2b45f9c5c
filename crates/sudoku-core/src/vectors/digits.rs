//! The trait for vectors with one board in them: a 32-bit word for each of its nine digits.

use super::words::Words;

/// The words of one board in memory: one for each of the nine digits, and seven unused ones.
pub(crate) type NineWords = [u32; 16];

/// Selects the nine lanes that belong to digits from the mask that [`Words::zero_lanes`] returns.
const DIGIT_LANES: u32 = (1 << 9) - 1;

/// A vector with a 32-bit word for each of the nine digits of one board.
pub(crate) trait Digits: Words {
    /// Loads the words of a board from memory.
    fn load(proof: Self::Proof, words: &NineWords) -> Self;

    /// Stores the words of the board to memory.
    fn store(self, words: &mut NineWords);

    /// Counts, for each bit of three words, the digits that have it; [`Counts`] says what is kept. For the
    /// words in `more`, it only finds the bits that any digit has.
    fn count(proof: Self::Proof, words: [Self; 3], more: [Self; 3]) -> Counts<Self>;

    /// Three masks, each the same in every lane: the bits that are set in the words of at least one, at least
    /// two and at least three digits.
    fn any_three(self, proof: Self::Proof) -> [Self; 3];

    /// The word of the digit 1.
    fn first(self) -> u32;

    /// Whether the words of all digits are 0.
    #[inline(always)]
    fn all_zero(self) -> bool {
        self.zero_lanes() & DIGIT_LANES == DIGIT_LANES
    }
}

/// The result of [`Digits::count`]. Each of its vectors has the same word in all lanes, except in `each` and
/// `several`.
pub(crate) struct Counts<D> {
    /// For each of the three words, the bits that exactly one digit has.
    pub(crate) single: [D; 3],
    /// For each of the three words in the argument `more`, the bits that at least one digit has.
    pub(crate) more: [D; 3],
    /// The bits that at least one digit has in each of the three words. The result is spread over the lanes: a
    /// bit belongs to it if the bit is set in all lanes.
    pub(crate) each: D,
    /// The bits that at least two digits have in one of the three words. The result is spread over the lanes: a
    /// bit belongs to it if the bit is set in any lane.
    pub(crate) several: D,
}
