//! Renders sheets as text for terminals and as Markdown.

mod column_format;
mod fit;
mod markdown;

use comfy_table::presets::{ASCII_MARKDOWN, UTF8_FULL_CONDENSED};
use comfy_table::{Cell, CellAlignment, Table};
use serde_json::Value;

use crate::numbers::thousands;
use crate::options::FORMAT;
use crate::report::sheets::sheet::Sheet;
use crate::wrap::wrap_text;
pub(crate) use column_format::{ColumnFormat, decimals_of, number_text};
pub(crate) use markdown::markdown_text;

/// The sheets as text for a terminal with this width in characters. If it is `None`, lines are not wrapped. A table that
/// is too wide, even if its cells break between words, becomes a list.
pub fn terminal(sheets: &[Sheet], width: Option<u16>) -> String {
    let width = width.map(usize::from);
    render_sheets(sheets, width, false, |sheet, table| {
        table.load_style(UTF8_FULL_CONDENSED);
        let title = width.map_or_else(
            || sheet.title.clone(),
            |width| wrap_text(&sheet.title, 0, width),
        );
        match width {
            Some(width) if !fit::fit_table(table, width) => {
                format!(
                    "{title}\n{}",
                    fit::list(sheet, displayed_row_count(sheet), width)
                )
            }
            _ => format!("{title}\n{table}\n"),
        }
    })
}

/// The sheets as Markdown tables.
pub fn markdown(sheets: &[Sheet]) -> String {
    render_sheets(sheets, None, true, |sheet, table| {
        table.load_style(ASCII_MARKDOWN);
        format!("## {}\n\n{table}\n", markdown_text(&sheet.title))
    })
}

fn render_sheets(
    sheets: &[Sheet],
    width: Option<usize>,
    is_markdown: bool,
    render_table: impl Fn(&Sheet, &mut Table) -> String,
) -> String {
    let shown_sheets = sheets.iter().filter(|sheet| !sheet.only_data);
    let sheet_texts: Vec<String> = shown_sheets
        .map(|sheet| {
            let mut text = render_table(sheet, &mut text_table(sheet, is_markdown));
            let hidden_rows = sheet.rows.len() - displayed_row_count(sheet);
            let hidden_rows = (hidden_rows > 0).then(|| {
                let rows = thousands(hidden_rows as u64);
                format!("{rows} more rows: the formats for programs have all of them ({FORMAT}).")
            });
            for note in hidden_rows.iter().chain(&sheet.notes) {
                text.push('\n');
                text += &match width {
                    _ if is_markdown => markdown_text(note),
                    Some(width) => wrap_text(note, 0, width),
                    None => note.clone(),
                };
                text.push('\n');
            }
            text
        })
        .collect();
    sheet_texts.join("\n")
}

/// The number of rows that are displayed. It is limited, because a sheet can have a row for each of hundreds of
/// different scores, for example.
fn displayed_row_count(sheet: &Sheet) -> usize {
    const MOST_ROWS: usize = 100;
    const ROWS_OF_LONG_SHEET: usize = 60;
    match sheet.rows.len() {
        rows if rows > MOST_ROWS => ROWS_OF_LONG_SHEET,
        rows => rows,
    }
}

/// A table of text, in which texts are aligned to the left and numbers to the right.
fn text_table(sheet: &Sheet, is_markdown: bool) -> Table {
    let mut table = Table::new();
    table.set_header(sheet.columns.iter().map(|name| {
        if is_markdown {
            markdown_text(name)
        } else {
            name.clone()
        }
    }));
    let formats = ColumnFormat::of_sheet(sheet);
    for row in &sheet.rows[..displayed_row_count(sheet)] {
        let cells = row.iter().zip(&formats).map(|(value, format)| {
            let alignment = match value {
                Value::Number(_) => CellAlignment::Right,
                _ => CellAlignment::Left,
            };
            let mut text = format.text(value);
            // Numbers contain no markup. A minus does not start a list inside a table cell.
            if is_markdown && value.is_string() {
                text = markdown_text(&text);
            }
            Cell::new(text).set_alignment(alignment)
        });
        table.add_row(cells);
    }
    table
}
