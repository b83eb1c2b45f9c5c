//! The steps that solve a puzzle.
//!
//! Explanations consist of waves: all steps that one technique finds on one board. Here the steps of a wave
//! are listed one after the other, each on the board that the previous steps leave.

use std::sync::Arc;

use sudoku_core::Puzzle;
use sudoku_core::board::{Candidates, CellSet};
use sudoku_core::explain::{ABOUT_SEARCH, StepBoard, Walk, Wave};
use sudoku_core::grade::{Ladder, SEARCH, Step as CoreStep};
use sudoku_core::sizes::{SizedBoard, SizedStep, Symbol};
use sudoku_core::solve::Status;

use super::form::{Form, NoResult, candidate_flags, clue_cells};
use super::step::{Drawing, Origin, Step};

/// All steps that solve the puzzle, which must have exactly one solution.
pub(super) fn steps(form: &Form) -> Result<Vec<Step>, NoResult> {
    let mut steps = find_steps(form)?;
    let origin = Arc::new(form.clone());
    for (at, step) in steps.iter_mut().enumerate() {
        step.origin = Some(Origin {
            puzzle: Arc::clone(&origin),
            index: Some(at),
            technique: None,
        });
    }
    Ok(steps)
}

/// The first step; `None` if the puzzle is solved. It fails if there is no solution, as `steps` does: a step of such
/// a board means nothing.
pub(super) fn hint(form: &Form) -> Result<Option<Step>, NoResult> {
    if form.status() == Status::None {
        return Err(NoResult::NotUnique(Status::None));
    }
    let mut hint = first_step(form)?;
    if let Some(hint) = &mut hint {
        hint.origin = Some(Origin {
            puzzle: Arc::new(form.clone()),
            index: None,
            technique: None,
        });
    }
    Ok(hint)
}

/// The first step of the lowest technique on a ladder that finds any; `None` if none does.
pub(super) fn hint_from_ladder(form: &Form, ladder: &Ladder) -> Result<Option<Step>, NoResult> {
    let puzzle = nine_with_solution(form)?;
    let wave = Walk::first_wave(puzzle, ladder);
    let step = wave.and_then(|wave| steps_of_wave(&wave).into_iter().next());
    Ok(step.map(|step| {
        let origin = Some(Origin {
            puzzle: Arc::new(form.clone()),
            index: None,
            technique: Some(step.technique),
        });
        Step { origin, ..step }
    }))
}

/// All steps of all techniques of a ladder on the board of the puzzle.
pub(super) fn moves(form: &Form, ladder: &Ladder) -> Result<Vec<Step>, NoResult> {
    let puzzle = nine_with_solution(form)?;
    if puzzle.board().is_solved() {
        return Ok(Vec::new());
    }
    let origin = Arc::new(form.clone());
    let mut moves = Vec::new();
    for wave in Walk::waves_on_board(puzzle, ladder) {
        let steps = wave.steps.iter().enumerate();
        moves.extend(steps.filter_map(|(at, step)| {
            Some(Step {
                origin: Some(Origin {
                    puzzle: Arc::clone(&origin),
                    index: Some(at),
                    technique: Some(wave.technique.id),
                }),
                ..step_on(&wave, &wave.board, step)?
            })
        }));
    }
    Ok(moves)
}

/// A 9 × 9 puzzle with at least one solution.
fn nine_with_solution(form: &Form) -> Result<&Puzzle, NoResult> {
    let Form::Nine(puzzle) = form else {
        return Err(NoResult::Size(
            "the steps of a technique or a ladder are found on 9 × 9 puzzles",
        ));
    };
    match form.status() {
        Status::None => Err(NoResult::NotUnique(Status::None)),
        _ => Ok(puzzle),
    }
}

fn find_steps(form: &Form) -> Result<Vec<Step>, NoResult> {
    let solution = form.only_solution()?;
    Ok(match (form, solution) {
        (Form::Nine(puzzle), Form::Nine(solution)) => {
            steps_of_walk(Walk::new((**puzzle).clone(), solution.clues))
        }
        (Form::Other(grid), Form::Other(solution)) => {
            steps_of_walk(Walk::sized((**grid).clone(), *solution))
        }
        _ => Vec::new(),
    })
}

fn first_step(form: &Form) -> Result<Option<Step>, NoResult> {
    let Form::Nine(puzzle) = form else {
        return Ok(find_steps(form)?.into_iter().next());
    };
    if puzzle.board().is_solved() {
        return Ok(None);
    }
    match (Walk::first_wave(puzzle, &Ladder::default()), form) {
        (Some(wave), _) => Ok(steps_of_wave(&wave).into_iter().next()),
        (None, form) => match form.only_solution() {
            Err(NoResult::NotUnique(Status::Multiple)) => Err(NoResult::Size(
                "no technique finds a step, and the puzzle has more than one solution",
            )),
            Err(other) => Err(other),
            Ok(Form::Nine(solution)) => {
                let clues = clue_cells(&puzzle.clues);
                Ok(search(puzzle.board(), &solution.board(), clues))
            }
            Ok(Form::Other(_)) => Ok(None),
        },
    }
}

/// A board of sudoku-core, 9 × 9 or of another size, that can be converted to the types of the Python package.
trait PythonBoard: StepBoard {
    /// The filled cells of the board as a puzzle.
    fn form(&self) -> Option<Form>;

    /// The board as a puzzle, with its candidates as pencil marks if the size has them.
    fn position(&self) -> Option<Form>;

