//! Tests of the formats that are read.

mod archives;
mod arrays;
mod arrow_decoder;
mod columnar;
mod containers;
mod containers_of_records;
mod dataset_folders;
mod formats;
mod formats_text;
mod given_solutions;
mod hodoku;
mod input_names;
mod json_documents;
mod members;
mod notations;
mod number_grids;
mod padded_boards;
mod pencil_marks;
pub(crate) mod pieces;
mod puzzle_layouts;
mod sizes;
mod skipped_folders;
pub(crate) mod spellings;
