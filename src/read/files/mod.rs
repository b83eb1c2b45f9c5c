//! Finds the input files that the arguments of a command name as files, folders and patterns.

pub(crate) mod data_name;
pub(crate) mod expand;
mod walk;
pub(crate) mod would_read;
