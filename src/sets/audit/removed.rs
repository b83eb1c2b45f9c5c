//! Writes the table of the rows that were removed from the cleaned datasets, with the reasons.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow::compute::take;
use arrow::datatypes::{DataType, SchemaRef};

use super::AuditSet;
use crate::counts::RemovalReason;
use crate::error::Error;
use crate::sets::row_places::{RowPlace, place_columns, schema_with_places};
use crate::table::class::ClassBy;
use crate::table::columns::described::{self, DescribedColumn};
use crate::write::{FilesFolder, Table, TableKind, TableMetadata, TableWriter};

/// The size limit of row groups in bytes. It is small because this table is in memory in addition to the tables of the
/// cleaned datasets.
const GROUP_BYTES: usize = 4 << 20;

/// The columns that the table of removed rows has before the columns of the row itself.
pub fn removed_columns() -> Vec<DescribedColumn> {
    use DataType::{UInt64, Utf8};
    let required = DescribedColumn::required_column;
    let nullable = DescribedColumn::nullable_column;
    vec![
        required("set", Utf8, "The set that the row was in."),
        required("source", Utf8, "The input that the row was in."),
        required("row", UInt64, "The record's number in its source, from 0."),
        required(
            "reason",
            Utf8,
            "Why it was removed, by the first test that it failed: `none` (no solution), `multiple`, `gave_up`, \
             `wrong_solution`, `duplicate` (within its set), `shared` (with a set that is preferred).",
        ),
        nullable(
            "message",
            Utf8,
            "The reason in words; null of duplicates and shared rows.",
        ),
        nullable(
            "by",
            Utf8,
            "For duplicates and shared rows, the closest class that both rows have: `exact`, `isomorph`, \
             `solution`, `grid`.",
        ),
        nullable("first_set", Utf8, "The set with the other row."),
        nullable("first_source", Utf8, "The input with the other row."),
        nullable(
            "first_row",
            UInt64,
            "The number of the other record in its source, from 0.",
        ),
    ]
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
        let schema = schema_with_places(&described::schema(&removed_columns()), rows);
        let kind = TableKind::from_table(table, &schema, metadata)?;
        let mut writer = folder.start_table(name, &kind)?;
        writer.shrink_groups(GROUP_BYTES);
        Ok(RemovedTable { writer, schema })
    }

    pub(super) fn into_writer(self) -> TableWriter {
        self.writer
    }

    /// Adds the removed rows of a batch. For each row, `removed` has its index, its dataset, and the reason. `columns`
    /// are the indices of the columns to write.
    pub(super) fn write(
        &mut self,
        sets: RowSets<'_>,
        rows: &RecordBatch,
        columns: &[usize],
        places: &[RowPlace],
        removed: &[(usize, usize, RemovedRow)],
    ) -> Result<(), Error> {
        if removed.is_empty() {
            return Ok(());
        }
        let row_indices = removed.iter().map(|(at, ..)| *at as u32);
        let row_indices = UInt32Array::from_iter_values(row_indices);
        let removed_places: Vec<RowPlace> = removed.iter().map(|(at, ..)| places[*at]).collect();
        let first_places = || removed.iter().map(|(.., row)| row.first_place);
        let text_column = |texts: StringArray| Arc::new(texts) as ArrayRef;
        let mut arrays = vec![text_column(StringArray::from_iter_values(
            removed.iter().map(|(_, set, _)| sets.set_name(*set)),
        ))];
        arrays.extend(place_columns(sets.sources, &removed_places));
        arrays.extend([
            text_column(StringArray::from_iter_values(
                removed.iter().map(|(.., row)| row.reason.id()),
            )),
            text_column(
                (removed.iter())
                    .map(|(.., row)| Some(row.message.as_str()).filter(|of| !of.is_empty()))
                    .collect(),
            ),
            text_column(
                (removed.iter())
                    .map(|(.., row)| row.equal_by.map(ClassBy::id))
                    .collect(),
            ),
            text_column(
                first_places()
                    .map(|first| first.map(|of| sets.row_set_name(of)))
                    .collect(),
            ),
            text_column(
                first_places()
                    .map(|first| {
                        let source = sets.sources.get(first?.input_index());
                        source.map(String::as_str)
                    })
                    .collect(),
            ),
            Arc::new(
                first_places()
                    .map(|first| first.map(RowPlace::row_number))
                    .collect::<UInt64Array>(),
            ),
        ]);
        for at in columns {
            arrays.push(take(rows.column(*at), &row_indices, None)?);
        }
        self.writer
            .write(RecordBatch::try_new(self.schema.clone(), arrays)?)
    }
}
