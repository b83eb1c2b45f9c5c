//! Checks the footer of a Parquet file against the file before its contents are used.

use parquet::arrow::ProjectionMask;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;

use super::thrift;
use crate::error::Error;

/// The longest footer in bytes: enough for 10,000 row groups of 60 columns.
const LONGEST: u64 = 256 << 20;

/// Checks that the footer is complete, and that its lists have their stated lengths.
pub(super) fn check_footer<R: ChunkReader>(file: &R, bytes: u64) -> Result<(), ParquetError> {
    let damaged = |what: &str| Err(ParquetError::General(what.to_owned()));
    let Some(end) = bytes.checked_sub(8) else {
        return damaged("it has no footer");
    };
    let last = file.get_bytes(end, 8)?;
    let Some((length, b"PAR1")) = last.split_first_chunk::<4>() else {
        // The footer is encrypted, or missing. The decoder reports either.
        return Ok(());
    };
    let length = u64::from(u32::from_le_bytes(*length));
    if length > LONGEST {
        return damaged("its footer is too long");
    }
    let Some(start) = end.checked_sub(length) else {
        return damaged("its footer is longer than the file");
    };
    let footer = file.get_bytes(start, usize::try_from(length).unwrap_or(usize::MAX))?;
    match thrift::is_whole(&footer) {
        true => Ok(()),
        false => damaged("its footer is damaged"),
    }
}

/// Checks that the row groups have as many rows together as the footer states.
pub(super) fn check_rows(path: &str, metadata: &ParquetMetaData, bytes: u64) -> Result<(), Error> {
    let all = metadata.file_metadata().num_rows();
    let groups = metadata.row_groups().iter().map(RowGroupMetaData::num_rows);
    let sum = groups.fold(0, i64::saturating_add);
    match sum == all {
        true => Ok(()),
        false => Err(Error::Corrupt {
            source_name: path.to_owned(),
            byte_offset: bytes,
            what: format!(
                "the Parquet file is damaged (its footer says {all} rows, and its row groups have \
                 {sum})"
            ),
        }),
    }
}

/// Checks that the selected columns of a row group lie within the file and have a value for each
/// row.
pub(super) fn check(
    path: &str,
    metadata: &ParquetMetaData,
    index: usize,
    mask: &ProjectionMask,
    bytes: u64,
) -> Result<(), Error> {
    let group = metadata.row_group(index);
    let columns = group.columns().iter().enumerate();
    let mut columns = columns.filter(|(at, _)| mask.leaf_included(*at));
    let found = columns.find_map(|(_, column)| damage(column, group.num_rows(), bytes));
    match found {
        None if group.num_rows() >= 0 => Ok(()),
        found => Err(Error::Corrupt {
            source_name: path.to_owned(),
            byte_offset: start(metadata, index, bytes),
            what: format!(
                "the Parquet file is damaged or cut short (row group {index} {})",
                found.unwrap_or_else(|| "has a negative number of rows".to_owned())
            ),
        }),
    }
}

/// The defect of a column of a row group with `rows` rows; `None` if it has none.
fn damage(column: &ColumnChunkMetaData, rows: i64, bytes: u64) -> Option<String> {
    let start = column
        .dictionary_page_offset()
        .unwrap_or(column.data_page_offset());
    let end = u64::try_from(start).ok().and_then(|start| {
        let length = u64::try_from(column.compressed_size()).ok()?;
        start.checked_add(length)
    });
    if end.is_none_or(|end| end > bytes) {
        return Some("does not lie within it".to_owned());
    }
    // Nulls and empty lists count as values. A longer list has one value for each element.
    let values = column.num_values();
    let fits = match column.column_descr().max_rep_level() {
        0 => values == rows,
        _ => values >= rows,
    };
    let name = column.column_path();
    (!fits).then(|| format!("has {values} values of {name} for {rows} rows"))
}

/// The position of a row group.
pub(super) fn start(metadata: &ParquetMetaData, index: usize, bytes: u64) -> u64 {
    let group = metadata.row_groups().get(index);
    let chunks = group.map(RowGroupMetaData::columns).unwrap_or_default();
    let starts = chunks.iter().filter_map(|chunk| {
        let start = chunk
            .dictionary_page_offset()
            .unwrap_or(chunk.data_page_offset());
        u64::try_from(start).ok()
    });
    starts.min().unwrap_or(bytes).min(bytes)
}
