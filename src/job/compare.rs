//! Runs several solvers on the same puzzles and writes a row for each puzzle and solver.
//!
//! A comparison is timed, so it runs on one thread. The lanes solve many puzzles at once, so they
//! are timed by the batch; every other solver is timed puzzle by puzzle.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{
    ArrayRef, BooleanArray, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt64Array,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::error::Error;
use crate::job::worker::accept;
use crate::read::{self, Carried, Input, ReadOptions};
use crate::report::{ComparisonTables, TimedRun, rule_column};
use crate::table::outcome::Subject;
use sudoku_core::Puzzle;
use sudoku_core::board::Grid;
use sudoku_core::solve::{Kernel, Limits, Method, Rule, Solution, Status, solve_all};

/// Puzzles that are compared at a time: enough to fill the lanes, few enough that their runs fit
/// into memory.
const PUZZLES: usize = 1024;

/// The options of a comparison.
pub struct Comparison {
    /// The solvers.
    pub methods: Vec<Method>,
    /// The limits of a run.
    pub limits: Limits,
    /// How many times each run is timed; the shortest time counts.
    pub repeat: u32,
    /// The carried column that groups the puzzles.
    pub label: Option<String>,
    /// The instruction set that the lanes use.
    pub kernel: Kernel,
}

/// A puzzle of the comparison, with its row and label.
struct LabelledPuzzle {
    row: u64,
    label: Option<String>,
    puzzle: Puzzle,
}

/// The columns of the table of runs.
pub fn runs_schema() -> SchemaRef {
    let mut fields = vec![
        Field::new("source", DataType::Utf8, false),
        Field::new("row", DataType::UInt64, false),
        Field::new("puzzle", DataType::Utf8, false),
        Field::new("label", DataType::Utf8, true),
        Field::new("clues", DataType::UInt16, false),
        Field::new("status", DataType::Utf8, false),
        Field::new("solver", DataType::Utf8, false),
        Field::new("scheme", DataType::Utf8, true),
        Field::new("order", DataType::Utf8, true),
        Field::new("solved", DataType::Boolean, false),
        Field::new("equal", DataType::Boolean, true),
        Field::new("guesses", DataType::UInt64, false),
        Field::new("backtracks", DataType::UInt64, false),
        Field::new("filled", DataType::UInt8, true),
        Field::new("nanoseconds", DataType::UInt64, false),
    ];
    fields.extend(Rule::ALL.map(|rule| Field::new(rule_column(rule), DataType::UInt64, true)));
    Arc::new(Schema::new(fields))
}

impl Comparison {
    /// Reads the inputs, runs every solver on every 9 × 9 puzzle, and hands the rows to `write`.
    ///
    /// # Errors
    /// An input cannot be read, has no column of the label's name, or has no puzzle; or `write` fails.
    pub fn run(
        &self,
        paths: &[String],
        options: &ReadOptions,
        write: &mut dyn FnMut(RecordBatch) -> Result<(), Error>,
    ) -> Result<ComparisonTables, Error> {
        let mut tables = ComparisonTables::new(&self.methods);
        for path in paths {
            let mut input = read::open(path, options)?;
            let source = input.about.source.clone();
            let alphabets = read::alphabets(&mut input, options)?;
            let label = self.label_column(&input)?;
            let mut buffer = Vec::new();
            while let Some(batch) = input.source.next(buffer)? {
                let records = input.parser.parse(&batch)?;
                let labels = label.map(|at| labels(&records.carried, at, records.rows.len()));
                let labels = labels.transpose()?;
                let mut puzzles = Vec::with_capacity(records.rows.len());
                for (at, record) in records.rows.iter().enumerate() {
                    match accept(record, &alphabets) {
                        Ok(Subject::Nine(puzzle)) => puzzles.push(LabelledPuzzle {
                            row: batch.first_row + at as u64,
                            label: labels.as_ref().and_then(|labels| labels[at].clone()),
                            puzzle,
                        }),
                        Ok(Subject::Sized(_)) => tables.other_sizes += 1,
                        Err(_) => tables.rejects += 1,
                    }
                }
                drop(records);
                buffer = batch.into_buffer();
                for puzzles in puzzles.chunks(PUZZLES) {
                    self.compare(&source, puzzles, &mut tables, write)?;
                }
            }
        }
        match tables.puzzles() {
            0 => Err(Error::NothingRead {
                inputs: paths.join(", "),
            }),
            _ => Ok(tables),
        }
    }

    /// The index of the label among the carried columns.
    fn label_column(&self, input: &Input) -> Result<Option<usize>, Error> {
        let Some(name) = &self.label else {
            return Ok(None);
        };
        let mut names = input.carried.iter().map(|field| field.name());
        match names.position(|own| own.eq_ignore_ascii_case(name)) {
            Some(at) => Ok(Some(at)),
            None => Err(Error::NoColumn {
                source_name: input.about.source.clone(),
                wanted: format!("column {name}"),
                columns: { input.carried.iter() }
                    .map(|field| field.name().clone())
                    .collect(),
                flag: "--label",
            }),
        }
    }

