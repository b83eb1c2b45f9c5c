//! Runs the solvers of `compare` on the puzzles of a run.

use arrow::datatypes::FieldRef;
use clap::ValueEnum;
use sudoku_core::solve::{Kernel, Limits, Method};
use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::{CompareOutput, Compared, Comparison, Contender, Inputs};
use sudoku_pipeline::options::LABEL;
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::table::layout::Layout;
use sudoku_pipeline::write::{FileOutput, TableWriter};

use crate::cli::error::CommandError;

/// The format of the summary of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SummaryFormat {
    /// Tables for a terminal
    Text,
    /// One JSON object
    Json,
}

/// The solvers of `compare`, with the options for running them and for reporting the results.
pub(crate) struct CompareWork {
    pub(crate) methods: Vec<Method>,
    pub(crate) limits: Limits,
    pub(crate) repeat: u32,
    pub(crate) label: Option<String>,
    pub(crate) parallel_runs: usize,
    pub(crate) format: SummaryFormat,
}

impl CompareWork {
    /// Opens the output, and starts the thread that runs the solvers. `runs` is the table of the solvers' runs.
    pub(crate) fn open(
        &self,
        runs: TableWriter,
        rejects: FileOutput,
        layout: &Layout,
        inputs: &Inputs,
        kernel: Kernel,
        allow_empty: bool,
    ) -> Result<(CompareOutput, Compared), CommandError> {
        let sources = inputs.own.iter().map(|input| display_name(&input.job.path));
        let sources: Vec<String> = sources.collect();
        let label = self.label_column(&inputs.catalog.carried, &sources)?;
        let methods = self.methods.iter();
        let comparison = Comparison {
            contenders: methods
                .map(|method| Contender::new(*method, kernel))
                .collect(),
            limits: self.limits,
            repeat: self.repeat,
            kernel,
            threads: self.parallel_runs,
            allow_empty,
        };
        let format = self.format;
        let opened = CompareOutput::start(
            comparison,
            runs,
            rejects,
            layout.schema(),
            label,
            sources,
            move |tables| {
                let text = match format {
                    SummaryFormat::Json => format!("{:#}\n", tables.json()),
                    SummaryFormat::Text => tables.text(),
                };
                text.into_bytes()
            },
        );
        Ok(opened?)
    }

    /// The index of the column with labels; `None` if the options name no such column.
    fn label_column(
        &self,
        carried: &[FieldRef],
        sources: &[String],
    ) -> Result<Option<usize>, CommandError> {
        /// The number of columns that precede the columns of the input: `source` and `row`.
        const BEFORE: usize = 2;
        let Some(name) = &self.label else {
            return Ok(None);
        };
        let mut names = carried.iter().map(|field| field.name());
        match names.position(|own| own.eq_ignore_ascii_case(name)) {
            Some(at) => Ok(Some(BEFORE + at)),
            None => Err(Error::NoColumn {
                source_name: sources.join(", "),
                wanted: format!("column {name}"),
                columns: carried.iter().map(|field| field.name().clone()).collect(),
                option: LABEL,
            }
            .into()),
        }
    }
}
