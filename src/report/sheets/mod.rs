//! Statistics as small tables: for a terminal, in Markdown, and as rows of data.

mod audit;
mod by;
mod data;
mod evaluation;
mod facts;
mod markdown;
mod render;
mod sheet;

pub use audit::audit_sheets;
pub(crate) use by::in_words;
pub use data::{sheet_columns, sheet_rows};
pub use evaluation::evaluation_sheets;
pub(crate) use facts::no_uses;
pub(crate) use markdown::markdown_text;
pub(crate) use render::cell_text;
pub use render::{markdown, terminal};
pub use sheet::Sheet;

use crate::report::statistics::{Breakdown, Statistics};

/// The statistics as sheets; those without rows are left out.
pub fn sheets(statistics: &Statistics) -> Vec<Sheet> {
    let mut sheets = vec![
        facts::overview(statistics),
        facts::status(statistics),
        facts::levels(statistics),
        facts::techniques(statistics),
        facts::numbers(statistics),
        facts::clues_by_technique(statistics),
        facts::technique_by_clues(statistics),
        facts::given(statistics),
    ];
    sheets.extend(statistics.evaluation.iter().flat_map(evaluation_sheets));
    sheets.extend([
        facts::duplicates(statistics),
        facts::repeated(statistics),
        facts::rejects(statistics),
        facts::first_rejects(statistics),
        facts::columns(statistics),
        facts::values(statistics),
    ]);
    // Rows of one input are not grouped by it.
    let is_one_input = |of: &Breakdown| of.column == "source" && of.groups.len() < 2;
    for breakdown in statistics.by.iter().filter(|of| !is_one_input(of)) {
        sheets.extend(by::sheets(breakdown));
    }
    sheets.retain(|sheet| !sheet.rows.is_empty());
    sheets
}
