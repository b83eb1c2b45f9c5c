//! Reads the elements of lists as the cells of grids.

use std::ops::Range;

use sudoku_core::sizes::Symbol;

use crate::table::reject::RejectReason;

/// The elements of lists that may be grids. `at` is the index of an element in the array.
pub(in crate::read) trait Cells {
    /// Appends a cell of a grid with this side length to the text. The error is the reason why the element
    /// is not a cell.
    fn add(&self, at: usize, side: usize, text: &mut String) -> Result<(), RejectReason>;

    /// The element as text, for the reject of an invalid list.
    fn display(&self, at: usize) -> String;

    /// The maximum number of characters of an element's text in a reject.
    const MOST_CHARACTERS: usize;

    /// The grid of a list whose elements are texts of whole rows; `None` if the elements are cells.
    fn rows(&self, list: Range<usize>) -> Option<Result<String, RejectReason>>;

    /// The message for a list whose number of elements is wrong.
    fn wrong_count(count: usize) -> String;
}

/// The character for the number of a cell: `.` for 0, and letters for numbers above 9; `None` for numbers above
/// 35.
pub(in crate::read) fn cell(number: usize) -> Option<char> {
    match number {
        0 => Some('.'),
        1..=25 => Some(Symbol::new(number - 1).character()),
        _ => None,
    }
}
