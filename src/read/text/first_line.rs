//! Decides whether the first line of a text is the header of a table, and finds its delimiter.

use crate::read::ReadOptions;
use crate::read::bytes::head::Head;
use crate::read::cell_columns::named_cell_columns;
use crate::read::columns::{PUZZLE_NAMES, find_known, find_named};
use crate::read::text::header::{DELIMITERS, Header, first_records, header};
use crate::read::text::prose::is_prose;
use crate::read::text::unnamed_table::{after_separator_line, is_grid_line, unnamed};
use sudoku_core::sizes::is_grid_text;
use sudoku_core::text::is_cell;

/// What the first line of a text is, with the line parsed as a header.
pub(crate) enum FirstLine {
    /// The text has no line.
    Missing,
    /// The line is a header that names a puzzle column.
    Puzzles(Header),
    /// The line looks like a header, but names no puzzle column.
    Names(Header),
    /// The line is a record of a table without a header. The names are made up.
    Record(Header),
    /// The line is not a header.
    Other(Header),
}

/// Classifies the first line, and parses it as a header.
pub(crate) fn first_line(head: &Head<'_>, options: &ReadOptions) -> FirstLine {
    if let Some(header) = commented_header(head, options) {
        return FirstLine::Puzzles(header);
    }
    let Some(line) = head.records().next() else {
        return FirstLine::Missing;
    };
    if let Some(header) = after_separator_line(head, line) {
        return if has_puzzles(&header.names, options) {
            FirstLine::Puzzles(header)
        } else {
            FirstLine::Names(header)
        };
    }
    let headers: Vec<Header> = match &options.delimiter {
        Some(delimiter) => vec![header(head.bytes, line.start, *delimiter)],
        None => DELIMITERS
            .map(|delimiter| header(head.bytes, line.start, delimiter))
            .into(),
    };
    let headers_with_puzzles: Vec<&Header> = headers
        .iter()
        .filter(|header| has_puzzles(&header.names, options))
        .collect();
    // A name can have a delimiter of another table: `a,puzzle;puzzle`. The next record then decides.
    let fits = |header: &&&Header| fits_next_record(head, header);
    let fitting = headers_with_puzzles.iter().find(fits);
    if let Some(header) = fitting.or(headers_with_puzzles.first()) {
        return FirstLine::Puzzles((*header).clone());
    }
    // A command that needs no puzzles describes the columns of such a table as they are.
    if options.puzzle_column.is_none() && !options.any_table {
        let with_cells = headers.iter().find_map(|header| {
            let cells = named_cell_columns(&header.names, &first_records(head, header))?;
            Some(Header {
                cells: Some(cells),
                ..header.clone()
            })
        });
        if let Some(header) = with_cells {
            return FirstLine::Puzzles(header);
        }
        let records = headers.iter().map(|first| (line.start, first));
        if let Some(header) = { records }.find_map(|(start, first)| unnamed(head, start, first)) {
            return FirstLine::Record(header);
        }
    }
    match headers
        .into_iter()
        .rev()
        .max_by_key(|header| header.names.len())
    {
        // A header without a puzzle column leads to an error that tells the user to name the column.
        Some(header)
            if !starts_with_grid(line.text)
                && !is_grid_line(line.text)
                && (looks_like_names(&header.names)
                    || options.any_table && is_only_name(head, &header.names))
                && !(options.any_table
                    && options.delimiter.is_none()
                    && is_prose(head, &header)) =>
        {
            FirstLine::Names(header)
        }
        Some(header) => FirstLine::Other(header),
        None => FirstLine::Missing,
    }
}

/// Parses a header that looks like a comment (`#id,puzzle`). The result is `None` unless the header has as many fields
/// as the next record.
fn commented_header(head: &Head<'_>, options: &ReadOptions) -> Option<Header> {
    let line = head
        .lines()
        .find(|line| !line.text.trim_ascii().is_empty())
        .filter(|line| line.text.starts_with(b"#"))?;
    let given_delimiter = options.delimiter.map(|delimiter| vec![delimiter]);
    let delimiters = given_delimiter.unwrap_or_else(|| DELIMITERS.to_vec());
    delimiters.into_iter().find_map(|delimiter| {
        let header = header(head.bytes, line.start, delimiter);
        let is_header = header.names.len() > 1
            && fits_next_record(head, &header)
            && has_puzzles(&header.names, options);
        is_header.then_some(header)
    })
}

/// Whether there is a record after the header, and it has as many fields. A quoted name can have line ends, so the header
/// can have several lines.
fn fits_next_record(head: &Head<'_>, names: &Header) -> bool {
    let record = head
        .lines()
        .find(|line| line.start >= names.end && !line.text.trim_ascii().is_empty());
    let width = |start| header(head.bytes, start, names.delimiter).names.len();
    record.is_some_and(|record| width(record.start) == names.names.len())
}

