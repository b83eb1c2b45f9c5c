//! Options of the commands whose output is a dataset again: `convert`, `dedup`, `split` and `augment`.

use clap::Args;

use super::plan::Plan;

#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub(super) struct DatasetArgs {
    /// Replace solutions that came with the puzzles and are wrong by the right ones; remove those of
    /// puzzles without exactly one solution
    #[arg(long, env = "PIPELINE_FIX_SOLUTIONS")]
    fix_solutions: bool,
}

impl DatasetArgs {
    /// Adds the options to the plan.
    pub(super) fn apply(&self, plan: &mut Plan) {
        plan.stages.fix_solutions = self.fix_solutions;
        if self.fix_solutions {
            let entry = ("pipeline.fix_solutions".into(), "true".into());
            plan.metadata.push(entry);
        }
    }
}
