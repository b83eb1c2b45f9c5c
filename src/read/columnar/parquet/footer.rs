//! Checks the footer of a Parquet file against the size of the file, before the file is read.

use parquet::arrow::ProjectionMask;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;

use super::thrift;
use crate::error::Error;
use crate::options::KEEP;
use crate::store::display_name;

/// The maximum length of a footer in bytes, which is enough for 10,000 row groups of 60 columns.
const LONGEST_FOOTER: u64 = 256 << 20;

/// Properties of a footer that the decoder does not report.
#[derive(Clone, Debug, Default)]
pub(super) struct Footer {
    /// The offset of the footer in the file.
    start: u64,
    /// The indices of the encrypted leaf columns.
    encrypted: Vec<usize>,
}

/// Checks that the footer is complete, and that its lists are as long as they state.
pub(super) fn check_footer<R: ChunkReader>(file: &R, bytes: u64) -> Result<Footer, ParquetError> {
    let damaged_footer = |what: &str| Err(ParquetError::General(what.to_owned()));
    let unread_footer = Footer {
        start: bytes,
        ..Footer::default()
    };
    let Some(end) = bytes.checked_sub(8) else {
        return damaged_footer("it has no footer");
    };
    let footer_end = file.get_bytes(end, 8)?;
    let Some((length, b"PAR1")) = footer_end.split_first_chunk::<4>() else {
        // The footer is encrypted, or the file has none. The decoder reports both cases.
        return Ok(unread_footer);
    };
    let length = u64::from(u32::from_le_bytes(*length));
    if length > LONGEST_FOOTER {
        return damaged_footer("its footer is too long");
    }
    let Some(start) = end.checked_sub(length) else {
        return damaged_footer("its footer is longer than the file");
    };
    let footer = file.get_bytes(start, usize::try_from(length).unwrap_or(usize::MAX))?;
    if thrift::is_whole(&footer) {
        Ok(Footer {
            start,
            encrypted: thrift::encrypted_columns(&footer),
        })
    } else {
        damaged_footer("its footer is damaged")
    }
}

/// Refuses two concatenated files (`cat a.parquet b.parquet`). The footer at the end describes only the second
/// file, and its offsets would be taken for offsets in the first.
pub(super) fn refuse_file_before<R: ChunkReader>(
    path: &str,
    file: &R,
    footer: &Footer,
    metadata: &ParquetMetaData,
) -> Result<(), Error> {
    // The magic bytes at the end of one file and at the start of the next.
    const JOINED_FILES_MAGIC: &[u8] = b"PAR1PAR1";
    const WINDOW_BYTES: u64 = 1 << 20;
    let undescribed_bytes = footer.start.saturating_sub(described_end(metadata));
    if undescribed_bytes < 12 {
        return Ok(());
    }
    // The first file ends at or before the offset `undescribed_bytes`. This number is the length of the first file,
    // plus the bytes of the second file that its footer does not describe.
    let window_start = undescribed_bytes.saturating_sub(WINDOW_BYTES);
    let length = usize::try_from(undescribed_bytes + 4 - window_start).unwrap_or_default();
    // If reading fails here, no error is returned: reading the data fails later, and that error is reported.
    let window = file.get_bytes(window_start, length).unwrap_or_default();
    match memchr::memmem::rfind(&window, JOINED_FILES_MAGIC) {
        None => Ok(()),
        Some(at) => Err(Error::Corrupt {
            source_name: display_name(path),
            byte_offset: window_start + at as u64 + 4,
            what:
                "another Parquet file stands before the one that ends here, and its rows would be \
                   lost: give each of several files as a file of its own"
                    .to_owned(),
        }),
    }
}

/// The offset of the end of the last column chunk or index that the footer lists.
fn described_end(metadata: &ParquetMetaData) -> u64 {
    let columns = metadata
        .row_groups()
        .iter()
        .flat_map(RowGroupMetaData::columns);
    let end = |start: Option<i64>, length: Option<i32>| {
        let start = u64::try_from(start?).ok()?;
        Some(start.saturating_add(u64::try_from(length.unwrap_or(0)).ok()?))
    };
    let described_ends = columns.flat_map(|column| {
        let start = column
            .dictionary_page_offset()
            .unwrap_or(column.data_page_offset());
        let data = u64::try_from(start).ok().map(|start| {
            start.saturating_add(u64::try_from(column.compressed_size()).unwrap_or_default())
        });
        [
            data,
            end(column.column_index_offset(), column.column_index_length()),
            end(column.offset_index_offset(), column.offset_index_length()),
            end(column.bloom_filter_offset(), column.bloom_filter_length()),
        ]
    });
    described_ends.flatten().max().unwrap_or(4)
}

