//! Reports the results of a run: logs them, and checks that the dataset satisfies the options, such as `--max`.

use std::time::Instant;

use serde_json::Value;
use sudoku_core::solve::Status;
use sudoku_pipeline::counts::ComparisonTables;
use sudoku_pipeline::counts::{Damage, RejectLimit, Tally, require_valid};
use sudoku_pipeline::error::{Error, ThresholdError};
use sudoku_pipeline::job::{Compared, Done, Kept};
use sudoku_pipeline::numbers::{counted, thousands};
use sudoku_pipeline::options::{
    FIX_SOLUTIONS, FORMAT, LIMIT, MAX, OUTPUT, PUZZLE_COLUMN, REJECTS, SE_MAX, SE_WORK,
    SOLUTION_COLUMN, WHERE,
};
use sudoku_pipeline::read::InputInfo;
use sudoku_pipeline::report::sheets::{evaluation_sheets, terminal};
use sudoku_pipeline::sets::{SharedAudit, SharedFindings};
use sudoku_pipeline::table::outcome::GivenVerdict;
use sudoku_pipeline::write::OutputFormat;

use crate::cli::error::CommandError;
use crate::cli::run::destination::{Destination, output_name};
use crate::cli::run::plan::Plan;
use crate::cli::run::work::Work;
use crate::cli::terminal::rate::rate_text;
use crate::cli::terminal::{levels, width};

/// The number of rejects, or of validation failures, that are printed to standard error if they are not written
/// to a table.
pub(crate) const SHOWN: u64 = 10;

/// Facts about a run that are collected for its reports.
pub(crate) struct Report {
    pub(crate) start: Instant,
    /// Whether the outputs have been checked for conflicts with the inputs. Before this check, the file of the
    /// summary is replaced only if it is a summary.
    pub(crate) outputs_checked: bool,
    /// Whether all inputs have been processed.
    pub(crate) is_complete: bool,
    /// Whether the outputs have been published.
    pub(crate) is_published: bool,
    pub(crate) inputs: Vec<InputInfo>,
    /// The number of all inputs, including those that cannot be opened and those whose parts are kept.
    pub(crate) input_count: u64,
    /// The number of names in folders and patterns that were skipped because they are not names of data.
    pub(crate) skipped_names: u64,
    /// The results of the job.
    pub(crate) done: Done,
    pub(crate) kept: Kept,
    /// The number of records that fail validation.
    pub(crate) failed: u64,
    /// The duplicates and pairs that `dedup`, `split`, `overlap` and `audit` found; `None` for other commands.
    pub(crate) findings: Option<SharedFindings>,
    /// The results of `audit`.
    pub(crate) audit: Option<SharedAudit>,
    /// The results of `compare`.
    pub(crate) compared: Option<Compared>,
}

impl Report {
    pub(crate) fn new(start: Instant) -> Report {
        Report {
            start,
            outputs_checked: false,
            is_complete: false,
            is_published: false,
            inputs: Vec::new(),
            input_count: 0,
            skipped_names: 0,
            done: Done::default(),
            kept: Kept::default(),
            failed: 0,
            findings: None,
            audit: None,
            compared: None,
        }
    }

    /// Stores the results of the job. `failed` is the number of validation failures.
    pub(crate) fn end(&mut self, done: &mut Done, failed: u64) {
        self.done = std::mem::take(done);
        self.failed = failed;
        if let Some(findings) = &self.findings {
            self.done.tally.leave_out(findings.get().left_out);
        }
    }

    /// The counts of the rows of this run, including the parts of earlier runs that it kept.
    pub(crate) fn tally(&self) -> Tally {
        let mut total = self.kept.tally();
        total.merge(&self.done.tally);
        total
    }

    /// The inputs that this run or an earlier one could not read to their end.
    pub(crate) fn damages(&self) -> Vec<Damage> {
        let damages = self.kept.damages().chain(&self.done.damages);
        damages.cloned().collect()
    }

