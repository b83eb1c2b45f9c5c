//! Tests folders of parts in object stores: they have the same files, with the same bytes, as on disk.

use std::collections::BTreeMap;

use crate::cloud::{Bucket, command, run, wait_until};
use crate::util::{TestDir, stderr};

type FileTree = BTreeMap<String, Vec<u8>>;

/// A bucket with six inputs in a folder. One of the inputs has a reject. `None` if no store is available.
fn bucket_with_six_inputs(name: &str, dir: &TestDir) -> Option<Bucket> {
    let bucket = Bucket::new(name)?;
    for part in 0..6 {
        dir.succeed(&["generate", "60", "--seed", &part.to_string(), "-o", "a.csv"]);
        let mut text = dir.read("a.csv");
        std::fs::remove_file(dir.path("a.csv")).unwrap();
        if part == 3 {
            text.extend_from_slice(b"bad,\n");
        }
        bucket.put(&format!("raw/{part}.csv"), &text);
    }
    Some(bucket)
}

fn grade_arguments(bucket: &Bucket, output: &str, more: &[&str]) -> Vec<String> {
    let input = bucket.url("raw/");
    let arguments = ["grade", &input, "-o", output, "--partition-by", "level"];
    arguments
        .iter()
        .chain(more)
        .map(ToString::to_string)
        .collect()
}

fn run_all(dir: &TestDir, arguments: &[String], code: i32) -> String {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run(dir, &arguments, code).1
}

/// The tree without the ids of runs in the names. In an object store, a part that replaces another part has the id of
/// its run in its name.
fn without_ids(tree: &FileTree) -> FileTree {
    let mut ids = Vec::new();
    for name in tree.keys() {
        let name_parts: Vec<&str> = name.rsplit('/').next().unwrap_or(name).split('.').collect();
        let is_id = |part: &&&str| part.len() == 8 && u32::from_str_radix(part, 16).is_ok();
        ids.extend(
            name_parts
                .iter()
                .skip(1)
                .filter(is_id)
                .map(|id| format!(".{id}.")),
        );
    }
    let without_ids = |text: &str| {
        ids.iter()
            .fold(text.to_owned(), |text, id| text.replace(id, "."))
    };
    let names = tree.iter().map(|(name, bytes)| {
        let bytes = if name.ends_with(".json") {
            without_ids(&String::from_utf8_lossy(bytes)).into_bytes()
        } else {
            bytes.clone()
        };
        (without_ids(name), bytes)
    });
    names.collect()
}

#[track_caller]
fn assert_same_trees(first_tree: &FileTree, second_tree: &FileTree) {
    let (first_tree, second_tree) = (&without_ids(first_tree), &without_ids(second_tree));
    assert!(
        first_tree.keys().eq(second_tree.keys()),
        "{:?} {:?}",
        first_tree.keys(),
        second_tree.keys()
    );
    for (name, bytes) in first_tree {
        let texts = [bytes, &second_tree[name]].map(|bytes| String::from_utf8_lossy(bytes));
        assert!(texts[0] == texts[1], "{name}: {} {}", texts[0], texts[1]);
    }
}

fn part_files(tree: &FileTree) -> FileTree {
    let part_files = tree.iter().filter(|(name, _)| name.contains("part-"));
    part_files
        .map(|(name, bytes)| (name.clone(), bytes.clone()))
        .collect()
}

