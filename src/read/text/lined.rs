//! Shared code of the text formats that have one record per line.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};

use crate::error::Error;
use crate::read::bytes::chunker::{CompleteRecords, Cut, whole_lines};
use crate::read::bytes::head::Head;
use crate::read::columns::choose_fixed;
use crate::read::format::OpenedText;
use crate::read::text::line_records::{Grids, parse_line_records};
use crate::read::{Batch, ColumnInfo, ColumnRole, Parse, ReadOptions, Records};
use crate::table::reject::{RejectKind, RejectReason};

/// How a text format with one record per line splits a line into its parts.
pub(crate) trait Dialect: Send + Sync + 'static {
    /// The names of the format's columns, apart from puzzle and solution.
    const COLUMNS: &'static [&'static str];

    /// The number of records that the first line states; `None` if the first line is a record.
    fn stated_rows(&self) -> Option<u64> {
        None
    }

    /// Splits a line into its parts. The line is neither blank nor a comment.
    fn split<'a>(&self, line: &'a [u8]) -> Result<LineParts<'a>, RejectReason>;
}

/// The maximum number of columns that a format can have, apart from puzzle and solution.
const MOST_COLUMNS: usize = 2;

/// The parts of a line: the puzzle, the solution, and the values of the other columns.
#[derive(Default)]
pub(crate) struct LineParts<'a> {
    pub puzzle: Cow<'a, [u8]>,
    pub solution: Option<&'a [u8]>,
    /// The values of [`Dialect::COLUMNS`], in the same order.
    pub fields: [Option<&'a [u8]>; MOST_COLUMNS],
}

/// Parses the lines of a format, and copies the columns that the options select.
pub(crate) struct LineParser<D> {
    dialect: D,
    /// The columns that are copied to the output, as indices in [`Dialect::COLUMNS`].
    kept_columns: Vec<usize>,
}

impl<D: Dialect> LineParser<D> {
    /// Opens a text whose lines have this format. `start` is the numbers of bytes and of lines before the first record.
    pub(crate) fn open(
        dialect: D,
        head: &Head<'_>,
        start: (usize, u64),
        has_solutions: bool,
        options: &ReadOptions,
    ) -> Result<OpenedText, Error> {
        let kept_columns = choose_fixed(head.source_name, D::COLUMNS, options)?;
        let field = |at: &usize| Arc::new(Field::new(D::COLUMNS[*at], DataType::Utf8, true));
        let carried_fields: Vec<FieldRef> = kept_columns.iter().map(field).collect();
        let mut columns = vec![("puzzle", ColumnRole::Puzzle)];
        if has_solutions {
            columns.push(("solution", ColumnRole::Solution));
        }
        columns.extend(D::COLUMNS.iter().enumerate().map(|(at, name)| {
            let role = if kept_columns.contains(&at) {
                ColumnRole::Carried
            } else {
                ColumnRole::Dropped
            };
            (*name, role)
        }));
        let columns = columns.into_iter().map(|(name, role)| ColumnInfo {
            name: name.to_owned(),
            role,
        });
        Ok(OpenedText {
            reader: Arc::new(LineParser {
                dialect,
                kept_columns,
            }),
            start,
            carried: carried_fields,
            columns: columns.collect(),
            has_solutions,
            delimiter: None,
        })
    }

    /// Splits a line, and appends its fields that are copied to the output.
    fn parse_line<'a>(
        &self,
        line: &'a [u8],
        carried_values: &mut Vec<Option<Cow<'a, str>>>,
    ) -> Result<LineParts<'a>, RejectReason> {
        let line_parts = self.dialect.split(line)?;
        for at in &self.kept_columns {
            let field = line_parts.fields[*at].map(std::str::from_utf8).transpose();
            let field = field.map_err(|_| {
                let message = format!("column {:?} is not UTF-8", D::COLUMNS[*at]);
                RejectReason::new(RejectKind::NotUtf8, message)
            })?;
            carried_values.push(field.map(Cow::Borrowed));
        }
        Ok(line_parts)
    }
}

/// Whether a line is a record: it is neither blank nor a comment, nor the end mark of a DOS file.
pub(crate) fn is_record(line: &[u8]) -> bool {
    match line.first() {
        None | Some(b'#') => false,
        Some(b'\x1a') => line.trim_ascii_end().len() > 1,
        Some(byte) if byte.is_ascii_whitespace() => !line.trim_ascii().is_empty(),
        Some(_) => true,
    }
}

impl<D: Dialect> Cut for LineParser<D> {
    fn cut(&self, bytes: &[u8], at_end: bool) -> CompleteRecords {
        whole_lines(bytes, at_end, is_record)
    }

    fn ignores(&self, line: &[u8]) -> bool {
        line.first() == Some(&b'#')
    }

    fn stated_rows(&self) -> Option<u64> {
        self.dialect.stated_rows()
    }
}

impl<D: Dialect> Parse for LineParser<D> {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let parse = |line: &'a [u8], carried: &mut Vec<_>| {
            let line_parts = self.parse_line(line, carried)?;
            Ok(Grids {
                puzzle: line_parts.puzzle,
                solution: line_parts.solution.map(Cow::Borrowed),
                empty: None,
            })
        };
        Ok(parse_line_records(
            batch,
            self.kept_columns.len(),
            None,
            is_record,
            parse,
        ))
    }
}
