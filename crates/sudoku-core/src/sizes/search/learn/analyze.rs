//! Conflict analysis of the solver with clause learning: derives a clause from each conflict.

use super::assignment::{Literal, Reason};
use super::propagate::{Conflict, Engine};

/// The activity of variables decays by this factor from one conflict to the next, so that later conflicts
/// weigh more.
const CONFLICT_WEIGHT_DECAY: f64 = 0.95;

/// If an activity score exceeds this, all scores are scaled down, to avoid an overflow.
const MAX_SCORE: f64 = 1e100;

/// The activity of variables: a score for how often each variable took part in recent conflicts (VSIDS).
pub(super) struct VariableActivity {
    score_by_variable: Vec<f64>,
    conflict_weight: f64,
}

impl VariableActivity {
    /// The activity of variables, starting with these scores.
    pub(super) fn new(first: Vec<f64>) -> VariableActivity {
        VariableActivity {
            score_by_variable: first,
            conflict_weight: 1.0,
        }
    }

    /// The activity score of a variable.
    pub(super) fn score(&self, variable: u32) -> f64 {
        self.score_by_variable[variable as usize]
    }

    fn raise_score(&mut self, variable: u32) {
        let score = &mut self.score_by_variable[variable as usize];
        *score += self.conflict_weight;
        if *score > MAX_SCORE {
            self.score_by_variable
                .iter_mut()
                .for_each(|own| *own /= MAX_SCORE);
            self.conflict_weight /= MAX_SCORE;
        }
    }
}

/// A clause that is learned from a conflict.
pub(super) struct LearnedClause {
    /// The literals of the clause. The first one becomes true after backjumping. The second one has the highest
    /// level of all the others.
    pub(super) literals: Vec<Literal>,
    /// The number of guesses that are kept when the search jumps back.
    pub(super) guesses: usize,
    /// The number of different levels among the literals, known as LBD in SAT solvers.
    pub(super) level_count: u32,
}

/// Derives clauses from conflicts, and updates the activity of variables.
pub(super) struct ConflictAnalysis {
    pub(super) activity: VariableActivity,
    /// For each variable, whether the analysis of the current conflict has visited it.
    is_visited: Vec<bool>,
    /// The causes of a conflict or of a literal, as literals that are all false.
    causes: Vec<Literal>,
}

impl ConflictAnalysis {
    /// An analysis before the first conflict. `activity` has the initial score of each variable.
    pub(super) fn new(activity: Vec<f64>) -> ConflictAnalysis {
        ConflictAnalysis {
            is_visited: vec![false; activity.len()],
            activity: VariableActivity::new(activity),
            causes: Vec::new(),
        }
    }

    /// Derives a clause from a conflict. It goes back along the trail and replaces literals of the last level
    /// by their causes, until one literal of that level is left: the first unique implication point. At least
    /// one guess must have been made.
    pub(super) fn learn(&mut self, engine: &Engine, conflict: Conflict) -> LearnedClause {
        let assignment = &engine.assignment;
        let last_level = assignment.guess_count() as u32;
        self.find_causes_of_conflict(engine, conflict);
        let mut earlier_causes = Vec::new();
        let mut open_count = 0;
        let mut first_literal = None;
        for &literal in assignment.trail().iter().rev() {
            if !self.causes.is_empty() {
                open_count += self.mark_causes(engine, last_level, &mut earlier_causes);
            }
            let variable = literal.variable();
            if !self.is_visited[variable as usize] || assignment.level(variable) < last_level {
                continue;
            }
            open_count -= 1;
            if open_count == 0 {
                first_literal = Some(literal.negated());
                break;
            }
            self.is_visited[variable as usize] = false;
            self.find_causes(engine, assignment.reason(variable), literal);
        }
        let is_needed: Vec<bool> = earlier_causes
            .iter()
            .map(|literal| !self.follows_from_others(engine, *literal))
            .collect();
        for literal in first_literal.iter().chain(&earlier_causes) {
            self.is_visited[literal.variable() as usize] = false;
        }
        let mut literals: Vec<Literal> = first_literal.into_iter().collect();
        let needed_causes = earlier_causes
            .iter()
            .zip(is_needed)
            .filter(|(_, needed)| *needed);
        literals.extend(needed_causes.map(|(literal, _)| *literal));
        self.causes.clear();
        self.activity.conflict_weight /= CONFLICT_WEIGHT_DECAY;
        LearnedClause::new(literals, engine)
    }

