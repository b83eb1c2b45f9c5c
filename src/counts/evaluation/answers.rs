//! Counts the forms in which texts of language models have their answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sudoku_core::judge::Verdict;

/// The number of predictions for each form of the answer, rule that chose it, and verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerCounts(BTreeMap<String, BTreeMap<String, BTreeMap<String, u64>>>);

impl AnswerCounts {
    pub(super) fn add(&mut self, form: &str, rule: &str, verdict: &str) {
        self.add_count(form, rule, verdict, 1);
    }

    fn add_count(&mut self, form: &str, rule: &str, verdict: &str, count: u64) {
        let rules = self.0.entry(form.to_owned()).or_default();
        let verdicts = rules.entry(rule.to_owned()).or_default();
        *verdicts.entry(verdict.to_owned()).or_default() += count;
    }

    pub(super) fn merge(&mut self, other: &AnswerCounts) {
        for (form, rules) in &other.0 {
            for (rule, verdicts) in rules {
                for (verdict, count) in verdicts {
                    self.add_count(form, rule, verdict, *count);
                }
            }
        }
    }

    /// Whether no answers were searched in texts, or none was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// An object for each form and rule, with the number of its predictions and of each verdict, the most frequent first.
    pub fn to_json(&self) -> Value {
        let mut rows = Vec::new();
        for (form, rules) in &self.0 {
            for (rule, verdicts) in rules {
                let sum: u64 = verdicts.values().sum();
                let mut row = Map::new();
                row.insert("form".into(), form.as_str().into());
                row.insert("rule".into(), rule.as_str().into());
                row.insert("rows".into(), sum.into());
                for verdict in Verdict::ALL {
                    if let Some(count) = verdicts.get(verdict.id()) {
                        row.insert(verdict.id().into(), (*count).into());
                    }
                }
                rows.push((sum, Value::from(row)));
            }
        }
        rows.sort_by_key(|(sum, _)| std::cmp::Reverse(*sum));
        rows.into_iter().map(|(_, row)| row).collect()
    }
}
