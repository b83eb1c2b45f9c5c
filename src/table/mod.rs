//! A row of the output, and the tables that rows are written to.

pub mod columns;
pub mod filter;
pub mod gate;
pub(crate) mod logical;
pub mod outcome;
pub(crate) mod recast;
pub mod reject;
