//! Logs what a run does with the columns of its inputs: other names, numbers that stay text, and other symbols for cells.

use sudoku_pipeline::job::Inputs;
use sudoku_pipeline::options::{BLANK, INFER_TYPES, KEEP, RENAME};
use sudoku_pipeline::read::{InputColumns, ReadOptions};
use sudoku_pipeline::table::layout::Layout;
use sudoku_pipeline::write::{Holds, OutputFormat};

/// The number of renamed columns that the log shows.
const SHOWN_PAIRS: usize = 4;

/// Logs which columns of the inputs have another name in the output, because this program has columns of their names.
pub(super) fn log_prefixed(columns: &[(&str, &str)]) {
    if columns.is_empty() {
        return;
    }
    let pairs = columns.iter().take(SHOWN_PAIRS);
    let pairs = pairs.map(|(input, output)| format!("{input} is {output}"));
    let more = match columns.len().saturating_sub(SHOWN_PAIRS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    tracing::info!(
        columns = columns.len(),
        "columns of the input that are called like pipeline's own have another name in the output: {}{more}; {RENAME} \
         chooses the names, and {KEEP} the columns",
        pairs.collect::<Vec<_>>().join(", ")
    );
}

/// Logs which columns of the table this format leaves out, and which it writes in another way.
pub(super) fn log_left_out(format: OutputFormat, layout: &Layout, inputs: &Inputs) {
    for flattened in layout.flattened() {
        tracing::warn!("{flattened}");
    }
    let left_out = layout.left_out();
    // The format of puzzle lines always has a column for comments, even if no line has a comment.
    let has_columns = (inputs.infos()).any(|info| info.format.columns != InputColumns::Comments);
    if has_columns && !left_out.is_empty() {
        let contents = match format.holds {
            Holds::Puzzles => "the puzzles alone",
            _ => "puzzles and solutions alone",
        };
        tracing::info!(
            "{} has {contents}, without {}: Parquet, CSV and NDJSON have all columns",
            format.id,
            left_out.join(", ")
        );
    }
}

/// Whether puzzles are texts in this format, in which an empty cell has a symbol.
pub(super) fn holds_text(format: OutputFormat) -> bool {
    (format.holds == Holds::Table || format.is_text) && !format.has_own_blank()
}

/// Whether tables in this format tell numbers from texts.
pub(super) fn has_types(format: OutputFormat) -> bool {
    format.holds == Holds::Table && format.has_types
}

/// Logs that columns of CSV have only numbers and stay text. Their types are not inferred without a request, since the
/// type of a column would then depend on its values.
pub(super) fn log_numbers(inputs: &Inputs, options: &ReadOptions, layout: &Layout) {
    if !tracing::enabled!(tracing::Level::INFO) {
        return;
    }
    let Some((source, mut names)) = inputs.numbers_as_text(options) else {
        return;
    };
    names.retain(|name| layout.schema().column_with_name(name).is_some());
    if names.is_empty() {
        return;
    }
    tracing::info!(
        source,
        columns = names.len(),
        "{source}: columns with numbers stay text, as all columns of CSV: {}; {} gives them types, {} keeps text \
         and leaves this line out",
        names.join(", "),
        INFER_TYPES.set_to("all"),
        INFER_TYPES.set_to("none")
    );
}

/// Logs that empty cells are written with another symbol than the inputs have.
pub(super) fn log_blank(inputs: &Inputs, options: &ReadOptions, blank: u8) {
    // Finding the symbol reads the first records again.
    if !tracing::enabled!(tracing::Level::INFO) {
        return;
    }
    let written = char::from(blank).to_string();
    let Some((source, read)) = inputs.first_blank(options) else {
        return;
    };
    if read == written || read.trim().is_empty() {
        return;
    }
    tracing::info!(
        source,
        "{source}: empty cells are {read} there and {written} in the output; {} writes another symbol",
        BLANK.taking("SYMBOL")
    );
}
