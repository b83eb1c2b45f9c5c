//! Single puzzles. They use sudoku-core directly, without Arrow and without threads.

mod drawing;
mod failures;
mod form;
mod grade;
mod moves;
mod parse;
mod step;
mod steps;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PyString, PyTuple};
use sudoku_core::judge::MoveKind;
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, Status};

use crate::cells::Cells;
use crate::errors::{data, gave_up, usage};
use crate::picture::image;
use crate::signals::interruptible;
pub(crate) use failures::exception_for;
use failures::{DEFAULT_SOLUTIONS, solutions_limit, warn_of_more};
pub(crate) use form::{Form, KERNEL};
pub(crate) use grade::{Grade, Rating, ladder};
pub(crate) use moves::MoveVerdict;
use moves::{CellIndex, checked_index, checked_target};
pub(crate) use parse::{from_cells as parse_cells, parse_form};
pub(crate) use step::Step;

/// The number of solutions up to which a search is too short to need interruption.
const FEW_SOLUTIONS: u32 = 10_000;

/// The smallest width of a picture in a notebook, in pixels.
pub(crate) const WIDTH: usize = 300;

/// A Sudoku puzzle of 4 × 4 to 25 × 25 cells, or any grid without conflicts. It cannot be changed.
#[pyclass(frozen, weakref, module = "sudoku_pipeline")]
pub(crate) struct Puzzle {
    form: Form,
    /// The digit of each cell. It is computed when an array is requested for the first time.
    digits: OnceLock<Vec<u8>>,
}

impl From<Form> for Puzzle {
    fn from(form: Form) -> Puzzle {
        Puzzle {
            form,
            digits: OnceLock::new(),
        }
    }
}

impl Puzzle {
    /// The text in normal form.
    pub(crate) fn as_str(&self) -> &str {
        self.form.as_str()
    }

    fn digits(&self) -> &[u8] {
        self.digits.get_or_init(|| self.form.digits())
    }
}

/// An index into a puzzle in Python: `puzzle[row, column]` for a cell, or `puzzle[row]` for a row.
#[derive(Clone, Copy, FromPyObject)]
enum Place {
    Cell(isize, isize),
    Row(isize),
}

#[pymethods]
impl Puzzle {
    #[new]
    #[pyo3(signature = (data, *, blank=0, alphabet=None, filled=None))]
    fn new(
        data: &Bound<'_, PyAny>,
        blank: i64,
        alphabet: Option<&str>,
        filled: Option<&str>,
    ) -> PyResult<Puzzle> {
        let form = parse::parse_form(data, blank, alphabet)?;
        Ok(match filled {
            None => form,
            Some(filled) => moves::with_filled(data.py(), &form, filled)?,
        }
        .into())
    }

    /// The number of rows.
    #[getter]
    fn size(&self) -> usize {
        self.form.order()
    }

    /// The numbers of rows and columns of a box.
    #[getter]
    fn box_shape(&self) -> (usize, usize) {
        self.form.of_box()
    }

    /// The number of filled cells.
    #[getter]
    fn clues(&self) -> usize {
        self.digits().iter().filter(|digit| **digit > 0).count()
    }

