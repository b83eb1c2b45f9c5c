//! The sums over runs of solvers: the figures of a comparison, which merge.

use std::collections::BTreeMap;

use sudoku_core::solve::Rule;

/// The sums over the rows of tables of solver runs. Puzzles without a label have an empty label.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunFigures {
    pub(crate) by_label_and_solver: BTreeMap<[String; 2], RunSums>,
    /// For each solver, the number of runs that found a solution, by time class. There are twenty time classes per
    /// power of ten.
    pub(crate) solved_by_time_class: BTreeMap<String, BTreeMap<u64, u64>>,
}

impl RunFigures {
    pub(crate) fn by_label(&self) -> BTreeMap<&str, RunSums> {
        self.sums_by(|[label, _]| label)
    }

    pub(crate) fn by_solver(&self) -> BTreeMap<&str, RunSums> {
        self.sums_by(|[_, solver]| solver)
    }

    fn sums_by(&self, key: fn(&[String; 2]) -> &String) -> BTreeMap<&str, RunSums> {
        let mut sums: BTreeMap<&str, RunSums> = BTreeMap::new();
        for (keys, own) in &self.by_label_and_solver {
            sums.entry(key(keys)).or_default().add(own);
        }
        sums
    }
}

/// The column, in a table of solver runs, with the number of times that a solver used this rule.
pub(crate) fn rule_column(rule: Rule) -> String {
    format!("rule_{}", rule.id())
}

/// The number of time classes in each power of ten. A time class is a range of durations.
const TIME_CLASSES_PER_DECADE: f64 = 20.0;

/// The time class of a duration in nanoseconds. There are twenty time classes per power of ten.
pub(crate) fn time_class(nanoseconds: u64) -> u32 {
    (TIME_CLASSES_PER_DECADE * (nanoseconds.max(1) as f64).log10()).floor() as u32
}

/// The longest duration in a time class, in nanoseconds.
pub(crate) fn longest_nanoseconds(class: u64) -> f64 {
    10_f64.powf((class + 1) as f64 / TIME_CLASSES_PER_DECADE)
}

/// Sums over some of the runs of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunSums {
    /// The number of runs that are included in the sums.
    pub(crate) runs: u64,
    /// The number of runs that found a solution.
    pub(crate) solved: u64,
    pub(crate) guesses: u64,
    pub(crate) backtracks: u64,
    /// The sum of the maximum numbers of cells that were filled at the same time, over the runs that count filled
    /// cells.
    pub(crate) filled: u64,
    /// The number of runs that count filled cells.
    pub(crate) counted_filled: u64,
    pub(crate) nanoseconds: u64,
    /// The clues of the puzzles, once for each run.
    pub(crate) clues: u64,
    /// For each rule, in the order of [`Rule::ALL`], the number of times that it was used. Only runs that count these
    /// uses are included.
    pub(crate) rules: [u64; Rule::ALL.len()],
    /// The number of runs that count the uses of rules.
    pub(crate) with_rules: u64,
}

impl RunSums {
    pub(crate) fn add(&mut self, other: &RunSums) {
        for (own, more) in [
            (&mut self.runs, other.runs),
            (&mut self.solved, other.solved),
            (&mut self.guesses, other.guesses),
            (&mut self.backtracks, other.backtracks),
            (&mut self.filled, other.filled),
            (&mut self.counted_filled, other.counted_filled),
            (&mut self.nanoseconds, other.nanoseconds),
            (&mut self.clues, other.clues),
            (&mut self.with_rules, other.with_rules),
        ] {
            *own = own.saturating_add(more);
        }
        for (own, more) in self.rules.iter_mut().zip(other.rules) {
            *own = own.saturating_add(more);
        }
    }

    /// The average of `count` numbers with this sum; `None` if `count` is 0.
    pub(crate) fn average(sum: u64, count: u64) -> Option<f64> {
        (count > 0).then(|| sum as f64 / count as f64)
    }
}
