//! Counts the rows of tables of solver runs, which `compare` writes. The result is the same comparison from which
//! `compare` wrote the tables.

use std::collections::BTreeMap;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Schema};
use sudoku_core::solve::{Method, Rule};

use super::values::{KeySums, TextColumn, to_counts};
use crate::error::{AnalysisError, Error};
use crate::report::{ComparisonTables, RunSums, rule_column, time_class};

/// A table is a table of solver runs if it has columns with these names.
const IDENTIFYING_COLUMNS: [&str; 8] = [
    "label",
    "clues",
    "solver",
    "solved",
    "guesses",
    "backtracks",
    "filled",
    "nanoseconds",
];

/// Whether a table with these columns is a table of solver runs.
pub(crate) fn is_runs_table(names: &[&str]) -> bool {
    IDENTIFYING_COLUMNS
        .iter()
        .all(|column| names.contains(column))
}

/// The sums over the runs of each solver, for each label of puzzles.
pub(crate) type SumsByLabelAndSolver = BTreeMap<(Option<String>, String), SolverSums>;

/// The sums over the runs of one solver on the puzzles of one label.
#[derive(Clone, Debug, Default)]
pub(crate) struct SolverSums {
    run_sums: RunSums,
    clue_sum: u64,
    /// The number of runs that found a solution, by time class: a range of durations.
    solved_by_time_class: BTreeMap<u32, u64>,
    /// For each rule, the number of runs that count how often the rule was used.
    runs_by_rule: [u64; Rule::ALL.len()],
}

impl SolverSums {
    /// Assigns the sums that [`RunColumns::count_runs`] computes to the fields. Both are in the same order.
    fn from_sums(sums: &[u64]) -> SolverSums {
        let [
            solved,
            guesses,
            backtracks,
            filled,
            nanoseconds,
            clues,
            counted_filled,
            rest @ ..,
        ] = sums
        else {
            return SolverSums::default();
        };
        let rule_sums =
            |from: usize| std::array::from_fn(|at| rest.get(from + at).copied().unwrap_or(0));
        SolverSums {
            run_sums: RunSums {
                runs: rest.last().copied().unwrap_or(0),
                solved: *solved,
                guesses: *guesses,
                backtracks: *backtracks,
                filled: *filled,
                counted_filled: *counted_filled,
                nanoseconds: *nanoseconds,
                rules: rule_sums(0),
                with_rules: 0,
            },
            clue_sum: *clues,
            runs_by_rule: rule_sums(Rule::ALL.len()),
            solved_by_time_class: BTreeMap::new(),
        }
    }

    fn add_sums(&mut self, other: &SolverSums) {
        let (own, more) = (&mut self.run_sums, &other.run_sums);
        for (own, more) in [
            (&mut own.runs, more.runs),
            (&mut own.solved, more.solved),
            (&mut own.guesses, more.guesses),
            (&mut own.backtracks, more.backtracks),
            (&mut own.filled, more.filled),
            (&mut own.counted_filled, more.counted_filled),
            (&mut own.nanoseconds, more.nanoseconds),
            (&mut self.clue_sum, other.clue_sum),
        ] {
            *own = own.saturating_add(more);
        }
        for (own, more) in own.rules.iter_mut().zip(more.rules) {
            *own = own.saturating_add(more);
        }
        for (own, more) in self.runs_by_rule.iter_mut().zip(other.runs_by_rule) {
            *own += more;
        }
        for (class, runs) in &other.solved_by_time_class {
            *self.solved_by_time_class.entry(*class).or_default() += runs;
        }
    }
}

/// The indices of the columns in a table of solver runs.
#[derive(Clone, Debug)]
pub(crate) struct RunColumns {
    /// The indices of the columns [`IDENTIFYING_COLUMNS`] in the table, in the same order.
    column_indices: [Option<usize>; IDENTIFYING_COLUMNS.len()],
    rule_columns: [Option<usize>; Rule::ALL.len()],
}

