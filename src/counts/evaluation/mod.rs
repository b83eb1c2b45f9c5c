//! The quality of a model's predictions: counts of the verdicts on them. The counts are for all rows, and by level,
//! hardest technique, number of clues and rating.

mod answers;
mod intervals;
mod steps;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::fraction::fraction;
use sudoku_core::grade::{Level, Rank};
use sudoku_core::judge::{JudgedSteps, Verdict};

pub use answers::AnswerCounts;
use intervals::mcnemar_p_value;
pub(crate) use intervals::wilson_interval;
pub use steps::MoveCounts;

/// The number of predictions for each verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictCounts {
    rows: u64,
    verdicts: BTreeMap<String, u64>,
    /// The number of empty cells in the puzzles. `blanks_right` is the number of them that the predictions have right.
    /// Both count only puzzles whose prediction is a grid of the same size.
    blanks: u64,
    blanks_right: u64,
    /// The number of empty cells that are equal in all solutions of their puzzle, and the number of them that the
    /// predictions have right. Both count only puzzles with several solutions.
    #[serde(default, skip_serializing_if = "is_zero")]
    backbone_blanks: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    backbone_right: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A number of predictions with the same verdict, and sums over their puzzles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VerdictSums {
    /// The number of predictions.
    pub(crate) rows: u64,
    /// The number of empty cells, and the number of them that are right.
    pub(crate) blanks: u64,
    pub(crate) blanks_right: u64,
    /// The number of empty cells that are equal in all solutions, and the number of them that are right.
    pub(crate) backbone_blanks: u64,
    pub(crate) backbone_right: u64,
}

fn is_exact(verdict: &str) -> bool {
    Verdict::from_id(verdict).is_some_and(Verdict::is_exact)
}

impl VerdictCounts {
    /// Adds predictions with this verdict.
    pub(crate) fn add(&mut self, verdict: &str, sums: VerdictSums) {
        self.rows += sums.rows;
        *self.verdicts.entry(verdict.to_owned()).or_default() += sums.rows;
        self.blanks += sums.blanks;
        self.blanks_right += sums.blanks_right;
        self.backbone_blanks += sums.backbone_blanks;
        self.backbone_right += sums.backbone_right;
    }

    fn merge(&mut self, other: &VerdictCounts) {
        self.rows += other.rows;
        self.blanks += other.blanks;
        self.blanks_right += other.blanks_right;
        self.backbone_blanks += other.backbone_blanks;
        self.backbone_right += other.backbone_right;
        for (verdict, count) in &other.verdicts {
            *self.verdicts.entry(verdict.clone()).or_default() += count;
        }
    }

    /// The number of predictions with this verdict.
    pub fn verdict(&self, verdict: Verdict) -> u64 {
        self.verdicts.get(verdict.id()).copied().unwrap_or(0)
    }

    /// The number of predictions that solve their puzzle.
    pub fn exact(&self) -> u64 {
        let exact_rows = Verdict::ALL
            .into_iter()
            .filter(|verdict| verdict.is_exact());
        exact_rows.map(|verdict| self.verdict(verdict)).sum()
    }

    /// The number of puzzles whose prediction has a verdict.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of empty cells in the puzzles, and the number of them that the predictions have right. Counted only
    /// for puzzles whose prediction is a grid of the same size.
    pub fn blanks(&self) -> (u64, u64) {
        (self.blanks, self.blanks_right)
    }

    /// The number of empty cells that are equal in all solutions of their puzzle, and the number of them that the
    /// predictions have right. Counted only for puzzles with several solutions.
    pub fn backbone(&self) -> (u64, u64) {
        (self.backbone_blanks, self.backbone_right)
    }

    /// Checks that the counts are possible for `rows` predictions. The error describes a contradiction.
    fn check_consistency(&self, rows: u64) -> Result<(), String> {
        let sum: u128 = self.verdicts.values().map(|count| u128::from(*count)).sum();
        let is_part =
            self.blanks_right <= self.blanks && self.backbone_right <= self.backbone_blanks;
        if sum == u128::from(self.rows) && self.rows <= rows && is_part {
            Ok(())
        } else {
            Err("judged predictions do not add up".to_owned())
        }
    }

