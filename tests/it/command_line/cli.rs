//! Tests the main commands: `grade`, `solve`, `convert`, `validate` and `generate`, with their options and
//! summaries.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use arrow::array::AsArray;

use crate::util::{PUZZLE, SOLUTION, TestDir, flags, numbers, stderr, texts};

#[test]
fn grade_solves_and_grades_into_parquet() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("id,puzzle,solution\n7,{PUZZLE},{SOLUTION}\n"),
    );
    dir.succeed("grade in.csv -o out.parquet");
    let table = dir.parquet("out.parquet");
    let first_text = |column| texts(&table, column)[0].clone().unwrap();
    assert_eq!(first_text("source"), "in.csv");
    assert_eq!(first_text("id"), "7");
    assert_eq!(first_text("puzzle"), PUZZLE);
    assert_eq!(first_text("solution"), SOLUTION);
    assert_eq!(first_text("status"), "unique");
    assert_eq!(first_text("solution_given"), "correct");
    assert_eq!(first_text("technique"), "naked_single");
    assert_eq!(first_text("level"), "easy");
    assert_eq!(numbers(&table, "rank"), [Some(2)]);
    assert_eq!(numbers(&table, "clues"), [Some(30)]);
    assert_eq!(numbers(&table, "first_rank"), [None]);
    assert_eq!(
        dir.files(),
        ["in.csv", "out.parquet"],
        "no rejects, no table of them"
    );
}

#[test]
fn an_existing_output_is_refused_and_kept() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for name in ["out.parquet", "out.rejects.parquet"] {
        dir.write(name, "mine");
        let message = dir.fail("grade in.txt -o out.parquet", 4);
        assert!(message.contains("--overwrite"), "{message}");
        assert_eq!(dir.read(name), b"mine");
        assert_eq!(dir.files().len(), 2);
        std::fs::remove_file(dir.path(name)).unwrap();
    }
    dir.write("out.parquet", "mine");
    dir.write("bad.txt", format!("{PUZZLE}\nbad\n"));
    dir.succeed("grade bad.txt -o out.parquet --overwrite");
    assert!(dir.exists("out.rejects.parquet"));
    dir.succeed("grade in.txt -o out.parquet --overwrite");
    assert_eq!(dir.parquet("out.parquet").num_rows(), 1);
    assert!(
        !dir.exists("out.rejects.parquet"),
        "this run has no rejects"
    );
}

#[test]
fn an_output_is_never_the_input() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\n"));
    let message = dir.fail("grade in.csv -o ./in.csv --overwrite", 2);
    assert!(message.contains("is an input"), "{message}");
}

