//! The XML format of OpenSudoku.
//!
//! ```text
//! <opensudoku>
//!   <name>Easy</name>
//!   <game data="052006000160900004049803620400000800083201590001000002097305240200009056000100970" />
//! </opensudoku>
//! ```
//!
//! A saved game has the state of every cell. The cells that are given form the puzzle.
//!
//! ```text
//! data="version: 1&#10;0|2,5,|1|5|-|0|…"      value | notes | 1 unless it is a clue |
//! ```

use std::borrow::Cow;
use std::sync::Arc;

use memchr::memchr_iter;
use quick_xml::XmlVersion;
use quick_xml::events::BytesStart;

use crate::error::Error;
use crate::read::boards::xml::{self, XmlPartKind};
use crate::read::bytes::chunker::{CompleteRecords, Cut};
use crate::read::bytes::head::Head;
use crate::read::bytes::without_cr;
use crate::read::columns::choose_fixed;
use crate::read::format::{OpenedText, ReadFormat, TextFormat, UNREAD};
use crate::read::{
    Batch, Carried, ColumnInfo, ColumnRole, Parse, Payload, RawRecord, ReadOptions, Records,
};
use crate::table::reject::{RejectKind, RejectReason};

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "opensudoku",
    aliases: &["xml"],
    doc: "OpenSudoku XML",
    text: Some(&Format),
    ..UNREAD
};

/// The XML format of OpenSudoku.
struct Format;

const ROOT_ELEMENT: &[u8] = b"opensudoku";
const GAME_ELEMENT: &[u8] = b"game";
const DATA_ATTRIBUTE: &str = "data";

impl TextFormat for Format {
    fn detect(&self, head: &Head<'_>, _: &ReadOptions) -> Result<Option<String>, Error> {
        let text = head.text();
        let text_start = text.len() - text.trim_ascii_start().len();
        let looks_like_xml = match &text[text_start..] {
            [b'<', next, ..] => next.is_ascii_alphabetic() || matches!(next, b'?' | b'!'),
            _ => false,
        };
        if !looks_like_xml {
            return Ok(None);
        }
        let mut offset = text_start;
        while let Ok(part) = xml::part(text, offset, head.is_all)
            && part.end > offset
        {
            if part.kind != XmlPartKind::Other {
                let root = xml::name(&text[offset..part.end]);
                if root == ROOT_ELEMENT {
                    return Ok(Some("it is XML whose root is <opensudoku>".to_owned()));
                }
                let root = String::from_utf8_lossy(root);
                return Err(head.unknown(format!(
                    "XML with the root <{root}> is not read, only OpenSudoku's: write its puzzles \
                     as CSV or one a line"
                )));
            }
            offset = part.end;
        }
        Err(head.unknown("it starts like XML, and no element follows within 64 KiB"))
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        choose_fixed(head.source_name, &[], options)?;
        Ok(OpenedText {
            reader: Arc::new(OpenSudoku),
            start: (head.start, 0),
            carried: Vec::new(),
            columns: vec![ColumnInfo {
                name: DATA_ATTRIBUTE.to_owned(),
                role: ColumnRole::Puzzle,
            }],
            has_solutions: false,
            delimiter: None,
        })
    }

    #[cfg(test)]
    fn example(&self) -> String {
        "<?xml version=\"1.0\"?>\n<!-- <game data='1'/> -->\n<opensudoku>\n<game data=\"052006000160900004049803620400000800083201590001000002097305240200009056000100970\"/>\n</opensudoku>\n".into()
    }
}

/// The parser of the OpenSudoku format. Each `game` element is one record.
struct OpenSudoku;

/// Whether a part of the XML is a record, which is a `game` element.
fn is_record(kind: XmlPartKind, part: &[u8]) -> bool {
    kind != XmlPartKind::Other && xml::name(part) == GAME_ELEMENT
}

impl Cut for OpenSudoku {
    fn cut(&self, bytes: &[u8], at_end: bool) -> CompleteRecords {
        let mut complete = CompleteRecords::default();
        while complete.end < bytes.len() {
            match xml::part(bytes, complete.end, at_end) {
                Ok(part) => {
                    complete.rows +=
                        usize::from(is_record(part.kind, &bytes[complete.end..part.end]));
                    complete.end = part.end;
                }
                Err(what) => {
                    complete.unclosed = Some(what);
                    break;
                }
            }
        }
        complete
    }

    fn ignores(&self, _: &[u8]) -> bool {
        false
    }
}

impl Parse for OpenSudoku {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let mut rows = Vec::with_capacity(batch.rows);
        if let Payload::Text(chunk) = &batch.payload {
            let bytes = chunk.bytes.as_slice();
            let mut position = chunk.start();
            if let Some(reason) = &chunk.broken {
                rows.push(RawRecord {
                    empty: None,
                    puzzle: Err(reason.clone()),
                    solution: None,
                    position: Some(position),
                    raw: without_cr(bytes.strip_suffix(b"\n").unwrap_or(bytes)),
                });
            }
            let mut end_offset = if chunk.broken.is_some() {
                bytes.len()
            } else {
                0
            };
            while end_offset < bytes.len() {
                // Text is cut into chunks only between parts, so a chunk that ends inside a part is at the end of the
                // input.
                let xml_part = xml::part(bytes, end_offset, true).unwrap_or(xml::XmlPart {
                    kind: XmlPartKind::BrokenTag,
                    end: bytes.len(),
                });
                let text = &bytes[end_offset..xml_part.end];
                if is_record(xml_part.kind, text) {
                    rows.push(RawRecord {
                        empty: None,
                        puzzle: puzzle(xml_part.kind, text),
                        solution: None,
                        position: Some(position),
                        raw: text.trim_ascii_end(),
                    });
                }
                position.line += memchr_iter(b'\n', text).count() as u64;
                position.byte_offset += text.len() as u64;
                end_offset = xml_part.end;
            }
        }
        debug_assert_eq!(
            rows.len(),
            batch.rows,
            "cutter and parser count the same elements"
        );
        Ok(Records {
            rows,
            carried: Carried::Text {
                width: 0,
                fields: Vec::new(),
                types: None,
            },
        })
    }
}

