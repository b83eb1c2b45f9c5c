//! The charts of a page.

use serde_json::{Value, json};
use sudoku_core::grade::{HardestTechnique, Level, Rank};

use super::document::{Extent, Section};
use super::drawing::bins::{Bin, doubling, even, logarithmic};
use super::drawing::chart::{Chart, LEVELS, WIDTH};
use super::drawing::html::{escape, figure, folded};
use super::drawing::names::{level_colour, level_key, technique_colour, technique_name};
use super::drawing::percent::{percent, share};
use super::picture::PANEL;
use super::side::Side;
use super::{cells, labels};
use crate::error::Error;
use crate::numbers::thousands;
use crate::report::EvaluationGroup;
use crate::report::sheets::no_uses;
use crate::report::statistics::{Counts, Histogram, Statistics};
use crate::table::reject::RejectKind;

/// The most classes of a histogram.
const CLASSES: u64 = 40;

/// The most techniques in a picture: the most frequent ones.
const IN_PICTURE: usize = 10;

/// The width and height of a chart; `None` is the height that it needs.
type Size = (f64, Option<f64>);

/// The size of a chart of a page.
const ON_PAGE: Size = (WIDTH, None);

/// A chart with its caption and its figures as a folded table.
struct Drawn {
    svg: String,
    caption: String,
    key: String,
    figures: String,
}

impl Drawn {
    fn html(self) -> String {
        self.key + &figure(&self.svg, &self.caption, &self.figures)
    }
}

/// The charts of a picture with their titles: the first four that the datasets have figures for.
pub(super) fn panels(sides: &[Side]) -> Result<Vec<(&'static str, String)>, Error> {
    let size = (PANEL.0, Some(PANEL.1 - 24.0));
    let charts = [
        ("Levels", levels(sides, size)?),
        (
            "Hardest technique",
            techniques(sides, size, IN_PICTURE / sides.len().max(1))?,
        ),
        ("Clues", clues(sides, size)?),
        ("Effort", effort(sides, size)?),
        ("Search nodes", nodes(sides, size)?),
    ];
    let charts = charts.into_iter();
    let drawn = charts.filter_map(|(title, drawn)| Some((title, drawn?.svg)));
    Ok(drawn.take(4).collect())
}

/// The sections with charts; those without data are left out.
pub(super) fn sections(sides: &[Side]) -> Result<Vec<Section>, Error> {
    let mut sections = Vec::new();
    let mut add = |id: &'static str, title: &str, body: Option<String>| {
        if let Some(body) = body {
            let title = title.to_owned();
            sections.push(Section {
                id,
                title,
                body,
                extent: match id {
                    "labels" => Extent::Row,
                    "techniques" | "uses" | "solved-by-technique" => Extent::Tall,
                    _ => Extent::Cell,
                },
            });
        }
    };
    // In an order in which charts of the same height stand beside each other.
    let html = |drawn: Option<Drawn>| drawn.map(Drawn::html);
    add("levels", "Levels", html(levels(sides, ON_PAGE)?));
    add("clues", "Clues", html(clues(sides, ON_PAGE)?));
    let all = techniques(sides, ON_PAGE, usize::MAX)?;
    add("effort", "Effort", html(effort(sides, ON_PAGE)?));
    add("techniques", "Hardest technique", html(all));
    add("uses", "Techniques used at all", uses(sides)?);
    let by_level = solved(sides, EvaluationGroup::Level)?;
    add(
        "solved-by-level",
        "Predictions that solve, by level",
        html(by_level),
    );
    let by_technique = solved(sides, EvaluationGroup::Technique)?;
    add(
        "solved-by-technique",
        "Predictions that solve, by hardest technique",
        html(by_technique),
    );
    add("nodes", "Search nodes", html(nodes(sides, ON_PAGE)?));
    add("cells", "Where clues stand", cells::positions(sides)?);
    add("digits", "Which digits are clues", cells::digits(sides)?);
    add("labels", "Levels by label", labels::section(sides)?);
    add("rejects", "Rejects by error", rejects(sides)?);
    Ok(sections)
}

/// The share of each id in the rows of each side: a series a side.
fn series(
    sides: &[Side],
    ids: &[&str],
    count: impl Fn(&Statistics, &str) -> u64,
    all: impl Fn(&Statistics) -> u64,
) -> Vec<(String, Vec<f64>)> {
    let of_side = |side: &Side| {
        let of = &side.statistics;
        let shares = ids.iter().map(|id| percent(count(of, id), all(of)));
        (side.name.clone(), shares.collect())
    };
    sides.iter().map(of_side).collect()
}

