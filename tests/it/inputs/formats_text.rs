//! Tests text formats: fields beside the puzzles, positions of bad records, delimiters, and texts that are
//! refused.

use crate::inputs::spellings::rows;
use crate::util::{PUZZLE, SOLUTION, TestDir, stderr};

/// Converts a text. Returns the table with all columns, and the rejects without their source column.
fn converted(dir: &TestDir, text: &str, options: &[&str]) -> (String, Vec<String>) {
    dir.write("in", text);
    let arguments = [&["convert", "in", "-o", "out.csv", "--overwrite"], options].concat();
    dir.succeed(&arguments);
    let rejects = if dir.exists("out.rejects.csv") {
        String::from_utf8(dir.read("out.rejects.csv")).unwrap()
    } else {
        String::new()
    };
    let rejects = rejects.split("\nin,").skip(1).map(str::to_owned).collect();
    (String::from_utf8(dir.read("out.csv")).unwrap(), rejects)
}

#[test]
fn text_beside_the_puzzle_is_carried_as_a_column() {
    let dir = TestDir::new();
    let zeros = PUZZLE.replace('.', "0");
    let grid = rows(PUZZLE).join("\n");
    for (text, expected) in [
        (
            format!("0000183b305c {zeros}  1.2\n"),
            format!("id,rating,puzzle\n0000183b305c,1.2,{PUZZLE}\n"),
        ),
        (
            format!(
                ":0300-1:x:{}:::::easy one:\n",
                PUZZLE.replacen('5', "+5", 1)
            ),
            format!("code,comment,puzzle\n0300-1,easy one,{PUZZLE}\n"),
        ),
        (
            format!("{PUZZLE}:1:{SOLUTION}\n"),
            format!("count,puzzle,solution\n1,{PUZZLE},{SOLUTION}\n"),
        ),
        (
            format!("Grid 01\n{grid}\n"),
            format!("title,puzzle\nGrid 01,{PUZZLE}\n"),
        ),
        (
            format!(
                "{{\"puzzle\":\"{PUZZLE}\",\"n\":9.10,\"s\":\"a\\tb\",\"l\":[1, 2],\"z\":null,\"answer\":\"{SOLUTION}\"}}"
            ),
            format!("puzzle,n,s,l,z,answer\n{PUZZLE},9.1,a\tb,\"[1, 2]\",,{SOLUTION}\n"),
        ),
        (
            format!("<opensudoku><game data='{zeros}'/></opensudoku>"),
            format!("puzzle\n{PUZZLE}\n"),
        ),
    ] {
        let (table, rejects) = converted(&dir, &text, &[]);
        assert_eq!((table, rejects.len()), (expected, 0), "{text}");
    }
}

#[test]
fn bad_records_of_every_format_are_rejects_with_their_position() {
    let dir = TestDir::new();
    let zeros = PUZZLE.replace('.', "0");
    let grid = rows(PUZZLE).join("\n");
    let too_few_rows = rows(PUZZLE)[1..].join("\n");
    for (text, expected) in [
        (
            format!("0000183b305c {zeros}  1.2\n0000183b305d\n0000183b305e {zeros} 1 x\n"),
            vec!["1,2,100,missing_column,", "2,3,113,too_many_columns,"],
        ),
        (
            format!(":0000:x:{PUZZLE}:::\n:0000:x\n:0000:x:{PUZZLE}:99::\n"),
            vec!["1,2,93,missing_column,", "2,3,101,bad_character,"],
        ),
        (
            format!("{PUZZLE}:1\n{PUZZLE}5:1\n{PUZZLE}:1::\n"),
            vec!["1,2,84,wrong_length,82 cells", "2,3,169,too_many_columns,"],
        ),
        (
            format!("Grid 01\n{grid}\nGrid 02\n{too_few_rows}\nGrid 03\n{grid}\n"),
            vec!["1,11,98,wrong_length,8 rows of cells; a board has 9,\"Grid 02\n6..195...\n"],
        ),
        (
            format!(
                "{{\"puzzle\":\"{PUZZLE}\"}}\n{{\"puzzle\":\n{{}}\n{{\"puzzle\":null}}\n{{\"puzzle\":[[true]]}}\n"
            ),
            vec![
                "1,2,95,bad_json,",
                "2,3,106,missing_column,",
                "3,4,109,null_value,",
                "4,5,125,bad_character,",
            ],
        ),
        (
            format!(
                "<opensudoku>\n<game data='{zeros}'/>\n<game/>\n<game data='\n<game a=b/>\n<game data='1'/>"
            ),
            vec![
                "1,3,110,missing_column,",
                "2,4,118,bad_xml,the tag is not closed,<game data='",
                "3,5,131,bad_xml,",
                "4,6,143,wrong_length,",
            ],
        ),
    ] {
        let (table, rejects) = converted(&dir, &text, &[]);
        assert!(table.contains(PUZZLE), "{text}");
        assert_eq!(rejects.len(), expected.len(), "{text}: {rejects:?}");
        for (reject, expected) in rejects.iter().zip(expected) {
            assert!(reject.starts_with(expected), "{text}: {expected}: {reject}");
        }
    }
}

