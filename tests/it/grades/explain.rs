//! Tests `explain` with text, JSON and HTML as output.

use std::collections::BTreeMap;

use sudoku_core::board::{Candidates, Cell, CellSet, Digit, Grid};
use sudoku_core::explain::{Explanation, TextOptions, technique_ids};

use crate::util::{PUZZLE, SOLUTION, TestDir, stderr};

/// Puzzles that need more than singles.
const HARDER: [&str; 3] = [
    "..1.5..2.3..4......9.....87.5....9......927...4...5.611...6...26..741.....5..86..",
    "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........",
    ".....621.....4..935.....74.9..6.......149..57..4..5.68..93....1....5.....68......",
];

/// A line of HoDoKu's library with an X-wing.
const X_WING: &str = ":0300:3:539274816768.15.422146..57.397842651642591738185763294.21.5..67\
                      973126485.56..712.::394::";

#[test]
fn the_summary_agrees_with_the_columns_of_grade() {
    let dir = TestDir::new();
    for puzzle in [PUZZLE].into_iter().chain(HARDER) {
        dir.write("in.txt", puzzle);
        let csv = ["-o", "-", "--format", "csv", "--with", "waves"];
        let csv = dir.succeed(("grade in.txt", &csv));
        let (header, row) = csv.split_once('\n').unwrap();
        let columns: BTreeMap<&str, &str> =
            header.split(',').zip(row.trim_end().split(',')).collect();

        let text = dir.succeed(&["explain", puzzle, "--brief"]);
        let (rank, level) = (columns["rank"], columns["level"]);
        let verdict = text.split("── Wave").next().unwrap().replace('\n', " ");
        assert!(
            verdict.starts_with(&format!("The puzzle is {level}: ")),
            "{verdict}"
        );
        assert!(verdict.contains(&format!("(rank {rank}). ")), "{verdict}");
        let summary = text.split("── Summary").nth(1).unwrap();
        let shown_values: BTreeMap<&str, &str> = summary
            .lines()
            .filter_map(|line| line.trim().split_once("  "))
            .map(|(column, rest)| {
                // A line has the name of a column, its value, and what it means.
                let value = rest.trim().split("  ").next();
                (column, value.unwrap_or_default())
            })
            .collect();
        for column in [
            "clues",
            "technique",
            "rank",
            "level",
            "effort",
            "waves",
            "first_rank",
        ] {
            let shown_text = if columns[column].is_empty() {
                "–"
            } else {
                columns[column]
            };
            assert_eq!(shown_values[column], shown_text, "{column} of {puzzle}");
        }
        for (column, value) in &columns {
            if column.starts_with("waves_") {
                let shown_value = shown_values.get(column).unwrap_or(&"0");
                assert_eq!(shown_value, value, "{column} of {puzzle}");
            }
        }
    }
}

#[test]
fn the_text_fits_a_terminal_and_has_no_escape_codes_in_files() {
    let dir = TestDir::new();
    let text = dir.succeed(&format!("explain {PUZZLE}"));
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    assert!(!text.contains('\x1b'));
    assert!(text.contains("r5c5=5  r5c5 has no other candidate than 5."));
    let colored = dir.succeed(&format!("explain {PUZZLE} --color always"));
    assert!(colored.contains("\x1b["));
    let brief = dir.succeed(&format!("explain {PUZZLE} --brief"));
    assert!(!brief.contains('┏') && brief.len() < text.len() / 3);
}

