//! Writes the table of the rows that were removed from the cleaned datasets, with the reasons.

use arrow::array::{RecordBatch, UInt32Array};
use arrow::compute::take;
use arrow::datatypes::SchemaRef;

use super::AuditSet;
use crate::counts::RemovalReason;
use crate::error::Error;
use crate::sets::row_places::{NamedPlace, RowPlace, schema_with_places};
use crate::table::class::ClassBy;
use crate::table::column::{Column, DescribedColumn, Rows, arrays_of, described, schema_of};
use crate::write::{FilesFolder, Table, TableKind, TableMetadata, TableWriter};

/// The size limit of row groups in bytes. It is small because this table is in memory in addition to the tables of the
/// cleaned datasets.
const GROUP_BYTES: usize = 4 << 20;

/// A row of the table of removed rows.
struct RemovedEntry<'a> {
    set: &'a str,
    place: NamedPlace<'a>,
    removed: &'a RemovedRow,
    first_set: Option<&'a str>,
    first: Option<NamedPlace<'a>>,
}

type RemovedColumn<'a> = Column<RemovedEntry<'a>>;

/// The columns that the table of removed rows has before the columns of the row itself.
fn columns<'a>() -> [RemovedColumn<'a>; 9] {
    [
        RemovedColumn::text("set", "The set that the row was in.", |row| Some(row.set))
            .without_nulls(),
        RemovedColumn::text("source", "The input that the row was in.", |row| {
            Some(row.place.source)
        })
        .without_nulls(),
        RemovedColumn::uint64("row", "The record's number in its source, from 0.", |row| {
            Some(row.place.row)
        })
        .without_nulls(),
        RemovedColumn::text(
            "reason",
            "Why it was removed, by the first test that it failed: `none` (no solution), \
             `multiple`, `gave_up`, `wrong_solution`, `duplicate` (within its set), `shared` (with \
             a set that is preferred).",
            |row| Some(row.removed.reason.id()),
        )
        .without_nulls(),
        RemovedColumn::text(
            "message",
            "The reason in words; null of duplicates and shared rows.",
            |row| Some(&*row.removed.message).filter(|message| !message.is_empty()),
        ),
        RemovedColumn::text(
            "by",
            "For duplicates and shared rows, the closest class that both rows have: `exact`, \
             `isomorph`, `solution`, `grid`.",
            |row| row.removed.equal_by.map(ClassBy::id),
        ),
        RemovedColumn::text("first_set", "The set with the other row.", |row| {
            row.first_set
        }),
        RemovedColumn::text("first_source", "The input with the other row.", |row| {
            row.first.as_ref().map(|first| first.source)
        }),
        RemovedColumn::uint64(
            "first_row",
            "The number of the other record in its source, from 0.",
            |row| row.first.as_ref().map(|first| first.row),
        ),
    ]
}

/// The descriptions of the columns that the table of removed rows has before the columns of the row itself.
pub fn removed_columns() -> Vec<DescribedColumn> {
    described(&columns())
}

/// The reason why a row is removed, and the position of the row that is kept instead.
pub(super) struct RemovedRow {
    pub(super) reason: RemovalReason,
    pub(super) message: String,
    pub(super) equal_by: Option<ClassBy>,
    pub(super) first_place: Option<RowPlace>,
}

/// Finds the dataset and the input that a row belongs to, from the row's position.
#[derive(Clone, Copy)]
pub(super) struct RowSets<'a> {
    pub(super) sets: &'a [AuditSet],
    pub(super) sources: &'a [String],
    pub(super) set_of_input: &'a [usize],
}

impl<'a> RowSets<'a> {
    fn set_name(self, set: usize) -> &'a str {
        self.sets.get(set).map_or("", |set| set.name.as_str())
    }

    /// The name of the dataset that a row belongs to.
    fn row_set_name(self, place: RowPlace) -> &'a str {
        let set = self.set_of_input.get(place.input_index());
        set.map_or("", |set| self.set_name(*set))
    }
}

/// Writes the table of removed rows.
pub(super) struct RemovedTable {
    writer: TableWriter,
    schema: SchemaRef,
}

impl RemovedTable {
    pub(super) fn start(
        folder: &FilesFolder,
        name: &str,
        table: &Table,
        rows: &SchemaRef,
        metadata: &TableMetadata,
    ) -> Result<RemovedTable, Error> {
        let schema = schema_with_places(&schema_of(&columns()), rows);
        let kind = TableKind::from_table(table, &schema, metadata)?;
        let mut writer = folder.start_table(name, &kind)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(RemovedTable { writer, schema })
    }

    pub(super) fn into_writer(self) -> TableWriter {
        self.writer
    }

    /// Adds the removed rows of a batch. For each row, `removed` has its index, its dataset, and the reason.
    /// `row_columns` are the indices of the columns of the rows to write.
    pub(super) fn write(
        &mut self,
        sets: RowSets<'_>,
        rows: &RecordBatch,
        row_columns: &[usize],
        places: &[RowPlace],
        removed: &[(usize, usize, RemovedRow)],
    ) -> Result<(), Error> {
        if removed.is_empty() {
            return Ok(());
        }
        let row_indices = removed.iter().map(|(at, ..)| *at as u32);
        let row_indices = UInt32Array::from_iter_values(row_indices);
        let entries = removed.iter().map(|(at, set, removed)| RemovedEntry {
            set: sets.set_name(*set),
            place: places[*at].named(sets.sources),
            removed,
            first_set: removed.first_place.map(|place| sets.row_set_name(place)),
            first: removed.first_place.map(|place| place.named(sets.sources)),
        });
        let entries: Vec<RemovedEntry<'_>> = entries.collect();
        let mut arrays = arrays_of(&columns(), Rows::of_inputs(&entries))?;
        for at in row_columns {
            arrays.push(take(rows.column(*at), &row_indices, None)?);
        }
        self.writer
            .write(RecordBatch::try_new(self.schema.clone(), arrays)?)
    }
}
