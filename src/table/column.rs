//! A column of a table: its name, its type, its documentation, and how a value is read from a row.
//!
//! The columns of a table are a list of [`Column`]s. Its schema, its rows and its description for `pipeline schema` are
//! made from this list, so a new column is one new entry.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryBuilder, BooleanArray, Float64Array, RecordBatch, StringArray, UInt8Array,
    UInt16Array, UInt32Array, UInt64Array,
};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;

/// The rows of a batch, from which columns compute their values.
pub struct Rows<'a, Row> {
    /// The name of the input that the rows came from; empty if they came from several, which the rows then name.
    pub source: &'a str,
    /// The rows.
    pub items: &'a [Row],
}

impl<'a, Row> Rows<'a, Row> {
    /// The rows of one input.
    pub fn of_input(source: &'a str, items: &'a [Row]) -> Rows<'a, Row> {
        Rows { source, items }
    }

    /// Rows that name their inputs themselves, if the table says from which input a row came.
    pub fn of_inputs(items: &'a [Row]) -> Rows<'a, Row> {
        Rows { source: "", items }
    }
}

// The derived implementations would require that `Row` can be copied.
impl<Row> Clone for Rows<'_, Row> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Row> Copy for Rows<'_, Row> {}

/// A column of a table with a row for each `Row`. A table that leaves out columns chooses them by their `Group`.
pub struct Column<Row, Group = ()> {
    /// The name of the column in the table.
    pub name: String,
    /// The Arrow type of the values.
    pub data_type: DataType,
    /// Whether a value can be null.
    pub nullable: bool,
    /// The documentation of the column in Markdown, for `pipeline schema` and the manual.
    pub doc: String,
    /// All possible values of a column with ids; empty for other columns.
    pub values: Vec<&'static str>,
    /// The commands and options that write the column.
    pub group: Group,
    fill: Box<FillColumn<Row>>,
}

type FillColumn<Row> = dyn Fn(Rows<'_, Row>) -> Result<ArrayRef, ArrowError> + Send + Sync;

/// A column of any table: its name, type and documentation, without the code that fills it.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl<Row, Group> Column<Row, Group> {
    /// Computes the values of the column for these rows.
    ///
    /// # Errors
    ///
    /// A text is not UTF-8, so Arrow rejects the values.
    pub fn fill(&self, rows: Rows<'_, Row>) -> Result<ArrayRef, ArrowError> {
        (self.fill)(rows)
    }

    /// The name, the type and the documentation of the column, without the code that fills it.
    pub fn described(&self) -> DescribedColumn {
        DescribedColumn {
            name: self.name.clone(),
            data_type: self.data_type.clone(),
            nullable: self.nullable,
            doc: self.doc.clone(),
        }
    }

    /// The Arrow field of the column.
    pub fn field(&self) -> Field {
        Field::new(&self.name, self.data_type.clone(), self.nullable)
    }

    /// The same column, none of whose values is null.
    pub(crate) fn without_nulls(self) -> Self {
        Column {
            nullable: false,
            ..self
        }
    }

    /// The same column with a list of all values that it can have.
    pub(crate) fn with_values(self, values: impl IntoIterator<Item = &'static str>) -> Self {
        Column {
            values: values.into_iter().collect(),
            ..self
        }
    }
}

/// Defines a constructor of numeric columns. The new column computes its values with a function of the row.
macro_rules! number_column {
    ($function:ident, $array:ident, $native:ty, $data_type:ident) => {
        #[doc = concat!("A column of the type ", stringify!($data_type), ". `None` becomes null.")]
        pub(crate) fn $function(
            name: impl Into<String>,
            doc: impl Into<String>,
            value: impl Fn(&Row) -> Option<$native> + Send + Sync + 'static,
        ) -> Column<Row> {
            Column::new(name, DataType::$data_type, doc, move |rows| {
                Ok(Arc::new(rows.items.iter().map(&value).collect::<$array>()))
            })
        }
    };
}

