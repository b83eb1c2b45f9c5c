//! What people type first works, or is answered by the right words.

use crate::util::{PUZZLE, SOLUTION, TestDir, stderr};

#[test]
fn a_filter_in_a_pipe_needs_no_names() {
    let dir = TestDir::new();
    let named = {
        dir.write("in.txt", PUZZLE);
        dir.succeed("grade in.txt -o - --select puzzle,technique")
    };
    assert!(
        named.starts_with("puzzle,technique\n"),
        "standard output is CSV: {named}"
    );
    for command in ["grade", "grade -", "grade - -o -", "grade --output -"] {
        let output = dir.pipe(
            &format!("{command} --select puzzle,technique"),
            PUZZLE.as_bytes(),
        );
        assert_eq!(String::from_utf8_lossy(&output.stdout), named, "{command}");
        assert!(
            stderr(&output).contains("written to standard output"),
            "{command}"
        );
    }
    let output = dir.pipe("grade", b"");
    let message = stderr(&output);
    assert!(message.contains("standard input: it is empty"), "{message}");
    // What reads a file has to say where it writes.
    let message = dir.fail("grade in.txt", 2);
    assert!(message.contains("show the rows with -o -"), "{message}");
}

#[test]
fn swapped_columns_of_puzzles_and_solutions_are_named() {
    let dir = TestDir::new();
    let rows = |puzzle: &str, solution: &str| {
        format!("puzzle,solution\n{puzzle},{solution}\n{puzzle},{solution}\n")
    };
    dir.write("swapped.csv", rows(SOLUTION, PUZZLE));
    dir.write("right.csv", rows(PUZZLE, SOLUTION));
    dir.write("full.txt", format!("{SOLUTION}\n"));
    for (input, is_named) in [
        ("swapped.csv", true),
        ("right.csv", false),
        ("full.txt", false),
    ] {
        let output = dir.run(&format!("grade {input} -o -"));
        let log = stderr(&output);
        assert_eq!(
            log.contains("are the two columns swapped?"),
            is_named,
            "{log}"
        );
    }
}

#[test]
fn options_that_write_parts_make_the_output_a_folder() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for (option, folder) in [
        ("--partition-by level", "a"),
        ("--resume", "b"),
        ("--max-rows-per-file 5", "c"),
    ] {
        dir.succeed(&format!("grade in.txt -o {folder} {option}"));
        assert!(dir.exists(&format!("{folder}/_SUCCESS")), "{option}");
    }
    let message = dir.fail("grade in.txt -o d.parquet --partition-by level", 2);
    assert!(
        message.contains("end the name with /, as in d/"),
        "{message}"
    );
}

#[test]
fn options_have_the_forms_of_other_commands() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle,n\n{PUZZLE},7\n"));
    let rated = dir.succeed("grade in.csv -o - --with se,hodoku --select se,hodoku_score");
    for form in [
        "--se --hodoku",
        "--rating se,hodoku",
        "--rating=se --hodoku",
    ] {
        let rows = dir.succeed(&format!(
            "grade in.csv -o - {form} --select se,hodoku_score"
        ));
        assert_eq!(rows, rated, "{form}");
    }
    let explained = dir.succeed(&format!("explain {PUZZLE} --rating hodoku --brief"));
    for form in ["--with hodoku", "--hodoku"] {
        let text = dir.succeed(&format!("explain {PUZZLE} {form} --brief"));
        assert_eq!(text, explained, "{form}");
    }
    let typed = dir.succeed("convert in.csv -o - --format ndjson --infer-types all");
    assert!(typed.contains("\"n\":7"), "{typed}");
    let level = dir.succeed("generate 1 --seed 1 --level HARD -o -");
    assert!(level.contains(",hard,"), "{level}");
    let levels = dir.succeed("generate 4 --seed 1 --mix easy=1,Medium=3 -o -");
    assert_eq!(levels.matches(",medium,").count(), 3, "{levels}");
}

#[test]
fn a_row_of_a_file_is_explained() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("id,puzzle\na,{SOLUTION}\nb,short\nc,{PUZZLE}\n"),
    );
    dir.succeed("convert in.csv -o t.parquet --max-rejects 100%");
    let expected = dir.succeed(&format!("explain {PUZZLE} --brief"));
    for (file, row) in [("in.csv", 2), ("t.parquet", 1)] {
        assert_eq!(
            dir.succeed(&format!("explain {file} --row {row} --brief")),
            expected,
            "{file}"
        );
    }
    for (row, problem) in [
        (1, "row 1 of in.csv is no puzzle: 5 cells"),
        (9, "in.csv has 3 rows, which count from 0"),
    ] {
        let message = dir.fail(&format!("explain in.csv --row {row}"), 2);
        assert!(message.contains(problem), "{message}");
    }
}

