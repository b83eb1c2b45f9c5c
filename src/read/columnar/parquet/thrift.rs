//! Reads as much of Thrift's compact protocol as is needed to check the sizes in Parquet's metadata before the
//! decoder allocates memory for them.
//!
//! ```text
//! struct:  field … │ 0
//! field:   difference to the last id << 4 | type │ [id, if the difference is 0] │ value
//! list:    length << 4 | type │ [length, if that is 15] │ value …
//! ```

/// The maximum nesting of structures. The metadata of Parquet has fewer than ten levels.
const DEEPEST_NESTING: u32 = 32;

/// The reason why a Thrift structure could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThriftError {
    /// The bytes end before the structure does.
    Short,
    /// The structure is invalid.
    Damaged,
}

/// The fields of a Parquet page header that are checked before the page is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// The kind of the page: 0 and 3 are data, 2 is a dictionary.
    pub(super) kind: i64,
    pub(super) uncompressed: i64,
    pub(super) compressed: i64,
    /// The number of values, including nulls.
    pub(super) values: i64,
    /// The number of rows; 0 if the header does not state it, as in pages of version 1.
    pub(super) rows: i64,
    /// The encoding of the values of a data page, as a number of the format.
    pub(super) encoding: i64,
    /// The length of the header in bytes.
    pub(super) length: usize,
}

/// Parses the page header at the start of these bytes.
pub(super) fn page_header(bytes: &[u8]) -> Result<PageHeader, ThriftError> {
    let mut reader = ThriftReader { bytes, offset: 0 };
    let mut header = PageHeader::default();
    reader.structure(0, &mut |path, value| match path {
        [1] => header.kind = value,
        [2] => header.uncompressed = value,
        [3] => header.compressed = value,
        [5 | 7 | 8, 1] => header.values = value,
        [8, 3] => header.rows = value,
        [5, 2] | [8, 4] => header.encoding = value,
        _ => {}
    })?;
    header.length = reader.offset;
    Ok(header)
}

/// Whether a complete Thrift structure is at the start of the bytes.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let mut reader = ThriftReader { bytes, offset: 0 };
    reader.structure(0, &mut |_, _| {}).is_ok()
}

/// The indices of the encrypted columns, from the metadata in a file's footer. Only the first row group is examined.
pub(super) fn encrypted_columns(bytes: &[u8]) -> Vec<usize> {
    const ROW_GROUPS_FIELD: i64 = 4;
    const COLUMNS_FIELD: i64 = 1;
    const CRYPTO_METADATA_FIELD: i64 = 8;
    let mut encrypted = Vec::new();
    let mut reader = ThriftReader { bytes, offset: 0 };
    // `check_footer` has already refused a footer that cannot be read.
    let _ = reader.fields(&mut |reader, id| {
        if id != ROW_GROUPS_FIELD || reader.count()? == 0 {
            return Ok(id != ROW_GROUPS_FIELD);
        }
        reader.fields(&mut |reader, id| {
            if id != COLUMNS_FIELD {
                return Ok(true);
            }
            for column in 0..reader.count()? {
                reader.fields(&mut |_, id| {
                    if id == CRYPTO_METADATA_FIELD {
                        encrypted.extend(usize::try_from(column));
                    }
                    Ok(true)
                })?;
            }
            // The error stops the search. The other row groups have the same columns.
            Err(ThriftError::Damaged)
        })?;
        Err(ThriftError::Damaged)
    });
    encrypted
}

struct ThriftReader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

/// A function that is called for every integer that is not in a list. Its arguments are the path to the integer, as ids
/// of nested fields, and the integer.
type VisitInteger<'a> = &'a mut dyn FnMut(&[i64], i64);

