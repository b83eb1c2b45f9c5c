//! Boards that span several lines, and pencil marks, which are the candidates of each cell.
//!
//! ```text
//! line_characters   the class of a character           a cell, a separator, a part of a drawn line
//! line_scan         the kind of a line by its counts
//! fields_row        a row of fields                     5,3,,,7,…
//! heading           the names of the columns            C1 C2 C3 …
//! board_line        the kind of a line                  a row, a rule, a heading, text
//! next_block        the lines of the next board         a text can be cut between blocks
//! board_text        the cells of a board
//! ```

mod assemble;
mod block;
mod board_line;
mod board_text;
mod fields_row;
mod heading;
mod line_characters;
mod line_scan;
mod next_block;
pub mod pencil_marks;
mod row_cells;
mod segments;
mod text_line;
mod wrapped_row;

pub use block::{Block, RowAt};
pub use board_text::{cells, title};
pub use line_scan::Wrapping;
pub use next_block::{NextBlock, next_block};
