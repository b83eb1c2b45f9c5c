//! The registry of all aggregations: the figures that are counted by grouping rows.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use polars::prelude::PolarsResult;
use sudoku_core::grade::{HardestTechnique, Rank};
use sudoku_core::solve::Rule;

use super::grouping::Measure;
use super::groups::Group;
use crate::counts::evaluation::{Evaluation, EvaluationGroup, VerdictSums};
use crate::counts::run_figures::{RunFigures, RunSums, rule_column};
use crate::counts::statistics::{BreakdownGroup, Counts, Statistics, Uses};

/// The key column with the values of the column by which a breakdown groups the rows.
pub(crate) const BY: &str = "by";

/// An aggregation: the groups of rows that are counted, and what is computed of each.
pub(crate) struct Aggregation {
    pub(crate) name: &'static str,
    /// The columns by whose values the rows are grouped.
    pub(crate) keys: &'static [&'static str],
    /// What is computed of the rows of each group.
    pub(crate) measures: Vec<Measure>,
    pub(crate) doc: &'static str,
    pub(crate) add: AddGroup,
}

/// How the groups of an aggregation are added to the results. The variant says which rows it is about.
#[derive(Clone, Copy)]
pub(crate) enum AddGroup {
    /// An aggregation of all rows of tables of puzzles.
    Statistics(fn(&mut Statistics, &Group<'_>) -> PolarsResult<()>),
    /// An aggregation of the rows with each value in the column [`BY`], which is the first key.
    Breakdown(fn(&mut BreakdownGroup, &Group<'_>) -> PolarsResult<()>),
    /// An aggregation of the predictions that `evaluate` judges.
    Evaluation(fn(&mut Evaluation, &Group<'_>) -> PolarsResult<()>),
    /// An aggregation of the runs that `compare` writes.
    Runs(fn(&mut RunFigures, &Group<'_>) -> PolarsResult<()>),
}

/// Adds the rows of a group to the count of the id that is this key. Rows without an id are not counted.
fn add_count(counts: &mut Counts, group: &Group<'_>, key: usize) -> PolarsResult<()> {
    if let Some(id) = group.text(key)? {
        *counts.entry(id.to_owned()).or_default() += group.rows();
    }
    Ok(())
}

/// Two measures for each technique: the rows that use it, and its waves.
fn measures_of_uses() -> impl Iterator<Item = Measure> {
    Rank::all().flat_map(|rank| {
        let column = rank.waves_column();
        [
            Measure::Positive(column.clone().into()),
            Measure::Sum(column.into()),
        ]
    })
}

/// Adds the measures of [`measures_of_uses`].
fn add_uses(uses: &mut BTreeMap<String, Uses>, group: &Group<'_>) {
    for (measure, value) in group.measures().filter(|(_, value)| *value > 0) {
        let Some(technique) = measure.column().and_then(Rank::from_waves_column) else {
            continue;
        };
        let own = uses.entry(technique.id().to_owned()).or_default();
        if let Measure::Positive(_) = measure {
            own.puzzles += value;
        } else {
            own.waves = own.waves.saturating_add(value);
        }
    }
}

/// The measures of [`RunSums`].
fn measures_of_runs() -> Vec<Measure> {
    let sums = [
        "solved",
        "guesses",
        "backtracks",
        "filled",
        "nanoseconds",
        "clues",
    ];
    let sums = sums.map(|column| Measure::Sum(column.into()));
    let of_rules = Rule::ALL.into_iter().flat_map(|rule| {
        let column = rule_column(rule);
        [
            Measure::Sum(column.clone().into()),
            Measure::Known(column.into()),
        ]
    });
    let of_all = [Measure::Rows, Measure::Known("filled".into())];
    of_all.into_iter().chain(sums).chain(of_rules).collect()
}

fn run_sums(group: &Group<'_>) -> RunSums {
    let rules = Rule::ALL.map(rule_column);
    RunSums {
        runs: group.rows(),
        solved: group.sum("solved"),
        guesses: group.sum("guesses"),
        backtracks: group.sum("backtracks"),
        filled: group.sum("filled"),
        counted_filled: group.known("filled"),
        nanoseconds: group.sum("nanoseconds"),
        clues: group.sum("clues"),
        with_rules: rules
            .iter()
            .map(|rule| group.known(rule))
            .max()
            .unwrap_or(0),
        rules: rules.map(|rule| group.sum(&rule)),
    }
}

fn verdicts_by(
    name: &'static str,
    keys: &'static [&'static str],
    doc: &'static str,
    add: fn(&mut Evaluation, &Group<'_>) -> PolarsResult<()>,
) -> Aggregation {
    Aggregation {
        name,
        keys,
        measures: measures_of_verdicts(),
        doc,
        add: AddGroup::Evaluation(add),
    }
}

/// The measures of the verdicts on predictions.
fn measures_of_verdicts() -> Vec<Measure> {
    vec![
        Measure::Rows,
        Measure::Sum("blanks".into()),
        Measure::Sum("blanks_right".into()),
        Measure::Sum("backbone_blanks".into()),
        Measure::Sum("backbone_right".into()),
    ]
}

/// The predictions of a group, and the cells of their puzzles.
fn verdict_sums(group: &Group<'_>) -> VerdictSums {
    VerdictSums {
        rows: group.rows(),
        blanks: group.sum("blanks"),
        blanks_right: group.sum("blanks_right"),
        backbone_blanks: group.sum("backbone_blanks"),
        backbone_right: group.sum("backbone_right"),
    }
}

/// Adds the verdicts of the group of rows with the property that is the first key. The verdict is the second one.
fn add_verdicts(
    evaluation: &mut Evaluation,
    group: &Group<'_>,
    property: EvaluationGroup,
) -> PolarsResult<()> {
    let name = match property {
        EvaluationGroup::Clues => group.number(0)?.map(|clues| clues.to_string()),
        EvaluationGroup::Se => group.number(0)?.map(|whole| format!("{whole}.0–{whole}.9")),
        EvaluationGroup::Level | EvaluationGroup::Technique => group.text(0)?.map(str::to_owned),
    };
    if let (Some(name), Some(verdict)) = (name, group.text(1)?) {
        let counts = evaluation.group_mut(property, name);
        counts.add(verdict, verdict_sums(group));
    }
    Ok(())
}

/// All aggregations. Those of one result are in no particular order.
pub(crate) static AGGREGATIONS: LazyLock<Vec<Aggregation>> = LazyLock::new(|| {
    use AddGroup::{Breakdown, Evaluation, Runs, Statistics};
    let rows = || vec![Measure::Rows];
    vec![
        Aggregation {
            name: "status",
            keys: &["status"],
            measures: rows(),
            doc: "Rows by status.",
            add: Statistics(|all, group| add_count(&mut all.status, group, 0)),
        },
        Aggregation {
            name: "solution_given",
            keys: &["solution_given"],
            measures: rows(),
            doc: "Rows by the verdict on their given solution.",
            add: Statistics(|all, group| add_count(&mut all.solution_given, group, 0)),
        },
        Aggregation {
            name: "level",
            keys: &["level"],
            measures: rows(),
            doc: "Rows by level.",
            add: Statistics(|all, group| add_count(&mut all.level, group, 0)),
        },
        Aggregation {
            name: "technique",
            keys: &["technique"],
            measures: rows(),
            doc: "Rows by hardest technique.",
            add: Statistics(|all, group| add_count(&mut all.technique, group, 0)),
        },
        Aggregation {
            name: "clues",
            keys: &["clues"],
            measures: rows(),
            doc: "Rows by number of clues.",
            add: Statistics(|all, group| group.add_to_histogram(&mut all.clues, 0)),
        },
        Aggregation {
            name: "effort",
            keys: &["effort"],
            measures: rows(),
            doc: "Rows by effort.",
            add: Statistics(|all, group| group.add_to_histogram(&mut all.effort, 0)),
        },
        Aggregation {
            name: "waves",
            keys: &["waves"],
            measures: rows(),
            doc: "Rows by number of waves.",
            add: Statistics(|all, group| group.add_to_histogram(&mut all.waves, 0)),
        },
        Aggregation {
            name: "nodes",
            keys: &["nodes"],
            measures: rows(),
            doc: "Rows by number of search nodes.",
            add: Statistics(|all, group| group.add_to_histogram(&mut all.nodes, 0)),
        },
        Aggregation {
            name: "technique_by_clues",
            keys: &["technique", "clues"],
            measures: rows(),
            doc: "Rows by hardest technique and number of clues.",
            add: Statistics(|all, group| {
                if let (Some(technique), Some(clues)) = (group.text(0)?, group.number(1)?) {
                    let by_clues = all.technique_by_clues.entry(technique.to_owned());
                    *by_clues.or_default().entry(clues).or_default() += group.rows();
                }
                Ok(())
            }),
        },
        Aggregation {
            name: "uses",
            keys: &[],
            measures: measures_of_uses().collect(),
            doc: "For each technique, the rows that use it, and its waves.",
            add: Statistics(|all, group| {
                add_uses(&mut all.uses, group);
                Ok(())
            }),
        },
        Aggregation {
            name: "by",
            keys: &[BY],
            measures: [
                Measure::Rows,
                Measure::Known("effort".into()),
                Measure::Sum("effort".into()),
                Measure::Known("nodes".into()),
                Measure::Sum("nodes".into()),
            ]
            .into_iter()
            .chain(measures_of_uses())
            .collect(),
            doc: "Rows, effort, search nodes and uses of techniques by the values of a column.",
            add: Breakdown(|all, group| {
                all.rows += group.rows();
                (all.effort).add_sum(group.known("effort"), group.sum("effort"));
                (all.nodes).add_sum(group.known("nodes"), group.sum("nodes"));
                add_uses(&mut all.uses, group);
                Ok(())
            }),
        },
        Aggregation {
            name: "by.level",
            keys: &[BY, "level"],
            measures: rows(),
            doc: "Rows by the values of a column and by level.",
            add: Breakdown(|all, group| add_count(&mut all.level, group, 1)),
        },
        Aggregation {
            name: "by.technique",
            keys: &[BY, "technique"],
            measures: rows(),
            doc: "Rows by the values of a column and by hardest technique.",
            add: Breakdown(|all, group| add_count(&mut all.technique, group, 1)),
        },
        Aggregation {
            name: "by.clues",
            keys: &[BY, "clues"],
            measures: rows(),
            doc: "Rows by the values of a column and by number of clues.",
            add: Breakdown(|all, group| group.add_to_histogram(&mut all.clues, 1)),
        },
        Aggregation {
            name: "verdicts",
            keys: &["verdict"],
            measures: measures_of_verdicts(),
            doc: "Predictions, empty cells and right ones by verdict.",
            add: Evaluation(|all, group| {
                if let Some(verdict) = group.text(0)? {
                    all.all_mut().add(verdict, verdict_sums(group));
                }
                Ok(())
            }),
        },
        verdicts_by(
            "verdicts.level",
            &["level_or_beyond", "verdict"],
            "Predictions by level and verdict.",
            |all, group| add_verdicts(all, group, EvaluationGroup::Level),
        ),
        verdicts_by(
            "verdicts.technique",
            &["technique", "verdict"],
            "Predictions by hardest technique and verdict.",
            |all, group| add_verdicts(all, group, EvaluationGroup::Technique),
        ),
        verdicts_by(
            "verdicts.clues",
            &["puzzle_clues", "verdict"],
            "Predictions by number of clues and verdict.",
            |all, group| add_verdicts(all, group, EvaluationGroup::Clues),
        ),
        verdicts_by(
            "verdicts.se",
            &["whole_rating", "verdict"],
            "Predictions by the whole part of the rating and verdict.",
            |all, group| add_verdicts(all, group, EvaluationGroup::Se),
        ),
        Aggregation {
            name: "against",
            keys: &["verdict", "other_verdict"],
            measures: rows(),
            doc: "Predictions by the verdicts on both models.",
            add: Evaluation(|all, group| {
                if let (Some(own), Some(other)) = (group.text(0)?, group.text(1)?) {
                    all.add_against(own, other, group.rows());
                }
                Ok(())
            }),
        },
        Aggregation {
            name: "runs",
            keys: &["label", "solver"],
            measures: measures_of_runs(),
            doc: "Sums over the runs of each solver by label.",
            add: Runs(|all, group| {
                let (label, solver) = (group.text(0)?, group.text(1)?);
                let keys = [label, solver].map(|key| key.unwrap_or_default().to_owned());
                let sums = all.by_label_and_solver.entry(keys).or_default();
                sums.add(&run_sums(group));
                Ok(())
            }),
        },
        Aggregation {
            name: "runs.time_class",
            keys: &["solver", "time_class"],
            measures: rows(),
            doc: "Runs that found a solution by solver and time class.",
            add: Runs(|all, group| {
                if let (Some(solver), Some(class)) = (group.text(0)?, group.number(1)?) {
                    let times = all.solved_by_time_class.entry(solver.to_owned());
                    *times.or_default().entry(class).or_default() += group.rows();
                }
                Ok(())
            }),
        },
    ]
});

/// The id under which predictions for puzzles without a level are counted, if they have a grade.
pub(crate) const BEYOND: &str = HardestTechnique::BEYOND.id;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aggregations_have_unique_names_and_docs_and_breakdowns_start_with_their_column() {
        let mut names: Vec<&str> = AGGREGATIONS
            .iter()
            .map(|aggregation| aggregation.name)
            .collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), AGGREGATIONS.len());
        for aggregation in AGGREGATIONS.iter() {
            assert!(aggregation.doc.ends_with('.'), "{}", aggregation.name);
            assert!(!aggregation.measures.is_empty(), "{}", aggregation.name);
            let is_breakdown = matches!(aggregation.add, AddGroup::Breakdown(_));
            assert_eq!(
                aggregation.keys.first() == Some(&BY),
                is_breakdown,
                "{}",
                aggregation.name
            );
        }
    }
}
