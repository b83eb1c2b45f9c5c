//! Vectors of sixteen 16-bit lanes with AVX2 instructions. A value of [`Avx2`] proves that the processor
//! has them.
#![expect(
    unsafe_code,
    reason = "instructions that not every machine has; Avx2 proves that this one does"
)]

use std::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storeu_si128, _mm256_add_epi16,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_castsi256_si128,
    _mm256_cmpeq_epi16, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_min_epu16,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi16, _mm256_setr_epi16,
    _mm256_setzero_si256, _mm256_storeu_si256, _mm256_xor_si256, _pext_u32,
};

use super::avx2::Avx2;
use super::bytes::bitwise;
use super::shorts::{BYTES_OF_LANES, ShortWork, Shorts};

const LANES: usize = 16;

/// Runs an algorithm with AVX2 vectors of sixteen 16-bit lanes.
pub(super) fn run<W: ShortWork>(avx2: Avx2, work: W) -> W::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run<W: ShortWork>(avx2: Avx2, work: W) -> W::Output {
        work.run::<SixteenShorts, LANES>(avx2)
    }
    // SAFETY: the function only requires that the processor has the instruction sets. An `Avx2` comes
    // only from `Avx2::detect`, which checks for every one of them.
    unsafe { run(avx2, work) }
}

/// A vector of sixteen 16-bit lanes. Every value is made from an [`Avx2`] or from another value, so having
/// one also proves that the processor has AVX2.
#[derive(Clone, Copy)]
struct SixteenShorts(__m256i);

/// Calls an AVX2 intrinsic. No other place in this file has the `unsafe` that such calls need.
macro_rules! avx2 {
    ($call:expr) => {
        // SAFETY: every caller has an `Avx2`, or a `SixteenShorts` that was made with one, so the processor
        // has AVX2. The intrinsics that take a pointer get one to as many words as they read or
        // write, and need no alignment.
        unsafe { $call }
    };
}

impl Shorts<LANES> for SixteenShorts {
    type Proof = Avx2;

    #[inline(always)]
    fn splat(_: Avx2, word: u16) -> SixteenShorts {
        SixteenShorts(avx2!(_mm256_set1_epi16(word.cast_signed())))
    }

    #[inline(always)]
    fn splat_where(avx2: Avx2, lanes: u32, word: u16) -> SixteenShorts {
        let bits = avx2!(_mm256_setr_epi16(
            1,
            1 << 1,
            1 << 2,
            1 << 3,
            1 << 4,
            1 << 5,
            1 << 6,
            1 << 7,
            1 << 8,
            1 << 9,
            1 << 10,
            1 << 11,
            1 << 12,
            1 << 13,
            1 << 14,
            i16::MIN
        ));
        let lanes = SixteenShorts::splat(avx2, lanes as u16).0;
        let set = avx2!(_mm256_cmpeq_epi16(_mm256_and_si256(lanes, bits), bits));
        SixteenShorts(set) & SixteenShorts::splat(avx2, word)
    }

    #[inline(always)]
    fn load(_: Avx2, words: &[u16; LANES]) -> SixteenShorts {
        SixteenShorts(avx2!(_mm256_loadu_si256(words.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u16; LANES]) {
        avx2!(_mm256_storeu_si256(words.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn append(self, lanes: u32, words: &mut [u16; LANES]) {
        let [low, high] = [lanes & 0xff, lanes >> 8 & 0xff].map(|lanes| lanes as usize);
        let (first, second) = (low.count_ones() as usize, &BYTES_OF_LANES[high]);
        // The second eight words are stored after the first eight, because storing eight words also overwrites
        // the words that follow the kept ones.
        let first_eight: &mut [u16; 8] = words.first_chunk_mut().expect("eight of sixteen");
        avx2!({
            let order = _mm_loadu_si128(BYTES_OF_LANES[low].as_ptr().cast());
            let packed = _mm_shuffle_epi8(_mm256_castsi256_si128(self.0), order);
            _mm_storeu_si128(first_eight.as_mut_ptr().cast(), packed);
        });
        let remaining_words = words[first..].first_chunk_mut();
        let remaining_words: &mut [u16; 8] = remaining_words.expect("eight behind at most eight");
        avx2!({
            let order = _mm_loadu_si128(second.as_ptr().cast());
            let packed = _mm_shuffle_epi8(_mm256_extracti128_si256::<1>(self.0), order);
            _mm_storeu_si128(remaining_words.as_mut_ptr().cast(), packed);
        });
    }

    #[inline(always)]
    fn without(self, others: SixteenShorts) -> SixteenShorts {
        SixteenShorts(avx2!(_mm256_andnot_si256(others.0, self.0)))
    }

    #[inline(always)]
    fn minus_one(self) -> SixteenShorts {
        SixteenShorts(avx2!(_mm256_add_epi16(self.0, _mm256_set1_epi16(-1))))
    }

    #[inline(always)]
    fn single_or(self, others: SixteenShorts) -> SixteenShorts {
        let without_lowest = self & self.minus_one();
        SixteenShorts(avx2!({
            let has_one_bit = _mm256_cmpeq_epi16(without_lowest.0, _mm256_setzero_si256());
            _mm256_blendv_epi8(others.0, self.0, has_one_bit)
        }))
    }

    #[inline(always)]
    fn nonzero_or(self, others: SixteenShorts) -> SixteenShorts {
        SixteenShorts(avx2!({
            let zero = _mm256_cmpeq_epi16(self.0, _mm256_setzero_si256());
            _mm256_blendv_epi8(self.0, others.0, zero)
        }))
    }

    #[inline(always)]
    fn min(self, others: SixteenShorts) -> SixteenShorts {
        SixteenShorts(avx2!(_mm256_min_epu16(self.0, others.0)))
    }

    #[inline(always)]
    fn zero_lanes(self) -> u32 {
        let zero = avx2!(_mm256_cmpeq_epi16(self.0, _mm256_setzero_si256()));
        // `movemask` gives one bit for each byte, so two bits for each 16-bit lane.
        let bytes = avx2!(_mm256_movemask_epi8(zero)).cast_unsigned();
        avx2!(_pext_u32(bytes, 0x5555_5555))
    }
}

bitwise!(BitAnd::bitand, SixteenShorts, |a, b| avx2!(
    _mm256_and_si256(a, b)
));
bitwise!(BitOr::bitor, SixteenShorts, |a, b| avx2!(_mm256_or_si256(
    a, b
)));
bitwise!(BitXor::bitxor, SixteenShorts, |a, b| avx2!(
    _mm256_xor_si256(a, b)
));
