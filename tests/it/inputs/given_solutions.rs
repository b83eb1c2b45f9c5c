//! Tests that given solutions are kept even if they are not grids, and that a column that only has the name of a
//! solution column is carried.

use crate::util::{PUZZLE, SOLUTION, TestDir, stderr};

/// Regression test: the column `solutions` of this program's tables, which is a count, was read as given
/// solutions and became null. The text of a column `answer` became null in the same way.
#[test]
fn a_column_of_counts_or_words_is_carried() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n"));
    let select_columns = "--select puzzle,solutions,technique";
    dir.succeed(("grade in.txt -o a.csv", select_columns));
    let converted_text = |input: &str| dir.succeed(&format!("convert {input} -o - --format csv"));
    assert_eq!(
        converted_text("a.csv"),
        format!("puzzle,solutions,technique\n{PUZZLE},1,naked_single\n")
    );
    dir.write(
        "b.csv",
        format!("puzzle,answer\n{PUZZLE},see page 7\n{PUZZLE},\n"),
    );
    assert_eq!(
        converted_text("b.csv"),
        format!("puzzle,answer\n{PUZZLE},see page 7\n{PUZZLE},\n")
    );
    dir.write(
        "c.ndjson",
        format!("{{\"prompt\":\"{PUZZLE}\",\"output\":\"none\"}}\n"),
    );
    assert_eq!(
        converted_text("c.ndjson"),
        format!("prompt,output\n{PUZZLE},none\n")
    );
    dir.write("d.csv", format!("input,output\n{PUZZLE},{SOLUTION}\n"));
    assert_eq!(
        converted_text("d.csv"),
        format!("input,output\n{PUZZLE},{SOLUTION}\n")
    );
    // If the input is a pipe, its values cannot be inspected first, so the text stays in the solution column.
    let arguments = "convert - -o - --format csv";
    let output = dir.pipe(arguments, &dir.read("b.csv"));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("see page 7"), "{stdout}");
    let stdout = dir.succeed("inspect b.csv");
    assert!(stdout.contains("answer  carried through"), "{stdout}");
}

#[test]
fn a_solution_that_is_not_a_grid_is_kept_as_text() {
    let dir = TestDir::new();
    let rows = [SOLUTION, "see page 7", "", &SOLUTION[1..]];
    let rows: String = rows.map(|row| format!("{PUZZLE},{row}\n")).concat();
    dir.write("in.csv", format!("puzzle,solution\n{rows}"));
    let run_command = |command: &str, options: &[&str]| {
        let arguments = [command, "in.csv", "-o", "-", "--format", "csv"];
        dir.succeed(&[&arguments[..], options].concat())
    };
    let row_without_solution = format!("{PUZZLE},\n");
    assert_eq!(
        run_command("convert", &[]),
        format!("puzzle,solution\n{rows}")
    );
    assert!(run_command("convert", &[]).contains(&row_without_solution));
    for command in ["solve", "grade"] {
        let kept_rows = run_command(command, &["--select", "row,solution_given,input_solution"]);
        let expected = format!(
            "row,solution_given,input_solution\n0,correct,\n1,wrong,see page 7\n2,,\n3,wrong,{}\n",
            &SOLUTION[1..]
        );
        assert_eq!(kept_rows, expected);
    }
    // The columns do not depend on where such a value is, or whether there is one.
    let many_rows = format!("{PUZZLE},{SOLUTION}\n").repeat(3000);
    for (name, last_row) in [
        ("late.csv", format!("{PUZZLE},no grid\n")),
        ("never.csv", format!("{PUZZLE},{SOLUTION}\n")),
    ] {
        dir.write(name, format!("puzzle,solution\n{many_rows}{last_row}"));
        let table = dir.succeed(&["solve", name, "-o", "-", "--format", "csv"]);
        assert!(
            table.lines().next().unwrap().ends_with(",input_solution"),
            "{table}"
        );
        assert_eq!(table.contains(",no grid"), name == "late.csv");
    }
    let output = dir.run("solve late.csv -o o.csv");
    assert!(!stderr(&output).contains("not a grid"));
    // Without a column of solutions there is no such column.
    dir.write("none.csv", format!("puzzle\n{PUZZLE}\n"));
    let table = dir.succeed("solve none.csv -o - --format csv");
    assert!(!table.contains("input_solution"), "{table}");
}

/// Regression test: one mistyped solution in a new file gave the folder a new column, so that the whole history was
/// processed again.
#[test]
fn a_solution_that_is_not_a_grid_does_not_change_a_folder() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    dir.write(
        "in/a.csv",
        format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n"),
    );
    dir.succeed("grade in -o out/ --resume");
    dir.write("in/b.csv", format!("puzzle,solution\n{PUZZLE},12\n"));
    let summary = dir.summary("grade in -o out/ --resume");
    assert_eq!(summary["inputs_kept"], 1);
    let rows = dir.succeed("convert out -o - --format csv --select input_solution");
    assert_eq!(rows, "input_solution\n\"\"\n12\n");
}

/// Columns that get another name, since this program has one of their name, are named in the log.
#[test]
fn columns_with_another_name_in_the_output_are_logged() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle,source,Level,id\n{PUZZLE},x,1,2\n"),
    );
    let log = |arguments: &str| stderr(&dir.run((arguments, &["--overwrite"][..])));
    let message = log("grade in.csv -o o.csv");
    assert!(
        message.contains("source is input_source, Level is input_Level; --rename"),
        "{message}"
    );
    // A name that the user has chosen, or a column that is not written, needs no word.
    for arguments in [
        "grade in.csv -o o.csv --rename input_source=origin,input_Level=label",
        "grade in.csv -o o.csv --select puzzle,id",
        "convert in.csv -o o.csv",
    ] {
        let message = log(arguments);
        assert!(!message.contains("another name"), "{message}");
    }
}
