//! All figures that `stats` shows: their sheets, their charts, and the SQL that checks them.

use super::bars::BarChart;
use super::sheet::Sheet;
use super::{breakdowns, charts, evaluation_sheets, facts};
use crate::counts::statistics::{Breakdown, Statistics};

/// A group of figures that belong together: their sheets, charts and checks.
pub(crate) struct Figure {
    /// The function that makes the sheets of these figures.
    sheets: fn(&Statistics) -> Vec<Sheet>,
    /// The charts of these figures on a page.
    pub(crate) charts: &'static [BarChart],
    /// The functions in `tests/sql/stats.py` that compute the same figures with SQL.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test finds the functions"))]
    duckdb_functions: &'static [&'static str],
}

impl Figure {
    const fn new(
        sheets: fn(&Statistics) -> Vec<Sheet>,
        charts: &'static [BarChart],
        duckdb_functions: &'static [&'static str],
    ) -> Figure {
        Figure {
            sheets,
            charts,
            duckdb_functions,
        }
    }
}

/// All figures, in the order of their sheets. The figures of predictions are not computed with SQL, but checked
/// by `tests/it/grades/evaluate.rs`.
pub(crate) const FIGURES: &[Figure] = &[
    Figure::new(|of| vec![facts::overview_sheet(of)], &[], &["rows"]),
    Figure::new(|of| vec![facts::status_sheet(of)], &[], &["counts"]),
    Figure::new(
        |of| vec![facts::levels_sheet(of)],
        &[charts::LEVEL_CHART],
        &["counts"],
    ),
    Figure::new(
        |of| vec![facts::techniques_sheet(of)],
        &[charts::TECHNIQUE_CHART, charts::USES_CHART],
        &["counts", "uses"],
    ),
    Figure::new(
        |of| vec![facts::numbers_sheet(of)],
        &[
            charts::CLUES_CHART,
            charts::EFFORT_CHART,
            charts::NODES_CHART,
        ],
        &["histogram"],
    ),
    Figure::new(
        |of| {
            vec![
                facts::clues_by_technique_sheet(of),
                facts::technique_by_clues_sheet(of),
            ]
        },
        &[],
        &["technique_by_clues"],
    ),
    Figure::new(
        |of| vec![facts::given_solutions_sheet(of)],
        &[],
        &["counts"],
    ),
    Figure::new(
        |of| of.evaluation.iter().flat_map(evaluation_sheets).collect(),
        &[
            charts::SOLVED_BY_LEVEL_CHART,
            charts::SOLVED_BY_TECHNIQUE_CHART,
        ],
        &[],
    ),
    Figure::new(
        |of| {
            vec![
                facts::duplicates_sheet(of),
                facts::repeated_puzzles_sheet(of),
            ]
        },
        &[],
        &["duplicates"],
    ),
    Figure::new(
        |of| vec![facts::rejects_sheet(of), facts::first_rejects_sheet(of)],
        &[charts::REJECTS_CHART],
        &["rejects"],
    ),
    Figure::new(
        |of| vec![facts::columns_sheet(of), facts::values_sheet(of)],
        &[],
        &["summary", "values"],
    ),
    Figure::new(shown_breakdown_sheets, &[], &["breakdown", "correlation"]),
];

fn shown_breakdown_sheets(statistics: &Statistics) -> Vec<Sheet> {
    // If there is only one input, grouping the rows by the column `source` is of no use.
    let is_one_input =
        |statistics: &&Breakdown| statistics.column == "source" && statistics.groups.len() < 2;
    let shown_columns = statistics
        .by
        .iter()
        .filter(|statistics| !is_one_input(statistics));
    shown_columns
        .flat_map(breakdowns::breakdown_sheets)
        .collect()
}

/// The statistics as sheets, first those by the columns in `by`, for which the user asked. Sheets without rows are left
/// out.
pub fn sheets(statistics: &Statistics, by: &[String]) -> Vec<Sheet> {
    let all_figures = FIGURES
        .iter()
        .flat_map(|figure| (figure.sheets)(statistics));
    let mut sheets: Vec<Sheet> = all_figures.filter(|sheet| !sheet.rows.is_empty()).collect();
    sheets.sort_by_key(|sheet| !is_by(sheet, by));
    sheets
}

/// Whether a sheet groups the rows by one of these columns.
fn is_by(sheet: &Sheet, columns: &[String]) -> bool {
    let grouped_by = sheet.id.split_once("by_").map(|(_, column)| column);
    grouped_by.is_some_and(|column| columns.iter().any(|own| own.eq_ignore_ascii_case(column)))
}

/// The ids of the sheets that answer the first questions about a dataset.
const BRIEF_SHEETS: [&str; 4] = ["overview", "status", "level", "technique"];

/// The sheets of the first questions about a dataset: its rows, and their statuses, levels and hardest techniques.
/// `by` are the columns for which the user asked.
pub fn brief_sheets(statistics: &Statistics, by: &[String]) -> Vec<Sheet> {
    let mut sheets = sheets(statistics, by);
    let is_summary = |sheet: &Sheet| sheet.id.starts_with("by_") && is_by(sheet, by);
    sheets.retain(|sheet| BRIEF_SHEETS.contains(&sheet.id.as_str()) || is_summary(sheet));
    for sheet in &mut sheets {
        sheet.notes.clear();
    }
    sheets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_its_sql_function() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sql/stats.py");
        let script = std::fs::read_to_string(file).unwrap();
        for name in FIGURES.iter().flat_map(|figure| figure.duckdb_functions) {
            assert!(script.contains(&format!("\ndef {name}(")), "{name}");
        }
    }

    #[test]
    fn charts_have_unique_ids_and_positions() {
        let charts = || FIGURES.iter().flat_map(|figure| figure.charts);
        for chart in charts() {
            let same_charts = charts()
                .filter(|own| own.id == chart.id || own.page_position == chart.page_position);
            assert_eq!(same_charts.count(), 1, "{}", chart.id);
        }
    }
}
