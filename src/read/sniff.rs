//! What a text is, told from its first line that is neither blank nor a comment.

use super::columns::{PUZZLE_NAMES, find_known, find_named};
use super::fields::{self, Stop, unquoted};
use super::{InputFormat, ReadOptions};
use crate::error::Error;
use crate::normalise::is_cell;

/// How much of a text is looked at.
pub(super) const HEAD: usize = 64 * 1024;

/// What may stand between the fields of a table.
const DELIMITERS: [u8; 4] = *b",\t;|";

/// Contents that are no text, and what to do about them.
const REFUSED: [(&[u8], &str); 8] = [
    (
        b"PAR1",
        "Parquet inside gzip or zstd cannot be read: decompress the file first",
    ),
    (
        b"PK\x03\x04",
        "zip archives and Excel files are not read: unpack the file, or save it as CSV",
    ),
    (
        b"BZh",
        "bzip2 is not read: decompress the file, or use gzip or zstd",
    ),
    (
        b"\xfd7zXZ\0",
        "xz is not read: decompress the file, or use gzip or zstd",
    ),
    (
        b"\x1f\x8b",
        "the file is compressed twice: decompress it once",
    ),
    (
        b"ARROW1",
        "Arrow IPC files are not read: convert the file to Parquet",
    ),
    (b"\xff\xfe", "the text is UTF-16: convert it to UTF-8"),
    (b"\xfe\xff", "the text is UTF-16: convert it to UTF-8"),
];

/// A text format, and where its records start.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// After a byte order mark of so many bytes.
    Lines(usize),
    Csv(Header),
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub delimiter: u8,
    pub names: Vec<String>,
    /// Where the first record starts, in bytes and in lines.
    pub end: usize,
    pub lines: u64,
}

/// Tells the format of a text from its first bytes, [`HEAD`] of them if there are as many.
pub(super) fn text(source_name: &str, head: &[u8], options: &ReadOptions) -> Result<Text, Error> {
    let unknown = |what: &str| Error::UnknownFormat {
        source_name: source_name.to_owned(),
        what: what.to_owned(),
    };
    let refused = REFUSED.iter().find(|(magic, _)| head.starts_with(magic));
    if let (Some((_, what)), None) = (refused, options.format) {
        return Err(unknown(what));
    }
    let bom = if head.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    let lines = Ok(Text::Lines(bom));
    if options.format == Some(InputFormat::Lines) {
        return lines;
    }
    let must_be_table = options.format.is_some() || options.puzzle_column.is_some();
    let Some((start, line)) = first_line(head, bom) else {
        return match must_be_table {
            true => Err(unknown("there is no header line that names the columns")),
            false => lines,
        };
    };
    let headers = DELIMITERS.map(|delimiter| header(head, start, delimiter));
    let header = headers
        .iter()
        .find(|header| has_puzzles(&header.names, options))
        .or_else(|| headers.iter().rev().max_by_key(|header| header.names.len()));
    let Some(header) = header else { return lines };
    let is_table = must_be_table
        || has_puzzles(&header.names, options)
        // Without a puzzle column: that is for the user to be told, who is asked for its name.
        || (!starts_with_grid(line) && looks_like_names(&header.names));
    if !is_table {
        return lines;
    }
    if header.end >= HEAD {
        return Err(unknown(
            "the header line is longer than 64 KiB, or a quote in it is not closed",
        ));
    }
    Ok(Text::Csv(header.clone()))
}

/// The first line that is neither blank nor a comment, and where it starts.
fn first_line(head: &[u8], mut start: usize) -> Option<(usize, &[u8])> {
    loop {
        let rest = head.get(start..).filter(|rest| !rest.is_empty())?;
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if !line.trim_ascii().is_empty() && !line.starts_with(b"#") {
            return Some((start, line));
        }
        start += line.len() + 1;
    }
}

fn header(head: &[u8], start: usize, delimiter: u8) -> Header {
    let mut names = Vec::new();
    let mut at = start;
    loop {
        let field = fields::field(head, at, delimiter);
        let name = unquoted(head[at..field.end].trim_ascii()).into_owned();
        names.push(String::from_utf8_lossy(&name).trim().to_owned());
        at = field.end + 1;
        if field.stop != Stop::Delimiter {
            let end = match field.stop {
                // Its end has not been seen.
                Stop::OpenQuote | Stop::Misquoted => HEAD,
                Stop::LineEnd => at,
                Stop::Delimiter | Stop::End => field.end,
            };
            let lines = head[..end.min(head.len())].iter();
            return Header {
                delimiter,
                names,
                end,
                lines: lines.filter(|byte| **byte == b'\n').count() as u64,
            };
        }
    }
}

