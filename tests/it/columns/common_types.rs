//! Tests columns whose types differ between inputs, and columns that a format cannot store unchanged.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, Date32Array, Date64Array, Decimal128Array, Float64Array, Int64Array,
    NullArray, StringArray, TimestampSecondArray, UInt64Array,
};
use arrow::datatypes::{DataType, TimeUnit};

use crate::tables::{arrow_file, batch, lists_of_cells, parquet};
use crate::util::{PUZZLE, TestDir};

fn puzzles(rows: usize) -> ArrayRef {
    Arc::new(StringArray::from(vec![PUZZLE; rows]))
}

/// Writes an Arrow file for each column, converts these files to one table, and returns the column of that
/// table.
fn convert_together(columns: Vec<ArrayRef>) -> ArrayRef {
    let dir = TestDir::new();
    let mut names = Vec::new();
    for (at, column) in columns.into_iter().enumerate() {
        let table = batch(vec![("puzzle", puzzles(column.len())), ("x", column)]);
        names.push(format!("{at}.arrow"));
        dir.write(&names[at], arrow_file(&table, 9, None));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    dir.succeed(&[&["convert"], &names[..], &["-o", "all.arrow"]].concat());
    dir.succeed(&[&["convert"], &names[..], &["-o", "all.parquet"]].concat());
    dir.parquet("all.parquet")
        .column_by_name("x")
        .unwrap()
        .clone()
}

/// Regression test: pandas writes a column without values with the type null. Such a column turned the numbers of all
/// other files into text, and was refused together with lists.
#[test]
fn a_column_without_values_takes_the_type_of_the_other_inputs() {
    let nulls = || Arc::new(NullArray::new(2)) as ArrayRef;
    let lists = || lists_of_cells(&["12"]);
    let floats = || Arc::new(Float64Array::from(vec![5.5])) as ArrayRef;
    for (columns, expected) in [
        (vec![floats(), nulls()], floats().data_type().clone()),
        (vec![nulls(), lists()], lists().data_type().clone()),
        (vec![nulls(), nulls(), floats()], DataType::Float64),
    ] {
        let nulls_at_first = columns[0].null_count() + columns[0].logical_null_count();
        let column = convert_together(columns);
        assert_eq!(column.data_type(), &expected);
        let rows = column.len();
        assert_eq!(column.is_valid(0), nulls_at_first == 0);
        assert_eq!(column.null_count(), rows - 1);
    }
}

/// Regression test: dates, times and decimals of different width became text.
#[test]
fn dates_and_decimals_of_different_width_have_a_common_type() {
    let seconds_column = Arc::new(TimestampSecondArray::from(vec![86_400])) as ArrayRef;
    let days_column = Arc::new(Date32Array::from(vec![2])) as ArrayRef;
    let column = convert_together(vec![days_column, seconds_column]);
    let milliseconds = DataType::Timestamp(TimeUnit::Millisecond, None);
    assert_eq!(column.data_type(), &milliseconds);
    let numbers = arrow::compute::cast(&column, &DataType::Int64).unwrap();
    assert_eq!(
        numbers.as_ref(),
        &Int64Array::from(vec![172_800_000, 86_400_000])
    );

    let decimal_column = |value, precision, scale| {
        let decimals = Decimal128Array::from(vec![value]);
        Arc::new(decimals.with_precision_and_scale(precision, scale).unwrap()) as ArrayRef
    };
    let integer_column = Arc::new(Int64Array::from(vec![7])) as ArrayRef;
    let column = convert_together(vec![
        decimal_column(150, 5, 2),
        decimal_column(22_500, 10, 4),
        integer_column,
    ]);
    assert_eq!(column.data_type(), &DataType::Decimal128(23, 4));
    let expected = Decimal128Array::from(vec![15_000, 22_500, 70_000]);
    let expected = expected.with_precision_and_scale(23, 4).unwrap();
    assert_eq!(column.as_ref(), &expected);
}

/// Regression test: if a column was uint64 in one table and int64 in another, `convert` made it text, and `stats` made
/// it null.
#[test]
fn unsigned_and_signed_integers_of_64_bits_stay_numbers() {
    let unsigned = || Arc::new(UInt64Array::from(vec![Some(u64::MAX), None])) as ArrayRef;
    let signed = || Arc::new(Int64Array::from(vec![i64::MIN, 7])) as ArrayRef;
    let expected = [
        Some(i128::from(u64::MAX)),
        None,
        Some(i128::from(i64::MIN)),
        Some(7),
    ];
    let expected = Decimal128Array::from(expected.to_vec());
    let expected = expected.with_precision_and_scale(20, 0).unwrap();
    assert_eq!(
        convert_together(vec![unsigned(), signed()]).as_ref(),
        &expected
    );

    let dir = TestDir::new();
    let write_column = |name: &str, column: ArrayRef| {
        let table = batch(vec![("puzzle", puzzles(2)), ("x", column)]);
        dir.write(name, arrow_file(&table, 9, None));
    };
    write_column("u.arrow", unsigned());
    write_column("i.arrow", signed());
    // A text column is read with the common type of all inputs, even if its first records suggest another type.
    dir.write(
        "t.ndjson",
        format!("{{\"puzzle\":\"{PUZZLE}\",\"x\":-5}}\n"),
    );
    let inputs = ["u.arrow", "i.arrow", "t.ndjson"];
    let text = [
        &["convert"],
        &inputs[..],
        &["-o", "-", "--format", "ndjson"],
    ]
    .concat();
    let lines = dir.succeed(&text);
    assert!(lines.contains("\"x\":18446744073709551615}"), "{lines}");
    assert!(lines.contains("\"x\":-5}"), "{lines}");
    let statistics = dir.succeed(&[&["stats"], &inputs[..], &["--format", "json"]].concat());
    let statistics: serde_json::Value = serde_json::from_str(&statistics).unwrap();
    let column_figures = &statistics["columns"][0];
    assert_eq!(column_figures["max"].to_string(), u64::MAX.to_string());
    assert_eq!(column_figures["min"].to_string(), i64::MIN.to_string());
    assert_eq!(
        (&column_figures["nulls"], &column_figures["distinct"]),
        (&1.into(), &4.into())
    );

    // Integers and decimals that a float can hold are converted to floats. Other values are an error that names
    // their row.
    let floats = || Arc::new(Float64Array::from(vec![0.5])) as ArrayRef;
    let unsigned_column = |value: u64| Arc::new(UInt64Array::from(vec![value])) as ArrayRef;
    let float_column = convert_together(vec![
        unsigned_column(1 << 60),
        signed().slice(1, 1),
        floats(),
    ]);
    assert_eq!(
        float_column.as_ref(),
        &Float64Array::from(vec![(1_u64 << 60) as f64, 7.0, 0.5])
    );
    write_column("f.arrow", Arc::new(Float64Array::from(vec![0.5, 1.0])));
    let message = dir.fail("convert u.arrow f.arrow -o x.csv", 3);
    assert!(
        message.contains("u.arrow") && message.contains('x'),
        "{message}"
    );
}

/// Regression test: the decimal 0 with a scale of -2 was written to JSON as `000`, which is not valid JSON.
#[test]
fn decimals_of_negative_scale_are_numbers_in_every_format() {
    let dir = TestDir::new();
    let values = Decimal128Array::from(vec![0, 12]);
    let values = values.with_precision_and_scale(10, -2).unwrap();
    let table = batch(vec![("puzzle", puzzles(2)), ("c", Arc::new(values))]);
    dir.write("in.arrow", arrow_file(&table, 9, None));
    let converted_text = |format| dir.succeed(&format!("convert in.arrow -o - --format {format}"));
    let lines =
        format!("{{\"puzzle\":\"{PUZZLE}\",\"c\":0}}\n{{\"puzzle\":\"{PUZZLE}\",\"c\":1200}}\n");
    assert_eq!(converted_text("ndjson"), lines);
    assert_eq!(
        converted_text("csv"),
        format!("puzzle,c\n{PUZZLE},0\n{PUZZLE},1200\n")
    );
    dir.succeed("convert in.arrow -o o.parquet");
    let table = dir.parquet("o.parquet");
    let column = table.column_by_name("c").unwrap();
    assert_eq!(column.data_type(), &DataType::Decimal128(12, 0));
    dir.succeed("convert in.arrow -o o/ --partition-by c");
    assert!(dir.exists("o/c=0") && dir.exists("o/c=1200"));
}

/// Regression test: a date with a time of day silently lost the time.
#[test]
fn a_date_with_a_time_of_day_is_never_cut_to_its_day() {
    let dir = TestDir::new();
    let write_dates = |milliseconds: Vec<i64>| {
        let dates = Date64Array::from(milliseconds);
        let table = batch(vec![("puzzle", puzzles(2)), ("d", Arc::new(dates))]);
        dir.write("in.arrow", arrow_file(&table, 9, None));
    };
    let convert_to_parquet = "convert in.arrow -o o.parquet";
    write_dates(vec![86_400_000, -86_400_000]);
    dir.succeed(convert_to_parquet);
    let table = dir.parquet("o.parquet");
    let expected = Date32Array::from(vec![1, -1]);
    assert_eq!(table.column_by_name("d").unwrap().as_ref(), &expected);
    write_dates(vec![86_400_000, 435_600_000]);
    let message = dir.fail(&format!("{convert_to_parquet} --overwrite"), 3);
    assert!(message.contains("in.arrow, row 1: column d"), "{message}");
    assert!(
        message.contains("435600000 ms is not the start of a day"),
        "{message}"
    );
    let text = dir.succeed("convert in.arrow -o - --format csv");
    assert!(text.contains("1970-01-06T01:00:00"), "{text}");
}

/// Regression test: of two concatenated Parquet files, the rows of the first were silently lost.
#[test]
fn two_concatenated_parquet_files_are_refused() {
    let dir = TestDir::new();
    let parquet_file = |ids: Vec<i64>| {
        let columns = vec![
            ("puzzle", puzzles(ids.len())),
            ("id", Arc::new(Int64Array::from(ids)) as _),
        ];
        parquet(&batch(columns), Default::default())
    };
    let (a, b, empty) = (
        parquet_file(vec![1, 2]),
        parquet_file(vec![3]),
        parquet_file(Vec::new()),
    );
    for second in [&b, &empty] {
        dir.write("ab.parquet", [&a[..], second].concat());
        let message = dir.fail("convert ab.parquet -o x.csv", 3);
        let dir = format!("at byte {}: another Parquet file", a.len());
        assert!(message.contains(&dir), "{message}");
    }
}
