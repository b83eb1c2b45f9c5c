//! Vectors of four lanes in plain Rust, for every machine.

use wide::u32x4;

use super::lanes::{LaneWork, Lanes};
use super::words::{Words, operator};

const LANES: usize = 4;

/// Four lanes in plain Rust, for every machine.
#[derive(Clone, Copy)]
struct FourLanes(u32x4);

/// Runs the work with four lanes.
pub(super) fn run<W: LaneWork>(work: W) -> W::Output {
    work.run::<FourLanes, LANES>(())
}

impl FourLanes {
    /// Copies a word to every lane.
    #[inline(always)]
    fn same(self, word: u32) -> FourLanes {
        FourLanes(u32x4::splat(word))
    }
}

impl Words for FourLanes {
    /// There is nothing to prove.
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
    fn up<const BY: u32>(self) -> FourLanes {
        FourLanes(self.0 << BY)
    }

    #[inline(always)]
    fn down<const BY: u32>(self) -> FourLanes {
        FourLanes(self.0 >> BY)
    }

    #[inline(always)]
    fn thrice<const BY: u32>(self) -> FourLanes {
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
    #[inline(always)]
    fn load((): (), words: &[u32; LANES]) -> FourLanes {
        FourLanes(u32x4::new(*words))
    }

    #[inline(always)]
    fn store(self, words: &mut [u32; LANES]) {
        *words = self.0.to_array();
    }
}

operator!(BitAnd::bitand, FourLanes, |a, b| a & b);
operator!(BitOr::bitor, FourLanes, |a, b| a | b);
operator!(BitXor::bitxor, FourLanes, |a, b| a ^ b);
operator!(Add::add, FourLanes, |a, b| a + b);
operator!(Sub::sub, FourLanes, |a, b| a - b);