    fn to_json(&self) -> Map<String, Value> {
        let (low, high) = wilson_interval(self.exact(), self.rows);
        let mut report = Map::new();
        report.insert("rows".into(), self.rows.into());
        report.insert("exact".into(), self.exact().into());
        report.insert("exact_share".into(), fraction(self.exact(), self.rows));
        report.insert("exact_low".into(), json!(low));
        report.insert("exact_high".into(), json!(high));
        for verdict in Verdict::ALL {
            report.insert(verdict.id().into(), self.verdict(verdict).into());
        }
        report.insert("blanks".into(), self.blanks.into());
        report.insert("blanks_right".into(), self.blanks_right.into());
        if let (blanks @ 1.., right) = self.backbone() {
            report.insert("backbone_blanks".into(), blanks.into());
            report.insert("backbone_right".into(), right.into());
            report.insert("backbone_share".into(), fraction(right, blanks));
        }
        report
    }
}

sudoku_core::enum_with_ids! {
    /// A property of puzzles by which the verdicts are grouped.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum EvaluationGroup {
        /// The level of the puzzle.
        Level = "level",
        /// The hardest technique of the puzzle.
        Technique = "technique",
        /// The number of clues.
        Clues = "clues",
        /// The whole part of the rating `se`.
        Se = "se",
    }
}

impl EvaluationGroup {
    /// The sort key of the group with this name. Groups are sorted in the order of their property, for example by rank.
    fn sort_key(self, name: &str) -> u64 {
        let parse_number = |text: &str| text.parse().unwrap_or(u64::MAX);
        match self {
            EvaluationGroup::Level => {
                Level::from_id(name).map_or(Level::ALL.len(), |level| level as usize) as u64
            }
            EvaluationGroup::Technique => {
                Rank::from_id(name).map_or(u64::MAX, |rank| u64::from(rank.number()))
            }
            EvaluationGroup::Clues => parse_number(name),
            EvaluationGroup::Se => parse_number(name.split('.').next().unwrap_or_default()),
        }
    }
}

/// The quality of a model's predictions in a run. The counts of all batches are merged into it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluation {
    all: VerdictCounts,
    groups: BTreeMap<EvaluationGroup, BTreeMap<String, VerdictCounts>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    against: Option<BothModels>,
    #[serde(default, skip_serializing_if = "AnswerCounts::is_empty")]
    answers: AnswerCounts,
    #[serde(default, skip_serializing_if = "MoveCounts::is_empty")]
    moves: MoveCounts,
}

/// The number of puzzles that both models solve, that only one of them solves, and that neither solves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BothModels {
    both: u64,
    only_this: u64,
    only_other: u64,
    none: u64,
}

impl BothModels {
    /// The four counts of puzzles, each with its name.
    pub fn counts(self) -> [(&'static str, u64); 4] {
        [
            ("both", self.both),
            ("only_this", self.only_this),
            ("only_other", self.only_other),
            ("none", self.none),
        ]
    }

    /// The p-value of McNemar's exact test: the probability of a difference at least this large if both models were
    /// equally good.
    pub fn p_value(self) -> f64 {
        mcnemar_p_value(self.only_this, self.only_other)
    }
}

impl Evaluation {
    /// The counts of all predictions.
    pub(crate) fn all_mut(&mut self) -> &mut VerdictCounts {
        &mut self.all
    }

    /// Counts an answer in a text: its form, the rule that chose it, and its verdict.
    pub(crate) fn add_answer(
        &mut self,
        form: &'static str,
        rule: &'static str,
        verdict: &'static str,
    ) {
        self.answers.add(form, rule, verdict);
    }

    /// Counts the moves of a sequence.
    pub(crate) fn add_steps(&mut self, steps: &JudgedSteps) {
        self.moves.add(steps);
    }