/// The rows of each id, side by side.
fn figures(
    sides: &[Side],
    what: &str,
    ids: &[&str],
    count: impl Fn(&Statistics, &str) -> u64,
) -> String {
    let columns: Vec<String> = [what.to_owned()]
        .into_iter()
        .chain(sides.iter().map(|side| rows_of(sides, side)))
        .collect();
    let row = |id: &&str| -> Vec<Value> {
        let counts = sides.iter().map(|side| json!(count(&side.statistics, id)));
        [json!(id)].into_iter().chain(counts).collect()
    };
    let rows: Vec<Vec<Value>> = ids.iter().map(row).collect();
    folded("Figures", &columns, &rows)
}

/// The name of the column with a side's rows.
pub(super) fn rows_of(sides: &[Side], side: &Side) -> String {
    match sides.len() {
        1 => "rows".to_owned(),
        _ => format!("rows of {}", side.name),
    }
}

/// What a chart says in words: the largest of each side.
fn largest(sides: &[Side], series: &[(String, Vec<f64>)], categories: &[String]) -> String {
    let words: Vec<String> = (series.iter())
        .filter_map(|(name, values)| {
            let (at, most) = values
                .iter()
                .enumerate()
                .max_by(|one, other| one.1.total_cmp(other.1).then(other.0.cmp(&one.0)))?;
            let category = categories.get(at).filter(|_| *most > 0.0)?;
            let most = share(*most);
            let of = if sides.len() > 1 {
                format!(" of {name}")
            } else {
                String::new()
            };
            Some(format!("Most rows{of}: {category}, {most}."))
        })
        .collect();
    words.join(" ")
}

fn ids_of<'a>(
    sides: &'a [Side],
    counts: impl Fn(&'a Statistics) -> &'a Counts,
    order: Vec<&'a str>,
) -> Vec<&'a str> {
    let mut ids = order;
    for id in sides
        .iter()
        .flat_map(|side| counts(&side.statistics).keys())
    {
        if !ids.contains(&id.as_str()) {
            ids.push(id);
        }
    }
    let occurs = |id: &&str| {
        sides.iter().any(|side| {
            counts(&side.statistics)
                .get(*id)
                .is_some_and(|rows| *rows > 0)
        })
    };
    ids.retain(occurs);
    ids
}

fn levels(sides: &[Side], size: Size) -> Result<Option<Drawn>, Error> {
    if sides.iter().all(|side| side.statistics.level.is_empty()) {
        return Ok(None);
    }
    let ids: Vec<&str> = Level::ALL.into_iter().map(Level::id).collect();
    let count = |of: &Statistics, id: &str| of.level.get(id).copied().unwrap_or(0);
    let series = series(sides, &ids, count, Statistics::graded);
    let categories: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    let caption = format!(
        "Graded puzzles by level. {}",
        largest(sides, &series, &categories)
    );
    let mut chart = level_chart(sides, &caption, categories, series);
    chart.size = size;
    let svg = match sides.len() {
        1 => chart.bars()?,
        _ => chart.rows()?,
    };
    let has_key = sides.len() > 1 && size == ON_PAGE;
    Ok(Some(Drawn {
        svg,
        caption,
        key: if has_key {
            level_key(false)
        } else {
            String::new()
        },
        figures: figures(sides, "level", &ids, count),
    }))
}

/// The levels of one dataset as bars, or those of two as rows, in the colours of the levels.
fn level_chart<'a>(
    sides: &[Side],
    caption: &str,
    categories: Vec<String>,
    series: Vec<(String, Vec<f64>)>,
) -> Chart<'a> {
    let chart = Chart {
        title: "Puzzles by level",
        description: caption.to_owned(),
        value_title: "share of graded puzzles",
        ..Chart::default()
    };
    if sides.len() == 1 {
        return Chart {
            bar_colours: categories.iter().map(|id| level_colour(id)).collect(),
            categories,
            series,
            category_title: "level",
            has_labels: true,
            ..chart
        };
    }
    let of_level = |(at, level): (usize, String)| {
        let shares = series.iter().map(|(_, shares)| shares[at]);
        (level, shares.collect())
    };
    Chart {
        series: categories.into_iter().enumerate().map(of_level).collect(),
        categories: series.iter().map(|(name, _)| short_name(name)).collect(),
        colours: LEVELS.to_vec(),
        is_stacked: true,
        ..chart
    }
}

