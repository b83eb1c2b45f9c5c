//! Tests that puzzles are read in the notations in which people publish them.

use crate::util::{PUZZLE, SOLUTION, TestDir};

/// The puzzles and solutions that `convert` reads from a file.
fn read(dir: &TestDir, name: &str, text: &str) -> Vec<String> {
    dir.write(name, text);
    let table = dir.succeed(&format!(
        "convert {name} -o - --format csv --schema canonical --keep none"
    ));
    table.lines().skip(1).map(str::to_owned).collect()
}

fn cells(grid: &str, blank: &str) -> Vec<String> {
    let cell = |cell: char| match cell {
        '.' => blank.to_owned(),
        digit => digit.to_string(),
    };
    grid.chars().map(cell).collect()
}

fn rows(grid: &str, blank: &str, between: &str) -> Vec<String> {
    cells(grid, blank)
        .chunks(9)
        .map(|row| row.join(between))
        .collect()
}

fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\""))
}

#[test]
fn lists_as_text_are_read_in_every_format() {
    let dir = TestDir::new();
    let pair = format!("{PUZZLE},{SOLUTION}");
    let lists = |grid: &str| {
        [
            format!("[[{}]]", rows(grid, "0", ", ").join("], [")),
            format!("[{}]", cells(grid, "0").join(" ")),
            format!("[{}]", cells(grid, "None").join(", ")),
            format!("[array([{}])]", rows(grid, "0", ", ").join("]), array([")),
            format!("[[{}]]", rows(grid, "0", " ").join("]\n [")),
            format!("['{}']", rows(grid, "0", "").join("', '")),
            format!("[{}]", cells(grid, "nan").join(", ")),
            format!("[{}]", cells(grid, "-1").join(", ")),
            format!("({})", cells(grid, "0.0").join(", ")),
        ]
    };
    for (puzzle, solution) in lists(PUZZLE).into_iter().zip(lists(SOLUTION)) {
        let csv = format!(
            "puzzle,solution\n{},{}\n",
            quoted(&puzzle),
            quoted(&solution)
        );
        assert_eq!(read(&dir, "in.csv", &csv), [pair.as_str()], "{csv}");
        let object = serde_json::json!({"puzzle": puzzle, "solution": solution});
        assert_eq!(
            read(&dir, "in.ndjson", &format!("{object}\n")),
            [pair.as_str()]
        );
        dir.succeed("convert in.csv -o in.parquet --overwrite");
        let validated = dir.succeed("validate in.csv in.ndjson in.parquet --format ndjson");
        assert_eq!(validated, "");
    }
}

#[test]
fn a_column_for_each_cell_is_a_puzzle() {
    let dir = TestDir::new();
    let names = |name: &str| -> Vec<String> { (0..81).map(|at| format!("{name}{at}")).collect() };
    let (puzzle, solution) = (cells(PUZZLE, "0").join(","), cells(SOLUTION, "0").join(","));
    for (text, expected) in [
        (
            format!("{}\n{puzzle}\n", names("c").join(",")),
            PUZZLE.to_owned(),
        ),
        (
            format!("{}\n{puzzle}\n", names("").join(",")),
            PUZZLE.to_owned(),
        ),
        (
            format!("{puzzle}\n{puzzle}\n"),
            format!("{PUZZLE}\n{PUZZLE}"),
        ),
        (
            format!("id,{}\n7,{puzzle}\n", names("c").join(",")),
            PUZZLE.to_owned(),
        ),
        (
            format!("{puzzle},{solution}\n"),
            format!("{PUZZLE},{SOLUTION}"),
        ),
        (
            format!(
                "{},{}\n{puzzle},{solution}\n",
                names("q").join(","),
                names("s").join(",")
            ),
            format!("{PUZZLE},{SOLUTION}"),
        ),
        (
            format!("{}\n", cells(PUZZLE, "").join(",")),
            PUZZLE.to_owned(),
        ),
        (
            format!("{}\n", cells(PUZZLE, "nan").join(";")),
            PUZZLE.to_owned(),
        ),
        (
            format!("{}\n", cells(PUZZLE, "0.000e+00").join(" ")),
            PUZZLE.to_owned(),
        ),
    ] {
        assert_eq!(read(&dir, "in.csv", &text).join("\n"), expected, "{text}");
    }
}

