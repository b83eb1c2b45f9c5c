//! Tests Sudoku Explainer's ratings: `--with se`, `generate --se` and `explain --se`.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::Float64Type;
use sudoku_core::board::{Grid, Isomorph};
use sudoku_core::random::Rng;
use sudoku_core::solve::Kernel;

use crate::util::{PUZZLE, TestDir, stderr, texts};

/// Puzzles with their three ratings by serate 1.2.1.2: ER (column `se`), EP (`se_pearl`) and ED (`se_diamond`).
const RATED_PUZZLES: &[(&str, [&str; 3])] = &[
    (
        "6.1.3...53...1..6.......4...9.423..71...9...47..861.2...7.......3..8...25...4.1.6",
        ["1.5", "1.2", "1.2"],
    ),
    (
        "........1.......2...3.45.........4....67....3.8.2.........31....9.......72.....8.",
        ["4.5", "1.2", "1.2"],
    ),
    (
        "1..5..9......784.......9.364.8...39...3...1...26...7.467.8.......174......2..5..7",
        ["6.6", "1.2", "1.2"],
    ),
    (
        "4.258...38.19....57.....6..3..1......2.....5......2..6..8.....92....45.85...193.4",
        ["7.2", "1.2", "1.2"],
    ),
    (
        "1..........6.....3.8....4.1...6785.4...9........5..76...2......59.814......3..9..",
        ["8.5", "1.5", "1.5"],
    ),
];

/// A puzzle with the rating 9.7.
const HARD_PUZZLE: &str =
    "100200003040000050003006700002000008030070040900000100008400600050000020600003009";

const SE_COLUMNS: &str = "se,se_pearl,se_diamond,se_status,se_canonical,se_canonical_status";

/// Writes the rated puzzles, a harder puzzle, and puzzles without a rating: with several solutions, with pencil
/// marks, and of another size.
fn dir_with_inputs() -> TestDir {
    let dir = TestDir::new();
    let mut lines: Vec<String> = RATED_PUZZLES
        .iter()
        .map(|(puzzle, _)| (*puzzle).to_owned())
        .collect();
    lines.push(HARD_PUZZLE.replace('0', "."));
    lines.push(".".repeat(81));
    lines.push(PUZZLE.to_owned());
    dir.write("in.txt", lines.join("\n") + "\n");
    dir
}

fn csv(dir: &TestDir, options: &[&str]) -> String {
    let arguments = "grade in.txt -o - --format csv";
    dir.succeed((arguments, options))
}

fn values(table: &RecordBatch, column: &str) -> Vec<Option<f64>> {
    let array = table.column_by_name(column).unwrap();
    array.as_primitive::<Float64Type>().iter().collect()
}

#[test]
fn ratings_equal_the_reference_and_have_one_decimal() {
    let dir = dir_with_inputs();
    let text = csv(&dir, &["--with", "se", "--select", SE_COLUMNS]);
    let mut rows = text.lines();
    assert_eq!(rows.next(), Some(SE_COLUMNS));
    for (puzzle, ratings) in RATED_PUZZLES {
        let row = rows.next().unwrap();
        let rated_fields: Vec<&str> = row.split(',').collect();
        assert_eq!(rated_fields[..3], ratings[..], "{puzzle}");
        assert_eq!(
            (rated_fields[3], rated_fields[5]),
            ("rated", "rated"),
            "{puzzle}"
        );
    }
    // If a puzzle has no rating, the column `se_status` says why. Puzzles with several solutions have neither a rating
    // nor a status.
    assert_eq!(rows.next(), Some(",,,above,,above"));
    assert_eq!(rows.next(), Some(",,,,,"));
    assert!(
        rows.next().unwrap().starts_with("1.2,1.2,1.2,rated,"),
        "{text}"
    );

    // pyarrow, DuckDB and polars read the double that equals the literal 7.2.
    dir.succeed("grade in.txt -o out.parquet --with se");
    let table = dir.parquet("out.parquet");
    let expected_ratings = RATED_PUZZLES
        .iter()
        .map(|(_, ratings)| ratings[0].parse().ok());
    assert_eq!(
        values(&table, "se")[..5],
        expected_ratings.collect::<Vec<Option<f64>>>()
    );
    assert_eq!(values(&table, "se")[3], Some(7.2));
    assert_eq!(table.column_by_name("se").unwrap().null_count(), 2);
    let fields = table.schema();
    assert_eq!(
        fields.index_of("se_canonical_status").unwrap(),
        fields.fields().len() - 1
    );
}

