//! Writes tables as CSV and TSV.

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use arrow::csv::WriterBuilder;
use arrow::datatypes::{DataType, FieldRef, SchemaRef};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};

use crate::error::Error;
use crate::read::text::header::DELIMITERS;
use crate::table::layout::Holds;
use crate::write::RowGroup;
use crate::write::formats::format::{FormatWriter, TableStart, WriteFormat, null_row};
use crate::write::formats::text::{self, WriteText};

pub(crate) static CSV_FORMAT: WriteFormat = WriteFormat {
    id: "csv",
    endings: &["csv"],
    doc: "Comma-separated text with a header line; binary values in hex",
    holds: Holds::Table,
    folder: None,
    is_text: true,
    has_types: false,
    has_logical_types: false,
    store: stored_type,
    start: |start| start_delimited(start, b','),
};

pub(crate) static TSV_FORMAT: WriteFormat = WriteFormat {
    id: "tsv",
    endings: &["tsv", "tab"],
    doc: "Tab-separated text with a header line, quoted like CSV; binary values in hex",
    holds: Holds::Table,
    folder: None,
    is_text: true,
    has_types: false,
    has_logical_types: false,
    store: stored_type,
    start: |start| start_delimited(start, b'\t'),
};

struct DelimitedWriter {
    schema: SchemaRef,
    delimiter: u8,
}

/// The Arrow type in which a column is stored. Fails for a list or struct, which CSV cannot hold.
fn stored_type(field: &FieldRef) -> Result<DataType, String> {
    if field.data_type().is_nested() {
        return Err("it is nested, which Parquet, Arrow and NDJSON can be".to_owned());
    }
    let writer = |batch: &RecordBatch| WriterBuilder::new().build(Vec::new()).write(batch);
    let written_row = null_row(field, field.data_type()).and_then(|batch| writer(&batch));
    match written_row {
        Ok(()) => Ok(field.data_type().clone()),
        Err(error) => Err(error.to_string()),
    }
}

fn start_delimited(start: TableStart<'_>, delimiter: u8) -> Result<FormatWriter, Error> {
    let format = DelimitedWriter {
        schema: start.schema.clone(),
        delimiter,
    };
    text::start_text(format, start)
}

impl WriteText for DelimitedWriter {
    fn header_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut text = Vec::new();
        for (at, field) in self.schema.fields().iter().enumerate() {
            if at > 0 {
                text.push(self.delimiter);
            }
            if needs_quotes_in_header(field.name(), at == 0) {
                write_quoted(field.name(), &mut text);
            } else {
                self.write_field(field.name(), &mut text);
            }
        }
        text.push(b'\n');
        Ok(text)
    }

    fn write_rows(&self, group: &RowGroup, text: &mut Vec<u8>) -> Result<(), Error> {
        let mut batches = group.batches.iter();
        batches.try_for_each(|batch| self.write_batch(batch, text))
    }
}

impl DelimitedWriter {
    /// Appends rows. A null is an empty field and an empty text is `""`, so that readers can distinguish
    /// them.
    fn write_batch(&self, batch: &RecordBatch, text: &mut Vec<u8>) -> Result<(), Error> {
        let options = FormatOptions::default();
        let columns = batch
            .columns()
            .iter()
            .map(|column| match column.data_type() {
                DataType::Utf8 => Ok(ColumnValues::Text(column.as_string())),
                _ => Ok(ColumnValues::Other(
                    column,
                    ArrayFormatter::try_new(column, &options)?,
                )),
            });
        let columns: Vec<ColumnValues<'_>> = columns.collect::<Result<_, ArrowError>>()?;
        let mut formatted = String::new();
        for row in 0..batch.num_rows() {
            for (at, column) in columns.iter().enumerate() {
                if at > 0 {
                    text.push(self.delimiter);
                }
                match column {
                    ColumnValues::Text(values) if values.is_valid(row) => {
                        self.write_field(values.value(row), text);
                    }
                    ColumnValues::Other(values, formatter) if values.is_valid(row) => {
                        formatted.clear();
                        let write_result = formatter.value(row).write(&mut formatted);
                        write_result.map_err(|error| ArrowError::CsvError(error.to_string()))?;
                        self.write_field(&formatted, text);
                    }
                    // If there is only one column, a null is `""` as well, because readers skip empty lines.
                    _ if columns.len() == 1 => text.extend_from_slice(b"\"\""),
                    _ => {}
                }
            }
            text.push(b'\n');
        }
        Ok(())
    }

    /// Appends the text of a field, in quotes if necessary.
    fn write_field(&self, field: &str, text: &mut Vec<u8>) {
        let is_special =
            |byte: &u8| *byte == self.delimiter || matches!(byte, b'"' | b'\r' | b'\n');
        if !field.is_empty() && !field.as_bytes().iter().any(is_special) {
            text.extend_from_slice(field.as_bytes());
            return;
        }
        write_quoted(field, text);
    }
}

/// Appends the text of a field in quotes.
fn write_quoted(field: &str, text: &mut Vec<u8>) {
    text.push(b'"');
    text.extend_from_slice(field.replace('"', "\"\"").as_bytes());
    text.push(b'"');
}

