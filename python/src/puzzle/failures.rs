//! The exceptions and warnings of the methods of a puzzle, and the limit for solutions.

use pyo3::prelude::*;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, Status};

use super::form::NoResult;
use crate::errors::{data, gave_up};

/// The number of solutions at which `count` and `solutions` stop if no limit is given.
pub(super) const DEFAULT_SOLUTIONS: u32 = 1000;

/// The exception for an operation that fails.
pub(crate) fn exception_for(py: Python<'_>, why: &NoResult) -> PyErr {
    match why {
        NoResult::NotUnique(Status::None) => data(py, "the puzzle has no solution"),
        NoResult::NotUnique(Status::Multiple) => data(
            py,
            "the puzzle has more than one solution; only one with exactly one has a grade",
        ),
        NoResult::NotUnique(_) => gave_up(py, DEFAULT_NODE_LIMIT),
        NoResult::GaveUp(nodes) => gave_up(py, *nodes),
        NoResult::Size(why) => data(py, why),
    }
}

/// Checks the option for the maximum number of solutions, which is a whole number from 1.
pub(super) fn solutions_limit(limit: &Bound<'_, PyAny>) -> PyResult<u32> {
    crate::options::whole_number(limit, "limit", 1, u64::from(u32::MAX)).map(|limit| limit as u32)
}

/// Warns that a method has stopped at its default limit.
pub(super) fn warn_of_more(py: Python<'_>, method: &str) -> PyResult<()> {
    let message = format!(
        "the puzzle has more than {DEFAULT_SOLUTIONS} solutions, where {method}() stops: {method}(limit=N) goes on to N"
    );
    let kind = py
        .import("sudoku_pipeline._errors")?
        .getattr("LimitWarning")?;
    py.import("warnings")?
        .call_method1("warn", (message, kind))?;
    Ok(())
}