/// The name of a dataset, cut to what fits beside a chart.
fn short_name(name: &str) -> String {
    match name.char_indices().nth(20) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

fn techniques(sides: &[Side], size: Size, most: usize) -> Result<Option<Drawn>, Error> {
    let order = Rank::all()
        .map(Rank::id)
        .chain([HardestTechnique::BEYOND.id])
        .collect();
    let mut ids = ids_of(sides, |of| &of.technique, order);
    if ids.is_empty() {
        return Ok(None);
    }
    if ids.len() > most {
        let rows = |id: &str| {
            let rows = |side: &Side| side.statistics.technique.get(id).copied().unwrap_or(0);
            sides.iter().map(rows).sum::<u64>()
        };
        let mut frequent = ids.clone();
        frequent.sort_by_key(|id| std::cmp::Reverse(rows(id)));
        frequent.truncate(most);
        ids.retain(|id| frequent.contains(id));
    }
    let count = |of: &Statistics, id: &str| of.technique.get(id).copied().unwrap_or(0);
    let series = series(sides, &ids, count, Statistics::graded);
    let categories: Vec<String> = ids.iter().map(|id| technique_name(id)).collect();
    let caption = format!(
        "The hardest technique that puzzles need, easiest first. {}",
        largest(sides, &series, &categories)
    );
    let chart = Chart {
        title: "Puzzles by hardest technique",
        description: caption.clone(),
        categories,
        series,
        bar_colours: ids.iter().map(|id| technique_colour(id)).collect(),
        size,
        category_title: "technique",
        value_title: "share of graded puzzles, in %",
        has_labels: true,
        ..Chart::default()
    };
    Ok(Some(Drawn {
        svg: chart.rows()?,
        caption,
        key: key(sides, &ids),
        figures: figures(sides, "technique", &ids, count),
    }))
}

/// The key of a chart of techniques, whose bars have the colours of levels if there is one dataset.
fn key(sides: &[Side], ids: &[&str]) -> String {
    match sides.len() {
        1 => level_key(ids.contains(&HardestTechnique::BEYOND.id)),
        _ => String::new(),
    }
}

/// The share of predictions that solve their puzzle, for each level or hardest technique.
fn solved(sides: &[Side], group: EvaluationGroup) -> Result<Option<Drawn>, Error> {
    let is_level = group == EvaluationGroup::Level;
    let order: Vec<&str> = match is_level {
        true => Level::ALL.into_iter().map(Level::id).collect(),
        false => Rank::all().map(Rank::id).collect(),
    };
    let order = order.into_iter().chain([HardestTechnique::BEYOND.id]);
    let ids: Vec<&str> = order
        .filter(|id| {
            sides
                .iter()
                .any(|side| counts_of(&side.statistics, group, id).0 > 0)
        })
        .collect();
    if ids.is_empty() {
        return Ok(None);
    }
    let of_side = |side: &Side| {
        let shares = ids.iter().map(|id| {
            let (rows, exact) = counts_of(&side.statistics, group, id);
            percent(exact, rows)
        });
        (side.name.clone(), shares.collect())
    };
    let categories: Vec<String> = match is_level {
        true => ids.iter().map(|id| (*id).to_owned()).collect(),
        false => ids.iter().map(|id| technique_name(id)).collect(),
    };
    let words: Vec<String> = (sides.iter())
        .filter_map(|side| {
            let all = side.statistics.evaluation.as_ref()?.all();
            let of = match sides.len() {
                1 => String::new(),
                _ => format!("{}: ", side.name),
            };
            let exact = share(percent(all.exact(), all.rows()));
            Some(format!(
                "{of}{exact} of {} predictions solve their puzzle.",
                thousands(all.rows())
            ))
        })
        .collect();
    let caption = words.join(" ");
    let colour = |id: &&str| match is_level {
        true => level_colour(id),
        false => technique_colour(id),
    };
    let chart = Chart {
        title: "Predictions that solve their puzzle",
        description: caption.clone(),
        categories,
        series: sides.iter().map(of_side).collect(),
        bar_colours: ids.iter().map(colour).collect(),
        category_title: group.id(),
        value_title: "share of predictions, in %",
        has_labels: true,
        ..Chart::default()
    };
    Ok(Some(Drawn {
        svg: chart.rows()?,
        caption,
        key: match is_level {
            true => String::new(),
            false => key(sides, &ids),
        },
        figures: solved_figures(sides, group, &ids),
    }))
}

/// The predictions for a group of puzzles, and how many of them solve.
fn counts_of(of: &Statistics, group: EvaluationGroup, id: &str) -> (u64, u64) {
    let groups = of.evaluation.iter().flat_map(|of| of.of_group(group));
    let counts = groups.into_iter().find(|(name, _)| *name == id);
    counts.map_or((0, 0), |(_, counts)| (counts.rows(), counts.exact()))
}

fn solved_figures(sides: &[Side], group: EvaluationGroup, ids: &[&str]) -> String {
    let columns = [group.id().to_owned()].into_iter();
    let columns = columns.chain(sides.iter().flat_map(|side| match sides.len() {
        1 => ["predictions".to_owned(), "solve".to_owned()],
        _ => [
            format!("predictions of {}", side.name),
            format!("solve, of {}", side.name),
        ],
    }));
    let row = |id: &&str| -> Vec<Value> {
        let counts = sides.iter().flat_map(|side| {
            let (rows, exact) = counts_of(&side.statistics, group, id);
            [json!(rows), json!(exact)]
        });
        [json!(id)].into_iter().chain(counts).collect()
    };
    let rows: Vec<Vec<Value>> = ids.iter().map(row).collect();
    folded("Figures", &columns.collect::<Vec<_>>(), &rows)
}

fn uses(sides: &[Side]) -> Result<Option<String>, Error> {
    let ids: Vec<&str> = (Rank::all().map(Rank::id))
        .filter(|id| {
            sides
                .iter()
                .any(|side| side.statistics.uses.contains_key(*id))
        })
        .collect();
    if ids.is_empty() {
        let is_graded = sides.iter().any(|side| side.statistics.graded() > 0);
        let note = || format!("<p>{}</p>\n", escape(&no_uses()));
        return Ok(is_graded.then(note));
    }
    let count = |of: &Statistics, id: &str| of.uses.get(id).map_or(0, |uses| uses.puzzles);
    let series = series(sides, &ids, count, Statistics::graded);
    let caption = "Puzzles in which a technique is used, be it the hardest or not.".to_owned();
    let chart = Chart {
        title: "Puzzles by techniques used",
        description: caption.clone(),
        categories: ids.iter().map(|id| technique_name(id)).collect(),
        series,
        bar_colours: ids.iter().map(|id| technique_colour(id)).collect(),
        category_title: "technique",
        value_title: "share of graded puzzles, in %",
        has_labels: true,
        ..Chart::default()
    };
    let columns: Vec<String> = ["technique".to_owned()]
        .into_iter()
        .chain(sides.iter().flat_map(|side| {
            let of = if sides.len() > 1 {
                format!(" of {}", side.name)
            } else {
                String::new()
            };
            [format!("puzzles{of}"), format!("uses{of}")]
        }))
        .collect();
    let row = |id: &&str| -> Vec<Value> {
        let counts = sides.iter().flat_map(|side| {
            let uses = side.statistics.uses.get(*id).copied().unwrap_or_default();
            [json!(uses.puzzles), json!(uses.waves)]
        });
        [json!(id)].into_iter().chain(counts).collect()
    };
    let rows: Vec<Vec<Value>> = ids.iter().map(row).collect();
    let figures = folded("Figures", &columns, &rows);
    Ok(Some(
        key(sides, &ids) + &figure(&chart.rows()?, &caption, &figures),
    ))
}

fn clues(sides: &[Side], size: Size) -> Result<Option<Drawn>, Error> {
    let classes = |of: &[&Histogram]| even(of, CLASSES);
    let words = ("clues", "clues");
    histogram(sides, words, |of| &of.clues, classes, false, size)
}

fn effort(sides: &[Side], size: Size) -> Result<Option<Drawn>, Error> {
    let words = ("effort", "effort, in classes on a logarithmic scale");
    histogram(sides, words, |of| &of.effort, logarithmic, false, size)
}

fn nodes(sides: &[Side], size: Size) -> Result<Option<Drawn>, Error> {
    let words = (
        "search nodes",
        "search nodes, in classes on a logarithmic scale",
    );
    histogram(sides, words, |of| &of.nodes, doubling, true, size)
}

fn histogram(
    sides: &[Side],
    (what, axis): (&str, &str),
    of: impl Fn(&Statistics) -> &Histogram,
    classes: impl Fn(&[&Histogram]) -> Vec<Bin>,
    is_log: bool,
    size: Size,
) -> Result<Option<Drawn>, Error> {
    let all: Vec<&Histogram> = sides.iter().map(|side| of(&side.statistics)).collect();
    let bins = classes(&all);
    if bins.is_empty() {
        return Ok(None);
    }
    // The library rounds the numbers of an axis to tenths, so small shares are parts of a million.
    let (scale, unit, value_title) = match is_log {
        true => (10_000.0, "", "puzzles of a million, logarithmic"),
        false => (1.0, "%", "share of puzzles"),
    };
    let series = sides.iter().zip(&all).map(|(side, of)| {
        let shares = bins
            .iter()
            .map(|bin| scale * percent(bin.count(of), of.count()));
        (side.name.clone(), shares.collect())
    });
    let words: Vec<String> = sides
        .iter()
        .zip(&all)
        .filter_map(|(side, of)| {
            let from = match sides.len() {
                1 => "From".to_owned(),
                _ => format!("{}: from", side.name),
            };
            Some(format!(
                "{from} {} to {} {what}, half of the puzzles have at most {}, the average is {:.1}.",
                thousands(of.min()?),
                thousands(of.max()?),
                thousands(of.quantile(0.5)?),
                of.mean()?
            ))
        })
        .collect();
    let caption = words.join(" ");
    let chart = Chart {
        title: &format!("Puzzles by {what}"),
        description: caption.clone(),
        categories: bins.iter().map(|bin| bin.name.clone()).collect(),
        series: series.collect(),
        category_title: axis,
        value_title,
        unit,
        is_log,
        size,
        ..Chart::default()
    };
    let columns: Vec<String> = [what.to_owned()]
        .into_iter()
        .chain(sides.iter().map(|side| rows_of(sides, side)))
        .collect();
    let rows: Vec<Vec<Value>> = (bins.iter())
        .map(|bin| {
            let counts = all.iter().map(|of| json!(bin.count(of)));
            [json!(bin.name)].into_iter().chain(counts).collect()
        })
        .collect();
    Ok(Some(Drawn {
        svg: chart.bars()?,
        figures: folded("Figures", &columns, &rows),
        key: String::new(),
        caption,
    }))
}

fn rejects(sides: &[Side]) -> Result<Option<String>, Error> {
    let known = RejectKind::ALL.map(RejectKind::id);
    let mut ids: Vec<&str> = known.to_vec();
    for id in sides.iter().flat_map(|side| side.statistics.rejects.keys()) {
        if !ids.contains(&id.as_str()) {
            ids.push(id);
        }
    }
    let count = |of: &Statistics, id: &str| of.rejects.get(id).map_or(0, |rejects| rejects.rows);
    ids.retain(|id| sides.iter().any(|side| count(&side.statistics, id) > 0));
    // A page does not grow with its data: errors that are not of this program may be many.
    ids.truncate(20);
    if ids.is_empty() {
        return Ok(None);
    }
    let of_side = |side: &Side| {
        let rows = ids.iter().map(|id| count(&side.statistics, id) as f64);
        (side.name.clone(), rows.collect())
    };
    let series = sides.iter().map(of_side).collect();
    let caption = "Records that are not puzzles.".to_owned();
    let chart = Chart {
        title: "Rejects by error",
        description: caption.clone(),
        categories: ids.iter().map(|id| id.replace('_', " ")).collect(),
        series,
        category_title: "error",
        value_title: "records",
        unit: "",
        has_labels: true,
        ..Chart::default()
    };
    let columns = ["error", "source", "row", "line", "message", "record"].map(str::to_owned);
    let first = sides.iter().flat_map(|side| &side.statistics.rejects);
    let first: Vec<Vec<Value>> = first
        .take(20)
        .flat_map(|(error, rejects)| {
            rejects.first.iter().map(move |first| {
                let (line, row) = (json!(first.line), json!(first.row));
                vec![
                    json!(error),
                    json!(first.source),
                    row,
                    line,
                    json!(first.message),
                    json!(first.raw),
                ]
            })
        })
        .collect();
    let tables = figures(sides, "error", &ids, count) + &folded("The first ones", &columns, &first);
    Ok(Some(figure(&chart.rows()?, &caption, &tables)))
}
