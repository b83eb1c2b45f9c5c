//! The full grids or patterns of a file from which puzzles are made, with the other columns of the file.

use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::compute::concat_batches;
use arrow::datatypes::{Field, FieldRef, Schema, SchemaRef, UInt64Type};
use sudoku_core::board::{Cell, CellSet, Grid};
use sudoku_core::generate::{PuzzleStart, SeriesItem, refuse_pattern};
use sudoku_core::solve::{Kernel, Limits, Status};

use super::origin::{grid_row_column, pattern_line_column};
use crate::counts::RejectLimit;
use crate::error::{Error, GenerateError, OptionError};
use crate::job::{Done, Inputs, RunOptions, Source, Stages, Steps, Watch, process};
use crate::options::PATTERN;
use crate::read::ReadOptions;
use crate::store::display_name;
use crate::table::column::{Column, Rows, batch_of};
use crate::table::columns::ColumnGroup;
use crate::table::layout::Layout;
use crate::table::reject::Reject;
use crate::write::{BatchResult, EncodeTask, Output};

/// The options for reading a file of grids or puzzles.
pub struct StartsOptions<'a> {
    /// The paths of files or folders, or patterns for file names.
    pub paths: &'a [String],
    /// The options for reading the files.
    pub read: &'a ReadOptions,
    /// The instruction set of the solver.
    pub kernel: Kernel,
    /// A flag that is set to a signal's number to end reading early.
    pub stop: Arc<AtomicUsize>,
}

/// The full grids or patterns that puzzles are made from. `puzzles_per_start` puzzles are made from each.
#[derive(Clone)]
pub struct Starts {
    puzzle_starts: Vec<PuzzleStart>,
    /// For each grid or pattern, a row with the values of the columns that its puzzles get.
    origin_columns: RecordBatch,
    puzzles_per_start: u64,
}

impl Starts {
    /// The full grids of files, or the solutions of their puzzles. The puzzles made from them get the
    /// column `grid_row` with the row of the grid, and the other columns of the files.
    ///
    /// # Errors
    /// A file cannot be read, or a record is not a 9 × 9 puzzle with exactly one solution.
    pub fn grids(options: &StartsOptions<'_>, puzzles_per_start: u64) -> Result<Starts, Error> {
        let (puzzle_starts, columns) =
            read_unique_puzzles(options, &grid_row_column(), |grids| Ok(grids.solution))?;
        let puzzle_starts = puzzle_starts.into_iter().map(PuzzleStart::Grid).collect();
        Ok(Starts {
            puzzle_starts,
            origin_columns: columns,
            puzzles_per_start,
        })
    }

    /// A pattern of 81 characters, in which `.`, `0`, `-`, `_` and spaces are cells without a clue.
    ///
    /// # Errors
    ///
    /// The text has another length, or no puzzle with this pattern can have exactly one solution.
    pub fn pattern(text: &str) -> Result<Starts, Error> {
        let cells = parse_pattern(text).map_err(|why| {
            let is_name = text.chars().any(char::is_alphabetic) && text.chars().count() != 81;
            OptionError::new(
                PATTERN,
                if is_name {
                    format!("{text} is not a file of patterns, and {why}")
                } else {
                    why
                },
            )
        })?;
        Ok(Starts {
            puzzle_starts: vec![PuzzleStart::Pattern(cells)],
            origin_columns: RecordBatch::new_empty(Arc::new(Schema::empty())),
            puzzles_per_start: u64::MAX,
        })
    }

    /// The patterns of a text file, one per line. The puzzles made from them get the column `pattern_line`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, a line is not a pattern, or no puzzle with a pattern can have
    /// exactly one solution.
    pub fn patterns(path: &str, puzzles_per_start: u64) -> Result<Starts, Error> {
        let text = std::fs::read(path).map_err(|error| Error::Read {
            source_name: path.to_owned(),
            error,
        })?;
        let text = String::from_utf8_lossy(&text);
        let mut starts = Vec::new();
        let mut lines = Vec::new();
        for (line, text) in (1_u64..).zip(text.lines()) {
            if text.trim().is_empty() {
                continue;
            }
            let cells = parse_pattern(text.trim_end_matches(['\r', '\n']))
                .map_err(|why| OptionError::new(PATTERN, format!("{path}, line {line}: {why}")))?;
            starts.push(PuzzleStart::Pattern(cells));
            lines.push(line);
        }
        if starts.is_empty() {
            return Err(OptionError::new(PATTERN, format!("{path} has no pattern")).into());
        }
        Ok(Starts {
            puzzle_starts: starts,
            origin_columns: batch_of(&[pattern_line_column()], Rows::of_inputs(&lines))?,
            puzzles_per_start,
        })
    }