    /// Runs every solver on these puzzles.
    fn compare(
        &self,
        source: &str,
        puzzles: &[LabelledPuzzle],
        tables: &mut ComparisonTables,
        write: &mut dyn FnMut(RecordBatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let plain: Vec<&Puzzle> = puzzles.iter().map(|one| &one.puzzle).collect();
        let known = solve_all(self.kernel, &plain, Limits::default());
        let mut runs: Vec<Vec<TimedRun>> = Vec::with_capacity(self.methods.len());
        for method in &self.methods {
            runs.push(self.time(*method, &plain, &known));
        }
        for (at, one) in puzzles.iter().enumerate() {
            let clues = one.puzzle.clues.clue_count();
            tables.add_puzzles(one.label.as_deref(), 1, clues as u64);
            for (method, runs) in self.methods.iter().zip(&runs) {
                tables.add_run(one.label.as_deref(), *method, &runs[at]);
                if runs[at].agrees == Some(false) {
                    let text = String::from_utf8_lossy(one.puzzle.as_bytes()).into_owned();
                    tables.disagreements.push((text, *method));
                }
            }
        }
        write(self.rows(source, puzzles, &known, &runs)?)
    }

    /// Runs one solver on these puzzles and times it.
    fn time(&self, method: Method, puzzles: &[&Puzzle], known: &[Solution]) -> Vec<TimedRun> {
        let solver = method.solver(self.kernel);
        let boards: Vec<_> = puzzles.iter().map(|puzzle| puzzle.board()).collect();
        let at_once = if method == Method::Lanes {
            boards.len()
        } else {
            1
        };
        let mut timed = Vec::with_capacity(boards.len());
        for part in boards.chunks(at_once) {
            let mut runs = Vec::with_capacity(part.len());
            let mut shortest = Duration::MAX;
            for _ in 0..self.repeat {
                runs.clear();
                let start = Instant::now();
                solver.measure(part, self.limits, &mut runs);
                shortest = shortest.min(start.elapsed());
            }
            let time = shortest / part.len() as u32;
            for run in runs {
                let (puzzle, known) = (puzzles[timed.len()], &known[timed.len()]);
                let agrees = agrees(puzzle, known, &run.solution);
                timed.push(TimedRun { run, time, agrees });
            }
        }
        timed
    }

    /// The table of the runs, puzzle by puzzle.
    fn rows(
        &self,
        source: &str,
        puzzles: &[LabelledPuzzle],
        known: &[Solution],
        runs: &[Vec<TimedRun>],
    ) -> Result<RecordBatch, Error> {
        let solvers = self.methods.len();
        let all = || (0..puzzles.len()).flat_map(|at| (0..solvers).map(move |solver| (at, solver)));
        let run = |(at, solver): (usize, usize)| &runs[solver][at];
        let method = |(_, solver): (usize, usize)| self.methods[solver];
        let texts = |value: &dyn Fn((usize, usize)) -> Option<String>| -> ArrayRef {
            Arc::new(all().map(value).collect::<StringArray>())
        };
        let numbers = |value: &dyn Fn((usize, usize)) -> Option<u64>| -> ArrayRef {
            Arc::new(all().map(value).collect::<UInt64Array>())
        };
        let puzzle = |(at, _): (usize, usize)| {
            String::from_utf8_lossy(puzzles[at].puzzle.as_bytes()).into_owned()
        };
        let clues = all().map(|(at, _)| puzzles[at].puzzle.clues.clue_count() as u16);
        let solved = all().map(|key| Some(run(key).run.solution.count > 0));
        let equal = all().map(|key| run(key).agrees);
        let filled = all().map(|key| run(key).run.filled);
        let mut columns: Vec<ArrayRef> = vec![
            texts(&|_| Some(source.to_owned())),
            numbers(&|(at, _)| Some(puzzles[at].row)),
            texts(&|key| Some(puzzle(key))),
            texts(&|(at, _)| puzzles[at].label.clone()),
            Arc::new(clues.collect::<UInt16Array>()),
            texts(&|(at, _)| Some(Status::of(&known[at]).id().to_owned())),
            texts(&|key| Some(method(key).to_string())),
            texts(&|key| method(key).scheme().map(|scheme| scheme.id().to_owned())),
            texts(&|key| method(key).order().map(|order| order.id().to_owned())),
            Arc::new(solved.collect::<BooleanArray>()),
            Arc::new(equal.collect::<BooleanArray>()),
            numbers(&|key| Some(run(key).run.solution.nodes)),
            numbers(&|key| Some(run(key).run.solution.backtracks)),
            Arc::new(filled.collect::<UInt8Array>()),
            numbers(&|key| Some(run(key).time.as_nanos() as u64)),
        ];
        for rule in Rule::ALL {
            columns.push(numbers(&|key| Some(run(key).run.rules?.of(rule))));
        }
        Ok(RecordBatch::try_new(runs_schema(), columns)?)
    }
}

/// Whether a run's result agrees with the known solutions; `None` where the run gave up without a
/// solution.
fn agrees(puzzle: &Puzzle, known: &Solution, found: &Solution) -> Option<bool> {
    let is_solution = |grid: &Grid| grid.is_solution() && puzzle.allows(grid);
    match (&found.first, found.gave_up) {
        (None, true) => None,
        (None, false) => Some(Status::of(known) == Status::None),
        (Some(first), _) => Some(match Status::of(known) {
            Status::Unique => known.first.as_ref() == Some(first) && found.count == 1,
            _ => is_solution(first),
        }),
    }
}

/// The values of a carried column as text.
fn labels(carried: &Carried<'_>, column: usize, rows: usize) -> Result<Vec<Option<String>>, Error> {
    match carried {
        Carried::Text { width, fields, .. } => {
            let label = |row: usize| fields[row * width + column].as_ref();
            Ok((0..rows)
                .map(|row| label(row).map(ToString::to_string))
                .collect())
        }
        Carried::Columns(columns) => {
            let texts = cast(&columns[column], &DataType::Utf8)?;
            let texts = StringArray::from(texts.to_data());
            Ok(texts.iter().map(|text| text.map(str::to_owned)).collect())
        }
    }
}
