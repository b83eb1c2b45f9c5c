//! Parses the tokens of a condition to typed nodes, with a Pratt parser.

mod operand;

use arrow::compute::kernels::cmp;
use arrow::datatypes::Schema;

use super::Problem;
use super::arithmetic;
use super::build::{self, DEEPEST_NESTING, TypedNode};
use super::error::Fault;
use super::node::{ComparisonKernel, ConditionNode, Operation, Operator};
use super::token::{Token, tokenise};
use super::types::SqlType;

// The binding strengths of operators. An operator with a higher strength is applied before one with a lower strength.
// Comparisons, `in`, `between`, `like` and `is` have the same strength. They cannot be chained without parentheses,
// because SQL dialects interpret such a chain differently.
const OR_STRENGTH: u8 = 1;
const AND_STRENGTH: u8 = 2;
const NOT_STRENGTH: u8 = 3;
const PREDICATE_STRENGTH: u8 = 4;
const SUM_STRENGTH: u8 = 5;
const PRODUCT_STRENGTH: u8 = 6;
const SIGN_STRENGTH: u8 = 7;

const FUNCTION_NAMES: &str = "coalesce, length, lower";

/// Words that can be column names only in quotes.
const KEYWORDS: &[&str] = &[
    "and", "or", "not", "in", "is", "between", "like", "ilike", "null", "true", "false", "escape",
    "case", "select", "exists", "interval",
];

/// Parses a condition. Also returns the columns that the condition uses, as indices in the schema. They begin with
/// `used_columns`, those of a condition that was parsed before.
pub(super) fn parse_condition(
    text: &str,
    schema: &Schema,
    values: &dyn Fn(usize) -> &'static [&'static str],
    used_columns: Vec<usize>,
) -> Result<(ConditionNode, Vec<usize>), Fault> {
    let mut parser = Parser {
        tokens: tokenise(text)?,
        next_token: 0,
        nesting_depth: 0,
        schema,
        values,
        used_columns,
    };
    let condition = parser.parse_expression(OR_STRENGTH)?;
    if *parser.peek(0) != Token::End {
        return Err(parser.unexpected_error("an operator or the end"));
    }
    Ok((
        build::to_boolean(condition)?.into_filter(),
        parser.used_columns,
    ))
}

