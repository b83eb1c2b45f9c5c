//! The traits of vectors with a puzzle in each lane, and of the algorithms that use them.

use super::cells::CellWork;
use super::nine::Digits;
use super::words::Words;

/// Words for `N` lanes.
pub(crate) trait Lanes<const N: usize>: Words {
    /// As many of these vectors as the nine digits of one board need.
    type Nine: Digits<Proof = Self::Proof>;

    /// For each lane the word of the lane whose number differs in the bit `BY`: 1, 2, 4 or 8, less than `N`.
    fn exchange<const BY: usize>(self) -> Self;

    /// The lower halves of two vectors, and their upper halves.
    fn halves(low: Self, high: Self) -> [Self; 2];

    /// Loads the words.
    fn load(proof: Self::Proof, words: &[u32; N]) -> Self;

    /// Stores the words.
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

/// A step of an algorithm, on all lanes at once.
pub(crate) trait LaneStep<V: Lanes<N>, const N: usize> {
    /// The result type. Bits are best, because a vector would be returned through memory.
    type Output;

    /// Runs the step.
    fn run(self, proof: V::Proof) -> Self::Output;
}

/// An algorithm in lanes, written once for all instruction sets.
///
/// All of its code, closures included, must be inlined into [`LaneWork::run`]. A function that is not inlined
/// is compiled for the oldest supported machine, and vectors are passed to it through memory.
pub(crate) trait LaneWork {
    /// The result type.
    type Output;

    /// Runs the work.
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) -> Self::Output;
}
