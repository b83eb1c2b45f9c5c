//! Tests boards of pencil marks whose lines are wide because their cells are padded.

use sudoku_core::board::Grid;

use crate::util::{PUZZLE, TestDir, texts};

/// The candidates of each cell, as digits.
fn cells() -> Vec<String> {
    let grid = Grid::from_normal_form(PUZZLE.as_bytes()).unwrap();
    let mut cells = Vec::new();
    for at in 0..81 {
        let (row, column) = (at / 9, at % 9);
        let seen = |digit: &u8| {
            (0..81).any(|other| {
                let (other_row, other_column) = (other / 9, other % 9);
                let is_peer = other_row == row
                    || other_column == column
                    || (other_row / 3 == row / 3 && other_column / 3 == column / 3);
                is_peer && grid.as_bytes()[other] == *digit
            })
        };
        cells.push(match grid.as_bytes()[at] {
            b'.' => (b'1'..=b'9')
                .filter(|digit| !seen(digit))
                .map(char::from)
                .collect(),
            clue => char::from(clue).to_string(),
        });
    }
    cells
}

/// Nine lines, each cell padded by `pad`.
fn board(pad: impl Fn(&str) -> String) -> String {
    let cells = cells();
    let rows = cells
        .chunks(9)
        .map(|row| row.iter().map(|cell| pad(cell)).collect::<String>());
    rows.map(|row| row + "\n").collect()
}

/// Regression test: the first 81 characters of such a line were read as a puzzle with spaces for empty cells.
#[test]
fn a_padded_board_is_one_puzzle() {
    let dir = TestDir::new();
    for width in [8, 9, 10, 12, 20] {
        let boards = [
            board(|cell| format!("{cell:<width$}")),
            board(|cell| format!("{cell:>width$}")),
            board(|cell| format!("{cell:^width$}")),
        ];
        for text in boards {
            let trimmed: String = text
                .lines()
                .map(|line| line.trim_end().to_owned() + "\n")
                .collect();
            for text in [text.clone(), trimmed, format!("{text}\n{text}")] {
                let puzzles = text.lines().count() / 9;
                dir.write("in.txt", &text);
                dir.succeed("solve in.txt -o out.parquet --overwrite");
                let table = dir.parquet("out.parquet");
                assert_eq!(
                    texts(&table, "status"),
                    vec![Some("unique".to_owned()); puzzles],
                    "{width}\n{text}"
                );
            }
        }
    }
}

/// Lists of puzzles whose empty cells are spaces are still lists.
#[test]
fn puzzles_with_spaces_for_empty_cells_are_lines() {
    let dir = TestDir::new();
    let line = PUZZLE.replace('.', " ");
    dir.write("in.txt", format!("{line}\n").repeat(12));
    let summary = dir.summary("validate in.txt");
    assert_eq!(summary["rows_in"], 12, "{summary}");
    assert_eq!(summary["rejected"], 0, "{summary}");
}
