//! Tests of grids of numbers: which numbers stand for empty cells and digits, and how the items of NumPy arrays form grids.

use crate::tables::{digits, npy, npz};
use crate::util::{PUZZLE, SOLUTION, TestDir};

const OTHER: &str =
    "..43..2.9..5..9..1.7..6..43..6..2.8719...74...5..83...6.....1.5..35.869..4291.3..";

/// The numbers of a grid, with `empty` for an empty cell, and `add` more than the digit for the others.
fn numbers(grid: &str, empty: i8, add: i8) -> Vec<i8> {
    let number = |digit: &u8| match digit {
        0 => empty,
        digit => *digit as i8 + add,
    };
    digits(grid).iter().map(number).collect()
}

fn bytes(numbers: &[i8]) -> Vec<u8> {
    numbers.iter().map(|number| *number as u8).collect()
}

fn json(numbers: &[i8]) -> String {
    format!("{numbers:?}")
}

/// Converts a file, and returns the rows without the header.
fn convert(dir: &TestDir, name: &str, bytes: impl AsRef<[u8]>) -> String {
    dir.write(name, bytes);
    let rows = dir.succeed(&["convert", name, "-o", "-", "--format", "csv"]);
    rows.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn minus_one_is_an_empty_cell_where_it_occurs() {
    let dir = TestDir::new();
    for add in [0, -1] {
        let grids = [numbers(PUZZLE, -1, add), numbers(OTHER, -1, add)];
        let expected = format!("{PUZZLE}\n{OTHER}\n");
        let array = npy("|i1", "(2, 81)", &bytes(&grids.concat()));
        assert_eq!(convert(&dir, "a.npy", array), expected, "{add}");
        let lines = grids
            .clone()
            .map(|grid| format!("{{\"puzzle\":{}}}\n", json(&grid)));
        assert_eq!(convert(&dir, "a.ndjson", lines.concat()), expected, "{add}");
        let rows = dir.succeed("convert a.ndjson -o a.parquet --overwrite");
        assert_eq!(rows, "");
    }
    // One odd -1 does not change what the others mean, and one odd 0 does not either.
    let mut odd = numbers(PUZZLE, 0, 0);
    odd[2] = -1;
    let grids = [odd, numbers(OTHER, 0, 0), numbers(OTHER, 0, 0)].concat();
    assert_eq!(
        convert(&dir, "a.npy", npy("|i1", "(3, 81)", &bytes(&grids))),
        format!("{OTHER}\n{OTHER}\n")
    );
    let mut odd = numbers(PUZZLE, -1, 0);
    odd[2] = 0;
    let grids = [odd, numbers(OTHER, -1, 0), numbers(OTHER, -1, 0)].concat();
    dir.write("a.npy", npy("|i1", "(3, 81)", &bytes(&grids)));
    dir.succeed("convert a.npy -o x.csv --rejects r.csv");
    let rejects = String::from_utf8(dir.read("r.csv")).unwrap();
    assert!(
        rejects
            .contains("0 at position 3 is not between 1 and 9, and not -1, which is an empty cell"),
        "{rejects}"
    );
    // A solution of the digits 0 to 8 is read like its puzzle.
    let line = format!(
        "{{\"puzzle\":{},\"solution\":{}}}\n",
        json(&numbers(PUZZLE, -1, -1)),
        json(&numbers(SOLUTION, -1, -1))
    );
    assert_eq!(
        convert(&dir, "a.ndjson", line),
        format!("{PUZZLE},{SOLUTION}\n")
    );
}

#[test]
fn null_and_nan_are_empty_cells_but_not_beside_zero() {
    let dir = TestDir::new();
    let null = |numbers: Vec<i8>| json(&numbers).replace("-1", "null");
    let line = |grid: String| format!("{{\"puzzle\":{grid}}}\n");
    let rows = convert(&dir, "a.ndjson", line(null(numbers(PUZZLE, -1, 0))));
    assert_eq!(rows, format!("{PUZZLE}\n"));
    let floats: Vec<u8> = numbers(PUZZLE, -1, 0)
        .iter()
        .map(|number| {
            if *number < 0 {
                f32::NAN
            } else {
                f32::from(*number)
            }
        })
        .flat_map(f32::to_le_bytes)
        .collect();
    assert_eq!(
        convert(&dir, "a.npy", npy("<f4", "(1, 81)", &floats)),
        format!("{PUZZLE}\n")
    );
    let nan = null(numbers(PUZZLE, -1, 0)).replace("null", "NaN");
    dir.write("n.ndjson", line(nan.clone()));
    let message = dir.fail("convert n.ndjson -o x.csv", 3);
    assert!(
        message.contains("has NaN, which is no JSON: write null"),
        "{message}"
    );
    dir.write("n.ndjson", line(json(&numbers(OTHER, 0, 0))) + &line(nan));
    dir.succeed("convert n.ndjson -o n.csv --rejects n.rejects.csv");
    let rejects = String::from_utf8(dir.read("n.rejects.csv")).unwrap();
    assert!(rejects.contains("NaN is no JSON: write null"), "{rejects}");
    // The digits 0 to 8 with null for an empty cell cannot be told from two marks for empty cells.
    dir.write(
        "b.ndjson",
        line(null(numbers(PUZZLE, -1, -1))) + &line(null(numbers(OTHER, -1, -1))),
    );
    let message = dir.fail("convert b.ndjson -o x.csv", 3);
    assert!(
        message.contains("null and 0 both occur") && message.contains("--token-offset -1"),
        "{message}"
    );
    assert!(!dir.exists("x.csv"));
    let rows = dir.succeed("convert b.ndjson --token-offset -1 -o - --format csv");
    assert_eq!(rows, format!("puzzle\n{PUZZLE}\n{OTHER}\n"));
    let mut mixed = numbers(PUZZLE, 0, 0);
    mixed[2] = -1;
    let lines = line(json(&numbers(OTHER, 0, 0))).repeat(3)
        + &line(null(mixed))
        + &line(null(numbers(OTHER, -1, 0)));
    dir.write("c.ndjson", lines + &line(null(numbers(OTHER, -1, 0))));
    dir.succeed("convert c.ndjson -o x.csv --rejects r.csv");
    let rejects = String::from_utf8(dir.read("r.csv")).unwrap();
    assert!(
        rejects.contains("mixed_blanks,null at position 3 and 0 at position 4"),
        "{rejects}"
    );
}

#[test]
fn full_grids_of_the_digits_from_0_are_refused() {
    let dir = TestDir::new();
    let full = bytes(&numbers(SOLUTION, 0, -1));
    dir.write("a.npy", npy("|i1", "(1, 9, 9)", &full));
    let message = dir.fail("solve a.npy -o x.csv", 3);
    assert!(
        message.contains("0 once in each row, and no 9"),
        "{message}"
    );
    assert!(!dir.exists("x.csv"));
    let rows = dir.succeed("convert a.npy --token-offset=-1 -o - --format csv");
    assert_eq!(rows, format!("puzzle\n{SOLUTION}\n"));
    // A file of solved grids is no such file.
    let solved = npy("|i1", "(1, 9, 9)", &digits(SOLUTION));
    assert_eq!(convert(&dir, "b.npy", solved), format!("{SOLUTION}\n"));
}

#[test]
fn labels_are_the_solutions_if_they_complete_the_puzzles() {
    let dir = TestDir::new();
    let array = |numbers: Vec<i8>| npy("|i1", "(1, 81)", &bytes(&numbers));
    let (puzzle, solution) = (
        |add| numbers(PUZZLE, add, add),
        |add| numbers(SOLUTION, add, add),
    );
    for (x, y, inputs, labels) in [
        ("inputs", "labels", puzzle(1), solution(1)),
        ("X", "Y", puzzle(0), solution(0)),
        // Classes of a model, which are one less than the digits.
        ("x", "y", puzzle(0), solution(-1)),
        ("features", "labels", puzzle(0), solution(0)),
        ("puzzles", "solutions", puzzle(0), solution(-1)),
        ("quizzes", "solutions", puzzle(0), solution(0)),
    ] {
        dir.write(
            "a.npz",
            npz(&[(x, array(inputs)), (y, array(labels))], true),
        );
        let rows = dir.succeed("convert a.npz -o - --format csv");
        assert_eq!(rows, format!("{x},{y}\n{PUZZLE},{SOLUTION}\n"));
    }
    let files = [("x", array(puzzle(0))), ("y", array(numbers(OTHER, 0, 0)))];
    dir.write("a.npz", npz(&files, true));
    let output = dir.run("convert a.npz -o - --format ndjson");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("the array y is not taken as the solutions, because it completes 0 of the first 1 puzzle")
            && message.contains("--solution-column y"),
        "{message}"
    );
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("\"y\":[")
    );
}

