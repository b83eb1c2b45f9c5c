//! A dataset card for a model hub: about sixty lines of Markdown with a YAML header.

use std::path::Path;

use sudoku_core::grade::Level;

use super::drawing::code::{SentencePart, sentence_parts};
use super::drawing::html::cut_text;
use super::findings::dataset_sentences;
use super::problems::{missing_checks_sentence, problem_sentences, problems_heading};
use crate::counts::statistics::{Statistics, rank_of};
use crate::numbers::thousands;
use crate::report::sheets::Side;
use crate::report::sheets::names::technique_name;
use crate::report::sheets::percent::{percent_texts, to_percent};
use crate::report::sheets::{agreement_sentence, markdown_text};
use crate::table::layout::CopiedColumn;

/// The maximum number of files that a card lists.
const MOST_FILES: usize = 8;
const MOST_COLUMNS: usize = 24;

/// The maximum number of techniques that a card lists.
const MOST_TECHNIQUES: usize = 8;

/// The maximum number of label columns that a card describes, each by a sentence.
const MOST_LABEL_COLUMNS: usize = 4;

/// The dataset card. `picture` is the name of a picture beside the card.
pub fn card(side: &Side, picture: Option<&str>) -> String {
    let statistics = &side.statistics;
    let title = markdown_text(&side.name);
    let mut text = format!("{}\n# {title}\n\n", yaml_header(side));
    for sentence in dataset_sentences(statistics) {
        text += &format!("{}\n", markdown_sentence(&sentence));
    }
    if let Some(picture) = picture {
        text += &format!("\n![Charts of {title}](<{}>)\n", markdown_path(picture));
    }
    text += &loading_example(statistics);
    text += &level_and_technique_counts(statistics);
    text += &format!("\n## {}\n\n", problems_heading(statistics));
    let problems = problem_sentences(statistics);
    if problems.is_empty() {
        text += "Nothing was found.\n";
    } else {
        for item in &problems {
            text += &format!("- {}\n", markdown_sentence(item));
        }
    }
    if let Some(sentence) = missing_checks_sentence(statistics) {
        text += &format!("\n{}\n", markdown_sentence(sentence));
    }
    text += &describe_columns(statistics, &[]);
    text + &format!("\nCounted by pipeline {}.\n", crate::VERSION)
}

/// The YAML header, which the hub parses.
fn yaml_header(side: &Side) -> String {
    let statistics = &side.statistics;
    let mut yaml = format!(
        "---\npretty_name: {}\nsize_categories:\n- {}\ntags: [sudoku, puzzles, reasoning, tabular]\n",
        quoted_yaml(&side.name),
        size_category(statistics.rows)
    );
    let files = file_names(statistics);
    if !files.is_empty() {
        yaml += "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path:\n";
        for file in files {
            yaml += &format!("    - {}\n", quoted_yaml(&file));
        }
    }
    yaml + "---\n"
}

/// The names of the dataset's files. If there are more than [`MOST_FILES`], a pattern for their names.
fn file_names(statistics: &Statistics) -> Vec<String> {
    let tables = statistics.inputs.iter().filter(|input| !input.rejects);
    let mut files: Vec<String> = tables
        .map(|input| {
            let name = input.name.rsplit('/').next().unwrap_or(&input.name);
            name.to_owned()
        })
        .collect();
    if files.len() > MOST_FILES {
        let ending = files[0].split_once('.').map_or("", |(_, ending)| ending);
        files = vec![format!("*.{ending}")];
    }
    files
}

/// An example of how to load the dataset in Python.
fn loading_example(statistics: &Statistics) -> String {
    let files = file_names(statistics);
    let Some(first) = files.first() else {
        return String::new();
    };
    let Some(builder) = loader_name(first) else {
        return String::new();
    };
    let files: Vec<String> = files.iter().map(|file| quoted_yaml(file)).collect();
    format!(
        "\n```python\nfrom datasets import load_dataset\n\n\
         puzzles = load_dataset(\"{builder}\", data_files=[{}], split=\"train\")\n\
         print(puzzles[0])\n```\n",
        files.join(", ")
    )
}

/// The loader of the Python package `datasets` for a file with this name; `None` for an unsupported format.
pub(super) fn loader_name(file: &str) -> Option<&'static str> {
    let plain_name = [".gz", ".zst"]
        .iter()
        .find_map(|end| file.strip_suffix(end));
    let ending = Path::new(plain_name.unwrap_or(file)).extension()?;
    Some(match ending.to_str()? {
        "parquet" | "pq" => "parquet",
        "csv" | "tsv" => "csv",
        "ndjson" | "jsonl" | "json" => "json",
        "arrow" | "feather" | "ipc" => "arrow",
        _ => return None,
    })
}

