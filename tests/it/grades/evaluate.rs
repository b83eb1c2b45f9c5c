//! Tests `evaluate`: each prediction gets the right verdict.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::util::{PUZZLE, SOLUTION, TestDir, flags, generated, numbers, texts};

/// A prediction made from the solution with a fault of kind `kind`, and the verdict that it should get.
fn planted_prediction(kind: usize, puzzle: &str, solution: &str) -> (String, &'static str) {
    let blank = puzzle.find('.').unwrap();
    let clue = puzzle.find(|cell| cell != '.').unwrap();
    let solution_with = |at: usize, with: &str| {
        let mut grid = solution.to_owned();
        grid.replace_range(at..=at, with);
        grid
    };
    let next_digit = |at: usize| match &solution[at..=at] {
        "9" => "1".to_owned(),
        digit => (digit.parse::<u8>().unwrap() + 1).to_string(),
    };
    match kind {
        0 => (solution.to_owned(), "solution"),
        1 => (solution_with(blank, &next_digit(blank)), "wrong"),
        2 => (solution_with(blank, "."), "incomplete"),
        3 => (solution_with(clue, &next_digit(clue)), "clue_changed"),
        4 => (solution[1..].to_owned(), "unparsable"),
        5 => (solution_with(blank, "#"), "unparsable"),
        _ => (String::new(), "missing"),
    }
}

/// Writes puzzles with their solutions to `test.csv`, and predictions. The n-th prediction has the fault of kind
/// n modulo 7.
fn with_faults(dir: &TestDir, count: usize) -> Vec<(String, &'static str)> {
    let puzzles = generated(dir, &count.to_string());
    let mut csv = "id,puzzle,solution\n".to_owned();
    let mut predictions = Vec::new();
    for (at, (puzzle, solution)) in puzzles.iter().enumerate() {
        csv += &format!("n{at},{puzzle},{solution}\n");
        predictions.push(planted_prediction(at % 7, puzzle, solution));
    }
    dir.write("test.csv", csv);
    predictions
}

fn lines(predictions: &[(String, &str)]) -> String {
    predictions
        .iter()
        .map(|(text, _)| format!("{text}\n"))
        .collect()
}

#[test]
fn every_planted_fault_gets_the_right_verdict() {
    let dir = TestDir::new();
    let predictions = with_faults(&dir, 700);
    dir.write("predictions.txt", lines(&predictions));
    let arguments = "evaluate test.csv predictions.txt";
    let output = "-o judged.parquet --summary summary.json";
    let stdout = dir.succeed((arguments, output));
    assert!(stdout.contains("Solved by hardest technique"), "{stdout}");
    assert!(stdout.contains("14.29 % of the predictions"), "{stdout}");

    let judged_table = dir.parquet("judged.parquet");
    let expected: Vec<_> = predictions
        .iter()
        .map(|(_, verdict)| Some((*verdict).to_owned()))
        .collect();
    assert_eq!(texts(&judged_table, "verdict"), expected);
    let is_exact = flags(&judged_table, "is_exact");
    let blanks = numbers(&judged_table, "blanks");
    let blanks_right = numbers(&judged_table, "blanks_right");
    let cells = numbers(&judged_table, "cells_right");
    let puzzles = texts(&judged_table, "puzzle");
    for (at, (_, verdict)) in predictions.iter().enumerate() {
        let empty_cells = puzzles[at].as_ref().unwrap().matches('.').count() as u64;
        assert_eq!(blanks[at], Some(empty_cells));
        let (own, all) = match *verdict {
            "solution" => (Some(empty_cells), Some(81)),
            "wrong" | "incomplete" => (Some(empty_cells - 1), Some(80)),
            "clue_changed" => (Some(empty_cells), Some(80)),
            _ => (None, None),
        };
        assert_eq!((blanks_right[at], cells[at]), (own, all), "{at}: {verdict}");
        assert_eq!(is_exact[at], Some(*verdict == "solution"));
    }
    let summary: Value = serde_json::from_slice(&dir.read("summary.json")).unwrap();
    let evaluation = &summary["evaluation"];
    let counts = BTreeMap::from([
        ("rows", 700),
        ("exact", 100),
        ("solution", 100),
        ("wrong", 100),
        ("incomplete", 100),
        ("clue_changed", 100),
        ("unparsable", 200),
        ("missing", 100),
    ]);
    for (name, count) in counts {
        assert_eq!(evaluation[name], json!(count), "{name}");
    }
    // `stats` of the table counts the same verdicts as `evaluate`.
    let stats_text = dir.succeed("stats judged.parquet");
    let table_lines: Vec<&str> = stdout.lines().filter(|line| line.contains('│')).collect();
    assert!(
        table_lines.iter().all(|line| stats_text.contains(line)),
        "{stats_text}"
    );
    dir.succeed("report judged.parquet -o page.html");
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert!(page.contains("Predictions that solve, by hardest technique"));
    // Regression test: the page was titled "Sudoku dataset", its table had no predictions, their charts were the sixth
    // and the seventh, and it said that nothing was wrong.
    assert!(page.contains("<h1>Predictions: judged</h1>"));
    assert!(page.contains("<td>predictions that solve</td><td class=\"number\">100</td>"));
    let sections = page.split("<section id=\"").skip(1);
    let ids: Vec<&str> = sections.filter_map(|part| part.split('"').next()).collect();
    assert_eq!(ids[..2], ["solved-by-level", "solved-by-technique"]);
    assert!(page.contains("What is wrong with the predictions"));
    assert!(page.contains("change a clue.") && !page.contains("Nothing was found"));
    assert!(page.contains("14.3\u{a0}% of 700 predictions"), "{page}");
    let level_verdicts = evaluation["by_level"].as_array().unwrap().iter();
    let rows: u64 = level_verdicts
        .map(|level| level["rows"].as_u64().unwrap())
        .sum();
    assert_eq!(rows, 700);
}