/// The puzzle in the `data` attribute of a `game` element.
fn puzzle(kind: XmlPartKind, tag: &[u8]) -> Result<Cow<'_, [u8]>, RejectReason> {
    let reject = |message: String| RejectReason::new(RejectKind::BadXml, message);
    if kind == XmlPartKind::BrokenTag {
        return Err(reject("the tag is not closed".to_owned()));
    }
    let tag = std::str::from_utf8(tag)
        .map_err(|_| RejectReason::new(RejectKind::NotUtf8, "the element is not UTF-8"))?;
    let tag_content = tag.trim_start_matches('<').trim_end_matches('>');
    let tag_content = tag_content.strip_suffix('/').unwrap_or(tag_content);
    let start_tag = BytesStart::from_content(tag_content, GAME_ELEMENT.len());
    let mut cells = None;
    for attribute in start_tag.attributes() {
        let attribute = attribute.map_err(|error| reject(error.to_string()))?;
        if attribute.key.as_ref() == DATA_ATTRIBUTE.as_bytes() {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            cells = Some(
                value
                    .map_err(|error| reject(error.to_string()))?
                    .into_owned(),
            );
        }
    }
    let Some(data) = cells else {
        let message = "the element <game> has no attribute data";
        return Err(RejectReason::new(RejectKind::MissingColumn, message));
    };
    let clues = clues(&data).map(String::into_bytes);
    Ok(Cow::Owned(clues.unwrap_or_else(|| data.into_bytes())))
}

/// The clues of a saved game as 81 characters; `None` if the data is invalid.
fn clues(data: &str) -> Option<String> {
    let version_and_cells = data.trim_start().strip_prefix("version: ")?;
    let (_, cells) = version_and_cells.split_once(char::is_whitespace)?;
    let fields: Vec<&str> = cells.trim().split('|').collect();
    // A bar follows every field, so there is an empty text after the last bar.
    let width = fields.len().checked_sub(1)? / 81;
    if width < 2 || fields.len() != 81 * width + 1 {
        return None;
    }
    let cells = fields.chunks_exact(width).map(|cell| match cell {
        ["0", ..] | [.., "1"] => Some('.'),
        [value, .., "0"] => value.parse().ok(),
        _ => None,
    });
    cells.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    fn read(tag: &str) -> String {
        let xml_part = xml::part(tag.as_bytes(), 0, true).unwrap();
        match puzzle(xml_part.kind, &tag.as_bytes()[..xml_part.end]) {
            Ok(text) => String::from_utf8(text.into_owned()).unwrap(),
            Err(reason) => format!("{}: {}", reason.kind.id(), reason.message),
        }
    }

    #[test]
    fn the_puzzle_is_the_attribute_data_however_it_is_written() {
        let entities = PUZZLE.replace('.', "&#46;").replacen('4', "&#x34;", 1);
        for tag in [
            format!("<game data=\"{PUZZLE}\"/>"),
            format!("<game data='{PUZZLE}' />"),
            format!("<game\n  level=\"a > b\"\n  data = \"{PUZZLE}\" >"),
            format!("<game data=\"{entities}\"></game>"),
        ] {
            assert_eq!(read(&tag), PUZZLE, "{tag}");
        }
        let saved = |note: &str| -> String {
            let cells = PUZZLE.chars().enumerate().map(|(at, cell)| match cell {
                '.' if at % 5 == 0 => format!("7|{note}|1|"),
                '.' => format!("0|{note}|1|"),
                clue => format!("{clue}|{note}|0|"),
            });
            cells.collect()
        };
        for (version, note) in [(1, "-"), (1, "1,2,"), (2, "12"), (3, "12|3")] {
            let tag = format!("<game data=\"version: {version}&#10;{}\"/>", saved(note));
            assert_eq!(read(&tag), PUZZLE, "{tag}");
            assert_eq!(read(&tag.replace("&#10;", "\n")), PUZZLE, "{tag}");
        }
    }

    #[test]
    fn an_invalid_element_is_rejected_with_a_reason() {
        assert!(read("<game name='a'/>").starts_with("missing_column"));
        assert!(read("<game data='a' data='b'/>").starts_with("bad_xml"));
        assert!(read("<game data=a/>").starts_with("bad_xml"));
        assert!(read("<game data='&what;'/>").starts_with("bad_xml"));
        assert!(read("<game data='<game data='1'/>").starts_with("bad_xml: the tag is not"));
        assert_eq!(read("<game data='version: 1 0|'/>"), "version: 1 0|");
    }
}
