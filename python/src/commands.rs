//! The functions that the Python package calls for commands, such as `run`, `generate` and `explain`. Their
//! options are in dictionaries.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use arrow::datatypes::SchemaRef;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sudoku_core::explain::{ExplainError, Explanation, TextOptions};
use sudoku_core::generate::HodokuTarget;
use sudoku_core::generate::Symmetry;
use sudoku_core::grade::Level;
use sudoku_core::rating::hodoku::HodokuVersion;
use sudoku_core::rating::{Rating, RatingLimits};
use sudoku_core::solve::Kernel;
use sudoku_pipeline::batches::{BatchOptions, BatchStream};
use sudoku_pipeline::cli::{Call, CalledAudit};
use sudoku_pipeline::error::{Error, GenerateError, MakerError};
use sudoku_pipeline::job::{MakerOptions, Series, Starts, StartsOptions};
use sudoku_pipeline::read::ReadOptions;
use sudoku_pipeline::report::explanation_json;
use sudoku_pipeline::table::column::Column;
use sudoku_pipeline::table::columns::{COLUMNS, FAILURE_COLUMNS, REJECT_COLUMNS};

use crate::errors::{exception, from_exit_code, usage};
use crate::exchange::schema::Schema;
use crate::input;
use crate::options::{Options, whole_number};
use crate::signals::{interruptible, until_stopped};
use crate::stream::Stream;

/// Runs a command on record batches, as a stream.
#[pyfunction]
pub(crate) fn run(
    py: Python<'_>,
    command: &str,
    data: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Stream> {
    let options = Options(options);
    let mut batch_options = options.batch_options(command)?;
    if let Some(paths) = input::paths(data)? {
        batch_options.origin = true;
        let stream = py.detach(|| BatchStream::from_files(&paths, &batch_options));
        return Ok(Stream::new(stream.map_err(|error| exception(py, &error))?));
    }
    let (schema, batches) = input::batches(data, options.blank()?)?;
    let stream = py.detach(|| BatchStream::new(&schema, batches, &batch_options));
    let stream = stream.map_err(|error| exception(py, &error))?;
    Ok(Stream::new(stream))
}

/// The columns of the table that a command would make from data with this schema.
#[pyfunction]
pub(crate) fn schema(
    py: Python<'_>,
    table: &str,
    data: Option<&Bound<'_, PyAny>>,
    options: &Bound<'_, PyDict>,
) -> PyResult<(Schema, Vec<String>)> {
    let schema = match table {
        "rejects" => BatchOptions::reject_schema(),
        _ => {
            let command = match table {
                "failures" => "validate",
                table => table,
            };
            let puzzle_schema = || -> SchemaRef {
                let field =
                    arrow::datatypes::Field::new("puzzle", arrow::datatypes::DataType::Utf8, true);
                arrow::datatypes::Schema::new(vec![field]).into()
            };
            let mut options = Options(options).batch_options(command)?;
            let paths = data.map_or(Ok(None), input::paths)?;
            let schema = match (paths, data) {
                (Some(paths), _) => {
                    options.origin = true;
                    py.detach(|| options.schema_of_files(&paths))
                }
                (None, Some(data)) => options.schema(&*input::schema(data)?),
                (None, None) => options.schema(&puzzle_schema()),
            };
            schema.map_err(|error| exception(py, &error))?
        }
    };
    let find_doc = |name: &str| match table {
        "rejects" => doc_of(&REJECT_COLUMNS, name),
        "failures" => doc_of(&FAILURE_COLUMNS, name),
        _ => doc_of(&COLUMNS, name),
    };
    let docs = schema
        .fields()
        .iter()
        .map(|field| find_doc(field.name()).unwrap_or_default().to_owned());
    let docs = docs.collect();
    Ok((Schema(schema), docs))
}

/// The documentation of the last of the columns that has this name.
fn doc_of<'a, Row, Group>(columns: &'a [Column<Row, Group>], name: &str) -> Option<&'a str> {
    let column = columns.iter().rev().find(|column| column.name == name);
    column.map(|column| column.doc.as_str())
}

