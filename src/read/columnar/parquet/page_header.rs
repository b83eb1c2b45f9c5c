//! Reads the headers of Parquet pages, and checks the sizes that they state.

use std::ops::Range;

use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;

use super::budget::PageBudget;
use super::thrift::{self, PageHeader};

/// The maximum size of a page in bytes. Pages usually have 1 MiB, rarely up to 100 MB.
const LARGEST_PAGE: i64 = 128 << 20;

/// The maximum size of a dictionary in bytes. Dictionaries usually have 1 MiB.
const LARGEST_DICTIONARY: i64 = 32 << 20;

/// The maximum length of a page header in bytes, including its statistics.
const LONGEST_HEADER: usize = 1 << 20;

/// Reads the header of the page that starts at the first of these offsets. The last one is the end of its column chunk.
/// A page that is too large is refused by the budget.
pub(super) fn read_header<R: ChunkReader>(
    file: &R,
    rest_of_chunk: Range<u64>,
    budget: &PageBudget,
) -> Result<PageHeader, ParquetError> {
    let Range { start, end } = rest_of_chunk;
    let bytes_left = end - start;
    let damaged_page =
        |what: &str| ParquetError::General(format!("the page at byte {start} {what}"));
    let mut length = 512;
    let header = loop {
        let size = usize::try_from(bytes_left)
            .unwrap_or(usize::MAX)
            .min(length);
        let bytes = file.get_bytes(start, size)?;
        match thrift::page_header(&bytes) {
            Ok(header) => break header,
            Err(thrift::ThriftError::Short) if size as u64 == bytes_left => {
                return Err(damaged_page("has no end"));
            }
            Err(thrift::ThriftError::Short) if length < LONGEST_HEADER => length *= 8,
            Err(_) => return Err(damaged_page("has a damaged header")),
        }
    };
    let body_bytes = bytes_left - (header.length as u64).min(bytes_left);
    if u64::try_from(header.compressed).is_ok_and(|compressed| compressed <= body_bytes)
        && header.uncompressed >= 0
        && (0..=i64::from(i32::MAX)).contains(&header.values)
    {
        let most_bytes = match header.kind {
            2 => LARGEST_DICTIONARY,
            _ => LARGEST_PAGE,
        };
        if header.uncompressed.max(header.compressed) > most_bytes {
            return Err(budget.refuse(format!(
                "a page takes {} bytes, and at most {most_bytes} are read at a time: write the file \
                 with smaller pages",
                header.uncompressed.max(header.compressed)
            )));
        }
        return Ok(header);
    }
    Err(damaged_page("is larger than its column"))
}
