//! Tests that `--resume` recognises an input however its path is spelled.

use crate::util::{PUZZLE, TestDir, stderr};

/// Regression test: each new spelling of the folder added all rows to the output once more.
#[test]
fn an_input_that_is_spelled_in_another_way_is_not_added_again() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    for name in ["in/a.csv", "in/b.csv", "c.csv"] {
        dir.write(name, format!("puzzle\n{PUZZLE}\n"));
    }
    std::os::unix::fs::symlink("in", dir.path("lnk")).unwrap();
    dir.succeed("convert in c.csv -o out/ --format csv");
    let tree_before = dir.tree("out");
    let absolute = |name: &str| dir.path(name).display().to_string();
    for (folder, file) in [
        ("./in", "./c.csv"),
        ("in//", "in/../c.csv"),
        ("in/../in", "lnk/../c.csv"),
        ("lnk", "c.csv"),
        ("in/*.csv", "*.csv"),
        (&absolute("in"), &absolute("c.csv")),
        (&absolute("lnk"), "c.csv"),
    ] {
        for more in [&[][..], &["--prune"]] {
            let arguments = ["convert", folder, file, "-o", "out/", "--format", "csv"];
            let arguments = [&arguments[..], &["--resume"], more].concat();
            let output = dir.run(&arguments);
            let message = stderr(&output);
            assert!(output.status.success(), "{arguments:?}: {message}");
            assert!(message.contains("3 kept from"), "{message}");
            assert!(!message.contains("gone"), "{message}");
            assert!(dir.tree("out") == tree_before, "{arguments:?}");
        }
    }
    // From another working folder, the relative paths in the manifest lead nowhere.
    let from_folder = dir
        .command("convert . ../c.csv -o ../out/ --format csv --resume")
        .current_dir(dir.path("in"))
        .output()
        .unwrap();
    let message = stderr(&from_folder);
    assert!(message.contains("3 kept from"), "{message}");
    assert!(dir.tree("out") == tree_before);
    // A hard link is the same file under another name.
    std::fs::hard_link(dir.path("c.csv"), dir.path("d.csv")).unwrap();
    dir.succeed("convert in d.csv -o out/ --format csv --resume");
    assert!(dir.tree("out").keys().eq(tree_before.keys()));
    // A changed input replaces its part, under the same name.
    dir.write("c.csv", format!("puzzle\n{PUZZLE}\n{PUZZLE}\n"));
    dir.succeed("convert ./in ./c.csv -o out/ --format csv --resume");
    let tree_after = dir.tree("out");
    assert!(tree_after.keys().eq(tree_before.keys()));
    let rows = tree_after.iter().filter(|(name, _)| name.ends_with(".csv"));
    let rows = rows.map(|(_, bytes)| bytes.split(|byte| *byte == b'\n').count() - 2);
    assert_eq!(rows.sum::<usize>(), 4);
}

/// Folders of older versions have no absolute paths in their manifests, and may have the rows twice already.
#[test]
fn a_folder_of_an_older_version_loses_the_parts_it_has_twice() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    dir.write("in/a.csv", format!("puzzle\n{PUZZLE}\n"));
    dir.succeed("convert in -o out/ --format csv");
    let tree_before = dir.tree("out");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&dir.read("out/_manifest.json")).unwrap();
    let entry = manifest["inputs"][0].as_object_mut().unwrap();
    entry.remove("real_path").unwrap();
    let mut twin = entry.clone();
    let part = entry["parts"][0]["path"].as_str().unwrap().to_owned();
    twin["source"] = "./in/a.csv".into();
    let twin_part = part.replace("part-a-", "part-a-0123456789abcdef-");
    twin["parts"][0]["path"] = twin_part.clone().into();
    dir.write(
        &format!("out/{twin_part}"),
        dir.read(&format!("out/{part}")),
    );
    let inputs = manifest["inputs"].as_array_mut().unwrap();
    inputs.push(serde_json::Value::Object(twin));
    dir.write("out/_manifest.json", manifest.to_string());
    dir.succeed("convert in/../in -o out/ --format csv --resume");
    assert!(dir.tree("out").keys().eq(tree_before.keys()));
}

/// An input that exists, but is not among the inputs of this run, is not called gone.
#[test]
fn an_input_that_is_not_named_is_not_called_gone() {
    let dir = TestDir::new();
    for name in ["a.csv", "b.csv"] {
        dir.write(name, format!("puzzle\n{PUZZLE}\n"));
    }
    dir.succeed("convert a.csv b.csv -o out/ --format csv");
    let message = stderr(&dir.run("convert ./a.csv -o out/ --format csv --resume"));
    assert!(
        message.contains("the inputs of 1 row are not read by this run: b.csv; their parts stay"),
        "{message}"
    );
    std::fs::remove_file(dir.path("b.csv")).unwrap();
    let message = stderr(&dir.run("convert ./a.csv -o out/ --format csv --resume"));
    assert!(message.contains("are gone: b.csv"), "{message}");
}

/// Regression test: a file of another folder with the same size and time counted as unchanged, and the part of the
/// earlier file stayed.
#[test]
fn another_file_behind_the_same_name_replaces_the_part_with_a_warning() {
    let dir = TestDir::new();
    let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    for folder in ["monday", "sunday"] {
        std::fs::create_dir(dir.path(folder)).unwrap();
        let path = dir.path(&format!("{folder}/a.csv"));
        std::fs::write(&path, format!("puzzle,day\n{PUZZLE},{folder}\n")).unwrap();
        let file = std::fs::File::options().write(true).open(path).unwrap();
        file.set_modified(time).unwrap();
    }
    std::os::unix::fs::symlink("sunday", dir.path("latest")).unwrap();
    dir.succeed("convert latest -o out/ --format csv");
    std::fs::remove_file(dir.path("latest")).unwrap();
    std::os::unix::fs::symlink("monday", dir.path("latest")).unwrap();
    let output = dir.run("convert latest -o out/ --format csv --resume");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{log}");
    assert!(
        log.contains("latest/a.csv is not the file of the earlier run"),
        "{log}"
    );
    let rows = dir.succeed("convert out -o - --format csv");
    assert!(
        rows.contains("monday") && !rows.contains("sunday"),
        "{rows}"
    );
}
