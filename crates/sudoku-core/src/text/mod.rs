//! Parses the text of a puzzle: plain text, and the notations in which people publish grids.

pub mod boards;
mod error;
mod hodoku;
mod normalise;
pub mod notation;
mod validate;

pub use error::{ParseError, ParseErrorKind};
pub(crate) use hodoku::parse_triple;
pub use hodoku::{LibraryFields, LibraryLine, triples};
pub use normalise::{BLANKS, Normalised, is_cell, is_clean, normalise};
pub use validate::{Given, Puzzle, validate};