    /// Marks the collected causes as visited. Adds the newly visited causes of earlier levels to `rest`, and
    /// returns the number of newly visited causes of the last level.
    fn mark_causes(&mut self, engine: &Engine, last: u32, rest: &mut Vec<Literal>) -> u32 {
        let mut last_level_count = 0;
        for literal in self.causes.drain(..) {
            let variable = literal.variable();
            let level = engine.assignment.level(variable);
            if level == 0 || self.is_visited[variable as usize] {
                continue;
            }
            self.is_visited[variable as usize] = true;
            self.activity.raise_score(variable);
            if level == last {
                last_level_count += 1;
            } else {
                rest.push(literal);
            }
        }
        last_level_count
    }

    /// Whether a literal is redundant in the clause, because the other literals of the clause imply that it
    /// is false.
    fn follows_from_others(&mut self, engine: &Engine, literal: Literal) -> bool {
        let assignment = &engine.assignment;
        let reason = assignment.reason(literal.variable());
        if reason == Reason::None {
            return false;
        }
        self.causes.clear();
        self.find_causes(engine, reason, literal.negated());
        { self.causes.iter() }.all(|cause| {
            let variable = cause.variable();
            self.is_visited[variable as usize] || assignment.level(variable) == 0
        })
    }

    fn find_causes_of_conflict(&mut self, engine: &Engine, conflict: Conflict) {
        match conflict {
            Conflict::Pair(one, other) => {
                self.causes.extend([one, other].map(Literal::negative));
            }
            Conflict::Group(group) => {
                let members = engine.groups.members(group).iter();
                self.causes
                    .extend(members.map(|one| Literal::positive(*one)));
            }
            Conflict::Clause(clause) => {
                self.causes.extend(engine.clauses.literals(clause));
            }
        }
    }

    /// Collects the causes of a true literal from the reason why it is true.
    fn find_causes(&mut self, engine: &Engine, reason: Reason, literal: Literal) {
        match reason {
            Reason::None => {}
            Reason::Peer(variable) => self.causes.push(Literal::negative(variable)),
            Reason::Last(group) => {
                let members = engine.groups.members(group).iter();
                let members = members.map(|one| Literal::positive(*one));
                self.causes.extend(members.filter(|one| *one != literal));
            }
            Reason::Clause(clause) => {
                let literals = engine.clauses.literals(clause).iter();
                self.causes.extend(literals.filter(|one| **one != literal));
            }
        }
    }
}

impl LearnedClause {
    /// The clause with these literals, of which the first must be the only one of the last level.
    fn new(mut literals: Vec<Literal>, engine: &Engine) -> LearnedClause {
        let level = |literal: &Literal| engine.assignment.level(literal.variable());
        let mut levels: Vec<u32> = literals.iter().map(level).collect();
        let second_watch = (1..literals.len()).max_by_key(|at| levels[*at]);
        let guesses = second_watch.map_or(0, |at| levels[at] as usize);
        if let Some(at) = second_watch {
            literals.swap(1, at);
        }
        levels.sort_unstable();
        levels.dedup();
        LearnedClause {
            literals,
            guesses,
            level_count: levels.len() as u32,
        }
    }

    /// A clause that excludes the solution that was just found: at least one of the guesses that led to it must
    /// be false. At least one guess must have been made.
    pub(super) fn excluding_solution(engine: &Engine) -> LearnedClause {
        let guesses = engine.assignment.guesses().rev();
        let literals = guesses.map(Literal::negated).collect();
        LearnedClause::new(literals, engine)
    }
}
