//! Every text format says the same, and its traps.

use std::fmt::Write;

use crate::util::{PUZZLE, Place, SOLUTION, gzip, stderr};

/// Puzzles, a line each, with dots.
fn puzzles(place: &Place, count: &str) -> Vec<String> {
    let arguments = [
        "generate",
        count,
        "--seed",
        "5",
        "-o",
        "-",
        "--output-format",
        "csv",
    ];
    let text = place.succeed(&arguments);
    let column = text
        .lines()
        .next()
        .unwrap()
        .split(',')
        .position(|name| name == "puzzle");
    let puzzle = |line: &str| line.split(',').nth(column.unwrap()).unwrap().to_owned();
    text.lines().skip(1).map(puzzle).collect()
}

fn rows(puzzle: &str) -> Vec<&str> {
    (0..9).map(|row| &puzzle[row * 9..row * 9 + 9]).collect()
}

/// The board between rules, with bars between its boxes.
fn pretty(puzzle: &str, top: &str, middle: &str, bar: &str, space: &str) -> String {
    let mut text = format!("{top}\n");
    for (at, row) in rows(puzzle).iter().enumerate() {
        if at == 3 || at == 6 {
            let _ = writeln!(text, "{middle}");
        }
        let boxes = [&row[..3], &row[3..6], &row[6..]].map(|cells| {
            let cells: Vec<String> = cells.chars().map(String::from).collect();
            cells.join(space)
        });
        let _ = writeln!(text, "{bar}{}{bar}", boxes.join(bar));
    }
    text + top + "\n"
}

/// A text in a format, and what `--input-format` calls it.
type Text = (&'static str, &'static str, String);

/// The puzzles in every text format.
fn texts(puzzles: &[String]) -> Vec<Text> {
    let each = |one: &dyn Fn(usize, &str) -> String| -> String {
        puzzles
            .iter()
            .enumerate()
            .map(|(at, puzzle)| one(at, puzzle))
            .collect()
    };
    let zeros = |puzzle: &str| puzzle.replace('.', "0");
    let array = |puzzle: &str, cells: &dyn Fn(&str) -> String| {
        let rows: Vec<String> = rows(puzzle).into_iter().map(cells).collect();
        rows.join(",")
    };
    let numbers = |row: &str| {
        let cells: Vec<&str> = row
            .split("")
            .filter(|cell| !cell.is_empty())
            .map(|cell| if cell == "." { "0" } else { cell })
            .collect();
        cells.join(", ")
    };
    vec![
        ("sdm", "lines", each(&|_, puzzle| format!("{puzzle}\n"))),
        (
            "count line",
            "lines",
            format!(
                "{}\r\n{}",
                puzzles.len(),
                each(&|_, puzzle| format!("{}\r\n", zeros(puzzle)))
            ),
        ),
        (
            "commented",
            "lines",
            each(&|at, puzzle| format!("# {at}\n\n{puzzle} # {at}\n")),
        ),
        (
            "spaces",
            "lines",
            each(&|at, puzzle| format!("{},{at}\n", puzzle.replace('.', " "))),
        ),
        (
            "bank",
            "puzzle_bank",
            each(&|at, puzzle| format!("{at:012x} {}  1.{at}\n", zeros(puzzle))),
        ),
        (
            "hodoku",
            "hodoku",
            each(&|at, puzzle| format!(":{:04}:x:{puzzle}:::\n", at % 1000)),
        ),
        (
            "counted",
            "puzzle_count",
            each(&|at, puzzle| format!("{puzzle}:{at}\n")),
        ),
        (
            "euler",
            "blocks",
            each(&|at, puzzle| format!("Grid {at:02}\n{}\n", rows(&zeros(puzzle)).join("\n"))),
        ),
        (
            "sdk",
            "blocks",
            each(&|at, puzzle| {
                format!(
                    "#A{at}\r\n[Puzzle]\r\n{0}\r\n[State]\r\n{0}\r\n",
                    rows(puzzle).join("\r\n")
                )
            }),
        ),
        (
            "ss",
            "blocks",
            each(&|_, puzzle| pretty(puzzle, "*-----------*", "|---+---+---|", "|", "")),
        ),
        (
            "old ss",
            "blocks",
            each(&|_, puzzle| pretty(puzzle, "", "-----------", "|", "") + "\n"),
        ),
        (
            "box",
            "blocks",
            each(&|_, puzzle| pretty(puzzle, "┌───┬───┬───┐", "├───┼───┼───┤", "│", " ")),
        ),
        (
            "double",
            "blocks",
            each(&|at, puzzle| format!("{at}:\n{}", pretty(puzzle, "╔═══╗", "╠═══╣", " ║ ", "│"))),
        ),
        (
            "stars",
            "blocks",
            each(&|_, puzzle| {
                pretty(
                    &puzzle.replace('.', "*"),
                    "+---+---+---+",
                    "+---+---+---+",
                    "|",
                    " ",
                )
            }),
        ),
        (
            "bare",
            "blocks",
            each(&|_, puzzle| rows(puzzle).join("\n") + "\n"),
        ),
        (
            "opensudoku",
            "opensudoku",
            format!(
                "<?xml version=\"1.0\"?>\n<opensudoku>\n<!-- <game data=\"x\"/> -->\n{}</opensudoku>\n",
                each(&|at, puzzle| format!(
                    "<game level='{at}' data=\"{}\"{}\n",
                    zeros(puzzle),
                    ["/>", "></game>"][at % 2]
                ))
            ),
        ),
        (
            "ndjson",
            "ndjson",
            each(&|at, puzzle| format!("{{\"id\": {at}, \"grid\": \"{puzzle}\"}}\n")),
        ),
        (
            "nested",
            "ndjson",
            each(&|at, puzzle| {
                format!(
                    "{{\"id\": {at}, \"grid\": [{}]}}\n",
                    array(puzzle, &|row| format!("[{}]", numbers(row)))
                )
            }),
        ),
        (
            "flat",
            "ndjson",
            each(&|at, puzzle| {
                format!(
                    "{{\"id\": {at}, \"grid\": [{}]}}\n",
                    array(puzzle, &numbers).replace('0', "null")
                )
            }),
        ),
        (
            "csv",
            "csv",
            format!(
                "id,puzzle\n{}",
                each(&|at, puzzle| format!("{at},{puzzle}\n"))
            ),
        ),
        (
            "tsv",
            "csv",
            format!(
                "puzzle\tid\r\n{}",
                each(&|at, puzzle| format!("{puzzle}\t{at}\r\n"))
            ),
        ),
        (
            "quoted",
            "csv",
            format!(
                "a;Quizzes\n{}",
                each(&|at, puzzle| format!("\"{at};\n\";\"{}\"\n", zeros(puzzle)))
            ),
        ),
    ]
}

