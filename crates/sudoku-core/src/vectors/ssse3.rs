//! Vectors of sixteen bytes with SSSE3 instructions, compiled for SSSE3 and, with AVX2's encoding of
//! the same instructions, for AVX2. Values of [`Ssse3`] and [`Avx2`] prove that the processor has them.
#![expect(
    unsafe_code,
    reason = "instructions that not every machine has; Ssse3 and Avx2 prove that this one does"
)]

use std::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_max_epu8,
    _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_shuffle_epi8, _mm_storeu_si128,
    _mm_unpackhi_epi64, _mm_xor_si128,
};

use super::avx2::Avx2;
use super::bytes::{ByteWork, Bytes, bitwise};

/// Proof that this processor has SSSE3 and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ssse3(());

impl Ssse3 {
    /// Checks at run time whether the processor has SSSE3 and POPCNT; `None` if not.
    pub(super) fn detect() -> Option<Ssse3> {
        let has_all = is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("popcnt");
        has_all.then_some(Ssse3(()))
    }
}

/// Runs an algorithm on vectors of sixteen bytes, compiled for SSSE3.
pub(super) fn run<W: ByteWork>(ssse3: Ssse3, work: W) -> W::Output {
    #[target_feature(enable = "ssse3,popcnt")]
    fn run<W: ByteWork>(ssse3: Ssse3, work: W) -> W::Output {
        work.run::<SixteenBytes>(ssse3)
    }
    // SAFETY: the function only requires that the processor has the instruction sets. An `Ssse3` comes
    // only from `Ssse3::detect`, which checks for every one of them.
    unsafe { run(ssse3, work) }
}

/// Runs an algorithm on vectors of sixteen bytes, compiled for AVX2.
pub(super) fn run_with_avx2<W: ByteWork>(_: Avx2, work: W) -> W::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run<W: ByteWork>(work: W) -> W::Output {
        // Every processor with AVX2 has SSSE3.
        work.run::<SixteenBytes>(Ssse3(()))
    }
    // SAFETY: the function only requires that the processor has the instruction sets. An `Avx2` comes
    // only from `Avx2::detect`, which checks for every one of them.
    unsafe { run(work) }
}

/// A vector of sixteen bytes. Every value is made from an [`Ssse3`] or from another value, so having one also
/// proves that the processor has SSSE3.
#[derive(Clone, Copy)]
struct SixteenBytes(__m128i);

/// Calls an SSSE3 intrinsic. This is the only place with the `unsafe` that such calls need.
macro_rules! ssse3 {
    ($call:expr) => {
        // SAFETY: every caller has an `Ssse3`, or a `SixteenBytes` that was made with one, so the processor
        // has SSSE3. The two intrinsics that take a pointer get one to sixteen bytes, and need no
        // alignment.
        unsafe { $call }
    };
}

impl Bytes for SixteenBytes {
    type Proof = Ssse3;

    #[inline(always)]
    fn load(_: Ssse3, bytes: &[u8; 16]) -> SixteenBytes {
        SixteenBytes(ssse3!(_mm_loadu_si128(bytes.as_ptr().cast())))
    }

    #[inline(always)]
    fn to_array(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        ssse3!(_mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0));
        bytes
    }

    #[inline(always)]
    fn shuffle(self, order: SixteenBytes) -> SixteenBytes {
        SixteenBytes(ssse3!(_mm_shuffle_epi8(self.0, order.0)))
    }

    #[inline(always)]
    fn min(self, other: SixteenBytes) -> SixteenBytes {
        SixteenBytes(ssse3!(_mm_min_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn max(self, other: SixteenBytes) -> SixteenBytes {
        SixteenBytes(ssse3!(_mm_max_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn equals(self, other: SixteenBytes) -> SixteenBytes {
        SixteenBytes(ssse3!(_mm_cmpeq_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn high_bits(self) -> u32 {
        ssse3!(_mm_movemask_epi8(self.0)).cast_unsigned()
    }

    #[inline(always)]
    fn halves(self) -> [u64; 2] {
        let high_half = ssse3!(_mm_unpackhi_epi64(self.0, self.0));
        [self.0, high_half].map(
            #[inline(always)]
            |half| ssse3!(_mm_cvtsi128_si64(half)).cast_unsigned(),
        )
    }
}

bitwise!(BitAnd::bitand, SixteenBytes, |a, b| ssse3!(_mm_and_si128(
    a, b
)));
bitwise!(BitOr::bitor, SixteenBytes, |a, b| ssse3!(_mm_or_si128(
    a, b
)));
bitwise!(BitXor::bitxor, SixteenBytes, |a, b| ssse3!(_mm_xor_si128(
    a, b
)));
