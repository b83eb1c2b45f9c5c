//! Sheets about a dataset as a whole, such as its levels, techniques and duplicates.

use serde_json::{Value, json};
use sudoku_core::grade::{HardestTechnique, Level, Rank};
use sudoku_core::solve::Status;

use super::sheet::Sheet;
use crate::counts::fraction;
use crate::counts::statistics::{
    Counts, Histogram, RejectExample, RejectsOfKind, Statistics, rank_of,
};
use crate::options::{REPORT, WITH};
use crate::table::outcome::GivenVerdict;
use crate::table::reject::RejectKind;

/// The counts of these ids, in the given order. The counts of all other ids follow.
fn counts_in_order(
    counts: &Counts,
    order: impl Iterator<Item = &'static str>,
) -> impl Iterator<Item = (&str, u64)> {
    let known_ids: Vec<&str> = order.collect();
    let mut ordered_counts: Vec<(&str, u64)> = counts
        .iter()
        .map(|(id, rows)| (id.as_str(), *rows))
        .collect();
    ordered_counts.sort_by_key(|(id, _)| {
        known_ids
            .iter()
            .position(|own| own == id)
            .unwrap_or(known_ids.len())
    });
    ordered_counts.into_iter()
}

pub(super) fn overview_sheet(statistics: &Statistics) -> Sheet {
    let mut sheet = Sheet::new("overview", "Overview", 1, &["what", "value"]);
    let table_count = statistics
        .inputs
        .iter()
        .filter(|input| !input.rejects)
        .count();
    sheet.rows = vec![
        vec![json!("tables"), json!(table_count)],
        vec![json!("rows"), json!(statistics.rows)],
        vec![json!("rejects"), json!(statistics.rejected())],
    ];
    if statistics.graded() > 0 {
        sheet
            .rows
            .push(vec![json!("graded"), json!(statistics.graded())]);
    }
    for key in ["command", "version", "ladder", "ladder_version"] {
        if let Some(values) = statistics.provenance.get(key) {
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            sheet.rows.push(vec![json!(key), json!(values.join(", "))]);
        }
    }
    if statistics.technique.is_empty() {
        let note = match statistics.rows {
            0 => "There are no rows.",
            _ => {
                "These tables have no grades: pipeline grade writes them. What follows is what the \
                 columns that are there say."
            }
        };
        sheet.notes.push(note.to_owned());
    }
    sheet
}

fn counts_sheet(
    id: &str,
    title: &str,
    counts: &Counts,
    order: impl Iterator<Item = &'static str>,
) -> Sheet {
    let mut sheet = Sheet::new(id, title, 1, &[id, "rows", "share"]);
    let all_rows = counts.values().sum();
    let rows = counts_in_order(counts, order);
    sheet.rows = rows
        .map(|(id, rows)| vec![json!(id), json!(rows), fraction(rows, all_rows)])
        .collect();
    sheet
}

pub(super) fn status_sheet(statistics: &Statistics) -> Sheet {
    counts_sheet(
        "status",
        "Status",
        &statistics.status,
        Status::ALL.into_iter().map(Status::id),
    )
}

pub(super) fn levels_sheet(statistics: &Statistics) -> Sheet {
    counts_sheet(
        "level",
        "Levels",
        &statistics.level,
        Level::ALL.into_iter().map(Level::id),
    )
}

pub(super) fn given_solutions_sheet(statistics: &Statistics) -> Sheet {
    let verdict_ids = GivenVerdict::ALL.into_iter().map(GivenVerdict::id);
    counts_sheet(
        "solution_given",
        "Solutions that came with the puzzles",
        &statistics.solution_given,
        verdict_ids,
    )
}

/// The level of the technique with this id; `None` for an unknown id.
pub(super) fn level_of(technique: &str) -> Option<&'static str> {
    Rank::from_id(technique).map(|rank| rank.level().id())
}

