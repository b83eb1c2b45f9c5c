//! The base trait of all vectors with a 32-bit word in each lane.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// A vector with a 32-bit word in each lane. Every operation but [`Words::zero_lanes`] works on each lane
/// separately.
///
/// An operator with a `u32` uses this word for every lane. Additions and subtractions wrap around.
pub(crate) trait Words:
    Copy
    + BitAnd<Output = Self>
    + BitAnd<u32, Output = Self>
    + BitOr<Output = Self>
    + BitOr<u32, Output = Self>
    + BitXor<Output = Self>
    + BitXor<u32, Output = Self>
    + Add<Output = Self>
    + Add<u32, Output = Self>
    + Sub<Output = Self>
    + Sub<u32, Output = Self>
{
    /// The type whose values prove that this machine has the instruction set of the vector.
    type Proof: Copy;

    /// A vector with this word in every lane.
    fn splat(proof: Self::Proof, word: u32) -> Self;

    /// The bits of `self` that are not set in `others`: `self & !others`.
    fn without(self, others: Self) -> Self;

    /// Shifts each word left by `BY` bits.
    fn shift_left<const BY: u32>(self) -> Self;

    /// Shifts each word right by `BY` bits.
    fn shift_right<const BY: u32>(self) -> Self;

    /// Each word with two shifted copies: `self | self << BY | self << 2 * BY`. The copies must not overlap;
    /// otherwise the result is unspecified.
    fn with_two_copies<const BY: u32>(self) -> Self;

    /// For each word, all bits set if it is 0, and 0 otherwise.
    fn is_zero(self) -> Self;

    /// Selects bit by bit: the bits of `self` where `mask` is set, and the bits of `others` where it is
    /// clear.
    #[inline(always)]
    fn blend(self, others: Self, mask: u32) -> Self {
        self & mask | others & !mask
    }

    /// The bits of `self | others` where `mask` is set.
    #[inline(always)]
    fn or_within(self, others: Self, mask: u32) -> Self {
        (self | others) & mask
    }

    /// Adds to `self` the bits in which `one` and `other` differ: `self | (one ^ other)`.
    #[inline(always)]
    fn or_differing(self, one: Self, other: Self) -> Self {
        self | (one ^ other)
    }

    /// A mask of the lanes whose word is 0: bit n for lane n.
    fn zero_lanes(self) -> u32;
}

/// Implements an operator such as `&` for two vectors, and for a vector and one word for all lanes.
macro_rules! operator {
    ($operator:ident :: $function:ident, $vector:ident, |$a:ident, $b:ident| $result:expr) => {
        impl std::ops::$operator for $vector {
            type Output = $vector;
            #[inline(always)]
            fn $function(self, other: $vector) -> $vector {
                let ($a, $b) = (self.0, other.0);
                $vector($result)
            }
        }

        impl std::ops::$operator<u32> for $vector {
            type Output = $vector;
            #[inline(always)]
            fn $function(self, word: u32) -> $vector {
                std::ops::$operator::$function(self, self.broadcast(word))
            }
        }
    };
}

pub(super) use operator;
