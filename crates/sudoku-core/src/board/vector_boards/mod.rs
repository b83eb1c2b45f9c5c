//! Boards as vectors and as words, for the waves of singles.

pub(crate) mod bands;
pub(crate) mod digit_vectors;
pub(crate) mod vector_board;
