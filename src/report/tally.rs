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

/// The counts of a run. The counts of its batches are merged into this tally.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    written_rows: u64,
    filtered_rows: u64,
    left_out_rows: u64,
    /// The number of copied rows, the number of copies, and the number of rows with fewer copies than requested.
    copy_counts: (u64, u64, u64),
    graded_rows: u64,
    search_nodes: u64,
    rows_by_status: BTreeMap<Status, u64>,
    rows_by_level: BTreeMap<Level, u64>,
    rows_by_rank: BTreeMap<Rank, u64>,
    rows_beyond_ladder: u64,
    given_verdicts: BTreeMap<&'static str, u64>,
    fixed_solutions: FixedSolutions,
    rejects_by_kind: BTreeMap<RejectKind, u64>,
    rejects_by_cause: BTreeMap<RejectCause, u64>,
    ratings_by_status: BTreeMap<&'static str, u64>,
    canonical_ratings_by_status: BTreeMap<&'static str, u64>,
}

/// The numbers of wrong given solutions that `--fix-solutions` has replaced or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedSolutions {
    /// Wrong solutions that were replaced by the puzzle's only solution.
    pub replaced: u64,
    /// Wrong solutions that were removed, because their puzzle does not have exactly one solution.
    pub removed: u64,
}

impl FixedSolutions {
    /// Counts a wrong solution as replaced or as removed.
    pub(crate) fn count_fix(&mut self, is_replaced: bool) {
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

fn are_zero(counts: &(u64, u64, u64)) -> bool {
    *counts == (0, 0, 0)
}

impl Tally {
    /// The counts of a batch. `filtered` is the number of rows that `--where` removed.
    pub fn from_batch(outcomes: &[Outcome], rejects: &[Reject], filtered: usize) -> Tally {
        let mut tally = Tally {
            filtered_rows: filtered as u64,
            written_rows: outcomes.len() as u64,
            ..Tally::default()
        };
        for outcome in outcomes {
            if let Some(status) = outcome.status() {
                *tally.rows_by_status.entry(status).or_default() += 1;
            }
            if let Some(grade) = &outcome.grade {
                tally.graded_rows += 1;
                let hardest = grade.needed();
                if let Some(level) = hardest.level {
                    *tally.rows_by_level.entry(level).or_default() += 1;
                }
                match hardest.rank {
                    Some(rank) => *tally.rows_by_rank.entry(rank).or_default() += 1,
                    None => tally.rows_beyond_ladder += 1,
                }
            }
            if let Some(verdict) = outcome.given_verdict() {
                *tally.given_verdicts.entry(verdict.id()).or_default() += 1;
            }
            let RowRatings {
                written, canonical, ..
            } = outcome.ratings;
            for (outcome, counts) in [
                (written, &mut tally.ratings_by_status),
                (canonical, &mut tally.canonical_ratings_by_status),
            ] {
                if let Some(outcome) = outcome {
                    *counts.entry(outcome.id()).or_default() += 1;
                }
            }
            tally.search_nodes += outcome.found().map_or(0, |found| found.nodes);
        }
        for reject in rejects {
            *tally.rejects_by_kind.entry(reject.reason.kind).or_default() += 1;
            if let Some(cause) = reject.reason.cause {
                *tally.rejects_by_cause.entry(cause).or_default() += 1;
            }
        }
        tally
    }

    /// Converts the counts to the form in which manifests store them, with ids as keys.
    pub fn to_record(&self) -> TallyRecord {
        TallyRecord {
            written: self.written_rows,
            filtered: self.filtered_rows,
            copied: self.copy_counts,
            graded: self.graded_rows,
            nodes: self.search_nodes,
            beyond: self.rows_beyond_ladder,
            status: counts_by_id(&self.rows_by_status, Status::id),
            level: counts_by_id(&self.rows_by_level, Level::id),
            technique: counts_by_id(&self.rows_by_rank, Rank::id),
            solution_given: counts_by_id(&self.given_verdicts, |id| id),
            fixed: self.fixed_solutions,
            rejects: counts_by_id(&self.rejects_by_kind, RejectKind::id),
            causes: counts_by_id(&self.rejects_by_cause, RejectCause::id),
            se_status: counts_by_id(&self.ratings_by_status, |id| id),
            se_canonical_status: counts_by_id(&self.canonical_ratings_by_status, |id| id),
        }
    }

    /// Converts counts from a manifest; `None` if they have an unknown id.
    pub fn from_record(record: &TallyRecord) -> Option<Tally> {
        const VERDICTS: [GivenVerdict; 3] = [
            GivenVerdict::Correct,
            GivenVerdict::Wrong,
            GivenVerdict::NotTheOnlyOne,
        ];
        Some(Tally {
            written_rows: record.written,
            filtered_rows: record.filtered,
            left_out_rows: 0,
            copy_counts: record.copied,
            graded_rows: record.graded,
            search_nodes: record.nodes,
            rows_beyond_ladder: record.beyond,
            rows_by_status: counts_by_value(&record.status, Status::ALL, Status::id)?,
            rows_by_level: counts_by_value(&record.level, Level::ALL, Level::id)?,
            rows_by_rank: counts_by_value(&record.technique, Rank::all(), Rank::id)?,
            given_verdicts: counts_by_value(
                &record.solution_given,
                VERDICTS.map(GivenVerdict::id),
                |id| id,
            )?,
            fixed_solutions: record.fixed,
            rejects_by_kind: counts_by_value(&record.rejects, RejectKind::ALL, RejectKind::id)?,
            rejects_by_cause: counts_by_value(&record.causes, RejectCause::ALL, RejectCause::id)?,
            ratings_by_status: counts_by_value(
                &record.se_status,
                rating::RatingOutcome::IDS,
                |id| id,
            )?,
            canonical_ratings_by_status: counts_by_value(
                &record.se_canonical_status,
                rating::RatingOutcome::IDS,
                |id| id,
            )?,
        })
    }

    /// Adds the counts of other records of the same run.
    pub fn merge(&mut self, other: &Tally) {
        self.written_rows += other.written_rows;
        self.filtered_rows += other.filtered_rows;
        self.left_out_rows += other.left_out_rows;
        self.copy_counts.0 += other.copy_counts.0;
        self.copy_counts.1 += other.copy_counts.1;
        self.copy_counts.2 += other.copy_counts.2;
        self.graded_rows += other.graded_rows;
        self.search_nodes += other.search_nodes;
        self.rows_beyond_ladder += other.rows_beyond_ladder;
        merge_counts(&mut self.rows_by_status, &other.rows_by_status);
        merge_counts(&mut self.rows_by_level, &other.rows_by_level);
        merge_counts(&mut self.rows_by_rank, &other.rows_by_rank);
        merge_counts(&mut self.given_verdicts, &other.given_verdicts);
        self.fixed_solutions.replaced += other.fixed_solutions.replaced;
        self.fixed_solutions.removed += other.fixed_solutions.removed;
        merge_counts(&mut self.rejects_by_kind, &other.rejects_by_kind);
        merge_counts(&mut self.rejects_by_cause, &other.rejects_by_cause);
        merge_counts(&mut self.ratings_by_status, &other.ratings_by_status);
        merge_counts(
            &mut self.canonical_ratings_by_status,
            &other.canonical_ratings_by_status,
        );
    }

    /// The number of all records: rows that were written, filtered or left out, and rejects.
    pub fn rows(&self) -> u64 {
        let (rows, copies, _) = self.copy_counts;
        let all_rows = self.written_rows + self.filtered_rows + self.left_out_rows + rows;
        all_rows.saturating_sub(copies) + self.rejects()
    }

    /// Adds copied records. `short` is the number of records with fewer copies than requested.
    pub(crate) fn add_copies(&mut self, records: u64, copies: u64, short: u64) {
        self.copy_counts = (records, copies, short);
    }

    /// The number of records that were copied, the number of copies, and the number of records with fewer
    /// copies than requested; `None` if no copies were requested.
    pub fn copies(&self) -> Option<(u64, u64, u64)> {
        (self.copy_counts.0 > 0).then_some(self.copy_counts)
    }

    /// Replaces the counts of verdicts on given solutions by those in `rows`.
    pub(crate) fn replace_given_verdicts(&mut self, rows: &Tally) {
        self.given_verdicts.clone_from(&rows.given_verdicts);
    }

    /// Adds given solutions that were replaced or removed.
    pub(crate) fn add_fixed_solutions(&mut self, fixed: FixedSolutions) {
        self.fixed_solutions = fixed;
    }

    /// The given solutions that `--fix-solutions` has replaced or removed.
    pub fn fixed_solutions(&self) -> FixedSolutions {
        self.fixed_solutions
    }

    /// The rejects by the cause that their text suggests.
    pub fn reject_causes(&self) -> impl Iterator<Item = (RejectCause, u64)> {
        self.rejects_by_cause
            .iter()
            .map(|(cause, count)| (*cause, *count))
    }

    /// Counts `rows` written rows as left out instead, because they repeat other rows.
    pub fn leave_out(&mut self, rows: u64) {
        let rows = rows.min(self.written_rows);
        self.written_rows -= rows;
        self.left_out_rows += rows;
    }

    /// The number of rows in the output table.
    pub fn written(&self) -> u64 {
        self.written_rows
    }

    /// The number of rows that `--where` removed. They are not included in any other count.
    pub fn filtered(&self) -> u64 {
        self.filtered_rows
    }

    /// The number of rows with a grade.
    pub fn graded(&self) -> u64 {
        self.graded_rows
    }

    /// The total number of search nodes.
    pub fn nodes(&self) -> u64 {
        self.search_nodes
    }

    /// The number of rows with this status.
    pub fn status(&self, status: Status) -> u64 {
        self.rows_by_status.get(&status).copied().unwrap_or(0)
    }

    /// The number of rows of this level.
    pub fn level(&self, level: Level) -> u64 {
        self.rows_by_level.get(&level).copied().unwrap_or(0)
    }

    /// The number of rows whose hardest technique has this rank.
    pub fn rank(&self, rank: Rank) -> u64 {
        self.rows_by_rank.get(&rank).copied().unwrap_or(0)
    }

    /// The number of rows that the techniques of the ladder do not solve.
    pub fn beyond(&self) -> u64 {
        self.rows_beyond_ladder
    }

    /// The rows by the status of their Sudoku Explainer rating, in the order of reports.
    pub fn ratings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        with_zeros(&self.ratings_by_status)
    }

    /// The rows by the status of the rating of their min-lex forms, in the order of reports.
    pub fn canonical_ratings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        with_zeros(&self.canonical_ratings_by_status)
    }

