//! Tests runs whose inputs or outputs fail, and runs that a signal ends.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::util::{PUZZLE, TestDir, gzip, stderr};

/// Asserts that the run fails with this exit code and these words in its message, and leaves only the
/// input.
fn assert_refused(dir: &TestDir, input: &str, code: i32, words: &[&str]) {
    let files_before = dir.files();
    let message = dir.fail(&format!("grade {input} -o out.parquet"), code);
    for word in words {
        assert!(message.contains(word), "{word}: {message}");
    }
    assert_eq!(dir.files(), files_before);
}

#[test]
fn inputs_that_cannot_be_read_are_named() {
    let dir = TestDir::new();
    assert_refused(&dir, "missing.csv", 2, &["missing.csv", "no such file"]);
    std::fs::create_dir(dir.path("folder")).unwrap();
    assert_refused(&dir, "folder", 3, &["folder", "there is no file"]);
    dir.write("clues.csv", "id,clues\n1,24\n");
    assert_refused(
        &dir,
        "clues.csv",
        3,
        &["no puzzle column", "id, clues", "--puzzle-column"],
    );
    dir.write("fake.parquet", "this is no parquet file");
    assert_refused(
        &dir,
        "fake.parquet",
        3,
        &["fake.parquet", "Parquet", "byte"],
    );
    dir.write("utf16.csv", b"\xff\xfep\0u\0z\0");
    assert_refused(&dir, "utf16.csv", 3, &["UTF-16"]);
}

#[test]
fn a_truncated_or_damaged_gzip_file_is_an_error_with_its_position() {
    let dir = TestDir::new();
    let text: String = (0..3000).map(|id| format!("{PUZZLE} {id}\n")).collect();
    let compressed = gzip(text.as_bytes());
    for length in [30, compressed.len() / 2, compressed.len() - 1] {
        dir.write("cut.txt.gz", &compressed[..length]);
        let position_text = format!("byte {length}");
        assert_refused(
            &dir,
            "cut.txt.gz",
            3,
            &["cut.txt.gz", "truncated", &position_text],
        );
    }
    let mut damaged_gzip = compressed.clone();
    let crc = damaged_gzip.len() - 8;
    damaged_gzip[crc] ^= 1;
    dir.write("crc.txt.gz", &damaged_gzip);
    assert_refused(&dir, "crc.txt.gz", 3, &["crc.txt.gz", "byte"]);
    let two_members = [compressed.clone(), compressed].concat();
    dir.write("two.txt.gz", two_members);
    let summary = dir.summary("validate two.txt.gz");
    assert_eq!(summary["rows_in"], 6000, "every member of the file is read");
}

#[test]
fn damaged_parquet_files_are_errors_wherever_they_are_cut() {
    let dir = TestDir::new();
    dir.succeed("generate 200 --seed 1 -o good.parquet");
    let parquet_bytes = dir.read("good.parquet");
    for length in [4, 100, parquet_bytes.len() / 2, parquet_bytes.len() - 5] {
        dir.write("cut.parquet", &parquet_bytes[..length]);
        assert_refused(&dir, "cut.parquet", 3, &["cut.parquet", "Parquet"]);
    }
    let mut damaged_parquet = parquet_bytes;
    damaged_parquet[200..260].fill(0xff);
    dir.write("page.parquet", damaged_parquet);
    assert_refused(&dir, "page.parquet", 3, &["page.parquet"]);
}

#[test]
fn an_output_that_cannot_be_written_is_named() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let message = dir.fail("grade in.txt -o no/such/folder/out.csv", 2);
    assert!(message.contains("no/such/folder/out.csv"), "{message}");
    let message = dir.fail("grade in.txt -o out.what", 2);
    assert!(message.contains("--format"), "{message}");
}

/// An output that is a device is written directly, and not replaced.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_to_retry() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for format in ["csv", "parquet", "arrow"] {
        let arguments_for = |device| ["convert", "in.txt", "-o", device, "--format", format];
        let message = dir.fail(&arguments_for("/dev/full"), 1);
        let expected_message = "cannot write /dev/full: No space left on device (os error 28)";
        assert!(message.contains(expected_message), "{format}: {message}");
        assert_eq!(
            message.matches("No space").count(),
            1,
            "{format}: {message}"
        );
        dir.succeed(&arguments_for("/dev/null"));
    }
}

