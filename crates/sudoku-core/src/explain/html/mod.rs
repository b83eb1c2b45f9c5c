//! Explanations as one page: no script, no other file.

mod rated;
mod svg;

use super::Explanation;
use super::library::LibraryPosition;
use super::manual::{ABOUT_SEARCH, Manual};
use super::markdown::{Block, blocks};
use super::outline::{NOTATION, Outline, has_trace, outline};
use super::technique::{name, place};
use super::walk::{Walk, Wave};
use super::words;
use crate::board::{Candidates, CellSet, Digit};
use crate::grade::{Case, Level, Step};
use crate::text::Puzzle;

/// The style of pages with drawings of boards.
pub(super) const STYLE: &str = include_str!("style.css");

/// The colours of sets in the style.
pub(super) const SET_COLOURS: usize = 6;

/// Lines of a trace that are shown unasked.
const UNFOLDED: usize = 8;

/// Steps of a wave that have a drawing of their own.
const DRAWN: usize = 6;

const LEGEND: &str = r#"<ul class="legend">
<li><svg viewBox="0 0 26 20" aria-hidden="true"><circle class="pattern" cx="13" cy="10" r="8" /></svg>pattern</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><circle class="other" cx="13" cy="10" r="8" /></svg>second role: fins, pincers, another set; every other end of a chain</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><path class="strike" d="M2 18l22 -16" /><circle class="removed" cx="13" cy="10" r="8" /></svg>removed</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><circle class="placed" cx="13" cy="10" r="8" /></svg>placed</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><path class="strong" d="M1 12Q13 4 25 12" /></svg>strong link: one of the two is true</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><path class="weak" d="M1 12Q13 4 25 12" /></svg>weak link: at most one is true</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><path class="group" d="M7 10L19 10" /></svg>group: one of the cells</li>
<li><svg viewBox="0 0 26 20" aria-hidden="true"><rect class="tint tint-0" x="2" y="2" width="11" height="16" /><rect class="tint tint-1" x="13" y="2" width="11" height="16" /></svg>sets, each in the colour of its name</li>
</ul>
"#;

pub(super) fn page(explanation: &Explanation) -> String {
    let (title, body) = match explanation {
        Explanation::Puzzle(walk) => puzzle(walk),
        Explanation::Position(position) => library(position),
        Explanation::Technique(manual) => technique(manual),
        Explanation::Rating(walk) => rated::page(walk),
    };
    document(&title, &body)
}

/// A page with this title, which is its heading too.
pub(crate) fn document(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         {body}</body>\n</html>\n"
    )
}

fn puzzle(walk: &Walk) -> (String, String) {
    let rank = walk.grade.rank;
    let clues: CellSet = walk.puzzle.clues.clues().map(|(cell, _)| cell).collect();
    let mut body = format!("<p class=\"lead\"><code>{}</code></p>\n", walk.puzzle);
    let facts = walk.columns();
    let facts = facts
        .iter()
        .map(|(column, value)| (column.as_str(), value.to_string()));
    body += &format!(
        "<div class=\"head\">\n{}{}</div>\n{LEGEND}",
        drawing(&givens(&walk.puzzle), clues, "the-puzzle", "The puzzle"),
        table(facts)
    );
    for (n, wave) in walk.waves.iter().enumerate() {
        let n = n + 1;
        body += &section(
            &format!("Wave {n}: {}", wave.technique.name),
            &format!("w{n}"),
            wave,
        );
    }
    if let Some(board) = &walk.stalled {
        body += &format!(
            "<section>\n<h2>Search</h2>\n<p>{}</p>\n<div class=\"figures one\">\n{}</div>\n\
             </section>\n",
            escape(ABOUT_SEARCH),
            drawing(
                board,
                clues,
                "stalled",
                "The board on which all techniques stall"
            )
        );
    }
    body += &format!(
        "<section>\n<h2>Solution</h2>\n<p class=\"lead\"><code>{}</code></p>\n\
         <div class=\"head\">\n{}</div>\n</section>\n",
        walk.solution,
        drawing(
            &Candidates::new(&walk.solution),
            clues,
            "solution",
            "The solution"
        )
    );
    let title = format!("Sudoku explained: {} ({})", name(rank), place(rank));
    (title, body)
}

