//! Runs several solvers on the same puzzles and writes a row for each puzzle and solver.
//!
//! The lanes solve many puzzles at once, so they are timed by the batch; every other solver is timed
//! puzzle by puzzle. With several threads each run is still one thread's, but those that run beside it
//! share the caches, the memory and perhaps the core with it: times are longer then, and counts the same.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{
    ArrayRef, BooleanArray, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt64Array,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, SchemaRef};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::error::{ComparisonError, Error};
use crate::job::empty_check::{EmptyCheck, Recognised};
use crate::job::pool::worker_pool;
use crate::job::worker::{accept, reject};
use crate::read::{self, Carried, Input, ReadOptions};
use crate::report::{ComparisonTables, TimedRun, rule_column};
use crate::table::described::{self, DescribedColumn};
use crate::table::outcome::Subject;
use sudoku_core::Puzzle;
use sudoku_core::board::Grid;
use sudoku_core::solve::{Kernel, Limits, Method, Rule, Solution, Solver, Status, solve_all};

/// Puzzles that are compared at a time: enough to fill the lanes, few enough that their runs fit
/// into memory.
const PUZZLES: usize = 1024;

/// With several threads, how many shares of a batch each thread gets on average: puzzles differ.
const SHARES_OF_A_THREAD: usize = 4;

/// A solver of a comparison.
pub struct Contender {
    /// The name that it has in the table.
    pub method: Method,
    /// What solves.
    pub solver: Box<dyn Solver>,
}

impl Contender {
    /// A method; the lanes are those of the kernel.
    pub fn new(method: Method, kernel: Kernel) -> Contender {
        Contender {
            method,
            solver: method.solver(kernel),
        }
    }
}

/// The options of a comparison.
pub struct Comparison {
    /// The solvers.
    pub contenders: Vec<Contender>,
    /// The limits of a run.
    pub limits: Limits,
    /// How many times each run is timed; the shortest time counts.
    pub repeat: u32,
    /// The carried column that groups the puzzles.
    pub label: Option<String>,
    /// The instruction set that finds the solutions that runs are compared with.
    pub kernel: Kernel,
    /// How many runs there are at a time. Times are comparable where it is 1.
    pub threads: usize,
    /// Whether inputs without a puzzle are no failure.
    pub allow_empty: bool,
}

/// Where the labels of an input are.
enum Label {
    /// In this carried column.
    Column(usize),
    /// In the name of a folder: all records have the same.
    Same(Option<String>),
}

/// A puzzle of the comparison, with its row and label.
struct LabelledPuzzle {
    row: u64,
    label: Option<String>,
    puzzle: Puzzle,
}

/// The columns of the table of runs.
pub fn run_columns() -> Vec<DescribedColumn> {
    use DataType::{Boolean, UInt8, UInt16, UInt64, Utf8};
    let required = DescribedColumn::required;
    let nullable = DescribedColumn::nullable;
    let mut columns = vec![
        required("source", Utf8, "The input that the puzzle came from."),
        required("row", UInt64, "The record's number in its source, from 0."),
        required(
            "puzzle",
            Utf8,
            "The puzzle, as `pipeline schema grade` says.",
        ),
        nullable(
            "label",
            Utf8,
            "The value of the column that `--label` names.",
        ),
        required("clues", UInt16, "The number of clues."),
        required(
            "status",
            Utf8,
            "How many solutions the puzzle has: `unique`, `multiple` or `none`.",
        ),
        required("solver", Utf8, "The solver, with its settings."),
        nullable(
            "scheme",
            Utf8,
            "The inference rules of a backtracking solver: `none`, `singles`, `pairs` or `triples`.",
        ),
        nullable(
            "order",
            Utf8,
            "The cell in which a backtracking solver guesses: `fixed` or `mrv`.",
        ),
        required("solved", Boolean, "Whether the solver found a solution."),
        nullable(
            "equal",
            Boolean,
            "Whether the result is right; null if the solver gave up without a solution.",
        ),
        required("guesses", UInt64, "The guesses of the run."),
        required(
            "backtracks",
            UInt64,
            "How often the search returned to the alternative of a guess.",
        ),
        nullable(
            "filled",
            UInt8,
            "The most cells that were filled at a time; null if the solver does not count them.",
        ),
        required(
            "nanoseconds",
            UInt64,
            "The time of the run, the shortest of `--repeat`. `lanes` solves puzzles together: their \
             share of the time.",
        ),
    ];
    columns.extend(Rule::ALL.map(|rule| {
        let doc = format!(
            "The uses of the inference rule `{}`; null if the solver does not count them.",
            rule.id()
        );
        DescribedColumn::nullable(&rule_column(rule), UInt64, doc)
    }));
    columns
}

