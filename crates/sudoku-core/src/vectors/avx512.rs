//! Vectors of sixteen lanes with AVX-512 instructions. A value of [`Avx512`] proves that the processor
//! has them.
#![expect(
    unsafe_code,
    reason = "instructions that not every machine has; Avx512 proves that this one does"
)]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_add_epi32, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_castsi512_si128, _mm512_cmplt_epu32_mask, _mm512_cvtepu8_epi32, _mm512_loadu_si512,
    _mm512_lzcnt_epi32, _mm512_mask_compress_epi8, _mm512_mask_mov_epi8, _mm512_mask_mov_epi32,
    _mm512_mask_or_epi32, _mm512_maskz_compress_epi8, _mm512_maskz_set1_epi32, _mm512_min_epu32,
    _mm512_or_si512, _mm512_permutex2var_epi8, _mm512_permutex2var_epi32, _mm512_popcnt_epi32,
    _mm512_reduce_min_epu32, _mm512_rolv_epi32, _mm512_set1_epi8, _mm512_set1_epi32,
    _mm512_shuffle_epi32, _mm512_shuffle_i64x2, _mm512_slli_epi32, _mm512_srli_epi32,
    _mm512_storeu_si512, _mm512_sub_epi32, _mm512_ternarylogic_epi32, _mm512_test_epi32_mask,
    _mm512_testn_epi32_mask, _mm512_xor_si512,
};

use super::avx2::{Avx2, EightLanes};
use super::avx512_shorts::Avx512Shorts;
use super::cells::{CellWork, Cells};
use super::lanes::{LaneStep, LaneWork, Lanes};
use super::nine::Nine;
use super::words::{Words, operator};

const LANES: usize = 16;

/// Proof that this processor has AVX-512 (foundation) and AVX2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512 {
    avx2: Avx2,
    /// Whether the processor also has the later extensions of AVX-512 that [`Cells`] needs. Intel has them
    /// since Ice Lake, AMD since Zen 4.
    has_cells: bool,
    /// The proof for vectors of 16-bit lanes; `None` if the processor lacks the extensions of AVX-512 for them.
    shorts: Option<Avx512Shorts>,
}

impl Avx512 {
    /// Checks at run time whether the processor has AVX-512; `None` if not.
    pub(super) fn detect() -> Option<Avx512> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c");
        Avx2::detect().filter(|_| has_all).map(|avx2| Avx512 {
            avx2,
            shorts: Avx512Shorts::detect(),
            has_cells: is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2")
                && is_x86_feature_detected!("avx512vpopcntdq"),
        })
    }

    /// The proof that the processor has AVX2.
    pub(super) fn avx2(self) -> Avx2 {
        self.avx2
    }

    /// The proof for vectors of 16-bit lanes: AVX-512, or AVX2 if the processor lacks the extensions of
    /// AVX-512 for them.
    pub(super) fn shorts(self) -> Result<Avx512Shorts, Avx2> {
        self.shorts.ok_or(self.avx2)
    }
}

/// Runs an algorithm with AVX-512 vectors, which have sixteen 32-bit lanes.
pub(super) fn run<W: LaneWork>(avx512: Avx512, work: W) -> W::Output {
    // Only each [`LaneStep`] is compiled for AVX-512; all other code of the algorithm is compiled for AVX2.
    // With AVX-512, the compiler would collect the words of a lane with gather instructions, which are slow
    // on processors with the mitigation for CVE-2022-40982.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run<W: LaneWork>(avx512: Avx512, work: W) -> W::Output {
        work.run::<SixteenLanes, LANES>(avx512)
    }
    // SAFETY: the function only requires that the processor has the instruction sets. An `Avx512` comes
    // only from `Avx512::detect`, which requires `Avx2::detect`, and that checks for every one of them.
    unsafe { run(avx512, work) }
}

/// A vector of sixteen 32-bit lanes. Every value is made from an [`Avx512`] or from another value, so having
/// one also proves that the processor has AVX-512.
#[derive(Clone, Copy)]
struct SixteenLanes(__m512i);

/// Calls an AVX-512 intrinsic. No other place in this file has the `unsafe` that such calls need.
macro_rules! avx512 {
    ($call:expr) => {
        // SAFETY: every caller has an `Avx512`, or a `SixteenLanes` that was made with one, so the processor
        // has AVX-512. The instructions that only `Cells` needs are called only below `on_cells`, which
        // checks for them. The intrinsics that take a pointer get one to as many words as they read or
        // write, and need no alignment.
        unsafe { $call }
    };
}

impl SixteenLanes {
    /// A vector with this word in every lane.
    #[inline(always)]
    fn broadcast(self, word: u32) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_set1_epi32(word.cast_signed())))
    }
}

impl Words for SixteenLanes {
    type Proof = Avx512;

