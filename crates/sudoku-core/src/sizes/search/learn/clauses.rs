//! The clauses that a search has learned. Every solution makes at least one literal of each clause true.
//!
//! The first two literals of each clause are watched. While neither of them is false, no value can follow
//! from the clause, so it need not be visited.

use super::assignment::{Assignment, Literal};

/// Clauses with at most this many levels are never forgotten, because they are the most useful.
const FEW_LEVELS: u32 = 2;

struct Clause {
    first_literal: u32,
    literal_count: u32,
    /// The number of different levels among the literals, known as LBD in SAT solvers. Clauses with fewer
    /// levels are more useful.
    level_count: u32,
    /// Whether the clause must never be forgotten, because it excludes a solution that was found.
    is_kept: bool,
}

/// One element of a literal's list of watches: a clause in which this literal is watched.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub(super) clause_index: u32,
    /// Another literal of the clause. While it is true, the clause need not be visited.
    pub(super) other_literal: Literal,
}

/// The clauses that a search has learned.
pub(super) struct Clauses {
    clauses: Vec<Clause>,
    literals: Vec<Literal>,
    /// For each literal, the clauses in which it is watched. They are visited when the literal becomes false.
    pub(super) watches_by_literal: Vec<Vec<Watch>>,
}

impl Clauses {
    /// An empty list of clauses, for this many variables.
    pub(super) fn new(variables: usize) -> Clauses {
        Clauses {
            clauses: Vec::new(),
            literals: Vec::new(),
            watches_by_literal: vec![Vec::new(); 2 * variables],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.clauses.len()
    }

    /// The literals of a clause, of which the first two are watched.
    pub(super) fn literals(&self, clause: u32) -> &[Literal] {
        let Clause {
            first_literal: start,
            literal_count: len,
            ..
        } = self.clauses[clause as usize];
        &self.literals[start as usize..(start + len) as usize]
    }

    /// The literals of a clause, so that propagation can reorder them.
    pub(super) fn literals_mut(&mut self, clause: u32) -> &mut [Literal] {
        let Clause {
            first_literal: start,
            literal_count: len,
            ..
        } = self.clauses[clause as usize];
        &mut self.literals[start as usize..(start + len) as usize]
    }

    /// Adds a clause of at least two literals, and returns its index.
    pub(super) fn add_clause(&mut self, literals: &[Literal], levels: u32, is_kept: bool) -> u32 {
        let clause = self.clauses.len() as u32;
        self.clauses.push(Clause {
            first_literal: self.literals.len() as u32,
            literal_count: literals.len() as u32,
            level_count: levels,
            is_kept,
        });
        self.literals.extend_from_slice(literals);
        for (own, other) in [(0, 1), (1, 0)] {
            let blocking_literal = literals[other];
            self.watches_by_literal[literals[own].index()].push(Watch {
                clause_index: clause,
                other_literal: blocking_literal,
            });
        }
        clause
    }

    /// Forgets about half of the clauses: those with the most levels. All guesses must be undone before,
    /// because a clause can be the reason of a literal.
    pub(super) fn forget_half(&mut self, assignment: &Assignment) {
        let mut levels: Vec<u32> = self
            .clauses
            .iter()
            .map(|clause| clause.level_count)
            .collect();
        levels.sort_unstable();
        let middle = levels.get(levels.len() / 2).copied().unwrap_or(0);
        let old_clauses = std::mem::replace(self, Clauses::new(self.watches_by_literal.len() / 2));
        for (at, clause) in old_clauses.clauses.iter().enumerate() {
            if !clause.is_kept && clause.level_count > FEW_LEVELS && clause.level_count >= middle {
                continue;
            }
            let literals = old_clauses.literals(at as u32).iter().copied();
            let literals: Vec<Literal> = literals
                .filter(|literal| assignment.value(*literal) != -1)
                .collect();
            if literals
                .iter()
                .all(|literal| assignment.value(*literal) == 0)
            {
                self.add_clause(&literals, clause.level_count, clause.is_kept);
            }
        }
    }
}
