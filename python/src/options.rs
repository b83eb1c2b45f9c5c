//! Reads the options that the package's functions pass by name, with the same values as on the command
//! line.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use pyo3::Borrowed;
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

/// A type of Python that options have.
pub(crate) trait OptionType<'py>: FromPyObjectOwned<'py> {
    /// The type in messages.
    const WORDS: &'static str;
}

impl OptionType<'_> for String {
    const WORDS: &'static str = "a text";
}

impl OptionType<'_> for Vec<String> {
    const WORDS: &'static str = "a text or a list of texts";
}

impl OptionType<'_> for bool {
    const WORDS: &'static str = "True or False";
}

impl OptionType<'_> for f64 {
    const WORDS: &'static str = "a number";
}

impl<'py> OptionType<'py> for Bound<'py, PyMapping> {
    const WORDS: &'static str = "a dictionary";
}

/// The error for an option of another type.
pub(crate) fn wrong_type(name: &str, words: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let kind = value.get_type().name();
    let kind = kind.map_or_else(|_| "object".to_owned(), |kind| kind.to_string());
    PyTypeError::new_err(format!("{name}: {words} is needed, and not {kind}"))
}

/// A text, or several texts separated by commas.
fn names(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(one) = value.extract::<String>() {
        return Ok(one);
    }
    let names = value.extract::<Vec<String>>();
    let names = names.map_err(|_| wrong_type(name, <Vec<String> as OptionType>::WORDS, value))?;
    match names.as_slice() {
        [] => Err(usage(
            value.py(),
            &format!("{name}=[]: name at least one technique"),
        )),
        names => Ok(names.join(",")),
    }
}

/// The value of a method's option `ladder`.
pub(crate) struct LadderNames(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for LadderNames {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<LadderNames> {
        names("ladder", &value).map(LadderNames)
    }
}

/// The value of a method's option `technique`.
pub(crate) struct TechniqueNames(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for TechniqueNames {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<TechniqueNames> {
        names("technique", &value).map(TechniqueNames)
    }
}

/// The value of the option `show` of a picture.
pub(crate) struct Shown(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Shown {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Shown> {
        let text = value.extract::<String>();
        let text = text.map_err(|_| wrong_type("show", <String as OptionType>::WORDS, &value))?;
        Ok(Shown(text))
    }
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
    pub(crate) fn get<T: OptionType<'py>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.0.get_item(name)?.filter(|value| !value.is_none()) else {
            return Ok(None);
        };
        let extracted = value.extract::<T>();
        extracted
            .map(Some)
            .map_err(|_| wrong_type(name, T::WORDS, &value))
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
            // The name of data in memory in messages and among the rejects.
            name: source.unwrap_or_else(|| "data".to_owned()),
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
            // A float is a share of the records.
            "max_rejects" | "max_wrong" if value.is_instance_of::<PyFloat>() => {
                let share = value.extract::<f64>()?;
                if !(0.0..=1.0).contains(&share) {
                    let message = format!(
                        "{name}={share}: a float is a share from 0.0 to 1.0; an integer is a number of records"
                    );
                    return Err(usage(self.py(), &message));
                }
                // As a decimal number without the digits that rounding leaves.
                format!("{}%", (share * 1e10).round() / 1e8)
            }
            "max_record_bytes" | "max_rejects" | "max_wrong" | "se_max"
                if value.hasattr("__float__")? =>
            {
                value.str()?.to_string()
            }
            "keep" | "ladder" | "select" | "with_" => {
                let names = match self.get::<String>(name) {
                    Ok(one) => one.into_iter().collect(),
                    Err(_) => self.get::<Vec<String>>(name)?.unwrap_or_default(),
                };
                match names.as_slice() {
                    [] if name == "select" => {
                        return Err(usage(self.py(), "select=[]: name at least one column"));
                    }
                    [] if name == "with_" => return Ok(None),
                    [] if name == "ladder" => {
                        return Err(usage(self.py(), "ladder=[]: name at least one technique"));
                    }
                    [all] if name == "keep" && ["all", "none"].contains(&all.as_str()) => {
                        all.clone()
                    }
                    names if ["ladder", "with_"].contains(&name) => names.join(","),
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
