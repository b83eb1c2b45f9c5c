//! Columnar files: Parquet and Arrow IPC; and record batches of another program.
//!
//! ```text
//! parquet ─┐
//!          ├─▶ RecordBatch ─ cutter ─ layout, grids ─▶ ColumnChunk ─ parser ─▶ Records
//! arrow ───┤
//! memory ──┘
//! ```
//!
//! A run with several threads decodes Parquet files, Arrow files and NumPy arrays in pieces on the workers
//! ([`Piece`](crate::read::Piece)).
//!
//! Columnar files state the sizes of their parts. A damaged file can state any size, so each size is checked
//! against the file and against [`MOST_BYTES`] before memory is allocated.

pub(crate) mod arrow;
mod cells_in_columns;
mod cutter;
#[cfg(test)]
pub(crate) mod damage;
mod json_texts;
pub(crate) mod key_values;
pub(crate) mod layout;
mod named;
pub(crate) mod npy;
pub(crate) mod parquet;
pub(crate) mod parser;
#[cfg(test)]
mod pieces;
pub(crate) mod record_batches;
mod text_type;
mod unpack;

use crate::error::Error;

/// The maximum number of rows in a batch that is read from a columnar file.
const BATCH_ROWS: usize = 4096;

/// The maximum memory in bytes for one record batch, or for the Parquet pages of one batch.
const MOST_BYTES: u64 = 256 << 20;

/// The error for a column type that the decoder does not support. The type is recognised by the decoder's message
/// `text`; `None` for other messages.
fn unsupported_error(source_name: &str, text: &str) -> Option<Error> {
    text.contains("not supported").then(|| Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what: format!(
            "a column has a type that is not supported ({text}): write the file without it, or as \
             another type"
        ),
    })
}
