//! Arrays for NumPy and other libraries with the array interface. The package depends on none of these libraries.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// An array with memory of its own. `numpy.asarray(cells)` does not copy it.
#[pyclass(frozen, module = "sudoku_pipeline._native")]
pub(crate) struct Cells {
    bytes: Vec<u8>,
    shape: Vec<usize>,
    are_flags: bool,
}

impl Cells {
    /// An array of digits, with 0 for an empty cell.
    pub(crate) fn digits(bytes: Vec<u8>, shape: Vec<usize>) -> Cells {
        Cells {
            bytes,
            shape,
            are_flags: false,
        }
    }

    /// An array of booleans.
    pub(crate) fn flags(flags: Vec<bool>, shape: Vec<usize>) -> Cells {
        Cells {
            bytes: flags.into_iter().map(u8::from).collect(),
            shape,
            are_flags: true,
        }
    }
}

impl Cells {
    /// Converts the array to a NumPy array that shares its memory. Without NumPy, returns this object.
    pub(crate) fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let arrays = py.import("sudoku_pipeline._arrays")?;
        arrays.call_method1("array", (self,))
    }
}

#[pymethods]
impl Cells {
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let kind = if self.are_flags { "|b1" } else { "|u1" };
        interface(py, &self.bytes, &self.shape, kind, false)
    }

    /// The array as nested lists.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let element_value = |byte: u8| {
            if self.are_flags {
                Ok((byte == 1).into_pyobject(py)?.to_owned().into_any())
            } else {
                Ok(byte.into_pyobject(py)?.into_any())
            }
        };
        let values: PyResult<Vec<_>> = self.bytes.iter().map(|byte| element_value(*byte)).collect();
        let mut values = values?;
        for length in self.shape.iter().skip(1).rev() {
            if *length == 0 {
                return Err(PyValueError::new_err("an axis has no elements"));
            }
            let innermost_lists = values.chunks(*length);
            let innermost_lists: PyResult<Vec<_>> = innermost_lists
                .map(|part| Ok(PyList::new(py, part)?.into_any()))
                .collect();
            values = innermost_lists?;
        }
        Ok(PyList::new(py, values)?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("<sudoku_pipeline.Cells with the shape {:?}>", self.shape)
    }
}

/// Collects the grids of a column as an array of digits.
pub(crate) struct DigitRows {
    column: String,
    digits: Vec<u8>,
    /// The number of cells in a grid; `None` until the first grid has been added.
    cells: Option<usize>,
    /// The number of rows without a grid before the first grid.
    leading_empty_rows: usize,
    rows: usize,
}

impl DigitRows {
    pub(crate) fn new(column: &str) -> DigitRows {
        DigitRows {
            column: column.to_owned(),
            digits: Vec::new(),
            cells: None,
            leading_empty_rows: 0,
            rows: 0,
        }
    }

    /// Adds the grids of an Arrow array. A null becomes a grid of empty cells.
    pub(crate) fn add(&mut self, column: &ArrayRef) -> Result<(), String> {
        let name = &self.column;
        let texts = match column.data_type() {
            DataType::Utf8 => Arc::clone(column),
            DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..) => {
                cast(column, &DataType::Utf8).map_err(|error| error.to_string())?
            }
            other => return Err(format!("column {name} holds {other}, and not grids")),
        };
        for text in texts.as_string::<i32>() {
            self.rows += 1;
            let Some(text) = text else {
                match self.cells {
                    Some(cells) => self.digits.resize(self.digits.len() + cells, 0),
                    None => self.leading_empty_rows += 1,
                }
                continue;
            };
            let cells = match self.cells {
                Some(cells) => cells,
                None => {
                    self.digits.resize(self.leading_empty_rows * text.len(), 0);
                    *self.cells.insert(text.len())
                }
            };
            if text.len() != cells {
                return Err(format!(
                    "column {name} has grids of {cells} and of {} cells: an array has one size",
                    text.len()
                ));
            }
            let start = self.digits.len();
            let digits = text.bytes().map(|byte| DIGITS[usize::from(byte)]);
            self.digits.extend(digits);
            if self.digits[start..].contains(&NO_DIGIT) {
                return Err(format!(
                    "column {name} has the text {text:?}, which is no grid"
                ));
            }
        }
        Ok(())
    }

    /// The rows as an array with two axes: row and cell.
    pub(crate) fn into_cells(self) -> Cells {
        let shape = vec![self.rows, self.cells.unwrap_or(81)];
        let mut digits = self.digits;
        digits.resize(shape.iter().product(), 0);
        Cells::digits(digits, shape)
    }
}

/// The entry of [`DIGITS`] for a character that is no digit.
const NO_DIGIT: u8 = u8::MAX;

/// The digit of each character in normal form. A table, so that whole grids are converted without a branch.
static DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut byte = 0;
    while byte < 256 {
        digits[byte] = match byte as u8 {
            digit @ b'1'..=b'9' => digit - b'0',
            letter @ b'A'..=b'P' => letter - b'A' + 10,
            b'.' | b'0' => 0,
            _ => NO_DIGIT,
        };
        byte += 1;
    }
    digits
};

/// The digit of a character in normal form, 0 for an empty cell; `None` for other characters.
pub(crate) fn digit(byte: u8) -> Option<u8> {
    Some(DIGITS[usize::from(byte)]).filter(|digit| *digit != NO_DIGIT)
}

/// The dictionary of the array interface for `bytes`. The bytes must live as long as the object that returns the
/// dictionary.
pub(crate) fn interface<'py>(
    py: Python<'py>,
    bytes: &[u8],
    shape: &[usize],
    kind: &str,
    is_read_only: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("shape", PyTuple::new(py, shape)?)?;
    interface.set_item("typestr", kind)?;
    interface.set_item("data", (bytes.as_ptr() as usize, is_read_only))?;
    Ok(interface)
}
