//! A step of the solution of a puzzle, as a Python object.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sudoku_core::board::{Candidates, CellSet};
use sudoku_core::explain::{board_svg, escape_html};
use sudoku_core::grade::Step as CoreStep;
use sudoku_core::sizes::{SizedBoard, SizedStep};

use super::form::Form;
use super::{Puzzle, WIDTH};
use crate::cells::Cells;
use crate::options::TechniqueNames;
use crate::picture::image;

/// A step that solves a part of a puzzle. Cells are pairs (row, column), counted from 0.
#[pyclass(frozen, module = "sudoku_pipeline")]
pub(crate) struct Step {
    /// The id of the technique, or "search".
    #[pyo3(get)]
    pub(super) technique: &'static str,
    /// The name of the technique.
    #[pyo3(get)]
    pub(super) name: &'static str,
    /// The rank of the technique on the ladder.
    #[pyo3(get)]
    pub(super) rank: u8,
    /// The level of the technique.
    #[pyo3(get)]
    pub(super) level: &'static str,
    /// The cells of the pattern: (row, column).
    #[pyo3(get)]
    pub(super) cells: Vec<(usize, usize)>,
    /// The placed digits: (row, column, digit).
    #[pyo3(get)]
    pub(super) placements: Vec<(usize, usize, u8)>,
    /// The eliminated candidates: (row, column, digit).
    #[pyo3(get)]
    pub(super) eliminations: Vec<(usize, usize, u8)>,
    /// The effect of the step, such as r1c2=5.
    #[pyo3(get)]
    pub(super) effect: String,
    /// The explanation of the step in words.
    #[pyo3(get)]
    pub(super) words: String,
    pub(super) state_after: Form,
    pub(super) position_after: Form,
    /// The candidates after the step, as booleans.
    pub(super) flags: Vec<bool>,
    pub(super) drawing: Drawing,
    pub(super) origin: Option<Origin>,
}

/// Where a step was found, from which unpickling finds it again.
pub(super) struct Origin {
    pub(super) puzzle: Arc<Form>,
    /// The index of the step in the list of steps; `None` for a hint.
    pub(super) index: Option<usize>,
    /// The technique whose steps the list or the hint are from; `None` if it is the solution path of the puzzle.
    pub(super) technique: Option<&'static str>,
}

/// The parts of a pickled step: those of [`Origin`].
type PickledStep = (Puzzle, Option<usize>, Option<&'static str>);

/// A board with a step drawn on it. The final search is drawn without a step.
pub(super) enum Drawing {
    Nine {
        board: Box<Candidates>,
        clues: CellSet,
        step: Option<Box<CoreStep>>,
    },
    Other {
        board: Box<SizedBoard>,
        clues: Vec<bool>,
        step: Option<Box<SizedStep>>,
    },
}

#[pymethods]
impl Step {
    /// The filled cells after the step.
    #[getter]
    fn board(&self) -> Puzzle {
        self.state_after.clone().into()
    }

    /// The puzzle after the step, with its candidates as pencil marks: puzzle.hint() goes on from there. Other sizes than
    /// 9 × 9 have no pencil marks.
    #[getter]
    fn puzzle(&self) -> Puzzle {
        self.position_after.clone().into()
    }

    /// The candidates after the step, as booleans by row, column and digit.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let order = self.state_after.order();
        Cells::flags(self.flags.clone(), vec![order, order, order]).into_array(py)
    }

    /// The board before the step, with the step drawn on it, as an SVG image.
    fn svg(&self) -> String {
        let label = format!("{}: {}", self.name, self.effect);
        match &self.drawing {
            Drawing::Nine { board, clues, step } => {
                board_svg(board, *clues, step.as_deref(), &label)
            }
            Drawing::Other { board, clues, step } => board.svg(clues, step.as_deref(), &label),
        }
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn _repr_html_(&self) -> String {
        let width = (WIDTH + 60).max(28 * self.state_after.order());
        format!(
            "<figure style=\"margin: 0\">{}<figcaption style=\"max-width: 46em\"><b>{}</b> (rank {}, {}): <code>{}</code> – \
             {}</figcaption></figure>",
            image(&self.svg(), width, &self.effect),
            escape_html(self.name),
            self.rank,
            self.level,
            escape_html(&self.effect),
            escape_html(&self.words)
        )
    }

    /// Pickles the step as its puzzle, its index and its technique. Unpickling computes the step again.
    fn __reduce__<'py>(slf: &Bound<'py, Step>) -> PyResult<(Bound<'py, PyAny>, PickledStep)> {
        let Some(origin) = &slf.get().origin else {
            return Err(PyTypeError::new_err("this step belongs to no puzzle"));
        };
        let find = slf.get_type().getattr("_find")?;
        let puzzle = (*origin.puzzle).clone().into();
        Ok((find, (puzzle, origin.index, origin.technique)))
    }

    #[staticmethod]
    #[pyo3(signature = (puzzle, at, technique=None))]
    fn _find(
        py: Python<'_>,
        puzzle: &Puzzle,
        at: Option<usize>,
        technique: Option<&str>,
    ) -> PyResult<Step> {
        let is_given = technique.is_some();
        let technique = technique.map(|name| TechniqueNames(name.to_owned()));
        let step = match at {
            None => puzzle.hint(py, technique, None, None)?,
            Some(at) if is_given => puzzle.moves(py, None, None, technique)?.into_iter().nth(at),
            Some(at) => puzzle.steps(py)?.into_iter().nth(at),
        };
        step.ok_or_else(|| PyValueError::new_err("the puzzle has no such step"))
    }

    fn __str__(&self) -> String {
        format!("{}: {} – {}", self.name, self.effect, self.words)
    }

    fn __repr__(&self) -> String {
        format!(
            "Step(technique='{}', effect='{}')",
            self.technique, self.effect
        )
    }
}
