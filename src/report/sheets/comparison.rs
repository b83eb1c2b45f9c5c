//! The results of a comparison of solvers: as sheets, as text for a terminal, and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::render::terminal;
use super::sheet::Sheet;
use crate::counts::ComparisonTables;
use crate::counts::run_figures::{RunSums, longest_nanoseconds};
use sudoku_core::solve::{Method, Order, Rule, Scheme};

impl ComparisonTables {
    /// For each solver, its name and a curve for a cactus plot. Each point of the curve has a number of puzzles, and
    /// the time limit in microseconds within which the solver solves each of them.
    pub(in crate::report) fn solved_by_time(&self) -> Vec<(String, Vec<(u64, f64)>)> {
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
    pub(in crate::report) fn sheets(&self) -> [Sheet; 4] {
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

    /// The comparison as text for a terminal that has `width` columns; `None` for no limit.
    pub fn text(&self, width: Option<u16>) -> String {
        let mut text = terminal(&self.sheets(), width);
        let left_out_counts = [
            (self.other_sizes, "puzzles of other sizes than 9 × 9"),
            (self.rejects, "records that are not puzzles"),
        ];
        for (count, what) in left_out_counts.into_iter().filter(|(count, _)| *count > 0) {
            let _ = writeln!(text, "\n{count} {what} were left out.");
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
