//! The steps that solve a puzzle.
//!
//! Explanations are waves: all steps that one technique finds on one board. Here the shown steps of a wave follow
//! each other, each on the board that the steps before it leave.

use std::sync::Arc;

use sudoku_core::board::{Candidates, Cell, CellSet, Digit};
use sudoku_core::explain::{ABOUT_SEARCH, Walk, Wave, why};
use sudoku_core::grade::{Effect, Rank, SEARCH, Step as CoreStep};
use sudoku_core::sizes::{SizedGrid, SizedWalk, Symbol};

use super::form::{Form, Masks, NoAnswer, clue_cells, flags_of};
use super::step::{Drawing, Step};

/// All steps. The puzzle must have exactly one solution.
pub(super) fn steps(form: &Form) -> Result<Vec<Step>, NoAnswer> {
    let mut steps = found(form)?;
    let origin = Arc::new(form.clone());
    for (at, step) in steps.iter_mut().enumerate() {
        step.origin = Some((Arc::clone(&origin), Some(at)));
    }
    Ok(steps)
}

/// The first step; `None` if the puzzle is solved.
pub(super) fn hint(form: &Form) -> Result<Option<Step>, NoAnswer> {
    let mut hint = first(form)?;
    if let Some(hint) = &mut hint {
        hint.origin = Some((Arc::new(form.clone()), None));
    }
    Ok(hint)
}

fn found(form: &Form) -> Result<Vec<Step>, NoAnswer> {
    let solution = form.only_solution()?;
    match (form, solution) {
        (Form::Nine(puzzle), Form::Nine(solution)) => {
            let walk = Walk::new((**puzzle).clone(), solution.clues);
            let mut steps = Vec::new();
            let clues = clue_cells(&puzzle.clues);
            for wave in walk.waves {
                of_wave(&wave, clues, &mut steps);
            }
            if let Some(board) = walk.stalled {
                steps.push(search(board, &solution.board(), clues));
            }
            Ok(steps)
        }
        (Form::Other(grid), _) => of_sized(grid),
        _ => Ok(Vec::new()),
    }
}

fn first(form: &Form) -> Result<Option<Step>, NoAnswer> {
    let Form::Nine(puzzle) = form else {
        return Ok(found(form)?.into_iter().next());
    };
    if puzzle.board().is_solved() {
        return Ok(None);
    }
    let clues = clue_cells(&puzzle.clues);
    match (Walk::first_wave(puzzle), form) {
        (Some(wave), _) => {
            let mut found = Vec::new();
            of_wave(&wave, clues, &mut found);
            Ok(found.into_iter().next())
        }
        (None, form) => match form.only_solution()? {
            Form::Nine(solution) => Ok(Some(search(puzzle.board(), &solution.board(), clues))),
            Form::Other(_) => Ok(None),
        },
    }
}

fn place(cell: Cell) -> (usize, usize) {
    (cell.row(), cell.column())
}

fn candidates(of_digit: impl Fn(Digit) -> CellSet) -> Vec<(usize, usize, u8)> {
    let mut all: Vec<(usize, usize, u8)> = Digit::ALL
        .into_iter()
        .flat_map(|digit| {
            of_digit(digit).map(move |cell| (cell.row(), cell.column(), digit.value()))
        })
        .collect();
    all.sort_unstable();
    all
}

/// Appends the shown steps of a wave.
fn of_wave(wave: &Wave, clues: CellSet, steps: &mut Vec<Step>) {
    let mut board = wave.board.clone();
    for step in &wave.steps {
        let before = board.clone();
        step.effect.apply(&mut board);
        steps.push(Step {
            technique: wave.technique.id,
            name: wave.technique.name,
            rank: wave.rank.number(),
            level: wave.technique.level.id(),
            cells: step.pattern.cells.map(place).collect(),
            placements: candidates(|digit| step.effect.placed(digit)),
            eliminations: candidates(|digit| step.effect.removed(digit)),
            effect: step.effect.to_string(),
            words: why(&wave.board, step),
            after: board.solved_grid().into(),
            flags: flags_of(&board),
            drawing: Drawing::Nine {
                board: Box::new(board_of_step(step, &before, &wave.board)),
                clues,
                step: Some(Box::new(step.clone())),
            },
            origin: None,
        });
    }
}

/// The board for the drawing of a step. Earlier steps of the wave can have changed the cells of its pattern: then
/// it is drawn on the board of the wave.
fn board_of_step(step: &CoreStep, before: &Candidates, of_wave: &Candidates) -> Candidates {
    let is_same = |cell: Cell| before.digits(cell) == of_wave.digits(cell);
    let touched = |effect: &Effect| {
        let cells = Digit::ALL.map(|digit| effect.placed(digit) | effect.removed(digit));
        cells
            .into_iter()
            .fold(CellSet::EMPTY, |all, cells| all | cells)
    };
    let mut cells = step.pattern.cells | step.pattern.others | touched(&step.effect);
    match cells.all(is_same) {
        true => before.clone(),
        false => of_wave.clone(),
    }
}

