//! Propagation of the solver with clause learning: derives all values that follow from groups and learned
//! clauses.

use super::assignment::{Assignment, Literal, Reason};
use super::clauses::{Clauses, Watch};
use super::groups::VariableGroups;

/// A contradiction that propagation has found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conflict {
    /// Both of these variables are true, but they share a group.
    Pair(u32, u32),
    /// All variables of this group are false.
    Group(u32),
    /// All literals of this clause are false.
    Clause(u32),
}

/// The state of a search with clause learning: variables, values and clauses, with propagation.
pub(super) struct Engine {
    pub(super) groups: VariableGroups,
    pub(super) assignment: Assignment,
    pub(super) clauses: Clauses,
    /// The number of literals at the start of the trail that have been propagated.
    propagated: usize,
    /// The number of literals and clauses visited so far, as a measure of the time of a search.
    pub(super) visits: u64,
}

impl Engine {
    /// The state of a search at its start: all variables are open, and no clause is learned.
    pub(super) fn new(groups: VariableGroups) -> Engine {
        let variables = groups.cells_and_symbols().len();
        Engine {
            assignment: Assignment::new(&groups),
            clauses: Clauses::new(variables),
            groups,
            propagated: 0,
            visits: 0,
        }
    }

    /// Makes a literal without a value true, for this reason.
    pub(super) fn set_true(&mut self, literal: Literal, reason: Reason) {
        self.assignment.set_true(literal, reason, &self.groups);
    }

    /// Undoes all guesses except for the first `guesses`, and all values that follow from them.
    pub(super) fn undo_to(&mut self, guesses: usize) {
        self.assignment.undo_to(guesses, &self.groups);
        self.propagated = self.propagated.min(self.assignment.trail().len());
    }

    /// Sets the variables that are the only one of their group from the start. Fails if a group has no
    /// variable.
    pub(super) fn propagate_first_groups(&mut self) -> Result<(), Conflict> {
        (0..self.groups.len() as u32).try_for_each(|group| self.set_last_of(group))
    }

    /// Propagates every new literal of the trail, and every literal that follows from it.
    pub(super) fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(&literal) = self.assignment.trail().get(self.propagated) {
            self.propagated += 1;
            self.visits += 1;
            if literal.is_positive() {
                self.exclude_peers(literal.variable())?;
            } else {
                self.set_last_of_groups(literal.variable())?;
            }
            self.follow_clauses(literal.negated())?;
        }
        Ok(())
    }

    /// Propagates a variable that became true: all other variables in its groups become false.
    fn exclude_peers(&mut self, variable: u32) -> Result<(), Conflict> {
        for group in self.groups.groups_of(variable) {
            let members = self.groups.members(group);
            self.visits += members.len() as u64;
            for &other in members.iter().filter(|other| **other != variable) {
                match self.assignment.value(Literal::positive(other)) {
                    0 => {
                        let reason = Reason::Peer(variable);
                        let literal = Literal::negative(other);
                        self.assignment.set_true(literal, reason, &self.groups);
                    }
                    1 => return Err(Conflict::Pair(variable, other)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Propagates a variable that became false: if one of its groups has only one variable left that is not
    /// false, that one becomes true.
    fn set_last_of_groups(&mut self, variable: u32) -> Result<(), Conflict> {
        let groups = self.groups.groups_of(variable).into_iter();
        { groups }.try_for_each(|group| self.set_last_of(group))
    }

    fn set_last_of(&mut self, group: u32) -> Result<(), Conflict> {
        if self.assignment.free_counts()[group as usize] > 1 {
            return Ok(());
        }
        let members = self.groups.members(group).iter();
        let mut possible_members =
            members.filter(|one| self.assignment.value(Literal::positive(**one)) >= 0);
        let Some(&last) = possible_members.next() else {
            return Err(Conflict::Group(group));
        };
        if self.assignment.value(Literal::positive(last)) == 0 {
            self.set_true(Literal::positive(last), Reason::Last(group));
        }
        Ok(())
    }

    /// Propagates a literal that became false to the clauses in which it is watched. Each clause either
    /// watches another literal instead, or has one literal left, which becomes true.
    fn follow_clauses(&mut self, literal: Literal) -> Result<(), Conflict> {
        let mut list = std::mem::take(&mut self.clauses.watches_by_literal[literal.index()]);
        let mut result = Ok(());
        self.visits += list.len() as u64;
        list.retain_mut(|watch| result.is_err() || self.stays_watched(literal, watch, &mut result));
        self.clauses.watches_by_literal[literal.index()] = list;
        result
    }

    /// Whether a clause must still watch this false literal, because it has no other literal to watch.
    fn stays_watched(
        &mut self,
        literal: Literal,
        watch: &mut Watch,
        result: &mut Result<(), Conflict>,
    ) -> bool {
        if self.assignment.value(watch.other_literal) == 1 {
            return true;
        }
        let literals = self.clauses.literals_mut(watch.clause_index);
        if literals[0] == literal {
            literals.swap(0, 1);
        }
        watch.other_literal = literals[0];
        let value = self.assignment.value(literals[0]);
        if value == 1 {
            return true;
        }
        let unrefuted = (2..literals.len()).find(|at| self.assignment.value(literals[*at]) >= 0);
        if let Some(at) = unrefuted {
            literals.swap(1, at);
            let watched_index = literals[1].index();
            self.clauses.watches_by_literal[watched_index].push(*watch);
            return false;
        }
        match value {
            0 => self.set_true(watch.other_literal, Reason::Clause(watch.clause_index)),
            _ => *result = Err(Conflict::Clause(watch.clause_index)),
        }
        true
    }
}
