//! Tests options that are set by environment variables.

use crate::util::{PUZZLE, TestDir, stderr};

fn run(dir: &TestDir, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
    let mut command = dir.command(arguments);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    (output.status.code().unwrap(), stderr(&output))
}

#[test]
fn switches_accept_all_usual_words_for_on_and_off() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let convert_arguments = ["convert", "in.txt", "-o", "out.csv"];
    dir.succeed(&convert_arguments);
    for on in ["1", "true", "TRUE", "yes", "on"] {
        let (code, message) = run(&dir, &convert_arguments, &[("PIPELINE_OVERWRITE", on)]);
        assert_eq!(code, 0, "{on}: {message}");
    }
    for off in ["0", "false", "no", "off", ""] {
        let (code, message) = run(&dir, &convert_arguments, &[("PIPELINE_OVERWRITE", off)]);
        assert_eq!(code, 4, "{off}: {message}");
    }
    let (code, message) = run(
        &dir,
        &convert_arguments,
        &[("PIPELINE_OVERWRITE", "perhaps")],
    );
    assert!(code == 2 && message.contains("perhaps"), "{message}");
    // A switch that is off does not conflict with other options.
    let resume_arguments = ["convert", "in.txt", "-o", "out/", "--resume"];
    let (code, message) = run(&dir, &resume_arguments, &[("PIPELINE_OVERWRITE", "0")]);
    assert_eq!(code, 0, "{message}");
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    let names = [
        "THREADS",
        "MEMORY_LIMIT",
        "LIMIT",
        "SAMPLE",
        "SELECT",
        "RENAME",
        "WHERE",
        "REJECTS",
        "SUMMARY",
        "METRICS",
        "PARTITION_BY",
        "SHARD",
        "KEEP",
        "DELIMITER",
        "LOG_LEVEL",
        "KERNEL",
        "WITH",
        "LADDER",
    ];
    let names: Vec<String> = names
        .iter()
        .map(|name| format!("PIPELINE_{name}"))
        .collect();
    let variables: Vec<_> = names.iter().map(|name| (name.as_str(), "")).collect();
    let (code, message) = run(&dir, &["grade", "in.txt", "-o", "out.csv"], &variables);
    assert_eq!(code, 0, "{message}");
    assert_eq!(dir.files(), ["in.txt", "out.csv"]);
    // The option is required, and an empty variable does not set it.
    let (code, message) = run(&dir, &["grade", "in.txt"], &[("PIPELINE_OUTPUT", "")]);
    assert!(code == 2 && message.contains("--output"), "{message}");
}
