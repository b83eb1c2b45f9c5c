//! The options for processing record batches, one at a time or as a stream.

use std::sync::Arc;

use arrow::datatypes::{FieldRef, Schema, SchemaRef};
use sudoku_core::rating;

use crate::error::{Error, OptionError};
use crate::formats::Catalog;
use crate::job::{RunOptions, Stages, Task};
use crate::options::WITH;
use crate::read::{ChosenColumns, ColumnInfo, expand, named_columns};
use crate::table::column::schema_of;
use crate::table::columns::{ColumnGroup, requestable, requested_columns};
use crate::table::columns::{FAILURE_COLUMNS, REJECT_COLUMNS};
use crate::table::layout::Layout;
use crate::table::view::View;

/// The options of a `BatchFunction` or `BatchStream`.
#[derive(Clone)]
pub struct BatchOptions {
    /// The task that is run for each record, such as grading its puzzle.
    pub task: Task,
    /// The name of the input, as messages and the rejects table show it.
    pub name: String,
    /// Whether the table has the columns `source` and `row`: the input of each row, and the row's number there.
    pub origin: bool,
    /// Which records are read, and how; limits; threads. A [`BatchFunction`](super::BatchFunction) uses only
    /// `read` and `kernel`.
    ///
    /// If `max_rejects` is `None`, a stream fails if more than half of its records, and more than a few, are rejected.
    /// This limit does not apply if `allow_empty` is set, if the table has rows for rejected records, or if the stream
    /// validates records. `shard` and `keep_going` are for files. Of `memory`, a stream uses only the number of threads.
    pub run: RunOptions,
    /// The optional columns and column groups to compute, by name, as in `--with`.
    pub with: Vec<String>,
    /// The limits for computing Sudoku Explainer ratings. These ratings are computed if `with` contains `se`.
    pub rating: rating::RatingLimits,
    /// The version of HoDoKu whose ratings are computed, if `with` contains `hodoku`.
    pub hodoku: rating::hodoku::HodokuVersion,
    /// For [`Task::Convert`]: the column names, the character of empty cells, and the handling of wrong
    /// solutions.
    pub dataset: DatasetOptions,
    /// Selects the rows and columns of the table that are returned.
    pub view: View,
    /// The destination of records that are not valid puzzles.
    pub rejects: RejectsAs,
}

/// Options of commands whose output is again a dataset of puzzles, such as `convert`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatasetOptions {
    /// Whether the output keeps the names and the order of the input's columns. Otherwise the other columns of the
    /// input come first, then `puzzle` and `solution`.
    pub keeps_names: bool,
    /// The ASCII character that stands for an empty cell.
    pub blank: u8,
    /// Whether given solutions that are wrong are replaced by correct ones.
    pub fix_solutions: bool,
}

impl Default for DatasetOptions {
    fn default() -> DatasetOptions {
        DatasetOptions {
            keeps_names: true,
            blank: b'.',
            fix_solutions: false,
        }
    }
}

impl DatasetOptions {
    /// The columns of the output table, in order, for inputs with the columns `carried_fields` and `names`.
    pub fn layout(
        self,
        groups: &[ColumnGroup],
        requested: &[String],
        carried_fields: &[FieldRef],
        names: &[ColumnInfo],
    ) -> Layout {
        let names = if self.keeps_names { names } else { &[] };
        Layout::like_inputs(groups, requested, carried_fields, names).with_blank(self.blank)
    }
}

/// The destination of records that are not valid puzzles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RejectsAs {
    /// Rejected records become rows of a separate table.
    #[default]
    Table,
    /// Rejects become rows of the output table, at their position in the input and with the `status` `rejected`.
    Rows,
}

impl BatchOptions {
    /// Options for this task, with the defaults of the command line. The name of the input is `arrow`.
    pub fn new(task: Task) -> BatchOptions {
        BatchOptions {
            task,
            name: "arrow".to_owned(),
            origin: false,
            run: RunOptions::default(),
            with: Vec::new(),
            rating: rating::RatingLimits::default(),
            hodoku: rating::hodoku::HodokuVersion::default(),
            dataset: DatasetOptions::default(),
            view: View::default(),
            rejects: RejectsAs::default(),
        }
    }

