//! Tests `--memory-limit`: the memory of a run stays below the limit, and the output does not depend on it.

use crate::util::{PUZZLE, TestDir};

#[test]
fn a_limit_is_kept_and_does_not_change_the_output_unless_very_small() {
    let dir = TestDir::new();
    let lines: String = (0..300_000).map(|id| format!("{PUZZLE} {id}\n")).collect();
    dir.write("in.txt", lines);
    let run_convert = |name: &str, options: &[&str]| {
        let arguments = format!("convert in.txt -o {name} --summary -");
        let summary = dir.succeed((&arguments, options));
        let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
        summary["peak_memory_bytes"].as_u64().unwrap()
    };
    run_convert("free.parquet", &["--threads", "4"]);
    for (name, limit) in [("a.parquet", 256), ("b.parquet", 128)] {
        let peak = run_convert(
            name,
            &["--threads=8", &format!("--memory-limit={limit}MiB")],
        );
        assert!(peak < limit << 20, "{peak} bytes");
        assert!(dir.read(name) == dir.read("free.parquet"), "{limit} MiB");
    }
    let peak = run_convert("c.parquet", &["--threads", "8", "--memory-limit", "64MiB"]);
    assert!(peak < 64 << 20, "{peak} bytes");
    run_convert("d.parquet", &["--threads", "2", "--memory-limit", "64MiB"]);
    assert!(dir.read("c.parquet") == dir.read("d.parquet"));
    assert_eq!(dir.parquet("c.parquet").num_rows(), 300_000);
}

/// Each partition folder gets one row of each batch. The memory for row groups must not grow with the number of
/// folders.
#[test]
fn a_limit_is_kept_by_many_folders_too() {
    let dir = TestDir::new();
    let part_of_row = |id: usize| match id % 15 {
        0 => id / 15 % 99,
        _ => 99,
    };
    let rows = (0..300_000).map(|id| format!("{PUZZLE},{}\n", part_of_row(id)));
    dir.write(
        "in.csv",
        format!("puzzle,part\n{}", rows.collect::<String>()),
    );
    let arguments = "grade in.csv -o out/ --partition-by part";
    let limit = "--memory-limit 128MiB --threads 2";
    let summary = dir.summary((arguments, limit));
    let peak = summary["peak_memory_bytes"].as_u64().unwrap();
    assert!(peak < 128 << 20, "{peak} bytes");
    assert_eq!(summary["rows_out"], 300_000);
}

/// Nearly five hundred output tables are open at once. Each takes memory in addition to the memory for its rows.
#[test]
fn a_limit_is_kept_by_the_maximum_number_of_open_tables() {
    let dir = TestDir::new();
    let mut rng = sudoku_core::random::Rng::new(7);
    let mut random_note = || {
        let letters = (0..6000).map(|_| char::from(b'a' + rng.below(26) as u8));
        letters.collect::<String>()
    };
    let rows = (0..14_700).map(|id| format!("{PUZZLE},{},{}\n", id % 490, random_note()));
    let text = format!("puzzle,tag,note\n{}", rows.collect::<String>());
    dir.write("wide.csv", text);
    let rows = (0..490).map(|id| format!("{PUZZLE},{id}\n"));
    let text = format!("puzzle,tag\n{}", rows.collect::<String>());
    dir.write("short.csv", text);
    // Without optimisation, the code of the program takes more memory.
    let debug_code_bytes = if cfg!(debug_assertions) { 8 << 20 } else { 0 };
    // The first input has long rows, and the second has short rows with many columns.
    for (command, input) in [("convert", "wide.csv"), ("grade", "short.csv")] {
        for format in ["parquet", "csv"] {
            for limit in [64, 128] {
                let output_name = format!("{command}-{format}-{limit}/");
                let arguments = [command, input, "-o", &output_name, "--partition-by", "tag"];
                let memory_limit = format!("{limit}MiB");
                let options = ["--format", format, "--memory-limit", &memory_limit];
                let summary = dir.summary(&[&arguments[..], &options].concat());
                let peak = summary["peak_memory_bytes"].as_u64().unwrap();
                assert!(
                    peak < (limit << 20) + debug_code_bytes,
                    "{output_name}: {peak} bytes"
                );
            }
        }
    }
}

#[test]
fn a_limit_that_is_too_small_is_refused_and_fewer_threads_are_logged() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let arguments_with_limit =
        |limit| ["convert", "in.txt", "-o", "x.csv", "--memory-limit", limit];
    let message = dir.fail(&arguments_with_limit("63MiB"), 2);
    assert!(message.contains("at least 64.0 MiB"), "{message}");
    dir.fail(&arguments_with_limit("a lot"), 2);
    assert_eq!(dir.files(), ["in.txt"]);
    let output = dir
        .command("convert in.txt -o x.csv --threads 8")
        .env("PIPELINE_MEMORY_LIMIT", "67108864")
        .output()
        .unwrap();
    let message = crate::util::stderr(&output);
    assert!(message.contains("room for 1 of 8 threads"), "{message}");
}

