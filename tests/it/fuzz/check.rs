//! The conditions that reading must satisfy for any file.
//!
//! - The result is rows and rejects, or an error with a reason (exit code 3, or 2 if an option would help). It
//!   is never a panic.
//! - Records are numbered from 0 without a gap, and are at the positions that they report.
//! - Every byte of a text is in a record, or is of a kind that no record needs to contain, such as a blank line: see
//!   [`cover`].
//! - A columnar file or a compressed text that is read to its end has the content that other decoders find.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arrow::ipc::reader::{FileReader, StreamReader};
use bytes::Bytes;
use flate2::Crc;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::formats::open;
use sudoku_pipeline::read::{Carried, ColumnRole, InputFormat, Payload, ReadOptions};
use sudoku_pipeline::table::reject::RejectKind;

use super::cover::{self, RecordAtPosition};

/// The result of reading a file, which the tests check and compare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReadOutcome {
    /// The detected format.
    pub(crate) format: &'static str,
    /// The names of all columns of the file.
    pub(crate) columns: Vec<String>,
    pub(crate) puzzle_column: Option<String>,
    pub(crate) delimiter: Option<char>,
    /// The number of records, including rejects, and the number of rejects.
    pub(crate) records: u64,
    pub(crate) rejects: u64,
    /// The number of rejects whose end is ambiguous: another reader may end the record elsewhere.
    pub(crate) broken: u64,
    /// A checksum of all puzzles, with a line end after each; `None` if a record has no puzzle.
    pub(crate) puzzles: Option<u32>,
    /// Whether the records have no positions, because they come from a JSON document.
    pub(crate) is_document: bool,
    /// The exit code and the message of the error that ended reading; `None` without an error.
    pub(crate) refused: Option<(u8, String)>,
}

/// Reads a file with these bytes. Panics if a condition is not satisfied.
pub(crate) fn check(path: &Path, bytes: &[u8], format: Option<InputFormat>) -> ReadOutcome {
    let options = ReadOptions {
        format,
        ..ReadOptions::default()
    };
    let mut outcome = ReadOutcome::default();
    let mut reported_records = Vec::new();
    let mut is_text = false;
    let mut compression_id = None;
    if let Err(error) = read(
        path,
        &options,
        &mut outcome,
        &mut reported_records,
        &mut is_text,
        &mut compression_id,
    ) {
        outcome.refused = Some(explain(&error));
    }
    let Some(compression) = compression_id else {
        return outcome;
    };
    let is_whole = outcome.refused.is_none();
    if outcome.is_document {
        return outcome;
    }
    if is_text {
        let inflated = match compression {
            "none" => Ok(bytes.to_vec()),
            "gzip" => inflate_gzip(bytes),
            // The test has no second decoder for zip archives to compare with.
            "zip" => return outcome,
            _ => zstd::decode_all(bytes).map_err(|error| error.to_string()),
        };
        match inflated {
            Ok(text) => cover::check(&outcome, &text, &reported_records, is_whole),
            Err(error) if is_whole => panic!("read to its end, and {compression} says: {error}"),
            Err(_) => {}
        }
    } else if is_whole && !matches!(outcome.format, "npy" | "npz") {
        agree_with_arrow(&outcome, bytes);
    }
    outcome
}

