//! The number that stands for an empty cell in grids of numbers.

use crate::options::TOKEN_OFFSET;

/// Logs that the grids of an input have 1 for an empty cell, if this was inferred: another reading of the same numbers
/// gives other grids.
pub(super) fn log_inferred_offset(source_name: &str, offset: u8) {
    if offset > 0 {
        tracing::info!(
            token_offset = offset,
            "{source_name}: most of its grids have numbers from 1 on, so 1 is read as an empty cell, and 2 as the digit 1; \
             with {}, 0 is an empty cell",
            TOKEN_OFFSET.set_to(0)
        );
    }
}
