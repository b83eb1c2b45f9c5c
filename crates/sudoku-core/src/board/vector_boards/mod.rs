//! Two layouts of boards for vector code, used to fill in waves of singles.

pub(crate) mod bands;
pub(crate) mod digit_vectors;
pub(crate) mod vector_board;
