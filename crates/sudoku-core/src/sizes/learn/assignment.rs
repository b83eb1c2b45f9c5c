//! What a search has decided, in which order, and why.

use super::groups::Groups;

/// A variable, or its negation.
///
/// ```text
/// bit 0       set: the negation
/// bits 1–31   the variable
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal(u32);

impl Literal {
    /// The variable is true.
    pub(super) fn is(variable: u32) -> Literal {
        Literal(variable << 1)
    }

    /// The variable is false.
    pub(super) fn is_not(variable: u32) -> Literal {
        Literal(variable << 1 | 1)
    }

    /// The opposite.
    pub(super) fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    pub(super) fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it says that its variable is true.
    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// A number of its own.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It was guessed, or holds without a guess.
    None,
    /// This variable is true, and shares a group with the one that is false.
    Peer(u32),
    /// All others of this group are false.
    Last(u32),
    /// All other literals of this clause are false.
    Clause(u32),
}

/// The values of the variables.
pub(super) struct Assignment {
    /// By variable: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    /// By variable: how many guesses had been made.
    levels: Vec<u32>,
    reasons: Vec<Reason>,
    /// By group: variables that are not false.
    free: Vec<u8>,
    /// The literals that are true, in their order.
    trail: Vec<Literal>,
    /// Where the level of each guess begins on the trail.
    guesses: Vec<usize>,
}

impl Assignment {
    /// All variables open.
    pub(super) fn new(groups: &Groups) -> Assignment {
        let variables = groups.names().len();
        let free = (0..groups.len()).map(|group| groups.members(group as u32).len() as u8);
        Assignment {
            values: vec![0; variables],
            levels: vec![0; variables],
            reasons: vec![Reason::None; variables],
            free: free.collect(),
            trail: Vec::with_capacity(variables),
            guesses: Vec::new(),
        }
    }

    /// 1 for a literal that is true, -1 for one that is false, 0 for an open one.
    pub(super) fn value(&self, literal: Literal) -> i8 {
        let value = self.values[literal.variable() as usize];
        if literal.is_positive() { value } else { -value }
    }

    /// How many guesses had been made when the variable got its value.
    pub(super) fn level(&self, variable: u32) -> u32 {
        self.levels[variable as usize]
    }

    /// Why the variable has its value.
    pub(super) fn reason(&self, variable: u32) -> Reason {
        self.reasons[variable as usize]
    }

    /// By group: how many variables are not false.
    pub(super) fn free(&self) -> &[u8] {
        &self.free
    }

    /// The literals that are true, in their order.
    pub(super) fn trail(&self) -> &[Literal] {
        &self.trail
    }

    /// How many guesses there are.
    pub(super) fn guess_count(&self) -> usize {
        self.guesses.len()
    }

    /// The guesses, in their order.
    pub(super) fn guesses(&self) -> impl DoubleEndedIterator<Item = Literal> + '_ {
        self.guesses.iter().map(|at| self.trail[*at])
    }

    /// Makes an open literal true.
    pub(super) fn set(&mut self, literal: Literal, reason: Reason, groups: &Groups) {
        let variable = literal.variable();
        let at = variable as usize;
        self.levels[at] = self.guesses.len() as u32;
        self.reasons[at] = reason;
        self.trail.push(literal);
        if literal.is_positive() {
            self.values[at] = 1;
        } else {
            self.values[at] = -1;
            for group in groups.of(variable) {
                self.free[group as usize] -= 1;
            }
        }
    }

    /// Begins a level with a guess.
    pub(super) fn guess(&mut self, literal: Literal, groups: &Groups) {
        self.guesses.push(self.trail.len());
        self.set(literal, Reason::None, groups);
    }

    /// Takes back all but so many guesses, with what followed from them.
    pub(super) fn undo_to(&mut self, guesses: usize, groups: &Groups) {
        let Some(&start) = self.guesses.get(guesses) else {
            return;
        };
        for literal in self.trail.drain(start..) {
            let variable = literal.variable();
            self.values[variable as usize] = 0;
            if !literal.is_positive() {
                for group in groups.of(variable) {
                    self.free[group as usize] += 1;
                }
            }
        }
        self.guesses.truncate(guesses);
    }
}