fn library(position: &LibraryPosition) -> (String, String) {
    let mut body = format!("<p>{}</p>\n{LEGEND}", escape(&position.verdict()));
    for (n, wave) in position.found.iter().enumerate() {
        body += &section(wave.technique.name, &format!("w{n}"), wave);
    }
    let title = format!("Sudoku explained: HoDoKu {}", position.code());
    (title, body)
}

fn technique(manual: &Manual) -> (String, String) {
    let facts = manual.facts();
    let mut body = table(facts.iter().map(|(name, value)| (*name, value.clone())));
    let mut is_list = false;
    for block in blocks(manual.info.map_or(ABOUT_SEARCH, |info| info.doc)) {
        let is_item = matches!(block, Block::Item(_));
        if is_item != is_list {
            body += if is_item { "<ul>\n" } else { "</ul>\n" };
            is_list = is_item;
        }
        body += &match block {
            Block::Heading(text) => format!("<h3>{}</h3>\n", escape(&text)),
            Block::Paragraph(text) => format!("<p>{}</p>\n", escape(&text)),
            Block::Item(text) => format!("<li>{}</li>\n", escape(&text)),
        };
    }
    if is_list {
        body += "</ul>\n";
    }
    if let Some(example) = &manual.example {
        body += "<section>\n<h2>Example</h2>\n";
        body += LEGEND;
        if example.steps.iter().any(has_trace) {
            body += &format!("<p>{}</p>\n", escape(NOTATION));
        }
        body += "<div class=\"figures one\">\n";
        body += &defined("example", &example.board, example.clues);
        for step in &example.steps {
            body += &figure("example", &example.board, step);
        }
        body += "</div>\n</section>\n";
    }
    (manual.name().to_owned(), body)
}

/// A technique on a board.
fn section(title: &str, id: &str, wave: &Wave) -> String {
    let mut html = format!(
        "<section>\n<h2>{}</h2>\n<p class=\"meta\">{}; {}</p>\n",
        escape(title),
        wave.place(),
        wave.counts()
    );
    if wave.steps.iter().any(has_trace) {
        html += &format!("<p>{}</p>\n", escape(NOTATION));
    }
    html += &defined(id, &wave.board, wave.clues);
    // Singles in a wave do not need a board each.
    if wave.technique.level == Level::Easy || wave.steps.is_empty() {
        let drawing = svg::steps(id, &wave.board, &wave.steps, title);
        html += &format!("<div class=\"singles\">\n<figure>\n{drawing}</figure>\n");
        html += &captions(wave, 0);
    } else {
        let drawn = wave.steps.len().min(DRAWN);
        let class = if drawn == 1 { "figures one" } else { "figures" };
        html += &format!("<div class=\"{class}\">\n");
        for step in &wave.steps[..drawn] {
            html += &figure(id, &wave.board, step);
        }
        html += "</div>\n<div>\n";
        html += &captions(wave, drawn);
    }
    html + "</div>\n</section>\n"
}

/// The board of a wave with its first step, and the step in words. `id` must be no other element's.
pub(super) fn first_step(wave: &Wave, id: &str) -> String {
    match wave.steps.first() {
        Some(step) => {
            let board = defined(id, &wave.board, wave.clues);
            board + &figure(id, &wave.board, step)
        }
        None => drawing(&wave.board, wave.clues, id, wave.technique.name),
    }
}

/// The board on which all techniques stall. `id` must be no other element's.
pub(super) fn stalled(board: &Candidates, clues: CellSet, id: &str) -> String {
    let label = "The board on which all techniques stall";
    drawing(board, clues, id, label)
}

