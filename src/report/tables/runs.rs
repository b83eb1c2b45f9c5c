//! Tables of runs, as `compare` writes them: its summary tables once more, from the rows.

use std::collections::BTreeMap;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Schema};
use sudoku_core::solve::{Method, Rule};

use super::values::{Texts, counts};
use crate::error::{AnalysisError, Error};
use crate::report::{ComparisonTables, RunSums, rule_column, time_class};

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

/// Whether a table with these columns is one of runs.
pub(crate) fn are_runs(names: &[&str]) -> bool {
    COLUMNS.iter().all(|column| names.contains(column))
}

/// The sums of the runs by label and solver.
pub(crate) type RunGroups = BTreeMap<(Option<String>, String), SolverSums>;

/// The runs of a solver on the puzzles of a label.
#[derive(Clone, Debug, Default)]
pub(crate) struct SolverSums {
    runs: RunSums,
    clues: u64,
    /// The runs that found a solution, by the class of their time.
    times: BTreeMap<u32, u64>,
    /// For each rule: how many runs count its uses.
    counted_rules: [u64; Rule::ALL.len()],
}

impl SolverSums {
    /// From the sums that [`RunColumns::count`] lists.
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
        let rules =
            |from: usize| std::array::from_fn(|at| rest.get(from + at).copied().unwrap_or(0));
        SolverSums {
            runs: RunSums {
                runs: rest.last().copied().unwrap_or(0),
                solved: *solved,
                guesses: *guesses,
                backtracks: *backtracks,
                filled: *filled,
                counted_filled: *counted_filled,
                nanoseconds: *nanoseconds,
                rules: rules(0),
                with_rules: 0,
            },
            clues: *clues,
            counted_rules: rules(Rule::ALL.len()),
            times: BTreeMap::new(),
        }
    }

    fn add(&mut self, other: &SolverSums) {
        let (own, more) = (&mut self.runs, &other.runs);
        for (own, more) in [
            (&mut own.runs, more.runs),
            (&mut own.solved, more.solved),
            (&mut own.guesses, more.guesses),
            (&mut own.backtracks, more.backtracks),
            (&mut own.filled, more.filled),
            (&mut own.counted_filled, more.counted_filled),
            (&mut own.nanoseconds, more.nanoseconds),
            (&mut self.clues, other.clues),
        ] {
            *own = own.saturating_add(more);
        }
        for (own, more) in own.rules.iter_mut().zip(more.rules) {
            *own = own.saturating_add(more);
        }
        for (own, more) in self.counted_rules.iter_mut().zip(other.counted_rules) {
            *own += more;
        }
        for (class, runs) in &other.times {
            *self.times.entry(*class).or_default() += runs;
        }
    }
}

/// The columns of a table of runs.
#[derive(Clone, Debug)]
pub(crate) struct RunColumns {
    /// The index of each of [`COLUMNS`] in the table, in that order.
    columns: [Option<usize>; COLUMNS.len()],
    rules: [Option<usize>; Rule::ALL.len()],
}

impl RunColumns {
    pub(crate) fn new(schema: &Schema) -> RunColumns {
        RunColumns {
            columns: COLUMNS.map(|name| schema.index_of(name).ok()),
            rules: Rule::ALL.map(|rule| schema.index_of(&rule_column(rule)).ok()),
        }
    }

    /// The sums of a batch.
    pub(crate) fn count(&self, table: &RecordBatch) -> RunGroups {
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
        ] = self.columns;
        let column = |at: Option<usize>| at.map(|at| table.column(at).as_ref());
        let numbers = |at: Option<usize>| {
            let numbers = column(at).and_then(numbers);
            numbers.unwrap_or_else(|| vec![None; rows])
        };
        let known = |numbers: &[Option<u64>]| -> Vec<Option<u64>> {
            numbers
                .iter()
                .map(|number| Some(u64::from(number.is_some())))
                .collect()
        };
        // The figures of `SolverSums`, in its order.
        let mut all = [solved, guesses, backtracks, filled, nanoseconds, clues]
            .map(numbers)
            .to_vec();
        all.push(known(&all[3]));
        let rules = self.rules.map(numbers);
        let counted = rules.each_ref().map(|rule| known(rule));
        all.extend(rules);
        all.extend(counted);
        let texts = |at: Option<usize>| column(at).map_or_else(|| vec![None; rows], shown_texts);
        let (labels, solvers) = (texts(label), texts(solver));
        let keys = [&labels, &solvers].map(|texts| texts.iter().map(Option::as_deref));
        let [labels, solvers] = keys.map(Iterator::collect::<Vec<_>>);
        let groups = summed([&labels, &solvers], &all).into_iter();
        let groups = groups.map(|([label, solver], sums)| {
            (
                (label, solver.unwrap_or_default()),
                SolverSums::from_sums(&sums),
            )
        });
        let mut groups: RunGroups = groups.collect();
        let (solved, times) = (&all[0], &all[4]);
        let mut classes: BTreeMap<(Option<&str>, &str, u32), u64> = BTreeMap::new();
        for row in 0..rows {
            if let (Some(1..), Some(time)) = (solved[row], times[row]) {
                let key = (
                    labels[row],
                    solvers[row].unwrap_or_default(),
                    time_class(time),
                );
                *classes.entry(key).or_default() += 1;
            }
        }
        for ((label, solver, class), runs) in classes {
            let group = (label.map(str::to_owned), solver.to_owned());
            groups.entry(group).or_default().times.insert(class, runs);
        }
        groups
    }
}