/// Runs `pipeline` in a shell, after a command such as `ulimit -n 8`.
#[cfg(target_os = "linux")]
fn run_after(dir: &TestDir, shell_command: &str, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_pipeline");
    let script = format!("{shell_command} && exec {program} {arguments}");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &script])
        .current_dir(dir.path(""))
        .env_clear();
    shell.output().unwrap()
}

/// A run with many workers needs no more open files for a folder than one that reads file by file.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_of_tables_is_read_with_few_open_files() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    let rows: String = (0..20_000).map(|row| format!("{PUZZLE},{row}\n")).collect();
    dir.write("one.csv", format!("puzzle,n\n{rows}"));
    dir.succeed("convert one.csv -o in/00.parquet");
    for file in 1..24 {
        std::fs::copy(
            dir.path("in/00.parquet"),
            dir.path(&format!("in/{file:02}.parquet")),
        )
        .unwrap();
    }
    let output = run_after(
        &dir,
        "ulimit -n 20",
        "convert in --threads 8 -o out.csv --summary s.json",
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let summary: serde_json::Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
    assert_eq!(summary["rows_in"], 24 * 20_000);
}

/// Both messages say how many files this process may have open, and how to raise the limit.
#[cfg(target_os = "linux")]
#[test]
fn too_many_open_files_have_an_advice_on_reading_and_on_writing() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    for file in 0..30 {
        dir.write(&format!("in/{file}.csv"), format!("puzzle\n{PUZZLE}\n"));
    }
    let mut seen = [false; 2];
    for limit in 4..=8 {
        let output = run_after(&dir, &format!("ulimit -n {limit}"), "convert in -o out.csv");
        let message = stderr(&output);
        if output.status.success() {
            break;
        }
        let advice = format!("this process may have {limit}; raise the limit with ulimit -n");
        assert!(message.contains(&advice), "{limit}: {message}");
        seen[0] |= message.contains("cannot read in/");
        seen[1] |= message.contains("cannot write out");
        assert_eq!(output.status.code(), Some(1), "{message}");
    }
    assert_eq!(seen, [true; 2], "reading and writing");
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_stack_is_enough() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\n"));
    for arguments in [
        "grade in.csv -o out.csv --overwrite",
        "explain --help",
        "grade in.csv",
    ] {
        let output = run_after(&dir, "ulimit -s 64", arguments);
        let code = if arguments.ends_with("in.csv") { 2 } else { 0 };
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments}: {}",
            stderr(&output)
        );
    }
}

/// Writes an input that takes so long to read that a signal can arrive meanwhile.
fn long_input(dir: &TestDir) {
    let hard_puzzle =
        "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6";
    dir.write("long.txt", format!("{hard_puzzle}\n").repeat(100_000));
}

#[test]
fn a_killed_run_leaves_no_file_with_the_final_name() {
    let dir = TestDir::new();
    long_input(&dir);
    let arguments = "grade long.txt -o out.parquet --threads 1";
    let mut child = dir
        .command(arguments)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while dir.files().len() < 2 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!dir.exists("out.parquet"));
    // Files that the killed run left do not block the next run.
    dir.write("short.txt", PUZZLE);
    dir.succeed("grade short.txt -o out.parquet");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_run_cleanly() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let dir = TestDir::new();
        long_input(&dir);
        let arguments = "grade long.txt -o out.parquet --threads 1";
        let child = dir
            .command(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while dir.files().len() < 2 && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let pid = child.id().to_string();
        std::process::Command::new("kill")
            .args([signal, &pid])
            .status()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("stopped by SIG"),
            "{}",
            stderr(&output)
        );
        assert_eq!(dir.files(), ["long.txt"]);
    }
}

