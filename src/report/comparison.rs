//! The results of a comparison of solvers: as sheets, as text for a terminal, and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};

use crate::error::ComparisonError;
use crate::report::sheets::Sheet;
use sudoku_core::solve::{Method, Order, Rule, Scheme, SearchRun};

/// A run of one solver on one puzzle, with its duration.
pub struct TimedRun {
    /// The solutions that the solver found, and the counts of its search.
    pub run: SearchRun,
    /// The duration of the run.
    pub time: Duration,
    /// Whether the solver's result agrees with the known solutions of the puzzle; `None` if the solver gave up.
    pub agrees: Option<bool>,
}

/// The counts of a comparison of solvers.
pub struct ComparisonTables {
    methods: Vec<Method>,
    /// For each label of puzzles, the sums of each solver. Puzzles without a label have an empty label.
    sums_by_label: BTreeMap<String, Vec<RunSums>>,
    /// For each label, the number of puzzles, and the total number of their clues.
    clues_by_label: BTreeMap<String, (u64, u64)>,
    /// For each solver, the number of runs that found a solution, by time class. There are twenty time classes per
    /// power of ten.
    solved_by_time_class: Vec<BTreeMap<u32, u64>>,
    /// The number of puzzles that were left out because they are not 9 × 9.
    pub other_sizes: u64,
    /// The number of records that are not puzzles.
    pub rejects: u64,
    /// The puzzles on which solvers disagree. Each is stored with the solver whose result differs from the others.
    pub disagreements: Vec<(String, Method)>,
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
fn longest_nanoseconds(class: u32) -> f64 {
    10_f64.powf(f64::from(class + 1) / TIME_CLASSES_PER_DECADE)
}

/// Sums over the runs of one solver in a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunSums {
    /// The number of runs that are included in the sums.
    pub runs: u64,
    /// The number of runs that found a solution.
    pub solved: u64,
    /// The total number of guesses.
    pub guesses: u64,
    /// The total number of backtracks.
    pub backtracks: u64,
    /// The sum of the maximum numbers of cells that were filled at the same time, over the runs that count filled
    /// cells.
    pub filled: u64,
    /// The number of runs that count filled cells.
    pub counted_filled: u64,
    /// The total time in nanoseconds.
    pub nanoseconds: u64,
    /// For each rule, in the order of [`Rule::ALL`], the number of times that it was used. Only runs that count these
    /// uses are included.
    pub rules: [u64; Rule::ALL.len()],
    /// The number of runs that count the uses of rules.
    pub with_rules: u64,
}

impl RunSums {
    fn add_sums(&mut self, other: &RunSums) {
        self.runs += other.runs;
        self.solved += other.solved;
        self.guesses += other.guesses;
        self.backtracks += other.backtracks;
        self.filled += other.filled;
        self.counted_filled += other.counted_filled;
        self.nanoseconds += other.nanoseconds;
        self.with_rules += other.with_rules;
        for (own, other) in self.rules.iter_mut().zip(other.rules) {
            *own += other;
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
            sums_by_label: BTreeMap::new(),
            clues_by_label: BTreeMap::new(),
            solved_by_time_class: vec![BTreeMap::new(); methods.len()],
            other_sizes: 0,
            rejects: 0,
            disagreements: Vec::new(),
        }
    }

    /// Adds the counts of other puzzles. Both comparisons must be of the same solvers.
    pub fn merge(&mut self, other: ComparisonTables) {
        for (label, runs) in other.sums_by_label {
            for (method, sum) in other.methods.iter().zip(&runs) {
                self.add_runs(Some(&label), *method, sum);
            }
        }
        for (label, (puzzles, clues)) in other.clues_by_label {
            self.add_puzzles(Some(&label), puzzles, clues);
        }
        self.other_sizes += other.other_sizes;
        self.rejects += other.rejects;
        self.disagreements.extend(other.disagreements);
    }

    /// The number of runs of all solvers together.
    pub fn runs(&self) -> u64 {
        let run_sums = self.sums_by_label.values().flatten();
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
        self.clues_by_label
            .values()
            .map(|(puzzles, _)| puzzles)
            .sum()
    }

