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

/// The columns of the table of removed rows, and what its rows are made from.
pub(super) struct RemovedColumns {
    schema: SchemaRef,
    set_names: Vec<String>,
    sources: Vec<String>,
    set_of_input: Vec<usize>,
}

impl RemovedColumns {
    /// The columns for removed rows with the columns `rows`. For each input, `set_of_input` has the index of its dataset.
    pub(super) fn new(
        rows: &SchemaRef,
        sets: &[AuditSet],
        sources: Vec<String>,
        set_of_input: Vec<usize>,
    ) -> RemovedColumns {
        RemovedColumns {
            schema: schema_with_places(&schema_of(&columns()), rows),
            set_names: sets.iter().map(|set| set.name.clone()).collect(),
            sources,
            set_of_input,
        }
    }

    /// Starts the table.
    pub(super) fn start_table(
        &self,
        folder: &FilesFolder,
        name: &str,
        table: &Table,
        metadata: &TableMetadata,
    ) -> Result<TableWriter, Error> {
        let kind = TableKind::from_table(table, &self.schema, metadata)?;
        let mut writer = folder.start_table(name, &kind)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(writer)
    }

    /// The index of the dataset of an input.
    pub(super) fn set_of(&self, input: usize) -> usize {
        self.set_of_input.get(input).copied().unwrap_or(0)
    }

    fn set_name(&self, set: usize) -> &str {
        self.set_names.get(set).map_or("", String::as_str)
    }

    /// The rows of the table for some rows of a batch of a dataset: each with its index in the batch, and the reason.
    /// `row_columns` are the indices of the columns of the batch to write.
    pub(super) fn rows(
        &self,
        set: usize,
        rows: &RecordBatch,
        row_columns: &[usize],
        places: &[RowPlace],
        removed: &[(usize, RemovedRow)],
    ) -> Result<RecordBatch, Error> {
        let row_indices = removed.iter().map(|(at, _)| *at as u32);
        let row_indices = UInt32Array::from_iter_values(row_indices);
        let entries = removed.iter().map(|(at, removed)| RemovedEntry {
            set: self.set_name(set),
            place: places[*at].named(&self.sources),
            removed,
            first_set: (removed.first_place)
                .map(|place| self.set_name(self.set_of(place.input_index()))),
            first: removed.first_place.map(|place| place.named(&self.sources)),
        });
        let entries: Vec<RemovedEntry<'_>> = entries.collect();
        let mut arrays = arrays_of(&columns(), Rows::of_inputs(&entries))?;
        for at in row_columns {
            arrays.push(take(rows.column(*at), &row_indices, None)?);
        }
        Ok(RecordBatch::try_new(self.schema.clone(), arrays)?)
    }
}