    /// The schema of the output table for input with this schema.
    ///
    /// # Errors
    /// The schema has no puzzle column, or lacks a column that the options name.
    pub fn schema(&self, input: &Schema) -> Result<SchemaRef, Error> {
        let chosen_columns =
            ChosenColumns::from_fields(&self.name, input.fields(), &self.run.read)?;
        let layout = self.layout(&chosen_columns)?;
        Ok(self.output_schema(&layout))
    }

    /// The schema of the output table for these input files, folders and objects.
    ///
    /// # Errors
    /// Those of [`BatchOptions::schema`], or an input cannot be read.
    pub fn schema_of_files(&self, paths: &[String]) -> Result<SchemaRef, Error> {
        let expanded = expand(paths)?;
        let catalog = Catalog::from_paths(&expanded.inputs, &self.run.read)?;
        Ok(self.output_schema(&self.layout_for_files(&catalog)?))
    }

    /// The schema of the table of rejected records.
    pub fn reject_schema() -> SchemaRef {
        schema_of(&REJECT_COLUMNS)
    }

    /// The columns of the output table, if the input consists of record batches.
    pub(super) fn layout(&self, chosen: &ChosenColumns) -> Result<Layout, Error> {
        let carried_columns = chosen.layout.carried();
        let names = named_columns(&chosen.columns, carried_columns);
        let has_solutions = chosen.parser.has_solutions;
        self.build_layout(carried_columns, &names, has_solutions)
    }

    /// The columns of the output table, if the input consists of files.
    pub(super) fn layout_for_files(&self, catalog: &Catalog) -> Result<Layout, Error> {
        self.build_layout(
            &catalog.carried,
            catalog.names.columns(),
            catalog.has_solutions,
        )
    }

    /// The columns of the output table. `carried_fields` are the input columns that are copied to it.
    fn build_layout(
        &self,
        carried_fields: &[FieldRef],
        names: &[ColumnInfo],
        has_solutions: bool,
    ) -> Result<Layout, Error> {
        let mut groups = self.task.groups();
        let known_columns = requestable(groups.contains(&ColumnGroup::Grade));
        if let Some(unknown) = self
            .with
            .iter()
            .find(|name| !known_columns.contains(&name.as_str()))
        {
            return Err(OptionError::unknown_column(
                WITH,
                unknown,
                &known_columns
                    .into_iter()
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
            )
            .into());
        }
        self.task.stages().prepare_for(&self.with)?;
        groups.retain(|group| match group {
            ColumnGroup::Origin => self.origin,
            ColumnGroup::Given => has_solutions,
            _ => true,
        });
        let requested = requested_columns(&self.with, &groups, has_solutions);
        let layout = match &self.task {
            Task::Convert => (self.dataset).layout(&groups, &requested, carried_fields, names),
            _ => Layout::new(&groups, &requested, carried_fields),
        };
        let layout = layout.with_view(&self.view)?;
        match self.rejects {
            RejectsAs::Table => Ok(layout),
            RejectsAs::Rows if self.writes_failures_only() => Ok(layout),
            RejectsAs::Rows => Ok(layout.with_rejects_in_place()?),
        }
    }

    /// The processing steps that each puzzle goes through, such as solving and grading.
    pub(super) fn stages(&self) -> Stages {
        let mut task_stages = self.task.stages();
        // The options were checked when the layout was made.
        let _ = task_stages.prepare_for(&self.with);
        Stages {
            fix_solutions: self.dataset.fix_solutions && matches!(self.task, Task::Convert),
            rating: self.rating,
            hodoku: self.hodoku,
            ..task_stages
        }
    }

    /// Whether the output has only the records that fail validation.
    pub(super) fn writes_failures_only(&self) -> bool {
        matches!(self.task, Task::Validate { .. })
    }

    pub(super) fn output_schema(&self, layout: &Layout) -> SchemaRef {
        if self.writes_failures_only() {
            schema_of(&FAILURE_COLUMNS)
        } else {
            Arc::clone(layout.schema())
        }
    }
}
