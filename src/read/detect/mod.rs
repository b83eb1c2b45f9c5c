//! Opens inputs: detects their formats and the alphabets of their grids, and unifies the columns of several inputs.

mod archived;
pub(crate) mod catalog;
pub(crate) mod decompressed;
pub(crate) mod folder_columns;
mod hint;
pub(crate) mod known_inputs;
pub(crate) mod names;
pub(crate) mod open;
pub(crate) mod recognition;
pub(crate) mod sample;
pub(crate) mod sniff;
mod unsupported;
mod variants;
mod watched;
