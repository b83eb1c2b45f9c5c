//! Reads boards that span several lines, as [`sudoku_core::text::boards`] recognises them, and the files of OpenSudoku.

pub(crate) mod blocks;
pub(crate) mod opensudoku;
pub(crate) mod xml;
