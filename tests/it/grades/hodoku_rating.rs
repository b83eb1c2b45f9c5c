//! Tests `--with hodoku`: the level and the score that HoDoKu gives a puzzle.

use crate::util::TestDir;

/// Puzzles with the level and score that HoDoKu gives them, and the hardest technique on its solution path.
const RATED_ROWS: &str = "\
9................5..34..7...7....5.4..53.2...8..7...2..59.....7..1...6..76..18.5.,hard,928,exact,W-Wing
8...75........32..72..9..1.43..............5.9...8.......53....5.1..49.3.97..6...,easy,358,exact,Hidden Single
..57...2971.8......3..............3.....37..1.795....84.3...........68....1..93.5,extreme,10500,exact,Forcing Net
.67.8....1..9....7.....6.......4...22....57....12..59...8....3..1..3.2..5..4....9,extreme,11224,exact,Brute Force
";

const COLUMNS: &str = "hodoku_level,hodoku_score,hodoku_status,hodoku_hardest";

fn dir_with_inputs() -> TestDir {
    let dir = TestDir::new();
    let rated_puzzles = RATED_ROWS.lines().map(|line| format!("{}\n", &line[..81]));
    let several_solutions = format!("{}\n", ".".repeat(81));
    let rows: String = rated_puzzles.chain([several_solutions]).collect();
    dir.write("in.txt", rows);
    dir
}

