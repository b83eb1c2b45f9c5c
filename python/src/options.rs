//! Reads the options that the package's functions pass by name, with the same values as on the command
//! line.

use std::fmt::Display;
use std::str::FromStr;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyString};
use sudoku_core::grade::{Ladder, Rank, SEARCH};
use sudoku_core::rating;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, DEFAULT_SOLUTION_LIMIT, Kernel, Limits};
use sudoku_core::text::BLANKS;
use sudoku_pipeline::batches::{BatchOptions, DatasetOptions, RejectsAs, StreamRun};
use sudoku_pipeline::job::Task;
use sudoku_pipeline::read::{Keep, ReadOptions, RecordSelection, Sample};
use sudoku_pipeline::report::RejectLimit;
use sudoku_pipeline::table::columns::{HODOKU, RATING};
use sudoku_pipeline::write::View;

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
    let is_whole = !value.is_instance_of::<PyFloat>() && value.hasattr("__index__")?;
    match is_whole {
        true => Err(usage(
            py,
            &format!("{name}={value}: must be from {min} to {max}"),
        )),
        false => Err(PyTypeError::new_err(format!(
            "{name}: a whole number is needed, and not {}",
            value.get_type().name()?
        ))),
    }
}

/// The names of the options for reading files.
const READING: [&str; 6] = [
    "input_format",
    "delimiter",
    "max_record_bytes",
    "infer_types",
    "types",
    "token_offset",
];

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
            match error.is_instance_of::<pyo3::exceptions::PyOverflowError>(self.py()) {
                true => usage(self.py(), &format!("{name}: {message}")),
                false => PyTypeError::new_err(format!("{name}: {message}")),
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

    /// A number from 0 to 1; `None` if it is not given.
    fn fraction(&self, name: &str) -> PyResult<Option<f64>> {
        let Some(number) = self.get::<f64>(name)? else {
            return Ok(None);
        };
        // NaN is in no range.
        match (0.0..=1.0).contains(&number) {
            true => Ok(Some(number)),
            false => Err(usage(
                self.py(),
                &format!("{name}={number}: must be from 0 to 1"),
            )),
        }
    }

    /// One or several column names; `None` if they are not given.
    fn names(&self, name: &str) -> PyResult<Option<Vec<String>>> {
        match self.get::<String>(name) {
            Ok(Some(one)) => Ok(Some(vec![one])),
            Ok(None) => Ok(None),
            Err(_) => self.get(name),
        }
    }

    /// The columns to return; `None` for all.
    fn select(&self) -> PyResult<Option<Vec<String>>> {
        match self.names("select")? {
            Some(names) if names.is_empty() => {
                Err(usage(self.py(), "select=[]: name at least one column"))
            }
            names => Ok(names),
        }
    }

    /// The task of the command for each record.
    fn task(&self, command: &str) -> PyResult<Task> {
        let solutions = self.number("solution_limit", 2, u32::MAX)?;
        let limits = Limits {
            solutions: solutions.unwrap_or(DEFAULT_SOLUTION_LIMIT),
            nodes: (self.whole_number("node_limit", 0, u64::MAX)?).unwrap_or(DEFAULT_NODE_LIMIT),
        };
        Ok(match command {
            "grade" => {
                let ladder = self
                    .parse_with("ladder", Ladder::named)?
                    .unwrap_or_default();
                let highest = self.number("max_rank", 1, SEARCH.number())?;
                Task::Grade {
                    ladder: match highest.and_then(Rank::from_number) {
                        Some(highest) => ladder.ending_at(highest),
                        None => ladder,
                    },
                    uniqueness: self.get("uniqueness")?.unwrap_or_default(),
                    limits,
                }
            }
            "solve" => Task::Solve {
                method: self.parse("solver")?.unwrap_or_default(),
                limits,
            },
            "validate" => Task::Validate { limits },
            "convert" => Task::Convert,
            other => {
                let message = format!("no command of record batches is called {other}");
                return Err(usage(self.py(), &message));
            }
        })
    }

    /// The limits of Sudoku Explainer ratings.
    fn rating(&self, with: &[String]) -> PyResult<rating::RatingLimits> {
        // The option is a number or a text.
        let highest = match self.get::<f64>("se_max") {
            Ok(Some(number)) => Some(number.to_string()),
            Ok(None) => None,
            Err(_) => self.get("se_max")?,
        };
        let highest = highest.map(|text| {
            let highest = text.parse::<rating::Rating>();
            highest.map_err(|error| usage(self.py(), &format!("se_max={text}: {error}")))
        });
        let (highest, work) = (
            highest.transpose()?,
            self.whole_number("se_work", 1, u64::MAX)?,
        );
        if (highest.is_some() || work.is_some()) && !with.iter().any(|name| name == RATING) {
            let message = "se_max= and se_work= say where ratings end: give with_=\"se\" too";
            return Err(usage(self.py(), message));
        }
        let default = rating::RatingLimits::default();
        Ok(rating::RatingLimits {
            highest: highest.unwrap_or(default.highest),
            work: work.unwrap_or(default.work),
        })
    }

    /// The version of HoDoKu for ratings.
    fn hodoku(&self, with: &[String]) -> PyResult<rating::hodoku::HodokuVersion> {
        let version = self.parse("hodoku_version")?;
        if version.is_some() && !with.iter().any(|name| name == HODOKU) {
            let message = "hodoku_version= is the version of a rating: give with_=\"hodoku\" too";
            return Err(usage(self.py(), message));
        }
        Ok(version.unwrap_or_default())
    }

    /// The options for processing record batches.
    pub(crate) fn batch_options(&self, command: &str) -> PyResult<BatchOptions> {
        let source: Option<String> = self.get("source")?;
        let keep = match self.names("keep")? {
            None => Keep::All,
            Some(names) => match names.as_slice() {
                [all] if all == "all" => Keep::All,
                [none] if none == "none" => Keep::None,
                _ => Keep::Only(names),
            },
        };
        let renames: Option<Vec<(String, String)>> =
            match self.get::<Bound<'_, PyDict>>("rename")? {
                Some(renames) => Some(renames.items().extract()?),
                None => None,
            };
        let rejects = match self.get::<String>("rejects")?.as_deref() {
            None | Some("table") => RejectsAs::Table,
            Some("rows") => RejectsAs::Rows,
            Some(other) => {
                let message = format!("rejects={other:?}: must be \"table\" or \"rows\"");
                return Err(usage(self.py(), &message));
            }
        };
        let keeps_names = match self.get::<String>("schema")?.as_deref() {
            None | Some("input") => true,
            Some("canonical") => false,
            Some(other) => {
                let message = format!("schema={other:?}: must be \"input\" or \"canonical\"");
                return Err(usage(self.py(), &message));
            }
        };
        let blank = self.blank_character()?;
        let with = self.names("with_")?.unwrap_or_default();
        let kernel = Kernel::from_env().map_err(|error| exception(self.py(), &error.into()))?;
        Ok(BatchOptions {
            origin: source.is_some(),
            name: source.unwrap_or_else(|| "arrow".to_owned()),
            read: ReadOptions {
                puzzle_column: self.get("puzzle_column")?,
                solution_column: self.get("solution_column")?,
                alphabet: self.parse("alphabet")?,
                keep,
                ..self.read_options()?
            },
            rating: self.rating(&with)?,
            hodoku: self.hodoku(&with)?,
            dataset: DatasetOptions {
                keeps_names,
                blank,
                fix_solutions: self.get("fix_solutions")?.unwrap_or_default(),
            },
            with,
            view: View {
                condition: self.get("where")?,
                select: self.select()?,
                rename: renames.unwrap_or_default(),
            },
            rejects,
            kernel,
            ..BatchOptions::new(self.task(command)?)
        })
    }

    /// The options for reading files. The parser of the command line is used for them.
    fn read_options(&self) -> PyResult<ReadOptions> {
        let mut arguments = Vec::new();
        for name in READING {
            let Some(value) = self.0.get_item(name)?.filter(|value| !value.is_none()) else {
                continue;
            };
            let text = match value.cast::<PyDict>() {
                Ok(pairs) => {
                    let pairs: Vec<(String, String)> = pairs.items().extract()?;
                    let pairs = pairs
                        .into_iter()
                        .map(|(name, value)| format!("{name}={value}"));
                    pairs.collect::<Vec<_>>().join(",")
                }
                Err(_) => value.str()?.to_string(),
            };
            arguments.push(format!("--{}={text}", name.replace('_', "-")));
        }
        if arguments.is_empty() {
            return Ok(ReadOptions::default());
        }
        let read = sudoku_pipeline::cli::read_options(&arguments);
        read.map_err(|message| usage(self.py(), &message))
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

    /// The ASCII character for an empty cell in written texts.
    fn blank_character(&self) -> PyResult<u8> {
        let value = self.0.get_item("blank")?;
        let Some(text) = value.filter(PyAnyMethods::is_instance_of::<PyString>) else {
            return Ok(b'.');
        };
        let text: String = text.extract()?;
        let known_blanks = || BLANKS.into_iter().filter(|blank| *blank != ' ');
        let blank = known_blanks().find(|blank| blank.to_string() == text);
        blank.map(|blank| blank as u8).ok_or_else(|| {
            let names: Vec<String> = known_blanks().map(String::from).collect();
            let message = format!("blank={text:?}: must be one of {}", names.join(" "));
            usage(self.py(), &message)
        })
    }

    /// A limit, as a number of records or a percentage; `None` if it is not given.
    fn limit(&self, name: &str) -> PyResult<Option<RejectLimit>> {
        let text = match self.get::<u64>(name) {
            Ok(Some(number)) => Some(number.to_string()),
            Ok(None) => None,
            Err(_) => self.get(name)?,
        };
        let limit = text.map(|text| {
            let limit = text.parse::<RejectLimit>();
            limit.map_err(|error| usage(self.py(), &format!("{name}={text:?}: {error}")))
        });
        limit.transpose()
    }

    /// The options of the stream: threads, limits, and selection of records.
    pub(crate) fn stream_run(&self) -> PyResult<StreamRun> {
        let sample = self.fraction("sample")?;
        let seed = self.whole_number("seed", 0, u64::MAX)?.unwrap_or_default();
        Ok(StreamRun {
            threads: self.threads()?,
            allow_empty: self.get("allow_empty")?.unwrap_or_default(),
            max_rejects: self.limit("max_rejects")?,
            max_wrong: self.limit("max_wrong")?,
            selection: RecordSelection {
                skip: self.whole_number("skip", 0, u64::MAX)?.unwrap_or_default(),
                limit: self.whole_number("limit", 0, u64::MAX)?,
                sample: sample.map(|fraction| Sample { fraction, seed }),
            },
            shard: self.parse("shard")?,
            keep_going: self.get("keep_going")?.unwrap_or_default(),
        })
    }

    /// The number of worker threads. The default is one per core.
    pub(crate) fn threads(&self) -> PyResult<usize> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.whole_number("threads", 1, 1024)?;
        Ok(threads.map_or_else(cores, |threads| threads as usize))
    }
}
