//! Tests that the shards that share a folder fit together: no row is missing or there twice, and all parts have the same
//! columns.

use std::fs::File;

use parquet::arrow::ArrowWriter;

use crate::util::{PUZZLE, TestDir, parquet_below, texts};

/// Writes a Parquet file with eight row groups of three rows. The id of each row has the name of the file.
fn write_row_groups(dir: &TestDir, name: &str) {
    let rows: String = (0..24)
        .map(|row| format!("{PUZZLE},{name}-{row:02}\n"))
        .collect();
    dir.write("x.csv", format!("puzzle,id\n{rows}"));
    dir.succeed("convert x.csv -o x.parquet --overwrite");
    let rows = dir.parquet("x.parquet");
    std::fs::create_dir_all(dir.path("in")).unwrap();
    let file = File::create(dir.path(&format!("in/{name}.parquet"))).unwrap();
    let mut writer = ArrowWriter::try_new(file, rows.schema(), None).unwrap();
    for group in 0..8 {
        writer.write(&rows.slice(3 * group, 3)).unwrap();
        writer.flush().unwrap();
    }
    writer.close().unwrap();
}

fn ids_of(dir: &TestDir, names: &[&str]) -> Vec<String> {
    let tables = parquet_below(dir, "o");
    let ids = tables.iter().flat_map(|table| texts(table, "id")).flatten();
    let is_of = |id: &String| names.iter().any(|name| id.starts_with(name));
    let mut ids: Vec<String> = ids.filter(is_of).collect();
    ids.sort();
    ids
}

/// Regression test: with fewer Parquet files than shards, the row groups were divided, otherwise the files. A file that
/// arrived between the starts of two shards made rows of the other files missing or double.
#[test]
fn a_file_that_arrives_between_the_starts_of_shards_moves_no_rows() {
    let dir = TestDir::new();
    write_row_groups(&dir, "a");
    write_row_groups(&dir, "b");
    dir.succeed("convert in -o o/ --shard 0/3");
    write_row_groups(&dir, "c");
    dir.succeed("convert in -o o/ --shard 1/3");
    write_row_groups(&dir, "d");
    dir.succeed("convert in -o o/ --shard 2/3");
    let expected = |names: &[&str]| {
        let ids = names
            .iter()
            .flat_map(|name| (0..24).map(move |row| format!("{name}-{row:02}")));
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids_of(&dir, &["a", "b"]), expected(&["a", "b"]));
    for shard in ["0/3", "1/3", "2/3"] {
        dir.succeed(&format!("convert in -o o/ --resume --shard {shard}")[..]);
    }
    let names = ["a", "b", "c", "d"];
    assert_eq!(ids_of(&dir, &names), expected(&names));
}

fn write_inputs(dir: &TestDir) {
    std::fs::create_dir(dir.path("in")).unwrap();
    for name in ["a", "b", "c", "d", "e", "f"] {
        dir.write(
            &format!("in/{name}.csv"),
            format!("puzzle,id\n{PUZZLE},{name}\n"),
        );
    }
}

#[test]
fn a_shard_with_other_options_is_refused() {
    let dir = TestDir::new();
    write_inputs(&dir);
    dir.succeed("convert in -o o/ --format csv --shard 0/2");
    let tree_before = dir.tree("o");
    for (arguments, what) in [
        ("convert in -o o/ --format csv --blank 0", "blank"),
        ("convert in -o o/ --format csv --keep none", "keep"),
        ("convert in -o o/ --format csv --sample 0.5", "sample"),
        (
            "convert in -o o/ --format csv --partition-by id",
            "partition_by",
        ),
        ("convert in -o o/ --format parquet", "format"),
        ("grade in -o o/ --format csv", "command"),
    ] {
        for more in [&[][..], &["--resume"], &["--overwrite"]] {
            let message = dir.fail((arguments, &[&["--shard", "1/2"], more].concat()[..]), 4);
            assert!(message.contains("parts of shard 0-of-2"), "{message}");
            assert!(message.contains(what), "{arguments}: {message}");
            assert!(dir.tree("o") == tree_before, "{arguments}");
        }
    }
    // What belongs to the machine may differ.
    dir.succeed("convert in -o o/ --format csv --shard 1/2 --threads 1 --memory-limit 300MB");
    let rows = dir.succeed("convert o -o - --format csv");
    assert_eq!(rows.lines().count(), 7);
}

/// Regression test: shards that spelled the inputs differently chose other files: some (`g7.txt`) were read by no shard,
/// and others twice. A file has one shard now however it is spelled, and a folder that would mix names is refused.
#[test]
fn shards_that_spell_the_inputs_differently_lose_no_row() {
    let dir = TestDir::new();
    let absolute = dir.path("in").display().to_string();
    for (run, folder) in ["./in", "in/../in", "in//", &absolute]
        .into_iter()
        .enumerate()
    {
        for file in 0..12 {
            let _ = std::fs::remove_dir_all(dir.path("in"));
            std::fs::create_dir(dir.path("in")).unwrap();
            dir.write(&format!("in/g{file}.txt"), format!("{PUZZLE}\n"));
            let out = format!("o{run}-{file}/");
            let of_shard = |inputs: &str, shard: &str| {
                let output = dir.run(&[
                    "convert", inputs, "-o", &out, "--format", "csv", "--shard", shard,
                ]);
                output.status.code().unwrap()
            };
            assert_eq!(of_shard("in", "0/2"), 0);
            let second = of_shard(folder, "1/2");
            assert!([0, 4].contains(&second), "{second}");
            if second == 4 {
                assert_eq!(of_shard("in", "1/2"), 0);
            }
            let rows = dir.succeed(&["convert", &out, "-o", "-", "--format", "csv"]);
            assert_eq!(rows.lines().count(), 2, "{folder} g{file}");
        }
    }
}

/// A shard that still runs is seen by its journal.
#[test]
fn a_shard_is_compared_with_unfinished_shards() {
    let dir = TestDir::new();
    write_inputs(&dir);
    dir.succeed("convert in -o o/ --format csv --shard 0/2");
    let text = String::from_utf8(dir.read("o/_manifest.0-of-2.json")).unwrap();
    let mut header: serde_json::Value = serde_json::from_str(&text).unwrap();
    header.as_object_mut().unwrap().remove("inputs");
    header["shard"] = "2-of-3".into();
    let line = serde_json::json!({ "manifest_version": header["manifest_version"] }).to_string();
    let rest = header.to_string();
    let line = format!("{},{}\n", line.trim_end_matches('}'), &rest[1..]);
    std::fs::create_dir_all(dir.path("p/.unfinished.2-of-3")).unwrap();
    dir.write(
        "p/.unfinished.2-of-3/_journal.ndjson",
        line.replacen(",\"manifest_version\":2", "", 1),
    );
    let message = dir.fail("grade in -o p/ --format csv --shard 1/3", 4);
    assert!(message.contains("parts of shard 2-of-3"), "{message}");
    dir.succeed("convert in -o p/ --format csv --shard 1/3");
}
