//! Empty tables, tables of other programs, and inputs that differ from each other.

use serde_json::json;

use super::{HARD, graded, stats};
use crate::util::{PUZZLE, Place, SOLUTION};

/// Runs every command on a table, and asserts that none panics. Returns the outputs.
fn all_commands(place: &Place, table: &str) -> (String, String) {
    let text = place.succeed(&format!("stats {table}"));
    stats(place, &[table]);
    place.succeed(&format!("stats {table} --format markdown"));
    place.succeed(&format!("stats {table} --format csv"));
    place.succeed(&format!(
        "report {table} -o page.html --card card.md --overwrite"
    ));
    (text, String::from_utf8(place.read("page.html")).unwrap())
}

#[test]
fn tables_with_nothing_or_little_in_them_are_described_too() {
    let place = Place::new();
    place.write("none.csv", "puzzle\n");
    place.succeed("grade none.csv -o none.parquet --allow-empty");
    let (text, page) = all_commands(&place, "none.parquet");
    assert!(text.contains("There are no rows."), "{text}");
    assert!(page.contains("There are no rows."), "{page}");

    place.write("bad.txt", "short\nshorter\n");
    place.succeed("grade bad.txt -o bad.parquet --allow-empty");
    let (text, page) = all_commands(&place, "bad.rejects.parquet");
    assert!(text.contains("wrong_length"), "{text}");
    assert!(page.contains("There are no rows, and 2 rejects."), "{page}");

    place.write("one.txt", PUZZLE);
    place.succeed("grade one.txt -o one.parquet");
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
    place.succeed("grade nulls.csv -o nulls.parquet");
    let (text, _) = all_commands(&place, "nulls.parquet");
    assert!(text.contains("difficulty"), "{text}");
}

#[test]
fn tables_of_other_programs_are_described_by_their_columns() {
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
    // 81 digits are too many for a number, so the column is text.
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
    // `stats` accepts every format that `convert` reads.
    place.write("lines.txt", format!("{PUZZLE}\n"));
    assert_eq!(stats(&place, &["lines.txt"])["clues"]["min"], 30);
    place.write("array.json", "[{\"a\": 1}]");
    assert_eq!(stats(&place, &["array.json"])["columns"][0]["max"], 1);
    place.write("empty.csv", "");
    let said = place.fail("stats empty.csv", 3);
    assert!(
        said.contains("it is empty") && said.contains("--allow-empty"),
        "{said}"
    );
    assert_eq!(stats(&place, &["empty.csv", "--allow-empty"])["rows"], 0);
    place.write("cut.parquet", "PAR1 and no more");
    let said = place.fail("stats cut.parquet", 3);
    assert!(
        said.contains("cut.parquet: at byte 16: the Parquet file is damaged"),
        "{said}"
    );
    place.write("words.txt", "?!\n!?\n");
    let said = place.fail("stats words.txt", 3);
    assert!(said.contains("none of its 2 records is a puzzle"), "{said}");
    let said = place.fail("stats nowhere.parquet", 2);
    assert!(said.contains("nowhere.parquet"), "{said}");
    let said = place.fail("stats people.csv --by shoes", 3);
    assert!(
        said.contains("no column shoes; its columns are name, age, city"),
        "{said}"
    );
}

#[test]
fn tables_with_other_columns_are_counted_together() {
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
    let of = stats(&place, &["a.csv", "c.csv"]);
    assert_eq!(
        (&of["columns"][0]["type"], &of["columns"][0]["max"]),
        (&json!("string"), &json!("word"))
    );
    let said = place.succeed("stats a.csv --by y");
    assert!(said.contains("By y"), "{said}");
    let labels: String = (0..1002).map(|n| format!("{n}\n")).collect();
    place.write("many.csv", format!("label\n{labels}"));
    let said = place.fail("stats many.csv --by label", 2);
    assert!(
        said.contains("column label has more than 1000 different values"),
        "{said}"
    );
    place.succeed("stats many.csv");
}

#[test]
fn folders_compressed_texts_and_streams_are_tables_too() {
    let place = Place::new();
    graded(&place);
    place.succeed("grade set.csv -o levels/ --partition-by level");
    let of_file = stats(&place, &["graded.parquet"]);
    let of_folder = stats(&place, &["levels/"]);
    assert_eq!(of_folder["level"], of_file["level"]);
    assert_eq!(of_folder["rejects"]["conflict"]["rows"], 1);
    for name in ["g.csv.gz", "g.ndjson", "g.tsv.zst", "g.arrow", "g.arrows"] {
        place.succeed(&format!("convert graded.parquet -o {name}"));
        let of = stats(&place, &[name]);
        for key in ["status", "technique", "effort", "uses"] {
            assert_eq!(of[key], of_file[key], "{name}: {key}");
        }
        assert_eq!(of["duplicates"]["repeating"], 2, "{name}");
    }
}

#[test]
fn a_damaged_table_is_an_error_of_the_data() {
    let place = Place::new();
    graded(&place);
    let whole = place.read("graded.parquet");
    place.write("cut.parquet", &whole[..whole.len() / 2]);
    let message = place.fail("stats cut.parquet", 3);
    assert!(message.contains("cut.parquet: at byte"), "{message}");
    let mut hole = whole;
    hole[2000..2400].fill(0);
    place.write("hole.parquet", hole);
    let message = place.fail("stats hole.parquet", 3);
    assert!(message.contains("hole.parquet: at byte"), "{message}");
    let said = place.succeed("stats hole.parquet --keep-going");
    assert!(said.contains("There are no rows"), "{said}");
}