    /// Logs the counts and the results of a complete run.
    pub(crate) fn log(&self, plan: &Plan) {
        let tally = self.tally();
        let new_rows = self.done.tally.rows();
        self.damages().iter().for_each(log_damage);
        log_wrong_solutions(plan, &tally);
        let elapsed_seconds = self.start.elapsed().as_secs_f64();
        let is_validated = matches!(plan.work, Work::Validate { .. });
        tracing::info!(
            command = plan.command,
            rows = tally.rows(),
            written = tally.written(),
            rejects = tally.rejects(),
            filtered = tally.filtered(),
            rows_kept = tally.rows().saturating_sub(new_rows),
            inputs = self.input_count,
            inputs_kept = self.kept.entries.len(),
            inputs_damaged = self.damages().len(),
            output = plan.output(),
            rejects_output = self.rejects_output(plan),
            wall_seconds = elapsed_seconds,
            rows_per_second = new_rows as f64 / elapsed_seconds.max(1e-9),
            "{}",
            self.line(plan, &tally)
        );
        if plan.stages.grade.is_some() && !is_validated {
            levels::log(&tally);
        }
        self.log_pattern(plan);
        if let Some(limit) = plan.run.selection.limit
            && tally.filtered() > 0
            && tally.rows() >= limit
        {
            tracing::info!(
                "{} counts the records that are read, before {} leaves some out",
                LIMIT.taking(&thousands(limit)),
                WHERE
            );
        }
        let findings = self.findings.as_ref().map(SharedFindings::get);
        if let Some(warning) = findings.as_ref().and_then(|found| found.warning.as_ref()) {
            tracing::warn!("{warning}");
        }
        if tally.uncopied() > 0 {
            let uncopied = tally.uncopied();
            tracing::warn!(
                uncopied,
                "{} {} no copies: there are none of grids above 9 × 9, whose rows stay as they are",
                counted(uncopied, "puzzle"),
                if uncopied == 1 { "has" } else { "have" },
            );
        }
        if is_validated {
            if self.failed > SHOWN && plan.work.table().is_none() {
                tracing::warn!(
                    failures = self.failed,
                    "only the first {SHOWN} records that fail are shown: give {} or {} for all {}",
                    OUTPUT.taking("FILE"),
                    FORMAT.set_to("ndjson"),
                    thousands(self.failed)
                );
            }
        } else if tally.rejects() > SHOWN && !plan.destination.keeps_rejects() {
            tracing::warn!(
                rejects = tally.rejects(),
                "only the first {SHOWN} rejects are shown: give {} to keep all {}",
                REJECTS.taking("FILE"),
                thousands(tally.rejects())
            );
        }
    }

    /// Logs the pattern by which readers take a new folder. Many of them refuse a folder with other files than parts.
    fn log_pattern(&self, plan: &Plan) {
        let Destination::Folder(folder) = &plan.destination else {
            return;
        };
        let is_new = self.kept.entries.is_empty() && self.kept.gone_entries.is_empty();
        let is_new = is_new && self.done.tally.rows() > 0;
        if is_new && folder.shard.is_none() && folder.format == OutputFormat::PARQUET {
            let path = folder.path.display().to_string();
            let path = path.trim_end_matches('/');
            tracing::info!(
                "DuckDB reads it as read_parquet('{path}/**/*.parquet', union_by_name=true); docs/operations.md has \
                 other readers"
            );
        }
    }

    /// Logs the likely causes of rejects, even if the run has failed.
    pub(crate) fn log_causes(&self) {
        let tally = self.tally();
        let is_likely = |count| count >= LEAST_FOR_CAUSE || 10 * count >= tally.rows();
        let likely = { tally.reject_causes() }.filter(|(_, count)| is_likely(*count));
        for (cause, count) in likely {
            tracing::warn!(
                cause = cause.id(),
                rejects = count,
                "{} of {} {} rejected for one cause: {}",
                thousands(count),
                counted(tally.rows(), "record"),
                if count == 1 { "is" } else { "are" },
                cause.advice()
            );
        }
    }

    /// Fails if `validate` or `overlap` found more rows than is allowed, if solvers disagree, or if more inputs are
    /// damaged than the options tolerate.
    pub(crate) fn check(&self, plan: &Plan) -> Result<(), CommandError> {
        self.check_findings(plan)?;
        let damaged = self.damages().len() as u64;
        if plan.max_damaged.allows(damaged, self.input_count) {
            return Ok(());
        }
        Err(Error::DamagedInputs {
            damaged,
            inputs: self.input_count,
            limit: plan.max_damaged.to_string(),
        }
        .into())
    }

    fn check_findings(&self, plan: &Plan) -> Result<(), CommandError> {
        if let Some(compared) = &self.compared {
            let agreement = compared.with_tables(ComparisonTables::agreement);
            return Ok(agreement.map_err(Error::from)?);
        }
        match &plan.work {
            Work::Evaluate(work) => work.check(self.done.evaluation.as_deref()),
            Work::Overlap { max: Some(max), .. } => self.overlap(*max),
            Work::Validate { .. } => Ok(require_valid(&self.tally())?),
            _ => Ok(()),
        }
    }