/// The numbers of rows by level, and by the most frequent techniques, as Markdown.
fn level_and_technique_counts(statistics: &Statistics) -> String {
    let graded = statistics.graded();
    if graded == 0 {
        return String::new();
    }
    let mut text = String::from("\n| level | rows | share |\n|---|---:|---:|\n");
    let level_rows = Level::ALL.map(|level| {
        let rows = statistics.level.get(level.id());
        rows.copied().unwrap_or(0)
    });
    let shares = percent_texts(&level_rows.map(|rows| to_percent(rows, graded)));
    for ((id, rows), share) in Level::ALL.map(Level::id).iter().zip(level_rows).zip(shares) {
        text += &format!(
            "| {id} | {} | {} |\n",
            thousands(rows),
            share.replace('<', "&lt;")
        );
    }
    let techniques = most_frequent_techniques(statistics);
    text += &format!(
        "\nMost frequent hardest techniques: {}.\n",
        markdown_text(&techniques)
    );
    for breakdown in statistics.by.iter().take(MOST_LABEL_COLUMNS) {
        if let Some(agreement) = breakdown.agreement() {
            let sentence = agreement_sentence(&breakdown.column, agreement);
            text += &format!("{}\n", markdown_text(&sentence));
        }
    }
    text
}

/// The most frequent hardest techniques with their shares, as a phrase.
pub(super) fn most_frequent_techniques(statistics: &Statistics) -> String {
    let mut frequent: Vec<(&String, &u64)> = statistics.technique.iter().collect();
    frequent.sort_by_key(|(id, rows)| (std::cmp::Reverse(**rows), rank_of(id)));
    frequent.truncate(MOST_TECHNIQUES);
    let shares = frequent
        .iter()
        .map(|(_, rows)| to_percent(**rows, statistics.graded()));
    let shares = percent_texts(&shares.collect::<Vec<_>>());
    let technique_shares = (frequent.iter().zip(shares))
        .map(|((id, _), share)| format!("{} {share}", technique_name(id)));
    technique_shares.collect::<Vec<_>>().join(", ")
}

/// A sentence as Markdown. Its commands, options and names of columns are code.
fn markdown_sentence(sentence: &str) -> String {
    let part_text = |part: SentencePart<'_>| match part {
        // A backtick would end the code.
        SentencePart::Code(code)
            if !code.contains(['`', '<']) && !code.contains(char::is_control) =>
        {
            format!("`{code}`")
        }
        SentencePart::Text(text) | SentencePart::Code(text) => markdown_text(text),
    };
    sentence_parts(sentence)
        .into_iter()
        .map(part_text)
        .collect()
}

/// The names and types of the columns as Markdown, and the descriptions of this program's own columns.
pub(super) fn describe_columns(statistics: &Statistics, copied: &[CopiedColumn]) -> String {
    if statistics.fields.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n| column | type | what it says |\n|---|---|---|\n");
    for (name, data_type) in statistics.fields.iter().take(MOST_COLUMNS) {
        let columns = crate::table::columns::COLUMNS.iter();
        let own_column = columns.rev().find(|column| column.name == *name);
        // A column of the input may have the name of one of this program's columns, and another meaning.
        let copied_column = copied.iter().find(|column| column.name == *name);
        let doc = match (copied_column, own_column) {
            (Some(column), _) => copied_column_doc(column),
            (None, Some(column)) => &column.doc,
            (None, None) => "",
        };
        text += &format!(
            "| {} | {} | {} |\n",
            markdown_text(&cut_text(name, 60)),
            markdown_text(data_type),
            // The text is Markdown already.
            doc.replace('|', "\\|")
        );
    }
    match statistics.fields.len().saturating_sub(MOST_COLUMNS) {
        0 => text,
        more => text + &format!("\nAnd {more} more columns.\n"),
    }
}

/// What a column says that is copied from the inputs.
fn copied_column_doc(column: &CopiedColumn) -> &'static str {
    match column.grid.as_deref() {
        Some("puzzle") => "The puzzle.",
        Some("solution") => "The solution that came with it, checked.",
        _ => "Copied from the input.",
    }
}

/// The path of a picture for a Markdown link in angle brackets. Characters that would end the link are
/// replaced.
pub(super) fn markdown_path(name: &str) -> String {
    let is_bad = |c: char| c.is_control() || matches!(c, '<' | '>' | '\\');
    name.replace(is_bad, "_")
}

/// Quotes a text so that it is valid in YAML and in Python, and cannot be taken for an HTML element.
pub(super) fn quoted_yaml(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.replace('<', "\\u003c")
}

/// The size category on the Hugging Face hub of a dataset with this number of rows, such as `1K<n<10K`.
pub(super) fn size_category(rows: u64) -> &'static str {
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
