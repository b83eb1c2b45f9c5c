//! Tests that all outputs of a run are published together or not at all, and that only one run at a time writes
//! them.

use std::os::unix::fs::PermissionsExt;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use crate::util::{PUZZLE, TestDir, stderr};

/// Runs shell commands such as `ulimit` and then, in the same shell, the program with these arguments.
fn run_after_shell_commands(dir: &TestDir, before: &str, arguments: &[&str]) -> Output {
    let pipeline = env!("CARGO_BIN_EXE_pipeline");
    let script = format!("{before} exec \"$@\"");
    std::process::Command::new("bash")
        .current_dir(dir.path(""))
        .args([&["-c", &script, "-", pipeline], arguments].concat())
        .output()
        .unwrap()
}

/// A run that has claimed its output by a lock, and waits for standard input.
struct Waiting(std::process::Child);

impl Waiting {
    fn start(dir: &TestDir, arguments: &[&str], claim: &str) -> Waiting {
        let mut child = dir
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The first bytes are enough for the run to detect the format. It then waits for more.
        use std::io::Write;
        let text = format!("{PUZZLE}\n").repeat(4000);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(text.as_bytes()).unwrap();
        child.stdin = Some(stdin);
        let start = Instant::now();
        while !dir.exists(claim) {
            assert!(start.elapsed() < Duration::from_secs(60), "no claim");
            std::thread::sleep(Duration::from_millis(5));
        }
        Waiting(child)
    }

    fn end_input(mut self) -> Output {
        drop(self.0.stdin.take());
        self.0.wait_with_output().unwrap()
    }
}

/// Regression test: no message said that another run is writing the same file.
#[test]
fn a_second_run_into_the_same_file_fails_and_names_the_first() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nbad\n"));
    for options in [&[][..], &["--overwrite"]] {
        let first_arguments = [&["convert", "-", "-o", "out.csv"], options].concat();
        let first_run = Waiting::start(&dir, &first_arguments, ".out.csv.lock");
        let pid = first_run.0.id().to_string();
        for other in [
            &["convert", "in.txt", "-o", "out.csv"][..],
            &["convert", "in.txt", "-o", "./out.csv", "--overwrite"],
            &["generate", "3", "--seed", "1", "-o", "out.csv"],
            &["dedup", "in.txt", "-o", "x.csv", "--duplicates", "out.csv"],
        ] {
            let message = dir.fail(other, 1);
            assert!(message.contains(&format!("process {pid} on ")), "{message}");
            assert!(!dir.exists("x.csv"));
        }
        let output = first_run.end_input();
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(dir.files(), ["in.txt", "out.csv"]);
    }
    // When the first run has been killed, another run can claim the output.
    let overwrite_arguments = ["convert", "-", "-o", "out.csv", "--overwrite"];
    let mut overwriting_run = Waiting::start(&dir, &overwrite_arguments, ".out.csv.lock");
    overwriting_run.0.kill().unwrap();
    overwriting_run.0.wait().unwrap();
    dir.succeed("convert in.txt -o out.csv --overwrite");
    assert_eq!(dir.files(), ["in.txt", "out.csv", "out.rejects.csv"]);
}

/// Regression test: rejects, duplicates and the table were published although
/// the summary could not be written.
#[test]
fn a_file_that_cannot_be_written_leaves_the_whole_old_set() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nbad\n{PUZZLE}\n"));
    dir.write("old.txt", format!("{PUZZLE}\n"));
    let run_dedup = |input| {
        let dedup_arguments = ["dedup", input, "-o", "out.csv", "--rejects", "bad.csv"];
        [
            &dedup_arguments[..],
            &["--duplicates", "twice.csv", "--summary", "s/s.json"],
        ]
        .concat()
    };
    std::fs::create_dir(dir.path("s")).unwrap();
    // The summary cannot be written, because its folder is renamed while the run waits for its input.
    let run_with_blocked_summary = |options: &[&str]| {
        let arguments = [&run_dedup("-")[..], options].concat();
        let first_run = Waiting::start(&dir, &arguments, ".out.csv.lock");
        std::fs::rename(dir.path("s"), dir.path("gone")).unwrap();
        let output = first_run.end_input();
        std::fs::rename(dir.path("gone"), dir.path("s")).unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("s/s.json"), "{}", stderr(&output));
    };
    let files_before = dir.tree(".");
    run_with_blocked_summary(&[]);
    assert!(dir.tree(".") == files_before, "{:?}", dir.tree(".").keys());
    dir.succeed(&run_dedup("in.txt"));
    let old_files = dir.tree(".");
    run_with_blocked_summary(&["--overwrite"]);
    assert!(dir.tree(".") == old_files, "{:?}", dir.tree(".").keys());
    dir.succeed(&[&run_dedup("old.txt")[..], &["--overwrite"]].concat());
    let duplicates = String::from_utf8(dir.read("twice.csv")).unwrap();
    assert_eq!(duplicates.lines().count(), 1);
}

