//! Divides rows into the first ones of their classes and the others, and writes the table of the others.

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{Schema, SchemaRef};

use super::row_places::{NamedPlace, RowPlace, repeated_places, schema_with_places};
use crate::error::Error;
use crate::table::column::{Column, DescribedColumn, Rows, arrays_of, described, schema_of};
use crate::write::{OutputSet, Table, TableMetadata, TableWriter};

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
    pub(super) duplicates: Option<DuplicateRows>,
}

/// Rows that repeat earlier rows, with their positions and those of the first rows of their classes.
pub(super) struct DuplicateRows {
    rows: RecordBatch,
    places: Vec<(RowPlace, RowPlace)>,
}

impl DividedRows {
    /// Divides rows with these positions. `firsts` has, for each row, the position of the first row of its class if that is
    /// another row. Duplicates are only kept if `keeps_duplicates` is set.
    pub(super) fn new(
        rows: &RecordBatch,
        places: &[RowPlace],
        firsts: &[Option<RowPlace>],
        keeps_duplicates: bool,
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
        let mut duplicates = None;
        if keeps_duplicates {
            duplicates = Some(DuplicateRows {
                rows: filter_record_batch(rows, &arrow::compute::not(&is_first)?)?,
                places: repeated_places(places, firsts).collect(),
            });
        }
        Ok(DividedRows {
            firsts: filter_record_batch(rows, &is_first)?,
            duplicate_count,
            duplicates,
        })
    }
}

/// Writes the table of duplicates.
pub(super) struct DuplicatesTable {
    writer: TableWriter,
    schema: SchemaRef,
}

impl DuplicatesTable {
    /// Starts a table whose columns are the positions of the duplicates, the positions of the first rows of their classes,
    /// and the columns of `schema`.
    pub(super) fn start(
        table: &Table,
        schema: &Schema,
        metadata: &TableMetadata,
    ) -> Result<DuplicatesTable, Error> {
        let schema = schema_with_places(&schema_of(&columns()), schema);
        let mut writer = table.start(&schema, metadata)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(DuplicatesTable { writer, schema })
    }

    pub(super) fn write_duplicates(
        &mut self,
        sources: &[String],
        duplicates: &DuplicateRows,
    ) -> Result<(), Error> {
        let rows = duplicates.places.iter().map(|(place, first)| Duplicate {
            place: place.named(sources),
            first: first.named(sources),
        });
        let rows: Vec<Duplicate<'_>> = rows.collect();
        let mut arrays = arrays_of(&columns(), Rows::of_inputs(&rows))?;
        arrays.extend(duplicates.rows.columns().iter().cloned());
        self.writer
            .write(RecordBatch::try_new(self.schema.clone(), arrays)?)
    }

    pub(super) fn finish(self, set: &mut OutputSet) -> Result<(), Error> {
        set.add(self.writer.finish()?)
    }
}
