//! Tests `report`: the page with charts of a dataset, and its card.

use super::{HARD_PUZZLE, write_graded};
use crate::util::{PUZZLE, TestDir};

#[test]
fn the_page_is_one_small_file_without_external_resources() {
    let dir = TestDir::new();
    write_graded(&dir);
    dir.succeed("report graded.parquet -o report.html");
    let page = String::from_utf8(dir.read("report.html")).unwrap();
    assert!(page.len() < 300_000, "{} bytes", page.len());
    for absent in [
        "<script", "http://", "https://", "@import", "url(", "#10a0", "#10b0", "#10c0", "NaN",
    ] {
        let context = page.find(absent).map(|at| {
            page[at.saturating_sub(80)..]
                .chars()
                .take(160)
                .collect::<String>()
        });
        let is_namespace = |text: &String| text.contains("www.w3.org");
        assert!(
            context.as_ref().is_none_or(is_namespace),
            "{absent}: {context:?}"
        );
    }
    for section in [
        "levels",
        "techniques",
        "uses",
        "clues",
        "effort",
        "nodes",
        "cells",
        "labels",
        "rejects",
        "boards",
        "provenance",
    ] {
        assert!(
            page.contains(&format!("<section id=\"{section}\"")),
            "{section}"
        );
    }
    let drawings = page.matches("<svg").count();
    let named_charts = page.matches("role=\"img\"").count() + page.matches("aria-hidden").count();
    assert!(
        named_charts >= drawings,
        "{named_charts} of {drawings} drawings have a text"
    );
    // A page made from the statistics that a run has stored is the same, except for figures that a run does not count.
    dir.succeed("report graded.json -o of_run.html");
    assert!(dir.exists("of_run.html"));
    dir.succeed("report graded.parquet -o both.html --against set.csv");
    let both_page = String::from_utf8(dir.read("both.html")).unwrap();
    assert!(
        both_page.contains("rows of graded") && both_page.contains("rows of set"),
        "both names"
    );
    assert!(both_page.len() < 300_000, "{} bytes", both_page.len());
    dir.fail("report graded.parquet -o report.html", 4);
}

#[test]
fn grade_writes_the_page_of_its_rows() {
    let dir = TestDir::new();
    dir.write("p.txt", format!("{PUZZLE}\n{HARD_PUZZLE}\n"));
    dir.succeed("grade p.txt -o p.parquet --report p.html");
    assert!(
        dir.read("p.html")
            .starts_with(b"<!DOCTYPE html>\n<!-- pipeline report")
    );
    // The page of an earlier run is replaced. Other files are not.
    dir.succeed("grade p.txt -o q.parquet --report p.html");
    dir.write("mine.html", "<p>mine</p>");
    dir.fail("grade p.txt -o r.parquet --report mine.html", 4);
    assert_eq!(dir.read("mine.html"), b"<p>mine</p>");
    let message = dir.fail("grade p.txt -o r.parquet --report p.pdf", 2);
    assert!(
        message.contains("has to end with .json or .html"),
        "{message}"
    );
    let message = dir.fail("grade p.txt -o f/ --resume --report p.json", 2);
    assert!(message.contains("leave --resume out"), "{message}");
}

#[test]
fn the_card_of_a_dataset_has_a_yaml_header() {
    let dir = TestDir::new();
    write_graded(&dir);
    dir.succeed((
        "report graded.parquet --card README.md --title",
        &["My \"set\""],
    ));
    let card = String::from_utf8(dir.read("README.md")).unwrap();
    assert!(
        card.starts_with("---\npretty_name: \"My \\\"set\\\"\"\nsize_categories:\n- n<1K\n"),
        "{card}"
    );
    for part in [
        "    - \"graded.parquet\"\n---\n",
        "load_dataset(\"parquet\", data_files=[\"graded.parquet\"], split=\"train\")",
        "44 puzzles",
        "## What is wrong with it",
        "| rank | ",
    ] {
        assert!(card.contains(part), "{part}: {card}");
    }
}

/// Regression test: `stats` and `report` left their temporary files after SIGTERM, 9 of 9
/// times, and no later run removed them.
#[test]
fn a_signal_leaves_no_temporary_file_of_statistics_or_pages() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let dir = TestDir::new();
    let rows = format!("{PUZZLE}\n").repeat(30_000);
    for (arguments, output) in [
        (["stats", "-", "-o"], "stats.json"),
        (["stats", "-", "-o"], "stats.parquet"),
        (["report", "-", "-o"], "page.html"),
    ] {
        let mut command = dir.command(&[&arguments[..], &[output]].concat());
        let mut child = command
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // Standard input stays open, so that the run waits for more input.
        stdin
            .write_all(format!("puzzle\n{rows}").as_bytes())
            .unwrap();
        let pid = child.id().to_string();
        let kill = || Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        while dir.files().is_empty() {
            assert!(child.try_wait().unwrap().is_none(), "it ended");
            std::thread::sleep(Duration::from_millis(10));
        }
        kill();
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = child.kill();
        assert_eq!(child.wait().unwrap().code(), Some(143), "{arguments:?}");
        assert!(dir.files().is_empty(), "{:?}", dir.files());
    }
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\n"));
    for (arguments, output) in [
        (["stats", "in.csv"], "all.json"),
        (["report", "in.csv"], "all.html"),
    ] {
        dir.write(&format!(".{output}.a1B2c3.tmp"), "left");
        dir.succeed(&[&arguments[..], &["-o", output]].concat());
    }
    assert_eq!(dir.files(), ["all.html", "all.json", "in.csv"]);
}
