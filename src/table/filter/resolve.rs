//! SQL's syntax tree → [`Node`], with every name found and every type settled.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray, new_null_array};
use arrow::compute::{can_cast_types, cast};
use arrow::datatypes::Schema;
use sqlparser::ast::{BinaryOperator, CastFormat, Expr, Ident, UnaryOperator, Value};

use crate::table::filter::complain::{at, mismatch, spoken, unsupported, wrong_type};
use crate::table::filter::kind::Kind;
use crate::table::filter::node::{Comparison, Node, Operator};
use crate::table::filter::parse::DEPTH;
use crate::table::filter::{FilterError, Problem, functions};

/// An expression with its type.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) node: Node,
    /// `None`: the value null, which fits everywhere.
    pub(crate) kind: Option<Kind>,
}

/// The condition, and the columns that it looks at, by their index in the schema.
pub(crate) fn condition(
    expression: &Expr,
    schema: &Schema,
) -> Result<(Node, Vec<usize>), FilterError> {
    let mut resolver = Resolver {
        schema,
        columns: Vec::new(),
        depth: 0,
    };
    let node = resolver.take(expression, Kind::Boolean)?;
    Ok((node, resolver.columns))
}

/// Finds names in a schema.
pub(crate) struct Resolver<'a> {
    schema: &'a Schema,
    /// Those that are looked at, by their index in the schema.
    columns: Vec<usize>,
    depth: usize,
}

