//! Parses the operands of conditions: values, columns, functions, casts, and prefix operators.

use super::*;
use crate::table::filter::Problem;
use crate::table::filter::arithmetic;
use crate::table::filter::build::{self, TypedNode, ValueOrigin};
use crate::table::filter::error::Fault;
use crate::table::filter::node::Operation;
use crate::table::filter::token::Token;
use crate::table::filter::types::{BIGINT, SqlType};

impl<'a> Parser<'a> {
    /// Parses an operand with its prefix operators and casts.
    pub(super) fn parse_prefixed(&mut self, least_strength: u8) -> Result<TypedNode, Fault> {
        let position = self.position();
        if self.is_next("not") && least_strength > NOT_STRENGTH {
            return Err(self.unsupported_error("not behind an operator without parentheses"));
        }
        if self.accept_token("not") {
            let value = build::to_boolean(self.parse_expression(NOT_STRENGTH)?)?;
            return Ok(build_not(position, value)?.into());
        }
        if self.accept_token("-") {
            return arithmetic::build_negation(position, self.parse_expression(SIGN_STRENGTH)?);
        }
        if self.accept_token("+") {
            return build::to_number(self.parse_expression(SIGN_STRENGTH)?);
        }
        let mut value = self.parse_operand()?;
        while self.accept_token("::") {
            let ty = self.parse_type()?;
            value = build::explicit_cast(position, Operation::Cast, value, ty)?;
        }
        Ok(value)
    }

    pub(super) fn parse_operand(&mut self) -> Result<TypedNode, Fault> {
        let position = self.position();
        let token = self.peek(0).clone();
        let word = match token {
            Token::Word(word) => word.to_ascii_lowercase(),
            _ => String::new(),
        };
        let is_call = *self.peek(1) == Token::Sign("(");
        if KEYWORDS.contains(&word.as_str()) && !["null", "true", "false"].contains(&word.as_str())
        {
            return Err(self.unexpected_error("a value"));
        }
        let (Token::Word(_)
        | Token::Name(_)
        | Token::Number(_)
        | Token::Text(_)
        | Token::Sign("(")) = token
        else {
            return Err(self.unexpected_error("a value"));
        };
        self.next_token += 1;
        match (token, word.as_str()) {
            (Token::Number(number), _) => build::numeric_literal(position, number),
            (Token::Text(text), _) => build::build_text_literal(position, &text),
            (Token::Name(name), _) => self.resolve_column(position, &name, true),
            (Token::Sign(_), _) => {
                let value = self.parse_expression(OR_STRENGTH)?;
                self.expect_token(")")?;
                Ok(value)
            }
            (_, "null") => build::null_literal(position),
            (_, "true" | "false") => build::explicit_cast(
                position,
                Operation::Cast,
                build::build_text_literal(position, &word)?,
                SqlType::Boolean,
            ),
            (_, "date" | "timestamp" | "timestamptz") if matches!(self.peek(0), Token::Text(_)) => {
                let ty = SqlType::from_name(&word).unwrap_or(SqlType::Null);
                let text = self.parse_quoted()?;
                build::explicit_cast(
                    position,
                    Operation::Cast,
                    build::build_text_literal(position, &text)?,
                    ty,
                )
            }
            (_, "cast" | "try_cast") if is_call => {
                self.next_token += 1;
                let value = self.parse_expression(OR_STRENGTH)?;
                self.expect_token("as")?;
                let ty = self.parse_type()?;
                self.expect_token(")")?;
                let kind = if word == "cast" {
                    Operation::Cast
                } else {
                    Operation::TryCast
                };
                build::explicit_cast(position, kind, value, ty)
            }
            (_, function) if is_call => self.parse_call(position, function),
            (Token::Word(name), _) => {
                // If a condition such as `status = 'unique'` is not quoted as a whole, the shell removes the
                // inner quotes.
                let previous_token = self
                    .next_token
                    .checked_sub(2)
                    .map(|before| &self.tokens[before].1);
                let may_be_text =
                    matches!(previous_token, Some(Token::Sign("=" | "==" | "<>" | "!=")));
                self.resolve_column(position, name, may_be_text)
            }
            _ => Err(self.unexpected_error("a value")),
        }
    }