/// Starts of files of other formats that a column name can have, too.
const STARTS_OF_OTHER_FORMATS: [&str; 7] =
    ["PAR1", "PARE", "ARROW1", "FEA1", "GIF8", "BZh", "RIFF"];

/// Whether a column name is quoted even if neither the delimiter nor a quote requires it. Readers look for the delimiter
/// in the header, and for the format in its first characters: a line that starts with `#` is a comment for them.
fn needs_quotes_in_header(name: &str, is_first: bool) -> bool {
    let can_start_format = || {
        let first = name.chars().next();
        !first.is_some_and(|first| first.is_alphanumeric() || first == '_')
            || STARTS_OF_OTHER_FORMATS
                .iter()
                .any(|start| name.starts_with(start))
    };
    let is_special = |byte: u8| DELIMITERS.contains(&byte) || byte.is_ascii_control();
    name.bytes().any(is_special) || (is_first && can_start_format())
}

/// The values of a column. Values that are not text have a formatter.
enum ColumnValues<'a> {
    Text(&'a StringArray),
    Other(&'a ArrayRef, ArrayFormatter<'a>),
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Float64Array, LargeStringArray};
    use arrow::datatypes::{Field, Schema};
    use sudoku_core::random::Rng;

    use super::*;

    fn random_texts(rng: &mut Rng, rows: usize, least: usize) -> Vec<Option<String>> {
        let mut text = || {
            let length = least + rng.below(4);
            let bytes = (0..length).map(|_| b"ab,\t\"\r\n'# "[rng.below(10)]);
            String::from_utf8(bytes.collect()).unwrap()
        };
        let random_texts: Vec<_> = (0..rows).map(|_| text()).collect();
        random_texts
            .into_iter()
            .map(|text| (rng.below(5) > 0).then_some(text))
            .collect()
    }

    fn written_bytes(batch: &RecordBatch, delimiter: u8) -> Vec<u8> {
        let format = DelimitedWriter {
            schema: batch.schema(),
            delimiter,
        };
        let mut text = format.header_bytes().unwrap();
        format.write_batch(batch, &mut text).unwrap();
        text
    }

    /// Compares the fields with those of Arrow's CSV writer, which writes an empty text and a null in the same way.
    #[test]
    fn rows_without_empty_texts_are_written_as_arrow_writes_them() {
        let seed = 6;
        for case in 0..300 {
            let mut rng = Rng::for_item(seed, case);
            let rows = rng.below(9);
            let numbers = (0..rows).map(|row| (row % 3 > 0).then_some(row as f64 / 8.0));
            let columns: [ArrayRef; 3] = [
                Arc::new(StringArray::from(random_texts(&mut rng, rows, 1))),
                Arc::new(numbers.collect::<Float64Array>()),
                Arc::new(LargeStringArray::from(random_texts(&mut rng, rows, 1))),
            ];
            let names = ["a", "b c", "d\"e"];
            let batch = RecordBatch::try_from_iter(names.into_iter().zip(columns)).unwrap();
            for delimiter in *b",\t" {
                let mut theirs = Vec::new();
                let writer = WriterBuilder::new().with_delimiter(delimiter);
                writer.build(&mut theirs).write(&batch).unwrap();
                let (ours, theirs) = (written_bytes(&batch, delimiter), theirs);
                assert_eq!(
                    String::from_utf8_lossy(&ours),
                    String::from_utf8_lossy(&theirs),
                    "seed {seed}, case {case}"
                );
            }
        }
    }

    #[test]
    fn names_that_readers_could_take_for_something_else_are_quoted() {
        let header = |names: &[&str], delimiter| {
            let fields = names
                .iter()
                .map(|name| Field::new(*name, DataType::Utf8, true));
            let format = DelimitedWriter {
                schema: Arc::new(Schema::new(fields.collect::<Vec<_>>())),
                delimiter,
            };
            String::from_utf8(format.header_bytes().unwrap()).unwrap()
        };
        assert_eq!(header(&["id", "#n", "_x y"], b','), "id,#n,_x y\n");
        assert_eq!(header(&["Größe", "a\"b"], b','), "Größe,\"a\"\"b\"\n");
        assert_eq!(
            header(&["#id", "a;b", "a,b"], b'\t'),
            "\"#id\"\t\"a;b\"\t\"a,b\"\n"
        );
        assert_eq!(header(&["PAR1", "PAR1"], b','), "\"PAR1\",PAR1\n");
        assert_eq!(header(&[""], b','), "\"\"\n");
    }

    #[test]
    fn null_and_an_empty_text_are_distinguished() {
        let values = StringArray::from(vec![Some(""), None, Some("x")]);
        let batch = RecordBatch::try_from_iter([
            ("a", Arc::new(values.clone()) as ArrayRef),
            ("b", Arc::new(values) as ArrayRef),
        ])
        .unwrap();
        assert_eq!(written_bytes(&batch, b','), b"a,b\n\"\",\"\"\n,\nx,x\n");
    }
}
