//! The counts of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::id_counts::IdCounts;
use crate::table::outcome::{GivenVerdict, Outcome};
use crate::table::reject::Reject;
use crate::table::reject::RejectKind;
use crate::table::reject_cause::RejectCause;
use crate::table::row_ratings::RowRatings;
use sudoku_core::grade::{Level, Rank};
use sudoku_core::rating;
use sudoku_core::solve::Status;

/// The counts of a run, into which those of its batches are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    written: u64,
    filtered: u64,
    left_out: u64,
    /// The number of rows that were copied, the number of copies, and the number of rows with fewer copies
    /// than requested.
    copied: (u64, u64, u64),
    graded: u64,
    nodes: u64,
    statuses: BTreeMap<Status, u64>,
    levels: BTreeMap<Level, u64>,
    ranks: BTreeMap<Rank, u64>,
    beyond: u64,
    given: BTreeMap<&'static str, u64>,
    fixed: FixedSolutions,
    rejects: BTreeMap<RejectKind, u64>,
    causes: BTreeMap<RejectCause, u64>,
    ratings: BTreeMap<&'static str, u64>,
    canonical_ratings: BTreeMap<&'static str, u64>,
}

/// The counts of wrong given solutions that `--fix-solutions` has replaced or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedSolutions {
    /// Wrong solutions that were replaced by the puzzle's only solution.
    pub replaced: u64,
    /// Wrong solutions that were removed, because the puzzle does not have exactly one solution.
    pub removed: u64,
}

impl FixedSolutions {
    /// Counts a wrong solution as replaced or as removed.
    pub(crate) fn count(&mut self, is_replaced: bool) {
        match is_replaced {
            true => self.replaced += 1,
            false => self.removed += 1,
        }
    }

    /// Whether no solution was replaced or removed.
    pub fn is_none(&self) -> bool {
        self.replaced + self.removed == 0
    }
}

fn is_zero(counts: &(u64, u64, u64)) -> bool {
    *counts == (0, 0, 0)
}

impl Tally {
    /// The counts of a batch. `filtered` is the number of rows that `--where` removed.
    pub fn from_batch(outcomes: &[Outcome], rejects: &[Reject], filtered: usize) -> Tally {
        let mut tally = Tally {
            filtered: filtered as u64,
            written: outcomes.len() as u64,
            ..Tally::default()
        };
        for outcome in outcomes {
            if let Some(status) = outcome.status() {
                *tally.statuses.entry(status).or_default() += 1;
            }
            if let Some(grade) = &outcome.grade {
                tally.graded += 1;
                let needed = grade.needed();
                if let Some(level) = needed.level {
                    *tally.levels.entry(level).or_default() += 1;
                }
                match needed.rank {
                    Some(rank) => *tally.ranks.entry(rank).or_default() += 1,
                    None => tally.beyond += 1,
                }
            }
            if let Some(verdict) = outcome.given_verdict() {
                *tally.given.entry(verdict.id()).or_default() += 1;
            }
            let RowRatings {
                written, canonical, ..
            } = outcome.ratings;
            for (outcome, counts) in [
                (written, &mut tally.ratings),
                (canonical, &mut tally.canonical_ratings),
            ] {
                if let Some(outcome) = outcome {
                    *counts.entry(outcome.id()).or_default() += 1;
                }
            }
            tally.nodes += outcome.found().map_or(0, |found| found.nodes);
        }
        for reject in rejects {
            *tally.rejects.entry(reject.reason.kind).or_default() += 1;
            if let Some(cause) = reject.reason.cause {
                *tally.causes.entry(cause).or_default() += 1;
            }
        }
        tally
    }

    /// Converts the counts to the form that manifests store, with ids as keys.
    pub fn to_record(&self) -> TallyRecord {
        TallyRecord {
            written: self.written,
            filtered: self.filtered,
            copied: self.copied,
            graded: self.graded,
            nodes: self.nodes,
            beyond: self.beyond,
            status: by_id(&self.statuses, Status::id),
            level: by_id(&self.levels, Level::id),
            technique: by_id(&self.ranks, Rank::id),
            solution_given: by_id(&self.given, |id| id),
            fixed: self.fixed,
            rejects: by_id(&self.rejects, RejectKind::id),
            causes: by_id(&self.causes, RejectCause::id),
            se_status: by_id(&self.ratings, |id| id),
            se_canonical_status: by_id(&self.canonical_ratings, |id| id),
        }
    }