/// The schema of the table of runs.
pub fn runs_schema() -> SchemaRef {
    described::schema(&run_columns())
}

impl Comparison {
    /// Reads the inputs, runs every solver on every 9 × 9 puzzle, and hands the rows to `write`.
    ///
    /// # Errors
    /// An input cannot be read, has no column of the label's name, or has no puzzle; or `write` fails; or
    /// no puzzle is 9 × 9. That solvers disagree is said by [`ComparisonTables::agreement`].
    pub fn run(
        &self,
        paths: &[String],
        options: &ReadOptions,
        write: &mut dyn FnMut(RecordBatch) -> Result<(), Error>,
    ) -> Result<ComparisonTables, Error> {
        let methods: Vec<Method> = { self.contenders.iter() }.map(|one| one.method).collect();
        let mut tables = ComparisonTables::new(&methods);
        let threads = worker_pool(self.threads)?;
        let mut empty = EmptyCheck::new(false, false);
        for path in paths {
            empty.begin_input();
            let mut input = read::open(path, options)?;
            let source = input.info.source.clone();
            let alphabets = read::alphabets(&mut input, options)?;
            let label = self.label_column(&input)?;
            let mut buffer = Vec::new();
            while let Some(batch) = input.source.next(buffer)? {
                let records = input.parser.parse(&batch)?;
                let rows = records.rows.len();
                let labels = match &label {
                    None => None,
                    Some(Label::Column(at)) => Some(labels(&records.carried, *at, rows)?),
                    Some(Label::Same(value)) => Some(vec![value.clone(); rows]),
                };
                let mut puzzles = Vec::with_capacity(records.rows.len());
                let (mut rejected, mut first) = (0, None);
                for (at, record) in records.rows.iter().enumerate() {
                    let row = batch.first_row + at as u64;
                    match accept(record, &alphabets) {
                        Ok(Subject::Nine(puzzle)) => puzzles.push(LabelledPuzzle {
                            row,
                            label: labels.as_ref().and_then(|labels| labels[at].clone()),
                            puzzle,
                        }),
                        Ok(Subject::Sized(_)) => tables.other_sizes += 1,
                        Err(reason) => {
                            rejected += 1;
                            first.get_or_insert_with(|| reject(row, record, reason));
                        }
                    }
                }
                tables.rejects += rejected;
                empty.count(records.rows.len() as u64, rejected, first.as_ref());
                drop(records);
                buffer = batch.into_buffer();
                for puzzles in puzzles.chunks(PUZZLES) {
                    self.compare(&source, puzzles, &threads, &mut tables, write)?;
                }
            }
            let recognised = Recognised {
                format: input.info.format,
                detection: input.detection,
            };
            if !self.allow_empty {
                empty.end_input(&source, &recognised)?;
            }
        }
        let inputs = paths.join(", ");
        match (tables.puzzles(), tables.other_sizes) {
            _ if self.allow_empty => Ok(tables),
            (0, 0) => Err(Error::NothingRead { inputs }),
            (0, puzzles) => Err(ComparisonError::OtherSizes { inputs, puzzles }.into()),
            _ => Ok(tables),
        }
    }

