//! Converts errors of the library to Python exceptions, whose classes are in `sudoku_pipeline/_errors.py`.

use arrow::error::ArrowError;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use sudoku_pipeline::error::{Error, exit_code};
use sudoku_pipeline::options::{OptionKind, OptionValue, SpokenOption};
use sudoku_pipeline::read::producer_error;

/// The Python exception for an error of the library.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let cause = match error {
        Error::Read { error, .. } => error.get_ref().and_then(|cause| cause.downcast_ref()),
        _ => None,
    };
    with_cause(
        py,
        new_exception(py, &text(error), error.exit_code()),
        cause,
    )
}

/// The exception if a producer of record batches, such as an iterator in Python, failed to return the next one: that of a
/// stream over the same data.
pub(crate) fn producer_failed(py: Python<'_>, failure: ArrowError) -> PyErr {
    let error = producer_error("data", failure);
    exception(py, &error)
}

/// The exception with an exception of Python as its cause. An exception that ends the program, such as KeyboardInterrupt,
/// and one of this package stay as they are.
fn with_cause(py: Python<'_>, exception: PyErr, cause: Option<&PyErr>) -> PyErr {
    match cause {
        Some(cause) if !cause.is_instance_of::<PyException>(py) || is_own(py, cause) => {
            cause.clone_ref(py)
        }
        Some(cause) => {
            exception.set_cause(py, Some(cause.clone_ref(py)));
            exception
        }
        None => exception,
    }
}

/// Whether the exception is one of this package.
fn is_own(py: Python<'_>, error: &PyErr) -> bool {
    let base = py.import("sudoku_pipeline._errors");
    let base = base.and_then(|errors| errors.getattr("PipelineError"));
    base.is_ok_and(|base| error.is_instance(py, &base))
}

/// The message of an error, adapted to Python.
pub(crate) fn text(error: &Error) -> String {
    error.without_advice()
}

/// The exception for a bug in this package, which caused this error.
pub(crate) fn bug(py: Python<'_>, error: &dyn std::error::Error) -> PyErr {
    new_exception(py, &error.to_string(), exit_code::BUG)
}

/// The exception for a bug in this package, with this message.
pub(crate) fn bug_text(py: Python<'_>, message: &str) -> PyErr {
    new_exception(py, message, exit_code::BUG)
}

/// The exception for bad data.
pub(crate) fn data(py: Python<'_>, message: &str) -> PyErr {
    new_exception(py, message, exit_code::DATA)
}

/// The exception for a command that ends with this exit code.
pub(crate) fn from_exit_code(py: Python<'_>, message: &str, exit_code: u8) -> PyErr {
    new_exception(py, message, exit_code)
}

/// The exception for a search that gave up after this many nodes.
pub(crate) fn gave_up(py: Python<'_>, nodes: u64) -> PyErr {
    data(
        py,
        &format!("the search for solutions was given up after {nodes} nodes"),
    )
}

/// The exception for invalid options.
pub(crate) fn usage(py: Python<'_>, message: &str) -> PyErr {
    new_exception(py, message, exit_code::USAGE)
}

fn new_exception(py: Python<'_>, message: &str, exit_code: u8) -> PyErr {
    let exception = || {
        let errors = py.import("sudoku_pipeline._errors")?;
        errors.call_method1("exception", (message, exit_code))
    };
    match exception() {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => PyRuntimeError::new_err(message.to_owned()),
    }
}

/// Writes an option as a Python keyword: `keep=`, `overwrite=True`, `types="id=text"`.
pub(crate) fn keyword(option: SpokenOption<'_>) -> String {
    let name = match option.name {
        // These names are Python keywords, so the functions append an underscore.
        "with" | "from" => format!("{}_", option.name),
        name => name.to_owned(),
    };
    match (option.value, option.kind) {
        (OptionValue::Given(value), _) if value.parse::<f64>().is_ok() => format!("{name}={value}"),
        (OptionValue::Given(value), _) => format!("{name}={value:?}"),
        (_, OptionKind::Switch) => format!("{name}=True"),
        _ => format!("{name}="),
    }
}
