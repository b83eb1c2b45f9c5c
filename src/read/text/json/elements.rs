//! Finds the elements of a JSON array, or of values one after the other.

use memchr::memchr2;

use crate::read::bytes::chunker::SkipRecord;

/// An element of the array, without the white space around it.
pub(super) struct Element {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The offset after the comma or bracket that follows the element.
    pub(super) next_start: usize,
    pub(super) stop: ElementStop,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementStop {
    Comma,
    /// The next element follows without a comma.
    Next,
    /// The element ends at the bracket that closes the array.
    Closed,
    /// The available bytes end before the element does.
    Cut,
}

/// Finds the end of the element that starts at the offset `start`. Only strings and brackets are parsed, because these
/// are enough for that.
pub(super) fn element(bytes: &[u8], start: usize) -> Element {
    let mut offset = start;
    let mut depth = 0_usize;
    let mut stop = ElementStop::Cut;
    // Whether a value has ended, so that another one can only be the next element.
    let mut has_ended = false;
    while let Some(byte) = bytes.get(offset) {
        match byte {
            b'"' | b'{' | b'[' if has_ended => {
                stop = ElementStop::Next;
                break;
            }
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
                has_ended = depth == 0 && offset < bytes.len();
            }
            b'{' | b'[' => depth += 1,
            b',' if depth == 0 => stop = ElementStop::Comma,
            b']' if depth == 0 => stop = ElementStop::Closed,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                has_ended = depth == 0;
            }
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
    if matches!(stop, ElementStop::Comma | ElementStop::Closed) {
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
    pub(super) fn is_record(&self) -> bool {
        self.start < self.end || self.stop == ElementStop::Comma
    }
}

/// Finds the end of an element that is longer than a record may be.
#[derive(Default)]
pub(super) struct SkipElement {
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
pub(super) fn is_closed(bytes: &[u8]) -> bool {
    let mut offset = 0;
    let mut stop = ElementStop::Cut;
    while offset < bytes.len() {
        let element = element(bytes, offset);
        (offset, stop) = (element.next_start, element.stop);
    }
    stop == ElementStop::Closed
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
            ("{}{} [1]\n\"a\" ]", &["{}", "{}", "[1]", "\"a\""], true),
        ] {
            assert_eq!(elements(text), (expected.to_vec(), closed), "{text}");
        }
    }
}
