//! Tests options that all commands share: names, short forms, and logging.

use std::fs::File;
use std::process::Stdio;

use crate::util::{PUZZLE, SOLUTION, TestDir, stderr};

fn dir_with_inputs() -> TestDir {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nshort\n{PUZZLE}\n"));
    dir
}

#[test]
fn options_have_the_usual_short_forms() {
    let dir = dir_with_inputs();
    let arguments = ["grade", "in.txt", "-o", "out.csv", "-n", "1", "-j", "1"];
    dir.succeed(&[&arguments[..], &["-s", "puzzle,level"]].concat());
    let repeated_arguments = [&arguments[..], &["-s", "level", "-f", "-q"]].concat();
    let output = dir.run(&repeated_arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    assert_eq!(dir.read("out.csv"), b"level\neasy\n");
    // The options for logging are accepted before and after the name of the command.
    for arguments in [
        &["-v", "inspect", "in.txt"][..],
        &[
            "inspect",
            "in.txt",
            "--log-level=debug",
            "--log-format",
            "json",
        ],
    ] {
        dir.succeed(arguments);
    }
    let message = stderr(&dir.run("convert in.txt -o - --format=lines -v"));
    assert!(message.contains("reading in.txt"), "{message}");
}

#[test]
fn format_chooses_the_format_of_every_output() {
    let dir = dir_with_inputs();
    dir.write("ok.txt", PUZZLE);
    for [option, format] in [["--format", "lines"], ["--output-format", "lines"]] {
        let text = dir.succeed(&format!("solve ok.txt -o - {option} {format}"));
        assert_eq!(text, format!("{PUZZLE},{SOLUTION}\n"));
    }
    for variable in ["PIPELINE_FORMAT", "PIPELINE_OUTPUT_FORMAT"] {
        let mut command = dir.command("solve ok.txt -o -");
        let output = command.env(variable, "lines").output().unwrap();
        assert_eq!(
            output.stdout,
            format!("{PUZZLE},{SOLUTION}\n").as_bytes(),
            "{variable}"
        );
    }
    let two_variables = [
        ("PIPELINE_OUTPUT_FORMAT", "csv"),
        ("PIPELINE_FORMAT", "lines"),
    ];
    let output = dir
        .command("solve ok.txt -o -")
        .envs(two_variables)
        .output()
        .unwrap();
    assert!(output.stdout.starts_with(PUZZLE.as_bytes()));
    for [now, before] in [["--format=json", "--json"], ["--format=html", "--html"]] {
        let (now, before) = (["explain", PUZZLE, now], ["explain", PUZZLE, before]);
        assert_eq!(dir.succeed(&now), dir.succeed(&before));
    }
    let inspected =
        ["--format=json", "--json"].map(|option| dir.succeed(&format!("inspect in.txt {option}")));
    assert_eq!(inspected[0], inspected[1]);
    // `PIPELINE_FORMAT` is meant for scheduled jobs, so commands whose output is for people ignore it.
    let mut command = dir.command("inspect in.txt");
    let output = command.env("PIPELINE_FORMAT", "parquet").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn validation_failures_are_listed_in_any_format() {
    let dir = dir_with_inputs();
    let csv = dir.run("validate in.txt --format csv");
    let header = b"source,row,line,byte_offset,why,message,raw\nin.txt,1,2,";
    assert!(csv.stdout.starts_with(header), "{csv:?}");
    let [json, ndjson] =
        ["json", "ndjson"].map(|format| dir.run(&format!("validate in.txt --format {format}")));
    assert_eq!(json.stdout, ndjson.stdout);
    let message = dir.fail("validate in.txt --format=text -o x.csv", 2);
    assert!(message.contains("--format text"), "{message}");
}

/// Regression test: every run was aborted (SIGABRT) by a log that could not be written.
#[test]
fn a_log_that_cannot_be_written_does_not_end_the_run() {
    let dir = dir_with_inputs();
    let logs: [fn() -> Stdio; 2] = [
        || {
            File::options()
                .write(true)
                .open("/dev/full")
                .unwrap()
                .into()
        },
        // The reading end of this pipe is closed.
        || std::io::pipe().unwrap().1.into(),
    ];
    for log in logs {
        for (arguments, code) in [
            (
                &[
                    "convert",
                    "in.txt",
                    "-o",
                    "-",
                    "--format=lines",
                    "--summary",
                    "s.json",
                ][..],
                0,
            ),
            (
                &[
                    "convert",
                    "in.txt",
                    "-o",
                    "-",
                    "--format=lines",
                    "--log-format=json",
                ],
                0,
            ),
            (
                &[
                    "convert",
                    "in.txt",
                    "-o",
                    "-",
                    "--format=lines",
                    "--progress=always",
                ],
                0,
            ),
            (&["validate", "in.txt"], 3),
            (&["convert", "none.txt", "-o", "-", "--format=lines"], 2),
        ] {
            let output = dir.command(arguments).stderr(log()).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{arguments:?}");
            if code == 0 {
                assert_eq!(
                    output.stdout,
                    format!("{PUZZLE}\n{PUZZLE}\n").as_bytes(),
                    "{arguments:?}"
                );
            }
        }
        assert!(dir.exists("s.json"));
        std::fs::remove_file(dir.path("s.json")).unwrap();
    }
}
