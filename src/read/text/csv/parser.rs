//! Cuts delimited text into records, and splits them into fields.

mod cutter;
mod types;

use std::borrow::Cow;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};
use memchr::{memchr, memchr_iter};

use self::cutter::is_record;
use crate::carry::text::ColumnTypes;
use crate::error::Error;
use crate::read::bytes::head::Head;
use crate::read::bytes::without_cr;
use crate::read::columns::{Columns, choose};
use crate::read::format::OpenedText;
use crate::read::text::fields::{self, FieldStop, unquote};
use crate::read::text::header::{DELIMITERS, Header};
use crate::read::{
    Batch, Carried, ColumnInfo, Parse, Payload, RawRecord, ReadOptions, RecordPosition, Records,
};
use crate::table::reject::{RejectKind, RejectReason};

/// The role of a CSV column. It decides where the column's fields are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CsvColumn {
    Puzzle,
    Solution,
    /// The first of the columns with the cells of puzzles.
    PuzzleCells,
    /// The first of the columns with the cells of solutions.
    SolutionCells,
    /// The column is copied to the output. The index is that among the copied columns.
    Carried(usize),
    Dropped,
}

/// The parser for delimited text with a given header.
pub(super) struct CsvParser {
    delimiter: u8,
    roles: Vec<CsvColumn>,
    names: Vec<String>,
    carried: Vec<FieldRef>,
    columns: Vec<ColumnInfo>,
    /// The types of the columns that are copied to the output; `None` if all are text.
    types: Option<Arc<ColumnTypes>>,
    /// The number of cells of a grid that has a column for each; 0 if a column holds whole grids.
    cells: usize,
}

impl CsvParser {
    /// Opens a delimited text that has this header.
    pub(super) fn open(
        head: &Head<'_>,
        header: Header,
        options: &ReadOptions,
    ) -> Result<OpenedText, Error> {
        let (start, delimiter) = ((header.end, header.lines), header.delimiter);
        let mut csv = CsvParser::new(head.source_name, header, options)?;
        csv.types = csv.infer_types(head, start.0, options)?;
        let types = csv.types.as_ref();
        Ok(OpenedText {
            start,
            carried: types
                .map_or(&csv.carried[..], |types| types.fields())
                .to_vec(),
            columns: csv.columns.clone(),
            has_solutions: csv.roles.contains(&CsvColumn::Solution)
                || csv.roles.contains(&CsvColumn::SolutionCells),
            delimiter: Some(delimiter),
            reader: Arc::new(csv),
        })
    }

    fn new(source_name: &str, header: Header, options: &ReadOptions) -> Result<CsvParser, Error> {
        let Some(cells) = &header.cells else {
            let columns = choose(source_name, &header.names, options, &|_| true)?;
            let column_infos = columns.roles(&header.names);
            return Ok(CsvParser::with_roles(header, &columns, column_infos, 0));
        };
        // The columns of cells are left out, and stand for one column of puzzles and one of solutions.
        let options = ReadOptions {
            any_table: true,
            ..options.clone()
        };
        let mut columns = choose(source_name, &header.names, &options, &|_| true)?;
        columns.puzzle = None;
        columns.solution = None;
        columns.carried.retain(|(at, _)| !cells.contain(*at));
        let column_infos = cells.roles(columns.roles(&header.names));
        let cells = cells.clone();
        let mut csv = CsvParser::with_roles(header, &columns, column_infos, cells.puzzle.len());
        csv.roles[cells.puzzle.start] = CsvColumn::PuzzleCells;
        if let Some(solution) = cells.solution {
            csv.roles[solution.start] = CsvColumn::SolutionCells;
        }
        Ok(csv)
    }

    /// The parser for a header whose columns have these roles.
    fn with_roles(
        header: Header,
        columns: &Columns,
        column_infos: Vec<ColumnInfo>,
        cells: usize,
    ) -> CsvParser {
        let mut roles = vec![CsvColumn::Dropped; header.names.len()];
        let mut carried_fields: Vec<FieldRef> = Vec::new();
        for (at, name) in &columns.carried {
            roles[*at] = CsvColumn::Carried(carried_fields.len());
            carried_fields.push(Arc::new(Field::new(name, DataType::Utf8, true)));
        }
        if let Some(solution) = columns.solution {
            roles[solution] = CsvColumn::Solution;
        }
        if let Some(puzzle) = columns.puzzle {
            roles[puzzle] = CsvColumn::Puzzle;
        }
        CsvParser {
            delimiter: header.delimiter,
            roles,
            names: header.names,
            carried: carried_fields,
            columns: column_infos,
            types: None,
            cells,
        }
    }
}

