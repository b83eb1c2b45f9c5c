//! Tests that boards in every layout are read as records.

use super::*;
use crate::read::TextChunk;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// The error for a line of text that is not a part of a board.
const TEXT_ERROR: &str = "wrong_length: text that is neither a row of cells nor the title of a \
    board, a comment (#) or a rule";

fn rows() -> Vec<&'static str> {
    (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect()
}

/// Reads a text, and describes each record: the puzzle with its title and lines, or the error.
fn read(text: &str) -> Vec<String> {
    let blocks = BlocksParser { has_title: true };
    let batch = Batch {
        first_row: 0,
        rows: blocks.cut(text.as_bytes(), true).rows,
        payload: Payload::Text(TextChunk {
            bytes: text.as_bytes().to_vec(),
            byte_offset: 0,
            first_line: 1,
            broken: None,
        }),
    };
    let records = blocks.parse(&batch).unwrap();
    let Carried::Text { fields, .. } = &records.carried else {
        panic!("boards carry text");
    };
    let rows_as_text = records.rows.iter().zip(fields).map(|(row, title)| {
        let puzzle = match &row.puzzle {
            Ok(puzzle) => String::from_utf8_lossy(puzzle).into_owned(),
            Err(reason) => format!("{}: {}", reason.kind.id(), reason.message),
        };
        let title = title.as_deref().unwrap_or_default();
        format!("{} {title} {puzzle}", row.position.unwrap().line)
    });
    rows_as_text.collect()
}

#[test]
fn boards_follow_each_other_in_any_decoration() {
    let plain_board = rows().join("\n") + "\n";
    let bands = |top: &str, middle: &str, bar: &str| {
        let mut text = format!("{top}\n");
        for (at, row) in rows().iter().enumerate() {
            if at == 3 || at == 6 {
                text += &format!("{middle}\n");
            }
            let boxes = [&row[..3], &row[3..6], &row[6..]].join(bar);
            text += &format!("{bar}{boxes}{bar}\n");
        }
        text + top + "\n"
    };
    let board_with_rules = rows().join("\n---+---+---\n");
    for text in [
        plain_board.clone(),
        plain_board.clone() + &plain_board + "\n" + &plain_board,
        format!("\n\n{plain_board}\n\n\n\n\n\n\n{plain_board}"),
        bands("*-----------*", "|---+---+---|", "|").repeat(2),
        bands("┌───┬───┬───┐", "├───┼───┼───┤", "│"),
        bands("╔═══╦═══╗", "╠═══╬═══╣", "║").replace('\n', "\r\n"),
        bands("", "", " "),
        bands("", "------+-------+------", " "),
        bands("-----------", "-----------", ""),
        board_with_rules,
        rows().join("\n\n"),
        format!("{PUZZLE}\n{plain_board}{PUZZLE}"),
    ] {
        let rows_read = read(&text);
        assert!(!rows_read.is_empty());
        assert!(
            rows_read.iter().all(|row| row.ends_with(PUZZLE)),
            "{text}: {rows_read:?}"
        );
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        assert_eq!(rows_read.len(), digits / 30, "{text}");
    }
}

#[test]
fn titles_are_carried_and_other_sections_left_out() {
    let board = rows().join("\n");
    let text = format!(
        "prose\nGrid 01\n{board}\nGrid 02:\n\n{board}\n\n[Puzzle]\n{board}\n[State]\n{board}\n\
         [Game 7]\n{board}\n#AAuthor\n[Puzzle]\n{board}\n2024-05-01\n{board}\n17\n{board}"
    );
    let rows_read = read(&text);
    assert_eq!(rows_read[0], format!("1  {TEXT_ERROR}"));
    let titles: Vec<&str> = rows_read[1..]
        .iter()
        .map(|row| row.strip_suffix(PUZZLE).unwrap_or(row).trim())
        .collect();
    assert_eq!(
        titles,
        [
            "2 Grid 01",
            "12 Grid 02",
            "25",
            "44 Game 7",
            "56",
            "65 2024-05-01",
            "75 17"
        ]
    );
}