/// One-hot vectors of a grid. `axis` says whether the items of a cell come one after the other.
fn one_hot(grid: &str, classes: usize, is_last_axis: bool, is_empty_last: bool) -> Vec<u8> {
    let mut items = vec![0; 81 * classes];
    for (cell, digit) in digits(grid).into_iter().enumerate() {
        let class = match (digit, classes) {
            (0, 9) => continue,
            (0, _) if is_empty_last => 9,
            (digit, 10) if !is_empty_last => usize::from(digit),
            (digit, _) => usize::from(digit) - 1,
        };
        let at = if is_last_axis {
            cell * classes + class
        } else {
            class * 81 + cell
        };
        items[at] = 1;
    }
    items
}

#[test]
fn one_hot_digits_are_found_on_the_axis_on_which_they_are_grids() {
    let dir = TestDir::new();
    for (shape, classes, is_last, is_empty_last) in [
        ("(2, 9, 9, 9)", 9, true, false),
        ("(2, 9, 9, 9)", 9, false, false),
        ("(2, 9, 9, 10)", 10, true, false),
        ("(2, 9, 9, 10)", 10, true, true),
        ("(2, 10, 9, 9)", 10, false, false),
        ("(2, 10, 9, 9)", 10, false, true),
        ("(2, 81, 9)", 9, true, false),
        ("(2, 9, 81)", 9, false, false),
        ("(2, 81, 10)", 10, true, false),
        ("(2, 10, 81)", 10, false, true),
        ("(2, 729)", 9, true, false),
        ("(2, 729)", 9, false, false),
        ("(2, 810)", 10, false, false),
    ] {
        let items = [PUZZLE, OTHER]
            .map(|grid| one_hot(grid, classes, is_last, is_empty_last))
            .concat();
        for descr in ["|b1", "|u1"] {
            let rows = convert(&dir, "a.npy", npy(descr, shape, &items));
            assert_eq!(
                rows,
                format!("{PUZZLE}\n{OTHER}\n"),
                "{shape} {is_last} {is_empty_last}"
            );
        }
    }
    for (shape, classes, is_last) in [
        ("(9, 9, 9)", 9, true),
        ("(9, 9, 9)", 9, false),
        ("(10, 9, 9)", 10, false),
        ("(81, 9)", 9, true),
        ("(9, 81)", 9, false),
    ] {
        let rows = convert(
            &dir,
            "a.npy",
            npy("|u1", shape, &one_hot(PUZZLE, classes, is_last, false)),
        );
        assert_eq!(rows, format!("{PUZZLE}\n"), "{shape}");
    }
    let nine = npy("|u1", "(9, 9, 9)", &digits(PUZZLE).repeat(9));
    assert_eq!(
        convert(&dir, "a.npy", nine),
        format!("{PUZZLE}\n").repeat(9)
    );
    // The first axis of these items is the last of others: both are grids.
    let diagonal: String = (0..81)
        .map(|cell| if cell == 40 { '5' } else { '.' })
        .collect();
    dir.write(
        "a.npy",
        npy("|u1", "(1, 9, 9, 9)", &one_hot(&diagonal, 9, true, false)),
    );
    let message = dir.fail("convert a.npy -o x.csv", 3);
    assert!(
        message.contains("on which axis is ambiguous: grids without a conflict are, with the digits on the last axis, 1 of the first 1, and with the digits on the first axis, 1 of the first 1"),
        "{message}"
    );
}

