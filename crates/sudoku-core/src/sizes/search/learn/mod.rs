//! The fast solver for sizes other than 9 × 9: conflict-driven clause learning (CDCL), as in SAT solvers.
//!
//! A puzzle is an exact cover problem. There is a variable for each symbol in each cell. In each group (a
//! cell, or a symbol in a row, a column or a box) exactly one variable is true. If a group has one
//! variable left, that variable is true: this gives naked and hidden singles. When propagation finds
//! nothing more, the solver guesses a variable. From each conflict it learns a clause: a few guesses that
//! cannot be true together. So the search does not fail twice for the same reason. On large grids, a plain
//! search loses most of its time that way.
//!
//! ```text
//! groups       the variables, and the groups that they are in
//! assignment   the values of the variables with their order and reasons; one level for each guess
//! clauses      the learned clauses, each watched at two literals
//! propagate    derives values from groups and clauses, or finds a conflict
//! analyze      derives a clause from a conflict
//! search       guess, propagate, learn; restarts and limits
//! ```

mod analyze;
mod assignment;
mod clauses;
mod groups;
mod propagate;
mod search;

pub(super) use groups::VariableGroups;
pub(super) use search::{ClauseLearning, LearnLimits};
