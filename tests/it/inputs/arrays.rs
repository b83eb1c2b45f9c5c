//! Tests archives of several NumPy arrays (`.npz`), which are read as tables.

use crate::tables::{digits, npy, npz};
use crate::util::{PUZZLE, SOLUTION, TestDir, generated, stderr};

fn add_one_to_each(numbers: &[u8]) -> Vec<u8> {
    numbers.iter().map(|number| number + 1).collect()
}

/// Regression test: an archive of several arrays was refused.
#[test]
fn the_arrays_of_an_archive_are_the_columns_of_a_table() {
    let dir = TestDir::new();
    let (puzzle, solution) = (digits(PUZZLE), digits(SOLUTION));
    let cells_twice = |cells: &[u8]| [cells, cells].concat();
    let ratings: Vec<u8> = [1.5_f32, -2.0]
        .iter()
        .flat_map(|x| x.to_be_bytes())
        .collect();
    let names: Vec<u8> = "aéb\0"
        .chars()
        .flat_map(|x| (x as u32).to_le_bytes())
        .collect();
    let files = [
        ("rating", npy(">f4", "(2,)", &ratings)),
        ("solutions", npy("|u1", "(2, 81)", &cells_twice(&solution))),
        ("version", npy("|i1", "()", &[3])),
        ("name", npy("<U2", "(2,)", &names)),
        (
            "puzzles",
            npy("|i1", "(2, 9, 9)", &add_one_to_each(&cells_twice(&puzzle))),
        ),
        ("is_new", npy("|b1", "(2,)", &[1, 0])),
        ("moves", npy("|u1", "(2, 2, 2)", &[1, 2, 3, 4, 5, 6, 7, 8])),
    ];
    let expected_json = format!(
        "{{\"rating\":1.5,\"solutions\":\"{SOLUTION}\",\"name\":\"aé\",\"puzzles\":\"{PUZZLE}\",\
         \"is_new\":true,\"moves\":[[1,2],[3,4]]}}\n\
         {{\"rating\":-2.0,\"solutions\":\"{SOLUTION}\",\"name\":\"b\",\"puzzles\":\"{PUZZLE}\",\
         \"is_new\":false,\"moves\":[[5,6],[7,8]]}}\n"
    );
    for deflated in [false, true] {
        let bytes = npz(&files, deflated);
        dir.write("in.npz", &bytes);
        let arguments = "convert in.npz -o - --format ndjson";
        let output = dir.run(arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected_json);
        let message = stderr(&output);
        assert!(message.contains("are left out: version ()"), "{message}");
        let options = "--keep rating --solution-column solutions --puzzle-column puzzles";
        let rows = dir.succeed((arguments, options));
        assert!(rows.starts_with("{\"rating\":1.5,\"solutions\":"), "{rows}");
        // The positions of the arrays are stored at the end of the archive, so they are unknown while the archive is
        // read from a pipe.
        let piped = dir.pipe("convert - -o - --format csv", &bytes);
        assert_eq!(piped.status.code(), Some(3));
        assert!(
            stderr(&piped).contains("save it as a file"),
            "{}",
            stderr(&piped)
        );
    }
}

/// If several arrays could hold the puzzles, none is chosen, and the error names them.
#[test]
fn several_arrays_that_could_be_the_puzzles_are_named_in_the_error() {
    let dir = TestDir::new();
    let grids = npy("|u1", "(1, 81)", &digits(PUZZLE));
    let solutions_npy = npy("|u1", "(1, 81)", &digits(SOLUTION));
    let score = npy("<i2", "(1,)", &[7, 0]);
    let name = npy("|S2", "(1,)", b"ab");
    let arguments = "convert in.npz -o - --format csv";
    let files = [
        ("p", grids.clone()),
        ("s", solutions_npy.clone()),
        ("score", score.clone()),
    ];
    dir.write("in.npz", npz(&files, true));
    let message = dir.fail(arguments, 3);
    assert!(
        message.contains("several of its arrays could be the puzzles: p (1, 81), s (1, 81)")
            && message.contains("--puzzle-column")
            && message.contains("--solution-column"),
        "{message}"
    );
    let column_choice = "--puzzle-column p --solution-column s";
    let rows = dir.succeed((arguments, column_choice));
    assert_eq!(rows, format!("p,s,score\n{PUZZLE},{SOLUTION},7\n"));
    let message = dir.fail(&format!("{arguments} --puzzle-column z"), 3);
    assert!(message.contains("its columns are p, s, score"), "{message}");
    // If only one array can hold puzzles, its name does not matter.
    let files = [("a", score.clone()), ("arr_0", grids.clone()), ("n", name)];
    dir.write("in.npz", npz(&files, false));
    assert_eq!(
        dir.succeed(arguments),
        format!("a,arr_0,n\n7,{PUZZLE},ab\n")
    );
    // The name does not matter either if the archive also has an array of solutions.
    dir.write(
        "in.npz",
        npz(
            &[("x", grids.clone()), ("solution", solutions_npy.clone())],
            false,
        ),
    );
    assert_eq!(
        dir.succeed(arguments),
        format!("x,solution\n{PUZZLE},{SOLUTION}\n")
    );
    dir.write(
        "in.npz",
        npz(&[("a", score.clone()), ("b", score.clone())], false),
    );
    let message = dir.fail(arguments, 3);
    assert!(
        message.contains("no puzzle column; its columns are a, b"),
        "{message}"
    );
    let files = [("puzzle", grids.clone()), ("odd", npy("|O", "(1,)", b"?"))];
    dir.write("in.npz", npz(&files, false));
    let message = dir.fail(arguments, 3);
    assert!(
        message.contains("\"odd\" cannot be carried") && message.contains("--keep"),
        "{message}"
    );
    assert_eq!(
        dir.succeed(&format!("{arguments} --keep none")),
        format!("puzzle\n{PUZZLE}\n")
    );
    let longer_array = npy(
        "|u1",
        "(2, 81)",
        &[digits(SOLUTION), digits(SOLUTION)].concat(),
    );
    dir.write(
        "in.npz",
        npz(&[("puzzle", grids), ("solution", longer_array)], false),
    );
    let message = dir.fail(arguments, 3);
    assert!(message.contains("\"solution\" has 2 grids"), "{message}");
}

