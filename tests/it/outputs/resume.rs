//! Tests `--resume`: runs that are stopped or killed, and then resumed.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::util::{PUZZLE, TestDir, gzip, stderr};

/// Writes twenty inputs, whose processing takes long enough to be interrupted.
fn write_twenty_inputs(dir: &TestDir) {
    std::fs::create_dir(dir.path("raw")).unwrap();
    for part in 0..20 {
        let (name, seed) = (format!("raw/{part:02}.csv"), part.to_string());
        dir.succeed(&format!("generate 150 --seed {seed} -o {name}"));
    }
    dir.write(
        "raw/07.csv",
        [dir.read("raw/07.csv"), b"bad,\n".to_vec()].concat(),
    );
}

const GRADE_ARGUMENTS: [&str; 6] = ["grade", "raw", "-o", "out/", "--partition-by", "level"];

/// Sends a signal to the run after some time. Returns the exit code; `None` if the signal ended the run.
pub(super) fn kill_after(
    dir: &TestDir,
    arguments: &[&str],
    millis: u64,
    signal: &str,
) -> Option<i32> {
    let mut child = dir
        .command(arguments)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(millis));
    let pid = child.id().to_string();
    let _ = std::process::Command::new("kill")
        .args([signal, &pid])
        .stderr(Stdio::null())
        .status();
    child.wait().unwrap().code()
}

/// Runs without a signal into the folder `whole`, and returns the duration in milliseconds.
fn milliseconds_without_kill(dir: &TestDir) -> u64 {
    let start = Instant::now();
    dir.succeed(&[&GRADE_ARGUMENTS[..3], &["whole/"], &GRADE_ARGUMENTS[4..]].concat());
    start.elapsed().as_millis() as u64
}

/// The files of a folder that are visible to readers.
fn visible_files(mut files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    files.retain(|name, _| !name.split('/').any(|part| part.starts_with('.')));
    files
}

/// Kills a run at random moments and resumes it. `KILLS=N` sets the number of kills.
#[test]
fn a_run_that_is_killed_and_resumed_gives_the_same_output() {
    let kills = std::env::var("KILLS").map_or(6, |kills| kills.parse().unwrap());
    let dir = TestDir::new();
    write_twenty_inputs(&dir);
    let millis = milliseconds_without_kill(&dir);
    let expected_tree = dir.tree("whole");
    let seed = 50;
    let mut rng = sudoku_core::random::Rng::new(seed);
    let mut killed_count = 0;
    for kill in 0..kills {
        let kill_time = rng.below(millis as usize + 1) as u64;
        eprintln!("seed {seed}, kill {kill} after {kill_time} ms");
        let resume_arguments = [&GRADE_ARGUMENTS[..], &["--resume"]].concat();
        if kill_after(&dir, &resume_arguments, kill_time, "-KILL").is_none() {
            killed_count += 1;
            // If the marker `_SUCCESS` exists, the run was killed after it had published everything. The visible files
            // are then complete, and only hidden files may be left.
            assert!(!dir.exists("out/_SUCCESS") || visible_files(dir.tree("out")) == expected_tree);
        }
        if rng.below(2) == 0 {
            // The run is killed a second time.
            kill_after(&dir, &resume_arguments, kill_time / 2, "-KILL");
        }
        dir.succeed(&resume_arguments);
        let output_tree = dir.tree("out");
        assert!(
            output_tree.keys().eq(expected_tree.keys()),
            "{:?}",
            output_tree.keys()
        );
        assert!(output_tree == expected_tree);
        std::fs::remove_dir_all(dir.path("out")).unwrap();
    }
    eprintln!("{killed_count} of {kills} runs were killed before their end");
}