pub(super) fn techniques_sheet(statistics: &Statistics) -> Sheet {
    let columns = [
        "technique",
        "rank",
        "level",
        "rows",
        "share",
        "used in",
        "uses",
    ];
    let mut sheet = Sheet::new(
        "technique",
        "Techniques: the hardest needed, and all that are used",
        1,
        &columns,
    );
    let graded_rows = statistics.graded();
    // Every graded puzzle uses a technique. If no uses were counted, the tables lack the columns that count them.
    let has_uses = !statistics.uses.is_empty();
    if !has_uses {
        sheet.columns.truncate(columns.len() - 2);
        sheet.title = "Techniques: the hardest needed".to_owned();
        sheet.notes.push(missing_uses_advice());
    }
    let mut ids: Vec<&str> = Vec::new();
    for rank in Rank::all() {
        ids.push(rank.id());
    }
    ids.push(HardestTechnique::BEYOND.id);
    ids.extend(
        statistics
            .technique
            .keys()
            .map(String::as_str)
            .filter(|id| rank_of(id).is_none()),
    );
    for id in ids {
        let rows = statistics.technique.get(id).copied().unwrap_or(0);
        let technique_uses = statistics.uses.get(id);
        if rows == 0 && technique_uses.is_none() {
            continue;
        }
        let mut row = vec![
            json!(id),
            json!(Rank::from_id(id).map(Rank::number)),
            json!(level_of(id)),
            json!(rows),
            fraction(rows, graded_rows),
        ];
        if has_uses {
            row.push(json!(technique_uses.map(|uses| uses.puzzles)));
            row.push(json!(technique_uses.map(|uses| uses.waves)));
        }
        sheet.rows.push(row);
    }
    sheet
}

/// Advice for users: how to make tables that count the uses of techniques.
pub(crate) fn missing_uses_advice() -> String {
    format!(
        "The table does not say which techniques a puzzle uses besides the hardest. Its columns waves_<technique> \
         do: grade writes them with {}, and with {REPORT} it counts the uses in any case.",
        WITH.set_to("waves")
    )
}

const FIGURE_COLUMNS: [&str; 9] = [
    "count", "min", "q25", "median", "q75", "q90", "q99", "max", "mean",
];

fn histogram_figures(histogram: &Histogram) -> Vec<Value> {
    vec![
        json!(histogram.count()),
        json!(histogram.min()),
        json!(histogram.quantile(0.25)),
        json!(histogram.quantile(0.5)),
        json!(histogram.quantile(0.75)),
        json!(histogram.quantile(0.9)),
        json!(histogram.quantile(0.99)),
        json!(histogram.max()),
        json!(histogram.mean()),
    ]
}

pub(super) fn numbers_sheet(statistics: &Statistics) -> Sheet {
    let columns: Vec<&str> = ["column"].into_iter().chain(FIGURE_COLUMNS).collect();
    let mut sheet = Sheet::new(
        "numbers",
        "Clues, effort, waves and search nodes",
        1,
        &columns,
    );
    for (name, histogram) in statistics.histograms() {
        if !histogram.is_empty() {
            sheet
                .rows
                .push([vec![json!(name)], histogram_figures(histogram)].concat());
        }
        if histogram.is_rounded() {
            let note = format!(
                "{name} has so many values that its quantiles are rounded to three digits."
            );
            sheet.notes.push(note);
        }
    }
    sheet
}

pub(super) fn clues_by_technique_sheet(statistics: &Statistics) -> Sheet {
    let columns = ["technique", "rows", "min", "median", "max", "mean"];
    let mut sheet = Sheet::new(
        "clues_by_technique",
        "Clues by hardest technique",
        1,
        &columns,
    );
    let mut rows_by_clues: Vec<_> = statistics.technique_by_clues.iter().collect();
    rows_by_clues.sort_by_key(|(id, _)| rank_of(id));
    for (id, clues) in rows_by_clues {
        let mut histogram = Histogram::default();
        clues
            .iter()
            .for_each(|(clues, rows)| histogram.add(*clues, *rows));
        sheet.rows.push(vec![
            json!(id),
            json!(histogram.count()),
            json!(histogram.min()),
            json!(histogram.quantile(0.5)),
            json!(histogram.max()),
            json!(histogram.mean()),
        ]);
    }
    sheet
}

pub(super) fn technique_by_clues_sheet(statistics: &Statistics) -> Sheet {
    let columns = ["technique", "clues", "rows"];
    let mut sheet = Sheet::new(
        "technique_by_clues",
        "Rows by technique and clues",
        2,
        &columns,
    );
    sheet.only_data = true;
    for (id, clues) in &statistics.technique_by_clues {
        let rows = clues
            .iter()
            .map(|(clues, rows)| vec![json!(id), json!(clues), json!(rows)]);
        sheet.rows.extend(rows);
    }
    sheet
}

pub(super) fn duplicates_sheet(statistics: &Statistics) -> Sheet {
    let columns = [
        "same",
        "rows",
        "distinct",
        "repeating",
        "share",
        "repeated values",
        "most rows of one",
    ];
    let mut sheet = Sheet::new("duplicates", "Duplicates", 1, &columns);
    for (what, found) in [
        ("puzzle", &statistics.duplicates),
        ("up to isomorphism", &statistics.isomorphs),
    ] {
        if let Some(found) = found {
            sheet.rows.push(vec![
                json!(what),
                json!(found.rows),
                json!(found.distinct),
                json!(found.repeating),
                fraction(found.repeating, found.rows),
                json!(found.repeated_values),
                json!(found.most),
            ]);
        }
    }
    if statistics.duplicates.is_some() && statistics.isomorphs.is_none() {
        sheet.notes.push(format!(
            "Puzzles that are rotated, reflected or relabelled others are found where the table has the column \
             canonical: grade writes it with {}.",
            WITH.set_to("canonical")
        ));
    }
    sheet
}

