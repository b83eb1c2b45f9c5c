//! The extension module `sudoku_pipeline._native`: the library's batches for Python. The package's own
//! functions in `sudoku_pipeline/__init__.py` call these, with every option by its name.

mod array;
mod capsule;
mod commands;
mod errors;
mod function;
mod input;
mod options;
mod schema;
mod stream;

use pyo3::prelude::*;

#[pymodule(name = "_native")]
mod native {
    #[pymodule_export]
    use crate::array::Batch;
    #[pymodule_export]
    use crate::capsule::close_inputs;
    #[pymodule_export]
    use crate::commands::{command, explain, generate, ids, run, schema};
    #[pymodule_export]
    use crate::function::Function;
    #[pymodule_export]
    use crate::schema::Schema;
    #[pymodule_export]
    use crate::stream::{RejectStream, Stream};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", sudoku_pipeline::VERSION)
    }
}
