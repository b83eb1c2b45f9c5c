//! Converts a record of a NumPy array to text.

use arrow::datatypes::{ArrowPrimitiveType, Float16Type};
use sudoku_core::sizes::Size;

use crate::read::EmptyCell;
use crate::read::grids::cells::cell;
use crate::read::grids::number_cells::NumberCells;
use crate::read::grids::{Lists, NumberSymbols};
use crate::table::reject::{RejectKind, RejectReason};

use super::grid_array::GridArray;
use super::header::ItemType;
use super::layouts::RecordForm;

/// A floating-point number of 16 bits.
type HalfFloat = <Float16Type as ArrowPrimitiveType>::Native;

impl GridArray {
    /// The grid in a record, as text. If the array has pairs of puzzle and solution, `record` is half of a pair. The
    /// error has the record as readable text, and the reason why it is not a grid. `symbols` are the numbers that stand for
    /// empty cells and for digits.
    pub(super) fn text(
        &self,
        record: &[u8],
        symbols: NumberSymbols,
    ) -> Result<String, (String, RejectReason)> {
        match self.item {
            ItemType::Bytes | ItemType::Unicode => {
                let mut text = String::new();
                // The item size is 0 if all texts of the array are empty.
                for item in record.chunks_exact(self.size.max(1)) {
                    let cell = self.characters(item);
                    if cell.is_empty() && self.item_count > 1 {
                        text.push('.');
                    } else {
                        text.push_str(&cell);
                    }
                }
                Ok(text)
            }
            _ => match self.grid_of_bytes(record, symbols) {
                Some(grid) => Ok(grid),
                None => self.grid_of_numbers(record, symbols),
            },
        }
    }

    /// A fast path for grids with one byte per cell, which are the most common; `None` for other records.
    fn grid_of_bytes(&self, record: &[u8], symbols: NumberSymbols) -> Option<String> {
        let offset = symbols.offset_of_bytes()?;
        let is_bytes = matches!(self.item, ItemType::Signed | ItemType::Unsigned) && self.size == 1;
        let is_one_hot = matches!(self.form, RecordForm::OneHot(_));
        if !is_bytes || is_one_hot || !Size::is_cell_count(record.len()) {
            return None;
        }
        let order = record.len().isqrt();
        // As an unsigned byte, a negative number is larger than every digit, so it is rejected, too.
        let cell_numbers = record
            .iter()
            .map(|byte| usize::from(byte.wrapping_sub(offset)));
        cell_numbers
            .map(|number| cell(number).filter(|_| number <= order))
            .collect()
    }

    fn grid_of_numbers(
        &self,
        record: &[u8],
        symbols: NumberSymbols,
    ) -> Result<String, (String, RejectReason)> {
        let numbers = self.numbers(record);
        let lists = Lists::new(None, NumberCells::new(&numbers[..], symbols));
        let RecordForm::OneHot(one_hot) = self.form else {
            return lists.grid(0..numbers.len());
        };
        one_hot.grid(&numbers).map_err(|message| {
            let reason = RejectReason::new(RejectKind::BadCharacter, message);
            (lists.display(0..numbers.len()), reason)
        })
    }

    /// The numbers that stand for empty cells and for digits in these records.
    pub(super) fn inferred_symbols(&self, records: &[u8]) -> NumberSymbols {
        let is_text = matches!(self.item, ItemType::Bytes | ItemType::Unicode);
        let grids = match self.form {
            RecordForm::Grid => 1,
            RecordForm::Pair => 2,
            RecordForm::OneHot(_) | RecordForm::Steps | RecordForm::StepNumbers => return 0.into(),
        };
        if is_text {
            return 0.into();
        }
        let numbers = self.numbers(records);
        let cells = (self.item_count / grids).max(1);
        let lists = (0..numbers.len() / cells).map(|n| n * cells..(n + 1) * cells);
        let symbols = Lists::new(None, NumberCells::new(&numbers[..], 0)).symbols(lists);
        symbols.unwrap_or(0.into())
    }

