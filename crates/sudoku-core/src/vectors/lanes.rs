//! The traits for vectors with one puzzle in each lane, and for the algorithms on them.

use super::cells::CellWork;
use super::digits::Digits;
use super::words::Words;

/// A vector of `N` lanes with a 32-bit word each. Usually each lane has a different puzzle. In
/// [`Lanes::Nine`], each lane has a digit.
pub(crate) trait Lanes<const N: usize>: Words {
    /// The type for one board, with a word for each of its nine digits. It consists of as many of these vectors
    /// as nine words need.
    type Nine: Digits<Proof = Self::Proof>;

    /// Exchanges the words of all pairs of lanes whose numbers differ only in the bit `BY`, which is 1, 2, 4
    /// or 8 and less than `N`.
    fn exchange<const BY: usize>(self) -> Self;

    /// Two new vectors: the lower halves of `low` and `high` side by side, and their upper halves side by
    /// side.
    fn halves(low: Self, high: Self) -> [Self; 2];

    /// Loads a word for each lane from memory.
    fn load(proof: Self::Proof, words: &[u32; N]) -> Self;

    /// Stores the word of each lane to memory.
    fn store(self, words: &mut [u32; N]);

    /// Tests one bit, a number from 0 to 31, in each of 32 words. Bit n of the result is set if word n has this
    /// bit.
    fn words_with_bit(proof: Self::Proof, words: &[u32; 32], bit: u32) -> u32;

    /// Runs a step of an algorithm, compiled for the instruction set of this vector type.
    #[inline(always)]
    fn step<S: LaneStep<Self, N>>(proof: Self::Proof, step: S) -> S::Output {
        step.run(proof)
    }

    /// Runs an algorithm on sixteen cells of one board at a time; `None` if the instruction set does not
    /// support it.
    #[inline(always)]
    fn on_cells<W: CellWork>(proof: Self::Proof, work: W) -> Option<W::Output> {
        let _ = (proof, work);
        None
    }
}

/// A step of an algorithm, run on all lanes at once.
pub(crate) trait LaneStep<V: Lanes<N>, const N: usize> {
    /// The result type of the step. It should be a bit mask, because a vector would be returned through
    /// memory.
    type Output;

    /// Runs the step on all lanes.
    fn run(self, proof: V::Proof) -> Self::Output;
}

/// An algorithm on lanes, written once for all instruction sets.
///
/// All of its code, closures included, must be inlined into [`LaneWork::run`]. A function that is not inlined
/// is compiled for the oldest supported machine, and vectors are passed to it through memory.
pub(crate) trait LaneWork {
    /// The result type of the algorithm.
    type Output;

    /// Runs the algorithm with the vector type `V`, which has `N` lanes.
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::vectors::Vectors;

    struct WordsWithBit<'a>(&'a [u32; 32], u32);

    impl LaneWork for WordsWithBit<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) -> u32 {
            V::words_with_bit(proof, self.0, self.1)
        }
    }

    #[test]
    fn a_bit_is_found_in_the_words_that_have_it() {
        for seed in 0..100 {
            let rng = &mut Rng::for_item(70, seed);
            let words: [u32; 32] = std::array::from_fn(|_| rng.below(1 << 32) as u32);
            for bit in 0..32 {
                let with_bit = |n: usize| (words[n] >> bit & 1) << n;
                let expected = (0..32).fold(0, |all, n| all | with_bit(n));
                for (name, vectors) in Vectors::available() {
                    let found = vectors.run(WordsWithBit(&words, bit));
                    assert_eq!(found, expected, "{name}, seed {seed}, bit {bit}");
                }
            }
        }
    }
}
