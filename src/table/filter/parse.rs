//! Parses tokens to typed nodes with a Pratt parser.

mod operand;

use arrow::compute::kernels::cmp;
use arrow::datatypes::Schema;

use super::Problem;
use super::build::{self, DEPTH, Typed};
use super::error::Fault;
use super::node::{ComparisonKernel, ConditionNode, Operation, Operator};
use super::token::{Token, tokens};
use super::types::Type;

// The binding strengths of operators. Comparisons, `in`, `between`, `like` and `is` share one level
// and cannot be chained without parentheses, since SQL dialects disagree on the meaning of such a
// chain.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const PREDICATE: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const SIGN: u8 = 7;

const FUNCTIONS: &str = "coalesce, length, lower";

/// Words that have to be quoted to be column names.
const KEYWORDS: &[&str] = &[
    "and", "or", "not", "in", "is", "between", "like", "ilike", "null", "true", "false", "escape",
    "case", "select", "exists", "interval",
];

/// Parses a condition. Also returns the indices in the schema of the columns that it uses.
pub(super) fn condition(
    text: &str,
    schema: &Schema,
    values: &dyn Fn(usize) -> &'static [&'static str],
) -> Result<(ConditionNode, Vec<usize>), Fault> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
        schema,
        values,
        columns: Vec::new(),
    };
    let condition = parser.expression(OR)?;
    if *parser.peek(0) != Token::End {
        return Err(parser.unexpected("an operator or the end"));
    }
    Ok((build::boolean(condition)?.into_filter(), parser.columns))
}

