//! The table of pairs of `overlap`: rows of dataset B with the rows of A that have the same class.

use arrow::array::{AsArray, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;

use super::row_places::{NamedPlace, RowPlace, repeated_places};
use crate::error::Error;
use crate::options::BY;
use crate::table::column::{Column, DescribedColumn, Rows, batch_of, described, schema_of};
use crate::write::{Table, TableMetadata, TableWriter};

/// The size limit of row groups in the table of pairs, in bytes. It is small because one thread encodes the table.
const GROUP_BYTES: usize = 4 << 20;

/// Rows of dataset B whose class also occurs in dataset A, with their positions and those of their twins in A.
pub(super) struct Pairs {
    rows: RecordBatch,
    places: Vec<(RowPlace, RowPlace)>,
}

impl Pairs {
    /// The rows with a twin; `None` if there are none.
    pub(super) fn new(
        rows: &RecordBatch,
        places: &[RowPlace],
        twins: &[Option<RowPlace>],
    ) -> Result<Option<Pairs>, Error> {
        let has_twin: BooleanArray = twins.iter().map(|twin| Some(twin.is_some())).collect();
        if has_twin.true_count() == 0 {
            return Ok(None);
        }
        Ok(Some(Pairs {
            rows: filter_record_batch(rows, &has_twin)?,
            places: repeated_places(places, twins).collect(),
        }))
    }
}

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

/// Writes the table of pairs.
pub(super) struct PairsTable(pub(super) TableWriter);

impl PairsTable {
    pub(super) fn start(table: &Table, metadata: &TableMetadata) -> Result<PairsTable, Error> {
        let mut writer = table.start(&schema_of(&columns()), metadata)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(PairsTable(writer))
    }

    pub(super) fn write_pairs(&mut self, sources: &[String], pairs: &Pairs) -> Result<(), Error> {
        let puzzles = pairs.rows.column(0).as_string::<i32>().iter();
        let rows = pairs.places.iter().zip(puzzles);
        let rows = rows.map(|((place, twin), puzzle)| Pair {
            place: place.named(sources),
            puzzle: puzzle.unwrap_or_default(),
            twin: twin.named(sources),
        });
        let rows: Vec<Pair<'_>> = rows.collect();
        self.0.write(batch_of(&columns(), Rows::of_inputs(&rows))?)
    }
}