impl ThriftReader<'_> {
    fn byte(&mut self) -> Result<u8, ThriftError> {
        let byte = *self.bytes.get(self.offset).ok_or(ThriftError::Short)?;
        self.offset += 1;
        Ok(byte)
    }

    fn skip(&mut self, count: u64) -> Result<(), ThriftError> {
        let count = usize::try_from(count).map_err(|_| ThriftError::Damaged)?;
        let value_end = self.offset.checked_add(count).ok_or(ThriftError::Damaged)?;
        if value_end > self.bytes.len() {
            return Err(ThriftError::Short);
        }
        self.offset = value_end;
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, ThriftError> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(ThriftError::Damaged)
    }

    fn zigzag(&mut self) -> Result<i64, ThriftError> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn structure(&mut self, depth: u32, visit: VisitInteger<'_>) -> Result<(), ThriftError> {
        if depth > DEEPEST_NESTING {
            return Err(ThriftError::Damaged);
        }
        let mut id = 0;
        while let Some(kind) = self.field(&mut id)? {
            match kind {
                // A boolean field has no value bytes: its type says whether it is true.
                1 | 2 => {}
                4..=6 => visit(&[id], self.zigzag()?),
                12 => self.structure(depth + 1, &mut |path, value| {
                    if let [inner] = path {
                        visit(&[id, *inner], value);
                    }
                })?,
                kind => self.skip_value(kind, depth)?,
            }
        }
        Ok(())
    }

    /// Reads the type and the id of the next field; `None` at the end of the structure. Returns the type. `id` is the
    /// id of the previous field, and is set to the new id.
    fn field(&mut self, id: &mut i64) -> Result<Option<u8>, ThriftError> {
        let field_header = self.byte()?;
        if field_header == 0 {
            return Ok(None);
        }
        *id = match field_header >> 4 {
            0 => self.zigzag()?,
            step => id.wrapping_add(step.into()),
        };
        Ok(Some(field_header & 15))
    }

    /// Calls `on_field` for each field of a structure, with the field's id. `on_field` either reads the field's value,
    /// or returns true, and the value is skipped.
    fn fields(
        &mut self,
        on_field: &mut dyn FnMut(&mut Self, i64) -> Result<bool, ThriftError>,
    ) -> Result<(), ThriftError> {
        let mut id = 0;
        while let Some(kind) = self.field(&mut id)? {
            let skips = on_field(self, id)?;
            match kind {
                1 | 2 => {}
                kind if skips => self.skip_value(kind, 0)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the number of elements at the start of a list.
    fn count(&mut self) -> Result<u64, ThriftError> {
        match self.byte()? >> 4 {
            15 => self.varint(),
            count => Ok(count.into()),
        }
    }

    /// Skips a value whose Thrift type is `kind`.
    fn skip_value(&mut self, kind: u8, depth: u32) -> Result<(), ThriftError> {
        if depth > DEEPEST_NESTING {
            return Err(ThriftError::Damaged);
        }
        match kind {
            // A boolean or byte in a list takes one byte.
            1..=3 => self.skip(1),
            4..=6 => self.varint().map(drop),
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            9 | 10 => {
                let list_header = self.byte()?;
                let count = match list_header >> 4 {
                    15 => self.varint()?,
                    count => count.into(),
                };
                self.values(count, list_header & 15, depth)
            }
            11 => {
                let count = self.varint()?;
                if count == 0 {
                    return Ok(());
                }
                let kinds = self.byte()?;
                for _ in 0..self.checked_count(count)? {
                    self.skip_value(kinds >> 4, depth + 1)?;
                    self.skip_value(kinds & 15, depth + 1)?;
                }
                Ok(())
            }
            12 => self.structure(depth + 1, &mut |_, _| {}),
            13 => self.skip(16),
            _ => Err(ThriftError::Damaged),
        }
    }

    fn values(&mut self, count: u64, kind: u8, depth: u32) -> Result<(), ThriftError> {
        for _ in 0..self.checked_count(count)? {
            self.skip_value(kind, depth + 1)?;
        }
        Ok(())
    }

    /// Returns the number of elements of a list. Fails if fewer bytes than elements remain, because each element takes
    /// at least one byte.
    fn checked_count(&self, count: u64) -> Result<u64, ThriftError> {
        if count <= (self.bytes.len() - self.offset) as u64 {
            Ok(count)
        } else {
            Err(ThriftError::Short)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encrypted_columns_are_found_in_the_first_row_group() {
        let footer = [
            &[0x15, 2][..],                  // the version
            &[0x39, 0x1c],                   // row groups: a list of one
            &[0x19, 0x3c],                   // columns: a list of three
            &[0x26, 8, 0],                   // the offset of a column, and its end
            &[0x26, 8, 0x6c, 0x2c, 0, 0, 0], // with crypto metadata, a structure
            &[0x26, 8, 0],
            &[0],
            &[0],
        ]
        .concat();
        assert!(is_whole(&footer));
        assert_eq!(encrypted_columns(&footer), [1]);
        for end in 0..footer.len() {
            encrypted_columns(&footer[..end]);
        }
    }

    /// The header of a data page, without its last byte: type 0, 300 bytes uncompressed, 20 bytes compressed, 7 values,
    /// encoding 0.
    const PAGE_HEADER_START: [u8; 13] =
        [0x15, 0, 0x15, 0xd8, 4, 0x15, 40, 0x2c, 0x15, 14, 0x15, 0, 0];

    #[test]
    fn a_page_header_is_read_up_to_its_end() {
        let bytes = [&PAGE_HEADER_START[..], &[0, 99, 99]].concat();
        let expected = PageHeader {
            kind: 0,
            uncompressed: 300,
            compressed: 20,
            values: 7,
            rows: 0,
            encoding: 0,
            length: 14,
        };
        assert_eq!(page_header(&bytes), Ok(expected));
        for end in 0..14 {
            assert_eq!(page_header(&bytes[..end]), Err(ThriftError::Short));
        }
    }

    #[test]
    fn claims_are_held_against_the_bytes() {
        // A list of 2 structures is valid. A list of 2^31 structures, a text of 2^31 bytes, and endlessly nested
        // structures are not.
        assert!(is_whole(&[0x19, 0x2c, 0, 0, 0]));
        assert!(!is_whole(&[0x19, 0xfc, 0x80, 0x80, 0x80, 0x80, 8, 0, 0]));
        assert!(!is_whole(&[0x18, 0x80, 0x80, 0x80, 0x80, 8, 0, 0]));
        assert_eq!(page_header(&[0x1c; 1000]), Err(ThriftError::Damaged));
        assert_eq!(
            page_header(&[0x19; 1000]).unwrap_err(),
            ThriftError::Damaged
        );
        assert_eq!(page_header(&[0x1e, 0]), Err(ThriftError::Damaged));
    }
}