#[test]
fn boards_of_programs_are_read_in_files_and_in_fields() {
    let dir = TestDir::new();
    let boxes = |row: &String| {
        let cells: Vec<char> = row.chars().collect();
        let parts = cells.chunks(3).map(|part| {
            let part: Vec<String> = part.iter().map(char::to_string).collect();
            part.join(" ")
        });
        parts.collect::<Vec<_>>().join(" | ")
    };
    let lines: Vec<String> = rows(PUZZLE, ".", "").iter().map(boxes).collect();
    let ruled = |lines: &[String], rule: &str| {
        let bands: Vec<String> = lines.chunks(3).map(|band| band.join("\n")).collect();
        bands.join(&format!("\n{rule}\n"))
    };
    let labelled: Vec<String> = lines
        .iter()
        .zip(1..)
        .map(|(line, n)| format!("R{n} {line}"))
        .collect();
    let lettered: Vec<String> = lines
        .iter()
        .zip('A'..)
        .map(|(line, row)| format!("{row} | {line} |"))
        .collect();
    let table: Vec<String> = rows(PUZZLE, " ", " | ")
        .iter()
        .map(|row| format!("| {row} |"))
        .collect();
    let heading = "   C1 C2 C3   C4 C5 C6   C7 C8 C9";
    for board in [
        ruled(&lines, "------+-------+------"),
        ruled(&labelled, "   - - - - - - - - - - - -"),
        format!(
            "{heading}\n{}",
            ruled(&labelled, "   - - - - - - - - - - - -")
        ),
        format!("{heading}\n{}", labelled.join("\n")),
        format!(
            "    1 2 3   4 5 6   7 8 9\n{}",
            ruled(&lettered, "  +-------+-------+-------+")
        ),
        table.join("\n"),
        format!(
            "{}\n{}\n{}",
            table[0],
            "|---".repeat(9) + "|",
            table[1..].join("\n")
        ),
        rows(PUZZLE, "", ",").join("\n"),
        rows(PUZZLE, "nan", ",").join("\n"),
        rows(PUZZLE, "·", " ").join("\n"),
    ] {
        let two = format!("{board}\n\n{board}\n");
        assert_eq!(read(&dir, "in.txt", &two), [PUZZLE, PUZZLE], "{two}");
        let csv = format!("id,puzzle\n1,{}\n", quoted(&board));
        assert_eq!(read(&dir, "in.csv", &csv), [PUZZLE], "{csv}");
        let object = serde_json::json!({"prompt": format!("Solve this:\n\n{board}\n")});
        assert_eq!(
            read(&dir, "in.ndjson", &format!("{object}\n")),
            [PUZZLE],
            "{object}"
        );
    }
    let board = ruled(&lines, "------+-------+------");
    let cat = format!("{board}\n{board}\n{board}\n");
    assert_eq!(
        read(&dir, "cat.txt", &cat),
        [PUZZLE; 3],
        "no empty line between boards"
    );
    let properties = "\nNumber of Givens: 26\nNumber of Singles: 55\nDifficulty: Simple\n";
    let with_statistics = format!("{board}\n{properties}{board}\n{properties}");
    assert_eq!(read(&dir, "stats.txt", &with_statistics), [PUZZLE; 2]);
}

