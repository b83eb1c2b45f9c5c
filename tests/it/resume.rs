//! Runs that are stopped and resumed.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::util::{PUZZLE, Place, gzip};

/// Twenty inputs that keep a worker busy for a while.
fn twenty(place: &Place) {
    std::fs::create_dir(place.path("raw")).unwrap();
    for part in 0..20 {
        let (name, seed) = (format!("raw/{part:02}.csv"), part.to_string());
        place.succeed(&["generate", "150", "--seed", &seed, "-o", &name]);
    }
    place.write(
        "raw/07.csv",
        [place.read("raw/07.csv"), b"bad,\n".to_vec()].concat(),
    );
}

const RUN: [&str; 6] = ["grade", "raw", "-o", "out/", "--partition-by", "level"];

/// Kills the run after some time. Returns whether it was killed before its end.
fn kill_after(place: &Place, arguments: &[&str], millis: u64, signal: &str) -> Option<i32> {
    let mut child = place
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

/// The time of an undisturbed run in milliseconds, and its output.
fn undisturbed(place: &Place) -> u64 {
    let start = Instant::now();
    place.succeed(&[&RUN[..3], &["whole/"], &RUN[4..]].concat());
    start.elapsed().as_millis() as u64
}

/// `KILLS=N` sets the number of kills.
#[test]
fn a_run_killed_at_any_moment_and_resumed_is_as_if_undisturbed() {
    let kills = std::env::var("KILLS").map_or(6, |kills| kills.parse().unwrap());
    let place = Place::new();
    twenty(&place);
    let millis = undisturbed(&place);
    let whole = place.tree("whole");
    let seed = 50;
    let mut rng = sudoku_core::random::Rng::new(seed);
    let mut killed = 0;
    for kill in 0..kills {
        let moment = rng.below(millis as usize + 1) as u64;
        eprintln!("seed {seed}, kill {kill} after {moment} ms");
        let resume = [&RUN[..], &["--resume"]].concat();
        if kill_after(&place, &resume, moment, "-KILL").is_none() {
            killed += 1;
            // Where it says that it is complete, it was killed after its last step.
            assert!(!place.exists("out/_SUCCESS") || place.tree("out") == whole);
        }
        if rng.below(2) == 0 {
            // Twice in a row.
            kill_after(&place, &resume, moment / 2, "-KILL");
        }
        place.succeed(&resume);
        let out = place.tree("out");
        assert!(out.keys().eq(whole.keys()), "{:?}", out.keys());
        assert!(out == whole);
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
    eprintln!("{killed} of {kills} runs were killed before their end");
}

/// A run that was killed while it created its journal leaves a temporary file.
#[test]
fn a_resumed_run_takes_away_what_a_killed_one_left_half_written() {
    let place = Place::new();
    place.write("in.txt", PUZZLE);
    let arguments = ["grade", "in.txt", "-o", "out/", "--resume"];
    place.succeed(&arguments);
    let whole = place.tree("out");
    for name in ["._journal.ndjson.a1B2c3.tmp", "._manifest.json.a1B2c3.tmp"] {
        place.write(&format!("out/{name}"), "half");
    }
    let of_a_shard = "out/._journal.0-of-2.ndjson.a1B2c3.tmp";
    place.write(of_a_shard, "another's, which may be at work");
    place.succeed(&arguments);
    std::fs::remove_file(place.path(of_a_shard)).unwrap();
    assert!(place.tree("out") == whole);
}

/// A run that was killed before it renamed its journal leaves only a temporary file.
#[test]
fn a_folder_of_a_run_killed_at_its_start_is_gone_on_with() {
    let place = Place::new();
    place.write("in.txt", PUZZLE);
    place.succeed(&["grade", "in.txt", "-o", "whole/"]);
    for option in ["--resume", "--overwrite"] {
        std::fs::create_dir(place.path("out")).unwrap();
        place.write("out/._journal.ndjson.a1B2c3.tmp", "");
        place.succeed(&["grade", "in.txt", "-o", "out/", option]);
        assert!(place.tree("out") == place.tree("whole"), "{option}");
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn a_resumed_run_does_only_what_is_new_or_changed() {
    let place = Place::new();
    twenty(&place);
    place.succeed(&RUN);
    let resume = |more: &[&str]| {
        let arguments = [
            &RUN[..],
            more,
            &["--resume", "--summary", "s.json", "--overwrite"],
        ]
        .concat();
        let arguments: Vec<_> = arguments
            .into_iter()
            .filter(|a| *a != "--overwrite")
            .collect();
        let _ = std::fs::remove_file(place.path("s.json"));
        place.succeed(&arguments);
        let summary: serde_json::Value = serde_json::from_slice(&place.read("s.json")).unwrap();
        (
            summary["inputs_kept"].as_u64().unwrap(),
            summary["rows_in"].as_u64().unwrap(),
        )
    };
    assert_eq!(resume(&[]), (20, 3001));
    place.write("raw/05.csv", format!("puzzle\n{PUZZLE}\n"));
    assert_eq!(resume(&[]), (19, 2852));
    place.write("raw/zz.csv", format!("puzzle,solution\n{PUZZLE},\n"));
    std::fs::remove_file(place.path("raw/00.csv")).unwrap();
    assert_eq!(resume(&[]), (19, 2703));
    assert!(
        !place
            .tree("out")
            .keys()
            .any(|file| file.contains("part-00-"))
    );
    let part = place
        .tree("out")
        .into_keys()
        .find(|file| file.contains("part-03-"))
        .unwrap();
    place.write(&format!("out/{part}"), "cut");
    assert_eq!(resume(&[]), (19, 2703));
    // Other options, another table.
    assert_eq!(resume(&["--ladder", "basic"]), (0, 2703));
    // And all that is as if it had been written at once.
    let out = place.tree("out");
    std::fs::remove_dir_all(place.path("out")).unwrap();
    place.succeed(&[&RUN[..], &["--ladder", "basic"]].concat());
    assert!(place.tree("out") == out);
}

/// The rejects of an earlier run are in the table too.
#[test]
fn the_limit_of_rejects_is_that_of_the_whole_folder() {
    let place = Place::new();
    std::fs::create_dir(place.path("raw")).unwrap();
    for name in ["raw/a.csv", "raw/b.csv"] {
        place.write(name, format!("puzzle\n{PUZZLE}\nbad\nworse\n{PUZZLE}\n"));
    }
    let resume = ["convert", "raw", "-o", "out/", "--resume"];
    let limit = |limit| [&resume[..], &["--max-rejects", limit]].concat();
    let said = place.fail(&limit("3"), 3);
    assert!(said.contains("4 of 8 records"), "{said}");
    // a.csv is done, and its rejects count again: in a run that does b.csv, and in one of nothing.
    for rejects in ["3", "49%"] {
        let said = place.fail(&limit(rejects), 3);
        assert!(said.contains("4 of 8 records"), "{said}");
    }
    place.succeed(&resume);
    place.fail(&limit("3"), 3);
    place.succeed(&limit("4"));
    assert!(place.exists("out/_SUCCESS"));
}

#[test]
fn a_part_of_a_damaged_input_is_done_only_where_that_is_wanted() {
    let place = Place::new();
    std::fs::create_dir(place.path("raw")).unwrap();
    place.write("raw/a.csv", format!("puzzle\n{PUZZLE}\n"));
    let whole = gzip(format!("puzzle\n{}", format!("{PUZZLE}\n").repeat(3)).as_bytes());
    place.write("raw/b.csv.gz", &whole[..whole.len() - 8]);
    let run = ["convert", "raw", "-o", "out/", "--resume"];
    let going = [&run[..], &["--keep-going", "--summary", "-"]].concat();
    let kept = || {
        let summary: serde_json::Value = serde_json::from_str(&place.succeed(&going)).unwrap();
        summary["inputs_kept"].as_u64()
    };
    assert_eq!(kept(), Some(0));
    assert_eq!(kept(), Some(2));
    let said = place.fail(&run, 3);
    assert!(said.contains("b.csv.gz"), "{said}");
    assert!(!place.exists("out/_SUCCESS"));
}

/// A low memory limit makes row groups smaller, with the same size in the whole folder.
#[test]
fn parts_with_other_row_groups_are_done_again() {
    let place = Place::new();
    place.write("in.txt", PUZZLE);
    let kept = |options: &[&str]| {
        let run = [&["convert", "in.txt", "-o", "out/", "--resume"], options].concat();
        place.summary(&run)["inputs_kept"].as_u64()
    };
    let tight = ["--memory-limit", "64MiB"];
    assert_eq!(kept(&tight), Some(0));
    assert_eq!(kept(&tight), Some(1));
    assert_eq!(kept(&[]), Some(0));
    assert_eq!(kept(&["--memory-limit", "4GiB"]), Some(1), "room enough");
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_whole_parts_and_no_success() {
    let place = Place::new();
    twenty(&place);
    let millis = undisturbed(&place);
    let code = kill_after(&place, &RUN, millis / 2, "-TERM");
    if code == Some(0) {
        return; // It was faster.
    }
    assert_eq!(code, Some(143));
    let out = place.tree("out");
    let whole = place.tree("whole");
    assert!(!out.contains_key("_SUCCESS") && !out.contains_key("_manifest.json"));
    for (name, bytes) in out.iter().filter(|(name, _)| name.contains("part-")) {
        assert!(whole.get(name) == Some(bytes), "{name}");
    }
}