#[test]
fn arrays_of_every_order_and_shape_are_read() {
    let dir = TestDir::new();
    let grids = [digits(PUZZLE), digits(OTHER)];
    let expected = format!("{PUZZLE}\n{OTHER}\n");
    for shape in ["(2, 1, 9, 9)", "(2, 9, 9, 1)", "(2, 1, 81)", "(2, 81, 1)"] {
        assert_eq!(
            convert(&dir, "a.npy", npy("|u1", shape, &grids.concat())),
            expected,
            "{shape}"
        );
    }
    let big_endian: Vec<u8> = grids
        .concat()
        .iter()
        .flat_map(|digit| i32::from(*digit).to_be_bytes())
        .collect();
    assert_eq!(
        convert(&dir, "a.npy", npy(">i4", "(2, 81)", &big_endian)),
        expected
    );
    // In Fortran order, the first index varies fastest.
    let fortran = |bytes: Vec<u8>| -> Vec<u8> {
        let at = bytes.windows(5).position(|part| part == b"False").unwrap();
        [&bytes[..at], b"True ", &bytes[at + 5..]].concat()
    };
    let by_cell: Vec<u8> = (0..81)
        .flat_map(|cell| [grids[0][cell], grids[1][cell]])
        .collect();
    let flat = fortran(npy("|u1", "(2, 81)", &by_cell));
    assert_eq!(convert(&dir, "a.npy", &flat), expected);
    let by_column: Vec<u8> = (0..81)
        .map(|at| at % 9 * 9 + at / 9)
        .flat_map(|cell| [grids[0][cell], grids[1][cell]])
        .collect();
    let square = fortran(npy("|u1", "(2, 9, 9)", &by_column));
    assert_eq!(convert(&dir, "a.npy", &square), expected);
    let piped = dir.pipe("convert - -o - --format csv", &crate::util::gzip(&square));
    assert_eq!(
        String::from_utf8(piped.stdout).unwrap(),
        format!("puzzle\n{expected}")
    );
    dir.write(
        "a.npz",
        npz(
            &[
                ("puzzles", flat.clone()),
                ("n", npy("|u1", "(2,)", &[1, 2])),
            ],
            true,
        ),
    );
    let rows = dir.succeed("convert a.npz -o - --format csv");
    assert_eq!(rows, format!("puzzles,n\n{PUZZLE},1\n{OTHER},2\n"));
    for (bytes, expected) in [
        (&flat[..flat.len() - 1], "cut short"),
        (&[&flat[..], b"x"].concat(), "more follows"),
    ] {
        dir.write("a.npy", bytes);
        let message = dir.fail("convert a.npy -o x.csv", 3);
        assert!(message.contains(expected), "{message}");
    }
    for (shape, items, expected) in [
        ("(9, 9, 2)", 162, "save numpy.moveaxis(array, -1, 0)"),
        ("(2, 80)", 160, "has the shape (2, 80); grids are read from"),
        ("()", 1, "has the shape ()"),
    ] {
        dir.write("a.npy", npy("|u1", shape, &vec![0; items]));
        let message = dir.fail("convert a.npy -o x.csv", 3);
        assert!(message.contains(expected), "{message}");
    }
    let columns: Vec<u8> = (0..81 * 81).map(|at| digits(PUZZLE)[at / 81]).collect();
    dir.write("a.npy", npy("|u1", "(81, 81)", &columns));
    assert!(
        dir.fail("convert a.npy -o x.csv", 3)
            .contains("save array.T")
    );
    dir.write("a.npy", npy("|O", "(1, 81)", b"\x80\x04."));
    let message = dir.fail("convert a.npy -o x.csv", 3);
    assert!(
        message.contains("Python objects, which are a pickle and never executed"),
        "{message}"
    );
}