#[test]
fn a_rating_beyond_a_limit_is_given_up_with_a_status() {
    let dir = dir_with_inputs();
    let rating_statuses = |options: &[&str]| {
        let options = [&["--with", "se", "--select", "se,se_status"], options].concat();
        let text = csv(&dir, &options);
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let statuses = rating_statuses(&["--se-max", "6.6"]);
    assert_eq!(statuses[..3], ["1.5,rated", "4.5,rated", "6.6,rated"]);
    assert_eq!(statuses[3..7], [",above", ",above", ",above", ","]);
    let statuses = rating_statuses(&["--se-max", "12"]);
    assert_eq!(statuses[5], "9.7,rated");
    let statuses = rating_statuses(&["--se-work", "3000"]);
    assert_eq!(statuses[0], "1.5,rated");
    assert_eq!(statuses[4..6], [",gave_up", ",gave_up"]);
}

/// The rating of a puzzle, and whether it is given up, do not depend on the puzzles that were rated before.
#[test]
fn threads_kernels_and_order_change_nothing() {
    let dir = TestDir::new();
    dir.succeed("generate 150 --seed 8 -o in.csv");
    let rows = String::from_utf8(dir.read("in.csv")).unwrap();
    let (header, rows) = rows.split_once('\n').unwrap();
    let reversed: Vec<&str> = rows.lines().rev().collect();
    dir.write(
        "reversed.csv",
        format!("{header}\n{}\n", reversed.join("\n")),
    );
    for work in ["1000000000", "2000", "200"] {
        let run_grade = |input: &str, threads: &str, kernel: Option<&str>| {
            let arguments = [
                "grade",
                input,
                "-o",
                "-",
                "--format",
                "csv",
                "--with",
                "se",
                "--se-work",
                work,
                "--select",
                "puzzle,se,se_pearl,se_diamond,se_status,se_canonical,se_canonical_status",
                "--threads",
                threads,
            ];
            let mut command = dir.command(&arguments);
            command.envs(kernel.map(|kernel| ("PIPELINE_KERNEL", kernel)));
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}", stderr(&output));
            String::from_utf8(output.stdout).unwrap()
        };
        let on_one_thread = run_grade("in.csv", "1", None);
        assert_eq!(run_grade("in.csv", "3", None), on_one_thread);
        for kernel in Kernel::available() {
            assert_eq!(
                run_grade("in.csv", "2", Some(kernel.name())),
                on_one_thread,
                "{}",
                kernel.name()
            );
        }
        let sorted_lines = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(
            sorted_lines(&run_grade("reversed.csv", "2", None)),
            sorted_lines(&on_one_thread)
        );
        assert_eq!(
            on_one_thread.contains("gave_up"),
            work != "1000000000",
            "{work}"
        );
    }
}

#[test]
fn the_rating_of_the_canonical_form_is_that_of_all_isomorphs() {
    let dir = TestDir::new();
    let mut rng = Rng::new(18);
    let mut lines = String::new();
    for (puzzle, _) in RATED_PUZZLES {
        let puzzle: Grid = puzzle.parse().unwrap();
        for _ in 0..4 {
            lines += &format!("{}\n", Isomorph::random(&mut rng).apply(&puzzle));
        }
    }
    dir.write("in.txt", lines);
    dir.succeed("grade in.txt -o out.parquet --with se,canonical");
    let table = dir.parquet("out.parquet");
    let (ratings, canonical_forms) = (values(&table, "se_canonical"), texts(&table, "canonical"));
    for (n, four) in ratings.chunks(4).enumerate() {
        assert!(
            four[0].is_some() && four.iter().all(|rating| rating == &four[0]),
            "{n}: {four:?}"
        );
    }
    // The rating in `se_canonical` is the rating of the min-lex form.
    let canonical_forms: Vec<String> = canonical_forms.into_iter().flatten().collect();
    dir.write("in.txt", canonical_forms.join("\n"));
    dir.succeed("solve in.txt -o forms.parquet --with se");
    let table = dir.parquet("forms.parquet");
    assert_eq!(values(&table, "se"), ratings);
    assert_eq!(values(&table, "se_canonical"), ratings);
}