    /// Whether the number of puzzles that are made from each grid or pattern is not limited.
    pub fn is_endless(&self) -> bool {
        self.puzzles_per_start == u64::MAX
    }

    /// The number of puzzles that are made from all grids or patterns together.
    pub fn count(&self) -> u64 {
        self.puzzles_per_start
            .saturating_mul(self.puzzle_starts.len() as u64)
    }

    /// The columns that the puzzles get from the file of their grid or pattern.
    pub fn fields(&self) -> Vec<FieldRef> {
        self.origin_columns.schema().fields().to_vec()
    }

    pub(super) fn columns(&self) -> &RecordBatch {
        &self.origin_columns
    }

    /// The index of the row in `origin_columns` for the puzzle number `n`.
    pub(super) fn row_for_puzzle(&self, n: u64) -> u32 {
        ((n / self.puzzles_per_start.max(1)) as usize)
            .min(self.puzzle_starts.len().saturating_sub(1)) as u32
    }

    /// The grid or pattern for the puzzle number `n`, and the number of the puzzle among those made from the same grid
    /// or pattern.
    pub(super) fn start_for_puzzle(&self, n: u64) -> SeriesItem {
        let start = self.puzzle_starts[self.row_for_puzzle(n) as usize];
        SeriesItem { n, start }
    }
}

/// Parses a pattern. Returns the cells that have clues.
fn parse_pattern(text: &str) -> Result<CellSet, String> {
    let count = text.chars().count();
    if count != 81 {
        return Err(format!(
            "a pattern has 81 characters, one for each cell in row order, and not {count}"
        ));
    }
    let is_clue = |character: char| !['.', '0', '-', '_', ' '].contains(&character);
    let cells = text.chars().zip(Cell::all());
    let cells: CellSet = { cells }
        .filter(|(character, _)| is_clue(*character))
        .map(|(_, cell)| cell)
        .collect();
    refuse_pattern(cells).map_err(|error| error.to_string())?;
    Ok(cells)
}

/// The puzzle of a record, and its only solution.
pub(super) struct RowGrids {
    pub(super) puzzle: Grid,
    pub(super) solution: Grid,
}

/// Reads files of puzzles with exactly one solution into memory. Returns the value of `choose` for each
/// record, and a table with the row numbers in the column `row_column` and the other columns of the files.
pub(super) fn read_unique_puzzles<T>(
    options: &StartsOptions<'_>,
    row_column: &Column<u64>,
    choose: impl Fn(&RowGrids) -> Result<T, String>,
) -> Result<(Vec<T>, RecordBatch), Error> {
    // Grids of other sizes are refused later, so any alphabet can be used here.
    let default_alphabet = || "1-9A-G".parse().ok();
    let read = ReadOptions {
        alphabet: options.read.alphabet.clone().or_else(default_alphabet),
        ..options.read.clone()
    };
    let run_options = RunOptions {
        kernel: options.kernel,
        read,
        max_rejects: Some(RejectLimit::Count(0)),
        ..RunOptions::default()
    };
    let mut steps = CollectSteps::default();
    let source = Source::Paths(options.paths.to_vec());
    let mut done = Done::default();
    let result = process(
        source,
        run_options,
        options.stop.clone(),
        &mut steps,
        &mut done,
    );
    let CollectSteps {
        schema,
        carried_fields,
        batches,
        rejected,
    } = steps;
    if let Some(error) = rejected {
        return Err(error);
    }
    match result {
        Err(Error::EmptyInput { .. } | Error::NothingRead { .. }) => {
            let names: Vec<_> = options
                .paths
                .iter()
                .map(|path| display_name(path))
                .collect();
            let inputs = names.join(", ");
            return Err(GenerateError::NothingToStartFrom { inputs }.into());
        }
        result => result?,
    };
    let batches = batches.lock().unwrap_or_else(PoisonError::into_inner);
    let schema = schema.ok_or_else(|| Error::Internal("a run without columns".to_owned()))?;
    let table = concat_batches(&schema, batches.iter())?;
    let chosen_rows = choose_rows(&table, choose)?;
    Ok((
        chosen_rows,
        origin_columns(&table, &carried_fields, row_column)?,
    ))
}