/// A run that is killed right at its start leaves an empty folder, or a journal without entries. The next run can
/// continue in this folder.
#[test]
fn the_folder_of_a_run_killed_at_its_start_can_be_resumed() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    dir.succeed("grade in.txt -o whole/");
    for option in [&[][..], &["--resume"], &["--overwrite"]] {
        for left in [&[][..], &[".lock"], &["_journal.ndjson"], &["_journal.new"]] {
            let unfinished = dir.path("out/.unfinished");
            std::fs::create_dir_all(&unfinished).unwrap();
            for name in left {
                match *name {
                    ".lock" => dir.write("out/.lock", ""),
                    name => std::fs::write(unfinished.join(name), "").unwrap(),
                }
            }
            let arguments = [&["grade", "in.txt", "-o", "out/"], option].concat();
            dir.succeed(&arguments);
            assert!(dir.tree("out") == dir.tree("whole"), "{option:?} {left:?}");
            std::fs::remove_dir_all(dir.path("out")).unwrap();
        }
    }
}

/// Regression test: the parts of inputs that are gone were silently removed.
#[test]
fn the_parts_of_inputs_that_are_gone_stay_until_they_are_pruned() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("raw")).unwrap();
    for name in ["raw/a.csv", "raw/b.csv"] {
        dir.write(name, format!("puzzle\n{PUZZLE}\n"));
    }
    let arguments = ["convert", "raw", "-o", "out/", "--resume"];
    dir.succeed(&arguments);
    let tree_of_both = dir.tree("out");
    std::fs::rename(dir.path("raw/a.csv"), dir.path("a.csv")).unwrap();
    let part_names = |tree: &std::collections::BTreeMap<String, Vec<u8>>| {
        let names = tree.keys().filter(|name| name.starts_with("part-"));
        names.cloned().collect::<Vec<_>>()
    };
    for _ in 0..2 {
        let output = dir.run(&arguments);
        let message = crate::util::stderr(&output);
        assert!(output.status.success(), "{message}");
        assert!(
            message.contains("raw/a.csv; their parts stay; --prune removes"),
            "{message}"
        );
        assert_eq!(part_names(&dir.tree("out")), part_names(&tree_of_both));
    }
    // In another format, the parts of gone inputs do not fit into one table with the new parts.
    let other_options = [&arguments[..], &["--format", "csv"]].concat();
    let message = dir.fail(&other_options, 4);
    assert!(
        message.contains("the parts of 1 input that is gone (raw/a.csv"),
        "{message}"
    );
    assert_eq!(part_names(&dir.tree("out")), part_names(&tree_of_both));
    let is_left = dir.path("out/.unfinished").exists();
    assert!(!is_left, "a refused run leaves nothing");
    // When the deleted input exists again, it still counts as completed.
    std::fs::rename(dir.path("a.csv"), dir.path("raw/a.csv")).unwrap();
    let original_options = [&arguments[..], &["--summary", "-"]].concat();
    let summary: serde_json::Value = serde_json::from_str(&dir.succeed(&original_options)).unwrap();
    assert_eq!(summary["inputs_kept"], 2);
    assert!(dir.tree("out") == tree_of_both);
    std::fs::remove_file(dir.path("raw/a.csv")).unwrap();
    let prune_arguments = [&arguments[..], &["--prune"]].concat();
    dir.succeed(&prune_arguments);
    assert_eq!(part_names(&dir.tree("out")).len(), 1);
    dir.fail("convert raw -o out/ --prune", 2);
}

