//! Moves on a puzzle: the verdict on one, and the puzzle after one.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::Borrowed;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use sudoku_core::Puzzle as NinePuzzle;
use sudoku_core::board::{CandidateSet, Candidates, Cell, CellSet, Digit, Grid, Marks};
use sudoku_core::grade::{Ladder, Rank};
use sudoku_core::judge::{JudgedMove, Move, MoveKind, MoveVerdict as CoreVerdict, StepJudge};
use sudoku_core::text::Given;

use super::Puzzle;
use super::form::{Form, KERNEL, NoResult};
use super::parse::from_cells;
use crate::errors::data;
use crate::options::wrong_type;

/// The verdict on a move.
#[pyclass(frozen, eq, module = "sudoku_pipeline")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveVerdict {
    verdict: CoreVerdict,
    rank: Option<Rank>,
}

impl From<JudgedMove> for MoveVerdict {
    fn from(judged: JudgedMove) -> MoveVerdict {
        MoveVerdict {
            verdict: judged.verdict,
            rank: judged.rank,
        }
    }
}

/// The parts of a pickled verdict: its id and the rank.
type VerdictParts = (&'static str, Option<u8>);

#[pymethods]
impl MoveVerdict {
    #[new]
    #[pyo3(signature = (verdict, rank=None))]
    fn new(verdict: &str, rank: Option<u8>) -> PyResult<MoveVerdict> {
        let verdict = CoreVerdict::from_id(verdict);
        Ok(MoveVerdict {
            verdict: verdict.ok_or_else(|| PyValueError::new_err("an unknown verdict"))?,
            rank: rank.and_then(Rank::from_number),
        })
    }

    /// The verdict: "implied", "true", "possible", "false", "repeated" or "illegal".
    #[getter]
    fn verdict(&self) -> &'static str {
        self.verdict.id()
    }

    /// The id of the technique that an implied move needs; None for other verdicts.
    #[getter]
    fn technique(&self) -> Option<&'static str> {
        self.rank.map(Rank::id)
    }

    /// The rank of the technique on the ladder.
    #[getter]
    fn rank(&self) -> Option<u8> {
        self.rank.map(Rank::number)
    }

    /// The level of the technique.
    #[getter]
    fn level(&self) -> Option<&'static str> {
        self.rank.map(|rank| rank.level().id())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.verdict, self.rank).hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs__(&self) -> VerdictParts {
        (self.verdict.id(), self.rank())
    }

    fn __repr__(&self) -> String {
        match self.rank {
            Some(rank) => format!(
                "MoveVerdict('{}', technique='{}', rank={})",
                self.verdict.id(),
                rank.id(),
                rank.number()
            ),
            None => format!("MoveVerdict('{}')", self.verdict.id()),
        }
    }
}

/// A cell of a puzzle: its row and its column, from 0; negative numbers count from the end.
pub(super) struct CellIndex(isize, isize);

impl<'py> FromPyObject<'_, 'py> for CellIndex {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<CellIndex> {
        let pair = value.extract::<(isize, isize)>();
        pair.map(|(row, column)| CellIndex(row, column))
            .map_err(|_| wrong_type("cell", "a pair of row and column from 0", &value))
    }
}

/// The index of a row or a column from 0.
pub(super) fn checked_index(number: isize, order: usize) -> PyResult<usize> {
    let from_end = if number < 0 { order } else { 0 };
    let index = from_end.checked_add_signed(number);
    index.filter(|index| *index < order).ok_or_else(|| {
        let message = format!("{number} is outside of {order} × {order} cells");
        PyIndexError::new_err(message)
    })
}

/// A cell and a digit of a puzzle: the row and the column from 0, and the digit from 1.
pub(super) fn checked_target(
    form: &Form,
    CellIndex(row, column): CellIndex,
    digit: &Bound<'_, PyAny>,
) -> PyResult<(usize, usize, usize)> {
    let order = form.order();
    let digit = crate::options::whole_number(digit, "digit", 1, order as u64)?;
    Ok((
        checked_index(row, order)?,
        checked_index(column, order)?,
        digit as usize,
    ))
}

