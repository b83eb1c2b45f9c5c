//! The main loop of the solver with clause learning: guess, propagate, learn from conflicts.

use super::analyze::{ConflictAnalysis, LearnedClause};
use super::assignment::{Literal, Reason};
use super::groups::VariableGroups;
use super::propagate::Engine;

/// The number of conflicts before the first restart.
const FIRST_RESTART: u64 = 100;

/// When there are this many learned clauses for the first time, about half of them are forgotten.
const FIRST_FORGETTING: usize = 2000;

/// After each forgetting, the number of learned clauses at which the next one happens grows by this.
const FORGETTING_INCREMENT: usize = 300;

/// The limits of a search with clause learning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LearnLimits {
    /// The search stops after this many solutions; at least 1.
    pub(crate) solutions: u32,
    /// The search gives up after this many guesses.
    pub(crate) guesses: u64,
    /// The search gives up after visiting this many literals and clauses.
    pub(crate) work_limit: u64,
    /// The number of solutions that are kept, the first ones.
    pub(crate) kept_solutions: usize,
}

/// A search with clause learning, and its results.
pub(crate) struct ClauseLearning {
    engine: Engine,
    analysis: ConflictAnalysis,
    /// The number of solutions found, up to the limit.
    pub(crate) count: u32,
    /// The solutions that are kept, in the order in which they were found: for each, the cell and the symbol of each
    /// true variable.
    pub(crate) solutions: Vec<Vec<(usize, usize)>>,
    /// The number of guesses. Setting the only variable that is left in a group is not a guess.
    pub(crate) guesses: u64,
    /// The number of times that guesses were undone after a conflict.
    pub(crate) backtrack_count: u64,
    /// Whether the limit of guesses or work ended the search.
    pub(crate) gave_up: bool,
}

impl ClauseLearning {
    /// Searches for solutions up to the limits. `preference` gives each variable a number: those with a
    /// higher one are guessed first, until conflicts change the order.
    pub(crate) fn search(
        groups: VariableGroups,
        limits: LearnLimits,
        preference: impl FnMut() -> f64,
    ) -> ClauseLearning {
        let variables = groups.cells_and_symbols().len();
        let activity = std::iter::repeat_with(preference).take(variables).collect();
        let mut learning = ClauseLearning {
            analysis: ConflictAnalysis::new(activity),
            engine: Engine::new(groups),
            count: 0,
            solutions: Vec::new(),
            guesses: 0,
            backtrack_count: 0,
            gave_up: false,
        };
        learning.run(limits);
        learning
    }

    /// The number of literals and clauses that were visited, as a measure of the work.
    pub(crate) fn work(&self) -> u64 {
        self.engine.visits
    }

    fn run(&mut self, limits: LearnLimits) {
        if self.engine.propagate_first_groups().is_err() {
            return;
        }
        let mut restarts = RestartSchedule::new();
        let mut most_clauses = FIRST_FORGETTING;
        loop {
            let learned = match self.engine.propagate() {
                Err(_) if self.engine.assignment.guess_count() == 0 => return,
                Err(conflict) => {
                    let learned = self.analysis.learn(&self.engine, conflict);
                    self.add_learned(&learned, false);
                    continue;
                }
                Ok(()) if self.engine.visits > limits.work_limit => {
                    self.gave_up = true;
                    return;
                }
                Ok(()) if restarts.is_due(self.backtrack_count) => {
                    self.engine.undo_to(0);
                    if self.engine.clauses.len() > most_clauses {
                        self.engine.clauses.forget_half(&self.engine.assignment);
                        most_clauses += FORGETTING_INCREMENT;
                    }
                    None
                }
                Ok(()) => match self.choose_variable() {
                    Some(_) if self.guesses == limits.guesses => {
                        self.gave_up = true;
                        return;
                    }
                    Some(variable) => {
                        self.guesses += 1;
                        let engine = &mut self.engine;
                        { &mut engine.assignment }
                            .guess_true(Literal::positive(variable), &engine.groups);
                        None
                    }
                    None => {
                        self.count += 1;
                        if self.solutions.len() < limits.kept_solutions {
                            self.solutions.push(self.true_variables());
                        }
                        let is_only = self.engine.assignment.guess_count() == 0;
                        if is_only || self.count == limits.solutions {
                            return;
                        }
                        Some(LearnedClause::excluding_solution(&self.engine))
                    }
                },
            };
            if let Some(learned) = learned {
                self.add_learned(&learned, true);
            }
        }
    }

    /// Undoes guesses until the learned clause has one literal without a value, and makes that literal true.
    fn add_learned(&mut self, learned: &LearnedClause, is_kept: bool) {
        self.backtrack_count += 1;
        self.engine.undo_to(learned.guesses);
        let reason = match learned.literals.len() {
            1 => Reason::None,
            _ => {
                let clauses = &mut self.engine.clauses;
                Reason::Clause(clauses.add_clause(&learned.literals, learned.level_count, is_kept))
            }
        };
        self.engine.set_true(learned.literals[0], reason);
    }

    /// Chooses the variable to guess. Of the groups with the fewest open variables, it takes the most active
    /// group, and in it the most active variable. `None` if every group has a true variable.
    fn choose_variable(&self) -> Option<u32> {
        let assignment = &self.engine.assignment;
        let free_counts = assignment.free_counts();
        let fewest_free = *free_counts.iter().filter(|free| **free > 1).min()?;
        let mut best_variable = None;
        let mut best_score = -1.0;
        for (group, _) in (0_u32..)
            .zip(free_counts)
            .filter(|(_, free)| **free == fewest_free)
        {
            let members = self.engine.groups.members(group).iter().copied();
            let (mut sum, mut own, mut first) = (0.0, -1.0, None);
            for variable in members.filter(|one| assignment.value(Literal::positive(*one)) == 0) {
                let activity = self.analysis.activity.score(variable);
                sum += activity;
                if activity > own {
                    (own, first) = (activity, Some(variable));
                }
            }
            if sum > best_score {
                (best_score, best_variable) = (sum, first);
            }
        }
        best_variable
    }

    /// The cells and the symbols of all variables that are true.
    fn true_variables(&self) -> Vec<(usize, usize)> {
        let names = (0_u32..).zip(self.engine.groups.cells_and_symbols());
        let is_true = |variable| self.engine.assignment.value(Literal::positive(variable)) == 1;
        names
            .filter(|(variable, _)| is_true(*variable))
            .map(|(_, name)| name)
            .collect()
    }
}

/// The schedule of restarts, with intervals by the Luby sequence 1, 1, 2, 1, 1, 2, 4, 1, … A restart undoes
/// all guesses and keeps the learned clauses.
struct RestartSchedule {
    next_restart: u64,
    restart_count: u64,
    /// The current term of the Luby sequence.
    interval_factor: u64,
}

impl RestartSchedule {
    fn new() -> RestartSchedule {
        RestartSchedule {
            next_restart: FIRST_RESTART,
            restart_count: 1,
            interval_factor: 1,
        }
    }

    /// Whether a restart is due after this many conflicts. If it is, schedules the next restart.
    fn is_due(&mut self, conflicts: u64) -> bool {
        if conflicts < self.next_restart {
            return false;
        }
        if self.restart_count & self.restart_count.wrapping_neg() == self.interval_factor {
            self.restart_count += 1;
            self.interval_factor = 1;
        } else {
            self.interval_factor *= 2;
        }
        self.next_restart = conflicts + FIRST_RESTART * self.interval_factor;
        true
    }
}