#[test]
fn one_set_of_puzzles_in_every_text_format_is_one_table() {
    let place = Place::new();
    let puzzles = puzzles(&place, "60");
    let expected = format!("puzzle\n{}\n", puzzles.join("\n"));
    for (name, format, text) in texts(&puzzles) {
        let convert = |bytes: &[u8], options: &[&str]| {
            place.write("in", bytes);
            let arguments = [
                &[
                    "convert",
                    "in",
                    "-o",
                    "out.csv",
                    "--overwrite",
                    "--keep",
                    "none",
                ],
                options,
            ]
            .concat();
            place.succeed(&arguments);
            assert!(!place.exists("out.rejects.csv"), "{name}");
            assert_eq!(
                String::from_utf8(place.read("out.csv")).unwrap(),
                expected,
                "{name}"
            );
        };
        convert(text.as_bytes(), &[]);
        convert(text.as_bytes(), &["--input-format", format]);
        convert(text.trim_end().as_bytes(), &["--threads", "2"]);
        convert(format!("\u{feff}{text}").as_bytes(), &[]);
        convert(&gzip(text.as_bytes()), &[]);
        convert(&zstd::encode_all(text.as_bytes(), 0).unwrap(), &[]);
        let said = place.succeed(&["inspect", "in", "--json"]);
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said["format"], format, "{name}");
        assert_eq!(
            (&said["records"], &said["puzzles"]),
            (&60.into(), &60.into()),
            "{name}"
        );
        assert_eq!(said["compression"], "zstd");
    }
}

