//! Writes each puzzle as a board over several lines.

use std::io::Write;

use crate::error::Error;
use crate::table::layout::Holds;
use crate::write::RowGroup;
use crate::write::formats::format::{WriteFormat, stored_unchanged};
use crate::write::formats::lines::grid_column;
use crate::write::formats::text::{self, WriteText};

pub(crate) static SDK_FORMAT: WriteFormat = WriteFormat {
    id: "sdk",
    endings: &["sdk"],
    doc: "SadMan and SudoCue blocks: [Puzzle] and a line a row, a blank line between puzzles",
    holds: Holds::Puzzles,
    folder: None,
    is_text: true,
    has_types: false,
    has_logical_types: false,
    store: stored_unchanged,
    start: |start| text::start_text(BlockWriter(write_sdk), start),
};

pub(crate) static EULER_FORMAT: WriteFormat = WriteFormat {
    id: "euler",
    endings: &["euler"],
    doc: "Project Euler blocks: Grid 01 and a line a row, 0 for an empty cell",
    holds: Holds::Puzzles,
    folder: None,
    is_text: true,
    has_types: false,
    has_logical_types: false,
    store: stored_unchanged,
    start: |start| text::start_text(BlockWriter(write_euler), start),
};

pub(crate) static SIMPLE_SUDOKU_FORMAT: WriteFormat = WriteFormat {
    id: "ss",
    endings: &["ss"],
    doc: "Simple Sudoku boards: a line a row, boxes apart, a blank line between puzzles",
    holds: Holds::Puzzles,
    folder: None,
    is_text: true,
    has_types: false,
    has_logical_types: false,
    store: stored_unchanged,
    start: |start| text::start_text(BlockWriter(write_simple_sudoku), start),
};

/// Appends a puzzle as a board. `puzzle_number` is the number of the puzzle in the table, from 1.
type WriteBlock = fn(puzzle_number: u64, board: TextBoard<'_>, text: &mut Vec<u8>);

struct BlockWriter(WriteBlock);

impl WriteText for BlockWriter {
    fn write_rows(&self, group: &RowGroup, text: &mut Vec<u8>) -> Result<(), Error> {
        let mut puzzle_number = group.first_row;
        for batch in &group.batches {
            let puzzles = grid_column(batch, "puzzle")
                .ok_or_else(|| Error::Internal("there is no column of puzzles".into()))?;
            for puzzle in puzzles.iter().flatten() {
                puzzle_number += 1;
                (self.0)(puzzle_number, TextBoard::from_grid(puzzle), text);
            }
        }
        Ok(())
    }
}

/// A grid as text. A plain grid has n² characters: n rows of n cells. A grid with pencil marks has 729 characters, nine
/// for each of its 81 cells: the candidate digits, and dots for the other digits.
#[derive(Clone, Copy)]
struct TextBoard<'a> {
    grid: &'a [u8],
    side_length: usize,
    /// The number of characters per cell: 1, or 9 for pencil marks.
    characters_per_cell: usize,
}

impl<'a> TextBoard<'a> {
    fn from_grid(grid: &'a str) -> TextBoard<'a> {
        let width = if grid.len() == 729 { 9 } else { 1 };
        TextBoard {
            grid: grid.as_bytes(),
            side_length: (grid.len() / width).isqrt().max(1),
            characters_per_cell: width,
        }
    }

    fn cells_by_row(self) -> impl Iterator<Item = &'a [u8]> {
        self.grid
            .chunks(self.side_length * self.characters_per_cell)
    }

