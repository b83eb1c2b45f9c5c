//! Columnar files: Parquet and Arrow IPC; and record batches of another program.
//!
//! ```text
//! parquet ─┐
//!          ├─▶ RecordBatch ─ cutter ─ layout, grids ─▶ ColumnChunk ─ parser ─▶ Records
//! arrow ───┤
//! memory ──┘
//! ```
//!
//! Columnar files state the sizes of their parts in advance. No such number is trusted: it is
//! checked against the file and against [`MOST_BYTES`] before memory is allocated for it.

pub(super) mod arrow;
mod cutter;
#[cfg(test)]
mod damage;
mod grids;
pub(crate) mod layout;
mod lists;
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

/// The most rows in a batch of a columnar format.
const BATCH_ROWS: usize = 4096;

/// The most memory that one record batch, or the pages for one batch of Parquet, may need.
const MOST_BYTES: u64 = 256 << 20;

/// The operating system's error within a decoder's error, if there is one: it is not damage.
/// Decoders wrap it up to three times.
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

/// The error for a column type that the decoders do not support, recognised by the text of their
/// error.
fn unsupported(source_name: &str, text: &str) -> Option<Error> {
    text.contains("not supported").then(|| Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what: format!(
            "a column has a type that is not supported ({text}): write the file without it, or as \
             another type"
        ),
    })
}
