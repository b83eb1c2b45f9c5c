//! The format of a JSON array of objects or grids, which can span any number of lines. Values one after the other without
//! brackets around them are read in the same way.
//!
//! ```text
//! [
//!   {"id": 1, "puzzle": "53..7....…"},
//!   {"id": 2, "puzzle": [[5, 3, 0, 0, 7, 0, 0, 0, 0], …]}
//! ]
//! ```
//!
//! The array is cut between its elements, at commas or before the next value, so the whole array need not fit into memory. At the end
//! of the input, an array that is not closed is reported as damage, and so is text after the array.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use memchr::memchr_iter;

use crate::carry::text::json_keys;
use crate::error::Error;
use crate::options::MAX_RECORD_BYTES;
use crate::read::bytes::chunker::{CompleteRecords, Cut, SkipRecord};
use crate::read::bytes::head::Head;
use crate::read::format::{InputColumns, OpenedText, ReadFormat, TextFormat, UNREAD};
use crate::read::text::json::elements::{ElementStop, SkipElement, element, is_closed};
use crate::read::text::json::grids::{GridParser, is_whole_grid};
use crate::read::text::json::ndjson;
use crate::read::text::json::objects::{self, ObjectParser};
use crate::read::text::line_records::RecordList;
use crate::read::{Batch, Parse, ReadOptions, Records};

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "json",
    doc: "A JSON array of objects",
    columns: InputColumns::Named,
    has_any_value_as_text: true,
    text: Some(&Format),
    ..UNREAD
};

/// The format of a JSON array of objects.
struct Format;

impl TextFormat for Format {
    /// The number of first bytes to read. They must include the whole first element, because its keys are the columns.
    fn head_bytes(&self, options: &ReadOptions) -> usize {
        let most_record_bytes = options
            .max_record_bytes
            .and_then(|most| usize::try_from(most).ok());
        most_record_bytes.map_or(objects::HEAD_BYTES, |most| {
            objects::HEAD_BYTES.max(most.saturating_add(64))
        })
    }

    fn detect(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Option<String>, Error> {
        Ok(shape(head, options).map(|shape| {
            let values = if shape.has_grids { "grids" } else { "objects" };
            if shape.is_array {
                format!("it is a JSON array of {values}")
            } else {
                format!("it has JSON {values} one after the other")
            }
        }))
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        let shape = shape(head, options).or_else(|| {
            let start = array_start(head)?;
            Some(Shape {
                start,
                is_array: true,
                has_grids: false,
            })
        });
        let Some(shape) = shape else {
            // A file with one object per line is often called JSON as well.
            return ndjson::Format.open(head, options);
        };
        let array_text = &head.bytes[shape.start..];
        let mut offset = 0;
        let elements = std::iter::from_fn(|| {
            let element = element(array_text, offset);
            offset = element.next_start;
            let is_whole = matches!(element.stop, ElementStop::Comma | ElementStop::Next)
                || element.is_record() && head.is_all;
            let is_last = element.stop == ElementStop::Closed && element.is_record();
            (is_whole || is_last).then(|| &array_text[element.start..element.end])
        });
        let mut elements = elements.peekable();
        if elements.peek().is_none() && !head.is_all {
            return Err(head.unknown(format!(
                "its first element, which names the columns, is longer than a record may be: \
                 {MAX_RECORD_BYTES} allows longer ones"
            )));
        }
        let texts = elements.filter_map(|text| std::str::from_utf8(text).ok());
        let values = if shape.has_grids {
            Values::Grids(GridParser::new(head, texts, options)?)
        } else {
            Values::Objects(Box::new(ObjectParser::new(head, texts, options)?))
        };
        Ok(OpenedText {
            start: (
                shape.start,
                memchr_iter(b'\n', &head.bytes[..shape.start]).count() as u64,
            ),
            carried: match &values {
                Values::Objects(objects) => objects.types().fields().to_vec(),
                Values::Grids(_) => Vec::new(),
            },
            columns: match &values {
                Values::Objects(objects) => objects.column_infos(),
                Values::Grids(_) => Vec::new(),
            },
            has_solutions: matches!(&values, Values::Objects(objects) if objects.has_solutions()),
            delimiter: None,
            reader: Arc::new(JsonArray {
                values,
                is_array: shape.is_array,
                position: AtomicU8::new(ArrayPosition::Within as u8),
            }),
        })
    }

    #[cfg(test)]
    fn example(&self) -> String {
        "[ {\"id\": 1,\n \"puzzle\": \"4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........\"}\n]\n".into()
    }
}

/// The offset of the array's first element; `None` if the text is not an array.
fn array_start(head: &Head<'_>) -> Option<usize> {
    let remaining_bytes = head.text().trim_ascii_start();
    remaining_bytes
        .strip_prefix(b"[")
        .map(|rest| head.bytes.len() - rest.len())
}

/// Where the values of a text start, and what they are.
struct Shape {
    /// The offset of the first value.
    start: usize,
    /// Whether the values are the elements of an array. Otherwise they stand one after the other.
    is_array: bool,
    /// Whether the values are grids. Otherwise they are objects.
    has_grids: bool,
}

/// The shape of a text; `None` if it is of another format, such as one with an object in each line.
fn shape(head: &Head<'_>, options: &ReadOptions) -> Option<Shape> {
    let text = head.text().trim_ascii_start();
    let text_start = head.bytes.len() - text.len();
    let has_columns = options.puzzle_column.is_some() || options.solution_column.is_some();
    if let Some(start) = array_start(head) {
        let within = &head.bytes[start..];
        let first = element(within, 0);
        if within.get(first.start) == Some(&b'{') {
            return Some(Shape {
                start,
                is_array: true,
                has_grids: false,
            });
        }
        if has_columns {
            return None;
        }
        let is_whole = first.stop != ElementStop::Cut;
        let is_grid = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(is_whole_grid);
        let is_array = is_whole && is_grid(&within[first.start..first.end]);
        let outer = element(text, 0);
        // An array of rows is one grid.
        let is_one_grid = (outer.stop != ElementStop::Cut || head.is_all)
            && is_grid(&text[outer.start..outer.end]);
        return match (is_one_grid, is_array) {
            (true, _) => Some((text_start, false)),
            (false, true) => Some((start, true)),
            (false, false) => None,
        }
        .map(|(start, is_array)| Shape {
            start,
            is_array,
            has_grids: true,
        });
    }
    if !text.starts_with(b"{") {
        return None;
    }
    let first = element(text, 0);
    let value = std::str::from_utf8(&text[first.start..first.end]).ok()?;
    let is_whole = first.stop != ElementStop::Cut || head.is_all;
    // A text with an object in each line is read as such.
    let first_line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_line = first_line.trim_ascii() == value.as_bytes();
    let is_object = || json_keys::keys_and_values(value).is_ok();
    (is_whole && !is_line && first.stop != ElementStop::Closed && is_object()).then_some(Shape {
        start: text_start,
        is_array: false,
        has_grids: false,
    })
}

/// The parser of a JSON array. Its columns are the keys of the first objects.
struct JsonArray {
    values: Values,
    /// Whether the values are the elements of an array. Otherwise they stand one after the other.
    is_array: bool,
    /// The [`ArrayPosition`] of the last byte that has been cut off.
    position: AtomicU8,
}

/// The parser of the values.
enum Values {
    Objects(Box<ObjectParser>),
    Grids(GridParser),
}

/// Whether a position in the text is within the array or after it.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum ArrayPosition {
    Within,
    /// The position is after the end of the array.
    After,
    /// The position is in text after the array, which is an error.
    TrailingText,
}