    /// What grids of numbers in these records have in their empty cells; `None` for texts, one-hot digits and steps.
    pub(super) fn empty_cell(&self, records: &[u8]) -> Option<EmptyCell> {
        let is_text = matches!(self.item, ItemType::Bytes | ItemType::Unicode);
        let is_grid = matches!(self.form, RecordForm::Grid | RecordForm::Pair);
        if is_text || !is_grid {
            return None;
        }
        let is_integer = matches!(self.item, ItemType::Signed | ItemType::Unsigned);
        let has_nan = !is_integer && self.numbers(records).iter().any(|number| number.is_nan());
        Some(if has_nan {
            EmptyCell::NotANumber
        } else {
            EmptyCell::Number(self.symbols.empty)
        })
    }

    /// The puzzle and its solution in a record of steps. The error has the record as readable text, and the reason why it
    /// has none.
    pub(super) fn steps(&self, record: &[u8]) -> Result<(String, String), (String, RejectReason)> {
        let numbers = self.numbers(record);
        let rejected = |message: String| {
            let lists = Lists::new(None, NumberCells::new(&numbers[..], 0));
            let reason = RejectReason::new(RejectKind::BadCharacter, message);
            (lists.display(0..numbers.len()), reason)
        };
        let clues = numbers.first().copied().unwrap_or_default();
        let is_whole = |number: f64, least: f64, most: f64| {
            number.fract() == 0.0 && (least..=most).contains(&number)
        };
        if !is_whole(clues, 0.0, 81.0) {
            return Err(rejected(format!("{clues} is not a number of clues")));
        }
        let (mut puzzle, mut solution) = (vec!['.'; 81], vec!['.'; 81]);
        for (step, numbers) in numbers[1..].chunks_exact(4).enumerate() {
            let (row, column, digit) = (numbers[0], numbers[1], numbers[2]);
            let cell = 9 * row as usize + column as usize;
            let is_cell = is_whole(row, 0.0, 8.0) && is_whole(column, 0.0, 8.0);
            if !is_cell || !is_whole(digit, 1.0, 9.0) || solution[cell] != '.' {
                return Err(rejected(format!(
                    "step {} has the row {row}, the column {column} and the digit {digit}; each cell must have one \
                     step, with row and column from 0 to 8",
                    step + 1
                )));
            }
            let digit = char::from(b'0' + digit as u8);
            solution[cell] = digit;
            if (step as f64) < clues {
                puzzle[cell] = digit;
            }
        }
        Ok((puzzle.into_iter().collect(), solution.into_iter().collect()))
    }

    /// The clues in a record of steps, and all its numbers as a JSON list. Clues that are no cells are left out.
    pub(super) fn step_numbers(&self, record: &[u8]) -> (String, String) {
        let numbers = self.numbers(record);
        let clues = numbers.first().copied().unwrap_or_default();
        let mut puzzle = vec!['.'; 81];
        let cells = numbers[1..].chunks_exact(4).enumerate();
        for (_, cell) in cells.take_while(|(at, _)| (*at as f64) < clues) {
            if let &[row @ 0.0..9.0, column @ 0.0..9.0, digit @ 1.0..10.0, _] = cell {
                puzzle[9 * row as usize + column as usize] = char::from(b'0' + digit as u8);
            }
        }
        let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        (
            puzzle.into_iter().collect(),
            format!("[{}]", texts.join(",")),
        )
    }

    /// The text in an item, without the zero characters after it.
    fn characters(&self, item: &[u8]) -> String {
        match self.item {
            ItemType::Bytes => without_padding(&String::from_utf8_lossy(item)).to_owned(),
            _ => {
                let codes = unicode(item, self.big_endian);
                let text = codes.map(|code| code.unwrap_or(char::REPLACEMENT_CHARACTER));
                without_padding(&text.collect::<String>()).to_owned()
            }
        }
    }

    pub(super) fn numbers(&self, items: &[u8]) -> Vec<f64> {
        let items = items.chunks_exact(self.size.max(1));
        items.map(|item| self.number(item)).collect()
    }