/// Regression test: the technique full house found the last open cell of a row again and again, although the
/// cell had no candidate.
#[test]
fn a_puzzle_whose_last_open_cell_has_no_candidate_does_not_loop() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("12345678.........9{}\n", ".".repeat(63)));
    dir.succeed("grade in.txt -o out.csv");
    let table = String::from_utf8(dir.read("out.csv")).unwrap();
    assert!(table.contains(",none,0,"), "{table}");
}

/// A run must not write two outputs to the same path, and must not write to a path that it reads.
#[test]
fn no_path_is_written_twice_or_both_read_and_written() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\nbad\n"));
    dir.write("table.csv", "kept\n");
    std::fs::create_dir(dir.path("folder")).unwrap();
    dir.write("folder/a.txt", PUZZLE);
    let files_before = dir.tree(".");
    for (arguments, message) in [
        (&["-o", "b.csv", "--rejects", "b.csv"][..], "written twice"),
        (&["-o", "b.csv", "--rejects", "./b.csv"], "written twice"),
        (
            &["-o", "b.csv", "--summary", "folder/../b.csv"],
            "written twice",
        ),
        (
            &["-o", "b.csv", "--summary", "b.rejects.csv"],
            "written twice",
        ),
        (&["-o", "b.csv", "--metrics", "b.csv"], "written twice"),
        (
            &["-o", "b.csv", "--metrics", "in.csv"],
            "is not a metrics file",
        ),
        (
            &["-o", "b.csv", "--metrics", "table.csv"],
            "is not a metrics file",
        ),
        (&["-o", "b.csv", "--summary", "in.csv"], "is an input"),
        (&["folder", "-o", "folder/out/"], "is in folder"),
        (&["folder", "./folder/a.txt", "-o", "b.csv"], "named twice"),
        (&["./in.csv", "-o", "b.csv"], "named twice"),
    ] {
        let reported_message = dir.fail(("convert in.csv --overwrite", arguments), 2);
        assert!(reported_message.contains(message), "{reported_message}");
        assert!(dir.tree(".") == files_before, "{arguments:?}");
    }
    // An output folder inside the input folder is allowed if its name marks it as a folder without data.
    dir.succeed("convert folder -o folder/_out/");
    // A metrics file replaces an earlier metrics file.
    for _ in 0..2 {
        let metrics = ["-o", "t.csv", "--overwrite", "--metrics", "m.prom"];
        dir.succeed(("convert in.csv", &metrics));
    }
}

/// Regression test: a run that waited for input continued waiting after a signal.
#[cfg(unix)]
#[test]
fn one_signal_ends_a_run_that_waits_for_input() {
    use std::fs::File;
    use std::io::Write;

    let valid_rows = "puzzle\n".to_owned() + &format!("{PUZZLE}\n").repeat(3000);
    // The run waits in three situations: while it opens the second pipe, while it detects the format of the
    // first, and in the middle of its rows.
    for (inputs, written, is_closed) in [
        (&["one", "two"][..], "puzzle\n", true),
        (&["one"], "puz", false),
        (&["one"], &*valid_rows, false),
    ] {
        for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
            let dir = TestDir::new();
            for name in inputs {
                let mkfifo_status = std::process::Command::new("mkfifo")
                    .arg(dir.path(name))
                    .status();
                assert!(mkfifo_status.unwrap().success());
            }
            let convert_arguments = [&["convert"], inputs, &["-o", "out.csv"]].concat();
            let child = dir
                .command(&convert_arguments)
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // Opening returns when the run has opened the pipe. The run has installed its signal handlers before
            // that.
            let mut pipe = File::options().write(true).open(dir.path("one")).unwrap();
            pipe.write_all(written.as_bytes()).unwrap();
            let kept_open = (!is_closed).then_some(pipe);
            let pid = child.id().to_string();
            let kill_status = std::process::Command::new("kill")
                .args([signal, &pid])
                .status();
            assert!(kill_status.unwrap().success());
            let output = child.wait_with_output().unwrap();
            let message = stderr(&output);
            assert_eq!(output.status.code(), Some(code), "{message}");
            assert!(message.contains("stopped by SIG"), "{message}");
            assert_eq!(dir.files(), inputs);
            drop(kept_open);
        }
    }
}
