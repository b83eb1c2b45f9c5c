//! The base trait for vectors with a 32-bit word in each lane.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// A vector with a 32-bit word in each lane. Every operation works on each lane separately.
///
/// Operators with a `u32` use the same word for every lane. Sums wrap.
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
    /// The type whose values prove that this machine has the instructions.
    type Proof: Copy;

    /// Copies a word to every lane.
    fn splat(proof: Self::Proof, word: u32) -> Self;

    /// The bits of `self` that are not set in `others`: `self & !others`.
    fn without(self, others: Self) -> Self;

    /// Shifts each word left by `BY` bits.
    fn shift_left<const BY: u32>(self) -> Self;

    /// Shifts each word right by `BY` bits.
    fn shift_right<const BY: u32>(self) -> Self;

    /// `self | self << BY | self << 2 * BY`. The shifted copies must not overlap; otherwise the result is
    /// unspecified.
    fn with_two_copies<const BY: u32>(self) -> Self;

    /// Sets all bits of each word that is 0, and clears all other words.
    fn is_zero(self) -> Self;

    /// The bits of `self` inside the mask, and the bits of `others` outside the mask.
    #[inline(always)]
    fn blend(self, others: Self, mask: u32) -> Self {
        self & mask | others & !mask
    }

    /// The bits of `self | others` inside the mask.
    #[inline(always)]
    fn or_within(self, others: Self, mask: u32) -> Self {
        (self | others) & mask
    }

    /// The bits of `self`, and the bits in which `one` and `other` differ.
    #[inline(always)]
    fn or_differing(self, one: Self, other: Self) -> Self {
        self | (one ^ other)
    }

    /// Bit n is set if the word of lane n is 0.
    fn zero_lanes(self) -> u32;
}

/// Implements an operator for two vectors, and for a vector and a word that all lanes share.
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