impl<Row> Column<Row> {
    /// A column whose values are computed for all rows of a batch together. They can be null.
    pub(crate) fn new(
        name: impl Into<String>,
        data_type: DataType,
        doc: impl Into<String>,
        fill: impl Fn(Rows<'_, Row>) -> Result<ArrayRef, ArrowError> + Send + Sync + 'static,
    ) -> Column<Row> {
        Column {
            name: name.into(),
            data_type,
            nullable: true,
            doc: doc.into(),
            values: Vec::new(),
            group: (),
            fill: Box::new(fill),
        }
    }

    /// The column `source`, with the input that the rows of a batch came from.
    pub(crate) fn source(doc: impl Into<String>) -> Column<Row> {
        Column::new("source", DataType::Utf8, doc, |rows| {
            let count = rows.items.len();
            let mut builder = BinaryBuilder::with_capacity(count, rows.source.len() * count);
            for _ in rows.items {
                builder.append_value(rows.source);
            }
            text_array(builder)
        })
    }

    /// A column of texts that the rows have. `None` becomes null.
    pub(crate) fn text<Text: AsRef<[u8]> + ?Sized>(
        name: impl Into<String>,
        doc: impl Into<String>,
        value: impl for<'a> Fn(&'a Row) -> Option<&'a Text> + Send + Sync + 'static,
    ) -> Column<Row> {
        Column::new(name, DataType::Utf8, doc, move |rows| {
            let lengths = rows.items.iter().filter_map(&value);
            let bytes = lengths.map(|text| text.as_ref().len()).sum();
            let mut builder = BinaryBuilder::with_capacity(rows.items.len(), bytes);
            for row in rows.items {
                builder.append_option(value(row));
            }
            text_array(builder)
        })
    }

    /// A column of texts that are made from the rows. `None` becomes null.
    pub(crate) fn owned_text(
        name: impl Into<String>,
        doc: impl Into<String>,
        value: impl Fn(&Row) -> Option<String> + Send + Sync + 'static,
    ) -> Column<Row> {
        Column::new(name, DataType::Utf8, doc, move |rows| {
            let values = rows.items.iter().map(&value);
            Ok(Arc::new(values.collect::<StringArray>()))
        })
    }

    number_column!(boolean, BooleanArray, bool, Boolean);
    number_column!(uint8, UInt8Array, u8, UInt8);
    number_column!(uint16, UInt16Array, u16, UInt16);
    number_column!(uint32, UInt32Array, u32, UInt32);
    number_column!(uint64, UInt64Array, u64, UInt64);
    number_column!(float64, Float64Array, f64, Float64);

    /// The same column in a group, by which a table chooses its columns.
    pub(crate) fn in_group<Group>(self, group: Group) -> Column<Row, Group> {
        Column {
            name: self.name,
            data_type: self.data_type,
            nullable: self.nullable,
            doc: self.doc,
            values: self.values,
            group,
            fill: self.fill,
        }
    }
}

/// Converts bytes to texts. They are checked for UTF-8 all at once, which is faster than one by one.
pub(crate) fn text_array(mut builder: BinaryBuilder) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(StringArray::try_from_binary(builder.finish())?))
}

/// The schema of a table with these columns.
pub(crate) fn schema_of<Row, Group>(columns: &[Column<Row, Group>]) -> SchemaRef {
    let fields = columns.iter().map(Column::field);
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// The values of these columns for rows, in the order of the columns.
pub(crate) fn arrays_of<Row, Group>(
    columns: &[Column<Row, Group>],
    rows: Rows<'_, Row>,
) -> Result<Vec<ArrayRef>, ArrowError> {
    columns.iter().map(|column| column.fill(rows)).collect()
}

/// A batch of a table with these columns.
pub(crate) fn batch_of<Row, Group>(
    columns: &[Column<Row, Group>],
    rows: Rows<'_, Row>,
) -> Result<RecordBatch, ArrowError> {
    RecordBatch::try_new(schema_of(columns), arrays_of(columns, rows)?)
}

/// The descriptions of columns.
pub(crate) fn described<Row, Group>(columns: &[Column<Row, Group>]) -> Vec<DescribedColumn> {
    columns.iter().map(Column::described).collect()
}