#[test]
fn the_steps_of_the_json_solve_the_puzzle() {
    let dir = TestDir::new();
    for puzzle in [PUZZLE].into_iter().chain(HARDER) {
        let json = dir.succeed(&["explain", "--json", puzzle]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let mut board = Candidates::new(&puzzle.parse::<Grid>().unwrap());
        let get_array = |value: &serde_json::Value| value.as_array().unwrap().clone();
        let get_candidate = |value: &serde_json::Value| {
            let cell = value["cell"].as_str().unwrap();
            let cell = Cell::all().find(|own| own.to_string() == cell).unwrap();
            let digit = value["digit"].as_u64().unwrap() as u8;
            (Digit::from_value(digit).unwrap(), cell)
        };
        for wave in get_array(&json["waves"]) {
            assert_eq!(wave["board"], board.solved_grid().as_str());
            let digits: Vec<_> = board.by_cell().iter().map(ToString::to_string).collect();
            assert_eq!(wave["candidates"], serde_json::json!(digits));
            let steps = get_array(&wave["steps"]);
            for placed in steps.iter().flat_map(|step| get_array(&step["places"])) {
                let (digit, cell) = get_candidate(&placed);
                board.place(cell, digit);
            }
            for removed in steps.iter().flat_map(|step| get_array(&step["removes"])) {
                let (digit, cell) = get_candidate(&removed);
                board.eliminate(digit, CellSet::of(cell));
            }
            assert!(steps.iter().all(|step| step["why"] != ""));
        }
        let solution = board.solution().map(|grid| grid.to_string());
        if json["technique"] != "search" {
            assert_eq!(json["solution"], solution.unwrap());
            assert_eq!(json["stalled"], serde_json::Value::Null);
        } else {
            assert_eq!(json["stalled"]["board"], board.solved_grid().as_str());
        }
    }
}

#[test]
fn the_page_is_well_formed_and_loads_nothing() {
    let dir = TestDir::new();
    for arguments in [
        &["explain", "--html", PUZZLE][..],
        &["explain", "--html", HARDER[0]],
        &["explain", "--html", HARDER[2]],
        &["explain", "--html", X_WING],
        &["explain", "--html", "--technique", "jellyfish"],
    ] {
        let page = dir.succeed(arguments);
        check_page(&page);
    }
    let page = dir.succeed(&format!("explain --html {PUZZLE}"));
    assert!(page.contains("<title>Sudoku explained: Naked single (rank 2, easy)</title>"));
    assert!(page.contains(SOLUTION));
}

/// Checks a page: all tags are closed in order, every drawing that is used is defined exactly once, and the page
/// loads nothing.
fn check_page(page: &str) {
    for reference in ["http", "src=", "@import", "<script", "<link"] {
        assert!(!page.contains(reference), "{reference}");
    }
    let mut open_tags = Vec::new();
    for tag in page.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert!(
            !text.contains('>') || tag == "style" || open_tags.last() == Some(&"style"),
            "{text}"
        );
        let name = tag.split([' ', '\n']).next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open_tags.pop(), Some(name), "{tag}");
        } else if !tag.starts_with('!') && !tag.ends_with('/') {
            open_tags.push(name);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert!(open_tags.is_empty(), "{open_tags:?}");
    for used in page.split("href=\"#").skip(1) {
        let id = used.split('"').next().unwrap();
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
    assert_eq!(
        page.matches("href=").count(),
        page.matches("href=\"#").count()
    );
}

#[test]
fn a_line_of_hodokus_library_shows_the_listed_effect() {
    let dir = TestDir::new();
    let text = dir.succeed(&format!("explain {X_WING}"));
    assert!(text.contains("HoDoKu 0300"), "{text}");
    assert!(text.contains("a step does that and nothing else"), "{text}");
    assert!(text.contains("1. r9c4<>3"), "{text}");
    let json = dir.succeed(&format!("explain --json {X_WING}"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["fit"], "exact");
    let removes = serde_json::json!([{ "cell": "r9c4", "digit": 3 }]);
    assert_eq!(json["found"][0]["steps"][0]["removes"], removes);

    let elsewhere = X_WING.replace("::394::", "::395::");
    let text = dir.succeed(&["explain", &elsewhere]);
    assert!(text.contains("not found"), "{text}");
    let without_candidates = X_WING.replace("::394::", "::::");
    let text = dir.succeed(&["explain", &without_candidates]);
    assert!(text.contains("lists nothing"), "{text}");
    let unknown = X_WING.replace(":0300:", ":9999:");
    let message = dir.fail(&["explain", &unknown], 3);
    assert!(message.contains("HoDoKu's code 9999"), "{message}");
    let conflict = X_WING.replace("539274816", "559274816");
    let message = dir.fail(&["explain", &conflict], 3);
    assert!(message.contains("5 is in r1c1 and in r1c2"), "{message}");
}

#[test]
fn an_unexplainable_puzzle_is_an_error_with_a_reason() {
    let dir = TestDir::new();
    let empty_grid = ".".repeat(81);
    let repeated_digit = format!("55{}", ".".repeat(79));
    let no_solution = format!("12345678........9{}", ".".repeat(64));
    for (puzzle, why) in [
        ("123", "wrong_length: 3 cells"),
        ("", "null_value: the puzzle is empty"),
        (&empty_grid, "more than one solution"),
        (&repeated_digit, "conflict: 5 is in r1c1 and in r1c2"),
        (&no_solution, "no solution"),
        (":0300:1:..", "seven fields"),
    ] {
        let message = dir.fail(&["explain", puzzle], 3);
        assert!(message.contains(why), "{puzzle}: {message}");
    }
    for arguments in [
        &["explain"][..],
        &["explain", "--jsno"],
        &["explain", PUZZLE, "--technique", "x_wing"],
        &["explain", "--technique", "x_wings"],
        &["explain", PUZZLE, "--json", "--html"],
    ] {
        dir.fail(arguments, 2);
    }
}

#[test]
fn a_puzzle_can_come_from_standard_input_and_hyphens_are_blanks() {
    let dir = TestDir::new();
    let expected = dir.succeed(&format!("explain {PUZZLE}"));
    let rows: Vec<_> = (0..9).map(|row| &PUZZLE[9 * row..9 * row + 9]).collect();
    for text in [format!("{PUZZLE}\n"), rows.join("\n")] {
        let output = dir.pipe("explain -", text.as_bytes());
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
    let output = dir.pipe("explain -", format!("{X_WING}\n").as_bytes());
    assert!(String::from_utf8(output.stdout).unwrap().contains("X-wing"));
    let hyphens = HARDER[0].replace('.', "-");
    assert!(hyphens.starts_with('-'));
    let text = dir.succeed(&["explain", &hyphens]);
    assert_eq!(text, dir.succeed(&["explain", HARDER[0]]));
}

#[test]
fn an_output_file_is_written_whole_and_never_replaced_unasked() {
    let dir = TestDir::new();
    for format_option in ["--json", "--html", "--color=auto"] {
        let stdout = dir.succeed(&["explain", PUZZLE, format_option, "-o", "out"]);
        assert_eq!(stdout, "");
        let expected = dir.succeed(&["explain", PUZZLE, format_option]);
        assert_eq!(dir.read("out"), expected.as_bytes());
        let message = dir.fail(&["explain", PUZZLE, format_option, "-o", "out"], 4);
        assert!(message.contains("--overwrite"), "{message}");
        dir.succeed(&["explain", PUZZLE, format_option, "-o", "out", "--overwrite"]);
        dir.fail(&["explain", "123", format_option, "-o", "other"], 3);
        assert_eq!(dir.files(), ["out"]);
        std::fs::remove_file(dir.path("out")).unwrap();
    }
}

#[test]
fn a_technique_has_a_manual_page_with_an_example() {
    let dir = TestDir::new();
    let page = dir.succeed("explain --technique x_wing");
    for part in [
        "── X-wing ",
        "rank              11",
        "HoDoKu            0300",
        "Why it is sound",
        "1. r9c4<>3",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let search = dir.succeed("explain --technique search");
    assert!(search.contains("only a search is left"), "{search}");
}

#[test]
fn every_technique_has_a_manual_page() {
    for id in technique_ids() {
        let page = Explanation::of_technique(id).unwrap();
        let json = sudoku_pipeline::report::explanation_json(&page);
        assert_eq!(json["technique"], id);
        if id != "search" {
            let steps = json["example"]["steps"].as_array().unwrap();
            assert_eq!(steps.len(), 1, "{id}");
            assert_ne!(steps[0]["why"], "", "{id}");
        }
        check_page(&page.html());
        let text = page.text(TextOptions::default());
        assert!(text.contains(id));
        let is_wide = |line: &str| line.chars().count() > 80;
        assert!(!text.lines().any(is_wide), "{text}");
    }
}

#[test]
fn the_json_of_a_forcing_step_has_each_deduction() {
    let dir = TestDir::new();
    let explain_technique = |id: &str| -> serde_json::Value {
        let text = dir.succeed(&format!("explain --json --technique {id}"));
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["example"]["steps"][0].clone()
    };
    let step = explain_technique("nested_forcing");
    let first_case = &step["cases"][0];
    assert_eq!(first_case["assume"], step["removes"][0]);
    assert!(["no_candidate", "no_place"].contains(&first_case["ending"]["kind"].as_str().unwrap()));
    let trace = first_case["trace"].as_array().unwrap();
    let nested = trace
        .iter()
        .find(|own| own["technique"] == "nishio")
        .unwrap();
    assert_eq!(nested["rank"], 38);
    assert_eq!(nested["cases"][0]["assume"], nested["removes"][0]);
    let case_trace = nested["cases"][0]["trace"].as_array().unwrap();
    assert!(
        case_trace
            .iter()
            .all(|own| own["places"].as_array().unwrap().len() == 1)
    );

    let step = explain_technique("cell_region_forcing");
    let cases = step["cases"].as_array().unwrap();
    assert!(cases.len() > 1 && cases.iter().all(|case| case["ending"]["kind"] == "removed"));

    let step = explain_technique("als_xy_wing");
    let names: Vec<_> = (step["sets"].as_array().unwrap().iter())
        .map(|set| set["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["A", "B", "C"]);

    let step = explain_technique("als_chain");
    let links = step["chain"].as_array().unwrap();
    let reason_kinds: Vec<_> = links.iter().map(|link| &link["reason"]["kind"]).collect();
    assert!(
        reason_kinds.iter().any(|kind| **kind == "set"),
        "{reason_kinds:?}"
    );
}

#[test]
fn the_page_has_the_solution() {
    let dir = TestDir::new();
    for puzzle in HARDER {
        let page = dir.succeed(&["explain", "--html", puzzle]);
        let json = dir.succeed(&["explain", "--json", puzzle]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert!(page.contains("<h2>Solution</h2>"));
        assert!(
            page.contains(json["solution"].as_str().unwrap()),
            "{puzzle}"
        );
    }
}

/// A forcing step of this puzzle has 768 deductions, which are collapsed. The deduction that decides a case is
/// shown first.
#[test]
fn a_forcing_step_is_collapsed_after_its_conclusion() {
    let dir = TestDir::new();
    let puzzle =
        "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6";
    let page = dir.succeed(&["explain", "--html", puzzle]);
    check_page(&page);
    let cases_html = page.split("3 cases, 768 deductions").nth(1).unwrap();
    let cases_html: Vec<_> = cases_html.split("<li>If r1c3 is ").skip(1).collect();
    assert_eq!(cases_html.len(), 3);
    for (case, end) in cases_html.iter().zip([
        "1: <strong>All that is removed is gone.",
        "2: <strong>r9c6 has no candidate left: this case fails.",
        "4: <strong>Column 6 has no place left for 9: this case fails.",
    ]) {
        assert!(case.starts_with(end), "{case}");
        let (decides, folded) = case.split_once("<details>").unwrap();
        assert!(decides.contains("The last line: ") && !decides.contains("<li>"));
        assert!(folded.starts_with("<summary>the "));
    }
    assert!(page.contains("162 candidates of 56 cells removed"));
    assert!(!page.contains("open=\"open\""));
}

/// An explanation draws a board for each wave, which is all steps that one technique finds on a board. Lines that
/// several boards share are written once.
#[test]
fn a_page_writes_the_lines_of_a_board_once() {
    let dir = TestDir::new();
    for puzzle in [PUZZLE, HARDER[0]] {
        let page = dir.succeed(&["explain", "--html", puzzle]);
        assert!(page.matches("<h2>Wave ").count() > 3);
        assert_eq!(page.matches("class=\"thin\"").count(), 6);
    }
}

/// A command such as `tail -1 puzzles.csv | pipeline explain -` explains the puzzle in the first field.
#[test]
fn a_row_of_a_table_is_explained_by_its_first_field() {
    let dir = TestDir::new();
    let expected = dir.succeed(&format!("explain {PUZZLE}"));
    for row in [
        format!("{PUZZLE},{SOLUTION},7.1"),
        format!("{PUZZLE}\t{SOLUTION}"),
    ] {
        assert_eq!(dir.succeed(&["explain", &row]), expected);
    }
    let grid_of_4 = "1...|...2";
    assert!(
        dir.fail(&["explain", &format!("{PUZZLE}1,{SOLUTION}")], 3)
            .contains("wrong_length")
    );
    assert!(
        dir.fail(&["explain", &format!("{grid_of_4},x")], 3)
            .contains("wrong_length")
    );
}
