//! Finds and unquotes the fields of a record by the quoting rules of RFC 4180.
//!
//! A quote opens a quoted field only at the start of the field. Inside quotes, `""` is a quote, and a line end
//! is text. Text between the closing quote and the next delimiter belongs to the field, unless the quotes
//! enclose a line end.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// Where a field ends, and why it ends there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub end: usize,
    pub stop: FieldStop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldStop {
    Delimiter,
    LineEnd,
    /// The field ends because the available bytes end.
    End,
    /// The available bytes end while a quote is open.
    OpenQuote,
    /// Quotes enclose a line end, and text follows the closing quote. Most likely the opening quote was never closed,
    /// and the seemingly closing one opens a field of a later record.
    Misquoted,
}

/// Finds the end of the field that starts at the offset `start`.
pub(crate) fn field(bytes: &[u8], start: usize, delimiter: u8) -> Field {
    let find = |byte, from| {
        let remaining_bytes = bytes.get(from..)?;
        memchr(byte, remaining_bytes).map(|at| from + at)
    };
    let mut offset = start;
    if bytes.get(start) == Some(&b'"') {
        offset += 1;
        loop {
            let Some(quote) = find(b'"', offset) else {
                let (end, stop) = (bytes.len(), FieldStop::OpenQuote);
                return Field { end, stop };
            };
            let byte_after = bytes.get(quote + 1);
            if byte_after == Some(&b'"') {
                offset = quote + 2;
                continue;
            }
            let ends_field = |byte: &u8| *byte == delimiter || matches!(byte, b'\r' | b'\n');
            if !byte_after.is_none_or(ends_field) && memchr(b'\n', &bytes[start..quote]).is_some() {
                let (end, stop) = (bytes.len(), FieldStop::Misquoted);
                return Field { end, stop };
            }
            offset = quote + 1;
            break;
        }
    }
    let remaining_bytes = bytes.get(offset..).unwrap_or_default();
    match memchr2(delimiter, b'\n', remaining_bytes) {
        Some(length) => Field {
            end: offset + length,
            stop: if remaining_bytes.get(length) == Some(&delimiter) {
                FieldStop::Delimiter
            } else {
                FieldStop::LineEnd
            },
        },
        None => Field {
            end: bytes.len(),
            stop: FieldStop::End,
        },
    }
}

/// Finds the end of the record that starts at the offset `start`. It is the end of the record's last field, before the
/// line end.
pub(crate) fn record(bytes: &[u8], start: usize, delimiter: u8) -> Field {
    let remaining_bytes = bytes.get(start..).unwrap_or_default();
    let line_end = memchr(b'\n', remaining_bytes);
    let line = &remaining_bytes[..line_end.unwrap_or(remaining_bytes.len())];
    if memchr(b'"', line).is_none() {
        return Field {
            end: start + line.len(),
            stop: line_end.map_or(FieldStop::End, |_| FieldStop::LineEnd),
        };
    }
    let mut offset = start;
    loop {
        let field = field(bytes, offset, delimiter);
        if field.stop != FieldStop::Delimiter {
            return field;
        }
        offset = field.end + 1;
    }
}

/// The value of a field: enclosing quotes are removed, and `""` inside them becomes `"`.
pub(crate) fn unquote(field: &[u8]) -> Cow<'_, [u8]> {
    let Some(inner) = field.strip_prefix(b"\"") else {
        return Cow::Borrowed(field);
    };
    if let Some(plain) = inner.strip_suffix(b"\"")
        && memchr(b'"', plain).is_none()
    {
        return Cow::Borrowed(plain);
    }
    let mut text = Vec::with_capacity(inner.len());
    let mut remaining_bytes = inner;
    while let Some(quote) = memchr(b'"', remaining_bytes) {
        text.extend_from_slice(&remaining_bytes[..quote]);
        remaining_bytes = &remaining_bytes[quote + 1..];
        match remaining_bytes.strip_prefix(b"\"") {
            Some(more) => {
                text.push(b'"');
                remaining_bytes = more;
            }
            None => break,
        }
    }
    text.extend_from_slice(remaining_bytes);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(bytes: &[u8]) -> (Vec<String>, FieldStop) {
        let mut fields = Vec::new();
        let mut start = 0;
        loop {
            let next_field = field(bytes, start, b',');
            let text = unquote(&bytes[start..next_field.end]);
            fields.push(String::from_utf8_lossy(&text).into_owned());
            if next_field.stop != FieldStop::Delimiter {
                return (fields, next_field.stop);
            }
            start = next_field.end + 1;
        }
    }

    #[test]
    fn quotes_follow_rfc_4180() {
        let cases: [(&str, &[&str], FieldStop); 11] = [
            ("a,b,c", &["a", "b", "c"], FieldStop::End),
            ("a,b\nc", &["a", "b"], FieldStop::LineEnd),
            ("", &[""], FieldStop::End),
            (",", &["", ""], FieldStop::End),
            ("\"a,b\",c", &["a,b", "c"], FieldStop::End),
            ("\"a\nb\",c\n", &["a\nb", "c"], FieldStop::LineEnd),
            ("\"say \"\"a\"\"\",\"\"", &["say \"a\"", ""], FieldStop::End),
            ("a \"b\",c", &["a \"b\"", "c"], FieldStop::End),
            ("\"a\" b,c", &["a b", "c"], FieldStop::End),
            ("\"a\" \"b\"\"\",c", &["a \"b\"\"\"", "c"], FieldStop::End),
            ("a,\"b\"\"", &["a", "b\""], FieldStop::OpenQuote),
        ];
        for (text, fields, stop) in cases {
            let expected: Vec<String> = fields.iter().map(ToString::to_string).collect();
            assert_eq!(split(text.as_bytes()), (expected, stop), "{text:?}");
        }
    }

    #[test]
    fn csv_core_reads_the_same_fields() {
        let mut rng = sudoku_core::random::Rng::new(4180);
        for case in 0..20_000 {
            let text: Vec<u8> = (0..rng.below(12))
                .map(|_| b"ab\",,\""[rng.below(6)])
                .collect();
            let (fields, stop) = split(&text);
            if stop == FieldStop::OpenQuote || text.is_empty() {
                continue;
            }
            let mut output = [0; 100];
            let mut field_ends = [0; 100];
            let mut reader = csv_core::Reader::new();
            let line = [text.as_slice(), b"\n"].concat();
            let (_, _, _, count) = reader.read_record(&line, &mut output, &mut field_ends);
            let mut field_start = 0;
            let csv_core_fields: Vec<String> = field_ends[..count]
                .iter()
                .map(|end| {
                    let field = String::from_utf8_lossy(&output[field_start..*end]).into_owned();
                    field_start = *end;
                    field
                })
                .collect();
            assert_eq!(
                fields,
                csv_core_fields,
                "case {case}: {:?}",
                String::from_utf8_lossy(&text)
            );
        }
    }
}
