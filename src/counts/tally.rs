//! The counts of a run: its rows, grades and rejects.

use serde::{Deserialize, Serialize};

use super::id_counts::IdCounts;
use crate::table::copies::Shortfall;
use crate::table::outcome::{GivenVerdict, Outcome};
use crate::table::reject::Reject;
use crate::table::reject::RejectKind;
use crate::table::reject_cause::RejectCause;
use crate::table::row_ratings::RowRatings;
use sudoku_core::grade::{Level, Rank};
use sudoku_core::rating::RatingOutcome;
use sudoku_core::solve::Status;

/// The symbol of an empty cell in the text of an outcome.
const EMPTY_CELL: u8 = b'.';

/// The counts of a run or of one of its inputs. The counts of all batches are merged. A manifest stores the counts of
/// each input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    #[serde(rename = "written")]
    written_rows: u64,
    #[serde(rename = "filtered")]
    filtered_rows: u64,
    #[serde(skip)]
    left_out_rows: u64,
    /// The number of rows that were copied, the number of their copies, and the number of rows that have fewer copies
    /// than requested.
    #[serde(rename = "copied", default, skip_serializing_if = "are_zero")]
    copy_counts: (u64, u64, u64),
    /// The number of rows that stay as they are, because copies of puzzles of their size cannot be made.
    #[serde(rename = "not_copied", default, skip_serializing_if = "is_zero")]
    uncopied_rows: u64,
    /// The number of rows whose puzzle has no empty cell.
    #[serde(rename = "full", default, skip_serializing_if = "is_zero")]
    full_puzzles: u64,
    #[serde(rename = "graded")]
    graded_rows: u64,
    #[serde(rename = "nodes")]
    search_nodes: u64,
    #[serde(rename = "beyond")]
    rows_beyond_ladder: u64,
    #[serde(rename = "status")]
    rows_by_status: IdCounts,
    /// The field `level` is missing in manifests of earlier versions.
    #[serde(rename = "level", default, skip_serializing_if = "IdCounts::is_empty")]
    rows_by_level: IdCounts,
    #[serde(rename = "technique")]
    rows_by_rank: IdCounts,
    #[serde(rename = "solution_given")]
    given_verdicts: IdCounts,
    #[serde(rename = "rejects")]
    rejects_by_kind: IdCounts,
    #[serde(
        rename = "fixed",
        default,
        skip_serializing_if = "FixedSolutions::is_none"
    )]
    fixed_solutions: FixedSolutions,
    #[serde(rename = "causes", default, skip_serializing_if = "IdCounts::is_empty")]
    rejects_by_cause: IdCounts,
    #[serde(
        rename = "se_status",
        default,
        skip_serializing_if = "IdCounts::is_empty"
    )]
    ratings_by_status: IdCounts,
    #[serde(
        rename = "se_canonical_status",
        default,
        skip_serializing_if = "IdCounts::is_empty"
    )]
    canonical_ratings_by_status: IdCounts,
}

/// The numbers of wrong given solutions that `--fix-solutions` has replaced, and that it has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedSolutions {
    /// The number of wrong solutions that were replaced by the puzzle's only solution.
    pub replaced: u64,
    /// The number of wrong solutions that were removed, because their puzzle does not have exactly one solution.
    pub removed: u64,
}

impl FixedSolutions {
    /// Counts a wrong solution as replaced or as removed.
    pub(crate) fn count_fix(&mut self, is_replaced: bool) {
        if is_replaced {
            self.replaced += 1;
        } else {
            self.removed += 1;
        }
    }

