//! Tables of runs, as `compare` writes them: its summary tables once more, from the rows.

use std::collections::BTreeMap;

use polars::prelude::*;
use sudoku_core::solve::{Method, Rule};

use super::engine::collect;
use super::open::TableSet;
use super::union::union;
use super::values::{text, whole};
use crate::error::{AnalysisError, Error};
use crate::report::{ComparisonTables, RunSums, rule_column};

/// The columns that tell a table of runs.
const COLUMNS: [&str; 8] = [
    "label",
    "clues",
    "solver",
    "solved",
    "guesses",
    "backtracks",
    "filled",
    "nanoseconds",
];

impl TableSet {
    /// The summary of the tables where they hold the runs of solvers; `None` where they hold something
    /// else.
    ///
    /// # Errors
    /// The tables cannot be read, or name a solver that this version does not have.
    pub fn comparison(&self) -> Result<Option<ComparisonTables>, Error> {
        let tables = self.rows();
        let are_runs = tables.iter().all(|table| {
            COLUMNS
                .iter()
                .all(|column| table.schema.get(column).is_some())
        });
        if tables.is_empty() || !are_runs {
            return Ok(None);
        }
        let (frame, schema) = union(&tables)?;
        let number = |column: &str| col(column).cast(DataType::UInt64);
        let mut sums = vec![
            len().alias("runs"),
            number("filled").count().alias("counted_filled"),
        ];
        let summed = [
            "clues",
            "solved",
            "guesses",
            "backtracks",
            "filled",
            "nanoseconds",
        ];
        sums.extend(summed.map(|column| number(column).sum().alias(format!("sum_{column}"))));
        let rules =
            Rule::ALL.map(|rule| Some(rule_column(rule)).filter(|name| schema.get(name).is_some()));
        for column in rules.iter().flatten() {
            sums.push(number(column).sum().alias(column.as_str()));
            sums.push(number(column).count().alias(format!("count_{column}")));
        }
        let groups = frame.group_by([col("label"), col("solver")]).agg(sums);
        let groups = collect(groups.sort(["label", "solver"], SortMultipleOptions::default()))?;
        let solvers: Vec<Method> = (0..groups.height())
            .map(|row| solver(&text(&groups, "solver", row).unwrap_or_default()))
            .collect::<Result<_, _>>()?;
        let methods = Method::all()
            .into_iter()
            .filter(|method| solvers.contains(method));
        let mut tables = ComparisonTables::new(&methods.collect::<Vec<_>>());
        // Each puzzle has a run of every solver, unless the tables had other ones: so the puzzles of a
        // label are counted by the solver with the most runs.
        let mut puzzles: BTreeMap<Option<String>, (u64, u64)> = BTreeMap::new();
        for (row, method) in solvers.into_iter().enumerate() {
            let label = text(&groups, "label", row);
            let sum = |column: &str| whole(&groups, column, row).unwrap_or(0);
            let runs = RunSums {
                runs: sum("runs"),
                solved: sum("sum_solved"),
                guesses: sum("sum_guesses"),
                backtracks: sum("sum_backtracks"),
                filled: sum("sum_filled"),
                counted_filled: sum("counted_filled"),
                nanoseconds: sum("sum_nanoseconds"),
                rules: rules
                    .each_ref()
                    .map(|column| column.as_deref().map_or(0, sum)),
                with_rules: (rules.iter().flatten())
                    .map(|column| sum(&format!("count_{column}")))
                    .max()
                    .unwrap_or(0),
            };
            tables.add_runs(label.as_deref(), method, &runs);
            let most = puzzles.entry(label).or_default();
            *most = (*most).max((runs.runs, sum("sum_clues")));
        }
        for (label, (puzzles, clues)) in puzzles {
            tables.add_puzzles(label.as_deref(), puzzles, clues);
        }
        Ok(Some(tables))
    }
}

/// The solver of this name.
fn solver(name: &str) -> Result<Method, Error> {
    let unknown = |_| AnalysisError::UnknownSolver {
        name: name.to_owned(),
    };
    Ok(name.parse().map_err(unknown)?)
}
