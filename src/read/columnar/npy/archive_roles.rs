//! Chooses which arrays of an archive are the puzzles and the solutions, by their names, their shapes and their first
//! grids.

use super::archive_arrays::{Archive, NamedArray, listed};
use super::grid_array::GridArray;
use super::header::ItemType;
use super::one_hot::is_without_conflict;
use super::{SAMPLE_BYTES, learn};
use crate::error::Error;
use crate::numbers::noun_for;
use crate::options::{PUZZLE_COLUMN, SOLUTION_COLUMN};
use crate::read::ReadOptions;
use crate::read::columns::{Columns, PUZZLE_NAMES, SOLUTION_NAMES, choose, find_known};
use crate::read::grids::NumberSymbols;

/// Names of arrays of puzzles in archives of training data.
const FEATURE_NAMES: [&str; 2] = ["x", "features"];

/// Names of arrays in archives of training data that are the solutions if they complete the puzzles.
const LABEL_NAMES: [&str; 5] = ["labels", "label", "y", "targets", "target"];

/// The minimum length of a text that is recognised as a puzzle. An array of shorter texts counts as puzzles only if its
/// name says so.
const FEWEST_CELLS: usize = 16;

/// The arrays that are chosen as columns, and the number of rows that they all have.
pub(super) struct ChosenArrays {
    pub(super) columns: Columns,
    pub(super) rows: u64,
}

/// Assigns roles to the arrays, and learns from the first grids of the puzzles and solutions how they are stored.
pub(super) fn choose_arrays(
    archive: &Archive<'_>,
    arrays: &mut [NamedArray],
    options: &ReadOptions,
) -> Result<ChosenArrays, Error> {
    let source_name = archive.source_name;
    let unknown_format = |what: String| Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what,
    };
    let names: Vec<String> = arrays.iter().map(|array| array.name.clone()).collect();
    let with_grids = grids_found(arrays);
    let has_grids = |at: usize| with_grids[at];
    let mut options = options.clone();
    if options.puzzle_column.is_none() && find_known(&names, &PUZZLE_NAMES, &has_grids).is_none() {
        let solution = options.solution_column.as_ref();
        let features = find_known(&names, &FEATURE_NAMES, &|at| {
            has_grids(at) && Some(&names[at]) != solution
        });
        options.puzzle_column = features.map(|at| names[at].clone());
    }
    if options.puzzle_column.is_none() && find_known(&names, &PUZZLE_NAMES, &has_grids).is_none() {
        let solution = options.solution_column.clone();
        let may_be_puzzles = |array: &&NamedArray| {
            Some(&array.name) != solution.as_ref()
                && !SOLUTION_NAMES.contains(&array.name.to_ascii_lowercase().as_str())
                && !LABEL_NAMES.contains(&array.name.to_ascii_lowercase().as_str())
                && looks_like_grids(array)
        };
        let mut candidates: Vec<&NamedArray> = arrays.iter().filter(may_be_puzzles).collect();
        // An array of 81 ratings looks like a single grid. Single grids are therefore ignored if another array is a
        // list of grids.
        let is_list = |array: &NamedArray| array.grids.as_ref().is_ok_and(GridArray::is_list);
        if candidates.iter().any(|array| is_list(array)) {
            candidates.retain(|array| is_list(array));
        }
        match candidates.as_slice() {
            [array] => options.puzzle_column = Some(array.name.clone()),
            [] => {}
            _ if options.any_table => {}
            several => {
                return Err(unknown_format(format!(
                    "several of its arrays could be the puzzles: {}; name the one with \
                     {PUZZLE_COLUMN}, and that of the solutions with {SOLUTION_COLUMN}",
                    listed(several.iter().copied())
                )));
            }
        }
    }
    let mut columns = choose(source_name, &names, &options, &has_grids)?;
    let puzzle = columns.puzzle.and_then(|at| arrays[at].grids.as_ref().ok());
    if puzzle.is_some_and(GridArray::has_solutions) && columns.solution.is_some() {
        if options.solution_column.is_some() {
            return Err(unknown_format(format!(
                "the array of the puzzles is one of pairs, which have their solutions: leave \
                 {SOLUTION_COLUMN} out"
            )));
        }
        options.carry_solutions = true;
        columns = choose(source_name, &names, &options, &has_grids)?;
    }
    if let Some(at) = columns.puzzle {
        let sample = learn_from(archive, arrays, at, options.token_offset)?;
        let has_solutions = matches!(&arrays[at].grids, Ok(grids) if grids.has_solutions());
        let may_have_labels = columns.solution.is_none()
            && options.solution_column.is_none()
            && !options.carry_solutions
            && !has_solutions;
        let rows_of = |at: usize| arrays[at].grids.as_ref().ok().map(|grids| grids.rows);
        let labels = find_known(&names, &LABEL_NAMES, &|other| {
            other != at && rows_of(other).is_some() && rows_of(other) == rows_of(at)
        });
        if let Some(solution) = columns.solution {
            learn_solutions(archive, arrays, (at, &sample), solution, &options)?;
        } else if let Some(labels) = labels.filter(|_| may_have_labels) {
            let (complete, count) =
                learn_solutions(archive, arrays, (at, &sample), labels, &options)?;
            let name = &names[labels];
            if complete * 2 > count {
                tracing::warn!(
                    "{source_name}: the array {name} has the solutions: it completes {complete} of the first {count} {}",
                    noun_for(count as u64, "puzzle")
                );
                options.solution_column = Some(name.clone());
                columns = choose(source_name, &names, &options, &has_grids)?;
            } else {
                tracing::warn!(
                    "{source_name}: the array {name} is not taken as the solutions, because it completes {complete} \
                     of the first {count} {}; {} takes it nevertheless",
                    noun_for(count as u64, "puzzle"),
                    SOLUTION_COLUMN.set_to(name)
                );
            }
        }
    }
    let arrays = &*arrays;
    let puzzle = columns.puzzle.and_then(|at| arrays[at].grids.as_ref().ok());
    let row_count = |at: usize| arrays[at].head.shape.first().copied();
    let first_length = columns.carried.first().and_then(|(at, _)| row_count(*at));
    let rows = puzzle
        .map_or(first_length, |puzzle| Some(puzzle.rows))
        .unwrap_or(0);
    let mut left_out_names = Vec::new();
    columns.carried.retain(|(at, _)| {
        let has_rows = row_count(*at) == Some(rows);
        if !has_rows {
            left_out_names.push(&arrays[*at]);
        }
        has_rows
    });
    if !left_out_names.is_empty() {
        tracing::warn!(
            "{source_name}: arrays that do not have a row for each of the {rows} {} are left out: {}",
            noun_for(rows, "puzzle"),
            listed(left_out_names)
        );
    }
    Ok(ChosenArrays { columns, rows })
}