/// The steps from this one on, without drawings.
fn captions(wave: &Wave, from: usize) -> String {
    let rest = &wave.steps[from..];
    if rest.is_empty() {
        return String::new();
    }
    let mut html = format!("<ol start=\"{}\">\n", from + 1);
    for step in rest {
        html += &format!("<li>{}</li>\n", caption(&wave.board, step));
    }
    html + "</ol>\n"
}

/// The clues, and no candidates unless they are what is given.
fn givens(puzzle: &Puzzle) -> Candidates {
    let mut board = puzzle.board();
    if puzzle.marks.is_some() {
        return board;
    }
    for digit in Digit::ALL {
        board.eliminate(digit, board.unsolved());
    }
    board
}

/// A board that drawings use.
fn defined(id: &str, board: &Candidates, clues: CellSet) -> String {
    let board = svg::board(id, board, clues);
    format!("<svg class=\"defs\" aria-hidden=\"true\"><defs>\n{board}</defs></svg>\n")
}

/// A board without steps.
fn drawing(board: &Candidates, clues: CellSet, id: &str, label: &str) -> String {
    let defined = defined(id, board, clues);
    let drawing = svg::steps(id, board, &[], label);
    format!("<figure>\n{defined}{drawing}</figure>\n")
}

fn figure(id: &str, board: &Candidates, step: &Step) -> String {
    let drawing = svg::steps(
        id,
        board,
        std::slice::from_ref(step),
        &step.effect.to_string(),
    );
    let caption = caption(board, step);
    format!("<figure>\n{drawing}<figcaption>{caption}</figcaption>\n</figure>\n")
}

fn caption(board: &Candidates, step: &Step) -> String {
    let mut html = format!(
        "<span class=\"effect\">{}</span> {}",
        escape(&step.effect.to_string()),
        escape(&words::why(board, step))
    );
    for (n, (label, value)) in words::parts(&step.pattern).iter().enumerate() {
        let class = match label.as_str() {
            "pattern" => continue,
            "chain" | "pairs" | "links" => "chain".to_owned(),
            _ => format!("named tint-{}", n % SET_COLOURS),
        };
        let (label, value) = (escape(label), escape(value));
        html += &format!("<br /><span class=\"{class}\">{label}: {value}</span>");
    }
    html + &traces(board, step)
}

/// The parts of a step, and its cases deduction by deduction: long ones are folded.
fn traces(board: &Candidates, step: &Step) -> String {
    let outline = outline(board, step);
    if outline.is_empty() {
        return String::new();
    }
    let lines: usize = outline.iter().map(|own| 1 + own.below.len()).sum();
    let open = if lines <= UNFOLDED {
        " open=\"open\""
    } else {
        ""
    };
    let summary = if step.pattern.cases.is_empty() {
        words::count(outline.len(), "part")
    } else {
        let deductions = step.pattern.cases.iter().map(Case::len).sum();
        format!(
            "{}, {}",
            words::count(outline.len(), "case"),
            words::count(deductions, "deduction")
        )
    };
    let mut html = format!("<details{open}><summary>{summary}</summary>\n<ul>\n");
    for Outline { text, below } in outline {
        html += &format!("<li>{}", escape(&text));
        if !below.is_empty() {
            html += "<ol>\n";
            for line in below {
                html += &format!("<li>{}</li>\n", escape(&line));
            }
            html += "</ol>";
        }
        html += "</li>\n";
    }
    html + "</ul></details>\n"
}

/// Facts, each with its name.
pub(crate) fn table<'a>(rows: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut html = String::from("<table>\n");
    for (name, value) in rows {
        let (name, value) = (escape(name), escape(&value));
        html += &format!("<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>\n");
    }
    html + "</table>\n"
}

/// Text as it has to be written in HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
