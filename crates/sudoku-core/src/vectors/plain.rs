//! Algorithms that use no vectors themselves, but are faster if the compiler may use the instructions of this machine.

/// An algorithm without vectors, which is compiled for AVX2 machines and for all others.
///
/// AVX2 machines also count and find bits with one instruction. All of the algorithm's code must be inlined into
/// [`PlainWork::run`], as into [`LaneWork::run`](super::LaneWork::run).
pub(crate) trait PlainWork {
    /// The result type of the algorithm.
    type Output;

    /// Runs the algorithm.
    fn run(self) -> Self::Output;
}
