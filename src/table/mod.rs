//! The rows of the output: what they hold, and the columns that they become.

pub(crate) mod cast;
pub mod class;
pub mod class_key;
mod column;
pub mod columns;
pub mod copies;
pub mod copy_of;
pub mod filter;
pub(crate) mod logical;
pub mod outcome;
pub(crate) mod ratings;
pub mod reject;
pub mod row_ratings;
mod traces;
mod type_name;
pub mod validation;

pub use type_name::type_name;