#[test]
fn typographic_and_protected_grids_are_read() {
    let dir = TestDir::new();
    let full_width = |c: char| char::from_u32(c as u32 + 0xfee0).unwrap();
    let wide: String = PUZZLE.replace('.', "0").chars().map(full_width).collect();
    let keycaps: String = cells(PUZZLE, "⬜")
        .iter()
        .map(|cell| {
            if cell == "⬜" {
                cell.clone()
            } else {
                format!("{cell}\u{fe0f}\u{20e3}")
            }
        })
        .collect();
    for field in [
        wide,
        keycaps,
        PUZZLE.replace('.', "□"),
        PUZZLE.replace('.', "·"),
        format!("={}", quoted(PUZZLE)),
        format!("'{PUZZLE}"),
        format!("{PUZZLE}\u{200b}"),
        format!("\u{1f}{PUZZLE}"),
        format!("\u{feff}{PUZZLE}"),
    ] {
        let csv = format!("puzzle\n{}\n", quoted(&field));
        assert_eq!(read(&dir, "in.csv", &csv), [PUZZLE], "{field}");
        assert_eq!(
            read(&dir, "in.txt", &format!("{field}\n")),
            [PUZZLE],
            "{field}"
        );
    }
    let excel = format!("sep=;\r\npuzzle;solution\r\n{PUZZLE};{SOLUTION}\r\n");
    assert_eq!(
        read(&dir, "excel.csv", &excel),
        [format!("{PUZZLE},{SOLUTION}")]
    );
}

#[test]
fn grids_on_one_line_are_a_pair_or_a_reject() {
    let dir = TestDir::new();
    for separator in [" ", "\t", ";", "|", ",", " | "] {
        let text = format!("{PUZZLE}{separator}{SOLUTION}\n");
        assert_eq!(
            read(&dir, "in.txt", &text),
            [format!("{PUZZLE},{SOLUTION}")],
            "{separator:?}"
        );
    }
    for separator in [" ", "\t", ";", ",", "\0", "\u{2028}", "\u{85}"] {
        dir.write("in.txt", [PUZZLE; 3].join(separator));
        let message = dir.fail("convert in.txt -o out.csv", 3);
        assert!(
            message.contains("3 grids stand on this line"),
            "{separator:?}: {message}"
        );
    }
}

#[test]
fn a_word_in_the_place_of_a_solution_says_that_there_is_none() {
    let dir = TestDir::new();
    let words = [
        "nan", "NaN", "None", "null", "NULL", "N/A", "NA", "-", "", "\"\"",
    ];
    let rows: String = words
        .iter()
        .map(|word| format!("{PUZZLE},{word}\n"))
        .collect();
    dir.write("in.csv", format!("puzzle,solution\n{rows}"));
    let output = dir.run("solve in.csv -o out.ndjson --select solution_given");
    let message = crate::util::stderr(&output);
    assert!(
        message.contains("\"nan\" in the place of a solution"),
        "{message}"
    );
    let given = String::from_utf8(dir.read("out.ndjson")).unwrap();
    assert_eq!(given, "{\"solution_given\":null}\n".repeat(words.len()));
    dir.succeed("validate in.csv");
}

#[test]
fn symbols_mean_what_the_first_records_say() {
    let dir = TestDir::new();
    let from_zero: Vec<String> = PUZZLE
        .chars()
        .map(|cell| {
            cell.to_digit(10)
                .map_or(-1, |digit| digit as i64 - 1)
                .to_string()
        })
        .collect();
    let csv = format!("puzzle\n\"[{}]\"\n", from_zero.join(", "));
    assert_eq!(read(&dir, "in.csv", &csv), [PUZZLE]);
    let inspected = dir.succeed("inspect in.csv");
    for words in [
        "written as list",
        "empty cells are \"-1\"",
        "digits are 0 to 8",
    ] {
        assert!(inspected.contains(words), "{words}: {inspected}");
    }
    let mixed = format!("[{}]", cells(PUZZLE, "0").join(", ")).replacen('0', "None", 1);
    dir.write("mixed.csv", format!("puzzle\n\"{mixed}\"\n"));
    let message = dir.fail("convert mixed.csv -o out.csv", 3);
    assert!(message.contains("are the digits 0 to 8?"), "{message}");
    let letters: String = PUZZLE
        .chars()
        .map(|cell| {
            cell.to_digit(10)
                .map_or('.', |digit| char::from(b'@' + digit as u8))
        })
        .collect();
    dir.write("letters.txt", format!("{letters}\n"));
    let table = dir.succeed("convert letters.txt --alphabet A-I -o - --format csv --keep none");
    assert_eq!(table.lines().nth(1), Some(PUZZLE));
}

