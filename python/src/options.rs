//! Reads the options that the package's functions pass by name, with the same values as on the command
//! line.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyMapping, PyString};
use sudoku_core::solve::Kernel;
use sudoku_pipeline::batches::{BatchOptions, RejectsAs};
use sudoku_pipeline::job::cores;

use crate::errors::{exception, usage};

/// Converts a Python number to a whole number within these bounds. Other types raise TypeError. A number out
/// of bounds, however large, raises UsageError.
pub(crate) fn whole_number(
    value: &Bound<'_, PyAny>,
    name: &str,
    min: u64,
    max: u64,
) -> PyResult<u64> {
    let py = value.py();
    let number = value.extract::<u64>();
    if let Ok(number) = number
        && (min..=max).contains(&number)
    {
        return Ok(number);
    }
    must_be_whole(value, name)?;
    Err(usage(
        py,
        &format!("{name}={value}: must be from {min} to {max}"),
    ))
}

/// Raises TypeError if the value is not a whole number.
fn must_be_whole(value: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    if !value.is_instance_of::<PyFloat>() && value.hasattr("__index__")? {
        Ok(())
    } else {
        Err(PyTypeError::new_err(format!(
            "{name}: a whole number is needed, and not {}",
            value.get_type().name()?
        )))
    }
}

/// The most combinations of options whose parsed form is kept.
const MOST_PARSED: usize = 64;

/// The options of earlier calls, by command and words.
static PARSED: Mutex<BTreeMap<(String, Vec<String>), BatchOptions>> = Mutex::new(BTreeMap::new());

/// Parses the options of a command. The same options are parsed only once, because that takes longer than solving a
/// puzzle.
fn parsed_once(command: &str, words: Vec<String>) -> Result<BatchOptions, String> {
    let parsed = || PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    let call = (command.to_owned(), words);
    if let Some(options) = parsed().get(&call) {
        return Ok(options.clone());
    }
    let options = sudoku_pipeline::cli::batch_options(command, &call.1)?;
    let mut parsed = parsed();
    if parsed.len() >= MOST_PARSED {
        parsed.clear();
    }
    parsed.insert(call, options.clone());
    Ok(options)
}

/// The name of a column in quotes, as the command line expects names with any characters.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The options of a function call.
pub(crate) struct Options<'a, 'py>(pub(crate) &'a Bound<'py, PyDict>);

