//! The assignment of a search: the values of the variables, the order in which they were set, and
//! the reasons.

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
    /// The literal that is true if the variable is true.
    pub(super) fn positive(variable: u32) -> Literal {
        Literal(variable << 1)
    }

    /// The literal that is true if the variable is false.
    pub(super) fn negative(variable: u32) -> Literal {
        Literal(variable << 1 | 1)
    }

    /// The negation of the literal.
    pub(super) fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    pub(super) fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the literal is a variable rather than a negation.
    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The index of the literal in arrays that have an entry for each literal.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The reason why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The literal was guessed, or holds without any guess.
    None,
    /// The literal is the negation of a variable that shares a group with this true variable.
    Peer(u32),
    /// The literal is the variable left in this group: all other variables of the group are false.
    Last(u32),
    /// The literal is the one left in this clause: all other literals of the clause are false.
    Clause(u32),
}

/// The values of the variables, which the search sets and undoes.
pub(super) struct Assignment {
    /// By variable: 1 for true, -1 for false, 0 for open.
    values: Vec<i8>,
    /// By variable: its level, the number of guesses that were made before it was set.
    levels: Vec<u32>,
    reasons: Vec<Reason>,
    /// By group: the number of variables that are not false.
    free: Vec<u8>,
    /// The true literals, in the order in which they became true.
    trail: Vec<Literal>,
    /// For each guess, its index on the trail, where its level begins.
    guesses: Vec<usize>,
}

impl Assignment {
    /// The assignment in which all variables are open.
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

    /// The value of a literal: 1 for true, -1 for false, 0 for open.
    pub(super) fn value(&self, literal: Literal) -> i8 {
        let value = self.values[literal.variable() as usize];
        if literal.is_positive() { value } else { -value }
    }

    /// The level of a variable: the number of guesses that were made before it was set.
    pub(super) fn level(&self, variable: u32) -> u32 {
        self.levels[variable as usize]
    }

    /// The reason why the variable has its value.
    pub(super) fn reason(&self, variable: u32) -> Reason {
        self.reasons[variable as usize]
    }

    /// By group: the number of variables that are not false.
    pub(super) fn free(&self) -> &[u8] {
        &self.free
    }

    /// The true literals, in the order in which they became true.
    pub(super) fn trail(&self) -> &[Literal] {
        &self.trail
    }

    /// The number of guesses.
    pub(super) fn guess_count(&self) -> usize {
        self.guesses.len()
    }

    /// The guessed literals in order.
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
            for group in groups.groups_of(variable) {
                self.free[group as usize] -= 1;
            }
        }
    }

    /// Makes an open literal true as a guess, which begins a new level.
    pub(super) fn guess(&mut self, literal: Literal, groups: &Groups) {
        self.guesses.push(self.trail.len());
        self.set(literal, Reason::None, groups);
    }

    /// Undoes all guesses after the first `guesses`, and the values that follow from them.
    pub(super) fn undo_to(&mut self, guesses: usize, groups: &Groups) {
        let Some(&start) = self.guesses.get(guesses) else {
            return;
        };
        for literal in self.trail.drain(start..) {
            let variable = literal.variable();
            self.values[variable as usize] = 0;
            if !literal.is_positive() {
                for group in groups.groups_of(variable) {
                    self.free[group as usize] += 1;
                }
            }
        }
        self.guesses.truncate(guesses);
    }
}
