//! The results of a comparison of solvers: as sheets, as text for a terminal, and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use arrow::array::{Array, AsArray, RecordBatch};
use serde_json::{Value, json};

use crate::error::{AnalysisError, ComparisonError, Error};
use crate::report::frames::aggregated_frames::AggregatedFrames;
use crate::report::frames::aggregations::AddGroup;
use crate::report::sheets::Sheet;
use crate::report::tables::runs::RunColumns;
use sudoku_core::solve::{Method, Order, Rule, Scheme};

/// The counts of a comparison of solvers, from the rows that `compare` writes.
pub struct ComparisonTables {
    methods: Vec<Method>,
    figures: RunFigures,
    /// The number of puzzles that were left out because they are not 9 × 9.
    pub other_sizes: u64,
    /// The number of records that are not puzzles.
    pub rejects: u64,
    /// The puzzles on which solvers disagree. Each is stored with the solver whose result differs from the others.
    pub disagreements: Vec<(String, Method)>,
}

/// The sums over the rows of tables of solver runs. Puzzles without a label have an empty label.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunFigures {
    pub(crate) by_label_and_solver: BTreeMap<[String; 2], RunSums>,
    /// For each solver, the number of runs that found a solution, by time class. There are twenty time classes per
    /// power of ten.
    pub(crate) solved_by_time_class: BTreeMap<String, BTreeMap<u64, u64>>,
}

impl RunFigures {
    fn by_label(&self) -> BTreeMap<&str, RunSums> {
        self.sums_by(|[label, _]| label)
    }

    fn by_solver(&self) -> BTreeMap<&str, RunSums> {
        self.sums_by(|[_, solver]| solver)
    }

    fn sums_by(&self, key: fn(&[String; 2]) -> &String) -> BTreeMap<&str, RunSums> {
        let mut sums: BTreeMap<&str, RunSums> = BTreeMap::new();
        for (keys, own) in &self.by_label_and_solver {
            sums.entry(key(keys)).or_default().add(own);
        }
        sums
    }

    /// Adds the figures of later rows.
    fn add_frames(&mut self, frames: AggregatedFrames) -> Result<(), Error> {
        frames.visit_all(|add, group| {
            if let AddGroup::Runs(add) = add {
                add(self, group);
            }
        })?;
        Ok(())
    }
}

/// The column, in a table of solver runs, with the number of times that a solver used this rule.
pub(crate) fn rule_column(rule: Rule) -> String {
    format!("rule_{}", rule.id())
}

/// The number of time classes in each power of ten. A time class is a range of durations.
const TIME_CLASSES_PER_DECADE: f64 = 20.0;

/// The time class of a duration in nanoseconds. There are twenty time classes per power of ten.
pub(crate) fn time_class(nanoseconds: u64) -> u32 {
    (TIME_CLASSES_PER_DECADE * (nanoseconds.max(1) as f64).log10()).floor() as u32
}

/// The longest duration in a time class, in nanoseconds.
fn longest_nanoseconds(class: u64) -> f64 {
    10_f64.powf((class + 1) as f64 / TIME_CLASSES_PER_DECADE)
}

/// Sums over some of the runs of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunSums {
    /// The number of runs that are included in the sums.
    pub(crate) runs: u64,
    /// The number of runs that found a solution.
    pub(crate) solved: u64,
    pub(crate) guesses: u64,
    pub(crate) backtracks: u64,
    /// The sum of the maximum numbers of cells that were filled at the same time, over the runs that count filled
    /// cells.
    pub(crate) filled: u64,
    /// The number of runs that count filled cells.
    pub(crate) counted_filled: u64,
    pub(crate) nanoseconds: u64,
    /// The clues of the puzzles, once for each run.
    pub(crate) clues: u64,
    /// For each rule, in the order of [`Rule::ALL`], the number of times that it was used. Only runs that count these
    /// uses are included.
    pub(crate) rules: [u64; Rule::ALL.len()],
    /// The number of runs that count the uses of rules.
    pub(crate) with_rules: u64,
}