fn rows(dir: &TestDir, options: &[&str]) -> Vec<String> {
    let arguments = "grade in.txt -o out.csv --overwrite --with hodoku";
    dir.succeed((arguments, options));
    let text = String::from_utf8(dir.read("out.csv")).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_row_has_hodokus_level_and_score_or_the_reason_why_not() {
    let dir = dir_with_inputs();
    let rated_rows = rows(&dir, &["--select", COLUMNS]);
    let expected: Vec<&str> = RATED_ROWS.lines().map(|line| &line[82..]).collect();
    assert_eq!(rated_rows, [expected, vec![",,,"]].concat());
}

#[test]
fn conditions_can_use_the_columns_and_both_versions_are_available() {
    let dir = dir_with_inputs();
    let condition = ["--where", "hodoku_score >= 800", "--select", "hodoku_score"];
    assert_eq!(rows(&dir, &condition), ["928", "10500", "11224"]);
    let version_2_3 = ["--hodoku-version", "2.3", "--select", COLUMNS];
    assert_eq!(rows(&dir, &version_2_3)[0], "hard,928,exact,W-Wing");
}

/// Regression test: `evaluate` computed the rating of HoDoKu 2.2 whatever `--hodoku-version` was, and accepted this
/// option without `--with hodoku`.
#[test]
fn predictions_are_judged_with_ratings_of_the_version() {
    let dir = TestDir::new();
    dir.succeed("generate 200 --seed 1 -o in.csv");
    for options in ["", "--hodoku-version 2.3"] {
        let with_rating = ["--format", "csv", "--with", "hodoku", "--select", COLUMNS];
        let graded = dir.succeed((("grade in.csv -o -", options), &with_rating));
        let judged = dir.succeed((
            ("evaluate in.csv --prediction-column solution -o -", options),
            &with_rating,
        ));
        assert_eq!(judged, graded);
    }
}

#[test]
fn wrong_versions_are_refused() {
    let dir = dir_with_inputs();
    let error = dir.fail("evaluate in.txt in.txt --hodoku-version 2.3", 2);
    assert!(error.contains("--with hodoku"), "{error}");
    for (options, message) in [
        ("--hodoku-version 2.3", "--with hodoku"),
        ("--with hodoku --hodoku-version 2.1", "2.2 and 2.3"),
    ] {
        let error = dir.fail(("grade in.txt -o x.csv", options), 2);
        assert!(error.contains(message), "{error}");
    }
}

/// `generate` finds puzzles of a level and a range of scores, the same on any number of threads.
#[test]
fn puzzles_of_a_level_and_a_score_are_generated() {
    let dir = TestDir::new();
    let wanted_options = "generate 3 --seed 39 --hodoku-level hard --hodoku-score 800..1000";
    let on_threads = |threads: &str| {
        let options = format!("--format csv --threads {threads}");
        dir.succeed((wanted_options, &options))
    };
    let csv = on_threads("1");
    assert_eq!(csv, on_threads("3"));
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column_index = |name: &str| names.iter().position(|own| *own == name).unwrap();
    assert_eq!(names[column_index("hodoku_level")..].join(","), COLUMNS);
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    for row in &rows {
        let [level, score, status, _] = row[column_index("hodoku_level")..] else {
            panic!("{row:?}");
        };
        assert_eq!((level, status), ("hard", "exact"));
        let score: u32 = score.parse().unwrap();
        assert!((800..=1000).contains(&score), "{row:?}");
    }
    // `grade` computes the same ratings for these rows.
    let puzzles = rows
        .iter()
        .map(|row| format!("{}\n", row[column_index("puzzle")]));
    dir.write("made.txt", puzzles.collect::<String>());
    let arguments = "grade made.txt -o - --format csv --with hodoku --select";
    let graded = dir.succeed((arguments, COLUMNS));
    let expected = rows
        .iter()
        .map(|row| row[column_index("hodoku_level")..].join(","));
    let graded_rows: Vec<&str> = graded.lines().skip(1).collect();
    assert_eq!(graded_rows, expected.collect::<Vec<String>>());

    for (options, message) in [
        ("--hodoku-score 9..8", "empty"),
        ("--hodoku-score many", "800..1000"),
        ("--hodoku-level hard --level easy", "--level"),
        ("--hodoku-version 2.3", "--hodoku-level"),
        ("--hodoku-level hard --size 16", "9 × 9"),
        ("--hodoku-score 900 --solutions 2", "--solutions"),
    ] {
        let error = dir.fail(("generate 1 --seed 1", options), 2);
        assert!(error.contains(message), "{error}");
    }
}

/// Labels of HoDoKu in a dataset are grouped and compared with the grades.
#[test]
fn levels_and_scores_of_a_dataset_are_labels() {
    let dir = TestDir::new();
    dir.write("labels.csv", format!("puzzle,{COLUMNS}\n{RATED_ROWS}"));
    dir.succeed("grade labels.csv -o graded.csv --report stats.json");
    let statistics = String::from_utf8(dir.read("stats.json")).unwrap();
    for name in ["hodoku_level", "hodoku_score"] {
        let column = format!("\"column\": \"{name}\"");
        assert!(statistics.contains(&column), "{statistics}");
    }
}

/// An explanation names the program and the version of the score.
#[test]
fn explanations_name_the_version() {
    let dir = TestDir::new();
    let explain = format!("explain {} --rating hodoku", &RATED_ROWS[..81]);
    let text = dir.succeed(&explain);
    assert!(text.contains("Score 928 by HoDoKu 2.2"), "{text}");
    let version_2_3 = dir.succeed((&explain, "--hodoku-version 2.3"));
    assert!(version_2_3.contains("by HoDoKu 2.3"), "{version_2_3}");
    let json = dir.succeed((&explain, "--format json"));
    assert!(json.contains("\"hodoku_version\":\"2.2\""));
    let explain_arguments = format!("explain {} --hodoku-version 2.3", &RATED_ROWS[..81]);
    assert!(dir.fail(&explain_arguments, 2).contains("--rating hodoku"));
}

#[test]
fn statistics_group_by_level_and_a_long_table_of_scores_is_cut() {
    let dir = TestDir::new();
    dir.succeed("generate 300 --seed 1 -o in.txt");
    dir.succeed("grade in.txt -o out.parquet --with hodoku");
    let json = dir.succeed("stats out.parquet --format json");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let count_groups = |column: &str| -> usize {
        let mut breakdowns = json["by"].as_array().unwrap().iter();
        let breakdown = breakdowns.find(|by| by["column"] == column).unwrap();
        breakdown["groups"].as_array().unwrap().len()
    };
    let (levels, scores) = (count_groups("hodoku_level"), count_groups("hodoku_score"));
    assert!((3..=5).contains(&levels) && scores > 100, "{json}");
    let text = dir.succeed("stats out.parquet");
    let more_rows_text = format!("\n{} more rows: ", scores - 60);
    for part in ["By hodoku_level: ", &more_rows_text] {
        assert!(text.contains(part), "{text}");
    }
    let csv = dir.succeed("stats out.parquet --format csv");
    let is_score = |line: &&str| line.starts_with("by_hodoku_score,");
    assert!(csv.lines().filter(is_score).count() >= scores);
}

#[test]
fn a_resumed_folder_equals_one_that_was_rated_in_one_run() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("raw")).unwrap();
    for (name, seed) in [("raw/a.txt", "1"), ("raw/b.txt", "2")] {
        dir.succeed(&format!("generate 50 --seed {seed} -o {name}"));
    }
    let arguments = "grade raw --with hodoku --resume -o";
    dir.succeed((arguments, "at_once/"));
    std::fs::rename(dir.path("raw/b.txt"), dir.path("b.txt")).unwrap();
    dir.succeed((arguments, "out/"));
    std::fs::rename(dir.path("b.txt"), dir.path("raw/b.txt")).unwrap();
    dir.succeed((arguments, "out/"));
    assert!(dir.tree("out") == dir.tree("at_once"));
}
