//! The solutions of a puzzle, and their number, up to a limit. The results say whether the limit cut them.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use super::Puzzle;
use super::failures::{DEFAULT_SOLUTIONS, exception_for, solutions_limit, warn_of_more};
use super::form::Form;
use crate::signals::interruptible;

/// The number of solutions up to which a search is too short to need interruption.
const FEW_SOLUTIONS: u32 = 10_000;

/// The solutions, as `_limited.Solutions`.
pub(super) fn solutions<'py>(
    py: Python<'py>,
    form: &Form,
    limit: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let most = limit.map_or(Ok(DEFAULT_SOLUTIONS), solutions_limit)?;
    let form = form.clone();
    let found = interruptible(py, most > FEW_SOLUTIONS, move || form.solutions(most))?;
    let (found, exact) = found.map_err(|why| exception_for(py, &why))?;
    if limit.is_none() && !exact {
        warn_of_more(py, "solutions")?;
    }
    let found: Vec<Puzzle> = found.into_iter().map(Puzzle::from).collect();
    let class = CLASS.import(py, "sudoku_pipeline._limited", "Solutions")?;
    class.call1((found, exact))
}

/// The number of solutions, as `_limited.Count`.
pub(super) fn count<'py>(
    py: Python<'py>,
    form: &Form,
    limit: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let most = limit.map_or(Ok(DEFAULT_SOLUTIONS), solutions_limit)?;
    let form = form.clone();
    let counted = interruptible(py, most > FEW_SOLUTIONS, move || form.count(most))?;
    let (number, exact) = counted.map_err(|why| exception_for(py, &why))?;
    if limit.is_none() && !exact {
        warn_of_more(py, "count")?;
    }
    let class = CLASS.import(py, "sudoku_pipeline._limited", "Count")?;
    class.call1((number, exact))
}