    /// The counts of the predictions in the group with this name.
    pub(crate) fn group_mut(&mut self, group: EvaluationGroup, name: String) -> &mut VerdictCounts {
        let groups = self.groups.entry(group).or_default();
        groups.entry(name).or_default()
    }

    /// Adds predictions of two models with these verdicts.
    pub(crate) fn add_against(&mut self, own: &str, other: &str, rows: u64) {
        let against = self.against.get_or_insert_default();
        *match (is_exact(own), is_exact(other)) {
            (true, true) => &mut against.both,
            (true, false) => &mut against.only_this,
            (false, true) => &mut against.only_other,
            (false, false) => &mut against.none,
        } += rows;
    }

    /// Adds the verdict counts of other rows.
    pub fn merge(&mut self, other: &Evaluation) {
        self.all.merge(&other.all);
        for (group, counts) in &other.groups {
            let own_group = self.groups.entry(*group).or_default();
            for (name, counts) in counts {
                own_group.entry(name.clone()).or_default().merge(counts);
            }
        }
        self.answers.merge(&other.answers);
        self.moves.merge(&other.moves);
        if let Some(other) = other.against {
            let comparison = self.against.get_or_insert_default();
            comparison.both += other.both;
            comparison.only_this += other.only_this;
            comparison.only_other += other.only_other;
            comparison.none += other.none;
        }
    }

    /// The verdict counts of all rows.
    pub fn all(&self) -> &VerdictCounts {
        &self.all
    }

    /// The forms of the answers in texts, with the rules that chose them.
    pub fn answers(&self) -> &AnswerCounts {
        &self.answers
    }

    /// The moves of the predictions that are sequences of moves.
    pub fn moves(&self) -> &MoveCounts {
        &self.moves
    }

    /// The verdict counts, shares and 95 % intervals as JSON.
    pub fn to_json(&self) -> Value {
        let mut json = self.all.to_json();
        for group in EvaluationGroup::ALL {
            let rows: Vec<Value> = (self.of_group(group).into_iter())
                .map(|(name, counts)| {
                    let mut row = Map::from_iter([(group.id().to_owned(), Value::from(name))]);
                    row.extend(counts.to_json());
                    row.into()
                })
                .collect();
            if !rows.is_empty() {
                json.insert(format!("by_{}", group.id()), rows.into());
            }
        }
        if !self.answers.is_empty() {
            json.insert("by_answer".into(), self.answers.to_json());
        }
        if !self.moves.is_empty() {
            json.insert("steps".into(), self.moves.to_json());
        }
        if let Some(against) = self.against {
            let counts = against
                .counts()
                .map(|(name, count)| (name.to_owned(), count.into()));
            let mut object = Map::from_iter(counts);
            object.insert("mcnemar_p".into(), json!(against.p_value()));
            json.insert("against".into(), object.into());
        }
        json.into()
    }

    /// The verdict counts of each group for this property, in the order of the groups.
    pub fn of_group(&self, group: EvaluationGroup) -> Vec<(&str, &VerdictCounts)> {
        let groups = self.groups.get(&group).into_iter().flatten();
        let mut groups: Vec<_> = groups
            .map(|(name, counts)| (name.as_str(), counts))
            .collect();
        groups.sort_by_key(|(name, _)| group.sort_key(name));
        groups
    }

    /// The number of puzzles that each of two models solves; `None` if there is only one model.
    pub fn against(&self) -> Option<BothModels> {
        self.against
    }

    /// Checks that the counts are consistent, for a dataset with `rows` rows. The error describes a contradiction.
    pub(crate) fn contradiction(&self, rows: u64) -> Result<(), String> {
        self.all.check_consistency(rows)?;
        for counts in self.groups.values() {
            let mut sum = 0_u128;
            for counts in counts.values() {
                counts.check_consistency(rows)?;
                sum += u128::from(counts.rows);
            }
            if sum > u128::from(self.all.rows) {
                return Err("the groups of judged predictions do not add up".to_owned());
            }
        }
        Ok(())
    }
}
