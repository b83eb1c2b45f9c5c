//! Reads files with one prediction per line.

use std::sync::atomic::AtomicUsize;

use crate::error::Error;
use crate::read::{Input, Payload, TextChunk};

use super::prediction_options::{NAMES_IN_OWN_FILE, PREDICTION_COLUMN_NAMES};
use super::stored_predictions::{Prediction, PredictionSpool, check_interruption};

/// Reads a text with one prediction per line. An empty line is a missing prediction, except for empty lines
/// at the end of the text.
pub(super) fn read_lines(
    input: &mut Input,
    spool: &mut PredictionSpool,
    stop: &AtomicUsize,
) -> Result<(), Error> {
    let first_index = spool.count();
    let mut buffer = Vec::new();
    while let Some(batch) = input.source.next(buffer)? {
        check_interruption(stop, spool.count())?;
        buffer = match batch.payload {
            Payload::Text(TextChunk { bytes, broken, .. }) => {
                match &broken {
                    Some(reason) => {
                        spool.add_prediction(&Prediction::Unreadable(reason.message.clone()))?;
                    }
                    None => add_lines(&bytes, spool)?,
                }
                bytes
            }
            Payload::Columns(_) => Vec::new(),
        };
    }
    spool.remove_missing_from_end(first_index);
    Ok(())
}

/// The first line, if it is a well-known name of a column with predictions: the text is then a CSV file with one column.
/// Reads the first lines of the input.
pub(super) fn one_column_name(input: &mut Input) -> Option<String> {
    let batch = input.source.next(Vec::new()).ok()??;
    let Payload::Text(TextChunk {
        bytes,
        broken: None,
        ..
    }) = &batch.payload
    else {
        return None;
    };
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    let line = line
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(line)
        .trim_ascii();
    let inner = line
        .strip_prefix(b"\"")
        .and_then(|inner| inner.strip_suffix(b"\""));
    let name = inner.unwrap_or(line).trim_ascii();
    let mut names = PREDICTION_COLUMN_NAMES.iter().chain(&NAMES_IN_OWN_FILE);
    names
        .find(|known| known.as_bytes().eq_ignore_ascii_case(name))
        .map(|name| (*name).to_owned())
}

fn add_lines(bytes: &[u8], spool: &mut PredictionSpool) -> Result<(), Error> {
    if bytes.is_empty() {
        return Ok(());
    }
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for line in bytes.split(|byte| *byte == b'\n') {
        spool.add_prediction(&match line.trim_ascii() {
            [] => Prediction::Missing,
            line => Prediction::Text(line.to_vec()),
        })?;
    }
    Ok(())
}
