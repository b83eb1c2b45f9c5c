//! Opens inputs: detects their formats and the alphabets of their grids, and unifies the columns of several inputs.

pub(crate) mod catalog;
pub(crate) mod folder_columns;
mod hint;
mod misleading_name;
pub(crate) mod names;
pub(crate) mod open;
pub(crate) mod sample;
pub(crate) mod sniff;
mod unsupported;
mod watched;
