//! Tests the statistics of empty tables, of tables of other programs, and of inputs with different columns.

use serde_json::json;

use super::{HARD_PUZZLE, stats, write_graded};
use crate::util::{PUZZLE, SOLUTION, TestDir};

/// Runs every command for statistics on a table, and asserts that none panics. Returns what `stats` and
/// `report` print.
fn run_all_commands(dir: &TestDir, table: &str) -> (String, String) {
    let text = dir.succeed(&format!("stats {table}"));
    stats(dir, &[table]);
    dir.succeed(&format!("stats {table} --format markdown"));
    dir.succeed(&format!("stats {table} --format csv"));
    dir.succeed(&format!(
        "report {table} -o page.html --card card.md --overwrite"
    ));
    (text, String::from_utf8(dir.read("page.html")).unwrap())
}

#[test]
fn empty_and_tiny_tables_are_described_too() {
    let dir = TestDir::new();
    dir.write("none.csv", "puzzle\n");
    dir.succeed("grade none.csv -o none.parquet --allow-empty");
    let (text, page) = run_all_commands(&dir, "none.parquet");
    assert!(text.contains("There are no rows."), "{text}");
    assert!(page.contains("There are no rows."), "{page}");

    dir.write("bad.txt", "short\nshorter\n");
    dir.succeed("grade bad.txt -o bad.parquet --allow-empty");
    let (text, page) = run_all_commands(&dir, "bad.rejects.parquet");
    assert!(text.contains("wrong_length"), "{text}");
    assert!(page.contains("There are no rows, and 2 rejects."), "{page}");

    dir.write("one.txt", PUZZLE);
    dir.succeed("grade one.txt -o one.parquet");
    let (text, page) = run_all_commands(&dir, "one.parquet");
    assert!(
        text.contains("hidden_single") || text.contains("naked_single"),
        "{text}"
    );
    assert!(
        page.contains("1 puzzles with 30 clues") || page.contains("1 puzzle"),
        "{page}"
    );

    dir.write(
        "nulls.csv",
        format!("puzzle,difficulty,n\n{PUZZLE},,\n{HARD_PUZZLE},,\n"),
    );
    dir.succeed("grade nulls.csv -o nulls.parquet");
    let (text, _) = run_all_commands(&dir, "nulls.parquet");
    assert!(text.contains("difficulty"), "{text}");
}

#[test]
fn tables_of_other_programs_are_described_by_their_columns() {
    let dir = TestDir::new();
    dir.write(
        "people.csv",
        "name,age,city\nAda,36,London\nAlan,41,\nGrace,85,New York\n",
    );
    let (text, page) = run_all_commands(&dir, "people.csv");
    assert!(text.contains("These tables have no grades"), "{text}");
    assert!(page.contains("3 rows."), "{page}");
    let age_statistics = &stats(&dir, &["people.csv"])["columns"][1];
    assert_eq!(
        (
            &age_statistics["min"],
            &age_statistics["median"],
            &age_statistics["max"],
            &age_statistics["mean"]
        ),
        (&json!(36), &json!(41), &json!(85), &json!(54.0))
    );
    // 81 digits are too many for a number, so the column is text.
    let kaggle_text = format!(
        "quizzes,solutions\n{},{SOLUTION}\n",
        PUZZLE.replace('.', "0")
    );
    dir.write("kaggle.csv", kaggle_text);
    let statistics = stats(&dir, &["kaggle.csv"]);
    assert_eq!(
        (&statistics["clues"]["min"], &statistics["cells"]["puzzles"]),
        (&json!(30), &json!(1))
    );
    dir.write(
        "items.ndjson",
        "{\"a\": 1, \"b\": [1, 2]}\n{\"a\": null, \"b\": []}\n",
    );
    run_all_commands(&dir, "items.ndjson");
    dir.write("clash.csv", "status,clues,level\n1,many,2.5\n2,few,\n");
    run_all_commands(&dir, "clash.csv");
    // `stats` also reads all formats of puzzles that `convert` reads.
    dir.write("lines.txt", format!("{PUZZLE}\n"));
    assert_eq!(stats(&dir, &["lines.txt"])["clues"]["min"], 30);
    dir.write("array.json", "[{\"a\": 1}]");
    assert_eq!(stats(&dir, &["array.json"])["columns"][0]["max"], 1);
    dir.write("empty.csv", "");
    let message = dir.fail("stats empty.csv", 3);
    assert!(
        message.contains("it is empty") && message.contains("--allow-empty"),
        "{message}"
    );
    assert_eq!(stats(&dir, &["empty.csv", "--allow-empty"])["rows"], 0);
    dir.write("cut.parquet", "PAR1 and no more");
    let message = dir.fail("stats cut.parquet", 3);
    assert!(
        message.contains("cut.parquet: at byte 16: the Parquet file is damaged"),
        "{message}"
    );
    dir.write("words.txt", "?!\n!?\n");
    let message = dir.fail("stats words.txt", 3);
    assert!(
        message.contains("none of its 2 records is a puzzle"),
        "{message}"
    );
    let message = dir.fail("stats nowhere.parquet", 2);
    assert!(message.contains("nowhere.parquet"), "{message}");
    let message = dir.fail("stats people.csv --by shoes", 3);
    assert!(
        message.contains("no column shoes; its columns are name, age, city"),
        "{message}"
    );
}

