//! The methods of a puzzle that search for its solutions.

use pyo3::prelude::*;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, Status};

use super::failures::exception_for;
use super::{Puzzle, limited};
use crate::cells::Cells;
use crate::errors::gave_up;
use crate::signals::interruptible;

#[pymethods]
impl Puzzle {
    /// The first solution; None if there is none.
    ///
    /// :raises DataError: the search was given up
    fn solve(&self, py: Python<'_>) -> PyResult<Option<Puzzle>> {
        let solution = py.detach(|| self.form.solve());
        let solution = solution.map_err(|why| exception_for(py, &why))?;
        Ok(solution.map(Puzzle::from))
    }

    /// The solutions, at most `limit`, as a list whose attribute `exact` says whether it has all of them. Without a limit
    /// it is 1,000, and a warning says that there are more.
    ///
    /// :param limit: the number of solutions at which the search stops, from 1
    /// :raises DataError: the search was given up
    ///
    /// >>> found = Puzzle("." * 81).solutions(2)
    /// >>> len(found), found.exact
    /// (2, False)
    #[pyo3(signature = (limit=None))]
    fn solutions<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        limited::solutions(py, &self.form, limit)
    }

    /// The number of solutions, at most `limit`, as an integer whose attribute `exact` says whether there are no more.
    /// Without a limit it is 1,000, and a warning says that there are more.
    ///
    /// :param limit: the number of solutions at which the search stops, from 1
    /// :raises DataError: the search was given up
    ///
    /// >>> number = Puzzle("." * 81).count(2)
    /// >>> number, number.exact
    /// (2, False)
    #[pyo3(signature = (limit=None))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        limit: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        limited::count(py, &self.form, limit)
    }

    /// Whether there is exactly one solution.
    #[getter]
    fn is_unique(&self, py: Python<'_>) -> PyResult<bool> {
        match py.detach(|| self.form.status()) {
            Status::GaveUp => Err(gave_up(py, DEFAULT_NODE_LIMIT)),
            status => Ok(status == Status::Unique),
        }
    }

    /// Whether there is exactly one solution, and removing any clue creates a second one.
    #[getter]
    fn is_minimal(&self, py: Python<'_>) -> bool {
        py.detach(|| self.form.is_minimal())
    }

    /// The cells that have the same digit in all solutions, as a puzzle. Exact for any number of solutions.
    fn backbone(&self, py: Python<'_>) -> PyResult<Puzzle> {
        let form = self.form.clone();
        let backbone = interruptible(py, true, move || form.backbone())?;
        backbone
            .map(Puzzle::from)
            .map_err(|why| exception_for(py, &why))
    }

    /// The digits that each cell has in some solution, as booleans by row, column and digit. Exact for any number of
    /// solutions.
    fn solution_candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let form = self.form.clone();
        let digits = interruptible(py, true, move || form.solution_digits())?;
        let digits = digits.map_err(|why| exception_for(py, &why))?;
        let order = self.form.order();
        Cells::flags(digits.flags().collect(), vec![order, order, order]).into_array(py)
    }
}