pub(super) fn repeated_puzzles_sheet(statistics: &Statistics) -> Sheet {
    let columns = ["same", "times", "row", "puzzle"];
    let mut sheet = Sheet::new(
        "repeated",
        "The most frequent duplicates, with their first rows",
        3,
        &columns,
    );
    for (what, found) in [
        ("puzzle", &statistics.duplicates),
        ("up to isomorphism", &statistics.isomorphs),
    ] {
        for example in found.iter().flat_map(|found| &found.examples) {
            for (row, puzzle) in example.rows.iter().zip(&example.puzzles) {
                sheet.rows.push(vec![
                    json!(what),
                    json!(example.count),
                    json!(row),
                    json!(puzzle),
                ]);
            }
        }
    }
    if !sheet.rows.is_empty() {
        sheet
            .notes
            .push("Rows are counted from 0 over all tables in order.".to_owned());
    }
    sheet
}

pub(super) fn rejects_sheet(statistics: &Statistics) -> Sheet {
    let rows: Counts = statistics
        .rejects
        .iter()
        .map(|(error, rejects)| (error.clone(), rejects.rows))
        .collect();
    let kind_ids = RejectKind::ALL.into_iter().map(RejectKind::id);
    let mut sheet = counts_sheet("error", "Rejects by error", &rows, kind_ids);
    sheet.id = "rejects".to_owned();
    sheet
}

pub(super) fn first_rejects_sheet(statistics: &Statistics) -> Sheet {
    let columns = ["error", "source", "row", "line", "message", "raw"];
    let mut sheet = Sheet::new(
        "first_rejects",
        "The first rejects of each error",
        4,
        &columns,
    );
    sheet.rows = statistics
        .rejects
        .iter()
        .flat_map(reject_example_rows)
        .collect();
    sheet
}

/// The rows of a sheet with examples of rejects. All of them have the same error.
pub(super) fn reject_example_rows((error, rejects): (&String, &RejectsOfKind)) -> Vec<Vec<Value>> {
    let row = |first: &RejectExample| {
        vec![
            json!(error),
            json!(first.source),
            json!(first.row),
            json!(first.line),
            json!(first.message),
            json!(first.raw),
        ]
    };
    rejects.first.iter().map(row).collect()
}

/// The ratings that are null for puzzles that are too hard to be rated.
const RATINGS: [&str; 2] = ["se", "se_canonical"];

pub(super) fn columns_sheet(statistics: &Statistics) -> Sheet {
    let columns = [
        "column", "type", "nulls", "distinct", "min", "q25", "median", "q75", "max", "mean",
    ];
    let mut sheet = Sheet::new("columns", "Other columns", 1, &columns);
    let rows = statistics.columns.iter().map(|column| {
        vec![
            json!(column.name),
            json!(column.data_type),
            json!(column.nulls),
            json!(column.distinct),
            column.min.clone(),
            column.q25.clone(),
            column.median.clone(),
            column.q75.clone(),
            column.max.clone(),
            json!(column.mean),
        ]
    });
    sheet.rows = rows.collect();
    let uncounted = statistics.columns.iter();
    let uncounted = uncounted.filter(|column| column.distinct.is_none() && column.min.is_null());
    let uncounted: Vec<&str> = uncounted.map(|column| column.name.as_str()).collect();
    if !uncounted.is_empty() {
        let names = uncounted.join(", ");
        let note =
            format!("Only nulls are counted of {names}: values of such types are not summed up.");
        sheet.notes.push(note);
    }
    let unrated = statistics.columns.iter();
    let unrated =
        unrated.filter(|column| RATINGS.contains(&column.name.as_str()) && column.nulls > 0);
    sheet.notes.extend(unrated.map(|column| {
        let name = &column.name;
        format!(
            "The mean and the quantiles of {name} leave out the rows without a rating, which can be the hardest; \
             {name}_status says why they have none."
        )
    }));
    sheet
}

pub(super) fn values_sheet(statistics: &Statistics) -> Sheet {
    let columns = ["column", "value", "rows"];
    let mut sheet = Sheet::new("values", "Values of columns that have few", 2, &columns);
    sheet.only_data = true;
    for column in &statistics.columns {
        let values = column.values.iter().flatten();
        let rows = values.map(|(value, rows)| vec![json!(column.name), value.clone(), json!(rows)]);
        sheet.rows.extend(rows);
    }
    sheet
}
