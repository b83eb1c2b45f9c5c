//! Finds the answer in the text of a language model: all grids, with their places and forms, and the one that is meant.
//!
//! ```text
//! text ── simplify ─→ plain lines ── tokens ── rows and grids ─→ candidates ── rules ─→ the answer
//! ```
//!
//! - The order of the grid is known, so that a row is a line with as many cells, and a grid as many rows one after the
//!   other. Names of rows must count up from the first row.
//! - A line with other words ends a grid. Numbers in sentences are therefore no grid.
//! - Remains of a grid (80 or 82 digits, eight rows) are candidates, too: if a damaged grid is the answer, no draft
//!   before it is.
//! - The time is linear in the length of the text.

mod candidate;
mod choice;
mod forms;
mod grids;
mod missing;
mod options;
mod other_languages;
mod place;
mod refusal;
mod regions;
mod retraction;
mod row_cells;
mod row_names;
mod rules;
mod sentences;
mod simplify;
mod single_cells;
mod tokens;

use std::ops::Range;

pub use forms::{FORMS, Form};
pub use rules::{RULES, Rule};

use crate::board::Size;
use crate::sizes::{Alphabets, parse_any_grid};
use candidate::Candidate;
use choice::choose;
use forms::{NOTATION, form_of};
use grids::grids;
use regions::{Regions, regions};
use simplify::simplify;
use single_cells::assigned;
pub(super) use single_cells::named_cells;
use tokens::{cell_syntax, tokens};

/// The answer in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The grid in normal form.
    pub grid: String,
    /// The form in which the text has it.
    pub form: &'static Form,
    /// Why it was chosen.
    pub rule: &'static Rule,
    /// Its place in the text, in bytes.
    pub place: Range<usize>,
}

/// A grid in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridInText {
    /// The grid in normal form.
    pub grid: String,
    /// The form in which the text has it.
    pub form: &'static Form,
    /// Its place in the text, in bytes.
    pub place: Range<usize>,
}

/// Finds all grids with as many cells as `clues`, a puzzle in normal form. Cells that are named one by one are a grid if
/// they fill all empty cells of the puzzle.
///
/// ```
/// use sudoku_core::judge::find_grids;
/// use sudoku_core::sizes::Alphabets;
///
/// let text = "I start with 1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1";
/// let grids = find_grids(text, "1...............", &Alphabets::default());
/// assert_eq!(grids[0].grid, "1234341221434321");
/// assert_eq!(grids[0].form.id, "board");
/// assert_eq!(grids[0].place, 13..44);
/// ```
pub fn find_grids(text: &str, clues: &str, alphabets: &Alphabets) -> Vec<GridInText> {
    let candidates = candidates(text, clues, alphabets, &regions(text)).into_iter();
    let grids = candidates.filter_map(|candidate| {
        Some(GridInText {
            grid: candidate.grid?,
            form: candidate.form,
            place: candidate.place,
        })
    });
    grids.collect()
}

/// Finds the answer in a text. `clues` is the puzzle in normal form. The [rules](RULES) choose among several grids.
///
/// ```
/// use sudoku_core::judge::read_answer;
/// use sudoku_core::sizes::Alphabets;
///
/// let text = "A draft is 1234/3412/4321/2143.\nFinal answer: \\boxed{1234/3412/2143/4321}, from 1... .... .... ....";
/// let answer = read_answer(text, "1...............", &Alphabets::default()).unwrap();
/// assert_eq!(answer.grid, "1234341221434321");
/// assert_eq!((answer.form.id, answer.rule.id), ("rows", "boxed"));
/// ```
///
/// # Errors
/// The reason why the text has no answer. A text has none for `clues` of a length that no grid has.
pub fn read_answer(text: &str, clues: &str, alphabets: &Alphabets) -> Result<Answer, String> {
    if !Size::is_cell_count(clues.len()) {
        let cells = clues.len();
        return Err(format!(
            "the puzzle has {cells} cells, and no grid has as many"
        ));
    }
    let regions = regions(text);
    let candidates = candidates(text, clues, alphabets, &regions);
    choose(text, clues, &candidates, &regions)
}

fn candidates(text: &str, clues: &str, alphabets: &Alphabets, regions: &Regions) -> Vec<Candidate> {
    if !Size::is_cell_count(clues.len()) {
        return Vec::new();
    }
    let order = clues.len().isqrt();
    let syntax = cell_syntax(order, order > 9 || alphabets.has_letters_for_nine());
    let simple = simplify(text);
    let tokens = tokens(&simple.text, syntax);
    let found = grids(&tokens, &simple, syntax);
    let mut candidates: Vec<Candidate> = found
        .iter()
        .map(|found| {
            let place = simple.place(found.place.clone());
            let grid = found.cells.as_ref().and_then(|cells| {
                let cells_text = std::str::from_utf8(&cells.text).ok()?;
                if cells.has_numbers || order == 9 && !syntax.has_letters {
                    return Some(cells_text.to_owned());
                }
                let grid = parse_any_grid(&cells.text, alphabets).ok()?;
                (grid.len() == clues.len()).then_some(grid)
            });
            let lead = if found.lead.is_empty() {
                place.start..place.start
            } else {
                simple.place(found.lead.clone())
            };
            Candidate {
                form: form_of(found, &text[simple.place(found.around.clone())]),
                grid,
                count: found.count,
                place,
                lead,
            }
        })
        .collect();
    candidates.extend(assigned(&simple, clues, alphabets, syntax, regions));
    if candidates.iter().all(|candidate| candidate.grid.is_none())
        && let Some(grid) = in_notation(text, clues, alphabets)
    {
        candidates = vec![Candidate {
            grid: Some(grid),
            count: clues.len(),
            form: &NOTATION,
            lead: 0..0,
            place: 0..text.len(),
        }];
    }
    candidates.sort_by_key(|candidate| candidate.place.start);
    candidates
}

/// The grid of a text of one line that is a grid in a notation.
fn in_notation(text: &str, clues: &str, alphabets: &Alphabets) -> Option<String> {
    let line = text.trim();
    // The keys of an object, and names of other lines than rows, say which cells follow.
    let lower = line.to_ascii_lowercase();
    let names = ["col", "box", "block"];
    if line.contains('\n') || line.starts_with('{') || names.iter().any(|name| lower.contains(name))
    {
        return None;
    }
    let grid = parse_any_grid(line.as_bytes(), alphabets).ok()?;
    (grid.len() == clues.len()).then_some(grid)
}

#[cfg(test)]
mod tests;