fn has_puzzles(names: &[String], options: &ReadOptions) -> bool {
    match &options.puzzle_column {
        Some(wanted) => find_named(names, wanted).is_some(),
        None => find_known(names, &PUZZLE_NAMES, |_| true).is_some(),
    }
}

fn starts_with_grid(line: &[u8]) -> bool {
    [line, line.trim_ascii_start()]
        .iter()
        .filter_map(|text| text.first_chunk::<81>())
        .any(|cells| cells.iter().copied().all(is_cell))
}

fn looks_like_names(names: &[String]) -> bool {
    let is_grid = |name: &String| match name.len() {
        16 | 36 | 81 | 729 => name.bytes().all(is_cell),
        256 | 625 => name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || is_cell(byte)),
        _ => false,
    };
    names.len() > 1
        && names
            .iter()
            .any(|name| name.chars().any(char::is_alphabetic))
        && !names.iter().any(is_grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    fn sniffed(head: &str, options: &ReadOptions) -> String {
        match text("in", head.as_bytes(), options) {
            Ok(Text::Lines(start)) => format!("lines from {start}"),
            Ok(Text::Csv(header)) => format!(
                "{:?} {} from {}, line {}",
                char::from(header.delimiter),
                header.names.join("/"),
                header.end,
                header.lines + 1
            ),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_first_line_tells_the_format() {
        for (head, expected) in [
            ("", "lines from 0"),
            ("\u{feff}", "lines from 3"),
            ("# nothing\n\n", "lines from 0"),
            (PUZZLE, "lines from 0"),
            (&format!("# c\n{PUZZLE},{PUZZLE}\n"), "lines from 0"),
            (&format!(" {PUZZLE} by a, b\n"), "lines from 0"),
            ("49151\n", "lines from 0"),
            (&format!("1,{PUZZLE},easy\n"), "lines from 0"),
            (":0000:x:", "lines from 0"),
            (&format!("{0},{0}\n", "1A".repeat(128)), "lines from 0"),
            ("*-----------*\n", "lines from 0"),
            ("puzzle\n", "',' puzzle from 7, line 2"),
            (
                "Quizzes,solutions\r\n",
                "',' Quizzes/solutions from 19, line 2",
            ),
            (
                "\u{feff}\n# c\nid;\"puzzle\"\n1;",
                "';' id/puzzle from 20, line 4",
            ),
            ("a,b\tboard\n", "'\\t' a,b/board from 10, line 2"),
            ("a|grid", "'|' a/grid from 6, line 1"),
            ("\"a\nb\",quiz\n", "',' a\nb/quiz from 11, line 3"),
            // Refused later, with the names in the message.
            (
                "clues;level,x;rating\n",
                "';' clues/level,x/rating from 21, line 2",
            ),
            (
                "PK\u{3}\u{4}",
                "in: zip archives and Excel files are not read: unpack the file, or save it as CSV",
            ),
        ] {
            assert_eq!(sniffed(head, &ReadOptions::default()), expected, "{head:?}");
        }
    }

    #[test]
    fn the_options_overrule_the_bytes() {
        let format = |format| ReadOptions {
            format: Some(format),
            ..ReadOptions::default()
        };
        let column = ReadOptions {
            puzzle_column: Some("start".to_owned()),
            ..ReadOptions::default()
        };
        assert_eq!(
            sniffed("puzzle\n", &format(InputFormat::Lines)),
            "lines from 0"
        );
        assert_eq!(
            sniffed("a;b", &format(InputFormat::Csv)),
            "';' a/b from 3, line 1"
        );
        assert_eq!(
            sniffed("a,b;Start", &column),
            "';' a,b/Start from 9, line 1"
        );
        let no_header = "in: there is no header line that names the columns";
        assert_eq!(sniffed("", &column), no_header);
    }

    #[test]
    fn a_header_must_end() {
        let long = "in: the header line is longer than 64 KiB, or a quote in it is not closed";
        assert_eq!(sniffed("puzzle,\"a\n", &ReadOptions::default()), long);
        let head = format!("puzzle,{}", "a".repeat(HEAD));
        assert_eq!(sniffed(&head[..HEAD], &ReadOptions::default()), long);
    }
}
