//! The statistics of one batch of a run.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use serde_json::{Value, json};
use sudoku_core::grade::Rank;

use super::{
    Breakdown, BreakdownGroup, CountedInput, LABEL_NAMES, LevelExample, MOST_GROUPS, RejectExample,
    Statistics,
};
use crate::table::outcome::Outcome;
use crate::table::reject::Reject;

impl Statistics {
    /// The statistics of a batch: its rows, its rejects, and its table, whose columns of labels group
    /// the rows. Duplicates and other columns are unknown.
    pub fn of_batch(
        source: &str,
        outcomes: &[Outcome],
        rejects: &[Reject],
        table: Option<&RecordBatch>,
    ) -> Statistics {
        let mut statistics = Statistics {
            inputs: vec![CountedInput {
                name: source.to_owned(),
                rows: outcomes.len() as u64,
                rejects: false,
            }],
            rows: outcomes.len() as u64,
            ..Statistics::default()
        };
        for outcome in outcomes {
            statistics.add_row(source, outcome);
        }
        for reject in rejects {
            let own = statistics.rejects.entry(reject.reason.kind.id().to_owned());
            own.or_default().add(|| RejectExample {
                source: source.to_owned(),
                row: Some(reject.row),
                line: reject.line,
                message: reject.reason.message.clone(),
                raw: reject.raw.clone(),
            });
        }
        if let Some(table) = table.filter(|table| table.num_rows() == outcomes.len()) {
            statistics.by = breakdowns(outcomes, table);
        }
        statistics
    }

    fn add_row(&mut self, source: &str, outcome: &Outcome) {
        let one_more = |counts: &mut super::Counts, id: &str| match counts.get_mut(id) {
            Some(count) => *count += 1,
            None => {
                counts.insert(id.to_owned(), 1);
            }
        };
        let clues = outcome.clue_count() as u64;
        self.clues.add(clues, 1);
        if let Some(puzzle) = outcome.nine().filter(|puzzle| puzzle.marks.is_none()) {
            self.cells.add(puzzle.as_bytes());
        }
        if let Some(status) = outcome.status() {
            one_more(&mut self.status, status.id());
        }
        if let Some(found) = outcome.found() {
            self.nodes.add(found.nodes, 1);
        }
        if let Some(verdict) = outcome.given_verdict() {
            one_more(&mut self.solution_given, verdict.id());
        }
        let Some(grade) = &outcome.grade else {
            return;
        };
        let needed = grade.needed();
        one_more(&mut self.technique, needed.id);
        let by_clues = self.technique_by_clues.entry(needed.id.to_owned());
        *by_clues.or_default().entry(clues).or_default() += 1;
        self.waves.add(u64::from(grade.total_waves()), 1);
        if !grade.beyond {
            self.effort.add(u64::from(grade.effort()), 1);
        }
        if let Some(level) = needed.level {
            one_more(&mut self.level, level.id());
            if !self.examples.contains_key(level.id()) && outcome.text().len() == 81 {
                let example = LevelExample {
                    puzzle: outcome.puzzle.text().to_owned(),
                    technique: needed.id.to_owned(),
                    source: Some(source.to_owned()),
                    row: Some(outcome.row),
                };
                self.examples.insert(level.id().to_owned(), example);
            }
        }
        for rank in Rank::all() {
            let waves = u64::from(grade.waves[rank.index()]);
            if waves > 0 {
                let uses = self.uses.entry(rank.id().to_owned()).or_default();
                uses.puzzles += 1;
                uses.waves += waves;
            }
        }
    }
}

/// The rows by each column of labels that the table has.
fn breakdowns(outcomes: &[Outcome], table: &RecordBatch) -> Vec<Breakdown> {
    let columns = LABEL_NAMES.iter().filter_map(|name| {
        let schema = table.schema();
        let at = schema
            .fields()
            .iter()
            .position(|field| field.name().eq_ignore_ascii_case(name))?;
        let values = values(table.column(at))?;
        let mut breakdown = Breakdown {
            column: schema.field(at).name().clone(),
            groups: Vec::new(),
        };
        for (outcome, value) in outcomes.iter().zip(values) {
            add_to_group(breakdown.group(&value), outcome);
            if breakdown.groups.len() > MOST_GROUPS {
                return None;
            }
        }
        breakdown.sort();
        Some(breakdown)
    });
    columns.collect()
}

/// The values of a column as JSON; `None` where they are neither numbers nor texts.
fn values(column: &dyn Array) -> Option<Vec<Value>> {
    let data_type = column.data_type();
    if data_type.is_numeric() {
        let numbers = cast(column, &DataType::Float64).ok()?;
        let is_whole = data_type.is_integer();
        let numbers = numbers.as_primitive::<arrow::datatypes::Float64Type>();
        let value = |number: Option<f64>| match number {
            Some(number) if is_whole => json!(number as i64),
            Some(number) => json!(number),
            None => Value::Null,
        };
        return Some(numbers.iter().map(value).collect());
    }
    if !matches!(
        data_type,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..)
    ) {
        return None;
    }
    let texts = cast(column, &DataType::Utf8).ok()?;
    let texts = texts.as_string_opt::<i32>()?;
    Some(texts.iter().map(|text| json!(text)).collect())
}

fn add_to_group(group: &mut BreakdownGroup, outcome: &Outcome) {
    group.rows += 1;
    group.clues.add(outcome.clue_count() as u64, 1);
    if let Some(found) = outcome.found() {
        group.nodes.add(found.nodes);
    }
    let Some(grade) = &outcome.grade else {
        return;
    };
    let needed = grade.needed();
    *group.technique.entry(needed.id.to_owned()).or_default() += 1;
    if let Some(level) = needed.level {
        *group.level.entry(level.id().to_owned()).or_default() += 1;
    }
    if !grade.beyond {
        group.effort.add(u64::from(grade.effort()));
    }
    for rank in Rank::all() {
        let waves = u64::from(grade.waves[rank.index()]);
        if waves > 0 {
            let uses = group.uses.entry(rank.id().to_owned()).or_default();
            uses.puzzles += 1;
            uses.waves += waves;
        }
    }
}
