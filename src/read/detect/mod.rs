//! What is found out about inputs when they are opened: the alphabets of their grids, and the names of their columns.

pub(crate) mod column_mapping;
pub(crate) mod folder_columns;
pub(crate) mod known_inputs;
pub(crate) mod names;
pub(crate) mod recognition;
pub(crate) mod sample;
pub(crate) mod variants;
pub(crate) mod watched;