#[test]
fn a_table_without_a_header_is_read_by_its_records() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("src0,{PUZZLE},{SOLUTION},7\nsrc1,{PUZZLE},{SOLUTION},8\n"),
    );
    let table = dir.succeed("convert in.csv -o - --format csv");
    assert_eq!(
        table,
        format!(
            "column_1,puzzle,solution,column_4\nsrc0,{PUZZLE},{SOLUTION},7\nsrc1,{PUZZLE},{SOLUTION},8\n"
        )
    );
    let list = quoted(&format!("[{}]", cells(PUZZLE, "0").join(" ")));
    let other = quoted(&format!("[{}]", cells(SOLUTION, "0").join(" ")));
    assert_eq!(
        read(&dir, "lists.csv", &format!("{list},{other}\n")),
        [format!("{PUZZLE},{SOLUTION}")]
    );
}

/// Numbered columns of a table without puzzles were taken for the cells of puzzles, and their rows were rejects.
#[test]
fn numbered_columns_of_other_tables_are_columns() {
    let dir = TestDir::new();
    let names: Vec<String> = (0..16).map(|at| format!("f{at}")).collect();
    let row = |at: usize| -> String {
        let fields: Vec<String> = (0..16).map(|field| (at * field % 4).to_string()).collect();
        fields.join(",") + ",\"a b\""
    };
    let rows: Vec<String> = (1..21).map(row).collect();
    dir.write(
        "features.csv",
        format!("{},label\n{}\n", names.join(","), rows.join("\n")),
    );
    let figures = dir.succeed("stats features.csv --format json");
    let figures: serde_json::Value = serde_json::from_str(&figures).unwrap();
    assert_eq!(figures["inputs"][0]["rows"], 20, "{figures}");
    let message = dir.fail("convert features.csv -o out.csv", 3);
    assert!(message.contains("no puzzle column"), "{message}");
}

/// Regression test: such a table was taken for boards of 16 × 16.
#[test]
fn as_many_columns_of_numbers_as_a_board_has_are_a_table() {
    let dir = TestDir::new();
    for width in [9, 16] {
        let names: Vec<String> = (0..width).map(|at| format!("f{at}")).collect();
        let row = |at: usize| -> String {
            let fields: Vec<String> = (0..width)
                .map(|field| (at * field % 7).to_string())
                .collect();
            fields.join(",")
        };
        let rows: Vec<String> = (1..41).map(row).collect();
        dir.write(
            "numbers.csv",
            format!("{}\n{}\n", names.join(","), rows.join("\n")),
        );
        let figures = dir.succeed("stats numbers.csv --format json");
        let figures: serde_json::Value = serde_json::from_str(&figures).unwrap();
        assert_eq!(figures["inputs"][0]["rows"], 40, "{figures}");
        let message = dir.fail("convert numbers.csv -o out.csv", 3);
        assert!(message.contains("no puzzle column"), "{message}");
    }
    // A title above boards of fields is a title.
    let board: Vec<String> = PUZZLE
        .as_bytes()
        .chunks(9)
        .map(|row| {
            row.iter()
                .map(|cell| char::from(*cell).to_string())
                .collect::<Vec<_>>()
                .join(",")
        })
        .collect();
    dir.write(
        "boards.txt",
        format!("a,b,c,d,e,f,g,h,i\n{}\n", board.join("\n")),
    );
    dir.succeed("convert boards.txt -o boards.csv");
}
