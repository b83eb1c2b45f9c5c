//! Guess, propagate, learn.

use super::analyze::{Analysis, Lesson};
use super::assignment::{Literal, Reason};
use super::groups::Groups;
use super::propagate::Engine;

/// Conflicts before the first restart.
const RESTART: u64 = 100;

/// Clauses learned before the first are forgotten.
const CLAUSES: usize = 2000;

/// How many clauses more are learned before the next are.
const MORE_CLAUSES: usize = 300;

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LearnLimits {
    /// At so many solutions; at least 1.
    pub(crate) solutions: u32,
    /// After so many guesses.
    pub(crate) guesses: u64,
    /// After so many literals and clauses looked at.
    pub(crate) work: u64,
}

/// A search, and what it found.
pub(crate) struct Learning {
    engine: Engine,
    analysis: Analysis,
    /// Solutions found, up to the limit.
    pub(crate) count: u32,
    /// The cells and symbols of the first.
    pub(crate) first: Option<Vec<(usize, usize)>>,
    /// Variables guessed while their group had another one left.
    pub(crate) guesses: u64,
    /// How often guesses were taken back.
    pub(crate) backtracks: u64,
    /// Whether a limit other than that of the solutions ended the search.
    pub(crate) gave_up: bool,
}

impl Learning {
    /// Searches for solutions. As long as conflicts say nothing else, the variables with the higher
    /// `preference` are guessed first.
    pub(crate) fn search(
        groups: Groups,
        limits: LearnLimits,
        preference: impl FnMut() -> f64,
    ) -> Learning {
        let variables = groups.names().len();
        let activity = std::iter::repeat_with(preference).take(variables).collect();
        let mut learning = Learning {
            analysis: Analysis::new(activity),
            engine: Engine::new(groups),
            count: 0,
            first: None,
            guesses: 0,
            backtracks: 0,
            gave_up: false,
        };
        learning.run(limits);
        learning
    }

    fn run(&mut self, limits: LearnLimits) {
        if self.engine.start().is_err() {
            return;
        }
        let mut restarts = Restarts::new();
        let mut most_clauses = CLAUSES;
        loop {
            let lesson = match self.engine.propagate() {
                Err(_) if self.engine.assignment.guess_count() == 0 => return,
                Err(conflict) => {
                    let lesson = self.analysis.lesson(&self.engine, conflict);
                    self.learn(&lesson, false);
                    continue;
                }
                Ok(()) if self.engine.work > limits.work => {
                    self.gave_up = true;
                    return;
                }
                Ok(()) if restarts.is_due(self.backtracks) => {
                    self.engine.undo_to(0);
                    if self.engine.clauses.len() > most_clauses {
                        self.engine.clauses.forget(&self.engine.assignment);
                        most_clauses += MORE_CLAUSES;
                    }
                    None
                }
                Ok(()) => match self.choose() {
                    Some(_) if self.guesses == limits.guesses => {
                        self.gave_up = true;
                        return;
                    }
                    Some(variable) => {
                        self.guesses += 1;
                        let engine = &mut self.engine;
                        { &mut engine.assignment }.guess(Literal::is(variable), &engine.groups);
                        None
                    }
                    None => {
                        self.count += 1;
                        if self.first.is_none() {
                            self.first = Some(self.solution());
                        }
                        let is_only = self.engine.assignment.guess_count() == 0;
                        if is_only || self.count == limits.solutions {
                            return;
                        }
                        Some(Lesson::other_than(&self.engine))
                    }
                },
            };
            if let Some(lesson) = lesson {
                self.learn(&lesson, true);
            }
        }
    }

    /// Goes back to where the lesson decides a literal, and follows it from there.
    fn learn(&mut self, lesson: &Lesson, is_kept: bool) {
        self.backtracks += 1;
        self.engine.undo_to(lesson.guesses);
        let reason = match lesson.literals.len() {
            1 => Reason::None,
            _ => {
                let clauses = &mut self.engine.clauses;
                Reason::Clause(clauses.add(&lesson.literals, lesson.levels, is_kept))
            }
        };
        self.engine.set(lesson.literals[0], reason);
    }

    /// The variable to guess: of the groups with the fewest variables left, the one that had most to do
    /// with conflicts, and of that group the variable that had. `None` where every group has its own.
    fn choose(&self) -> Option<u32> {
        let assignment = &self.engine.assignment;
        let free = assignment.free();
        let least = *free.iter().filter(|free| **free > 1).min()?;
        let mut best = None;
        let mut most = -1.0;
        for (group, _) in (0_u32..).zip(free).filter(|(_, free)| **free == least) {
            let members = self.engine.groups.members(group).iter().copied();
            let (mut sum, mut own, mut first) = (0.0, -1.0, None);
            for variable in members.filter(|one| assignment.value(Literal::is(*one)) == 0) {
                let activity = self.analysis.activity.of(variable);
                sum += activity;
                if activity > own {
                    (own, first) = (activity, Some(variable));
                }
            }
            if sum > most {
                (most, best) = (sum, first);
            }
        }
        best
    }

    /// The cells and symbols of the variables that are true.
    fn solution(&self) -> Vec<(usize, usize)> {
        let names = (0_u32..).zip(self.engine.groups.names());
        let is_true = |variable| self.engine.assignment.value(Literal::is(variable)) == 1;
        names
            .filter(|(variable, _)| is_true(*variable))
            .map(|(_, name)| name)
            .collect()
    }
}

/// The Luby sequence, in which a search begins anew, with what it learned: 1, 1, 2, 1, 1, 2, 4, 1, …
struct Restarts {
    due: u64,
    counter: u64,
    length: u64,
}

impl Restarts {
    fn new() -> Restarts {
        Restarts {
            due: RESTART,
            counter: 1,
            length: 1,
        }
    }

    /// Whether a restart is due after so many conflicts; then the next one is set.
    fn is_due(&mut self, conflicts: u64) -> bool {
        if conflicts < self.due {
            return false;
        }
        if self.counter & self.counter.wrapping_neg() == self.length {
            self.counter += 1;
            self.length = 1;
        } else {
            self.length *= 2;
        }
        self.due = conflicts + RESTART * self.length;
        true
    }
}