#[test]
fn predictions_are_found_by_key_in_any_order_and_format() {
    let dir = TestDir::new();
    let predictions = with_faults(&dir, 70);
    dir.write("predictions.txt", lines(&predictions));
    dir.succeed("evaluate test.csv predictions.txt -o by_row.csv");
    let rows = predictions.iter().enumerate().rev();
    let rows: String = rows
        .map(|(at, (text, _))| format!("{}\n", json!({"output": text, "id": format!("n{at}")})))
        .collect();
    dir.write("model.ndjson", rows);
    for threads in ["1", "3"] {
        let arguments = "evaluate test.csv model.ndjson --key id -o";
        let options = format!("by_key.csv --overwrite --threads {threads}");
        dir.succeed((arguments, &options));
        assert!(dir.read("by_row.csv") == dir.read("by_key.csv"));
    }
    dir.write("short.csv", "id,prediction\nn3,12\nn500,1\n");
    let new_arguments = [
        "evaluate",
        "test.csv",
        "short.csv",
        "--key",
        "id",
        "--summary",
        "-",
    ];
    let summary: Value = serde_json::from_str(&dir.succeed(&new_arguments)).unwrap();
    assert_eq!(summary["evaluation"]["missing"], json!(69));

    dir.write("twice.csv", "id,prediction\nn3,\nn4,\nn3,\n");
    let message = dir.fail("evaluate test.csv twice.csv --key id", 3);
    assert!(
        message.contains("rows 0 and 2") && message.contains("\"n3\""),
        "{message}"
    );
}

#[test]
fn a_table_can_hold_the_puzzles_and_the_answers_of_a_language_model() {
    let dir = TestDir::new();
    let board: Vec<String> = SOLUTION
        .as_bytes()
        .chunks(9)
        .map(|row| {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| char::from(*cell).to_string())
                .collect();
            cells.join(" ")
        })
        .collect();
    let model_answers = [
        format!(
            "First 5 . .\n{PUZZLE}\nSo:\n```\n{}\n```\nDone, 1 solution.",
            board.join("\n")
        ),
        format!("It is {SOLUTION}."),
        "I cannot solve it.".to_owned(),
    ];
    let rows =
        model_answers.map(|answer| json!({"puzzle": PUZZLE, "response": answer}).to_string());
    dir.write("answers.ndjson", rows.join("\n"));
    let arguments = "evaluate answers.ndjson --extract -o judged.parquet";
    dir.succeed(arguments);
    let judged_table = dir.parquet("judged.parquet");
    let verdicts = ["solution", "solution", "unparsable"].map(|one| Some(one.to_owned()));
    assert_eq!(texts(&judged_table, "verdict"), verdicts);
    assert_eq!(
        texts(&judged_table, "prediction")[0].as_deref(),
        Some(SOLUTION)
    );
    assert_eq!(
        texts(&judged_table, "prediction_error")[2].as_deref(),
        Some("no board is in the text")
    );
}

