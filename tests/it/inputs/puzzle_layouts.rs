//! Tests the layouts in which Parquet, Arrow, NumPy and JSON files can store puzzles: texts, lists, tokens and
//! one-hot vectors.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, DictionaryArray, Int8Array, Int32Array, RunArray, StringArray, StructArray,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int8Type};

use crate::tables::{arrow_file, batch, digits, lists_of_cells, npy};
use crate::util::{PUZZLE, SOLUTION, TestDir};

/// Converts these puzzles and solutions, and returns the rows.
fn converted(puzzles: ArrayRef, solutions: ArrayRef) -> String {
    let dir = TestDir::new();
    let table = batch(vec![("puzzle", puzzles), ("solution", solutions)]);
    dir.write("in.arrow", arrow_file(&table, 2, None));
    dir.succeed("convert in.arrow -o - --format csv")
}

/// Regression test: dictionaries of lists were read as texts such as `[5, 3, 0, …]`. List views, run-end encoded
/// columns and lists of floats were refused.
#[test]
fn lists_and_packed_columns_of_any_kind_are_puzzles() {
    let expected = format!(
        "puzzle,solution\n{}",
        format!("{PUZZLE},{SOLUTION}\n").repeat(3)
    );
    let item_field = |data_type| Arc::new(Field::new("item", data_type, true));
    let dictionary = |values: ArrayRef| -> ArrayRef {
        Arc::new(DictionaryArray::<Int8Type>::new(
            Int8Array::from(vec![0; 3]),
            values,
        ))
    };
    let run_array = |values: ArrayRef| -> ArrayRef {
        Arc::new(RunArray::try_new(&Int32Array::from(vec![3]), &values).unwrap())
    };
    let text_array = |grid: &str| Arc::new(StringArray::from(vec![grid])) as ArrayRef;
    assert_eq!(
        converted(
            dictionary(lists_of_cells(&[PUZZLE])),
            dictionary(lists_of_cells(&[SOLUTION]))
        ),
        expected
    );
    assert_eq!(
        converted(
            run_array(text_array(PUZZLE)),
            run_array(text_array(SOLUTION))
        ),
        expected
    );
    for kind in [
        DataType::ListView(item_field(DataType::Int8)),
        DataType::LargeListView(item_field(DataType::UInt16)),
        DataType::List(item_field(DataType::Float64)),
        DataType::FixedSizeList(item_field(DataType::Float32), 81),
    ] {
        let lists = |grid| cast(&lists_of_cells(&[grid; 3]), &kind).unwrap();
        assert_eq!(
            converted(lists(PUZZLE), lists(SOLUTION)),
            expected,
            "{kind}"
        );
    }
}

#[test]
fn an_error_names_the_type_of_a_column_that_cannot_hold_puzzles() {
    let dir = TestDir::new();
    let numbers = Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let structs = StructArray::from(vec![(
        Arc::new(Field::new("a", DataType::Int32, true)),
        numbers,
    )]);
    dir.write(
        "struct.arrow",
        arrow_file(&batch(vec![("puzzle", Arc::new(structs))]), 1, None),
    );
    let message = dir.fail("convert struct.arrow -o x.csv", 3);
    assert!(message.contains("\"puzzle\" holds Struct"), "{message}");
    // Regression test: the message advised to leave out an option that was not given.
    let empty_batch =
        arrow::array::RecordBatch::new_empty(Arc::new(arrow::datatypes::Schema::empty()));
    dir.write("none.arrow", arrow_file(&empty_batch, 1, None));
    let message = dir.fail("convert none.arrow -o x.csv", 3);
    assert!(
        message.contains("no puzzle column; the table has no columns"),
        "{message}"
    );
    assert!(!message.contains("--puzzle-column"), "{message}");
}