/// The next run undoes the publishing steps of a run that was killed while it published its files.
#[test]
fn the_publishing_steps_of_a_killed_run_are_undone() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nbad\n"));
    let arguments = "convert in.txt -o out.csv --rejects bad.csv";
    dir.succeed(arguments);
    let expected_files = dir.tree(".");
    let path_text = |name: &str| dir.path(name).to_str().unwrap().to_owned();
    let publishing_step = |staged: &str, file: &str, aside: Option<&str>, bytes: u64| serde_json::json!({ "staged": path_text(staged), "place": path_text(file), "aside": aside.map(path_text), "bytes": bytes });
    // A state in the middle of publishing: the old table has a temporary name, the new rejects already have their final
    // name, and the new table does not.
    std::fs::rename(dir.path("out.csv"), dir.path(".out.csv.aaaaaa.tmp")).unwrap();
    std::fs::rename(dir.path("bad.csv"), dir.path(".bad.csv.aaaaaa.tmp")).unwrap();
    dir.write("bad.csv", "new");
    dir.write(".out.csv.bbbbbb.tmp", "new");
    let publishing_steps = [
        publishing_step(
            ".bad.csv.bbbbbb.tmp",
            "bad.csv",
            Some(".bad.csv.aaaaaa.tmp"),
            3,
        ),
        publishing_step(
            ".out.csv.bbbbbb.tmp",
            "out.csv",
            Some(".out.csv.aaaaaa.tmp"),
            3,
        ),
    ];
    let claim_note = serde_json::json!({ "process": 1, "host": "h", "steps": publishing_steps });
    dir.write(".out.csv.lock", claim_note.to_string());
    // A run without `--overwrite` restores the old files, and then refuses to replace them.
    dir.fail(arguments, 4);
    assert!(
        dir.tree(".") == expected_files,
        "{:?}",
        dir.tree(".").keys()
    );

    // If there were no old files, undoing leaves no files, and the same command succeeds.
    std::fs::remove_file(dir.path("out.csv")).unwrap();
    let bytes = dir.read("bad.csv").len() as u64;
    let publishing_steps = [
        publishing_step(".bad.csv.bbbbbb.tmp", "bad.csv", None, bytes),
        publishing_step(".out.csv.bbbbbb.tmp", "out.csv", None, 3),
    ];
    let claim_note = serde_json::json!({ "process": 1, "host": "h", "steps": publishing_steps });
    dir.write(".out.csv.lock", claim_note.to_string());
    dir.write(".out.csv.bbbbbb.tmp", "new");
    dir.succeed(arguments);
    assert!(
        dir.tree(".") == expected_files,
        "{:?}",
        dir.tree(".").keys()
    );
}

/// A failed run leaves a lock file with the names of its files. In a copy of the folder, this lock file refers to the
/// files of the copy, and not to the original files.
#[test]
fn a_copy_of_a_folder_does_not_reach_the_files_of_the_first() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("a")).unwrap();
    dir.write("a/in.txt", format!("{PUZZLE}\nbad\n"));
    let run_convert = |folder: &str, more: &[&str]| {
        let names = ["in.txt", "out.csv", "bad.csv"].map(|name| format!("{folder}/{name}"));
        let [input, output, rejects] = names.each_ref().map(String::as_str);
        let arguments = ["convert", input, "-o", output, "--rejects", rejects];
        dir.run(&[&arguments[..], more].concat())
    };
    let failed_run = run_convert("a", &["--max-rejects", "0"]);
    assert_eq!(failed_run.status.code(), Some(3), "{}", stderr(&failed_run));
    std::fs::create_dir(dir.path("b")).unwrap();
    for (name, bytes) in dir.tree("a") {
        dir.write(&format!("b/{name}"), bytes);
    }
    let first_files = dir.tree("a");
    let second_run = run_convert("b", &[]);
    assert!(second_run.status.success(), "{}", stderr(&second_run));
    assert!(dir.tree("a") == first_files, "{:?}", dir.tree("a").keys());
    assert!(dir.exists("b/out.csv") && !dir.exists("b/.out.csv.lock"));
}