impl Parse for CsvParser {
    fn parse<'a>(&self, batch: &'a Batch) -> Result<Records<'a>, Error> {
        let width = self.carried.len();
        let mut rows = Vec::with_capacity(batch.rows);
        let mut fields = Vec::with_capacity(batch.rows * width);
        if let Payload::Text(chunk) = &batch.payload {
            let bytes = chunk.bytes.as_slice();
            let mut position = chunk.start();
            if let Some(reason) = &chunk.broken {
                let raw = without_cr(bytes.strip_suffix(b"\n").unwrap_or(bytes));
                rows.push(rejected_record(raw, reason.clone(), position));
                fields.resize(width, None);
                return Ok(self.records(rows, fields));
            }
            // In a text without quotes, which is the usual case, each line is a record.
            let has_quotes = memchr(b'"', bytes).is_some();
            let mut record_start = 0;
            while record_start < bytes.len() {
                let (end, lines) = if has_quotes {
                    let end = fields::record(bytes, record_start, self.delimiter).end;
                    let line_breaks_within = memchr_iter(b'\n', &bytes[record_start..end]).count();
                    (end, 1 + line_breaks_within as u64)
                } else {
                    let line_end = memchr(b'\n', &bytes[record_start..]);
                    (line_end.map_or(bytes.len(), |at| record_start + at), 1)
                };
                let text = &bytes[record_start..end];
                if is_record(text) {
                    rows.push(self.parse_record(without_cr(text), position, &mut fields));
                }
                position.line += lines;
                position.byte_offset += (end + 1 - record_start) as u64;
                record_start = end + 1;
            }
        }
        debug_assert_eq!(
            rows.len(),
            batch.rows,
            "cutter and parser count the same records"
        );
        Ok(self.records(rows, fields))
    }
}

fn rejected_record(raw: &[u8], reason: RejectReason, position: RecordPosition) -> RawRecord<'_> {
    RawRecord {
        empty: None,
        puzzle: Err(reason),
        solution: None,
        position: Some(position),
        raw,
    }
}

impl CsvParser {
    fn records<'a>(
        &self,
        rows: Vec<RawRecord<'a>>,
        fields: Vec<Option<Cow<'a, str>>>,
    ) -> Records<'a> {
        Records {
            rows,
            carried: Carried::Text {
                width: self.carried.len(),
                fields,
                types: self.types.clone(),
            },
        }
    }

    /// The text of a grid whose cells are these fields. A delimiter that is not common is replaced by a comma.
    fn joined_cells<'a>(&self, fields: &'a [u8]) -> Cow<'a, [u8]> {
        if DELIMITERS.contains(&self.delimiter) {
            return Cow::Borrowed(fields);
        }
        let comma = |byte: &u8| if *byte == self.delimiter { b',' } else { *byte };
        Cow::Owned(fields.iter().map(comma).collect())
    }

    /// Parses a record. The fields that are copied to the output are appended to the list.
    fn parse_record<'a>(
        &self,
        raw: &'a [u8],
        position: RecordPosition,
        carried: &mut Vec<Option<Cow<'a, str>>>,
    ) -> RawRecord<'a> {
        let first_slot = carried.len();
        carried.resize(first_slot + self.carried.len(), None);
        let mut puzzle = None;
        let mut solution = None;
        let mut non_utf8_column = None;
        let mut field_count = 0;
        // The columns of cells that are being read: the offset of the first, and the number of the column after the
        // last.
        let mut cells: Option<(usize, usize)> = None;
        let mut start = 0;
        loop {
            let field = fields::field(raw, start, self.delimiter);
            let text = &raw[start..field.end];
            match self.roles.get(field_count) {
                Some(CsvColumn::Puzzle) => puzzle = Some(unquote(text)),
                Some(CsvColumn::Solution) => {
                    solution = Some(unquote(text)).filter(|text| !text.is_empty());
                }
                Some(CsvColumn::Carried(slot)) if !text.is_empty() => {
                    match into_text(unquote(text)) {
                        Some(text) => carried[first_slot + slot] = Some(text),
                        None => non_utf8_column = non_utf8_column.or(Some(field_count)),
                    }
                }
                Some(CsvColumn::PuzzleCells | CsvColumn::SolutionCells) => {
                    cells = Some((start, field_count + self.cells));
                }
                Some(CsvColumn::Carried(_) | CsvColumn::Dropped) | None => {}
            }
            field_count += 1;
            if let Some((cells_start, end)) = cells
                && field_count == end
            {
                let grid = self.joined_cells(&raw[cells_start..field.end]);
                match self.roles[end - self.cells] {
                    CsvColumn::PuzzleCells => puzzle = Some(grid),
                    _ => solution = Some(grid).filter(|grid| has_digit(grid)),
                }
                cells = None;
            }
            if field.stop != FieldStop::Delimiter {
                break;
            }
            start = field.end + 1;
        }
        let width = self.roles.len();
        let reject = |kind, message| Err(RejectReason::new(kind, message));
        let puzzle = match (puzzle, non_utf8_column) {
            _ if field_count > width => reject(
                RejectKind::TooManyColumns,
                format!("{field_count} fields, and the header has {width} columns"),
            ),
            _ if field_count < width => reject(
                RejectKind::MissingColumn,
                format!("{field_count} of {width} columns"),
            ),
            (_, Some(column)) => reject(
                RejectKind::NotUtf8,
                format!("column {:?} is not UTF-8", self.names[column]),
            ),
            (Some(text), None) if !text.is_empty() => Ok(text),
            (None, None) => Ok(Cow::Borrowed(&b""[..])),
            _ => reject(RejectKind::NullValue, "the puzzle is empty".to_owned()),
        };
        RawRecord {
            empty: None,
            puzzle,
            solution,
            position: Some(position),
            raw,
        }
    }
}

