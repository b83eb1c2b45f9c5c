//! Isomorphs of boards in arrays: for each board the map of its seed, which does not depend on the board.

use pyo3::prelude::*;
use sudoku_core::board::{Cell, Digit, Isomorph};
use sudoku_core::random::Rng;

use crate::borrow::Borrowed;
use crate::cells::Cells;
use crate::errors::data;
use crate::options::whole_number;
use crate::puzzle::{exception_for, parse_cells, parse_form};
use crate::signals::interruptible;

/// The boards below which one thread is as fast as several.
const BOARDS_PER_THREAD: usize = 4096;

/// The boards of one call, one after the other.
struct Boards {
    cells: Vec<u8>,
    /// The number of cells of a board.
    size: usize,
}

/// The isomorphs of boards, as rows of an array. `seeds` is a number for all boards, or an array with one for each.
#[pyfunction]
pub(crate) fn isomorph(
    boards: &Bound<'_, PyAny>,
    seeds: &Bound<'_, PyAny>,
    threads: usize,
) -> PyResult<Cells> {
    let py = boards.py();
    let boards = read_boards(boards)?;
    let count = boards.cells.len() / boards.size.max(1);
    let seeds = read_seeds(seeds, count)?;
    let shape = vec![count, boards.size];
    if boards.size != 81 {
        return others(py, &boards, &seeds).map(|cells| Cells::digits(cells, shape));
    }
    let is_long = count > BOARDS_PER_THREAD;
    let images = interruptible(py, is_long, move || images(&boards.cells, &seeds, threads))?;
    Ok(Cells::digits(images, shape))
}

/// The boards of an array `(n, cells)`, or of a list of puzzles or of what makes one.
fn read_boards(boards: &Bound<'_, PyAny>) -> PyResult<Boards> {
    let py = boards.py();
    if let Some(array) = Borrowed::from_value(boards)? {
        let [_, size] = array.shape[..] else {
            let message = format!("boards have the shape {:?}, not (n, cells)", array.shape);
            return Err(data(py, &message));
        };
        let cells = array.values()?;
        let cells = cells.iter().enumerate().map(|(index, &cell)| {
            let digit = u8::try_from(cell).ok();
            // Arrays have at most 25 rows and columns.
            let is_digit = |digit: &u8| usize::from(*digit).pow(2) <= size;
            digit.filter(is_digit).ok_or_else(|| {
                let row = index / size.max(1);
                data(
                    py,
                    &format!("boards[{row}] has {cell}, and not a digit or 0"),
                )
            })
        });
        let cells = cells.collect::<PyResult<_>>()?;
        return Ok(Boards { cells, size });
    }
    let mut made = Boards {
        cells: Vec::new(),
        size: 0,
    };
    for board in boards.try_iter()? {
        let digits = parse_form(&board?, 0, None)?.digits();
        if made.size != 0 && made.size != digits.len() {
            return Err(data(py, "the boards have several sizes: an array has one"));
        }
        made.size = digits.len();
        made.cells.extend(digits);
    }
    Ok(made)
}

fn read_seeds(seeds: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<u64>> {
    let py = seeds.py();
    let array = match seeds.extract::<u64>() {
        Ok(_) => None,
        Err(_) => Borrowed::from_value(seeds)?,
    };
    let Some(array) = array else {
        let seed = whole_number(seeds, "seeds", 0, u64::MAX)?;
        return Ok(vec![seed; count]);
    };
    if array.shape != [count] {
        let message = format!(
            "seeds have the shape {:?}; {count} boards need ({count},), or one number for all",
            array.shape
        );
        return Err(data(py, &message));
    }
    let seeds = array.values()?;
    let seeds = seeds.iter().map(|&seed| {
        u64::try_from(seed)
            .map_err(|_| data(py, &format!("{seed} is no seed: from 0 to 2**63 - 1")))
    });
    seeds.collect()
}

/// The isomorphs of 9 × 9 boards, made on this many threads.
fn images(cells: &[u8], seeds: &[u64], threads: usize) -> Vec<u8> {
    let mut images = vec![0; cells.len()];
    let rows = seeds
        .len()
        .div_ceil(threads.max(1))
        .max(BOARDS_PER_THREAD.min(seeds.len()))
        .max(1);
    std::thread::scope(|scope| {
        let mut parts = cells
            .chunks(81 * rows)
            .zip(seeds.chunks(rows))
            .zip(images.chunks_mut(81 * rows));
        let first = parts.next();
        for ((cells, seeds), images) in parts {
            scope.spawn(move || fill(cells, seeds, images));
        }
        if let Some(((cells, seeds), images)) = first {
            fill(cells, seeds, images);
        }
    });
    images
}

fn fill(cells: &[u8], seeds: &[u64], images: &mut [u8]) {
    let boards = cells.chunks_exact(81).zip(images.chunks_exact_mut(81));
    for ((board, image), seed) in boards.zip(seeds) {
        let isomorph = Isomorph::random(&mut Rng::for_item(*seed, 0));
        for (cell, digit) in Cell::all().zip(board) {
            if let Some(index) = usize::from(*digit).checked_sub(1) {
                let digit = isomorph.digit(Digit::from_index(index));
                image[isomorph.cell(cell).index()] = digit.value();
            }
        }
    }
}

/// The isomorphs of boards of other sizes, which have no conflicts.
fn others(py: Python<'_>, boards: &Boards, seeds: &[u64]) -> PyResult<Vec<u8>> {
    let mut images = Vec::with_capacity(boards.cells.len());
    if boards.size == 0 {
        return Ok(images);
    }
    for (board, seed) in boards.cells.chunks_exact(boards.size).zip(seeds) {
        let board: Vec<i64> = board.iter().map(|&digit| digit.into()).collect();
        let image = parse_cells(py, &board, 0)?.isomorph(*seed);
        let image = image.map_err(|why| exception_for(py, &why))?;
        images.extend(image.digits());
    }
    Ok(images)
}
