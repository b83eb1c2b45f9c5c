//! The format of a JSON array of objects, which can span any number of lines.
//!
//! ```text
//! [
//!   {"id": 1, "puzzle": "53..7....…"},
//!   {"id": 2, "puzzle": [[5, 3, 0, 0, 7, 0, 0, 0, 0], …]}
//! ]
//! ```
//!
//! The array is cut at the commas between its elements, so the whole array need not fit into memory. At the end
//! of the input, an array that is not closed is reported as damage, and so is text after the array.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use memchr::{memchr_iter, memchr2};

use crate::error::Error;
use crate::options::MAX_RECORD_BYTES;
use crate::read::bytes::chunker::{CompleteRecords, Cut, SkipRecord};
use crate::read::bytes::head::Head;
use crate::read::text::json::ndjson;
use crate::read::text::json::objects::{self, ObjectParser};
use crate::read::text::line_records::RecordList;
use crate::read::text_format::{OpenedText, TextFormat};
use crate::read::{Batch, InputFormat, Parse, ReadOptions, Records};

/// The format of a JSON array of objects.
pub(crate) struct Format;

impl TextFormat for Format {
    fn format(&self) -> InputFormat {
        InputFormat::Json
    }

    fn has_header(&self) -> bool {
        true
    }

    /// The number of first bytes to read. They must include the whole first element, because its keys are the columns.
    fn head_bytes(&self, options: &ReadOptions) -> usize {
        let most_record_bytes = options
            .max_record_bytes
            .and_then(|most| usize::try_from(most).ok());
        most_record_bytes.map_or(objects::HEAD_BYTES, |most| {
            objects::HEAD_BYTES.max(most.saturating_add(64))
        })
    }