fn read(
    path: &Path,
    options: &ReadOptions,
    outcome: &mut ReadOutcome,
    reported_records: &mut Vec<RecordAtPosition>,
    is_text: &mut bool,
    compression: &mut Option<&'static str>,
) -> Result<(), Error> {
    let mut input = open(path.to_str().expect("a path of text"), options)?;
    *compression = Some(input.info.compression);
    outcome.format = input.info.format.id;
    outcome.delimiter = input.detection.delimiter;
    let columns = &input.detection.columns;
    outcome.columns = columns.iter().map(|column| column.name.clone()).collect();
    let puzzles = columns
        .iter()
        .find(|column| column.role == ColumnRole::Puzzle);
    outcome.puzzle_column = puzzles.map(|column| column.name.clone());
    *is_text = !matches!(outcome.format, "parquet" | "arrow" | "npy" | "npz");
    let mut checksum = Some(Crc::new());
    let mut buffer = Vec::new();
    loop {
        let Some(batch) = input.source.next(std::mem::take(&mut buffer))? else {
            break;
        };
        assert_eq!(
            batch.first_row, outcome.records,
            "rows are numbered without a gap"
        );
        let records = input.parser.parse(&batch)?;
        assert_eq!(
            records.rows.len(),
            batch.rows,
            "as many records as were counted"
        );
        match &records.carried {
            Carried::Text { width, fields, .. } => {
                assert_eq!(*width, input.carried.len());
                assert_eq!(
                    fields.len(),
                    width * batch.rows,
                    "every record has every column"
                );
            }
            Carried::Columns(columns) => {
                assert_eq!(columns.len(), input.carried.len());
                for column in columns {
                    assert_eq!(column.len(), batch.rows, "every record has every column");
                }
            }
        }
        for row in &records.rows {
            outcome.records += 1;
            match (&row.puzzle, &mut checksum) {
                (Ok(text), Some(checksum)) => {
                    checksum.update(text);
                    checksum.update(b"\n");
                }
                (Ok(_), None) => {}
                (Err(reason), _) => {
                    assert!(!reason.message.is_empty(), "a reject says why");
                    outcome.rejects += 1;
                    outcome.broken += u64::from(matches!(
                        reason.kind,
                        RejectKind::TruncatedRecord | RejectKind::BadJson
                    ));
                    checksum = None;
                }
            }
            // The records of a JSON document, such as one of columns, have no place of their own.
            let is_document = outcome.format == "json" && row.position.is_none();
            outcome.is_document |= is_document;
            assert!(
                is_document || row.position.is_some() == *is_text,
                "records of a text have a place"
            );
            if let Some(position) = row.position {
                let broken = matches!(&row.puzzle, Err(reason) if reason.kind == RejectKind::TruncatedRecord);
                reported_records.push(RecordAtPosition {
                    line: position.line,
                    byte_offset: position.byte_offset,
                    text: row.raw.to_vec(),
                    broken,
                });
            }
        }
        if let Payload::Text(chunk) = batch.payload {
            buffer = chunk.bytes;
        }
    }
    outcome.puzzles = checksum.map(|checksum| checksum.sum());
    let batch_after_end = input.source.next(Vec::new())?;
    assert!(batch_after_end.is_none(), "the end is the end");
    Ok(())
}

/// The exit code and the message of an error, which must name the file.
fn explain(error: &Error) -> (u8, String) {
    let (code, message) = (error.exit_code(), error.to_string());
    assert!(matches!(code, 2 | 3), "exit code {code}: {message}");
    assert!(!message.is_empty(), "a refusal says why");
    (code, message)
}

/// Decompresses a gzip file with several members, and zeros at its end.
fn inflate_gzip(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let mut remaining_bytes = bytes;
    loop {
        let mut member = flate2::bufread::GzDecoder::new(remaining_bytes);
        std::io::copy(&mut member, &mut text).map_err(|error| error.to_string())?;
        remaining_bytes = member.into_inner();
        let zeros = remaining_bytes
            .iter()
            .take_while(|byte| **byte == 0)
            .count();
        remaining_bytes = &remaining_bytes[zeros..];
        if remaining_bytes.is_empty() {
            return Ok(text);
        }
    }
}

/// Reads the file with the crate `arrow` or `parquet`. If that crate also reads to the end, it must find as many rows.
fn agree_with_arrow(outcome: &ReadOutcome, bytes: &[u8]) {
    let bytes = Bytes::copy_from_slice(bytes);
    let rows = catch_unwind(AssertUnwindSafe(|| match outcome.format {
        "parquet" => {
            let reader = ParquetRecordBatchReaderBuilder::try_new(bytes)
                .ok()?
                .build()
                .ok()?;
            count(reader)
        }
        _ if bytes.starts_with(b"ARROW1") => {
            count(FileReader::try_new(std::io::Cursor::new(bytes), None).ok()?)
        }
        _ => count(StreamReader::try_new(std::io::Cursor::new(bytes), None).ok()?),
    }));
    if let Ok(Some(rows)) = rows {
        assert_eq!(
            outcome.records, rows,
            "as many rows as the crate's own reader finds"
        );
    }
}

fn count<E>(batches: impl Iterator<Item = Result<arrow::array::RecordBatch, E>>) -> Option<u64> {
    let mut rows = 0;
    for batch in batches {
        rows += batch.ok()?.num_rows() as u64;
    }
    Some(rows)
}
