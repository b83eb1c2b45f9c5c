//! Vectors of sixteen bytes. The search for the min-lex form uses them to sort the columns of a row.

use std::ops::{BitAnd, BitOr, BitXor};

use wide::u8x16;

/// A vector of sixteen bytes. All operations but [`Bytes::shuffle`] work on each byte separately.
pub(crate) trait Bytes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// The type whose values prove that this machine has the instruction set of the vector.
    type Proof: Copy;

    /// Loads sixteen bytes from memory.
    fn load(proof: Self::Proof, bytes: &[u8; 16]) -> Self;

    /// The sixteen bytes as an array.
    fn to_array(self) -> [u8; 16];

    /// Permutes the bytes: byte n of the result is byte `order[n]`, or 0 if `order[n]` is at least 0x80.
    fn shuffle(self, order: Self) -> Self;

    /// For each byte position, the smaller one of the two vectors' bytes.
    fn min(self, other: Self) -> Self;

    /// For each byte position, the larger one of the two vectors' bytes.
    fn max(self, other: Self) -> Self;

    /// For each byte position, 0xff if the two vectors' bytes are equal, and 0 otherwise.
    fn equals(self, other: Self) -> Self;

    /// A mask of the highest bits: bit n of the result is the highest bit of byte n.
    fn high_bits(self) -> u32;

    /// The two halves of the vector, bytes 0–7 and 8–15, each as a little-endian number.
    fn halves(self) -> [u64; 2];
}

/// An algorithm on [`Bytes`], written once for all instruction sets. All of its code must be inlined
/// into [`ByteWork::run`].
pub(crate) trait ByteWork {
    /// The result type of the algorithm.
    type Output;

    /// Runs the algorithm with the vector type `B`.
    fn run<B: Bytes>(self, proof: B::Proof) -> Self::Output;
}

/// A vector of sixteen bytes in plain Rust, for machines without a faster instruction set.
#[derive(Clone, Copy)]
pub(super) struct PortableBytes(u8x16);

impl Bytes for PortableBytes {
    /// Plain Rust runs on every machine and needs no proof.
    type Proof = ();

    #[inline(always)]
    fn load((): (), bytes: &[u8; 16]) -> PortableBytes {
        PortableBytes(u8x16::new(*bytes))
    }

    #[inline(always)]
    fn to_array(self) -> [u8; 16] {
        self.0.to_array()
    }

    #[inline(always)]
    fn shuffle(self, order: PortableBytes) -> PortableBytes {
        PortableBytes(self.0.shuffle(order.0))
    }

    #[inline(always)]
    fn min(self, other: PortableBytes) -> PortableBytes {
        PortableBytes(self.0.min(other.0))
    }

    #[inline(always)]
    fn max(self, other: PortableBytes) -> PortableBytes {
        PortableBytes(self.0.max(other.0))
    }

    #[inline(always)]
    fn equals(self, other: PortableBytes) -> PortableBytes {
        PortableBytes(self.0.simd_eq(other.0))
    }

    #[inline(always)]
    fn high_bits(self) -> u32 {
        self.0.to_bitmask()
    }

    #[inline(always)]
    fn halves(self) -> [u64; 2] {
        let bytes = u128::from_le_bytes(self.to_array());
        [bytes as u64, (bytes >> 64) as u64]
    }
}

/// Implements a bitwise operator such as `&` for a tuple struct that contains a vector.
macro_rules! bitwise {
    ($operator:ident :: $function:ident, $vector:ident, |$a:ident, $b:ident| $result:expr) => {
        impl std::ops::$operator for $vector {
            type Output = $vector;
            #[inline(always)]
            fn $function(self, other: $vector) -> $vector {
                let ($a, $b) = (self.0, other.0);
                $vector($result)
            }
        }
    };
}

pub(super) use bitwise;

bitwise!(BitAnd::bitand, PortableBytes, |a, b| a & b);
bitwise!(BitOr::bitor, PortableBytes, |a, b| a | b);
bitwise!(BitXor::bitxor, PortableBytes, |a, b| a ^ b);
