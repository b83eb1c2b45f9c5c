//! The format of HoDoKu's library: each line is a puzzle position.
//!
//! The grammar of a line is in [`sudoku_core::text::LibraryFields`].
//!
//! A position may lack candidates that earlier steps have eliminated. It is therefore read as pencil marks, which list
//! the candidates of each cell.

use std::borrow::Cow;

use crate::error::Error;
use crate::read::ReadOptions;
use crate::read::bytes::head::Head;
use crate::read::format::{OpenedText, ReadFormat, TextFormat, UNREAD};
use crate::read::text::lined::{Dialect, LineParser, LineParts};
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::text::boards::pencil_marks;
use sudoku_core::text::is_clean;
use sudoku_core::text::{LibraryFields, triples};

pub(crate) static FORMAT: ReadFormat = ReadFormat {
    id: "hodoku",
    doc: "Lines of HoDoKu's library",
    text: Some(&Format),
    ..UNREAD
};

/// The format of HoDoKu's library.
struct Format;

impl TextFormat for Format {
    fn detect(&self, head: &Head<'_>, _: &ReadOptions) -> Result<Option<String>, Error> {
        let is_code = |code: &[u8]| code.len() >= 4 && code[..4].iter().all(u8::is_ascii_digit);
        let is_library = head.records().next().is_some_and(|line| {
            let fields: Vec<&[u8]> = line.text.split(|byte| *byte == b':').collect();
            matches!(fields[..], [b"", code, _, _, ..] if is_code(code))
        });
        let reason = "its first record is a colon, a technique's code and a board";
        Ok(is_library.then(|| reason.to_owned()))
    }

    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<OpenedText, Error> {
        LineParser::open(HodokuDialect, head, (head.start, 0), false, options)
    }

    #[cfg(test)]
    fn example(&self) -> String {
        ":0000:x:4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........:::\n".into()
    }
}

struct HodokuDialect;

impl Dialect for HodokuDialect {
    const COLUMNS: &'static [&'static str] = &["code", "comment"];

    fn split<'a>(&self, line: &'a [u8]) -> Result<LineParts<'a>, RejectReason> {
        let Some(fields) = LibraryFields::split(line) else {
            let message = "a line of HoDoKu's library is :code:digits:board:…";
            return Err(RejectReason::new(RejectKind::MissingColumn, message));
        };
        let LibraryFields {
            code,
            board,
            removed,
            comment,
            ..
        } = fields;
        let board = match memchr::memchr(b'+', board) {
            None => Cow::Borrowed(board),
            Some(_) => board.iter().copied().filter(|byte| *byte != b'+').collect(),
        };
        let is_filled = |text: &&[u8]| !text.is_empty();
        Ok(LineParts {
            puzzle: match removed.trim_ascii() {
                [] => board,
                removed => remove_candidates(board, removed)?,
            },
            solution: None,
            fields: [
                Some(code).filter(is_filled),
                comment.map(strip_colons).filter(is_filled),
            ],
        })
    }
}

/// The comment of a line, without the colons around it.
fn strip_colons(mut text: &[u8]) -> &[u8] {
    while let [b':' | b' ', inner @ ..] | [inner @ .., b':' | b' '] = text {
        text = inner;
    }
    text
}

/// Converts the board to pencil marks, and removes the candidates that the line lists as eliminated. A text that is not
/// a board is returned unchanged, so that parsing it as a puzzle rejects it with a reason.
fn remove_candidates<'a>(
    board: Cow<'a, [u8]>,
    removed: &[u8],
) -> Result<Cow<'a, [u8]>, RejectReason> {
    if !<&[u8; 81]>::try_from(&*board).is_ok_and(is_clean) {
        return Ok(board);
    }
    let mut mark_text = Vec::with_capacity(pencil_marks::MARKS_LENGTH);
    for cell in &*board {
        pencil_marks::push_cell(&[*cell], &mut mark_text);
    }
    for (triple, candidate) in triples(removed) {
        let (digit, cell) = candidate.ok_or_else(|| {
            let triple = String::from_utf8_lossy(triple);
            let message = format!("{triple:?} is not a candidate given as digit, row, column");
            RejectReason::new(RejectKind::BadCharacter, message)
        })?;
        mark_text[cell.index() * 9 + digit.index()] = b'.';
    }
    Ok(Cow::Owned(mark_text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = ":0300:3:+5.9274816768.15.422146..57.39784265164259173818576329\
                        4.21.5..67973126485.56..712.:171 372:394 395:111: a: b ";

    fn puzzle(line: &str) -> String {
        match HodokuDialect.split(line.as_bytes()) {
            Ok(parts) => String::from_utf8(parts.puzzle.into_owned()).unwrap(),
            Err(reason) => format!("{}: {}", reason.kind.id(), reason.message),
        }
    }

    #[test]
    fn the_position_has_the_placed_digits_and_lacks_the_removed_candidates() {
        let line_parts = HodokuDialect.split(LINE.as_bytes()).unwrap();
        assert_eq!(line_parts.fields, [Some(&b"0300"[..]), Some(b"a: b")]);
        let mark_text = puzzle(LINE);
        assert_eq!(mark_text.len(), 729);
        assert_eq!(&mark_text[..27], "....5....123456789........9");
        let cell = |row: usize, column: usize| &mark_text[(row * 9 + column) * 9..][..9];
        assert_eq!(cell(6, 0), ".23456789", "1 was removed from r7c1");
        assert_eq!(
            cell(6, 1),
            ".2.......",
            "removing another digit from a placed one is nothing"
        );
        let plain_line = LINE.replace("171 372", "");
        assert_eq!(puzzle(&plain_line)[..9], *"5.9274816");
        assert_eq!(puzzle(&plain_line).len(), 81);
    }

    #[test]
    fn an_invalid_line_is_rejected_with_a_reason() {
        assert!(puzzle("x").starts_with("missing_column"));
        assert!(puzzle(":0300:1").starts_with("missing_column"));
        let bad_candidate =
            "bad_character: \"1710\" is not a candidate given as digit, row, column";
        assert_eq!(puzzle(&LINE.replace("171", "1710")), bad_candidate);
        assert_eq!(puzzle(":0300:1:..:111:"), "..");
    }
}
