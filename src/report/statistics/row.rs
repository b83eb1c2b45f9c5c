//! Counts a row in statistics. Runs and tables both use this code, and therefore have the same figures.

use crate::report::evaluation::JudgedRow;

use super::{BreakdownGroup, Counts, LevelExample, Statistics};

/// The properties of a row that are counted. `None` means that a property is unknown.
#[derive(Clone, Copy, Default)]
pub(crate) struct RowFacts<'a> {
    pub(crate) clues: Option<u64>,
    /// The puzzle, if it is 9 × 9 and has no pencil marks; otherwise `None`.
    pub(crate) cells: Option<&'a [u8]>,
    pub(crate) status: Option<&'a str>,
    pub(crate) solution_given: Option<&'a str>,
    pub(crate) technique: Option<&'a str>,
    pub(crate) level: Option<&'a str>,
    pub(crate) effort: Option<u64>,
    pub(crate) waves: Option<u64>,
    pub(crate) nodes: Option<u64>,
    /// The ids of the techniques that the row's grade used, each with its number of waves.
    pub(crate) uses: &'a [(&'static str, u64)],
    /// The puzzle of the row. It may become the example of its level.
    pub(crate) example_puzzle: Option<&'a str>,
    /// The verdict on a model's prediction for the puzzle of the row.
    pub(crate) judged_row: Option<JudgedRow<'a>>,
    pub(crate) source: Option<&'a str>,
    pub(crate) row_number: Option<u64>,
}

fn increment(counts: &mut Counts, id: Option<&str>) {
    let Some(id) = id else {
        return;
    };
    match counts.get_mut(id) {
        Some(count) => *count += 1,
        None => {
            counts.insert(id.to_owned(), 1);
        }
    }
}

impl Statistics {
    /// Counts a row in all figures except the number of rows, which the caller increases.
    pub(crate) fn add_row(&mut self, facts: &RowFacts<'_>) {
        increment(&mut self.status, facts.status);
        increment(&mut self.solution_given, facts.solution_given);
        increment(&mut self.technique, facts.technique);
        increment(&mut self.level, facts.level);
        for (number, histogram) in [
            (facts.clues, &mut self.clues),
            (facts.effort, &mut self.effort),
            (facts.waves, &mut self.waves),
            (facts.nodes, &mut self.nodes),
        ] {
            if let Some(number) = number {
                histogram.add(number, 1);
            }
        }
        if let Some(cells) = facts.cells {
            self.cells.add(cells);
        }
        if let (Some(technique), Some(clues)) = (facts.technique, facts.clues) {
            if !self.technique_by_clues.contains_key(technique) {
                self.technique_by_clues
                    .insert(technique.to_owned(), Default::default());
            }
            if let Some(by_clues) = self.technique_by_clues.get_mut(technique) {
                *by_clues.entry(clues).or_default() += 1;
            }
        }
        if let (Some(level), Some(technique)) = (facts.level, facts.technique)
            && let Some(puzzle) = facts.example_puzzle.filter(|puzzle| puzzle.len() == 81)
            && (self.examples.get(level))
                .is_none_or(|own| own.is_replaced_by(puzzle, facts.source, facts.row_number))
        {
            let example = LevelExample {
                puzzle: puzzle.to_owned(),
                technique: technique.to_owned(),
                source: facts.source.map(str::to_owned),
                row: facts.row_number,
            };
            self.examples.insert(level.to_owned(), example);
        }
        if let Some(judged) = &facts.judged_row {
            self.evaluation.get_or_insert_default().add(judged);
        }
        add_uses(&mut self.uses, facts.uses);
    }
}

impl BreakdownGroup {
    /// Counts a row in its group: the rows that have the same value in the grouping column.
    pub(crate) fn add_row(&mut self, facts: &RowFacts<'_>) {
        self.rows += 1;
        increment(&mut self.technique, facts.technique);
        increment(&mut self.level, facts.level);
        if let Some(clues) = facts.clues {
            self.clues.add(clues, 1);
        }
        if let Some(effort) = facts.effort {
            self.effort.add(effort);
        }
        if let Some(nodes) = facts.nodes {
            self.nodes.add(nodes);
        }
        add_uses(&mut self.uses, facts.uses);
    }
}

fn add_uses(
    uses_by_technique: &mut std::collections::BTreeMap<String, super::Uses>,
    used_techniques: &[(&'static str, u64)],
) {
    for (id, waves) in used_techniques {
        if !uses_by_technique.contains_key(*id) {
            uses_by_technique.insert((*id).to_owned(), super::Uses::default());
        }
        if let Some(uses_by_technique) = uses_by_technique.get_mut(*id) {
            uses_by_technique.puzzles += 1;
            uses_by_technique.waves += waves;
        }
    }
}