/// Whether a text has a digit from 1 to 9.
fn has_digit(text: &[u8]) -> bool {
    text.iter().any(|byte| matches!(byte, b'1'..=b'9'))
}

fn into_text(bytes: Cow<'_, [u8]>) -> Option<Cow<'_, str>> {
    match bytes {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::TextChunk;
    use crate::read::bytes::chunker::Cut;

    /// Each record as text, for comparison: the puzzle or the reason why it was rejected, the solution, and the other
    /// fields.
    fn parse(header: &[&str], text: &[u8]) -> Vec<String> {
        let header = Header {
            delimiter: b',',
            names: header.iter().map(ToString::to_string).collect(),
            end: 0,
            lines: 0,
            cells: None,
        };
        let csv = CsvParser::new("in.csv", header, &ReadOptions::default()).unwrap();
        let batch = Batch {
            first_row: 0,
            rows: csv.cut(text, true).rows,
            payload: Payload::Text(TextChunk {
                bytes: text.to_vec(),
                byte_offset: 0,
                first_line: 1,
                broken: None,
            }),
        };
        let records = csv.parse(&batch).unwrap();
        let Carried::Text { width, fields, .. } = records.carried else {
            panic!("CSV carries text");
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let row = |(row, carried): (&RawRecord<'_>, &[Option<Cow<'_, str>>])| {
            let puzzle = match &row.puzzle {
                Ok(puzzle) => text(puzzle),
                Err(reason) => format!("{}: {}", reason.kind.id(), reason.message),
            };
            let solution = row.solution.as_ref().map(|solution| text(solution));
            format!("{puzzle} {solution:?} {carried:?}")
        };
        records
            .rows
            .iter()
            .zip(fields.chunks(width))
            .map(row)
            .collect()
    }

    #[test]
    fn fields_go_where_the_header_says() {
        let header = ["id", "puzzle", "solution", "note"];
        for (text, expected) in [
            ("1,p,s,n", r#"p Some("s") [Some("1"), Some("n")]"#),
            ("1,p,,\r\n", r#"p None [Some("1"), None]"#),
            ("1,\"p\",\"\",\"\"", r#"p None [Some("1"), Some("")]"#),
            (
                "1,\"p\nq\",s,\"say \"\"n\"\"\"",
                r#"p
q Some("s") [Some("1"), Some("say \"n\"")]"#,
            ),
            (
                "1,,s,n",
                r#"null_value: the puzzle is empty Some("s") [Some("1"), Some("n")]"#,
            ),
            (
                "1,p",
                r#"missing_column: 2 of 4 columns None [Some("1"), None]"#,
            ),
            (
                "1,p,s,n,",
                r#"too_many_columns: 5 fields, and the header has 4 columns Some("s") [Some("1"), Some("n")]"#,
            ),
        ] {
            assert_eq!(parse(&header, text.as_bytes()), [expected], "{text:?}");
        }
        assert_eq!(
            parse(&header, b"\xff,p,s,n"),
            [r#"not_utf8: column "id" is not UTF-8 Some("s") [None, Some("n")]"#]
        );
        assert_eq!(
            parse(&header, b"\n\r\n1,p,s,n\n\n").len(),
            1,
            "blank lines are skipped"
        );
    }
}