#[test]
fn the_delimiter_of_csv_can_be_any_character() {
    let dir = TestDir::new();
    dir.write("in", format!("id~puzzle\n1~{PUZZLE}\n"));
    for (delimiter, works) in [("~", true), (",", false), ("\\t", false)] {
        let arguments = [
            "convert",
            "in",
            "-o",
            "out.csv",
            "--overwrite",
            "--delimiter",
            delimiter,
        ];
        let output = dir.run(&arguments);
        assert_eq!(output.status.success(), works, "{}", stderr(&output));
    }
    assert_eq!(
        dir.read("out.csv"),
        format!("id,puzzle\n1,{PUZZLE}\n").as_bytes()
    );
    let mut from_environment = dir.command("convert in -o env.csv");
    assert!(
        from_environment
            .env("PIPELINE_DELIMITER", "~")
            .output()
            .unwrap()
            .status
            .success()
    );
    dir.fail("convert in -o x.csv --delimiter ab", 2);
    dir.write("tab", format!("id\tpuzzle\n1\t{PUZZLE}\n"));
    dir.succeed("convert tab -o tab.csv --input-format tsv");
    let message = dir.fail("convert in -o x.csv --delimiter ~ --input-format lines", 3);
    assert!(message.contains("leave --delimiter away"), "{message}");
}

#[test]
fn unreadable_texts_are_errors_with_advice() {
    let dir = TestDir::new();
    for (text, words) in [
        ("[{\"clues\": 1}]", "--puzzle-column"),
        ("{\n  \"puzzle\": [1,\n}\n", "jq -c ."),
        ("<?xml version='1.0'?><puzzles/>", "<puzzles>"),
        ("{\"clues\": 1}\n", "--puzzle-column"),
    ] {
        dir.write("in", text);
        let message = dir.fail("convert in -o x.csv", 3);
        assert!(message.contains(words), "{message}");
    }
}

/// Regression test: `Grid 10000` has nine characters besides the space, and was read as a row of nine cells.
#[test]
fn titles_with_large_numbers_are_not_read_as_rows() {
    let dir = TestDir::new();
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..][..9]).collect();
    let titled_board = |n: u32| format!("Grid {n}\n{}\n", rows.join("\n"));
    let boards: String = [9, 999, 1000, 9999, 10000, 123_456]
        .map(titled_board)
        .concat();
    dir.write("in.txt", boards);
    dir.succeed("convert in.txt -o out.csv");
    let table = String::from_utf8(dir.read("out.csv")).unwrap();
    assert_eq!(table.matches(PUZZLE).count(), 6, "{table}");
    assert!(table.contains("Grid 123456"), "{table}");
}

#[test]
fn a_header_after_a_hash_sign_is_recognised() {
    let dir = TestDir::new();
    let (table, rejects) = converted(&dir, &format!("#id,puzzle\n#1,{PUZZLE}\n2,x\n"), &[]);
    assert_eq!(table, format!("\"#id\",puzzle\n#1,{PUZZLE}\n"));
    assert_eq!(rejects.len(), 1);
}

#[test]
fn a_solution_that_is_not_a_grid_is_counted() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle,solution\n{PUZZLE},123\n{PUZZLE},{SOLUTION}\n"),
    );
    let summary = dir.summary("convert in.csv -o out.csv");
    assert_eq!(summary["solution_given"]["wrong"], 1, "{summary}");
}
