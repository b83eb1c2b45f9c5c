//! Two layouts of boards for vector code, used to place all singles of a board at once.

pub(crate) mod bands;
pub(crate) mod digit_vectors;
pub(crate) mod vector_board;
