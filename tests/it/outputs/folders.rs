//! Tests output folders with a part for each input, partition folders, and shards.

use std::path::Path;

use arrow::compute::concat_batches;

use crate::util::{PUZZLE, TestDir, parquet, parquet_below, stderr, texts};

/// Writes a folder of inputs: five files of generated puzzles, which contain one reject.
fn write_inputs(dir: &TestDir) {
    std::fs::create_dir(dir.path("raw")).unwrap();
    for part in 0..5 {
        let (name, seed) = (format!("raw/{part}.csv"), part.to_string());
        dir.succeed(&format!("generate 200 --seed {seed} -o {name}"));
    }
    let mut last_file = dir.read("raw/4.csv");
    last_file.extend_from_slice(b"bad,\n");
    dir.write("raw/4.csv", last_file);
}

#[test]
fn every_input_is_a_part_and_all_parts_together_are_the_table() {
    let dir = TestDir::new();
    write_inputs(&dir);
    dir.succeed("grade raw -o one.parquet");
    dir.succeed("grade raw -o out/");
    let part_tables = parquet_below(&dir, "out");
    assert_eq!(part_tables.len(), 5);
    let all_parts = concat_batches(&part_tables[0].schema(), &part_tables).unwrap();
    let one_table = dir.parquet("one.parquet");
    assert_eq!(all_parts.columns(), one_table.columns());
    let files: Vec<String> = dir.tree("out").into_keys().collect();
    assert_eq!(files.len(), 8);
    assert_eq!(files[..2], ["_SUCCESS", "_manifest.json"]);
    assert!(files[2].starts_with("_rejects/part-4-"), "{files:?}");
    // The rejects are CSV, so that readers of all Parquet files in the folder ignore them.
    assert!(files[2].ends_with(".csv"), "{files:?}");
    let rejects = String::from_utf8(dir.read(&format!("out/{}", files[2]))).unwrap();
    assert_eq!(rejects.lines().count(), 2, "{rejects}");
    let manifest: serde_json::Value =
        serde_json::from_slice(&dir.read("out/_manifest.json")).unwrap();
    assert_eq!(manifest["inputs"][4]["source"], "raw/4.csv");
    assert_eq!(manifest["inputs"][4]["tally"]["rejects"]["wrong_length"], 1);
    assert_eq!(manifest["inputs"][4]["parts"][0]["rows"], 200);
    // The folder can be read as an input. Its marker and its rejects are skipped.
    dir.succeed("convert out -o again.parquet");
    assert_eq!(dir.parquet("again.parquet").num_rows(), 1000);
}

#[test]
fn rows_are_partitioned_by_column_values_and_by_count() {
    let dir = TestDir::new();
    write_inputs(&dir);
    dir.succeed("grade raw -o one.parquet");
    let arguments = "grade raw -o out/ --partition-by level,clues";
    dir.succeed(&format!("{arguments} --max-rows-per-file 7"));
    let one_table = dir.parquet("one.parquet");
    let mut expected: Vec<_> = texts(&one_table, "puzzle")
        .into_iter()
        .zip(texts(&one_table, "level"))
        .collect();
    let mut found_puzzles = Vec::new();
    for file in dir
        .tree("out")
        .into_keys()
        .filter(|file| file.contains('='))
    {
        let part_table = parquet(&dir.path("out").join(&file));
        assert!((1..=7).contains(&part_table.num_rows()));
        assert!(
            part_table.column_by_name("level").is_none()
                && part_table.column_by_name("clues").is_none()
        );
        let folders: Vec<&str> = file.split('/').collect();
        let level = folders[0].strip_prefix("level=").unwrap();
        let clues: usize = folders[1].strip_prefix("clues=").unwrap().parse().unwrap();
        for puzzle in texts(&part_table, "puzzle") {
            let puzzle = puzzle.unwrap();
            assert_eq!(puzzle.bytes().filter(u8::is_ascii_digit).count(), clues);
            found_puzzles.push((Some(puzzle), Some(level.to_owned())));
        }
    }
    found_puzzles.sort();
    expected.sort();
    assert_eq!(found_puzzles, expected);
    let message = dir.fail("grade raw -o x/ --partition-by colour", 2);
    assert!(
        message.contains("colour") && message.contains("level"),
        "{message}"
    );
    assert!(!dir.exists("x"));
    let message = dir.fail("grade raw -o x.csv --partition-by level", 2);
    assert!(message.contains("folder"), "{message}");
}

