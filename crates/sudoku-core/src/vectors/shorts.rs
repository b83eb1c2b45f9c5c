//! Vectors with a 16-bit word in each lane, which holds the candidates of a cell of one board. They
//! have twice as many lanes as [`Lanes`](super::Lanes).

use std::ops::{BitAnd, BitOr, BitXor};

/// A vector of `N` lanes with a 16-bit word each; `N` is at most 32. Every operation but [`Shorts::append`]
/// and [`Shorts::zero_lanes`] works on each lane separately.
pub(crate) trait Shorts<const N: usize>:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// The type whose values prove that this machine has the instruction set of the vector.
    type Proof: Copy;

    /// A vector with this word in every lane.
    fn splat(proof: Self::Proof, word: u16) -> Self;

    /// Copies a word to the lanes whose bits are set in `lanes`; the other lanes are 0.
    fn splat_where(proof: Self::Proof, lanes: u32, word: u16) -> Self;

    /// Loads a word for each lane from memory.
    fn load(proof: Self::Proof, words: &[u16; N]) -> Self;

    /// Stores the word of each lane to memory.
    fn store(self, words: &mut [u16; N]);

    /// Stores the words of the lanes whose bits are set in `lanes` at the start of `words`, without gaps. The
    /// remaining words get unspecified values.
    fn append(self, lanes: u32, words: &mut [u16; N]);

    /// The bits of `self` that are not set in `others`: `self & !others`.
    fn without(self, others: Self) -> Self;

    /// Subtracts one from each word; 0 wraps around to 65,535.
    fn minus_one(self) -> Self;

    /// In each lane, the word of `self` if at most one of its bits is set, and otherwise the word of
    /// `others`.
    fn single_or(self, others: Self) -> Self;

    /// In each lane, the word of `self` unless it is 0, and otherwise the word of `others`.
    fn nonzero_or(self, others: Self) -> Self;

    /// For each lane, the smaller one of the two vectors' words.
    fn min(self, others: Self) -> Self;

    /// A mask of the lanes whose word is 0: bit n for lane n.
    fn zero_lanes(self) -> u32;
}

/// An algorithm on [`Shorts`], written once for all instruction sets. All of its code must be inlined
/// into [`ShortWork::run`], as into [`LaneWork::run`](super::LaneWork::run).
pub(crate) trait ShortWork {
    /// The result type of the algorithm.
    type Output;

    /// Runs the algorithm with the vector type `V`, which has `N` lanes.
    fn run<V: Shorts<N>, const N: usize>(self, proof: V::Proof) -> Self::Output;
}

/// For each mask of eight lanes, the operand of a byte shuffle that moves the 16-bit words of these lanes to
/// the start, without gaps.
#[cfg(target_arch = "x86_64")]
pub(super) static BYTES_OF_LANES: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let mut to = 0;
        let mut lane = 0;
        while lane < 8 {
            if lanes >> lane & 1 == 1 {
                table[lanes][2 * to] = 2 * lane;
                table[lanes][2 * to + 1] = 2 * lane + 1;
                to += 1;
            }
            lane += 1;
        }
        lanes += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::vectors::Vectors;

    /// The input of the test that runs every operation: two vectors of words and a mask of lanes.
    struct Operations<'a>(&'a [[u16; 32]; 2], u32);

    impl ShortWork for Operations<'_> {
        type Output = Vec<Vec<u32>>;

        #[inline(always)]
        fn run<V: Shorts<N>, const N: usize>(self, proof: V::Proof) -> Vec<Vec<u32>> {
            let Operations(words, lanes) = self;
            let lanes = lanes & u32::MAX >> (32 - N);
            let [a, b] = [0, 1].map(|n| V::load(proof, words[n].first_chunk().unwrap()));
            let mut results = Vec::new();
            for result in [
                a & b,
                a | b,
                a ^ b,
                a.without(b),
                a.minus_one(),
                a.single_or(b),
                a.nonzero_or(b),
                a.min(b),
                V::splat(proof, 77),
                V::splat_where(proof, lanes, 33),
            ] {
                let mut words = [0; N];
                result.store(&mut words);
                results.push(words.map(u32::from).to_vec());
            }
            let mut words = [0; N];
            a.append(lanes, &mut words);
            let count = lanes.count_ones() as usize;
            results.push(words[..count].iter().map(|word| u32::from(*word)).collect());
            results.push((0..N).map(|n| a.zero_lanes() >> n & 1).collect());
            results
        }
    }

    #[test]
    fn every_instruction_set_computes_the_same_as_plain_words() {
        let seed = 16;
        let mut rng = Rng::new(seed);
        for n in 0..2000 {
            let mut word = || match rng.below(4) {
                0 => 0,
                1 => 1 << rng.below(9),
                _ => rng.below(512) as u16,
            };
            let words: [[u16; 32]; 2] = [[(); 32]; 2].map(|words| words.map(|()| word()));
            let lanes = rng.below(1 << 16) as u32 | (rng.below(1 << 16) as u32) << 16;
            for (name, vectors) in Vectors::available() {
                let results = vectors.run_shorts(Operations(&words, lanes));
                let lane_count = results[0].len();
                let pairs: Vec<(u16, u16)> = (0..lane_count)
                    .map(|at| (words[0][at], words[1][at]))
                    .collect();
                let apply_to_pairs = |operation: &dyn Fn(u16, u16) -> u16| {
                    pairs
                        .iter()
                        .map(|(a, b)| u32::from(operation(*a, *b)))
                        .collect::<Vec<_>>()
                };
                let is_kept = |at: &usize| lanes >> at & 1 == 1;
                let mut expected = vec![
                    apply_to_pairs(&|a, b| a & b),
                    apply_to_pairs(&|a, b| a | b),
                    apply_to_pairs(&|a, b| a ^ b),
                    apply_to_pairs(&|a, b| a & !b),
                    apply_to_pairs(&|a, _| a.wrapping_sub(1)),
                    apply_to_pairs(&|a, b| if a.count_ones() <= 1 { a } else { b }),
                    apply_to_pairs(&|a, b| if a != 0 { a } else { b }),
                    apply_to_pairs(&|a, b| a.min(b)),
                    apply_to_pairs(&|_, _| 77),
                ];
                let lane_indices = 0..lane_count;
                expected.push(
                    lane_indices
                        .clone()
                        .map(|at| 33 * u32::from(is_kept(&at)))
                        .collect(),
                );
                expected.push(
                    lane_indices
                        .filter(is_kept)
                        .map(|at| pairs[at].0.into())
                        .collect(),
                );
                expected.push(apply_to_pairs(&|a, _| u16::from(a == 0)));
                assert_eq!(results, expected, "seed {seed}, {n}: {name}");
            }
        }
    }
}
