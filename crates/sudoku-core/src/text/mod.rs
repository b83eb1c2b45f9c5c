//! The text of a 9 × 9 puzzle → the puzzle, or why the text is none.

mod hodoku;
mod normalise;
mod reject;
mod validate;

pub use hodoku::{LibraryFields, LibraryLine, parse_triple, triples};
pub use normalise::{BLANKS, Start, is_cell, is_clean, normalise};
pub use reject::{RejectKind, RejectReason};
pub use validate::{Given, Puzzle, validate};