#[test]
fn text_parts_are_compressed_on_demand() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n").repeat(10));
    let arguments = ["convert", "in.txt", "-o", "out/", "--format", "csv"];
    dir.succeed(
        &[
            &arguments[..],
            &["--compression", "gzip", "--max-rows-per-file", "4"],
        ]
        .concat(),
    );
    let names: Vec<String> = dir.tree("out").into_keys().collect();
    assert!(names[4].ends_with("-00002.csv.gz"), "{names:?}");
    assert_eq!(dir.summary("validate out")["rows_in"], 10);
}

#[test]
fn an_existing_folder_is_kept_or_replaced_as_a_whole() {
    let dir = TestDir::new();
    write_inputs(&dir);
    dir.succeed("grade raw -o out/");
    let files_before = dir.tree("out");
    let message = dir.fail("grade raw/0.csv -o out", 4);
    assert!(
        message.contains("--overwrite") && message.contains("--resume"),
        "{message}"
    );
    // A failed run leaves the old folder unchanged.
    dir.write("bad.csv", "id,clues\n1,24\n");
    dir.fail("grade bad.csv -o out --overwrite", 3);
    dir.fail("grade raw/4.csv -o out --overwrite --max-rejects 0", 3);
    assert!(dir.tree("out") == files_before);
    assert_eq!(
        dir.files(),
        ["bad.csv", "out", "out.rejects", "raw"],
        "nor anything beside it but the rejects"
    );
    dir.succeed("grade raw/0.csv -o out --overwrite");
    assert_eq!(dir.tree("out").len(), 3);
    assert_eq!(dir.files(), ["bad.csv", "out", "out.rejects", "raw"]);
    // Files of other programs in the folder are never removed.
    for option in ["--overwrite", "--resume"] {
        dir.write("raw2.txt", PUZZLE);
        let folder = dir.path("mine");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("part-of-me.txt"), "").unwrap();
        let message = dir.fail(&format!("grade raw2.txt -o mine {option}"), 4);
        assert!(message.contains("nothing was touched"), "{message}");
        assert!(Path::new(&folder).join("part-of-me.txt").exists());
    }
}

#[test]
fn shards_together_are_the_whole() {
    let dir = TestDir::new();
    write_inputs(&dir);
    dir.succeed("grade raw -o one/");
    for shard in 0..8 {
        let shard = format!("{shard}/8");
        dir.succeed(&format!("grade raw -o shards/ --shard {shard}"));
    }
    let rows = |name: &str| {
        let part_tables = parquet_below(&dir, name);
        let puzzles_in_parts = part_tables.iter().flat_map(|part| {
            texts(part, "puzzle")
                .into_iter()
                .zip(texts(part, "technique"))
        });
        let mut rows: Vec<_> = puzzles_in_parts.collect();
        rows.sort();
        rows
    };
    assert_eq!(rows("one"), rows("shards"));
    // If there are fewer files than shards, the shards divide the row groups of the files.
    let lines: String = (0..150_000).map(|id| format!("{PUZZLE} {id}\n")).collect();
    dir.write("big.txt", lines);
    dir.succeed("convert big.txt -o big.parquet");
    dir.succeed("convert big.parquet -o all.csv");
    let mut rows = Vec::new();
    for shard in 0..4 {
        let output = format!("{shard}.csv");
        let shard = format!("{shard}/4");
        dir.succeed(&format!("convert big.parquet -o {output} --shard {shard}"));
        let text = String::from_utf8(dir.read(&output)).unwrap();
        rows.push(text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>());
    }
    let shards_with_rows = rows.iter().filter(|rows| !rows.is_empty()).count();
    assert_eq!(
        shards_with_rows, 3,
        "three row groups, each of another shard"
    );
    let all_text = String::from_utf8(dir.read("all.csv")).unwrap();
    let mut all_rows: Vec<_> = all_text.lines().skip(1).map(str::to_owned).collect();
    let mut all_shared_rows = rows.concat();
    all_rows.sort();
    all_shared_rows.sort();
    assert!(all_shared_rows == all_rows);

    dir.fail("grade raw -o x/ --shard 8/8", 2);
}

