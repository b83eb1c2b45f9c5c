//! Tests the columns about puzzles with several solutions.

use arrow::array::{Array, AsArray, RecordBatch};

use crate::util::{PUZZLE, SOLUTION, TestDir, numbers, texts};

/// A puzzle that locked candidates do not solve.
const HARD_PUZZLE: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// The lists of grids in the column `all_solutions`.
fn all_solutions(table: &RecordBatch) -> Vec<Option<Vec<String>>> {
    let lists = table
        .column_by_name("all_solutions")
        .unwrap()
        .as_list::<i32>();
    let list_in_row = |row: usize| {
        lists.is_valid(row).then(|| {
            let list = lists.value(row);
            let texts = list.as_string::<i32>().iter();
            texts.map(|text| text.unwrap().to_owned()).collect()
        })
    };
    (0..lists.len()).map(list_in_row).collect()
}

/// The cells that are equal in all of these grids, as a grid.
fn common_cells(grids: &[String]) -> String {
    let cells = grids[0].char_indices();
    let is_common = |at: usize| {
        grids
            .iter()
            .all(|grid| grid.as_bytes()[at] == grids[0].as_bytes()[at])
    };
    cells
        .map(|(at, digit)| if is_common(at) { digit } else { '.' })
        .collect()
}

/// The solution without two of its digits, which can be exchanged at least.
fn without_two_digits() -> String {
    SOLUTION.replace(['1', '2'], ".")
}

#[test]
fn columns_say_what_the_solutions_have_in_common() {
    let dir = TestDir::new();
    let several = without_two_digits();
    let empty = ".".repeat(81);
    let contradictory = PUZZLE.replacen("53..7", "531.7", 1);
    let small = "12343412........";
    let puzzles = [PUZZLE, &several, &empty, &contradictory, small];
    dir.write("in.txt", puzzles.join("\n"));
    for (kernel, command) in [("", "grade"), ("portable", "solve"), ("scalar", "solve")] {
        let args = [
            command,
            "in.txt",
            "-o",
            "out.parquet",
            "--solution-limit",
            "20",
            "--with",
            "backbone,ambiguous_cells,candidates,all_solutions",
            "--overwrite",
        ];
        let mut run = dir.command(&args);
        run.env("PIPELINE_KERNEL", kernel);
        assert!(run.status().unwrap().success());
        let table = dir.parquet("out.parquet");
        let (backbone, ambiguous) = (
            texts(&table, "backbone"),
            numbers(&table, "ambiguous_cells"),
        );
        let candidates = texts(&table, "candidates");
        let lists = all_solutions(&table);
        let counts = numbers(&table, "solutions");

        assert_eq!(backbone[0].as_deref(), Some(SOLUTION), "{kernel}");
        assert_eq!(lists[0], Some(vec![SOLUTION.to_owned()]));
        assert_eq!(ambiguous[0], Some(0));

        for row in [1, 4] {
            let list = lists[row].as_ref().unwrap();
            assert_eq!(list.len() as u64, counts[row].unwrap());
            assert!(list.len() > 1 && list.len() < 20, "{}", list.len());
            let common = common_cells(list);
            assert_eq!(backbone[row].as_deref(), Some(&*common), "{kernel}");
            let dots = common.matches('.').count();
            assert_eq!(ambiguous[row].unwrap() as usize, dots);
            let order = common.len().isqrt();
            for (cell, marks) in candidates[row]
                .as_ref()
                .unwrap()
                .as_bytes()
                .chunks(order)
                .enumerate()
            {
                for digit in 1..=order as u8 {
                    let is_in_solution = |grid: &String| grid.as_bytes()[cell] == b'0' + digit;
                    let is_possible = list.iter().any(is_in_solution);
                    let expected = if is_possible { b'0' + digit } else { b'.' };
                    assert_eq!(marks[usize::from(digit) - 1], expected);
                }
            }
        }

        assert_eq!(backbone[2].as_ref(), Some(&empty), "{kernel}");
        assert_eq!(ambiguous[2], Some(81));
        assert_eq!(candidates[2], Some("123456789".repeat(81)));
        assert_eq!(lists[2].as_ref().map(Vec::len), Some(20));

        assert_eq!(
            (&backbone[3], ambiguous[3], &candidates[3]),
            (&None, None, &None)
        );
        assert_eq!(lists[3], Some(Vec::new()));
    }
}

