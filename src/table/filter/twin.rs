//! The slow readable twin: SQL's syntax tree, interpreted row by row, with types that are looked at
//! only when a value is there. Both must keep the same rows.

use std::cmp::Ordering;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, DictionaryArray, Float32Array, Float64Array,
    LargeStringArray, RecordBatch, StringArray, UInt8Array, UInt64Array,
};
use arrow::datatypes::{Int32Type, Schema};
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator, Value,
};

use crate::table::filter::kind::Kind;
use crate::table::filter::parse::parse;
use crate::table::filter::{Filter, evaluate};
use sudoku_core::random::Rng;

#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Null,
    Boolean(bool),
    Integer(i64),
    Double(f64),
    Text(String),
}

use Cell::{Boolean, Double, Integer, Null, Text};

fn compare(left: &Cell, right: &Cell) -> Option<Ordering> {
    match (left, right) {
        (Null, _) | (_, Null) => None,
        (Integer(left), Integer(right)) => Some(left.cmp(right)),
        (Integer(left), Double(right)) => (*left as f64).partial_cmp(right),
        (Double(left), Integer(right)) => left.partial_cmp(&(*right as f64)),
        (Double(left), Double(right)) => left.partial_cmp(right),
        (Text(left), Text(right)) => Some(left.cmp(right)),
        (Boolean(left), Boolean(right)) => Some(left.cmp(right)),
        other => panic!("compared {other:?}"),
    }
}

fn truth(value: Option<bool>) -> Cell {
    value.map_or(Null, Boolean)
}

fn as_truth(cell: &Cell) -> Option<bool> {
    match cell {
        Null => None,
        Boolean(value) => Some(*value),
        other => panic!("{other:?} is no truth"),
    }
}

fn and(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    and(left.map(|value| !value), right.map(|value| !value)).map(|value| !value)
}

fn double(value: f64) -> Cell {
    if value.is_nan() { Null } else { Double(value) }
}

fn arithmetic(operator: &BinaryOperator, left: Cell, right: Cell) -> Cell {
    if let (Integer(left), Integer(right)) = (&left, &right)
        && *operator != BinaryOperator::Divide
    {
        let (left, right) = (i128::from(*left), i128::from(*right));
        let result = match operator {
            BinaryOperator::Plus => left + right,
            BinaryOperator::Minus => left - right,
            BinaryOperator::Multiply => left * right,
            BinaryOperator::Modulo if right == 0 => return Null,
            BinaryOperator::Modulo => left % right,
            other => panic!("{other}"),
        };
        return i64::try_from(result).map_or(Null, Integer);
    }
    let number = |cell| match cell {
        Integer(number) => Some(number as f64),
        Double(number) => Some(number),
        Null => None,
        other => panic!("{other:?} is no number"),
    };
    let (Some(left), Some(right)) = (number(left), number(right)) else {
        return Null;
    };
    double(match operator {
        BinaryOperator::Plus => left + right,
        BinaryOperator::Minus => left - right,
        BinaryOperator::Multiply => left * right,
        _ if right == 0.0 => return Null,
        BinaryOperator::Divide => left / right,
        BinaryOperator::Modulo => left % right,
        other => panic!("{other}"),
    })
}

fn is_like(text: &[char], pattern: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['%', rest @ ..] => (0..=text.len()).any(|start| is_like(&text[start..], rest)),
        ['_', rest @ ..] => !text.is_empty() && is_like(&text[1..], rest),
        [one, rest @ ..] => text.first() == Some(one) && is_like(&text[1..], rest),
    }
}

fn cast(cell: Cell, kind: Kind) -> Cell {
    match (cell, kind) {
        (Null, _) => Null,
        (Text(text), Kind::Double) => text.trim().parse().map_or(Null, double),
        (Text(text), Kind::Integer) => text.trim().parse().map_or(Null, Integer),
        (Integer(number), Kind::Double) => Double(number as f64),
        (Integer(number), Kind::Text) => Text(number.to_string()),
        (Double(number), Kind::Integer) => Integer(number as i64),
        (Boolean(value), Kind::Integer) => Integer(i64::from(value)),
        (cell, _) => cell,
    }
}