#[test]
fn a_resumed_run_processes_only_new_or_changed_inputs() {
    let dir = TestDir::new();
    write_twenty_inputs(&dir);
    dir.succeed(&GRADE_ARGUMENTS);
    let resume_run = |more: &[&str]| {
        let arguments = [
            &GRADE_ARGUMENTS[..],
            more,
            &["--resume", "--summary", "s.json", "--overwrite"],
        ]
        .concat();
        let arguments: Vec<_> = arguments
            .into_iter()
            .filter(|a| *a != "--overwrite")
            .collect();
        let _ = std::fs::remove_file(dir.path("s.json"));
        dir.succeed(&arguments);
        let summary: serde_json::Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
        (
            summary["inputs_kept"].as_u64().unwrap(),
            summary["rows_in"].as_u64().unwrap(),
        )
    };
    assert_eq!(resume_run(&[]), (20, 3001));
    dir.write("raw/05.csv", format!("puzzle\n{PUZZLE}\n"));
    assert_eq!(resume_run(&[]), (19, 2852));
    dir.write("raw/zz.csv", format!("puzzle,solution\n{PUZZLE},\n"));
    std::fs::remove_file(dir.path("raw/00.csv")).unwrap();
    let has_first_part = || dir.tree("out").keys().any(|file| file.contains("part-00-"));
    assert_eq!(resume_run(&[]), (19, 2853));
    assert!(has_first_part());
    assert_eq!(resume_run(&["--prune"]), (20, 2703));
    assert!(!has_first_part());
    let part_name = dir
        .tree("out")
        .into_keys()
        .find(|file| file.contains("part-03-"))
        .unwrap();
    dir.write(&format!("out/{part_name}"), "cut");
    assert_eq!(resume_run(&[]), (19, 2703));
    // With other options, all inputs are processed again.
    assert_eq!(resume_run(&["--ladder", "basic"]), (0, 2703));
    // The folder is the same as after a single run without interruption.
    let output_tree = dir.tree("out");
    std::fs::remove_dir_all(dir.path("out")).unwrap();
    dir.succeed(&[&GRADE_ARGUMENTS[..], &["--ladder", "basic"]].concat());
    assert!(dir.tree("out") == output_tree);
}

/// The rejects that earlier runs have written count towards the limit, too.
#[test]
fn the_limit_of_rejects_applies_to_the_whole_folder() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("raw")).unwrap();
    for name in ["raw/a.csv", "raw/b.csv"] {
        dir.write(name, format!("puzzle\n{PUZZLE}\nbad\nworse\n{PUZZLE}\n"));
    }
    let resume_arguments = ["convert", "raw", "-o", "out/", "--resume"];
    let with_reject_limit = |limit| [&resume_arguments[..], &["--max-rejects", limit]].concat();
    let message = dir.fail(&with_reject_limit("3"), 3);
    assert!(message.contains("4 of 8 records"), "{message}");
    // `a.csv` is complete. Its rejects count towards the limit of a run that only processes `b.csv`, or no
    // input.
    for rejects in ["3", "49%"] {
        let message = dir.fail(&with_reject_limit(rejects), 3);
        assert!(message.contains("4 of 8 records"), "{message}");
    }
    dir.succeed(&resume_arguments);
    dir.fail(&with_reject_limit("3"), 3);
    dir.succeed(&with_reject_limit("4"));
    assert!(dir.exists("out/_SUCCESS"));
}

#[test]
fn the_part_of_a_damaged_input_is_kept_only_with_keep_going() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("raw")).unwrap();
    dir.write("raw/a.csv", format!("puzzle\n{PUZZLE}\n"));
    let compressed = gzip(format!("puzzle\n{}", format!("{PUZZLE}\n").repeat(3)).as_bytes());
    dir.write("raw/b.csv.gz", &compressed[..compressed.len() - 8]);
    let arguments = ["convert", "raw", "-o", "out/", "--resume"];
    let keep_going_arguments = [&arguments[..], &["--max-damaged=100%", "--summary", "-"]].concat();
    let kept_inputs = || {
        let summary: serde_json::Value =
            serde_json::from_str(&dir.succeed(&keep_going_arguments)).unwrap();
        summary["inputs_kept"].as_u64()
    };
    assert_eq!(kept_inputs(), Some(0));
    assert_eq!(kept_inputs(), Some(2));
    // As long as the input is damaged, each run says so.
    let message = dir.fail(&[&arguments[..], &["--keep-going"]].concat(), 5);
    assert!(message.contains("1 of 2 inputs is damaged"), "{message}");
    let message = dir.fail(&arguments, 3);
    assert!(message.contains("b.csv.gz"), "{message}");
    // The folder still has the files of the successful run.
    assert!(dir.exists("out/_SUCCESS"));
}