    /// Whether no solution was replaced or removed.
    pub fn is_none(&self) -> bool {
        self.replaced + self.removed == 0
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
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
                tally.rows_by_status.add(status.id(), 1);
            }
            if let Some(grade) = &outcome.grade {
                tally.graded_rows += 1;
                let hardest = grade.needed();
                if let Some(level) = hardest.level {
                    tally.rows_by_level.add(level.id(), 1);
                }
                match hardest.rank {
                    Some(rank) => tally.rows_by_rank.add(rank.id(), 1),
                    None => tally.rows_beyond_ladder += 1,
                }
            }
            tally.full_puzzles += u64::from(!outcome.text().contains(&EMPTY_CELL));
            if let Some(verdict) = outcome.given_verdict() {
                tally.given_verdicts.add(verdict.id(), 1);
            }
            let RowRatings {
                written, canonical, ..
            } = outcome.ratings;
            for (outcome, counts) in [
                (written, &mut tally.ratings_by_status),
                (canonical, &mut tally.canonical_ratings_by_status),
            ] {
                if let Some(outcome) = outcome {
                    counts.add(outcome.id(), 1);
                }
            }
            tally.search_nodes += outcome.found().map_or(0, |found| found.nodes);
        }
        for reject in rejects {
            tally.rejects_by_kind.add(reject.reason.kind.id(), 1);
            if let Some(cause) = reject.reason.cause {
                tally.rejects_by_cause.add(cause.id(), 1);
            }
        }
        tally
    }

    /// Whether this version knows all ids in the counts. Counts from a manifest can have ids of another version.
    pub(crate) fn has_known_ids(&self) -> bool {
        fn all<T>(counts: &IdCounts, from_id: fn(&str) -> Option<T>) -> bool {
            counts.ids().all(|id| from_id(id).is_some())
        }
        let is_rating = |id: &str| RatingOutcome::IDS.contains(&id);
        all(&self.rows_by_status, Status::from_id)
            && all(&self.rows_by_level, Level::from_id)
            && all(&self.rows_by_rank, Rank::from_id)
            && all(&self.given_verdicts, GivenVerdict::from_id)
            && all(&self.rejects_by_kind, RejectKind::from_id)
            && all(&self.rejects_by_cause, RejectCause::from_id)
            && self.ratings_by_status.ids().all(is_rating)
            && self.canonical_ratings_by_status.ids().all(is_rating)
    }

    /// Adds the counts of other records of the same run to these counts.
    pub fn merge(&mut self, other: &Tally) {
        self.written_rows += other.written_rows;
        self.filtered_rows += other.filtered_rows;
        self.left_out_rows += other.left_out_rows;
        self.copy_counts.0 += other.copy_counts.0;
        self.copy_counts.1 += other.copy_counts.1;
        self.copy_counts.2 += other.copy_counts.2;
        self.uncopied_rows += other.uncopied_rows;
        self.full_puzzles += other.full_puzzles;
        self.graded_rows += other.graded_rows;
        self.search_nodes += other.search_nodes;
        self.rows_beyond_ladder += other.rows_beyond_ladder;
        self.rows_by_status.merge(&other.rows_by_status);
        self.rows_by_level.merge(&other.rows_by_level);
        self.rows_by_rank.merge(&other.rows_by_rank);
        self.given_verdicts.merge(&other.given_verdicts);
        self.fixed_solutions.replaced += other.fixed_solutions.replaced;
        self.fixed_solutions.removed += other.fixed_solutions.removed;
        self.rejects_by_kind.merge(&other.rejects_by_kind);
        self.rejects_by_cause.merge(&other.rejects_by_cause);
        self.ratings_by_status.merge(&other.ratings_by_status);
        self.canonical_ratings_by_status
            .merge(&other.canonical_ratings_by_status);
    }

    /// The number of all records: rows that were written, rows that were filtered or left out, and rejects.
    pub fn rows(&self) -> u64 {
        let (rows, copies, _) = self.copy_counts;
        let all_rows = self.written_rows + self.filtered_rows + self.left_out_rows + rows;
        all_rows.saturating_sub(copies) + self.rejects()
    }

    /// Sets the number of records that were copied, and of the rows that took their place.
    pub(crate) fn set_copies(&mut self, records: u64, rows: u64, shortfall: Shortfall) {
        self.copy_counts = (records, rows, shortfall.fewer);
        self.uncopied_rows = shortfall.unsupported;
    }

    /// The number of rows that stay as they are, because copies of puzzles of their size cannot be made.
    pub fn uncopied(&self) -> u64 {
        self.uncopied_rows
    }

    /// The number of records that were copied, the number of rows that took their place, and the number of records that
    /// have fewer copies than requested; `None` if no copies were requested.
    pub fn copies(&self) -> Option<(u64, u64, u64)> {
        (self.copy_counts.0 > 0).then_some(self.copy_counts)
    }

    /// Replaces the counts of verdicts on given solutions by those in the tally `rows`.
    pub(crate) fn replace_given_verdicts(&mut self, rows: &Tally) {
        self.given_verdicts.clone_from(&rows.given_verdicts);
    }

    /// Sets the numbers of wrong given solutions that were replaced and removed.
    pub(crate) fn set_fixed_solutions(&mut self, fixed: FixedSolutions) {
        self.fixed_solutions = fixed;
    }

    /// The numbers of wrong given solutions that `--fix-solutions` has replaced, and that it has removed.
    pub fn fixed_solutions(&self) -> FixedSolutions {
        self.fixed_solutions
    }

    /// The number of rejects for each cause that their text suggests.
    pub fn reject_causes(&self) -> impl Iterator<Item = (RejectCause, u64)> {
        let counts = RejectCause::ALL.map(|cause| (cause, self.rejects_by_cause.get(cause.id())));
        counts.into_iter().filter(|(_, count)| *count > 0)
    }

    /// Moves `rows` rows from the written ones to the ones left out, because they repeat other rows.
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

    /// Whether there are rows, their puzzles have no empty cell, and their given solutions are wrong, as if the two columns
    /// were swapped.
    pub fn seem_swapped(&self) -> bool {
        let all = self.written_rows;
        all > 0 && self.full_puzzles == all && self.given(GivenVerdict::Wrong) == all
    }

    /// The number of rows with a grade.
    pub fn graded(&self) -> u64 {
        self.graded_rows
    }

    /// The total number of search nodes of all solved rows.
    pub fn nodes(&self) -> u64 {
        self.search_nodes
    }

    /// The number of rows with this status.
    pub fn status(&self, status: Status) -> u64 {
        self.rows_by_status.get(status.id())
    }

    /// The number of rows of this level.
    pub fn level(&self, level: Level) -> u64 {
        self.rows_by_level.get(level.id())
    }

    /// The number of rows whose hardest technique has this rank.
    pub fn rank(&self, rank: Rank) -> u64 {
        self.rows_by_rank.get(rank.id())
    }

    /// The number of puzzles that the ladder, the ordered list of techniques, does not solve without a search.
    pub fn beyond(&self) -> u64 {
        self.rows_beyond_ladder
    }

    /// The number of rows for each status of their Sudoku Explainer rating, in the order of reports.
    pub fn ratings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        with_zeros(&self.ratings_by_status)
    }

    /// The number of rows for each status of the rating of their min-lex form, in the order of reports.
    pub fn canonical_ratings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        with_zeros(&self.canonical_ratings_by_status)
    }

    /// The number of rows whose given solution has this verdict.
    pub fn given(&self, verdict: GivenVerdict) -> u64 {
        self.given_verdicts.get(verdict.id())
    }

    /// The number of rejects of all kinds.
    pub fn rejects(&self) -> u64 {
        self.rejects_by_kind.sum()
    }

    /// The number of rejects of this kind.
    pub fn rejects_of(&self, kind: RejectKind) -> u64 {
        self.rejects_by_kind.get(kind.id())
    }
}

/// The count of every status that a rating can have. The count is 0 for a status that does not occur.
fn with_zeros(counts: &IdCounts) -> impl Iterator<Item = (&'static str, u64)> {
    let ids = RatingOutcome::IDS.into_iter();
    ids.map(|id| (id, counts.get(id)))
}