/// A pair of keys, and the sums of the columns over its rows. The last sum is the number of rows.
pub(crate) type KeySums = ([Option<String>; 2], Vec<u64>);

/// The sums of numbers for each pair of keys.
fn summed(keys: [&[Option<&str>]; 2], numbers: &[Vec<Option<u64>>]) -> Vec<KeySums> {
    #[cfg(feature = "analytics")]
    if let Ok(summed) = super::values::frames::summed(keys, numbers) {
        return summed;
    }
    summed_plainly(keys, numbers)
}

fn summed_plainly(
    [one, other]: [&[Option<&str>]; 2],
    numbers: &[Vec<Option<u64>>],
) -> Vec<KeySums> {
    let mut groups: BTreeMap<[Option<&str>; 2], Vec<u64>> = BTreeMap::new();
    for (row, keys) in one.iter().zip(other).enumerate() {
        let sums = groups.entry([*keys.0, *keys.1]);
        let sums = sums.or_insert_with(|| vec![0; numbers.len() + 1]);
        let values = numbers.iter().map(|of| of[row].unwrap_or(0));
        for (sum, value) in sums.iter_mut().zip(values.chain([1])) {
            *sum = sum.wrapping_add(value);
        }
    }
    let groups = groups.into_iter();
    groups
        .map(|(keys, sums)| (keys.map(|key| key.map(str::to_owned)), sums))
        .collect()
}

/// The texts of a column, or its values as texts: labels may be numbers.
fn shown_texts(column: &dyn Array) -> Vec<Option<String>> {
    let texts = Texts::from_column(column);
    let value = |row| match &texts {
        Some(texts) => texts.get(row).map(str::to_owned),
        None => column
            .is_valid(row)
            .then(|| super::values::display_value(column, row))
            .flatten(),
    };
    (0..column.len()).map(value).collect()
}

/// Counts or truth values.
fn numbers(column: &dyn Array) -> Option<Vec<Option<u64>>> {
    match column.data_type() {
        DataType::Boolean => {
            let values = column.as_boolean_opt()?.iter();
            Some(values.map(|value| value.map(u64::from)).collect())
        }
        _ => counts(column),
    }
}

/// Adds the sums of a later batch.
pub(crate) fn merge(own: &mut RunGroups, other: RunGroups) {
    for (group, sums) in other {
        own.entry(group).or_default().add(&sums);
    }
}

/// The summary of the runs.
///
/// # Errors
/// The runs name a solver that this version does not have.
pub(crate) fn comparison(groups: RunGroups) -> Result<ComparisonTables, Error> {
    let solvers: Vec<Method> = (groups.keys())
        .map(|(_, name)| solver(name))
        .collect::<Result<_, _>>()?;
    let methods = Method::all().into_iter();
    let methods = methods.filter(|method| solvers.contains(method));
    let mut tables = ComparisonTables::new(&methods.collect::<Vec<_>>());
    // Each puzzle has a run of every solver, unless the tables had other ones: so the puzzles of a
    // label are counted by the solver with the most runs.
    let mut puzzles: BTreeMap<Option<String>, (u64, u64)> = BTreeMap::new();
    for (((label, _), sums), method) in groups.into_iter().zip(solvers) {
        let runs = RunSums {
            with_rules: sums.counted_rules.into_iter().max().unwrap_or(0),
            ..sums.runs
        };
        tables.add_runs(label.as_deref(), method, &runs);
        for (class, runs) in &sums.times {
            tables.add_solved(method, *class, *runs);
        }
        let most = puzzles.entry(label).or_default();
        *most = (*most).max((runs.runs, sums.clues));
    }
    for (label, (puzzles, clues)) in puzzles {
        tables.add_puzzles(label.as_deref(), puzzles, clues);
    }
    Ok(tables)
}

/// The solver of this name.
fn solver(name: &str) -> Result<Method, Error> {
    let unknown = |_| AnalysisError::UnknownSolver {
        name: name.to_owned(),
    };
    Ok(name.parse().map_err(unknown)?)
}

#[cfg(all(test, feature = "analytics"))]
mod tests {
    use super::*;

    #[test]
    fn polars_sums_as_its_twin() {
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
        let keys = [&labels[..], &solvers[..]];
        let mut of_polars = super::super::values::frames::summed(keys, &numbers).unwrap();
        of_polars.sort();
        assert_eq!(of_polars, summed_plainly(keys, &numbers));
    }
}