/// A low memory limit leads to smaller row groups. All parts of a folder must have row groups with the same size limit.
#[test]
fn parts_with_another_row_group_size_are_processed_again() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let kept_inputs = |options: &[&str]| {
        let arguments = [&["convert", "in.txt", "-o", "out/", "--resume"], options].concat();
        dir.summary(&arguments)["inputs_kept"].as_u64()
    };
    let tight_memory = ["--memory-limit", "64MiB"];
    assert_eq!(kept_inputs(&tight_memory), Some(0));
    assert_eq!(kept_inputs(&tight_memory), Some(1));
    assert_eq!(kept_inputs(&[]), Some(0));
    assert_eq!(
        kept_inputs(&["--memory-limit", "4GiB"]),
        Some(1),
        "room enough"
    );
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_complete_parts_and_no_success_marker() {
    let dir = TestDir::new();
    write_twenty_inputs(&dir);
    let millis = milliseconds_without_kill(&dir);
    let code = kill_after(&dir, &GRADE_ARGUMENTS, millis / 2, "-TERM");
    if code == Some(0) {
        return; // The run ended before the signal.
    }
    assert_eq!(code, Some(143));
    let output_tree = dir.tree("out");
    let expected_tree = dir.tree("whole");
    assert!(!output_tree.contains_key("_SUCCESS") && !output_tree.contains_key("_manifest.json"));
    for (name, bytes) in output_tree
        .iter()
        .filter(|(name, _)| name.contains("part-"))
    {
        let name = name.strip_prefix(".unfinished/").unwrap();
        assert!(expected_tree.get(name) == Some(bytes), "{name}");
    }
    // The same command, run again, continues with the kept parts.
    dir.succeed(&GRADE_ARGUMENTS);
    assert!(dir.tree("out") == expected_tree);
}

/// If options differ from those of the earlier run, no parts are kept. The message names these options, because
/// the difference may be a mistake.
#[test]
fn the_options_that_have_changed_since_the_earlier_run_are_named() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("raw")).unwrap();
    dir.write("raw/a.csv", format!("puzzle,source\n{PUZZLE},x\n"));
    let arguments = "grade raw -o out/ --resume";
    let run_and_get_log = |more: &[&str]| stderr(&dir.run((arguments, more)));
    assert!(!run_and_get_log(&[]).contains("other options"));
    assert!(!run_and_get_log(&[]).contains("other options"));
    for (more, names) in [
        (&["--with", "se"][..], "with: was not given, is se"),
        (
            &["--ladder", "basic", "--with", "se"],
            "ladder: was full, is basic; techniques",
        ),
        (
            &["--ladder", "basic", "--with", "se", "--keep", "none"],
            "keep: was all, is none",
        ),
    ] {
        let message = run_and_get_log(more);
        let expected_message =
            format!("written with other options ({names}): all inputs are processed again");
        assert!(message.contains(&expected_message), "{message}");
    }
}

/// Regression test: completed inputs were only added to the journal with the next rows, and two seconds after they were
/// complete. A run that is killed while it waits for a slow input keeps them.
#[cfg(unix)]
#[test]
fn a_run_that_waits_for_a_slow_input_has_the_others_in_its_journal() {
    use std::io::Write;

    let dir = TestDir::new();
    for name in ["a.csv", "b.csv"] {
        dir.write(name, format!("puzzle\n{PUZZLE}\n"));
    }
    let made = std::process::Command::new("mkfifo")
        .arg(dir.path("z.csv"))
        .status();
    assert!(made.unwrap().success());
    let arguments = ["convert", "a.csv", "b.csv", "z.csv", "-o", "out/"];
    let mut child = dir.command(&arguments).spawn().unwrap();
    let mut pipe = std::fs::File::options()
        .write(true)
        .open(dir.path("z.csv"))
        .unwrap();
    let rows = format!("puzzle\n{}", format!("{PUZZLE}\n").repeat(40_000));
    pipe.write_all(rows.as_bytes()).unwrap();
    let start = Instant::now();
    let journal = dir.path("out/.unfinished/_journal.ndjson");
    let has_both = || std::fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() == 3);
    while !has_both() {
        assert!(start.elapsed() < Duration::from_secs(30), "no journal");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(pipe);
    std::fs::remove_file(dir.path("z.csv")).unwrap();
    dir.write("z.csv", format!("puzzle\n{PUZZLE}\n"));
    assert_eq!(dir.summary(&arguments)["inputs_kept"], 2);
}
