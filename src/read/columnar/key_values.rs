//! Reads the key-value metadata of Parquet and Arrow files.

use super::{arrow, parquet};
use crate::error::Error;
use crate::read::bytes::stored::InputBytes;
use crate::store::OpenedInput;

/// The key-value metadata of a Parquet file, an Arrow file or an Arrow stream; empty for other files. A key can occur
/// twice in a Parquet file. The sizes that the file states are checked first.
pub(crate) fn key_values(path: &str, opened: OpenedInput) -> Result<Vec<(String, String)>, Error> {
    let mut input_bytes = InputBytes::new(path, &[], opened.reader)?;
    let first_bytes = input_bytes.peek(6)?;
    let schema = match opened.random {
        Some(file) if first_bytes.starts_with(parquet::MAGIC) => {
            let metadata = parquet::metadata(path, file)?;
            let entries = metadata.file_metadata().key_value_metadata();
            let entries = entries.into_iter().flatten().cloned();
            return Ok(entries
                .filter_map(|entry| Some((entry.key, entry.value?)))
                .collect());
        }
        Some(file) if arrow::is_file(first_bytes) => arrow::file_schema(path, file)?,
        _ if arrow::is_stream(first_bytes) => arrow::stream_schema(path, input_bytes)?,
        _ => return Ok(Vec::new()),
    };
    Ok(schema.metadata().clone().into_iter().collect())
}
