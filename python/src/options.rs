//! Options by their names, as the package's functions pass them, each with the values of the command
//! line.

use std::fmt::Display;
use std::str::FromStr;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sudoku_core::grade::{Ladder, Rank, SEARCH};
use sudoku_core::rating;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, DEFAULT_SOLUTION_LIMIT, Kernel, Limits};
use sudoku_core::text::BLANKS;
use sudoku_pipeline::batches::{BatchOptions, DatasetOptions, RejectsAs, StreamRun};
use sudoku_pipeline::job::Task;
use sudoku_pipeline::read::{Keep, ReadOptions, Sample, Take};
use sudoku_pipeline::report::RejectLimit;
use sudoku_pipeline::table::columns::{HODOKU, RATING};
use sudoku_pipeline::write::View;

use crate::errors::{exception, usage};

/// The options of a call.
pub(crate) struct Options<'a, 'py>(pub(crate) &'a Bound<'py, PyDict>);

impl<'py> Options<'_, 'py> {
    fn py(&self) -> Python<'py> {
        self.0.py()
    }

    /// The value of an option; `None` where it is not given.
    pub(crate) fn get<T: FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.0.get_item(name)?.filter(|value| !value.is_none()) else {
            return Ok(None);
        };
        let extracted = value.extract::<T>();
        let extracted = extracted.map_err(|error| {
            let error: PyErr = error.into();
            let said = error.value(self.py()).to_string();
            match error.is_instance_of::<pyo3::exceptions::PyOverflowError>(self.py()) {
                true => usage(self.py(), &format!("{name}: {said}")),
                false => PyTypeError::new_err(format!("{name}: {said}")),
            }
        });
        extracted.map(Some)
    }

    /// The value of an option that is written as text.
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

    /// A number within these bounds.
    pub(crate) fn number<T>(&self, name: &str, least: T, most: T) -> PyResult<Option<T>>
    where
        T: FromPyObjectOwned<'py> + PartialOrd + Display + Copy,
    {
        let number = self.get::<T>(name)?;
        match number {
            Some(number) if number < least || number > most => {
                let message = format!("{name}={number}: must be from {least} to {most}");
                Err(usage(self.py(), &message))
            }
            number => Ok(number),
        }
    }

    /// Names of columns: one, or a list of them.
    fn names(&self, name: &str) -> PyResult<Option<Vec<String>>> {
        match self.get::<String>(name) {
            Ok(Some(one)) => Ok(Some(vec![one])),
            Ok(None) => Ok(None),
            Err(_) => self.get(name),
        }
    }

    /// What is done to each record.
    fn task(&self, command: &str) -> PyResult<Task> {
        let solutions = self.number("solution_limit", 2, u32::MAX)?;
        let limits = Limits {
            solutions: solutions.unwrap_or(DEFAULT_SOLUTION_LIMIT),
            nodes: self.get("node_limit")?.unwrap_or(DEFAULT_NODE_LIMIT),
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

    /// Where ratings end.
    fn rating(&self, with: &[String]) -> PyResult<rating::RatingLimits> {
        // A number or its text.
        let highest = match self.get::<f64>("se_max") {
            Ok(Some(number)) => Some(number.to_string()),
            Ok(None) => None,
            Err(_) => self.get("se_max")?,
        };
        let highest = highest.map(|text| {
            let highest = text.parse::<rating::Rating>();
            highest.map_err(|error| usage(self.py(), &format!("se_max={text}: {error}")))
        });
        let (highest, work) = (highest.transpose()?, self.number("se_work", 1, u64::MAX)?);
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

    /// The version of HoDoKu.
    fn hodoku(&self, with: &[String]) -> PyResult<rating::hodoku::HodokuVersion> {
        let version = self.parse("hodoku_version")?;
        if version.is_some() && !with.iter().any(|name| name == HODOKU) {
            let message = "hodoku_version= is the version of a rating: give with_=\"hodoku\" too";
            return Err(usage(self.py(), message));
        }
        Ok(version.unwrap_or_default())
    }

    /// What is done to record batches.
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
        let blank = self
            .get::<String>("blank")?
            .unwrap_or_else(|| ".".to_owned());
        let mut blanks = BLANKS.into_iter().filter(|known| *known != ' ');
        let Some(blank) = blanks.find(|known| known.to_string() == blank) else {
            let message = format!("blank={blank:?}: must be one of . 0 * _ - x X ?");
            return Err(usage(self.py(), &message));
        };
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
                ..ReadOptions::default()
            },
            rating: self.rating(&with)?,
            hodoku: self.hodoku(&with)?,
            dataset: DatasetOptions {
                keeps_names,
                blank: blank as u8,
                fix_solutions: self.get("fix_solutions")?.unwrap_or_default(),
            },
            with,
            view: View {
                condition: self.get("where")?,
                select: self.names("select")?,
                rename: renames.unwrap_or_default(),
            },
            rejects,
            kernel,
            ..BatchOptions::new(self.task(command)?)
        })
    }

    /// A number of records, or a percentage of them.
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

    /// How the stream runs.
    pub(crate) fn stream_run(&self) -> PyResult<StreamRun> {
        let sample: Option<f64> = self.number("sample", 0.0, 1.0)?;
        let seed = self.get("seed")?.unwrap_or_default();
        Ok(StreamRun {
            threads: self.threads()?,
            allow_empty: self.get("allow_empty")?.unwrap_or_default(),
            max_rejects: self.limit("max_rejects")?,
            max_wrong: self.limit("max_wrong")?,
            take: Take {
                skip: self.get("skip")?.unwrap_or_default(),
                limit: self.get("limit")?,
                sample: sample.map(|fraction| Sample { fraction, seed }),
            },
        })
    }

    /// Worker threads: one a core, unless it is said.
    pub(crate) fn threads(&self) -> PyResult<usize> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(self.number("threads", 1, 1024)?.unwrap_or_else(cores))
    }
}
