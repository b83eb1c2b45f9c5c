//! Converts a NumPy array to a column of a table.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, FixedSizeListArray, StringBuilder, make_array};
use arrow::buffer::Buffer;
use arrow::datatypes::{DataType, Field};
use arrow::error::ArrowError;

use super::cells::{unicode, without_padding};
use super::header::{ArrayHead, ItemType, LONGEST_ROW};

/// Converts an array to a column with one value per row. A value is a number or a text or, if the array has several
/// axes, a nested list of numbers or texts.
pub(super) struct NpyColumn {
    item: ItemType,
    /// The size of an item in bytes.
    size: usize,
    big_endian: bool,
    /// The Arrow type of an item.
    item_type: DataType,
    /// The lengths of all axes except the first.
    axes: Vec<i32>,
}

impl NpyColumn {
    /// Creates the column for an array. The error is the reason why the array cannot be read.
    pub(super) fn new(head: &ArrayHead) -> Result<NpyColumn, String> {
        let (item, size) = head.items()?;
        let item_type = match (item, size) {
            _ if head.descr.ends_with("b1") => DataType::Boolean,
            (ItemType::Bytes | ItemType::Unicode, _) => DataType::Utf8,
            (ItemType::Signed, 1) => DataType::Int8,
            (ItemType::Signed, 2) => DataType::Int16,
            (ItemType::Signed, 4) => DataType::Int32,
            (ItemType::Signed, _) => DataType::Int64,
            (ItemType::Unsigned, 1) => DataType::UInt8,
            (ItemType::Unsigned, 2) => DataType::UInt16,
            (ItemType::Unsigned, 4) => DataType::UInt32,
            (ItemType::Unsigned, _) => DataType::UInt64,
            (ItemType::Float, 2) => DataType::Float16,
            (ItemType::Float, 4) => DataType::Float32,
            (ItemType::Float, _) => DataType::Float64,
        };
        let mut bytes = size;
        let mut axes = Vec::new();
        for axis in head.shape.iter().skip(1) {
            let length = i32::try_from(*axis).ok().filter(|length| *length > 0);
            let length = length.ok_or_else(|| {
                format!(
                    "its shape is {}, which has an axis of {axis}",
                    head.shape_text()
                )
            })?;
            axes.push(length);
            bytes = bytes.saturating_mul(length as usize);
        }
        if bytes > LONGEST_ROW {
            return Err(format!(
                "a row of it has {bytes} bytes, and none may have more than {LONGEST_ROW}"
            ));
        }
        Ok(NpyColumn {
            item,
            size,
            big_endian: head.descr.starts_with('>'),
            item_type,
            axes,
        })
    }

    pub(super) fn data_type(&self) -> DataType {
        let list = |item, length: &i32| {
            DataType::FixedSizeList(Arc::new(Field::new("item", item, true)), *length)
        };
        self.axes.iter().rev().fold(self.item_type.clone(), list)
    }

    /// The size of a row in bytes.
    pub(super) fn row_bytes(&self) -> usize {
        let items: usize = self.axes.iter().map(|axis| *axis as usize).product();
        items * self.size
    }

    /// Converts the bytes of `count` rows to Arrow values. An error names the index of the invalid item in
    /// these rows.
    pub(super) fn values(&self, rows: &[u8], count: usize) -> Result<ArrayRef, ArrowError> {
        let items: usize = self.axes.iter().map(|axis| *axis as usize).product();
        let mut values = self.items(rows, count * items)?;
        let mut item_type = self.item_type.clone();
        for axis in self.axes.iter().rev() {
            let field = Arc::new(Field::new("item", item_type, true));
            let list = FixedSizeListArray::try_new(field, *axis, values, None)?;
            values = Arc::new(list);
            item_type = values.data_type().clone();
        }
        Ok(values)
    }

    fn items(&self, bytes: &[u8], count: usize) -> Result<ArrayRef, ArrowError> {
        if self.item_type == DataType::Boolean {
            let values = bytes.iter().map(|byte| *byte != 0);
            return Ok(Arc::new(BooleanArray::from_iter(values.map(Some))));
        }
        if self.item_type == DataType::Utf8 {
            let mut texts = StringBuilder::new();
            for at in 0..count {
                let item = &bytes[at * self.size..(at + 1) * self.size];
                let text = self.text(item).ok_or_else(|| {
                    ArrowError::ParseError(format!("item {at} of these rows is not a text"))
                })?;
                texts.append_value(without_padding(&text));
            }
            return Ok(Arc::new(texts.finish()));
        }
        let mut bytes = bytes.to_vec();
        if self.big_endian {
            for item in bytes.chunks_exact_mut(self.size) {
                item.reverse();
            }
        }
        let data = arrow::array::ArrayData::builder(self.item_type.clone())
            .len(count)
            .add_buffer(Buffer::from_vec(bytes))
            .align_buffers(true)
            .build()?;
        Ok(make_array(data))
    }

    fn text(&self, item: &[u8]) -> Option<String> {
        match self.item {
            ItemType::Unicode => unicode(item, self.big_endian).collect(),
            _ => std::str::from_utf8(item).ok().map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Array, AsArray};
    use arrow::datatypes::{Float16Type, Int16Type, UInt64Type};

    fn column(descr: &str, shape: &str) -> Result<NpyColumn, String> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        NpyColumn::new(&ArrayHead::parse(&header).unwrap())
    }

    #[test]
    fn arrays_of_every_type_are_columns() {
        let numbers = column(">i2", "(2,)").unwrap();
        let values = numbers.values(&[0, 7, 0xff, 0xfe], 2).unwrap();
        assert_eq!(values.as_primitive::<Int16Type>().values(), &[7, -2]);
        let large_numbers = column("<u8", "(1,)").unwrap();
        let values = large_numbers.values(&[0xff; 8], 1).unwrap();
        assert_eq!(values.as_primitive::<UInt64Type>().value(0), u64::MAX);
        let half_column = column("<f2", "(1,)").unwrap();
        let values = half_column.values(&[0, 0x3c], 1).unwrap();
        assert_eq!(values.as_primitive::<Float16Type>().value(0).to_f64(), 1.0);
        let booleans = column("|b1", "(3,)").unwrap();
        let values = booleans.values(&[0, 1, 1], 3).unwrap();
        assert!(!values.as_boolean().value(0) && values.as_boolean().value(2));
        let names = column("<U2", "(2,)").unwrap();
        let values = names.values(
            &[b'a', 0, 0, 0, 0, 0, 0, 0, 0xe9, 0, 0, 0, b'b', 0, 0, 0],
            2,
        );
        let values = values.unwrap();
        let texts: Vec<_> = values.as_string::<i32>().iter().flatten().collect();
        assert_eq!(texts, ["a", "éb"]);
        let nested = column("|u1", "(2, 2, 3)").unwrap();
        assert_eq!(nested.row_bytes(), 6);
        let values = nested.values(&[1; 12], 2).unwrap();
        assert_eq!((values.len(), values.data_type()), (2, &nested.data_type()));
    }

    #[test]
    fn an_unsupported_array_is_an_error_with_a_reason() {
        for (descr, shape) in [
            ("<c16", "(3,)"),
            ("|O", "(3,)"),
            ("<i8", "(3, 0)"),
            ("|V9", "(3,)"),
        ] {
            assert!(column(descr, shape).is_err(), "{descr} {shape}");
        }
        assert!(
            column("|u1", "(3, 2000000)")
                .err()
                .unwrap()
                .contains("2000000 bytes")
        );
        let text = column("|S1", "(1,)").unwrap();
        assert!(text.values(&[0xff], 1).is_err());
    }
}
