//! Selects the columns of a columnar file that are read, orders them as in a batch, and converts them.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use arrow::array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use arrow::error::ArrowError;

use super::cells_in_columns::{cell_columns, join_cells};
use super::json_texts::json_texts;
use super::named::{ColumnPath, NamedColumns, values};
use super::parser::ColumnParser;
use super::text_type::{json_or_text_type, plain_values, text_type};
use super::unpack::{refuse_unreadable, unpack, unpacked_type};
use crate::carry::field_names::first_renamed;
use crate::carry::logical;
use crate::error::Error;
use crate::read::cell_columns::CellColumns;
use crate::read::columns::{Columns, choose, column_hint};
use crate::read::grids::{self, NumberSymbols};
use crate::read::{BatchSource, ColumnChunk, ColumnInfo, Detection, Input, InputInfo, ReadOptions};
use crate::store::display_name;

/// The columns that are chosen from an input: their roles, their order in batches, and their parser.
pub(crate) struct ChosenColumns {
    pub(crate) layout: ColumnLayout,
    /// The role of each column of the input.
    pub(crate) columns: Vec<ColumnInfo>,
    pub(crate) parser: ColumnParser,
    /// What the log says about columns that are not read as they are stored.
    notes: Vec<String>,
}

impl ChosenColumns {
    /// Assigns roles to the columns of an input. `name` is the input's name in messages.
    ///
    /// # Errors
    /// There is no puzzle column, or a requested column is missing or cannot be read.
    pub(crate) fn from_fields(
        name: &str,
        fields: &Fields,
        options: &ReadOptions,
    ) -> Result<ChosenColumns, Error> {
        let named_columns = NamedColumns::new(fields, options);
        if let Some(cells) = cell_columns(&named_columns, options) {
            return ChosenColumns::from_cells(name, &named_columns, &cells, options);
        }
        let columns = choose(name, &named_columns.names, options, &|at| {
            options.puzzle_as_json || text_type(named_columns.fields[at].data_type()).is_some()
        })?;
        Ok(ChosenColumns {
            notes: renamed_fields(&columns, &named_columns),
            layout: ColumnLayout::new(name, &columns, &named_columns, options)?,
            columns: columns.roles(&named_columns.names),
            parser: ColumnParser::for_columns(&columns, options.puzzle_as_json),
        })
    }

    /// The columns of a table that has a column for each cell.
    fn from_cells(
        name: &str,
        named_columns: &NamedColumns,
        cells: &CellColumns,
        options: &ReadOptions,
    ) -> Result<ChosenColumns, Error> {
        let options = ReadOptions {
            any_table: true,
            ..options.clone()
        };
        let mut columns = choose(name, &named_columns.names, &options, &|_| false)?;
        columns.solution = None;
        columns.carried.retain(|(at, _)| !cells.contain(*at));
        let mut layout = ColumnLayout::new(name, &columns, named_columns, &options)?;
        layout.add_cells(cells, named_columns);
        Ok(ChosenColumns {
            notes: renamed_fields(&columns, named_columns),
            columns: cells.roles(columns.roles(&named_columns.names)),
            parser: ColumnParser::new(true, cells.solution.is_some()),
            layout,
        })
    }

    /// Creates an [`Input`] with these columns. `why` is the reason why its format was chosen, and `source` makes the
    /// source of its batches.
    pub(super) fn into_input(
        self,
        mut info: InputInfo,
        why: &str,
        bytes_read: Arc<AtomicU64>,
        source: impl FnOnce(ColumnLayout) -> Box<dyn BatchSource>,
    ) -> Input {
        info.has_solutions = self.parser.has_solutions;
        let detection = Detection {
            why: why.to_owned(),
            columns: self.columns,
            hint: column_hint(),
            notes: self.notes,
            ..Detection::default()
        };
        let carried = self.layout.carried().to_vec();
        let parser = Arc::new(self.parser);
        Input::new(
            info,
            detection,
            carried,
            source(self.layout),
            parser,
            bytes_read,
        )
    }
}

/// For each carried struct with two fields of one name, a sentence with the name that the second has in the output.
fn renamed_fields(columns: &Columns, named_columns: &NamedColumns) -> Vec<String> {
    let notes = columns.carried.iter().filter_map(|(at, name)| {
        let stored = named_columns.fields[*at].data_type();
        let (field, renamed) = first_renamed(stored)?;
        Some(format!(
            "column {name} has a struct with two fields {field}: the second is called {renamed}"
        ))
    });
    notes.collect()
}

