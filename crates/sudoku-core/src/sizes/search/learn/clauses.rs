//! The learned clauses. In a solution, at least one literal of each clause is true.
//!
//! The first two literals of each clause are watched. As long as neither of them is false, nothing
//! follows from the clause, and it need not be visited.

use super::assignment::{Assignment, Literal};

/// Clauses of at most this many levels are never forgotten.
const FEW_LEVELS: u32 = 2;

struct Clause {
    start: u32,
    len: u32,
    /// The number of different levels of its literals (LBD): the fewer, the more useful.
    levels: u32,
    /// Whether it must never be forgotten.
    is_kept: bool,
}

/// A clause in the list of one of its watched literals.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub(super) clause: u32,
    /// Another literal of the clause. While it is true, nothing follows from the clause.
    pub(super) other: Literal,
}

/// The learned clauses.
pub(super) struct Clauses {
    clauses: Vec<Clause>,
    literals: Vec<Literal>,
    /// By literal: the clauses that watch it.
    pub(super) watches: Vec<Vec<Watch>>,
}

impl Clauses {
    /// No clauses, for this many variables.
    pub(super) fn new(variables: usize) -> Clauses {
        Clauses {
            clauses: Vec::new(),
            literals: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.clauses.len()
    }

    /// The literals of a clause, the watched ones first.
    pub(super) fn literals(&self, clause: u32) -> &[Literal] {
        let Clause { start, len, .. } = self.clauses[clause as usize];
        &self.literals[start as usize..(start + len) as usize]
    }

    /// The literals of a clause, to reorder them.
    pub(super) fn literals_mut(&mut self, clause: u32) -> &mut [Literal] {
        let Clause { start, len, .. } = self.clauses[clause as usize];
        &mut self.literals[start as usize..(start + len) as usize]
    }

    /// Adds a clause of at least two literals, and returns its number.
    pub(super) fn add(&mut self, literals: &[Literal], levels: u32, is_kept: bool) -> u32 {
        let clause = self.clauses.len() as u32;
        self.clauses.push(Clause {
            start: self.literals.len() as u32,
            len: literals.len() as u32,
            levels,
            is_kept,
        });
        self.literals.extend_from_slice(literals);
        for (own, other) in [(0, 1), (1, 0)] {
            let other = literals[other];
            self.watches[literals[own].index()].push(Watch { clause, other });
        }
        clause
    }

    /// Forgets about half of the clauses: those with the most levels. There must be no guess, because the
    /// reason of a literal can be a clause.
    pub(super) fn forget(&mut self, assignment: &Assignment) {
        let mut levels: Vec<u32> = self.clauses.iter().map(|clause| clause.levels).collect();
        levels.sort_unstable();
        let middle = levels.get(levels.len() / 2).copied().unwrap_or(0);
        let old = std::mem::replace(self, Clauses::new(self.watches.len() / 2));
        for (at, clause) in old.clauses.iter().enumerate() {
            if !clause.is_kept && clause.levels > FEW_LEVELS && clause.levels >= middle {
                continue;
            }
            let literals = old.literals(at as u32).iter().copied();
            let literals: Vec<Literal> = literals
                .filter(|literal| assignment.value(*literal) != -1)
                .collect();
            if literals
                .iter()
                .all(|literal| assignment.value(*literal) == 0)
            {
                self.add(&literals, clause.levels, clause.is_kept);
            }
        }
    }
}
