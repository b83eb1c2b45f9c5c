//! Counts what is in tables.

use std::collections::BTreeMap;

use polars::prelude::*;
use sudoku_core::grade::{Level, Rank};

use super::Measure;
use super::engine::{collect, failed, for_each_batch};
use super::open::TableSet;
use super::union::union;
use super::values::{text, whole};
use super::{columns, groups, rejects, repeats};
use crate::error::{AnalysisError, Error};
use crate::read::PUZZLE_NAMES;
use crate::report::statistics::{
    CellCounts, CountedInput, Duplicates, Histogram, LABEL_NAMES, LevelExample, Statistics,
};

/// The rows of all tables.
struct TableRows {
    frame: LazyFrame,
    schema: Schema,
    count: u64,
    /// The column with the puzzles, where there is one.
    puzzle: Option<String>,
}

impl TableRows {
    /// Whether there is such a column, of the type that this program writes.
    fn has(&self, column: &str) -> bool {
        self.schema
            .get(column)
            .is_some_and(|data_type| match column {
                "status" | "solution_given" | "technique" | "level" | "canonical" => {
                    data_type.is_string()
                }
                _ => data_type.is_integer(),
            })
    }

    /// The techniques that have a column of waves.
    fn techniques(&self) -> Vec<String> {
        let ids = Rank::all().map(|rank| rank.id().to_owned());
        ids.filter(|id| self.has(&format!("waves_{id}"))).collect()
    }
}

impl Measure {
    /// Counts.
    ///
    /// # Errors
    /// A table cannot be read to its end, tables do not fit together, or a column to group by is not
    /// there or has too many values.
    pub fn of(&self, tables: &TableSet) -> Result<Statistics, Error> {
        let mut statistics = Statistics::default();
        for table in tables.all() {
            statistics.inputs.push(CountedInput {
                name: table.name.clone(),
                rows: table.count()?,
                rejects: table.is_rejects,
            });
            for (key, values) in &table.metadata {
                let own = statistics.provenance.entry(key.clone()).or_default();
                own.extend(values.iter().cloned());
            }
        }
        let of_rejects = tables.rejects();
        if !of_rejects.is_empty() {
            statistics.rejects = rejects::count(&union(&of_rejects)?.0)?;
        }
        let of_rows = tables.rows();
        if of_rows.is_empty() {
            return Ok(statistics);
        }
        let (frame, schema) = union(&of_rows)?;
        let counted = statistics.inputs.iter().filter(|input| !input.rejects);
        let rows = TableRows {
            puzzle: puzzle_column(&schema),
            count: counted.map(|input| input.rows).sum(),
            frame,
            schema,
        };
        statistics.rows = rows.count;
        let fields = rows.schema.iter();
        statistics.fields = fields
            .map(|(name, data_type)| (name.to_string(), data_type.to_string()))
            .collect();
        let by = self.columns(&rows)?;
        self.count(&rows, by, &mut statistics)?;
        Ok(statistics)
    }

    /// The columns to group by: those that were asked for, then those that were found.
    fn columns(&self, rows: &TableRows) -> Result<Vec<(String, bool)>, Error> {
        let names = || rows.schema.iter_names().map(ToString::to_string);
        let mut all = Vec::new();
        for asked in &self.by {
            let found = names().find(|name| name == asked);
            let found = found.or_else(|| names().find(|name| name.eq_ignore_ascii_case(asked)));
            let Some(found) = found else {
                return Err(Error::NoColumn {
                    source_name: "the tables".into(),
                    wanted: format!("column {asked}"),
                    columns: names().collect(),
                    flag: "--by",
                });
            };
            all.push((found, true));
        }
        if self.find_labels {
            let is_label = |name: &String| {
                LABEL_NAMES
                    .iter()
                    .any(|label| name.eq_ignore_ascii_case(label))
            };
            let found = names()
                .filter(is_label)
                .filter(|name| !self.by.contains(name));
            all.extend(found.map(|name| (name, false)));
        }
        Ok(all)
    }

