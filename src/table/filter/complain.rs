//! What users are told of an expression that cannot be resolved.

use sqlparser::ast::{Expr, Spanned};

use crate::table::filter::kind::Kind;
use crate::table::filter::parse::place;
use crate::table::filter::{FilterError, Problem};

/// The error, with the place of the expression.
pub(crate) fn at(expression: &Expr, problem: Problem) -> FilterError {
    let start = expression.span().start;
    FilterError {
        at: place(start.line, start.column),
        problem,
    }
}

pub(crate) fn unsupported(expression: &Expr) -> FilterError {
    let what = spoken(expression);
    at(expression, Problem::Unsupported { what })
}

pub(crate) fn wrong_type(expression: &Expr, kind: Kind, wanted: Kind) -> FilterError {
    let what = spoken(expression);
    let cast = cast_to(expression, wanted);
    at(
        expression,
        Problem::WrongType {
            what: format!("{what} is {}", kind.name()),
            wanted: wanted.name(),
            cast: cast.filter(|_| wanted != Kind::Boolean),
        },
    )
}

/// It is the column that has to be cast, and text rather than a number.
pub(crate) fn mismatch(left: (&Expr, Kind), right: (&Expr, Kind)) -> FilterError {
    let told =
        |(expression, kind): (&Expr, Kind)| format!("{} is {}", spoken(expression), kind.name());
    let cast = match (left, right) {
        ((text, Kind::Text), (_, number)) if number.is_number() => cast_to(text, Kind::Double),
        ((_, number), (text, Kind::Text)) if number.is_number() => cast_to(text, Kind::Double),
        _ => None,
    };
    at(
        left.0,
        Problem::Mismatch {
            left: told(left),
            right: told(right),
            cast,
        },
    )
}

/// The cast that a column needs; a literal should rather be written otherwise.
fn cast_to(expression: &Expr, kind: Kind) -> Option<String> {
    let is_literal = matches!(expression, Expr::Value(_));
    (!is_literal).then(|| format!("cast({} as {})", spoken(expression), kind.sql()))
}

/// The expression in a message: the start of a long one.
pub(crate) fn spoken(expression: &Expr) -> String {
    const LENGTH: usize = 60;
    let text = expression.to_string();
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