#[test]
fn a_damaged_board_is_one_reject_and_the_others_are_read() {
    let good_rows = rows();
    let damaged = |change: &dyn Fn(&mut Vec<&str>)| {
        let mut rows = good_rows.clone();
        change(&mut rows);
        let bad_board = rows.join("\n");
        let good_board = good_rows.join("\n");
        read(&format!(
            "Grid 1\n{good_board}\nGrid 2\n{bad_board}\nGrid 3\n{good_board}\n\n{bad_board}\n\n{good_board}"
        ))
    };
    for (change, expected) in [
        (
            &|rows: &mut Vec<&str>| rows.truncate(8),
            "wrong_length: 8 rows of cells; a board has 9",
        ),
        (
            &|rows| rows[4] = "53..7...",
            "wrong_length: row 5 has 8 cells; a board has 9",
        ),
        (
            &|rows| rows[0] = "53..7...",
            "wrong_length: row 1 has 8 cells; a board has 9",
        ),
        (
            &|rows| rows[4] = "what is this",
            "wrong_length: a line between the rows is not a row of cells",
        ),
        (
            &|rows| rows.insert(4, "what is this"),
            "wrong_length: a line between the rows is not a row of cells",
        ),
        (
            &|rows| rows[4] = "53..a.....",
            "wrong_length: a line between the rows is not a row of cells",
        ),
    ] as [(&dyn Fn(&mut Vec<&str>), &str); 6]
    {
        let rows_read = damaged(change);
        assert_eq!(rows_read.len(), 5, "{expected}: {rows_read:?}");
        for (at, row) in rows_read.iter().enumerate() {
            let expected = if at % 2 == 1 { expected } else { PUZZLE };
            assert!(row.ends_with(expected), "{row}");
        }
    }
}

/// Regression test: some lines with content were lost, because they were neither rows nor rejected.
#[test]
fn whatever_is_not_blank_comment_or_board_is_a_reject() {
    let board = rows().join("\n");
    let titled_board = format!("Grid 1\n{board}\n");
    let unread: Vec<String> = rows().iter().map(|row| format!("<tr>{row}</tr>")).collect();
    let unread = unread.join("\n");
    let prose = "It was a dark\nand stormy night";
    for lost in [unread.as_str(), prose, "one line", "17", "\u{e9}"] {
        assert_eq!(read(lost), [format!("1  {TEXT_ERROR}")], "{lost}");
        let rows_read = read(&format!(
            "# head\n\n{titled_board}\n{lost}\n\n\n\n\n{titled_board}{lost}\n"
        ));
        assert_eq!(rows_read.len(), 4, "{lost}: {rows_read:?}");
        for (at, line) in [(0, 3), (2, 18 + lost.lines().count())] {
            assert_eq!(rows_read[at], format!("{line} Grid 1 {PUZZLE}"), "{lost}");
        }
        assert_eq!(rows_read[1], format!("14  {TEXT_ERROR}"), "{lost}");
        assert!(rows_read[3].ends_with(TEXT_ERROR), "{lost}");
    }
    // Only the last line of text above a board is its title. The lines above the title are rejected.
    let rows_read = read(&format!(
        "{titled_board}prose\nmore\nGrid 2\n{titled_board}\n\nGrid 3\n\n{board}"
    ));
    let [_, prose, two, three] = &rows_read[..] else {
        panic!("{rows_read:?}");
    };
    assert_eq!(prose, &format!("11  {TEXT_ERROR}"));
    assert_eq!(two, &format!("14 Grid 1 {PUZZLE}"));
    assert_eq!(three, &format!("26 Grid 3 {PUZZLE}"));
    // A text of many lines is rejected in several blocks.
    assert_eq!(read(&"no board\n".repeat(60)).len(), 3);
    assert_eq!(read(&format!("a\n{}\nb", "x".repeat(5000))).len(), 3);
}

/// A row without clues that is written with zeros looks like a drawn line. It is always read as a row.
#[test]
fn a_line_of_zeros_is_a_row() {
    let zeros = "0".repeat(9);
    let mut rows_with_zeros = rows();
    rows_with_zeros[4] = &zeros;
    let board = rows().join("\n").replace('.', "0");
    let rows_read = read(&rows_with_zeros.join("\n").replace('.', "0"));
    assert_eq!(rows_read.len(), 1);
    assert!(rows_read[0].starts_with("1  53007"), "{rows_read:?}");
    let rows_read = read(&format!("{board}\n\n{zeros}\n\n{board}"));
    let digits = PUZZLE.replace('.', "0");
    let too_few_rows = "wrong_length: 1 row of cells; a board has 9";
    assert_eq!(
        rows_read,
        [
            format!("1  {digits}"),
            format!("11  {too_few_rows}"),
            format!("13  {digits}")
        ]
    );
    // Without a blank line between the boards, the line of zeros counts as the first row of the second board. Its last
    // row is then left over.
    let rows_read = read(&format!("{board}\n{zeros}\n{board}"));
    assert_eq!(rows_read.len(), 3);
    assert!(
        rows_read[1].starts_with("10  000000000530"),
        "{rows_read:?}"
    );
    assert_eq!(rows_read[2], format!("19  {too_few_rows}"));
}

