//! The format of one JSON object per line.
//!
//! ```text
//! {"id": 1, "puzzle": "53..7....…", "solution": "534678912…", "rating": 9.10}
//! {"id": 2, "puzzle": [[5, 3, 0, 0, 7, 0, 0, 0, 0], …], "rating": null}
//! ```
//!
//! The columns are the keys of the first objects, and the keys that options name. The type of a column is the
//! narrowest type that holds all values of the column in these objects.

use std::sync::Arc;

use crate::carry::text::json_keys;
use crate::error::Error;
use crate::options::MAX_RECORD_BYTES;
use crate::read::bytes::chunker::{CompleteRecords, Cut, whole_lines};
use crate::read::bytes::head::Head;
use crate::read::columns::column_hint;
use crate::read::format::{InputColumns, OpenedText, ReadFormat, TextFormat, UNREAD};
use crate::read::text::json::objects::{self, ObjectParser};
use crate::read::text::line_records::parse_line_records;
use crate::read::{Batch, Parse, ReadOptions, Records};

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "ndjson",
    aliases: &["jsonl"],
    doc: "A JSON object a line",
    columns: InputColumns::Named,
    has_any_value_as_text: true,
    text: Some(&Format),
    ..UNREAD
};

/// The format of one JSON object per line.
pub(super) struct Format;

impl TextFormat for Format {
    fn head_bytes(&self, _: &ReadOptions) -> usize {
        objects::HEAD_BYTES
    }

    fn detect(&self, head: &Head<'_>, _: &ReadOptions) -> Result<Option<String>, Error> {
        // The line is parsed as its records are: a huge number or deep nesting is a valid value.
        let is_object = |text: &str| json_keys::keys_and_values(text).is_ok();
        match head.text().trim_ascii_start() {
            [b'{', ..] if complete_lines(head).any(is_object) => {
                Ok(Some("a line of it is a JSON object".to_owned()))
            }
            [b'{', rest @ ..] if matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')) => {
                let is_with_nan = memchr::memmem::find(head.bytes, b"NaN").is_some();
                if is_with_nan {
                    return Err(head.unknown(
                        "it starts like JSON, but has NaN, which is no JSON: write null, for instance with \
                         json.dumps(…, allow_nan=False) to find the places",
                    ));
                }
                Err(head.unknown(format!(
                    "it starts like JSON, but none of its first lines is an object: jq -c . puts each \
                     object on its own line; {MAX_RECORD_BYTES} allows longer lines"
                )))
            }
            _ => Ok(None),
        }
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        let objects = ObjectParser::new(head, complete_lines(head), options)?;
        Ok(OpenedText {
            start: (head.start, 0),
            carried: objects.types().fields().to_vec(),
            columns: objects.column_infos(),
            has_solutions: objects.has_solutions(),
            delimiter: None,
            reader: Arc::new(NdjsonParser { objects }),
        })
    }

    fn hint(&self, _: &Head<'_>) -> String {
        column_hint()
    }

    #[cfg(test)]
    fn example(&self) -> String {
        "{\"id\": 1, \"puzzle\": \"4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........\"}\n".into()
    }
}

/// The lines at the start of the text that have been read completely.
fn complete_lines<'a>(head: &Head<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let lines = head.lines().filter(|line| line.is_whole);
    lines.filter_map(|line| std::str::from_utf8(line.text).ok())
}

/// The parser of one JSON object per line. The columns are the keys of the first objects.
struct NdjsonParser {
    objects: ObjectParser,
}

fn is_record(line: &[u8]) -> bool {
    match line.first() {
        Some(b'{') => true,
        _ => !line.trim_ascii().is_empty(),
    }
}

impl Cut for NdjsonParser {
    fn cut(&self, bytes: &[u8], at_end: bool) -> CompleteRecords {
        whole_lines(bytes, at_end, is_record)
    }

    fn ignores(&self, _: &[u8]) -> bool {
        false
    }
}