impl Resolver<'_> {
    /// An expression of this kind.
    pub(crate) fn take(&mut self, expression: &Expr, wanted: Kind) -> Result<Node, FilterError> {
        let typed = self.typed(expression)?;
        self.coerce(expression, typed, wanted)
    }

    fn coerce(&self, expression: &Expr, typed: Typed, wanted: Kind) -> Result<Node, FilterError> {
        match (typed.kind, wanted) {
            (None, wanted) => Ok(Node::Literal(new_null_array(&wanted.data_type(), 1))),
            (Some(kind), wanted) if kind == wanted => Ok(typed.node),
            (Some(Kind::Integer), Kind::Double) => Ok(Node::Cast(Box::new(typed.node), wanted)),
            (Some(kind), wanted) => Err(wrong_type(expression, kind, wanted)),
        }
    }

    pub(crate) fn typed(&mut self, expression: &Expr) -> Result<Typed, FilterError> {
        if self.depth == 2 * DEPTH {
            return Err(Problem::TooDeep { limit: DEPTH }.into());
        }
        self.depth += 1;
        let typed = self.resolve(expression);
        self.depth -= 1;
        typed
    }

    fn resolve(&mut self, expression: &Expr) -> Result<Typed, FilterError> {
        match expression {
            Expr::Nested(inner) => self.typed(inner),
            Expr::Identifier(name) => self.column(name),
            Expr::Value(value) => literal(&value.value).ok_or_else(|| unsupported(expression)),
            Expr::UnaryOp { op, expr } => self.unary(expression, op, expr),
            Expr::BinaryOp { left, op, right } => match op {
                BinaryOperator::And | BinaryOperator::Or => self.chain(expression, op),
                op => self.binary(expression, left, op, right),
            },
            Expr::IsNull(inner) => self.is_null(inner),
            Expr::IsNotNull(inner) => Ok(not(self.is_null(inner)?)),
            Expr::IsUnknown(inner) => self.is_unknown(inner),
            Expr::IsNotUnknown(inner) => Ok(not(self.is_unknown(inner)?)),
            Expr::IsTrue(inner) => self.is(inner, true),
            Expr::IsNotTrue(inner) => Ok(not(self.is(inner, true)?)),
            Expr::IsFalse(inner) => self.is(inner, false),
            Expr::IsNotFalse(inner) => Ok(not(self.is(inner, false)?)),
            Expr::IsDistinctFrom(left, right) => self.compare(Comparison::Distinct, left, right),
            Expr::IsNotDistinctFrom(left, right) => {
                self.compare(Comparison::NotDistinct, left, right)
            }
            Expr::InList {
                expr,
                list,
                negated,
            } => {
                let values: Vec<&Expr> = [expr.as_ref()].into_iter().chain(list).collect();
                let (_, mut nodes) = self.same_kind(&values)?;
                let subject = Box::new(nodes.remove(0));
                Ok(negate(
                    *negated,
                    Node::In {
                        subject,
                        items: nodes,
                    },
                ))
            }
            Expr::Between {
                expr,
                negated,
                low,
                high,
            } => {
                let (_, mut nodes) = self.same_kind(&[expr, low, high])?;
                let mut next = || Box::new(nodes.remove(0));
                let (subject, low, high) = (next(), next(), next());
                Ok(negate(*negated, Node::Between { subject, low, high }))
            }
            Expr::Like {
                negated,
                any: false,
                expr,
                pattern,
                escape_char: None,
            } => self.like(*negated, expr, pattern, false),
            Expr::ILike {
                negated,
                any: false,
                expr,
                pattern,
                escape_char: None,
            } => self.like(*negated, expr, pattern, true),
            Expr::Cast {
                expr,
                data_type,
                format: None::<CastFormat>,
                ..
            } => {
                let kind = Kind::named(data_type).ok_or_else(|| unsupported(expression))?;
                self.cast(expression, expr, kind)
            }
            Expr::Function(call) => functions::call(self, expression, call),
            Expr::Substring {
                expr,
                substring_from: Some(from),
                substring_for,
                ..
            } => functions::substr(self, expr, from, substring_for.as_deref()),
            _ => Err(unsupported(expression)),
        }
    }

    fn column(&mut self, name: &Ident) -> Result<Typed, FilterError> {
        let slot = self.find(name)?;
        let field = self.schema.field(self.columns[slot]);
        match Kind::of(field.data_type()) {
            Some(kind) => Ok(Typed {
                node: Node::Column {
                    slot,
                    name: field.name().clone(),
                    kind,
                },
                kind: Some(kind),
            }),
            None => {
                let can = can_cast_types(field.data_type(), &Kind::Text.data_type());
                Err(at(
                    &Expr::Identifier(name.clone()),
                    Problem::WrongType {
                        what: format!("{name} is {}", field.data_type()),
                        wanted: "a number, text, true or false",
                        cast: can.then(|| format!("cast({name} as varchar)")),
                    },
                ))
            }
        }
    }

    /// The column with this name, by its place among those that are looked at: in the same case if
    /// possible, as SQL has it in any.
    fn find(&mut self, name: &Ident) -> Result<usize, FilterError> {
        let names = || self.schema.fields().iter().map(|field| field.name());
        let exact = names().position(|known| *known == name.value);
        let found =
            exact.or_else(|| names().position(|known| known.eq_ignore_ascii_case(&name.value)));
        let index = found.ok_or_else(|| {
            let problem = Problem::UnknownColumn {
                name: name.value.clone(),
                columns: names().cloned().collect(),
                in_quotes: name.quote_style == Some('"'),
            };
            at(&Expr::Identifier(name.clone()), problem)
        })?;
        let slot = self.columns.iter().position(|known| *known == index);
        Ok(slot.unwrap_or_else(|| {
            self.columns.push(index);
            self.columns.len() - 1
        }))
    }

    /// A column as it is, or an expression: where the type does not matter.
    fn untyped(&mut self, expression: &Expr) -> Result<Typed, FilterError> {
        match expression {
            Expr::Nested(inner) => self.untyped(inner),
            Expr::Identifier(name) => {
                let slot = self.find(name)?;
                match Kind::of(self.schema.field(self.columns[slot]).data_type()) {
                    // Of doubles, those that are not numbers count as null.
                    Some(Kind::Double) => self.column(name),
                    kind => Ok(Typed {
                        node: Node::Raw(slot),
                        kind,
                    }),
                }
            }
            expression => self.typed(expression),
        }
    }

    fn is_null(&mut self, inner: &Expr) -> Result<Typed, FilterError> {
        let inner = match self.untyped(inner)? {
            Typed {
                kind: None,
                node: Node::Literal(_),
            } => Node::Literal(new_null_array(&Kind::Boolean.data_type(), 1)),
            inner => inner.node,
        };
        Ok(boolean(Node::IsNull(Box::new(inner))))
    }

    fn is_unknown(&mut self, inner: &Expr) -> Result<Typed, FilterError> {
        let inner = self.take(inner, Kind::Boolean)?;
        Ok(boolean(Node::IsNull(Box::new(inner))))
    }

    fn is(&mut self, inner: &Expr, wanted: bool) -> Result<Typed, FilterError> {
        let inner = self.take(inner, Kind::Boolean)?;
        Ok(boolean(Node::Is(Box::new(inner), wanted)))
    }

    fn unary(
        &mut self,
        expression: &Expr,
        operator: &UnaryOperator,
        inner: &Expr,
    ) -> Result<Typed, FilterError> {
        match operator {
            UnaryOperator::Not => {
                let inner = self.take(inner, Kind::Boolean)?;
                Ok(boolean(Node::Not(Box::new(inner))))
            }
            UnaryOperator::Plus => self.number(inner),
            UnaryOperator::Minus => {
                let typed = self.number(inner)?;
                let kind = typed.kind.unwrap_or(Kind::Integer);
                let node = self.coerce(inner, typed, kind)?;
                Ok(Typed {
                    node: Node::Negate(kind, Box::new(node)),
                    kind: Some(kind),
                })
            }
            _ => Err(unsupported(expression)),
        }
    }

    /// A number, or null.
    pub(crate) fn number(&mut self, expression: &Expr) -> Result<Typed, FilterError> {
        let typed = self.typed(expression)?;
        match typed.kind {
            Some(kind) if !kind.is_number() => Err(wrong_type(expression, kind, Kind::Double)),
            _ => Ok(typed),
        }
    }

    /// `a or b or c`: one node, however long it is.
    fn chain(&mut self, expression: &Expr, wanted: &BinaryOperator) -> Result<Typed, FilterError> {
        let mut parts = Vec::new();
        let mut rest = expression;
        while let Expr::BinaryOp { left, op, right } = rest
            && op == wanted
        {
            parts.push(right.as_ref());
            rest = left;
        }
        parts.push(rest);
        let nodes = (parts.into_iter().rev())
            .map(|part| self.take(part, Kind::Boolean))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(boolean(match wanted {
            BinaryOperator::And => Node::All(nodes),
            _ => Node::Any(nodes),
        }))
    }

    fn binary(
        &mut self,
        expression: &Expr,
        left: &Expr,
        operator: &BinaryOperator,
        right: &Expr,
    ) -> Result<Typed, FilterError> {
        let comparison = match operator {
            BinaryOperator::Eq => Comparison::Equal,
            BinaryOperator::NotEq => Comparison::NotEqual,
            BinaryOperator::Lt => Comparison::Less,
            BinaryOperator::LtEq => Comparison::LessOrEqual,
            BinaryOperator::Gt => Comparison::Greater,
            BinaryOperator::GtEq => Comparison::GreaterOrEqual,
            BinaryOperator::Plus => return self.arithmetic(Operator::Add, left, right),
            BinaryOperator::Minus => return self.arithmetic(Operator::Subtract, left, right),
            BinaryOperator::Multiply => return self.arithmetic(Operator::Multiply, left, right),
            BinaryOperator::Divide => return self.arithmetic(Operator::Divide, left, right),
            BinaryOperator::Modulo => return self.arithmetic(Operator::Remainder, left, right),
            _ => return Err(unsupported(expression)),
        };
        self.compare(comparison, left, right)
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Result<Typed, FilterError> {
        let (_, mut nodes) = self.same_kind(&[left, right])?;
        let mut next = || Box::new(nodes.remove(0));
        let (left, right) = (next(), next());
        Ok(boolean(Node::Compare(comparison, left, right)))
    }

    fn arithmetic(
        &mut self,
        operator: Operator,
        left: &Expr,
        right: &Expr,
    ) -> Result<Typed, FilterError> {
        let (first, second) = (self.number(left)?, self.number(right)?);
        let is_double = [first.kind, second.kind].contains(&Some(Kind::Double));
        let kind = if is_double || operator == Operator::Divide {
            Kind::Double
        } else {
            Kind::Integer
        };
        let first = Box::new(self.coerce(left, first, kind)?);
        let second = Box::new(self.coerce(right, second, kind)?);
        Ok(Typed {
            node: Node::Arithmetic(operator, kind, first, second),
            kind: Some(kind),
        })
    }

    fn like(
        &mut self,
        negated: bool,
        subject: &Expr,
        pattern: &Expr,
        any_case: bool,
    ) -> Result<Typed, FilterError> {
        let subject = Box::new(self.take(subject, Kind::Text)?);
        let pattern = Box::new(self.take(pattern, Kind::Text)?);
        Ok(negate(
            negated,
            Node::Like {
                subject,
                pattern,
                any_case,
            },
        ))
    }

    fn cast(&mut self, whole: &Expr, inner: &Expr, kind: Kind) -> Result<Typed, FilterError> {
        let typed = self.untyped(inner)?;
        if let Node::Raw(slot) = typed.node {
            let from = self.schema.field(self.columns[slot]).data_type();
            // A time zone may be one that nobody knows.
            let try_null = || cast(&new_null_array(from, 1), &kind.data_type());
            if !can_cast_types(from, &kind.data_type()) || try_null().is_err() {
                let what = format!("{} is {from}, and {}", spoken(inner), spoken(whole));
                return Err(at(whole, Problem::Unsupported { what }));
            }
        }
        let node = match typed.kind {
            None if matches!(typed.node, Node::Literal(_)) => {
                Node::Literal(new_null_array(&kind.data_type(), 1))
            }
            _ => Node::Cast(Box::new(typed.node), kind),
        };
        Ok(Typed {
            node,
            kind: Some(kind),
        })
    }

    /// These expressions as one kind that can be compared: integers beside doubles become doubles.
    pub(crate) fn same_kind(
        &mut self,
        expressions: &[&Expr],
    ) -> Result<(Kind, Vec<Node>), FilterError> {
        let typed = (expressions.iter())
            .map(|expression| self.typed(expression))
            .collect::<Result<Vec<_>, _>>()?;
        let mut common: Option<(Kind, &Expr)> = None;
        for (expression, typed) in expressions.iter().zip(&typed) {
            common = match (common, typed.kind) {
                (common, None) => common,
                (None, Some(kind)) => Some((kind, expression)),
                (Some((one, first)), Some(other)) if one == other => Some((one, first)),
                (Some((one, first)), Some(other)) if one.is_number() && other.is_number() => {
                    Some((Kind::Double, first))
                }
                (Some((one, first)), Some(other)) => {
                    return Err(mismatch((first, one), (expression, other)));
                }
            };
        }
        let kind = common.map_or(Kind::Integer, |(kind, _)| kind);
        let nodes = (expressions.iter().zip(typed))
            .map(|(expression, typed)| self.coerce(expression, typed, kind))
            .collect::<Result<Vec<_>, _>>()?;
        Ok((kind, nodes))
    }
}