#[test]
fn tables_with_other_columns_are_counted_together() {
    let dir = TestDir::new();
    dir.write("a.csv", "x,y\n1,one\n2,two\n");
    dir.write("b.csv", "y,z\nthree,2.5\n");
    let statistics = stats(&dir, &["a.csv", "b.csv"]);
    assert_eq!(statistics["rows"], 3);
    let nulls: Vec<_> = statistics["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| &column["nulls"])
        .collect();
    assert_eq!(nulls, [1, 0, 2]);
    dir.write("c.csv", "x\nword\n");
    let statistics = stats(&dir, &["a.csv", "c.csv"]);
    assert_eq!(
        (
            &statistics["columns"][0]["type"],
            &statistics["columns"][0]["max"]
        ),
        (&json!("string"), &json!("word"))
    );
    let stdout = dir.succeed("stats a.csv --by y");
    assert!(stdout.contains("By y"), "{stdout}");
    let labels: String = (0..1002).map(|n| format!("{n}\n")).collect();
    dir.write("many.csv", format!("label\n{labels}"));
    let message = dir.fail("stats many.csv --by label", 2);
    assert!(
        message.contains("column label has more than 1000 different values"),
        "{message}"
    );
    dir.succeed("stats many.csv");
}

#[test]
fn folders_compressed_texts_and_streams_are_tables_too() {
    let dir = TestDir::new();
    write_graded(&dir);
    dir.succeed("grade set.csv -o levels/ --partition-by level");
    let file_statistics = stats(&dir, &["graded.parquet"]);
    let folder_statistics = stats(&dir, &["levels/"]);
    assert_eq!(folder_statistics["level"], file_statistics["level"]);
    assert_eq!(folder_statistics["rejects"]["conflict"]["rows"], 1);
    for name in ["g.csv.gz", "g.ndjson", "g.tsv.zst", "g.arrow", "g.arrows"] {
        dir.succeed(&format!("convert graded.parquet -o {name}"));
        let statistics = stats(&dir, &[name]);
        for key in ["status", "technique", "effort", "uses"] {
            assert_eq!(statistics[key], file_statistics[key], "{name}: {key}");
        }
        assert_eq!(statistics["duplicates"]["repeating"], 2, "{name}");
    }
}

#[test]
fn a_damaged_table_is_an_error_of_the_data() {
    let dir = TestDir::new();
    write_graded(&dir);
    let parquet_bytes = dir.read("graded.parquet");
    dir.write("cut.parquet", &parquet_bytes[..parquet_bytes.len() / 2]);
    let message = dir.fail("stats cut.parquet", 3);
    assert!(message.contains("cut.parquet: at byte"), "{message}");
    let mut bytes_with_hole = parquet_bytes;
    bytes_with_hole[2000..2400].fill(0);
    dir.write("hole.parquet", bytes_with_hole);
    let message = dir.fail("stats hole.parquet", 3);
    assert!(message.contains("hole.parquet: at byte"), "{message}");
    for (option, code) in [("--keep-going", 5), ("--max-damaged=100%", 0)] {
        let output = dir.run(("stats hole.parquet", option));
        assert_eq!(output.status.code(), Some(code), "{option}");
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(stdout.contains("There are no rows"), "{stdout}");
    }
}
