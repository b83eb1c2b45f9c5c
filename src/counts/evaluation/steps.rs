//! Counts the moves of sequences, with their verdicts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sudoku_core::judge::{JudgedSteps, MoveVerdict};

use crate::counts::fraction;

/// The number of parts of 1 in which rewards are summed, so that the sum does not depend on the order.
const REWARD_PARTS: f64 = 1e6;

/// The moves of all sequences, by verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveCounts {
    sequences: u64,
    without_wrong: u64,
    solvable: u64,
    /// The sum of the rewards, in parts of 1 / [`REWARD_PARTS`].
    reward: i64,
    moves: BTreeMap<String, u64>,
}

impl MoveCounts {
    pub(super) fn add(&mut self, steps: &JudgedSteps) {
        self.sequences += 1;
        self.without_wrong += u64::from(steps.first_wrong().is_none());
        self.solvable += u64::from(steps.is_solvable);
        self.reward += (steps.reward() * REWARD_PARTS).round() as i64;
        for judged in &steps.moves {
            *self
                .moves
                .entry(judged.verdict.id().to_owned())
                .or_default() += 1;
        }
    }

    pub(super) fn merge(&mut self, other: &MoveCounts) {
        self.sequences += other.sequences;
        self.without_wrong += other.without_wrong;
        self.solvable += other.solvable;
        self.reward += other.reward;
        for (verdict, count) in &other.moves {
            *self.moves.entry(verdict.clone()).or_default() += count;
        }
    }

    /// Whether no sequence of moves was judged.
    pub fn is_empty(&self) -> bool {
        self.sequences == 0
    }

    /// The number of sequences that were read.
    pub fn sequences(&self) -> u64 {
        self.sequences
    }

    /// The number of sequences without a false or illegal move.
    pub fn without_wrong(&self) -> u64 {
        self.without_wrong
    }

    /// The number of sequences after which the board still has a solution.
    pub fn solvable(&self) -> u64 {
        self.solvable
    }

    /// The number of moves of all sequences.
    pub fn moves(&self) -> u64 {
        self.moves.values().sum()
    }

    /// The number of moves with this verdict.
    pub fn verdict(&self, verdict: MoveVerdict) -> u64 {
        self.moves.get(verdict.id()).copied().unwrap_or(0)
    }

    /// The mean reward of the sequences; 0 if there are none.
    pub fn mean_reward(&self) -> f64 {
        self.reward as f64 / REWARD_PARTS / (self.sequences as f64).max(1.0)
    }

    /// The counts as JSON.
    pub(super) fn to_json(&self) -> Value {
        let mut report = Map::new();
        report.insert("sequences".into(), self.sequences.into());
        report.insert("without_wrong".into(), self.without_wrong.into());
        report.insert(
            "without_wrong_share".into(),
            fraction(self.without_wrong, self.sequences),
        );
        report.insert("solvable".into(), self.solvable.into());
        report.insert("mean_reward".into(), json!(self.mean_reward()));
        report.insert("moves".into(), self.moves().into());
        for verdict in MoveVerdict::ALL {
            report.insert(verdict.id().into(), self.verdict(verdict).into());
        }
        report.into()
    }
}
