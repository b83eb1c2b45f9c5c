//! Formats with a record a line: what they have in common.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use memchr::memchr;

use super::chunker::{Cut, Whole, whole_lines};
use super::columns::choose_fixed;
use super::fields::without_cr;
use super::sniff::Head;
use super::text_format::Opened;
use super::{
    Batch, Carried, ColumnInfo, ColumnRole, Parse, Payload, Position, RawRecord, ReadOptions,
    Records,
};
use crate::error::Error;
use crate::reject::{RejectKind, RejectReason};

/// How a line of such a format is taken apart.
pub(super) trait Dialect: Send + Sync + 'static {
    /// What stands on a line beside puzzle and solution.
    const COLUMNS: &'static [&'static str];

    /// The parts of a line that is neither blank nor a comment.
    fn take_apart<'a>(&self, line: &'a [u8]) -> Result<Parts<'a>, RejectReason>;
}

/// At most so many columns beside puzzle and solution.
const WIDEST: usize = 2;

/// The parts of a line.
#[derive(Default)]
pub(super) struct Parts<'a> {
    pub puzzle: Cow<'a, [u8]>,
    pub solution: Option<&'a [u8]>,
    /// As in [`Dialect::COLUMNS`].
    pub fields: [Option<&'a [u8]>; WIDEST],
}

/// A format with a record a line, with what the options make of it.
pub(super) struct Lined<D> {
    dialect: D,
    /// The columns carried.
    kept: Vec<usize>,
}

impl<D: Dialect> Lined<D> {
    /// Reads a text in this dialect whose records start after so many bytes and lines.
    pub(super) fn open(
        dialect: D,
        head: &Head<'_>,
        start: (usize, u64),
        has_solutions: bool,
        options: &ReadOptions,
    ) -> Result<Opened, Error> {
        let kept = choose_fixed(head.source_name, D::COLUMNS, options)?;
        let field = |at: &usize| Arc::new(Field::new(D::COLUMNS[*at], DataType::Utf8, true));
        let carried: Vec<FieldRef> = kept.iter().map(field).collect();
        let mut columns = vec![("puzzle", ColumnRole::Puzzle)];
        if has_solutions {
            columns.push(("solution", ColumnRole::Solution));
        }
        columns.extend(D::COLUMNS.iter().enumerate().map(|(at, name)| {
            let role = match kept.contains(&at) {
                true => ColumnRole::Carried,
                false => ColumnRole::Dropped,
            };
            (*name, role)
        }));
        let columns = columns.into_iter().map(|(name, role)| ColumnInfo {
            name: name.to_owned(),
            role,
        });
        Ok(Opened {
            reader: Arc::new(Lined { dialect, kept }),
            start,
            carried,
            columns: columns.collect(),
            has_solutions,
            delimiter: None,
        })
    }

    /// The parts of a line; the carried fields are appended.
    fn take_apart<'a>(
        &self,
        line: &'a [u8],
        carried: &mut Vec<Option<Cow<'a, str>>>,
    ) -> Result<Parts<'a>, RejectReason> {
        let parts = self.dialect.take_apart(line)?;
        for at in &self.kept {
            let field = parts.fields[*at].map(std::str::from_utf8).transpose();
            let field = field.map_err(|_| {
                let message = format!("column {:?} is not UTF-8", D::COLUMNS[*at]);
                RejectReason::new(RejectKind::NotUtf8, message)
            })?;
            carried.push(field.map(Cow::Borrowed));
        }
        Ok(parts)
    }
}

/// Neither blank nor a comment.
pub(super) fn is_record(line: &[u8]) -> bool {
    match line.first() {
        None | Some(b'#') => false,
        Some(byte) if byte.is_ascii_whitespace() => !line.trim_ascii().is_empty(),
        Some(_) => true,
    }
}

impl<D: Dialect> Cut for Lined<D> {
    fn cut(&self, bytes: &[u8], at_end: bool) -> Whole {
        whole_lines(bytes, at_end, is_record)
    }

    fn ignores(&self, line: &[u8]) -> bool {
        line.first() == Some(&b'#')
    }
}

impl<D: Dialect> Parse for Lined<D> {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let width = self.kept.len();
        let mut rows = Vec::with_capacity(batch.rows);
        let mut fields = Vec::with_capacity(batch.rows * width);
        if let Payload::Text(chunk) = &batch.payload {
            let mut position = Position {
                line: chunk.first_line,
                byte_offset: chunk.byte_offset,
            };
            let mut rest = chunk.bytes.as_slice();
            while !rest.is_empty() {
                let end = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
                let (line, next) = rest.split_at(end);
                let raw = without_cr(line.strip_suffix(b"\n").unwrap_or(line));
                if chunk.broken.is_some() || is_record(raw) {
                    let parts = match &chunk.broken {
                        Some(reason) => Err(reason.clone()),
                        None => self.take_apart(raw, &mut fields),
                    };
                    let (puzzle, solution) = match parts {
                        Ok(parts) => (Ok(parts.puzzle), parts.solution.map(Cow::Borrowed)),
                        Err(reason) => (Err(reason), None),
                    };
                    rows.push(RawRecord {
                        puzzle,
                        solution,
                        position: Some(position),
                        raw,
                    });
                    fields.resize(rows.len() * width, None);
                }
                position.line += 1;
                position.byte_offset += end as u64;
                rest = next;
            }
        }
        debug_assert_eq!(
            rows.len(),
            batch.rows,
            "cutter and parser count the same lines"
        );
        Ok(Records {
            rows,
            carried: Carried::Text { width, fields },
        })
    }
}
