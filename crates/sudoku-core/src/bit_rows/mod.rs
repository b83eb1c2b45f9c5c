//! Rows of bits: sets of small numbers, and relations between such numbers.

// Modules in order of dependency: each uses only the modules listed before it.

mod bit_set;

mod rows;

mod closure;

pub(crate) use bit_set::BitSet;
pub(crate) use closure::Closure;
pub(crate) use rows::{BitRows, add, bits, count, has, insert, meets, members};