#[test]
fn a_folder_in_a_store_has_the_same_files_as_on_disk_and_is_kept_or_replaced() {
    let dir = TestDir::new();
    let Some(bucket) = bucket_with_six_inputs("folder", &dir) else {
        return;
    };
    run_all(&dir, &grade_arguments(&bucket, "local/", &[]), 0);
    let local = dir.tree("local");
    assert!(
        local
            .keys()
            .any(|name| name.starts_with("_rejects/part-3-"))
    );
    let output = bucket.url("out/");
    let arguments = grade_arguments(&bucket, &output, &[]);
    run_all(&dir, &arguments, 0);
    assert_same_trees(&bucket.tree("out"), &local);

    let message = run_all(&dir, &arguments, 4);
    assert!(
        message.contains("--overwrite") && message.contains("--resume"),
        "{message}"
    );
    let message = run_all(
        &dir,
        &grade_arguments(&bucket, &bucket.url(""), &["--resume"]),
        2,
    );
    assert!(message.contains("is an input"), "{message}");
    // A resumed run only processes new inputs.
    let resume_options = ["--resume", "--summary", "s.json"];
    run_all(&dir, &grade_arguments(&bucket, &output, &resume_options), 0);
    let summary: serde_json::Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
    assert_eq!(summary["inputs_kept"], 6);
    assert_same_trees(&bucket.tree("out"), &local);

    // The output of an input that had many parts has fewer parts now.
    let first_url = bucket.url("raw/0.csv");
    run(&dir, &["grade", &first_url, "-o", "first/"], 0);
    run(
        &dir,
        &["grade", &first_url, "-o", &output, "--overwrite"],
        0,
    );
    assert_same_trees(&bucket.tree("out"), &dir.tree("first"));

    // Objects that other programs have written are never deleted.
    bucket.put("out/mine.txt", b"mine");
    for option in ["--overwrite", "--resume"] {
        let message = run_all(&dir, &grade_arguments(&bucket, &output, &[option]), 4);
        assert!(message.contains("mine.txt"), "{message}");
    }
    assert!(bucket.get("out/mine.txt").is_some());
}

#[test]
fn a_folder_in_a_store_is_resumed_after_a_kill() {
    let dir = TestDir::new();
    let Some(bucket) = bucket_with_six_inputs("resume", &dir) else {
        return;
    };
    // While this input is read, the run is killed.
    dir.succeed(&["generate", "60", "--seed", "9", "-o", "a.csv"]);
    let text = String::from_utf8(dir.read("a.csv")).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let long_text = format!("{header}\n{}", rows.repeat(100));
    bucket.put("raw/9.csv", long_text.as_bytes());
    run_all(&dir, &grade_arguments(&bucket, "local/", &[]), 0);
    let local = dir.tree("local");
    let output = bucket.url("out/");
    // A run with `--overwrite` replaces the work of a killed run, and a run with `--resume` continues it.
    for round in [1, 2] {
        let option = if round == 1 {
            "--resume"
        } else {
            "--overwrite"
        };
        let mut child = command(&dir, &[])
            .args(grade_arguments(&bucket, &output, &[option]))
            .spawn()
            .unwrap();
        wait_until("journal", || {
            let names = bucket.names("out");
            let finished_inputs = names
                .iter()
                .filter(|name| name.starts_with("_journal/part-"));
            finished_inputs.count() >= 1
        });
        child.kill().unwrap();
        child.wait().unwrap();
        // The old files stay until the new set of files is complete.
        let tree = bucket.tree("out");
        let is_complete = round == 2;
        assert_eq!(tree.contains_key("_SUCCESS"), is_complete);
        assert_eq!(tree.contains_key("_manifest.json"), is_complete);
        let resume_options = ["--resume", "--summary", "s.json"];
        run_all(&dir, &grade_arguments(&bucket, &output, &resume_options), 0);
        let summary: serde_json::Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
        std::fs::remove_file(dir.path("s.json")).unwrap();
        let kept_count = summary["inputs_kept"].as_u64().unwrap();
        if is_complete {
            assert_eq!(kept_count, 7);
        } else {
            assert!((1..7).contains(&kept_count), "{kept_count}");
        }
        assert_eq!(summary["rows_in"], 6361);
        assert_same_trees(&bucket.tree("out"), &local);
    }
}

