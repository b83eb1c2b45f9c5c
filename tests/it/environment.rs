//! Options in environment variables.

use crate::util::{PUZZLE, Place, stderr};

fn run(place: &Place, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
    let mut command = place.command(arguments);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    (output.status.code().unwrap(), stderr(&output))
}

#[test]
fn switches_are_on_and_off_in_all_usual_words() {
    let place = Place::new();
    place.write("in.txt", PUZZLE);
    let convert = ["convert", "in.txt", "-o", "out.csv"];
    place.succeed(&convert);
    for on in ["1", "true", "TRUE", "yes", "on"] {
        let (code, said) = run(&place, &convert, &[("PIPELINE_OVERWRITE", on)]);
        assert_eq!(code, 0, "{on}: {said}");
    }
    for off in ["0", "false", "no", "off", ""] {
        let (code, said) = run(&place, &convert, &[("PIPELINE_OVERWRITE", off)]);
        assert_eq!(code, 4, "{off}: {said}");
    }
    let (code, said) = run(&place, &convert, &[("PIPELINE_OVERWRITE", "perhaps")]);
    assert!(code == 2 && said.contains("perhaps"), "{said}");
    // A switch that is off does not conflict with other options.
    let resume = ["convert", "in.txt", "-o", "out/", "--resume"];
    let (code, said) = run(&place, &resume, &[("PIPELINE_OVERWRITE", "0")]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let place = Place::new();
    place.write("in.txt", PUZZLE);
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
    let (code, said) = run(&place, &["grade", "in.txt", "-o", "out.csv"], &variables);
    assert_eq!(code, 0, "{said}");
    assert_eq!(place.files(), ["in.txt", "out.csv"]);
    // The option is required, and an empty variable does not set it.
    let (code, said) = run(&place, &["grade", "in.txt"], &[("PIPELINE_OUTPUT", "")]);
    assert!(code == 2 && said.contains("--output"), "{said}");
}
