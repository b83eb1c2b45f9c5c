//! Vectors of four 32-bit lanes and of eight 16-bit lanes in plain Rust, for machines without a faster
//! instruction set.

use wide::{i8x16, i16x8, i16x16, i32x8, u16x8, u32x4};

use super::bytes::bitwise;
use super::lanes::{LaneWork, Lanes};
use super::nine::Nine;
use super::shorts::{ShortWork, Shorts};
use super::words::{Words, operator};

const LANES: usize = 4;

/// A vector of four 32-bit lanes in plain Rust, for machines without a faster instruction set.
#[derive(Clone, Copy)]
struct FourLanes(u32x4);

/// Runs an algorithm with vectors of four 32-bit lanes in plain Rust.
pub(super) fn run<W: LaneWork>(work: W) -> W::Output {
    work.run::<FourLanes, LANES>(())
}

impl FourLanes {
    /// A vector with this word in every lane.
    #[inline(always)]
    fn broadcast(self, word: u32) -> FourLanes {
        FourLanes(u32x4::splat(word))
    }
}

impl Words for FourLanes {
    /// Plain Rust runs on every machine and needs no proof.
    type Proof = ();

    #[inline(always)]
    fn splat((): (), word: u32) -> FourLanes {
        FourLanes(u32x4::splat(word))
    }

    #[inline(always)]
    fn without(self, others: FourLanes) -> FourLanes {
        FourLanes(self.0 & !others.0)
    }

    #[inline(always)]
    fn shift_left<const BY: u32>(self) -> FourLanes {
        FourLanes(self.0 << BY)
    }

    #[inline(always)]
    fn shift_right<const BY: u32>(self) -> FourLanes {
        FourLanes(self.0 >> BY)
    }

    #[inline(always)]
    fn with_two_copies<const BY: u32>(self) -> FourLanes {
        FourLanes(self.0 | self.0 << BY | self.0 << (2 * BY))
    }

    #[inline(always)]
    fn is_zero(self) -> FourLanes {
        FourLanes(self.0.simd_eq(u32x4::ZERO))
    }

    #[inline(always)]
    fn zero_lanes(self) -> u32 {
        self.0.simd_eq(u32x4::ZERO).to_bitmask()
    }
}

impl Lanes<LANES> for FourLanes {
    type Nine = Nine<FourLanes, LANES, 3>;

    #[inline(always)]
    fn exchange<const BY: usize>(self) -> FourLanes {
        let [a, b, c, d] = self.0.to_array();
        FourLanes(u32x4::new(match BY {
            2 => [c, d, a, b],
            _ => [b, a, d, c],
        }))
    }

    #[inline(always)]
    fn halves(low: FourLanes, high: FourLanes) -> [FourLanes; 2] {
        let ([a, b, c, d], [e, f, g, h]) = (low.0.to_array(), high.0.to_array());
        [
            FourLanes(u32x4::new([a, b, e, f])),
            FourLanes(u32x4::new([c, d, g, h])),
        ]
    }

    #[inline(always)]
    fn load((): (), words: &[u32; LANES]) -> FourLanes {
        FourLanes(u32x4::new(*words))
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; LANES]) {
        *words = self.0.to_array();
    }

    #[inline(always)]
    fn words_with_bit((): (), words: &[u32; 32], bit: u32) -> u32 {
        // Saturation keeps the highest bit of each word, and `to_bitmask` collects it.
        let mut shorts = [0; 32];
        let (eights, _) = words.as_chunks();
        for (shorts, eight) in shorts.as_chunks_mut().0.iter_mut().zip(eights) {
            let highest = i32x8::new(eight.map(u32::cast_signed)) << (31 - bit);
            *shorts = i16x8::from_i32x8_saturate(highest).to_array();
        }
        let [mut low, mut high] = [[0; 16]; 2];
        low.copy_from_slice(&shorts[..16]);
        high.copy_from_slice(&shorts[16..]);
        let [low, high] = [low, high].map(|shorts| {
            let bytes = i8x16::from_i16x16_saturate(i16x16::new(shorts));
            bytes.to_bitmask()
        });
        low | high << 16
    }
}

operator!(BitAnd::bitand, FourLanes, |a, b| a & b);
operator!(BitOr::bitor, FourLanes, |a, b| a | b);
operator!(BitXor::bitxor, FourLanes, |a, b| a ^ b);
operator!(Add::add, FourLanes, |a, b| a + b);
operator!(Sub::sub, FourLanes, |a, b| a - b);

const SHORTS: usize = 8;

/// A vector of eight 16-bit lanes in plain Rust, for machines without a faster instruction set.
#[derive(Clone, Copy)]
struct EightShorts(u16x8);

/// Runs an algorithm with vectors of eight 16-bit lanes in plain Rust.
pub(super) fn run_shorts<W: ShortWork>(work: W) -> W::Output {
    work.run::<EightShorts, SHORTS>(())
}

impl Shorts<SHORTS> for EightShorts {
    /// Plain Rust runs on every machine and needs no proof.
    type Proof = ();

    #[inline(always)]
    fn splat((): (), word: u16) -> EightShorts {
        EightShorts(u16x8::splat(word))
    }

    #[inline(always)]
    fn splat_where((): (), lanes: u32, word: u16) -> EightShorts {
        let bits = u16x8::new([1, 2, 4, 8, 16, 32, 64, 128]);
        let set = (u16x8::splat(lanes as u16) & bits).simd_eq(bits);
        EightShorts(set & u16x8::splat(word))
    }

    #[inline(always)]
    fn load((): (), words: &[u16; SHORTS]) -> EightShorts {
        EightShorts(u16x8::new(*words))
    }

    #[inline(always)]
    fn store(self, words: &mut [u16; SHORTS]) {
        *words = self.0.to_array();
    }

    #[inline(always)]
    fn append(self, mut lanes: u32, words: &mut [u16; SHORTS]) {
        let lane_words = self.0.to_array();
        for word in words {
            if lanes == 0 {
                return;
            }
            *word = lane_words[lanes.trailing_zeros() as usize % SHORTS];
            lanes &= lanes - 1;
        }
    }

    #[inline(always)]
    fn without(self, others: EightShorts) -> EightShorts {
        EightShorts(self.0 & !others.0)
    }

    #[inline(always)]
    fn minus_one(self) -> EightShorts {
        EightShorts(self.0 - u16x8::ONE)
    }

    #[inline(always)]
    fn single_or(self, others: EightShorts) -> EightShorts {
        let has_one_bit = (self.0 & (self.0 - u16x8::ONE)).simd_eq(u16x8::ZERO);
        EightShorts(self.0 & has_one_bit | others.0 & !has_one_bit)
    }

    #[inline(always)]
    fn nonzero_or(self, others: EightShorts) -> EightShorts {
        EightShorts(self.0 | others.0 & self.0.simd_eq(u16x8::ZERO))
    }

    #[inline(always)]
    fn min(self, others: EightShorts) -> EightShorts {
        EightShorts(self.0.min(others.0))
    }

    #[inline(always)]
    fn zero_lanes(self) -> u32 {
        self.0.simd_eq(u16x8::ZERO).to_bitmask() & 0xff
    }
}

bitwise!(BitAnd::bitand, EightShorts, |a, b| a & b);
bitwise!(BitOr::bitor, EightShorts, |a, b| a | b);
bitwise!(BitXor::bitxor, EightShorts, |a, b| a ^ b);
