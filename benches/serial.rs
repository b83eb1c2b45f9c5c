//! Measures what is not done by all cores: `cargo bench --bench serial -- [ROWS] [COMMAND or FORMAT …]`.
//!
//! For each command and format it prints the processor seconds per million rows of the reader thread, of the writing
//! thread and of all threads, and the speed-up that these allow. The three kinds of threads work at the same time, so on N
//! cores a run takes at least the time of its slowest part:
//!
//! ```text
//! time(N) ≥ max(all / N, reader, writer)        speed-up(N) ≤ all / time(N)
//! ```
//!
//! What the writing thread does includes the system's copy of the output to the file. The column `copy` has what this costs
//! alone: the processor seconds of a thread that only writes as many bytes to a new file.
//!
//! The runs have 16 workers, also on a machine with fewer cores. Not counted: what worker threads do one after the other
//! under a lock, and the time before the reader thread starts. Runs of less than a second are too short for the samples.
//! The processor times of threads are sampled from `/proc`, so the bench runs on Linux only.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

mod common;

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};

/// The commands. Those with a table as output get `--output`, unless they name it. `overlap` and `audit` get the input and
/// a copy of it. With the memory limit, the index of classes moves to disk after two million rows.
const COMMANDS: [&str; 33] = [
    "convert",
    "validate",
    "solve",
    "grade --ladder basic",
    "grade",
    "augment --copies 1",
    "trace --limit 20000",
    "stats",
    "dedup",
    "dedup --by exact",
    "dedup --by exact --duplicates duplicates.parquet",
    "dedup --duplicates duplicates.parquet",
    "dedup --by exact --memory-limit 300MiB",
    "split --by exact --into a=0.9,b=rest",
    "split --by exact --into a=0.9,b=rest --stratify set",
    "split --by exact --into a=100000,b=rest",
    "split --by exact --into a=0.9,b=rest --memory-limit 300MiB",
    "overlap --by exact",
    "overlap --by exact -o pairs.parquet",
    "overlap --by exact --memory-limit 300MiB",
    "audit",
    "audit --memory-limit 300MiB",
    "convert -o out.arrow",
    "convert -o out.csv",
    "convert -o out.csv.gz",
    "convert -o out.csv.zst",
    "convert -o out.ndjson",
    "convert -o out.ndjson.gz",
    "convert -o out.txt --keep none",
    "convert -o out.npy --keep none",
    "convert -o parts/ --max-rows-per-file 100000",
    "convert -o parts/ --partition-by set",
    "convert -o parts/ --partition-by set --format csv --compression gzip",
];

/// The formats, as the names of the inputs. `folder` has 16 Parquet files.
const INPUTS: [&str; 9] = [
    "in.parquet",
    "in.arrow",
    "in.npy",
    "in.csv",
    "in.csv.gz",
    "in.csv.zst",
    "in.ndjson",
    "in.txt",
    "folder",
];

/// The number of files in the folder.
const FILES: usize = 16;

/// The numbers of cores for which the bench computes the speed-up.
const CORES: [f64; 3] = [4.0, 16.0, 64.0];

/// The number of worker threads, as on a machine with 16 cores. The number of batches in progress depends on it, and with
/// it the sizes of the pieces that the reader thread leaves to the workers.
const THREADS: &str = "16";

/// The time between two samples. A thread may use so much more than was sampled last.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(1);