impl RunColumns {
    pub(crate) fn new(schema: &Schema) -> RunColumns {
        RunColumns {
            column_indices: IDENTIFYING_COLUMNS.map(|name| schema.index_of(name).ok()),
            rule_columns: Rule::ALL.map(|rule| schema.index_of(&rule_column(rule)).ok()),
        }
    }

    /// Adds up the runs of a batch, for each label and solver.
    pub(crate) fn count_runs(&self, table: &RecordBatch) -> SumsByLabelAndSolver {
        let rows = table.num_rows();
        let [
            label,
            clues,
            solver,
            solved,
            guesses,
            backtracks,
            filled,
            nanoseconds,
        ] = self.column_indices;
        let column = |at: Option<usize>| at.map(|at| table.column(at).as_ref());
        let numbers_of_column = |at: Option<usize>| {
            let numbers = column(at).and_then(read_numbers);
            numbers.unwrap_or_else(|| vec![None; rows])
        };
        let only_known = |numbers: &[Option<u64>]| -> Vec<Option<u64>> {
            numbers
                .iter()
                .map(|number| Some(u64::from(number.is_some())))
                .collect()
        };
        // The columns whose values are added up. `SolverSums::from_sums` reads the sums in this order.
        let mut number_columns = [solved, guesses, backtracks, filled, nanoseconds, clues]
            .map(numbers_of_column)
            .to_vec();
        number_columns.push(only_known(&number_columns[3]));
        let rules = self.rule_columns.map(numbers_of_column);
        let rule_counts = rules.each_ref().map(|rule| only_known(rule));
        number_columns.extend(rules);
        number_columns.extend(rule_counts);
        let texts_of_column =
            |at: Option<usize>| column(at).map_or_else(|| vec![None; rows], texts_or_values);
        let (labels, solvers) = (texts_of_column(label), texts_of_column(solver));
        let label_and_solver_texts =
            [&labels, &solvers].map(|texts| texts.iter().map(Option::as_deref));
        let [labels, solvers] = label_and_solver_texts.map(Iterator::collect::<Vec<_>>);
        let groups = sum_by_keys([&labels, &solvers], &number_columns).into_iter();
        let groups = groups.map(|([label, solver], sums)| {
            (
                (label, solver.unwrap_or_default()),
                SolverSums::from_sums(&sums),
            )
        });
        let mut groups: SumsByLabelAndSolver = groups.collect();
        let (solved, times) = (&number_columns[0], &number_columns[4]);
        let mut classes: BTreeMap<(Option<&str>, &str, u32), u64> = BTreeMap::new();
        for row in 0..rows {
            if let (Some(1..), Some(time)) = (solved[row], times[row]) {
                let solver_key = (
                    labels[row],
                    solvers[row].unwrap_or_default(),
                    time_class(time),
                );
                *classes.entry(solver_key).or_default() += 1;
            }
        }
        for ((label, solver, class), runs) in classes {
            let group = (label.map(str::to_owned), solver.to_owned());
            groups
                .entry(group)
                .or_default()
                .solved_by_time_class
                .insert(class, runs);
        }
        groups
    }
}

/// For each pair of keys, adds up the numbers of the rows with these keys.
fn sum_by_keys(keys: [&[Option<&str>]; 2], numbers: &[Vec<Option<u64>>]) -> Vec<KeySums> {
    #[cfg(feature = "analytics")]
    if let Ok(summed) = super::values::polars_frames::sum_by_keys(keys, numbers) {
        return summed;
    }
    sum_by_keys_plainly(keys, numbers)
}

fn sum_by_keys_plainly(
    [one, other]: [&[Option<&str>]; 2],
    numbers: &[Vec<Option<u64>>],
) -> Vec<KeySums> {
    let mut groups: BTreeMap<[Option<&str>; 2], Vec<u64>> = BTreeMap::new();
    for (row, keys) in one.iter().zip(other).enumerate() {
        let group_sums = groups.entry([*keys.0, *keys.1]);
        let group_sums = group_sums.or_insert_with(|| vec![0; numbers.len() + 1]);
        let values = numbers.iter().map(|of| of[row].unwrap_or(0));
        for (sum, value) in group_sums.iter_mut().zip(values.chain([1])) {
            *sum = sum.wrapping_add(value);
        }
    }
    let groups = groups.into_iter();
    groups
        .map(|(keys, sums)| (keys.map(|key| key.map(str::to_owned)), sums))
        .collect()
}

