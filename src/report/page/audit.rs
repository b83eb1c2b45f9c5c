//! Writes the HTML page and the dataset card of an audit.

use super::card::{
    describe_columns, loader_name, markdown_path, most_frequent_techniques, quoted_yaml,
    size_category,
};
use super::document::{Section, html_document};
use super::drawing::html::{escape_html, html_table};
use super::{Page, findings, sections};
use crate::counts::statistics::Statistics;
use crate::counts::{AuditFindings, ByClass, SetFindings};
use crate::error::Error;
use crate::numbers::{counted, thousands};
use crate::report::sheets::Side;
use crate::report::sheets::bars::SectionSize;
use crate::report::sheets::percent::{percent_text, to_percent};
use crate::report::sheets::{Sheet, audit_sections, audit_sheets, markdown, markdown_text};
use crate::table::layout::CopiedColumn;

/// The maximum number of datasets that have separate charts. If there are more, the charts show all datasets
/// together.
const MOST_SETS_WITH_CHARTS: usize = 2;

/// The datasets that the charts of the page show. If there are more than [`MOST_SETS_WITH_CHARTS`], they are merged
/// into one. Otherwise, each is shown separately.
fn chart_sides(
    findings: &AuditFindings,
    statistics: impl Fn(&SetFindings) -> &Statistics,
) -> Vec<Side> {
    if findings.sets.len() <= MOST_SETS_WITH_CHARTS {
        let side_of_set = |set: &SetFindings| Side {
            name: set.name.clone(),
            statistics: statistics(set).clone(),
        };
        return findings.sets.iter().map(side_of_set).collect();
    }
    let mut all_statistics = Statistics::default();
    for set in &findings.sets {
        all_statistics.merge(statistics(set).clone());
    }
    vec![Side {
        name: format!("all {} sets", findings.sets.len()),
        statistics: all_statistics,
    }]
}

/// One sentence for each dataset, about its contents.
fn set_sentences(findings: &AuditFindings) -> Vec<String> {
    let sentence = |set: &SetFindings| {
        let kept_percent = percent_text(to_percent(set.kept, set.records()));
        format!(
            "{}: {} of {} {} ({kept_percent}); {} {} removed, {} rejected.",
            set.name,
            thousands(set.kept),
            counted(set.records(), "record"),
            if set.kept == 1 { "stays" } else { "stay" },
            counted(set.all_removed(), "row"),
            if set.all_removed() == 1 {
                "was"
            } else {
                "were"
            },
            counted(set.rejected, "record"),
        )
    };
    findings.sets.iter().map(sentence).collect()
}

/// Sentences about the duplicates of a dataset, and about the rows that it shares with other datasets.
fn problem_sentences(set: &SetFindings) -> Vec<String> {
    let count = |of: &ByClass, by: &str| of.get(by).copied().unwrap_or(0);
    let mut problems = Vec::new();
    let mut add_problem = |rows: u64, [verb_of_one, verb]: [&str; 2], words: String| {
        if rows > 0 {
            let (noun, verb) = match rows {
                1 => ("row", verb_of_one),
                _ => ("rows", verb),
            };
            let rows = findings::number_with_percentage(rows, set.rows);
            problems.push(format!("{rows} {noun} of {} {verb} {words}", set.name));
        }
    };
    add_problem(
        count(&set.duplicates, "isomorph"),
        ["repeats", "repeat"],
        format!(
            "an earlier puzzle of the set up to isomorphism, {} of them as it is.",
            thousands(count(&set.duplicates, "exact"))
        ),
    );
    for shared in &set.shared {
        let grid = count(&shared.rows, "grid").max(count(&shared.rows, "isomorph"));
        add_problem(
            grid,
            ["shares", "share"],
            format!(
                "the solution with {} up to isomorphism, {} of them the puzzle, and {} the very same puzzle.",
                shared.with,
                thousands(count(&shared.rows, "isomorph")),
                thousands(count(&shared.rows, "exact")),
            ),
        );
    }
    problems
}

/// The page of an audit: first the removed rows, then charts of the datasets as they were before the removal.
///
/// # Errors
///
/// A chart cannot be drawn, which would be a bug.
pub fn audit_page(findings: &AuditFindings) -> Result<String, Error> {
    let chart_sides = chart_sides(findings, |set| &set.before);
    let mut head_html = String::new();
    for sentence in set_sentences(findings) {
        head_html += &format!("<p class=\"about\">{}</p>\n", escape_html(&sentence));
    }
    let set_tables: Vec<Vec<String>> = if chart_sides.len() == findings.sets.len() {
        findings.sets.iter().map(problem_sentences).collect()
    } else {
        vec![findings.sets.iter().flat_map(problem_sentences).collect()]
    };
    head_html += &findings::headline_with(&chart_sides, None, &set_tables);
    let mut all_sections = Vec::new();
    for (id, size, sheet) in audit_sections(findings) {
        all_sections.push(Section::new(id, &sheet.title, size, sheet_html(&sheet)));
    }
    all_sections.extend(sections::page_sections(&chart_sides)?);
    let commands = format!("<pre>{}</pre>\n", escape_html(&script(findings)));
    let row = SectionSize::Row;
    all_sections.push(Section::new("commands", "Commands", row, commands));
    Ok(html_document(
        &format!("Sudoku audit: {}", findings.title),
        &head_html,
        all_sections,
    ))
}