/// The columns and the report say how each answer was found.
#[test]
fn the_forms_and_rules_of_answers_are_counted() {
    let dir = TestDir::new();
    let named: String = (1..)
        .zip(SOLUTION.as_bytes().chunks(9))
        .map(|(at, row)| format!("**Row {at}:** {}\n", String::from_utf8_lossy(row)))
        .collect();
    let answers = [
        (
            format!("\\boxed{{{SOLUTION}}}, and the puzzle was {PUZZLE}."),
            "characters",
            "boxed",
            "solution",
        ),
        (
            format!("<think>{SOLUTION}</think>\nFinal answer:\n{named}"),
            "row_names",
            "final_answer",
            "solution",
        ),
        (
            format!("Final answer:\n{named}\nEarlier draft: {PUZZLE}"),
            "row_names",
            "final_answer",
            "solution",
        ),
        (
            format!("{PUZZLE} is hard."),
            "characters",
            "puzzle",
            "incomplete",
        ),
        (
            format!("Draft: {SOLUTION}\n<answer>{}</answer>", &SOLUTION[1..]),
            "",
            "",
            "unparsable",
        ),
        ("I cannot solve it.".to_owned(), "", "", "unparsable"),
    ];
    let rows = answers
        .iter()
        .map(|(text, ..)| json!({"puzzle": PUZZLE, "response": text}).to_string() + "\n");
    dir.write("answers.ndjson", rows.collect::<String>());
    let arguments =
        "evaluate answers.ndjson --extract -o judged.parquet --extract-report forms.json";
    dir.succeed((arguments, "--summary summary.json"));
    let table = dir.parquet("judged.parquet");
    let columns = ["answer_form", "answer_rule", "verdict"].map(|name| texts(&table, name));
    for (at, (text, form, rule, verdict)) in answers.iter().enumerate() {
        let own = columns
            .each_ref()
            .map(|column| column[at].as_deref().unwrap_or(""));
        assert_eq!(own, [*form, *rule, *verdict], "{text}");
    }
    let report: Value = serde_json::from_slice(&dir.read("forms.json")).unwrap();
    let expected = json!({
        "answers": 4, "rows": 6, "unparsable": 2, "missing": 0,
        "by_answer": [
            {"form": "row_names", "rule": "final_answer", "rows": 2, "solution": 2},
            {"form": "characters", "rule": "boxed", "rows": 1, "solution": 1},
            {"form": "characters", "rule": "puzzle", "rows": 1, "incomplete": 1},
        ],
    });
    assert_eq!(report, expected);
    let summary: Value = serde_json::from_slice(&dir.read("summary.json")).unwrap();
    assert_eq!(summary["evaluation"]["by_answer"], expected["by_answer"]);
    // A report replaces a report, and nothing else.
    dir.succeed("evaluate answers.ndjson --extract --extract-report forms.json");
    dir.fail(
        "evaluate answers.ndjson --extract --extract-report answers.ndjson",
        4,
    );
    dir.fail("evaluate answers.ndjson --extract-report forms.json", 2);
}

#[test]
fn any_solution_of_a_puzzle_with_several_is_right() {
    let dir = TestDir::new();
    let several_solutions = "1...............";
    dir.write(
        "test.csv",
        format!("puzzle,solution\n{several_solutions},1234341221434321\n{several_solutions},\n"),
    );
    dir.write("predictions.txt", "1243342121344312\n1243342121344312\n");
    dir.succeed("evaluate test.csv predictions.txt -o judged.parquet");
    let judged_table = dir.parquet("judged.parquet");
    let other_solution = Some("other_solution".to_owned());
    assert_eq!(
        texts(&judged_table, "verdict"),
        [other_solution.clone(), other_solution]
    );
    assert_eq!(flags(&judged_table, "is_exact"), [Some(true), Some(true)]);
    assert_eq!(numbers(&judged_table, "blanks_right"), [Some(15), Some(15)]);
}