#[test]
fn inputs_with_the_same_name_have_separate_parts() {
    let dir = TestDir::new();
    // The names of these two inputs have the same CRC.
    for number in [29_685_295, 32_060_020] {
        std::fs::create_dir_all(dir.path(&format!("raw/{number}"))).unwrap();
        dir.write(
            &format!("raw/{number}/a.csv"),
            format!("puzzle\n{PUZZLE}\n"),
        );
    }
    dir.succeed("convert raw -o out/");
    assert_eq!(parquet_below(&dir, "out").len(), 2);
    // Two spellings of the path of the same input.
    dir.write("a.csv", format!("puzzle\n{PUZZLE}\n"));
    let path = dir.path("a.csv").to_str().unwrap().to_owned();
    let url = format!("file://{path}");
    let message = dir.fail(&format!("convert {path} {url} -o twice/"), 2);
    assert!(
        message.contains(&format!("is the same file as {path}")),
        "{message}"
    );
    assert!(!dir.exists("twice"));
}

#[test]
fn a_value_too_long_for_the_name_of_a_folder_is_an_error_of_the_data() {
    let dir = TestDir::new();
    let input = |length: usize| format!("puzzle,tag\n{PUZZLE},{}\n", "x".repeat(length));
    let arguments_for = |output| ["convert", "in.csv", "-o", output, "--partition-by", "tag"];
    dir.write("in.csv", input(251));
    dir.succeed(&arguments_for("longest/"));
    dir.write("in.csv", input(252));
    let message = dir.fail(&arguments_for("out/"), 3);
    assert!(message.contains("column tag is too long"), "{message}");
    assert!(
        message.contains("xxx… makes a name of 256 bytes"),
        "{message}"
    );
}

/// A mount point, such as the volume of a container, cannot be replaced by renaming.
#[cfg(target_os = "linux")]
#[test]
fn a_mount_point_is_replaced_in_place() {
    let dir = TestDir::new();
    write_inputs(&dir);
    std::fs::create_dir(dir.path("out")).unwrap();
    dir.succeed("convert raw -o volume/");
    let run_in_mount = |arguments: &[&str]| {
        std::process::Command::new("unshare")
            .current_dir(dir.path(""))
            .args([
                "-rm",
                "sh",
                "-ec",
                "mount --bind volume out; exec \"$@\"",
                "-",
            ])
            .args(arguments)
            .output()
    };
    if !run_in_mount(&["true"]).is_ok_and(|output| output.status.success()) {
        eprintln!("nothing can be mounted here");
        return;
    }
    let pipeline = env!("CARGO_BIN_EXE_pipeline");
    let shell_arguments = [pipeline, "convert", "raw/4.csv", "-o", "out", "--overwrite"];
    let output = run_in_mount(&shell_arguments).unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    dir.succeed("convert raw/4.csv -o four/");
    assert!(dir.tree("volume") == dir.tree("four"));
    let output = run_in_mount(&[&shell_arguments[..], &["--max-rejects", "0"]].concat()).unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(dir.tree("volume") == dir.tree("four"));
    assert!(!dir.files().iter().any(|name| name.starts_with('.')));
}

/// A table that waits until its last rows are encoded has an open file, so the number of such tables is limited.
#[cfg(unix)]
#[test]
fn many_inputs_of_many_folders_are_written_by_any_number_of_threads() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("raw")).unwrap();
    for input in 0..8 {
        let rows = (0..300).map(|tag| format!("{PUZZLE},{tag}\n"));
        let text = format!("puzzle,tag\n{}", rows.collect::<String>());
        dir.write(&format!("raw/{input}.csv"), text);
    }
    let pipeline = env!("CARGO_BIN_EXE_pipeline");
    let run_with_limit = |name: &str, options: &[&str]| {
        // With this limit, 300 partition folders and 62 waiting tables can have open files.
        let arguments = ["-c", "ulimit -n 400; exec \"$@\"", "-", pipeline, "convert"];
        let output = std::process::Command::new("sh")
            .current_dir(dir.path(""))
            .args([&arguments[..], &["raw", "-o", name], options].concat())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        dir.tree(name)
    };
    let partition_options = ["--partition-by", "tag", "--threads"];
    let on_one_thread = run_with_limit("one/", &[&partition_options[..], &["1"]].concat());
    assert_eq!(on_one_thread.len(), 2402);
    assert!(run_with_limit("many/", &[&partition_options[..], &["7"]].concat()) == on_one_thread);
    let short_parts = ["--max-rows-per-file", "1", "--threads"];
    let on_one_thread = run_with_limit("short/", &[&short_parts[..], &["1"]].concat());
    assert_eq!(on_one_thread.len(), 2402);
    assert!(run_with_limit("short-too/", &[&short_parts[..], &["7"]].concat()) == on_one_thread);
}
