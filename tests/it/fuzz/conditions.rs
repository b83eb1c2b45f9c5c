//! Tests randomly changed conditions of `--where`. Each is an error with a reason, or selects rows according to
//! the laws of logic.

use sudoku_core::random::Rng;

use super::effort::{Case, Effort, try_inputs};
use super::laws::{check, table};
use super::mutate;

/// The conditions that the test changes at random.
const CONDITIONS: [&str; 24] = [
    "rank >= 12 and cast(note as double) > 3",
    "minimal",
    "not minimal or rank is null",
    "rank in (1, 2, null)",
    "rank not in (1, 2)",
    "rating between 0.5 and 3e9",
    "note like 'a%' or note like '_A'",
    "length(note) + rank * 2 - 1 < 7 % 4",
    "nodes > 9223372036854775807",
    "nodes + 1 = 0",
    "rating = rating",
    "rating <> 0.0",
    "rating / 0 is null",
    "score is distinct from rating",
    "cast(rating as integer) = 2",
    "cast(note as integer) = 12",
    "cast(rank as varchar) = '3'",
    "lower(note) = lower(\"note\")",
    "substr(note, 2, 1) = 'b'",
    "coalesce(rank, 0) = 3",
    "day < cast('1970-01-05' as date)",
    "at >= timestamp '1970-01-01 00:00:01'",
    "minimal is not true and minimal is null",
    "case when rank > 1 then true else false end",
];

/// Words that a change can insert into a condition.
const WORDS: [&str; 44] = [
    "rank",
    "nodes",
    "rating",
    "score",
    "note",
    "minimal",
    "day",
    "at",
    "(",
    ")",
    "and",
    "or",
    "not",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "in",
    "between",
    "like",
    "is",
    "null",
    "true",
    "'a'",
    "''",
    "'%'",
    "1",
    "0",
    "-1",
    "2.5",
    "1e300",
    "9223372036854775807",
    "cast(rating as integer)",
    "abs(",
    "coalesce(",
    ",",
    "18446744073709551615",
];

/// Appends another condition at random, joined by an operator.
fn join_conditions(text: &str, rng: &mut Rng) -> String {
    let other_condition = CONDITIONS[rng.below(CONDITIONS.len())];
    let operator = ["and", "or", "and not", "or not", "=", "<"][rng.below(6)];
    format!("({text}) {operator} ({other_condition})")
}

/// Changes some numbers of a condition at random.
fn renumber(text: &str, rng: &mut Rng) -> String {
    const NUMBERS: [&str; 8] = [
        "0",
        "1",
        "2",
        "3",
        "255",
        "0.5",
        "1e300",
        "9223372036854775807",
    ];
    let words = text.split_inclusive([' ', '(', ',']);
    let words = words.map(|word| {
        let is_number = word.trim().parse::<f64>().is_ok() && rng.below(2) == 0;
        if is_number {
            format!("{} ", NUMBERS[rng.below(NUMBERS.len())])
        } else {
            word.to_owned()
        }
    });
    words.collect()
}

/// Changes a condition at random: its words, and sometimes single characters.
fn change_condition(text: &str, rng: &mut Rng) -> Vec<u8> {
    let mut text = renumber(text, rng);
    while rng.below(3) == 0 {
        text = renumber(&join_conditions(&text, rng), rng);
    }
    if rng.below(2) == 0 {
        return text.into_bytes();
    }
    let mut words: Vec<String> = text.split_inclusive(' ').map(str::to_owned).collect();
    for _ in 0..1 + rng.below(3) {
        let word_index = rng.below(words.len() + 1);
        let word = format!("{} ", WORDS[rng.below(WORDS.len())]);
        match rng.below(4) {
            0 if word_index < words.len() => drop(words.remove(word_index)),
            1 | 2 if word_index < words.len() => words[word_index] = word,
            _ => words.insert(word_index, word),
        }
    }
    let mut bytes = words.concat().into_bytes();
    if rng.below(4) == 0 {
        let other_condition = CONDITIONS[rng.below(CONDITIONS.len())];
        mutate(&mut bytes, other_condition.as_bytes(), rng);
        bytes.truncate(20_000);
    }
    bytes
}

#[test]
fn a_random_condition_is_an_error_or_keeps_the_rows_of_the_reference() {
    let effort = Effort::from_environment(10_000);
    let table = table();
    let counts = try_inputs(
        "conditions",
        effort,
        |number| {
            let mut rng = Rng::for_item(effort.seed, number);
            let text = CONDITIONS[rng.below(CONDITIONS.len())];
            Case {
                name: "where.sql".to_owned(),
                bytes: change_condition(text, &mut rng),
            }
        },
        |case| check(&String::from_utf8_lossy(&case.bytes), &table),
    )
    .counts_by_result();
    assert_eq!(counts.len(), 2, "{counts:?}");
}
