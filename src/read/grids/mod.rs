//! Reads lists as grids: 9 lists of 9 cells, one list of 81 cells, or 9 texts of whole rows. Cells are numbers
//! or texts.
//!
//! ```text
//! list_type    which columns may hold grids
//! ListRanges   the elements of each list (lists.rs)
//! Cells        the meaning of an element (cells.rs): NumberCells, TextCells
//! Lists        the elements of each list  →  the text of a grid, or the reason why it is not one (nested.rs)
//! ```

pub(super) mod cells;
mod list_type;
mod lists;
mod nested;
pub(super) mod number_cells;
mod number_problem;
mod text_cells;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type};
use arrow::error::ArrowError;

pub(super) use self::list_type::{has_numbers, may_hold_grids};
pub(super) use self::nested::Lists;
pub(super) use sudoku_core::text::notation::NumberSymbols;

use self::list_type::is_text;
use self::lists::ListRanges;
use self::number_cells::{NumberArray, NumberCells};
use self::text_cells::TextCells;
use crate::carry::cast::list_item;
use crate::read::EmptyCell;
use crate::table::reject::RejectReason;

/// The lists in a column, the lists inside these (`None` if they contain no lists), and the elements of the innermost
/// lists.
type NestedLists = (ListRanges, Option<ListRanges>, ArrayRef);

fn nested_lists(column: &ArrayRef) -> Result<NestedLists, ArrowError> {
    let (outer, values) = ListRanges::from_column(column)?;
    match list_item(values.data_type()) {
        Some(_) => {
            let (inner, values) = ListRanges::from_column(&values)?;
            Ok((outer, Some(inner), values))
        }
        None => Ok((outer, None, values)),
    }
}

/// The numbers that stand for empty cells and for digits, inferred from the grids of a column. `None` if there is no grid
/// of numbers.
pub(super) fn inferred_symbols(column: &ArrayRef) -> Result<Option<NumberSymbols>, ArrowError> {
    let (outer, inner, values) = nested_lists(column)?;
    if is_text(values.data_type()) {
        return Ok(None);
    }
    let numbers = NumberArray::from_column(&values)?;
    let lists = Lists::new(inner.as_ref(), NumberCells::new(&numbers, 0));
    Ok(lists.symbols(outer.ranges.into_iter().flatten()))
}

/// Converts lists to the texts of grids. `symbols` are the numbers that stand for empty cells and for digits. An invalid
/// list becomes a readable text, and the second result has its row and the reason.
pub(super) fn texts(
    column: &ArrayRef,
    symbols: impl Into<NumberSymbols>,
) -> Result<(ArrayRef, Vec<(usize, RejectReason)>), ArrowError> {
    let (outer, inner, values) = nested_lists(column)?;
    let inner = inner.as_ref();
    Ok(if is_text(values.data_type()) {
        Lists::new(inner, TextCells::from_column(&values)?).texts(outer)
    } else {
        let numbers = NumberArray::from_column(&values)?;
        Lists::new(inner, NumberCells::new(&numbers, symbols)).texts(outer)
    })
}

/// What lists of numbers have in their empty cells; `None` for lists of texts. `symbols` are the numbers that stand for
/// empty cells and for digits.
pub(super) fn empty_cell(
    column: &ArrayRef,
    symbols: NumberSymbols,
) -> Result<Option<EmptyCell>, ArrowError> {
    let (_, _, values) = nested_lists(column)?;
    if is_text(values.data_type()) {
        return Ok(None);
    }
    Ok(Some(if values.null_count() > 0 {
        EmptyCell::Null
    } else if values.data_type().is_floating() && has_nan(&values)? {
        EmptyCell::NotANumber
    } else {
        EmptyCell::Number(symbols.empty)
    }))
}