#[test]
fn shards_that_run_at_the_same_time_share_a_folder_in_a_store() {
    let dir = TestDir::new();
    let Some(bucket) = bucket_with_six_inputs("shards", &dir) else {
        return;
    };
    run_all(&dir, &grade_arguments(&bucket, "local/", &[]), 0);
    let output = bucket.url("out/");
    for again in [false, true] {
        let shards = (0..3).map(|shard| {
            let shard = format!("{shard}/3");
            let shard_arguments = ["--shard", &shard, "--resume"];
            let arguments = grade_arguments(
                &bucket,
                &output,
                if again {
                    &shard_arguments
                } else {
                    &shard_arguments[..2]
                },
            );
            command(&dir, &[]).args(arguments).spawn().unwrap()
        });
        for shard in shards.collect::<Vec<_>>() {
            let output = shard.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        }
        let tree = bucket.tree("out");
        assert_same_trees(&part_files(&tree), &part_files(&dir.tree("local")));
        let shard_markers: Vec<&str> = tree
            .keys()
            .map(String::as_str)
            .filter(|name| !name.contains("part-"))
            .collect();
        let (success, manifests) = shard_markers.split_at(3);
        assert_eq!(
            success,
            ["_SUCCESS.0-of-3", "_SUCCESS.1-of-3", "_SUCCESS.2-of-3"]
        );
        assert!(
            manifests.len() == 3 && manifests[0] == "_manifest.0-of-3.json",
            "{shard_markers:?}"
        );
    }
    // A folder that already has a shard of another run is not treated as empty, so this run is refused.
    run_all(
        &dir,
        &grade_arguments(&bucket, &output, &["--shard", "0/3"]),
        4,
    );
}

/// Regression test of bug C10: after a failed `split --overwrite`, the next run left the parts of the old split.
#[test]
fn a_split_in_a_store_is_replaced_as_a_whole() {
    let dir = TestDir::new();
    let Some(bucket) = bucket_with_six_inputs("split", &dir) else {
        return;
    };
    let (input, output) = (bucket.url("raw/"), bucket.url("sp/"));
    let run_split = |into: &str, more: &[&str], code| {
        let arguments = ["split", &input, "-o", &output, "--into", into];
        run(&dir, &[&arguments[..], more].concat(), code)
    };
    run_split("tr=0.7,dev=0.3", &[], 0);
    run_split("tr=0.5,test=0.5", &[], 4);
    let tree_before = bucket.tree("sp");
    // Another input is damaged, so the run fails and the old split stays.
    let packed = crate::util::gzip(&bucket.get("raw/0.csv").unwrap());
    bucket.put("raw/9.csv.gz", &packed[..packed.len() - 8]);
    run_split("tr=0.5,test=0.5", &["--overwrite"], 3);
    assert!(
        bucket.tree("sp") == tree_before,
        "{:?}",
        bucket.tree("sp").keys()
    );
    bucket.put("raw/9.csv.gz", &packed);
    run_split("tr=0.5,test=0.5", &["--overwrite"], 0);
    let names: Vec<String> = without_ids(&bucket.tree("sp")).into_keys().collect();
    assert_eq!(
        names,
        [
            "_SUCCESS",
            "_manifest.json",
            "_rejects.csv",
            "test.csv",
            "tr.csv"
        ]
    );
}

/// The content of a claim, which is the lock object of a run, with this process number and machine id.
fn claim_text(process: u32, machine: &str) -> String {
    format!(
        "{{\"process\":{process},\"host\":\"elsewhere\",\"machine\":{machine:?},\"started\":1}}\n"
    )
}