/// The first two rows of the puzzle are equal in all solutions but open in a cell each; the others differ.
#[test]
fn predictions_are_compared_with_the_backbone_of_puzzles_with_several_solutions() {
    let dir = TestDir::new();
    let several = "123.341.........";
    let clues = "1234341221434321";
    let predictions = [
        "1234341221434321",
        "1234341243212143",
        "1235341221434321",
        "1231341321434321",
        "12343412........",
        "1...............",
        "no grid",
    ];
    let rows: String = predictions
        .iter()
        .map(|prediction| format!("{several},{prediction}\n"))
        .collect();
    let unique = clues.replacen('4', ".", 1);
    dir.write(
        "in.csv",
        format!("puzzle,prediction\n{rows}{unique},{clues}\n"),
    );
    dir.succeed("evaluate in.csv -o judged.parquet --summary summary.json");
    let judged_table = dir.parquet("judged.parquet");
    let blanks = numbers(&judged_table, "backbone_blanks");
    let right = numbers(&judged_table, "backbone_right");
    let known = |right| (Some(2), Some(right));
    let expected = [
        known(2),
        known(2),
        (None, None),
        known(0),
        known(2),
        known(0),
        (None, None),
        (None, None),
    ];
    let found: Vec<_> = blanks.into_iter().zip(right).collect();
    assert_eq!(found, expected);
    let summary: Value = serde_json::from_slice(&dir.read("summary.json")).unwrap();
    let evaluation = &summary["evaluation"];
    assert_eq!(evaluation["backbone_blanks"], 10);
    assert_eq!(evaluation["backbone_right"], 6);
    assert_eq!(evaluation["backbone_share"], 0.6);
    // stats gives the same figures from the table.
    let stats = dir.succeed("stats judged.parquet --format json");
    let stats: Value = serde_json::from_str(&stats).unwrap();
    let all = &stats["evaluation"]["all"];
    assert_eq!(
        (&all["backbone_blanks"], &all["backbone_right"]),
        (&json!(10), &json!(6))
    );
    let text = dir.succeed("stats judged.parquet");
    assert!(text.contains("60.00 % are right"), "{text}");
}

#[test]
fn two_models_are_compared_on_the_same_puzzles() {
    let dir = TestDir::new();
    let puzzles = generated(&dir, "40");
    let csv: String = puzzles
        .iter()
        .map(|(puzzle, _)| format!("{puzzle}\n"))
        .collect();
    dir.write("test.csv", format!("puzzle\n{csv}"));
    let model_predictions = |is_right: fn(usize) -> bool| -> String {
        let rows = puzzles.iter().enumerate();
        rows.map(|(at, (puzzle, solution))| {
            if is_right(at) {
                format!("{solution}\n")
            } else {
                format!("{puzzle}\n")
            }
        })
        .collect()
    };
    dir.write("new.txt", model_predictions(|at| at < 30));
    dir.write("old.txt", model_predictions(|at| !(2..20).contains(&at)));
    let arguments = "evaluate test.csv new.txt --against old.txt --summary -";
    let summary: Value = serde_json::from_str(&dir.succeed(arguments)).unwrap();
    let second_model = &summary["evaluation"]["against"];
    let get_count = |name: &str| second_model[name].as_u64().unwrap();
    assert_eq!(
        ["both", "only_this", "only_other", "none"].map(get_count),
        [12, 18, 10, 0]
    );
    // The probability that 28 fair coins show heads at most 10 times, times 2.
    let mcnemar_p = second_model["mcnemar_p"].as_f64().unwrap();
    assert!((mcnemar_p - 0.184_957).abs() < 1e-4, "{mcnemar_p}");

    let min_exact_command = "evaluate test.csv new.txt --min-exact";
    dir.succeed(&format!("{min_exact_command} 75%"));
    let message = dir.fail(&format!("{min_exact_command} 75.1%"), 3);
    assert!(message.contains("30 of 40 predictions"), "{message}");
}
