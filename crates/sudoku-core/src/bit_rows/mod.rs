//! Rows of bits: sets of small numbers, and relations between such numbers.

// Each module uses only modules above it.

mod rows;

mod closure;

pub(crate) use closure::Closure;
pub(crate) use rows::{BitRows, add, bits, count, has, insert, meets, members};