/// Regression test of bug C18: two runs into one folder both succeeded, and one replaced the other's objects.
#[test]
fn a_second_run_into_the_same_folder_of_a_store_fails_and_names_the_first() {
    let dir = TestDir::new();
    let Some(bucket) = bucket_with_six_inputs("claims", &dir) else {
        return;
    };
    let (file, folder) = (bucket.url("t.csv"), bucket.url("out/"));
    bucket.put(".t.csv.lock", claim_text(77, "another").as_bytes());
    bucket.put("out/.lock", claim_text(77, "another").as_bytes());
    let input = bucket.url("raw/0.csv");
    for output in [&file, &folder] {
        for options in [&[][..], &["--overwrite"], &["--resume"]] {
            if output == &file && options == ["--resume"] {
                continue;
            }
            let arguments = [&["convert", &input, "-o", output], options].concat();
            let message = run(&dir, &arguments, 1).1;
            assert!(message.contains("process 77 on elsewhere"), "{message}");
        }
    }
    assert_eq!(bucket.names("out"), [".lock"]);
    // Two claims of dead runs: the first run has ended, and the process number of the second does not exist on this
    // machine.
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap();
    let this_namespace = format!("{} {}", boot.trim(), namespace.display());
    for left in [
        "{\"process\":0,\"host\":\"\"}\n".to_owned(),
        claim_text(4_194_999, &this_namespace),
    ] {
        bucket.put(".t.csv.lock", left.as_bytes());
        bucket.put("out/.lock", left.as_bytes());
        for output in [&file, &folder] {
            run(&dir, &["convert", &input, "-o", output, "--overwrite"], 0);
        }
        assert!(bucket.get(".t.csv.lock").is_none() && bucket.get("out/.lock").is_none());
    }
    // An object that has the name of a claim (lock object), but was not written by this program, is never replaced.
    bucket.put(".t.csv.lock", b"mine");
    let message = run(&dir, &["convert", &input, "-o", &file, "--overwrite"], 1).1;
    assert!(message.contains("none of pipeline's"), "{message}");
    assert_eq!(bucket.get(".t.csv.lock").unwrap(), b"mine");
}

/// Regression test of bug C18, with runs of different inputs: a manifest did not list all parts.
#[test]
fn only_one_of_several_simultaneous_runs_into_a_store_succeeds() {
    let dir = TestDir::new();
    let Some(bucket) = bucket_with_six_inputs("at-once", &dir) else {
        return;
    };
    let (input, folder) = (bucket.url("raw/"), bucket.url("out/"));
    let first_url = bucket.url("raw/0.csv");
    for (round, options) in [vec![], vec!["--overwrite"], vec!["--resume"]]
        .iter()
        .enumerate()
    {
        let concurrent_runs: Vec<_> = (0..4)
            .map(|run| {
                let input = if run % 2 == 0 { &input } else { &first_url };
                let arguments = [&["grade", input, "-o", &folder], &options[..]].concat();
                command(&dir, &arguments).spawn().unwrap()
            })
            .collect();
        let outputs = concurrent_runs
            .into_iter()
            .map(|child| child.wait_with_output().unwrap());
        let outputs: Vec<_> = outputs.collect();
        let successful_runs = outputs
            .iter()
            .filter(|output| output.status.success())
            .count();
        assert!(
            successful_runs >= 1 && (round > 0 || successful_runs == 1),
            "{successful_runs}"
        );
        for output in outputs.iter().filter(|output| !output.status.success()) {
            let message = stderr(output);
            let lost_to_other_run = message.contains("is being written by another run, process ")
                || message.contains("exists already");
            assert!(lost_to_other_run, "{message}");
        }
        let tree = bucket.tree("out");
        let manifest: serde_json::Value = serde_json::from_slice(&tree["_manifest.json"]).unwrap();
        let listed_inputs: std::collections::BTreeSet<&str> =
            (manifest["inputs"].as_array().unwrap())
                .iter()
                .flat_map(|input| input["parts"].as_array().unwrap())
                .map(|part| part["path"].as_str().unwrap())
                .collect();
        let written_parts = tree.keys().filter(|name| name.starts_with("part-"));
        assert!(
            written_parts.map(String::as_str).eq(listed_inputs),
            "{:?}",
            tree.keys()
        );
        assert!(tree.contains_key("_SUCCESS") && !tree.contains_key(".lock"));
    }
}
