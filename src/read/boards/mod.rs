//! Reads boards that span several lines, and pencil marks, which are the candidates of each cell.

mod assemble;
mod block;
pub(crate) mod blocks;
mod board_line;
mod line_characters;
mod line_scan;
mod next_block;
pub(crate) mod opensudoku;
pub(crate) mod pencil_marks;
mod row_cells;
mod segments;
mod text_line;
mod wrapped_row;
pub(crate) mod xml;