    /// Appends a row of cells. If `bar_spacing` is set, a bar follows every `bar_spacing` cells. Cells with pencil
    /// marks are separated by spaces.
    fn write_row(self, row: &[u8], blank: u8, bar_spacing: Option<usize>, text: &mut Vec<u8>) {
        for (at, cell) in row.chunks(self.characters_per_cell).enumerate() {
            match bar_spacing {
                Some(width) if at > 0 && at % width == 0 => text.push(b'|'),
                _ if at > 0 && self.characters_per_cell > 1 => text.push(b' '),
                _ => {}
            }
            let cell_start = text.len();
            text.extend(cell.iter().filter(|byte| **byte != b'.'));
            if text.len() == cell_start {
                text.push(blank);
            }
        }
        text.push(b'\n');
    }
}

fn write_sdk(puzzle_number: u64, board: TextBoard<'_>, text: &mut Vec<u8>) {
    if puzzle_number > 1 {
        text.push(b'\n');
    }
    text.extend_from_slice(b"[Puzzle]\n");
    for row in board.cells_by_row() {
        board.write_row(row, b'.', None, text);
    }
}

fn write_euler(puzzle_number: u64, board: TextBoard<'_>, text: &mut Vec<u8>) {
    // Writing to a vector does not fail.
    let _ = writeln!(text, "Grid {puzzle_number:02}");
    for row in board.cells_by_row() {
        board.write_row(row, b'0', None, text);
    }
}

/// Appends a board with rows such as `.3.|4..|...`, and `-----------` between the bands.
fn write_simple_sudoku(number: u64, board: TextBoard<'_>, text: &mut Vec<u8>) {
    if number > 1 {
        text.push(b'\n');
    }
    let (height, width) = box_size(board.side_length);
    let separator_length = board.side_length + board.side_length / width - 1;
    for (at, row) in board.cells_by_row().enumerate() {
        if at > 0 && at % height == 0 {
            text.resize(text.len() + separator_length, b'-');
            text.push(b'\n');
        }
        board.write_row(row, b'.', Some(width), text);
    }
}

/// The number of rows and of columns of a box: 3 and 3 in a grid of side 9, 2 and 3 in a grid of side 6.
fn box_size(side: usize) -> (usize, usize) {
    let root = side.isqrt().max(1);
    let height = (1..=root).rev().find(|height| side.is_multiple_of(*height));
    let height = height.unwrap_or(1);
    (height, (side / height).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    fn written_text(block: WriteBlock, grids: &[&str]) -> String {
        let mut text = Vec::new();
        for (number, grid) in (1..).zip(grids) {
            block(number, TextBoard::from_grid(grid), &mut text);
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn each_block_format_is_written_as_documented() {
        let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect();
        let nine_rows = rows.join("\n") + "\n";
        assert_eq!(
            written_text(write_sdk, &[PUZZLE; 2]),
            format!("[Puzzle]\n{nine_rows}\n[Puzzle]\n{nine_rows}")
        );
        let zeros = nine_rows.replace('.', "0");
        assert_eq!(
            written_text(write_euler, &[PUZZLE; 2]),
            format!("Grid 01\n{zeros}Grid 02\n{zeros}")
        );
        let board = written_text(write_simple_sudoku, &[PUZZLE]);
        assert!(board.starts_with("4..|.3.|...\n...|6..|8..\n...|...|..1\n-----------\n...|.5."));
        assert_eq!(board.lines().count(), 11);
    }

    #[test]
    fn other_sizes_and_candidates_are_written_too() {
        let four = "1.......";
        assert_eq!(
            written_text(write_simple_sudoku, &[&four.repeat(2)]),
            "1.|..\n..|..\n-----\n1.|..\n..|..\n"
        );
        let six = ".".repeat(36);
        assert!(
            written_text(write_simple_sudoku, &[&six]).starts_with("...|...\n...|...\n-------\n")
        );
        let candidates = format!("12.4.....{}{}", ".........", "123456789".repeat(79));
        let text = written_text(write_euler, &[&candidates]);
        assert!(text.starts_with("Grid 01\n124 0 123456789 "), "{text}");
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.split(' ').count() == 9)
        );
        assert_eq!(text.lines().count(), 10);
    }
}