/// A damaged array is an error that names the array and the position. No wrong rows are written.
#[test]
fn damage_of_an_archive_of_arrays_is_an_error() {
    let dir = TestDir::new();
    let rows = generated(&dir, "40");
    let puzzles: Vec<u8> = rows.iter().flat_map(|row| digits(&row.0)).collect();
    let solutions: Vec<u8> = rows.iter().flat_map(|row| digits(&row.1)).collect();
    let arguments = "convert in.npz -o out.csv --overwrite";
    let files = [
        ("puzzle", npy("|u1", "(40, 81)", &puzzles)),
        ("solution", npy("|u1", "(40, 81)", &solutions)),
    ];
    for deflated in [false, true] {
        let archive = npz(&files, deflated);
        dir.write("in.npz", &archive);
        dir.succeed(arguments);
        let expected = dir.read("out.csv");
        for at in (0..archive.len()).step_by(37) {
            let mut damaged_archive = archive.clone();
            damaged_archive[at] ^= 16;
            dir.write("in.npz", &damaged_archive);
            let output = dir.run(arguments);
            match output.status.code() {
                Some(0) => assert!(dir.read("out.csv") == expected, "byte {at}"),
                code => assert!(matches!(code, Some(3)), "byte {at}: {}", stderr(&output)),
            }
        }
        dir.write("in.npz", &archive[..archive.len() / 2]);
        dir.fail(arguments, 3);
    }
    let too_few_rows = npy("|u1", "(40, 81)", &solutions[..39 * 81]);
    dir.write(
        "in.npz",
        npz(&[files[0].clone(), ("solution", too_few_rows)], true),
    );
    let message = dir.fail(arguments, 3);
    assert!(
        message.contains("in.npz: solution.npy: at byte")
            && message.contains("1 of its 40 records"),
        "{message}"
    );
    let too_many_bytes = npy("|u1", "(40, 81)", &[&solutions[..], &[1]].concat());
    dir.write(
        "in.npz",
        npz(&[files[0].clone(), ("solution", too_many_bytes)], true),
    );
    let message = dir.fail(arguments, 3);
    assert!(
        message.contains("solution.npy") && message.contains("more follows"),
        "{message}"
    );
}

/// An archive with a single array can be read from a pipe, and the array may have any name.
#[test]
fn the_only_array_of_an_archive_may_come_through_a_pipe() {
    let dir = TestDir::new();
    let single_array = npz(&[("arr_0", npy("|u1", "(1, 81)", &digits(PUZZLE)))], true);
    let piped = dir.pipe("convert - -o - --format csv", &single_array);
    assert_eq!(
        String::from_utf8_lossy(&piped.stdout),
        format!("puzzle\n{PUZZLE}\n")
    );
}

/// The log says once for each file which number is an empty cell, if this was inferred from most grids.
#[test]
fn an_inferred_empty_cell_is_logged_once() {
    let dir = TestDir::new();
    let tokens: Vec<u8> = digits(PUZZLE).iter().map(|digit| digit + 1).collect();
    let rows = 5000;
    let shape = format!("({rows}, 81)");
    dir.write("tokens.npy", npy("|u1", &shape, &tokens.repeat(rows)));
    let arrays = [
        ("puzzle", npy("|u1", &shape, &tokens.repeat(rows))),
        ("id", npy("|u1", &format!("({rows},)"), &vec![1; rows])),
    ];
    dir.write("tokens.npz", npz(&arrays, false));
    let object = serde_json::json!({ "puzzle": tokens });
    dir.write("tokens.ndjson", format!("{object}\n").repeat(rows));
    dir.succeed("convert tokens.npy -o back.csv");
    dir.write("digits.npy", npy("|u1", "(1, 81)", &digits(PUZZLE)));
    for input in ["tokens.npy", "tokens.npz", "tokens.ndjson"] {
        // A second input makes the program open each of them twice.
        let output = dir.run(&[
            "convert",
            input,
            "digits.npy",
            "-o",
            "out.csv",
            "--overwrite",
        ]);
        let message = stderr(&output);
        assert!(output.status.success(), "{message}");
        let lines = message
            .lines()
            .filter(|line| line.contains("1 is an empty cell"));
        let lines: Vec<&str> = lines.collect();
        assert!(lines.len() == 1 && lines[0].contains(input), "{message}");
    }
    let given = dir.run("convert tokens.npy -o out.csv --overwrite --token-offset 1");
    assert!(!stderr(&given).contains("is an empty cell"));
}
