//! Sixteen bytes in a vector, and the choice of the instructions that permute them: for the
//! canonical form, which sorts the columns of a row.

use std::ops::{BitAnd, BitOr, BitXor};

use wide::u8x16;

#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, ssse3};

/// Sixteen bytes; every operation works on each of them for itself, but for [`Bytes::shuffle`].
pub(crate) trait Bytes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// What proves that this machine has the instructions.
    type Proof: Copy;

    /// The bytes from memory.
    fn load(proof: Self::Proof, bytes: &[u8; 16]) -> Self;

    /// The bytes as an array.
    fn to_array(self) -> [u8; 16];

    /// Byte n is the byte that `order[n]`, 0–15, names, or 0 where that is 0x80 or more.
    fn shuffle(self, order: Self) -> Self;

    /// The smaller of each two bytes.
    fn min(self, other: Self) -> Self;

    /// The larger of each two bytes.
    fn max(self, other: Self) -> Self;

    /// 0xff where the bytes are equal, 0 elsewhere.
    fn equals(self, other: Self) -> Self;

    /// Bit n: the highest bit of byte n.
    fn high_bits(self) -> u32;

    /// Bytes 0–7 and 8–15, the first byte lowest.
    fn halves(self) -> [u64; 2];
}

/// The instruction set that [`Bytes`] use.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shuffles {
    /// SSSE3's byte shuffle, compiled for AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// SSSE3's byte shuffle.
    #[cfg(target_arch = "x86_64")]
    Ssse3(ssse3::Ssse3),
    /// What every machine has.
    Portable,
}

/// Work on [`Bytes`], written once for all instruction sets. All of it must be inlined into
/// [`ByteWork::run`].
pub(crate) trait ByteWork {
    /// The result type.
    type Output;

    /// Runs the work.
    fn run<B: Bytes>(self, proof: B::Proof) -> Self::Output;
}

impl Shuffles {
    /// What this machine has, with its name, the fastest first.
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

    /// The fastest that this machine has.
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

    /// Runs the work with these instructions.
    pub(crate) fn run<W: ByteWork>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Shuffles::Avx2(avx2) => ssse3::run_with_avx2(avx2, work),
            #[cfg(target_arch = "x86_64")]
            Shuffles::Ssse3(ssse3) => ssse3::run(ssse3, work),
            Shuffles::Portable => work.run::<Portable>(()),
        }
    }
}

/// Sixteen bytes that every machine has.
#[derive(Clone, Copy)]
struct Portable(u8x16);

impl Bytes for Portable {
    /// There is nothing to prove.
    type Proof = ();

    #[inline(always)]
    fn load((): (), bytes: &[u8; 16]) -> Portable {
        Portable(u8x16::new(*bytes))
    }

    #[inline(always)]
    fn to_array(self) -> [u8; 16] {
        self.0.to_array()
    }

    #[inline(always)]
    fn shuffle(self, order: Portable) -> Portable {
        Portable(self.0.shuffle(order.0))
    }

    #[inline(always)]
    fn min(self, other: Portable) -> Portable {
        Portable(self.0.min(other.0))
    }

    #[inline(always)]
    fn max(self, other: Portable) -> Portable {
        Portable(self.0.max(other.0))
    }

    #[inline(always)]
    fn equals(self, other: Portable) -> Portable {
        Portable(self.0.simd_eq(other.0))
    }

    #[inline(always)]
    fn high_bits(self) -> u32 {
        self.0.to_bitmask()
    }

    #[inline(always)]
    fn halves(self) -> [u64; 2] {
        let bytes = u128::from_le_bytes(self.to_array());
        [bytes as u64, (bytes >> 64) as u64]
    }
}

/// The bitwise operators of a vector in a tuple struct.
macro_rules! bitwise {
    ($operator:ident :: $function:ident, $vector:ident, |$a:ident, $b:ident| $result:expr) => {
        impl std::ops::$operator for $vector {
            type Output = $vector;
            #[inline(always)]
            fn $function(self, other: $vector) -> $vector {
                let ($a, $b) = (self.0, other.0);
                $vector($result)
            }
        }
    };
}

pub(super) use bitwise;

bitwise!(BitAnd::bitand, Portable, |a, b| a & b);
bitwise!(BitOr::bitor, Portable, |a, b| a | b);
bitwise!(BitXor::bitxor, Portable, |a, b| a ^ b);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    /// Every operation on two vectors and an order, as arrays.
    struct All([[u8; 16]; 3]);

    impl ByteWork for All {
        type Output = (Vec<[u8; 16]>, u32, [u64; 2]);

        #[inline(always)]
        fn run<B: Bytes>(self, proof: B::Proof) -> Self::Output {
            let [a, b, order] = self.0.map(|bytes| B::load(proof, &bytes));
            let made = [
                a.shuffle(order),
                a.min(b),
                a.max(b),
                a.equals(b),
                a & b,
                a | b,
                a ^ b,
            ];
            (made.map(B::to_array).to_vec(), a.high_bits(), a.halves())
        }
    }

    fn by_hand([a, b, order]: [[u8; 16]; 3]) -> (Vec<[u8; 16]>, u32, [u64; 2]) {
        let each = |f: fn(u8, u8) -> u8| std::array::from_fn(|i| f(a[i], b[i]));
        let shuffled = order.map(|from| *a.get(usize::from(from)).unwrap_or(&0));
        let made = vec![
            shuffled,
            each(u8::min),
            each(u8::max),
            each(|a, b| if a == b { 0xff } else { 0 }),
            each(|a, b| a & b),
            each(|a, b| a | b),
            each(|a, b| a ^ b),
        ];
        let bits = (0..16).map(|i| u32::from(a[i] >> 7) << i).sum();
        let words = u128::from_le_bytes(a);
        (made, bits, [words as u64, (words >> 64) as u64])
    }

    #[test]
    fn every_instruction_set_does_what_the_documentation_says() {
        let seed = 3;
        let mut rng = Rng::new(seed);
        for case in 0..2_000 {
            let mut vectors: [[u8; 16]; 3] =
                std::array::from_fn(|_| std::array::from_fn(|_| rng.below(256) as u8));
            // Some bytes are equal, and orders name a byte or none.
            vectors[1][rng.below(16)] = vectors[0][0];
            vectors[1][5] = vectors[0][5];
            vectors[2] = vectors[2].map(|byte| byte & 0x8f);
            for (name, shuffles) in Shuffles::available() {
                let made = shuffles.run(All(vectors));
                assert_eq!(made, by_hand(vectors), "{name}, seed {seed}, case {case}");
            }
        }
    }
}
