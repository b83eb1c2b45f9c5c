//! The section about the rules that solvers use, on the page of a comparison.

use serde_json::Value;

use super::comparison::{chart_labels, heat_map, most_frequent_labels, numbers_of};
use super::drawing::chart::Chart;
use super::drawing::html::{Figure, collapsed_table};
use crate::error::Error;
use crate::report::sheets::Sheet;

/// The rules that some solver used.
fn used_rules(rules: &Sheet) -> Vec<&String> {
    let is_used = |rule: &&String| numbers_of(rules, rule).any(|uses| uses > 0.0);
    rules.columns[1..].iter().filter(is_used).collect()
}

fn rule_name(rule: &str) -> String {
    rule.replace('_', " ")
}

const NO_RULES: &str = "<p>No rule was used.</p>\n";

const RULES_CAPTION: &str =
    "How often a rule changes the board, on average of the runs that count rules.";

/// A bar chart of the uses of each rule, for puzzles without labels.
pub(super) fn rules_figure(rules: &Sheet) -> Result<String, Error> {
    let used_rules = used_rules(rules);
    if used_rules.is_empty() {
        return Ok(NO_RULES.to_owned());
    }
    let uses = used_rules.iter().flat_map(|rule| numbers_of(rules, rule));
    let chart = Chart {
        title: "Rules",
        caption: RULES_CAPTION.to_owned(),
        series: vec![("uses".to_owned(), uses.collect())],
        category_names: used_rules.iter().map(|rule| rule_name(rule)).collect(),
        category_title: "rule",
        value_title: "average uses in a run",
        value_unit: "",
        is_horizontal: true,
        has_labels: true,
        ..Chart::default()
    };
    Ok(format!(
        "<div class=\"pairs\">\n{}</div>\n",
        chart.to_html("")?
    ))
}

/// A heat map with one row per rule and one column per label, and a table of the same form. Rules that no solver used
/// are left out.
pub(super) fn rules_by_label_figure(rules: &Sheet) -> Result<String, Error> {
    let (labels, left_out) = most_frequent_labels(rules);
    let used_rules = used_rules(rules);
    if used_rules.is_empty() {
        return Ok(NO_RULES.to_owned());
    }
    let uses = |rule: &&String| -> Vec<f64> {
        let uses = numbers_of(rules, rule).take(labels.len());
        uses.collect()
    };
    let values: Vec<Vec<f64>> = used_rules.iter().map(uses).collect();
    let most_uses = values.iter().flatten().copied().fold(1.0, f64::max);
    let names: Vec<String> = used_rules.iter().map(|rule| rule_name(rule)).collect();
    let label_names = chart_labels(labels.iter().copied());
    let rows = names.iter().zip(&values).map(|(name, values)| {
        let values = values.iter().map(|uses| Value::from(*uses));
        [Value::from(name.as_str())]
            .into_iter()
            .chain(values)
            .collect()
    });
    let columns = [vec!["rule".to_owned()], label_names.clone()].concat();
    let table = collapsed_table("Figures", &columns, &rows.collect::<Vec<_>>());
    let map = heat_map(
        "Rules by label",
        &format!("{RULES_CAPTION}{left_out}"),
        &label_names,
        &names,
        values,
        ("label", "rule"),
        (0.0, most_uses),
    )?;
    Ok(format!("<div class=\"pairs\">\n{map}</div>\n{table}"))
}
