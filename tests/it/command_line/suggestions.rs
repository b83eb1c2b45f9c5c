//! Tests the suggestions in messages about misspelt names, and about file names that are given in place of
//! other values.

use crate::util::{PUZZLE, TestDir};

fn dir_with_inputs() -> TestDir {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle,rating,level\n{PUZZLE},1,first\n"));
    dir
}

fn grade_with_condition(dir: &TestDir, condition: &str) -> String {
    let options = [
        "-o", "-", "--format", "csv", "--select", "level", "--where", condition,
    ];
    dir.succeed(("grade in.csv --with se", &options))
}

/// Regression test: the condition `technique = 'x_wng'` silently kept no row.
#[test]
fn a_value_that_a_column_never_has_is_refused_with_similar_values() {
    let dir = dir_with_inputs();
    for (condition, words) in [
        (
            "technique = 'x_wng'",
            &[
                "--where, column 13",
                "technique is never 'x_wng'; did you mean x_wing",
            ][..],
        ),
        (
            "'x_wng' <> technique",
            &["--where, column 1:", "did you mean x_wing"],
        ),
        (
            "level in ('easy', 'hrad')",
            &["column 19", "level is never 'hrad'", "did you mean hard?"],
        ),
        (
            "level = 'Easy'",
            &[
                "did you mean easy?",
                "it can be easy, medium, hard, unfair, extreme",
            ],
        ),
        ("status is distinct from 'uniqe'", &["did you mean unique?"]),
        (
            "solution_given = 'right'",
            &["correct, wrong, not_the_only_one"],
        ),
        ("se_status <> 'gaveup'", &["did you mean gave_up?"]),
        // Texts are compared alphabetically: `level >= 'hard'` would have included `medium`, and excluded `extreme`.
        (
            "level >= 'hard'",
            &[
                "column 1",
                "compare rank, or write level in ('easy', 'medium')",
            ],
        ),
        (
            "technique between 'naked_single' and 'x_wing'",
            &["technique is text"],
        ),
        (
            "levl = 'easy'",
            &["there is no column levl", "did you mean level"],
        ),
    ] {
        let arguments = [
            "grade", "in.csv", "-o", "x.csv", "--with", "se", "--where", condition,
        ];
        let message = dir.fail(&arguments, 2);
        for word in words {
            assert!(message.contains(word), "{condition}: {word}: {message}");
        }
        assert!(!dir.exists("x.csv"));
    }
    for kept in [
        "level = 'easy' and technique not in ('x_wing', 'beyond', 'search', 'bug_plus_1')",
        "lower(level) = 'easy' or level = lower('HARD')",
        "level like 'e%'",
        "input_level = 'first' and source <> 'nobody'",
    ] {
        assert_eq!(grade_with_condition(&dir, kept), "level\neasy\n", "{kept}");
    }
}

