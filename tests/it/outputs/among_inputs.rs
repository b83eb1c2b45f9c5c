//! Tests that an output that the next run would read as an input is refused by the first run already.

use crate::util::{PUZZLE, TestDir};

#[test]
fn an_output_among_the_inputs_is_refused_at_the_first_run() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    for name in ["a.csv", "in/b.csv"] {
        dir.write(name, format!("puzzle,id\n{PUZZLE},1\n"));
    }
    let everything = dir.path("**/*.csv").display().to_string();
    for (input, output) in [
        ("**/*.csv", "o/"),
        (everything.as_str(), "o/"),
        ("*", "o/"),
        ("*/*.csv", "o/"),
        ("*.csv", "o.csv"),
        (".", "o/"),
        (".", "o.csv"),
        ("in", "in/o.csv"),
        ("in/", "in/o/"),
        ("in/../in", "./in/o.csv"),
        ("in/**", "in/sub/"),
    ] {
        for _ in 0..2 {
            let arguments = ["convert", input, "-o", output, "--format", "csv"];
            let message = dir.fail(&arguments, 2);
            assert!(
                message.contains("is read: the next run would read it as input"),
                "{arguments:?}: {message}"
            );
        }
    }
    let partition = "convert */id=*/*.csv in -o o/ --format csv --partition-by id --allow-empty";
    let message = dir.fail(partition, 2);
    assert!(message.contains("the next run would read"), "{message}");
    for (input, output) in [
        ("*.csv", "o/"),
        ("in/*.csv", "p/"),
        ("in", "q.csv"),
        ("in", "in/_q.csv"),
        ("**/*.csv", "_r/"),
        ("a.csv", "in/c.tsv"),
    ] {
        dir.succeed(&["convert", input, "-o", output]);
    }
}
