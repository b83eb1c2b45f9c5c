//! Opens inputs: files, compression, and the detection of their formats.

pub(crate) mod catalog;
pub(crate) mod chunker;
mod common_type;
pub(crate) mod data_name;
pub(crate) mod expand;
pub(crate) mod folder_columns;
pub(crate) mod guard;
pub(crate) mod head;
pub(crate) mod hint;
pub(crate) mod names;
pub(crate) mod open;
pub(crate) mod sample;
pub(crate) mod sniff;
pub(crate) mod stored;
pub(crate) mod take;
pub(crate) mod unsupported;
mod walk;
pub(crate) mod watched;
pub(crate) mod zip;
