//! Divides rows into the first ones of their classes and the others, and writes the table of the others.

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{Schema, SchemaRef};

use super::row_places::{NamedPlace, RowPlace, repeated_places, schema_with_places};
use crate::error::Error;
use crate::table::column::{Column, DescribedColumn, Rows, arrays_of, described, schema_of};
use crate::write::{Table, TableMetadata, TableWriter};

/// The size limit of row groups in the table of duplicates, in bytes. It is small because this table is in memory in
/// addition to the output table.
const GROUP_BYTES: usize = 4 << 20;

/// A duplicate, and the row that it repeats.
struct Duplicate<'a> {
    place: NamedPlace<'a>,
    first: NamedPlace<'a>,
}

type DuplicateColumn<'a> = Column<Duplicate<'a>>;

/// The columns that the table of duplicates has before the columns of the row itself: the row's position, and the
/// position of the row that it repeats.
fn columns<'a>() -> [DuplicateColumn<'a>; 4] {
    [
        DuplicateColumn::text("source", "The input that the duplicate is in.", |row| {
            Some(row.place.source)
        }),
        DuplicateColumn::uint64("row", "The record's number in its source, from 0.", |row| {
            Some(row.place.row)
        }),
        DuplicateColumn::text(
            "first_source",
            "The input with the first row of the same class, which stays in the dataset.",
            |row| Some(row.first.source),
        ),
        DuplicateColumn::uint64(
            "first_row",
            "The number of that record in its source, from 0.",
            |row| Some(row.first.row),
        ),
    ]
    .map(Column::without_nulls)
}

/// The descriptions of the columns that the table of duplicates has before the columns of the row itself.
pub fn duplicate_columns() -> Vec<DescribedColumn> {
    described(&columns())
}

/// The rows of a batch, divided into the first ones of their classes and the others.
pub(super) struct DividedRows {
    pub(super) firsts: RecordBatch,
    pub(super) duplicate_count: u64,
    /// The rows of the table of duplicates, if there are any.
    pub(super) duplicates: Option<RecordBatch>,
}

/// The columns of the table of duplicates, and what its rows are made from.
pub(super) struct DuplicateColumns {
    schema: SchemaRef,
    sources: Vec<String>,
}

impl DuplicateColumns {
    /// The columns are the positions of the duplicates, the positions of the first rows of their classes, and the columns of
    /// `schema`.
    pub(super) fn new(schema: &Schema, sources: Vec<String>) -> DuplicateColumns {
        DuplicateColumns {
            schema: schema_with_places(&schema_of(&columns()), schema),
            sources,
        }
    }

    /// Starts the table.
    pub(super) fn start_table(
        &self,
        table: &Table,
        metadata: &TableMetadata,
    ) -> Result<TableWriter, Error> {
        let mut writer = table.start(&self.schema, metadata)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(writer)
    }

    /// The rows of the table for these duplicates.
    fn rows(
        &self,
        duplicates: &RecordBatch,
        places: &[(RowPlace, RowPlace)],
    ) -> Result<RecordBatch, Error> {
        let rows = places.iter().map(|(place, first)| Duplicate {
            place: place.named(&self.sources),
            first: first.named(&self.sources),
        });
        let rows: Vec<Duplicate<'_>> = rows.collect();
        let mut arrays = arrays_of(&columns(), Rows::of_inputs(&rows))?;
        arrays.extend(duplicates.columns().iter().cloned());
        Ok(RecordBatch::try_new(self.schema.clone(), arrays)?)
    }
}

impl DividedRows {
    /// Divides rows with these positions. `firsts` has, for each row, the position of the first row of its class if that is
    /// another row. Duplicates are only kept if `columns` says what their table has.
    pub(super) fn new(
        rows: &RecordBatch,
        places: &[RowPlace],
        firsts: &[Option<RowPlace>],
        columns: Option<&DuplicateColumns>,
    ) -> Result<DividedRows, Error> {
        let is_first: BooleanArray = firsts.iter().map(|first| Some(first.is_none())).collect();
        let duplicate_count = firsts.iter().flatten().count() as u64;
        if duplicate_count == 0 {
            return Ok(DividedRows {
                firsts: rows.clone(),
                duplicate_count,
                duplicates: None,
            });
        }
        let duplicates = columns.map(|columns| {
            let duplicates = filter_record_batch(rows, &arrow::compute::not(&is_first)?)?;
            let places: Vec<_> = repeated_places(places, firsts).collect();
            columns.rows(&duplicates, &places)
        });
        Ok(DividedRows {
            firsts: filter_record_batch(rows, &is_first)?,
            duplicate_count,
            duplicates: duplicates.transpose()?,
        })
    }
}
