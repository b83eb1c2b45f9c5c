use std::borrow::Cow;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field};

use super::open::TextReader;
use super::sniff::{Columns, is_blank_or_comment};
use super::text::{Split, TextSource, Whole, without_line_end};
use super::{
    Batch, Carried, Input, InputFormat, InputInfo, Parse, Payload, Position, RawRecord,
    ReadOptions, Records,
};
use crate::error::Error;
use crate::reject::{RejectKind, RejectReason};

pub(super) fn open(
    mut about: InputInfo,
    reader: TextReader,
    head: &[u8],
    start: usize,
    delimiter: u8,
    options: &ReadOptions,
) -> Result<Input, Error> {
    about.format = InputFormat::Csv.id();
    let split = CsvSplit { delimiter };
    let (header, header_end) = header(&split, head, start);
    let names = fields_of(header.trim_ascii(), delimiter);
    let names = names
        .iter()
        .map(|name| String::from_utf8_lossy(name).trim().to_owned());
    let columns = Columns::find(&about.source, names.collect(), options)?;
    let carried = columns.carried(&options.keep);
    about.has_solutions = columns.solution.is_some();
    Ok(Input {
        about,
        carried: carried
            .iter()
            .map(|(_, name)| Arc::new(Field::new(name, DataType::Utf8, true)))
            .collect(),
        bytes_read: reader.bytes_read.clone(),
        parser: Arc::new(CsvParser {
            delimiter: split.delimiter,
            width: columns.names.len(),
            puzzle: columns.puzzle,
            solution: columns.solution,
            carried: carried.into_iter().map(|(at, _)| at).collect(),
        }),
        source: Box::new(TextSource::new(reader, split, head, header_end)),
    })
}

/// The first record that is neither blank nor a comment, and where it ends.
fn header<'a>(split: &CsvSplit, head: &'a [u8], start: usize) -> (&'a [u8], usize) {
    let mut at = start;
    loop {
        let rest = &head[at..];
        let record = &rest[..split.record_end(rest).unwrap_or(rest.len())];
        at += record.len();
        if at == head.len() || !is_blank_or_comment(record) {
            return (record, at);
        }
    }
}

/// Records end with a line, unless the line end is within quotes (RFC 4180).
struct CsvSplit {
    delimiter: u8,
}

impl Split for CsvSplit {
    fn split(&self, text: &[u8], last: bool) -> Whole {
        let mut whole = Whole::default();
        while let Some(end) = self.record_end_or_last(&text[whole.bytes..], last) {
            let record = &text[whole.bytes..whole.bytes + end];
            whole.rows += usize::from(!is_blank(record));
            whole.bytes += end;
        }
        whole
    }

    fn spans_lines(&self) -> bool {
        true
    }
}

impl CsvSplit {
    fn record_end_or_last(&self, text: &[u8], last: bool) -> Option<usize> {
        if text.is_empty() {
            return None;
        }
        let end = self.record_end(text);
        if last && end.is_none() && !self.is_open(text) {
            return Some(text.len());
        }
        end
    }

    /// Where the first record ends, its line end included; `None` where it does not.
    fn record_end(&self, text: &[u8]) -> Option<usize> {
        let line_end = memchr::memchr(b'\n', text);
        let line = &text[..line_end.unwrap_or(text.len())];
        if memchr::memchr(b'"', line).is_none() {
            return line_end.map(|at| at + 1);
        }
        let mut quotes = Quotes::new(self.delimiter);
        text.iter()
            .position(|byte| quotes.read(*byte) == State::RecordEnd)
            .map(|at| at + 1)
    }

    /// Whether the text ends within quotes.
    fn is_open(&self, text: &[u8]) -> bool {
        let mut quotes = Quotes::new(self.delimiter);
        text.iter()
            .fold(State::FieldStart, |_, byte| quotes.read(*byte))
            == State::Quoted
    }
}

/// Follows quotes byte by byte: they open at the start of a field only.
struct Quotes {
    delimiter: u8,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Unquoted,
    Quoted,
    /// Closed, or the first of two that stand for one.
    QuoteInQuoted,
    RecordEnd,
}

impl Quotes {
    fn new(delimiter: u8) -> Quotes {
        Quotes {
            delimiter,
            state: State::FieldStart,
        }
    }

    fn read(&mut self, byte: u8) -> State {
        self.state = match (self.state, byte) {
            (State::Quoted, b'"') => State::QuoteInQuoted,
            (State::Quoted, _) => State::Quoted,
            (State::FieldStart | State::QuoteInQuoted | State::RecordEnd, b'"') => State::Quoted,
            (_, b'\n') => State::RecordEnd,
            (_, byte) if byte == self.delimiter => State::FieldStart,
            _ => State::Unquoted,
        };
        self.state
    }
}

fn is_blank(record: &[u8]) -> bool {
    without_line_end(record).is_empty()
}

/// The fields of a record, unquoted.
fn fields_of(record: &[u8], delimiter: u8) -> Vec<Cow<'_, [u8]>> {
    if memchr::memchr(b'"', record).is_some() {
        return quoted_fields_of(record, delimiter);
    }
    let mut fields = Vec::with_capacity(8);
    let mut start = 0;
    for end in memchr::memchr_iter(delimiter, record) {
        fields.push(Cow::Borrowed(&record[start..end]));
        start = end + 1;
    }
    fields.push(Cow::Borrowed(&record[start..]));
    fields
}

