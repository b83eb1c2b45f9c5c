//! `solve`: solves puzzles, and counts their solutions.

use clap::Args;
use sudoku_core::solve::{Method, Order, Rounds, Scheme};
use sudoku_pipeline::job::Task;
use sudoku_pipeline::options::{ORDER, ROUNDS, SCHEME, SOLVER};

use crate::cli::error::{CommandError, UsageError};
use crate::cli::options::ids::id_of;
use crate::cli::options::solving::{SolverArgs, solver_limits, with_values};
use crate::cli::run::plan::{self, Plan};

pub(crate) const EXAMPLES: &str = "\
Examples:
  pipeline solve puzzles.txt -o solved.parquet
  pipeline solve puzzles.csv.gz -o - --format lines
  pipeline solve ambiguous.txt -o counted.csv --solution-limit 1000
  pipeline solve puzzles.txt -o solved.csv --solver backtrack --scheme pairs";

/// The arguments of `solve`.
#[derive(Args)]
#[command(mut_arg("with", |with| {
    with.help("Add columns that cost extra time: names separated by commas").value_parser(with_values(false))
}))]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) method: MethodArgs,
    #[command(flatten)]
    pub(crate) solve: SolverArgs,
}

/// The solving method of `solve`.
#[derive(Args)]
pub(crate) struct MethodArgs {
    /// The solver: lanes, backtrack, elimination, templates, filter or dlx, or a name with settings
    /// as in the table of compare, such as backtrack-pairs-fixed; see docs/solvers.md for sizes other
    /// than 9 × 9
    #[arg(long, value_name = "NAME", default_value = "lanes")]
    pub(crate) solver: String,
    /// The inference rules of backtrack: none, singles, pairs or triples [default: singles]
    #[arg(long, value_name = "RULES",
          value_parser = id_of(Scheme::ALL.map(Scheme::id)))]
    pub(crate) scheme: Option<String>,
    /// The cell that backtrack guesses in: fixed, the first in row order, or mrv, one with the
    /// fewest candidates [default: mrv]
    #[arg(long, value_name = "ORDER",
          value_parser = id_of(Order::ALL.map(Order::id)))]
    pub(crate) order: Option<String>,
    /// The rounds of elimination: each applies every technique once, fixpoint every technique until
    /// it finds nothing more [default: each]
    #[arg(long, value_name = "ROUNDS",
          value_parser = id_of(Rounds::ALL.map(Rounds::id)))]
    pub(crate) rounds: Option<String>,
}

impl MethodArgs {
    /// The solving method that the options select.
    pub(crate) fn method(&self) -> Result<Method, UsageError> {
        let value_or = |given: &Option<String>, default: &str| {
            given.clone().unwrap_or_else(|| default.to_owned())
        };
        let is_backtrack = self.solver == "backtrack";
        if (self.scheme.is_some() || self.order.is_some()) && !is_backtrack {
            return Err(UsageError::OnlyFor {
                options: &[SCHEME, ORDER],
                only: SOLVER.set_to("backtrack"),
            });
        }
        let is_elimination = self.solver == "elimination";
        if self.rounds.is_some() && !is_elimination {
            return Err(UsageError::OnlyFor {
                options: &[ROUNDS],
                only: SOLVER.set_to("elimination"),
            });
        }
        let name = match () {
            () if is_backtrack => {
                let (scheme, order) = (
                    value_or(&self.scheme, "singles"),
                    value_or(&self.order, "mrv"),
                );
                format!("backtrack-{scheme}-{order}")
            }
            () if is_elimination => format!("elimination-{}", value_or(&self.rounds, "each")),
            () => self.solver.clone(),
        };
        Ok(name.parse::<Method>()?)
    }
}

impl SolveArgs {
    pub(crate) fn task(&self) -> Result<Task, UsageError> {
        Ok(Task::Solve {
            method: self.method.method()?,
            limits: solver_limits(&self.solve.limits),
        })
    }
}

pub(crate) fn plan(args: SolveArgs) -> Result<Plan, CommandError> {
    let task = args.task()?;
    let SolverArgs {
        read,
        write,
        limits,
        rating,
        report,
    } = args.solve;
    let column_groups = task.groups();
    let mut stages = task.stages();
    rating.apply(&limits.with, &mut stages)?;
    let mut plan = plan::plan("solve", read, Some(write), report, stages, column_groups)?;
    plan.add_limits(limits)?;
    let solver = Some(plan.stages.method).filter(|method| *method != Method::default());
    plan.metadata.add("solver", solver);
    Ok(plan)
}