    /// Where the labels of an input are.
    fn label_column(&self, input: &Input) -> Result<Option<Label>, Error> {
        let Some(name) = &self.label else {
            return Ok(None);
        };
        let mut names = input.carried.iter().map(|field| field.name());
        if let Some(at) = names.position(|own| own.eq_ignore_ascii_case(name)) {
            return Ok(Some(Label::Column(at)));
        }
        match input.folders.iter().find(|folder| folder.is_called(name)) {
            Some(folder) => Ok(Some(Label::Same(folder.value.clone()))),
            None => Err(Error::NoColumn {
                source_name: input.info.source.clone(),
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
        threads: &ThreadPool,
        tables: &mut ComparisonTables,
        write: &mut dyn FnMut(RecordBatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let plain: Vec<&Puzzle> = puzzles.iter().map(|one| &one.puzzle).collect();
        let known = solve_all(self.kernel, &plain, Limits::default());
        let share = match self.threads {
            ..=1 => plain.len(),
            threads => plain.len().div_ceil(threads * SHARES_OF_A_THREAD),
        };
        let runs: Vec<Vec<TimedRun>> = threads.install(|| {
            let runs = self.contenders.iter().map(|contender| {
                let shares = plain.par_chunks(share).zip(known.par_chunks(share));
                let timed =
                    shares.flat_map_iter(|(puzzles, known)| self.time(contender, puzzles, known));
                timed.collect()
            });
            runs.collect()
        });
        for (at, one) in puzzles.iter().enumerate() {
            let clues = one.puzzle.clues.clue_count();
            tables.add_puzzles(one.label.as_deref(), 1, clues as u64);
            for (contender, runs) in self.contenders.iter().zip(&runs) {
                tables.add_run(one.label.as_deref(), contender.method, &runs[at]);
                if runs[at].agrees == Some(false) {
                    let text = String::from_utf8_lossy(one.puzzle.as_bytes()).into_owned();
                    tables.disagreements.push((text, contender.method));
                }
            }
        }
        write(self.rows(source, puzzles, &known, &runs)?)
    }

    /// Runs one solver on these puzzles and times it.
    fn time(
        &self,
        contender: &Contender,
        puzzles: &[&Puzzle],
        known: &[Solution],
    ) -> Vec<TimedRun> {
        let boards: Vec<_> = puzzles.iter().map(|puzzle| puzzle.board()).collect();
        let at_once = if contender.method == Method::Lanes {
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
                contender.solver.measure(part, self.limits, &mut runs);
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
        let solvers = self.contenders.len();
        let all = || (0..puzzles.len()).flat_map(|at| (0..solvers).map(move |solver| (at, solver)));
        let run = |(at, solver): (usize, usize)| &runs[solver][at];
        let method = |(_, solver): (usize, usize)| self.contenders[solver].method;
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
            columns.push(numbers(&|key| Some(run(key).run.rules?.count(rule))));
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

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_core::board::Candidates;

    /// Finds the same solution whatever the puzzle is.
    struct Liar(Grid);

    impl Solver for Liar {
        fn solve(&self, puzzles: &[Candidates], _: Limits, solutions: &mut Vec<Solution>) {
            solutions.extend(puzzles.iter().map(|_| Solution::without_search(self.0)));
        }
    }

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    /// Its only solution is another one.
    const OTHER: &str =
        "4.258...38.19....57.....6..3..1......2.....5......2..6..8.....92....45.85...193.4";

    fn compare(contenders: Vec<Contender>, threads: usize) -> (ComparisonTables, Vec<RecordBatch>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.txt");
        std::fs::write(&path, format!("{PUZZLE}\n{OTHER}\n").repeat(40)).unwrap();
        let comparison = Comparison {
            contenders,
            limits: Limits {
                solutions: 1,
                nodes: 1000,
            },
            repeat: 1,
            label: None,
            kernel: Kernel::fastest(),
            threads,
            allow_empty: false,
        };
        let mut written = Vec::new();
        let paths = [path.to_str().unwrap().to_owned()];
        let tables = comparison.run(&paths, &ReadOptions::default(), &mut |rows| {
            written.push(rows);
            Ok(())
        });
        (tables.unwrap(), written)
    }

    #[test]
    fn a_solver_that_is_wrong_ends_the_comparison_with_its_puzzle_and_exit_code_3() {
        let kernel = Kernel::fastest();
        let honest = || vec![Contender::new(Method::Lanes, kernel)];
        let (tables, _) = compare(honest(), 1);
        assert_eq!(tables.agreement(), Ok(()));
        let mut contenders = honest();
        contenders.push(Contender {
            method: Method::Templates,
            solver: Box::new(Liar(SOLUTION.parse().unwrap())),
        });
        let (tables, written) = compare(contenders, 1);
        let error = Error::from(tables.agreement().unwrap_err());
        assert_eq!(error.exit_code(), 3);
        let text = error.to_string();
        assert!(text.contains("40 runs"), "{text}");
        assert!(text.contains(&format!("templates on {OTHER}")), "{text}");
        // The table says which runs: the second of every four.
        let equal = written[0].column_by_name("equal").unwrap();
        let equal = equal.as_any().downcast_ref::<BooleanArray>().unwrap();
        let expected = [true, true, true, false].repeat(40);
        assert!(equal.iter().eq(expected.into_iter().map(Some)));
    }

    #[test]
    fn with_several_threads_the_table_has_the_same_rows_but_for_the_times() {
        let kernel = Kernel::fastest();
        let methods: [Method; 3] =
            ["lanes", "backtrack-singles-mrv", "dlx"].map(|name| name.parse().unwrap());
        let contenders = || methods.map(|method| Contender::new(method, kernel)).into();
        // Each comparison reads a file of its own.
        let without_times = |batches: Vec<RecordBatch>| -> Vec<RecordBatch> {
            let others =
                ["source", "nanoseconds"].map(|name| runs_schema().index_of(name).unwrap());
            let columns: Vec<usize> = (0..runs_schema().fields().len())
                .filter(|at| !others.contains(at))
                .collect();
            batches
                .iter()
                .map(|batch| batch.project(&columns).unwrap())
                .collect()
        };
        let (one, several) = (compare(contenders(), 1).1, compare(contenders(), 3).1);
        assert_eq!(one[0].num_rows(), 80 * 3);
        assert_eq!(without_times(one), without_times(several));
    }
}
