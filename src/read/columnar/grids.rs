//! Grids stored as lists of numbers or texts: 9 lists of 9, or one list of 81; or a list of 9 rows
//! of text.

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringBuilder};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};
use arrow::error::ArrowError;

use super::lists::ListRanges;
use super::text_grids;
use crate::carry::cast::list_item;
use crate::table::reject::{RejectKind, RejectReason};
use sudoku_core::sizes::Size;

/// The most numbers that are kept of a list that is not a grid.
const MOST_DISPLAYED: usize = 1000;

/// Whether a column of this type may hold grids: lists of numbers or texts, or lists of such lists.
pub(super) fn is_grid(data_type: &DataType) -> bool {
    let is_cell = |data_type: &DataType| {
        data_type.is_integer() || data_type.is_floating() || is_text(data_type)
    };
    let element = |data_type: &DataType| list_item(data_type).map(|item| item.data_type().clone());
    let numbers = |data_type: &DataType| element(data_type).is_some_and(|item| is_cell(&item));
    numbers(data_type) || element(data_type).is_some_and(|item| numbers(&item))
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// The number of an empty cell: 1 if the digits of these grids are 2 to 10 on a 9 × 9 grid, as tokens of
/// a model are, and otherwise 0; `None` if there is no grid of numbers.
pub(super) fn inferred_offset(column: &ArrayRef) -> Result<Option<u8>, ArrowError> {
    let (outer, values) = ListRanges::from_column(column)?;
    let (inner, values) = match list_item(values.data_type()) {
        Some(_) => ListRanges::from_column(&values).map(|(inner, values)| (Some(inner), values))?,
        None => (None, values),
    };
    if is_text(values.data_type()) {
        return Ok(None);
    }
    let lists = NumberLists {
        inner,
        numbers: NumberArray::from_column(&values)?,
        offset: 0,
    };
    let mut found = None;
    for range in outer.ranges.into_iter().flatten() {
        let Some((side, least, most)) = lists.extent(range) else {
            continue;
        };
        if least < 1 || most > side + 1 {
            return Ok(Some(0));
        }
        found = Some(found.unwrap_or(0).max(u8::from(most == side + 1)));
    }
    Ok(found)
}

/// Converts the grids to text. `offset` is the number of an empty cell, which the digits follow. A
/// list that is not a grid becomes the text of a list, and is reported with its row and the reason.
pub(super) fn texts(
    column: &ArrayRef,
    offset: u8,
) -> Result<(ArrayRef, Vec<(usize, RejectReason)>), ArrowError> {
    let (outer, values) = ListRanges::from_column(column)?;
    let (inner, values) = match list_item(values.data_type()) {
        Some(_) => ListRanges::from_column(&values).map(|(inner, values)| (Some(inner), values))?,
        None => (None, values),
    };
    if is_text(values.data_type()) {
        return text_grids::texts(&outer, inner.as_ref(), &values);
    }
    let lists = NumberLists {
        inner,
        numbers: NumberArray::from_column(&values)?,
        offset: offset.into(),
    };
    let mut texts = StringBuilder::with_capacity(column.len(), 81 * column.len());
    let mut reasons = Vec::new();
    for (row, range) in outer.ranges.into_iter().enumerate() {
        let Some(range) = range else {
            texts.append_null();
            continue;
        };
        match lists.grid(range.clone()) {
            Ok(text) => texts.append_value(text),
            Err(reason) => {
                texts.append_value(lists.display(range));
                reasons.push((row, reason));
            }
        }
    }
    Ok((Arc::new(texts.finish()), reasons))
}

/// Numbers of any type.
struct NumberArray(ArrayRef);

impl NumberArray {
    fn from_column(column: &ArrayRef) -> Result<NumberArray, ArrowError> {
        match column.data_type() {
            DataType::UInt64 => Ok(NumberArray(Arc::clone(column))),
            float if float.is_floating() => cast(column, &DataType::Float64).map(NumberArray),
            _ => cast(column, &DataType::Int64).map(NumberArray),
        }
    }

    /// The number at this index, or the text of one that is not whole; `None` for null.
    fn get(&self, at: usize) -> Option<Result<i128, String>> {
        if self.0.is_null(at) {
            return None;
        }
        if let Some(numbers) = self.0.as_primitive_opt::<Int64Type>() {
            return Some(Ok(numbers.value(at).into()));
        }
        if let Some(numbers) = self.0.as_primitive_opt::<UInt64Type>() {
            return Some(Ok(numbers.value(at).into()));
        }
        let number = self.0.as_primitive::<Float64Type>().value(at);
        let is_whole = number.fract() == 0.0 && number.abs() < 1e15;
        Some(match is_whole {
            true => Ok(number as i128),
            false => Err(number.to_string()),
        })
    }
}

struct NumberLists {
    /// The rows of the grids, if the column has lists of lists.
    inner: Option<ListRanges>,
    numbers: NumberArray,
    /// The number of an empty cell.
    offset: usize,
}

impl NumberLists {
    /// The side of a grid with as many cells as this list, and its least and greatest number. Null is
    /// an empty cell in any case.
    fn extent(&self, list: Range<usize>) -> Option<(i128, i128, i128)> {
        let rows = match &self.inner {
            None => vec![list],
            Some(inner) => inner.ranges[list].iter().cloned().collect::<Option<_>>()?,
        };
        let cells: usize = rows.iter().map(ExactSizeIterator::len).sum();
        let side = Size::ORDERS.iter().find(|side| *side * *side == cells)?;
        let numbers = rows.into_iter().flatten();
        let numbers = numbers.filter_map(|at| match self.numbers.get(at)? {
            Ok(number) => Some(number),
            // Not whole, so not a cell in either case.
            Err(_) => Some(-1),
        });
        let (least, most) = numbers.fold((i128::MAX, i128::MIN), |(least, most), number| {
            (least.min(number), most.max(number))
        });
        Some((*side as i128, least, most))
    }

    /// The text of the grid in this list.
    fn grid(&self, list: Range<usize>) -> Result<String, RejectReason> {
        let wrong = |message: String| RejectReason::new(RejectKind::WrongLength, message);
        let Some(inner) = &self.inner else {
            let side = Size::ORDERS.iter().find(|side| *side * *side == list.len());
            let side = *side.ok_or_else(|| {
                wrong(format!("a list of {} numbers; a puzzle has 81", list.len()))
            })?;
            let mut text = String::with_capacity(list.len());
            self.add(&mut text, side, list)?;
            return Ok(text);
        };
        let side = list.len();
        if !Size::ORDERS.contains(&side) {
            return Err(wrong(format!("a grid of {side} rows; a puzzle has 9")));
        }
        let mut text = String::with_capacity(side * side);
        for (row, range) in (1..).zip(&inner.ranges[list]) {
            match range {
                Some(range) if range.len() == side => self.add(&mut text, side, range.clone())?,
                Some(range) => {
                    let cells = range.len();
                    return Err(wrong(format!(
                        "row {row} of the grid has {cells} cells; each of its {side} rows must \
                         have as many"
                    )));
                }
                None => return Err(wrong(format!("row {row} of the grid is null"))),
            }
        }
        Ok(text)
    }

    /// Appends the cells. Null and 0 are empty cells; numbers above 9 become letters.
    fn add(&self, text: &mut String, side: usize, cells: Range<usize>) -> Result<(), RejectReason> {
        for at in cells {
            let empty = self.offset;
            let number = self.numbers.get(at).unwrap_or(Ok(empty as i128));
            let whole = number.as_ref().ok();
            let number_of_cell = whole.and_then(|number| usize::try_from(*number).ok());
            let cell = match number_of_cell.and_then(|number| number.checked_sub(empty)) {
                Some(0) => Some('.'),
                Some(number) if number <= side => {
                    char::from_digit(number as u32, 36).map(|cell| cell.to_ascii_uppercase())
                }
                _ => None,
            };
            let cell = cell.ok_or_else(|| {
                let number = number.map_or_else(|text| text, |number| number.to_string());
                let position = text.len() + 1;
                let message = format!(
                    "{number} at position {position} is not between {empty} and {}",
                    side + empty
                );
                RejectReason::new(RejectKind::BadCharacter, message)
            })?;
            text.push(cell);
        }
        Ok(())
    }

    /// The list as text, with at most [`MOST_DISPLAYED`] numbers.
    fn display(&self, list: Range<usize>) -> String {
        let Some(inner) = &self.inner else {
            return self.display_numbers(list, &mut MOST_DISPLAYED.clone());
        };
        let mut left = MOST_DISPLAYED;
        let mut text = String::from("[");
        for (at, range) in inner.ranges[list].iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            if left == 0 {
                text.push('…');
                break;
            }
            match range {
                Some(range) => text += &self.display_numbers(range.clone(), &mut left),
                None => text += "null",
            }
            left = left.saturating_sub(1);
        }
        text + "]"
    }

    fn display_numbers(&self, list: Range<usize>, left: &mut usize) -> String {
        let mut text = String::from("[");
        for (at, number) in list.enumerate() {
            if at > 0 {
                text.push(',');
            }
            if *left == 0 {
                text.push('…');
                break;
            }
            *left -= 1;
            // Writing into memory does not fail.
            let _ = match self.numbers.get(number) {
                Some(Ok(number)) => write!(text, "{number}"),
                Some(Err(number)) => write!(text, "{number}"),
                None => write!(text, "null"),
            };
        }
        text + "]"
    }
}

