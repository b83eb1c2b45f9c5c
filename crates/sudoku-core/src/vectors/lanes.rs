//! The traits for vectors with one puzzle in each lane, and for the algorithms on them.

use super::cells::CellWork;
use super::digits::Digits;
use super::words::Words;

/// A vector of `N` lanes with a 32-bit word each.
pub(crate) trait Lanes<const N: usize>: Words {
    /// The type that holds the nine digits of one board, in as many of these vectors as needed.
    type Nine: Digits<Proof = Self::Proof>;

    /// Moves each word to the lane whose number differs in the bit `BY`, which is 1, 2, 4 or 8 and less than
    /// `N`.
    fn exchange<const BY: usize>(self) -> Self;

    /// Two vectors: the lower halves of `low` and `high`, and their upper halves.
    fn halves(low: Self, high: Self) -> [Self; 2];

    /// Loads the words from memory.
    fn load(proof: Self::Proof, words: &[u32; N]) -> Self;

    /// Stores the words to memory.
    fn store(self, words: &mut [u32; N]);

    /// Runs a step that is compiled for the instruction set of these lanes.
    #[inline(always)]
    fn step<S: LaneStep<Self, N>>(proof: Self::Proof, step: S) -> S::Output {
        step.run(proof)
    }

    /// Runs an algorithm on the cells of a board; `None` if the instruction set does not support it.
    #[inline(always)]
    fn on_cells<W: CellWork>(proof: Self::Proof, work: W) -> Option<W::Output> {
        let _ = (proof, work);
        None
    }
}

/// A step of an algorithm, run on all lanes at once.
pub(crate) trait LaneStep<V: Lanes<N>, const N: usize> {
    /// The result type. It should be a bit mask, because a vector would be returned through memory.
    type Output;

    /// Runs the step.
    fn run(self, proof: V::Proof) -> Self::Output;
}

/// An algorithm on lanes, written once for all instruction sets.
///
/// All of its code, closures included, must be inlined into [`LaneWork::run`]. A function that is not inlined
/// is compiled for the oldest supported machine, and vectors are passed to it through memory.
pub(crate) trait LaneWork {
    /// The result type.
    type Output;

    /// Runs the work.
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) -> Self::Output;
}