fn boolean(node: Node) -> Typed {
    Typed {
        node,
        kind: Some(Kind::Boolean),
    }
}

fn not(typed: Typed) -> Typed {
    boolean(Node::Not(Box::new(typed.node)))
}

fn negate(negated: bool, node: Node) -> Typed {
    let typed = boolean(node);
    if negated { not(typed) } else { typed }
}

fn literal(value: &Value) -> Option<Typed> {
    let (array, kind): (ArrayRef, _) = match value {
        Value::Boolean(value) => (Arc::new(BooleanArray::from(vec![*value])), Kind::Boolean),
        Value::SingleQuotedString(text) => {
            let array = StringArray::from_iter_values([text]);
            (Arc::new(array), Kind::Text)
        }
        Value::Number(text, _) => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(number), _) => (Arc::new(Int64Array::from(vec![number])), Kind::Integer),
            (_, Ok(number)) => (Arc::new(Float64Array::from(vec![number])), Kind::Double),
            _ => return None,
        },
        Value::Null => {
            return Some(Typed {
                node: Node::Literal(new_null_array(&Kind::Boolean.data_type(), 1)),
                kind: None,
            });
        }
        _ => return None,
    };
    Some(Typed {
        node: Node::Literal(array),
        kind: Some(kind),
    })
}
