//! The plan of a run over datasets: the arguments of the command, after they have been resolved and checked.

use std::collections::BTreeSet;
use std::path::Path;

use sudoku_core::solve::Kernel;
use sudoku_pipeline::batches::DatasetOptions;
use sudoku_pipeline::counts::RejectLimit;
use sudoku_pipeline::formats::Catalog;
use sudoku_pipeline::job::{RunOptions, Stages};
use sudoku_pipeline::options::{LIMIT, METRICS, OptionError, RESUME, SKIP};
use sudoku_pipeline::table::columns::{ColumnGroup, HODOKU, RATING, requested_columns};
use sudoku_pipeline::table::template::Template;
use sudoku_pipeline::table::view::View;
use sudoku_pipeline::write::{OutputFormat, Table, TableMetadata, names_stdout, writable};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::host;
use crate::cli::options::dataset::DatasetArgs;
use crate::cli::options::input::ReadArgs;
use crate::cli::options::output::WriteArgs;
use crate::cli::options::running::ReportArgs;
use crate::cli::options::solving::LimitArgs;
use crate::cli::run::destination::{Destination, output_name};
use crate::cli::run::memory::{RunMemory, is_in_store, memory_limit, memory_plan};
use crate::cli::run::metadata::metadata;
use crate::cli::run::text_output::{TextKind, TextOutput};
use crate::cli::run::work::Work;
use crate::cli::terminal::progress::ProgressWhen;

/// The plan of a run: the arguments of the command, after they have been resolved and checked.
pub(crate) struct Plan {
    pub(crate) command: &'static str,
    pub(crate) inputs: Vec<String>,
    pub(crate) run: RunOptions,
    pub(crate) max_damaged: RejectLimit,
    pub(crate) stages: Stages,
    pub(crate) groups: Vec<ColumnGroup>,
    pub(crate) requested: Vec<String>,
    pub(crate) view: View,
    pub(crate) destination: Destination,
    pub(crate) metadata: TableMetadata,
    /// The texts that are written beside the tables.
    pub(crate) texts: Vec<TextOutput>,
    /// The label `task` of the metrics; `None` for the name of their file.
    pub(crate) metrics_task: Option<String>,
    pub(crate) progress: ProgressWhen,
    pub(crate) work: Work,
    /// The template for `trace --template`, from which texts are made; otherwise `None`.
    pub(crate) template: Option<Template>,
    /// How columns are named and written, for commands whose output is a dataset like the input; `None` for
    /// other commands.
    pub(crate) dataset: Option<DatasetOptions>,
}

pub(crate) fn plan(
    command: &'static str,
    read: ReadArgs,
    write: Option<WriteArgs>,
    report: ReportArgs,
    stages: Stages,
    groups: Vec<ColumnGroup>,
) -> Result<Plan, CommandError> {
    let limit = memory_limit(report.run.memory_limit)?;
    let memory = RunMemory {
        limit,
        other_output: None,
    };
    plan_within(command, read, write, report, stages, groups, memory)
}

/// Makes the plan of a run, with this memory limit.
pub(crate) fn plan_within(
    command: &'static str,
    read: ReadArgs,
    write: Option<WriteArgs>,
    report: ReportArgs,
    stages: Stages,
    groups: Vec<ColumnGroup>,
    memory: RunMemory<'_>,
) -> Result<Plan, CommandError> {
    let mut metadata = metadata(command, &read, &stages);
    read.selection.describe(&mut metadata);
    let mut view = View::default();
    if let Some(write) = &write {
        view = write.view.view();
        write.view.describe(&mut metadata);
    }
    let mut run = read.run_options();
    let selection = run.selection;
    let in_order = selection.skip > 0 || selection.limit.is_some();
    if in_order && write.as_ref().is_some_and(|write| write.resume) {
        let reason = format!("{SKIP} and {LIMIT} count the records of a whole run");
        return Err(UsageError::not_together(reason, &[RESUME]).into());
    }
    let destination =
        Destination::from_options(write, report.rejects, report.overwrite, read.shard)?;
    let text = |kind| move |path| TextOutput::new(kind, path, report.overwrite);
    let summary = report.summary.map(text(TextKind::Summary));
    match summary.as_ref().map(|summary| &summary.path) {
        Some(None) if destination.is_stdout() => {
            return Err(UsageError::StdoutTwice("table").into());
        }
        Some(Some(path)) => {
            writable(path)?;
        }
        Some(None) | None => {}
    }
    if report.metrics.as_deref().is_some_and(names_stdout) {
        let problem = "a collector reads the metrics from a file: give it a name";
        return Err(OptionError::new(METRICS, problem).with_value("-").into());
    }
    let metrics = report.metrics.map(text(TextKind::Metrics));
    let progress = report.run.progress;
    let longest = read.input.max_record_bytes;
    run.on_caller = host::on_caller();
    run.memory = memory_plan(
        report
            .run
            .threads
            .filter(|_| !run.on_caller)
            .or(run.on_caller.then_some(1)),
        memory.limit,
        longest,
        destination.is_in_store() || memory.other_output.is_some_and(is_in_store),
    )?;
    run.max_rejects = report.max_rejects;
    run.max_wrong = report.max_wrong;
    run.kernel = Kernel::from_env()?;
    let format = destination.format();
    run.read.nested_as_text = format.is_some_and(|format| !format.has_nested());
    Ok(Plan {
        command,
        max_damaged: read.tolerated_damage(),
        inputs: read.input.inputs,
        run: run.with_usual_reject_limit(),
        stages,
        groups,
        requested: Vec::new(),
        view,
        destination,
        metadata,
        texts: summary.into_iter().chain(metrics).collect(),
        metrics_task: report.metrics_task,
        progress,
        work: Work::Rows,
        template: None,
        dataset: None,
    })
}

