//! Single puzzles. They use sudoku-core directly, without Arrow and without threads.

mod drawing;
mod failures;
mod form;
mod grade;
mod layout;
mod limited;
mod moves;
mod parse;
mod play;
mod solving;
mod step;
mod steps;
mod symmetry;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyString, PyTuple};

use crate::cells::Cells;
use crate::errors::usage;
use crate::options::Shown;
use crate::picture::image;
pub(crate) use failures::exception_for;
pub(crate) use form::{Form, KERNEL};
pub(crate) use grade::{Grade, Rating, ladder};
pub(crate) use moves::MoveVerdict;
pub(crate) use parse::{from_cells as parse_cells, parse_form};
pub(crate) use step::Step;

/// The smallest width of a picture in a notebook, in pixels.
pub(crate) const WIDTH: usize = 300;

/// A Sudoku puzzle of 4 × 4 to 25 × 25 cells, or any grid without conflicts. It cannot be changed.
///
/// Cells are pairs of row and column from 0. `str(puzzle)` is its text, and `numpy.asarray(puzzle)` its digits.
///
/// :param data: a text in any usual form, also what `board()` and `explain` write; an array of integers; a list of digits or
///     of rows; or a puzzle
/// :param blank: the number that stands for an empty cell in arrays and lists
/// :param alphabet: the symbols of 12 × 12, 16 × 16 or 25 × 25 puzzles in order, such as "1-9A-G"
/// :param filled: for pencil marks, the cells that are filled, as 81 characters
/// :raises DataError: the data is no puzzle, or its digits are in conflict
///
/// >>> puzzle = Puzzle("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
/// >>> puzzle.clues, puzzle[0, 1], puzzle.grade().level
/// (30, 3, 'easy')
#[pyclass(frozen, weakref, sequence, module = "sudoku_pipeline")]
pub(crate) struct Puzzle {
    form: Form,
    /// The digit of each cell. It is computed when an array is requested for the first time.
    digits: OnceLock<Vec<u8>>,
}

impl From<Form> for Puzzle {
    fn from(form: Form) -> Puzzle {
        Puzzle {
            form,
            digits: OnceLock::new(),
        }
    }
}

impl Puzzle {
    /// The text in normal form.
    pub(crate) fn as_str(&self) -> &str {
        self.form.as_str()
    }

    fn digits(&self) -> &[u8] {
        self.digits.get_or_init(|| self.form.digits())
    }
}

#[pymethods]
impl Puzzle {
    #[new]
    #[pyo3(signature = (data, *, blank=0, alphabet=None, filled=None))]
    fn new(
        data: &Bound<'_, PyAny>,
        blank: i64,
        alphabet: Option<&str>,
        filled: Option<&str>,
    ) -> PyResult<Puzzle> {
        let form = parse::parse_form(data, blank, alphabet)?;
        Ok(match filled {
            None => form,
            Some(filled) => moves::with_filled(data.py(), &form, filled)?,
        }
        .into())
    }

    /// The number of rows.
    #[getter]
    fn size(&self) -> usize {
        self.form.order()
    }

    /// The numbers of rows and columns of a box.
    #[getter]
    fn box_shape(&self) -> (usize, usize) {
        self.form.of_box()
    }

    /// The number of filled cells.
    #[getter]
    fn clues(&self) -> usize {
        self.digits().iter().filter(|digit| **digit > 0).count()
    }

    /// Whether every cell is filled. Since a puzzle has no conflicts, it is then a solution.
    #[getter]
    fn is_solved(&self) -> bool {
        !self.digits().contains(&0)
    }

    /// The candidates before the first step, as booleans by row, column and digit.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let order = self.form.order();
        Cells::flags(self.form.candidates(), vec![order, order, order]).into_array(py)
    }

    /// The rows as lists of digits, 0 for an empty cell.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = self.digits().chunks(self.form.order());
        let rows: PyResult<Vec<_>> = rows.map(|row| PyList::new(py, row)).collect();
        PyList::new(py, rows?)
    }

    /// The digits as a new NumPy array by row and column, 0 for an empty cell.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            let message = "the digits of a puzzle cannot be shared: its array is a copy";
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
        let order = self.form.order();
        let array = Cells::digits(self.digits().to_vec(), vec![order, order]).into_array(py)?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// The digit of a cell by row and column, 0 if it is empty; or a row as a list. Indices start at 0, and
    /// negative ones count from the end.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match layout::element(py, self.digits(), self.form.order(), place)? {
            Some(element) => Ok(element),
            // NumPy has all other indices, such as slices.
            None => self.__array__(py, None, None)?.get_item(place),
        }
    }

    /// The board as nine lines of text, with lines between the boxes; `.` is an empty cell.
    fn board(&self) -> String {
        layout::board(&self.form)
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.form.order()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tolist(py)?.try_iter()
    }

    fn __format__<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyAny>> {
        PyString::new(py, self.form.as_str()).call_method1("__format__", (format,))
    }

    /// The board as an SVG image.
    #[pyo3(signature = (show=None), text_signature = "($self, show='givens')")]
    fn svg(&self, py: Python<'_>, show: Option<Shown>) -> PyResult<String> {
        let show = show.map_or_else(|| "givens".to_owned(), |shown| shown.0);
        if ["givens", "solution", "candidates"].contains(&show.as_str()) {
            self.board_svg(&show)
        } else {
            let message =
                format!("show={show:?}: must be \"givens\", \"solution\" or \"candidates\"");
            Err(usage(py, &message))
        }
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.board_svg("givens")
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let width = WIDTH.max(28 * self.form.order());
        Ok(image(&self.board_svg("givens")?, width, self.form.as_str()))
    }

    fn __str__(&self) -> &str {
        self.form.as_str()
    }

    fn __repr__(&self) -> String {
        format!("Puzzle('{}')", self.form.as_str())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.form.as_str().hash(&mut hasher);
        hasher.finish()
    }

    /// Orders puzzles by size, and those of the same size by text.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operator: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Puzzle>() else {
            return Ok(py.NotImplemented());
        };
        let sort_key = |puzzle: &Puzzle| {
            let filled = puzzle.form.filled_cells().to_owned();
            (puzzle.form.order(), puzzle.form.as_str().to_owned(), filled)
        };
        let order = sort_key(self).cmp(&sort_key(other.get()));
        Ok(operator
            .matches(order)
            .into_pyobject(py)?
            .to_owned()
            .into_any()
            .unbind())
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        options.set_item("alphabet", layout::alphabet(self.form.order()))?;
        options.set_item("filled", self.filled_beside_marks())?;
        Ok((PyTuple::new(py, [self.form.as_str()])?, options))
    }
}
