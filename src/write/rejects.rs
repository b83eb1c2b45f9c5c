//! The rejects table.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::{Metadata, Table, TableWriter, Target};
use crate::error::Error;
use crate::store::{self, Location};
use crate::table::reject::Reject;

/// A column of the rejects table.
pub struct RejectColumn {
    /// Its name.
    pub name: &'static str,
    /// Its Arrow type.
    pub data_type: DataType,
    /// Whether it can be null.
    pub nullable: bool,
    /// What it says.
    pub doc: &'static str,
    fill: fn(&str, &[Reject]) -> ArrayRef,
}

/// The columns of the rejects table, in order.
pub static REJECT_COLUMNS: &[RejectColumn] = &[
    RejectColumn {
        name: "source",
        data_type: DataType::Utf8,
        nullable: false,
        doc: "The input that the record came from, as it was named.",
        fill: |source, rejects| {
            Arc::new(StringArray::from_iter_values(
                rejects.iter().map(|_| source),
            ))
        },
    },
    RejectColumn {
        name: "row",
        data_type: DataType::UInt64,
        nullable: false,
        doc: "The record's number in its source, from 0.",
        fill: |_, rejects| {
            Arc::new(UInt64Array::from_iter_values(
                rejects.iter().map(|reject| reject.row),
            ))
        },
    },
    RejectColumn {
        name: "line",
        data_type: DataType::UInt64,
        nullable: true,
        doc: "The line on which the record starts, from 1; null in binary formats.",
        fill: |_, rejects| {
            Arc::new(
                rejects
                    .iter()
                    .map(|reject| reject.line)
                    .collect::<UInt64Array>(),
            )
        },
    },
    RejectColumn {
        name: "byte_offset",
        data_type: DataType::UInt64,
        nullable: true,
        doc: "Where the record starts in the decompressed source, from 0; null in binary formats.",
        fill: |_, rejects| {
            Arc::new(
                rejects
                    .iter()
                    .map(|reject| reject.byte_offset)
                    .collect::<UInt64Array>(),
            )
        },
    },
    RejectColumn {
        name: "error",
        data_type: DataType::Utf8,
        nullable: false,
        doc: "Why it was rejected: a stable id.",
        fill: |_, rejects| {
            Arc::new(StringArray::from_iter_values(
                rejects.iter().map(|reject| reject.reason.kind.id()),
            ))
        },
    },
    RejectColumn {
        name: "message",
        data_type: DataType::Utf8,
        nullable: false,
        doc: "Why, in words.",
        fill: |_, rejects| {
            Arc::new(StringArray::from_iter_values(
                rejects.iter().map(|reject| &reject.reason.message),
            ))
        },
    },
    RejectColumn {
        name: "raw",
        data_type: DataType::Utf8,
        nullable: false,
        doc: "The record's text; bytes that are not UTF-8 stand as `\\xNN`.",
        fill: |_, rejects| {
            Arc::new(StringArray::from_iter_values(
                rejects.iter().map(|reject| &reject.raw),
            ))
        },
    },
];

/// Rejects are few; where they are not, they must not need as much memory as the table itself.
const GROUP_BYTES: usize = 4 << 20;

/// The table's schema.
pub fn schema() -> SchemaRef {
    let fields = REJECT_COLUMNS
        .iter()
        .map(|column| Field::new(column.name, column.data_type.clone(), column.nullable));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Writes the rejects of a run.
pub struct RejectsWriter {
    table: Table,
    metadata: Metadata,
    /// A table that was asked for is there even when it is empty.
    writer: Option<TableWriter>,
}

impl RejectsWriter {
    /// Writes into this table; where `always`, even if there is nothing to write.
    pub fn new(table: Table, metadata: Metadata, always: bool) -> Result<RejectsWriter, Error> {
        if let Some(path) = &table.path {
            super::target::refuse_existing(path, table.options)?;
        }
        let mut rejects = RejectsWriter {
            table,
            metadata,
            writer: None,
        };
        if always {
            rejects.writer()?;
        }
        Ok(rejects)
    }

    fn writer(&mut self) -> Result<&mut TableWriter, Error> {
        if self.writer.is_none() {
            let mut writer = self.table.start(&schema(), &self.metadata)?;
            writer.shrink_groups(GROUP_BYTES);
            self.writer = Some(writer);
        }
        self.writer
            .as_mut()
            .ok_or_else(|| Error::Internal("no rejects table".into()))
    }

    /// Adds rejects, in input order.
    pub fn write(&mut self, source: &str, rejects: &[Reject]) -> Result<(), Error> {
        if rejects.is_empty() {
            return Ok(());
        }
        let columns = REJECT_COLUMNS
            .iter()
            .map(|column| (column.fill)(source, rejects));
        let batch = RecordBatch::try_new(schema(), columns.collect())?;
        self.writer()?.write(batch)
    }

    /// Ends the table. Where there was nothing to write, the table of an earlier run that may be
    /// overwritten goes away when this one is committed.
    pub(crate) fn finish(self) -> Result<FinishedRejects, Error> {
        Ok(match self.writer {
            Some(writer) => FinishedRejects::Table(writer.finish()?),
            None => FinishedRejects::Nothing(self.table),
        })
    }
}

impl RejectsWriter {
    /// Keeps the rejects of a run that failed. Where they are; `None` where that failed too.
    pub(crate) fn keep(self) -> Option<PathBuf> {
        let path = self.table.path.clone()?;
        match self.finish() {
            Ok(FinishedRejects::Table(target)) => target.commit().ok().map(|()| path),
            Ok(FinishedRejects::Nothing(_)) | Err(_) => None,
        }
    }
}

/// A rejects table that is complete and not there yet.
pub(crate) enum FinishedRejects {
    Table(Target),
    Nothing(Table),
}

impl FinishedRejects {
    pub(crate) fn commit(self) -> Result<(), Error> {
        match self {
            FinishedRejects::Table(target) => target.commit(),
            FinishedRejects::Nothing(table) => {
                if let Some(path) = table.path.filter(|_| table.options.overwrite) {
                    // An earlier run's rejects must not be taken for this one's.
                    store::delete(&Location::of(&path)?)?;
                }
                Ok(())
            }
        }
    }
}