    fn count(
        &self,
        rows: &TableRows,
        by: Vec<(String, bool)>,
        statistics: &mut Statistics,
    ) -> Result<(), Error> {
        let has = |column: &str| rows.has(column);
        groups::count(&rows.frame, &has, statistics)?;
        for (column, histogram) in [
            ("effort", &mut statistics.effort),
            ("waves", &mut statistics.waves),
            ("nodes", &mut statistics.nodes),
        ] {
            if has(column) {
                *histogram = groups::histogram(&rows.frame, column)?;
            }
        }
        let techniques = rows.techniques();
        statistics.uses = groups::uses(&rows.frame, &techniques)?;
        if let Some(puzzle) = &rows.puzzle {
            let (cells, clues) = cells(&rows.frame, puzzle)?;
            statistics.cells = cells;
            if !has("clues") {
                statistics.clues = clues;
            }
            let duplicates = |column: &str| -> Result<Option<Duplicates>, Error> {
                repeats::duplicates(&rows.frame, column, puzzle, rows.count).map(Some)
            };
            statistics.duplicates = duplicates(puzzle)?;
            if has("canonical") {
                statistics.isomorphs = duplicates("canonical")?;
            }
            statistics.examples = examples(rows, puzzle)?;
        }
        for (name, data_type) in rows.schema.iter() {
            if !is_measured(name, rows) {
                let column = columns::summarise(&rows.frame, name, data_type, rows.count)?;
                statistics.columns.push(column);
            }
        }
        for (column, was_asked) in by {
            match groups::breakdown(&rows.frame, &column, &has, &techniques) {
                Ok(breakdown) => statistics.by.push(breakdown),
                // A column that only looks like a label is none.
                Err(Error::Analysis(error))
                    if !was_asked && matches!(*error, AnalysisError::TooManyGroups { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The column with the puzzles, by the usual names.
fn puzzle_column(schema: &Schema) -> Option<String> {
    let of_name = |name: &&str| {
        let mut names = schema.iter().filter(|(_, data_type)| data_type.is_string());
        let found = names.find(|(own, _)| own.eq_ignore_ascii_case(name));
        found.map(|(own, _)| own.to_string())
    };
    PUZZLE_NAMES.iter().find_map(of_name)
}

/// Whether the column is counted in a way of its own.
fn is_measured(name: &str, rows: &TableRows) -> bool {
    const OTHERS: [&str; 4] = ["row", "rank", "effort", "nodes"];
    groups::COUNTED.contains(&name) && rows.has(name)
        || OTHERS.contains(&name) && rows.has(name)
        || name == "waves" && rows.has(name)
        || name == "canonical" && rows.has(name) && rows.puzzle.is_some()
        || name.starts_with("waves_") && rows.has(name)
        || rows.puzzle.as_deref() == Some(name)
        || ["solution", "solutions"]
            .iter()
            .any(|solution| name.eq_ignore_ascii_case(solution))
            && rows.schema.get(name).is_some_and(DataType::is_string)
}

/// Clues by cell and digit, and how many clues the puzzles have.
fn cells(frame: &LazyFrame, puzzle: &str) -> Result<(CellCounts, Histogram), Error> {
    let puzzles = frame.clone().select([col(puzzle).alias("text")]);
    let state = (CellCounts::default(), [0; 82]);
    let (cells, clues) = for_each_batch(puzzles, state, |(cells, clues), batch| {
        let column = batch.column("text").and_then(|column| column.str());
        let texts = column.map_err(|error| failed(&error))?;
        for text in texts.iter().flatten() {
            cells.add(text.as_bytes());
            if text.len() == 81 {
                clues[text
                    .bytes()
                    .filter(|byte| matches!(byte, b'1'..=b'9'))
                    .count()] += 1;
            }
        }
        Ok(())
    })?;
    let mut histogram = Histogram::default();
    for (count, rows) in clues.into_iter().enumerate() {
        histogram.add(count as u64, rows);
    }
    Ok((cells, histogram))
}

/// The first row of each level.
fn examples(rows: &TableRows, puzzle: &str) -> Result<BTreeMap<String, LevelExample>, Error> {
    let mut examples = BTreeMap::new();
    if !rows.has("level") || !rows.has("technique") {
        return Ok(examples);
    }
    let mut wanted = vec![col(puzzle).alias("__puzzle"), col("technique")];
    let has_source = rows.schema.get("source").is_some_and(DataType::is_string);
    if has_source && rows.has("row") {
        wanted.extend([col("source"), col("row")]);
    }
    for level in Level::ALL.map(Level::id) {
        let of_level = col("level")
            .eq(lit(level))
            .and(col(puzzle).str().len_bytes().eq(lit(81)));
        let first = rows
            .frame
            .clone()
            .filter(of_level)
            .select(wanted.clone())
            .limit(1);
        let first = collect(first)?;
        if first.height() == 0 {
            continue;
        }
        let example = LevelExample {
            puzzle: text(&first, "__puzzle", 0).unwrap_or_default(),
            technique: text(&first, "technique", 0).unwrap_or_default(),
            source: text(&first, "source", 0),
            row: whole(&first, "row", 0),
        };
        examples.insert(level.to_owned(), example);
    }
    Ok(examples)
}
