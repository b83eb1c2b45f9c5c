//! `pipeline` turns files of Sudoku puzzles into tables:
//! read → normalise → validate → solve → grade → write, on all cores, in bounded memory.

pub mod board;
pub mod error;
pub mod grade;
pub mod read;
pub mod reject;
pub mod rng;
pub mod solve;
