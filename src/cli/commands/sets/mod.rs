//! `dedup`, `split`, `overlap` and `audit`: the commands that compare puzzles by classes, such as isomorphs.

pub(crate) mod audit;
pub(crate) mod dedup;
mod folder;
pub(crate) mod overlap;
mod parts;
pub(crate) mod split;

use sudoku_core::solve::Limits;
use sudoku_pipeline::job::Stages;
use sudoku_pipeline::table::class::ClassBy;

/// The processing stages that determine the classes of puzzles, such as isomorphs. Classes of solutions need solved
/// puzzles.
pub(crate) fn stages(classes: &[ClassBy]) -> Stages {
    let solves = classes.iter().any(|by| by.needs_solutions());
    Stages {
        solve: solves.then(Limits::default),
        classes: classes.to_vec(),
        ..Stages::default()
    }
}
