//! Columnar files: Parquet and Arrow IPC; and record batches of another program.
//!
//! ```text
//! parquet ─┐
//!          ├─▶ RecordBatch ─ cutter ─ layout, grids ─▶ ColumnChunk ─ parser ─▶ Records
//! arrow ───┤
//! memory ──┘
//! ```
//!
//! Their files say how large things are before they come. No such number is believed: it is held
//! against the file and against [`MOST_BYTES`] before memory is taken for it.

pub(super) mod arrow;
mod cutter;
#[cfg(test)]
mod damage;
mod grids;
pub(crate) mod layout;
mod named;
pub(super) mod npy;
pub(super) mod parquet;
pub(crate) mod parser;
pub(crate) mod record_batches;
mod text_grids;
mod unpack;

use ::parquet::errors::ParquetError;

use crate::error::Error;
use crate::store::RequestFailure;

/// Rows of a batch: as many as there are in a batch of text.
const BATCH_ROWS: usize = 4096;

/// What one record batch, or the pages for one batch of Parquet, may need in memory.
const MOST_BYTES: u64 = 256 << 20;

/// The system's errors are distinguished from damage; they are wrapped up to three times.
fn refused_by_system(source_name: &str, error: &ParquetError) -> Option<Error> {
    if let Some(failure) = RequestFailure::within(error) {
        return Some(Error::Read {
            source_name: source_name.to_owned(),
            error: failure.clone().into(),
        });
    }
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        let number = inner
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::raw_os_error);
        if let Some(number) = number {
            return Some(Error::Read {
                source_name: source_name.to_owned(),
                error: std::io::Error::from_raw_os_error(number),
            });
        }
        cause = inner.source();
    }
    None
}

/// The crates refuse a file for one column of a type that they do not know: by what they say.
fn unsupported(source_name: &str, text: &str) -> Option<Error> {
    text.contains("not supported").then(|| Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what: format!(
            "a column has a type that is not supported ({text}): write the file without it, or as \
             another type"
        ),
    })
}