#[test]
fn ratings_can_be_used_in_conditions_partitions_and_selections() {
    let dir = dir_with_inputs();
    let only_se_columns = [
        "--with",
        "se",
        "--where",
        "se >= 7.2",
        "--select",
        "se,rank",
    ];
    let text = csv(&dir, &only_se_columns);
    assert_eq!(
        text.lines()
            .map(|line| line.split(',').next())
            .collect::<Vec<_>>(),
        [Some("se"), Some("7.2"), Some("8.5")]
    );
    // The format `lines` contains only puzzles, but a condition can still use ratings.
    let lines = dir.succeed((
        "solve in.txt -o - --format lines --with se --where",
        &["se_canonical is null and se_status = 'above'"],
    ));
    let puzzle = lines.split(',').next();
    assert_eq!(puzzle, Some(HARD_PUZZLE.replace('0', ".").as_str()));
    let arguments = "grade in.txt -o out/ --with se --partition-by se_status --format csv";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    dir.succeed(&arguments);
    let folders: Vec<String> = dir.tree("out").into_keys().collect();
    assert!(
        folders
            .iter()
            .any(|name| name.starts_with("se_status=rated/")),
        "{folders:?}"
    );
    // The counts of ratings in the summary of a resumed run include the ratings in the kept parts.
    let resumed = dir.summary(&[&arguments[..], &["--resume"]].concat());
    assert_eq!(resumed["rows_kept"], 8);
    assert_eq!(
        resumed["se_status"],
        serde_json::json!({"rated": 6, "above": 1})
    );
    // With another limit for ratings, no part is kept.
    let limited = dir.summary(&[&arguments[..], &["--resume", "--se-max", "5"]].concat());
    assert_eq!(limited["rows_kept"], 0);
    assert_eq!(
        limited["se_status"],
        serde_json::json!({"rated": 3, "above": 4})
    );
}

/// Rows that the condition removes are not rated. This must not affect the other rows.
#[test]
fn a_condition_without_ratings_keeps_the_same_rows() {
    let dir = dir_with_inputs();
    let kept_rows = |condition: &str| {
        let summary = dir.summary((
            "grade in.txt -o out.csv --overwrite --with se --where",
            &[condition],
        ));
        (summary["rows_out"].clone(), summary["se_status"].clone())
    };
    let all_rated = kept_rows("rank > 0 or se > 0");
    assert_eq!(kept_rows("rank > 0"), all_rated);
    let hard_rows = kept_rows("rank >= 30 and clues < 25");
    assert_eq!(
        hard_rows,
        kept_rows("rank >= 30 and clues < 25 and (se > 0 or se is null)")
    );
}

#[test]
fn the_summary_and_the_metrics_count_the_rated_puzzles() {
    let dir = dir_with_inputs();
    let summary = dir.summary("grade in.txt -o out.csv --with se --metrics se.prom");
    assert_eq!(
        summary["se_status"],
        serde_json::json!({"rated": 6, "above": 1})
    );
    assert_eq!(summary["se_canonical_status"]["above"], 1);
    let metrics = String::from_utf8(dir.read("se.prom")).unwrap();
    let expected_sample = "rows_by_se_status{task=\"se\",command=\"grade\",status=\"rated\"} 6\n";
    assert!(metrics.contains(expected_sample), "{metrics}");
    let summary_without = dir.summary("grade in.txt -o none.csv");
    assert!(summary_without.get("se_status").is_none());
}

#[test]
fn contradictory_rating_options_are_refused_before_any_work() {
    let dir = dir_with_inputs();
    let grade_command = "grade in.txt -o out.csv";
    for (options, says) in [
        (&["--with", "se", "--se-max", "13"][..], "from 1.0 to 12.0"),
        (&["--with", "se", "--se-max", "hard"], "from 1.0 to 12.0"),
        (&["--with", "se", "--se-work", "0"], "0"),
        (&["--se-max", "8"], "--with se"),
        (&["--with", "elo"], "elo"),
    ] {
        let message = dir.fail((grade_command, options), 2);
        assert!(message.contains(says), "{message}");
    }
    let generate = ["generate", "1", "--seed", "1", "-o", "out.csv"];
    for (options, says) in [
        (&["--se", "7.5..7.0"][..], "lower end first"),
        (&["--se", "7-8"], "7.0..7.5"),
        (&["--se", "7", "--level", "hard"], "cannot be used with"),
        (&["--se", "7", "--size", "16"], "9 × 9"),
        (&["--se", "7", "--solutions", "2"], "--solutions"),
    ] {
        let message = dir.fail(&[&generate[..], options].concat(), 2);
        assert!(message.contains(says), "{message}");
    }
    assert!(!dir.exists("out.csv"));
}

#[test]
fn generated_puzzles_have_the_requested_rating_and_depend_only_on_the_seed() {
    let dir = TestDir::new();
    for (range, from, to) in [
        ("7.0..7.2", 7.0, 7.2),
        ("2.6", 2.6, 2.6),
        ("..1.5", 1.0, 1.5),
        ("7.6..", 7.6, 9.0),
    ] {
        let generate = |threads: &str| {
            dir.succeed(&format!(
                "generate 4 --seed 5 --se {range} -o - --format csv --threads {threads}"
            ))
        };
        let generated_text = generate("1");
        assert_eq!(generated_text.lines().count(), 5);
        assert_eq!(generate("3"), generated_text);
        dir.write("in.csv", generated_text);
        dir.succeed("grade in.csv -o out.parquet --with se --overwrite");
        for rating in values(&dir.parquet("out.parquet"), "se") {
            let rating = rating.unwrap();
            assert!((from..=to).contains(&rating), "{range}: {rating}");
        }
    }
    let message = dir.fail(
        "generate 1 --seed 5 --se 9.5.. --max-attempts 1 -o none.csv",
        3,
    );
    assert!(message.contains("nothing was written"), "{message}");
}

