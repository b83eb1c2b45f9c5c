//! Computes the statistics of one batch of a run.

use arrow::array::RecordBatch;
use sudoku_core::grade::{Level, Rank};
use sudoku_core::solve::Status;
use sudoku_core::text::Puzzle;

use super::row::RowFacts;
use super::{CountedInput, LABEL_NAMES, RejectExample, Statistics};
use crate::report::tables::ValueGroups;
use crate::table::outcome::{GivenVerdict, Outcome};
use crate::table::reject::Reject;

impl Statistics {
    /// The statistics of a batch: its rows, its rejects, and groups of rows by the label columns of `table`. Repeated
    /// rows and columns of other programs are not counted.
    pub fn from_batch(
        source: &str,
        outcomes: &[Outcome],
        rejects: &[Reject],
        table: Option<&RecordBatch>,
    ) -> Statistics {
        let mut statistics = Statistics::from_records(source, outcomes.len() as u64, rejects);
        let table = table.filter(|table| table.num_rows() == outcomes.len());
        let labels = table.map(label_groups).unwrap_or_default();
        let mut groups: Vec<_> = labels
            .iter()
            .map(|(_, groups)| groups.empty_groups())
            .collect();
        let mut used_techniques = Vec::new();
        for (row, outcome) in outcomes.iter().enumerate() {
            let row_facts = row_facts(source, outcome, &mut used_techniques);
            statistics.add_row(&row_facts);
            for ((_, label), groups) in labels.iter().zip(&mut groups) {
                groups[label.group_index(row)].add_row(&row_facts);
            }
        }
        let labels = labels.into_iter().zip(groups);
        let labels = labels.map(|((column, values), groups)| values.into_breakdown(column, groups));
        statistics.by = labels.collect();
        statistics
    }

    /// The statistics of a number of records, of which only the rejects are known in detail.
    pub(crate) fn from_records(source: &str, rows: u64, rejects: &[Reject]) -> Statistics {
        let mut statistics = Statistics {
            inputs: vec![CountedInput {
                name: source.to_owned(),
                rows,
                rejects: false,
            }],
            rows,
            ..Statistics::default()
        };
        for reject in rejects {
            let reject_counts = statistics.rejects.entry(reject.reason.kind.id().to_owned());
            reject_counts.or_default().add(|| RejectExample {
                source: source.to_owned(),
                row: Some(reject.row),
                line: reject.line,
                message: reject.reason.message.clone(),
                raw: reject.raw.clone(),
            });
        }
        statistics
    }
}

/// The properties of a row that statistics count.
fn row_facts<'a>(
    source: &'a str,
    outcome: &'a Outcome,
    used_techniques: &'a mut Vec<(&'static str, u64)>,
) -> RowFacts<'a> {
    let puzzle = outcome.nine().filter(|puzzle| puzzle.marks.is_none());
    let puzzle_facts = RowFacts {
        clues: Some(outcome.clue_count() as u64),
        cells: puzzle.map(Puzzle::as_bytes),
        status: outcome.status().map(Status::id),
        nodes: outcome.found().map(|found| found.nodes),
        solution_given: outcome.given_verdict().map(GivenVerdict::id),
        ..RowFacts::default()
    };
    let Some(grade) = &outcome.grade else {
        return puzzle_facts;
    };
    let hardest = grade.needed();
    used_techniques.clear();
    let waves = |rank: Rank| (rank.id(), u64::from(grade.waves[rank.index()]));
    used_techniques.extend(Rank::all().map(waves).filter(|(_, waves)| *waves > 0));
    RowFacts {
        technique: Some(hardest.id),
        level: hardest.level.map(Level::id),
        waves: Some(u64::from(grade.total_waves())),
        effort: (!grade.beyond).then(|| u64::from(grade.effort())),
        uses: used_techniques,
        example_puzzle: Some(outcome.puzzle.text()),
        source: Some(source),
        row_number: Some(outcome.row),
        ..puzzle_facts
    }
}

/// For each label column of the table, its name and its rows grouped by value.
fn label_groups(table: &RecordBatch) -> Vec<(String, ValueGroups)> {
    let schema = table.schema();
    let columns = LABEL_NAMES.iter().filter_map(|name| {
        let fields = schema.fields();
        let is_named = |name: &str, own: &str| own.eq_ignore_ascii_case(name);
        let column_index = fields
            .iter()
            .position(|field| is_named(name, field.name()))?;
        let groups = ValueGroups::from_column(table.column(column_index).as_ref())?;
        Some((schema.field(column_index).name().clone(), groups))
    });
    columns.collect()
}
