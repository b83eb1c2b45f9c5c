//! The format of delimited text with a header, such as CSV.
//!
//! The rules are those of RFC 4180, with these deviations:
//!
//! 1. The delimiter is a comma, tab, semicolon or bar, inferred from the header; or the ASCII character of the
//!    option `--delimiter`.
//! 2. A line ends with LF or CRLF. A lone CR is part of its field.
//! 3. Empty lines are skipped, before and after the header.
//! 4. A quote opens a quoted field only at the start of the field. Elsewhere it is an ordinary character. Text
//!    between the closing quote and the next delimiter belongs to the field: `"a"b` is `ab`.
//! 5. If quotes enclose a line end, and text follows the closing quote, the opening quote was most likely never
//!    closed. The text up to the first line end becomes a reject, and reading continues after it. The same
//!    applies to quotes that are still open at the end of the input, or at the limit of a record's length.
//! 6. A record with more or fewer fields than the header is a reject. The others are still read.
//! 7. An empty field without quotes is null, and `""` is an empty text.
//! 8. A byte order mark before the header is skipped. Carried fields have to be UTF-8; a record with others is
//!    a reject.
//! 9. A table without a header is read if its first records have a grid in the same field, or a field for each
//!    cell; its columns are then called `column_1` and so on. A line such as `sep=;` before the header names the
//!    delimiter. White space around its names is removed, repeated or empty names are made
//!    unique, and a header that begins with `#` is accepted if the next line has as many fields.
//!
//! Each text is read twice. On the reader thread, `cut` finds the end of the last complete record in a buffer.
//! On a worker, `parse` splits the records into fields. Both find the end of a record with `fields::record`, so
//! that they agree on the number of records. If a buffer has no quote at all, which is the usual case, both
//! only search for line ends. The tests compare them with a slow reader (`formats/twin.rs`), which reads one byte
//! at a time, for all sizes of buffers.

mod parser;

use memchr::memchr;

use self::parser::CsvParser;
use crate::error::Error;
use crate::options::{DELIMITER, PUZZLE_COLUMN};
use crate::read::boards::blocks;
use crate::read::bytes::head::{HEAD_BYTES, Head};
use crate::read::columns::choose;
use crate::read::columns::column_hint;
use crate::read::format::{InputColumns, OpenedText, ReadFormat, TextFormat, Turn, UNREAD};
use crate::read::text::first_line::{FirstLine, first_line};
use crate::read::text::header::{Header, complete_header};
use crate::read::{InferTypes, ReadOptions};

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "csv",
    aliases: &["tsv"],
    doc: "Delimited text with a header line: commas, tabs, semicolons, bars or --delimiter",
    columns: InputColumns::Named,
    text: Some(&Format),
    ..UNREAD
};

/// The format of delimited text with a header.
struct Format;

impl TextFormat for Format {
    fn turn(&self) -> Turn {
        Turn::Table
    }

    fn head_bytes(&self, options: &ReadOptions) -> usize {
        match options.infer_types {
            InferTypes::All => 16 * HEAD_BYTES,
            InferTypes::Auto | InferTypes::None => HEAD_BYTES,
        }
    }

    fn detect(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Option<String>, Error> {
        if options.delimiter.is_some() {
            return Ok(Some(format!("{DELIMITER} is given")));
        }
        if options.puzzle_column.is_some() {
            return Ok(Some(format!("{PUZZLE_COLUMN} is given")));
        }
        // In a text with boards, a title can be the same word as the name of a puzzle column.
        let is_title = |header: &Header| {
            memchr(b'"', head.bytes).is_none()
                && blocks::is_title(
                    (head.text(), head.is_all),
                    header.end.saturating_sub(head.start),
                    (header.delimiter, header.names.len()),
                )
        };
        Ok(match first_line(head, options) {
            FirstLine::Puzzles(header) if header.cells.is_some() => {
                Some("its columns are the cells of grids".to_owned())
            }
            FirstLine::Record(header) => Some(match header.cells {
                Some(_) => "its fields are the cells of grids".to_owned(),
                None => "its first line is a record of a table without a header".to_owned(),
            }),
            FirstLine::Puzzles(header) if !is_title(&header) => {
                let columns = choose(head.source_name, &header.names, options, &|_| true)?;
                let name = columns.puzzle.and_then(|at| header.names.get(at));
                Some(match name {
                    Some(name) => format!("its first line names a column {name:?}"),
                    None => "its first line names columns".to_owned(),
                })
            }
            FirstLine::Names(header) if !is_title(&header) => {
                Some("its first line looks like the names of columns".to_owned())
            }
            _ => None,
        })
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        let header = match first_line(head, options) {
            FirstLine::Puzzles(header)
            | FirstLine::Names(header)
            | FirstLine::Record(header)
            | FirstLine::Other(header) => complete_header(head, header)?,
            FirstLine::Missing => {
                return Err(head.unknown("there is no header line that names the columns"));
            }
        };
        CsvParser::open(head, header, options)
    }

    fn has_delimiter(&self) -> bool {
        true
    }

    fn hint(&self, _: &Head<'_>) -> String {
        column_hint()
    }

    #[cfg(test)]
    fn example(&self) -> String {
        "id;puzzle\n1;4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........\n".into()
    }
}