#[test]
fn similar_names_are_suggested() {
    let dir = dir_with_inputs();
    for (arguments, words) in [
        (
            &["grade", "in.csv", "-o", "x.csv", "--select", "levl"][..],
            "did you mean level",
        ),
        (
            &["grade", "in.csv", "-o", "x.csv", "--rename", "puzle=p"],
            "did you mean puzzle",
        ),
        (
            &["grade", "in.csv", "-o", "x/", "--partition-by", "lvel"],
            "did you mean level",
        ),
        (
            &["convert", "in.csv", "-o", "x.csv", "--keep", "ratng"],
            "did you mean rating?",
        ),
        (
            &[
                "grade",
                "in.csv",
                "-o",
                "x.csv",
                "--ladder",
                "naked_single,x_wng",
            ],
            "did you mean x_wing",
        ),
        (&["generate", "1", "--technique", "x_wng"], "x_wing"),
        (
            &["grade", "in.csv", "-o", "x.csv", "--overwrit"],
            "--overwrite",
        ),
        (&["grad", "in.csv"], "grade"),
        (&["man", "grad"], "did you mean grade?"),
    ] {
        let output = dir.run(arguments);
        let message = crate::util::stderr(&output);
        assert!(
            matches!(output.status.code(), Some(2 | 3)),
            "{arguments:?}: {message}"
        );
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
}

/// Regression test: the name of a file was read as a 4 × 4 puzzle.
#[test]
fn explain_says_what_it_explains() {
    let dir = dir_with_inputs();
    for name in ["nothing.csv", "puzzles1234.txt", "data/none"] {
        let message = dir.fail(&format!("explain {name}"), 2);
        assert!(
            message.contains("is no puzzle, and there is no file of this name"),
            "{message}"
        );
    }
    let message = dir.fail("explain X-Wing", 2);
    assert!(
        message.contains("pipeline explain --technique x_wing"),
        "{message}"
    );
    let page = dir.succeed("explain --technique X-Wing");
    assert_eq!(page, dir.succeed("explain --technique x_wing"));
    // Regression test: the name of a column with 24 letters was printed without a space before its value,
    // as in `waves_hidden_single_line4`.
    let stdout = dir.succeed("explain .32....4.....2.. --brief");
    assert!(!stdout.contains("waves_hidden_single_line1"), "{stdout}");
    let columns: Vec<_> = stdout
        .lines()
        .filter(|line| line.starts_with("  waves_"))
        .collect();
    assert!(
        columns
            .iter()
            .all(|line| line.split_whitespace().count() == 2),
        "{columns:?}"
    );
}

/// Regression test: `report -o x.pdf` and `x.png` wrote HTML, and `explain -o e.html` wrote text.
#[test]
fn an_extension_is_honoured_or_refused() {
    let dir = dir_with_inputs();
    dir.succeed(&format!("explain {PUZZLE} -o e.html"));
    assert!(dir.read("e.html").starts_with(b"<!DOCTYPE html>"));
    dir.succeed(&format!("explain {PUZZLE} -o e.json"));
    assert!(dir.read("e.json").starts_with(b"{"));
    dir.succeed(&format!("explain {PUZZLE} -o e.txt"));
    dir.succeed("grade in.csv -o g.parquet --report s.json");
    dir.succeed("report s.json -o r.html --card c.md");
    for arguments in [
        &["explain", PUZZLE, "-o", "e.pdf"][..],
        &["report", "s.json", "-o", "r.pdf"],
        &["report", "s.json", "--card", "c.html"],
        &["stats", "--merge", "s.json", "-o", "s.xlsx"],
        &["grade", "in.csv", "-o", "g.xlsx"],
        &["grade", "in.csv", "-o", "h.csv", "--report", "r.pdf"],
    ] {
        let message = dir.fail(arguments, 2);
        assert!(
            message.contains(".html") || message.contains(".md") || message.contains(".parquet"),
            "{arguments:?}: {message}"
        );
    }
}

/// Regression test: `stats` of a text without a table described a single column, with exit code 0.
#[test]
fn a_text_without_a_table_has_no_statistics() {
    let dir = dir_with_inputs();
    dir.write("words.txt", "hello\nworld\n");
    let message = dir.fail("stats words.txt", 3);
    assert!(message.contains("holds no table"), "{message}");
    dir.write("words.csv", "hello\nworld\n");
    dir.succeed("stats words.csv");
}

/// Regression test: prose with commas was read as a table, with the words of its first line as
/// columns.
#[test]
fn prose_with_commas_has_no_statistics() {
    let dir = dir_with_inputs();
    let prose = "It was late, and nobody spoke.\nThen, at last, the door opened.\nThey all rose.\n";
    dir.write("prose.txt", prose);
    dir.write("prose.csv", prose);
    for name in ["prose.txt", "prose.csv"] {
        let message = dir.fail(&format!("stats {name}"), 3);
        assert!(message.contains(name), "{message}");
    }
    let piped = dir.pipe("stats -", prose.as_bytes());
    assert_eq!(piped.status.code(), Some(3), "{piped:?}");
    // A table whose fields contain sentences is still a table.
    let table = "id,text\n1,\"It was late, and nobody spoke.\"\n2,\"Yes, no, and perhaps.\"\n";
    dir.write("table.txt", table);
    dir.succeed("stats table.txt");
    let piped = dir.pipe("stats -", table.as_bytes());
    assert_eq!(piped.status.code(), Some(0), "{piped:?}");
    let piped = dir.pipe("stats -", b"clues\n17\n18\n");
    assert_eq!(piped.status.code(), Some(0), "{piped:?}");
}

/// Tests options of other tools, which their users may try first. The message names the corresponding option of
/// this program.
#[test]
fn an_option_of_another_tool_is_answered_with_the_corresponding_option() {
    let dir = dir_with_inputs();
    for (arguments, words) in [
        (
            &["grade", "in.csv", "-o", "x.csv", "--level", "hard"][..],
            "--where \"level = 'hard'\"",
        ),
        (&["generate", "5", "--difficulty", "hard"], "--level hard"),
        (&["generate", "-n", "5"], "pipeline generate 100"),
        (
            &["generate", "5", "--clues", "28..32"],
            "must be a whole number from 1 to 625\n",
        ),
        (
            &["grade", "in.csv", "-o", "x.csv", "--limit", "20..40"],
            "--limit takes one whole number\n",
        ),
        (
            &["split", "in.csv", "-o", "x/", "--train", "0.9"],
            "--into train=0.9,test=0.1",
        ),
        (
            &["grade", "in.csv", "-o", "x.csv", "--columns", "level"],
            "--select",
        ),
        (&["solve", "in.csv"], "show the rows with -o -\n"),
        (&["convert", "in.csv", "out.csv"], "write -o out.csv"),
        (&["grade", "in.csv", "--treads", "2"], "--threads"),
    ] {
        let message = dir.fail(arguments, 2);
        assert!(
            message.contains(words) && !message.contains("as a value, use"),
            "{arguments:?}: {message}"
        );
    }
}