impl RunSums {
    pub(crate) fn add(&mut self, other: &RunSums) {
        for (own, more) in [
            (&mut self.runs, other.runs),
            (&mut self.solved, other.solved),
            (&mut self.guesses, other.guesses),
            (&mut self.backtracks, other.backtracks),
            (&mut self.filled, other.filled),
            (&mut self.counted_filled, other.counted_filled),
            (&mut self.nanoseconds, other.nanoseconds),
            (&mut self.clues, other.clues),
            (&mut self.with_rules, other.with_rules),
        ] {
            *own = own.saturating_add(more);
        }
        for (own, more) in self.rules.iter_mut().zip(other.rules) {
            *own = own.saturating_add(more);
        }
    }

    /// The average of `count` numbers with this sum; `None` if `count` is 0.
    fn average(sum: u64, count: u64) -> Option<f64> {
        (count > 0).then(|| sum as f64 / count as f64)
    }
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
        self.figures.add_frames(columns.count_runs(rows)?)?;
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
        figures.add_frames(frames)?;
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
    fn puzzles_by_label(&self) -> BTreeMap<&str, (u64, u64)> {
        let mut puzzles: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for ([label, _], sum) in &self.figures.by_label_and_solver {
            let most_runs = puzzles.entry(label).or_default();
            *most_runs = (*most_runs).max((sum.runs, sum.clues));
        }
        puzzles
    }

    /// For each solver, its name and a curve for a cactus plot. Each point of the curve has a number of puzzles, and
    /// the time limit in microseconds within which the solver solves each of them.
    pub(super) fn solved_by_time(&self) -> Vec<(String, Vec<(u64, f64)>)> {
        let times_by_solver = &self.figures.solved_by_time_class;
        let solvers = self.methods.iter().map(Method::to_string);
        solvers
            .map(|solver| {
                let mut solved_count = 0;
                let times = times_by_solver.get(&solver).into_iter().flatten();
                let points = times.map(|(class, runs)| {
                    solved_count += runs;
                    (solved_count, longest_nanoseconds(*class) / 1000.0)
                });
                let points = points.collect();
                (solver, points)
            })
            .collect()
    }

    /// The tables of a comparison: figures by solver, by label, by number of clues, and by rule.
    pub(super) fn sheets(&self) -> [Sheet; 4] {
        let label_json = |label: &str| match label {
            "" => Value::Null,
            label => json!(label),
        };
        let figures = &self.figures;
        let (all_by_label, by_solver) = (figures.by_label(), figures.by_solver());
        let solvers = self.methods.iter().map(Method::to_string);
        let solvers = solvers.map(|solver| {
            let sum = by_solver.get(solver.as_str()).copied().unwrap_or_default();
            vec![
                json!(solver),
                json!(sum.runs),
                json!(sum.solved),
                json!(RunSums::average(sum.guesses, sum.runs)),
                json!(RunSums::average(sum.backtracks, sum.runs)),
                json!(RunSums::average(sum.filled * 100, sum.counted_filled * 81)),
                json!(RunSums::average(sum.nanoseconds, sum.runs * 1000)),
            ]
        });
        let columns = [
            "solver",
            "runs",
            "solved",
            "guesses",
            "backtracks",
            "filled_percent",
            "microseconds",
        ];
        let solvers = Sheet::new("solvers", "Solvers", 1, &columns).with_rows(solvers);
        let by_label = all_by_label.keys().flat_map(|name| {
            self.methods.iter().map(move |method| {
                let keys = [(*name).to_owned(), method.to_string()];
                let sum = figures.by_label_and_solver.get(&keys);
                let sum = sum.copied().unwrap_or_default();
                vec![
                    label_json(name),
                    json!(method.to_string()),
                    json!(method.scheme().map(Scheme::id)),
                    json!(method.order().map(Order::id)),
                    json!(sum.runs),
                    json!(sum.solved),
                    json!(RunSums::average(sum.guesses, sum.runs)),
                ]
            })
        });
        let clues = self.puzzles_by_label().into_iter();
        let clues = clues.map(|(name, (puzzles, clues))| {
            vec![
                label_json(name),
                json!(puzzles),
                json!(RunSums::average(clues, puzzles)),
            ]
        });
        let rules = all_by_label.iter().map(|(name, sum)| {
            let means = sum
                .rules
                .into_iter()
                .map(|rule| json!(RunSums::average(rule, sum.with_rules)));
            [label_json(name)].into_iter().chain(means).collect()
        });
        let rule_names = [&["label"][..], &Rule::ALL.map(Rule::id)].concat();
        let columns = [
            "label", "solver", "scheme", "order", "runs", "solved", "guesses",
        ];
        let title = "Solved, and average guesses, by label, scheme and order";
        let by_label = Sheet::new("by_label", title, 4, &columns).with_rows(by_label);
        let columns = ["label", "puzzles", "clues"];
        let clues = Sheet::new("clues", "Average clues by label", 1, &columns).with_rows(clues);
        let title = "Average uses of each rule by label, of the runs that count them";
        let rules = Sheet::new("rules", title, 1, &rule_names).with_rows(rules);
        [solvers, by_label, clues, rules]
    }

