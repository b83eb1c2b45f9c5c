//! Reads files with one prediction per line.

use std::sync::atomic::AtomicUsize;

use crate::error::Error;
use crate::read::{Input, Payload, TextChunk};

use super::prediction_files::{NAMES_IN_OWN_FILE, PREDICTION_COLUMN_NAMES, check_interruption};
use super::stored_predictions::{Prediction, PredictionSpool};

/// Reads a text with one prediction per line. An empty line is a missing prediction, except for empty lines
/// at the end of the text.
pub(super) fn read_lines(
    input: &mut Input,
    input_is_of_named_format: bool,
    spool: &mut PredictionSpool,
    stop: &AtomicUsize,
) -> Result<(), Error> {
    let first_index = spool.count();
    let mut may_be_header = !input_is_of_named_format;
    let mut is_csv = false;
    let mut buffer = Vec::new();
    while let Some(batch) = input.source.next(buffer)? {
        check_interruption(stop, spool.count())?;
        buffer = match batch.payload {
            Payload::Text(TextChunk { bytes, broken, .. }) => {
                match &broken {
                    Some(reason) => {
                        spool.add_prediction(&Prediction::Unreadable(reason.message.clone()))?;
                    }
                    None => {
                        let mut lines: &[u8] = &bytes;
                        if may_be_header && let Some(rest) = after_header(lines) {
                            (lines, is_csv) = (rest, true);
                        }
                        may_be_header = false;
                        add_lines(lines, is_csv, spool)?;
                    }
                }
                bytes
            }
            Payload::Columns(_) => Vec::new(),
        };
    }
    spool.remove_missing_from_end(first_index);
    Ok(())
}

/// The text after its first line, if that line is a well-known name of a column with predictions: the text is then a
/// CSV file with one column.
fn after_header(text: &[u8]) -> Option<&[u8]> {
    let line_end = text.iter().position(|byte| *byte == b'\n');
    let line = &text[..line_end.unwrap_or(text.len())];
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let name = unquoted(line.trim_ascii());
    let mut names = PREDICTION_COLUMN_NAMES.iter().chain(&NAMES_IN_OWN_FILE);
    names.find(|known| known.as_bytes().eq_ignore_ascii_case(name))?;
    Some(line_end.map_or(&[], |end| &text[end + 1..]))
}

/// The text of a quoted field, or the text itself if it is not quoted.
fn unquoted(field: &[u8]) -> &[u8] {
    let inner = field.strip_prefix(b"\"");
    inner
        .and_then(|inner| inner.strip_suffix(b"\""))
        .unwrap_or(field)
        .trim_ascii()
}

fn add_lines(bytes: &[u8], is_csv: bool, spool: &mut PredictionSpool) -> Result<(), Error> {
    if bytes.is_empty() {
        return Ok(());
    }
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = match is_csv {
            true => unquoted(line.trim_ascii()),
            false => line.trim_ascii(),
        };
        spool.add_prediction(&match line {
            [] => Prediction::Missing,
            line => Prediction::Text(line.to_vec()),
        })?;
    }
    Ok(())
}
