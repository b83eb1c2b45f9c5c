//! AVX-512's instructions, and the call into the code that is compiled for them. [`Avx512`] proves
//! that the machine has them.
#![expect(
    unsafe_code,
    reason = "instructions that not every machine has; Avx512 proves that this one does"
)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_and_si512, _mm512_andnot_si512, _mm512_loadu_si512,
    _mm512_maskz_set1_epi32, _mm512_or_si512, _mm512_set1_epi32, _mm512_slli_epi32,
    _mm512_srli_epi32, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_ternarylogic_epi32,
    _mm512_testn_epi32_mask, _mm512_xor_si512,
};

use super::avx2::Avx2;
use super::words::{Lanes, Step, Words, Work, operator};

const LANES: usize = 16;

/// This processor has AVX-512, and what came before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    /// Detects it at run time.
    pub(super) fn detect() -> Option<Avx512> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c");
        Avx2::detect().filter(|_| has_all).map(Avx512)
    }
}

/// Runs the work with sixteen lanes.
pub(super) fn run<W: Work>(avx512: Avx512, work: W) -> W::Output {
    // Not compiled for AVX-512 but for its steps: it would collect a lane's words with gathers, which
    // are slow on processors that have to keep them from leaking (CVE-2022-40982).
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run<W: Work>(avx512: Avx512, work: W) -> W::Output {
        work.run::<Sixteen, LANES>(avx512)
    }
    // SAFETY: all that the function needs is that the processor has the instructions. Only
    // `Avx512::detect` says so, and `Avx2::detect`, whose word it has, has asked for every one of
    // them.
    unsafe { run(avx512, work) }
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
    fn blend(self, others: Sixteen, mask: u32) -> Sixteen {
        let mask = self.same(mask).0;
        Sixteen(avx512!(_mm512_ternarylogic_epi32::<0b1110_0100>(
            self.0, others.0, mask
        )))
    }

    #[inline(always)]
    fn or_within(self, others: Sixteen, mask: u32) -> Sixteen {
        let mask = self.same(mask).0;
        Sixteen(avx512!(_mm512_ternarylogic_epi32::<0b1010_1000>(
            self.0, others.0, mask
        )))
    }

    #[inline(always)]
    fn or_differing(self, one: Sixteen, other: Sixteen) -> Sixteen {
        Sixteen(avx512!(_mm512_ternarylogic_epi32::<0b1111_0110>(
            self.0, one.0, other.0
        )))
    }

    #[inline(always)]
    fn thrice<const BY: u32>(self) -> Sixteen {
        // Two times BY is no constant that a shift takes; this is one instruction more.
        self | self.up::<BY>() | self.up::<BY>().up::<BY>()
    }

    #[inline(always)]
    fn is_zero(self) -> Sixteen {
        let zero = avx512!(_mm512_testn_epi32_mask(self.0, self.0));
        Sixteen(avx512!(_mm512_maskz_set1_epi32(zero, -1)))
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

    #[inline(always)]
    fn step<S: Step<Sixteen, LANES>>(avx512: Avx512, step: S) -> S::Output {
        #[target_feature(enable = "avx512f")]
        fn take<S: Step<Sixteen, LANES>>(avx512: Avx512, step: S) -> S::Output {
            step.take(avx512)
        }
        // SAFETY: all that the function needs is that the processor has AVX-512 with what it
        // implies, AVX2, FMA and F16C: only `Avx512::detect` says so, and it has asked for each.
        unsafe { take(avx512, step) }
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