    /// The comparison as text for a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for table in self.sheets() {
            let shown_value = |value: &Value| match value {
                Value::Null => "–".to_owned(),
                Value::String(text) => text.clone(),
                Value::Number(number) if number.is_f64() => {
                    format!("{:.1}", number.as_f64().unwrap_or_default())
                }
                other => other.to_string(),
            };
            let rows: Vec<Vec<String>> = (table.rows.iter())
                .map(|row| row.iter().map(shown_value).collect())
                .collect();
            let width = |column: usize| {
                let cells = rows.iter().map(|row| row[column].chars().count());
                cells
                    .chain([table.columns[column].len()])
                    .max()
                    .unwrap_or(0)
            };
            let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
            let _ = writeln!(text, "{}\n", table.title);
            for row in [&table.columns].into_iter().chain(&rows) {
                for (column, cell) in row.iter().enumerate() {
                    let width = widths[column];
                    // Text columns are aligned to the left, and number columns to the right.
                    let is_word = table.rows.iter().all(|row| !row[column].is_number());
                    let _ = if is_word {
                        write!(text, "  {cell:<width$}")
                    } else {
                        write!(text, "  {cell:>width$}")
                    };
                }
                text.truncate(text.trim_end().len());
                text.push('\n');
            }
            text.push('\n');
        }
        let left_out_counts = [
            (self.other_sizes, "puzzles of other sizes than 9 × 9"),
            (self.rejects, "records that are not puzzles"),
        ];
        for (count, what) in left_out_counts.into_iter().filter(|(count, _)| *count > 0) {
            let _ = writeln!(text, "{count} {what} were left out.");
        }
        text
    }

    /// The comparison as one JSON object, with a list of rows for each sheet.
    pub fn json(&self) -> Value {
        let mut object = serde_json::Map::new();
        object.insert("puzzles".into(), json!(self.puzzles()));
        object.insert("other_sizes".into(), json!(self.other_sizes));
        object.insert("rejects".into(), json!(self.rejects));
        for table in self.sheets() {
            let columns = &table.columns;
            let row = |row: &Vec<Value>| -> Value {
                columns.iter().cloned().zip(row.iter().cloned()).collect()
            };
            let rows: Vec<Value> = table.rows.iter().map(row).collect();
            object.insert(table.id, Value::from(rows));
        }
        Value::from(object)
    }
}

/// Parses the name of a solver. Fails if this version has no solver of this name.
fn parse_solver(name: &str) -> Result<Method, Error> {
    let unknown_solver = |_| AnalysisError::UnknownSolver {
        name: name.to_owned(),
    };
    Ok(name.parse().map_err(unknown_solver)?)
}
