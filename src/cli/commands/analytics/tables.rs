//! The options with which `stats` and `report` read tables. They are the reading options of `convert`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use clap::Args;
use sudoku_pipeline::analysis::{DamageCount, TableOptions};
use sudoku_pipeline::counts::RejectLimit;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::{Progress, RunOptions};

use crate::cli::error::CommandError;
use crate::cli::options::input::ReadArgs;
use crate::cli::options::running::RunArgs;
use crate::cli::run;
use crate::cli::run::memory::{memory_plan, share_memory};
use crate::cli::terminal::progress::{ExpectedEnd, ProgressLine, ProgressWhen};

const TABLES: &str = "The tables: files, folders or patterns, in any format of --input-format; or \
                      statistics in JSON; - is standard input";

const KEEP_HELP: &str = "The other columns to describe: all, none, or names separated by commas; a name with a \
                    comma, or that is one of these words, has to be in double quotes";

#[derive(Args)]
#[command(
    mut_arg("inputs", |inputs| inputs.value_name("TABLE").help(TABLES)),
    mut_arg("keep", |keep| keep.help(KEEP_HELP)),
    mut_arg("infer_types", |which| which.default_value("all"))
)]
pub(crate) struct TableReadArgs {
    #[command(flatten)]
    read: ReadArgs,
    /// Only describe rows for which this SQL condition over the tables' columns is true, for instance "rank
    /// >= 12 and clues < 24"; see docs/filter.md
    #[arg(
        long = "where",
        value_name = "EXPR",
        allow_hyphen_values = true,
        help_heading = "Choosing"
    )]
    condition: Option<String>,
    #[command(flatten)]
    run: RunArgs,
}

impl TableReadArgs {
    /// The names of the tables, as the user wrote them.
    pub(crate) fn names(&self) -> &[String] {
        &self.read.input.inputs
    }

    /// The options of the library for reading the tables. `damage` counts the damaged ones.
    pub(crate) fn options(
        &self,
        command: &'static str,
        damage: Arc<DamageCount>,
    ) -> Result<TableOptions, CommandError> {
        let (values, rest) = share_memory(command, self.run.memory_limit, None)?;
        let longest = self.read.input.max_record_bytes;
        Ok(TableOptions {
            run: RunOptions {
                memory: memory_plan(self.run.threads, rest, longest, false)?,
                ..self.read.run_options()
            },
            condition: self.condition.clone(),
            damage,
            values_bytes: values.limit_bytes,
            stop: run::stop_on_signals()?,
        })
    }

    /// Fails if more tables are damaged than the options tolerate.
    pub(crate) fn check_damage(
        limit: RejectLimit,
        damage: &DamageCount,
    ) -> Result<(), CommandError> {
        let damaged = damage.damaged.load(Ordering::Relaxed);
        let inputs = damage.tables.load(Ordering::Relaxed);
        if limit.allows(damaged, inputs) {
            Ok(())
        } else {
            Err(Error::DamagedInputs {
                damaged,
                inputs,
                limit: limit.to_string(),
            }
            .into())
        }
    }

    /// The number of damaged tables that are no error.
    pub(crate) fn tolerated_damage(&self) -> RejectLimit {
        self.read.tolerated_damage()
    }

    /// A progress line for the runs that read the tables.
    pub(crate) fn progress(&self) -> TableProgress {
        TableProgress {
            when: self.run.progress,
            rows: self.read.selection.limit,
            line: None,
        }
    }
}

/// A progress line for the runs that read the tables. Dropping the value removes the line.
pub(crate) struct TableProgress {
    when: ProgressWhen,
    rows: Option<u64>,
    line: Option<ProgressLine>,
}

impl TableProgress {
    /// Shows the progress of a run. `bytes` is the size of its inputs; `None` if unknown.
    pub(crate) fn show(&mut self, bytes: Option<u64>, progress: Progress) {
        let (when, rows) = (self.when, self.rows);
        let new_line = || ProgressLine::new(when, ExpectedEnd { bytes, rows }, false);
        self.line.get_or_insert_with(new_line).show(progress);
    }
}

impl Drop for TableProgress {
    fn drop(&mut self) {
        if let Some(line) = &mut self.line {
            line.clear();
        }
    }
}
