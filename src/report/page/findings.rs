//! The start of a page: sentences about the dataset and its difficulty, its problems, and its main figures.

use serde_json::{Value, json};
use sudoku_core::grade::Level;
use sudoku_core::solve::Status;

use super::Overlap;
use super::drawing::html::{escape_html, html_table, sentence_html};
use super::problems::{missing_checks_sentence, problem_sentences, problems_heading};
use crate::counts::statistics::{Statistics, rank_of};
use crate::numbers::thousands;
use crate::report::sheets::Side;
use crate::report::sheets::names::technique_name_in_sentence;
use crate::report::sheets::percent::{percent_text, to_percent};

/// The start of a page as HTML: sentences about each dataset, its problems, and a table of main figures.
pub(super) fn headline(sides: &[Side], overlap: Option<&Overlap>) -> String {
    headline_with(sides, overlap, &[])
}

/// The start of a page as HTML. `more_problems` has additional sentences about the problems of each dataset.
pub(super) fn headline_with(
    sides: &[Side],
    overlap: Option<&Overlap>,
    more_problems: &[Vec<String>],
) -> String {
    let mut html = String::from("<div class=\"sides\">\n");
    for (at, side) in sides.iter().enumerate() {
        html += "<div class=\"side\">\n";
        if sides.len() > 1 {
            html += &format!("<h2>{}</h2>\n", escape_html(&side.name));
        }
        for sentence in dataset_sentences(&side.statistics) {
            html += &format!("<p class=\"about\">{}</p>\n", sentence_html(&sentence));
        }
        let mut problems = problem_sentences(&side.statistics);
        problems.extend(more_problems.get(at).into_iter().flatten().cloned());
        html += &format!("<h3>{}</h3>\n", problems_heading(&side.statistics));
        html += &if problems.is_empty() {
            "<p>Nothing was found.</p>\n".to_owned()
        } else {
            let item_html = problems
                .iter()
                .map(|item| format!("<li>{}</li>\n", sentence_html(item)));
            format!(
                "<ul class=\"findings\">\n{}</ul>\n",
                item_html.collect::<String>()
            )
        };
        if let Some(sentence) =
            missing_checks_sentence(&side.statistics).filter(|_| more_problems.is_empty())
        {
            html += &format!("<p>{}</p>\n", sentence_html(sentence));
        }
        html += "</div>\n";
    }
    html += &format!("<div class=\"side\">\n{}", main_figures(sides));
    if let (Some(overlap), [first, second]) = (overlap, sides) {
        html += &format!(
            "<p>{}</p>\n",
            sentence_html(&overlap_sentences(*overlap, [first, second]))
        );
    }
    html + "</div>\n</div>\n"
}

/// Sentences about the overlap of two datasets.
fn overlap_sentences(overlap: Overlap, [first, second]: [&Side; 2]) -> String {
    let distinct = |side: &Side| {
        side.statistics
            .duplicates
            .as_ref()
            .map_or(0, |overlap| overlap.distinct)
    };
    let share = |side: &Side| match distinct(side) {
        all if all == overlap.exact => format!("all of {}", side.name),
        all => {
            let share = percent_text(to_percent(overlap.exact, all));
            format!("{share} of those of {}", side.name)
        }
    };
    let mut text = match overlap.exact {
        0 => format!(
            "{} and {} have no puzzle in common.",
            first.name, second.name
        ),
        exact => format!(
            "{} different puzzles are in both: {}, {}.",
            thousands(exact),
            share(first),
            share(second)
        ),
    };
    text += &match overlap.isomorphs {
        Some(isomorphs) => format!(
            " Up to rotation, reflection and relabelling, they are {}.",
            thousands(isomorphs)
        ),
        None => String::new(),
    };
    text + " pipeline overlap counts the rows, with those that share an isomorph or a solution."
}

/// A number with its percentage: `3 (1.5 %)`.
pub(super) fn number_with_percentage(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    let percent = match percent {
        percent if percent >= 0.095 || part == 0 => format!("{percent:.1}"),
        _ => "less than 0.1".to_owned(),
    };
    format!("{} ({percent} %)", thousands(part))
}

/// At most two sentences about the datasets, for a picture.
pub(super) fn brief_sentences(sides: &[Side]) -> Vec<String> {
    match sides {
        [side] => dataset_sentences(&side.statistics)
            .into_iter()
            .take(2)
            .collect(),
        sides => (sides.iter())
            .filter_map(|side| {
                let first_sentence = dataset_sentences(&side.statistics).into_iter().next()?;
                Some(format!("{}: {first_sentence}", side.name))
            })
            .collect(),
    }
}

