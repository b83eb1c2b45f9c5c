//! Tests that folders of other programs are refused, and that nothing in them is changed.

use crate::util::{PUZZLE, TestDir};

/// Regression test: files were removed because of their names alone.
#[test]
fn a_folder_of_another_program_is_refused_and_not_changed() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\nbad\n"));
    let spark_files = [
        "_SUCCESS",
        "part-00000-6f3c1f0e-aaaa-c000.snappy.parquet",
        ".part-00000-6f3c1f0e-aaaa-c000.snappy.parquet.crc",
    ];
    let folder_kinds: [(&str, &[&str], &str); 9] = [
        ("spark", &spark_files, "Spark's"),
        (
            "delta",
            &["_delta_log/00000.json", "part-00000-a.parquet"],
            "Delta",
        ),
        (
            "hive",
            &["level=easy/part-0", "level=hard/part-0"],
            "Hive's",
        ),
        (
            "home",
            &[".bashrc", "thesis.doc", "photos/1.jpg"],
            ".bashrc",
        ),
        ("checkout", &[".git/config", "src/main.rs"], "checkout"),
        ("marked", &["_SUCCESS"], "_SUCCESS"),
        ("ours", &["part-in-ebbcaca25d1d9bfa.parquet"], "part-in"),
        (
            "json",
            &["_manifest.json", "_SUCCESS", "x.csv"],
            "not a manifest",
        ),
        ("journal", &[".unfinished/notes.txt"], ".unfinished"),
    ];
    for (kind, files, _) in folder_kinds {
        for file in files {
            let path = dir.path(&format!("{kind}/{file}"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("{file} is precious")).unwrap();
        }
    }
    // Folders of parts and of a split from an old version, and a split from this version.
    for (kind, manifest) in [
        ("old", r#"{"manifest_version":1,"shard":null,"inputs":[]}"#),
        (
            "old-split",
            r#"{"command":"split","classes":1,"parts":[{"file":"a.csv"}]}"#,
        ),
    ] {
        std::fs::create_dir(dir.path(kind)).unwrap();
        dir.write(&format!("{kind}/_manifest.json"), manifest);
        dir.write(&format!("{kind}/_SUCCESS"), "");
    }
    dir.succeed("split in.csv -o split/ --into a=1");
    dir.succeed("convert in.csv -o parts/");
    // First a folder of this program to which a file was added, then a folder in which another program has replaced a
    // part.
    dir.succeed("convert in.csv -o added/");
    dir.write("added/notes.txt", "precious");
    dir.succeed("split in.csv -o changed/ --into a=1");
    dir.write("changed/a.parquet", "precious");
    let files_before = dir.tree(".");
    let assert_refused = |name: &str, why: &str, commands: &[&[&str]]| {
        for command in commands {
            let mut command = command.to_vec();
            let output = format!("{name}/");
            command.extend(["-o", &output]);
            let message = dir.fail(&command, 4);
            assert!(message.contains(why), "{command:?}: {message}");
            assert!(
                message.contains("nothing was touched"),
                "{command:?}: {message}"
            );
            assert!(dir.tree(".") == files_before, "{command:?}");
        }
    };
    let convert_commands: &[&[&str]] = &[
        &["convert", "in.csv"],
        &["convert", "in.csv", "--overwrite"],
        &["convert", "in.csv", "--resume"],
        &["convert", "in.csv", "--shard", "0/2", "--overwrite"],
    ];
    let split_commands: &[&[&str]] = &[
        &["split", "in.csv", "--into", "a=0.5,b=0.5"],
        &["split", "in.csv", "--into", "a=0.5,b=0.5", "--overwrite"],
    ];
    for (kind, _, why) in folder_kinds {
        assert_refused(kind, why, convert_commands);
        assert_refused(kind, why, split_commands);
    }
    for kind in ["old", "old-split"] {
        assert_refused(kind, "another version of pipeline", convert_commands);
        assert_refused(kind, "another version of pipeline", split_commands);
    }
    assert_refused("split", "it holds a split", convert_commands);
    assert_refused("parts", "it holds the parts of a table", split_commands);
    assert_refused("added", "notes.txt", convert_commands);
    assert_refused("changed", "a.parquet", &split_commands[1..]);
}

/// Regression test: a folder was removed because it had the name of the temporary
/// folder.
#[test]
fn folders_beside_the_output_are_kept_whatever_their_names() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\nbad\n"));
    for folder in [".out.new", "out.rejects", ".out.a1B2c3.tmp", "out.new"] {
        std::fs::create_dir(dir.path(folder)).unwrap();
        dir.write(&format!("{folder}/thesis.doc"), "precious");
    }
    let arguments = ["convert", "in.csv", "-o", "out/", "--overwrite"];
    for _ in 0..2 {
        dir.succeed(&arguments);
    }
    dir.fail(&[&arguments[..], &["--max-rejects", "0"]].concat(), 3);
    for folder in [".out.new", "out.rejects", ".out.a1B2c3.tmp", "out.new"] {
        assert_eq!(dir.tree(folder).len(), 1, "{folder}");
    }
}

/// Regression test: two runs used the same temporary folder, which the second run removed.
#[test]
fn a_second_run_into_the_same_folder_fails_and_names_the_first() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n"));
    dir.succeed("convert in.txt -o out/");
    let files_before = dir.tree("out");
    // A run holds this lock while it writes to the folder.
    let lock = std::fs::File::create(dir.path("out/.lock")).unwrap();
    lock.lock().unwrap();
    for option in ["--overwrite", "--resume"] {
        let message = dir.fail(&format!("convert in.txt -o out/ {option}"), 1);
        assert!(
            message.contains("is being written by another run"),
            "{message}"
        );
    }
    let shard_arguments = ["convert", "in.txt", "-o", "shards/", "--shard"];
    dir.succeed(&[&shard_arguments[..], &["0/2"]].concat());
    drop(lock);
    std::fs::remove_file(dir.path("out/.lock")).unwrap();
    assert!(dir.tree("out") == files_before);
    // Runs of different shards may write at the same time, but not two runs of the same shard.
    let lock = std::fs::File::create(dir.path("shards/.lock")).unwrap();
    lock.lock_shared().unwrap();
    let own_lock = std::fs::File::create(dir.path("shards/.lock.1-of-2")).unwrap();
    own_lock.lock().unwrap();
    dir.succeed(&[&shard_arguments[..], &["0/2", "--resume"]].concat());
    dir.fail(&[&shard_arguments[..], &["1/2"]].concat(), 1);
    dir.fail("convert in.txt -o shards/ --overwrite", 1);
}