/// Regression test: the rejects that a failed run kept blocked the next run.
#[test]
fn too_many_rejects_neither_block_the_next_run_nor_replace_files() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nbad\n"));
    dir.write("good.txt", format!("{PUZZLE}\n"));
    let arguments = ["convert", "in.txt", "-o", "out.csv", "--rejects", "bad.csv"];
    let strict_arguments = [&arguments[..], &["--max-rejects", "0"]].concat();
    for _ in 0..2 {
        let message = dir.fail(&strict_arguments, 3);
        assert!(message.contains("they are in bad.csv"), "{message}");
        assert!(dir.exists("bad.csv") && !dir.exists("out.csv"));
    }
    dir.succeed(&arguments);
    let old_files = dir.tree(".");
    let message = dir.fail(&[&strict_arguments[..], &["--overwrite"]].concat(), 3);
    assert!(message.contains("they are in bad.failed.csv"), "{message}");
    let failed_rejects = dir.read("bad.failed.csv");
    assert_eq!(failed_rejects, dir.read("bad.csv"));
    let mut files_now = dir.tree(".");
    files_now.remove("bad.failed.csv");
    files_now.remove(".out.csv.lock");
    assert!(files_now == old_files, "{:?}", files_now.keys());
    dir.succeed(&[&arguments[..], &["--overwrite"]].concat());
    assert!(!dir.exists("bad.failed.csv") && !dir.exists(".out.csv.lock"));
    // A file that is not a rejects table is not removed, even if it has the name of one.
    dir.write("t.rejects.csv", "mine\n");
    dir.succeed("convert good.txt -o t.csv --overwrite");
    assert_eq!(dir.read("t.rejects.csv"), b"mine\n");
}

/// Regression test: SIGXFSZ ended every command without a message.
#[test]
fn a_file_that_grows_beyond_the_limit_is_an_error_of_writing() {
    let dir = TestDir::new();
    dir.succeed("generate 3000 --seed 1 -o in.txt");
    let into_arguments = ["--into", "a=0.5,b=0.5"];
    for (command, output, more) in [
        ("convert", "out.csv", &[][..]),
        ("convert", "out.parquet", &[]),
        ("convert", "out.arrow", &[]),
        ("convert", "parts/", &[]),
        ("convert", "parts/", &["--overwrite"]),
        ("split", "parts/", &into_arguments),
    ] {
        let arguments = [&[command, "in.txt", "-o", output], more].concat();
        let failed_run = run_after_shell_commands(&dir, "ulimit -f 4;", &arguments);
        let message = stderr(&failed_run);
        assert_eq!(failed_run.status.code(), Some(1), "{message}");
        assert!(message.contains("File too large"), "{message}");
        // The message shows the name of the output, not the hidden name of a part.
        let names_output = message.contains(&format!("cannot write {output}"));
        assert!(names_output && !message.contains(".tmp"), "{message}");
        assert_eq!(dir.files(), ["in.txt"]);
    }
}

/// Regression test: a card was written without its page.
#[test]
fn a_card_its_picture_and_its_page_are_published_together() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n"));
    dir.succeed("grade in.txt -o graded.csv");
    let arguments = [
        "report",
        "graded.csv",
        "-o",
        "page.html",
        "--card",
        "card.md",
    ];
    let failed_run = run_after_shell_commands(&dir, "ulimit -f 4;", &arguments);
    let message = stderr(&failed_run);
    assert_eq!(failed_run.status.code(), Some(1), "{message}");
    assert!(message.contains("File too large"), "{message}");
    assert_eq!(dir.files(), ["graded.csv", "in.txt"]);
    dir.succeed(&arguments);
    let files = ["card.md", "card.svg", "graded.csv", "in.txt", "page.html"];
    assert_eq!(dir.files(), files);
    // If the page already exists, none of the files is written.
    for name in ["card.md", "card.svg"] {
        std::fs::remove_file(dir.path(name)).unwrap();
    }
    dir.fail(&arguments, 4);
    assert_eq!(dir.files(), ["graded.csv", "in.txt", "page.html"]);
}

