//! Tests which rows `--where` keeps, and the messages for invalid conditions.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, Decimal128Array, Float64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray, UInt8Array,
};

use super::{Filter, FilterError};

fn table_with_every_type() -> RecordBatch {
    let names = [Some("a"), Some("B"), Some("a%"), None, Some("é")];
    let numbers = [Some("1"), Some("2.5"), Some("n/a"), None, Some("300")];
    let start_micros = 1_577_836_800_000_000;
    let timestamps = [
        Some(start_micros),
        Some(start_micros + 36_000_000_000),
        Some(0),
        None,
        Some(start_micros - 1),
    ];
    let doubles = [
        Some(2.5),
        Some(3.5),
        Some(f64::NAN),
        Some(f64::INFINITY),
        None,
    ];
    let decimals =
        Decimal128Array::from(vec![Some(150), Some(250), Some(-150), Some(99_999), None]);
    let columns: [(&str, ArrayRef); 7] = [
        ("id", Arc::new(UInt8Array::from_iter_values(0..5))),
        (
            "rank",
            Arc::new(UInt8Array::from(vec![
                Some(0),
                Some(5),
                Some(255),
                None,
                Some(7),
            ])),
        ),
        ("rating", Arc::new(Float64Array::from_iter(doubles))),
        (
            "d",
            Arc::new(decimals.with_precision_and_scale(5, 2).unwrap()),
        ),
        ("name", Arc::new(StringArray::from_iter(names))),
        ("num", Arc::new(StringArray::from_iter(numbers))),
        (
            "added",
            Arc::new(TimestampMicrosecondArray::from_iter(timestamps).with_timezone("UTC")),
        ),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn kept_rows(text: &str) -> Result<Vec<usize>, FilterError> {
    let table = table_with_every_type();
    let filter = Filter::new(text, &table.schema())?;
    let columns = filter
        .columns()
        .iter()
        .map(|index| table.column(*index).clone());
    let kept_rows = filter.keeps(table.num_rows(), &columns.collect::<Vec<_>>())?;
    assert_eq!(kept_rows.null_count(), 0);
    Ok((0..table.num_rows())
        .filter(|row| kept_rows.value(*row))
        .collect())
}

/// Compares the rows with those that DuckDB keeps. `tests/sql/where.py` compares many more conditions.
#[test]
fn the_rows_are_those_that_duckdb_keeps() {
    let cases: &[(&str, &[usize])] = &[
        ("rank > 4", &[1, 2, 4]),
        ("not (rank > 4)", &[0]),
        ("rank in (5, null)", &[1]),
        ("rank not in (5, null)", &[]),
        ("rank between null and 3", &[]),
        ("rank not between 6 and null", &[0, 1]),
        ("rating is not null", &[0, 1, 2, 3]),
        ("rating > 3", &[1, 2, 3]),
        ("rating = 'nan'", &[2]),
        ("rating >= rating", &[0, 1, 2, 3]),
        ("rating > 'inf'", &[2]),
        ("try_cast(rating as integer) = 2", &[0]),
        ("try_cast(rating as integer) = 4", &[1]),
        ("try_cast(rating as integer) is null", &[2, 3, 4]),
        ("cast(d as integer) = 3", &[1]),
        ("cast(d as integer) = -2", &[2]),
        ("d = 1.5", &[0]),
        ("d > 1.499", &[0, 1, 3]),
        ("d * d = 2.25", &[0, 2]),
        ("d + 1 = 2.5", &[0]),
        ("rank / 0 = 'inf'", &[1, 2, 4]),
        ("rank // 2 = 2", &[1]),
        ("rank % 5 = 0", &[0, 1, 2]),
        ("rank <> 0 and 10 // rank = 2", &[1]),
        ("rank = 0 or 10 // rank > 0", &[0, 1, 4]),
        ("rank < 255 and rank + 1 > 5", &[1, 4]),
        ("rank::integer + 1 > 5", &[1, 2, 4]),
        ("rank = '5'", &[1]),
        ("rank > -1", &[0, 1, 2, 4]),
        ("try_cast(num as double) > 2", &[1, 4]),
        ("try_cast(num as tinyint) = 3", &[1]),
        ("try_cast(num as tinyint) is null", &[2, 3, 4]),
        ("name like 'a%'", &[0, 2]),
        ("name like 'a!%' escape '!'", &[2]),
        ("name ilike 'b'", &[1]),
        ("name like '_'", &[0, 1, 4]),
        ("lower(name) = 'b'", &[1]),
        ("length(name) = 1", &[0, 1, 4]),
        ("coalesce(name, 'x') = 'x'", &[3]),
        ("added > '2020-01-01'", &[1]),
        ("added = '2020-01-01'", &[0]),
        ("cast(added as date) = '2019-12-31'", &[4]),
        (
            "added >= date '2020-01-01' and added < date '2020-01-02'",
            &[0, 1],
        ),
        ("name is distinct from 'a'", &[1, 2, 3, 4]),
        ("(rank > 4) is null", &[3]),
        ("rank = 5 or null", &[1]),
        ("0.1 + 0.2 = 0.3 and id = 1", &[1]),
        ("0.1e0 + 0.2e0 = 0.3 or id = 1", &[1]),
    ];
    for (text, expected) in cases {
        assert_eq!(kept_rows(text).unwrap(), *expected, "{text}");
    }
}

#[test]
fn an_error_says_where_it_is_in_the_text_and_which_row_it_is_about() {
    let columns = "the columns are id, rank, rating, d, name, num, added";
    for (text, row, expected) in [
        ("rank >= 3 and rung = 1", None, format!("column 15: there is no column rung; {columns}")),
        ("name = \"B\"", None, format!("column 8: there is no column B; {columns}; text stands in single quotes: 'B'")),
        ("name = hard", None, format!("column 8: there is no column hard; {columns}; text stands in single quotes: 'hard'")),
        ("num >= 3", None, "column 8: varchar and integer are not compared with each other: write cast(num as double)".into()),
        ("rank", None, "column 1: this is utinyint, and a condition (true or false) is needed".into()),
        ("rank > 1 and\n name", None, "line 2, column 2: this is varchar, and a condition".into()),
        ("rank = 'x'", None, "column 8: 'x' is not a valid utinyint".into()),
        ("sqrt(rank) = 1", None, "column 1: the function sqrt (the functions are coalesce, length".into()),
        ("rank || 1 = 1", None, "column 6: || stands where an operator or the end is expected: docs/filter.md lists".into()),
        ("rank in (select 1)", None, "column 10: select stands where a value is expected".into()),
        ("rank = 1 = true", None, "column 10: a comparison of a comparison".into()),
        ("rank >", None, "column 7: a value is missing at the end".into()),
        ("", None, "column 1: a value is missing at the end".into()),
        ("rank > 3 rank", None, "column 10: rank stands where an operator or the end".into()),
        ("rank > 'a", None, "column 8: a closing ' is missing".into()),
        ("rank = 1; drop table x", None, "column 9: ; stands where an operator or the end is expected".into()),
        ("'é' = name and rank + 1 > 0 or rank = 1_0", None, "column 39: the number 1_0".into()),
        ("rank + 1 > 0", Some(2), "column 6: the result is too large for utinyint: cast".into()),
        ("id > 0 and rank - 6 > 0", Some(1), "column 17: the result is too large".into()),
        ("10 // rank = 2", Some(0), "column 4: division by zero".into()),
        ("cast(num as double) > 2", Some(2), "column 1: 'n/a' is not a valid double".into()),
        ("cast(rating as bigint) = 2", Some(2), "column 1: NaN is not a valid bigint".into()),
        ("d::decimal(3,1) > 1", Some(3), "column 1: 999.99 is not a valid decimal(3,1)".into()),
    ] {
        let error = kept_rows(text).unwrap_err();
        assert!(error.to_string().starts_with(&expected), "{text}: {error}");
        assert_eq!(error.row, row, "{text}");
    }
}

/// Tests run on threads with a small stack, so deep nesting would overflow it.
#[test]
fn no_condition_overflows_the_stack() {
    let nested = |open: &str, close: &str, count: usize| {
        format!("{}rank = 1{}", open.repeat(count), close.repeat(count))
    };
    for (text, is_accepted) in [
        (nested("(", ")", 90), true),
        (nested("(", ")", 1_000_000), false),
        (nested("not ", "", 3_000), false),
        (format!("{}1 > rank", "1 + ".repeat(90)), true),
        (format!("{}rank > 1", "rank + ".repeat(2_000)), false),
        (format!("{}rank = 1", "rank = 2 or ".repeat(2_000)), true),
        (format!("rank in ({}1)", "1, ".repeat(2_000)), true),
        (format!("{}1 = rank", "- ".repeat(3_000)), false),
        (format!("rank{} = 1", "::int".repeat(3_000)), true),
        (format!("{} rank", "cast(".repeat(500)), false),
    ] {
        let first_characters: String = text.chars().take(30).collect();
        assert_eq!(kept_rows(&text).is_ok(), is_accepted, "{first_characters}");
    }
}

#[test]
fn any_text_at_all_is_a_condition_or_an_error() {
    const WORDS: [&str; 37] = [
        "rank",
        "rating",
        "name",
        "(",
        ")",
        "and",
        "or",
        "not",
        "=",
        "<",
        "'a'",
        "'",
        "1",
        "1.5",
        "-",
        "*",
        "//",
        "in",
        "between",
        "like",
        "is",
        "null",
        "case",
        "cast",
        "as",
        "double",
        ",",
        "::",
        "\"",
        "\0",
        "é",
        "--",
        "9e999",
        "0x",
        "'1e9223372036854775807'::int",
        "date",
        "%",
    ];
    let seed = 5;
    for case in 0..5_000 {
        let mut rng = sudoku_core::random::Rng::for_item(seed, case);
        let random_words = (0..rng.below(14)).map(|_| WORDS[rng.below(WORDS.len())]);
        let text = random_words
            .collect::<Vec<_>>()
            .join([" ", ""][rng.below(2)]);
        // If this case panics, the test harness prints this text.
        eprint!("seed {seed}, case {case}: {text}\n{:?}\n", kept_rows(&text));
    }
}

/// Regression test: a decimal that was compared with a double was rounded twice.
#[test]
fn a_decimal_is_compared_with_a_double_as_duckdb_does() {
    for condition in [
        "1.48504282030121037 = 1.48504282030121037e0",
        "cast(1.48504282030121037 as double) = 1.48504282030121037e0",
        "9687028782490601.1 = 9687028782490601.1e0",
        "cast(1.82994191 as float) = 1.82994191e0::float",
    ] {
        assert_eq!(kept_rows(condition).unwrap().len(), 5, "{condition}");
    }
}

/// Regression test: a pattern of 40,000 characters gave an internal error for row 0 after
/// six seconds.
#[test]
fn a_pattern_of_any_length_is_matched() {
    let long_pattern = "%a".repeat(50_000);
    assert!(
        kept_rows(&format!("name like '{long_pattern}'"))
            .unwrap()
            .is_empty()
    );
    let many_percent_signs = "%".repeat(100_000);
    assert_eq!(
        kept_rows(&format!("name like 'a{many_percent_signs}'")).unwrap(),
        [0, 2]
    );
    assert_eq!(
        kept_rows(&format!(
            "name ilike '{many_percent_signs}B{many_percent_signs}'"
        ))
        .unwrap(),
        [1]
    );
    let escaped = format!("a!%{many_percent_signs}");
    assert_eq!(
        kept_rows(&format!("name like '{escaped}' escape '!'")).unwrap(),
        [2]
    );
}