#[test]
fn rows_with_quotes_names_and_frames_are_read() {
    let letters = ["A", "B", "C", "D", "E", "F", "G", "H", "I"];
    let wrap = |row: &dyn Fn(usize, &str) -> String| -> String {
        let rows = rows();
        let rows = rows.iter().enumerate().map(|(at, cells)| row(at, cells));
        rows.collect::<Vec<_>>().join("\n") + "\n"
    };
    let spaced = |cells: &str| cells.chars().map(|c| format!("{c} ")).collect::<String>();
    for board in [
        wrap(&|_, row| format!("\"{row}\",")),
        wrap(&|_, row| format!("'{row}',")),
        wrap(&|_, row| format!("\"{row}\" +")),
        wrap(&|at, row| format!("Row {}: {row}", letters[at])),
        wrap(&|at, row| format!("{}: {row}", at + 1)),
        wrap(&|at, row| format!("{} {}", letters[at], spaced(row))),
        format!(
            "  A B C D E F G H I\n{}",
            wrap(&|at, row| format!("{}) {row}", at + 1))
        ),
        format!(
            "    123456789\n{}",
            wrap(&|at, row| format!("{}: {row}", letters[at]))
        ),
        format!(
            "***********\n{}***********",
            wrap(&|_, row| format!("* {}*", spaced(row)))
        ),
        wrap(&|_, row| format!("* {} * {} * {} *", &row[..3], &row[3..6], &row[6..])),
        wrap(&|_, row| format!("- {row}")),
    ] {
        for text in [board.clone(), format!("{board}\n{board}\nGrid 3\n{board}")] {
            let rows_read = read(&text);
            assert_eq!(
                rows_read.len(),
                if text == board { 1 } else { 3 },
                "{text}: {rows_read:?}"
            );
            assert!(
                rows_read.iter().all(|row| row.ends_with(PUZZLE)),
                "{text}: {rows_read:?}"
            );
        }
        // One row of the board has its box borders elsewhere than the other rows, so it is damaged.
        let damaged_board = board.replacen("..7", "..7.", 1);
        let rows_read = read(&format!("{board}\n{damaged_board}\n{board}"));
        let whole_count = rows_read.iter().filter(|row| row.ends_with(PUZZLE)).count();
        assert_eq!(
            whole_count,
            if damaged_board == board { 3 } else { 2 },
            "{damaged_board}: {rows_read:?}"
        );
    }
    // A frame around one row only is not recognised.
    let mut wrong_rows = rows();
    wrong_rows[4] = "*4..8.3..1";
    let rows_read = read(&wrong_rows.join("\n"));
    assert!(rows_read[0].starts_with("1  wrong_length"), "{rows_read:?}");
}

#[test]
fn boards_of_pencil_marks_are_729_characters() {
    let row = "| 12 3 456 | 7 8 9 | 1 23456789 4 |";
    let band = format!("{row}\n").repeat(3);
    let rule = "------+------+------";
    let text = format!(".{rule}.\n{band}:{rule}:\n{band}:{rule}:\n{band}'{rule}'\n");
    let mark_text =
        "12.........3.........456.........7.........8.........91.........23456789...4.....";
    assert_eq!(read(&text), [format!("2  {}", mark_text.repeat(9))]);
    let wrong_marks = text.replacen("456", "455", 1);
    assert_eq!(
        read(&wrong_marks),
        ["2  bad_character: row 1 is not nine groups of digits"]
    );
}

#[test]
fn boards_of_other_sizes_are_one_text() {
    let four_by_four = "1.|.4\n..|..\n--+--\n..|1.\n.2|..\n";
    assert_eq!(read(four_by_four), ["1  1..4......1..2.."]);
    let row = "1 2 . . | . . A . | . G . . | . . . .\n";
    let sixteen_by_sixteen = row.repeat(4)
        + &format!("---------+---------+---------+---------\n{}", row.repeat(4)).repeat(3);
    assert_eq!(
        read(&sixteen_by_sixteen),
        [format!("1  {}", "12....A..G......".repeat(16))]
    );
    assert_eq!(
        read(&"1.3..6\n".repeat(6)),
        [format!("1  {}", "1.3..6".repeat(6))]
    );
}