fn has_puzzles(names: &[String], options: &ReadOptions) -> bool {
    match &options.puzzle_column {
        Some(wanted) => find_named(names, wanted).is_some(),
        None => find_known(names, &PUZZLE_NAMES, &|_| true).is_some(),
    }
}

fn starts_with_grid(line: &[u8]) -> bool {
    [line, line.trim_ascii_start()]
        .iter()
        .filter_map(|text| text.first_chunk::<81>())
        .any(|cells| cells.iter().copied().all(is_cell))
}

/// Whether the first line is a header with a single column name, and the next line is not a puzzle.
fn is_only_name(head: &Head<'_>, names: &[String]) -> bool {
    let [name] = names else {
        return false;
    };
    let is_word = name.chars().next().is_some_and(char::is_alphabetic)
        && (name.chars()).all(|letter| letter.is_alphanumeric() || "_- .".contains(letter));
    let second_line = head.records().nth(1);
    is_word && second_line.is_none_or(|line| !starts_with_grid(line.text))
}

fn looks_like_names(names: &[String]) -> bool {
    let is_pencil_marks = |name: &String| name.len() == 729 && name.bytes().all(is_cell);
    let is_grid = |name: &String| is_grid_text(name.as_bytes()) || is_pencil_marks(name);
    names.len() > 1
        && names
            .iter()
            .any(|name| name.chars().any(char::is_alphabetic))
        && !names.iter().any(is_grid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sniff_text;
    use crate::read::InputFormat;
    use crate::read::bytes::head::HEAD_BYTES;
    use crate::read::text::header::complete_header;

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    /// Describes the detected format of a text, and the header of its table.
    fn detect(head: &str, options: &ReadOptions) -> String {
        let head = Head::new("in", head.as_bytes());
        let opened_text = sniff_text(&head, options).and_then(|(format, text_format, _)| {
            if format != InputFormat::CSV {
                let opened_format = text_format.open(&head, options)?;
                return Ok(format!("{format} from {}", opened_format.start.0));
            }
            let header = match first_line(&head, options) {
                FirstLine::Missing => {
                    return Err(text_format.open(&head, options).err().unwrap());
                }
                FirstLine::Puzzles(header)
                | FirstLine::Names(header)
                | FirstLine::Record(header)
                | FirstLine::Other(header) => complete_header(&head, header)?,
            };
            Ok(format!(
                "{:?} {} from {}, line {}",
                char::from(header.delimiter),
                header.names.join("/"),
                header.end,
                header.lines + 1
            ))
        });
        opened_text.unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn the_first_line_decides_the_format() {
        for (head, expected) in [
            ("", "lines from 0"),
            ("\u{feff}", "lines from 3"),
            ("# nothing\n\n", "lines from 0"),
            (PUZZLE, "lines from 0"),
            (
                &format!("#id,puzzle\r\n#1,{PUZZLE}\r\n"),
                "',' #id/puzzle from 12, line 2",
            ),
            (
                &format!("#id,\"x\ny\",puzzle\n1,2,{PUZZLE}\n"),
                "',' #id/x\ny/puzzle from 17, line 3",
            ),
            (&format!("# puzzle\n{PUZZLE}\n"), "lines from 0"),
            (&format!("# board, by me\n{PUZZLE}\n"), "lines from 0"),
            (
                &format!("{PUZZLE}\r{PUZZLE}\r"),
                "in: its lines end with carriage returns alone, as on old Macs: convert them with tr '\\r' '\\n'",
            ),
            (&format!("# c\n{PUZZLE},{PUZZLE}\n"), "lines from 0"),
            (&format!(" {PUZZLE} by a, b\n"), "lines from 0"),
            ("49151\n", "lines from 0"),
            (&format!("#a\n49151\r\n{PUZZLE}\n"), "lines from 10"),
            (&format!("{}\n{PUZZLE}\n", "0".repeat(80)), "lines from 0"),
            (&format!("4915a\n{PUZZLE}\n"), "lines from 0"),
            (
                &format!("0000183b305c {PUZZLE} 1.2\n"),
                "puzzle_bank from 0",
            ),
            (&format!("{PUZZLE}:1\n"), "puzzle_count from 0"),
            (&format!("{PUZZLE}:1:{PUZZLE}\n"), "puzzle_count from 0"),
            (&format!("{PUZZLE}:one\n"), "lines from 0"),
            (&format!("# lib\n:0000:x:{PUZZLE}:::\n"), "hodoku from 0"),
            (
                "Puzzle\n53..7....\n6..195...\n",
                "',' Puzzle from 7, line 2",
            ),
            (
                &format!("Puzzle\n{}", ".........\n".repeat(9)),
                "blocks from 0",
            ),
            (
                &format!("Sudoku, easy\n{}", "53. .7. ...\n".repeat(9)),
                "blocks from 0",
            ),
            ("53..7....\n6..195...\n", "blocks from 0"),
            ("53..7....\n", "lines from 0"),
            (&"1.34\n".repeat(4), "blocks from 0"),
            (&"1.34.2..3...4...\n".repeat(16), "lines from 0"),
            (&"1.3A.2..3...4...\n".repeat(16), "blocks from 0"),
            (&"1x34x2xx3xxx4xxx\n".repeat(16), "lines from 0"),
            (
                &format!("puzzle\n{}", "1x34x2xx3xxx4xxx\n".repeat(16)),
                "',' puzzle from 7, line 2",
            ),
            (
                &"1**4*****2******3***5******6****4***\n".repeat(16),
                "lines from 0",
            ),
            // Fields that look like cells do not make a board of a table.
            (
                &format!("id,puzzle\n9,a b\n{}", "10,xx\n".repeat(4)),
                "',' id/puzzle from 10, line 2",
            ),
            (
                &format!("id,puzzle\n{}", "10,xx\n".repeat(4)),
                "',' id/puzzle from 10, line 2",
            ),
            (
                &format!("x1,quizzes\n{}", ",4..1.....32.....\n".repeat(16)),
                "',' x1/quizzes from 11, line 2",
            ),
            (&format!("{}\n", ".".repeat(729)), "lines from 0"),
            ("{\"puzzle\": \"\"}\n", "ndjson from 0"),
            (
                "{\"a\": 1}\n",
                "in: no puzzle column; its columns are a; name one with `puzzle_column`",
            ),
            ("{\n \"puzzle\": 1\n}\n", "json from 0"),
            (
                "{\n \"puzzle\": 1\n",
                "in: it starts like JSON, but none of its first lines is an object: jq -c . puts each object on its own line; `max_record_bytes` allows longer lines",
            ),
            ("[ {\"puzzle\": 1}]", "json from 1"),
            ("<opensudoku>", "opensudoku from 0"),
            (
                "<games><opensudoku>",
                "in: XML with the root <games> is not read, only OpenSudoku's: write its puzzles as CSV or one a line",
            ),
            (
                &format!("1,{PUZZLE},easy\n"),
                "',' column_1/puzzle/column_3 from 0, line 1",
            ),
            (
                &format!("0,1\n7,{PUZZLE}\n"),
                "',' column_1/puzzle from 4, line 2",
            ),
            (
                &format!("sep=;\r\nid;puzzle\r\n1;{PUZZLE}\r\n"),
                "';' id/puzzle from 18, line 3",
            ),
            (":0000:x:", "hodoku from 0"),
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
            (
                "a,puzzle,b;puzzle\n1;2\n",
                "';' a,puzzle,b/puzzle from 18, line 2",
            ),
            ("a|grid", "'|' a/grid from 6, line 1"),
            ("\"a\nb\",quiz\n", "',' a\nb/quiz from 11, line 3"),
            // Detection accepts a header without a puzzle column. Opening the text later fails with an error that lists
            // these columns.
            (
                "clues;level,x;rating\n",
                "';' clues/level,x/rating from 21, line 2",
            ),
            (
                "PK\u{3}\u{4}",
                "in: this is a zip archive inside gzip, zstd or zip, which is not read: unpack it first",
            ),
        ] {
            assert_eq!(detect(head, &ReadOptions::default()), expected, "{head:?}");
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
            detect("puzzle\n", &format(InputFormat::LINES)),
            "lines from 0"
        );
        assert_eq!(
            detect("a;b", &format(InputFormat::CSV)),
            "';' a/b from 3, line 1"
        );
        assert_eq!(detect("a,b;Start", &column), "';' a,b/Start from 9, line 1");
        let no_header = "in: there is no header line that names the columns";
        assert_eq!(detect("", &column), no_header);
    }

    #[test]
    fn a_header_must_end() {
        let too_long = "in: the header line is longer than 64 KiB, or a quote in it is not closed";
        assert_eq!(detect("puzzle,\"a\n", &ReadOptions::default()), too_long);
        let head = format!("puzzle,{}", "a".repeat(HEAD_BYTES));
        assert_eq!(
            detect(&head[..HEAD_BYTES], &ReadOptions::default()),
            too_long
        );
    }
}
