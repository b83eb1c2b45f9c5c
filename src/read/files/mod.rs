//! Finds the input files that the arguments of a command name as files, folders and patterns.

mod archives;
pub(crate) mod data_name;
pub(crate) mod expand;
mod saved_dataset;
mod walk;
pub(crate) mod would_read;
