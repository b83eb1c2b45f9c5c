//! The options that every run has: which records it reads and how, its limits, and the work in progress.

use std::sync::LazyLock;

use crate::counts::RejectLimit;
use crate::job::memory::MemoryPlan;
use crate::read::{ReadOptions, RecordSelection};
use crate::write::Shard;
use sudoku_core::solve::Kernel;

/// The options that every run has. The command line, the streams of record batches and the statistics of tables
/// all hand them to the job as they are.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How the inputs are read, for example which of their columns are copied to the output.
    pub read: ReadOptions,
    /// Which records of the inputs are processed, and how many.
    pub selection: RecordSelection,
    /// The shard (one of several parts of the inputs) that is read, which may be empty; `None` to read all inputs.
    pub shard: Option<Shard>,
    /// Whether the run continues with the readable records of a damaged input.
    pub keep_going: bool,
    /// Whether inputs without a puzzle are accepted.
    pub allow_empty: bool,
    /// The limit for rejects, including those of parts that earlier runs have written; `None` for no limit.
    pub max_rejects: Option<RejectLimit>,
    /// The limit for records with a wrong given solution, including those of parts that earlier runs have
    /// written; `None` for no limit.
    pub max_wrong: Option<RejectLimit>,
    /// The maximum numbers of threads, batches and row groups in progress.
    pub memory: MemoryPlan,
    /// The instruction set that the solver uses.
    pub kernel: Kernel,
    /// Whether the process only runs this job, so that the job sets the thresholds of its allocator: they are those of the
    /// whole process. A program that calls the library leaves this false.
    pub owns_process: bool,
    /// Whether the run takes place on the thread of the caller, and starts no other: for inputs that are small and in
    /// memory, whose rows take less time than the start of threads. The whole input is read before the first row is written,
    /// and a signal has no effect. The memory plan has one thread.
    pub on_caller: bool,
}

/// The number of cores that the process may use, at least 1. It is counted once, because that reads several files.
pub fn cores() -> usize {
    static CORES: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    *CORES
}

impl Default for RunOptions {
    /// All records of all inputs, without limits, on all cores.
    fn default() -> RunOptions {
        RunOptions {
            read: ReadOptions::default(),
            selection: RecordSelection::default(),
            shard: None,
            keep_going: false,
            allow_empty: false,
            max_rejects: None,
            max_wrong: None,
            memory: MemoryPlan::without_limit(cores()),
            kernel: Kernel::fastest(),
            owns_process: false,
            on_caller: false,
        }
    }
}

impl RunOptions {
    /// Limits the rejects of a run that needs puzzles: to half of the records, unless a limit is set or inputs
    /// without a puzzle are accepted. A run most of whose records are rejected has usually read the wrong file or
    /// column.
    #[must_use]
    pub fn with_usual_reject_limit(self) -> RunOptions {
        let usual_limit = (!self.allow_empty).then_some(RejectLimit::Half);
        RunOptions {
            max_rejects: self.max_rejects.or(usual_limit),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_records_may_be_rejected_unless_the_options_say_otherwise() {
        let given = Some(RejectLimit::Count(7));
        for (allow_empty, max_rejects, expected) in [
            (false, None, Some(RejectLimit::Half)),
            (true, None, None),
            (false, given, given),
            (true, given, given),
        ] {
            let options = RunOptions {
                allow_empty,
                max_rejects,
                ..RunOptions::default()
            };
            assert_eq!(options.with_usual_reject_limit().max_rejects, expected);
        }
    }
}
