//! Errors of the library as Python exceptions, which `sudoku_pipeline/_errors.py` declares.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use sudoku_pipeline::error::{Error, exit_code};

/// The exception for an error. It says what the command line says, with options as Python writes them.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    made(py, &text(error), error.exit_code())
}

/// What the command line says, with options as Python writes them.
pub(crate) fn text(error: &Error) -> String {
    match error {
        // There is no file that could keep them.
        Error::TooManyRejects {
            rejects,
            rows,
            limit,
            ..
        } => format!("{rejects} of {rows} records rejected, but max_rejects= allows {limit}"),
        error => in_python(&error.to_string()),
    }
}

/// The exception for a bug.
pub(crate) fn bug(py: Python<'_>, error: &dyn std::error::Error) -> PyErr {
    made(py, &error.to_string(), exit_code::BUG)
}

/// The exception for a bug that a message describes.
pub(crate) fn bug_text(py: Python<'_>, message: &str) -> PyErr {
    made(py, message, exit_code::BUG)
}

/// The exception for bad data.
pub(crate) fn data(py: Python<'_>, message: &str) -> PyErr {
    made(py, message, exit_code::DATA)
}

/// The exception for a failure of the command line that ends with this exit code.
pub(crate) fn of_exit_code(py: Python<'_>, message: &str, exit_code: u8) -> PyErr {
    made(py, &in_python(message), exit_code)
}

/// The exception for a search that was given up.
pub(crate) fn gave_up(py: Python<'_>, nodes: u64) -> PyErr {
    data(
        py,
        &format!("the search for solutions was given up after {nodes} nodes"),
    )
}

/// The exception for options that cannot be used.
pub(crate) fn usage(py: Python<'_>, message: &str) -> PyErr {
    made(py, &in_python(message), exit_code::USAGE)
}

fn made(py: Python<'_>, message: &str, exit_code: u8) -> PyErr {
    let exception = || {
        let errors = py.import("sudoku_pipeline._errors")?;
        errors.call_method1("exception", (message, exit_code))
    };
    match exception() {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => PyRuntimeError::new_err(message.to_owned()),
    }
}

/// The message with options as Python writes them: `--puzzle-column` is `puzzle_column=`.
pub(crate) fn in_python(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let (before, option) = rest.split_at(at);
        let name = &option[2..];
        let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
        let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
        let is_word = before
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && c != '-');
        text.push_str(before);
        if end < 2 || !is_word {
            text.push_str("--");
            rest = name;
            continue;
        }
        let python = name[..end].trim_end_matches('-').replace('-', "_");
        text.push_str(&match python.as_str() {
            "with" => "with_=".to_owned(),
            "allow_empty" | "uniqueness" => format!("{python}=True"),
            option => format!("{option}="),
        });
        rest = &name[end..];
        // The value, where the message names one: `--rejects FILE`.
        rest = match rest.strip_prefix(' ') {
            Some(value) if value.starts_with(|c: char| c.is_ascii_uppercase()) => value,
            _ => rest.strip_prefix('=').unwrap_or(rest),
        };
    }
    text + rest
}
