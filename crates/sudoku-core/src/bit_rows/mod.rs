//! Small numbers: types for them, sets of them as rows of bits, and relations between them.

// Modules in order of dependency: each uses only the modules listed before it.

mod number_type;

mod bit_set;

mod rows;

mod closure;

pub(crate) use bit_set::BitSet;
pub(crate) use closure::Closure;
pub(crate) use number_type::number_type;
pub(crate) use rows::{BitRows, add, bits, count, has, insert, meets, members};
