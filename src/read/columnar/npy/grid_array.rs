//! A NumPy array that can hold grids. Where its shape allows several layouts, its first items decide.

use super::header::{ArrayHead, ItemType, LONGEST_ROW, shape_text};
use super::layouts::{self, Layout, RecordForm};
use super::one_hot::{ClassAxis, is_without_conflict};
use crate::read::ReadOptions;
use crate::read::grids::number_cells::NumberCells;
use crate::read::grids::{Lists, NumberSymbols};

/// At most this many records are examined to choose a layout.
const SAMPLE_RECORDS: usize = 1000;

/// The header of an array that can hold grids, and what is known about its items.
#[derive(Clone)]
pub(super) struct GridArray {
    pub(super) descr: String,
    pub(super) item: ItemType,
    /// The size of an item in bytes.
    pub(super) size: usize,
    pub(super) big_endian: bool,
    pub(super) shape: Vec<u64>,
    /// The number of records, each of which is a grid or a pair of grids.
    pub(super) rows: u64,
    /// The number of items in a record.
    pub(super) item_count: usize,
    pub(super) form: RecordForm,
    /// The layouts that the shape allows. The first bytes of the data decide.
    pub(super) layouts: Vec<Layout>,
    /// The numbers that stand for empty cells and for digits.
    pub(super) symbols: NumberSymbols,
}

impl GridArray {
    /// Parses the header of an array of grids. The error is the reason why the array cannot hold grids.
    #[cfg(test)]
    pub(super) fn parse(head: &str) -> Result<GridArray, String> {
        GridArray::from_grids(ArrayHead::parse(head)?)
    }

    /// Checks that an array can hold grids. The error is the reason why it cannot.
    pub(super) fn from_grids(head: ArrayHead) -> Result<GridArray, String> {
        let (item, size) = head.items()?;
        let is_text = matches!(item, ItemType::Bytes | ItemType::Unicode);
        let is_boolean = head.descr.ends_with("b1");
        let mut layouts = layouts::layouts(&head.shape, is_text);
        if is_boolean {
            let is_one_hot = |layout: &Layout| matches!(layout.form, RecordForm::OneHot(_));
            if !layouts.is_empty() && !layouts.iter().any(is_one_hot) {
                return Err("a NumPy array of booleans holds no digits: save it as int8".to_owned());
            }
            layouts.retain(is_one_hot);
        }
        let Some(&Layout { rows, items, form }) = layouts.first() else {
            if layouts::may_count_last(&head.shape) {
                return Err(format!(
                    "the NumPy array has the shape {}, whose last axis may count the grids: save \
                     numpy.moveaxis(array, -1, 0)",
                    head.shape_text()
                ));
            }
            return Err(format!(
                "the NumPy array has the shape {}; grids are read from (n, 81) and (n, 9, 9), one-hot digits from \
                 (n, 9, 9, 9), (n, 9, 9, 10), (n, 10, 9, 9), (n, 81, 9), (n, 729) and the like, pairs of a puzzle and \
                 its solution from (n, 2, 81), steps of solutions from (n, 325), and likewise of the other sizes",
                head.shape_text()
            ));
        };
        let items = layouts
            .iter()
            .map(|layout| layout.items)
            .max()
            .unwrap_or(items);
        if items.saturating_mul(size) > LONGEST_ROW {
            return Err(format!(
                "a record of the NumPy array has {} bytes, and none may have more than {LONGEST_ROW}",
                items.saturating_mul(size)
            ));
        }
        Ok(GridArray {
            item,
            size,
            big_endian: head.descr.starts_with('>'),
            descr: head.descr,
            shape: head.shape,
            rows,
            item_count: layouts[0].items,
            form,
            layouts,
            symbols: 0.into(),
        })
    }

    /// Learns from the first bytes of the array's data how records form grids, and which numbers stand for empty cells
    /// and for digits, unless `offset` says it. The error is the reason why that is ambiguous.
    pub(super) fn learn(&mut self, bytes: &[u8], offset: Option<i16>) -> Result<(), String> {
        self.choose_layout(bytes)?;
        let whole = bytes.len() / self.row_bytes().max(1) * self.row_bytes();
        let inferred = || self.inferred_symbols(&bytes[..whole]);
        self.symbols = offset.map_or_else(inferred, NumberSymbols::from);
        Ok(())
    }

    pub(super) fn set_layout(&mut self, layout: Layout) {
        (self.rows, self.item_count, self.form) = (layout.rows, layout.items, layout.form);
    }

    /// Whether the first axis counts the records. If not, the whole array is a single grid.
    pub(super) fn is_list(&self) -> bool {
        self.shape.first() == Some(&self.rows)
    }

    /// The size of a record in bytes.
    pub(super) fn row_bytes(&self) -> usize {
        self.item_count * self.size
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    fn head(descr: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n")
    }

    #[test]
    fn shapes_are_grids_or_refused() {
        for (descr, shape, expected) in [
            ("<i8", "(1000, 81)", Some((1000, 81))),
            ("|u1", "(3, 9, 9)", Some((3, 81))),
            (">i2", "(81,)", Some((1, 81))),
            ("<i4", "(9, 9)", Some((1, 81))),
            ("<f8", "(2, 16, 16)", Some((2, 256))),
            ("<U81", "(7,)", Some((7, 1))),
            ("|S1", "(7, 81)", Some((7, 81))),
            ("<i8", "(0, 81)", Some((0, 81))),
            ("<i8", "(3, 80)", None),
            ("<i8", "(3, 9, 8)", None),
            ("<i8", "()", None),
            ("<c16", "(3, 81)", None),
            ("|b1", "(3, 81)", None),
            ("|b1", "(3, 81, 9)", Some((3, 729))),
            ("<f4", "(3, 9, 9, 10)", Some((3, 810))),
            ("<f4", "(3, 9, 9, 9)", Some((3, 729))),
            ("<f4", "(9, 9, 10)", Some((1, 810))),
            ("<f4", "(3, 9, 9, 1)", Some((3, 81))),
            ("|i1", "(5, 2, 81)", Some((5, 162))),
            ("|i1", "(5, 2, 9, 9)", Some((5, 162))),
            ("<U81", "(5, 2)", Some((5, 2))),
            ("|i1", "(5, 3, 81)", None),
            ("<f4", "(3, 10, 9, 9)", Some((3, 810))),
            ("<f4", "(3, 1, 9, 9)", Some((3, 81))),
            ("<f4", "(3, 729)", Some((3, 729))),
            ("|b1", "(9, 9, 9)", Some((1, 729))),
            ("<i8", "(3, 325)", Some((3, 325))),
            ("<i8", "(3, 243)", None),
            ("<U9999999999", "(3,)", None),
            ("|i1", "(16, 16)", Some((1, 256))),
            ("|i1", "(4, 16)", Some((4, 16))),
        ] {
            let parsed = GridArray::parse(&head(descr, shape));
            let parsed = parsed.ok().map(|array| (array.rows, array.item_count));
            assert_eq!(parsed, expected, "{descr} {shape}");
        }
        let objects = GridArray::parse(&head("|O", "(3, 81)"));
        assert!(objects.err().unwrap().contains("never executed"));
        assert!(GridArray::parse("").is_err());
        let quoted = head("<i8", "(3, 81)")
            .replace('\'', "\"")
            .replace(':', " : ");
        assert_eq!(GridArray::parse(&quoted).unwrap().rows, 3);
    }
}
