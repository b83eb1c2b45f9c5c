//! How the items of a NumPy array form grids: by the shape of the array and, where that allows several layouts, by its
//! first items.
//!
//! ```text
//! (n, 9, 9)      n grids                      (n, 2, 81)     n pairs of a puzzle and its solution
//! (n, 9, 9, 10)  n grids of one-hot digits    (n, 10, 9, 9)  the same, with the digits on the first axis
//! (n, 9, 9, 9)   either of the two            (n, 325)       n puzzles with the steps of their solutions
//! ```

use sudoku_core::sizes::Size;

use super::header::{ItemType, NpyHeader, shape_text};
use super::one_hot::{ClassAxis, OneHot, is_without_conflict};
use crate::read::ReadOptions;
use crate::read::grids::Lists;
use crate::read::grids::number_cells::NumberCells;

/// The number of items of a record of steps: the number of clues, then four items for each cell.
const STEP_ITEMS: u64 = 1 + 4 * 81;

/// At most this many records are examined to choose a layout.
const SAMPLE_RECORDS: usize = 1000;

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

impl NpyHeader {
    /// What was learned about the numbers of the array, for messages; it begins with a comma or is empty.
    pub(super) fn meaning(&self) -> String {
        let form = match self.form {
            RecordForm::OneHot(one_hot) => {
                let axis = one_hot.axis.name();
                format!(", with one-hot digits on the {axis} axis of a record")
            }
            RecordForm::Steps | RecordForm::StepNumbers => {
                ", which are the steps of solutions".to_owned()
            }
            RecordForm::Grid | RecordForm::Pair => String::new(),
        };
        match self.symbols.description() {
            Some(description) => format!("{form}, in which {description}"),
            None => form,
        }
    }

    /// What the log says about the numbers of the array, if no option says what they mean.
    pub(super) fn notes(&self, options: &ReadOptions) -> Vec<String> {
        let description = self.symbols.description();
        let description = description.filter(|_| options.token_offset.is_none());
        let note = description.map(|description| format!("in its grids, {description}"));
        note.into_iter().collect()
    }

    /// Chooses the layout by the first bytes of the array's data. The error is the reason why none can be chosen.
    pub(super) fn choose_layout(&mut self, bytes: &[u8]) -> Result<(), String> {
        let is_text = matches!(self.item, ItemType::Bytes | ItemType::Unicode);
        if is_text || bytes.len() < self.size {
            return Ok(());
        }
        if let [rows, columns] = *self.shape
            && rows == columns
            && rows == self.item_count as u64
        {
            return self.refuse_columns(bytes);
        }
        if self.layouts.len() < 2 {
            return Ok(());
        }
        let numbers = self.numbers(bytes);
        let is_binary = numbers
            .iter()
            .all(|number| *number == 0.0 || *number == 1.0);
        let is_one_hot = |layout: &&Layout| matches!(layout.form, RecordForm::OneHot(_));
        let others = self.layouts.iter().find(|layout| !is_one_hot(layout));
        let chosen = match others {
            Some(grid) if !is_binary => *grid,
            None if !is_binary => return Ok(()),
            _ => self.best_one_hot(&numbers)?,
        };
        self.set_layout(chosen);
        Ok(())
    }

    /// Refuses an array of the shape (81, 81) whose columns are the grids, and not its rows.
    fn refuse_columns(&self, bytes: &[u8]) -> Result<(), String> {
        let side = self.item_count;
        let numbers = self.numbers(bytes);
        if numbers.len() != side * side {
            return Ok(());
        }
        let transposed: Vec<f64> = (0..numbers.len())
            .map(|at| numbers[at % side * side + at / side])
            .collect();
        let count = |numbers: &[f64]| {
            let lists = Lists::new(None, NumberCells::new(numbers, self.symbols));
            let grids = (0..side).map(|row| lists.grid(row * side..(row + 1) * side));
            grids
                .filter(|grid| grid.as_ref().is_ok_and(|text| is_without_conflict(text)))
                .count()
        };
        let (rows, columns) = (count(&numbers), count(&transposed));
        if columns > rows && columns * 10 >= side * 9 {
            Err(format!(
                "the columns of the NumPy array are grids, and not its rows ({columns} and {rows} have no conflict): \
             save array.T"
            ))
        } else {
            Ok(())
        }
    }

    /// The layout of one-hot vectors in which nearly all of the first records are grids without conflicts.
    fn best_one_hot(&self, numbers: &[f64]) -> Result<Layout, String> {
        let mut best: Vec<(ClassAxis, Layout, usize, usize)> = Vec::new();
        for layout in &self.layouts {
            let RecordForm::OneHot(one_hot) = layout.form else {
                continue;
            };
            let records = numbers.chunks_exact(layout.items).take(SAMPLE_RECORDS);
            let count = records.len();
            let is_grid = |record: &&[f64]| {
                one_hot
                    .grid(record)
                    .is_ok_and(|text| is_without_conflict(&text))
            };
            let valid = records.filter(is_grid).count();
            match best.iter_mut().find(|(axis, ..)| *axis == one_hot.axis) {
                None => best.push((one_hot.axis, *layout, valid, count)),
                Some(known) if known.2 < valid => {
                    (known.1, known.2, known.3) = (*layout, valid, count);
                }
                Some(_) => {}
            }
        }
        let fits =
            |(_, _, valid, count): &&(_, _, usize, usize)| *valid > 0 && valid * 10 >= count * 9;
        match best.as_slice() {
            [(_, layout, ..)] => return Ok(*layout),
            _ if best.iter().all(|(.., count)| *count == 0) => {
                return Ok(self.layouts[0]);
            }
            _ => {}
        }
        let fitting: Vec<_> = best.iter().filter(fits).collect();
        if let [(_, layout, ..)] = fitting.as_slice() {
            return Ok(*layout);
        }
        let found: Vec<String> = best
            .iter()
            .map(|(axis, _, valid, count)| {
                format!(
                    "with the digits on the {} axis, {valid} of the first {count}",
                    axis.name()
                )
            })
            .collect();
        Err(format!(
            "the NumPy array of the shape {} has one-hot digits, but on which axis is ambiguous: grids without a \
             conflict are, {}; save the digits themselves, as (n, 81)",
            shape_text(&self.shape),
            found.join(", and ")
        ))
    }
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
