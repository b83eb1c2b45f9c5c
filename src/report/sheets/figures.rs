//! All figures of `stats`: their sheets, their charts, and the SQL that checks them.

use super::bars::Bars;
use super::sheet::Sheet;
use super::{by, charts, evaluation_sheets, facts};
use crate::report::statistics::{Breakdown, Statistics};

/// One or more related figures of the statistics.
pub(crate) struct Figure {
    /// Makes the sheets.
    sheets: fn(&Statistics) -> Vec<Sheet>,
    /// The charts on a page.
    pub(crate) charts: &'static [Bars],
    /// The functions in `tests/stats_duckdb.py` that compute these figures with SQL.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test finds the functions"))]
    duckdb: &'static [&'static str],
}

impl Figure {
    const fn new(
        sheets: fn(&Statistics) -> Vec<Sheet>,
        charts: &'static [Bars],
        duckdb: &'static [&'static str],
    ) -> Figure {
        Figure {
            sheets,
            charts,
            duckdb,
        }
    }
}

/// All figures, in the order of their sheets. Those of predictions have no SQL; `tests/it/evaluate.rs` checks
/// them.
pub(crate) const FIGURES: &[Figure] = &[
    Figure::new(|of| vec![facts::overview(of)], &[], &["rows"]),
    Figure::new(|of| vec![facts::status(of)], &[], &["counts"]),
    Figure::new(|of| vec![facts::levels(of)], &[charts::LEVELS], &["counts"]),
    Figure::new(
        |of| vec![facts::techniques(of)],
        &[charts::TECHNIQUES, charts::USES],
        &["counts", "uses"],
    ),
    Figure::new(
        |of| vec![facts::numbers(of)],
        &[charts::CLUES, charts::EFFORT, charts::NODES],
        &["histogram"],
    ),
    Figure::new(
        |of| vec![facts::clues_by_technique(of), facts::technique_by_clues(of)],
        &[],
        &["technique_by_clues"],
    ),
    Figure::new(|of| vec![facts::given(of)], &[], &["counts"]),
    Figure::new(
        |of| of.evaluation.iter().flat_map(evaluation_sheets).collect(),
        &[charts::SOLVED_BY_LEVEL, charts::SOLVED_BY_TECHNIQUE],
        &[],
    ),
    Figure::new(
        |of| vec![facts::duplicates(of), facts::repeated(of)],
        &[],
        &["duplicates"],
    ),
    Figure::new(
        |of| vec![facts::rejects(of), facts::first_rejects(of)],
        &[charts::REJECTS],
        &["rejects"],
    ),
    Figure::new(
        |of| vec![facts::columns(of), facts::values(of)],
        &[],
        &["summary", "values"],
    ),
    Figure::new(groups, &[], &["breakdown", "correlation"]),
];

fn groups(of: &Statistics) -> Vec<Sheet> {
    // The column `source` is left out if there is only one input.
    let is_one_input = |of: &&Breakdown| of.column == "source" && of.groups.len() < 2;
    let shown = of.by.iter().filter(|of| !is_one_input(of));
    shown.flat_map(by::sheets).collect()
}

/// The statistics as sheets. Sheets without rows are left out.
pub fn sheets(statistics: &Statistics) -> Vec<Sheet> {
    let all = FIGURES
        .iter()
        .flat_map(|figure| (figure.sheets)(statistics));
    all.filter(|sheet| !sheet.rows.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sql_of_every_figure_is_there() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stats_duckdb.py");
        let script = std::fs::read_to_string(file).unwrap();
        for name in FIGURES.iter().flat_map(|figure| figure.duckdb) {
            assert!(script.contains(&format!("\ndef {name}(")), "{name}");
        }
    }

    #[test]
    fn charts_have_ids_and_places_of_their_own() {
        let charts = || FIGURES.iter().flat_map(|figure| figure.charts);
        for chart in charts() {
            let same = charts().filter(|own| own.id == chart.id || own.place == chart.place);
            assert_eq!(same.count(), 1, "{}", chart.id);
        }
    }
}