    #[inline(always)]
    fn splat(_: Avx512, word: u32) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_set1_epi32(word.cast_signed())))
    }

    #[inline(always)]
    fn without(self, others: SixteenLanes) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_andnot_si512(others.0, self.0)))
    }

    #[inline(always)]
    fn shift_left<const BY: u32>(self) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_slli_epi32::<BY>(self.0)))
    }

    #[inline(always)]
    fn shift_right<const BY: u32>(self) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_srli_epi32::<BY>(self.0)))
    }

    #[inline(always)]
    fn blend(self, others: SixteenLanes, mask: u32) -> SixteenLanes {
        let mask = self.broadcast(mask).0;
        SixteenLanes(avx512!(_mm512_ternarylogic_epi32::<0b1110_0100>(
            self.0, others.0, mask
        )))
    }

    #[inline(always)]
    fn or_within(self, others: SixteenLanes, mask: u32) -> SixteenLanes {
        let mask = self.broadcast(mask).0;
        SixteenLanes(avx512!(_mm512_ternarylogic_epi32::<0b1010_1000>(
            self.0, others.0, mask
        )))
    }

    #[inline(always)]
    fn or_differing(self, one: SixteenLanes, other: SixteenLanes) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_ternarylogic_epi32::<0b1111_0110>(
            self.0, one.0, other.0
        )))
    }

    #[inline(always)]
    fn with_two_copies<const BY: u32>(self) -> SixteenLanes {
        // `2 * BY` cannot be the constant operand of a shift, so this shifts by `BY` twice.
        self | self.shift_left::<BY>() | self.shift_left::<BY>().shift_left::<BY>()
    }

    #[inline(always)]
    fn is_zero(self) -> SixteenLanes {
        let zero = avx512!(_mm512_testn_epi32_mask(self.0, self.0));
        SixteenLanes(avx512!(_mm512_maskz_set1_epi32(zero, -1)))
    }

    #[inline(always)]
    fn zero_lanes(self) -> u32 {
        avx512!(_mm512_testn_epi32_mask(self.0, self.0)).into()
    }
}

impl Lanes<LANES> for SixteenLanes {
    type Nine = Nine<SixteenLanes, LANES, 1>;

    #[inline(always)]
    fn exchange<const BY: usize>(self) -> SixteenLanes {
        SixteenLanes(avx512!(match BY {
            8 => _mm512_shuffle_i64x2::<0b0100_1110>(self.0, self.0),
            4 => _mm512_shuffle_i64x2::<0b1011_0001>(self.0, self.0),
            2 => _mm512_shuffle_epi32::<0b0100_1110>(self.0),
            _ => _mm512_shuffle_epi32::<0b1011_0001>(self.0),
        }))
    }

    #[inline(always)]
    fn halves(low: SixteenLanes, high: SixteenLanes) -> [SixteenLanes; 2] {
        [
            SixteenLanes(avx512!(_mm512_shuffle_i64x2::<0b0100_0100>(low.0, high.0))),
            SixteenLanes(avx512!(_mm512_shuffle_i64x2::<0b1110_1110>(low.0, high.0))),
        ]
    }