/// The values of a column as texts. Labels that are numbers are converted.
fn texts_or_values(column: &dyn Array) -> Vec<Option<String>> {
    let text_column = TextColumn::from_column(column);
    let value_of_row = |row| match &text_column {
        Some(texts) => texts.text_in_row(row).map(str::to_owned),
        None => column
            .is_valid(row)
            .then(|| super::values::display_value(column, row))
            .flatten(),
    };
    (0..column.len()).map(value_of_row).collect()
}

/// The values of a column of counts or booleans, as numbers; `None` for columns of other types.
fn read_numbers(column: &dyn Array) -> Option<Vec<Option<u64>>> {
    match column.data_type() {
        DataType::Boolean => {
            let values = column.as_boolean_opt()?.iter();
            Some(values.map(|value| value.map(u64::from)).collect())
        }
        _ => to_counts(column),
    }
}

/// Adds the sums of a later batch, for each label and solver.
pub(crate) fn merge_groups(own: &mut SumsByLabelAndSolver, other: SumsByLabelAndSolver) {
    for (group, sums) in other {
        own.entry(group).or_default().add_sums(&sums);
    }
}

/// Converts the sums of runs to a comparison of the solvers.
///
/// # Errors
///
/// The runs name a solver that this version does not have.
pub(crate) fn into_comparison(groups: SumsByLabelAndSolver) -> Result<ComparisonTables, Error> {
    let solvers: Vec<Method> = (groups.keys())
        .map(|(_, name)| parse_solver(name))
        .collect::<Result<_, _>>()?;
    let methods = Method::all().into_iter();
    let methods = methods.filter(|method| solvers.contains(method));
    let mut tables = ComparisonTables::new(&methods.collect::<Vec<_>>());
    // Usually each puzzle has a run of every solver. If a table was filtered, some runs are missing. The number of
    // puzzles with a label is then that of the solver with the most runs.
    let mut puzzles: BTreeMap<Option<String>, (u64, u64)> = BTreeMap::new();
    for (((label, _), sums), method) in groups.into_iter().zip(solvers) {
        let run_sums = RunSums {
            with_rules: sums.runs_by_rule.into_iter().max().unwrap_or(0),
            ..sums.run_sums
        };
        tables.add_runs(label.as_deref(), method, &run_sums);
        for (class, run_sums) in &sums.solved_by_time_class {
            tables.add_solved(method, *class, *run_sums);
        }
        let most_runs = puzzles.entry(label).or_default();
        *most_runs = (*most_runs).max((run_sums.runs, sums.clue_sum));
    }
    for (label, (puzzles, clues)) in puzzles {
        tables.add_puzzles(label.as_deref(), puzzles, clues);
    }
    Ok(tables)
}

/// Parses the name of a solver. Fails if this version has no solver of this name.
fn parse_solver(name: &str) -> Result<Method, Error> {
    let unknown_solver = |_| AnalysisError::UnknownSolver {
        name: name.to_owned(),
    };
    Ok(name.parse().map_err(unknown_solver)?)
}

#[cfg(all(test, feature = "analytics"))]
mod tests {
    use super::*;

    #[test]
    fn polars_sums_like_the_code_without_polars() {
        let labels = [Some("easy"), None, Some("easy"), Some("hard"), None];
        let solvers = [
            Some("dlx"),
            Some("dlx"),
            Some("dlx"),
            Some("dlx"),
            Some("lanes"),
        ];
        let numbers = [
            vec![Some(1), None, Some(3), Some(u64::MAX), Some(5)],
            vec![None; 5],
        ];
        let key_columns = [&labels[..], &solvers[..]];
        let mut polars_sums =
            super::super::values::polars_frames::sum_by_keys(key_columns, &numbers).unwrap();
        polars_sums.sort();
        assert_eq!(polars_sums, sum_by_keys_plainly(key_columns, &numbers));
    }
}
