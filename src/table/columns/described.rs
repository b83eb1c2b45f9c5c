//! Columns of the tables whose rows are not puzzles, such as solver runs, pairs of rows, and duplicates.

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

/// A column of a table, with its name, type and documentation.
pub struct DescribedColumn {
    /// The name of the column in the table.
    pub name: String,
    /// The Arrow type of the values.
    pub data_type: DataType,
    /// Whether a value can be null.
    pub nullable: bool,
    /// The documentation of the column in Markdown, for `pipeline schema` and the manual.
    pub doc: String,
}

impl DescribedColumn {
    /// A column without nulls.
    pub(crate) fn required_column(
        name: &str,
        data_type: DataType,
        doc: impl Into<String>,
    ) -> DescribedColumn {
        DescribedColumn {
            name: name.to_owned(),
            data_type,
            nullable: false,
            doc: doc.into(),
        }
    }

    /// A column that can be null.
    pub(crate) fn nullable_column(
        name: &str,
        data_type: DataType,
        doc: impl Into<String>,
    ) -> DescribedColumn {
        DescribedColumn {
            nullable: true,
            ..DescribedColumn::required_column(name, data_type, doc)
        }
    }

    /// The Arrow field of the column.
    pub(crate) fn field(&self) -> Field {
        Field::new(&self.name, self.data_type.clone(), self.nullable)
    }
}

/// The schema of a table with these columns.
pub(crate) fn schema(columns: &[DescribedColumn]) -> SchemaRef {
    let fields = columns.iter().map(DescribedColumn::field);
    Schema::new(fields.collect::<Vec<_>>()).into()
}
