//! What the kernels need of a vector: a 32-bit word in each lane.

use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

/// A 32-bit word for each lane; every operation works on each lane for itself.
///
/// The operators with a `u32` take the same word for every lane. Sums wrap.
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
    /// What proves that this machine has the instructions.
    type Proof: Copy;

    /// The same word in every lane.
    fn splat(proof: Self::Proof, word: u32) -> Self;

    /// The bits of these words that are not in the others.
    fn without(self, others: Self) -> Self;

    /// The bits moved up.
    fn up<const BY: u32>(self) -> Self;

    /// The bits moved down.
    fn down<const BY: u32>(self) -> Self;

    /// The bits, and two copies moved up by `BY` and twice that. Where copies overlap, the result is
    /// unspecified.
    fn thrice<const BY: u32>(self) -> Self;

    /// All bits where the word is 0, none elsewhere.
    fn is_zero(self) -> Self;

    /// The bits of the mask from these words, and all others from the others.
    #[inline(always)]
    fn blend(self, others: Self, mask: u32) -> Self {
        self & mask | others & !mask
    }

    /// The bits of the mask that are in these words or in the others.
    #[inline(always)]
    fn or_within(self, others: Self, mask: u32) -> Self {
        (self | others) & mask
    }

    /// The bits of these words, and those in which the two others differ.
    #[inline(always)]
    fn or_differing(self, one: Self, other: Self) -> Self {
        self | (one ^ other)
    }

    /// Bit n: the word of lane n is 0.
    fn zero_lanes(self) -> u32;
}

/// An operator between two vectors, and between a vector and the same word for every lane.
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