/// Regression test: the published layouts of arrays for training were refused.
#[test]
fn arrays_can_hold_pairs_one_hot_digits_and_shifted_tokens() {
    let dir = TestDir::new();
    let convert_array = |bytes: Vec<u8>, options: &[&str]| {
        dir.write("in.npy", bytes);
        let arguments = "convert in.npy -o - --format csv";
        dir.succeed((arguments, options))
    };
    let puzzle_table = format!("puzzle\n{PUZZLE}\n");
    let pair = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n");
    let (puzzle, solution) = (digits(PUZZLE), digits(SOLUTION));
    let puzzle_and_solution = [puzzle.clone(), solution.clone()].concat();
    assert_eq!(
        convert_array(npy("|i1", "(1, 2, 81)", &puzzle_and_solution), &[]),
        pair
    );
    assert_eq!(
        convert_array(npy("|u1", "(1, 2, 9, 9)", &puzzle_and_solution), &[]),
        pair
    );
    assert_eq!(
        convert_array(
            npy("|S81", "(1, 2)", format!("{PUZZLE}{SOLUTION}").as_bytes()),
            &[]
        ),
        pair
    );
    // One-hot vectors, with and without a class for empty cells.
    let one_hot = |classes: usize| -> Vec<u8> {
        let one_hot_cell = |number: &u8| {
            let hot_class = (usize::from(*number) + classes).checked_sub(10);
            let hot_class = hot_class.filter(|_| *number > 0 || classes == 10);
            (0..classes)
                .map(|class| u8::from(Some(class) == hot_class))
                .collect::<Vec<u8>>()
        };
        puzzle.iter().flat_map(one_hot_cell).collect()
    };
    for descr in ["|b1", "|u1"] {
        assert_eq!(
            convert_array(npy(descr, "(1, 9, 9, 9)", &one_hot(9)), &[]),
            puzzle_table
        );
        assert_eq!(
            convert_array(npy(descr, "(1, 81, 10)", &one_hot(10)), &[]),
            puzzle_table
        );
        assert_eq!(
            convert_array(npy(descr, "(9, 9, 10)", &one_hot(10)), &[]),
            puzzle_table
        );
    }
    assert_eq!(
        convert_array(npy("|u1", "(1, 9, 9, 1)", &puzzle), &[]),
        puzzle_table
    );
    // The token ids 1 to 10 are recognised. Token ids with another shift need an option.
    let shift_by =
        |numbers: &[u8], by: u8| numbers.iter().map(|number| number + by).collect::<Vec<_>>();
    assert_eq!(
        convert_array(npy("|u1", "(1, 81)", &shift_by(&puzzle, 1)), &[]),
        puzzle_table
    );
    let converted_table = convert_array(npy("|u1", "(1, 81)", &shift_by(&solution, 1)), &[]);
    assert_eq!(converted_table, format!("puzzle\n{SOLUTION}\n"));
    let shifted_by_three = npy("|u1", "(1, 81)", &shift_by(&puzzle, 3));
    assert_eq!(
        convert_array(shifted_by_three.clone(), &["--token-offset", "3"]),
        puzzle_table
    );
    // Regression test: the message for an array without a puzzle had no advice.
    dir.write("in.npy", shifted_by_three);
    let message = dir.fail("convert in.npy -o x.csv", 3);
    assert!(
        message.contains("--token-offset N says that N is"),
        "{message}"
    );
    let mut wrong_one_hot = one_hot(9);
    wrong_one_hot[1] = 1;
    wrong_one_hot[2] = 1;
    dir.write("in.npy", npy("|u1", "(1, 81, 9)", &wrong_one_hot));
    let message = dir.fail("convert in.npy -o x.csv", 3);
    assert!(
        message.contains("at position 1 are not zeros with at most one 1"),
        "{message}"
    );
    // The same layouts as lists in Parquet and Arrow.
    let lists = lists_of_cells(&[PUZZLE]);
    let tokens = arrow::compute::kernels::numeric::add(
        lists
            .as_any()
            .downcast_ref::<arrow::array::ListArray>()
            .unwrap()
            .values(),
        &arrow::array::Int64Array::new_scalar(1),
    );
    let tokens = tokens.unwrap();
    let item_field = Arc::new(Field::new("item", DataType::Int64, true));
    let fixed_size_lists = arrow::array::FixedSizeListArray::new(item_field, 81, tokens, None);
    dir.write(
        "in.arrow",
        arrow_file(
            &batch(vec![("grid", Arc::new(fixed_size_lists) as _)]),
            1,
            None,
        ),
    );
    let convert_arguments = ["convert", "in.arrow", "-o", "-", "--format", "csv"];
    for options in [&["--token-offset=1"][..], &[]] {
        let text = dir.succeed(&[&convert_arguments[..], options].concat());
        assert_eq!(text, puzzle_table.replace("puzzle", "grid"));
    }
    let message = dir.fail(&[&convert_arguments[..], &["--token-offset=0"]].concat(), 3);
    assert!(message.contains("is not between 0 and 9"), "{message}");
}

/// Regression test: `--token-offset` had no effect on the arrays of JSON.
#[test]
fn json_arrays_can_hold_shifted_tokens() {
    let dir = TestDir::new();
    let tokens = |grid: &str, by: u8| {
        let cells: Vec<u8> = digits(grid).iter().map(|digit| digit + by).collect();
        let rows: Vec<&[u8]> = cells.chunks(9).collect();
        (serde_json::json!(cells), serde_json::json!(rows))
    };
    let convert_array = |name: &str, options: &[&str]| {
        dir.succeed((&format!("convert {name} -o - --format csv"), options))
    };
    let expected = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},{SOLUTION}\n");
    for (by, options) in [
        (1, &[][..]),
        (1, &["--token-offset=1"]),
        (3, &["--token-offset=3"]),
    ] {
        let (flat, nested) = tokens(PUZZLE, by);
        let (solution, _) = tokens(SOLUTION, by);
        let row = |puzzle| format!("{{\"puzzle\":{puzzle},\"solution\":{solution}}}");
        dir.write("in.ndjson", format!("{}\n{}\n", row(&flat), row(&nested)));
        dir.write("in.json", format!("[{},\n{}]", row(&flat), row(&nested)));
        assert_eq!(convert_array("in.ndjson", options), expected);
        assert_eq!(convert_array("in.json", options), expected);
    }
    // The shift is inferred separately for each column: here, the solutions are not shifted.
    let (puzzle, solution) = (tokens(PUZZLE, 1).0, tokens(SOLUTION, 0).0);
    dir.write(
        "in.ndjson",
        format!("{{\"puzzle\":{puzzle},\"solution\":{solution}}}\n"),
    );
    let one_pair = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n");
    assert_eq!(convert_array("in.ndjson", &[]), one_pair);
    let message = dir.fail("convert in.ndjson --token-offset=2 -o x.csv", 3);
    assert!(
        message.contains("1 at position 3 is not between 2 and 11"),
        "{message}"
    );
}