struct Parser<'a> {
    tokens: Vec<(usize, Token<'a>)>,
    next_token: usize,
    nesting_depth: usize,
    schema: &'a Schema,
    /// Returns all possible values of the column with this index in the schema, or an empty list if any value is
    /// possible.
    values: &'a dyn Fn(usize) -> &'static [&'static str],
    /// The columns that have been used so far, as indices in the schema.
    used_columns: Vec<usize>,
}

impl<'a> Parser<'a> {
    fn peek(&self, ahead: usize) -> &Token<'a> {
        self.tokens
            .get(self.next_token + ahead)
            .map_or(&Token::End, |(_, token)| token)
    }

    fn position(&self) -> usize {
        self.tokens
            .get(self.next_token)
            .or(self.tokens.last())
            .map_or(0, |(at, _)| *at)
    }

    /// Whether the next token is this word (ignoring case) or this sign.
    fn is_next(&self, text: &str) -> bool {
        match self.peek(0) {
            Token::Word(found) => found.eq_ignore_ascii_case(text),
            Token::Sign(found) => *found == text,
            _ => false,
        }
    }

    fn accept_token(&mut self, text: &str) -> bool {
        let is_accepted = self.is_next(text);
        self.next_token += usize::from(is_accepted);
        is_accepted
    }

    fn expect_token(&mut self, text: &'static str) -> Result<(), Fault> {
        if self.accept_token(text) {
            Ok(())
        } else {
            Err(self.unexpected_error(text))
        }
    }

    /// The error for a token that is not allowed here.
    fn unexpected_error(&self, expected: &'static str) -> Fault {
        let found_token = self.peek(0).describe();
        (
            self.position(),
            Problem::Syntax {
                expected,
                found: found_token,
            },
        )
    }

    fn unsupported_error(&self, what: &str) -> Fault {
        (self.position(), Problem::Unsupported(what.to_owned()))
    }

    /// Parses an expression. Stops at an operator whose binding strength is below `least_strength`.
    fn parse_expression(&mut self, least_strength: u8) -> Result<TypedNode, Fault> {
        if self.nesting_depth == DEEPEST_NESTING {
            return Err((self.position(), Problem::TooDeep(DEEPEST_NESTING)));
        }
        self.nesting_depth += 1;
        let mut left = self.parse_prefixed(least_strength)?;
        while let Some(strength) = self
            .next_strength()
            .filter(|strength| *strength >= least_strength)
        {
            left = match strength {
                OR_STRENGTH | AND_STRENGTH => self.parse_chain(left, strength)?,
                PREDICATE_STRENGTH => {
                    let node = self.parse_predicate(left)?;
                    if self.next_strength() == Some(PREDICATE_STRENGTH) {
                        let unsupported = "a comparison of a comparison without parentheses";
                        return Err(self.unsupported_error(unsupported));
                    }
                    node.into()
                }
                _ => self.parse_arithmetic(left, strength)?,
            };
        }
        self.nesting_depth -= 1;
        Ok(left)
    }

    /// The binding strength of the next token; `None` if it is not an operator.
    fn next_strength(&self) -> Option<u8> {
        const PREDICATE_WORDS: &[&str] = &[
            "=", "==", "<>", "!=", "<", "<=", ">", ">=", "is", "in", "between", "like", "ilike",
            "not",
        ];
        let levels: [(u8, &[&str]); 5] = [
            (OR_STRENGTH, &["or"]),
            (AND_STRENGTH, &["and"]),
            (PREDICATE_STRENGTH, PREDICATE_WORDS),
            (SUM_STRENGTH, &["+", "-"]),
            (PRODUCT_STRENGTH, &["*", "/", "//", "%"]),
        ];
        let level = levels
            .iter()
            .find(|(_, words)| words.iter().any(|word| self.is_next(word)));
        level.map(|(strength, _)| *strength)
    }

    /// Parses a chain of equal operators such as `a or b or c`. The result is a single node with all operands.
    fn parse_chain(&mut self, first: TypedNode, strength: u8) -> Result<TypedNode, Fault> {
        let position = self.position();
        let (word, kind) = if strength == OR_STRENGTH {
            ("or", Operation::Or)
        } else {
            ("and", Operation::And)
        };
        let mut operands = vec![build::to_boolean(first)?];
        while self.accept_token(word) {
            operands.push(build::to_boolean(self.parse_expression(strength + 1)?)?);
        }
        Ok(build::build_node(position, SqlType::Boolean, kind, operands)?.into())
    }

    fn parse_arithmetic(&mut self, left: TypedNode, strength: u8) -> Result<TypedNode, Fault> {
        let position = self.position();
        let operator = match self.peek(0) {
            Token::Sign("+") => Operator::Add,
            Token::Sign("-") => Operator::Subtract,
            Token::Sign("*") => Operator::Multiply,
            Token::Sign("/") => Operator::Divide,
            Token::Sign("//") => Operator::DivideWhole,
            _ => Operator::Remainder,
        };
        self.next_token += 1;
        let right = self.parse_expression(strength + 1)?;
        arithmetic::build_arithmetic(position, operator, left, right)
    }

    fn parse_predicate(&mut self, left: TypedNode) -> Result<ConditionNode, Fault> {
        let position = self.position();
        if let Token::Sign(sign) = self.peek(0) {
            let is_equality = matches!(*sign, "=" | "==" | "<>" | "!=");
            let comparison = match *sign {
                "=" | "==" => cmp::eq,
                "<>" | "!=" => cmp::neq,
                "<" => cmp::lt,
                "<=" => cmp::lt_eq,
                ">" => cmp::gt,
                _ => cmp::gt_eq,
            };
            self.next_token += 1;
            let right = self.parse_expression(SUM_STRENGTH)?;
            let values = vec![left, right];
            if is_equality {
                self.refuse_unknown_values(&values)?;
            } else {
                self.refuse_ordered_ids(&values)?;
            }
            return build::build_comparison(position, Operation::Compare(vec![comparison]), values);
        }
        let has_is = self.accept_token("is");
        let negated = self.accept_token("not");
        let node = if has_is {
            self.parse_after_is(position, left)?
        } else if self.accept_token("in") {
            self.expect_token("(")?;
            let mut values = vec![left];
            values.extend(self.parse_list()?);
            self.refuse_unknown_values(&values)?;
            build::build_comparison(position, Operation::In, values)?
        } else if self.accept_token("between") {
            let lower_bound = self.parse_expression(SUM_STRENGTH)?;
            self.expect_token("and")?;
            let upper_bound = self.parse_expression(SUM_STRENGTH)?;
            let comparisons = vec![cmp::gt_eq as ComparisonKernel, cmp::lt_eq];
            let values = vec![left, lower_bound, upper_bound];
            self.refuse_ordered_ids(&values)?;
            build::build_comparison(position, Operation::Compare(comparisons), values)?
        } else if self.is_next("like") || self.is_next("ilike") {
            self.parse_like(position, left)?
        } else {
            return Err(self.unexpected_error("in, between or like"));
        };
        if negated {
            build_not(position, node)
        } else {
            Ok(node)
        }
    }

    /// Finds the compared values that are columns with a fixed list of values. Returns their positions in the
    /// text, their names, and their lists of values.
    fn find_enumerated_columns<'b>(
        &self,
        compared: &'b [TypedNode],
    ) -> impl Iterator<Item = (usize, String, &'static [&'static str])> + use<'b, '_> {
        let matching_columns = compared
            .iter()
            .filter_map(|value| match value.node.operation {
                Operation::Column(slot) => {
                    Some((value.node.position, *self.used_columns.get(slot)?))
                }
                _ => None,
            });
        let column_name = |(at, index)| {
            let name = self.schema.field(index).name().clone();
            (at, name, (self.values)(index))
        };
        matching_columns
            .map(column_name)
            .filter(|(_, _, values)| !values.is_empty())
    }

    /// Fails if ids are compared with `<` or similar. Their order would be alphabetical: `level >= 'hard'` would
    /// include `medium` and exclude `extreme`.
    fn refuse_ordered_ids(&self, compared: &[TypedNode]) -> Result<(), Fault> {
        match self.find_enumerated_columns(compared).next() {
            Some((at, column, values)) if values.len() > 1 => {
                let values = values.to_vec();
                Err((at, Problem::Unordered { column, values }))
            }
            _ => Ok(()),
        }
    }

    /// Fails if a column is compared with a text that the column cannot contain.
    fn refuse_unknown_values(&self, compared: &[TypedNode]) -> Result<(), Fault> {
        for (_, column, values) in self.find_enumerated_columns(compared) {
            let literals = compared
                .iter()
                .filter_map(|value| Some((value.node.position, value.text_literal()?)));
            for (at, literal) in literals {
                if !values.contains(&literal.as_str()) {
                    let problem = Problem::UnknownValue {
                        column,
                        value: literal,
                        values: values.to_vec(),
                    };
                    return Err((at, problem));
                }
            }
        }
        Ok(())
    }

    fn parse_after_is(
        &mut self,
        position: usize,
        value: TypedNode,
    ) -> Result<ConditionNode, Fault> {
        if self.accept_token("null") {
            let operand = match value.node.value_type {
                SqlType::Null => build::convert_to_type(value, SqlType::Boolean)?,
                _ => value.node,
            };
            build::build_node(position, SqlType::Boolean, Operation::IsNull, vec![operand])
        } else if self.is_next("true") || self.is_next("false") {
            let values = vec![build::to_boolean(value)?.into(), self.parse_operand()?];
            build::build_comparison(
                position,
                Operation::Compare(vec![cmp::not_distinct]),
                values,
            )
        } else if self.accept_token("distinct") {
            self.expect_token("from")?;
            let values = vec![value, self.parse_expression(SUM_STRENGTH)?];
            self.refuse_unknown_values(&values)?;
            build::build_comparison(position, Operation::Compare(vec![cmp::distinct]), values)
        } else {
            Err(self.unexpected_error("null, true, false or distinct from"))
        }
    }

    fn parse_like(&mut self, position: usize, subject: TypedNode) -> Result<ConditionNode, Fault> {
        let ignores_case = self.is_next("ilike");
        self.next_token += 1;
        let pattern = self.parse_quoted()?;
        let escape = if self.accept_token("escape") {
            self.parse_quoted()?
        } else {
            String::new()
        };
        let mut characters = escape.chars();
        match (characters.next(), characters.next()) {
            (None, _) => build::build_like(position, subject, &pattern, None, ignores_case),
            (Some(escape), None) if escape.is_ascii() => {
                build::build_like(position, subject, &pattern, Some(escape), ignores_case)
            }
            _ => Err((
                position,
                Problem::Unsupported("an escape of more than one byte".into()),
            )),
        }
    }

    fn parse_quoted(&mut self) -> Result<String, Fault> {
        let Token::Text(text) = self.peek(0).clone() else {
            return Err(self.unexpected_error("a text in single quotes"));
        };
        self.next_token += 1;
        Ok(text)
    }

    /// Parses one or more expressions, up to the closing parenthesis.
    fn parse_list(&mut self) -> Result<Vec<TypedNode>, Fault> {
        let mut items = vec![self.parse_expression(OR_STRENGTH)?];
        while self.accept_token(",") {
            items.push(self.parse_expression(OR_STRENGTH)?);
        }
        self.expect_token(")")?;
        Ok(items)
    }
}

fn build_not(position: usize, value: ConditionNode) -> Result<ConditionNode, Fault> {
    build::build_node(position, SqlType::Boolean, Operation::Not, vec![value])
}