    /// Fails if the second dataset shares more rows with the first dataset than `overlap --max` allows.
    fn overlap(&self, max: RejectLimit) -> Result<(), CommandError> {
        let findings = self.findings.as_ref().map(SharedFindings::get);
        let findings = findings.unwrap_or_default();
        let count = |name: &str| {
            findings
                .counts
                .get(name)
                .and_then(Value::as_u64)
                .unwrap_or(0)
        };
        let (twins, rows) = (count("twins"), count("rows_of_b"));
        if max.allows(twins, rows) {
            return Ok(());
        }
        let threshold = ThresholdError {
            count: twins,
            rows,
            found: "rows of B have a twin in A",
            option: MAX,
            wants: "allows",
            limit: max.to_string(),
            remedy: String::new(),
        };
        Err(Error::from(threshold).into())
    }

    /// Prints how many predictions are correct, unless the table goes to standard output.
    pub(crate) fn print_evaluation(&self, plan: &Plan) -> Result<(), CommandError> {
        match &self.done.evaluation {
            Some(evaluation) if !plan.writes_stdout() && !plan.prints_summary() => {
                let (evaluation, width) = (evaluation.clone(), width());
                crate::cli::print_made(move || terminal(&evaluation_sheets(&evaluation), width))
            }
            _ => Ok(()),
        }
    }

    /// The path of the rejects table, or of the folder of rejects; `None` if no rejects are written.
    pub(crate) fn rejects_output(&self, plan: &Plan) -> Option<String> {
        let has_rejects = self.tally().rejects() > 0;
        match &plan.destination {
            Destination::File { rejects, .. } => {
                let rejects = rejects
                    .as_ref()
                    .filter(|rejects| rejects.always || has_rejects)?;
                let path = rejects.table.path.as_deref();
                path.map(output_name)
            }
            Destination::Folder(folder) => {
                has_rejects.then(|| output_name(&folder.path.join("_rejects")))
            }
        }
    }

    /// The line of the log with the main counts of the run.
    fn line(&self, plan: &Plan, tally: &Tally) -> String {
        let new_rows = self.done.tally.rows();
        let elapsed_seconds = self.start.elapsed().as_secs_f64();
        let rate = rate_text(new_rows as f64 / elapsed_seconds.max(1e-9));
        let in_time = format!("in {elapsed_seconds:.2} s");
        let kept_inputs = self.kept.inputs().unwrap_or(0) as u64;
        let kept_rows = tally.rows().saturating_sub(new_rows);
        let mut text = format!("{}: ", plan.command);
        text += &match (kept_inputs + kept_rows, new_rows) {
            (0, 0) => format!("no rows {in_time}"),
            (0, _) => format!("{} {in_time} ({rate} rows/s)", counted(tally.rows(), "row")),
            (_, 0) => format!("no new rows {in_time}"),
            _ => format!("{} {in_time} ({rate} rows/s)", counted(new_rows, "new row")),
        };
        if kept_inputs == 0 && kept_rows > 0 {
            text += &format!(", {} kept from earlier runs", thousands(kept_rows));
        }
        if kept_inputs > 0 {
            let rows = thousands(kept_rows);
            let inputs = counted(kept_inputs, "input");
            let were = if kept_inputs == 1 { "was" } else { "were" };
            text += &format!(", {rows} kept from {inputs} that {were} done");
        }
        let writes_pairs = matches!(plan.work, Work::Overlap { .. });
        let output = plan.output().map(|output| match output.as_str() {
            "-" => "standard output".to_owned(),
            _ => output,
        });
        let run_count = self.compared.as_ref();
        let run_count = run_count.map(|compared| compared.with_tables(ComparisonTables::runs));
        if let (Some(output), Some(run_count)) = (&output, run_count) {
            text += &format!(", {} runs written to {output}", thousands(run_count));
        } else if let Some(output) = output.filter(|_| !writes_pairs) {
            text += &format!(", {} written to {output}", thousands(tally.written()));
        }
        for status in Status::ALL {
            if tally.status(status) > 0 {
                let solutions = match status {
                    Status::Unique => "with one solution",
                    Status::Multiple => "with several solutions",
                    Status::None => "without a solution",
                    Status::GaveUp => "given up",
                };
                text += &format!(", {} {solutions}", thousands(tally.status(status)));
            }
        }
        let wrong_count = tally.given(GivenVerdict::Wrong);
        if wrong_count > 0 {
            text += &format!(", {} with a wrong solution given", thousands(wrong_count));
        }
        let given: u64 = GivenVerdict::ALL.iter().map(|own| tally.given(*own)).sum();
        let without = (tally.rows() - tally.rejects()).saturating_sub(given);
        if matches!(plan.work, Work::Validate { .. }) && given > 0 && without > 0 {
            text += &format!(", {} without a solution given", thousands(without));
        }
        let fixed = tally.fixed_solutions();
        if !fixed.is_none() {
            let solutions = counted(fixed.replaced, "wrong solution");
            text += &format!(", {solutions} replaced");
        }
        if fixed.removed > 0 {
            text += &format!(" and {} removed", thousands(fixed.removed));
        }
        for (id, count) in tally.ratings().filter(|(_, count)| *count > 0) {
            let outcome_text = match id {
                "above" => &format!("rated above {SE_MAX}"),
                "gave_up" => &format!("not rated within {SE_WORK}"),
                "beyond" => "with no rating at all",
                id => id,
            };
            text += &format!(", {} {outcome_text}", thousands(count));
        }
        if let Some((_, _, short)) = tally.copies().filter(|(_, _, short)| *short > 0) {
            let rows = if short == 1 { "row has" } else { "rows have" };
            text += &format!(", {} {rows} fewer copies", thousands(short));
        }
        if tally.filtered() > 0 {
            text += &format!(", {} filtered out", thousands(tally.filtered()));
        }
        if let Some(findings) = &self.findings {
            for (count, outcome_text) in &findings.get().says {
                text += &format!(", {} {outcome_text}", thousands(*count));
            }
        }
        if let Some(output) = plan.output().filter(|_| writes_pairs) {
            text += &format!(", pairs written to {output}");
        }
        text += &format!(", {} rejected", thousands(tally.rejects()));
        if tally.rejects() > 0
            && let Some(rejects) = self.rejects_output(plan)
        {
            text += &format!(" (see {rejects})");
        }
        let damaged = self.damages().len();
        if damaged > 0 {
            let their = if damaged == 1 { "its" } else { "their" };
            let inputs = counted(damaged as u64, "input");
            text += &format!(", {inputs} not read to {their} end");
        }
        if let Work::Validate {
            failures: Some(table),
        } = &plan.work
            && let Some(path) = &table.path
        {
            let count = thousands(self.failed);
            text += &format!(", {count} that fail written to {}", output_name(path));
        }
        text
    }
}