/// The columns of a file that make up a column of a batch.
#[derive(Clone)]
enum Place {
    /// One column, or a field in it.
    Column(ColumnPath),
    /// The columns with the cells of grids.
    Cells(Vec<ColumnPath>),
}

/// Maps the columns that are read from a file to the columns of a batch.
#[derive(Clone)]
pub(crate) struct ColumnLayout {
    /// The indices of the top-level columns that are read from the file, in ascending order. The decoder returns
    /// columns in this order.
    pub(crate) roots: Vec<usize>,
    /// For each column of a batch, the paths to its values within the columns that are read.
    column_order: Vec<Place>,
    /// The schema of a batch: the puzzle, the solution, and the columns that are copied to the output.
    schema: SchemaRef,
    /// The number of columns with grids: 1 for puzzles, or 2 for puzzles and solutions.
    grid_columns: usize,
    /// The name of the input in messages.
    source_name: String,
    /// The number that stands for an empty cell in grids of numbers; `None` if it is inferred from the first grids.
    token_offset: Option<i16>,
    /// Whether lists and structs in the columns of grids become JSON text.
    grids_as_json: bool,
    /// The inferred numbers that stand for empty cells and for digits in the puzzle column and in the solution column.
    /// They are unset until the first batch.
    inferred_symbols: [Arc<OnceLock<NumberSymbols>>; 2],
    /// The columns of puzzles and solutions whose cells are numbers.
    number_grids: Vec<usize>,
}

impl ColumnLayout {
    pub(super) fn new(
        path: &str,
        columns: &Columns,
        named: &NamedColumns,
        options: &ReadOptions,
    ) -> Result<ColumnLayout, Error> {
        let fields = &named.fields;
        let mut column_paths = Vec::new();
        let mut output_columns = Vec::new();
        let mut number_grids = Vec::new();
        for at in [columns.puzzle, columns.solution].into_iter().flatten() {
            let field = &fields[at];
            let read_as = if options.puzzle_as_json {
                Some(json_or_text_type(field.data_type()))
            } else {
                text_type(field.data_type())
            };
            let read_as = read_as.ok_or_else(|| Error::UnknownFormat {
                source_name: display_name(path),
                what: format!(
                    "column {:?} holds {}; grids are read from columns of text, and from lists of \
                     numbers or of texts",
                    field.name(),
                    field.data_type()
                ),
            })?;
            if grids::has_numbers(field.data_type()) {
                number_grids.push(column_paths.len());
            }
            column_paths.push(&named.column_paths[at]);
            output_columns.push(Arc::new(Field::new(field.name(), read_as, true)));
        }
        let grid_columns = column_paths.len();
        for (at, name) in &columns.carried {
            let field = &fields[*at];
            refuse_unreadable(path, field)?;
            let unpacked = unpacked_type(field.data_type());
            column_paths.push(&named.column_paths[*at]);
            let field = logical::carried_field(field).with_name(name);
            output_columns.push(Arc::new(field.with_data_type(unpacked)));
        }
        let mut root_indices: Vec<usize> = column_paths.iter().map(|place| place.root).collect();
        root_indices.sort_unstable();
        root_indices.dedup();
        let paths = column_paths.iter().map(|place| ColumnPath {
            root: root_indices.partition_point(|other| *other < place.root),
            within: place.within.clone(),
        });
        Ok(ColumnLayout {
            column_order: paths.map(Place::Column).collect(),
            roots: root_indices,
            schema: Arc::new(Schema::new(output_columns)),
            grid_columns,
            source_name: display_name(path),
            token_offset: options.token_offset,
            grids_as_json: options.puzzle_as_json,
            inferred_symbols: Default::default(),
            number_grids,
        })
    }

