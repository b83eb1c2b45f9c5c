//! Boards over several lines, and pencil marks.

pub(crate) mod block;
pub(crate) mod blocks;
pub(crate) mod board_line;
pub(crate) mod opensudoku;
pub(crate) mod pencil_marks;
pub(crate) mod wrapped_row;
pub(crate) mod xml;
