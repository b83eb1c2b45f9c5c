//! From a conflict to the clause that it teaches.

use super::assignment::{Literal, Reason};
use super::propagate::{Conflict, Engine};

/// By how much older conflicts count less than new ones.
const DECAY: f64 = 0.95;

/// Activities are scaled down beyond this.
const MOST: f64 = 1e100;

/// How much the variables had to do with the latest conflicts.
pub(super) struct Activity {
    of: Vec<f64>,
    step: f64,
}

impl Activity {
    /// Of so many variables, by these first values.
    pub(super) fn new(first: Vec<f64>) -> Activity {
        Activity {
            of: first,
            step: 1.0,
        }
    }

    /// That of a variable.
    pub(super) fn of(&self, variable: u32) -> f64 {
        self.of[variable as usize]
    }

    fn raise(&mut self, variable: u32) {
        let own = &mut self.of[variable as usize];
        *own += self.step;
        if *own > MOST {
            self.of.iter_mut().for_each(|own| *own /= MOST);
            self.step /= MOST;
        }
    }
}

/// A clause that a conflict teaches.
pub(super) struct Lesson {
    /// Its literals: first the one that is true once the others' guesses alone are left, then one of
    /// the last of those guesses.
    pub(super) literals: Vec<Literal>,
    /// How many guesses are left then.
    pub(super) guesses: usize,
    /// From how many guesses the literals followed.
    pub(super) levels: u32,
}

/// Finds the clauses that conflicts teach.
pub(super) struct Analysis {
    pub(super) activity: Activity,
    /// By variable: whether the clause is to have it, or what it follows from.
    seen: Vec<bool>,
    /// The literals, all of them false, that a conflict or a literal follows from.
    causes: Vec<Literal>,
}

impl Analysis {
    /// Before the first conflict.
    pub(super) fn new(activity: Vec<f64>) -> Analysis {
        Analysis {
            seen: vec![false; activity.len()],
            activity: Activity::new(activity),
            causes: Vec::new(),
        }
    }

    /// Goes back from the conflict along the trail, replacing what followed from the last guess by its
    /// causes, until one literal of the last guess's level is left: the first unique implication point.
    ///
    /// There is a guess, and the conflict follows from it.
    pub(super) fn lesson(&mut self, engine: &Engine, conflict: Conflict) -> Lesson {
        let assignment = &engine.assignment;
        let last = assignment.guess_count() as u32;
        self.find_causes_of_conflict(engine, conflict);
        let mut rest = Vec::new();
        let mut open = 0;
        let mut first = None;
        for &literal in assignment.trail().iter().rev() {
            if !self.causes.is_empty() {
                open += self.see_causes(engine, last, &mut rest);
            }
            let variable = literal.variable();
            if !self.seen[variable as usize] || assignment.level(variable) < last {
                continue;
            }
            open -= 1;
            if open == 0 {
                first = Some(literal.negated());
                break;
            }
            self.seen[variable as usize] = false;
            self.find_causes(engine, assignment.reason(variable), literal);
        }
        let is_needed: Vec<bool> = rest
            .iter()
            .map(|literal| !self.follows_from_others(engine, *literal))
            .collect();
        for literal in first.iter().chain(&rest) {
            self.seen[literal.variable() as usize] = false;
        }
        let mut literals: Vec<Literal> = first.into_iter().collect();
        let kept = rest.iter().zip(is_needed).filter(|(_, needed)| *needed);
        literals.extend(kept.map(|(literal, _)| *literal));
        self.causes.clear();
        self.activity.step /= DECAY;
        Lesson::new(literals, engine)
    }

    /// Marks the causes; returns how many new ones are of the last level, and puts the others to the
    /// clause.
    fn see_causes(&mut self, engine: &Engine, last: u32, rest: &mut Vec<Literal>) -> u32 {
        let mut of_last = 0;
        for literal in self.causes.drain(..) {
            let variable = literal.variable();
            let level = engine.assignment.level(variable);
            if level == 0 || self.seen[variable as usize] {
                continue;
            }
            self.seen[variable as usize] = true;
            self.activity.raise(variable);
            if level == last {
                of_last += 1;
            } else {
                rest.push(literal);
            }
        }
        of_last
    }

    /// Whether a literal of the clause is false because others of the clause are.
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
            self.seen[variable as usize] || assignment.level(variable) == 0
        })
    }

    fn find_causes_of_conflict(&mut self, engine: &Engine, conflict: Conflict) {
        match conflict {
            Conflict::Pair(one, other) => {
                self.causes.extend([one, other].map(Literal::is_not));
            }
            Conflict::Group(group) => {
                let members = engine.groups.members(group).iter();
                self.causes.extend(members.map(|one| Literal::is(*one)));
            }
            Conflict::Clause(clause) => {
                self.causes.extend(engine.clauses.literals(clause));
            }
        }
    }

    /// The causes of a literal that is true for this reason.
    fn find_causes(&mut self, engine: &Engine, reason: Reason, literal: Literal) {
        match reason {
            Reason::None => {}
            Reason::Peer(variable) => self.causes.push(Literal::is_not(variable)),
            Reason::Last(group) => {
                let members = engine.groups.members(group).iter();
                let members = members.map(|one| Literal::is(*one));
                self.causes.extend(members.filter(|one| *one != literal));
            }
            Reason::Clause(clause) => {
                let literals = engine.clauses.literals(clause).iter();
                self.causes.extend(literals.filter(|one| **one != literal));
            }
        }
    }
}

impl Lesson {
    /// Of these literals, of which the first is the only one of the last level.
    fn new(mut literals: Vec<Literal>, engine: &Engine) -> Lesson {
        let level = |literal: &Literal| engine.assignment.level(literal.variable());
        let mut levels: Vec<u32> = literals.iter().map(level).collect();
        let second = (1..literals.len()).max_by_key(|at| levels[*at]);
        let guesses = second.map_or(0, |at| levels[at] as usize);
        if let Some(at) = second {
            literals.swap(1, at);
        }
        levels.sort_unstable();
        levels.dedup();
        Lesson {
            literals,
            guesses,
            levels: levels.len() as u32,
        }
    }

    /// A solution was found: not all of its guesses again. There is at least one.
    pub(super) fn other_than(engine: &Engine) -> Lesson {
        let guesses = engine.assignment.guesses().rev();
        let literals = guesses.map(Literal::negated).collect();
        Lesson::new(literals, engine)
    }
}
