//! A puzzle a block of lines.

use std::io::Write;

use super::Group;
use super::format::{Format, Holds};
use super::lines::grids;
use super::text::{self, WriteText};
use crate::error::Error;

pub(super) static SDK: Format = Format {
    id: "sdk",
    endings: &["sdk"],
    doc: "SadMan and SudoCue blocks: [Puzzle] and a line a row, a blank line between puzzles",
    holds: Holds::Grids,
    is_text: true,
    start: |start| text::start(Blocks(sdk), start),
};

pub(super) static EULER: Format = Format {
    id: "euler",
    endings: &["euler"],
    doc: "Project Euler blocks: Grid 01 and a line a row, 0 for an empty cell",
    holds: Holds::Grids,
    is_text: true,
    start: |start| text::start(Blocks(euler), start),
};

pub(super) static SIMPLE_SUDOKU: Format = Format {
    id: "ss",
    endings: &["ss"],
    doc: "Simple Sudoku boards: a line a row, boxes apart, a blank line between puzzles",
    holds: Holds::Grids,
    is_text: true,
    start: |start| text::start(Blocks(simple_sudoku), start),
};

/// Appends the n-th puzzle, from 1, of these rows.
type WriteBlock = fn(number: u64, rows: &[Vec<String>], text: &mut Vec<u8>);

struct Blocks(WriteBlock);

impl WriteText for Blocks {
    fn rows(&self, group: &Group, text: &mut Vec<u8>) -> Result<(), Error> {
        let mut number = group.first_row;
        for batch in &group.batches {
            let puzzles = grids(batch, "puzzle")
                .ok_or_else(|| Error::Table("there is no column of puzzles".into()))?;
            for puzzle in puzzles.iter().flatten() {
                number += 1;
                (self.0)(number, &rows_of(puzzle), text);
            }
        }
        Ok(())
    }
}

/// The cells of a grid by rows: n² characters are n rows of n; 729 are the candidates of nine rows
/// of nine cells, nine characters each, of which the digits count.
fn rows_of(grid: &str) -> Vec<Vec<String>> {
    let cells: Vec<String> = if grid.len() == 729 {
        let candidates = grid.as_bytes().chunks(9);
        candidates
            .map(|cell| {
                let digits = cell.iter().filter(|byte| (b'1'..=b'9').contains(*byte));
                let digits: String = digits.copied().map(char::from).collect();
                if digits.is_empty() {
                    ".".into()
                } else {
                    digits
                }
            })
            .collect()
    } else {
        grid.chars().map(String::from).collect()
    };
    let side = cells.len().isqrt().max(1);
    cells.chunks(side).map(<[String]>::to_vec).collect()
}

/// Candidates stand apart.
fn separator(rows: &[Vec<String>]) -> &'static str {
    let mut cells = rows.iter().flatten();
    if cells.any(|cell| cell.len() > 1) {
        " "
    } else {
        ""
    }
}

fn sdk(number: u64, rows: &[Vec<String>], text: &mut Vec<u8>) {
    if number > 1 {
        text.push(b'\n');
    }
    text.extend_from_slice(b"[Puzzle]\n");
    for row in rows {
        text.extend_from_slice(row.join(separator(rows)).as_bytes());
        text.push(b'\n');
    }
}

fn euler(number: u64, rows: &[Vec<String>], text: &mut Vec<u8>) {
    // Writing into memory does not fail.
    let _ = writeln!(text, "Grid {number:02}");
    for row in rows {
        text.extend_from_slice(row.join(separator(rows)).replace('.', "0").as_bytes());
        text.push(b'\n');
    }
}

/// `.3.|4..|...` with `-----------` between the bands.
fn simple_sudoku(number: u64, rows: &[Vec<String>], text: &mut Vec<u8>) {
    if number > 1 {
        text.push(b'\n');
    }
    let (height, width) = box_of(rows.len());
    let between = separator(rows);
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let boxes: Vec<String> = row.chunks(width).map(|cells| cells.join(between)).collect();
            boxes.join("|")
        })
        .collect();
    let longest = lines.iter().map(String::len).max().unwrap_or_default();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 && at % height == 0 {
            text.extend_from_slice("-".repeat(longest).as_bytes());
            text.push(b'\n');
        }
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
    }
}

/// The rows and columns of a box: 3 × 3 of 9, 2 × 3 of 6.
fn box_of(side: usize) -> (usize, usize) {
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

    fn written(block: WriteBlock, grids: &[&str]) -> String {
        let mut text = Vec::new();
        for (number, grid) in (1..).zip(grids) {
            block(number, &rows_of(grid), &mut text);
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn each_kind_of_block_looks_like_its_model() {
        let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect();
        let nine = rows.join("\n") + "\n";
        assert_eq!(
            written(sdk, &[PUZZLE; 2]),
            format!("[Puzzle]\n{nine}\n[Puzzle]\n{nine}")
        );
        let zeros = nine.replace('.', "0");
        assert_eq!(
            written(euler, &[PUZZLE; 2]),
            format!("Grid 01\n{zeros}Grid 02\n{zeros}")
        );
        let board = written(simple_sudoku, &[PUZZLE]);
        assert!(board.starts_with("4..|.3.|...\n...|6..|8..\n...|...|..1\n-----------\n...|.5."));
        assert_eq!(board.lines().count(), 11);
    }

    #[test]
    fn other_sizes_and_candidates_are_written_too() {
        let four = "1.......";
        assert_eq!(
            written(simple_sudoku, &[&four.repeat(2)]),
            "1.|..\n..|..\n-----\n1.|..\n..|..\n"
        );
        let six = ".".repeat(36);
        assert!(written(simple_sudoku, &[&six]).starts_with("...|...\n...|...\n-------\n"));
        let candidates = format!("12.4.....{}{}", ".........", "123456789".repeat(79));
        let text = written(euler, &[&candidates]);
        assert!(text.starts_with("Grid 01\n124 0 123456789 "), "{text}");
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.split(' ').count() == 9)
        );
        assert_eq!(text.lines().count(), 10);
    }
}
