//! Checks that stored statistics are consistent. A contradiction means that the file is damaged or was
//! edited.

use super::{BreakdownGroup, Duplicates, Statistics};

/// The maximum number of clues of a puzzle: all cells of a 25 × 25 grid.
const MOST_CLUES: u64 = 625;

/// Returns an error if `condition` is false. `message` makes the text of the error.
fn require(condition: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(message()) }
}

/// The sum of the counts. Fails if the sum exceeds `max_sum`.
fn sum_within<'a>(
    sum_name: &str,
    counts: impl Iterator<Item = &'a u64>,
    max_sum: u64,
) -> Result<u64, String> {
    let sum = counts.fold(0u128, |sum, count| sum + u128::from(*count));
    require(sum <= u128::from(max_sum), || {
        format!("{sum_name} adds up to {sum}, of {max_sum} rows")
    })?;
    Ok(sum as u64)
}

impl Statistics {
    /// Checks that the counts of the statistics are consistent. The error describes a contradiction.
    pub(super) fn check_consistency(&self) -> Result<(), String> {
        let rows = self.rows;
        let tables = self.inputs.iter().filter(|input| !input.rejects);
        let input_rows = tables.fold(0u128, |sum, input| sum + u128::from(input.rows));
        require(input_rows == u128::from(rows), || {
            format!("its inputs have {input_rows} rows, and rows is {rows}")
        })?;
        sum_within("status", self.status.values(), rows)?;
        sum_within("solution_given", self.solution_given.values(), rows)?;
        sum_within("technique", self.technique.values(), rows)?;
        sum_within("level", self.level.values(), rows)?;
        for (what, histogram) in self.histograms() {
            histogram.check_consistency(what, rows)?;
        }
        let clues = self.clues.max().unwrap_or(0);
        require(clues <= MOST_CLUES, || {
            format!("a puzzle has {clues} clues, but a grid has at most {MOST_CLUES} cells")
        })?;
        self.check_techniques()?;
        let puzzles = self.cells.puzzles;
        self.cells.check_consistency()?;
        require(puzzles <= rows, || {
            format!("cells counts {puzzles} puzzles, of {rows} rows")
        })?;
        for (error, rejects) in &self.rejects {
            require(rejects.first.len() as u64 <= rejects.rows, || {
                format!("rejects: {error} has more examples than rows")
            })?;
        }
        let duplicates = [&self.duplicates, &self.isomorphs];
        for duplicates in duplicates.into_iter().flatten() {
            duplicates.check_consistency(rows)?;
        }
        if let Some(evaluation) = &self.evaluation {
            evaluation.contradiction(rows)?;
        }
        for column in &self.columns {
            let name = &column.name;
            require(column.nulls <= rows, || {
                format!("column {name} has more nulls than rows")
            })?;
            if let Some(values) = &column.values {
                let values = values.iter().map(|(_, count)| count).chain([&column.nulls]);
                let description = format!("column {name}");
                let sum = sum_within(&description, values, rows)?;
                require(sum == rows, || {
                    format!("{description} adds up to {sum}, of {rows} rows")
                })?;
            }
        }
        for by in &self.by {
            let description = format!("by {}", by.column);
            let sum = sum_within(
                &description,
                by.groups.iter().map(|group| &group.rows),
                rows,
            )?;
            require(sum == rows, || {
                format!("{description} adds up to {sum}, of {rows} rows")
            })?;
            by.groups
                .iter()
                .try_for_each(|group| group.check_consistency(&description))?;
        }
        Ok(())
    }

    fn check_techniques(&self) -> Result<(), String> {
        for (technique, by_clues) in &self.technique_by_clues {
            let rows = self.technique.get(technique).copied().unwrap_or(0);
            sum_within(
                &format!("technique_by_clues of {technique}"),
                by_clues.values(),
                rows,
            )?;
        }
        for (technique, uses) in &self.uses {
            require(
                uses.puzzles <= self.rows && uses.puzzles <= uses.waves,
                || {
                    format!(
                        "uses: {technique} is in {} of {} rows",
                        uses.puzzles, self.rows
                    )
                },
            )?;
        }
        Ok(())
    }
}

impl BreakdownGroup {
    fn check_consistency(&self, what: &str) -> Result<(), String> {
        let description = format!("{what}, {}", self.value);
        sum_within(
            &format!("{description}: technique"),
            self.technique.values(),
            self.rows,
        )?;
        sum_within(
            &format!("{description}: level"),
            self.level.values(),
            self.rows,
        )?;
        self.clues
            .check_consistency(&format!("{description}: clues"), self.rows)?;
        let counts = [self.effort.count, self.nodes.count];
        require(counts.iter().all(|count| *count <= self.rows), || {
            format!("{description}: more numbers than rows")
        })
    }
}

impl Duplicates {
    fn check_consistency(&self, rows: u64) -> Result<(), String> {
        let adds_up = self.distinct.checked_add(self.repeating) == Some(self.rows);
        let is_consistent = self.rows <= rows && self.repeated_values <= self.distinct;
        require(adds_up && is_consistent && self.most <= self.rows, || {
            format!("the repeated values of {} do not add up", self.column)
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::counts::statistics::{CountedInput, Counts, Histogram};

    fn statistics() -> Statistics {
        let mut clues = Histogram::default();
        clues.add(24, 3);
        Statistics {
            inputs: vec![CountedInput {
                name: "a".into(),
                rows: 3,
                rejects: false,
            }],
            rows: 3,
            technique: Counts::from([("x_wing".into(), 3)]),
            level: Counts::from([("hard".into(), 3)]),
            clues,
            ..Statistics::default()
        }
    }

    #[test]
    fn a_changed_count_is_found() {
        let consistent = statistics();
        assert_eq!(consistent.check_consistency(), Ok(()));
        let value: Value = serde_json::to_value(&consistent).unwrap();
        let error_after_change = |path: &str, to: Value| {
            let mut value = value.clone();
            *value.pointer_mut(path).unwrap() = to;
            let read_statistics: Statistics = serde_json::from_value(value).unwrap();
            read_statistics.check_consistency().unwrap_err()
        };
        let message = error_after_change("/rows", json!(99_999));
        assert!(message.contains("its inputs have 3 rows"), "{message}");
        assert!(
            error_after_change("/technique/x_wing", json!(5_000_000))
                .contains("adds up to 5000000")
        );
        assert!(error_after_change("/clues/values", json!([[24, 2]])).contains("clues"));
        assert!(error_after_change("/clues/max", json!(u64::MAX)).contains("clues"));
        assert!(error_after_change("/cells/digits", json!(vec![[0; 9]; 82])).contains("82"));
    }
}
