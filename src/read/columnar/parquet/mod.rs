//! Reads Parquet files whose puzzles are a column of text, or of lists of integers.
//!
//! ```text
//! footer ─ checked, then read ─▶ row groups ─ pages, checked, then read ─▶ RecordBatch
//! ```
//!
//! Text is read as views into the pages: a dictionary value is stored once, even if it occurs in a million
//! rows.

mod budget;
mod delta;
mod divided;
mod footer;
mod format;
mod logical;
mod page_header;
mod pages;
mod slices;
mod source;
#[cfg(test)]
mod tests;
mod thrift;
mod views;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use ::parquet::arrow::arrow_reader::ArrowReaderMetadata;
use ::parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::reader::ChunkReader;

use self::footer::Footer;
pub(crate) use self::format::{FORMAT, MAGIC};
use self::source::{ParquetFile, ParquetSource, RowGroup};
use super::layout::ChosenColumns;
use super::{BATCH_ROWS, unsupported_error};
use crate::error::{Error, InputError};
use crate::read::guard;
use crate::read::{Input, InputFormat, InputInfo, ReadOptions};
use crate::store::{RandomAccess, display_name};

/// The maximum total size in bytes of the fixed-length values in a batch.
const MOST_FIXED_BYTES: u64 = 64 << 20;

/// The target size of a batch in bytes. The size is estimated from the average size of a row.
const TARGET_BATCH_BYTES: u64 = 4 << 20;

pub(crate) fn open(path: &str, file: RandomAccess, options: &ReadOptions) -> Result<Input, Error> {
    let bytes = file.bytes();
    let may_divide = file.is_near();
    let file = Arc::new(file);
    let (described, footer) = describe(path, &file, bytes)?;
    footer::refuse_file_before(path, file.as_ref(), &footer, described.metadata())?;
    let fields = described.schema().fields();
    let file_metadata = described.metadata().file_metadata();
    let typed_fields = logical::with_logical_types(fields, file_metadata);
    let chosen = ChosenColumns::from_fields(path, &typed_fields, options)?;
    let roots = &chosen.layout.roots;
    for root in roots {
        logical::refuse_interval(path, *root, file_metadata)?;
    }

    let metadata = Arc::clone(described.metadata());
    let mask = ProjectionMask::roots(described.parquet_schema(), roots.iter().copied());
    footer::refuse_encrypted(path, &footer, &metadata, &mask)?;
    let decoded_fields = views::with_view_types(fields);
    let field_levels = guarded(|| {
        parquet_to_arrow_field_levels(
            described.parquet_schema(),
            mask.clone(),
            Some(&decoded_fields),
        )
    })
    .map_err(|error| explain(path, bytes, &error))?;
    let groups = selected_row_groups(path, &metadata, options)?;
    for group in &groups {
        footer::check_row_group(path, &metadata, group.index, &mask, bytes)?;
    }

    let bytes_read = Arc::new(AtomicU64::new(0));
    let info = InputInfo {
        source: path.to_owned(),
        bytes: Some(bytes),
        compression: "none",
        format: InputFormat::PARQUET,
        has_solutions: false,
        row_groups: Some(metadata.num_row_groups()),
    };
    let why = "it starts with PAR1";
    Ok(
        chosen.into_input(info, why, Arc::clone(&bytes_read), |layout| {
            let file = ParquetFile {
                path: path.to_owned(),
                batch_rows: batch_rows(&metadata, &mask),
                file,
                metadata,
                mask,
                field_levels,
                layout,
                rows: groups.iter().map(|group| group.rows).sum(),
                bytes,
                may_divide,
                chunks_per_batch: AtomicUsize::new(1),
            };
            Box::new(ParquetSource::new(Arc::new(file), groups, bytes_read))
        }),
    )
}

/// The metadata in the footer of a Parquet file.
pub(crate) fn metadata(path: &str, file: RandomAccess) -> Result<Arc<ParquetMetaData>, Error> {
    let bytes = file.bytes();
    let (described, _) = describe(path, &Arc::new(file), bytes)?;
    Ok(Arc::clone(described.metadata()))
}

fn describe<R: ChunkReader>(
    path: &str,
    file: &Arc<R>,
    bytes: u64,
) -> Result<(ArrowReaderMetadata, Footer), Error> {
    guarded(|| {
        let footer = footer::check_footer(file.as_ref(), bytes)?;
        let arrow_metadata = ArrowReaderMetadata::load(file.as_ref(), Default::default())?;
        Ok((arrow_metadata, footer))
    })
    .map_err(|error| {
        unsupported_error(path, &error.to_string()).unwrap_or_else(|| explain(path, bytes, &error))
    })
    .and_then(|(described, footer)| {
        footer::check_rows(path, described.metadata(), bytes)?;
        Ok((described, footer))
    })
}

/// The number of rows per batch. It is smaller if rows are long, or if they have large fixed-length values.
fn batch_rows(metadata: &ParquetMetaData, mask: &ProjectionMask) -> usize {
    let columns = metadata.file_metadata().schema_descr().columns().iter();
    let lengths = columns.enumerate().filter_map(|(at, column)| {
        let length = u64::try_from(column.type_length()).unwrap_or_default();
        mask.leaf_included(at).then_some(length)
    });
    let fixed_bytes = MOST_FIXED_BYTES / lengths.fold(1, u64::saturating_add).max(1);
    let groups = metadata.row_groups().iter();
    let (mut all_bytes, mut all_rows) = (0, 0);
    for group in groups {
        let columns = group.columns().iter().enumerate();
        let columns = columns.filter(|(at, _)| mask.leaf_included(*at));
        let bytes = columns.map(|(_, column)| column.uncompressed_size().max(0) as u64);
        all_bytes = bytes.fold(all_bytes, u64::saturating_add);
        all_rows += group.num_rows().max(0) as u64;
    }
    let average = all_bytes / all_rows.max(1);
    let rows = fixed_bytes.min(TARGET_BATCH_BYTES / average.max(1));
    usize::try_from(rows).map_or(BATCH_ROWS, |rows| rows.clamp(1, BATCH_ROWS))
}

/// The row groups that the options select, in the order of the file.
fn selected_row_groups(
    path: &str,
    metadata: &ParquetMetaData,
    options: &ReadOptions,
) -> Result<VecDeque<RowGroup>, Error> {
    let count = metadata.num_row_groups();
    if let Some(wanted) = &options.row_groups
        && let Some(missing) = wanted.iter().find(|index| **index >= count)
    {
        return Err(InputError::NoRowGroup {
            input: path.to_owned(),
            count,
            missing: *missing,
        }
        .into());
    }
    let mut first_row = 0;
    let mut groups = VecDeque::new();
    for (index, group) in metadata.row_groups().iter().enumerate() {
        let rows = u64::try_from(group.num_rows()).unwrap_or_default();
        let wanted_groups = options.row_groups.as_ref();
        if wanted_groups.is_none_or(|wanted| wanted.contains(&index)) {
            groups.push_back(RowGroup {
                index,
                first_row,
                rows,
            });
        }
        first_row += rows;
    }
    Ok(groups)
}

fn guarded<T>(decode: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    guard::guarded(decode, ParquetError::General)
}

fn explain(path: &str, byte_offset: u64, error: &ParquetError) -> Error {
    Error::Corrupt {
        source_name: display_name(path),
        byte_offset,
        what: format!("the Parquet file is damaged or cut short ({error})"),
    }
}
