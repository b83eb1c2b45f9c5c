//! The quick solver for other sizes than 9 × 9: a search that learns from its failures.
//!
//! A puzzle is an exact cover: in each group (a cell, or a symbol in a row, a column or a box) exactly
//! one of the variables "this symbol in this cell" is true. Naked and hidden singles are what a group
//! with one variable left says. Where they stall, a variable is guessed. A guess that fails teaches a
//! clause: the few guesses that cannot be true together. So the search does not fail twice for the same
//! reason, which is what costs the time on large grids: this is conflict-driven clause learning, as in
//! solvers for satisfiability, over groups instead of clauses.
//!
//! ```text
//! groups       which variables are in which group, and which cell and symbol a variable stands for
//! assignment   what is decided, in which order and why; undone by levels, a level for each guess
//! clauses      what was learned, each clause watched at two literals
//! propagate    what follows from the groups and clauses; a conflict where that contradicts itself
//! analyze      from a conflict to the clause that it teaches
//! search       guess, propagate, learn; restarts and limits
//! ```

mod analyze;
mod assignment;
mod clauses;
mod groups;
mod propagate;
mod search;

pub(super) use groups::Groups;
pub(super) use search::{LearnLimits, Learning};