/// Regression test: an Arrow file of 1.5 kB, whose rows all refer to one long value, took 4.3 GB with a limit
/// of 256 MiB: the shared value was counted once, and not for each row that is written. Long texts took 157 MiB with a
/// limit of 128 MiB, because threads kept the memory of rows that they had freed.
#[test]
fn a_limit_is_kept_by_rows_with_long_values() {
    use crate::tables::{arrow_file, batch};
    use arrow::array::{
        Array, ArrayRef, DictionaryArray, Int32Array, StringArray, StringViewBuilder,
    };
    use arrow::datatypes::Int32Type;
    use arrow::ipc::CompressionType;
    use std::sync::Arc;

    let dir = TestDir::new();
    let long_text = "x".repeat(36_000);
    let dictionary = |value: &str, rows| {
        let values: ArrayRef = Arc::new(StringArray::from(vec![value]));
        let key_array = Int32Array::from(vec![0; rows]);
        Arc::new(DictionaryArray::<Int32Type>::new(key_array, values)) as ArrayRef
    };
    let views = |value: &str, rows| {
        let mut builder = StringViewBuilder::new();
        let block = builder.append_block(value.as_bytes().into());
        for _ in 0..rows {
            builder
                .try_append_view(block, 0, value.len() as u32)
                .unwrap();
        }
        Arc::new(builder.finish()) as ArrayRef
    };
    // Letters at random, which Parquet cannot compress much.
    let mut rng = sudoku_core::random::Rng::new(7);
    let random_text = (0..6_000_000).map(|_| char::from(b'a' + rng.below(26) as u8));
    let random_text = random_text.collect::<String>();
    let parts = (0..12_000).map(|row| Some(&random_text[row * 499..][..6_000]));
    let columns = [
        dictionary(&long_text, 6_000),
        views(&long_text, 6_000),
        views(&"y".repeat(1_000_000), 200),
        Arc::new(parts.collect::<StringArray>()) as ArrayRef,
    ];
    for (at, column) in columns.into_iter().enumerate() {
        let rows = column.len();
        let table = batch(vec![("puzzle", dictionary(PUZZLE, rows)), ("c", column)]);
        let name = format!("{at}.arrow");
        // A record batch is decoded as a whole.
        let batch_rows = rows.min(if at == 3 { 1_000 } else { 6_000 });
        let file = arrow_file(&table, batch_rows, Some(CompressionType::ZSTD));
        dir.write(&name, file);
        for format in ["arrow", "parquet", "csv"] {
            let output_name = format!("{at}.out.{format}");
            let arguments = format!("convert {name} -o {output_name} --memory-limit 128MiB");
            let summary = dir.summary(&arguments);
            let peak = summary["peak_memory_bytes"].as_u64().unwrap();
            assert!(peak < 128 << 20, "{name} to {format}: {peak} bytes");
            assert_eq!(summary["rows_out"], rows, "{name} to {format}");
            std::fs::remove_file(dir.path(&output_name)).unwrap();
        }
    }
}

/// Regression test: an allocation beyond `ulimit -v` aborted the run with exit code 134 and left a temporary file.
#[test]
#[cfg(target_os = "linux")]
fn a_tight_address_space_is_refused_at_the_start_and_a_wider_one_is_kept() {
    let dir = TestDir::new();
    let lines: String = (0..20_000).map(|id| format!("{PUZZLE} {id}\n")).collect();
    dir.write("in.txt", lines);
    let run_with = |limit: &str| {
        let script = format!(
            "ulimit {limit} && exec {} grade in.txt -o out.parquet --overwrite",
            env!("CARGO_BIN_EXE_pipeline")
        );
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script]).current_dir(dir.path(""));
        shell.output().unwrap()
    };
    for limit in ["-v 100000", "-v 140000", "-d 10240", "-d 40960"] {
        let output = run_with(limit);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{limit}: {message}");
        let command = format!("raise the limit, as with ulimit {}", &limit[..2]);
        assert!(message.contains(&command), "{message}");
        assert_eq!(std::fs::read_dir(dir.path("")).unwrap().count(), 1);
    }
    for limit in ["-v 262144", "-d 131072"] {
        let output = run_with(limit);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{limit}: {message}");
        assert_eq!(dir.parquet("out.parquet").num_rows(), 20_000);
        std::fs::remove_file(dir.path("out.parquet")).unwrap();
    }
}
