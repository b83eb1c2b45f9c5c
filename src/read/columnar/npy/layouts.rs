//! The layouts in which the items of a NumPy array form grids, by the shape of the array.
//!
//! ```text
//! (n, 9, 9)      n grids                      (n, 2, 81)     n pairs of a puzzle and its solution
//! (n, 9, 9, 10)  n grids of one-hot digits    (n, 10, 9, 9)  the same, with the digits on the first axis
//! (n, 9, 9, 9)   either of the two            (n, 325)       n puzzles with the steps of their solutions
//! ```

use sudoku_core::sizes::Size;

use super::one_hot::{ClassAxis, OneHot};

/// The number of items of a record of steps: the number of clues, then four items for each cell.
const STEP_ITEMS: u64 = 1 + 4 * 81;

/// How a record of an array holds a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordForm {
    /// The record has one item for each cell, or one text for the whole grid.
    Grid,
    /// The record is a puzzle, followed by its solution.
    Pair,
    /// Each cell is a one-hot vector.
    OneHot(OneHot),
    /// The record has the number of clues, and then the row, the column, the digit and a number for the technique of each
    /// cell, first of the clues and then of the others in the order in which they are found.
    Steps,
    /// The same, but the record is read as a list of numbers, which can be wrong.
    StepNumbers,
}

/// A layout: the number of records, the number of items in each, and how they form a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) rows: u64,
    pub(super) items: usize,
    pub(super) form: RecordForm,
}

/// The layouts that an array of this shape can have. The first one is that of an array without items. None if the array
/// cannot hold grids.
pub(super) fn layouts(shape: &[u64], is_text: bool) -> Vec<Layout> {
    // Axes of length 1 after the first axis say nothing: they are channels, as in the inputs of neural networks.
    let (first, rest) = match shape.split_first() {
        Some((first, rest)) => (Some(*first), rest),
        None => return Vec::new(),
    };
    let shape: Vec<u64> = first
        .into_iter()
        .chain(rest.iter().copied().filter(|axis| *axis != 1))
        .collect();
    let mut layouts = Vec::new();
    layouts.extend(grid_layout(&shape, is_text));
    if !is_text {
        add_one_hot(&shape, &mut layouts);
        if let [rows, STEP_ITEMS] = *shape {
            layouts.push(Layout {
                rows,
                items: STEP_ITEMS as usize,
                form: RecordForm::Steps,
            });
        }
    }
    layouts
}

fn order(count: u64) -> Option<usize> {
    let order = usize::try_from(count).ok()?;
    Size::ORDERS.contains(&order).then_some(order)
}

fn cells(count: u64) -> Option<usize> {
    let count = usize::try_from(count).ok()?;
    Size::is_cell_count(count).then_some(count)
}

/// The layout without one-hot vectors.
fn grid_layout(shape: &[u64], is_text: bool) -> Option<Layout> {
    let layout = |rows, items, form| Some(Layout { rows, items, form });
    let grid = |rows, items| layout(rows, items, RecordForm::Grid);
    let pair = |rows, items: usize| layout(rows, 2 * items, RecordForm::Pair);
    let square = |one: u64, other: u64| {
        let order = order(one).filter(|_| one == other)?;
        Some(order * order)
    };
    match *shape {
        [rows] if is_text => grid(rows, 1),
        [rows, 2] if is_text => pair(rows, 1),
        // The array is a single grid. The shape (16, 16) could also mean sixteen 4 × 4 grids, but that layout does not
        // occur.
        [one, other] if square(one, other).is_some() => grid(1, square(one, other)?),
        [rows, count] if cells(count).is_some() => grid(rows, cells(count)?),
        [rows, one, other] if square(one, other).is_some() => grid(rows, square(one, other)?),
        [rows, 2, count] if cells(count).is_some() => pair(rows, cells(count)?),
        _ if is_text => None,
        [rows, 2, one, other] if square(one, other).is_some() => pair(rows, square(one, other)?),
        [count] => grid(1, cells(count)?),
        _ => None,
    }
}

/// Adds the layouts with one-hot vectors: `(n, 9, 9, k)`, `(n, k, 9, 9)`, `(n, 81, k)`, `(n, k, 81)`, `(n, 81 k)`, and the
/// same without the first axis, for a single grid.
fn add_one_hot(shape: &[u64], layouts: &mut Vec<Layout>) {
    use ClassAxis::{First, Last};
    let mut add = |rows, cells: usize, classes: u64, axis| {
        let order = cells.isqrt() as u64;
        if classes != order && classes != order + 1 {
            return;
        }
        let classes = classes as usize;
        let ends: &[bool] = if classes > cells.isqrt() {
            &[false, true]
        } else {
            &[false]
        };
        layouts.extend(ends.iter().map(|is_empty_last| Layout {
            rows,
            items: cells * classes,
            form: RecordForm::OneHot(OneHot {
                classes,
                axis,
                is_empty_last: *is_empty_last,
            }),
        }));
    };
    let mut add_records = |rows: u64, axes: &[u64]| match *axes {
        [one, other, last] => {
            if let Some(order) = order(one).filter(|_| one == other) {
                add(rows, order * order, last, Last);
            }
            if let Some(order) = order(last).filter(|_| other == last) {
                add(rows, order * order, one, First);
            }
        }
        [one, other] => {
            if let Some(cells) = cells(one) {
                add(rows, cells, other, Last);
            }
            if let Some(cells) = cells(other) {
                add(rows, cells, one, First);
            }
        }
        [count] => {
            // 80 items are more likely a 9 × 9 grid without its last cell than a 4 × 4 grid.
            for order in Size::ORDERS.into_iter().filter(|order| *order > 4) {
                let cells = order * order;
                for classes in [order as u64, order as u64 + 1] {
                    if cells as u64 * classes == count {
                        add(rows, cells, classes, Last);
                        add(rows, cells, classes, First);
                    }
                }
            }
        }
        _ => {}
    };
    if let [rows, record @ ..] = shape {
        add_records(*rows, record);
    }
    add_records(1, shape);
}

/// Whether moving the last axis to the front makes the array one of grids.
pub(super) fn may_count_last(shape: &[u64]) -> bool {
    let Some((last, before)) = shape.split_last().filter(|(_, before)| !before.is_empty()) else {
        return false;
    };
    !layouts(&[&[*last], before].concat(), false).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_axis_of_the_digits_is_a_layout() {
        use ClassAxis::{First, Last};
        for (shape, expected) in [
            (&[3, 9, 9, 10][..], &[(3, Last)][..]),
            (&[3, 10, 9, 9], &[(3, First)]),
            (&[3, 9, 9, 9], &[(3, Last), (3, First)]),
            (&[3, 81, 9], &[(3, Last)]),
            (&[3, 9, 81], &[(3, First)]),
            (&[3, 729], &[(3, Last), (3, First)]),
            (&[3, 1, 810], &[(3, Last), (3, First)]),
            (&[729], &[(1, Last), (1, First)]),
            (&[81, 9], &[(1, Last)]),
            (&[9, 9, 9], &[(1, Last), (1, First)]),
            (&[10, 9, 9], &[(1, First)]),
            (&[9, 9, 8], &[]),
        ] {
            let mut axes: Vec<(u64, ClassAxis)> = layouts(shape, false)
                .iter()
                .filter_map(|layout| match layout.form {
                    RecordForm::OneHot(one_hot) => Some((layout.rows, one_hot.axis)),
                    _ => None,
                })
                .collect();
            axes.dedup();
            assert_eq!(axes, expected, "{shape:?}");
        }
    }
}
