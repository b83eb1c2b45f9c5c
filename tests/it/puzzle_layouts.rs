//! The layouts in which columnar files hold puzzles.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, DictionaryArray, Int8Array, Int32Array, RunArray, StringArray, StructArray,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int8Type};

use crate::tables::{arrow_file, batch, flat};
use crate::util::{PUZZLE, Place, SOLUTION};

/// The rows that `convert` writes for these puzzles and solutions.
fn converted(puzzles: ArrayRef, solutions: ArrayRef) -> String {
    let place = Place::new();
    let table = batch(vec![("puzzle", puzzles), ("solution", solutions)]);
    place.write("in.arrow", arrow_file(&table, 2, None));
    place.succeed(&["convert", "in.arrow", "-o", "-", "--format", "csv"])
}

/// Found: dictionaries of lists were read as the text `[5, 3, 0, …]`; list views, run-ends and lists of floats were
/// refused.
#[test]
fn lists_and_packed_columns_of_any_kind_are_puzzles() {
    let expected = format!(
        "puzzle,solution\n{}",
        format!("{PUZZLE},{SOLUTION}\n").repeat(3)
    );
    let item = |data_type| Arc::new(Field::new("item", data_type, true));
    let dictionary = |values: ArrayRef| -> ArrayRef {
        Arc::new(DictionaryArray::<Int8Type>::new(
            Int8Array::from(vec![0; 3]),
            values,
        ))
    };
    let runs = |values: ArrayRef| -> ArrayRef {
        Arc::new(RunArray::try_new(&Int32Array::from(vec![3]), &values).unwrap())
    };
    let text = |grid: &str| Arc::new(StringArray::from(vec![grid])) as ArrayRef;
    assert_eq!(
        converted(dictionary(flat(&[PUZZLE])), dictionary(flat(&[SOLUTION]))),
        expected
    );
    assert_eq!(
        converted(runs(text(PUZZLE)), runs(text(SOLUTION))),
        expected
    );
    for kind in [
        DataType::ListView(item(DataType::Int8)),
        DataType::LargeListView(item(DataType::UInt16)),
        DataType::List(item(DataType::Float64)),
        DataType::FixedSizeList(item(DataType::Float32), 81),
    ] {
        let lists = |grid| cast(&flat(&[grid; 3]), &kind).unwrap();
        assert_eq!(
            converted(lists(PUZZLE), lists(SOLUTION)),
            expected,
            "{kind}"
        );
    }
}

#[test]
fn what_holds_no_puzzles_is_said_with_its_type() {
    let place = Place::new();
    let numbers = Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let structs = StructArray::from(vec![(
        Arc::new(Field::new("a", DataType::Int32, true)),
        numbers,
    )]);
    place.write(
        "struct.arrow",
        arrow_file(&batch(vec![("puzzle", Arc::new(structs))]), 1, None),
    );
    let said = place.fail(&["convert", "struct.arrow", "-o", "x.csv"], 3);
    assert!(said.contains("\"puzzle\" holds Struct"), "{said}");
    // Found: the message asked to leave out an option that was not given.
    let nothing = arrow::array::RecordBatch::new_empty(Arc::new(arrow::datatypes::Schema::empty()));
    place.write("none.arrow", arrow_file(&nothing, 1, None));
    let said = place.fail(&["convert", "none.arrow", "-o", "x.csv"], 3);
    assert!(
        said.contains("no puzzle column; the table has no columns"),
        "{said}"
    );
    assert!(!said.contains("--puzzle-column"), "{said}");
}
