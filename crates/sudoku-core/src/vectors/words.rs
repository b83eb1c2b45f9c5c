//! The traits that algorithms in lanes are written with: vectors with a 32-bit word in each lane.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// A 32-bit word for each lane; every operation works on each lane for itself.
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

    /// The bits of these words that are not set in the others: `self & !others`.
    fn without(self, others: Self) -> Self;

    /// Shifts the bits left.
    fn shift_left<const BY: u32>(self) -> Self;

    /// Shifts the bits right.
    fn shift_right<const BY: u32>(self) -> Self;

    /// The union of the bits and of two copies, shifted left by `BY` and by `2 * BY`. The copies must not
    /// overlap, or else the result is unspecified.
    fn with_two_copies<const BY: u32>(self) -> Self;

    /// All bits set for a word that is 0, and none for any other word.
    fn is_zero(self) -> Self;

    /// The bits in the mask from these words, and the bits outside the mask from the others.
    #[inline(always)]
    fn blend(self, others: Self, mask: u32) -> Self {
        self & mask | others & !mask
    }

    /// The bits in the mask that are set in these words or in the others.
    #[inline(always)]
    fn or_within(self, others: Self, mask: u32) -> Self {
        (self | others) & mask
    }

    /// The bits of these words, and the bits in which `one` and `other` differ.
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
                std::ops::$operator::$function(self, self.same(word))
            }
        }
    };
}

pub(super) use operator;
