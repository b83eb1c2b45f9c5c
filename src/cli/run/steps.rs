//! The steps of a run that are the command's own: what it logs, its columns, its output, and its progress line.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use sudoku_pipeline::error::Error;
use sudoku_pipeline::formats::Catalog;
use sudoku_pipeline::job::{Done, Inputs, Judging, Progress, Stages, Steps, Watch};
use sudoku_pipeline::read::Expanded;
use sudoku_pipeline::table::layout::Layout;
use sudoku_pipeline::table::reject::Reject;
use sudoku_pipeline::table::validation::Failure;
use sudoku_pipeline::write::{FolderTable, Output, OutputFormat, OutputSet, TableFolder};

use super::column_log::{
    has_types, holds_text, log_blank, log_left_out, log_numbers, log_prefixed,
};
use super::destination::Destination;
use super::plan::Plan;
use super::report::{Report, SHOWN};
use super::text_output::{TextKind, TextOutput};
use super::work::Work;
use super::{answers, metrics, open_files, statistics, summary};
use crate::cli::error::CommandError;
use crate::cli::terminal::log::log_failure;
use crate::cli::terminal::progress::{ExpectedEnd, ProgressLine};

/// The steps of a command that processes datasets.
pub(super) struct CommandSteps<'a> {
    plan: &'a Plan,
    pub(super) report: &'a mut Report,
    stop: Arc<AtomicUsize>,
    /// The predictions of `evaluate`; `None` for other commands.
    judging: Option<Judging>,
    /// The folder of a command that writes parts, in the format that the inputs decide.
    parts: Option<TableFolder>,
    /// The progress line; `None` before the job starts.
    pub(super) bar: Option<ProgressLine>,
    /// The number of rejects that have been logged.
    shown: u64,
    /// The number of records that fail validation.
    pub(super) failed: u64,
}

impl<'a> CommandSteps<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        report: &'a mut Report,
        stop: Arc<AtomicUsize>,
    ) -> CommandSteps<'a> {
        CommandSteps {
            plan,
            report,
            stop,
            judging: None,
            parts: None,
            bar: None,
            shown: 0,
            failed: 0,
        }
    }

    /// The format of the rows; `None` if no rows are written.
    fn format(&self) -> Option<OutputFormat> {
        match &self.parts {
            Some(folder) => Some(folder.format),
            None => self.plan.format(),
        }
    }

    /// Whether the command reports the records that fail instead of rows.
    fn is_validated(&self) -> bool {
        matches!(self.plan.work, Work::Validate { .. })
    }
}

impl Watch for CommandSteps<'_> {
    fn progress(&mut self, progress: Progress) {
        let progress = match &self.report.compared {
            Some(compared) => compared.progress(progress),
            None => progress,
        };
        if let Some(bar) = &mut self.bar {
            bar.show(progress);
        }
    }

    fn rejected(&mut self, source: &str, reject: &Reject) {
        let is_kept = self.plan.destination.keeps_rejects();
        if !is_kept && !self.is_validated() && self.shown < SHOWN {
            self.shown += 1;
            log_failure(source, &Failure::from(reject));
        }
    }

    fn failed(&mut self, source: &str, failure: &Failure) {
        self.failed += 1;
        if self.is_validated() && self.plan.work.table().is_none() && self.failed <= SHOWN {
            log_failure(source, failure);
        }
    }

    fn finished(&mut self, done: &mut Done, set: &mut OutputSet) -> Result<(), Error> {
        self.report.end(done, self.failed);
        self.report.is_complete = true;
        if let (Work::Evaluate(work), Some(judging)) = (&self.plan.work, &self.judging) {
            let done = &self.report.done;
            work.check_rows(judging, &done.records)
                .and_then(|()| work.check_puzzles(judging, done.evaluation.as_deref()))
                .map_err(CommandError::into_run)?;
        }
        add_texts(self.plan, self.report, set).map_err(CommandError::into_run)
    }
}

