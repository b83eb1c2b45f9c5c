//! The section of a page that says how the dataset was made: inputs, options, versions and ladder.

use serde_json::{Value, json};
use sudoku_core::grade::Rank;

use super::document::Section;
use super::drawing::html::{cut_text, escape_html, html_table};
use crate::numbers::thousands;
use crate::report::sheets::Side;
use crate::report::sheets::bars::SectionSize;
use crate::report::sheets::names::technique_name_in_sentence;

/// The maximum number of inputs that the section lists.
const MOST_INPUTS: usize = 50;

/// The maximum number of characters that the section shows of a value, such as an option.
const MOST_VALUE_CHARACTERS: usize = 600;

pub(super) fn provenance_section(sides: &[Side]) -> Section {
    let mut html = String::from("<details><summary>Inputs and options</summary>\n");
    for side in sides {
        let statistics = &side.statistics;
        if sides.len() > 1 {
            html += &format!("<h3>{}</h3>\n", escape_html(&side.name));
        }
        let columns = ["input", "rows", "what"].map(str::to_owned);
        let rows: Vec<Vec<Value>> = (statistics.inputs.iter().take(MOST_INPUTS))
            .map(|input| {
                let row_noun = if input.rejects { "rejects" } else { "rows" };
                vec![
                    json!(cut_text(&input.name, MOST_VALUE_CHARACTERS)),
                    json!(input.rows),
                    json!(row_noun),
                ]
            })
            .collect();
        html += &html_table(&columns, &rows);
        if statistics.inputs.len() > MOST_INPUTS {
            html += &format!(
                "<p>And {} more inputs.</p>\n",
                statistics.inputs.len() - MOST_INPUTS
            );
        }
        // The name of a ladder says which techniques it has. If it has no name, its name is the list of its techniques.
        let has_ladder = statistics.provenance.contains_key("ladder");
        let mut fact_rows: Vec<Vec<Value>> = (statistics.provenance.iter())
            .filter(|(key, _)| !(has_ladder && *key == "techniques"))
            .map(|(key, values)| {
                let values: Vec<String> =
                    values.iter().map(|value| value_in_words(value)).collect();
                vec![
                    json!(key.replace('_', " ")),
                    json!(cut_text(&values.join("; "), MOST_VALUE_CHARACTERS)),
                ]
            })
            .collect();
        let pipelines: Vec<&str> = statistics.pipeline.iter().map(String::as_str).collect();
        fact_rows.push(vec![
            json!("counted by pipeline"),
            json!(pipelines.join(", ")),
        ]);
        html += &html_table(&["option".to_owned(), "value".to_owned()], &fact_rows);
    }
    let body = html + "</details>\n";
    Section::new("provenance", "Provenance", SectionSize::Row, body)
}

/// The value of an option as it is shown: names without the brackets of JSON, techniques by their names, and numbers
/// with separators of thousands.
fn value_in_words(value: &str) -> String {
    if let Ok(names) = serde_json::from_str::<Vec<String>>(value) {
        return names.join(", ");
    }
    if let Ok(number) = value.parse() {
        return thousands(number);
    }
    let ids: Vec<&str> = value.split(',').collect();
    if ids.iter().all(|id| Rank::from_id(id).is_some()) {
        let names = ids.iter().map(|id| technique_name_in_sentence(id));
        return names.collect::<Vec<_>>().join(", ");
    }
    value.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: the inputs were shown as `["v1.csv"]`.
    #[test]
    fn values_are_shown_in_words() {
        for (value, words) in [
            ("[\"v1.csv\",\"v2.csv\"]", "v1.csv, v2.csv"),
            ("1000000", "1,000,000"),
            ("naked_single,x_wing", "naked single, X-wing"),
            ("full", "full"),
            ("1.0.0", "1.0.0"),
            ("", ""),
        ] {
            assert_eq!(value_in_words(value), words);
        }
    }
}