    /// Adds the columns of puzzles, and of solutions, whose cells are columns of the file.
    fn add_cells(&mut self, cells: &CellColumns, named: &NamedColumns) {
        let grids = [Some(&cells.puzzle), cells.solution.as_ref()];
        let grids: Vec<_> = grids.into_iter().flatten().cloned().collect();
        let cell_roots = grids.iter().cloned().flatten();
        let cell_roots = cell_roots.map(|at| named.column_paths[at].root);
        let mut roots: Vec<usize> = self.roots.iter().copied().chain(cell_roots).collect();
        roots.sort_unstable();
        roots.dedup();
        let new_root = |root: usize| roots.partition_point(|other| *other < root);
        for place in &mut self.column_order {
            if let Place::Column(path) = place {
                path.root = new_root(self.roots[path.root]);
            }
        }
        let places = grids.iter().cloned().map(|columns| {
            let paths = columns.map(|at| {
                let path = &named.column_paths[at];
                ColumnPath {
                    root: new_root(path.root),
                    within: path.within.clone(),
                }
            });
            Place::Cells(paths.collect())
        });
        self.column_order = places
            .chain(std::mem::take(&mut self.column_order))
            .collect();
        let names = ["puzzle", "solution"].into_iter().take(grids.len());
        let fields = names.map(|name| Arc::new(Field::new(name, DataType::Utf8, true)));
        let fields: Vec<FieldRef> = fields.chain(self.schema.fields().iter().cloned()).collect();
        self.schema = Arc::new(Schema::new(fields));
        self.grid_columns = grids.len();
        self.roots = roots;
    }

    /// The columns that are copied to the output.
    pub(crate) fn carried(&self) -> &[FieldRef] {
        &self.schema.fields()[self.grid_columns..]
    }

    /// Whether the numbers that stand for empty cells are known. If not, they are inferred from the next batch, so
    /// batches have to be arranged in the order of their rows.
    pub(crate) fn is_settled(&self) -> bool {
        let mut number_grids = self.number_grids.iter();
        self.token_offset.is_some()
            || number_grids.all(|column| {
                let symbols = self.inferred_symbols.get(*column);
                symbols.is_none_or(|symbols| symbols.get().is_some())
            })
    }

    /// The numbers that stand for empty cells and for digits in this column of puzzles or solutions. They are inferred
    /// from the first batch, unless an option sets them.
    fn symbols(&self, column: usize, grids: &ArrayRef) -> Result<NumberSymbols, ArrowError> {
        if let Some(offset) = self.token_offset {
            return Ok(offset.into());
        }
        let Some(known) = self.inferred_symbols.get(column) else {
            return Ok(0.into());
        };
        if known.get().is_none()
            && let Some(symbols) = grids::inferred_symbols(grids)?
        {
            let symbols = if column == 0 {
                symbols
            } else {
                symbols.for_solutions()
            };
            if known.set(symbols).is_ok()
                && let Some(description) = symbols.description()
            {
                let name = self.schema.field(column).name();
                tracing::info!("{}: in {name}, {description}", self.source_name);
            }
        }
        Ok(known.get().copied().unwrap_or(0.into()))
    }

    pub(crate) fn arrange(&self, batch: &RecordBatch) -> Result<ColumnChunk, ArrowError> {
        let mut unreadable = Vec::new();
        let mut empty = None;
        let columns = self
            .column_order
            .iter()
            .zip(self.schema.fields())
            .enumerate();
        let columns = columns.map(|(to, (place, field))| {
            let place = match place {
                Place::Column(path) => path,
                Place::Cells(paths) => return join_cells(batch, paths),
            };
            let column = batch.columns().get(place.root).ok_or_else(|| {
                ArrowError::SchemaError(format!("column {:?} is missing", field.name()))
            })?;
            let column = &values(column, &place.within)?;
            if to >= self.grid_columns {
                return unpack(column, field.data_type());
            }
            let column = &plain_values(column)?;
            if column.data_type() == field.data_type() {
                return Ok(Arc::clone(column));
            }
            if self.grids_as_json && *field.data_type() == DataType::Utf8 {
                return json_texts(column);
            }
            if grids::may_hold_grids(column.data_type()) {
                let symbols = self.symbols(to, column)?;
                let (texts, reasons) = grids::texts(column, symbols)?;
                if to == 0 {
                    empty = grids::empty_cell(column, symbols)?;
                    unreadable = reasons;
                }
                return Ok(texts);
            }
            cast(column, field.data_type())
        });
        let columns = columns.collect::<Result<_, _>>()?;
        Ok(ColumnChunk {
            columns: RecordBatch::try_new_with_options(
                Arc::clone(&self.schema),
                columns,
                &RecordBatchOptions::new().with_row_count(Some(batch.num_rows())),
            )?,
            unreadable,
            empty,
        })
    }
}