/// Refuses the file if one of the columns to be read is encrypted.
pub(super) fn refuse_encrypted(
    path: &str,
    footer: &Footer,
    metadata: &ParquetMetaData,
    mask: &ProjectionMask,
) -> Result<(), Error> {
    let columns = metadata.file_metadata().schema_descr();
    let mut encrypted = footer
        .encrypted
        .iter()
        .filter(|at| mask.leaf_included(**at));
    let Some(column) = encrypted.find(|at| **at < columns.num_columns()) else {
        return Ok(());
    };
    Err(Error::UnknownFormat {
        source_name: display_name(path),
        what: format!(
            "column {} is encrypted, which is not read: leave it out with {KEEP}, or write the file \
             without encryption",
            columns.column(*column).path().string()
        ),
    })
}

/// Checks that the row groups together have as many rows as the footer states.
pub(super) fn check_rows(path: &str, metadata: &ParquetMetaData, bytes: u64) -> Result<(), Error> {
    let stated_rows = metadata.file_metadata().num_rows();
    let groups = metadata.row_groups().iter().map(RowGroupMetaData::num_rows);
    let row_group_rows = groups.fold(0, i64::saturating_add);
    if row_group_rows == stated_rows {
        Ok(())
    } else {
        Err(Error::Corrupt {
            source_name: display_name(path),
            byte_offset: bytes,
            what: format!(
                "the Parquet file is damaged (its footer says {stated_rows} rows, and its row groups have \
             {row_group_rows})"
            ),
        })
    }
}

/// Checks that the columns to read of a row group lie within the file, and have a value for each row.
pub(super) fn check_row_group(
    path: &str,
    metadata: &ParquetMetaData,
    index: usize,
    mask: &ProjectionMask,
    bytes: u64,
) -> Result<(), Error> {
    let group = metadata.row_group(index);
    let columns = group.columns().iter().enumerate();
    let mut columns = columns.filter(|(at, _)| mask.leaf_included(*at));
    let defect = columns.find_map(|(_, column)| defect(column, group.num_rows(), bytes));
    match defect {
        None if group.num_rows() >= 0 => Ok(()),
        found => Err(Error::Corrupt {
            source_name: display_name(path),
            byte_offset: row_group_start(metadata, index, bytes),
            what: format!(
                "the Parquet file is damaged or cut short (row group {index} {})",
                found.unwrap_or_else(|| "has a negative number of rows".to_owned())
            ),
        }),
    }
}

/// Describes what is wrong in the metadata of a column chunk; `None` if the metadata is valid. `rows` is the number of
/// rows of its row group.
fn defect(column: &ColumnChunkMetaData, rows: i64, bytes: u64) -> Option<String> {
    let chunk_start = column
        .dictionary_page_offset()
        .unwrap_or(column.data_page_offset());
    let chunk_end = u64::try_from(chunk_start).ok().and_then(|chunk_start| {
        let length = u64::try_from(column.compressed_size()).ok()?;
        chunk_start.checked_add(length)
    });
    if chunk_end.is_none_or(|chunk_end| chunk_end > bytes) {
        return Some("does not lie within it".to_owned());
    }
    // A null and an empty list count as one value each. Every other list counts as one value per element.
    let values = column.num_values();
    let has_right_count = match column.column_descr().max_rep_level() {
        0 => values == rows,
        _ => values >= rows,
    };
    let name = column.column_path();
    (!has_right_count).then(|| format!("has {values} values of {name} for {rows} rows"))
}

/// The offset of a row group in the file.
pub(super) fn row_group_start(metadata: &ParquetMetaData, index: usize, bytes: u64) -> u64 {
    let group = metadata.row_groups().get(index);
    let chunks = group.map(RowGroupMetaData::columns).unwrap_or_default();
    let starts = chunks.iter().filter_map(|chunk| {
        let chunk_start = chunk
            .dictionary_page_offset()
            .unwrap_or(chunk.data_page_offset());
        u64::try_from(chunk_start).ok()
    });
    starts.min().unwrap_or(bytes).min(bytes)
}
