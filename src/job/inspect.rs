//! Inspects the first records of an input: its format, its columns, and which records are puzzles.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Error;
use crate::job::threads::records::parse_record;
use crate::read::{Batch, Carried, Detection, Input, InputInfo, Payload, RawRecord, Records};
use crate::store::escape_bytes;
use crate::table::outcome::Subject;
use sudoku_core::sizes::Alphabets;
use sudoku_core::text::notation::{Digits, describe};

/// The maximum number of records that are read.
const MOST_RECORDS: u64 = 1000;

/// The maximum number of bytes of text that are read.
const MOST_BYTES: usize = 1 << 20;

/// The number of records from the start of the input that the sample shows.
const SAMPLE_RECORDS: usize = 5;

/// The number of rejects that the sample shows.
const SAMPLE_REJECTS: usize = 5;

/// The maximum length in bytes of a record's text that the sample shows.
const MOST_RAW_BYTES: usize = 200;

/// The description of an input, from its first records.
#[derive(Clone, Debug, Serialize)]
pub struct Inspection {
    /// The compression and the format of the input.
    #[serde(flatten)]
    pub info: InputInfo,
    /// How the format was recognised, and the columns of the input.
    #[serde(flatten)]
    pub detection: Detection,
    /// The names of the carried columns in the output of `convert`.
    pub carried: Vec<String>,
    /// The number of records that were read.
    pub records: u64,
    /// Whether all records of the input were read.
    pub is_all: bool,
    /// The number of records that are puzzles.
    pub puzzles: u64,
    /// The number of rejects, by error id.
    pub rejects: BTreeMap<&'static str, u64>,
    /// The number of grids, by their number of cells.
    pub cells: BTreeMap<usize, u64>,
    /// The number of grids, by the notation in which they are written.
    pub notations: BTreeMap<&'static str, u64>,
    /// The number of grids, by their symbol for empty cells: a character, or a word such as `none`.
    pub blanks: BTreeMap<String, u64>,
    /// Which numbers are the digits, in grids that are written as numbers; `None` if they are 1 to 9 on 9 × 9.
    pub digits: Option<String>,
    /// The first records and the first rejects, as examples.
    pub sample: Vec<SampleRecord>,
    /// The error that ended reading; `None` if there was none.
    pub damage: Option<String>,
}

/// A record that `inspect` shows as an example: one of the first records of the input, or of its first rejects.
#[derive(Clone, Debug, Serialize)]
pub struct SampleRecord {
    /// The number of the record, from 0.
    pub row: u64,
    /// The line on which the record starts, from 1; `None` in binary formats.
    pub line: Option<u64>,
    /// The puzzle in normal form; `None` for a reject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<String>,
    /// The reason for a reject; `None` for a puzzle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reject: Option<SampleReject>,
    /// The values of the record's carried columns; empty unless the format is a text format.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub carried: Vec<Option<String>>,
}

/// The reason why a record is not a puzzle, and its text.
#[derive(Clone, Debug, Serialize)]
pub struct SampleReject {
    /// The stable id of the error.
    pub error: &'static str,
    /// The error in words.
    pub message: String,
    /// The start of the record's text in the input.
    pub raw: String,
}

/// Reads the first records of an input. If this fails, the result describes the records before the error.
pub fn inspect(mut input: Input, alphabets: &Alphabets) -> (Inspection, Result<(), Error>) {
    let input_column_names = input.carried.iter().map(|field| field.name().clone());
    let carried_names =
        input_column_names.chain(input.folders.iter().map(|column| column.name.clone()));
    let mut inspection = Inspection {
        carried: carried_names.collect(),
        info: input.info.clone(),
        detection: input.detection.clone(),
        records: 0,
        is_all: false,
        puzzles: 0,
        rejects: BTreeMap::new(),
        cells: BTreeMap::new(),
        notations: BTreeMap::new(),
        blanks: BTreeMap::new(),
        digits: (alphabets.digits() != Digits::default()).then(|| alphabets.digits().describe(9)),
        sample: Vec::new(),
        damage: None,
    };
    let read = inspection.read_records(&mut input, alphabets);
    inspection.damage = read.as_ref().err().map(ToString::to_string);
    (inspection, read)
}

impl Inspection {
    fn read_records(&mut self, input: &mut Input, alphabets: &Alphabets) -> Result<(), Error> {
        let mut bytes = 0;
        let mut buffer = Vec::new();
        while self.records < MOST_RECORDS && bytes < MOST_BYTES {
            let Some(batch) = input.source.next(buffer)? else {
                self.is_all = true;
                return Ok(());
            };
            self.add_batch(&batch, &input.parser.parse(&batch)?, alphabets);
            buffer = match batch.payload {
                Payload::Text(chunk) => {
                    bytes += chunk.bytes.len();
                    chunk.bytes
                }
                Payload::Columns(_) => Vec::new(),
            };
        }
        Ok(())
    }

    fn add_batch(&mut self, batch: &Batch, records: &Records<'_>, alphabets: &Alphabets) {
        for (at, record) in records.rows.iter().enumerate() {
            if self.records == MOST_RECORDS {
                return;
            }
            self.records += 1;
            let mut sample = SampleRecord {
                row: batch.first_row + at as u64,
                line: record.position.map(|position| position.line),
                puzzle: None,
                reject: None,
                carried: Vec::new(),
            };
            match parse_record(record, alphabets) {
                Ok(puzzle) => {
                    self.puzzles += 1;
                    self.count_grid(record, &puzzle, alphabets);
                    sample.puzzle = Some(puzzle.text().to_owned());
                }
                Err(reason) => {
                    *self.rejects.entry(reason.kind.id()).or_default() += 1;
                    sample.reject = Some(SampleReject {
                        error: reason.kind.id(),
                        message: reason.message,
                        raw: raw_start(record),
                    });
                }
            }
            if let Carried::Text {
                width,
                fields,
                types,
            } = &records.carried
            {
                let fields = fields.iter().skip(at * width).take(*width);
                let display_text = |field: &Option<Cow<'_, str>>| {
                    let field = field.as_deref()?;
                    Some(match types {
                        Some(types) => types.unquoted_field(field).into_owned(),
                        None => field.to_owned(),
                    })
                };
                sample.carried = fields.map(display_text).collect();
            }
            let rejects = self.sample.iter().filter(|sample| sample.reject.is_some());
            if self.sample.len() < SAMPLE_RECORDS
                || (sample.reject.is_some() && rejects.count() < SAMPLE_REJECTS)
            {
                self.sample.push(sample);
            }
        }
    }

    fn count_grid(&mut self, record: &RawRecord<'_>, puzzle: &Subject, alphabets: &Alphabets) {
        *self.cells.entry(puzzle.text().len()).or_default() += 1;
        let text = record.puzzle.as_deref().unwrap_or_default();
        if let Some(written) = describe(text, alphabets.digits()) {
            *self.notations.entry(written.notation.id).or_default() += 1;
            if let Some(empty) = written.empty {
                let empty = record.empty.map_or(empty, |cell| cell.to_string());
                *self.blanks.entry(empty).or_default() += 1;
            }
        }
    }
}

fn raw_start(record: &RawRecord<'_>) -> String {
    let mut raw = escape_bytes(record.raw.get(..4 * MOST_RAW_BYTES).unwrap_or(record.raw));
    if let Some((end, _)) = raw.char_indices().nth(MOST_RAW_BYTES) {
        raw.truncate(end);
        raw.push('…');
    }
    raw
}
