//! Tests that the solver writes the same tables with all instruction sets that this machine supports.

use sudoku_core::solve::Kernel;

use crate::util::{TestDir, stderr};

/// Writes puzzles of every status: some with few clues and many solutions, hard ones with one solution, and one
/// without a solution.
fn dir_with_inputs() -> TestDir {
    let dir = TestDir::new();
    let mut lines = String::from_utf8(include_bytes!("../../../data/levels.txt").to_vec()).unwrap();
    lines.push_str(HARD_PUZZLES);
    let clues =
        "........................8.......2..................7.....1..............3.........";
    lines.push_str(&format!("{clues}\n{}\n", ".".repeat(81)));
    dir.write("in.txt", lines);
    dir
}

const HARD_PUZZLES: &str = "\
98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6
98.7..6..7.5....9..43.....78..2....6..7.1..2......48..3..9...6.....5.3.......1..9
..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..
";

/// The instruction sets that this machine supports for solving several puzzles in the lanes of a vector.
fn lane_kernels() -> impl Iterator<Item = &'static str> {
    let kernels = Kernel::available().into_iter().map(Kernel::name);
    kernels.filter(|name| *name != "scalar")
}

fn run_with_kernel(dir: &TestDir, kernel: &str, arguments: &[&str]) -> Vec<u8> {
    let mut command = dir.command(arguments);
    let output = command.env("PIPELINE_KERNEL", kernel).output().unwrap();
    assert!(output.status.success(), "{kernel}: {}", stderr(&output));
    output.stdout
}

#[test]
fn all_lane_kernels_write_the_same_bytes() {
    let dir = dir_with_inputs();
    for command in ["solve", "grade"] {
        for limits in [
            &[][..],
            &["--solution-limit", "100"],
            &["--node-limit", "10"],
        ] {
            let stdout_arguments = [command, "in.txt", "-o", "-", "--format", "csv"];
            let arguments = [&stdout_arguments[..], limits].concat();
            let expected_output = dir.run(&arguments).stdout;
            for kernel in lane_kernels() {
                let made_by_kernel = run_with_kernel(&dir, kernel, &arguments);
                assert!(made_by_kernel == expected_output, "{kernel}: {arguments:?}");
            }
        }
    }
}

/// For a puzzle with several solutions, the scalar solver may return another first solution and another node count than
/// the solver with lanes.
#[test]
fn the_scalar_kernel_finds_the_same_counts() {
    let dir = dir_with_inputs();
    let arguments = [
        "solve",
        "in.txt",
        "-o",
        "-",
        "--format",
        "csv",
        "--select",
        "row,puzzle,status,solutions",
        "--solution-limit",
        "100",
    ];
    let scalar_output = run_with_kernel(&dir, "scalar", &arguments);
    assert_eq!(scalar_output, dir.run(&arguments).stdout);
    let text = String::from_utf8(scalar_output).unwrap();
    for status in ["unique", "multiple", "none"] {
        assert!(text.contains(&format!(",{status},")), "{text}");
    }
}

#[test]
fn an_unavailable_kernel_is_refused() {
    let dir = dir_with_inputs();
    for name in ["fast", "AVX2"] {
        let mut command = dir.command("solve in.txt -o out.csv");
        let output = command.env("PIPELINE_KERNEL", name).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name:?}");
        let message = stderr(&output);
        assert!(message.contains("PIPELINE_KERNEL"), "{message}");
        assert!(message.contains("portable, scalar"), "{message}");
        assert!(!dir.exists("out.csv"));
    }
    let help = String::from_utf8(dir.run("--help").stdout).unwrap();
    assert!(help.contains("PIPELINE_KERNEL"), "{help}");
}