    fn detect(&self, head: &Head<'_>, _: &ReadOptions) -> Result<Option<String>, Error> {
        let is_array = array_start(head).is_some_and(|start| {
            let after_bracket = head.bytes[start..].trim_ascii_start();
            after_bracket.starts_with(b"{")
        });
        Ok(is_array.then(|| "it is a JSON array of objects".to_owned()))
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        let Some(start) = array_start(head) else {
            // A file with one object per line is often called JSON as well.
            return ndjson::Format.open(head, options);
        };
        let array_text = &head.bytes[start..];
        let mut offset = 0;
        let elements = std::iter::from_fn(|| {
            let element = element(array_text, offset);
            offset = element.next_start;
            let is_whole = element.stop == ElementStop::Comma || element.is_record() && head.is_all;
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
        let objects = ObjectParser::new(head, texts, options)?;
        Ok(OpenedText {
            start: (
                start,
                memchr_iter(b'\n', &head.bytes[..start]).count() as u64,
            ),
            carried: objects.types().fields().to_vec(),
            columns: objects.column_infos(),
            has_solutions: objects.has_solutions(),
            delimiter: None,
            reader: Arc::new(JsonArray {
                objects,
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

/// The parser of a JSON array. Its columns are the keys of the first objects.
struct JsonArray {
    objects: ObjectParser,
    /// The [`ArrayPosition`] of the last byte that has been cut off.
    position: AtomicU8,
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

/// An element of the array, without the white space around it.
struct Element {
    start: usize,
    end: usize,
    /// The offset after the comma or bracket that follows the element.
    next_start: usize,
    stop: ElementStop,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementStop {
    Comma,
    /// The element ends at the bracket that closes the array.
    Closed,
    /// The available bytes end before the element does.
    Cut,
}

/// Finds the end of the element that starts at the offset `start`. Only strings and brackets are parsed, because these
/// are enough for that.
fn element(bytes: &[u8], start: usize) -> Element {
    let mut offset = start;
    let mut depth = 0_usize;
    let mut stop = ElementStop::Cut;
    while let Some(byte) = bytes.get(offset) {
        match byte {
            b'"' => {
                offset += 1;
                loop {
                    match memchr2(b'"', b'\\', bytes.get(offset..).unwrap_or_default()) {
                        None => offset = bytes.len(),
                        Some(found) if bytes[offset + found] == b'\\' => {
                            offset += found + 2;
                            continue;
                        }
                        Some(found) => offset += found,
                    }
                    break;
                }
            }
            b'{' | b'[' => depth += 1,
            b',' if depth == 0 => stop = ElementStop::Comma,
            b']' if depth == 0 => stop = ElementStop::Closed,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if stop != ElementStop::Cut {
            break;
        }
        offset += 1;
    }
    let text_end = offset.min(bytes.len());
    let text = &bytes[start..text_end];
    let blanks_before = text.len() - text.trim_ascii_start().len();
    let mut next_offset = text_end;
    if stop != ElementStop::Cut {
        next_offset += 1;
    }
    if stop == ElementStop::Closed {
        let remaining_bytes = &bytes[next_offset..];
        next_offset = bytes.len() - remaining_bytes.trim_ascii_start().len();
    }
    Element {
        start: start + blanks_before,
        end: start + blanks_before + text.trim_ascii().len(),
        next_start: next_offset,
        stop,
    }
}

impl Element {
    /// Whether this is an element, and not only the white space before the bracket that closes the array.
    fn is_record(&self) -> bool {
        self.start < self.end || self.stop == ElementStop::Comma
    }
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

/// Finds the end of an element that is longer than a record may be.
#[derive(Default)]
struct SkipElement {
    depth: usize,
    in_string: bool,
    /// Whether the previous byte is a backslash in a string, so that the next byte is escaped.
    is_escaped: bool,
}

impl SkipRecord for SkipElement {
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.is_escaped => self.is_escaped = false,
                    b'\\' => self.is_escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b',' | b']' if self.depth == 0 => return Some(at + 1),
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }
}

/// Whether the array ends after the elements in these bytes. The bytes must end after a complete element.
fn is_closed(bytes: &[u8]) -> bool {
    let mut offset = 0;
    let mut stop = ElementStop::Cut;
    while offset < bytes.len() {
        let element = element(bytes, offset);
        (offset, stop) = (element.next_start, element.stop);
    }
    stop == ElementStop::Closed
}

impl Parse for JsonArray {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let types = self.objects.types();
        let width = types.fields().len();
        let chunk = batch.text();
        let mut records = RecordList::new(batch.rows, chunk, width);
        let mut values = Vec::new();
        if let Some(chunk) = chunk {
            let bytes = chunk.bytes.as_slice();
            let mut position = chunk.start();
            if chunk.broken.is_some() {
                records.push(bytes.trim_ascii(), position, |raw, fields| {
                    self.objects.parse_object(raw, &mut values, fields)
                });
                return Ok(records.into_records(Some(Arc::clone(types))));
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
                records.push(
                    &bytes[element.start..element.end],
                    position,
                    |raw, fields| self.objects.parse_object(raw, &mut values, fields),
                );
            }
        }
        Ok(records.into_records(Some(Arc::clone(types))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The elements in a text, and whether the array ends after them.
    fn elements(text: &str) -> (Vec<&str>, bool) {
        let bytes = text.as_bytes();
        let (mut at, mut found, mut closed) = (0, Vec::new(), false);
        while at < bytes.len() {
            let element = element(bytes, at);
            if element.is_record() {
                found.push(&text[element.start..element.end]);
            }
            (at, closed) = (element.next_start, element.stop == ElementStop::Closed);
        }
        (found, closed)
    }

    #[test]
    fn elements_end_at_the_commas_between_them_alone() {
        for (text, expected, closed) in [
            (
                "{\"a\":1}, {\"b\":[2,3]}\n]\n",
                &["{\"a\":1}", "{\"b\":[2,3]}"][..],
                true,
            ),
            ("{\"a\":\"}],\\\"{\"}]", &["{\"a\":\"}],\\\"{\"}"], true),
            ("{\"a\":\"\\\\\"},5]", &["{\"a\":\"\\\\\"}", "5"], true),
            ("]", &[], true),
            (" {} ,, ]", &["{}", ""], true),
            ("{\"a\":\"", &["{\"a\":\""], false),
            ("{\"a\":\"\\", &["{\"a\":\"\\"], false),
            ("{},", &["{}"], false),
        ] {
            assert_eq!(elements(text), (expected.to_vec(), closed), "{text}");
        }
    }
}
