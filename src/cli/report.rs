//! What a run says at its end: the summary, a line for a person, and whether it is good enough.

use std::time::Instant;

use sudoku_core::solve::Status;
use sudoku_core::text::RejectKind;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::read::InputInfo;
use sudoku_pipeline::report::{Damage, Resources, RunFiles, Summary, Tally};
use sudoku_pipeline::table::outcome::GivenVerdict;
use sudoku_pipeline::write::Target;

use super::destination::{Destination, TextDestination};
use super::plan::Plan;
use super::progress::thousands;

/// Rejects shown on standard error where no table keeps them.
pub(super) const SHOWN_REJECTS: u64 = 10;

/// A run that is done.
pub(super) struct Report {
    pub(super) start: Instant,
    /// Rows of this run alone.
    pub(super) new_rows: u64,
    /// The counts, with those of parts that were kept.
    pub(super) tally: Tally,
    pub(super) inputs: Vec<InputInfo>,
    /// Inputs that were done already, where that was asked.
    pub(super) kept: Option<usize>,
    pub(super) damages: Vec<Damage>,
}

impl Report {
    /// Writes the summary, tells a person, and fails where the rows are not what was demanded.
    pub(super) fn tell(self, plan: &Plan) -> Result<(), Error> {
        let rejects_output = self.rejects_output(plan);
        let line = self.line(plan, rejects_output.as_deref());
        let resources = Resources::since(self.start, plan.memory.threads);
        let summary = Summary::new(
            plan.command,
            plan.stages.grade.as_ref(),
            &self.tally,
            self.new_rows,
            resources,
            RunFiles {
                inputs: self.inputs,
                inputs_kept: self.kept,
                damaged: self.damages.clone(),
                output: plan.destination.output(),
                rejects_output,
            },
        );
        write_summary(plan, &summary)?;
        for damage in &self.damages {
            let unread = damage
                .stored_bytes_unread
                .map_or_else(|| "an unknown number of".to_owned(), thousands);
            let rows = damage
                .rows_lost
                .map_or_else(String::new, |rows| format!("{} rows: ", thousands(rows)));
            tracing::warn!(
                source = damage.source,
                "damaged: {}; lost: {rows}{unread} bytes of the file, and {} bytes that were read \
                 of a record or record batch that was cut",
                damage.message,
                thousands(damage.bytes_dropped)
            );
        }
        let seconds = self.start.elapsed().as_secs_f64();
        tracing::info!(
            command = plan.command,
            rows = self.tally.rows(),
            written = self.tally.written(),
            rejects = self.tally.rejects(),
            filtered = self.tally.filtered(),
            wall_seconds = seconds,
            rows_per_second = self.new_rows as f64 / seconds.max(1e-9),
            "{line}"
        );
        let keeps_rejects = plan.destination.keeps_rejects();
        if self.tally.rejects() > SHOWN_REJECTS && !keeps_rejects {
            tracing::warn!(
                rejects = self.tally.rejects(),
                "only the first {SHOWN_REJECTS} rejects are shown: give --rejects FILE to keep all {}",
                thousands(self.tally.rejects())
            );
        }
        match plan.strict {
            true => strictly(&self.tally),
            false => Ok(()),
        }
    }

    /// Where the rejects are, where there are any.
    fn rejects_output(&self, plan: &Plan) -> Option<String> {
        let some = self.tally.rejects() > 0;
        match &plan.destination {
            Destination::File { rejects, .. } => {
                let rejects = rejects.as_ref().filter(|rejects| rejects.always || some)?;
                let path = rejects.table.path.as_deref();
                path.map(|path| path.display().to_string())
            }
            Destination::Folder(folder) => {
                some.then(|| folder.path.join("_rejects").display().to_string())
            }
        }
    }

    /// One line for a person.
    fn line(&self, plan: &Plan, rejects: Option<&str>) -> String {
        let tally = &self.tally;
        let seconds = self.start.elapsed().as_secs_f64();
        let mut text = format!(
            "{}: {} rows in {seconds:.2} s ({} rows/s)",
            plan.command,
            thousands(tally.rows()),
            thousands((self.new_rows as f64 / seconds.max(1e-9)) as u64)
        );
        if let Some(kept) = self.kept {
            let rows = tally.rows() - self.new_rows;
            text += &format!(
                ", {} of them kept from {} inputs that were done",
                thousands(rows),
                thousands(kept as u64)
            );
        }
        if let Some(output) = plan.destination.output() {
            text += &format!(", {} written to {output}", thousands(tally.written()));
        }
        for status in Status::ALL {
            if tally.status(status) > 0 {
                text += &format!(", {} {}", thousands(tally.status(status)), status.id());
            }
        }
        if tally.filtered() > 0 {
            text += &format!(", {} filtered out", thousands(tally.filtered()));
        }
        text += &format!(", {} rejected", thousands(tally.rejects()));
        if let Some(rejects) = rejects {
            text += &format!(" (see {rejects})");
        }
        text
    }
}

fn write_summary(plan: &Plan, summary: &Summary) -> Result<(), Error> {
    let text = summary.to_json() + "\n";
    match &plan.summary {
        None => Ok(()),
        Some(TextDestination::Stdout) => super::print(text.as_bytes()),
        Some(TextDestination::File(path)) => {
            let mut target = Target::file(path, plan.target_options())?;
            target.write(text.as_bytes())?;
            target.commit()
        }
    }
}

/// What `validate` demands.
fn strictly(tally: &Tally) -> Result<(), Error> {
    let mut problems = Vec::new();
    let mut count = |number: u64, what: &str| {
        if number > 0 {
            problems.push(format!("{} {what}", thousands(number)));
        }
    };
    for kind in RejectKind::ALL {
        count(tally.rejects_of(kind), kind.id());
    }
    count(tally.status(Status::None), "without a solution");
    count(tally.status(Status::Multiple), "with several solutions");
    count(tally.status(Status::GaveUp), "given up");
    count(
        tally.given(GivenVerdict::Wrong),
        "with a wrong solution given",
    );
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Error::BadData(format!(
            "not valid: of {} rows {}",
            thousands(tally.rows()),
            problems.join(", ")
        )))
    }
}