#[test]
fn standard_input_and_output_work_and_a_closed_pipe_is_no_failure() {
    let dir = TestDir::new();
    let lines = format!("{PUZZLE}\n").repeat(20_000);
    let arguments = "grade - -o - --format csv";
    let output = dir.pipe(arguments, lines.as_bytes());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(output.stdout.split(|byte| *byte == b'\n').count(), 20_002);

    dir.write("in.txt", lines);
    let mut child = dir
        .command("grade in.txt -o - --format csv")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut header = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut header)
        .unwrap();
    assert!(header.starts_with("source,row,"), "{header}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
fn convert_normalises_and_is_idempotent() {
    let dir = TestDir::new();
    let zeros = PUZZLE.replace('.', "0");
    dir.write(
        "in.csv",
        format!("quizzes,solutions,rating\n{zeros},{SOLUTION},1.5\n"),
    );
    dir.succeed("convert in.csv -o once.csv");
    let one_row = format!("quizzes,solutions,rating\n{PUZZLE},{SOLUTION},1.5\n");
    assert_eq!(String::from_utf8(dir.read("once.csv")).unwrap(), one_row);
    dir.succeed("convert once.csv -o pq.parquet");
    dir.succeed("convert pq.parquet -o twice.csv");
    assert_eq!(dir.read("twice.csv"), one_row.as_bytes());
    for (name, text) in [("z.txt.gz", "gzip"), ("z.txt.zst", "zstd")] {
        dir.succeed(&format!("convert in.csv -o {name} --keep none"));
        let summary = dir.summary(&format!("validate {name}"));
        assert_eq!(summary["inputs"][0]["compression"], text);
        assert_eq!(summary["rows_out"], 1);
    }
}

#[test]
fn solve_counts_solutions_up_to_the_limit() {
    let dir = TestDir::new();
    // First a puzzle with two solutions, because two digits can be exchanged in two rows. Then a puzzle without
    // a solution.
    let two_solutions = SOLUTION.replace(['1', '2'], ".");
    let no_solution = format!("11{}", ".".repeat(79));
    let no_solution =
        no_solution
            .replacen("11", "12", 1)
            .replacen("12.......", "12345678.........9", 1);
    dir.write(
        "in.txt",
        format!(
            "{PUZZLE}\n{two_solutions}\n{}\n{}\n",
            &no_solution[..81],
            ".".repeat(81)
        ),
    );
    dir.succeed("solve in.txt -o out.parquet --solution-limit 5");
    let table = dir.parquet("out.parquet");
    let statuses: Vec<_> = texts(&table, "status").into_iter().flatten().collect();
    assert_eq!(statuses, ["unique", "multiple", "none", "multiple"]);
    assert_eq!(
        numbers(&table, "solutions"),
        [Some(1), Some(2), Some(0), Some(5)]
    );
    // The empty grid has more than five solutions.
    assert_eq!(
        flags(&table, "solutions_exact"),
        [Some(true), Some(true), Some(true), Some(false)]
    );
    let solutions = texts(&table, "solution");
    assert_eq!(solutions[0].as_deref(), Some(SOLUTION));
    assert_eq!(solutions[2], None);
    let message = dir.fail("solve in.txt -o x.csv --solution-limit 1", 2);
    assert!(message.contains("--solution-limit"), "{message}");
}

#[test]
fn a_count_that_reached_a_limit_is_not_exact() {
    let dir = TestDir::new();
    let two_solutions = SOLUTION.replace(['1', '2'], ".");
    dir.write(
        "in.txt",
        format!("{PUZZLE}\n{two_solutions}\n{}\n", ".".repeat(81)),
    );
    let solution_counts = |options: &[&str]| {
        let arguments = ["solve", "in.txt", "-o", "out.parquet", "--overwrite"];
        dir.succeed(&[&arguments, options].concat());
        let table = dir.parquet("out.parquet");
        let counts = numbers(&table, "solutions");
        let is_exact = flags(&table, "solutions_exact");
        let pairs = counts.into_iter().zip(is_exact);
        pairs
            .map(|(count, exact)| (count.unwrap(), exact.unwrap()))
            .collect::<Vec<_>>()
    };
    // With the default limit, it is not known whether the second puzzle has more than two solutions.
    let default_counts = solution_counts(&[]);
    assert_eq!(default_counts, [(1, true), (2, false), (2, false)]);
    let limited_counts = solution_counts(&["--solution-limit", "1000000", "--node-limit", "1000"]);
    assert_eq!(limited_counts[..2], [(1, true), (2, true)]);
    let (count, exact) = limited_counts[2];
    assert!((2..1_000_000).contains(&count) && !exact, "{count} {exact}");
    // The limits also apply to puzzles of other sizes.
    dir.write("in.txt", format!("{}\n", ".".repeat(16)));
    assert_eq!(
        solution_counts(&["--solution-limit", "1000"]),
        [(288, true)]
    );
    assert_eq!(
        solution_counts(&["--solution-limit", "288"]),
        [(288, false)]
    );
}

#[test]
fn a_puzzle_that_meets_the_node_limit_is_given_up() {
    let dir = TestDir::new();
    dir.write("in.txt", ".".repeat(81));
    dir.succeed("grade in.txt -o out.parquet --node-limit 3");
    let table = dir.parquet("out.parquet");
    assert_eq!(texts(&table, "status"), [Some("gave_up".to_owned())]);
    assert_eq!(numbers(&table, "nodes"), [Some(3)]);
    assert_eq!(texts(&table, "technique"), [None]);
}

#[test]
fn validate_demands_puzzles_with_one_solution() {
    let dir = TestDir::new();
    dir.write(
        "good.csv",
        format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n"),
    );
    let summary = dir.summary("validate good.csv");
    assert_eq!(summary["solution_given"]["correct"], 1);
    let wrong_solution = SOLUTION.replacen("12", "21", 1);
    let empty_grid = ".".repeat(81);
    dir.write(
        "bad.csv",
        format!("puzzle,solution\n{PUZZLE},{wrong_solution}\n{empty_grid},\nx,\n"),
    );
    let message = dir.fail("validate bad.csv", 3);
    for problem in [
        "1 with several solutions",
        "1 with a wrong solution given",
        "1 wrong_length",
    ] {
        assert!(message.contains(problem), "{problem}: {message}");
    }
    assert!(message.contains("bad.csv, line 4, byte"), "{message}");
}

#[test]
fn generate_gives_the_same_bytes_for_the_same_seed() {
    let dir = TestDir::new();
    for (name, threads) in [("a.csv.gz", "1"), ("b.csv.gz", "3")] {
        dir.succeed(&format!(
            "generate 50 --seed 9 -o {name} --threads {threads}"
        ));
    }
    assert_eq!(dir.read("a.csv.gz"), dir.read("b.csv.gz"));
    let summary = dir.summary("validate a.csv.gz");
    assert_eq!(summary["status"]["unique"], 50);
    assert_eq!(summary["solution_given"]["correct"], 50);
    let pairs = dir.succeed("generate 3 --seed 1 --technique naked_pair -o - --format lines");
    let graded = dir.pipe("grade - -o - --format csv", pairs.as_bytes());
    let graded = String::from_utf8(graded.stdout).unwrap();
    assert_eq!(
        graded.matches(",naked_pair,7,medium,").count(),
        3,
        "{graded}"
    );
}

/// The lines that `generate` writes with these options.
fn generated_lines(dir: &TestDir, options: &str) -> Vec<String> {
    let options = format!("generate {options} -o - --format lines");
    let lines = dir.succeed(&options.split(' ').collect::<Vec<_>>());
    lines.lines().map(str::to_owned).collect()
}

/// Regression test: a hundred puzzles from each of a hundred seeds were only 4,951 different puzzles.
#[test]
fn generate_gives_other_puzzles_for_every_seed_and_index() {
    let dir = TestDir::new();
    let mut all_seeds = std::collections::HashSet::new();
    for seed in 0..10 {
        all_seeds.extend(generated_lines(&dir, &format!("10 --seed {seed}")));
    }
    assert_eq!(all_seeds.len(), 100);
}

#[test]
fn the_parts_of_a_job_array_are_together_the_whole_series() {
    let dir = TestDir::new();
    let whole_series = generated_lines(&dir, "30 --seed 5 --level easy");
    let series_parts = [(0, 7), (7, 13), (20, 10)].map(|(skip, count)| {
        let options = format!("{count} --seed 5 --skip {skip} --level easy");
        generated_lines(&dir, &options)
    });
    assert_eq!(series_parts.concat(), whole_series);
    let last_number = u64::MAX.to_string();
    let too_many = [
        "generate",
        "2",
        "--seed",
        "1",
        "--skip",
        &last_number,
        "-o",
        "x.csv",
    ];
    let message = dir.fail(&too_many, 2);
    assert!(message.contains("more than a seed has"), "{message}");
}

#[test]
fn puzzles_found_before_the_attempts_run_out_are_kept() {
    let dir = TestDir::new();
    let options = |output| {
        let options = "generate 40 --seed 1 --technique x_wing --max-attempts 20 -o ";
        format!("{options}{output}")
    };
    let mut outputs = Vec::new();
    for (output, threads) in [("a.csv", "1"), ("b.csv", "3")] {
        let options = format!("{} --threads {threads}", options(output));
        let message = dir.fail(&options.split(' ').collect::<Vec<_>>(), 3);
        for part in ["of 40 puzzles", "--max-attempts", output] {
            assert!(message.contains(part), "{part}: {message}");
        }
        outputs.push(dir.read(output));
    }
    assert_eq!(
        outputs[0], outputs[1],
        "the same bytes with any number of threads"
    );
    dir.succeed("grade a.csv -o graded.csv --keep none");
    let graded = String::from_utf8(dir.read("graded.csv")).unwrap();
    let found_count = graded.lines().count() - 1;
    assert!((1..40).contains(&found_count), "{found_count}");
    assert_eq!(graded.matches(",x_wing,").count(), found_count);
    // Puzzles with 17 clues are not found at random. The run ends early, and leaves no file.
    let impossible_series = "generate 100000 --seed 1 --clues 17 --max-attempts 1 -o x.txt";
    let message = dir.fail(&impossible_series.split(' ').collect::<Vec<_>>(), 3);
    for part in [
        "found 0 of 100000",
        "gave up after the first 64",
        "nothing was written",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!dir.exists("x.txt"));
}

#[test]
fn the_requested_columns_are_added() {
    let dir = TestDir::new();
    let exchanged = PUZZLE.replace('5', "x").replace('3', "5").replace('x', "3");
    dir.write("in.txt", format!("{PUZZLE}\n{exchanged}\n{SOLUTION}\n"));
    let requested_columns = "size,canonical,automorphisms,minimal,redundant_clues";
    dir.succeed(&format!(
        "grade in.txt -o out.parquet --with {requested_columns}"
    ));
    let table = dir.parquet("out.parquet");
    let canonical = texts(&table, "canonical");
    assert_eq!(canonical[0], canonical[1]);
    assert_ne!(canonical[0], canonical[2]);
    let automorphisms = numbers(&table, "automorphisms");
    assert_eq!(automorphisms[0], automorphisms[1]);
    let redundant_clues = numbers(&table, "redundant_clues");
    assert_eq!(
        redundant_clues[2],
        Some(81),
        "any clue of a full grid can go"
    );
    let minimal = table.column_by_name("minimal").unwrap().as_boolean();
    assert_eq!(minimal.value(0), redundant_clues[0] == Some(0));
    assert!(!minimal.value(2));
}

#[test]
fn options_take_precedence_over_the_environment() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let mut command = dir.command("solve in.txt -o - --summary s.json");
    command
        .env("PIPELINE_FORMAT", "lines")
        .env("PIPELINE_THREADS", "7");
    let output = command.output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("{PUZZLE},{SOLUTION}\n")
    );
    let summary: serde_json::Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
    assert_eq!(summary["threads"], 7);
    let mut command = dir.command("solve in.txt -o - --format csv");
    let output = command.env("PIPELINE_FORMAT", "lines").output().unwrap();
    assert!(output.stdout.starts_with(b"source,row,"));
}