    /// The rows as lists of digits, 0 for an empty cell.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = self.digits().chunks(self.form.order());
        let rows: PyResult<Vec<_>> = rows.map(|row| PyList::new(py, row)).collect();
        PyList::new(py, rows?)
    }

    /// The digits as a new NumPy array by row and column, 0 for an empty cell.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            let message = "the digits of a puzzle cannot be shared: its array is a copy";
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
        let order = self.form.order();
        let array = Cells::digits(self.digits().to_vec(), vec![order, order]).into_array(py)?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    /// The digit of a cell by row and column, 0 if it is empty; or a row as a list. Indices start at 0, and
    /// negative ones count from the end.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        place: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Ok(place) = place.extract::<Place>() else {
            if place.is_instance_of::<PyString>() {
                let message = "a cell is a pair of row and column from 0, such as puzzle[0, 8]";
                return Err(pyo3::exceptions::PyTypeError::new_err(message));
            }
            // NumPy has all other indices, such as slices.
            return self.__array__(py, None, None)?.get_item(place);
        };
        let order = self.form.order();
        let checked_index = |number| checked_index(number, order);
        match place {
            Place::Cell(row, column) => {
                let digit = self.digits()[checked_index(row)? * order + checked_index(column)?];
                Ok(digit.into_pyobject(py)?.into_any())
            }
            Place::Row(row) => {
                let row_start = checked_index(row)? * order;
                Ok(PyList::new(py, &self.digits()[row_start..row_start + order])?.into_any())
            }
        }
    }

    /// The board as nine lines of text, with lines between the boxes; `.` is an empty cell.
    fn board(&self) -> String {
        let order = self.form.order();
        let (rows, columns) = self.form.of_box();
        let digits = self.form.as_str().as_bytes();
        let rule = vec!["-".repeat(2 * columns + 1); order / columns].join("+");
        let rule = rule[1..rule.len() - 1].to_owned();
        let mut lines = Vec::new();
        for (row, cells) in digits.chunks(order).enumerate() {
            if row > 0 && row % rows == 0 {
                lines.push(rule.clone());
            }
            let parts = cells.chunks(columns).map(|part| {
                let part = part.iter().map(|cell| (*cell as char).to_string());
                part.collect::<Vec<_>>().join(" ")
            });
            lines.push(parts.collect::<Vec<_>>().join(" | "));
        }
        lines.join("\n")
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.form.order()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tolist(py)?.try_iter()
    }

    fn __format__<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyAny>> {
        PyString::new(py, self.form.as_str()).call_method1("__format__", (format,))
    }

    /// The first solution; None if there is none.
    fn solve(&self, py: Python<'_>) -> PyResult<Option<Puzzle>> {
        let solution = py.detach(|| self.form.solve());
        let solution = solution.map_err(|why| exception_for(py, &why))?;
        Ok(solution.map(Puzzle::from))
    }

    /// The solutions, at most `limit`. Without a limit it is 1,000, and a warning says that there are more.
    #[pyo3(signature = (limit=None))]
    fn solutions(&self, py: Python<'_>, limit: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Puzzle>> {
        let max_solutions = limit.map_or(Ok(DEFAULT_SOLUTIONS + 1), solutions_limit)?;
        let form = self.form.clone();
        let solutions = interruptible(py, max_solutions > FEW_SOLUTIONS, move || {
            form.solutions(max_solutions)
        })?;
        let mut solutions = solutions.map_err(|why| exception_for(py, &why))?;
        if limit.is_none() && solutions.len() > DEFAULT_SOLUTIONS as usize {
            solutions.truncate(DEFAULT_SOLUTIONS as usize);
            warn_of_more(py, "solutions")?;
        }
        Ok(solutions.into_iter().map(Puzzle::from).collect())
    }

    /// The number of solutions, at most `limit`. Without a limit it is 1,000, and a warning says that there are more.
    #[pyo3(signature = (limit=None))]
    fn count(&self, py: Python<'_>, limit: Option<&Bound<'_, PyAny>>) -> PyResult<u32> {
        let max_solutions = limit.map_or(Ok(DEFAULT_SOLUTIONS + 1), solutions_limit)?;
        let form = self.form.clone();
        let solution_count = interruptible(py, max_solutions > FEW_SOLUTIONS, move || {
            form.count(max_solutions)
        })?;
        let solution_count = solution_count.map_err(|why| exception_for(py, &why))?;
        if limit.is_none() && solution_count > DEFAULT_SOLUTIONS {
            warn_of_more(py, "count")?;
            return Ok(DEFAULT_SOLUTIONS);
        }
        Ok(solution_count)
    }

    /// Whether there is exactly one solution.
    #[getter]
    fn is_unique(&self, py: Python<'_>) -> PyResult<bool> {
        match py.detach(|| self.form.status()) {
            Status::GaveUp => Err(gave_up(py, DEFAULT_NODE_LIMIT)),
            status => Ok(status == Status::Unique),
        }
    }

    /// Whether there is exactly one solution, and removing any clue creates a second one.
    #[getter]
    fn is_minimal(&self, py: Python<'_>) -> bool {
        py.detach(|| self.form.is_minimal())
    }

    /// Whether every cell is filled. Since a puzzle has no conflicts, it is then a solution.
    #[getter]
    fn is_solved(&self) -> bool {
        !self.digits().contains(&0)
    }

    /// The candidates before the first step, as booleans by row, column and digit.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let order = self.form.order();
        Cells::flags(self.form.candidates(), vec![order, order, order]).into_array(py)
    }

    /// The cells that have the same digit in all solutions, as a puzzle. Exact for any number of solutions.
    fn backbone(&self, py: Python<'_>) -> PyResult<Puzzle> {
        let form = self.form.clone();
        let backbone = interruptible(py, true, move || form.backbone())?;
        backbone
            .map(Puzzle::from)
            .map_err(|why| exception_for(py, &why))
    }

    /// The digits that each cell has in some solution, as booleans by row, column and digit. Exact for any number of
    /// solutions.
    fn solution_candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let form = self.form.clone();
        let digits = interruptible(py, true, move || form.solution_digits())?;
        let digits = digits.map_err(|why| exception_for(py, &why))?;
        let order = self.form.order();
        Cells::flags(digits.flags().collect(), vec![order, order, order]).into_array(py)
    }

    /// The grade, by the hardest technique that the puzzle needs.
    #[pyo3(signature = (ladder=None, max_rank=None))]
    fn grade(
        &self,
        py: Python<'_>,
        ladder: Option<&str>,
        max_rank: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Grade> {
        let ladder = grade::ladder(py, ladder, max_rank)?;
        let graded = py.detach(|| self.form.grade(&ladder));
        graded
            .map(Grade::from)
            .map_err(|why| exception_for(py, &why))
    }

    /// The ratings of Sudoku Explainer 1.2.1: ER, EP and ED.
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
    pub(super) fn steps(&self, py: Python<'_>) -> PyResult<Vec<Step>> {
        let form = self.form.clone();
        let steps = interruptible(py, true, move || steps::steps(&form))?;
        steps.map_err(|why| exception_for(py, &why))
    }

    /// The next step; None if the puzzle is solved. With an option: the next step of this technique, or of the lowest
    /// technique on this ladder that finds one; None if none does.
    #[pyo3(signature = (technique=None, ladder=None, max_rank=None))]
    pub(super) fn hint(
        &self,
        py: Python<'_>,
        technique: Option<&str>,
        ladder: Option<&str>,
        max_rank: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Step>> {
        let ladder = grade::ladder_of_options(py, technique, ladder, max_rank)?;
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
        ladder: Option<&str>,
        technique: Option<&str>,
    ) -> PyResult<Vec<Step>> {
        let ladder = match grade::ladder_of_options(py, technique, ladder, max_rank)? {
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
        ladder: Option<&str>,
        max_rank: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<MoveVerdict> {
        let target = checked_target(&self.form, cell, digit)?;
        let ladder = grade::ladder(py, ladder, max_rank)?;
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

    /// The min-lex form, which all isomorphs share.
    fn canonical(&self, py: Python<'_>) -> PyResult<Puzzle> {
        let min_lex = py.detach(|| self.form.canonical());
        min_lex
            .map(|(form, _)| form.into())
            .map_err(|why| exception_for(py, &why))
    }

    /// The number of rearrangements of rows and columns that give the same puzzle, up to renamed digits.
    #[getter]
    fn automorphisms(&self, py: Python<'_>) -> PyResult<u32> {
        let min_lex = py.detach(|| self.form.canonical());
        min_lex
            .map(|(_, automorphisms)| automorphisms)
            .map_err(|why| exception_for(py, &why))
    }

    /// The min-lex form of the only solution. Puzzles with the same form have isomorphic solutions.
    #[getter]
    fn grid_class(&self, py: Python<'_>) -> PyResult<Puzzle> {
        let min_lex = py.detach(|| self.form.only_solution()?.canonical());
        min_lex
            .map(|(form, _)| form.into())
            .map_err(|why| exception_for(py, &why))
    }

    /// A random isomorph: digits are renamed, and rows, columns, bands and stacks are permuted. The map depends only on
    /// the seed and on the size of the puzzle. So the isomorph of a puzzle's solution with the same seed is the solution
    /// of its isomorph. `isomorph` of the package does this for many boards.
    fn isomorph(&self, py: Python<'_>, seed: &Bound<'_, PyAny>) -> PyResult<Puzzle> {
        let seed = crate::options::whole_number(seed, "seed", 0, u64::MAX)?;
        let image = self.form.isomorph(seed);
        image
            .map(Puzzle::from)
            .map_err(|why| exception_for(py, &why))
    }

    /// The board as an SVG image.
    #[pyo3(signature = (show="givens"))]
    fn svg(&self, py: Python<'_>, show: &str) -> PyResult<String> {
        if ["givens", "solution", "candidates"].contains(&show) {
            self.board_svg(show)
        } else {
            let message =
                format!("show={show:?}: must be \"givens\", \"solution\" or \"candidates\"");
            Err(usage(py, &message))
        }
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.board_svg("givens")
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let width = WIDTH.max(28 * self.form.order());
        Ok(image(&self.board_svg("givens")?, width, self.form.as_str()))
    }

    fn __str__(&self) -> &str {
        self.form.as_str()
    }

    fn __repr__(&self) -> String {
        format!("Puzzle('{}')", self.form.as_str())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.form.as_str().hash(&mut hasher);
        hasher.finish()
    }

    /// Orders puzzles by size, and those of the same size by text.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operator: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Puzzle>() else {
            return Ok(py.NotImplemented());
        };
        let sort_key = |puzzle: &Puzzle| {
            let filled = puzzle.form.filled_cells().to_owned();
            (puzzle.form.order(), puzzle.form.as_str().to_owned(), filled)
        };
        let order = sort_key(self).cmp(&sort_key(other.get()));
        Ok(operator
            .matches(order)
            .into_pyobject(py)?
            .to_owned()
            .into_any()
            .unbind())
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let options = PyDict::new(py);
        let alphabet = match self.form.order() {
            12 => Some("1-9A-C"),
            16 => Some("1-9A-G"),
            25 => Some("1-9A-P"),
            _ => None,
        };
        options.set_item("alphabet", alphabet)?;
        options.set_item("filled", self.filled_beside_marks())?;
        Ok((PyTuple::new(py, [self.form.as_str()])?, options))
    }
}
