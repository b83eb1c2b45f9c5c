//! The assignment of the solver with clause learning: the values of the variables, the order in which they
//! were set, and the reasons.

use super::groups::VariableGroups;

/// A variable, or its negation.
///
/// ```text
/// bit 0       set: the negation
/// bits 1–31   the variable
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal(u32);

impl Literal {
    /// The literal that is true if this variable is true.
    pub(super) fn positive(variable: u32) -> Literal {
        Literal(variable << 1)
    }

    /// The literal that is true if this variable is false.
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

    /// The index of the literal in arrays with one element for each literal.
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
    /// For each variable: 1 if it is true, -1 if it is false, 0 if it is open.
    value_by_variable: Vec<i8>,
    /// For each variable, its level: the number of guesses that were made before it was set.
    level_by_variable: Vec<u32>,
    reason_by_variable: Vec<Reason>,
    /// For each group, the number of its variables that are not false.
    free_count_by_group: Vec<u8>,
    /// The true literals, in the order in which they became true.
    trail: Vec<Literal>,
    /// For each guess, its index on the trail, where its level begins.
    guess_positions: Vec<usize>,
}

impl Assignment {
    /// The assignment in which no variable has a value.
    pub(super) fn new(groups: &VariableGroups) -> Assignment {
        let variables = groups.cells_and_symbols().len();
        let free_counts = (0..groups.len()).map(|group| groups.members(group as u32).len() as u8);
        Assignment {
            value_by_variable: vec![0; variables],
            level_by_variable: vec![0; variables],
            reason_by_variable: vec![Reason::None; variables],
            free_count_by_group: free_counts.collect(),
            trail: Vec::with_capacity(variables),
            guess_positions: Vec::new(),
        }
    }

    /// The value of a literal: 1 if it is true, -1 if it is false, 0 if it is open.
    pub(super) fn value(&self, literal: Literal) -> i8 {
        let value = self.value_by_variable[literal.variable() as usize];
        if literal.is_positive() { value } else { -value }
    }

    /// The level of a variable: the number of guesses that were made before it was set.
    pub(super) fn level(&self, variable: u32) -> u32 {
        self.level_by_variable[variable as usize]
    }

    /// The reason why a variable has its value.
    pub(super) fn reason(&self, variable: u32) -> Reason {
        self.reason_by_variable[variable as usize]
    }

    /// For each group, the number of its variables that are not false.
    pub(super) fn free_counts(&self) -> &[u8] {
        &self.free_count_by_group
    }

    /// The true literals, in the order in which they became true.
    pub(super) fn trail(&self) -> &[Literal] {
        &self.trail
    }

    /// The number of guesses that were made and not undone.
    pub(super) fn guess_count(&self) -> usize {
        self.guess_positions.len()
    }

    /// The literals that were guessed, in the order of the guesses.
    pub(super) fn guesses(&self) -> impl DoubleEndedIterator<Item = Literal> + '_ {
        self.guess_positions.iter().map(|at| self.trail[*at])
    }

    /// Makes a literal without a value true, for this reason.
    pub(super) fn set_true(&mut self, literal: Literal, reason: Reason, groups: &VariableGroups) {
        let variable = literal.variable();
        let variable_index = variable as usize;
        self.level_by_variable[variable_index] = self.guess_positions.len() as u32;
        self.reason_by_variable[variable_index] = reason;
        self.trail.push(literal);
        if literal.is_positive() {
            self.value_by_variable[variable_index] = 1;
        } else {
            self.value_by_variable[variable_index] = -1;
            for group in groups.groups_of(variable) {
                self.free_count_by_group[group as usize] -= 1;
            }
        }
    }

    /// Guesses that a literal without a value is true, which begins a new level.
    pub(super) fn guess_true(&mut self, literal: Literal, groups: &VariableGroups) {
        self.guess_positions.push(self.trail.len());
        self.set_true(literal, Reason::None, groups);
    }

    /// Undoes all guesses except for the first `guesses`, and all values that follow from them.
    pub(super) fn undo_to(&mut self, guesses: usize, groups: &VariableGroups) {
        let Some(&start) = self.guess_positions.get(guesses) else {
            return;
        };
        for literal in self.trail.drain(start..) {
            let variable = literal.variable();
            self.value_by_variable[variable as usize] = 0;
            if !literal.is_positive() {
                for group in groups.groups_of(variable) {
                    self.free_count_by_group[group as usize] += 1;
                }
            }
        }
        self.guess_positions.truncate(guesses);
    }
}
