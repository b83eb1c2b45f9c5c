//! A dataset card for a model hub: Markdown with a head of YAML.

use super::findings::{about, findings};
use super::side::Side;
use crate::report::sheets::{markdown, sheets};

/// The card of a dataset.
pub fn card(side: &Side) -> String {
    let of = &side.statistics;
    let mut yaml = String::from("---\n");
    yaml += &format!("pretty_name: {}\n", quoted(&side.name));
    yaml += &format!("size_categories:\n- {}\n", size(of.rows));
    yaml += "tags:\n- sudoku\n- puzzles\n- reasoning\n- tabular\n";
    if !of.fields.is_empty() {
        yaml += "dataset_info:\n  features:\n";
        for (name, data_type) in &of.fields {
            yaml += &format!(
                "  - name: {}\n    dtype: {}\n",
                quoted(name),
                dtype(data_type)
            );
        }
        yaml += &format!(
            "  splits:\n  - name: train\n    num_examples: {}\n",
            of.rows
        );
    }
    let tables: Vec<&str> = of
        .inputs
        .iter()
        .filter(|input| !input.rejects)
        .map(|input| input.name.as_str())
        .collect();
    if !tables.is_empty() {
        yaml += "configs:\n- config_name: default\n  data_files:\n";
        for name in tables.iter().take(100) {
            let file = name.rsplit('/').next().unwrap_or(name);
            yaml += &format!("  - split: train\n    path: {}\n", quoted(file));
        }
    }
    yaml += "---\n";
    let mut text = format!("{yaml}\n# {}\n\n", side.name);
    for sentence in about(of) {
        text += &format!("{sentence}\n");
    }
    let wrong = findings(of);
    text += "\n## What is wrong with it\n\n";
    match wrong.is_empty() {
        true => text += "Nothing was found.\n",
        false => wrong.iter().for_each(|item| text += &format!("- {item}\n")),
    }
    if !of.fields.is_empty() {
        text += "\n## Columns\n\n| column | type | what it says |\n|---|---|---|\n";
        for (name, data_type) in &of.fields {
            let columns = crate::table::columns::COLUMNS.iter();
            let doc = columns
                .rev()
                .find(|column| column.name == *name)
                .map_or("", |column| &column.doc);
            text += &format!("| `{name}` | {data_type} | {} |\n", doc.replace('|', "\\|"));
        }
    }
    let shown: Vec<_> = sheets(of)
        .into_iter()
        .filter(|sheet| !["overview", "first_rejects", "repeated"].contains(&sheet.id.as_str()))
        .collect();
    text.push('\n');
    text += &markdown(&shown);
    text += &format!("\nCounted by pipeline {}.\n", crate::VERSION);
    text
}

/// A text of YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The hub's classes of size.
fn size(rows: u64) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        10_000_000..100_000_000 => "10M<n<100M",
        100_000_000..1_000_000_000 => "100M<n<1B",
        _ => "n>1B",
    }
}

/// A type as the hub's library calls it.
fn dtype(data_type: &str) -> &str {
    match data_type {
        "str" | "cat" | "enum" => "string",
        "u8" => "uint8",
        "u16" => "uint16",
        "u32" => "uint32",
        "u64" => "uint64",
        "i8" => "int8",
        "i16" => "int16",
        "i32" => "int32",
        "i64" => "int64",
        "f32" => "float32",
        "f64" => "float64",
        other => other,
    }
}