/// Regression test: with a closed standard output, the command reported "99 written to -" and exit
/// code 0.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_is_an_error() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n"));
    let arguments = ["convert", "in.txt", "-o", "-", "--output-format", "csv"];
    let output = run_after_shell_commands(&dir, "exec >&-;", &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let message = stderr(&output);
    assert!(
        message.contains("standard output: it is closed"),
        "{message}"
    );
    let summary = ["convert", "in.txt", "-o", "out.csv", "--summary", "-"];
    let output = run_after_shell_commands(&dir, "exec >&-;", &summary);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(dir.files(), ["in.txt"]);
    for open in ["exec >/dev/null;", "exec 1<>/dev/null;"] {
        assert!(
            run_after_shell_commands(&dir, open, &arguments)
                .status
                .success()
        );
    }
}

/// Regression test: outputs with names of the maximum length failed, and replaced files lost their
/// permissions.
#[test]
fn the_longest_names_are_written_and_a_replaced_file_keeps_its_mode() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\nbad\n"));
    for length in [240, 251] {
        let name = format!("{}.csv", "x".repeat(length));
        dir.succeed(&format!("convert in.txt -o {name}"));
        assert!(dir.exists(&name));
    }
    assert_eq!(dir.files().len(), 5, "{:?}", dir.files());
    dir.succeed("convert in.txt -o out.csv");
    let file_mode = |name: &str| {
        let metadata = std::fs::metadata(dir.path(name)).unwrap();
        metadata.permissions().mode() & 0o777
    };
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(dir.path("out.csv"), private).unwrap();
    dir.succeed("convert in.txt -o out.csv --overwrite");
    assert_eq!(file_mode("out.csv"), 0o600);
    assert_ne!(file_mode("out.rejects.csv"), 0o600);
}

/// Regression test: 500 partition folders exceeded the 256 open files of macOS.
#[test]
fn many_folders_are_written_with_few_open_files() {
    let dir = TestDir::new();
    let rows: String = (0..300).map(|tag| format!("{PUZZLE},{tag}\n")).collect();
    dir.write("in.csv", format!("puzzle,tag\n{rows}"));
    let arguments_for = |output| ["convert", "in.csv", "-o", output, "--partition-by", "tag"];
    dir.succeed(&arguments_for("whole/"));
    for limit in [
        "ulimit -Sn 64;",
        "ulimit -n 256;",
        "ulimit -n 64;",
        "ulimit -n 48;",
    ] {
        let output = run_after_shell_commands(&dir, limit, &arguments_for("out/"));
        assert!(output.status.success(), "{limit} {}", stderr(&output));
        assert!(dir.tree("out") == dir.tree("whole"), "{limit}");
        std::fs::remove_dir_all(dir.path("out")).unwrap();
    }
}

/// Regression test: the exit code was 2, for which schedulers do not retry.
#[test]
fn a_system_that_cannot_start_threads_is_an_error_to_retry() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n"));
    if std::process::Command::new("strace")
        .arg("-V")
        .output()
        .is_err()
    {
        eprintln!("strace is not installed: tests/commits/commits.py checks this");
        return;
    }
    for first in ["1", "2", "5"] {
        let missing_threads =
            format!("strace -f -o /dev/null -e inject=clone3,clone:error=EAGAIN:when={first}+");
        let arguments = ["convert", "in.txt", "-o", "out.csv", "--threads", "4"];
        let pipeline = env!("CARGO_BIN_EXE_pipeline");
        let output = std::process::Command::new("sh")
            .current_dir(dir.path(""))
            .args(
                [
                    &[
                        "-c",
                        &format!("exec {missing_threads} \"$@\""),
                        "-",
                        pipeline,
                    ],
                    &arguments[..],
                ]
                .concat(),
            )
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert_eq!(dir.files(), ["in.txt"]);
    }
}