impl Cut for JsonArray {
    fn cut(&self, bytes: &[u8], at_end: bool) -> CompleteRecords {
        let mut complete = CompleteRecords::default();
        while complete.end < bytes.len() {
            let element = element(bytes, complete.end);
            if element.stop == ElementStop::Cut && !at_end {
                // Drops the white space before the element, however long it is.
                complete.end = element.start;
                complete.unclosed =
                    (element.start < element.end).then_some("an element of the array");
                break;
            }
            complete.rows += usize::from(element.is_record());
            complete.end = element.next_start;
            // The text after the array is left to the next call.
            if element.stop == ElementStop::Closed {
                break;
            }
        }
        complete
    }

    fn ignores(&self, _: &[u8]) -> bool {
        false
    }

    fn advance(&self, bytes: &[u8]) {
        if !self.is_array {
            return;
        }
        let text = bytes.trim_ascii_end();
        let new_position = if text.is_empty() {
            return;
        } else if self.position.load(Ordering::Relaxed) != ArrayPosition::Within as u8 {
            ArrayPosition::TrailingText
        } else if text.ends_with(b"]") && is_closed(text) {
            // A bracket follows only the last element, and a comma each other one. So `is_closed` is rarely called.
            ArrayPosition::After
        } else {
            ArrayPosition::Within
        };
        self.position.store(new_position as u8, Ordering::Relaxed);
    }

    fn missing_end(&self) -> Option<&'static str> {
        if !self.is_array {
            return None;
        }
        let array_position = self.position.load(Ordering::Relaxed);
        if array_position == ArrayPosition::Within as u8 {
            Some("the JSON array is not closed: the file is cut short")
        } else if array_position == ArrayPosition::TrailingText as u8 {
            Some(
                "text follows the JSON array: jq -c '.[]' writes each element as an object on its own line",
            )
        } else {
            None
        }
    }

    fn skip(&self) -> Box<dyn SkipRecord> {
        Box::new(SkipElement::default())
    }

    /// Updates the position after an element was skipped. `last` is the comma or bracket after the element.
    fn advance_broken(&self, last: u8) {
        self.advance(&[last]);
    }
}

impl Parse for JsonArray {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let types = match &self.values {
            Values::Objects(objects) => Some(Arc::clone(objects.types())),
            Values::Grids(_) => None,
        };
        let width = types.as_ref().map_or(0, |types| types.fields().len());
        let chunk = batch.text();
        let mut records = RecordList::new(batch.rows, chunk, width);
        let mut values = Vec::new();
        let mut parse = |raw, fields: &mut Vec<_>| match &self.values {
            Values::Objects(objects) => objects.parse_object(raw, &mut values, fields),
            Values::Grids(grids) => grids.parse(raw),
        };
        if let Some(chunk) = chunk {
            let bytes = chunk.bytes.as_slice();
            let mut position = chunk.start();
            if chunk.broken.is_some() {
                records.push(bytes.trim_ascii(), position, &mut parse);
                return Ok(records.into_records(types));
            }
            let mut counted_until = 0;
            let mut offset = 0;
            while offset < bytes.len() {
                let element = element(bytes, offset);
                offset = element.next_start;
                if !element.is_record() {
                    continue;
                }
                position.line +=
                    memchr_iter(b'\n', &bytes[counted_until..element.start]).count() as u64;
                position.byte_offset += (element.start - counted_until) as u64;
                counted_until = element.start;
                records.push(&bytes[element.start..element.end], position, &mut parse);
            }
        }
        Ok(records.into_records(types))
    }
}