/// Calls `choose` for each row of a solved table.
fn choose_rows<T>(
    table: &RecordBatch,
    choose: impl Fn(&RowGrids) -> Result<T, String>,
) -> Result<Vec<T>, Error> {
    let text_column = |name: &str| table.column_by_name(name).map(AsArray::as_string::<i32>);
    let columns = ["source", "puzzle", "status", "solution"].map(text_column);
    let [
        Some(sources),
        Some(puzzles),
        Some(statuses),
        Some(solutions),
    ] = columns
    else {
        return Err(Error::Internal("a solved table lacks a column".to_owned()));
    };
    let rows = table.column_by_name("row");
    let rows = rows.map(AsArray::as_primitive::<UInt64Type>);
    (0..table.num_rows())
        .map(|at| {
            let unusable = |why: String| {
                let row = rows.map_or(at as u64, |rows| rows.value(at));
                unusable_row(sources.value(at), row, why)
            };
            let parse_grid = |text: &str| Grid::from_normal_form(text.as_bytes());
            let Some(puzzle) = parse_grid(puzzles.value(at)) else {
                return Err(unusable(
                    "only 9 × 9 puzzles without pencil marks can be used".into(),
                ));
            };
            let solution = Some(statuses.value(at))
                .filter(|status| *status == Status::Unique.id())
                .and_then(|_| parse_grid(solutions.value(at)));
            let Some(solution) = solution else {
                return Err(unusable(format!(
                    "the puzzle must have exactly one solution; its status is {}",
                    statuses.value(at)
                )));
            };
            choose(&RowGrids { puzzle, solution }).map_err(unusable)
        })
        .collect()
}

fn unusable_row(source: &str, row: u64, why: String) -> Error {
    let source_name = source.to_owned();
    GenerateError::UnusableRow {
        source_name,
        row,
        why,
    }
    .into()
}

/// The row numbers and the carried columns of a table.
fn origin_columns(
    table: &RecordBatch,
    carried_fields: &[FieldRef],
    row_column: &Column<u64>,
) -> Result<RecordBatch, Error> {
    let rows = named_column(table, "row")?;
    let rows = Rows::of_inputs(rows.as_primitive::<UInt64Type>().values());
    // The columns after `source` and `row` are in the order of the catalog.
    let first_carried_index = 2;
    let is_name_taken = |name: &str| {
        let mut fields = carried_fields.iter();
        fields.any(|field| field.name().eq_ignore_ascii_case(name))
    };
    let mut row_name = row_column.name.clone();
    while is_name_taken(&row_name) {
        row_name.insert_str(0, "input_");
    }
    let mut fields: Vec<FieldRef> = vec![Arc::new(row_column.field().with_name(row_name))];
    let mut columns = vec![row_column.fill(rows)?];
    for (at, field) in carried_fields.iter().enumerate() {
        let column = table.column(first_carried_index + at).clone();
        let field = Field::clone(field).with_nullable(true);
        fields.push(Arc::new(field.with_data_type(column.data_type().clone())));
        columns.push(column);
    }
    let schema: SchemaRef = Arc::new(Schema::new(fields));
    Ok(RecordBatch::try_new(schema, columns)?)
}

fn named_column(table: &RecordBatch, name: &str) -> Result<ArrayRef, Error> {
    let column = table.column_by_name(name).cloned();
    column.ok_or_else(|| Error::Internal(format!("a solved table has no column {name}")))
}

/// The steps of a run that solves puzzles and collects their rows in memory.
#[derive(Default)]
struct CollectSteps {
    schema: Option<SchemaRef>,
    carried_fields: Vec<FieldRef>,
    batches: Arc<Mutex<Vec<RecordBatch>>>,
    /// The error for the first record that is rejected; `None` if there is none.
    rejected: Option<Error>,
}

impl Watch for CollectSteps {
    fn rejected(&mut self, source: &str, reject: &Reject) {
        (self.rejected)
            .get_or_insert_with(|| unusable_row(source, reject.row, reject.reason.message.clone()));
    }
}

impl Steps for CollectSteps {
    type Error = Error;

    fn layout(&mut self, inputs: &Inputs) -> Result<Layout, Error> {
        let groups = [
            ColumnGroup::Origin,
            ColumnGroup::Puzzle,
            ColumnGroup::Solution,
        ];
        self.carried_fields.clone_from(&inputs.catalog.carried);
        let layout = Layout::new(&groups, &[], &self.carried_fields);
        self.schema = Some(Arc::clone(layout.schema()));
        Ok(layout)
    }

    fn output(&mut self, _: &mut Inputs, _: &mut Layout) -> Result<Box<dyn Output>, Error> {
        Ok(Box::new(CollectRows(Arc::clone(&self.batches))))
    }

    fn stages(&self) -> Stages {
        Stages {
            solve: Some(Limits::default()),
            ..Stages::default()
        }
    }
}

/// An output that collects the rows of a job in memory.
struct CollectRows(Arc<Mutex<Vec<RecordBatch>>>);

impl Output for CollectRows {
    fn wants_rows(&self) -> bool {
        true
    }

    fn batch(&mut self, _: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        let mut batches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        batches.extend(result.rows.take());
        Ok(Vec::new())
    }

    fn left_behind(&self) -> String {
        "nothing was written".to_owned()
    }
}
