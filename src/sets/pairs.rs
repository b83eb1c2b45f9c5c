//! The table of pairs of `overlap`: rows of dataset B with the rows of A that have the same class.

use arrow::array::{AsArray, RecordBatch};

use super::row_places::{NamedPlace, RowPlace};
use crate::error::Error;
use crate::options::BY;
use crate::table::column::{Column, DescribedColumn, Rows, batch_of, described, schema_of};
use crate::write::{Table, TableMetadata, TableWriter};

/// The size limit of row groups in the table of pairs, in bytes. It is small because a pair is: groups of the usual size
/// would have all pairs of most runs, and be encoded by one thread.
const GROUP_BYTES: usize = 4 << 20;

/// A row of dataset B, and a row of A with the same class.
struct Pair<'a> {
    place: NamedPlace<'a>,
    puzzle: &'a str,
    twin: NamedPlace<'a>,
}

type PairColumn<'a> = Column<Pair<'a>>;

/// The columns of the table of pairs.
fn columns<'a>() -> [PairColumn<'a>; 5] {
    [
        PairColumn::text("source", "The input of B that the row is in.", |row| {
            Some(row.place.source)
        }),
        PairColumn::uint64("row", "The record's number in this input, from 0.", |row| {
            Some(row.place.row)
        }),
        PairColumn::text("puzzle", "The puzzle of this row.", |row| Some(row.puzzle)),
        PairColumn::text(
            "twin_source",
            format!(
                "The input of A with the first row that has the same puzzle, as `{BY}` understands it."
            ),
            |row| Some(row.twin.source),
        ),
        PairColumn::uint64(
            "twin_row",
            "The number of that record in its input, from 0.",
            |row| Some(row.twin.row),
        ),
    ]
    .map(Column::without_nulls)
}

/// The descriptions of the columns of the table of pairs: a row of dataset B, and a row of A with the same class.
pub fn pair_columns() -> Vec<DescribedColumn> {
    described(&columns())
}

/// Starts the table of pairs.
pub(super) fn start_pairs(table: &Table, metadata: &TableMetadata) -> Result<TableWriter, Error> {
    let mut writer = table.start(&schema_of(&columns()), metadata)?;
    writer.shrink_groups(GROUP_BYTES);
    Ok(writer)
}

/// The rows of the table of pairs for rows of dataset B: those whose class also occurs in dataset A. `None` if there are
/// none. `twins` has the position of the first row of A with the class of each row.
pub(super) fn pair_rows(
    sources: &[String],
    rows: &RecordBatch,
    places: &[RowPlace],
    twins: &[Option<RowPlace>],
) -> Result<Option<RecordBatch>, Error> {
    let puzzles = rows.column(0).as_string::<i32>().iter();
    let pairs = places.iter().zip(twins).zip(puzzles);
    let pairs = pairs.filter_map(|((place, twin), puzzle)| {
        Some(Pair {
            place: place.named(sources),
            puzzle: puzzle.unwrap_or_default(),
            twin: (*twin)?.named(sources),
        })
    });
    let pairs: Vec<Pair<'_>> = pairs.collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    Ok(Some(batch_of(&columns(), Rows::of_inputs(&pairs))?))
}