    /// Parses the name of a type. A decimal type may have its numbers of digits in parentheses.
    fn parse_type(&mut self) -> Result<SqlType, Fault> {
        let position = self.position();
        let Token::Word(name) = *self.peek(0) else {
            return Err(self.unexpected_error("a type"));
        };
        self.next_token += 1;
        if !matches!(name.to_ascii_lowercase().as_str(), "decimal" | "numeric") {
            let unknown_type_error =
                || (position, Problem::Unsupported(format!("the type {name}")));
            return SqlType::from_name(name).ok_or_else(unknown_type_error);
        }
        let (mut digits, mut scale) = (18, 3);
        if self.accept_token("(") {
            (digits, scale) = (self.parse_digit_count()?, 0);
            if self.accept_token(",") {
                scale = self.parse_digit_count()?;
            }
            self.expect_token(")")?;
        }
        if digits == 0 || digits > 38 || scale > digits {
            return Err((
                position,
                Problem::Unsupported(format!("decimal({digits},{scale})")),
            ));
        }
        Ok(SqlType::Decimal { digits, scale })
    }

    fn parse_digit_count(&mut self) -> Result<u8, Fault> {
        let digit_count = match self.peek(0) {
            Token::Number(digit_count) => digit_count.parse().ok(),
            _ => None,
        };
        let digit_count = digit_count.ok_or_else(|| self.unexpected_error("a number of digits"))?;
        self.next_token += 1;
        Ok(digit_count)
    }

    /// Parses the arguments of a function, from the opening parenthesis.
    fn parse_call(&mut self, position: usize, name: &str) -> Result<TypedNode, Fault> {
        let unsupported = |what| Err((position, Problem::Unsupported(what)));
        if !FUNCTION_NAMES.split(", ").any(|known| known == name) {
            return unsupported(format!(
                "the function {name} (the functions are {FUNCTION_NAMES})"
            ));
        }
        self.next_token += 1;
        let mut arguments = self.parse_list()?;
        if name == "coalesce" {
            return build::build_coalesce(position, arguments);
        }
        let (Some(argument), true) = (arguments.pop(), arguments.is_empty()) else {
            return unsupported(format!("{name} of several values"));
        };
        let (ty, kind) = match name {
            "length" => (BIGINT, Operation::Length),
            _ => (SqlType::Text, Operation::Lower),
        };
        Ok(build::build_node(position, ty, kind, vec![build::to_text(argument)?])?.into())
    }

    /// Finds the column with this name. Names are case-insensitive, as in SQL, but a column whose name has the
    /// same case takes precedence.
    pub(super) fn resolve_column(
        &mut self,
        position: usize,
        name: &str,
        may_be_text_literal: bool,
    ) -> Result<TypedNode, Fault> {
        let names = || self.schema.fields().iter().map(|field| field.name());
        let exact_match = names().position(|known| known == name);
        let column_index =
            exact_match.or_else(|| names().position(|known| known.eq_ignore_ascii_case(name)));
        let index = column_index.ok_or_else(|| {
            let problem = Problem::UnknownColumn {
                name: name.to_owned(),
                columns: names().cloned().collect(),
                may_be_text: may_be_text_literal,
            };
            (position, problem)
        })?;
        let used_index = self.used_columns.iter().position(|known| *known == index);
        let column_slot = used_index.unwrap_or(self.used_columns.len());
        if used_index.is_none() {
            self.used_columns.push(index);
        }
        let ty = SqlType::from_arrow(self.schema.field(index).data_type());
        Ok(TypedNode {
            node: build::build_node(position, ty, Operation::Column(column_slot), Vec::new())?,
            origin: ValueOrigin::Column(name.to_owned()),
        })
    }
}