    fn drawing(self, clues: Self::Clues, step: Option<Self::Step>) -> Drawing;
}

impl PythonBoard for Candidates {
    fn form(&self) -> Option<Form> {
        Some(self.solved_grid().into())
    }

    fn position(&self) -> Option<Form> {
        Some(super::moves::with_candidates(self.solved_grid(), self))
    }

    fn drawing(self, clues: CellSet, step: Option<CoreStep>) -> Drawing {
        Drawing::Nine {
            board: Box::new(self),
            clues,
            step: step.map(Box::new),
        }
    }
}

impl PythonBoard for SizedBoard {
    fn form(&self) -> Option<Form> {
        self.solved_grid().map(Form::from)
    }

    fn position(&self) -> Option<Form> {
        self.form()
    }

    fn drawing(self, clues: Vec<bool>, step: Option<SizedStep>) -> Drawing {
        Drawing::Other {
            board: Box::new(self),
            clues,
            step: step.map(Box::new),
        }
    }
}

/// All steps of an explanation. If the techniques do not solve the puzzle, the last step is the search.
fn steps_of_walk<B: PythonBoard>(walk: Walk<B>) -> Vec<Step> {
    let mut steps: Vec<Step> = walk.waves.iter().flat_map(steps_of_wave).collect();
    if let Some(board) = walk.stalled {
        let solution = B::from_grid(&walk.solution);
        steps.extend(search(board, &solution, B::clues(&walk.puzzle)));
    }
    steps
}

/// The steps of a wave, each applied to the board that the previous steps leave.
fn steps_of_wave<B: PythonBoard>(wave: &Wave<B>) -> Vec<Step> {
    let mut board = wave.board.clone();
    let steps = wave.steps.iter().filter_map(|step| {
        let board_before = board.clone();
        board.apply(step);
        step_on(wave, &board_before, step)
    });
    steps.collect()
}

/// A step of a wave, applied to a board.
fn step_on<B: PythonBoard>(wave: &Wave<B>, board_before: &B, step: &B::Step) -> Option<Step> {
    let mut board = board_before.clone();
    board.apply(step);
    let sized_step = B::step(step);
    let order = board.order();
    Some(Step {
        technique: wave.technique.id,
        name: wave.technique.name,
        rank: wave.rank.number(),
        level: wave.technique.level.id(),
        cells: sized_step
            .cells
            .iter()
            .map(|cell| (cell / order, cell % order))
            .collect(),
        placements: cell_digit_triples(order, &sized_step.placed),
        eliminations: cell_digit_triples(order, &sized_step.removed),
        effect: board.effect(step),
        words: wave.board.why(step),
        state_after: board.form()?,
        position_after: board.position()?,
        flags: candidate_flags(&board),
        drawing: board_of_step(&sized_step, board_before, &wave.board)
            .clone()
            .drawing(wave.clues.clone(), Some(step.clone())),
        origin: None,
    })
}

/// Pairs of a cell and a symbol as (row, column, digit), sorted.
fn cell_digit_triples(order: usize, pairs: &[(usize, usize)]) -> Vec<(usize, usize, u8)> {
    let cell_digit_triple =
        |&(cell, symbol): &(usize, usize)| (cell / order, cell % order, symbol as u8 + 1);
    let mut cell_digit_triples: Vec<_> = pairs.iter().map(cell_digit_triple).collect();
    cell_digit_triples.sort_unstable();
    cell_digit_triples
}

/// The board on which a step is drawn. If earlier steps of its wave have changed the cells of the step's pattern, this
/// is the board at the start of the wave.
fn board_of_step<'a, B: StepBoard>(
    step: &SizedStep,
    board_before: &'a B,
    wave_board: &'a B,
) -> &'a B {
    let changed_candidates = step.placed.iter().chain(&step.removed);
    let mut cells =
        (step.cells.iter().chain(&step.others)).chain(changed_candidates.map(|(cell, _)| cell));
    if cells.all(|cell| board_before.symbols(*cell) == wave_board.symbols(*cell)) {
        board_before
    } else {
        wave_board
    }
}

/// The final search of an explanation, as one step.
fn search<B: PythonBoard>(board: B, solution: &B, clues: B::Clues) -> Option<Step> {
    let order = board.order();
    let open_cells = (0..order * order).filter(|cell| board.is_open(*cell));
    let placements =
        open_cells.map(|cell| (cell, solution.symbols(cell).trailing_zeros() as usize));
    let placements = cell_digit_triples(order, &placements.collect::<Vec<_>>());
    Some(Step {
        technique: SEARCH.id(),
        name: "Search",
        rank: SEARCH.number(),
        level: SEARCH.level().id(),
        cells: Vec::new(),
        effect: effect_of(&placements),
        placements,
        eliminations: Vec::new(),
        words: ABOUT_SEARCH.to_owned(),
        state_after: solution.form()?,
        position_after: solution.position()?,
        flags: candidate_flags(solution),
        drawing: board.drawing(clues, None),
        origin: None,
    })
}

fn effect_of(placements: &[(usize, usize, u8)]) -> String {
    let placement_texts = placements.iter().map(|(row, column, digit)| {
        let symbol = Symbol::new(usize::from(*digit) - 1).character();
        format!("r{}c{}={symbol}", row + 1, column + 1)
    });
    placement_texts.collect::<Vec<_>>().join(", ")
}
