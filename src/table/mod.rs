//! The rows of the output: what they hold, and the columns that they become.

pub mod class;
pub mod columns;
pub mod copies;
pub mod filter;
pub mod gate;
pub(crate) mod logical;
pub mod outcome;
pub(crate) mod recast;
pub mod reject;
mod traces;
