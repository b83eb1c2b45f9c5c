//! Tables that commands have written to Arrow files, which can be read any number of times.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::PathBuf;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::ipc::reader::FileReader;
use arrow::ipc::writer::FileWriter;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::cells::{Cells, DigitRows};
use crate::errors::{bug, data, from_exit_code, producer_failed, usage};
use crate::exchange::capsule::stream_capsule;
use crate::exchange::collected::Collected;
use crate::exchange::schema::{Schema, schema_capsule};
use crate::{input, preview};
use sudoku_pipeline::error::Error;
use sudoku_pipeline::write::{OutputSet, TableMetadata};

/// The index of the column with this name.
pub(crate) fn column_index(py: Python<'_>, schema: &SchemaRef, column: &str) -> PyResult<usize> {
    schema.index_of(column).map_err(|_| {
        let names: Vec<_> = schema
            .fields()
            .iter()
            .map(|field| field.name().as_str())
            .collect();
        let message = format!(
            "there is no column {column}; the columns are {}",
            names.join(", ")
        );
        usage(py, &message)
    })
}

/// A column of grids as an array of digits, with one row per grid.
pub(crate) fn digits(
    py: Python<'_>,
    schema: &SchemaRef,
    column: &str,
    mut next: impl FnMut() -> PyResult<Option<RecordBatch>>,
) -> PyResult<Cells> {
    let column_index = column_index(py, schema, column)?;
    let mut digits = DigitRows::new(column);
    while let Some(batch) = next()? {
        let result = py.detach(|| digits.add(batch.column(column_index)));
        result.map_err(|message| data(py, &message))?;
    }
    Ok(digits.into_cells())
}

/// Writes the rows to a file, which appears when it is complete. Returns the number of rows.
pub(crate) fn write(
    py: Python<'_>,
    schema: &SchemaRef,
    (path, format, overwrite): (PathBuf, Option<&str>, bool),
    mut next: impl FnMut() -> PyResult<Option<RecordBatch>>,
) -> PyResult<u64> {
    let table = sudoku_pipeline::cli::output_table(path, format, overwrite);
    let table = table.map_err(|(message, exit_code)| from_exit_code(py, &message, exit_code))?;
    let to_exception = |error: Error| crate::errors::exception(py, &error);
    let mut metadata = TableMetadata::default();
    metadata.add("version", Some(sudoku_pipeline::VERSION));
    let writer = py.detach(|| table.start(schema, &metadata));
    let mut writer = writer.map_err(to_exception)?;
    let mut rows = 0;
    while let Some(batch) = next()? {
        rows += batch.num_rows() as u64;
        py.detach(|| writer.write(batch)).map_err(to_exception)?;
    }
    let commit_result = py.detach(|| {
        let mut set = OutputSet::default();
        set.add_marker(writer.finish()?)?;
        set.publish()
    });
    commit_result.map_err(to_exception)?;
    Ok(rows)
}

/// A table in an Arrow file.
#[pyclass(frozen, module = "sudoku_pipeline._native")]
pub(crate) struct Table {
    path: PathBuf,
    schema: SchemaRef,
}

impl Table {
    /// Opens the file. With an empty projection, only the numbers of rows are read.
    fn open(
        &self,
        projection: Option<Vec<usize>>,
    ) -> Result<FileReader<BufReader<File>>, ArrowError> {
        FileReader::try_new(BufReader::new(File::open(&self.path)?), projection)
    }

    fn reader(&self, py: Python<'_>) -> PyResult<FileReader<BufReader<File>>> {
        self.open(None).map_err(|error| bug(py, &error))
    }
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
        let file = File::open(&path)?;
        let reader = FileReader::try_new(BufReader::new(file), None);
        let schema = reader.map_err(|error| bug(py, &error))?.schema();
        Ok(Table { path, schema })
    }

    #[getter]
    fn schema(&self) -> Schema {
        Schema(self.schema.clone())
    }

    #[getter]
    fn num_rows(&self, py: Python<'_>) -> PyResult<usize> {
        let rows = py.detach(|| {
            let batches = self.open(Some(Vec::new()))?;
            batches
                .map(|batch| Ok(batch?.num_rows()))
                .sum::<Result<usize, ArrowError>>()
        });
        rows.map_err(|error| bug(py, &error))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        stream_capsule(py, Box::new(self.reader(py)?))
    }

    /// The first rows as lists of texts, with None for nulls.
    fn _preview(&self, py: Python<'_>, most: usize) -> PyResult<Vec<Vec<Option<String>>>> {
        let shown = py.detach(|| match self.open(None)?.next() {
            None => Ok(Vec::new()),
            Some(batch) => preview::texts(&batch?, most),
        });
        shown.map_err(|error| bug(py, &error))
    }

    /// All rows in memory.
    fn _collect(&self, py: Python<'_>) -> PyResult<Collected> {
        let batches = py.detach(|| self.open(None)?.collect::<Result<Vec<_>, ArrowError>>());
        Ok(Collected {
            schema: self.schema.clone(),
            batches: batches.map_err(|error| bug(py, &error))?,
        })
    }

    #[pyo3(signature = (path, format=None, overwrite=false))]
    fn _write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        overwrite: bool,
    ) -> PyResult<u64> {
        let mut batches = self.reader(py)?;
        write(py, &self.schema, (path, format, overwrite), || {
            let batch = batches.next().transpose();
            batch.map_err(|error| bug(py, &error))
        })
    }
}

/// Writes data to an Arrow file, as the input of a command. Returns the number of rows.
#[pyfunction]
pub(crate) fn spool(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    blank: i64,
    path: PathBuf,
) -> PyResult<u64> {
    let (schema, batches) = input::batches(data, blank)?;
    let file = BufWriter::new(File::create(path)?);
    let writer = FileWriter::try_new(file, &schema);
    let mut writer = writer.map_err(|error| bug(py, &error))?;
    let mut batches = std::sync::Mutex::new(batches);
    let mut rows = 0;
    loop {
        let batch = py.detach(|| {
            let batches = batches
                .get_mut()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            batches.next()
        });
        py.check_signals()?;
        let Some(batch) = batch else { break };
        let batch = batch.map_err(|error| producer_failed(py, error))?;
        rows += batch.num_rows() as u64;
        let result = py.detach(|| writer.write(&batch));
        result.map_err(|error| bug(py, &error))?;
    }
    writer.finish().map_err(|error| bug(py, &error))?;
    Ok(rows)
}
