//! Converts a record of a NumPy array to text.

use arrow::datatypes::{ArrowPrimitiveType, Float16Type};
use sudoku_core::sizes::Size;

use crate::read::grids::Lists;
use crate::read::grids::cells::cell;
use crate::read::grids::number_cells::NumberCells;
use crate::table::reject::{RejectKind, RejectReason};

use super::header::{ItemType, NpyHeader, RecordForm};

/// A floating-point number of 16 bits.
type HalfFloat = <Float16Type as ArrowPrimitiveType>::Native;

impl NpyHeader {
    /// The grid in a record, as text. If the array has pairs of puzzle and solution, `record` is half of a pair. The
    /// error has the record as readable text, and the reason why it is not a grid. `offset` is the number that stands
    /// for an empty cell, and digit d is the number `offset + d`.
    pub(super) fn text(&self, record: &[u8], offset: u8) -> Result<String, (String, RejectReason)> {
        match self.item {
            ItemType::Bytes | ItemType::Unicode => {
                let mut text = String::new();
                // The item size is 0 if all texts of the array are empty.
                for item in record.chunks_exact(self.size.max(1)) {
                    let cell = self.characters(item);
                    match cell.is_empty() && self.item_count > 1 {
                        true => text.push('.'),
                        false => text.push_str(&cell),
                    }
                }
                Ok(text)
            }
            _ => match self.grid_of_bytes(record, offset) {
                Some(grid) => Ok(grid),
                None => self.grid_of_numbers(record, offset),
            },
        }
    }

    /// A fast path for grids with one byte per cell, which are the most common; `None` for other records.
    fn grid_of_bytes(&self, record: &[u8], offset: u8) -> Option<String> {
        let is_bytes = matches!(self.item, ItemType::Signed | ItemType::Unsigned) && self.size == 1;
        let is_one_hot = matches!(self.form, RecordForm::OneHot(_));
        if !is_bytes || is_one_hot || !Size::is_grid(record.len()) {
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

    fn grid_of_numbers(&self, record: &[u8], offset: u8) -> Result<String, (String, RejectReason)> {
        let numbers = self.numbers(record);
        let lists = Lists::new(None, NumberCells::new(&numbers[..], offset));
        let RecordForm::OneHot(classes) = self.form else {
            return lists.grid(0..numbers.len());
        };
        one_hot(&numbers, classes).map_err(|message| {
            let reason = RejectReason::new(RejectKind::BadCharacter, message);
            (lists.display(0..numbers.len()), reason)
        })
    }

    /// The number that stands for an empty cell in these records: 1 if their numbers are from 1 to one more than the
    /// side of the grid (10 on 9 × 9), like the token ids of models; otherwise 0.
    pub(super) fn inferred_offset(&self, records: &[u8]) -> u8 {
        let is_text = matches!(self.item, ItemType::Bytes | ItemType::Unicode);
        if is_text || matches!(self.form, RecordForm::OneHot(_)) {
            return 0;
        }
        let grids = match self.form {
            RecordForm::Pair => 2,
            _ => 1,
        };
        let numbers = self.numbers(records);
        let cells = (self.item_count / grids).max(1);
        let lists = (0..numbers.len() / cells).map(|n| n * cells..(n + 1) * cells);
        let offset = Lists::new(None, NumberCells::new(&numbers[..], 0)).offset(lists);
        offset.unwrap_or(0)
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

    fn numbers(&self, items: &[u8]) -> Vec<f64> {
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
        char::from_u32(match big_endian {
            true => u32::from_be_bytes(code),
            false => u32::from_le_bytes(code),
        })
    })
}

/// The grid whose cells are one-hot vectors, each with `classes` numbers. In each vector, at most one number is 1. If
/// all are 0, the cell is empty. The error is a message.
fn one_hot(numbers: &[f64], classes: usize) -> Result<String, String> {
    let mut text = String::with_capacity(numbers.len() / classes);
    let order = (numbers.len() / classes).isqrt();
    for numbers in numbers.chunks_exact(classes) {
        let one_count = numbers.iter().filter(|number| **number == 1.0).count();
        let zeros = numbers.iter().filter(|number| **number == 0.0).count();
        if one_count > 1 || one_count + zeros != classes {
            let position = text.len() + 1;
            return Err(format!(
                "the {classes} numbers at position {position} are not zeros with at most one 1"
            ));
        }
        let cell_class = numbers.iter().position(|number| *number == 1.0);
        // If there is one class more than digits, the first class stands for an empty cell.
        let digit = cell_class.map_or(0, |one| one + 1 - (classes - order).min(1));
        text.extend(cell(digit));
    }
    Ok(text)
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
            let array = NpyHeader::parse(&head(descr, "(81,)")).unwrap();
            assert_eq!(array.number(bytes), expected, "{descr}");
        }
        let wide_header = NpyHeader::parse(&head(">U2", "(1,)")).unwrap();
        assert_eq!(wide_header.characters(&[0, 0, 0, b'5', 0, 0, 0, 0]), "5");
    }

    #[test]
    fn bytes_are_read_as_numbers_of_any_width_are() {
        for descr in ["|u1", "|i1"] {
            for (cells, offset) in [(16, 0), (81, 0), (81, 1), (625, 0)] {
                let array = NpyHeader::parse(&head(descr, &format!("(5,{cells})"))).unwrap();
                for odd_value in 0..=255 {
                    let mut record: Vec<u8> = (0..cells).map(|n| n as u8 % 5 + offset).collect();
                    record[7] = odd_value;
                    let grid_by_numbers = array.grid_of_numbers(&record, offset);
                    let grid_by_bytes = array.grid_of_bytes(&record, offset);
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
        for wrong in [10.0, -1.0, 1.5, f64::NAN] {
            numbers[5] = wrong;
            let (_, reported) = grid(&numbers).unwrap_err();
            assert_eq!(
                reported.message,
                format!("{wrong} at position 6 is not between 0 and 9")
            );
        }
    }
}