/// The verdict on a move on the board of a puzzle.
pub(super) fn check(
    form: &Form,
    kind: MoveKind,
    (row, column, digit): (usize, usize, usize),
    ladder: &Ladder,
) -> Result<MoveVerdict, NoResult> {
    let Form::Nine(puzzle) = form else {
        return Err(NoResult::Size("moves are judged on 9 × 9 puzzles"));
    };
    let judge = StepJudge::new(puzzle, ladder, *KERNEL);
    let mut judge = judge.map_err(NoResult::NotUnique)?;
    let target = (Cell::at(row, column), Digit::from_index(digit - 1));
    Ok(judge.check(Move::new(kind, target.0, target.1)).into())
}

/// The puzzle after a placement.
pub(super) fn place(
    py: Python<'_>,
    form: &Form,
    (row, column, digit): (usize, usize, usize),
) -> PyResult<Form> {
    let order = form.order();
    let at = row * order + column;
    let mut digits = form.digits();
    if digits[at] != 0 {
        let message = format!("r{}c{} has the digit {}", row + 1, column + 1, digits[at]);
        return Err(data(py, &message));
    }
    digits[at] = digit as u8;
    let cells: Vec<i64> = digits.into_iter().map(i64::from).collect();
    let placed = from_cells(py, &cells, 0)?;
    match (form, placed) {
        (Form::Nine(puzzle), Form::Nine(placed)) => {
            let (cell, digit) = (Cell::at(row, column), Digit::from_index(digit - 1));
            let Some(marks) = &puzzle.marks else {
                return Ok(Form::Nine(placed));
            };
            if !marks.contains(cell, digit) {
                let message = format!("{digit} is not a candidate of {cell}");
                return Err(data(py, &message));
            }
            let mut board = puzzle.board();
            board.place(cell, digit);
            Ok(with_candidates(placed.clues, &board))
        }
        (_, placed) => Ok(placed),
    }
}

/// The puzzle after an elimination, with pencil marks.
pub(super) fn eliminate(
    py: Python<'_>,
    form: &Form,
    (row, column, digit): (usize, usize, usize),
) -> PyResult<Form> {
    let Form::Nine(puzzle) = form else {
        return Err(data(py, "only 9 × 9 puzzles have pencil marks"));
    };
    let (cell, digit) = (Cell::at(row, column), Digit::from_index(digit - 1));
    let board = puzzle.board();
    if !board.places(digit).contains(cell) {
        let message = format!("{digit} is not a candidate of {cell}");
        return Err(data(py, &message));
    }
    if !board.unsolved().contains(cell) {
        return Err(data(py, &format!("{cell} has the digit {digit}")));
    }
    let mut board = board;
    board.eliminate(digit, CellSet::of(cell));
    Ok(with_candidates(puzzle.clues, &board))
}

/// A puzzle with the candidates of a board as pencil marks, if these exclude more than the clues do. A cell with one mark
/// is filled only if it is among the clues.
pub(super) fn with_candidates(clues: Grid, board: &Candidates) -> Form {
    if *board == Candidates::new(&clues) {
        return clues.into();
    }
    let mut set = CandidateSet::default();
    for digit in Digit::ALL {
        set.insert(digit, board.places(digit));
    }
    Form::Nine(Box::new(NinePuzzle {
        clues,
        marks: Some(Box::new(Marks::from_candidates(&set))),
        given: Given::Absent,
    }))
}

/// A puzzle with pencil marks, of which only these cells are filled: 81 characters, whose digits are those of the marks.
pub(super) fn with_filled(py: Python<'_>, form: &Form, filled: &str) -> PyResult<Form> {
    let clues = Grid::from_normal_form(filled.as_bytes());
    match (form, clues) {
        (Form::Nine(puzzle), Some(clues)) if puzzle.clues.extends(&clues) => {
            let mut puzzle = puzzle.clone();
            puzzle.clues = clues;
            Ok(Form::Nine(puzzle))
        }
        _ => Err(data(
            py,
            "filled=: must be 81 characters, some of the filled cells of 9 × 9 pencil marks",
        )),
    }
}

impl Puzzle {
    /// The cells that are filled, if the text of the pencil marks does not tell: cells with one mark can be empty.
    pub(super) fn filled_beside_marks(&self) -> Option<&str> {
        let Form::Nine(puzzle) = &self.form else {
            return None;
        };
        let marks = puzzle.marks.as_ref()?;
        (marks.clues() != puzzle.clues).then(|| puzzle.clues.as_str())
    }
}