    /// Adds a number of puzzles with this label. `clues` is the total number of their clues.
    pub fn add_puzzles(&mut self, label: Option<&str>, puzzles: u64, clues: u64) {
        let label_entry = self
            .clues_by_label
            .entry(label.unwrap_or_default().to_owned());
        let (all, sum) = label_entry.or_default();
        *all += puzzles;
        *sum += clues;
    }

    /// Adds the run of a solver on a puzzle with this label.
    pub fn add_run(&mut self, label: Option<&str>, method: Method, timed: &TimedRun) {
        let solution = &timed.run.solution;
        let mut sum = RunSums {
            runs: 1,
            solved: u64::from(solution.count > 0),
            guesses: solution.nodes,
            backtracks: solution.backtracks,
            filled: u64::from(timed.run.filled.unwrap_or(0)),
            counted_filled: u64::from(timed.run.filled.is_some()),
            nanoseconds: timed.time.as_nanos() as u64,
            ..RunSums::default()
        };
        if let Some(rules) = timed.run.rules {
            sum.with_rules = 1;
            sum.rules = Rule::ALL.map(|rule| rules.count(rule));
        }
        self.add_runs(label, method, &sum);
        if sum.solved > 0 {
            self.add_solved(method, time_class(sum.nanoseconds), 1);
        }
    }

    /// Adds the sums of several runs. Ignores runs of a solver that is not in the comparison.
    pub fn add_runs(&mut self, label: Option<&str>, method: Method, runs: &RunSums) {
        let Some(at) = self.methods.iter().position(|own| *own == method) else {
            return;
        };
        let solvers = self.methods.len();
        let label_entry = self
            .sums_by_label
            .entry(label.unwrap_or_default().to_owned());
        label_entry.or_insert_with(|| vec![RunSums::default(); solvers])[at].add_sums(runs);
    }

    /// Adds a number of runs that found a solution in a time of this class. Ignores runs of a solver that is not in the
    /// comparison.
    pub fn add_solved(&mut self, method: Method, class: u32, runs: u64) {
        if let Some(at) = self.methods.iter().position(|own| *own == method) {
            *self.solved_by_time_class[at].entry(class).or_default() += runs;
        }
    }

    /// For each solver, its name and a curve for a cactus plot. Each point of the curve has a number of puzzles, and
    /// the time limit in microseconds within which the solver solves each of them.
    pub(super) fn solved_by_time(&self) -> Vec<(String, Vec<(u64, f64)>)> {
        let solvers = self.methods.iter().zip(&self.solved_by_time_class);
        solvers
            .map(|(method, times)| {
                let mut solved_count = 0;
                let points = times.iter().map(|(class, runs)| {
                    solved_count += runs;
                    (solved_count, longest_nanoseconds(*class) / 1000.0)
                });
                (method.to_string(), points.collect())
            })
            .collect()
    }

    /// The tables of a comparison: figures by solver, by label, by number of clues, and by rule.
    pub(super) fn sheets(&self) -> [Sheet; 4] {
        let label_json = |label: &str| match label {
            "" => Value::Null,
            label => json!(label),
        };
        let solvers = self.methods.iter().enumerate().map(|(at, method)| {
            let mut sum = RunSums::default();
            self.sums_by_label
                .values()
                .for_each(|label_sums| sum.add_sums(&label_sums[at]));
            vec![
                json!(method.to_string()),
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
        let by_label = self.sums_by_label.iter().flat_map(|(name, sums)| {
            let label_sums = self.methods.iter().zip(sums);
            label_sums.map(move |(method, sum)| {
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
        let clues = self.clues_by_label.iter().map(|(name, (puzzles, clues))| {
            vec![
                label_json(name),
                json!(puzzles),
                json!(RunSums::average(*clues, *puzzles)),
            ]
        });
        let rules = self.sums_by_label.iter().map(|(name, sums)| {
            let mut sum = RunSums::default();
            sums.iter().for_each(|one| sum.add_sums(one));
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
