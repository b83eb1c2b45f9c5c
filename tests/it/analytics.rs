//! `stats`, `query` and `report`, and `grade --report`.

use serde_json::{Value, json};

use crate::util::{PUZZLE, Place, SOLUTION, generated, texts};

/// Needs an x-wing at least.
const HARD: &str =
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";

fn stats(place: &Place, arguments: &[&str]) -> Value {
    let all = [&["stats"], arguments, &["--format", "json"]].concat();
    serde_json::from_str(&place.succeed(&all)).unwrap()
}

/// A dataset with labels, a duplicate, a wrong solution, a puzzle without a solution and two rejects.
fn graded(place: &Place) {
    let mut csv = String::from("puzzle,solution,difficulty,note\n");
    for (at, (puzzle, solution)) in generated(place, "40").iter().enumerate() {
        let label = if at % 2 == 0 { "easy" } else { "hard" };
        csv += &format!("{puzzle},{solution},{label},{at}\n");
    }
    csv += &format!("{PUZZLE},{SOLUTION},easy,x\n");
    csv += &format!("{PUZZLE},{SOLUTION},easy,\n");
    csv += &format!(
        "{PUZZLE},{},hard,y\n",
        SOLUTION
            .replace('5', "x")
            .replace('6', "5")
            .replace('x', "6")
    );
    csv += &format!("11{},,,z\n", &PUZZLE[2..]);
    csv += &format!("5{},,hard,z\n", ".".repeat(80));
    csv += "short,,,\n";
    place.write("set.csv", csv);
    place.succeed(&[
        "grade",
        "set.csv",
        "-o",
        "graded.parquet",
        "--with",
        "canonical",
        "--report",
        "graded.json",
    ]);
}

#[test]
fn the_statistics_of_a_table_are_those_that_its_run_counted() {
    let place = Place::new();
    graded(&place);
    let of_table = stats(&place, &["graded.parquet"]);
    let of_run: Value = serde_json::from_slice(&place.read("graded.json")).unwrap();
    for key in [
        "statistics",
        "rows",
        "status",
        "solution_given",
        "level",
        "technique",
        "uses",
        "clues",
        "effort",
        "waves",
        "nodes",
        "technique_by_clues",
        "cells",
        "rejects",
        "examples",
    ] {
        assert_eq!(of_table[key], of_run[key], "{key}");
    }
    assert_eq!(of_table["rows"], 44);
    assert_eq!(of_table["status"]["multiple"], 1);
    assert_eq!(of_table["solution_given"]["wrong"], 1);
    assert_eq!(of_table["rejects"]["conflict"]["rows"], 1);
    assert_eq!(
        of_table["rejects"]["wrong_length"]["first"][0]["raw"],
        "short,,,"
    );
    assert_eq!(of_table["duplicates"]["repeating"], 2);
    assert_eq!(
        of_table["duplicates"]["examples"][0]["rows"],
        json!([40, 41, 42])
    );
    assert_eq!(of_table["duplicates"]["examples"][0]["puzzles"][2], PUZZLE);
    assert_eq!(of_table["isomorphs"]["most"], 3);
    assert_eq!(of_run["duplicates"], Value::Null);
    let by = |of: &Value| {
        let all = of["by"].as_array().unwrap().clone();
        all.into_iter()
            .find(|by| by["column"] == "difficulty")
            .unwrap()
    };
    assert_eq!(by(&of_table), by(&of_run));
    assert_eq!(by(&of_table)["groups"][0]["value"], "easy");
    let note = of_table["columns"]
        .as_array()
        .unwrap()
        .iter()
        .find(|column| column["name"] == "note");
    assert_eq!(
        (&note.unwrap()["distinct"], &note.unwrap()["nulls"]),
        (&json!(43), &json!(1))
    );
}

