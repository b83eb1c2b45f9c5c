//! Vectors with a puzzle in each lane, and the work that is written once for all of them.

use super::cells::CellWork;
use super::words::Words;

/// Words for `N` lanes.
pub(crate) trait Lanes<const N: usize>: Words {
    /// The words from memory.
    fn load(proof: Self::Proof, words: &[u32; N]) -> Self;

    /// The words to memory.
    fn store(self, words: &mut [u32; N]);

    /// Takes a step, compiled for the instructions of these lanes.
    #[inline(always)]
    fn step<S: Step<Self, N>>(proof: Self::Proof, step: S) -> S::Output {
        step.take(proof)
    }

    /// Runs the work on the cells of a board, if there are vectors for that.
    #[inline(always)]
    fn on_cells<W: CellWork>(proof: Self::Proof, work: W) -> Option<W::Output> {
        let _ = (proof, work);
        None
    }
}

/// One step of the work, on all lanes at once.
pub(crate) trait Step<V: Lanes<N>, const N: usize> {
    /// The result type: bits, because vectors would pass through memory.
    type Output;

    /// Runs the step.
    fn take(self, proof: V::Proof) -> Self::Output;
}

/// Work in lanes, for any instruction set.
///
/// All of it must be inlined into [`Work::run`], closures too: what is not is compiled for every
/// machine, and vectors pass through memory on their way there.
pub(crate) trait Work {
    /// The result type.
    type Output;

    /// Runs the work.
    fn run<V: Lanes<N>, const N: usize>(self, proof: V::Proof) -> Self::Output;
}
