//! The columns of the rejects table and of the table of records that fail validation. Neither of them is the output
//! table.

use std::sync::LazyLock;

use crate::table::column::Column;
use crate::table::reject::Reject;
use crate::table::validation::Failure;

/// The columns of the rejects table, in order.
pub static REJECT_COLUMNS: LazyLock<Vec<Column<Reject>>> = LazyLock::new(|| {
    let mut columns = Vec::from(position_columns::<Reject>(
        |reject| Some(reject.row),
        |reject| reject.line,
        |reject| reject.byte_offset,
    ));
    columns.extend([
        Column::<Reject>::text("error", "Why it was rejected: a stable id.", |reject| {
            Some(reject.reason.kind.id())
        })
        .without_nulls(),
        Column::<Reject>::text("message", "Why, in words.", |reject| {
            Some(&*reject.reason.message)
        })
        .without_nulls(),
        Column::<Reject>::text(
            "raw",
            "The record's text; bytes that are not UTF-8 stand as `\\xNN`.",
            |reject| Some(&*reject.raw),
        )
        .without_nulls(),
    ]);
    columns
});

/// The columns of the table of records that fail validation, in order.
pub static FAILURE_COLUMNS: LazyLock<Vec<Column<Failure>>> = LazyLock::new(|| {
    let mut columns = Vec::from(position_columns::<Failure>(
        |failure| Some(failure.row),
        |failure| failure.line,
        |failure| failure.byte_offset,
    ));
    columns.extend([
        Column::<Failure>::text(
            "why",
            "Why it fails: `none`, `multiple`, `gave_up` (as `status` says), `wrong_solution`, or \
             the error of a record that is not a puzzle, as in the rejects table.",
            |failure| Some(failure.why),
        )
        .without_nulls(),
        Column::<Failure>::text("message", "Why, in words.", |failure| {
            Some(&*failure.message)
        })
        .without_nulls(),
        Column::<Failure>::text(
            "raw",
            "The record's text, of a columnar format its puzzle; bytes that are not UTF-8 stand \
             as `\\xNN`.",
            |failure| Some(&*failure.raw),
        )
        .without_nulls(),
    ]);
    columns
});

/// The columns with the position of a record in its source.
fn position_columns<Record: 'static>(
    row: fn(&Record) -> Option<u64>,
    line: fn(&Record) -> Option<u64>,
    byte_offset: fn(&Record) -> Option<u64>,
) -> [Column<Record>; 4] {
    [
        Column::source("The input that the record came from, as it was named.").without_nulls(),
        Column::uint64("row", "The record's number in its source, from 0.", row).without_nulls(),
        Column::uint64(
            "line",
            "The line on which the record starts, from 1; null in binary formats.",
            line,
        ),
        Column::uint64(
            "byte_offset",
            "Where the record starts in the decompressed source, from 0; null in binary formats.",
            byte_offset,
        ),
    ]
}