impl Parse for NdjsonParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let types = self.objects.types();
        let mut values = Vec::new();
        let parse = |line: &'a [u8], carried: &mut Vec<_>| {
            self.objects.parse_object(line, &mut values, carried)
        };
        let width = types.fields().len();
        let types = Some(Arc::clone(types));
        Ok(parse_line_records(batch, width, types, is_record, parse))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_recognised_if_it_can_be_read() {
        let (open, close) = ("[".repeat(200), "]".repeat(200));
        for value in [
            "1e999",
            "-1e999",
            &"7".repeat(400),
            &format!("{open}{close}"),
        ] {
            let text = format!("{{\"puzzle\":\"1\",\"x\":{value}}}\n");
            let head = Head::new("in", text.as_bytes());
            let reason = Format.detect(&head, &ReadOptions::default()).unwrap();
            assert!(reason.is_some(), "{value}");
            assert_eq!(parse(&text, &ReadOptions::default()).len(), 1, "{value}");
        }
    }

    use crate::read::{Carried, Keep, Payload, TextChunk};

    /// Each record as text, for comparison: the puzzle or the reason why it was rejected, the solution, and the other
    /// fields.
    fn parse(text: &str, options: &ReadOptions) -> Vec<String> {
        let head = Head::new("in", text.as_bytes());
        let opened_format = Format.open(&head, options).unwrap();
        let batch = Batch {
            first_row: 0,
            rows: opened_format.reader.cut(text.as_bytes(), true).rows,
            payload: Payload::Text(TextChunk {
                bytes: text.as_bytes().to_vec(),
                byte_offset: 0,
                first_line: 1,
                broken: None,
            }),
        };
        let records = opened_format.reader.parse(&batch).unwrap();
        let Carried::Text {
            width,
            fields,
            types: Some(types),
        } = records.carried
        else {
            panic!("JSON carries text");
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let rows = records.rows.iter().enumerate().map(|(at, row)| {
            let puzzle = match &row.puzzle {
                Ok(puzzle) => text(puzzle),
                Err(reason) => format!("{}: {}", reason.kind.id(), reason.message),
            };
            let solution = row.solution.as_ref().map(|solution| text(solution));
            let carried: Vec<_> = fields[at * width..][..width]
                .iter()
                .map(|field| match field {
                    Some(field) => types.unquoted_field(field),
                    None => "NULL".into(),
                })
                .collect();
            format!(
                "{puzzle} {} {}",
                solution.unwrap_or_default(),
                carried.join("/")
            )
        });
        rows.collect()
    }

    #[test]
    fn values_are_carried_as_they_are_written() {
        let text = "{\"id\": 9.10, \"puzzle\": \"p\", \"note\": \"a\\n\\u00e9\", \"tags\": [1, 2]}\n\
                    \n\
                    {\"puzzle\": [[5, null], [null, 3]], \"solution\": \"s\", \"id\": null, \"note\": \"\"} \r\n\
                    {\"solution\": null, \"puzzle\": 5003, \"id\": {\"a\": true}}";
        assert_eq!(
            parse(text, &ReadOptions::default()),
            [
                "p  9.10/a\né/[1, 2]",
                "[[5, null], [null, 3]] s NULL//NULL",
                "5003  {\"a\": true}/NULL/NULL"
            ]
        );
    }

    #[test]
    fn every_bad_line_is_one_reject_with_a_reason() {
        // The columns are inferred from the start of the text only. The last objects are after it, so their keys are
        // not columns.
        let good_lines = format!("{{\"id\":1,\"puzzle\":\"p\"}}\n{}\n", " ".repeat(1 << 20));
        for (line, expected) in [
            (
                "{\"id\":1}",
                "missing_column: the object has no key \"puzzle\"",
            ),
            ("{\"puzzle\":null}", "null_value: the puzzle is null"),
            (
                "{\"puzzle\":\"p\"",
                "bad_json: not a JSON object: EOF while parsing an object at byte 13",
            ),
            (
                "[1]",
                "bad_json: not a JSON object: invalid type: sequence, expected an object",
            ),
            ("{\"puzzle\":\"\\ud800\"}", "bad_json: not a JSON object: "),
            (
                "{\"puzzle\":\"p\"} x",
                "bad_json: not a JSON object: trailing characters at byte 16",
            ),
            (
                "{\"puzzle\":\"p\",\"new\":1}",
                "too_many_columns: no column has the key \"new\"",
            ),
        ] {
            let rows = parse(&format!("{good_lines}{line}"), &ReadOptions::default());
            assert!(rows[1].starts_with(expected), "{line}: {}", rows[1]);
        }
        let keep_none = ReadOptions {
            keep: Keep::None,
            ..ReadOptions::default()
        };
        let rows = parse(
            &format!("{good_lines}{{\"puzzle\":\"q\",\"new\":1}}"),
            &keep_none,
        );
        assert_eq!(rows[1], "q  ", "what is not kept is not missed");
        let keep_new = ReadOptions {
            keep: Keep::Only(vec!["new".to_owned()]),
            puzzle_column: Some("id".to_owned()),
            ..ReadOptions::default()
        };
        let rows = parse(
            &format!("{good_lines}{{\"id\":\"q\",\"new\":1}}"),
            &keep_new,
        );
        assert_eq!(rows[1], "q  1");
    }
}