#[cfg(test)]
mod tests {
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

    /// Lists of these lengths.
    fn nested(numbers: &[i32], lengths: &[usize]) -> ArrayRef {
        let mut numbers = numbers.iter().map(|number| Some(*number));
        let rows = lengths
            .iter()
            .map(|length| Some(numbers.by_ref().take(*length).collect::<Vec<_>>()));
        let rows = list_array(rows.collect());
        let field = Arc::new(Field::new("item", rows.data_type().clone(), true));
        let ends = OffsetBuffer::from_lengths([rows.len()]);
        Arc::new(ListArray::new(field, ends, rows, None))
    }

    /// The texts and the reasons.
    fn read(column: &ArrayRef) -> Vec<String> {
        assert!(is_grid(column.data_type()));
        let (texts, reasons) = texts(column, 0).unwrap();
        let texts: &StringArray = texts.as_string();
        let mut reported: Vec<String> = texts
            .iter()
            .map(|text| text.unwrap_or("null").to_owned())
            .collect();
        for (row, reason) in reasons {
            reported[row] += &format!(": {}: {}", reason.kind.id(), reason.message);
        }
        reported
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
            DataType::UInt32,
            DataType::Int64,
            DataType::UInt64,
            DataType::Float16,
            DataType::Float64,
        ] {
            let item = Arc::new(Field::new("item", integer, true));
            for kind in [
                DataType::List(item.clone()),
                DataType::LargeList(item.clone()),
                DataType::ListView(item.clone()),
                DataType::LargeListView(item.clone()),
            ] {
                let column = cast(&lists, &kind).unwrap();
                assert_eq!(read(&column), [PUZZLE, "null", PUZZLE]);
            }
            let fixed = DataType::FixedSizeList(item, 81);
            let column = cast(&lists.slice(2, 1), &fixed).unwrap();
            assert_eq!(read(&column), [PUZZLE]);
        }
        let numbers: Vec<i32> = cells(PUZZLE)
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect();
        assert_eq!(read(&nested(&numbers, &[9; 9])), [PUZZLE]);
        // A slice does not start at the first element.
        assert_eq!(read(&lists.slice(2, 1)), [PUZZLE]);
    }

    /// Issue 27: tokens of a model, 1 to 10, were rejects unless an option said so.
    #[test]
    fn shifted_numbers_are_recognised_where_no_other_reading_is_right() {
        let shifted: Vec<_> = cells(PUZZLE)
            .into_iter()
            .map(|cell| Some(cell.unwrap_or(0) + 1))
            .collect();
        let plain = cells(&PUZZLE.replace('.', "0"));
        let mut above = shifted.clone();
        above[0] = Some(11);
        for (lists, expected) in [
            (vec![Some(shifted.clone())], Some(1)),
            (vec![Some(plain.clone())], Some(0)),
            (vec![Some(cells(PUZZLE))], Some(0)),
            (vec![Some(shifted.clone()), Some(plain)], Some(0)),
            (vec![Some(shifted.clone()), Some(above)], Some(0)),
            // Without a 10 it may be a full grid.
            (vec![Some(vec![Some(1); 81])], Some(0)),
            (vec![Some(vec![Some(1); 80]), None], None),
            (vec![Some(vec![Some(7); 3]), Some(shifted)], Some(1)),
        ] {
            assert_eq!(inferred_offset(&list_array(lists)).unwrap(), expected);
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
        let mut wrong = cells(PUZZLE);
        wrong[4] = Some(10);
        let low = [vec![Some(-1)], cells(&PUZZLE[1..])].concat();
        let reported = read(&list_array(vec![
            Some(vec![Some(1), None]),
            Some(wrong),
            Some(low),
            Some(vec![]),
        ]));
        assert_eq!(
            reported[0],
            "[1,null]: wrong_length: a list of 2 numbers; a puzzle has 81"
        );
        assert!(
            reported[1].ends_with("bad_character: 10 at position 5 is not between 0 and 9"),
            "{}",
            reported[1]
        );
        assert!(reported[2].ends_with("bad_character: -1 at position 1 is not between 0 and 9"));
        assert_eq!(
            reported[3],
            "[]: wrong_length: a list of 0 numbers; a puzzle has 81"
        );

        let reported = read(&nested(&[1; 80], &[9, 9, 9, 9, 9, 9, 9, 9, 8]));
        assert!(
            reported[0]
                .ends_with("row 9 of the grid has 8 cells; each of its 9 rows must have as many")
        );
        let reported = read(&nested(&[1; 3], &[1, 1, 1]));
        assert_eq!(
            reported[0],
            "[[1],[1],[1]]: wrong_length: a grid of 3 rows; a puzzle has 9"
        );
        let long = read(&list_array(vec![Some(vec![Some(7); 5000])]));
        assert!(long[0].len() < 3000 && long[0].contains("7,…]: wrong_length"));
    }

    #[test]
    fn a_number_with_a_fraction_is_no_cell() {
        let mut numbers = vec![Some(1.0); 81];
        numbers[2] = Some(1.5);
        let lists = ListArray::from_iter_primitive::<Float64Type, _, _>([Some(numbers)]);
        let reported = read(&(Arc::new(lists) as ArrayRef));
        assert!(
            reported[0].ends_with("bad_character: 1.5 at position 3 is not between 0 and 9"),
            "{}",
            reported[0]
        );
    }

    #[test]
    fn a_column_of_numbers_is_no_grid() {
        let numbers = Int16Array::from(vec![1]);
        assert!(!is_grid(numbers.data_type()));
    }
}