impl<'py> Options<'_, 'py> {
    pub(crate) fn py(&self) -> Python<'py> {
        self.0.py()
    }

    /// The value of an option; `None` if it is not given.
    pub(crate) fn get<T: FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.0.get_item(name)?.filter(|value| !value.is_none()) else {
            return Ok(None);
        };
        let extracted = value.extract::<T>();
        let extracted = extracted.map_err(|error| {
            let error: PyErr = error.into();
            let message = error.value(self.py()).to_string();
            if error.is_instance_of::<pyo3::exceptions::PyOverflowError>(self.py()) {
                usage(self.py(), &format!("{name}: {message}"))
            } else {
                PyTypeError::new_err(format!("{name}: {message}"))
            }
        });
        extracted.map(Some)
    }

    /// The value of an option that is parsed from text; `None` if it is not given.
    pub(crate) fn parse<T>(&self, name: &str) -> PyResult<Option<T>>
    where
        T: FromStr,
        T::Err: Display,
    {
        self.parse_with(name, str::parse)
    }

    pub(crate) fn parse_with<T, E: Display>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> PyResult<Option<T>> {
        let Some(text) = self.get::<String>(name)? else {
            return Ok(None);
        };
        let parsed = parse(&text);
        let parsed = parsed.map_err(|error| usage(self.py(), &format!("{name}={text:?}: {error}")));
        parsed.map(Some)
    }

    /// A whole number within these bounds; `None` if it is not given.
    pub(crate) fn whole_number(&self, name: &str, min: u64, max: u64) -> PyResult<Option<u64>> {
        let value = self.0.get_item(name)?.filter(|value| !value.is_none());
        value
            .map(|value| whole_number(&value, name, min, max))
            .transpose()
    }

    /// A whole number within these bounds, in the type of the upper bound; `None` if it is not given.
    pub(crate) fn number<T>(&self, name: &str, least: T, most: T) -> PyResult<Option<T>>
    where
        T: Into<u64> + TryFrom<u64>,
    {
        let number = self.whole_number(name, least.into(), most.into())?;
        Ok(number.and_then(|number| T::try_from(number).ok()))
    }

    /// The options of a command for record batches, from the parser of the command line.
    pub(crate) fn batch_options(&self, command: &str) -> PyResult<BatchOptions> {
        let mut words = Vec::new();
        for (name, value) in self.0 {
            let name: String = name.extract()?;
            let is_other = match name.as_str() {
                "source" | "rejects" | "progress" => true,
                // A number for `blank` is that of an empty cell in arrays, and not the command's option.
                "blank" => !value.is_instance_of::<PyString>(),
                _ => false,
            };
            if !is_other && !value.is_none() {
                words.extend(self.word(&name, &value)?);
            }
        }
        let rejects = match self.get::<String>("rejects")?.as_deref() {
            None | Some("table") => RejectsAs::Table,
            Some("rows") => RejectsAs::Rows,
            Some(other) => {
                let message = format!("rejects={other:?}: must be \"table\" or \"rows\"");
                return Err(usage(self.py(), &message));
            }
        };
        let source: Option<String> = self.get("source")?;
        let kernel = Kernel::from_env().map_err(|error| exception(self.py(), &error.into()))?;
        let parsed = parsed_once(command, words);
        let mut parsed = parsed.map_err(|message| usage(self.py(), &message))?;
        parsed.run.kernel = kernel;
        Ok(BatchOptions {
            origin: source.is_some(),
            name: source.unwrap_or_else(|| parsed.name.clone()),
            rejects,
            ..parsed
        })
    }

    /// An option as the command line expects it; `None` for a switch that is off, and for `with_`, `rename` and `types`
    /// without entries.
    fn word(&self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<Option<String>> {
        let flag = format!("--{}", name.trim_end_matches('_').replace('_', "-"));
        let text = match name {
            "allow_empty" | "fix_solutions" | "keep_going" | "uniqueness" => {
                return Ok((self.get(name)? == Some(true)).then_some(flag));
            }
            "limit" | "max_rank" | "node_limit" | "se_work" | "seed" | "skip"
            | "solution_limit" | "threads" | "token_offset" => {
                must_be_whole(value, name)?;
                value.call_method0("__index__")?.to_string()
            }
            "sample" => match self.get::<f64>(name)? {
                Some(number) => number.to_string(),
                None => return Ok(None),
            },
            "max_record_bytes" | "max_rejects" | "max_wrong" | "se_max"
                if value.hasattr("__float__")? =>
            {
                value.str()?.to_string()
            }
            "keep" | "select" | "with_" => {
                let names = match self.get::<String>(name) {
                    Ok(one) => one.into_iter().collect(),
                    Err(_) => self.get::<Vec<String>>(name)?.unwrap_or_default(),
                };
                match names.as_slice() {
                    [] if name == "select" => {
                        return Err(usage(self.py(), "select=[]: name at least one column"));
                    }
                    [] if name == "with_" => return Ok(None),
                    [all] if name == "keep" && ["all", "none"].contains(&all.as_str()) => {
                        all.clone()
                    }
                    names if name == "with_" => names.join(","),
                    names => names
                        .iter()
                        .map(|name| quoted(name))
                        .collect::<Vec<_>>()
                        .join(","),
                }
            }
            "rename" | "types" if !value.is_instance_of::<PyString>() => {
                let pairs = self.get::<Bound<'_, PyMapping>>(name)?;
                let pairs: Vec<(String, String)> = match pairs {
                    Some(pairs) if !pairs.is_empty()? => pairs.items()?.extract()?,
                    _ => return Ok(None),
                };
                let pairs = pairs.into_iter().map(|(column, value)| match name {
                    "rename" => format!("{}={}", quoted(&column), quoted(&value)),
                    _ => format!("{column}={value}"),
                });
                pairs.collect::<Vec<_>>().join(",")
            }
            _ => self.get::<String>(name)?.unwrap_or_default(),
        };
        Ok(Some(format!("{flag}={text}")))
    }

    /// The number that stands for an empty cell in arrays.
    pub(crate) fn blank(&self) -> PyResult<i64> {
        match self.0.get_item("blank")? {
            Some(blank) if !blank.is_none() && !blank.is_instance_of::<PyString>() => {
                let number = blank.extract();
                number.map_err(|_| {
                    PyTypeError::new_err(format!("blank={blank}: a whole number is needed"))
                })
            }
            _ => Ok(0),
        }
    }

    /// The number of worker threads. The default is one per core.
    pub(crate) fn threads(&self) -> PyResult<usize> {
        let threads = self.whole_number("threads", 1, 1024)?;
        Ok(threads.map_or_else(cores, |threads| threads as usize))
    }
}
