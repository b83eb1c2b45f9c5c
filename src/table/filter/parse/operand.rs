//! Parses the operands of conditions: values, columns, functions, casts, and prefix operators.

use super::*;
use crate::table::filter::Problem;
use crate::table::filter::build::{self, Origin, Typed};
use crate::table::filter::error::Fault;
use crate::table::filter::node::Operation;
use crate::table::filter::token::Token;
use crate::table::filter::types::{BIGINT, Type};

impl<'a> Parser<'a> {
    /// Parses an operand with its prefix operators and casts.
    pub(super) fn prefix(&mut self, least: u8) -> Result<Typed, Fault> {
        let at = self.position();
        if self.next_is("not") && least > NOT {
            return Err(self.unsupported("not behind an operator without parentheses"));
        }
        if self.accept("not") {
            let value = build::boolean(self.expression(NOT)?)?;
            return Ok(not(at, value)?.into());
        }
        if self.accept("-") {
            return build::negate(at, self.expression(SIGN)?);
        }
        if self.accept("+") {
            return build::numeric(self.expression(SIGN)?);
        }
        let mut value = self.operand()?;
        while self.accept("::") {
            let ty = self.type_name()?;
            value = build::explicit_cast(at, Operation::Cast, value, ty)?;
        }
        Ok(value)
    }

    pub(super) fn operand(&mut self) -> Result<Typed, Fault> {
        let at = self.position();
        let token = self.peek(0).clone();
        let word = match token {
            Token::Word(word) => word.to_ascii_lowercase(),
            _ => String::new(),
        };
        let is_call = *self.peek(1) == Token::Sign("(");
        if KEYWORDS.contains(&word.as_str()) && !["null", "true", "false"].contains(&word.as_str())
        {
            return Err(self.unexpected("a value"));
        }
        let (Token::Word(_)
        | Token::Name(_)
        | Token::Number(_)
        | Token::Text(_)
        | Token::Sign("(")) = token
        else {
            return Err(self.unexpected("a value"));
        };
        self.next += 1;
        match (token, word.as_str()) {
            (Token::Number(number), _) => build::number(at, number),
            (Token::Text(text), _) => build::text(at, &text),
            (Token::Name(name), _) => self.column(at, &name, true),
            (Token::Sign(_), _) => {
                let value = self.expression(OR)?;
                self.expect(")")?;
                Ok(value)
            }
            (_, "null") => build::null(at),
            (_, "true" | "false") => {
                build::explicit_cast(at, Operation::Cast, build::text(at, &word)?, Type::Boolean)
            }
            (_, "date" | "timestamp" | "timestamptz") if matches!(self.peek(0), Token::Text(_)) => {
                let ty = Type::named(&word).unwrap_or(Type::Null);
                let text = self.quoted()?;
                build::explicit_cast(at, Operation::Cast, build::text(at, &text)?, ty)
            }
            (_, "cast" | "try_cast") if is_call => {
                self.next += 1;
                let value = self.expression(OR)?;
                self.expect("as")?;
                let ty = self.type_name()?;
                self.expect(")")?;
                let kind = if word == "cast" {
                    Operation::Cast
                } else {
                    Operation::TryCast
                };
                build::explicit_cast(at, kind, value, ty)
            }
            (_, function) if is_call => self.call(at, function),
            (Token::Word(name), _) => {
                // A shell removes the quotes of `status = 'unique'` unless the whole condition is quoted.
                let before = self
                    .next
                    .checked_sub(2)
                    .map(|before| &self.tokens[before].1);
                let may_be_text = matches!(before, Some(Token::Sign("=" | "==" | "<>" | "!=")));
                self.column(at, name, may_be_text)
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    /// Parses the name of a type. A decimal may have its number of digits in parentheses.
    fn type_name(&mut self) -> Result<Type, Fault> {
        let at = self.position();
        let Token::Word(name) = *self.peek(0) else {
            return Err(self.unexpected("a type"));
        };
        self.next += 1;
        if !matches!(name.to_ascii_lowercase().as_str(), "decimal" | "numeric") {
            let unknown = || (at, Problem::Unsupported(format!("the type {name}")));
            return Type::named(name).ok_or_else(unknown);
        }
        let (mut digits, mut scale) = (18, 3);
        if self.accept("(") {
            (digits, scale) = (self.digits()?, 0);
            if self.accept(",") {
                scale = self.digits()?;
            }
            self.expect(")")?;
        }
        if digits == 0 || digits > 38 || scale > digits {
            return Err((
                at,
                Problem::Unsupported(format!("decimal({digits},{scale})")),
            ));
        }
        Ok(Type::Decimal { digits, scale })
    }

    fn digits(&mut self) -> Result<u8, Fault> {
        let number = match self.peek(0) {
            Token::Number(number) => number.parse().ok(),
            _ => None,
        };
        let number = number.ok_or_else(|| self.unexpected("a number of digits"))?;
        self.next += 1;
        Ok(number)
    }

    /// Parses the arguments of a function, from the opening parenthesis.
    fn call(&mut self, at: usize, name: &str) -> Result<Typed, Fault> {
        let unsupported = |what| Err((at, Problem::Unsupported(what)));
        if !FUNCTIONS.split(", ").any(|known| known == name) {
            return unsupported(format!(
                "the function {name} (the functions are {FUNCTIONS})"
            ));
        }
        self.next += 1;
        let mut arguments = self.list()?;
        if name == "coalesce" {
            return build::coalesce(at, arguments);
        }
        let (Some(argument), true) = (arguments.pop(), arguments.is_empty()) else {
            return unsupported(format!("{name} of several values"));
        };
        let (ty, kind) = match name {
            "length" => (BIGINT, Operation::Length),
            _ => (Type::Text, Operation::Lower),
        };
        Ok(build::node(at, ty, kind, vec![build::text_operand(argument)?])?.into())
    }

    /// Finds the column with this name. Names are case-insensitive as in SQL, but a column in the same case
    /// takes precedence.
    pub(super) fn column(
        &mut self,
        at: usize,
        name: &str,
        may_be_text: bool,
    ) -> Result<Typed, Fault> {
        let names = || self.schema.fields().iter().map(|field| field.name());
        let exact = names().position(|known| known == name);
        let found = exact.or_else(|| names().position(|known| known.eq_ignore_ascii_case(name)));
        let index = found.ok_or_else(|| {
            let problem = Problem::UnknownColumn {
                name: name.to_owned(),
                columns: names().cloned().collect(),
                may_be_text,
            };
            (at, problem)
        })?;
        let known = self.columns.iter().position(|known| *known == index);
        let slot = known.unwrap_or(self.columns.len());
        if known.is_none() {
            self.columns.push(index);
        }
        let ty = Type::from_arrow(self.schema.field(index).data_type());
        Ok(Typed {
            node: build::node(at, ty, Operation::Column(slot), Vec::new())?,
            origin: Origin::Column(name.to_owned()),
        })
    }
}
