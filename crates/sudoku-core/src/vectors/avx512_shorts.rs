//! Vectors of thirty-two 16-bit lanes with AVX-512 instructions. A value of [`Avx512Shorts`] proves that
//! the processor has them.
#![expect(
    unsafe_code,
    reason = "instructions that not every machine has; Avx512Shorts proves that this one does"
)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_and_si512, _mm512_andnot_si512, _mm512_loadu_si512,
    _mm512_mask_mov_epi16, _mm512_maskz_compress_epi16, _mm512_maskz_set1_epi16, _mm512_min_epu16,
    _mm512_or_si512, _mm512_set1_epi16, _mm512_storeu_si512, _mm512_test_epi16_mask,
    _mm512_testn_epi16_mask, _mm512_xor_si512,
};

use super::bytes::bitwise;
use super::shorts::{ShortWork, Shorts};

const LANES: usize = 32;

/// Proof that this processor has AVX-512 with its instructions on bytes and 16-bit words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512Shorts(());

impl Avx512Shorts {
    /// Checks at run time whether the processor has AVX-512 with instructions for bytes and 16-bit words;
    /// `None` if not.
    pub(super) fn detect() -> Option<Avx512Shorts> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Avx512Shorts(()))
    }
}

/// Runs an algorithm with AVX-512 vectors of thirty-two 16-bit lanes.
pub(super) fn run<W: ShortWork>(proof: Avx512Shorts, work: W) -> W::Output {
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn run<W: ShortWork>(proof: Avx512Shorts, work: W) -> W::Output {
        work.run::<ThirtyTwoShorts, LANES>(proof)
    }
    // SAFETY: the function only requires that the processor has the instruction sets. A proof comes only
    // from `Avx512Shorts::detect`, which checks for every one of them.
    unsafe { run(proof, work) }
}

/// A vector of thirty-two 16-bit lanes. Every value is made from an [`Avx512Shorts`] or from another value,
/// so having one also proves that the processor has the instruction sets.
#[derive(Clone, Copy)]
struct ThirtyTwoShorts(__m512i);

/// Calls an AVX-512 intrinsic. No other place in this file has the `unsafe` that such calls need.
macro_rules! avx512 {
    ($call:expr) => {
        // SAFETY: every caller has an `Avx512Shorts`, or a `ThirtyTwoShorts` that was made with one, so the
        // processor has the instructions. The two intrinsics that take a pointer get one to as many
        // words as they read or write, and need no alignment.
        unsafe { $call }
    };
}

impl Shorts<LANES> for ThirtyTwoShorts {
    type Proof = Avx512Shorts;

    #[inline(always)]
    fn splat(_: Avx512Shorts, word: u16) -> ThirtyTwoShorts {
        ThirtyTwoShorts(avx512!(_mm512_set1_epi16(word.cast_signed())))
    }

    #[inline(always)]
    fn splat_where(_: Avx512Shorts, lanes: u32, word: u16) -> ThirtyTwoShorts {
        ThirtyTwoShorts(avx512!(_mm512_maskz_set1_epi16(lanes, word.cast_signed())))
    }

    #[inline(always)]
    fn load(_: Avx512Shorts, words: &[u16; LANES]) -> ThirtyTwoShorts {
        ThirtyTwoShorts(avx512!(_mm512_loadu_si512(words.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u16; LANES]) {
        avx512!(_mm512_storeu_si512(words.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn append(self, lanes: u32, words: &mut [u16; LANES]) {
        ThirtyTwoShorts(avx512!(_mm512_maskz_compress_epi16(lanes, self.0))).store(words);
    }

    #[inline(always)]
    fn without(self, others: ThirtyTwoShorts) -> ThirtyTwoShorts {
        ThirtyTwoShorts(avx512!(_mm512_andnot_si512(others.0, self.0)))
    }

    #[inline(always)]
    fn minus_one(self) -> ThirtyTwoShorts {
        ThirtyTwoShorts(avx512!(_mm512_add_epi16(self.0, _mm512_set1_epi16(-1))))
    }

    #[inline(always)]
    fn single_or(self, others: ThirtyTwoShorts) -> ThirtyTwoShorts {
        let minus_one = self.minus_one();
        ThirtyTwoShorts(avx512!({
            let has_one_bit = _mm512_testn_epi16_mask(self.0, minus_one.0);
            _mm512_mask_mov_epi16(others.0, has_one_bit, self.0)
        }))
    }

    #[inline(always)]
    fn nonzero_or(self, others: ThirtyTwoShorts) -> ThirtyTwoShorts {
        ThirtyTwoShorts(avx512!({
            let nonzero = _mm512_test_epi16_mask(self.0, self.0);
            _mm512_mask_mov_epi16(others.0, nonzero, self.0)
        }))
    }

    #[inline(always)]
    fn min(self, others: ThirtyTwoShorts) -> ThirtyTwoShorts {
        ThirtyTwoShorts(avx512!(_mm512_min_epu16(self.0, others.0)))
    }

    #[inline(always)]
    fn zero_lanes(self) -> u32 {
        avx512!(_mm512_testn_epi16_mask(self.0, self.0))
    }
}

bitwise!(BitAnd::bitand, ThirtyTwoShorts, |a, b| avx512!(
    _mm512_and_si512(a, b)
));
bitwise!(BitOr::bitor, ThirtyTwoShorts, |a, b| avx512!(
    _mm512_or_si512(a, b)
));
bitwise!(BitXor::bitxor, ThirtyTwoShorts, |a, b| avx512!(
    _mm512_xor_si512(a, b)
));