/// The output of convert with all columns, and the rejects without their source.
fn converted(place: &Place, text: &str, options: &[&str]) -> (String, Vec<String>) {
    place.write("in", text);
    let arguments = [&["convert", "in", "-o", "out.csv", "--overwrite"], options].concat();
    place.succeed(&arguments);
    let rejects = match place.exists("out.rejects.csv") {
        true => String::from_utf8(place.read("out.rejects.csv")).unwrap(),
        false => String::new(),
    };
    let rejects = rejects.split("\nin,").skip(1).map(str::to_owned).collect();
    (String::from_utf8(place.read("out.csv")).unwrap(), rejects)
}

#[test]
fn what_stands_beside_the_puzzle_is_carried() {
    let place = Place::new();
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
            format!("n,s,l,z,puzzle,solution\n9.10,a\tb,\"[1, 2]\",,{PUZZLE},{SOLUTION}\n"),
        ),
        (
            format!("<opensudoku><game data='{zeros}'/></opensudoku>"),
            format!("puzzle\n{PUZZLE}\n"),
        ),
    ] {
        let (table, rejects) = converted(&place, &text, &[]);
        assert_eq!((table, rejects.len()), (expected, 0), "{text}");
    }
}

#[test]
fn bad_records_of_every_format_are_rejects_with_their_place() {
    let place = Place::new();
    let zeros = PUZZLE.replace('.', "0");
    let grid = rows(PUZZLE).join("\n");
    let short = rows(PUZZLE)[1..].join("\n");
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
            format!("Grid 01\n{grid}\nGrid 02\n{short}\nGrid 03\n{grid}\n"),
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
        let (table, rejects) = converted(&place, &text, &[]);
        assert!(table.contains(PUZZLE), "{text}");
        assert_eq!(rejects.len(), expected.len(), "{text}: {rejects:?}");
        for (reject, expected) in rejects.iter().zip(expected) {
            assert!(reject.starts_with(expected), "{text}: {expected}: {reject}");
        }
    }
}

#[test]
fn the_delimiter_of_csv_can_be_any_character() {
    let place = Place::new();
    place.write("in", format!("id~puzzle\n1~{PUZZLE}\n"));
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
        let output = place.run(&arguments);
        assert_eq!(output.status.success(), works, "{}", stderr(&output));
    }
    assert_eq!(
        place.read("out.csv"),
        format!("id,puzzle\n1,{PUZZLE}\n").as_bytes()
    );
    let mut from_environment = place.command(&["convert", "in", "-o", "env.csv"]);
    assert!(
        from_environment
            .env("PIPELINE_DELIMITER", "~")
            .output()
            .unwrap()
            .status
            .success()
    );
    place.fail(&["convert", "in", "-o", "x.csv", "--delimiter", "ab"], 2);
    place.write("tab", format!("id\tpuzzle\n1\t{PUZZLE}\n"));
    place.succeed(&["convert", "tab", "-o", "tab.csv", "--input-format", "tsv"]);
    let said = place.fail(
        &[
            "convert",
            "in",
            "-o",
            "x.csv",
            "--delimiter",
            "~",
            "--input-format",
            "lines",
        ],
        3,
    );
    assert!(said.contains("leave --delimiter away"), "{said}");
}

#[test]
fn texts_that_are_not_read_say_what_to_do() {
    let place = Place::new();
    for (text, words) in [
        ("[{\"puzzle\": 1}]", "jq -c '.[]'"),
        ("{\n  \"puzzle\": 1\n}\n", "jq -c ."),
        ("<?xml version='1.0'?><puzzles/>", "<puzzles>"),
        ("{\"clues\": 1}\n", "--puzzle-column"),
    ] {
        place.write("in", text);
        let said = place.fail(&["convert", "in", "-o", "x.csv"], 3);
        assert!(said.contains(words), "{said}");
    }
}

/// `Grid 10000` has nine characters besides the space, and was taken for a row of nine cells.
#[test]
fn titles_with_large_numbers_are_no_rows() {
    let place = Place::new();
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..][..9]).collect();
    let board = |n: u32| format!("Grid {n}\n{}\n", rows.join("\n"));
    let boards: String = [9, 999, 1000, 9999, 10000, 123_456].map(board).concat();
    place.write("in.txt", boards);
    place.succeed(&["convert", "in.txt", "-o", "out.csv"]);
    let table = String::from_utf8(place.read("out.csv")).unwrap();
    assert_eq!(table.matches(PUZZLE).count(), 6, "{table}");
    assert!(table.contains("Grid 123456"), "{table}");
}
