//! The extension module `sudoku_pipeline._native`. It exposes the library's streams of batches to Python.
//! The public functions in `sudoku_pipeline/__init__.py` call it, and pass every option by name.

mod borrow;
mod cells;
mod check_moves;
mod commands;
mod errors;
mod exchange;
mod function;
mod input;
mod isomorph;
mod iterator;
mod lists;
mod names;
mod options;
mod picture;
mod preview;
mod puzzle;
mod signals;
mod stream;
mod table;

use pyo3::prelude::*;

#[pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::cells::Cells;
    #[pymodule_export]
    use crate::check_moves::{check_moves, move_verdicts};
    #[pymodule_export]
    use crate::commands::{AuditTexts, Printed, call, command, explain, generate, run, schema};
    #[pymodule_export]
    use crate::exchange::array::Batch;
    #[pymodule_export]
    use crate::exchange::capsule::close_inputs;
    #[pymodule_export]
    use crate::exchange::collected::Collected;
    #[pymodule_export]
    use crate::exchange::rejects::RejectStream;
    #[pymodule_export]
    use crate::exchange::schema::Schema;
    #[pymodule_export]
    use crate::function::Function;
    #[pymodule_export]
    use crate::isomorph::isomorph;
    #[pymodule_export]
    use crate::names::{described, folder_format, ids};
    #[pymodule_export]
    use crate::puzzle::{Grade, MoveVerdict, Puzzle, Rating, Step};
    #[pymodule_export]
    use crate::stream::Stream;
    #[pymodule_export]
    use crate::table::{Table, spool};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        sudoku_pipeline::options::spell_as(crate::errors::keyword);
        Grade::add_properties(module.py())?;
        module.add("__version__", sudoku_pipeline::VERSION)
    }
}
