//! Given solutions that are not grids are kept, and columns whose names only look like solutions are
//! carried.

use crate::util::{PUZZLE, Place, SOLUTION, stderr};

/// Regression test: the column `solutions` of this program's tables, which is a count, was read as given
/// solutions and became null. The text of a column `answer` became null in the same way.
#[test]
fn a_column_of_counts_or_words_is_carried() {
    let place = Place::new();
    place.write("in.txt", format!("{PUZZLE}\n"));
    let select = "--select puzzle,solutions,technique";
    place.succeed(("grade in.txt -o a.csv", select));
    let text = |input: &str| place.succeed(&format!("convert {input} -o - --format csv"));
    assert_eq!(
        text("a.csv"),
        format!("puzzle,solutions,technique\n{PUZZLE},1,naked_single\n")
    );
    place.write(
        "b.csv",
        format!("puzzle,answer\n{PUZZLE},see page 7\n{PUZZLE},\n"),
    );
    assert_eq!(
        text("b.csv"),
        format!("puzzle,answer\n{PUZZLE},see page 7\n{PUZZLE},\n")
    );
    place.write(
        "c.ndjson",
        format!("{{\"prompt\":\"{PUZZLE}\",\"output\":\"none\"}}\n"),
    );
    assert_eq!(text("c.ndjson"), format!("prompt,output\n{PUZZLE},none\n"));
    place.write("d.csv", format!("input,output\n{PUZZLE},{SOLUTION}\n"));
    assert_eq!(
        text("d.csv"),
        format!("input,output\n{PUZZLE},{SOLUTION}\n")
    );
    // For a pipe, the text stays in the solution column.
    let read = "convert - -o - --format csv";
    let output = place.pipe(read, &place.read("b.csv"));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("see page 7"), "{said}");
    let said = place.succeed("inspect b.csv");
    assert!(said.contains("answer  carried through"), "{said}");
}

#[test]
fn a_solution_that_is_no_grid_stays() {
    let place = Place::new();
    let rows = [SOLUTION, "see page 7", "", &SOLUTION[1..]];
    let rows: String = rows.map(|row| format!("{PUZZLE},{row}\n")).concat();
    place.write("in.csv", format!("puzzle,solution\n{rows}"));
    let read = |command: &str, options: &[&str]| {
        let run = [command, "in.csv", "-o", "-", "--format", "csv"];
        place.succeed(&[&run[..], options].concat())
    };
    let null = format!("{PUZZLE},\n");
    assert_eq!(read("convert", &[]), format!("puzzle,solution\n{rows}"));
    assert!(read("convert", &[]).contains(&null));
    for command in ["solve", "grade"] {
        let kept = read(command, &["--select", "row,solution_given,input_solution"]);
        let expected = format!(
            "row,solution_given,input_solution\n0,correct,\n1,wrong,see page 7\n2,,\n3,wrong,{}\n",
            &SOLUTION[1..]
        );
        assert_eq!(kept, expected);
    }
    // If the first records do not show the problem, the log has advice.
    let many = format!("{PUZZLE},{SOLUTION}\n").repeat(3000);
    place.write(
        "late.csv",
        format!("puzzle,solution\n{many}{PUZZLE},no grid\n"),
    );
    let output = place.run("solve late.csv -o o.csv");
    let said = stderr(&output);
    assert!(
        said.contains("row 3000: the given solution is not a grid"),
        "{said}"
    );
    let with = [
        "solve",
        "late.csv",
        "-o",
        "-",
        "--format",
        "csv",
        "--with",
        "input_solution",
    ];
    let output = place.run(&with);
    assert!(!stderr(&output).contains("not a grid"));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains(",no grid")
    );
}
