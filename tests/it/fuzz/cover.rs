//! Checks that no record of a text was missed. The check is slow, but independent of the readers: it only knows
//! which bytes each format allows between two records.

use super::check::ReadOutcome;

/// A record of a text, at the position that the reader reports.
#[derive(Clone, Debug)]
pub(crate) struct RecordAtPosition {
    pub(crate) line: u64,
    pub(crate) byte_offset: u64,
    /// The text of the record without its line end. If the record is too long, its text is cut.
    pub(crate) text: Vec<u8>,
    /// Whether it is ambiguous where the record ends.
    pub(crate) broken: bool,
}

/// Panics if a record is not at its reported position, or if text between two records could contain a record.
pub(crate) fn check(
    outcome: &ReadOutcome,
    text: &[u8],
    reported_records: &[RecordAtPosition],
    is_whole: bool,
) {
    let format = outcome.format;
    let mut offset = 0;
    let mut line = 1;
    let mut broken = false;
    for (number, reported_record) in reported_records.iter().enumerate() {
        let record_start =
            usize::try_from(reported_record.byte_offset).expect("an offset within memory");
        assert!(
            offset <= record_start && record_start <= text.len(),
            "record {number} starts at byte {record_start}, after {offset}"
        );
        assert!(
            text[record_start..].starts_with(&reported_record.text),
            "record {number} is what stands at its place"
        );
        let text_between = TextBetweenRecords {
            outcome,
            text: &text[offset..record_start],
            is_first: number == 0,
            after_broken: broken,
        };
        text_between.check();
        line += newlines(&text[offset..record_start]);
        assert_eq!(reported_record.line, line, "the line of record {number}");
        line += newlines(&reported_record.text);
        offset = record_start + reported_record.text.len();
        broken = reported_record.broken;
        if is_line(format) {
            assert!(
                !reported_record.text.contains(&b'\n'),
                "record {number} is a line"
            );
        }
        if format == "csv" && !broken {
            let record_end = csv_record(text, record_start, outcome.delimiter);
            let record_end =
                record_end.map(|record_end| without_cr(&text[record_start..record_end]).len());
            assert_eq!(
                record_end,
                Some(reported_record.text.len()),
                "the length of record {number}"
            );
        }
    }
    if is_whole {
        let text_between = TextBetweenRecords {
            outcome,
            text: &text[offset..],
            is_first: reported_records.is_empty(),
            after_broken: broken,
        };
        text_between.check();
    }
}

fn newlines(text: &[u8]) -> u64 {
    text.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// Whether each record of this format is exactly one line.
fn is_line(format: &str) -> bool {
    ["hodoku", "lines", "ndjson", "puzzle_bank", "puzzle_count"].contains(&format)
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The end of the CSV record at the offset `start`, without its line end; `None` if its quotes are not
/// closed.
fn csv_record(text: &[u8], start: usize, delimiter: Option<char>) -> Option<usize> {
    let delimiter = delimiter.and_then(|delimiter| u8::try_from(delimiter).ok());
    let mut quoted = false;
    let mut at_field_start = true;
    let mut offset = start;
    while offset < text.len() {
        let byte = text[offset];
        if quoted {
            if byte == b'"' && text.get(offset + 1) == Some(&b'"') {
                offset += 1;
            } else if byte == b'"' {
                quoted = false;
            }
        } else if byte == b'"' && at_field_start {
            quoted = true;
            at_field_start = false;
        } else if byte == b'\n' {
            return Some(offset);
        } else {
            at_field_start = Some(byte) == delimiter;
        }
        offset += 1;
    }
    (!quoted).then_some(text.len())
}

/// The text between two records, which must not contain a record.
struct TextBetweenRecords<'a> {
    outcome: &'a ReadOutcome,
    text: &'a [u8],
    is_first: bool,
    /// Whether the end of the previous record is ambiguous. That record may extend to the end of its line.
    after_broken: bool,
}

impl TextBetweenRecords<'_> {
    fn check(&self) {
        let mut text = self.text;
        if self.is_first {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        } else if self.after_broken {
            let line_end = text.iter().position(|byte| *byte == b'\n');
            text = &text[line_end.unwrap_or(text.len())..];
        }
        let lost_line = match self.outcome.format {
            "csv" => self.find_in_csv(text),
            "opensudoku" => find_in_xml(text),
            "blocks" => find_in_boards(text),
            "json" => find_in_array(text),
            _ => self.find_in_lines(text),
        };
        if let Some(lost) = lost_line {
            panic!(
                "{} is in no record: {:?}",
                self.outcome.format,
                String::from_utf8_lossy(&lost)
            );
        }
    }

    /// Finds a line that is neither blank nor a comment. Before the first record, a line with the number of records is
    /// also allowed.
    fn find_in_lines(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut may_be_count = self.is_first && self.outcome.format == "lines";
        for line in text.split(|byte| *byte == b'\n') {
            let line = line.trim_ascii();
            if line.is_empty() || line.starts_with(b"#") || line == b"\x1a" {
                continue;
            }
            let is_count = may_be_count && line.len() <= 12 && line.iter().all(u8::is_ascii_digit);
            if !is_count {
                return Some(line.to_vec());
            }
            may_be_count = false;
        }
        None
    }

    /// Finds a line that is not empty. Before the first record, a header line is also allowed.
    fn find_in_csv(&self, mut text: &[u8]) -> Option<Vec<u8>> {
        if self.is_first {
            let mut line_start = 0;
            while let Some(end) = text[line_start..].iter().position(|byte| *byte == b'\n') {
                let line = text[line_start..line_start + end].trim_ascii();
                // A header may begin with `#` like a comment.
                if !line.is_empty() && !line.starts_with(b"#") {
                    break;
                }
                line_start += end + 1;
            }
            let end = csv_record(text, line_start, self.outcome.delimiter)?;
            text = &text[end..];
        }
        let mut lines = text.split(|byte| *byte == b'\n');
        lines
            .find(|line| !without_cr(line).is_empty())
            .map(<[u8]>::to_vec)
    }
}

