//! The text formats: those with one record per line, and those whose records have named fields.

pub(crate) mod csv;
pub(crate) mod fields;
pub(crate) mod first_line;
pub(crate) mod header;
mod hint;
pub(crate) mod hodoku;
pub(crate) mod json;
mod line_grids;
mod line_records;
pub(crate) mod lined;
pub(crate) mod lines;
mod prose;
pub(crate) mod puzzle_bank;
pub(crate) mod puzzle_count;
mod unnamed_table;
