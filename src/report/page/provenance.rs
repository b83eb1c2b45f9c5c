//! The section of a page that says how the dataset was made: inputs, options, versions and ladder.

use serde_json::{Value, json};

use super::document::Section;
use super::drawing::html::{cut_text, escape_html, html_table};
use crate::report::sheets::Side;
use crate::report::sheets::bars::SectionSize;

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
        let mut fact_rows: Vec<Vec<Value>> = (statistics.provenance.iter())
            .map(|(key, values)| {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
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