    /// Restores stored counts; `None` if they have an unknown id.
    pub fn from_record(record: &TallyRecord) -> Option<Tally> {
        const VERDICTS: [GivenVerdict; 3] = [
            GivenVerdict::Correct,
            GivenVerdict::Wrong,
            GivenVerdict::NotTheOnlyOne,
        ];
        Some(Tally {
            written: record.written,
            filtered: record.filtered,
            left_out: 0,
            copied: record.copied,
            graded: record.graded,
            nodes: record.nodes,
            beyond: record.beyond,
            statuses: by_value(&record.status, Status::ALL, Status::id)?,
            levels: by_value(&record.level, Level::ALL, Level::id)?,
            ranks: by_value(&record.technique, Rank::all(), Rank::id)?,
            given: by_value(
                &record.solution_given,
                VERDICTS.map(GivenVerdict::id),
                |id| id,
            )?,
            fixed: record.fixed,
            rejects: by_value(&record.rejects, RejectKind::ALL, RejectKind::id)?,
            causes: by_value(&record.causes, RejectCause::ALL, RejectCause::id)?,
            ratings: by_value(&record.se_status, rating::RatingOutcome::IDS, |id| id)?,
            canonical_ratings: by_value(
                &record.se_canonical_status,
                rating::RatingOutcome::IDS,
                |id| id,
            )?,
        })
    }

    /// Adds the counts of other records of the same run.
    pub fn merge(&mut self, other: &Tally) {
        self.written += other.written;
        self.filtered += other.filtered;
        self.left_out += other.left_out;
        self.copied.0 += other.copied.0;
        self.copied.1 += other.copied.1;
        self.copied.2 += other.copied.2;
        self.graded += other.graded;
        self.nodes += other.nodes;
        self.beyond += other.beyond;
        merge_counts(&mut self.statuses, &other.statuses);
        merge_counts(&mut self.levels, &other.levels);
        merge_counts(&mut self.ranks, &other.ranks);
        merge_counts(&mut self.given, &other.given);
        self.fixed.replaced += other.fixed.replaced;
        self.fixed.removed += other.fixed.removed;
        merge_counts(&mut self.rejects, &other.rejects);
        merge_counts(&mut self.causes, &other.causes);
        merge_counts(&mut self.ratings, &other.ratings);
        merge_counts(&mut self.canonical_ratings, &other.canonical_ratings);
    }

    /// The number of records: rows that were written, filtered or left out, and rejects.
    pub fn rows(&self) -> u64 {
        let (rows, copies, _) = self.copied;
        let all = self.written + self.filtered + self.left_out + rows;
        all.saturating_sub(copies) + self.rejects()
    }

    /// Adds copied records. `short` is the number of records with fewer copies than requested.
    pub(crate) fn copied(&mut self, records: u64, copies: u64, short: u64) {
        self.copied = (records, copies, short);
    }

    /// The number of records that were copied, the number of copies, and the number of records with fewer
    /// copies than requested; `None` if no copies were requested.
    pub fn copies(&self) -> Option<(u64, u64, u64)> {
        (self.copied.0 > 0).then_some(self.copied)
    }

    /// Replaces the counts of verdicts on given solutions by those in `rows`.
    pub(crate) fn take_given(&mut self, rows: &Tally) {
        self.given.clone_from(&rows.given);
    }

    /// Adds given solutions that were replaced or removed.
    pub(crate) fn fixed(&mut self, fixed: FixedSolutions) {
        self.fixed = fixed;
    }

    /// The given solutions that `--fix-solutions` has replaced or removed.
    pub fn fixed_solutions(&self) -> FixedSolutions {
        self.fixed
    }

    /// The rejects by the cause that their text suggests.
    pub fn reject_causes(&self) -> impl Iterator<Item = (RejectCause, u64)> {
        self.causes.iter().map(|(cause, count)| (*cause, *count))
    }

    /// Moves rows from the written ones to those that are left out because they repeat others.
    pub fn leave_out(&mut self, rows: u64) {
        let rows = rows.min(self.written);
        self.written -= rows;
        self.left_out += rows;
    }

    /// The number of rows in the output table.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The number of rows that `--where` removed. No other count includes them.
    pub fn filtered(&self) -> u64 {
        self.filtered
    }

