//! Tests of the formats that are read.

pub(crate) mod arrays;
mod arrow_decoder;
mod columnar;
mod containers;
mod containers_of_records;
mod formats;
mod formats_text;
mod given_solutions;
mod hodoku;
mod input_names;
mod pencil_marks;
pub(crate) mod puzzle_layouts;
mod sizes;
pub(crate) mod spellings;
