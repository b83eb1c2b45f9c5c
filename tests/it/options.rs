//! Options that all commands share: their names, their short forms, and the log.

use std::fs::File;
use std::process::Stdio;

use crate::util::{PUZZLE, Place, SOLUTION, stderr};

fn place() -> Place {
    let place = Place::new();
    place.write("in.txt", format!("{PUZZLE}\nshort\n{PUZZLE}\n"));
    place
}

#[test]
fn short_forms_are_those_that_everybody_has() {
    let place = place();
    let arguments = ["grade", "in.txt", "-o", "out.csv", "-n", "1", "-j", "1"];
    place.succeed(&[&arguments[..], &["-s", "puzzle,level"]].concat());
    let again = [&arguments[..], &["-s", "level", "-f", "-q"]].concat();
    let output = place.run(&again);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    assert_eq!(place.read("out.csv"), b"level\neasy\n");
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
        place.succeed(arguments);
    }
    let said = stderr(&place.run("convert in.txt -o - --format=lines -v"));
    assert!(said.contains("reading in.txt"), "{said}");
}

#[test]
fn format_chooses_the_format_of_every_output() {
    let place = place();
    place.write("ok.txt", PUZZLE);
    for [option, format] in [["--format", "lines"], ["--output-format", "lines"]] {
        let text = place.succeed(&format!("solve ok.txt -o - {option} {format}"));
        assert_eq!(text, format!("{PUZZLE},{SOLUTION}\n"));
    }
    for variable in ["PIPELINE_FORMAT", "PIPELINE_OUTPUT_FORMAT"] {
        let mut command = place.command("solve ok.txt -o -");
        let output = command.env(variable, "lines").output().unwrap();
        assert_eq!(
            output.stdout,
            format!("{PUZZLE},{SOLUTION}\n").as_bytes(),
            "{variable}"
        );
    }
    let both = [
        ("PIPELINE_OUTPUT_FORMAT", "csv"),
        ("PIPELINE_FORMAT", "lines"),
    ];
    let output = place
        .command("solve ok.txt -o -")
        .envs(both)
        .output()
        .unwrap();
    assert!(output.stdout.starts_with(PUZZLE.as_bytes()));
    for [now, before] in [["--format=json", "--json"], ["--format=html", "--html"]] {
        let (now, before) = (["explain", PUZZLE, now], ["explain", PUZZLE, before]);
        assert_eq!(place.succeed(&now), place.succeed(&before));
    }
    let inspected = ["--format=json", "--json"]
        .map(|option| place.succeed(&format!("inspect in.txt {option}")));
    assert_eq!(inspected[0], inspected[1]);
    // The variable is for jobs, and does not apply to commands whose output is for people.
    let mut command = place.command("inspect in.txt");
    let output = command.env("PIPELINE_FORMAT", "parquet").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn failures_are_listed_in_any_format() {
    let place = place();
    let csv = place.run("validate in.txt --format csv");
    let header = b"source,row,line,byte_offset,why,message,raw\nin.txt,1,2,";
    assert!(csv.stdout.starts_with(header), "{csv:?}");
    let [json, ndjson] =
        ["json", "ndjson"].map(|format| place.run(&format!("validate in.txt --format {format}")));
    assert_eq!(json.stdout, ndjson.stdout);
    let said = place.fail("validate in.txt --format=text -o x.csv", 2);
    assert!(said.contains("--format text"), "{said}");
}

/// Regression test: every run was aborted (SIGABRT) by a log that could not be written.
#[test]
fn a_log_that_cannot_be_written_does_not_end_the_run() {
    let place = place();
    let logs: [fn() -> Stdio; 2] = [
        || {
            File::options()
                .write(true)
                .open("/dev/full")
                .unwrap()
                .into()
        },
        // A pipe whose reader has closed it.
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
            let output = place.command(arguments).stderr(log()).output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{arguments:?}");
            if code == 0 {
                assert_eq!(
                    output.stdout,
                    format!("{PUZZLE}\n{PUZZLE}\n").as_bytes(),
                    "{arguments:?}"
                );
            }
        }
        assert!(place.exists("s.json"));
        std::fs::remove_file(place.path("s.json")).unwrap();
    }
}