/// Generates puzzles, as a stream.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    count: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Stream> {
    let options = Options(options);
    let seed = options
        .whole_number("seed", 0, u64::MAX)?
        .unwrap_or_default();
    let attempts = options
        .number("max_attempts", 1, u32::MAX)?
        .unwrap_or(10_000);
    let skip = options
        .whole_number("skip", 0, u64::MAX)?
        .unwrap_or_default();
    // Without a count, the series continues as long as it is read.
    let count = if count.is_none() {
        u64::MAX - skip
    } else {
        whole_number(count, "count", 0, u64::MAX)?
    };
    let maker = MakerOptions {
        seed,
        technique: options.get("technique")?,
        level: options.parse_with("level", level)?,
        se: options.parse("se")?,
        hodoku: hodoku_target(&options)?,
        mix: options.parse("mix")?,
        clues: options.number("clues", 1, 625)?,
        size: (options.whole_number("size", 4, 25)?).map_or(9, |size| size as usize),
        symmetry: options
            .parse_with("symmetry", |id| {
                Symmetry::from_id(id)
                    .ok_or_else(|| must_be_one_of(&Symmetry::ALL.map(Symmetry::id)))
            })?
            .unwrap_or(Symmetry::None),
        minimal: options.get("minimal")?.unwrap_or_default(),
        solutions: options.number("solutions", 1, 1_000_000)?.unwrap_or(1),
        max_attempts: attempts,
    };
    let kernel = Kernel::from_env().map_err(|error| exception(py, &error.into()))?;
    let (from, pattern) = (
        options.get::<String>("from_")?,
        options.get::<String>("pattern")?,
    );
    if from.is_some() && pattern.is_some() {
        return Err(usage(py, "from_ and pattern cannot be used together"));
    }
    let start_grids = py.detach(|| read_starts(from, pattern, count, kernel));
    let start_grids = start_grids.map_err(|error| exception(py, &error))?;
    let numbers = match &start_grids {
        Some(start_grids) if !start_grids.is_endless() => 0..start_grids.count(),
        _ => MakerOptions::numbers(skip, count).map_err(|error| exception(py, &error.into()))?,
    };
    let puzzle_count = numbers.end - numbers.start;
    let series = Series {
        maker: maker
            .maker()
            .map_err(|error| exception(py, &error.into()))?,
        starts: start_grids,
        numbers,
        threads: options.threads()?,
        kernel,
        stop: std::sync::Arc::default(),
    };
    let stream = py.detach(|| {
        BatchStream::generate(series, move |missing, found| {
            let error = GenerateError::AttemptsExhausted {
                wanted: puzzle_count,
                tried: missing.tried,
                found,
                first: missing.first.unwrap_or_default(),
                seed,
                attempts,
                kept: "those that were found have been given out".to_owned(),
            };
            error.into()
        })
    });
    let stream = stream.map_err(|error| exception(py, &error))?;
    Ok(Stream::new(stream))
}

/// The level with this id. The error is a message.
fn level(id: &str) -> Result<Level, String> {
    Level::from_id(id).ok_or_else(|| must_be_one_of(&Level::ALL.map(Level::id)))
}

fn must_be_one_of(ids: &[&str]) -> String {
    format!("must be one of {}", ids.join(", "))
}

/// The requested level or score of HoDoKu; `None` if there is none.
fn hodoku_target(options: &Options<'_, '_>) -> PyResult<Option<HodokuTarget>> {
    let level = options.parse_with("hodoku_level", level)?;
    let score = options.parse("hodoku_score")?;
    let version = options.parse("hodoku_version")?;
    if version.is_some() && level.is_none() && score.is_none() {
        let message =
            "hodoku_version= is the version of a rating: give hodoku_level= or hodoku_score= too";
        return Err(usage(options.py(), message));
    }
    Ok((level.is_some() || score.is_some()).then(|| HodokuTarget {
        version: version.unwrap_or_default(),
        level,
        score,
    }))
}

/// The grids or patterns to make puzzles from; `None` for random grids.
fn read_starts(
    from: Option<String>,
    pattern: Option<String>,
    count: u64,
    kernel: Kernel,
) -> Result<Option<Starts>, Error> {
    match (from, pattern) {
        (Some(file), _) => {
            let options = StartsOptions {
                paths: &[file],
                read: &ReadOptions::default(),
                kernel,
                stop: std::sync::Arc::default(),
            };
            Starts::grids(&options, count).map(Some)
        }
        (None, Some(pattern)) if std::path::Path::new(&pattern).is_file() => {
            Starts::patterns(&pattern, count).map(Some)
        }
        (None, Some(pattern)) => Starts::pattern(&pattern).map(Some),
        (None, None) => Ok(None),
    }
}

/// The steps that solve a puzzle, or the manual page of a technique, as text, HTML or JSON.
#[pyfunction]
pub(crate) fn explain(
    py: Python<'_>,
    puzzle: Option<&str>,
    technique: Option<&str>,
    rating: Option<&str>,
    hodoku_version: Option<&str>,
    format: &str,
    brief: bool,
) -> PyResult<String> {
    let version = match (hodoku_version.map(str::parse).transpose(), rating) {
        (Err(message), _) => return Err(usage(py, &format!("hodoku_version= {message}"))),
        (Ok(Some(_)), other) if other != Some("hodoku") => {
            let message = "hodoku_version= is the version of a rating: give rating=\"hodoku\" too";
            return Err(usage(py, message));
        }
        (Ok(version), _) => version.unwrap_or_default(),
    };
    let (puzzle, technique) = (puzzle.map(str::to_owned), technique.map(str::to_owned));
    let (rating, format) = (rating.map(str::to_owned), format.to_owned());
    let explanation_text = interruptible(py, true, move || {
        explanation(
            puzzle.as_deref(),
            technique.as_deref(),
            rating.as_deref().map(|rating| (rating, version)),
            &format,
            brief,
        )
    })?;
    explanation_text.map_err(|error| match error {
        ExplainFailure::Failed(error) => exception(py, &error),
        ExplainFailure::Usage(message) => usage(py, &message),
    })
}