/// The steps of an explanation lead to the solution, and their ratings agree with those in the table.
#[test]
fn an_explanation_shows_the_steps_of_the_rating() {
    let dir = TestDir::new();
    for (puzzle, ratings) in RATED_PUZZLES
        .iter()
        .chain([&(HARD_PUZZLE, ["9.7", "9.7", "9.4"])])
    {
        let json = dir.succeed(&["explain", "--se", "--json", puzzle]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let expected = ratings.map(|rating| rating.parse::<f64>().unwrap());
        for (column, rating) in ["se", "se_pearl", "se_diamond"].iter().zip(expected) {
            assert_eq!(json[column], rating, "{column} of {puzzle}");
        }
        let steps = json["steps"].as_array().unwrap();
        let step_rating = |step: &serde_json::Value| step["rating"].as_f64().unwrap();
        let has_placements =
            |step: &&serde_json::Value| !step["places"].as_array().unwrap().is_empty();
        let first_placement = steps.iter().position(|step| has_placements(&step)).unwrap();
        let highest_rating =
            |steps: &[serde_json::Value]| steps.iter().map(step_rating).fold(0.0, f64::max);
        let found_ratings = [
            highest_rating(steps),
            highest_rating(&steps[..=first_placement]),
            step_rating(&steps[0]),
        ];
        assert_eq!(found_ratings, expected, "{puzzle}");
        // The changes of each step lead to the board of the next step. The changes of the last step lead to the
        // solution.
        let solution = json["solution"].as_str().unwrap();
        for (n, step) in steps.iter().enumerate() {
            let board = step["board"].as_str().unwrap();
            let empty_cells = board.matches(['.', '0']).count();
            let next_board = steps
                .get(n + 1)
                .map_or(solution, |next| next["board"].as_str().unwrap());
            let empty_cells_left = next_board.matches(['.', '0']).count();
            assert_eq!(
                empty_cells - empty_cells_left,
                usize::from(has_placements(&step)),
                "step {n} of {puzzle}"
            );
            let removes = step["removes"].as_array().unwrap();
            assert!(
                has_placements(&step) == removes.is_empty(),
                "step {n} of {puzzle}"
            );
        }
        let brief = dir.succeed(&["explain", "--se", "--brief", puzzle]);
        assert!(
            brief.contains(&format!("ER {}, the highest", ratings[0])),
            "{brief}"
        );
        assert!(brief.lines().all(|line| line.chars().count() <= 80));
    }
    // The step that determines the rating is shown with its chain, from the assumption to its opposite.
    let json = dir.succeed(&["explain", "--se", "--json", RATED_PUZZLES[3].0]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let steps = json["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["rating"] == 7.2).unwrap();
    let [chain] = step["chains"].as_array().unwrap().as_slice() else {
        panic!("{step}");
    };
    let chain = chain.as_array().unwrap();
    assert_eq!(step["nodes"], chain.len());
    let (first, last) = (&chain[0], &chain[chain.len() - 1]);
    assert_eq!(
        (&first["cell"], &first["digit"]),
        (&last["cell"], &last["digit"])
    );
    assert_eq!((&first["on"], &last["on"]), (&true.into(), &false.into()));
    let text = dir.succeed(&["explain", "--se", RATED_PUZZLES[3].0]);
    assert!(text.contains("If r1c6=7, then r1c6<>7 ("), "{text}");
    assert!(
        text.contains("Naked pair (rated 3.0)") && text.contains('┏'),
        "{text}"
    );
    assert!(text.contains("Forcing chain (rated 7.2"), "{text}");
    let page = dir.succeed(&["explain", "--se", "--html", RATED_PUZZLES[3].0]);
    assert!(page.contains("<title>Sudoku rated: ER 7.2, EP 1.2, ED 1.2</title>"));
    for tag in ["section", "ol", "li", "figure", "svg"] {
        let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
        let opened_tags =
            page.matches(&format!("{open}>")).count() + page.matches(&format!("{open} ")).count();
        assert_eq!(opened_tags, page.matches(&close).count(), "{tag}");
    }
    let message = dir.fail(&["explain", "--se", &".".repeat(81)], 3);
    assert!(message.contains("more than one solution"), "{message}");
    let message = dir.fail(&["explain", "--se", &".".repeat(256)], 2);
    assert!(message.contains("9 × 9"), "{message}");
}
