//! Tables that have a column for each cell: 81 columns for a puzzle, or 162 for a puzzle and its solution, on 9 × 9.
//!
//! ```text
//! id,c0,c1,…,c80        cell_1,…,cell_81        r1c1,r1c2,…,r9c9        0,1,…,80        A1,A2,…,I9
//! 7,5,3,,…,9            5,3,0,…,9               5.0,3.0,nan,…,9.0       5,3,-1,…,9
//! ```

use std::ops::Range;

use crate::read::{ColumnInfo, ColumnRole};
use sudoku_core::board::Size;
use sudoku_core::sizes::{Alphabets, parse_any};
use sudoku_core::text::ParseErrorKind;
use sudoku_core::text::notation::is_cell_token;

/// The columns that hold the cells of grids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellColumns {
    pub(crate) puzzle: Range<usize>,
    pub(crate) solution: Option<Range<usize>>,
}

impl CellColumns {
    /// Whether a column holds cells.
    pub(crate) fn contain(&self, at: usize) -> bool {
        let solution = self.solution.as_ref();
        self.puzzle.contains(&at) || solution.is_some_and(|cells| cells.contains(&at))
    }

    /// The roles of all columns, where the columns of cells stand for one column of puzzles and one of solutions.
    pub(crate) fn roles(&self, mut columns: Vec<ColumnInfo>) -> Vec<ColumnInfo> {
        let solution = self.solution.as_ref().map(|cells| cells.start);
        let first = [
            (Some(self.puzzle.start), "puzzle", ColumnRole::Puzzle),
            (solution, "solution", ColumnRole::Solution),
        ];
        for (at, name, role) in first {
            if let Some(column) = at.and_then(|at| columns.get_mut(at)) {
                *column = ColumnInfo {
                    name: name.to_owned(),
                    role,
                };
            }
        }
        let is_first = |at: usize| first.iter().any(|(first, ..)| *first == Some(at));
        let mut at = 0;
        columns.retain(|_| {
            at += 1;
            !self.contain(at - 1) || is_first(at - 1)
        });
        columns
    }
}

/// The columns of cells in a table with these names. `records` are the fields of its first records. `None` if it has no
/// such columns.
pub(crate) fn named_cell_columns<N: AsRef<str>, F: AsRef<str>>(
    names: &[N],
    records: &[Vec<F>],
) -> Option<CellColumns> {
    let width = names.len();
    find(width, records, width, |columns, order| {
        are_numbered(&names[columns], order)
    })
}

/// The columns of cells in a table with these names, of which only the types are known. `can_be_cell` says which columns
/// have a type that can hold cells. Numbered columns after those of the puzzle are its solution.
pub(crate) fn typed_cell_columns<N: AsRef<str>>(
    names: &[N],
    can_be_cell: impl Fn(usize) -> bool,
) -> Option<CellColumns> {
    // Sixteen or 36 numbered columns are too likely to be something else if their values are not known.
    let orders = ORDERS.into_iter().filter(|order| *order >= 9);
    { orders }.find_map(|order| {
        let cells = order * order;
        let is_grid = |start: usize| {
            let columns = start..start + cells;
            columns.end <= names.len()
                && columns.clone().all(&can_be_cell)
                && are_numbered(&names[columns], order)
        };
        let start = (0..names.len()).find(|start| is_grid(*start))?;
        let solution = start + cells;
        Some(CellColumns {
            puzzle: start..solution,
            solution: is_grid(solution).then_some(solution..solution + cells),
        })
    })
}

/// The columns of cells in a table without a header, which begin in one of the first three columns.
pub(crate) fn unnamed_cell_columns<F: AsRef<str>>(records: &[Vec<F>]) -> Option<CellColumns> {
    const MOST_COLUMNS_BEFORE: usize = 2;
    let width = records.first()?.len();
    find(width, records, MOST_COLUMNS_BEFORE, |_, _| true)
}

/// The orders of grids, the most common ones first.
const ORDERS: [usize; 6] = [9, 16, 6, 4, 12, 25];

/// The columns of cells, with at most `most_before` columns before them.
fn find<F: AsRef<str>>(
    width: usize,
    records: &[Vec<F>],
    most_before: usize,
    has_names: impl Fn(Range<usize>, usize) -> bool,
) -> Option<CellColumns> {
    if records.is_empty() || records.iter().any(|record| record.len() != width) {
        return None;
    }
    debug_assert!(ORDERS.iter().all(|order| Size::ORDERS.contains(order)));
    let has_cells = |columns: Range<usize>, order: usize| {
        let is_grid = |record: &Vec<F>| {
            let cells = &record[columns.clone()];
            cells.iter().all(|cell| is_cell_token(cell.as_ref(), order))
                && cells.iter().any(|cell| is_digit(cell.as_ref()))
        };
        if !records.iter().all(is_grid) {
            return false;
        }
        let text = |record: &Vec<F>| {
            let cells: Vec<&str> = record[columns.clone()].iter().map(AsRef::as_ref).collect();
            cells.join(",")
        };
        let texts: Vec<String> = records.iter().map(text).collect();
        let mut alphabets = Alphabets::default();
        texts
            .iter()
            .for_each(|text| alphabets.learn(text.as_bytes()));
        // Numbers that are no cells soon have a conflict. A single record can also be a damaged grid.
        let is_no_grid = |text: &&String| {
            let puzzle = parse_any(text.as_bytes(), None, &alphabets);
            puzzle.is_err_and(|error| error.kind != ParseErrorKind::UnsupportedSize)
        };
        let others = texts.iter().filter(is_no_grid).count();
        2 * others < records.len().max(2)
    };
    ORDERS.into_iter().find_map(|order| {
        let cells = order * order;
        let starts = 0..=width.checked_sub(cells)?.min(most_before);
        let is_grid = |start: usize| {
            let columns = start..start + cells;
            columns.end <= width && has_names(columns.clone(), order) && has_cells(columns, order)
        };
        let start = starts.into_iter().find(|start| is_grid(*start))?;
        let solution = start + cells;
        let is_solution = is_grid(solution)
            && records.iter().all(|record| {
                let grids = record[start..solution]
                    .iter()
                    .zip(&record[solution..solution + cells]);
                let mut grids = grids.map(|(clue, digit)| (clue.as_ref(), digit.as_ref()));
                grids.all(|(clue, digit)| !is_digit(clue) || clue.trim() == digit.trim())
            });
        Some(CellColumns {
            puzzle: start..solution,
            solution: is_solution.then_some(solution..solution + cells),
        })
    })
}

