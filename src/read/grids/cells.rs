//! Reads the elements of a list as the cells of a grid.

use std::ops::Range;

use sudoku_core::sizes::Symbol;

use crate::table::reject::RejectReason;

/// The elements of lists that may be grids. `at` is always the index of an element in the array of all elements.
pub(in crate::read) trait Cells {
    /// Appends the element to `text`, as a cell of a grid with this number of rows. The error is the reason why the
    /// element is not a cell.
    fn add(&self, at: usize, side: usize, text: &mut String) -> Result<(), RejectReason>;

    /// Appends the elements of a list in the same way.
    fn add_all(
        &self,
        list: Range<usize>,
        side: usize,
        text: &mut String,
    ) -> Result<(), RejectReason> {
        list.into_iter().try_for_each(|at| self.add(at, side, text))
    }

    /// Checks that the cells of a grid do not contradict each other. The error is the reason why they do.
    fn check(&self, _: impl Iterator<Item = usize>) -> Result<(), RejectReason> {
        Ok(())
    }

    /// The element as readable text, which is shown if the list is rejected.
    fn display(&self, at: usize) -> String;

    /// The maximum number of characters of an element that are shown if the list is rejected.
    const MOST_CHARACTERS: usize;

    /// The text of the grid if the elements of the list are texts of whole rows; `None` if the elements are cells.
    fn rows(&self, list: Range<usize>) -> Option<Result<String, RejectReason>>;

    /// The message for a list that has a wrong number of elements.
    fn wrong_count(count: usize) -> String;
}

/// The character for a cell that is given as a number: `.` for 0, a digit, or a letter for numbers above 9. `None` for
/// numbers above 35.
pub(in crate::read) fn cell(number: usize) -> Option<char> {
    match number {
        0 => Some('.'),
        1..=25 => Some(Symbol::new(number - 1).character()),
        _ => None,
    }
}