fn sheet_html(sheet: &Sheet) -> String {
    let mut html = html_table(&sheet.columns, &sheet.rows);
    for note in &sheet.notes {
        html += &format!("<p>{}</p>\n", escape_html(note));
    }
    html
}

/// A picture with charts of the cleaned datasets, as SVG.
///
/// # Errors
///
/// A chart cannot be drawn, which would be a bug.
pub fn audit_picture(findings: &AuditFindings) -> Result<String, Error> {
    let page = Page {
        sides: chart_sides(findings, |set| &set.after),
        overlap: None,
    };
    page.svg()
}

/// A shell script with the commands that reproduce each step of the audit.
pub fn script(findings: &AuditFindings) -> String {
    let mut text = String::from(
        "#!/bin/sh\n# Repeats the steps of an audit with single commands. The first ones say what is wrong with \
         the sets,\n# so that some of them end with exit code 3.\n",
    );
    for (why, line) in &findings.steps {
        text += &format!("\n# {why}\n{line}\n");
    }
    text
}

/// The dataset card of the cleaned datasets. `picture` is the name of a picture beside the card. The columns
/// `copied_columns` are copied from the inputs.
pub fn audit_card(
    findings: &AuditFindings,
    picture: &str,
    columns_of: &[(String, String)],
    copied_columns: &[CopiedColumn],
) -> String {
    let title = markdown_text(&findings.title);
    let mut text = format!("{}\n# {title}\n\n", yaml_header(findings));
    let kept_rows: u64 = findings.sets.iter().map(|set| set.kept).sum();
    text += &format!(
        "{} Sudoku puzzles, each with exactly one solution. Cleaned with `pipeline audit`.\n\n",
        thousands(kept_rows)
    );
    for sentence in set_sentences(findings) {
        text += &format!("- {}\n", markdown_text(&sentence));
    }
    text += &format!("\n![Charts of {title}](<{}>)\n", markdown_path(picture));
    text += &loading_example(findings);
    text += &format!("\n{}", markdown(&audit_sheets(findings)));
    for set in &findings.sets {
        text += &frequent_techniques(set);
    }
    let fields = Statistics {
        fields: columns_of.to_vec(),
        ..Statistics::default()
    };
    text += "\n## Columns\n";
    text += &describe_columns(&fields, copied_columns);
    text += &format!(
        "\n## Commands\n\n```sh\n{}```\n",
        script(findings).replace("```", "'''")
    );
    text + &format!("\nCounted by pipeline {}.\n", crate::VERSION)
}

/// Changes the name of a split to a name that the Hugging Face hub accepts.
fn hub_split_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let to_plain_character = |c: char| if is_plain(c) { c } else { '_' };
    name.chars().map(to_plain_character).collect()
}

/// The YAML header, which the hub parses.
fn yaml_header(findings: &AuditFindings) -> String {
    let kept_rows = findings.sets.iter().map(|set| set.kept).sum();
    let mut yaml = format!(
        "---\npretty_name: {}\nsize_categories:\n- {}\ntags: [sudoku, puzzles, reasoning, tabular]\n\
         configs:\n- config_name: default\n  data_files:\n",
        quoted_yaml(&findings.title),
        size_category(kept_rows)
    );
    for set in &findings.sets {
        yaml += &format!(
            "  - split: {}\n    path: {}\n",
            hub_split_name(&set.name),
            quoted_yaml(&set.file)
        );
    }
    yaml + "---\n"
}

/// An example of how to load the datasets in Python.
fn loading_example(findings: &AuditFindings) -> String {
    let Some(first) = findings.sets.first() else {
        return String::new();
    };
    let Some(builder) = loader_name(&first.file) else {
        return String::new();
    };
    let files: Vec<String> = (findings.sets.iter())
        .map(|set| {
            format!(
                "{}: {}",
                quoted_yaml(&hub_split_name(&set.name)),
                quoted_yaml(&set.file)
            )
        })
        .collect();
    format!(
        "\n```python\nfrom datasets import load_dataset\n\n\
         sets = load_dataset(\"{builder}\", data_files={{{}}})\n```\n",
        files.join(", ")
    )
}

/// The most frequent hardest techniques of a cleaned dataset, as a phrase.
fn frequent_techniques(set: &SetFindings) -> String {
    if set.after.technique.is_empty() {
        return String::new();
    }
    let (name, techniques) = (&set.name, most_frequent_techniques(&set.after));
    let sentence = format!("Most frequent hardest techniques of {name}: {techniques}.");
    format!("\n{}\n", markdown_text(&sentence))
}
