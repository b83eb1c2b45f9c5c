//! Reads arrays in Fortran order, whose first index varies fastest, in C order.
//!
//! ```text
//! (3, 2) in the file:  0,0  1,0  2,0  0,1  1,1  2,1
//! read as:             0,0  0,1  1,0  1,1  2,0  2,1
//! ```

use std::io::{self, Read, Seek, SeekFrom};

use bytes::Bytes;

use super::header::ArrayHead;
use crate::error::Error;
use crate::read::bytes::stored::InputBytes;
use crate::store::RandomAccess;

/// The maximum size of an array that has to be read into memory as a whole, because it is compressed or comes through a
/// pipe.
const MOST_BYTES: usize = 1 << 30;

/// The size of the buffer for some records.
const BUFFER_BYTES: usize = 4 << 20;

/// Converts the data of an array to C order; other arrays are returned unchanged. The header has been read from
/// `input_bytes`. `file` is the array's file, if it can be read at any position, with the offset of the data in it.
pub(super) fn in_c_order(
    source_name: &str,
    mut input_bytes: InputBytes,
    head: &ArrayHead,
    file: Option<(RandomAccess, u64)>,
) -> Result<InputBytes, Error> {
    if !head.is_fortran || head.shape.len() < 2 {
        return Ok(input_bytes);
    }
    // An array that cannot be read is refused later, with the reason.
    let Ok((_, size)) = head.items() else {
        return Ok(input_bytes);
    };
    let axes: Option<Vec<usize>> = head
        .shape
        .iter()
        .map(|axis| usize::try_from(*axis).ok())
        .collect();
    let counts = axes.and_then(|axes| {
        let items = axes[1..]
            .iter()
            .try_fold(1_usize, |all, axis| all.checked_mul(*axis))?;
        let bytes = items.checked_mul(size)?.checked_mul(axes[0])?;
        Some((axes, items, bytes))
    });
    let too_large = || Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what: "the NumPy array is in Fortran order, and too large for that: save \
               numpy.ascontiguousarray of it"
            .to_owned(),
    };
    let (axes, items, bytes) = counts.ok_or_else(too_large)?;
    let (file, start) = match file {
        Some(file) => file,
        None if bytes > MOST_BYTES => return Err(too_large()),
        None => {
            let mut data = Vec::new();
            let mut buffer = vec![0; 1 << 16];
            loop {
                match input_bytes.read(&mut buffer)? {
                    0 => break,
                    read => data.extend_from_slice(&buffer[..read]),
                }
                if data.len() > bytes {
                    break;
                }
            }
            let length = data.len() as u64;
            (RandomAccess::new(Bytes::from(data), length), 0)
        }
    };
    let found = file.bytes().saturating_sub(start);
    if found != bytes as u64 {
        let problem = if found < bytes as u64 {
            "the NumPy array is cut short, and without its end no record is whole in Fortran order"
        } else {
            "more follows the NumPy array: save each array in a file of its own"
        };
        return Err(input_bytes.damaged(problem));
    }
    let reader = FortranReader {
        file,
        start,
        size,
        rows: axes[0],
        items,
        axes: axes[1..].to_vec(),
        next_row: 0,
        buffer: Vec::new(),
        at: 0,
    };
    InputBytes::new(source_name, &[], reader)
}

/// Reads the items of an array in C order, some records at a time.
struct FortranReader {
    file: RandomAccess,
    /// The offset of the data in the file.
    start: u64,
    /// The size of an item in bytes.
    size: usize,
    rows: usize,
    /// The number of items of a record.
    items: usize,
    /// The lengths of all axes except the first.
    axes: Vec<usize>,
    next_row: usize,
    buffer: Vec<u8>,
    at: usize,
}

impl FortranReader {
    /// The position in Fortran order of the item of a record that has this position in C order.
    fn fortran_position(&self, mut item: usize) -> usize {
        let (mut position, mut stride) = (0, self.items);
        for axis in self.axes.iter().rev() {
            stride /= axis;
            position += item % axis * stride;
            item /= axis;
        }
        position
    }

    /// Fills the buffer with the next records.
    fn fill(&mut self) -> io::Result<()> {
        let record_bytes = self.items * self.size;
        let count = (BUFFER_BYTES / record_bytes.max(1))
            .max(1)
            .min(self.rows - self.next_row);
        self.buffer.clear();
        self.buffer.resize(count * record_bytes, 0);
        self.at = 0;
        let mut reader = self.file.reader();
        let mut values = vec![0; count * self.size];
        for item in 0..self.items {
            let first = self.fortran_position(item) * self.rows + self.next_row;
            reader.seek(SeekFrom::Start(self.start + (first * self.size) as u64))?;
            reader.read_exact(&mut values)?;
            for (row, value) in values.chunks_exact(self.size).enumerate() {
                let to = row * record_bytes + item * self.size;
                self.buffer[to..to + self.size].copy_from_slice(value);
            }
        }
        self.next_row += count;
        Ok(())
    }
}

impl Read for FortranReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.buffer.len() && self.next_row < self.rows {
            self.fill()?;
        }
        let read_bytes = self.buffer[self.at..].as_ref().read(buffer)?;
        self.at += read_bytes;
        Ok(read_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_in_c_order() {
        // An array of the shape (2, 3, 2), whose item at (i, j, k) is 100 i + 10 j + k.
        let mut stored = Vec::new();
        for k in 0..2 {
            for j in 0..3 {
                for i in 0..2 {
                    stored.push(100 * i + 10 * j + k);
                }
            }
        }
        let length = stored.len() as u64;
        let mut reader = FortranReader {
            file: RandomAccess::new(Bytes::from(stored), length),
            start: 0,
            size: 1,
            rows: 2,
            items: 6,
            axes: vec![3, 2],
            next_row: 0,
            buffer: Vec::new(),
            at: 0,
        };
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read, [0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121]);
    }
}
