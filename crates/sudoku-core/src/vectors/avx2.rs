//! Vectors of eight lanes with AVX2 instructions. A value of [`Avx2`] proves that the processor has them.
#![expect(
    unsafe_code,
    reason = "instructions that not every machine has; Avx2 proves that this one does"
)]

use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_add_epi32, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_loadu_si256, _mm256_movemask_epi8,
    _mm256_movemask_ps, _mm256_mullo_epi32, _mm256_or_si256, _mm256_packs_epi16,
    _mm256_packs_epi32, _mm256_permute2x128_si256, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_shuffle_epi32, _mm256_sll_epi32, _mm256_srl_epi32, _mm256_storeu_si256,
    _mm256_sub_epi32, _mm256_xor_si256,
};

use super::lanes::{LaneWork, Lanes};
use super::nine::Nine;
use super::plain::PlainWork;
use super::words::{Words, operator};

const LANES: usize = 8;

/// Proof that this processor has AVX2 and the instruction sets that come with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Checks at run time whether the processor has AVX2; `None` if not.
    pub(super) fn detect() -> Option<Avx2> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Avx2(()))
    }
}

/// Runs an algorithm with AVX2 vectors, which have eight lanes.
pub(super) fn run<W: LaneWork>(avx2: Avx2, work: W) -> W::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run<W: LaneWork>(avx2: Avx2, work: W) -> W::Output {
        work.run::<EightLanes, LANES>(avx2)
    }
    // SAFETY: the function only requires that the processor has the instruction sets. An `Avx2` comes
    // only from `Avx2::detect`, which checks for every one of them.
    unsafe { run(avx2, work) }
}

/// Runs an algorithm that uses no vectors itself, compiled for machines with AVX2.
pub(super) fn run_plain<W: PlainWork>(_: Avx2, work: W) -> W::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run_plain<W: PlainWork>(work: W) -> W::Output {
        work.run()
    }
    // SAFETY: the function only requires that the processor has the instruction sets. An `Avx2` comes
    // only from `Avx2::detect`, which checks for every one of them.
    unsafe { run_plain(work) }
}

/// A vector of eight 32-bit lanes. Every value is made from an [`Avx2`] or from another value, so having one
/// also proves that the processor has AVX2.
#[derive(Clone, Copy)]
pub(super) struct EightLanes(__m256i);

/// Calls an AVX2 intrinsic. No other place in this file has the `unsafe` that such calls need.
macro_rules! avx2 {
    ($call:expr) => {
        // SAFETY: every caller has an `Avx2`, or an `EightLanes` that was made with one, so the processor
        // has AVX2. The two intrinsics that take a pointer get one to as many words as they read or
        // write, and need no alignment.
        unsafe { $call }
    };
}

impl EightLanes {
    /// A vector with this word in every lane.
    #[inline(always)]
    fn broadcast(self, word: u32) -> EightLanes {
        EightLanes(avx2!(_mm256_set1_epi32(word.cast_signed())))
    }
}

impl Words for EightLanes {
    type Proof = Avx2;

    #[inline(always)]
    fn splat(_: Avx2, word: u32) -> EightLanes {
        EightLanes(avx2!(_mm256_set1_epi32(word.cast_signed())))
    }

    #[inline(always)]
    fn without(self, others: EightLanes) -> EightLanes {
        EightLanes(avx2!(_mm256_andnot_si256(others.0, self.0)))
    }

    #[inline(always)]
    fn shift_left<const BY: u32>(self) -> EightLanes {
        let shift = avx2!(_mm_cvtsi32_si128(BY.cast_signed()));
        EightLanes(avx2!(_mm256_sll_epi32(self.0, shift)))
    }

    #[inline(always)]
    fn shift_right<const BY: u32>(self) -> EightLanes {
        let shift = avx2!(_mm_cvtsi32_si128(BY.cast_signed()));
        EightLanes(avx2!(_mm256_srl_epi32(self.0, shift)))
    }

    #[inline(always)]
    fn with_two_copies<const BY: u32>(self) -> EightLanes {
        let factor = avx2!(_mm256_set1_epi32(1 | 1 << BY | 1 << (2 * BY)));
        EightLanes(avx2!(_mm256_mullo_epi32(self.0, factor)))
    }

    #[inline(always)]
    fn is_zero(self) -> EightLanes {
        EightLanes(avx2!(_mm256_cmpeq_epi32(self.0, _mm256_setzero_si256())))
    }

    #[inline(always)]
    fn zero_lanes(self) -> u32 {
        let zero = self.is_zero().0;
        avx2!(_mm256_movemask_ps(_mm256_castsi256_ps(zero))).cast_unsigned()
    }
}

impl Lanes<LANES> for EightLanes {
    type Nine = Nine<EightLanes, LANES, 2>;

    #[inline(always)]
    fn exchange<const BY: usize>(self) -> EightLanes {
        EightLanes(avx2!(match BY {
            4 => _mm256_permute2x128_si256::<1>(self.0, self.0),
            2 => _mm256_shuffle_epi32::<0b0100_1110>(self.0),
            _ => _mm256_shuffle_epi32::<0b1011_0001>(self.0),
        }))
    }

    #[inline(always)]
    fn halves(low: EightLanes, high: EightLanes) -> [EightLanes; 2] {
        [
            EightLanes(avx2!(_mm256_permute2x128_si256::<0x20>(low.0, high.0))),
            EightLanes(avx2!(_mm256_permute2x128_si256::<0x31>(low.0, high.0))),
        ]
    }

    #[inline(always)]
    fn load(_: Avx2, words: &[u32; LANES]) -> EightLanes {
        EightLanes(avx2!(_mm256_loadu_si256(words.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; LANES]) {
        avx2!(_mm256_storeu_si256(words.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn words_with_bit(avx2: Avx2, words: &[u32; 32], bit: u32) -> u32 {
        // `packs` keeps the highest bit of each word, and `movemask` collects it. `packs` works on the halves
        // of its vectors separately, so the lower halves must have the first sixteen words.
        let (eights, _) = words.as_chunks();
        let [a, b] = EightLanes::halves(
            EightLanes::load(avx2, &eights[0]),
            EightLanes::load(avx2, &eights[2]),
        );
        let [c, d] = EightLanes::halves(
            EightLanes::load(avx2, &eights[1]),
            EightLanes::load(avx2, &eights[3]),
        );
        let shift = avx2!(_mm_cvtsi32_si128((31 - bit).cast_signed()));
        avx2!({
            let [a, b] = [_mm256_sll_epi32(a.0, shift), _mm256_sll_epi32(b.0, shift)];
            let [c, d] = [_mm256_sll_epi32(c.0, shift), _mm256_sll_epi32(d.0, shift)];
            let bytes = _mm256_packs_epi16(_mm256_packs_epi32(a, b), _mm256_packs_epi32(c, d));
            _mm256_movemask_epi8(bytes)
        })
        .cast_unsigned()
    }
}

operator!(BitAnd::bitand, EightLanes, |a, b| avx2!(_mm256_and_si256(
    a, b
)));
operator!(BitOr::bitor, EightLanes, |a, b| avx2!(_mm256_or_si256(
    a, b
)));
operator!(BitXor::bitxor, EightLanes, |a, b| avx2!(_mm256_xor_si256(
    a, b
)));
operator!(Add::add, EightLanes, |a, b| avx2!(_mm256_add_epi32(a, b)));
operator!(Sub::sub, EightLanes, |a, b| avx2!(_mm256_sub_epi32(a, b)));
