//! Converts two files, whose columns have random types, to one table, and compares all values.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, Int64Array, StringArray, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::{DataType, TimeUnit};

use sudoku_core::random::Rng;

use super::effort::{Case, Effort, try_inputs};
use crate::tables::{arrow_file, arrow_stream, batch, parquet};
use crate::util::{PUZZLE, TestDir, stderr};

/// The types that a column of the files can have.
fn types() -> Vec<DataType> {
    use DataType as T;
    let dictionary = |key, value| T::Dictionary(Box::new(key), Box::new(value));
    let mut types = vec![
        T::Null,
        T::Boolean,
        T::Int8,
        T::Int16,
        T::Int32,
        T::Int64,
        T::UInt8,
        T::UInt16,
        T::UInt32,
        T::UInt64,
        T::Float32,
        T::Float64,
        T::Utf8,
        T::LargeUtf8,
        T::Utf8View,
        T::Date32,
        T::Date64,
        T::Decimal128(9, 2),
        T::Decimal128(38, 10),
        T::Decimal128(5, 0),
        T::Decimal256(60, 4),
        T::Time32(TimeUnit::Second),
        T::Time32(TimeUnit::Millisecond),
        T::Time64(TimeUnit::Microsecond),
        T::Time64(TimeUnit::Nanosecond),
        dictionary(T::Int8, T::Utf8),
        dictionary(T::UInt16, T::Utf8),
        dictionary(T::Int32, T::LargeUtf8),
        dictionary(T::Int8, T::Int64),
    ];
    for unit in [
        TimeUnit::Second,
        TimeUnit::Millisecond,
        TimeUnit::Microsecond,
        TimeUnit::Nanosecond,
    ] {
        types.push(T::Timestamp(unit, None));
        types.push(T::Timestamp(unit, Some("UTC".into())));
    }
    types
}

/// Random values of a type, with nulls.
fn column(data_type: &DataType, rows: usize, rng: &mut Rng) -> ArrayRef {
    if data_type.is_null() {
        return new_null_array(data_type, rows);
    }
    let mut random_integers = |most: i64| -> Int64Array {
        let numbers = (0..rows).map(|_| {
            let number = match rng.below(4) {
                0 => rng.below(3) as i64 - 1,
                1 => most,
                _ => (rng.next_u64() >> 1) as i64 % most,
            };
            (rng.below(4) > 0).then_some(number)
        });
        numbers.collect()
    };
    use DataType as T;
    let seconds_per_day = 86_400;
    match data_type {
        T::Boolean => cast(&random_integers(2), data_type),
        T::Int8 => cast(&random_integers(127), data_type),
        T::Int16 => cast(&random_integers(32_767), data_type),
        T::Int32 => cast(&random_integers(i32::MAX.into()), data_type),
        T::Int64 => cast(&random_integers(i64::MAX), data_type),
        T::UInt8 => cast(&absolute_values(&random_integers(255)), data_type),
        T::UInt16 => cast(&absolute_values(&random_integers(65_535)), data_type),
        T::UInt32 => cast(
            &absolute_values(&random_integers(u32::MAX.into())),
            data_type,
        ),
        T::UInt64 => cast(&absolute_values(&random_integers(i64::MAX)), data_type),
        // Multiples of one third use all digits of a float's mantissa.
        T::Float32 | T::Float64 => {
            let thirds = random_integers(1 << 24);
            let third_values = thirds.iter().map(|n| n.map(|n| n as f64 / 3.0));
            let third_array: ArrayRef =
                Arc::new(third_values.collect::<arrow::array::Float64Array>());
            cast(&third_array, data_type)
        }
        T::Date32 => cast(
            &cast(&random_integers(20_000), &T::Int32).unwrap(),
            data_type,
        ),
        T::Date64 => {
            let days = random_integers(20_000);
            let days = days.iter().map(|n| n.map(|n| n * seconds_per_day * 1000));
            cast(&days.collect::<Int64Array>(), data_type)
        }
        T::Decimal128(5, 0) => cast(&random_integers(99_999), data_type),
        T::Decimal128(..) | T::Decimal256(..) => {
            let hundredths = random_integers(999_999_999);
            let hundredths = hundredths.iter().map(|n| n.map(i128::from));
            let hundredths: arrow::array::Decimal128Array = hundredths.collect();
            let hundredths = hundredths.with_precision_and_scale(9, 2).unwrap();
            cast(&hundredths, data_type)
        }
        T::Time32(_) | T::Time64(_) => {
            let seconds_of_day = absolute_values(&random_integers(seconds_per_day));
            let seconds_of_day = seconds_of_day
                .iter()
                .map(|n| n.map(|n| (n % seconds_per_day) as i32));
            let seconds_of_day: arrow::array::Time32SecondArray = seconds_of_day.collect();
            cast(&seconds_of_day, data_type)
        }
        T::Timestamp(..) => {
            let seconds = cast(
                &random_integers(4_000_000_000),
                &T::Timestamp(TimeUnit::Second, None),
            );
            cast(&seconds.unwrap(), data_type)
        }
        T::Dictionary(_, value) if **value == T::Int64 => {
            let small_numbers = random_integers(90);
            cast(&small_numbers, data_type)
        }
        _ => {
            let texts = random_integers(100);
            let texts = texts.iter().map(|n| {
                n.map(|n| match n % 5 {
                    0 => n.to_string(),
                    1 => format!("{n}.50"),
                    2 => format!("text {n}"),
                    3 => String::new(),
                    _ => "é\"\n,".repeat(n as usize % 7),
                })
            });
            cast(&texts.collect::<StringArray>(), data_type)
        }
    }
    .unwrap()
}

