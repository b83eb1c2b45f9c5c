//! Tests `stats`: the statistics of a table are those that the run counted when it wrote the table.

use serde_json::{Value, json};

use super::{stats, write_graded};
use crate::util::{PUZZLE, TestDir, texts};

#[test]
fn the_statistics_of_a_table_are_those_that_its_run_counted() {
    let dir = TestDir::new();
    write_graded(&dir);
    let table_statistics = stats(&dir, &["graded.parquet"]);
    let run_statistics: Value = serde_json::from_slice(&dir.read("graded.json")).unwrap();
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
        assert_eq!(table_statistics[key], run_statistics[key], "{key}");
    }
    assert_eq!(table_statistics["rows"], 44);
    assert_eq!(table_statistics["status"]["multiple"], 1);
    assert_eq!(table_statistics["solution_given"]["wrong"], 1);
    assert_eq!(table_statistics["rejects"]["conflict"]["rows"], 1);
    assert_eq!(
        table_statistics["rejects"]["wrong_length"]["first"][0]["raw"],
        "short,,,"
    );
    assert_eq!(table_statistics["duplicates"]["repeating"], 2);
    assert_eq!(
        table_statistics["duplicates"]["examples"][0]["rows"],
        json!([40, 41, 42])
    );
    assert_eq!(
        table_statistics["duplicates"]["examples"][0]["puzzles"][2],
        PUZZLE
    );
    assert_eq!(table_statistics["isomorphs"]["most"], 3);
    assert_eq!(run_statistics["duplicates"], Value::Null);
    let difficulty_breakdown = |statistics: &Value| {
        let breakdowns = statistics["by"].as_array().unwrap().clone();
        breakdowns
            .into_iter()
            .find(|by| by["column"] == "difficulty")
            .unwrap()
    };
    assert_eq!(
        difficulty_breakdown(&table_statistics),
        difficulty_breakdown(&run_statistics)
    );
    assert_eq!(
        difficulty_breakdown(&table_statistics)["groups"][0]["value"],
        "easy"
    );
    let note_column = table_statistics["columns"]
        .as_array()
        .unwrap()
        .iter()
        .find(|column| column["name"] == "note");
    assert_eq!(
        (
            &note_column.unwrap()["distinct"],
            &note_column.unwrap()["nulls"]
        ),
        (&json!(43), &json!(1))
    );
}

/// Regression test: a table without the columns of `--with waves` does not show which
/// techniques were used. The statistics of the run do.
#[test]
fn statistics_of_a_table_without_waves_say_which_columns_are_missing() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n{PUZZLE}\n"));
    let grade_command = "grade in.txt -o graded.parquet";
    dir.succeed(&format!("{grade_command} --report run.json"));
    let table_statistics = stats(&dir, &["graded.parquet"]);
    assert_eq!(table_statistics["uses"], json!({}));
    let text = dir.succeed("stats graded.parquet");
    assert!(
        text.contains("--with waves") && !text.contains("used in"),
        "{text}"
    );
    dir.succeed("report graded.parquet -o page.html");
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert!(page.contains("<code>--with waves</code>"));
    let run_statistics: Value = serde_json::from_slice(&dir.read("run.json")).unwrap();
    assert_eq!(run_statistics["uses"]["naked_single"]["puzzles"], 2);
    let text = dir.succeed("stats --merge run.json");
    assert!(
        text.contains("used in") && !text.contains("--with waves"),
        "{text}"
    );
}

#[test]
fn the_selected_columns_do_not_change_the_statistics_of_a_run() {
    let dir = TestDir::new();
    write_graded(&dir);
    let statistics = |options: &str| -> Value {
        dir.succeed(&format!(
            "grade set.csv -o out.parquet --report out.json --overwrite {options}"
        ));
        let mut statistics: Value = serde_json::from_slice(&dir.read("out.json")).unwrap();
        statistics["provenance"] = Value::Null;
        statistics
    };
    for condition in ["", "--where clues>25", "--where note<>'x'"] {
        let all_columns = statistics(condition);
        assert_eq!(all_columns["by"][0]["column"], "difficulty");
        for select in ["puzzle", "level,difficulty", "note,clues", "source"] {
            let selected = statistics(&format!("{condition} --select {select}"));
            assert_eq!(selected, all_columns, "{condition} {select}");
        }
    }
}

#[test]
fn the_statistics_of_shards_merge_to_those_of_the_whole() {
    let dir = TestDir::new();
    write_graded(&dir);
    let text = String::from_utf8(dir.read("set.csv")).unwrap();
    let (head, rows) = text.split_once('\n').unwrap();
    let lines: Vec<&str> = rows.lines().collect();
    for (name, part) in [("a", &lines[..20]), ("b", &lines[20..])] {
        dir.write(
            &format!("{name}.csv"),
            format!("{head}\n{}\n", part.join("\n")),
        );
        let (input, report) = (format!("{name}.csv"), format!("{name}.json"));
        let output = format!("{name}.parquet");
        dir.succeed(&format!("grade {input} -o {output} --report {report}"));
    }
    let merged = stats(&dir, &["--merge", "a.json", "b.json"]);
    let statistics_file: Value = serde_json::from_slice(&dir.read("graded.json")).unwrap();
    for key in [
        "rows",
        "technique",
        "uses",
        "effort",
        "cells",
        "technique_by_clues",
    ] {
        assert_eq!(merged[key], statistics_file[key], "{key}");
    }
    // The parts have different sources, so the breakdown by `source` is dropped.
    assert_eq!(merged["by"][0]["column"], "difficulty");
    assert_eq!(merged["by"][0], statistics_file["by"][0]);
    assert_eq!(merged["by"][1]["groups"].as_array().unwrap().len(), 2);
    assert_eq!(merged["inputs"][1]["name"], "b.csv");
    let merged_inputs = stats(&dir, &["a.parquet", "b.parquet"]);
    assert_eq!(merged_inputs["technique"], statistics_file["technique"]);
    assert_eq!(
        merged_inputs["duplicates"]["repeating"], 2,
        "tables are looked at together"
    );
    let message = dir.fail("stats --merge set.csv", 3);
    assert!(
        message.contains("set.csv: these are not statistics"),
        "{message}"
    );
}

#[test]
fn statistics_are_text_rows_of_data_and_markdown() {
    let dir = TestDir::new();
    write_graded(&dir);
    let text = dir.succeed("stats graded.parquet");
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
    let markdown = dir.succeed("stats graded.parquet --format markdown --by clues");
    assert!(markdown.contains("## By clues"), "{markdown}");
    assert!(markdown.contains("| level"), "{markdown}");
    dir.succeed("stats graded.parquet -o stats.parquet");
    let rows = dir.parquet("stats.parquet");
    let sheets = texts(&rows, "sheet");
    assert!(sheets.contains(&Some("technique_by_clues".to_owned())));
    let csv = dir.succeed("stats graded.parquet --format csv");
    assert_eq!(csv.lines().count(), rows.num_rows() + 1);
    assert!(csv.contains("overview,rows,value,44.0,"), "{csv}");
    dir.fail("stats graded.parquet -o stats.parquet", 4);
    dir.fail("stats graded.parquet -o graded.parquet --overwrite", 2);
}