    /// The number of rows with a grade.
    pub fn graded(&self) -> u64 {
        self.graded
    }

    /// The total number of search nodes.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The number of rows with this status.
    pub fn status(&self, status: Status) -> u64 {
        self.statuses.get(&status).copied().unwrap_or(0)
    }

    /// The number of rows of this level.
    pub fn level(&self, level: Level) -> u64 {
        self.levels.get(&level).copied().unwrap_or(0)
    }

    /// The number of rows whose hardest technique has this rank.
    pub fn rank(&self, rank: Rank) -> u64 {
        self.ranks.get(&rank).copied().unwrap_or(0)
    }

    /// The number of rows that need more than the techniques of the ladder.
    pub fn beyond(&self) -> u64 {
        self.beyond
    }

    /// The rows by the status of their Sudoku Explainer rating, in the order of reports.
    pub fn ratings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        all_of(&self.ratings)
    }

    /// The rows by the status of the rating of their min-lex forms, in the order of reports.
    pub fn canonical_ratings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        all_of(&self.canonical_ratings)
    }

    /// The number of rows whose given solution has this verdict.
    pub fn given(&self, verdict: GivenVerdict) -> u64 {
        self.given.get(verdict.id()).copied().unwrap_or(0)
    }

    /// The number of rejects of all kinds.
    pub fn rejects(&self) -> u64 {
        self.rejects.values().sum()
    }

    /// The number of rejects of this kind.
    pub fn rejects_of(&self, kind: RejectKind) -> u64 {
        self.rejects.get(&kind).copied().unwrap_or(0)
    }
}

/// A [`Tally`] in the form that manifests store: ids are the keys of counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyRecord {
    written: u64,
    filtered: u64,
    /// The number of rows that were copied, the number of copies, and the number of rows with fewer copies
    /// than requested.
    #[serde(default, skip_serializing_if = "is_zero")]
    copied: (u64, u64, u64),
    graded: u64,
    nodes: u64,
    beyond: u64,
    status: IdCounts,
    /// Absent in manifests of earlier versions.
    #[serde(default, skip_serializing_if = "IdCounts::is_empty")]
    level: IdCounts,
    technique: IdCounts,
    solution_given: IdCounts,
    rejects: IdCounts,
    /// The given solutions that were replaced or removed.
    #[serde(default, skip_serializing_if = "FixedSolutions::is_none")]
    fixed: FixedSolutions,
    /// The rejects by the cause that their text suggests.
    #[serde(default, skip_serializing_if = "IdCounts::is_empty")]
    causes: IdCounts,
    /// The rows by the status of their ratings.
    #[serde(default, skip_serializing_if = "IdCounts::is_empty")]
    se_status: IdCounts,
    #[serde(default, skip_serializing_if = "IdCounts::is_empty")]
    se_canonical_status: IdCounts,
}

/// All statuses that a rating can have, with their counts, including zeros.
fn all_of(counts: &BTreeMap<&'static str, u64>) -> impl Iterator<Item = (&'static str, u64)> {
    let ids = rating::RatingOutcome::IDS.into_iter();
    ids.map(|id| (id, counts.get(id).copied().unwrap_or(0)))
}

// The next functions insert into maps one by one: `collect` would compile another sort for each type of
// map.

fn by_id<K: Copy>(counts: &BTreeMap<K, u64>, id: impl Fn(K) -> &'static str) -> IdCounts {
    let mut ids: Vec<(Box<str>, u64)> = Vec::with_capacity(counts.len());
    for (key, count) in counts {
        ids.push((id(*key).into(), *count));
    }
    IdCounts::new(ids)
}

fn by_value<K: Ord + Copy>(
    counts: &IdCounts,
    all: impl IntoIterator<Item = K>,
    id: impl Fn(K) -> &'static str,
) -> Option<BTreeMap<K, u64>> {
    let all: Vec<K> = all.into_iter().collect();
    let mut values = BTreeMap::new();
    for (name, count) in counts.iter() {
        let key = all.iter().find(|key| id(**key) == &**name)?;
        values.insert(*key, *count);
    }
    Some(values)
}

fn merge_counts<K: Ord + Copy>(counts: &mut BTreeMap<K, u64>, other: &BTreeMap<K, u64>) {
    for (key, count) in other {
        *counts.entry(*key).or_default() += count;
    }
}