fn absolute_values(numbers: &Int64Array) -> Int64Array {
    numbers.iter().map(|number| number.map(i64::abs)).collect()
}

/// Converts a pair of files and compares the values. Four bytes of the input select the types, the formats and
/// the seed of the values.
fn check(bytes: &[u8]) -> String {
    let types = types();
    let input_byte = |at: usize| bytes.get(at).copied().map_or(0, usize::from);
    let mut rng = Rng::for_item(input_byte(3) as u64, input_byte(4) as u64);
    let dir = TestDir::new();
    let mut columns = Vec::new();
    for file in 0..2 {
        let data_type = &types[input_byte(file) % types.len()];
        let rows = 1 + rng.below(40);
        let values = column(data_type, rows, &mut rng);
        let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; rows]));
        let table = batch(vec![("puzzle", puzzles), ("c", values.clone())]);
        let (name, bytes) = match input_byte(2) >> file & 3 {
            0 if !is_time_in_seconds(data_type) => (
                format!("{file}.parquet"),
                parquet(&table, Default::default()),
            ),
            1 => (format!("{file}.arrows"), arrow_stream(&table, 7, None)),
            _ => (format!("{file}.arrow"), arrow_file(&table, 7, None)),
        };
        dir.write(&name, bytes);
        columns.push((name, values));
    }
    let inputs = [columns[0].0.as_str(), columns[1].0.as_str()];
    let output = dir.run(&[&["convert"], &inputs[..], &["-o", "out.parquet", "-q"]].concat());
    let message = stderr(&output);
    match output.status.code() {
        Some(0) => {}
        // It is correct that the run fails if the common type cannot hold a number.
        Some(3) if message.contains("column c") => return "refused".to_owned(),
        code => panic!("{code:?}: {message}"),
    }
    let table = dir.parquet("out.parquet");
    let written_column = table.column_by_name("c").unwrap();
    let mut start_row = 0;
    for (name, values) in &columns {
        let written_values = written_column.slice(start_row, values.len());
        start_row += values.len();
        if values.data_type().is_null() {
            assert_eq!(
                written_values.logical_null_count(),
                written_values.len(),
                "{name}"
            );
            continue;
        }
        let type_of_values = match values.data_type() {
            DataType::Dictionary(_, of) => of.as_ref(),
            of => of,
        };
        let read_back = cast(&written_values, type_of_values).unwrap();
        let expected = cast(values, type_of_values).unwrap();
        assert_eq!(
            &read_back,
            &expected,
            "{name} {:?} as {:?}",
            values.data_type(),
            written_column.data_type()
        );
    }
    assert_eq!(start_row, table.num_rows(), "all rows");
    "equal".to_owned()
}

/// Parquet has no type for times in seconds, so the crate `parquet` would store them as plain numbers.
fn is_time_in_seconds(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Time32(TimeUnit::Second)
            | DataType::Timestamp(TimeUnit::Second, _)
            | DataType::Date64
    )
}

#[test]
fn two_types_in_one_column_lose_no_value() {
    let effort = Effort::from_environment(60_000).reduced(500);
    let tried_count = try_inputs(
        "pairs",
        effort,
        |number| {
            let mut rng = Rng::for_item(effort.seed, number);
            Case {
                name: "pair".to_owned(),
                bytes: (0..5).map(|_| rng.below(256) as u8).collect(),
            }
        },
        |case| check(&case.bytes),
    );
    let counts = tried_count.counts_by_result();
    assert!(counts.contains_key("equal"), "{counts:?}");
}