fn has_nan(values: &ArrayRef) -> Result<bool, ArrowError> {
    let values = cast(values, &DataType::Float64)?;
    let numbers = values.as_primitive::<Float64Type>().values();
    Ok(numbers.iter().any(|number| number.is_nan()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use arrow::array::{Int16Array, ListArray, StringArray};
    use arrow::buffer::OffsetBuffer;
    use arrow::datatypes::{Field, Int32Type};

    const PUZZLE: &str =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";

    fn cells(grid: &str) -> Vec<Option<i32>> {
        let digits = grid.chars().map(|cell| cell.to_digit(10));
        digits
            .map(|digit| digit.map(|digit| digit as i32))
            .collect()
    }

    fn list_array(lists: Vec<Option<Vec<Option<i32>>>>) -> ArrayRef {
        Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists))
    }

    /// A column with one list. Its elements are lists of these lengths, which are filled with `numbers` one after the
    /// other.
    fn nested(numbers: &[i32], lengths: &[usize]) -> ArrayRef {
        let mut numbers = numbers.iter().map(|number| Some(*number));
        let rows = lengths
            .iter()
            .map(|length| Some(numbers.by_ref().take(*length).collect::<Vec<_>>()));
        let rows = list_array(rows.collect());
        let field = Arc::new(Field::new("item", rows.data_type().clone(), true));
        let list_ends = OffsetBuffer::from_lengths([rows.len()]);
        Arc::new(ListArray::new(field, list_ends, rows, None))
    }

    /// The text of each row; for a rejected row, also the reason.
    fn read(column: &ArrayRef) -> Vec<String> {
        assert!(may_hold_grids(column.data_type()));
        let (texts, reasons) = texts(column, 0).unwrap();
        let text_array: &StringArray = texts.as_string();
        let mut rows_read: Vec<String> = text_array
            .iter()
            .map(|text| text.unwrap_or("null").to_owned())
            .collect();
        for (row, reason) in reasons {
            rows_read[row] += &format!(": {}: {}", reason.kind.id(), reason.message);
        }
        rows_read
    }

    #[test]
    fn lists_of_any_kind_and_integer_become_text() {
        let lists = list_array(vec![
            Some(cells(PUZZLE)),
            None,
            Some(cells(&PUZZLE.replace('.', "0"))),
        ]);
        for integer in [
            DataType::Int8,
            DataType::UInt8,
            DataType::Int16,
            DataType::Int32,
            DataType::UInt16,
            DataType::UInt32,
            DataType::Int64,
            DataType::UInt64,
            DataType::Float16,
            DataType::Float64,
        ] {
            let item_field = Arc::new(Field::new("item", integer, true));
            for kind in [
                DataType::List(item_field.clone()),
                DataType::LargeList(item_field.clone()),
                DataType::ListView(item_field.clone()),
                DataType::LargeListView(item_field.clone()),
            ] {
                let column = cast(&lists, &kind).unwrap();
                assert_eq!(read(&column), [PUZZLE, "null", PUZZLE]);
            }
            let fixed_size_list = DataType::FixedSizeList(item_field, 81);
            let column = cast(&lists.slice(2, 1), &fixed_size_list).unwrap();
            assert_eq!(read(&column), [PUZZLE]);
        }
        let numbers: Vec<i32> = cells(PUZZLE)
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        assert_eq!(read(&nested(&numbers, &[9; 9])), [PUZZLE]);
        // A slice of a list array has its first element in the middle of the values.
        assert_eq!(read(&lists.slice(2, 1)), [PUZZLE]);
    }

    /// Regression test: the token ids 1 to 10 of models were rejected unless an option declared them.
    #[test]
    fn shifted_numbers_are_recognised_where_no_other_reading_is_right() {
        let shifted_cells: Vec<_> = cells(PUZZLE)
            .into_iter()
            .map(|cell| Some(cell.unwrap_or(0) + 1))
            .collect();
        let plain_cells = cells(&PUZZLE.replace('.', "0"));
        let mut cells_above_nine = shifted_cells.clone();
        cells_above_nine[0] = Some(11);
        let full: Vec<Option<i32>> = (0..81).map(|cell| Some(cell % 9 + 1)).collect();
        let full_with = |at: usize, number: i32| {
            let mut cells = full.clone();
            cells[at] = Some(number);
            cells
        };
        let tokens: Vec<Option<i32>> = (0..81).map(|cell| Some(cell % 9 + 2)).collect();
        let mut tokens_with_padding = tokens.clone();
        tokens_with_padding[4] = Some(0);
        for (lists, expected) in [
            (vec![Some(shifted_cells.clone())], Some(1)),
            (vec![Some(plain_cells.clone())], Some(0)),
            (vec![Some(cells(PUZZLE))], Some(0)),
            (
                vec![Some(shifted_cells.clone()), Some(plain_cells)],
                Some(0),
            ),
            (
                vec![Some(shifted_cells.clone()), Some(cells_above_nine)],
                Some(1),
            ),
            // One odd number in one grid does not change how the others are read.
            (
                vec![
                    Some(full.clone()),
                    Some(full.clone()),
                    Some(full_with(0, 10)),
                ],
                Some(0),
            ),
            (
                vec![Some(tokens.clone()), Some(tokens_with_padding)],
                Some(1),
            ),
            // If no number is 10, the list may also be a full grid of the digits 1 to 9.
            (vec![Some(vec![Some(1); 81])], Some(0)),
            (vec![Some(vec![Some(1); 80]), None], None),
            (vec![Some(vec![Some(7); 3]), Some(shifted_cells)], Some(1)),
        ] {
            let inferred = inferred_symbols(&list_array(lists)).unwrap();
            assert_eq!(inferred, expected.map(NumberSymbols::from));
        }
    }

    #[test]
    fn larger_grids_have_letters() {
        let numbers: Vec<Option<i32>> = (0..256).map(|cell| Some(cell % 17)).collect();
        let text = &read(&list_array(vec![Some(numbers)]))[0];
        assert_eq!(text.len(), 256);
        assert!(text.starts_with(".123456789ABCDEFG.1"));
    }

    #[test]
    fn an_invalid_grid_is_rejected_with_its_position() {
        let mut invalid = cells(PUZZLE);
        invalid[4] = Some(10);
        let negative_cells = [vec![Some(-1)], cells(&PUZZLE[1..])].concat();
        let rows_read = read(&list_array(vec![
            Some(vec![Some(1), None]),
            Some(invalid),
            Some(negative_cells),
            Some(vec![]),
        ]));
        assert_eq!(
            rows_read[0],
            "[1,null]: wrong_length: a list of 2 numbers; a puzzle has 81"
        );
        assert!(
            rows_read[1].ends_with("bad_character: 10 at position 5 is not between 0 and 9"),
            "{}",
            rows_read[1]
        );
        assert!(rows_read[2].ends_with("bad_character: -1 at position 1 is not between 0 and 9"));
        assert_eq!(
            rows_read[3],
            "[]: wrong_length: a list of 0 numbers; a puzzle has 81"
        );

        let rows_read = read(&nested(&[1; 80], &[9, 9, 9, 9, 9, 9, 9, 9, 8]));
        assert!(
            rows_read[0]
                .ends_with("row 9 of the grid has 8 cells; each of its 9 rows must have as many")
        );
        let rows_read = read(&nested(&[1; 3], &[1, 1, 1]));
        assert_eq!(
            rows_read[0],
            "[[1],[1],[1]]: wrong_length: a grid of 3 rows; a puzzle has 9"
        );
        let long_row = read(&list_array(vec![Some(vec![Some(7); 5000])]));
        assert!(long_row[0].len() < 3000 && long_row[0].contains("7,…]: wrong_length"));
    }

    #[test]
    fn a_number_with_a_fraction_is_no_cell() {
        let mut numbers = vec![Some(1.0); 81];
        numbers[2] = Some(1.5);
        let lists = ListArray::from_iter_primitive::<Float64Type, _, _>([Some(numbers)]);
        let rows_read = read(&(Arc::new(lists) as ArrayRef));
        assert!(
            rows_read[0].ends_with("bad_character: 1.5 at position 3 is not between 0 and 9"),
            "{}",
            rows_read[0]
        );
    }

    #[test]
    fn a_column_of_numbers_is_no_grid() {
        let numbers = Int16Array::from(vec![1]);
        assert!(!may_hold_grids(numbers.data_type()));
    }
}