/// One row, its columns by name.
struct Row<'a> {
    schema: &'a Schema,
    cells: Vec<Cell>,
}

impl Row<'_> {
    fn condition(&self, expression: &Expr) -> Option<bool> {
        as_truth(&self.value(expression))
    }

    fn value(&self, expression: &Expr) -> Cell {
        let negate =
            |negated: bool, value: Option<bool>| truth(value.map(|value| value != negated));
        match expression {
            Expr::Nested(inner) => self.value(inner),
            Expr::Identifier(name) => {
                self.cells[self.schema.index_of(&name.value).unwrap()].clone()
            }
            Expr::Value(value) => match &value.value {
                Value::Null => Null,
                Value::Boolean(value) => Boolean(*value),
                Value::SingleQuotedString(text) => Text(text.clone()),
                Value::Number(text, _) => match text.parse() {
                    Ok(number) => Integer(number),
                    Err(_) => Double(text.parse().unwrap()),
                },
                other => panic!("{other}"),
            },
            Expr::UnaryOp { op, expr } => match (op, self.value(expr)) {
                (UnaryOperator::Not, value) => negate(true, as_truth(&value)),
                (UnaryOperator::Minus, Integer(number)) => Integer(-number),
                (UnaryOperator::Minus, Double(number)) => Double(-number),
                (_, value) => value,
            },
            Expr::BinaryOp { left, op, right } => match op {
                BinaryOperator::And => truth(and(self.condition(left), self.condition(right))),
                BinaryOperator::Or => truth(or(self.condition(left), self.condition(right))),
                BinaryOperator::Eq
                | BinaryOperator::NotEq
                | BinaryOperator::Lt
                | BinaryOperator::LtEq
                | BinaryOperator::Gt
                | BinaryOperator::GtEq => {
                    let order = compare(&self.value(left), &self.value(right));
                    truth(order.map(|order| match op {
                        BinaryOperator::Eq => order.is_eq(),
                        BinaryOperator::NotEq => order.is_ne(),
                        BinaryOperator::Lt => order.is_lt(),
                        BinaryOperator::LtEq => order.is_le(),
                        BinaryOperator::Gt => order.is_gt(),
                        _ => order.is_ge(),
                    }))
                }
                op => arithmetic(op, self.value(left), self.value(right)),
            },
            Expr::IsNull(inner) => Boolean(self.value(inner) == Null),
            Expr::IsNotNull(inner) => Boolean(self.value(inner) != Null),
            Expr::IsTrue(inner) => Boolean(self.value(inner) == Boolean(true)),
            Expr::IsNotTrue(inner) => Boolean(self.value(inner) != Boolean(true)),
            Expr::IsFalse(inner) => Boolean(self.value(inner) == Boolean(false)),
            Expr::IsNotFalse(inner) => Boolean(self.value(inner) != Boolean(false)),
            Expr::IsUnknown(inner) => Boolean(self.value(inner) == Null),
            Expr::IsNotUnknown(inner) => Boolean(self.value(inner) != Null),
            Expr::IsDistinctFrom(left, right) => Boolean(!self.same(left, right)),
            Expr::IsNotDistinctFrom(left, right) => Boolean(self.same(left, right)),
            Expr::InList {
                expr,
                list,
                negated,
            } => {
                let subject = self.value(expr);
                let mut found = Some(false);
                for item in list {
                    let is_item = compare(&subject, &self.value(item)).map(Ordering::is_eq);
                    found = or(found, is_item);
                }
                negate(*negated, found)
            }
            Expr::Between {
                expr,
                negated,
                low,
                high,
            } => {
                let subject = self.value(expr);
                let above = compare(&subject, &self.value(low)).map(Ordering::is_ge);
                let below = compare(&subject, &self.value(high)).map(Ordering::is_le);
                negate(*negated, and(above, below))
            }
            Expr::Like {
                negated,
                expr,
                pattern,
                ..
            } => match (self.value(expr), self.value(pattern)) {
                (Text(text), Text(pattern)) => {
                    let (text, pattern): (Vec<_>, Vec<_>) =
                        (text.chars().collect(), pattern.chars().collect());
                    negate(*negated, Some(is_like(&text, &pattern)))
                }
                _ => Null,
            },
            Expr::Cast {
                expr, data_type, ..
            } => cast(self.value(expr), Kind::named(data_type).unwrap()),
            Expr::Function(call) => {
                let FunctionArguments::List(list) = &call.args else {
                    panic!("{call}")
                };
                let arguments = list.args.iter().map(|argument| match argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(inner)) => self.value(inner),
                    other => panic!("{other}"),
                });
                function(&call.name.to_string(), &arguments.collect::<Vec<_>>())
            }
            Expr::Substring {
                expr,
                substring_from,
                substring_for,
                ..
            } => {
                let value = |part: &Option<Box<Expr>>| part.as_ref().map(|part| self.value(part));
                let mut arguments = vec![self.value(expr)];
                arguments.extend(value(substring_from));
                arguments.extend(value(substring_for));
                function("substr", &arguments)
            }
            other => panic!("{other}"),
        }
    }

    fn same(&self, left: &Expr, right: &Expr) -> bool {
        let (left, right) = (self.value(left), self.value(right));
        match (&left, &right) {
            (Null, Null) => true,
            _ => compare(&left, &right).is_some_and(Ordering::is_eq),
        }
    }
}