/// Whether a field is a number other than zero.
fn is_digit(field: &str) -> bool {
    let number: Option<f64> = field.trim().trim_matches('"').parse().ok();
    number.is_some_and(|number| number > 0.0)
}

/// Whether names number the cells of a grid row by row.
fn are_numbered<N: AsRef<str>>(names: &[N], order: usize) -> bool {
    let is_chessboard = names.iter().enumerate().all(|(at, name)| {
        name.as_ref()
            .trim()
            .eq_ignore_ascii_case(&chessboard_name(at, order))
    });
    if is_chessboard {
        return true;
    }
    let parts: Option<Vec<(String, Vec<usize>)>> =
        names.iter().map(|name| name_parts(name.as_ref())).collect();
    let Some(parts) = parts else { return false };
    let Some((prefix, first)) = parts.first() else {
        return false;
    };
    let position = |at: usize, numbers: &[usize]| match (first.as_slice(), numbers) {
        // c0, c1, …; or c11, c12, …, c19, c21, …
        ([first], [number]) => {
            let in_rows = first + at / order * 10 + at % order;
            *number == first + at || order <= 9 && *number == in_rows
        }
        // r1c1, r1c2, …
        ([row, column], [own_row, own_column]) => {
            (*own_row, *own_column) == (row + at / order, column + at % order)
        }
        _ => false,
    };
    let mut parts = parts.iter().enumerate();
    parts.all(|(at, (own, numbers))| own == prefix && position(at, numbers))
}

/// The name of a cell whose row is a letter: `A1`, `A2`, …, `I9`.
fn chessboard_name(at: usize, order: usize) -> String {
    let row = char::from(b'A' + (at / order) as u8);
    format!("{row}{}", at % order + 1)
}

/// The letters of a name and its numbers; `None` without a number.
fn name_parts(name: &str) -> Option<(String, Vec<usize>)> {
    let name = name.trim();
    let numbers = name.split(|c: char| !c.is_ascii_digit());
    let numbers: Vec<usize> = numbers.filter_map(|number| number.parse().ok()).collect();
    let letters = name.chars().filter(|c| !c.is_ascii_digit()).collect();
    (!numbers.is_empty()).then_some((letters, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(name: impl Fn(usize) -> String) -> Vec<String> {
        (0..16).map(name).collect()
    }

    #[test]
    fn numbered_columns_are_cells() {
        let record: Vec<&str> = "1,2,,,3,4,,,,,,,,,,".split(',').collect();
        for names in [
            names(|at| at.to_string()),
            names(|at| format!("c{at}")),
            names(|at| format!("cell_{}", at + 1)),
            names(|at| format!("r{}c{}", at / 4 + 1, at % 4 + 1)),
            names(|at| format!("{}{}", ["A", "B", "C", "D"][at / 4], at % 4 + 1)),
            names(|at| format!("x{}{}", at / 4 + 1, at % 4 + 1)),
            names(|at| format!("cell_{}_{}", at / 4, at % 4)),
        ] {
            let columns = named_cell_columns(&names, std::slice::from_ref(&record));
            assert_eq!(columns.map(|found| found.puzzle), Some(0..16), "{names:?}");
            let with_id = [vec!["id".to_owned()], names].concat();
            let record = [vec!["7"], record.clone()].concat();
            let columns = named_cell_columns(&with_id, &[record]);
            assert_eq!(columns.map(|found| found.puzzle), Some(1..17));
        }
        for names in [
            names(|at| format!("c{}", at * 2)),
            names(|at| format!("{}{at}", if at == 3 { "a" } else { "b" })),
            names(|_| "cell".to_owned()),
        ] {
            assert_eq!(
                named_cell_columns(&names, std::slice::from_ref(&record)),
                None,
                "{names:?}"
            );
        }
        let numbers: Vec<String> = (0..16).map(|at| (at * 100).to_string()).collect();
        assert_eq!(
            named_cell_columns(&names(|at| format!("c{at}")), &[numbers]),
            None
        );
    }

    #[test]
    fn a_solution_follows_its_puzzle() {
        let pair: Vec<&str> = "1,,3,,,,,2,,1,,,4,,,1,1,2,3,4,3,4,1,2,2,1,4,3,4,3,2,1"
            .split(',')
            .collect();
        let columns = unnamed_cell_columns(std::slice::from_ref(&pair)).unwrap();
        assert_eq!(columns.solution, Some(16..32));
        let mut other = pair;
        other[16] = "2";
        let columns = unnamed_cell_columns(&[other]).unwrap();
        assert_eq!((columns.puzzle, columns.solution), (0..16, None));
    }
}