    /// The number in an item, as a 64-bit float. Numbers that stand for cells are small, so the conversion is exact.
    fn number(&self, item: &[u8]) -> f64 {
        let mut bytes = [0; 8];
        let size = self.size;
        for (to, from) in bytes.iter_mut().zip(item) {
            *to = *from;
        }
        if self.big_endian {
            bytes[..size].reverse();
        }
        let bits = u64::from_le_bytes(bytes);
        match self.item {
            ItemType::Float if size == 2 => HalfFloat::from_bits(bits as u16).to_f64(),
            ItemType::Float if size == 4 => f64::from(f32::from_bits(bits as u32)),
            ItemType::Float => f64::from_bits(bits),
            ItemType::Signed => {
                let unused_bits = 64 - 8 * size as u32;
                (((bits << unused_bits) as i64) >> unused_bits) as f64
            }
            _ => bits as f64,
        }
    }
}

/// The text without the zero characters that NumPy appends to fill an item.
pub(super) fn without_padding(text: &str) -> &str {
    text.trim_end_matches('\0')
}

/// The characters of a text in UTF-32; `None` for a number that is not a character.
pub(super) fn unicode(item: &[u8], big_endian: bool) -> impl Iterator<Item = Option<char>> {
    item.chunks_exact(4).map(move |bytes| {
        let mut code = [0; 4];
        code.copy_from_slice(bytes);
        char::from_u32(if big_endian {
            u32::from_be_bytes(code)
        } else {
            u32::from_le_bytes(code)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(descr: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n")
    }

    #[test]
    fn items_of_every_width_are_numbers() {
        for (descr, bytes, expected) in [
            ("|i1", &[0xff][..], -1.0),
            ("|u1", &[0xff], 255.0),
            ("<i2", &[7, 0], 7.0),
            (">i2", &[0, 7], 7.0),
            ("<i4", &[0xfe, 0xff, 0xff, 0xff], -2.0),
            (">u8", &[0, 0, 0, 0, 0, 0, 0, 9], 9.0),
            ("<f2", &[0, 0x3c], 1.0),
            ("<f4", &[0, 0, 0x80, 0x3f], 1.0),
            (">f8", &[0x40, 0, 0, 0, 0, 0, 0, 0], 2.0),
        ] {
            let array = GridArray::parse(&head(descr, "(81,)")).unwrap();
            assert_eq!(array.number(bytes), expected, "{descr}");
        }
        let wide_header = GridArray::parse(&head(">U2", "(1,)")).unwrap();
        assert_eq!(wide_header.characters(&[0, 0, 0, b'5', 0, 0, 0, 0]), "5");
    }

    #[test]
    fn bytes_are_read_as_numbers_of_any_width_are() {
        for descr in ["|u1", "|i1"] {
            for (cells, offset) in [(16, 0), (81, 0), (81, 1), (625, 0)] {
                let array = GridArray::parse(&head(descr, &format!("(5,{cells})"))).unwrap();
                for odd_value in 0..=255 {
                    let mut record: Vec<u8> = (0..cells).map(|n| n as u8 % 5 + offset).collect();
                    record[7] = odd_value;
                    let symbols = i16::from(offset).into();
                    let grid_by_numbers = array.grid_of_numbers(&record, symbols);
                    let grid_by_bytes = array.grid_of_bytes(&record, symbols);
                    assert_eq!(
                        grid_by_bytes,
                        grid_by_numbers.ok(),
                        "{descr}, {cells} cells, {odd_value} - {offset}"
                    );
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_no_cells_are_rejected_with_their_position() {
        let mut numbers = vec![0.0; 81];
        numbers[3] = 9.0;
        let grid = |numbers: &[f64]| Lists::new(None, NumberCells::new(numbers, 0)).grid(0..81);
        assert_eq!(grid(&numbers).unwrap(), format!("...9{}", ".".repeat(77)));
        for wrong in [10.0, -1.0, 1.5] {
            numbers[5] = wrong;
            let (_, reported) = grid(&numbers).unwrap_err();
            assert_eq!(
                reported.message,
                format!("{wrong} at position 6 is not between 0 and 9")
            );
        }
    }
}