/// The search at the end, as one step.
fn search(board: Candidates, solution: &Candidates, clues: CellSet) -> Step {
    let open = board.unsolved();
    let placements = candidates(|digit| solution.places(digit) & open);
    Step {
        technique: SEARCH.id(),
        name: "Search",
        rank: SEARCH.number(),
        level: SEARCH.level().id(),
        cells: Vec::new(),
        effect: effect_of(&placements),
        placements,
        eliminations: Vec::new(),
        words: ABOUT_SEARCH.to_owned(),
        after: solution.solved_grid().into(),
        flags: flags_of(solution),
        drawing: Drawing::Nine {
            board: Box::new(board),
            clues,
            step: None,
        },
        origin: None,
    }
}

fn effect_of(placements: &[(usize, usize, u8)]) -> String {
    let placed = placements.iter().map(|(row, column, digit)| {
        let symbol = Symbol::new(usize::from(*digit) - 1).character();
        format!("r{}c{}={symbol}", row + 1, column + 1)
    });
    placed.collect::<Vec<_>>().join(", ")
}

/// The steps for a puzzle of another size.
fn of_sized(grid: &SizedGrid) -> Result<Vec<Step>, NoAnswer> {
    let size = grid.size();
    let order = size.order();
    let form = Form::from(grid.clone());
    // The caller has seen that there is exactly one solution.
    let Ok(walk) = SizedWalk::new(grid.clone()) else {
        form.only_solution()?;
        return Ok(Vec::new());
    };
    let walk = Arc::new(walk);
    let mut cells: Vec<Option<Symbol>> = grid.cells().collect();
    let mut board = Masks::new(order, size.of_box());
    for (cell, symbol) in cells.iter().enumerate() {
        if let Some(symbol) = symbol {
            board.place(cell, symbol.index());
        }
    }
    let triple =
        |(cell, symbol): (usize, Symbol)| (cell / order, cell % order, symbol.index() as u8 + 1);
    let mut steps = Vec::new();
    for wave in 0.. {
        if walk.step(wave, 0).is_none() {
            break;
        }
        for at in 0.. {
            let Some(step) = walk.step(wave, at) else {
                break;
            };
            for (cell, symbol) in step.removed() {
                board.remove(cell, symbol.index());
            }
            for (cell, symbol) in step.placed() {
                board.place(cell, symbol.index());
                cells[cell] = Some(symbol);
            }
            let after = SizedGrid::new(size, cells.iter().copied());
            steps.push(Step {
                cells: step
                    .cells()
                    .iter()
                    .map(|cell| (cell / order, cell % order))
                    .collect(),
                placements: step.placed().map(triple).collect(),
                eliminations: step.removed().map(triple).collect(),
                effect: step.effect(),
                words: step.pattern(),
                after: after.map_or_else(|| form.clone(), Form::from),
                flags: board.flags(),
                drawing: Drawing::Other {
                    walk: Arc::clone(&walk),
                    wave,
                    step: at,
                },
                ..named(step.rank(), &form)
            });
        }
    }
    let left = SizedGrid::new(size, cells.iter().copied());
    if let Some(left) = left.filter(|left| left.clue_count() < size.cells()) {
        let solved: Vec<(usize, Symbol)> = (walk.solution().cells().enumerate())
            .filter_map(|(cell, symbol)| Some((cell, symbol?)))
            .filter(|(cell, _)| cells[*cell].is_none())
            .collect();
        for (cell, symbol) in &solved {
            board.place(*cell, symbol.index());
        }
        let placements: Vec<_> = solved.into_iter().map(triple).collect();
        steps.push(Step {
            effect: effect_of(&placements),
            placements,
            words: ABOUT_SEARCH.to_owned(),
            after: walk.solution().clone().into(),
            flags: board.flags(),
            drawing: Drawing::Search(Box::new((left.into(), form.clone()))),
            ..named(SEARCH, &form)
        });
    }
    Ok(steps)
}

/// A step of a technique that does nothing yet.
fn named(rank: Rank, form: &Form) -> Step {
    let name = rank.technique().map(|technique| technique.info().name);
    Step {
        technique: rank.id(),
        name: name.unwrap_or("Search"),
        rank: rank.number(),
        level: rank.level().id(),
        cells: Vec::new(),
        placements: Vec::new(),
        eliminations: Vec::new(),
        effect: String::new(),
        words: String::new(),
        after: form.clone(),
        flags: Vec::new(),
        drawing: Drawing::Search(Box::new((form.clone(), form.clone()))),
        origin: None,
    }
}