/// The fewest rejects from which a common cause is concluded, unless they are a tenth of the records.
const LEAST_FOR_CAUSE: u64 = 3;

/// Warns that given solutions are wrong, and says what mends them. What validates, judges or removes them says so itself.
fn log_wrong_solutions(plan: &Plan, tally: &Tally) {
    let wrong = tally.given(GivenVerdict::Wrong);
    if tally.seem_swapped() {
        tracing::warn!(
            wrong,
            "no puzzle has an empty cell, and no given solution is right: are the two columns swapped? {PUZZLE_COLUMN} and \
             {SOLUTION_COLUMN} name them"
        );
        return;
    }
    let says_itself = matches!(plan.command, "audit" | "evaluate" | "overlap" | "trace");
    if wrong == 0 || says_itself || matches!(plan.work, Work::Validate { .. }) {
        return;
    }
    let stays = match plan.command {
        "dedup" => {
            "; the first row of each class stays, also if its solution is wrong and that of a later row is right"
        }
        _ => "",
    };
    tracing::warn!(
        wrong,
        "{} wrong: validate lists wrong solutions, {FIX_SOLUTIONS} of convert, dedup, split and augment replaces them, \
         and audit removes their rows{stays}",
        match wrong {
            1 => "1 given solution is".to_owned(),
            wrong => format!("{} given solutions are", thousands(wrong)),
        }
    );
}

/// Logs what is lost of a damaged input.
fn log_damage(damage: &Damage) {
    let dropped = || {
        let bytes = counted(damage.bytes_dropped, "byte");
        format!("{bytes} that were read of a record or record batch that was cut")
    };
    let rows = damage.rows_lost.map(|rows| counted(rows, "row"));
    let unread = match damage.stored_bytes_unread {
        None => Some("an unknown number of bytes of the file".to_owned()),
        // All bytes of the file were read. If a record is cut at their end, the file has lost its rest.
        Some(0) if damage.bytes_dropped == 0 || rows.is_some() => None,
        Some(0) => Some("the rest of the file, whose size is unknown".to_owned()),
        Some(unread) => Some(format!("{} of the file", counted(unread, "byte"))),
    };
    let losses = if damage.nothing_read {
        vec!["all of it, not one record was read".to_owned()]
    } else {
        let cut = (damage.bytes_dropped > 0).then(dropped);
        rows.into_iter().chain(unread).chain(cut).collect()
    };
    let message = &damage.message;
    let lost = if losses.is_empty() {
        String::new()
    } else {
        format!("; lost: {}", losses.join(", and "))
    };
    tracing::warn!(
        source = damage.source,
        stored_bytes_unread = damage.stored_bytes_unread,
        bytes_dropped = damage.bytes_dropped,
        rows_lost = damage.rows_lost,
        rows_lost_at_least = damage.rows_lost_at_least(),
        nothing_read = damage.nothing_read,
        "damaged: {message}{lost}"
    );
}