impl Steps for CommandSteps<'_> {
    type Error = CommandError;

    fn skipped(&mut self, expanded: &Expanded) {
        expanded.log_skipped();
        self.report.skipped_names = expanded.skipped_count();
    }

    fn expanded(&mut self, paths: &[String]) -> Result<(), CommandError> {
        let (plan, others) = (self.plan, self.plan.other_paths());
        (plan.destination).refuse_inputs(&others, &plan.inputs, paths)?;
        if let Work::Evaluate(work) = &plan.work {
            let predictions = work.inputs();
            (plan.destination).refuse_inputs(&others, &predictions, &predictions)?;
        }
        self.report.outputs_checked = true;
        Ok(())
    }

    /// Only objects of stores are known: a file is opened faster than it is looked up.
    fn earlier_folder(&self, paths: &[String]) -> Option<FolderTable> {
        match &self.plan.destination {
            Destination::Folder(folder) if paths.iter().any(|path| path.contains("://")) => {
                Some(folder.clone())
            }
            _ => None,
        }
    }

    fn found(&mut self, inputs: &Inputs) -> Result<(), CommandError> {
        let plan = self.plan;
        self.report.input_count = inputs.own.len() as u64;
        if let Work::Evaluate(work) = &plan.work {
            let output = plan.output().filter(|name| name != "-");
            self.judging = Some(work.open(output.as_deref().map(Path::new), inputs, &self.stop)?);
        }
        if let Some(folder) = plan.work.folder() {
            self.parts = Some(folder.resolve(&inputs.infos().collect::<Vec<_>>())?);
        }
        if let Some(summary) = plan.text(&[TextKind::Summary]) {
            TextOutput::check(summary)?;
        }
        for info in inputs.infos() {
            tracing::debug!(
                format = info.format.id,
                compression = info.compression,
                bytes = info.bytes,
                "reading {}",
                info.source
            );
        }
        self.report.inputs = inputs.infos().cloned().collect();
        let keeps_names = plan.dataset.is_some_and(|dataset| dataset.keeps_names);
        if let Some(conflict) = inputs.catalog.names.conflict().filter(|_| keeps_names) {
            tracing::warn!("{conflict}");
        }
        Ok(())
    }

    fn layout(&mut self, inputs: &Inputs) -> Result<Layout, CommandError> {
        let format = self.format();
        let layout = make_layout(self.plan, &inputs.catalog, format)?;
        // The files of an audit have the columns of their inputs.
        if self.plan.command != "audit" {
            log_prefixed(&layout.prefixed_columns(&inputs.catalog.carried));
        }
        if let Some(format) = format {
            log_left_out(format, &layout, inputs);
        }
        Ok(layout)
    }

    fn output(
        &mut self,
        inputs: &mut Inputs,
        layout: &mut Layout,
    ) -> Result<Box<dyn Output>, CommandError> {
        let (plan, format) = (self.plan, self.format());
        let output: Box<dyn Output> = match &plan.destination {
            Destination::Folder(folder) => {
                let folder = FolderTable {
                    group_bytes: plan.run.memory.group_bytes,
                    keep_going: plan.run.keep_going,
                    ..folder.clone()
                };
                let make_layout = |catalog: &Catalog| make_layout(plan, catalog, format);
                let (output, fitted_layout, earlier) =
                    inputs.open_folder(folder, plan.metadata.clone(), &make_layout)?;
                *layout = fitted_layout;
                earlier.log();
                self.report.kept = earlier;
                Box::new(output)
            }
            Destination::File { table, rejects } => {
                let files = (table.as_ref(), rejects.as_ref());
                open_files(
                    plan,
                    files,
                    self.parts.as_ref(),
                    layout,
                    inputs,
                    self.report,
                )?
            }
        };
        if format.is_some_and(has_types) {
            log_numbers(inputs, &plan.run.read, layout);
        }
        if let Some(dataset) = plan.dataset.filter(|_| format.is_some_and(holds_text)) {
            log_blank(inputs, &plan.run.read, dataset.blank);
        }
        let end = ExpectedEnd {
            bytes: inputs.bytes(),
            rows: plan.run.selection.limit,
        };
        let bar = ProgressLine::new(plan.progress, end, plan.writes_stdout());
        self.bar = Some(bar);
        Ok(output)
    }

    fn stages(&self) -> Stages {
        Stages {
            judging: self.judging.clone(),
            ..self.plan.stages.clone()
        }
    }
}

/// Adds the statistics, the metrics and the summary of a complete run to its outputs.
fn add_texts(plan: &Plan, report: &mut Report, set: &mut OutputSet) -> Result<(), CommandError> {
    statistics::add(plan, report, set)?;
    answers::add_answers(plan, report, set)?;
    let result = report.check(plan);
    metrics::add(plan, report, &result, set)?;
    summary::add(plan, report, &result, set)
}

/// The columns of the output for these inputs, as the options select them.
fn make_layout(
    plan: &Plan,
    catalog: &Catalog,
    format: Option<OutputFormat>,
) -> Result<Layout, Error> {
    let (groups, requested) = plan.columns(catalog);
    let layout = match &plan.dataset {
        Some(dataset) => {
            let names = catalog.names.columns();
            dataset.layout(&groups, &requested, &catalog.carried, names)
        }
        None => Layout::new(&groups, &requested, &catalog.carried),
    };
    let layout = match &plan.template {
        Some(template) => layout.with_template(template),
        None => layout,
    };
    let layout = layout.with_view(&plan.view)?;
    match format {
        Some(format) => format.fit_layout(layout, plan.destination.partition_by()),
        None => Ok(layout),
    }
}