#[test]
fn steps_are_puzzles_with_their_solutions() {
    let dir = TestDir::new();
    let (clues, solution) = (digits(PUZZLE), digits(SOLUTION));
    let step = |cell: usize| [cell as u8 / 9, cell as u8 % 9, solution[cell]];
    let given = (0..81).filter(|cell| clues[*cell] > 0);
    let others = (0..81).rev().filter(|cell| clues[*cell] == 0);
    let mut record = vec![given.clone().count() as u8];
    record.extend(given.flat_map(|cell| [&step(cell)[..], &[0]].concat()));
    record.extend(others.flat_map(|cell| [&step(cell)[..], &[5]].concat()));
    let mut wrong = record.clone();
    wrong[1 + 4 * 80] = 9;
    let mut twice = record.clone();
    twice.copy_within(1..5, 5);
    dir.write(
        "a.npy",
        npy("|u1", "(3, 325)", &[record, wrong, twice].concat()),
    );
    let rows = dir.succeed("convert a.npy -o - --format csv --rejects r.csv --max-rejects 2");
    assert_eq!(rows, format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n"));
    let rejects = String::from_utf8(dir.read("r.csv")).unwrap();
    assert!(
        rejects.contains("step 81 has the row 9") && rejects.contains("step 2 has the row 0"),
        "{rejects}"
    );
}
