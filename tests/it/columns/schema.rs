//! Tests `schema`, and the columns of the tables that the commands write.

use serde_json::Value;

use crate::util::{PUZZLE, SOLUTION, TestDir};

/// The names of the columns that `schema` prints for a table.
fn names(dir: &TestDir, table: &str) -> Vec<String> {
    let json = dir.succeed(&format!("schema {table} --format json"));
    let columns: Value = serde_json::from_str(&json).unwrap();
    let columns = columns.as_array().unwrap();
    let column_name = |column: &Value| column["name"].as_str().unwrap().to_owned();
    columns.iter().map(column_name).collect()
}

/// Regression test: `schema` only had the tables of five commands.
#[test]
fn schema_has_the_columns_of_every_command() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle,solution\n{PUZZLE},{SOLUTION}\nbad,\n"),
    );
    dir.write(
        "twice.csv",
        format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n").as_str(),
    );
    dir.write(
        "two.csv",
        format!("puzzle\n{}\n", SOLUTION.replace(['1', '2'], ".")),
    );
    let commands: [(&str, &[&str]); 12] = [
        ("convert", &["convert", "in.csv", "-o", "convert.parquet"]),
        (
            "stats",
            &["stats", "convert.parquet", "-o", "stats.parquet"],
        ),
        (
            "rejects",
            &[
                "convert",
                "in.csv",
                "-o",
                "x.csv",
                "--rejects",
                "rejects.parquet",
            ],
        ),
        (
            "validate",
            &["validate", "two.csv", "-o", "validate.parquet"],
        ),
        (
            "dedup",
            &[
                "dedup",
                "in.csv",
                "twice.csv",
                "-o",
                "dedup.parquet",
                "--duplicates",
                "duplicates.parquet",
            ],
        ),
        ("duplicates", &[]),
        (
            "overlap",
            &["overlap", "in.csv", "twice.csv", "-o", "overlap.parquet"],
        ),
        (
            "augment",
            &[
                "augment",
                "in.csv",
                "-o",
                "augment.parquet",
                "--copies",
                "2",
                "--seed",
                "1",
            ],
        ),
        ("trace", &["trace", "in.csv", "-o", "trace.parquet"]),
        (
            "compare",
            &[
                "compare",
                "in.csv",
                "-o",
                "compare.parquet",
                "--solvers",
                "lanes",
            ],
        ),
        (
            "generate",
            &["generate", "2", "--seed", "1", "-o", "generate.parquet"],
        ),
        ("solve", &["solve", "in.csv", "-o", "solve.parquet"]),
    ];
    for (table, command) in commands {
        if !command.is_empty() {
            // `validate` fails, because one record is not valid.
            dir.run(command);
        }
        let written_schema = dir.parquet(&format!("{table}.parquet")).schema();
        let written_names: Vec<&String> = written_schema
            .fields()
            .iter()
            .map(|field| field.name())
            .collect();
        let listed_names = names(&dir, table);
        // Columns that are only written on request come after all others.
        let first_requested = match table {
            "solve" | "generate" => written_names.len(),
            _ => listed_names.len(),
        };
        assert!(
            listed_names[..first_requested]
                .iter()
                .eq(written_names.iter().copied()),
            "{table}: {listed_names:?} {written_names:?}"
        );
    }
    let rated_arguments = ["generate", "1", "--se", "..2.0", "-o", "rated.parquet"];
    dir.succeed(&rated_arguments);
    let rated_names = dir.parquet("rated.parquet").schema();
    let rated_names = rated_names
        .fields()
        .iter()
        .map(|field| field.name().clone());
    let mut generated_names = names(&dir, "generate");
    let origin_names = generated_names.split_off(generated_names.len() - 4);
    assert_eq!(
        origin_names,
        ["grid_row", "pattern_line", "near", "near_row"]
    );
    generated_names.retain(|name| !name.starts_with("hodoku"));
    assert!(generated_names.into_iter().eq(rated_names));
    dir.succeed("trace in.csv -o chat.ndjson --format chat");
    let chat_row: Value = serde_json::from_slice(&dir.read("chat.ndjson")).unwrap();
    let key_names: Vec<&String> = chat_row.as_object().unwrap().keys().collect();
    assert!(names(&dir, "chat").iter().eq(key_names));
    // Two tables can still be named by the names that they had in earlier versions.
    assert_eq!(names(&dir, "failures"), names(&dir, "validate"));
    assert_eq!(names(&dir, "runs"), names(&dir, "compare"));
}

/// Regression test: `schema` printed Markdown, even on a terminal.
#[test]
fn schema_prints_a_table_and_markdown_on_request() {
    let dir = TestDir::new();
    let text = dir.succeed("schema");
    assert!(!text.contains('|'), "{text}");
    assert!(text.starts_with("column "), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100));
    let trace = dir.succeed("schema trace");
    assert!(trace.contains("\nsteps[].technique "), "{trace}");
    let markdown = dir.succeed("schema solve --format markdown");
    assert!(
        markdown.starts_with("| column | type | null | meaning |\n|---|"),
        "{markdown}"
    );
    assert!(
        markdown.contains("| `solutions_exact` | Boolean | no |"),
        "{markdown}"
    );
}

/// Regression test: a graded table had 58 columns, too many for people to read.
#[test]
fn a_graded_table_has_16_columns_and_the_waves_only_on_request() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\n"));
    let header_with = |with: &[&str]| {
        let grade_arguments = ["grade", "in.csv", "-o", "-", "--format", "csv"];
        let text = dir.succeed(&[&grade_arguments, with].concat());
        let header = text.lines().next().unwrap().to_owned();
        header
            .split(',')
            .map(str::to_owned)
            .collect::<Vec<String>>()
    };
    let default_header = header_with(&[]);
    assert_eq!(default_header.len(), 16, "{default_header:?}");
    let with_waves = header_with(&["--with", "waves"]);
    let waves = with_waves.iter().filter(|name| name.starts_with("waves_"));
    assert_eq!(waves.count(), with_waves.len() - 16);
    let wanted_options = ["--where", "waves_naked_single > 0", "--select", "puzzle"];
    let message = dir.fail(("grade in.csv -o x.csv", &wanted_options), 2);
    assert!(
        message.contains("no column waves_naked_single"),
        "{message}"
    );
    let selected_header = header_with(&["--with", "waves", "--where", "waves_naked_single > 0"]);
    assert_eq!(selected_header, with_waves);
    // `solve` does not grade, so it has no waves. A wave is all steps that one technique finds on a board.
    dir.fail("solve in.csv -o x.csv --with waves", 2);
}