/// The processor seconds of a run per million rows.
#[derive(Clone, Copy, Default)]
struct Seconds {
    reader: f64,
    writer: f64,
    copy: f64,
    all: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let rows = arguments.iter().find_map(|argument| argument.parse().ok());
    let rows: u64 = rows.unwrap_or(1_000_000);
    let names = arguments.iter().filter(|name| name.parse::<u64>().is_err());
    let names: Vec<&str> = names.map(String::as_str).collect();
    let is_chosen = |among: &[&str], name: &str| {
        let mut chosen = names.iter().filter(|chosen| among.contains(chosen));
        names.contains(&name) || chosen.next().is_none()
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_inputs(folder.path(), rows);
    println!(
        "Processor seconds per million rows ({rows} rows), and the speed-up that they allow:\n"
    );
    println!("| command | input | reader | writer | copy | all | 4 cores | 16 cores | 64 cores |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for command in COMMANDS {
        for input in INPUTS {
            if !is_chosen(&COMMANDS, command) || !is_chosen(&INPUTS, input) {
                continue;
            }
            let seconds = measure(folder.path(), command, input, rows);
            let Seconds {
                reader,
                writer,
                copy,
                all,
            } = seconds;
            let speed_ups = CORES.map(|cores| {
                let time = (all / cores).max(reader).max(writer);
                format!("{:.1}", all / time)
            });
            println!(
                "| {command} | {input} | {reader:.3} | {writer:.3} | {copy:.3} | {all:.3} | {} |",
                speed_ups.join(" | ")
            );
        }
    }
}

/// Writes the inputs of all formats.
fn write_inputs(folder: &Path, rows: u64) {
    let table = common::generated_table(rows);
    let csv = folder.join("in.csv");
    std::fs::write(&csv, &table).expect("room for the puzzles");
    for input in INPUTS
        .iter()
        .filter(|name| name.starts_with("in.") && **name != "in.csv")
    {
        // These formats have no other columns than puzzles and solutions.
        let keep = match *input {
            "in.npy" | "in.txt" => ["--keep", "none"].as_slice(),
            _ => &[],
        };
        convert(&csv, &folder.join(input), keep);
    }
    std::fs::create_dir_all(folder.join("copy/folder")).expect("a new folder");
    std::fs::create_dir(folder.join("folder")).expect("a new folder");
    let mut lines = table.lines();
    let header = lines.next().expect("a header");
    let lines: Vec<&str> = lines.collect();
    for (number, part) in lines.chunks(lines.len().div_ceil(FILES)).enumerate() {
        let part_csv = folder.join("part.csv");
        std::fs::write(&part_csv, format!("{header}\n{}\n", part.join("\n"))).expect("room");
        let name = format!("folder/{number:02}.parquet");
        convert(&part_csv, &folder.join(&name), &[]);
        copy(folder, &name);
    }
    INPUTS[..INPUTS.len() - 1]
        .iter()
        .for_each(|input| copy(folder, input));
}

/// Copies an input to the folder with copies.
fn copy(folder: &Path, name: &str) {
    std::fs::copy(folder.join(name), folder.join("copy").join(name)).expect("room");
}

fn convert(from: &Path, to: &Path, options: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pipeline"));
    command.args(["convert", "-q"]).arg(from).arg("-o").arg(to);
    let status = command.args(options).status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?}");
}

/// Runs a command, and asserts that it has read all rows.
fn measure(folder: &Path, command: &str, input: &str, rows: u64) -> Seconds {
    let words: Vec<&str> = command.split(' ').collect();
    let output = match words[0] {
        "stats" => Some("summary.json"),
        "validate" | "overlap" => None,
        _ if words.contains(&"-o") => None,
        "split" => Some("parts_of_split/"),
        "audit" => Some("audited/"),
        _ => Some("out.parquet"),
    };
    let mut arguments = words.clone();
    let copy = format!("copy/{input}");
    arguments.push(input);
    if inputs_of(words[0]) > 1 {
        arguments.push(&copy);
    }
    arguments.extend(["-q", "--overwrite", "--threads", THREADS]);
    arguments.extend(output.into_iter().flat_map(|output| ["-o", output]));
    match words[0] {
        "stats" => arguments.extend(["--format", "json"]),
        _ => arguments.extend(["--summary", "summary.json"]),
    }
    let mut run = Command::new(env!("CARGO_BIN_EXE_pipeline"));
    run.args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null());
    let before = processor_seconds(UsageWho::RUSAGE_CHILDREN);
    let mut child = run.spawn().expect("the program starts");
    let sampled = sample_threads(&mut child);
    let status = child.wait().expect("the program ends");
    let all = processor_seconds(UsageWho::RUSAGE_CHILDREN) - before;
    assert!(status.success(), "{run:?}");
    let text = std::fs::read_to_string(folder.join("summary.json")).expect("a summary");
    let counts: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let counted = match words[0] {
        "stats" => &counts["rows"],
        _ => &counts["rows_in"],
    };
    let counted = counted.as_u64().expect("a number of rows");
    let is_whole = counted == inputs_of(words[0]) * rows || words.contains(&"--limit");
    assert!(is_whole, "{command} {input}: {counted} rows");
    let named_output = words.iter().skip_while(|word| **word != "-o").nth(1);
    let output = named_output.copied().or(output);
    let copy = output.map_or(0.0, |output| {
        copy_seconds(folder, size(&folder.join(output)))
    });
    let Seconds { reader, writer, .. } = sampled;
    let [reader, writer, copy, all] =
        [reader, writer, copy, all].map(|seconds| seconds * 1e6 / counted as f64);
    Seconds {
        reader,
        writer,
        copy,
        all,
    }
}

