//! Finds the files that arguments, folders and patterns name.

pub(crate) mod data_name;
pub(crate) mod expand;
mod walk;
