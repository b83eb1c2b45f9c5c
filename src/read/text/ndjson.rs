//! JSON, an object a line.
//!
//! ```text
//! {"id": 1, "puzzle": "53..7....…", "solution": "534678912…", "rating": 9.10}
//! {"id": 2, "puzzle": [[5, 3, 0, 0, 7, 0, 0, 0, 0], …], "rating": null}
//! ```
//!
//! The columns are the keys of the objects in the head, and those that options name. Strings are
//! carried as they say, everything else as it is written.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use memchr::memchr;

use crate::error::Error;
use crate::read::columns::{Columns, choose};
use crate::read::input::chunker::{Cut, Whole, whole_lines};
use crate::read::input::sniff::Head;
use crate::read::text::json_cells;
use crate::read::text::json_keys;
use crate::read::text::line_records::{Grids, records_of_lines};
use crate::read::text_format::{Opened, TextFormat};
use crate::read::{Batch, InputFormat, Keep, Parse, ReadOptions, Records};
use sudoku_core::text::{RejectKind, RejectReason};

/// JSON, an object a line.
pub(crate) struct Format;

type Object = serde_json::Map<String, serde_json::Value>;

/// The objects of the head.
fn objects<'a>(head: &Head<'a>) -> impl Iterator<Item = Object> + use<'a> {
    let lines = head.lines().filter(|line| line.is_whole);
    lines.filter_map(|line| serde_json::from_slice(line.text).ok())
}

impl TextFormat for Format {
    fn format(&self) -> InputFormat {
        InputFormat::Ndjson
    }

    fn has_header(&self) -> bool {
        true
    }

    fn detect(&self, head: &Head<'_>, _: &ReadOptions) -> Result<Option<String>, Error> {
        let text = head.text().trim_ascii_start();
        match text {
            [b'[', rest @ ..] if rest.trim_ascii_start().starts_with(b"{") => Err(head.unknown(
                "a JSON array of objects is not read, but an object a line: jq -c '.[]' makes it so",
            )),
            [b'{', ..] if objects(head).next().is_some() => {
                Ok(Some("a line of it is a JSON object".to_owned()))
            }
            [b'{', rest @ ..] if matches!(rest.trim_ascii_start().first(), Some(b'"' | b'}')) => {
                Err(head.unknown(
                    "it starts like JSON, and none of its first lines is an object: jq -c . puts \
                     an object on a line; --max-record-bytes allows longer lines",
                ))
            }
            _ => Ok(None),
        }
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Opened, Error> {
        let mut names: Vec<String> = Vec::new();
        let mut may_be_grid = Vec::new();
        for object in objects(head) {
            for (key, value) in object {
                let is_grid = value.is_string() || value.is_array();
                match names.iter().position(|name| *name == key) {
                    Some(at) => may_be_grid[at] |= is_grid,
                    None => {
                        names.push(key);
                        may_be_grid.push(is_grid);
                    }
                }
            }
        }
        let kept: &[String] = match &options.keep {
            Keep::Only(names) => names,
            Keep::All | Keep::None => &[],
        };
        let named = [&options.puzzle_column, &options.solution_column];
        for name in named.into_iter().flatten().chain(kept) {
            if !names.contains(name) {
                names.push(name.clone());
                may_be_grid.push(true);
            }
        }
        let columns = choose(head.source_name, &names, options, |at| may_be_grid[at])?;
        let field = |(_, name): &(usize, String)| {
            Arc::new(Field::new(name, DataType::Utf8, true)) as FieldRef
        };
        Ok(Opened {
            start: (head.start, 0),
            carried: columns.carried.iter().map(field).collect(),
            columns: columns.roles(&names),
            has_solutions: columns.solution.is_some(),
            delimiter: None,
            reader: Arc::new(Ndjson {
                names,
                columns,
                drops_others: options.keep != Keep::All,
            }),
        })
    }

    #[cfg(test)]
    fn example(&self) -> String {
        "{\"id\": 1, \"puzzle\": \"4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........\"}\n".into()
    }
}

/// The format with the columns of one head.
struct Ndjson {
    /// The keys that are columns.
    names: Vec<String>,
    columns: Columns,
    /// Keys that are no columns are left out; else they make a row a reject.
    drops_others: bool,
}

fn is_record(line: &[u8]) -> bool {
    match line.first() {
        Some(b'{') => true,
        _ => !line.trim_ascii().is_empty(),
    }
}

impl Cut for Ndjson {
    fn cut(&self, bytes: &[u8], at_end: bool) -> Whole {
        whole_lines(bytes, at_end, is_record)
    }

    fn ignores(&self, _: &[u8]) -> bool {
        false
    }
}

impl Parse for Ndjson {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let mut values = Vec::with_capacity(self.names.len());
        let width = self.columns.carried.len();
        let take_apart =
            |line: &'a [u8], carried: &mut Vec<_>| self.take_apart(line, &mut values, carried);
        Ok(records_of_lines(batch, width, is_record, take_apart))
    }
}