impl Plan {
    /// The paths of the outputs other than those of the rows and the rejects.
    pub(crate) fn other_paths(&self) -> Vec<&Path> {
        let texts = self.texts.iter().filter_map(|text| text.path.as_deref());
        let table = self.work.table().and_then(|table| table.path.as_deref());
        texts.chain(table).collect()
    }

    /// The text of one of these kinds; `None` if none is requested.
    pub(crate) fn text(&self, kinds: &[TextKind]) -> Option<&TextOutput> {
        self.texts.iter().find(|text| kinds.contains(&text.kind))
    }

    /// The text of one of these kinds, and the path of its file; `None` if none is requested.
    pub(crate) fn text_file(&self, kinds: &[TextKind]) -> Option<(&TextOutput, &Path)> {
        let text = self.text(kinds)?;
        Some((text, text.path.as_deref()?))
    }

    /// Whether the summary goes to standard output.
    pub(crate) fn prints_summary(&self) -> bool {
        self.texts.iter().any(|text| text.path.is_none())
    }

    /// Fails if both this table and the summary go to standard output. `what` is the content of the table.
    pub(crate) fn refuse_beside_summary(
        &self,
        table: &Table,
        what: &'static str,
    ) -> Result<(), UsageError> {
        if table.path.is_none() && self.prints_summary() {
            Err(UsageError::StdoutTwice(what))
        } else {
            Ok(())
        }
    }

    /// The groups of columns in a table for these inputs, and the optional columns that the options request by name.
    pub(crate) fn columns(&self, catalog: &Catalog) -> (Vec<ColumnGroup>, Vec<String>) {
        let mut groups = self.groups.clone();
        if !catalog.has_solutions {
            groups.retain(|group| *group != ColumnGroup::Given);
        }
        let requested = requested_columns(&self.requested, &groups, catalog.has_solutions);
        (groups, requested)
    }

    /// The format of the rows; `None` if no rows are written, or if the command chooses the format of its
    /// parts.
    pub(crate) fn format(&self) -> Option<OutputFormat> {
        match self.work {
            // `compare` writes solver runs instead of rows.
            Work::Compare(_) => None,
            _ => self.destination.format(),
        }
    }

    /// The destination of the rows or pairs, as the user named it; `None` if there is none.
    pub(crate) fn output(&self) -> Option<String> {
        if let Some(folder) = self.work.folder() {
            return Some(output_name(&folder.path));
        }
        match &self.work {
            Work::Overlap { pairs, .. } => {
                let path = pairs.as_ref()?.path.as_deref();
                Some(path.map_or_else(|| "-".to_owned(), output_name))
            }
            _ => self.destination.output(),
        }
    }

    /// Whether a table goes to standard output.
    pub(crate) fn writes_stdout(&self) -> bool {
        let table = self.work.table();
        self.destination.is_stdout() || table.is_some_and(|table| table.path.is_none())
    }

    pub(crate) fn add_limits(&mut self, args: LimitArgs) -> Result<(), CommandError> {
        self.stages.prepare_for(&args.with)?;
        let metadata = &mut self.metadata;
        metadata.add("solution_limit", Some(args.solution_limit));
        metadata.add("node_limit", Some(args.node_limit));
        let is_requested = |rating: &str| args.with.iter().any(|name| name == rating);
        let limits = is_requested(RATING).then_some(self.stages.rating);
        metadata.add("se_max", limits.map(|limits| limits.highest));
        metadata.add("se_work", limits.map(|limits| limits.work));
        let version = is_requested(HODOKU).then_some(self.stages.hodoku);
        metadata.add("hodoku_version", version);
        let names: BTreeSet<&str> = args.with.iter().map(String::as_str).collect();
        let names = Vec::from_iter(names).join(",");
        metadata.add("with", (!names.is_empty()).then_some(names));
        self.requested = args.with;
        Ok(())
    }

    /// Adds the options that all commands have whose output is a dataset like the input.
    pub(crate) fn add_dataset(&mut self, args: &DatasetArgs) {
        self.stages.fix_solutions = args.fix_solutions;
        self.dataset = Some(args.options());
        args.describe(&mut self.metadata);
    }

    /// Whether the run computes ratings.
    pub(crate) fn rates(&self) -> bool {
        self.requested.iter().any(|name| name == RATING)
    }
}