#[test]
fn the_statistics_of_shards_merge_to_those_of_the_whole() {
    let place = Place::new();
    graded(&place);
    let text = String::from_utf8(place.read("set.csv")).unwrap();
    let (head, rows) = text.split_once('\n').unwrap();
    let lines: Vec<&str> = rows.lines().collect();
    for (name, part) in [("a", &lines[..20]), ("b", &lines[20..])] {
        place.write(
            &format!("{name}.csv"),
            format!("{head}\n{}\n", part.join("\n")),
        );
        let (input, report) = (format!("{name}.csv"), format!("{name}.json"));
        let output = format!("{name}.parquet");
        place.succeed(&["grade", &input, "-o", &output, "--report", &report]);
    }
    let merged = stats(&place, &["--merge", "a.json", "b.json"]);
    let whole: Value = serde_json::from_slice(&place.read("graded.json")).unwrap();
    for key in [
        "rows",
        "technique",
        "uses",
        "effort",
        "cells",
        "by",
        "technique_by_clues",
    ] {
        assert_eq!(merged[key], whole[key], "{key}");
    }
    assert_eq!(merged["inputs"][1]["name"], "b.csv");
    let both = stats(&place, &["a.parquet", "b.parquet"]);
    assert_eq!(both["technique"], whole["technique"]);
    assert_eq!(
        both["duplicates"]["repeating"], 2,
        "tables are looked at together"
    );
    let said = place.fail(&["stats", "--merge", "set.csv"], 3);
    assert!(said.contains("set.csv: these are no statistics"), "{said}");
}