/// Sentences about the size and the difficulty of a dataset.
pub(super) fn dataset_sentences(statistics: &Statistics) -> Vec<String> {
    if statistics.rows == 0 {
        return vec![match statistics.rejected() {
            0 => "There are no rows.".to_owned(),
            rejects => format!("There are no rows, and {} rejects.", thousands(rejects)),
        }];
    }
    let row_noun = if statistics.cells.puzzles > 0 || !statistics.clues.is_empty() {
        "puzzles"
    } else {
        "rows"
    };
    let row_noun = if statistics.rows == 1 {
        row_noun.trim_end_matches('s')
    } else {
        row_noun
    };
    let mut first_sentence = format!("{} {row_noun}", thousands(statistics.rows));
    if let (Some(least), Some(most), Some(median)) = (
        statistics.clues.min(),
        statistics.clues.max(),
        statistics.clues.quantile(0.5),
    ) {
        first_sentence += &if least == most {
            format!(" with {least} clues")
        } else {
            format!(" with {least} to {most} clues, median {median}")
        };
    }
    let mut sentences = vec![first_sentence + "."];
    if let Some(evaluation) = &statistics.evaluation {
        let (exact, predictions) = (evaluation.all().exact(), evaluation.all().rows());
        sentences.push(format!(
            "Predictions that solve their puzzle: {}.",
            number_with_percentage(exact, predictions)
        ));
    }
    let graded = statistics.graded();
    if graded == 0 {
        sentences.push("They have no grades: pipeline grade writes them.".to_owned());
        return sentences;
    }
    let levels: Vec<String> = (Level::ALL.into_iter().map(Level::id))
        .filter_map(|id| {
            Some(format!(
                "{id} {}",
                number_with_percentage(*statistics.level.get(id)?, graded)
            ))
        })
        .collect();
    if !levels.is_empty() {
        sentences.push(format!("{}.", levels.join(", ")));
    }
    let mut ranks: Vec<(u64, &str, u64)> = (statistics.technique.iter())
        .filter_map(|(id, rows)| Some((rank_of(id)?, id.as_str(), *rows)))
        .collect();
    ranks.sort_unstable();
    let mut rows_so_far = 0;
    let median_technique = ranks.iter().find(|(_, _, rows)| {
        rows_so_far += rows;
        2 * rows_so_far >= graded
    });
    if let (Some((_, median_technique, _)), Some((_, hardest, rows))) =
        (median_technique, ranks.last())
    {
        sentences.push(match ranks.len() {
            1 => format!(
                "All of them need {}.",
                technique_name_in_sentence(median_technique)
            ),
            _ => format!(
                "Half of them need at most {}; the hardest need {} ({}).",
                technique_name_in_sentence(median_technique),
                technique_name_in_sentence(hardest),
                thousands(*rows)
            ),
        });
    }
    sentences
}

/// The title of a page or a picture about these datasets, or about predictions for their puzzles.
pub(super) fn page_title(sides: &[Side]) -> String {
    let names: Vec<&str> = sides.iter().map(|side| side.name.as_str()).collect();
    let subject = if sides
        .iter()
        .all(|side| side.statistics.evaluation.is_some())
    {
        "Predictions"
    } else {
        "Sudoku dataset"
    };
    format!("{subject}: {}", names.join(" and "))
}

/// A table with the main figures of all datasets, as HTML.
fn main_figures(sides: &[Side]) -> String {
    let columns: Vec<String> = ["".to_owned()]
        .into_iter()
        .chain(sides.iter().map(|side| side.name.clone()))
        .collect();
    let mut rows: Vec<Vec<Value>> = Vec::new();
    let mut add_row = |name: &str, figure: &dyn Fn(&Statistics) -> Value| {
        let values: Vec<Value> = sides.iter().map(|side| figure(&side.statistics)).collect();
        if values.iter().any(|value| !value.is_null()) {
            rows.push([json!(name)].into_iter().chain(values).collect());
        }
    };
    add_row("rows", &|of| json!(of.rows));
    add_row("rejects", &|of| json!(of.rejected()));
    for status in Status::ALL {
        add_row(&format!("status {}", status.id()), &|of| {
            json!(of.status.get(status.id()))
        });
    }
    add_row("predictions that solve", &|of| {
        json!(of.evaluation.as_ref().map(|own| own.all().exact()))
    });
    add_row("graded", &|of| {
        json!(Some(of.graded()).filter(|graded| *graded > 0))
    });
    add_row("average clues", &|of| json!(of.clues.mean()));
    add_row("average effort", &|of| json!(of.effort.mean()));
    add_row("average search nodes", &|of| json!(of.nodes.mean()));
    add_row("different as they are written", &|of| {
        json!(of.duplicates.as_ref().map(|found| found.distinct))
    });
    add_row("different up to isomorphism", &|of| {
        json!(of.isomorphs.as_ref().map(|found| found.distinct))
    });
    html_table(&columns, &rows)
}
