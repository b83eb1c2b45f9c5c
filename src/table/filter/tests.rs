//! What users of `--where` are told.

use arrow::datatypes::{DataType, Field, Schema, TimeUnit};

use crate::table::filter::Filter;

fn schema() -> Schema {
    let field = |name, data_type| Field::new(name, data_type, true);
    Schema::new(vec![
        field("rank", DataType::UInt8),
        field("rating", DataType::Utf8),
        field("minimal", DataType::Boolean),
        field("row", DataType::UInt64),
        field("set", DataType::Utf8),
        field("level", DataType::Utf8),
        field("When made", DataType::Timestamp(TimeUnit::Second, None)),
        field("grid", DataType::new_list(DataType::Int64, true)),
    ])
}

fn told(text: &str) -> String {
    match Filter::new(text, &schema()) {
        Ok(filter) => format!("{:?}", filter.columns()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn names_are_found_in_any_case_and_quoted_if_need_be() {
    assert_eq!(told("RANK > 3 and row < 7"), "[0, 3]");
    assert_eq!(
        told("source.rank > 3"),
        "--where, character 1: source.rank cannot be used here"
    );
    assert_eq!(told("set = 'a' and level in ('hard')"), "[4, 5]");
    assert_eq!(told(r#"cast("When made" as varchar) like '2020%'"#), "[6]");
    assert_eq!(told("grid is not null and `When made` is null"), "[7, 6]");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let columns = "the columns are rank, rating, minimal, row, set, level, When made, grid";
    for (text, expected) in [
        ("rank >= 3 and rung = 1", format!("character 15: there is no column rung; {columns}")),
        ("level = \"hard\"", format!("character 9: there is no column hard; {columns}; text stands in single quotes: 'hard'")),
        ("rating >= 3", "character 1: rating is text, but 3 is a number: write cast(rating as double)".into()),
        ("3 < rating", "character 1: 3 is a number, but rating is text: write cast(rating as double)".into()),
        ("rank = 'x_wing'", "character 1: rank is a number, but 'x_wing' is text".into()),
        ("rank", "character 1: rank is a number, and true or false is needed".into()),
        ("minimal and\n rating", "line 2, character 2: rating is text, and true or false is needed".into()),
        ("rating + 1 > 2", "character 1: rating is text, and a number is needed: write cast(rating as double)".into()),
        ("rank like 'a%'", "character 1: rank is a number, and text is needed: write cast(rank as varchar)".into()),
        ("\"When made\" > 3", "character 1: \"When made\" is Timestamp(s), and a number, text, true or false is needed: write cast(\"When made\" as varchar)".into()),
        ("ceil(rank) = 1", "character 6: CEIL(rank) cannot be used here".into()),
        ("sqrt(rank) = 1", "character 1: there is no function sqrt; the functions are abs, coalesce, length, lower, substr, substring, upper".into()),
        ("abs(rank, 1) = 1", "character 1: write abs(NUMBER)".into()),
        ("count(*) = 1", "character 1: count(*) cannot be used here".into()),
        ("rank in (select 1)", "character 1: rank IN (SELECT 1) cannot be used here".into()),
        ("rank >", "Expected: an expression, found: the end".into()),
        ("", "Expected: an expression, found: the end".into()),
        ("rank > 3 rank", "character 10: the expression should end before rank".into()),
        ("rank > 'a", "character 8: Unterminated string literal".into()),
        ("rank = 1; drop table x", "character 9: the expression should end before ;".into()),
    ] {
        let said = told(text);
        let said = said.strip_prefix("--where").unwrap_or(&said);
        assert_eq!(said.trim_start_matches([',', ':', ' ']), expected, "{text}");
    }
}

/// Tests run on threads with a small stack.
#[test]
fn no_expression_overflows_the_stack() {
    let nested = |open: &str, close: &str, count: usize| {
        format!("{}rank = 1{}", open.repeat(count), close.repeat(count))
    };
    for (text, expected) in [
        (nested("(", ")", 1_000), "nested more than 100 deep"),
        (nested("not ", "", 3_000), "--where"),
        (nested("(", ")", 1_000_000), "2000003 parts"),
        (nested("not (", ")", 90), "[0]"),
        (format!("{}1 > rank", "1 + ".repeat(1_990)), "--where"),
        (format!("{}1 > rank", "1 + ".repeat(90)), "[0]"),
        (
            format!("rank || {}1 > rank", "1 || ".repeat(1_980)),
            "--where",
        ),
        (
            format!("({}minimal) = 5", "minimal or ".repeat(1_980)),
            "but 5 is a number",
        ),
        (
            format!("({}minimal) + 5 > 1", "minimal or ".repeat(1_980)),
            "a number is needed",
        ),
        (format!("{}minimal", "minimal or ".repeat(1_980)), "[2]"),
        (format!("rank in ({}1)", "1, ".repeat(1_980)), "[0]"),
        (nested("case when ", " then true end", 300), "--where"),
        (format!("{}1", "- ".repeat(3_000)), "--where"),
        (format!("{}minimal", "minimal = ".repeat(1_900)), "--where"),
        (format!("{} rank", "cast(".repeat(500)), "--where"),
        (format!("{} rank", "abs(".repeat(500)), "--where"),
    ] {
        let said = told(&text);
        let start: String = text.chars().take(30).collect();
        assert!(said.contains(expected), "{start}: {said}");
    }
}

#[test]
fn any_text_at_all_is_an_expression_or_an_error() {
    const WORDS: [&str; 32] = [
        "rank", "rating", "minimal", "(", ")", "and", "or", "not", "=", "<", "'a'", "'", "1",
        "1.5", "-", "*", "in", "between", "like", "is", "null", "case", "cast", "as", "double",
        ",", "exists", "select", "\"", "\0", "é", "--",
    ];
    let seed = 5;
    for case in 0..20_000 {
        let mut rng = sudoku_core::random::Rng::for_item(seed, case);
        let words = (0..rng.below(14)).map(|_| WORDS[rng.below(WORDS.len())]);
        let text = words.collect::<Vec<_>>().join([" ", ""][rng.below(2)]);
        // No panic is the test: the harness shows the text of one.
        eprint!("seed {seed}, case {case}: {text}\n{}\n", told(&text));
    }
}
