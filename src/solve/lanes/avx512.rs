//! AVX-512's instructions, and the call into the code that is compiled for them. [`Avx512`] proves
//! that the machine has them.
#![expect(
    unsafe_code,
    reason = "instructions that not every machine has; Avx512 proves that this one does"
)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_and_si512, _mm512_andnot_si512, _mm512_loadu_si512,
    _mm512_or_si512, _mm512_set1_epi32, _mm512_slli_epi32, _mm512_srli_epi32, _mm512_storeu_si512,
    _mm512_sub_epi32, _mm512_testn_epi32_mask, _mm512_xor_si512,
};

use super::words::{Lanes, Words, operator};
use super::{Avx2, Limits, Solution, search};
use crate::board::Candidates;

const LANES: usize = 16;

/// This processor has AVX-512 as servers have it since Skylake, and AVX2.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Avx512(());

impl Avx512 {
    /// Asks the processor.
    pub(in crate::solve) fn detect() -> Option<Avx512> {
        let has_all = Avx2::detect().is_some()
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        has_all.then_some(Avx512(()))
    }
}

/// [`search::solve`] with sixteen lanes.
pub(super) fn solve(
    avx512: Avx512,
    puzzles: &[Candidates],
    limits: Limits,
    solutions: &mut Vec<Solution>,
) {
    // The sweep needs avx512f alone; the others make the code between the sweeps shorter.
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    fn solve(
        avx512: Avx512,
        puzzles: &[Candidates],
        limits: Limits,
        solutions: &mut Vec<Solution>,
    ) {
        search::solve::<Sixteen, LANES>(avx512, puzzles, limits, solutions);
    }
    // SAFETY: all that the function needs is that the processor has the instructions, which only
    // `Avx512::detect` says, and it has asked for every one of them.
    unsafe { solve(avx512, puzzles, limits, solutions) }
}

/// Sixteen lanes. There is none without an [`Avx512`]: every one is made from it, or from another.
#[derive(Clone, Copy)]
struct Sixteen(__m512i);

/// The intrinsics.
macro_rules! avx512 {
    ($call:expr) => {
        // SAFETY: an `Avx512`, or a `Sixteen` that was made with one, is at hand: the processor has
        // AVX-512. The two calls that take a pointer get one to as many words as they read or
        // write, and need no alignment.
        unsafe { $call }
    };
}

impl Sixteen {
    /// The same word in every lane.
    #[inline(always)]
    fn same(self, word: u32) -> Sixteen {
        Sixteen(avx512!(_mm512_set1_epi32(word.cast_signed())))
    }
}

impl Words for Sixteen {
    type Proof = Avx512;

    #[inline(always)]
    fn splat(_: Avx512, word: u32) -> Sixteen {
        Sixteen(avx512!(_mm512_set1_epi32(word.cast_signed())))
    }

    #[inline(always)]
    fn without(self, others: Sixteen) -> Sixteen {
        Sixteen(avx512!(_mm512_andnot_si512(others.0, self.0)))
    }

    #[inline(always)]
    fn up<const BY: u32>(self) -> Sixteen {
        Sixteen(avx512!(_mm512_slli_epi32::<BY>(self.0)))
    }

    #[inline(always)]
    fn down<const BY: u32>(self) -> Sixteen {
        Sixteen(avx512!(_mm512_srli_epi32::<BY>(self.0)))
    }

    #[inline(always)]
    fn zero_lanes(self) -> u32 {
        avx512!(_mm512_testn_epi32_mask(self.0, self.0)).into()
    }
}

impl Lanes<LANES> for Sixteen {
    #[inline(always)]
    fn load(_: Avx512, words: &[u32; LANES]) -> Sixteen {
        Sixteen(avx512!(_mm512_loadu_si512(words.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; LANES]) {
        avx512!(_mm512_storeu_si512(words.as_mut_ptr().cast(), self.0));
    }
}

operator!(BitAnd::bitand, Sixteen, |a, b| avx512!(_mm512_and_si512(
    a, b
)));
operator!(BitOr::bitor, Sixteen, |a, b| avx512!(_mm512_or_si512(a, b)));
operator!(BitXor::bitxor, Sixteen, |a, b| avx512!(_mm512_xor_si512(
    a, b
)));
operator!(Add::add, Sixteen, |a, b| avx512!(_mm512_add_epi32(a, b)));
operator!(Sub::sub, Sixteen, |a, b| avx512!(_mm512_sub_epi32(a, b)));