fn quoted_fields_of(record: &[u8], delimiter: u8) -> Vec<Cow<'_, [u8]>> {
    let mut reader = csv_core::ReaderBuilder::new().delimiter(delimiter).build();
    let mut text = vec![0; record.len() + 1];
    let delimiters = memchr::memchr_iter(delimiter, record).count();
    let mut ends = vec![0; delimiters + 2];
    let (_, read, written, count) = reader.read_record(record, &mut text, &mut ends);
    // The end of the input ends the record.
    let (_, _, more, last) =
        reader.read_record(&record[read..], &mut text[written..], &mut ends[count..]);
    let text = &text[..written + more];
    let mut start = 0;
    ends[..count + last]
        .iter()
        .map(|end| {
            let field = text.get(start..*end).unwrap_or_default();
            start = *end;
            Cow::Owned(field.to_vec())
        })
        .collect()
}

struct CsvParser {
    delimiter: u8,
    width: usize,
    puzzle: usize,
    solution: Option<usize>,
    carried: Vec<usize>,
}

impl Parse for CsvParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let Payload::Text(chunk) = &batch.payload else {
            return Err(Error::Table("CSV text is no columns".into()));
        };
        let split = CsvSplit {
            delimiter: self.delimiter,
        };
        let mut rows = Vec::with_capacity(batch.rows);
        let mut fields = Vec::with_capacity(batch.rows * self.carried.len());
        let mut rest = chunk.bytes.as_slice();
        let mut position = Position {
            line: chunk.first_line,
            byte_offset: chunk.byte_offset,
        };
        while !rest.is_empty() {
            // What is broken is one record, whatever its quotes say.
            let end = match chunk.broken {
                Some(_) => rest.len(),
                None => split.record_end(rest).unwrap_or(rest.len()),
            };
            let (record, behind) = rest.split_at(end);
            rest = behind;
            let raw = without_line_end(record);
            if chunk.broken.is_some() || !raw.is_empty() {
                let row = match &chunk.broken {
                    Some(reason) => Err(reason.clone()),
                    None => self.record(raw, &mut fields),
                };
                if row.is_err() {
                    fields.resize((rows.len() + 1) * self.carried.len(), None);
                }
                let (puzzle, solution) = match row {
                    Ok((puzzle, solution)) => (Ok(puzzle), solution),
                    Err(reason) => (Err(reason), None),
                };
                rows.push(RawRecord {
                    puzzle,
                    solution,
                    position: Some(position),
                    raw: Cow::Borrowed(raw),
                });
            }
            position.line += memchr::memchr_iter(b'\n', record).count() as u64;
            position.byte_offset += record.len() as u64;
        }
        let width = self.carried.len();
        Ok(Records {
            rows,
            carried: Carried::Text { width, fields },
        })
    }
}

type PuzzleAndSolution<'a> = (Cow<'a, [u8]>, Option<Cow<'a, [u8]>>);

impl CsvParser {
    /// Takes a record apart; the carried fields go to the end of `carried`.
    fn record<'a>(
        &self,
        raw: &'a [u8],
        carried: &mut Vec<Option<Cow<'a, str>>>,
    ) -> Result<PuzzleAndSolution<'a>, RejectReason> {
        let mut fields = fields_of(raw, self.delimiter);
        if fields.len() != self.width {
            let kind = if fields.len() < self.width {
                RejectKind::MissingColumn
            } else {
                RejectKind::TooManyColumns
            };
            let message = format!("the row has {} of {} columns", fields.len(), self.width);
            return Err(RejectReason::new(kind, message));
        }
        let start = carried.len();
        for &at in &self.carried {
            match utf8(std::mem::take(&mut fields[at])) {
                Ok(text) => carried.push((!text.is_empty()).then_some(text)),
                Err(message) => {
                    carried.truncate(start);
                    let message = format!("column {}: {message}", at + 1);
                    return Err(RejectReason::new(RejectKind::NotUtf8, message));
                }
            }
        }
        let puzzle = std::mem::take(&mut fields[self.puzzle]);
        if puzzle.is_empty() {
            let message = "the puzzle is empty";
            return Err(RejectReason::new(RejectKind::NullValue, message));
        }
        let solution = self.solution.map(|at| std::mem::take(&mut fields[at]));
        Ok((puzzle, solution.filter(|solution| !solution.is_empty())))
    }
}

fn utf8(bytes: Cow<'_, [u8]>) -> Result<Cow<'_, str>, String> {
    match bytes {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes)
            .map(Cow::Borrowed)
            .map_err(|error| error.to_string()),
        Cow::Owned(bytes) => String::from_utf8(bytes)
            .map(Cow::Owned)
            .map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_open_at_the_start_of_a_field_only() {
        let split = CsvSplit { delimiter: b',' };
        assert_eq!(split.record_end(b"a,\"x\ny\",b\nnext"), Some(10));
        assert_eq!(split.record_end(b"a,5\" pipe\nnext"), Some(10));
        assert_eq!(split.record_end(b"\"a\"\"\n\"\nnext"), Some(8));
        assert_eq!(split.record_end(b"\"open\nnext\n"), None);
        let fields = fields_of(b"\"a,\"\"b\"\"\",5\" pipe,,\"x\ny\"", b',');
        assert_eq!(
            fields,
            ["a,\"b\"", "5\" pipe", "", "x\ny"].map(str::as_bytes)
        );
    }
}
