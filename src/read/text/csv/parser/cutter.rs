//! Cuts delimited text after its last complete record.

use memchr::memchr;

use super::CsvParser;
use crate::read::bytes::chunker::{CompleteRecords, Cut, whole_lines};
use crate::read::bytes::without_cr;
use crate::read::text::fields::{self, FieldStop};

impl Cut for CsvParser {
    fn cut(&self, bytes: &[u8], at_end: bool) -> CompleteRecords {
        if memchr(b'"', bytes).is_none() {
            whole_lines(bytes, at_end, is_record)
        } else {
            cut_records(bytes, at_end, self.delimiter)
        }
    }

    fn ignores(&self, _line: &[u8]) -> bool {
        false
    }
}

fn cut_records(bytes: &[u8], at_end: bool, delimiter: u8) -> CompleteRecords {
    let mut complete = CompleteRecords::default();
    while complete.end < bytes.len() {
        let record = fields::record(bytes, complete.end, delimiter);
        let next_record = match record.stop {
            FieldStop::LineEnd => record.end + 1,
            FieldStop::End if at_end => record.end,
            FieldStop::OpenQuote => {
                complete.unclosed = Some("a quoted field");
                break;
            }
            FieldStop::Misquoted => {
                complete.misquoted = true;
                break;
            }
            FieldStop::End | FieldStop::Delimiter => break,
        };
        complete.rows += usize::from(is_record(&bytes[complete.end..record.end]));
        complete.end = next_record;
    }
    complete
}

/// Whether a line is a record. Empty lines are not.
pub(super) fn is_record(record: &[u8]) -> bool {
    !without_cr(record).is_empty()
}
