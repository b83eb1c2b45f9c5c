//! Checks the sizes that pages in Parquet's DELTA encodings state. The decoder allocates memory for the stated
//! number of values, and repeats shared prefixes in each text.
//!
//! ```text
//! numbers: block size │ miniblocks a block │ count │ first value │ block …
//! block:   least difference │ width of each miniblock │ miniblocks
//! ```

use parquet::basic::Encoding;

/// The maximum number of values in a page with a delta encoding. Pages usually have about 20,000.
const MOST_VALUES: u64 = 1 << 26;

/// The maximum memory in bytes that a page with this number of values needs in addition to its own bytes; `None` if the
/// page is invalid.
pub(super) fn expanded_bytes(encoding: Encoding, bytes: &[u8], values: u64) -> Option<u64> {
    match encoding {
        Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => {
            DeltaHeader::new(bytes, values).map(|_| 0)
        }
        Encoding::DELTA_BYTE_ARRAY => {
            let mut prefixes = DeltaHeader::new(bytes, values)?;
            let shared_bytes = prefixes.sum()?;
            let suffixes = bytes.get(prefixes.offset..)?;
            DeltaHeader::new(suffixes, values)?;
            Some(shared_bytes)
        }
        _ => Some(0),
    }
}

/// The header of a block of delta-encoded numbers.
struct DeltaHeader<'a> {
    bytes: &'a [u8],
    offset: usize,
    miniblocks: usize,
    /// The number of values in a miniblock.
    size: usize,
    count: u64,
    first: i64,
}

impl<'a> DeltaHeader<'a> {
    fn new(bytes: &'a [u8], most: u64) -> Option<DeltaHeader<'a>> {
        let mut numbers = DeltaHeader {
            bytes,
            offset: 0,
            miniblocks: 0,
            size: 0,
            count: 0,
            first: 0,
        };
        let block_size = usize::try_from(numbers.varint()?).ok()?;
        numbers.miniblocks = usize::try_from(numbers.varint()?).ok()?;
        numbers.count = numbers.varint()?;
        numbers.first = numbers.zigzag()?;
        numbers.size = block_size.checked_div(numbers.miniblocks)?;
        let has_valid_sizes =
            block_size <= 1 << 20 && numbers.size > 0 && numbers.size.is_multiple_of(32);
        (has_valid_sizes && numbers.count <= most.min(MOST_VALUES)).then_some(numbers)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.bytes.get(self.offset)?;
            self.offset += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// The sum of all numbers; `None` if one of them is negative, or if the data is invalid.
    fn sum(&mut self) -> Option<u64> {
        if self.count == 0 {
            return Some(0);
        }
        let mut value = self.first;
        let mut sum = u64::try_from(value).ok()?;
        let mut values_left = self.count - 1;
        while values_left > 0 {
            let lowest_delta = self.zigzag()?;
            let widths = self.bytes.get(self.offset..)?.get(..self.miniblocks)?;
            self.offset += self.miniblocks;
            for width in widths {
                if values_left == 0 {
                    break;
                }
                let width = usize::from(*width);
                let packed = self
                    .bytes
                    .get(self.offset..)?
                    .get(..width * self.size / 8)?;
                self.offset += packed.len();
                for index in 0..(self.size as u64).min(values_left) {
                    let difference = bits(packed, index as usize * width, width)?;
                    value = value
                        .wrapping_add(lowest_delta)
                        .wrapping_add(difference as i64);
                    sum = sum.checked_add(u64::try_from(value).ok()?)?;
                }
                values_left = values_left.saturating_sub(self.size as u64);
            }
        }
        Some(sum)
    }
}

/// Reads an integer of `width` bits, starting with the bit `start`. The lowest bit of each byte comes first.
fn bits(bytes: &[u8], start: usize, width: usize) -> Option<u64> {
    if width > 64 {
        return None;
    }
    let mut number: u128 = 0;
    let first_byte = start / 8;
    for (at, byte) in bytes.get(first_byte..)?.iter().take(9).enumerate() {
        number |= u128::from(*byte) << (8 * at);
    }
    let number = number >> (start % 8);
    Some((number & ((1 << width) - 1)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_lengths_are_decoded_from_their_differences() {
        // A block of 128 values in 4 miniblocks. The lengths of the shared prefixes are 0, 3, 3, 5, 0, so the smallest
        // difference is -5.
        let differences = [8u8, 5, 7, 0];
        let packed = differences.iter().enumerate();
        let packed: u64 = packed.map(|(at, bits)| u64::from(*bits) << (4 * at)).sum();
        let mut bytes = vec![0x80, 1, 4, 5, 0, 9, 4, 0, 0, 0];
        bytes.extend_from_slice(&packed.to_le_bytes());
        bytes.extend_from_slice(&[0; 8]);
        let suffixes = [0x80, 1, 4, 5, 0];
        let bytes_and_suffixes = [&bytes[..], &suffixes].concat();
        let expanded =
            |values| expanded_bytes(Encoding::DELTA_BYTE_ARRAY, &bytes_and_suffixes, values);
        assert_eq!(expanded(5), Some(11));
        assert_eq!(expanded(4), None, "more values than the page has");
        assert_eq!(expanded_bytes(Encoding::DELTA_BYTE_ARRAY, &bytes, 5), None);
        let numbers = expanded_bytes(Encoding::DELTA_BINARY_PACKED, &suffixes, 5);
        assert_eq!(numbers, Some(0));
        let too_many = [0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, 0];
        let claimed = expanded_bytes(Encoding::DELTA_LENGTH_BYTE_ARRAY, &too_many, u64::MAX);
        assert_eq!(claimed, None);
    }
}