#[test]
fn parts_are_balanced_by_several_columns() {
    let dir = TestDir::new();
    let puzzles = dir.succeed("generate 40 --seed 3 -o - --format lines");
    let rows = puzzles.lines().enumerate();
    let rows = rows.map(|(n, puzzle)| format!("{puzzle},{},{}\n", n % 2, n / 2 % 2));
    dir.write(
        "in.csv",
        format!("puzzle,x,y\n{}", rows.collect::<String>()),
    );
    dir.succeed("split in.csv -o parts/ --into a=50%,b=50% --stratify x,y --format csv");
    let part = String::from_utf8(dir.read("parts/a.csv")).unwrap();
    for stratum in [",0,0\n", ",0,1\n", ",1,0\n", ",1,1\n"] {
        // Each part's share of a stratum is exact to within a row or two.
        let rows = part.matches(stratum).count();
        assert!((4..=6).contains(&rows), "{stratum:?}\n{part}");
    }
    let message = dir.fail(
        "split in.csv -o other/ --into a=50%,b=50% --stratify x,z",
        2,
    );
    assert!(message.contains("no column z"), "{message}");
}

#[test]
fn names_of_other_tools_lead_to_those_of_this_one() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\n"));
    for (typed, answer) in [
        ("clean in.csv", "pipeline audit FILE"),
        ("count in.csv", "pipeline stats"),
        ("head in.csv", "pipeline inspect"),
        ("sample in.csv", "--sample 0.01"),
        ("filter in.csv", "--where CONDITION"),
        ("evaluate in.csv in.csv --on id", "--key id"),
        ("convert in.csv -o o.csv --empty 0", "--blank 0"),
        ("convert in.csv -o o.csv --sort puzzle", "sort the table"),
        ("convert in.csv -o o.csv --dry-run", "pipeline inspect FILE"),
    ] {
        let message = dir.fail(typed, 2);
        assert!(
            message.contains("tip: ") && message.contains(answer),
            "{typed}: {message}"
        );
    }
}

#[test]
fn what_would_be_lost_silently_is_said() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n{PUZZLE}\n"));
    let wrong = SOLUTION.replacen("53", "35", 1);
    let twins = format!("puzzle,solution\n{PUZZLE},{wrong}\n{PUZZLE},{SOLUTION}\n");
    dir.write("twins.csv", twins);
    dir.succeed("grade in.txt -o graded.csv");
    let late: String = (0..20_000)
        .map(|_| format!("{{\"puzzle\":\"{PUZZLE}\"}}\n"))
        .collect();
    dir.write(
        "late.ndjson",
        format!("{late}{{\"puzzle\":\"{PUZZLE}\",\"note\":1}}\n"),
    );
    for (arguments, words) in [
        (
            "dedup twins.csv -o kept.csv",
            "1 given solution is wrong: validate lists wrong solutions",
        ),
        (
            "explain in.txt --brief",
            "row 0 of in.txt: --row N explains another",
        ),
        ("convert late.ndjson -o late.csv", "the key \"note\""),
    ] {
        let message = stderr(&dir.run(arguments));
        assert!(message.contains(words), "{arguments}: {message}");
    }
    let condition = ["--where", "level='Hard'"];
    let message = stderr(&dir.run(("convert graded.csv -o hard.csv", &condition)));
    assert!(
        message.contains("in tables of this program the value is 'hard'"),
        "{message}"
    );
    for (arguments, words) in [
        (
            "generate 5 --mix easy=0.5,hard=0.7",
            "the shares add up to 1.2",
        ),
        (
            "generate 5 --mix easy=50%,hard=60%",
            "the shares add up to 110 %",
        ),
        ("grade in.txt -o a.csv --metrics -", "from a file"),
        (
            "convert in.txt -o b/ --partition-by level",
            "grade writes it",
        ),
        (
            "split in.txt -o s/ --into a=0.5,b=rest --stratify level",
            "grade writes it",
        ),
        (
            "explain hello",
            "is no puzzle, and there is no file of this name",
        ),
        ("explain .", "is a folder"),
    ] {
        let message = dir.fail(arguments, 2);
        assert!(message.contains(words), "{arguments}: {message}");
    }
}

#[test]
fn explain_finds_the_puzzle_of_a_table_in_a_pipe() {
    let dir = TestDir::new();
    let expected = dir.succeed(&format!("explain {PUZZLE} --brief"));
    for text in [
        format!("id,puzzle\n7,{PUZZLE}\n8,{PUZZLE}\n"),
        format!("{{\"id\":7,\"puzzle\":\"{PUZZLE}\"}}\n"),
        format!("{PUZZLE}\n{PUZZLE}\n{PUZZLE}\n"),
    ] {
        let output = dir.pipe("explain - --brief", text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{text}");
    }
}
