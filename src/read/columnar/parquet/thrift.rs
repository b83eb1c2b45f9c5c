//! The little of Thrift's compact protocol that it takes to look at Parquet's descriptions before
//! the crate that reads them takes memory for what they claim.
//!
//! ```text
//! struct:  field … │ 0
//! field:   step of the id << 4 | type │ [id, where the step is 0] │ value
//! list:    length << 4 | type │ [length, where it was 15] │ value …
//! ```

/// How deep structures may stand in each other: in Parquet not ten.
const DEEPEST: u32 = 32;

/// Why a description could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// It goes on after these bytes.
    Short,
    /// It is none.
    Damaged,
}

/// What a page says about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// 0 and 3: data, 2: a dictionary.
    pub(super) kind: i64,
    pub(super) uncompressed: i64,
    pub(super) compressed: i64,
    /// The CRC-32 of the bytes behind it, where the writer gave one.
    pub(super) crc: Option<i64>,
    /// Values, nulls among them.
    pub(super) values: i64,
    /// The bytes that it takes itself.
    pub(super) length: usize,
}

/// The page header at the start of these bytes.
pub(super) fn page_header(bytes: &[u8]) -> Result<PageHeader, Refused> {
    let mut reader = Reader { bytes, at: 0 };
    let mut header = PageHeader::default();
    reader.structure(0, &mut |path, value| match path {
        [1] => header.kind = value,
        [2] => header.uncompressed = value,
        [3] => header.compressed = value,
        [4] => header.crc = Some(value),
        [5 | 7 | 8, 1] => header.values = value,
        _ => {}
    })?;
    header.length = reader.at;
    Ok(header)
}

/// Whether these bytes are a structure whose parts are all there.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let mut reader = Reader { bytes, at: 0 };
    reader.structure(0, &mut |_, _| {}).is_ok()
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Called with every integer that stands in no list: the ids of the fields on the way, and its value.
type Visit<'a> = &'a mut dyn FnMut(&[i64], i64);

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, Refused> {
        let byte = *self.bytes.get(self.at).ok_or(Refused::Short)?;
        self.at += 1;
        Ok(byte)
    }

    fn pass(&mut self, count: u64) -> Result<(), Refused> {
        let count = usize::try_from(count).map_err(|_| Refused::Damaged)?;
        let end = self.at.checked_add(count).ok_or(Refused::Damaged)?;
        if end > self.bytes.len() {
            return Err(Refused::Short);
        }
        self.at = end;
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, Refused> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Refused::Damaged)
    }

    fn zigzag(&mut self) -> Result<i64, Refused> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn structure(&mut self, depth: u32, visit: Visit<'_>) -> Result<(), Refused> {
        if depth > DEEPEST {
            return Err(Refused::Damaged);
        }
        let mut id: i64 = 0;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            id = match head >> 4 {
                0 => self.zigzag()?,
                step => id.wrapping_add(step.into()),
            };
            match head & 15 {
                // A field that is true or false has no value.
                1 | 2 => {}
                4..=6 => visit(&[id], self.zigzag()?),
                12 => self.structure(depth + 1, &mut |path, value| {
                    if let [inner] = path {
                        visit(&[id, *inner], value);
                    }
                })?,
                kind => self.value(kind, depth)?,
            }
        }
    }

    /// Moves on over a value.
    fn value(&mut self, kind: u8, depth: u32) -> Result<(), Refused> {
        if depth > DEEPEST {
            return Err(Refused::Damaged);
        }
        match kind {
            // In a list these take a byte.
            1..=3 => self.pass(1),
            4..=6 => self.varint().map(drop),
            7 => self.pass(8),
            8 => {
                let length = self.varint()?;
                self.pass(length)
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => self.varint()?,
                    count => count.into(),
                };
                self.values(count, head & 15, depth)
            }
            11 => {
                let count = self.varint()?;
                if count == 0 {
                    return Ok(());
                }
                let kinds = self.byte()?;
                for _ in 0..self.believed(count)? {
                    self.value(kinds >> 4, depth + 1)?;
                    self.value(kinds & 15, depth + 1)?;
                }
                Ok(())
            }
            12 => self.structure(depth + 1, &mut |_, _| {}),
            13 => self.pass(16),
            _ => Err(Refused::Damaged),
        }
    }

    fn values(&mut self, count: u64, kind: u8, depth: u32) -> Result<(), Refused> {
        for _ in 0..self.believed(count)? {
            self.value(kind, depth + 1)?;
        }
        Ok(())
    }

    /// Each element takes a byte at least.
    fn believed(&self, count: u64) -> Result<u64, Refused> {
        match count <= (self.bytes.len() - self.at) as u64 {
            true => Ok(count),
            false => Err(Refused::Short),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// type 0, uncompressed 300, compressed 20, data page { values 7, encoding 0 }.
    const PAGE: [u8; 13] = [0x15, 0, 0x15, 0xd8, 4, 0x15, 40, 0x2c, 0x15, 14, 0x15, 0, 0];

    #[test]
    fn a_page_header_is_read_up_to_its_end() {
        let bytes = [&PAGE[..], &[0, 99, 99]].concat();
        let expected = PageHeader {
            kind: 0,
            uncompressed: 300,
            compressed: 20,
            crc: None,
            values: 7,
            length: 14,
        };
        assert_eq!(page_header(&bytes), Ok(expected));
        for end in 0..14 {
            assert_eq!(page_header(&bytes[..end]), Err(Refused::Short));
        }
    }

    #[test]
    fn claims_are_held_against_the_bytes() {
        // A list of 2^31 structures, a text of as many bytes, and structures without end.
        assert!(is_whole(&[0x19, 0x2c, 0, 0, 0]));
        assert!(!is_whole(&[0x19, 0xfc, 0x80, 0x80, 0x80, 0x80, 8, 0, 0]));
        assert!(!is_whole(&[0x18, 0x80, 0x80, 0x80, 0x80, 8, 0, 0]));
        assert_eq!(page_header(&[0x1c; 1000]), Err(Refused::Damaged));
        assert_eq!(page_header(&[0x19; 1000]).unwrap_err(), Refused::Damaged);
        assert_eq!(page_header(&[0x1e, 0]), Err(Refused::Damaged));
    }
}