impl Ndjson {
    /// Takes an object apart: `values` are those of its keys for a while, the carried ones are
    /// appended to `carried`.
    fn take_apart<'a>(
        &self,
        line: &'a [u8],
        values: &mut Vec<Option<&'a str>>,
        carried: &mut Vec<Option<Cow<'a, str>>>,
    ) -> Result<Grids<'a>, RejectReason> {
        let text = std::str::from_utf8(line).map_err(|error| {
            let message = format!("byte {} of the line is not UTF-8", error.valid_up_to() + 1);
            RejectReason::new(RejectKind::NotUtf8, message)
        })?;
        values.clear();
        values.resize(self.names.len(), None);
        let other = json_keys::read(text, &self.names, values).map_err(|error| bad_json(&error))?;
        if let Some(key) = other.filter(|_| !self.drops_others) {
            let message = format!(
                "no column has the key {key:?}, which is in none of the first lines; name it with \
                 --keep, or leave such keys out with --keep none"
            );
            return Err(RejectReason::new(RejectKind::TooManyColumns, message));
        }
        let name = &self.names[self.columns.puzzle];
        let puzzle = match values[self.columns.puzzle] {
            None => {
                let message = format!("the object has no key {name:?}");
                return Err(RejectReason::new(RejectKind::MissingColumn, message));
            }
            Some("null") => {
                return Err(RejectReason::new(
                    RejectKind::NullValue,
                    "the puzzle is null",
                ));
            }
            Some(json) => grid(json)?,
        };
        let solution = self.columns.solution.and_then(|at| values[at]);
        let solution = match solution {
            None | Some("null") => None,
            // One that is no grid is not the solution.
            Some(json) => Some(grid(json).unwrap_or(Cow::Borrowed(json))),
        };
        for (at, _) in &self.columns.carried {
            carried.push(match values[*at] {
                None | Some("null") => None,
                Some(json) => Some(string(json)?.unwrap_or(Cow::Borrowed(json))),
            });
        }
        let solution = solution.filter(|solution| !solution.is_empty());
        Ok((into_bytes(puzzle), solution.map(into_bytes)))
    }
}

fn into_bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

fn bad_json(error: &serde_json::Error) -> RejectReason {
    // Every record is line 1 of itself.
    let message = error.to_string().replace("line 1 column", "byte");
    RejectReason::new(RejectKind::BadJson, format!("not a JSON object: {message}"))
}

/// What a string says; `None` where the value is none.
fn string(json: &str) -> Result<Option<Cow<'_, str>>, RejectReason> {
    let Some(inner) = json.strip_prefix('"') else {
        return Ok(None);
    };
    match inner.strip_suffix('"') {
        Some(plain) if memchr(b'\\', plain.as_bytes()).is_none() => Ok(Some(Cow::Borrowed(plain))),
        _ => match serde_json::from_str(json) {
            Ok(text) => Ok(Some(Cow::Owned(text))),
            Err(error) => Err(bad_json(&error)),
        },
    }
}

/// The text of a grid: a string, an array, or a number with as many digits as the grid has cells.
fn grid(json: &str) -> Result<Cow<'_, str>, RejectReason> {
    if json.starts_with('[') {
        return json_cells::from_array(json).map(Cow::Owned);
    }
    Ok(string(json)?.unwrap_or(Cow::Borrowed(json)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Carried, Payload, TextChunk};

    /// Per row: puzzle or reject, solution, carried fields.
    fn parse(text: &str, options: &ReadOptions) -> Vec<String> {
        let head = Head::new("in", text.as_bytes());
        let opened = Format.open(&head, options).unwrap();
        let batch = Batch {
            first_row: 0,
            rows: opened.reader.cut(text.as_bytes(), true).rows,
            payload: Payload::Text(TextChunk {
                bytes: text.as_bytes().to_vec(),
                byte_offset: 0,
                first_line: 1,
                broken: None,
            }),
        };
        let records = opened.reader.parse(&batch).unwrap();
        let Carried::Text { width, fields } = records.carried else {
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
                .map(|field| field.as_deref().unwrap_or("NULL"))
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
                    {\"puzzle\": [[5, 0], [null, 3]], \"solution\": \"s\", \"id\": null, \"note\": \"\"} \r\n\
                    {\"solution\": null, \"puzzle\": 5003, \"id\": {\"a\": true}}";
        assert_eq!(
            parse(text, &ReadOptions::default()),
            [
                "p  9.10/a\né/[1, 2]",
                "5..3 s NULL//NULL",
                "5003  {\"a\": true}/NULL/NULL"
            ]
        );
    }

    #[test]
    fn every_bad_line_is_one_reject_with_a_reason() {
        // Longer than the head, so that the last keys are news.
        let good = format!("{{\"id\":1,\"puzzle\":\"p\"}}\n{}\n", " ".repeat(1 << 16));
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
            ("{\"puzzle\":[[5,true]]}", "bad_character: the array holds"),
        ] {
            let rows = parse(&format!("{good}{line}"), &ReadOptions::default());
            assert!(rows[1].starts_with(expected), "{line}: {}", rows[1]);
        }
        let none = ReadOptions {
            keep: Keep::None,
            ..ReadOptions::default()
        };
        let rows = parse(&format!("{good}{{\"puzzle\":\"q\",\"new\":1}}"), &none);
        assert_eq!(rows[1], "q  ", "what is not kept is not missed");
        let new = ReadOptions {
            keep: Keep::Only(vec!["new".to_owned()]),
            puzzle_column: Some("id".to_owned()),
            ..ReadOptions::default()
        };
        let rows = parse(&format!("{good}{{\"id\":\"q\",\"new\":1}}"), &new);
        assert_eq!(rows[1], "q  1");
    }
}