struct Parser<'a> {
    tokens: Vec<(usize, Token<'a>)>,
    next: usize,
    depth: usize,
    schema: &'a Schema,
    /// All possible values of the column with this index in the schema; an empty list if any value is
    /// possible.
    values: &'a dyn Fn(usize) -> &'static [&'static str],
    /// The indices in the schema of the columns used so far.
    columns: Vec<usize>,
}

impl<'a> Parser<'a> {
    fn peek(&self, ahead: usize) -> &Token<'a> {
        self.tokens
            .get(self.next + ahead)
            .map_or(&Token::End, |(_, token)| token)
    }

    fn position(&self) -> usize {
        self.tokens
            .get(self.next)
            .or(self.tokens.last())
            .map_or(0, |(at, _)| *at)
    }

    /// Whether the next token is this word (ignoring case) or this sign.
    fn next_is(&self, text: &str) -> bool {
        match self.peek(0) {
            Token::Word(found) => found.eq_ignore_ascii_case(text),
            Token::Sign(found) => *found == text,
            _ => false,
        }
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.next_is(text);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, text: &'static str) -> Result<(), Fault> {
        if self.accept(text) {
            Ok(())
        } else {
            Err(self.unexpected(text))
        }
    }

    /// The error for a token that is not allowed here.
    fn unexpected(&self, expected: &'static str) -> Fault {
        let found = self.peek(0).describe();
        (self.position(), Problem::Syntax { expected, found })
    }

    fn unsupported(&self, what: &str) -> Fault {
        (self.position(), Problem::Unsupported(what.to_owned()))
    }

    /// Parses an expression whose operators have at least this binding strength.
    fn expression(&mut self, least: u8) -> Result<Typed, Fault> {
        if self.depth == DEPTH {
            return Err((self.position(), Problem::TooDeep(DEPTH)));
        }
        self.depth += 1;
        let mut left = self.prefix(least)?;
        while let Some(strength) = self.strength().filter(|strength| *strength >= least) {
            left = match strength {
                OR | AND => self.chain(left, strength)?,
                PREDICATE => {
                    let node = self.predicate(left)?;
                    if self.strength() == Some(PREDICATE) {
                        let what = "a comparison of a comparison without parentheses";
                        return Err(self.unsupported(what));
                    }
                    node.into()
                }
                _ => self.arithmetic(left, strength)?,
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// The binding strength of the next token; `None` if it is not an operator.
    fn strength(&self) -> Option<u8> {
        const PREDICATES: &[&str] = &[
            "=", "==", "<>", "!=", "<", "<=", ">", ">=", "is", "in", "between", "like", "ilike",
            "not",
        ];
        let levels: [(u8, &[&str]); 5] = [
            (OR, &["or"]),
            (AND, &["and"]),
            (PREDICATE, PREDICATES),
            (SUM, &["+", "-"]),
            (PRODUCT, &["*", "/", "//", "%"]),
        ];
        let level = levels
            .iter()
            .find(|(_, words)| words.iter().any(|word| self.next_is(word)));
        level.map(|(strength, _)| *strength)
    }

    /// Parses a chain such as `a or b or c` to a single node, whatever its length.
    fn chain(&mut self, first: Typed, strength: u8) -> Result<Typed, Fault> {
        let at = self.position();
        let (word, kind) = if strength == OR {
            ("or", Operation::Or)
        } else {
            ("and", Operation::And)
        };
        let mut operands = vec![build::boolean(first)?];
        while self.accept(word) {
            operands.push(build::boolean(self.expression(strength + 1)?)?);
        }
        Ok(build::node(at, Type::Boolean, kind, operands)?.into())
    }

    fn arithmetic(&mut self, left: Typed, strength: u8) -> Result<Typed, Fault> {
        let at = self.position();
        let operator = match self.peek(0) {
            Token::Sign("+") => Operator::Add,
            Token::Sign("-") => Operator::Subtract,
            Token::Sign("*") => Operator::Multiply,
            Token::Sign("/") => Operator::Divide,
            Token::Sign("//") => Operator::DivideWhole,
            _ => Operator::Remainder,
        };
        self.next += 1;
        let right = self.expression(strength + 1)?;
        build::arithmetic(at, operator, left, right)
    }

    fn predicate(&mut self, left: Typed) -> Result<ConditionNode, Fault> {
        let at = self.position();
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
            self.next += 1;
            let right = self.expression(SUM)?;
            let values = vec![left, right];
            match is_equality {
                true => self.known_values(&values)?,
                false => self.ordered(&values)?,
            }
            return build::compare(at, Operation::Compare(vec![comparison]), values);
        }
        let is = self.accept("is");
        let negated = self.accept("not");
        let node = if is {
            self.after_is(at, left)?
        } else if self.accept("in") {
            self.expect("(")?;
            let mut values = vec![left];
            values.extend(self.list()?);
            self.known_values(&values)?;
            build::compare(at, Operation::In, values)?
        } else if self.accept("between") {
            let low = self.expression(SUM)?;
            self.expect("and")?;
            let high = self.expression(SUM)?;
            let ends = vec![cmp::gt_eq as ComparisonKernel, cmp::lt_eq];
            let values = vec![left, low, high];
            self.ordered(&values)?;
            build::compare(at, Operation::Compare(ends), values)?
        } else if self.next_is("like") || self.next_is("ilike") {
            self.like(at, left)?
        } else {
            return Err(self.unexpected("in, between or like"));
        };
        if negated { not(at, node) } else { Ok(node) }
    }

    /// The columns among these values that have only a few possible values: their positions, their names, and
    /// these values.
    fn columns_of_few_values<'b>(
        &self,
        compared: &'b [Typed],
    ) -> impl Iterator<Item = (usize, String, &'static [&'static str])> + use<'b, '_> {
        let found = compared.iter().filter_map(|value| match value.node.kind {
            Operation::Column(slot) => Some((value.node.at, *self.columns.get(slot)?)),
            _ => None,
        });
        let named = |(at, index)| {
            let name = self.schema.field(index).name().clone();
            (at, name, (self.values)(index))
        };
        found.map(named).filter(|(_, _, values)| !values.is_empty())
    }

    /// Refuses ordering comparisons of ids: `level >= 'hard'` would include `medium` and exclude `extreme`.
    fn ordered(&self, compared: &[Typed]) -> Result<(), Fault> {
        match self.columns_of_few_values(compared).next() {
            Some((at, column, values)) if values.len() > 1 => {
                let values = values.to_vec();
                Err((at, Problem::Unordered { column, values }))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a comparison of a column with a text that is not one of its possible values.
    fn known_values(&self, compared: &[Typed]) -> Result<(), Fault> {
        for (_, column, values) in self.columns_of_few_values(compared) {
            let literals = compared
                .iter()
                .filter_map(|value| Some((value.node.at, value.literal()?)));
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

    fn after_is(&mut self, at: usize, value: Typed) -> Result<ConditionNode, Fault> {
        if self.accept("null") {
            let operand = match value.node.ty {
                Type::Null => build::convert(value, Type::Boolean)?,
                _ => value.node,
            };
            build::node(at, Type::Boolean, Operation::IsNull, vec![operand])
        } else if self.next_is("true") || self.next_is("false") {
            let values = vec![build::boolean(value)?.into(), self.operand()?];
            build::compare(at, Operation::Compare(vec![cmp::not_distinct]), values)
        } else if self.accept("distinct") {
            self.expect("from")?;
            let values = vec![value, self.expression(SUM)?];
            self.known_values(&values)?;
            build::compare(at, Operation::Compare(vec![cmp::distinct]), values)
        } else {
            Err(self.unexpected("null, true, false or distinct from"))
        }
    }

    fn like(&mut self, at: usize, subject: Typed) -> Result<ConditionNode, Fault> {
        let any_case = self.next_is("ilike");
        self.next += 1;
        let pattern = self.quoted()?;
        let escape = if self.accept("escape") {
            self.quoted()?
        } else {
            String::new()
        };
        let mut characters = escape.chars();
        match (characters.next(), characters.next()) {
            (None, _) => build::like(at, subject, &pattern, None, any_case),
            (Some(escape), None) if escape.is_ascii() => {
                build::like(at, subject, &pattern, Some(escape), any_case)
            }
            _ => Err((
                at,
                Problem::Unsupported("an escape of more than one byte".into()),
            )),
        }
    }

    fn quoted(&mut self) -> Result<String, Fault> {
        let Token::Text(text) = self.peek(0).clone() else {
            return Err(self.unexpected("a text in single quotes"));
        };
        self.next += 1;
        Ok(text)
    }

    /// Parses one or more expressions, up to the closing parenthesis.
    fn list(&mut self) -> Result<Vec<Typed>, Fault> {
        let mut items = vec![self.expression(OR)?];
        while self.accept(",") {
            items.push(self.expression(OR)?);
        }
        self.expect(")")?;
        Ok(items)
    }
}

fn not(at: usize, value: ConditionNode) -> Result<ConditionNode, Fault> {
    build::node(at, Type::Boolean, Operation::Not, vec![value])
}
