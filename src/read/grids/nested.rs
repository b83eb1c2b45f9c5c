//! The text of each list that is a grid, and the reason why another list is none.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{ArrayRef, StringBuilder};

use sudoku_core::sizes::Size;
use sudoku_core::text::notation::{Number, NumberSymbols, SymbolCounts};

use super::cells::Cells;
use super::lists::ListRanges;
use super::number_cells::{NumberCells, Numbers};
use crate::table::reject::{RejectKind, RejectReason};

/// The maximum number of elements of an invalid list that are shown when it is rejected.
const MOST_DISPLAYED: usize = 1000;

/// The reason for rejecting a list that is not a grid.
fn not_a_grid(message: String) -> RejectReason {
    RejectReason::new(RejectKind::WrongLength, message)
}

/// Lists that may be grids, and access to their elements.
pub(in crate::read) struct Lists<'a, C> {
    /// The inner lists, which are the rows of a grid; `None` if a grid is one list.
    inner: Option<&'a ListRanges>,
    cells: C,
}

impl<'a, C: Cells> Lists<'a, C> {
    pub(in crate::read) fn new(inner: Option<&'a ListRanges>, cells: C) -> Lists<'a, C> {
        Lists { inner, cells }
    }

    pub(super) fn texts(&self, outer: ListRanges) -> (ArrayRef, Vec<(usize, RejectReason)>) {
        let rows = outer.ranges.len();
        let mut texts = StringBuilder::with_capacity(rows, 81 * rows);
        let mut reasons = Vec::new();
        for (row, range) in outer.ranges.into_iter().enumerate() {
            let text = range.map(|range| {
                self.grid(range).unwrap_or_else(|(text, reason)| {
                    reasons.push((row, reason));
                    text
                })
            });
            texts.append_option(text);
        }
        (Arc::new(texts.finish()), reasons)
    }

    /// The grid in this list, as text. The error has the list as readable text, and the reason why it is not a grid.
    pub(in crate::read) fn grid(
        &self,
        list: Range<usize>,
    ) -> Result<String, (String, RejectReason)> {
        let grid = match self.inner {
            None => self.grid_from_list(list.clone()),
            Some(inner) => self.grid_from_rows(&inner.ranges[list.clone()]),
        };
        grid.map_err(|reason| (self.display(list), reason))
    }

    /// The grid in a list of cells, or in a list of texts that are whole rows.
    fn grid_from_list(&self, list: Range<usize>) -> Result<String, RejectReason> {
        if let Some(rows) = self.cells.rows(list.clone()) {
            return rows;
        }
        let count = list.len();
        if !Size::is_cell_count(count) {
            return Err(not_a_grid(C::wrong_count(count)));
        }
        self.cells.check(list.clone())?;
        let mut text = String::with_capacity(count);
        self.cells.add_all(list, count.isqrt(), &mut text)?;
        Ok(text)
    }

    /// The grid in a list whose elements are rows, which are lists of cells.
    fn grid_from_rows(&self, rows: &[Option<Range<usize>>]) -> Result<String, RejectReason> {
        let side_length = rows.len();
        if !Size::ORDERS.contains(&side_length) {
            return Err(not_a_grid(format!(
                "a grid of {side_length} rows; a puzzle has 9"
            )));
        }
        self.cells.check(rows.iter().flatten().cloned().flatten())?;
        let mut text = String::with_capacity(side_length * side_length);
        for (number, row) in (1..).zip(rows) {
            let row = row.clone();
            let row = row.ok_or_else(|| not_a_grid(format!("row {number} of the grid is null")))?;
            if row.len() != side_length {
                let cells = row.len();
                return Err(not_a_grid(format!(
                    "row {number} of the grid has {cells} cells; each of its {side_length} rows must have as many"
                )));
            }
            self.cells.add_all(row, side_length, &mut text)?;
        }
        Ok(text)
    }

    /// The list as readable text, cut to [`MOST_DISPLAYED`] elements.
    pub(in crate::read) fn display(&self, list: Range<usize>) -> String {
        let mut cells_left = MOST_DISPLAYED;
        let element = |at: usize, _: &mut usize| self.cells.display(at);
        let mut text = match self.inner {
            None => join_lists(list, &mut cells_left, element),
            Some(inner) => join_lists(list, &mut cells_left, |row, left| {
                match &inner.ranges[row] {
                    Some(row) => join_lists(row.clone(), left, element),
                    None => "null".to_owned(),
                }
            }),
        };
        if let Some((end, _)) = text.char_indices().nth(C::MOST_CHARACTERS) {
            text.truncate(end);
            text.push('…');
        }
        text
    }
}

/// Joins the elements of nested lists between brackets. `cells_left` is the number of elements that may still be
/// written; then the text is cut.
fn join_lists(
    list: Range<usize>,
    cells_left: &mut usize,
    element: impl Fn(usize, &mut usize) -> String,
) -> String {
    let mut text = String::from("[");
    for (n, at) in list.enumerate() {
        if n > 0 {
            text.push(',');
        }
        if *cells_left == 0 {
            text.push('…');
            break;
        }
        text += &element(at, cells_left);
        *cells_left = cells_left.saturating_sub(1);
    }
    text + "]"
}

impl<N: Numbers + ?Sized> Lists<'_, NumberCells<'_, N>> {
    /// The numbers that stand for empty cells and for digits in these lists. `None` if no list is as long as a grid.
    pub(in crate::read) fn symbols(
        &self,
        lists: impl Iterator<Item = Range<usize>>,
    ) -> Option<NumberSymbols> {
        let mut counts = SymbolCounts::default();
        for list in lists {
            let rows = match self.inner {
                None => Some(vec![list]),
                Some(inner) => inner.ranges[list].iter().cloned().collect::<Option<_>>(),
            };
            let Some(rows) = rows else { continue };
            let cells: usize = rows.iter().map(ExactSizeIterator::len).sum();
            if !Size::is_cell_count(cells) {
                continue;
            }
            let order = cells.isqrt();
            let is_shifted = self.cells.is_shifted(rows.iter().cloned().flatten(), order);
            let numbers = rows
                .into_iter()
                .flatten()
                .map(|at| match self.cells.number(at) {
                    None => Number::Null,
                    Some(Ok(number)) => Number::Whole(number),
                    Some(Err(_)) => Number::Other,
                });
            counts.add(numbers, order, is_shifted);
        }
        counts.symbols()
    }
}
