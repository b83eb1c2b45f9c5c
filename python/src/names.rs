//! The names that options accept, and the options of every command.

use pyo3::prelude::*;
use sudoku_core::generate::Symmetry;
use sudoku_core::grade::{Level, Rank};
use sudoku_pipeline::formats::{input_formats, output_formats};
use sudoku_pipeline::table::columns::requestable;

/// The ids of one kind that options accept: optional columns, techniques, levels, symmetries or formats.
#[pyfunction]
pub(crate) fn ids(kind: &str) -> Vec<&'static str> {
    match kind {
        "with" => requestable(true),
        "techniques" => Rank::all().map(Rank::id).collect(),
        "levels" => Level::ALL.map(Level::id).to_vec(),
        "symmetries" => Symmetry::ALL.map(Symmetry::id).to_vec(),
        "input_formats" => input_formats().map(|format| format.id).collect(),
        "output_formats" => output_formats().map(|format| format.id).collect(),
        _ => Vec::new(),
    }
}

/// For a format whose table is a folder: the name and the content of the file beside several such folders. None for other
/// formats.
#[pyfunction]
pub(crate) fn folder_format(format: &str) -> Option<(&'static str, &'static str)> {
    let format = output_formats().find(|known| known.id == format)?;
    Some(format.folder?.file_above)
}

/// The options of every command as JSON, with `takes_value` and `variable` for each.
#[pyfunction]
pub(crate) fn described() -> String {
    let commands = sudoku_pipeline::cli::described()
        .into_iter()
        .map(|command| {
            let options = command.options.into_iter().map(|option| {
                let description = serde_json::json!({
                    "takes_value": option.takes_value,
                    "variable": option.variable,
                });
                (option.name, description)
            });
            (command.name, options.collect::<serde_json::Value>())
        });
    commands.collect::<serde_json::Value>().to_string()
}
