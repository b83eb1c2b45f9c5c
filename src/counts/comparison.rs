//! The counts of a comparison of solvers, from tables of their runs.

use std::collections::BTreeMap;

use arrow::array::{Array, AsArray, RecordBatch};

use super::frames::aggregated_frames::AggregatedFrames;
use super::frames::aggregations::AddGroup;
use super::run_figures::RunFigures;
use super::tables::runs::RunColumns;
use crate::error::{AnalysisError, ComparisonError, Error};
use sudoku_core::solve::Method;

/// The counts of a comparison of solvers, from the rows that `compare` writes.
pub struct ComparisonTables {
    pub(crate) methods: Vec<Method>,
    pub(crate) figures: RunFigures,
    /// The number of puzzles that were left out because they are not 9 × 9.
    pub other_sizes: u64,
    /// The number of records that are not puzzles.
    pub rejects: u64,
    /// The puzzles on which solvers disagree. Each is stored with the solver whose result differs from the others.
    pub disagreements: Vec<(String, Method)>,
}
impl ComparisonTables {
    /// Empty counts for these solvers.
    pub fn new(methods: &[Method]) -> ComparisonTables {
        ComparisonTables {
            methods: methods.to_vec(),
            figures: RunFigures::default(),
            other_sizes: 0,
            rejects: 0,
            disagreements: Vec::new(),
        }
    }

    /// Counts rows of the table of runs, and finds the puzzles on which solvers disagree.
    ///
    /// # Errors
    ///
    /// The rows do not have the columns of the table of runs.
    pub fn add_rows(&mut self, rows: &RecordBatch) -> Result<(), Error> {
        let columns = RunColumns::new(rows.schema_ref());
        add_frames(&mut self.figures, columns.count_runs(rows)?)?;
        let column = |name: &str| Ok::<_, Error>(rows.column(rows.schema_ref().index_of(name)?));
        let equal = column("equal")?.as_boolean();
        let puzzles = column("puzzle")?.as_string::<i32>();
        let solvers = column("solver")?.as_string::<i32>();
        for row in 0..rows.num_rows() {
            if equal.is_valid(row) && !equal.value(row) {
                let solver = parse_solver(solvers.value(row))?;
                let puzzle = puzzles.value(row).to_owned();
                self.disagreements.push((puzzle, solver));
            }
        }
        Ok(())
    }

    /// The comparison of the solvers that the rows of tables name.
    ///
    /// # Errors
    ///
    /// The rows name a solver that this version does not have.
    pub(crate) fn from_frames(frames: AggregatedFrames) -> Result<ComparisonTables, Error> {
        let mut figures = RunFigures::default();
        add_frames(&mut figures, frames)?;
        let solvers = figures.by_solver().into_keys().map(parse_solver);
        let solvers = solvers.collect::<Result<Vec<Method>, Error>>()?;
        let methods = Method::all().into_iter();
        let methods: Vec<Method> = methods.filter(|method| solvers.contains(method)).collect();
        Ok(ComparisonTables {
            figures,
            ..ComparisonTables::new(&methods)
        })
    }

    /// The number of runs of all solvers together.
    pub fn runs(&self) -> u64 {
        let run_sums = self.figures.by_label_and_solver.values();
        run_sums.map(|sum| sum.runs).sum()
    }

    /// Checks that all solvers agree.
    ///
    /// # Errors
    ///
    /// The first puzzle on which a solver differs from the others.
    pub fn agreement(&self) -> Result<(), ComparisonError> {
        match self.disagreements.first() {
            None => Ok(()),
            Some((puzzle, method)) => Err(ComparisonError::Disagreement {
                puzzle: puzzle.clone(),
                solver: method.to_string(),
                runs: self.disagreements.len() as u64,
            }),
        }
    }

    /// The number of puzzles on which the solvers were run.
    pub fn puzzles(&self) -> u64 {
        self.puzzles_by_label()
            .values()
            .map(|(puzzles, _)| puzzles)
            .sum()
    }

    /// For each label, the number of puzzles, and the total number of their clues. Usually each puzzle has a run of
    /// every solver. If a table was filtered, some runs are missing. The number of puzzles with a label is then that
    /// of the solver with the most runs.
    pub(crate) fn puzzles_by_label(&self) -> BTreeMap<&str, (u64, u64)> {
        let mut puzzles: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for ([label, _], sum) in &self.figures.by_label_and_solver {
            let most_runs = puzzles.entry(label).or_default();
            *most_runs = (*most_runs).max((sum.runs, sum.clues));
        }
        puzzles
    }
}

/// Parses the name of a solver. Fails if this version has no solver of this name.
fn parse_solver(name: &str) -> Result<Method, Error> {
    let unknown_solver = |_| AnalysisError::UnknownSolver {
        name: name.to_owned(),
    };
    Ok(name.parse().map_err(unknown_solver)?)
}

/// Adds the figures of later rows.
fn add_frames(figures: &mut RunFigures, frames: AggregatedFrames) -> Result<(), Error> {
    frames.visit_all(|add, group| match add {
        AddGroup::Runs(add) => add(figures, group),
        _ => Ok(()),
    })?;
    Ok(())
}
