//! How an output stores the columns of a layout.

use std::fmt::Debug;
use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, FieldRef, Schema};
use arrow::error::ArrowError;

use super::{ColumnSource, Layout, LayoutError};
use crate::table::columns::OutputColumn;
use crate::table::outcome::Outcome;

/// Converts the values of a carried column to the type in which an output stores them.
pub(crate) trait StoreColumn: Debug + Send + Sync {
    /// The type in which the output stores the column.
    fn data_type(&self) -> &DataType;

    /// A message if the output drops the column's extension type, or writes out its dictionary; otherwise `None`.
    fn flattened(&self) -> Option<&str>;

    /// Converts values of the column.
    fn store(&self, values: &ArrayRef) -> Result<ArrayRef, NotStored>;
}

/// The reason why values of a column cannot be stored.
pub(crate) enum NotStored {
    /// The output format has no form for a value.
    Value {
        /// The index of the value; `None` if it is not known.
        index: Option<usize>,
        /// The reason, in words.
        what: String,
    },
    /// Arrow rejected the values.
    Arrow(ArrowError),
}

impl From<ArrowError> for NotStored {
    fn from(error: ArrowError) -> NotStored {
        NotStored::Arrow(error)
    }
}

impl NotStored {
    /// The error for values of the column `column` of these rows.
    pub(super) fn in_rows(self, column: &str, source: &str, rows: &[Outcome]) -> LayoutError {
        match self {
            NotStored::Value { index, what } => LayoutError::ValueNotStored {
                source_name: source.to_owned(),
                column: column.to_owned(),
                row: index.and_then(|at| rows.get(at)).map(|row| row.row),
                what,
            },
            NotStored::Arrow(error) => error.into(),
        }
    }
}

impl Layout {
    /// Sets how an output stores the written columns. `store` gets the field of each column, and the column itself if
    /// it is one of this program's; it returns how the column is converted, and `None` for a column that is stored
    /// unchanged.
    pub(crate) fn with_storage<E>(
        self,
        store: impl Fn(&FieldRef, Option<&OutputColumn>) -> Result<Option<Arc<dyn StoreColumn>>, E>,
    ) -> Result<Layout, E> {
        let mut storage = Vec::with_capacity(self.written_columns.len());
        let mut fields = Vec::with_capacity(self.written_columns.len());
        for (at, field) in self.written_columns.iter().zip(self.schema.fields()) {
            let own = match self.column_sources[*at] {
                ColumnSource::BuiltIn(column) => Some(column),
                ColumnSource::Carried(_) => None,
            };
            let stored = store(field, own)?;
            fields.push(match &stored {
                Some(stored) => {
                    let data_type = stored.data_type().clone();
                    Arc::new(Field::clone(field).with_data_type(data_type))
                }
                None => Arc::clone(field),
            });
            storage.push(stored);
        }
        Ok(Layout {
            column_storage: storage,
            schema: Arc::new(Schema::new(fields)),
            ..self
        })
    }

    /// For each carried column whose extension type or dictionary the output does not keep, a message that says so.
    pub fn flattened(&self) -> impl Iterator<Item = &str> {
        let stored = self.column_storage.iter().flatten();
        stored.filter_map(|stored| stored.flattened())
    }
}
