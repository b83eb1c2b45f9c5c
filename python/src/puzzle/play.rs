//! The methods of a puzzle about its grade, its steps and moves.

use pyo3::prelude::*;
use sudoku_core::judge::MoveKind;

use super::failures::exception_for;
use super::form::Form;
use super::grade::{self, Grade, Rating};
use super::moves::{self, CellIndex, MoveVerdict, checked_target};
use super::step::Step;
use super::{Puzzle, steps};
use crate::errors::data;
use crate::options::{LadderNames, TechniqueNames};
use crate::signals::interruptible;

#[pymethods]
impl Puzzle {
    /// The grade, by the hardest technique that the puzzle needs.
    ///
    /// :param ladder: the techniques, tried in this order: "full", "basic", "hodoku", or a list of technique ids
    /// :param max_rank: use no technique above this rank
    /// :raises DataError: the puzzle has not exactly one solution
    #[pyo3(signature = (ladder=None, max_rank=None))]
    fn grade(
        &self,
        py: Python<'_>,
        ladder: Option<LadderNames>,
        max_rank: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Grade> {
        let ladder = grade::ladder(py, ladder.map(|names| names.0).as_deref(), max_rank)?;
        let graded = py.detach(|| self.form.grade(&ladder));
        graded
            .map(Grade::from)
            .map_err(|why| exception_for(py, &why))
    }

    /// The ratings of Sudoku Explainer 1.2.1: ER, EP and ED.
    ///
    /// :param se_max: the highest rating to compute, from 1.0 to 12.0; the default is 9.0
    /// :param se_work: the work after which the rating is given up
    /// :raises DataError: the puzzle has not exactly one solution, or is not 9 × 9
    #[pyo3(signature = (se_max=None, se_work=None))]
    fn rating(
        &self,
        py: Python<'_>,
        se_max: Option<&Bound<'_, PyAny>>,
        se_work: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Rating> {
        let limits = grade::limits(py, se_max, se_work)?;
        let Form::Nine(puzzle) = &self.form else {
            return Err(data(py, "only 9 × 9 puzzles have a rating"));
        };
        if puzzle.marks.is_some() {
            return Err(data(
                py,
                "pencil marks have no rating: only a puzzle of clues has one",
            ));
        }
        let form = self.form.clone();
        let board = puzzle.board();
        let rating = interruptible(py, true, move || {
            form.only_solution()?;
            Ok(Rating::from_board(&board, limits))
        })?;
        rating.map_err(|why| exception_for(py, &why))
    }

    /// The steps that solve the puzzle, in order.
    ///
    /// :raises DataError: the puzzle has not exactly one solution
    pub(super) fn steps(&self, py: Python<'_>) -> PyResult<Vec<Step>> {
        let form = self.form.clone();
        let steps = interruptible(py, true, move || steps::steps(&form))?;
        steps.map_err(|why| exception_for(py, &why))
    }

    /// The next step of the lowest technique that finds one; None if the puzzle is solved.
    ///
    /// With an option: the next step of this technique, or of the lowest of several or of this ladder; None if none finds one.
    ///
    /// :raises DataError: the board has no solution; or no technique finds a step, and there are several solutions
    #[pyo3(signature = (technique=None, ladder=None, max_rank=None))]
    pub(super) fn hint(
        &self,
        py: Python<'_>,
        technique: Option<TechniqueNames>,
        ladder: Option<LadderNames>,
        max_rank: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Step>> {
        let ladder = grade::ladder_of_options(
            py,
            technique.map(|names| names.0).as_deref(),
            ladder.map(|names| names.0).as_deref(),
            max_rank,
        )?;
        let next_step = py.detach(|| match ladder {
            None => steps::hint(&self.form),
            Some(ladder) => steps::hint_from_ladder(&self.form, &ladder),
        });
        next_step.map_err(|why| exception_for(py, &why))
    }

    /// Every step of every technique on this board, the techniques by rank. All are steps of this board, not one after
    /// the other.
    #[pyo3(signature = (max_rank=None, ladder=None, technique=None))]
    pub(super) fn moves(
        &self,
        py: Python<'_>,
        max_rank: Option<&Bound<'_, PyAny>>,
        ladder: Option<LadderNames>,
        technique: Option<TechniqueNames>,
    ) -> PyResult<Vec<Step>> {
        let ladder = match grade::ladder_of_options(
            py,
            technique.map(|names| names.0).as_deref(),
            ladder.map(|names| names.0).as_deref(),
            max_rank,
        )? {
            None => grade::ladder(py, None, None)?,
            Some(ladder) => ladder,
        };
        let form = self.form.clone();
        let steps = interruptible(py, true, move || steps::moves(&form, &ladder))?;
        steps.map_err(|why| exception_for(py, &why))
    }

    /// The verdict on placing a digit in a cell, or on eliminating it there.
    #[pyo3(signature = (cell, digit, *, eliminate=false, ladder=None, max_rank=None))]
    fn check(
        &self,
        py: Python<'_>,
        cell: CellIndex,
        digit: &Bound<'_, PyAny>,
        eliminate: bool,
        ladder: Option<LadderNames>,
        max_rank: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<MoveVerdict> {
        let target = checked_target(&self.form, cell, digit)?;
        let ladder = grade::ladder(py, ladder.map(|names| names.0).as_deref(), max_rank)?;
        let kind = if eliminate {
            MoveKind::Eliminate
        } else {
            MoveKind::Place
        };
        let verdict = py.detach(|| moves::check(&self.form, kind, target, &ladder));
        verdict.map_err(|why| exception_for(py, &why))
    }

    /// The puzzle with a digit in an empty cell.
    fn place(&self, py: Python<'_>, cell: CellIndex, digit: &Bound<'_, PyAny>) -> PyResult<Puzzle> {
        let target = checked_target(&self.form, cell, digit)?;
        moves::place(py, &self.form, target).map(Puzzle::from)
    }

    /// The puzzle without a candidate: its pencil marks are the other candidates.
    fn eliminate(
        &self,
        py: Python<'_>,
        cell: CellIndex,
        digit: &Bound<'_, PyAny>,
    ) -> PyResult<Puzzle> {
        let target = checked_target(&self.form, cell, digit)?;
        moves::eliminate(py, &self.form, target).map(Puzzle::from)
    }
}
