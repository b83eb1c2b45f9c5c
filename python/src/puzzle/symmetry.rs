//! The methods of a puzzle about its isomorphs.

use pyo3::prelude::*;

use super::Puzzle;
use super::failures::exception_for;

#[pymethods]
impl Puzzle {
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
}
