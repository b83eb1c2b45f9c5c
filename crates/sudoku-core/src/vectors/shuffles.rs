//! Chooses the instruction set for vectors of bytes, at run time.

use super::bytes::{ByteWork, PortableBytes};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, ssse3};

/// The instruction set that this process uses for [`Bytes`](super::Bytes).
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shuffles {
    /// The byte shuffle of SSSE3, compiled with AVX2's newer encoding of the same instruction.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// The byte shuffle of SSSE3.
    #[cfg(target_arch = "x86_64")]
    Ssse3(ssse3::Ssse3),
    /// Plain Rust, for machines without SSSE3.
    Portable,
}

impl Shuffles {
    /// All instruction sets that this machine has, each with its name, the fastest first. Tests run with
    /// each.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<(&'static str, Shuffles)> {
        let mut available = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = Avx2::detect().map(Shuffles::Avx2);
            available.extend(avx2.map(|shuffles| ("avx2", shuffles)));
            let ssse3 = ssse3::Ssse3::detect().map(Shuffles::Ssse3);
            available.extend(ssse3.map(|shuffles| ("ssse3", shuffles)));
        }
        available.push(("portable", Shuffles::Portable));
        available
    }

    /// The fastest instruction set of this machine.
    pub(crate) fn fastest() -> Shuffles {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(avx2) = Avx2::detect() {
                return Shuffles::Avx2(avx2);
            }
            if let Some(ssse3) = ssse3::Ssse3::detect() {
                return Shuffles::Ssse3(ssse3);
            }
        }
        Shuffles::Portable
    }

    /// Runs an algorithm on bytes with this instruction set.
    pub(crate) fn run<W: ByteWork>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Shuffles::Avx2(avx2) => ssse3::run_with_avx2(avx2, work),
            #[cfg(target_arch = "x86_64")]
            Shuffles::Ssse3(ssse3) => ssse3::run(ssse3, work),
            Shuffles::Portable => work.run::<PortableBytes>(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::vectors::Bytes;

    /// The test runs every operation of [`Bytes`] on the first two arrays; the third array is the order for
    /// the shuffle.
    struct AllOperations([[u8; 16]; 3]);

    impl ByteWork for AllOperations {
        type Output = (Vec<[u8; 16]>, u32, [u64; 2]);

        #[inline(always)]
        fn run<B: Bytes>(self, proof: B::Proof) -> Self::Output {
            let [a, b, order] = self.0.map(|bytes| B::load(proof, &bytes));
            let vectors = [
                a.shuffle(order),
                a.min(b),
                a.max(b),
                a.equals(b),
                a & b,
                a | b,
                a ^ b,
            ];
            (vectors.map(B::to_array).to_vec(), a.high_bits(), a.halves())
        }
    }

    fn expected_results([a, b, order]: [[u8; 16]; 3]) -> (Vec<[u8; 16]>, u32, [u64; 2]) {
        let zip_bytes = |f: fn(u8, u8) -> u8| std::array::from_fn(|i| f(a[i], b[i]));
        let shuffled = order.map(|from| *a.get(usize::from(from)).unwrap_or(&0));
        let vectors = vec![
            shuffled,
            zip_bytes(u8::min),
            zip_bytes(u8::max),
            zip_bytes(|a, b| if a == b { 0xff } else { 0 }),
            zip_bytes(|a, b| a & b),
            zip_bytes(|a, b| a | b),
            zip_bytes(|a, b| a ^ b),
        ];
        let bits = (0..16).map(|i| u32::from(a[i] >> 7) << i).sum();
        let words = u128::from_le_bytes(a);
        (vectors, bits, [words as u64, (words >> 64) as u64])
    }

    #[test]
    fn every_instruction_set_behaves_as_documented() {
        let seed = 3;
        let mut rng = Rng::new(seed);
        for case in 0..2_000 {
            let mut vectors: [[u8; 16]; 3] =
                std::array::from_fn(|_| std::array::from_fn(|_| rng.below(256) as u8));
            // Make some bytes equal, and some indices of the shuffle's order out of range.
            vectors[1][rng.below(16)] = vectors[0][0];
            vectors[1][5] = vectors[0][5];
            vectors[2] = vectors[2].map(|byte| byte & 0x8f);
            for (name, shuffles) in Shuffles::available() {
                let results = shuffles.run(AllOperations(vectors));
                assert_eq!(
                    results,
                    expected_results(vectors),
                    "{name}, seed {seed}, case {case}"
                );
            }
        }
    }
}