#[test]
fn candidates_are_read_as_a_puzzle_with_the_same_solutions() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n{}\n", without_two_digits()));
    dir.succeed("solve in.txt -o first.csv --with candidates,backbone --solution-limit 50");
    let again = "solve first.csv -o again.parquet --puzzle-column candidates --keep none \
                 --with backbone,all_solutions --solution-limit 50";
    dir.succeed(again);
    dir.succeed("solve in.txt -o in.parquet --with backbone,all_solutions --solution-limit 50");
    let [first, again] = ["in.parquet", "again.parquet"].map(|name| {
        let table = dir.parquet(name);
        let mut lists = all_solutions(&table);
        lists.iter_mut().flatten().for_each(|list| list.sort());
        (texts(&table, "backbone"), lists)
    });
    assert_eq!(first, again);
}

#[test]
fn a_limit_makes_the_answer_null() {
    let dir = TestDir::new();
    dir.write("in.txt", ".".repeat(81));
    let with = "backbone,ambiguous_cells,candidates,all_solutions";
    // Two solutions are found within some 70 nodes, but not the digits of all cells.
    for (nodes, list_length) in [(5, None), (100, Some(2))] {
        let nodes = nodes.to_string();
        let args = ["solve", "in.txt", "-o", "out.parquet", "--with", with];
        dir.succeed(&[&args[..], &["--overwrite", "--node-limit", &nodes]].concat());
        let table = dir.parquet("out.parquet");
        assert_eq!(texts(&table, "backbone"), [None]);
        assert_eq!(texts(&table, "candidates"), [None]);
        assert_eq!(numbers(&table, "ambiguous_cells"), [None]);
        assert_eq!(all_solutions(&table)[0].as_ref().map(Vec::len), list_length);
    }
}

#[test]
fn lists_need_a_format_that_has_them_and_memory() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for (args, part) in [
        ("-o out.csv", "cannot hold the lists of all_solutions"),
        (
            "-o out.parquet --solution-limit 100001",
            "lists at most 100000 solutions",
        ),
    ] {
        let command = format!("solve in.txt --with all_solutions {args}");
        let message = dir.fail(&command, 2);
        assert!(message.contains(part), "{message}");
    }
    dir.fail("solve in.txt -o out.csv --with stalled", 2);
}

#[test]
fn stalled_is_the_board_before_a_search() {
    let dir = TestDir::new();
    let several = without_two_digits();
    let small = "12343412........";
    dir.write("in.txt", [PUZZLE, HARD_PUZZLE, &several, small].join("\n"));
    dir.succeed("grade in.txt -o out.parquet --max-rank 7 --with stalled,candidates");
    let table = dir.parquet("out.parquet");
    let stalled = texts(&table, "stalled");
    let candidates = texts(&table, "candidates");
    assert_eq!(stalled[0], None);
    for row in [1, 2, 3] {
        let (stalled, candidates) = (
            stalled[row].as_ref().unwrap(),
            candidates[row].as_ref().unwrap(),
        );
        assert_eq!(stalled.len(), candidates.len());
        let keeps_all = stalled.bytes().zip(candidates.bytes());
        let mut keeps_all = keeps_all.map(|(own, possible)| possible == b'.' || own == possible);
        assert!(keeps_all.all(|is_kept| is_kept), "row {row}");
    }
    // The board is read as a puzzle with the same solution.
    dir.succeed(
        "solve out.parquet -o again.parquet --puzzle-column stalled --keep none --skip 1 --limit 1",
    );
    let again = dir.parquet("again.parquet");
    assert_eq!(texts(&again, "solution")[0], texts(&table, "solution")[1]);
}