    #[inline(always)]
    fn load(_: Avx512, words: &[u32; LANES]) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_loadu_si512(words.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; LANES]) {
        avx512!(_mm512_storeu_si512(words.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn words_with_bit(avx512: Avx512, words: &[u32; 32], bit: u32) -> u32 {
        // This is called outside of steps, in code that is compiled for AVX2. There, each instruction of AVX-512
        // would be a call.
        EightLanes::words_with_bit(avx512.avx2, words, bit)
    }

    #[inline(always)]
    fn step<S: LaneStep<SixteenLanes, LANES>>(avx512: Avx512, step: S) -> S::Output {
        #[target_feature(enable = "avx512f")]
        fn run<S: LaneStep<SixteenLanes, LANES>>(avx512: Avx512, step: S) -> S::Output {
            step.run(avx512)
        }
        // SAFETY: the function only requires that the processor has AVX-512 and what it implies: AVX2,
        // FMA and F16C. An `Avx512` comes only from `Avx512::detect`, which checks for each of them.
        unsafe { run(avx512, step) }
    }

    #[inline(always)]
    fn on_cells<W: CellWork>(avx512: Avx512, work: W) -> Option<W::Output> {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512vbmi,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn on_cells<W: CellWork>(avx512: Avx512, work: W) -> W::Output {
            work.run::<SixteenLanes>(avx512)
        }
        // SAFETY: the function only requires that the processor has the instruction sets. The `Avx512` proves
        // AVX-512 and AVX2 with all that they imply, and `has_cells` says that `Avx512::detect` has found the
        // later extensions of AVX-512.
        avx512.has_cells.then(|| unsafe { on_cells(avx512, work) })
    }
}

/// The numbers of the bits of two 64-bit words: the bytes 0–127.
static NUMBERS: [[u8; 64]; 2] = {
    let mut numbers = [[0; 64]; 2];
    let mut n = 0;
    while n < 128 {
        numbers[n / 64][n % 64] = n as u8;
        n += 1;
    }
    numbers
};

/// A list of up to 64 numbers below 128, one in each byte of the vector.
#[derive(Clone, Copy)]
struct NumberBytes(__m512i);

impl Cells for SixteenLanes {
    type Numbers = NumberBytes;

    #[inline(always)]
    fn numbers(_: Avx512, [low, high]: [u64; 2]) -> NumberBytes {
        let count = low.count_ones();
        NumberBytes(avx512!({
            let [first, second] = [&NUMBERS[0], &NUMBERS[1]];
            let first = _mm512_loadu_si512(first.as_ptr().cast());
            let second = _mm512_loadu_si512(second.as_ptr().cast());
            let low_numbers = _mm512_maskz_compress_epi8(low, first);
            let high_numbers = _mm512_mask_compress_epi8(_mm512_set1_epi8(127), high, second);
            // Joins two lists in one vector: byte n is number n of the first list if n is less than `count`,
            // and otherwise number `n - count` of the second list.
            let source_indices = _mm512_add_epi8(first, _mm512_set1_epi8(64 - count as i8));
            let source_indices =
                _mm512_mask_mov_epi8(source_indices, (1_u64 << count).wrapping_sub(1), first);
            _mm512_permutex2var_epi8(low_numbers, source_indices, high_numbers)
        }))
    }

    #[inline(always)]
    fn next_sixteen(numbers: NumberBytes) -> (SixteenLanes, NumberBytes) {
        let first_words = avx512!(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(numbers.0)));
        let remaining_bytes = avx512!(_mm512_shuffle_i64x2::<0b0011_1001>(numbers.0, numbers.0));
        (SixteenLanes(first_words), NumberBytes(remaining_bytes))
    }

    #[inline(always)]
    fn load(_: Avx512, words: &[u32; 16]) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_loadu_si512(words.as_ptr().cast())))
    }

    #[inline(always)]
    fn lookup(self, [low, high]: [SixteenLanes; 2]) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_permutex2var_epi32(low.0, self.0, high.0)))
    }

    #[inline(always)]
    fn bit(self) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_rolv_epi32(_mm512_set1_epi32(1), self.0)))
    }

    #[inline(always)]
    fn count_ones(self) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_popcnt_epi32(self.0)))
    }

    #[inline(always)]
    fn highest(self) -> SixteenLanes {
        let highest_bit = avx512!(_mm512_set1_epi32(31));
        SixteenLanes(avx512!(_mm512_sub_epi32(
            highest_bit,
            _mm512_lzcnt_epi32(self.0)
        )))
    }

    #[inline(always)]
    fn min(self, others: SixteenLanes) -> SixteenLanes {
        SixteenLanes(avx512!(_mm512_min_epu32(self.0, others.0)))
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        avx512!(_mm512_reduce_min_epu32(self.0))
    }

    #[inline(always)]
    fn replace_where_lower(
        self,
        left: SixteenLanes,
        right: SixteenLanes,
        others: SixteenLanes,
    ) -> SixteenLanes {
        let lanes = avx512!(_mm512_cmplt_epu32_mask(left.0, right.0));
        SixteenLanes(avx512!(_mm512_mask_mov_epi32(self.0, lanes, others.0)))
    }

    #[inline(always)]
    fn replace_where_any(
        self,
        test: SixteenLanes,
        bits: SixteenLanes,
        others: SixteenLanes,
    ) -> SixteenLanes {
        let lanes = avx512!(_mm512_test_epi32_mask(test.0, bits.0));
        SixteenLanes(avx512!(_mm512_mask_mov_epi32(self.0, lanes, others.0)))
    }

    #[inline(always)]
    fn or_where_any(self, test: SixteenLanes, bits: SixteenLanes, bit: u32) -> SixteenLanes {
        let lanes = avx512!(_mm512_test_epi32_mask(test.0, bits.0));
        let bit = self.broadcast(bit).0;
        SixteenLanes(avx512!(_mm512_mask_or_epi32(self.0, lanes, self.0, bit)))
    }
}

operator!(BitAnd::bitand, SixteenLanes, |a, b| avx512!(
    _mm512_and_si512(a, b)
));
operator!(BitOr::bitor, SixteenLanes, |a, b| avx512!(_mm512_or_si512(
    a, b
)));
operator!(BitXor::bitxor, SixteenLanes, |a, b| avx512!(
    _mm512_xor_si512(a, b)
));
operator!(Add::add, SixteenLanes, |a, b| avx512!(_mm512_add_epi32(
    a, b
)));
operator!(Sub::sub, SixteenLanes, |a, b| avx512!(_mm512_sub_epi32(
    a, b
)));