#[test]
fn schema_man_completions_and_help_are_printed() {
    let dir = TestDir::new();
    let schema = dir.succeed("schema --format json");
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    dir.write("in.txt", PUZZLE);
    let requested_columns = "waves,size,canonical,automorphisms,minimal,redundant_clues,backdoors,backbone,ambiguous_cells,candidates,all_solutions,stalled,se,te,hodoku,input_solution";
    dir.succeed(&format!(
        "grade in.txt -o out.parquet --keep none --uniqueness --with {requested_columns}"
    ));
    let table = dir.parquet("out.parquet");
    let fields = table.schema();
    let own_schema = schema.as_array().unwrap();
    assert_eq!(
        fields.fields().len(),
        own_schema.len(),
        "the schema is that of the table"
    );
    for (field, column) in fields.fields().iter().zip(own_schema) {
        assert_eq!(column["name"], field.name().as_str());
        assert_eq!(column["type"], field.data_type().to_string());
        assert_eq!(column["nullable"], field.is_nullable());
    }
    assert!(dir.succeed("man").contains(".TH pipeline"));
    let page = dir.succeed("man grade");
    let synopsis = "\n.SH SYNOPSIS\npipeline grade [OPTIONS] \\-\\-output <FILE> <INPUT>...\n.SH DESCRIPTION\n";
    assert!(page.contains(synopsis), "{page}");
    assert!(dir.succeed("man grade").contains("solution\\-limit"));
    for shell in ["bash", "elvish", "fish", "nushell", "powershell", "zsh"] {
        let script = dir.succeed(&format!("completions {shell}"));
        assert!(
            script.contains("pipeline") && script.contains("partition-by"),
            "{shell}"
        );
    }
    for command in [
        "grade", "solve", "convert", "validate", "inspect", "generate", "explain", "schema", "man",
    ] {
        let help = dir.succeed(&[command, "--help"]);
        assert!(help.contains("Examples:"), "{command}");
    }
    assert!(dir.succeed("--help").contains("Exit codes:"));
}

#[test]
fn the_summary_accounts_for_every_row() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nshort\n{PUZZLE}\n"));
    dir.succeed("grade in.txt -o out.csv --summary summary.json");
    let summary: serde_json::Value = serde_json::from_slice(&dir.read("summary.json")).unwrap();
    assert_eq!(summary["rows_in"], 3);
    assert_eq!(summary["rows_out"], 2);
    assert_eq!(summary["rejected"], 1);
    assert_eq!(summary["rejects"]["wrong_length"], 1);
    assert_eq!(summary["technique"]["naked_single"], 2);
    assert_eq!(summary["inputs"][0]["bytes"], 170);
    assert_eq!(summary["rejects_output"], "out.rejects.csv");
    assert!(summary["peak_memory_bytes"].as_u64().unwrap() > 0);
}