/// For each array, whether it can hold grids.
fn grids_found(arrays: &[NamedArray]) -> Vec<bool> {
    arrays.iter().map(|array| array.grids.is_ok()).collect()
}

/// Learns from the first bytes of an array how it stores grids, and returns these bytes.
fn learn_from(
    archive: &Archive<'_>,
    arrays: &mut [NamedArray],
    at: usize,
    offset: Option<i16>,
) -> Result<Vec<u8>, Error> {
    let (mut input_bytes, _) = archive.open_data(at)?;
    if let Ok(grids) = &mut arrays[at].grids {
        learn(&archive.name_of(at), grids, &mut input_bytes, offset)?;
    }
    Ok(input_bytes.peek(SAMPLE_BYTES)?.to_vec())
}

/// Learns which numbers stand for the digits in the array `solution`: those with which most of its first grids complete
/// the first puzzles. Returns the number of such grids, and of all that were compared.
fn learn_solutions(
    archive: &Archive<'_>,
    arrays: &mut [NamedArray],
    (puzzle, puzzle_bytes): (usize, &[u8]),
    solution: usize,
    options: &ReadOptions,
) -> Result<(usize, usize), Error> {
    let solution_bytes = learn_from(archive, arrays, solution, options.token_offset)?;
    let (Ok(puzzles), Ok(solutions)) = (&arrays[puzzle].grids, &arrays[solution].grids) else {
        return Ok((0, 0));
    };
    if puzzles.has_solutions() || solutions.has_solutions() {
        return Ok((0, 0));
    }
    let own = solutions.symbols.for_solutions();
    let mut candidates = vec![own];
    if options.token_offset.is_none() {
        candidates.push(puzzles.symbols);
        candidates.extend([0, 1, -1].map(NumberSymbols::from));
    }
    let puzzle_texts: Vec<Option<String>> = puzzle_bytes
        .chunks_exact(puzzles.row_bytes().max(1))
        .map(|record| puzzles.text(record, puzzles.symbols).ok())
        .take(1000)
        .collect();
    let records = solution_bytes.chunks_exact(solutions.row_bytes().max(1));
    let count = puzzle_texts.len().min(records.len());
    let completed = |symbols: NumberSymbols| {
        let pairs = puzzle_texts.iter().zip(records.clone());
        let completes = |(puzzle, record): &(&Option<String>, &[u8])| {
            let solution = solutions.text(record, symbols);
            puzzle.as_ref().is_some_and(|puzzle| {
                solution.is_ok_and(|solution| is_completion(&solution, puzzle))
            })
        };
        pairs.filter(completes).count()
    };
    let mut best = (own, completed(own));
    for symbols in candidates.into_iter().skip(1) {
        let complete = completed(symbols);
        if complete > best.1 {
            best = (symbols, complete);
        }
    }
    if let Ok(solutions) = &mut arrays[solution].grids {
        solutions.symbols = best.0;
    }
    Ok((best.1, count))
}

/// Whether the grid is full, has no conflict, and contains the clues of the puzzle.
fn is_completion(solution: &str, puzzle: &str) -> bool {
    let solution = solution.trim();
    let has_clues = puzzle.bytes().zip(solution.bytes()).all(|(clue, own)| {
        own != b'.' && own != b'0' && (clue == own || !clue.is_ascii_alphanumeric() || clue == b'0')
    });
    has_clues && solution.len() == puzzle.trim().len() && is_without_conflict(solution)
}

/// Whether the values of an array look like puzzles. Its name is not considered.
fn looks_like_grids(array: &NamedArray) -> bool {
    array.grids.as_ref().is_ok_and(|grids| {
        let characters = match grids.item {
            ItemType::Bytes => grids.size,
            ItemType::Unicode => grids.size / 4,
            _ => usize::MAX,
        };
        characters >= FEWEST_CELLS || grids.item_count > 1
    })
}
