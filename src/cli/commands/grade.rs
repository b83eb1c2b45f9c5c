//! `grade`: solves puzzles, and grades each by the hardest technique that it needs.

use std::path::PathBuf;

use clap::Args;
use sudoku_core::grade::{Ladder, LadderNameError, Rank, SEARCH};
use sudoku_pipeline::job::{Stages, Task};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::numbers::between;
use crate::cli::options::solving::{SolverArgs, solver_limits};
use crate::cli::run::destination;
use crate::cli::run::plan::{self, Plan};
use crate::cli::run::text_output::{TextKind, TextOutput};
use crate::nearest::did_you_mean;

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline grade millions.csv.gz -o graded.parquet
  pipeline grade puzzles.txt -o graded.csv.gz --summary summary.json
  pipeline grade puzzles.txt -o basic.csv --ladder basic --max-rank 15
  pipeline grade in.parquet -o - --format csv | head
  pipeline grade 'raw/*.csv.gz' -o graded/ --resume
  pipeline grade puzzles.txt -o rated.parquet --with se --where \"se >= 7.2\"
  pipeline grade raw/ -o by_level/ --partition-by level
  pipeline grade puzzles.csv -o graded.parquet --report statistics.json";

#[derive(Args)]
pub(crate) struct LadderArgs {
    /// The techniques to grade with: full, basic (up to jellyfish), hodoku (all, in HoDoKu's
    /// order), or ids separated by commas, tried by rank
    #[arg(long, value_name = "LADDER", default_value = "full",
          value_parser = parse_ladder)]
    pub(crate) ladder: Ladder,
    /// Use no technique above this rank, and no search: a puzzle that is then not solved has the grade beyond
    #[arg(long, value_name = "N",
          value_parser = between::<u8>(1, SEARCH.number()))]
    pub(crate) max_rank: Option<u8>,
    /// Also grade with uniqueness techniques, which assume that the puzzle has exactly one solution: adds
    /// the columns technique_u, rank_u and level_u
    #[arg(long)]
    pub(crate) uniqueness: bool,
}

/// The arguments of `grade`.
#[derive(Args)]
pub(crate) struct GradeArgs {
    #[command(flatten)]
    pub(crate) ladder: LadderArgs,
    /// Write statistics of the rows: as JSON, which pipeline stats --merge and pipeline report
    /// accept (.json), or as the page of pipeline report (.html)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solve: SolverArgs,
}

/// Parses a ladder, which is an ordered list of techniques. The error suggests similar names for an unknown technique.
fn parse_ladder(text: &str) -> Result<Ladder, String> {
    Ladder::named(text).map_err(|error| {
        let LadderNameError::Unknown { id } = &error;
        let known_ladders = (Ladder::NAMES.into_iter()).chain(Rank::all().map(Rank::id));
        format!("{error}{}", did_you_mean(id, known_ladders))
    })
}

impl GradeArgs {
    pub(crate) fn task(&self) -> Task {
        let LadderArgs {
            ladder,
            max_rank,
            uniqueness,
        } = &self.ladder;
        let ladder = ladder.clone();
        Task::Grade {
            ladder: match max_rank.and_then(Rank::from_number) {
                Some(highest) => ladder.ending_at(highest),
                None => ladder,
            },
            uniqueness: *uniqueness,
            limits: solver_limits(&self.solve.limits),
        }
    }
}

pub(crate) fn plan(args: GradeArgs) -> Result<Plan, CommandError> {
    let task = args.task();
    let SolverArgs {
        read,
        write,
        limits,
        rating,
        report,
    } = args.solve;
    let statistics = match args.report {
        Some(path) => {
            let kind = TextKind::of_statistics(&path)?;
            Some(TextOutput::new(kind, path, report.overwrite))
        }
        None => None,
    };
    if statistics.is_some() && write.resume {
        return Err(UsageError::ReportOfResumedRun.into());
    }
    let column_groups = task.groups();
    let mut stages = Stages {
        statistics: statistics.is_some(),
        ..task.stages()
    };
    rating.apply(&limits.with, &mut stages)?;
    let mut plan = plan::plan("grade", read, Some(write), report, stages, column_groups)?;
    if let Some(format) = plan.destination.format() {
        destination::refuse_grids(format, "grades")?;
    }
    plan.add_limits(limits)?;
    plan.texts.extend(statistics);
    Ok(plan)
}