/// The bytes of a file, or of the files of a folder.
fn size(path: &Path) -> u64 {
    match std::fs::read_dir(path) {
        Ok(entries) => entries
            .map(|entry| size(&entry.expect("a file").path()))
            .sum(),
        Err(_) => path.metadata().expect("the output").len(),
    }
}

/// The processor seconds of writing a new file of so many bytes, in pieces of a mebibyte.
fn copy_seconds(folder: &Path, bytes: u64) -> f64 {
    const PIECE: usize = 1 << 20;
    // The caches of a processor core do not hold all pieces, as they do not hold what other cores have encoded.
    let pieces: Vec<Vec<u8>> = (1..=16).map(|byte| vec![byte; PIECE]).collect();
    let path = folder.join("copied");
    let mut file = std::fs::File::create(&path).expect("room");
    let before = processor_seconds(UsageWho::RUSAGE_THREAD);
    let (whole, rest) = (bytes as usize / PIECE, bytes as usize % PIECE);
    for piece in pieces.iter().cycle().take(whole) {
        file.write_all(piece).expect("room");
    }
    file.write_all(&pieces[0][..rest]).expect("room");
    let seconds = processor_seconds(UsageWho::RUSAGE_THREAD) - before;
    std::fs::remove_file(path).expect("the file just written");
    seconds
}

/// The number of inputs that a command reads.
fn inputs_of(command: &str) -> u64 {
    match command {
        "overlap" | "audit" => 2,
        _ => 1,
    }
}

/// The processor seconds of the calling thread, or of all child processes that have ended.
fn processor_seconds(who: UsageWho) -> f64 {
    let usage = getrusage(who).expect("the system counts processor time");
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

/// Samples the processor times of the threads of a process until it ends.
fn sample_threads(child: &mut Child) -> Seconds {
    let mut seconds = Seconds::default();
    let mut main_before = None;
    let process = child.id();
    while child
        .try_wait()
        .expect("the program can be asked")
        .is_none()
    {
        let main_thread = thread_seconds(process, process);
        let tasks = std::fs::read_dir(format!("/proc/{process}/task"));
        for task in tasks.into_iter().flatten().flatten() {
            let Some(id) = task.file_name().to_str().and_then(|id| id.parse().ok()) else {
                continue;
            };
            let name = std::fs::read_to_string(task.path().join("comm"));
            if name.is_ok_and(|name| name.trim() == "reader") {
                let reader = thread_seconds(process, id).unwrap_or_default();
                seconds.reader = seconds.reader.max(reader);
                // The writing thread is the main thread. Before the reader starts, it looks at the inputs.
                main_before = main_before.or(main_thread);
            }
        }
        if let (Some(before), Some(now)) = (main_before, main_thread) {
            seconds.writer = seconds.writer.max(now - before);
        }
        std::thread::sleep(SAMPLE_INTERVAL);
    }
    seconds
}

/// The processor seconds of a thread; `None` if it has ended.
fn thread_seconds(process: u32, thread: u32) -> Option<f64> {
    let path = format!("/proc/{process}/task/{thread}/schedstat");
    let text = std::fs::read_to_string(path).ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
