//! Sudoku Explainer's techniques without chains, one file for each. Each search returns its hints in the order of
//! Sudoku Explainer.

pub(super) mod aligned_exclusion;
pub(super) mod bug;
pub(super) mod direct_hidden_set;
pub(super) mod fish;
pub(super) mod hidden_set;
pub(super) mod locking;
pub(super) mod naked_set;
pub(super) mod naked_single;
pub(super) mod singles;
pub(super) mod unique_loop;
pub(super) mod wings;
