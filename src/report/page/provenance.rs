//! The section about the origin of the figures: inputs, options, versions, ladder.

use serde_json::{Value, json};

use super::document::{Section, SectionSize};
use super::drawing::html::{cut, escape, table};
use crate::report::sheets::Side;

/// The most inputs that are listed.
const INPUTS: usize = 50;

/// The most characters of a value that are shown.
const LONGEST: usize = 600;

pub(super) fn section(sides: &[Side]) -> Section {
    let mut html = String::from("<details><summary>Inputs and options</summary>\n");
    for side in sides {
        let of = &side.statistics;
        if sides.len() > 1 {
            html += &format!("<h3>{}</h3>\n", escape(&side.name));
        }
        let columns = ["input", "rows", "what"].map(str::to_owned);
        let rows: Vec<Vec<Value>> = (of.inputs.iter().take(INPUTS))
            .map(|input| {
                let what = if input.rejects { "rejects" } else { "rows" };
                vec![
                    json!(cut(&input.name, LONGEST)),
                    json!(input.rows),
                    json!(what),
                ]
            })
            .collect();
        html += &table(&columns, &rows);
        if of.inputs.len() > INPUTS {
            html += &format!("<p>And {} more inputs.</p>\n", of.inputs.len() - INPUTS);
        }
        let mut facts: Vec<Vec<Value>> = (of.provenance.iter())
            .map(|(key, values)| {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                vec![
                    json!(key.replace('_', " ")),
                    json!(cut(&values.join("; "), LONGEST)),
                ]
            })
            .collect();
        let counted: Vec<&str> = of.pipeline.iter().map(String::as_str).collect();
        facts.push(vec![
            json!("counted by pipeline"),
            json!(counted.join(", ")),
        ]);
        html += &table(&["option".to_owned(), "value".to_owned()], &facts);
    }
    Section {
        id: "provenance",
        title: "Provenance".to_owned(),
        body: html + "</details>\n",
        extent: SectionSize::Row,
    }
}