/// Finds text that is not a bracket, a comma or white space.
fn find_in_array(text: &[u8]) -> Option<Vec<u8>> {
    let belongs_between_records = |byte: &u8| byte.is_ascii_whitespace() || b"[],".contains(byte);
    (!text.iter().all(belongs_between_records)).then(|| text.to_vec())
}

/// The delimiters of the parts of XML that cannot contain tags.
const SKIPPED: [(&[u8], &[u8]); 3] = [(b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")];

/// Finds a start tag of the element `game`.
fn find_in_xml(text: &[u8]) -> Option<Vec<u8>> {
    let mut offset = 0;
    while offset < text.len() {
        let remaining_text = &text[offset..];
        if let Some((opening, closing)) = SKIPPED
            .iter()
            .find(|(opening, _)| remaining_text.starts_with(opening))
        {
            let after_opening = &remaining_text[opening.len()..];
            let closing_offset = after_opening
                .windows(closing.len())
                .position(|window| window == *closing);
            offset += closing_offset.map_or(remaining_text.len(), |end| {
                opening.len() + end + closing.len()
            });
        } else if remaining_text.starts_with(b"<!") {
            // A declaration such as `<!DOCTYPE … [ … ]>` may contain other declarations.
            let mut depth = 0;
            let mut declaration_end = remaining_text.len();
            for (index, byte) in remaining_text.iter().enumerate() {
                depth += i32::from(*byte == b'<') - i32::from(*byte == b'>');
                if depth == 0 {
                    declaration_end = index + 1;
                    break;
                }
            }
            offset += declaration_end;
        } else if let Some(name) = remaining_text.strip_prefix(b"<game")
            && name
                .first()
                .is_none_or(|next| next.is_ascii_whitespace() || b"/><".contains(next))
        {
            return Some(remaining_text[..remaining_text.len().min(40)].to_vec());
        } else {
            offset += 1;
        }
    }
    None
}

/// Finds a row of a board. Blank lines, comments, drawn lines, column names and sections without a board are allowed.
fn find_in_boards(text: &[u8]) -> Option<Vec<u8>> {
    let mut in_section = false;
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        let section_name = line.strip_prefix(b"[").map(<[u8]>::trim_ascii);
        let is_section =
            section_name.is_some_and(|name| name.first().is_some_and(u8::is_ascii_alphabetic));
        if line.starts_with(b"#") || is_section {
            let name = section_name.unwrap_or_default().to_ascii_lowercase();
            in_section = is_section && !name.starts_with(b"puzzle");
            continue;
        }
        let text = String::from_utf8_lossy(line);
        let letters: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
        let is_column_header = matches!(
            letters.as_str(),
            "" | "123456789" | "ABCDEFGHI" | "abcdefghi"
        );
        // `Number of Givens: 26` is a property of the board above.
        let is_property = text.split_once(':').is_some_and(|(name, value)| {
            let is_word = |text: &str| {
                text.chars()
                    .all(|c| c.is_ascii_alphabetic() || " -_".contains(c))
            };
            let is_number = value.trim().chars().all(|c| c.is_ascii_digit());
            name.len() > 3 && is_word(name) && (is_word(value) || is_number)
        });
        if !in_section && !is_column_header && !is_property {
            return Some(line.to_vec());
        }
    }
    None
}