fn function(name: &str, arguments: &[Cell]) -> Cell {
    match (name, arguments) {
        ("coalesce", cells) => {
            let found = cells.iter().find(|cell| **cell != Null);
            found.cloned().unwrap_or(Null)
        }
        (_, cells) if cells.contains(&Null) => Null,
        ("abs", [Integer(number)]) => Integer(number.abs()),
        ("abs", [Double(number)]) => Double(number.abs()),
        ("lower", [Text(text)]) => Text(text.to_lowercase()),
        ("upper", [Text(text)]) => Text(text.to_uppercase()),
        ("length", [Text(text)]) => Integer(text.chars().count() as i64),
        ("substr", [Text(text), Integer(from), rest @ ..]) => {
            let end = match rest {
                [Integer(length)] if *length < 0 => return Null,
                [Integer(length)] => from + length,
                _ => i64::MAX,
            };
            let chosen = (1..).zip(text.chars());
            let chosen = chosen.filter(|(place, _)| (*from..end).contains(place));
            Text(chosen.map(|(_, character)| character).collect())
        }
        other => panic!("{other:?}"),
    }
}

/// Data of several types, a quarter of it null.
fn table(rng: &mut Rng, rows: usize) -> RecordBatch {
    const TEXTS: [&str; 8] = ["", "a", "ab", "bA", "12", " 3.5 ", "x%é", "hard"];
    const NUMBERS: [f64; 6] = [0.0, -0.0, 1.5, -2.0, 3e9, f64::NAN];
    let mut column = |value: &mut dyn FnMut(&mut Rng) -> Cell| -> Vec<Cell> {
        (0..rows)
            .map(|_| match rng.below(4) {
                0 => Null,
                _ => value(rng),
            })
            .collect()
    };
    let text = |cell: &Cell| match cell {
        Text(text) => Some(text.clone()),
        _ => None,
    };
    let integer = |cell: &Cell| match cell {
        Integer(number) => Some(*number as u64),
        _ => None,
    };
    let number = |cell: &Cell| match cell {
        Double(number) => Some(*number),
        _ => None,
    };
    let rank = column(&mut |rng| Integer(rng.below(5) as i64));
    let nodes = column(&mut |rng| Integer(rng.below(3) as i64 * (i64::MAX / 2)));
    let rating = column(&mut |rng| Double(NUMBERS[rng.below(6)]));
    let score = column(&mut |rng| Double(NUMBERS[rng.below(4)]));
    let note = column(&mut |rng| Text(TEXTS[rng.below(8)].into()));
    let long = column(&mut |rng| Text(TEXTS[rng.below(8)].into()));
    let level = column(&mut |rng| Text(TEXTS[rng.below(8)].into()));
    let minimal = column(&mut |rng| Boolean(rng.below(2) == 0));
    let columns: [(&str, ArrayRef); 8] = [
        (
            "rank",
            Arc::new(
                rank.iter()
                    .map(|cell| integer(cell).map(|n| n as u8))
                    .collect::<UInt8Array>(),
            ),
        ),
        (
            "nodes",
            Arc::new(nodes.iter().map(integer).collect::<UInt64Array>()),
        ),
        (
            "rating",
            Arc::new(rating.iter().map(number).collect::<Float64Array>()),
        ),
        (
            "score",
            Arc::new(
                score
                    .iter()
                    .map(|cell| number(cell).map(|n| n as f32))
                    .collect::<Float32Array>(),
            ),
        ),
        (
            "note",
            Arc::new(note.iter().map(text).collect::<StringArray>()),
        ),
        (
            "long",
            Arc::new(long.iter().map(text).collect::<LargeStringArray>()),
        ),
        (
            "level",
            Arc::new(
                level
                    .iter()
                    .map(text)
                    .collect::<Vec<_>>()
                    .iter()
                    .map(Option::as_deref)
                    .collect::<DictionaryArray<Int32Type>>(),
            ),
        ),
        (
            "minimal",
            Arc::new(minimal.iter().map(as_truth).collect::<BooleanArray>()),
        ),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
        .unwrap()
}

/// A row's cells, as the twin takes them.
fn cells(batch: &RecordBatch, row: usize) -> Vec<Cell> {
    let cell = |array: &ArrayRef| {
        let kind = Kind::of(array.data_type()).unwrap();
        let array = arrow::compute::cast(array, &kind.data_type()).unwrap();
        if array.is_null(row) {
            return Null;
        }
        match kind {
            Kind::Boolean => Boolean(array.as_boolean().value(row)),
            Kind::Integer => Integer(
                array
                    .as_primitive::<arrow::datatypes::Int64Type>()
                    .value(row),
            ),
            Kind::Double => double(
                array
                    .as_primitive::<arrow::datatypes::Float64Type>()
                    .value(row),
            ),
            Kind::Text => Text(array.as_string::<i32>().value(row).to_owned()),
        }
    };
    batch.columns().iter().map(cell).collect()
}

/// A random expression of this kind.
fn expression(rng: &mut Rng, kind: Kind, depth: usize) -> String {
    let leaf = depth == 0 || rng.below(5) == 0;
    let pick = |rng: &mut Rng, choices: &[&str]| choices[rng.below(choices.len())].to_owned();
    if rng.below(24) == 0 {
        return "null".to_owned();
    }
    let deeper = |rng: &mut Rng, kind| expression(rng, kind, depth.saturating_sub(1));
    match kind {
        Kind::Boolean if leaf => pick(rng, &["minimal", "true", "false", "MINIMAL"]).to_lowercase(),
        Kind::Integer if leaf => pick(
            rng,
            &["rank", "nodes", "0", "1", "2", "9223372036854775807"],
        ),
        Kind::Double if leaf => pick(rng, &["rating", "score", "1.5", "0.0", "1e300", "2e0"]),
        Kind::Text if leaf => pick(
            rng,
            &["note", "long", "level", "'a'", "''", "'12'", "'x%é'"],
        ),
        Kind::Boolean => {
            let compared = [Kind::Integer, Kind::Double, Kind::Text][rng.below(3)];
            let not = pick(rng, &["", "not "]);
            match rng.below(9) {
                0 => format!(
                    "({} and {} and {})",
                    deeper(rng, kind),
                    deeper(rng, kind),
                    deeper(rng, kind)
                ),
                1 => format!("({} or {})", deeper(rng, kind), deeper(rng, kind)),
                2 => format!("(not {})", deeper(rng, kind)),
                3 => {
                    let operator = pick(
                        rng,
                        &[
                            "=",
                            "<>",
                            "<",
                            "<=",
                            ">",
                            ">=",
                            "is distinct from",
                            "is not distinct from",
                        ],
                    );
                    format!(
                        "({} {operator} {})",
                        deeper(rng, compared),
                        deeper(rng, compared)
                    )
                }
                4 => {
                    let item = |rng: &mut Rng| deeper(rng, compared);
                    format!("({} {not}in ({}, {}))", item(rng), item(rng), item(rng))
                }
                5 => {
                    let item = |rng: &mut Rng| deeper(rng, compared);
                    format!(
                        "({} {not}between {} and {})",
                        item(rng),
                        item(rng),
                        item(rng)
                    )
                }
                6 => {
                    let pattern = pick(
                        rng,
                        &["'a%'", "'%b%'", "'_A'", "'%'", "''", "'x%%é'", "note"],
                    );
                    format!("({} {not}like {pattern})", deeper(rng, Kind::Text))
                }
                7 => format!("({} is {not}null)", deeper(rng, compared)),
                _ => {
                    let what = pick(rng, &["true", "false", "unknown"]);
                    format!("({} is {not}{what})", deeper(rng, kind))
                }
            }
        }
        Kind::Integer => match rng.below(6) {
            0 => format!("abs({})", deeper(rng, kind)),
            1 => format!("length({})", deeper(rng, Kind::Text)),
            2 => format!("cast({} as integer)", deeper(rng, Kind::Text)),
            3 => format!("(- {})", deeper(rng, kind)),
            _ => {
                let operator = pick(rng, &["+", "-", "*", "%"]);
                format!("({} {operator} {})", deeper(rng, kind), deeper(rng, kind))
            }
        },
        Kind::Double => match rng.below(6) {
            0 => format!("abs({})", deeper(rng, kind)),
            1 => format!("cast({} as double)", deeper(rng, Kind::Text)),
            2 => format!("({} / {})", deeper(rng, Kind::Integer), deeper(rng, kind)),
            3 => format!("coalesce({}, {})", deeper(rng, kind), deeper(rng, kind)),
            _ => {
                let operator = pick(rng, &["+", "-", "*", "/", "%"]);
                format!("({} {operator} {})", deeper(rng, kind), deeper(rng, kind))
            }
        },
        Kind::Text => match rng.below(5) {
            0 => format!("lower({})", deeper(rng, kind)),
            1 => format!("upper({})", deeper(rng, kind)),
            2 => format!(
                "substr({}, {} % 4)",
                deeper(rng, kind),
                deeper(rng, Kind::Integer)
            ),
            3 => format!(
                "substr({}, {} % 4, {} % 3)",
                deeper(rng, kind),
                deeper(rng, Kind::Integer),
                deeper(rng, Kind::Integer)
            ),
            _ => format!("coalesce({}, {})", deeper(rng, kind), deeper(rng, kind)),
        },
    }
}

#[test]
fn random_expressions_keep_the_rows_that_the_twin_keeps() {
    let seed = 11;
    let mut kept_rows = 0;
    let mut rows = 0;
    for case in 0..4_000 {
        let mut rng = Rng::for_item(seed, case);
        let count = rng.below(20);
        let batch = table(&mut rng, count);
        let depth = 1 + rng.below(4);
        let mut text = expression(&mut rng, Kind::Boolean, depth);
        // Nothing says which kind it is: it counts as a number, where text may be needed.
        while text.contains("coalesce(null, null)") {
            text = text.replace("coalesce(null, null)", "null");
        }
        let schema = batch.schema();
        let filter = Filter::new(&text, &schema)
            .unwrap_or_else(|error| panic!("seed {seed}, case {case}: {text}: {error}"));
        let columns = filter.columns().iter();
        let columns: Vec<_> = columns.map(|index| batch.column(*index).clone()).collect();
        let kept = filter.keeps(batch.num_rows(), &columns).unwrap();
        assert_eq!(kept.len(), batch.num_rows());
        let tree = parse(&text).unwrap();
        for row in 0..batch.num_rows() {
            let cells = cells(&batch, row);
            let expected = Row {
                schema: &schema,
                cells: cells.clone(),
            }
            .condition(&tree);
            assert_eq!(
                kept.value(row),
                expected == Some(true),
                "seed {seed}, case {case}: {text} of {cells:?}: {expected:?}"
            );
            kept_rows += usize::from(kept.value(row));
        }
        rows += batch.num_rows();
    }
    assert!(
        kept_rows > rows / 5 && kept_rows < rows / 5 * 4,
        "{kept_rows} of {rows}"
    );
    assert_eq!(evaluate::number(-0.0).map(f64::to_bits), Some(0));
}
