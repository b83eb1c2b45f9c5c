//! A puzzle of any size, and the operations that all sizes share.

use std::sync::LazyLock;

use sudoku_core::board::{CellSet, Isomorph, canonical};
use sudoku_core::explain::StepBoard;
use sudoku_core::grade::{Grade, Ladder};
use sudoku_core::random::Rng;
use sudoku_core::sizes::{
    SizedBoard, SizedGrid, SizedIsomorph, Symbol, find_solutions_sized, grade_sized,
    solution_digits_sized, solve_sized,
};
use sudoku_core::solve::{
    DEFAULT_NODE_LIMIT, Kernel, Limits, Solution, SolutionDigits, Status, find_solutions,
    is_minimal, solution_digits_all,
};
use sudoku_core::text::Given;
use sudoku_core::{Grid, Puzzle as NinePuzzle};

use crate::cells::digit;

/// The instruction set for solving single puzzles.
pub(crate) static KERNEL: LazyLock<Kernel> = LazyLock::new(Kernel::fastest);

/// A puzzle without conflicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A 9 × 9 puzzle, possibly with pencil marks.
    Nine(Box<NinePuzzle>),
    /// A grid of another size.
    Other(Box<SizedGrid>),
}

/// The reason why an operation on a puzzle fails.
pub(crate) enum NoResult {
    /// The puzzle has no solution or several, or the search gave up.
    NotUnique(Status),
    /// The search reached its limit of nodes.
    GaveUp(u64),
    /// The operation is not available for a puzzle of this size, or with pencil marks. The field is the reason.
    Size(&'static str),
}

impl From<Grid> for Form {
    fn from(clues: Grid) -> Form {
        Form::Nine(Box::new(NinePuzzle {
            clues,
            marks: None,
            given: Given::Absent,
        }))
    }
}

impl From<SizedGrid> for Form {
    fn from(grid: SizedGrid) -> Form {
        Form::Other(Box::new(grid))
    }
}

impl Form {
    /// The text of the puzzle in normal form.
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Form::Nine(puzzle) => puzzle.as_str(),
            Form::Other(grid) => grid.as_str(),
        }
    }

    /// The filled cells as text. For pencil marks, these are the cells with a single mark.
    pub(crate) fn filled_cells(&self) -> &str {
        match self {
            Form::Nine(puzzle) => puzzle.clues.as_str(),
            Form::Other(grid) => grid.as_str(),
        }
    }

    /// The number of rows.
    pub(crate) fn order(&self) -> usize {
        match self {
            Form::Nine(_) => 9,
            Form::Other(grid) => grid.size().order(),
        }
    }

    /// The numbers of rows and columns of a box.
    pub(crate) fn of_box(&self) -> (usize, usize) {
        match self {
            Form::Nine(_) => (3, 3),
            Form::Other(grid) => grid.size().of_box(),
        }
    }

    /// The digit of each cell in row order, 0 if it is empty.
    pub(crate) fn digits(&self) -> Vec<u8> {
        let digits = self
            .filled_cells()
            .bytes()
            .map(|byte| digit(byte).unwrap_or(0));
        digits.collect()
    }

    fn solve_with(&self, limits: Limits) -> Solution<Form> {
        match self {
            Form::Nine(puzzle) => {
                let mut solutions = Vec::with_capacity(1);
                let board = [puzzle.board()];
                KERNEL.solver().solve(&board, limits, &mut solutions);
                solutions.pop().map_or(
                    Solution {
                        count: 0,
                        first: None,
                        nodes: 0,
                        backtracks: 0,
                        gave_up: true,
                    },
                    |solution| with_form(&solution, solution.first.map(Form::from)),
                )
            }
            Form::Other(grid) => {
                let solution = solve_sized(grid, limits);
                let first = solution.first.clone().map(Form::from);
                with_form(&solution, first)
            }
        }
    }

    /// The first solution; `None` if there is none.
    pub(crate) fn solve(&self) -> Result<Option<Form>, NoResult> {
        let solution = self.solve_with(limits(1));
        match solution.first {
            None if solution.gave_up => Err(NoResult::GaveUp(DEFAULT_NODE_LIMIT)),
            first => Ok(first),
        }
    }

    /// Whether there is exactly one solution, none, or several.
    pub(crate) fn status(&self) -> Status {
        Status::from_solution(&self.solve_with(limits(2)))
    }

    /// The number of solutions, at most `most`, and whether there are no more. The search goes on to one more solution than
    /// `most`, so that the number can be exact when it reaches the limit.
    pub(crate) fn count(&self, most: u32) -> Result<(u32, bool), NoResult> {
        let limits = limits(most.saturating_add(1));
        let solution = self.solve_with(limits);
        if solution.gave_up && solution.count < most {
            return Err(NoResult::GaveUp(limits.nodes));
        }
        let is_exact = solution.count <= most && !solution.gave_up;
        Ok((solution.count.min(most), is_exact))
    }

    /// The solutions, at most `most`, and whether these are all.
    pub(crate) fn solutions(&self, most: u32) -> Result<(Vec<Form>, bool), NoResult> {
        let limits = limits(most.saturating_add(1));
        let (mut found, gave_up): (Vec<Form>, bool) = match self {
            Form::Nine(puzzle) => {
                let (grids, gave_up) = find_solutions(&puzzle.board(), limits);
                (grids.into_iter().map(Form::from).collect(), gave_up)
            }
            Form::Other(grid) => {
                let (grids, gave_up) = find_solutions_sized(grid, limits);
                (grids.into_iter().map(Form::from).collect(), gave_up)
            }
        };
        let most = most as usize;
        if gave_up && found.len() < most {
            return Err(NoResult::GaveUp(limits.nodes));
        }
        let is_exact = found.len() <= most && !gave_up;
        found.truncate(most);
        Ok((found, is_exact))
    }

    /// The digits that each cell has in the solutions. Fails if there is none, or if the search gives up.
    pub(crate) fn solution_digits(&self) -> Result<SolutionDigits, NoResult> {
        let nodes = DEFAULT_NODE_LIMIT;
        let digits = match self {
            Form::Nine(puzzle) => solution_digits_all(*KERNEL, &[&**puzzle], nodes)
                .pop()
                .flatten(),
            Form::Other(grid) => solution_digits_sized(grid, nodes),
        };
        let digits = digits.ok_or(NoResult::GaveUp(nodes))?;
        if digits.has_solution() {
            Ok(digits)
        } else {
            Err(NoResult::NotUnique(Status::None))
        }
    }

    /// The cells that have the same digit in all solutions, as a puzzle.
    pub(crate) fn backbone(&self) -> Result<Form, NoResult> {
        let text = self.solution_digits()?.backbone();
        let backbone = match self {
            Form::Nine(_) => Grid::from_normal_form(text.as_bytes()).map(Form::from),
            Form::Other(grid) => {
                let symbol = |byte| {
                    digit(byte)?
                        .checked_sub(1)
                        .map(|index| Symbol::new(index.into()))
                };
                let symbols = text.bytes().map(symbol);
                SizedGrid::new(grid.size(), symbols).map(Form::from)
            }
        };
        backbone.ok_or(NoResult::Size("the backbone is no grid"))
    }

    /// The only solution. Fails unless there is exactly one.
    pub(crate) fn only_solution(&self) -> Result<Form, NoResult> {
        let solution = self.solve_with(limits(2));
        match (Status::from_solution(&solution), solution.first) {
            (Status::Unique, Some(solution)) => Ok(solution),
            (status, _) => Err(NoResult::NotUnique(status)),
        }
    }

    /// Whether the puzzle has exactly one solution, and removing any clue creates a second one.
    pub(crate) fn is_minimal(&self) -> bool {
        if self.status() != Status::Unique {
            return false;
        }
        match self {
            Form::Nine(puzzle) => is_minimal(&puzzle.clues, puzzle.marks.as_deref()),
            Form::Other(grid) => {
                let cells: Vec<Option<Symbol>> = grid.cells().collect();
                let mut clues = (0..cells.len()).filter(|at| cells[*at].is_some());
                clues.all(|at| {
                    let mut fewer = cells.clone();
                    fewer[at] = None;
                    let fewer = SizedGrid::new(grid.size(), fewer);
                    fewer.is_some_and(|fewer| solve_sized(&fewer, limits(2)).count > 1)
                })
            }
        }
    }

    /// The grade. If the techniques of the ladder solve the puzzle, its solution is unique, so no search for solutions
    /// is needed.
    pub(crate) fn grade(&self, ladder: &Ladder) -> Result<Grade, NoResult> {
        match self {
            Form::Nine(puzzle) => {
                let (grade, solution) = ladder.solve(&**puzzle);
                if solution.is_none() {
                    self.only_solution()?;
                }
                Ok(grade)
            }
            Form::Other(grid) => {
                self.only_solution()?;
                Ok(grade_sized(grid, ladder))
            }
        }
    }

    /// The min-lex form, and the number of automorphisms.
    pub(crate) fn canonical(&self) -> Result<(Form, u32), NoResult> {
        match self {
            Form::Nine(puzzle) if puzzle.marks.is_some() => {
                Err(NoResult::Size("pencil marks have no min-lex form"))
            }
            Form::Nine(puzzle) => {
                let min_lex = canonical(&puzzle.clues);
                Ok((min_lex.form.into(), min_lex.automorphisms))
            }
            Form::Other(grid) => {
                let min_lex = grid.canonical();
                let min_lex = min_lex.ok_or(NoResult::Size(
                    "a min-lex form exists for 4 × 4, 6 × 6 and 9 × 9",
                ))?;
                Ok((min_lex.form.into(), min_lex.automorphisms))
            }
        }
    }

    /// A random isomorph.
    pub(crate) fn isomorph(&self, seed: u64) -> Result<Form, NoResult> {
        let mut rng = Rng::for_item(seed, 0);
        match self {
            Form::Nine(puzzle) => {
                let isomorph = Isomorph::random(&mut rng);
                let marks = puzzle.marks.as_deref();
                Ok(Form::Nine(Box::new(NinePuzzle {
                    clues: isomorph.apply(&puzzle.clues),
                    marks: marks.map(|marks| Box::new(isomorph.apply_to_marks(marks))),
                    given: Given::Absent,
                })))
            }
            Form::Other(grid) => {
                let isomorph = SizedIsomorph::random(grid.size(), &mut rng);
                let image = isomorph.and_then(|isomorph| isomorph.apply(grid));
                let image = image.ok_or(NoResult::Size(
                    "isomorphs are made of 4 × 4, 6 × 6 and 9 × 9 puzzles",
                ))?;
                Ok(image.into())
            }
        }
    }

    /// The candidates before the first step: a boolean for each cell and digit.
    pub(crate) fn candidates(&self) -> Vec<bool> {
        match self {
            Form::Nine(puzzle) => candidate_flags(&puzzle.board()),
            Form::Other(grid) => candidate_flags(&SizedBoard::from(&**grid)),
        }
    }
}

/// The candidates of a board: a truth value for each cell and symbol.
pub(crate) fn candidate_flags(board: &impl StepBoard) -> Vec<bool> {
    let order = board.order();
    let masks = (0..order * order).map(|cell| board.symbols(cell));
    masks
        .flat_map(|mask| (0..order).map(move |symbol| mask >> symbol & 1 == 1))
        .collect()
}

/// The cells of the clues.
pub(crate) fn clue_cells(clues: &Grid) -> CellSet {
    clues.clues().map(|(cell, _)| cell).collect()
}

fn with_form<G>(found: &Solution<G>, first: Option<Form>) -> Solution<Form> {
    Solution {
        count: found.count,
        first,
        nodes: found.nodes,
        backtracks: found.backtracks,
        gave_up: found.gave_up,
    }
}

/// The limits for finding this many solutions. Each solution after the first needs at least one node.
fn limits(solutions: u32) -> Limits {
    Limits {
        solutions,
        nodes: DEFAULT_NODE_LIMIT.saturating_add(16 * u64::from(solutions)),
    }
}