    /// The number of rows whose given solution has this verdict.
    pub fn given(&self, verdict: GivenVerdict) -> u64 {
        self.given_verdicts.get(verdict.id()).copied().unwrap_or(0)
    }

    /// The number of rejects of all kinds.
    pub fn rejects(&self) -> u64 {
        self.rejects_by_kind.values().sum()
    }

    /// The number of rejects of this kind.
    pub fn rejects_of(&self, kind: RejectKind) -> u64 {
        self.rejects_by_kind.get(&kind).copied().unwrap_or(0)
    }
}

/// A [`Tally`] in the form that manifests store: ids are the keys of counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TallyRecord {
    written: u64,
    filtered: u64,
    /// The number of copied rows, the number of copies, and the number of rows with fewer copies than requested.
    #[serde(default, skip_serializing_if = "are_zero")]
    copied: (u64, u64, u64),
    graded: u64,
    nodes: u64,
    beyond: u64,
    status: IdCounts,
    /// Missing in manifests of earlier versions.
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

/// The counts of all statuses that a rating can have. Statuses that do not occur have the count 0.
fn with_zeros(counts: &BTreeMap<&'static str, u64>) -> impl Iterator<Item = (&'static str, u64)> {
    let ids = rating::RatingOutcome::IDS.into_iter();
    ids.map(|id| (id, counts.get(id).copied().unwrap_or(0)))
}

// The following functions insert into maps one by one. With `collect`, the compiler would generate another sort
// for each type of map.

fn counts_by_id<K: Copy>(counts: &BTreeMap<K, u64>, id: impl Fn(K) -> &'static str) -> IdCounts {
    let mut ids: Vec<(Box<str>, u64)> = Vec::with_capacity(counts.len());
    for (key, count) in counts {
        ids.push((id(*key).into(), *count));
    }
    IdCounts::new(ids)
}

fn counts_by_value<K: Ord + Copy>(
    counts: &IdCounts,
    all: impl IntoIterator<Item = K>,
    id: impl Fn(K) -> &'static str,
) -> Option<BTreeMap<K, u64>> {
    let all_keys: Vec<K> = all.into_iter().collect();
    let mut values = BTreeMap::new();
    for (name, count) in counts.iter() {
        let key = all_keys.iter().find(|key| id(**key) == &**name)?;
        values.insert(*key, *count);
    }
    Some(values)
}

fn merge_counts<K: Ord + Copy>(counts: &mut BTreeMap<K, u64>, other: &BTreeMap<K, u64>) {
    for (key, count) in other {
        *counts.entry(*key).or_default() += count;
    }
}
