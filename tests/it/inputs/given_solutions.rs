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
    // If the given solutions in the first records are all grids, the log has advice when another value follows.
    let many_rows = format!("{PUZZLE},{SOLUTION}\n").repeat(3000);
    dir.write(
        "late.csv",
        format!("puzzle,solution\n{many_rows}{PUZZLE},no grid\n"),
    );
    let output = dir.run("solve late.csv -o o.csv");
    let message = stderr(&output);
    assert!(
        message.contains("row 3000: the given solution is not a grid"),
        "{message}"
    );
    let solve_arguments = [
        "solve",
        "late.csv",
        "-o",
        "-",
        "--format",
        "csv",
        "--with",
        "input_solution",
    ];
    let output = dir.run(&solve_arguments);
    assert!(!stderr(&output).contains("not a grid"));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains(",no grid")
    );
}