/// The limits for explaining a rating. They are never reached, because the user can interrupt the call.
const WITHOUT_LIMIT: RatingLimits = RatingLimits {
    highest: Rating::HIGHEST,
    work: u64::MAX,
};

/// The reason why an explanation fails.
enum ExplainFailure {
    Failed(Error),
    Usage(String),
}

impl From<ExplainError> for ExplainFailure {
    fn from(error: ExplainError) -> ExplainFailure {
        ExplainFailure::Failed(error.into())
    }
}

fn explanation(
    puzzle: Option<&str>,
    technique: Option<&str>,
    rating: Option<(&str, HodokuVersion)>,
    format: &str,
    brief: bool,
) -> Result<String, ExplainFailure> {
    if !["text", "html", "json"].contains(&format) {
        let message = format!("format={format:?}: must be \"text\", \"html\" or \"json\"");
        return Err(ExplainFailure::Usage(message));
    }
    let explanation = match (puzzle, technique) {
        (Some(puzzle), None) if rating.is_some() => match rating {
            Some(("se", _)) => Explanation::from_rating(puzzle.as_bytes(), WITHOUT_LIMIT)?,
            Some(("hodoku", version)) => Explanation::from_hodoku(puzzle.as_bytes(), version)?,
            _ => {
                let message = "rating= must be \"se\" or \"hodoku\"";
                return Err(ExplainFailure::Usage(message.to_owned()));
            }
        },
        (Some(puzzle), None) => Explanation::from_text(puzzle.as_bytes())?,
        (None, Some(id)) => Explanation::of_technique(id).ok_or_else(|| {
            ExplainFailure::Usage(MakerError::UnknownTechnique(id.to_owned()).to_string())
        })?,
        _ => {
            let message = "explain a puzzle or a technique: one of them";
            return Err(ExplainFailure::Usage(message.to_owned()));
        }
    };
    Ok(match format {
        "json" => explanation_json(&explanation).to_string(),
        "html" => explanation.html(),
        _ => explanation.text(TextOptions {
            brief,
            ..TextOptions::default()
        }),
    })
}

/// Runs the command line and returns its exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| sudoku_pipeline::cli::main(arguments))
}

/// The results of an audit, whose texts are made when they are wanted.
#[pyclass(frozen, module = "sudoku_pipeline._native")]
pub(crate) struct AuditTexts(CalledAudit);

#[pymethods]
impl AuditTexts {
    /// The dataset card, the charts as SVG, and the page as HTML.
    fn make(&self, py: Python<'_>) -> PyResult<(String, String, String)> {
        let texts = py.detach(|| self.0.texts());
        let texts = texts.map_err(|error| exception(py, &error))?;
        Ok((texts.card, texts.picture, texts.page))
    }
}

/// What the command line would print, which is made when it is wanted.
#[pyclass(frozen, module = "sudoku_pipeline._native")]
pub(crate) struct Printed(sudoku_pipeline::cli::Printed);

#[pymethods]
impl Printed {
    /// Makes the text.
    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.text())
    }
}

/// The text that a called command prints, its warnings, its summary as JSON, and the results of an audit.
type CallResult = (Printed, Vec<String>, Option<String>, Option<AuditTexts>);

/// Runs a command over datasets in this process, and returns what the command line would print, its warnings, its summary,
/// and the results of an audit. `words` are its options and inputs, and `folder` is that of temporary inputs and of the outputs. With `on_caller`, it runs on this thread, which then
/// handles no signal.
#[pyfunction]
#[pyo3(signature = (command, words, folder, logs, on_caller=false))]
pub(crate) fn call(
    py: Python<'_>,
    command: String,
    words: Vec<String>,
    folder: PathBuf,
    logs: bool,
    on_caller: bool,
) -> PyResult<CallResult> {
    let stop = Arc::new(AtomicUsize::new(0));
    let call = Call {
        command,
        words,
        folder,
        logs,
        stop: Arc::clone(&stop),
        on_caller,
    };
    let run = move || sudoku_pipeline::cli::call(call);
    let result = if on_caller {
        py.detach(run)
    } else {
        until_stopped(py, &stop, run)?
    };
    let said = result.map_err(|error| from_exit_code(py, &error.message, error.exit_code))?;
    let printed = Printed(said.printed);
    let audit = said.audit.map(AuditTexts);
    Ok((printed, said.warnings, said.summary, audit))
}
