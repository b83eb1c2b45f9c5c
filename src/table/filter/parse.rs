//! Text → SQL's syntax tree, within bounds that no stack can overflow in.

use sqlparser::ast::Expr;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer};

use crate::table::filter::{FilterError, Place, Problem};

/// Words, numbers and signs, at most: a chain of operators is a tree as deep as it is long.
const PARTS: usize = 4_000;

/// How deep parentheses and calls may be nested. The parser spends up to two levels on each.
pub(crate) const DEPTH: usize = 100;

pub(crate) fn parse(text: &str) -> Result<Expr, FilterError> {
    let dialect = GenericDialect {};
    let tokens = Tokenizer::new(&dialect, text)
        .tokenize_with_location()
        .map_err(|error| FilterError {
            at: place(error.location.line, error.location.column),
            problem: Problem::Syntax(error.message),
        })?;
    let parts = (tokens.iter())
        .filter(|token| !matches!(token.token, Token::Whitespace(_)))
        .count();
    if parts > PARTS {
        return Err(Problem::TooLong {
            parts,
            limit: PARTS,
        }
        .into());
    }
    let mut parser = Parser::new(&dialect)
        .with_recursion_limit(2 * DEPTH)
        .with_tokens_with_locations(tokens);
    let expression = parser.parse_expr().map_err(explain)?;
    let next = parser.peek_token();
    if next.token != Token::EOF {
        return Err(FilterError {
            at: place(next.span.start.line, next.span.start.column),
            problem: Problem::Syntax(format!("the expression should end before {next}")),
        });
    }
    Ok(expression)
}

pub(crate) fn place(line: u64, character: u64) -> Option<Place> {
    (line > 0).then_some(Place { line, character })
}

/// The parser tells the place in words, at the end of its message.
fn explain(error: ParserError) -> FilterError {
    let message = match error {
        ParserError::RecursionLimitExceeded => return Problem::TooDeep { limit: DEPTH }.into(),
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => message,
    };
    let told = message.rsplit_once(" at Line: ").and_then(|(what, place)| {
        let (line, character) = place.split_once(", Column: ")?;
        Some((what, line.parse().ok()?, character.parse().ok()?))
    });
    let (what, at) = match told {
        Some((what, line, character)) => (what, place(line, character)),
        None => (message.as_str(), None),
    };
    let what = what.replace("found: EOF", "found: the end");
    FilterError {
        at,
        problem: Problem::Syntax(what),
    }
}