#[test]
fn statistics_are_text_rows_of_data_and_markdown() {
    let place = Place::new();
    graded(&place);
    let text = place.succeed(&["stats", "graded.parquet"]);
    for part in [
        "Levels",
        "naked_single",
        "Rejects by error",
        "Rank correlation",
        "By difficulty",
        "note",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let markdown = place.succeed(&[
        "stats",
        "graded.parquet",
        "--format",
        "markdown",
        "--by",
        "clues",
    ]);
    assert!(markdown.contains("## By clues"), "{markdown}");
    assert!(markdown.contains("| level"), "{markdown}");
    place.succeed(&["stats", "graded.parquet", "-o", "stats.parquet"]);
    let rows = place.parquet("stats.parquet");
    let sheets = texts(&rows, "sheet");
    assert!(sheets.contains(&Some("technique_by_clues".to_owned())));
    let csv = place.succeed(&["stats", "graded.parquet", "--format", "csv"]);
    assert_eq!(csv.lines().count(), rows.num_rows() + 1);
    assert!(csv.contains("overview,rows,value,44.0,"), "{csv}");
    place.fail(&["stats", "graded.parquet", "-o", "stats.parquet"], 4);
    place.fail(
        &[
            "stats",
            "graded.parquet",
            "-o",
            "graded.parquet",
            "--overwrite",
        ],
        2,
    );
}

#[test]
fn tables_are_asked_in_sql_and_the_answer_is_written_in_any_format() {
    let place = Place::new();
    graded(&place);
    let sql = "SELECT difficulty, count(*) AS n FROM graded GROUP BY difficulty ORDER BY difficulty NULLS LAST";
    let shown = place.succeed(&["query", sql, "graded.parquet"]);
    assert!(
        shown.contains("easy") && shown.contains("difficulty"),
        "{shown}"
    );
    let csv = place.succeed(&[
        "query",
        sql,
        "graded.parquet",
        "-o",
        "-",
        "--output-format",
        "csv",
    ]);
    assert_eq!(csv, "difficulty,n\neasy,22\nhard,22\n");
    place.succeed(&[
        "query",
        "SELECT puzzle, effort FROM graded",
        "graded.parquet",
        "-o",
        "few.parquet",
    ]);
    assert_eq!(place.parquet("few.parquet").num_rows(), 44);
    let joined = "SELECT count(*) AS n FROM graded JOIN few ON graded.puzzle = few.puzzle";
    let csv = place.succeed(&[
        "query",
        joined,
        "graded.parquet",
        "few.parquet",
        "--output-format",
        "csv",
    ]);
    // Three rows have the same puzzle.
    assert_eq!(csv, "n\n50\n");
    let rejects = "SELECT error FROM graded_rejects ORDER BY error";
    let csv = place.succeed(&["query", rejects, "graded.parquet", "--output-format", "csv"]);
    assert_eq!(csv, "error\nconflict\nwrong_length\n");
    let few = place.succeed(&[
        "query",
        "SELECT * FROM graded",
        "graded.parquet",
        "--rows",
        "2",
    ]);
    assert!(few.contains("2 of 44 rows"), "{few}");
    for wrong in [
        "SELEC 1",
        "SELECT nothing FROM graded",
        "SELECT 1 FROM elsewhere",
        "",
    ] {
        let said = place.fail(&["query", wrong, "graded.parquet"], 2);
        assert!(said.contains("graded (source, row"), "{said}");
    }
}

#[test]
fn the_page_is_one_small_file_that_needs_nothing_else() {
    let place = Place::new();
    graded(&place);
    place.succeed(&["report", "graded.parquet", "-o", "report.html"]);
    let page = String::from_utf8(place.read("report.html")).unwrap();
    assert!(page.len() < 300_000, "{} bytes", page.len());
    for absent in [
        "<script", "http://", "https://", "@import", "url(", "#10a0", "#10b0", "#10c0", "NaN",
    ] {
        let found = page.find(absent).map(|at| {
            page[at.saturating_sub(80)..]
                .chars()
                .take(160)
                .collect::<String>()
        });
        let is_namespace = |text: &String| text.contains("www.w3.org");
        assert!(
            found.as_ref().is_none_or(is_namespace),
            "{absent}: {found:?}"
        );
    }
    for section in [
        "levels",
        "techniques",
        "uses",
        "clues",
        "effort",
        "nodes",
        "cells",
        "labels",
        "rejects",
        "boards",
        "provenance",
    ] {
        assert!(
            page.contains(&format!("<section id=\"{section}\"")),
            "{section}"
        );
    }
    let drawings = page.matches("<svg").count();
    let named = page.matches("role=\"img\"").count() + page.matches("aria-hidden").count();
    assert!(
        named >= drawings,
        "{named} of {drawings} drawings have a text"
    );
    // From the statistics of the run comes the same page but for what a run does not count.
    place.succeed(&["report", "graded.json", "-o", "of_run.html"]);
    assert!(place.exists("of_run.html"));
    place.succeed(&[
        "report",
        "graded.parquet",
        "-o",
        "both.html",
        "--against",
        "set.csv",
    ]);
    let both = String::from_utf8(place.read("both.html")).unwrap();
    assert!(
        both.contains("rows of graded") && both.contains("rows of set"),
        "both names"
    );
    assert!(both.len() < 300_000, "{} bytes", both.len());
    place.fail(&["report", "graded.parquet", "-o", "report.html"], 4);
}

#[test]
fn a_run_writes_its_page_itself() {
    let place = Place::new();
    place.write("p.txt", format!("{PUZZLE}\n{HARD}\n"));
    place.succeed(&["grade", "p.txt", "-o", "p.parquet", "--report", "p.html"]);
    assert!(
        place
            .read("p.html")
            .starts_with(b"<!DOCTYPE html>\n<!-- pipeline report")
    );
    // The report of the run before is replaced, and nothing else is.
    place.succeed(&["grade", "p.txt", "-o", "q.parquet", "--report", "p.html"]);
    place.write("mine.html", "<p>mine</p>");
    place.fail(
        &["grade", "p.txt", "-o", "r.parquet", "--report", "mine.html"],
        4,
    );
    assert_eq!(place.read("mine.html"), b"<p>mine</p>");
    let said = place.fail(
        &["grade", "p.txt", "-o", "r.parquet", "--report", "p.pdf"],
        2,
    );
    assert!(said.contains("ends with .json or .html"), "{said}");
    let said = place.fail(
        &[
            "grade", "p.txt", "-o", "f/", "--resume", "--report", "p.json",
        ],
        2,
    );
    assert!(said.contains("leave --resume out"), "{said}");
}

#[test]
fn the_card_of_a_dataset_has_a_head_of_yaml() {
    let place = Place::new();
    graded(&place);
    place.succeed(&[
        "report",
        "graded.parquet",
        "--card",
        "README.md",
        "--title",
        "My \"set\"",
    ]);
    let card = String::from_utf8(place.read("README.md")).unwrap();
    assert!(
        card.starts_with("---\npretty_name: \"My \\\"set\\\"\"\nsize_categories:\n- n<1K\n"),
        "{card}"
    );
    for part in [
        "  - name: \"puzzle\"\n    dtype: string",
        "num_examples: 44",
        "## What is wrong with it",
        "| `rank`",
    ] {
        assert!(card.contains(part), "{part}: {card}");
    }
}

/// Every command on a table; nothing may panic.
fn all_commands(place: &Place, table: &str) -> (String, String) {
    let text = place.succeed(&["stats", table]);
    stats(place, &[table]);
    place.succeed(&["stats", table, "--format", "markdown"]);
    place.succeed(&["stats", table, "--format", "csv"]);
    place.succeed(&[
        "report",
        table,
        "-o",
        "page.html",
        "--card",
        "card.md",
        "--overwrite",
    ]);
    place.succeed(
        &[
            "query",
            "SELECT count(*) AS n FROM tables_",
            table,
            "--rows",
            "1",
        ]
        .map(|part| {
            if part.contains("tables_") {
                "SELECT 1 AS n"
            } else {
                part
            }
        }),
    );
    (text, String::from_utf8(place.read("page.html")).unwrap())
}

#[test]
fn tables_with_nothing_or_little_in_them_are_described_too() {
    let place = Place::new();
    place.write("none.csv", "puzzle\n");
    place.succeed(&["grade", "none.csv", "-o", "none.parquet", "--allow-empty"]);
    let (text, page) = all_commands(&place, "none.parquet");
    assert!(text.contains("There are no rows."), "{text}");
    assert!(page.contains("There are no rows."), "{page}");

    place.write("bad.txt", "short\nshorter\n");
    place.succeed(&["grade", "bad.txt", "-o", "bad.parquet", "--allow-empty"]);
    let (text, page) = all_commands(&place, "bad.rejects.parquet");
    assert!(text.contains("wrong_length"), "{text}");
    assert!(page.contains("There are no rows, and 2 rejects."), "{page}");

    place.write("one.txt", PUZZLE);
    place.succeed(&["grade", "one.txt", "-o", "one.parquet"]);
    let (text, page) = all_commands(&place, "one.parquet");
    assert!(
        text.contains("hidden_single") || text.contains("naked_single"),
        "{text}"
    );
    assert!(
        page.contains("1 puzzles with 30 clues") || page.contains("1 puzzle"),
        "{page}"
    );

    place.write(
        "nulls.csv",
        format!("puzzle,difficulty,n\n{PUZZLE},,\n{HARD},,\n"),
    );
    place.succeed(&["grade", "nulls.csv", "-o", "nulls.parquet"]);
    let (text, _) = all_commands(&place, "nulls.parquet");
    assert!(text.contains("difficulty"), "{text}");
}

#[test]
fn tables_that_are_not_ours_are_described_by_what_they_have() {
    let place = Place::new();
    place.write(
        "people.csv",
        "name,age,city\nAda,36,London\nAlan,41,\nGrace,85,New York\n",
    );
    let (text, page) = all_commands(&place, "people.csv");
    assert!(text.contains("These tables have no grades"), "{text}");
    assert!(page.contains("3 rows."), "{page}");
    let age = &stats(&place, &["people.csv"])["columns"][1];
    assert_eq!(
        (&age["min"], &age["median"], &age["max"], &age["mean"]),
        (&json!(36), &json!(41), &json!(85), &json!(54.0))
    );
    // 81 digits are no number.
    let kaggle = format!(
        "quizzes,solutions\n{},{SOLUTION}\n",
        PUZZLE.replace('.', "0")
    );
    place.write("kaggle.csv", kaggle);
    let of = stats(&place, &["kaggle.csv"]);
    assert_eq!(
        (&of["clues"]["min"], &of["cells"]["puzzles"]),
        (&json!(30), &json!(1))
    );
    place.write(
        "items.ndjson",
        "{\"a\": 1, \"b\": [1, 2]}\n{\"a\": null, \"b\": []}\n",
    );
    all_commands(&place, "items.ndjson");
    place.write("clash.csv", "status,clues,level\n1,many,2.5\n2,few,\n");
    all_commands(&place, "clash.csv");
    for (name, bytes, code, words) in [
        (
            "lines.txt",
            format!("{PUZZLE}\n").into_bytes(),
            3,
            "it is no table",
        ),
        ("empty.csv", Vec::new(), 3, "it is empty"),
        (
            "cut.parquet",
            b"PAR1 and no more".to_vec(),
            3,
            "cannot be read as a table",
        ),
        ("array.json", b"[{\"a\": 1}]".to_vec(), 3, "it is no table"),
    ] {
        place.write(name, bytes);
        let said = place.fail(&["stats", name], code);
        assert!(said.contains(words) && said.contains(name), "{said}");
    }
    let said = place.fail(&["stats", "nowhere.parquet"], 1);
    assert!(said.contains("nowhere.parquet"), "{said}");
    let said = place.fail(&["stats", "people.csv", "--by", "shoes"], 3);
    assert!(
        said.contains("no column shoes; its columns are name, age, city"),
        "{said}"
    );
}

#[test]
fn tables_with_other_columns_are_counted_together_unless_their_types_clash() {
    let place = Place::new();
    place.write("a.csv", "x,y\n1,one\n2,two\n");
    place.write("b.csv", "y,z\nthree,2.5\n");
    let of = stats(&place, &["a.csv", "b.csv"]);
    assert_eq!(of["rows"], 3);
    let nulls: Vec<_> = of["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| &column["nulls"])
        .collect();
    assert_eq!(nulls, [1, 0, 2]);
    place.write("c.csv", "x\nword\n");
    let said = place.fail(&["stats", "a.csv", "c.csv"], 3);
    assert!(
        said.contains("column x is i64 in a.csv and str in c.csv"),
        "{said}"
    );
    let labels: String = (0..1002).map(|n| format!("{n}\n")).collect();
    place.write("many.csv", format!("label\n{labels}"));
    let said = place.fail(&["stats", "many.csv", "--by", "label"], 2);
    assert!(
        said.contains("column label has more than 1000 values"),
        "{said}"
    );
    place.succeed(&["stats", "many.csv"]);
}

#[test]
fn folders_compressed_texts_and_streams_are_tables_too() {
    let place = Place::new();
    graded(&place);
    place.succeed(&[
        "grade",
        "set.csv",
        "-o",
        "levels/",
        "--partition-by",
        "level",
    ]);
    let of_file = stats(&place, &["graded.parquet"]);
    let of_folder = stats(&place, &["levels/"]);
    assert_eq!(of_folder["level"], of_file["level"]);
    assert_eq!(of_folder["rejects"]["conflict"]["rows"], 1);
    for name in ["g.csv.gz", "g.ndjson", "g.tsv.zst", "g.arrow", "g.arrows"] {
        place.succeed(&[
            "query",
            "SELECT * FROM graded",
            "graded.parquet",
            "-o",
            name,
        ]);
        let of = stats(&place, &[name]);
        for key in ["status", "technique", "effort", "uses"] {
            assert_eq!(of[key], of_file[key], "{name}: {key}");
        }
        assert_eq!(of["duplicates"]["repeating"], 2, "{name}");
    }
}
