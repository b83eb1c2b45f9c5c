//! Builds typed nodes from operands. Each node has the type in which DuckDB evaluates it.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, StringArray, new_null_array};

use super::error::Fault;
use super::evaluate::{ConditionColumns, evaluate, lower};
use super::like::{LONG, LongPattern};
use super::node::{ConditionNode, Operation, Operator};
use super::types::{BIGINT, HUGEINT, INTEGER, Type};
use super::{Problem, cast, number};

/// The deepest nesting of nodes, parentheses and calls.
pub(super) const DEPTH: usize = 100;

/// A node, and its origin in the text of the condition.
#[derive(Debug)]
pub(super) struct Typed {
    pub(super) node: ConditionNode,
    pub(super) origin: Origin,
}

/// The origin of a value. Literals take the type of the values that they are compared or combined with.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    Integer(i128),
    Text,
    /// A column, by its name.
    Column(String),
    Expression,
}

impl From<ConditionNode> for Typed {
    fn from(node: ConditionNode) -> Typed {
        let origin = Origin::Expression;
        Typed { node, origin }
    }
}

impl Typed {
    fn is_text_literal(&self) -> bool {
        matches!(self.origin, Origin::Text)
    }

    /// The text, if the value is a text literal.
    pub(super) fn literal(&self) -> Option<String> {
        match &self.node.kind {
            Operation::Constant(value) if self.is_text_literal() => {
                let text = value.as_string_opt::<i32>()?;
                (!text.is_empty()).then(|| text.value(0).to_owned())
            }
            _ => None,
        }
    }
}

/// Builds a node. If all its operands are constants, the result is computed and is a constant.
///
/// # Errors
///
/// The node is nested too deeply, or the constants have no result.
pub(super) fn node(
    at: usize,
    ty: Type,
    kind: Operation,
    operands: Vec<ConditionNode>,
) -> Result<ConditionNode, Fault> {
    let depth = 1 + operands.iter().map(|node| node.depth).max().unwrap_or(0);
    if depth > DEPTH {
        return Err((at, Problem::TooDeep(DEPTH)));
    }
    let is_constant = |node: &ConditionNode| matches!(node.kind, Operation::Constant(_));
    let is_constant = !operands.is_empty() && operands.iter().all(is_constant);
    let can_fail = match kind {
        Operation::Cast => !operands[0].ty.fits(ty),
        Operation::Arithmetic(_) | Operation::Negate => !ty.is_float(),
        _ => false,
    };
    let can_fail = can_fail || operands.iter().any(|node| node.can_fail);
    let node = ConditionNode {
        at,
        ty,
        can_fail,
        depth,
        kind,
        operands,
    };
    if !is_constant {
        return Ok(node);
    }
    let once = ConditionColumns {
        rows: 1,
        columns: Vec::new(),
    };
    let value = evaluate(&node, &once)?
        .spread(1)
        .map_err(|error| (at, error.into()))?;
    constant(at, ty, value)
}

fn constant(at: usize, ty: Type, value: ArrayRef) -> Result<ConditionNode, Fault> {
    node(at, ty, Operation::Constant(value), Vec::new())
}

pub(super) fn null(at: usize) -> Result<Typed, Fault> {
    Ok(constant(at, Type::Null, new_null_array(&Type::Null.arrow(), 1))?.into())
}

pub(super) fn text(at: usize, text: &str) -> Result<Typed, Fault> {
    Ok(Typed {
        node: constant(
            at,
            Type::Text,
            Arc::new(StringArray::from_iter_values([text])),
        )?,
        origin: Origin::Text,
    })
}

fn exact(at: usize, value: i128, ty: Type) -> Result<ConditionNode, Fault> {
    constant(at, ty, cast::exact(Decimal128Array::from(vec![value])))
}

pub(super) fn integer(at: usize, value: i128) -> Result<Typed, Fault> {
    let types = [INTEGER, BIGINT].into_iter();
    let ty = types.clone().find(|ty| ty.holds(value)).unwrap_or(HUGEINT);
    Ok(Typed {
        node: exact(at, value, ty)?,
        origin: Origin::Integer(value),
    })
}

/// Builds a numeric literal: `12` is an integer, `1.20` a decimal with two fractional digits, `12e0` a
/// double.
pub(super) fn number(at: usize, written: &str) -> Result<Typed, Fault> {
    let wrong = || (at, Problem::Unsupported(format!("the number {written}")));
    let length = |text: &str| u8::try_from(text.len()).unwrap_or(u8::MAX);
    let digits = written.split_once('.').map(|(whole, fraction)| {
        (
            length(whole).saturating_add(length(fraction)),
            length(fraction),
        )
    });
    if !written.starts_with(|c: char| c.is_ascii_digit() || c == '.') || written.contains('_') {
        return Err(wrong());
    }
    match digits {
        None if written.bytes().all(|byte| byte.is_ascii_digit()) => {
            integer(at, written.parse().map_err(|_| wrong())?)
        }
        Some((digits, scale)) if digits <= 38 && !written.contains(['e', 'E']) => {
            let ty = Type::Decimal { digits, scale };
            Ok(exact(at, number::exact(written, ty).ok_or_else(wrong)?, ty)?.into())
        }
        _ => {
            let value = text(at, written)?.node;
            Ok(node(at, Type::Double, Operation::Cast, vec![value])
                .map_err(|_| wrong())?
                .into())
        }
    }
}

/// Converts an operand to this type.
pub(super) fn convert(value: Typed, ty: Type) -> Result<ConditionNode, Fault> {
    let at = value.node.at;
    match value.origin {
        _ if value.node.ty == ty => Ok(value.node),
        Origin::Integer(value) if matches!(ty, Type::Integer { .. }) && ty.holds(value) => {
            exact(at, value, ty)
        }
        _ => node(at, ty, Operation::Cast, vec![value.node]),
    }
}

pub(super) fn explicit_cast(
    at: usize,
    kind: Operation,
    value: Typed,
    ty: Type,
) -> Result<Typed, Fault> {
    let from = value.node.ty;
    if !(cast::can_cast(from, ty) || value.is_text_literal() && is_time(ty)) {
        return Err((
            at,
            Problem::Unsupported(format!("a cast of {from} to {ty}")),
        ));
    }
    if from == ty {
        return Ok(value.node.into());
    }
    Ok(node(at, ty, kind, vec![value.node])?.into())
}

fn is_time(ty: Type) -> bool {
    matches!(ty, Type::Date | Type::Timestamp { .. })
}

/// Converts these values to a common type for a comparison.
fn same_type(values: Vec<Typed>) -> Result<(Type, Vec<ConditionNode>), Fault> {
    let mut ty = Type::Null;
    // The types are determined in three rounds: numbers, then texts, then literals, which take the type of
    // the others.
    for round in 0..3 {
        for value in &values {
            let (its_round, is_settled) = match value.origin {
                Origin::Integer(value) => {
                    (1, matches!(ty, Type::Integer { .. }) && ty.holds(value))
                }
                Origin::Text => (2, cast::can_cast(Type::Text, ty) || is_time(ty)),
                _ => (0, false),
            };
            if its_round == round && !is_settled {
                ty = ty
                    .common(value.node.ty)
                    .ok_or_else(|| mismatch(ty, value, &values))?;
            }
        }
    }
    let nodes = values.into_iter().map(|value| convert(value, ty));
    Ok((ty, nodes.collect::<Result<_, _>>()?))
}

/// The error for types that cannot be compared. DuckDB would cast a text column to the type of the number,
/// so that `'3.4' = 3`.
fn mismatch(ty: Type, value: &Typed, values: &[Typed]) -> Fault {
    let text_column = values.iter().find_map(|value| match &value.origin {
        Origin::Column(name) if value.node.ty == Type::Text => Some(name.clone()),
        _ => None,
    });
    let has_number = ty.is_number() || value.node.ty.is_number();
    let problem = Problem::Mismatch {
        left: ty.to_string(),
        right: value.node.ty.to_string(),
        text_column: text_column.filter(|_| has_number),
    };
    (value.node.at, problem)
}

/// Builds comparisons of the first value with each of the others.
pub(super) fn compare(
    at: usize,
    kind: Operation,
    values: Vec<Typed>,
) -> Result<ConditionNode, Fault> {
    let (ty, mut nodes) = same_type(values)?;
    if ty == Type::Null {
        let nulls = nodes
            .into_iter()
            .map(|node| convert(node.into(), Type::Boolean));
        nodes = nulls.collect::<Result<_, _>>()?;
    }
    node(at, Type::Boolean, kind, nodes)
}

pub(super) fn coalesce(at: usize, values: Vec<Typed>) -> Result<Typed, Fault> {
    let digits = || values.iter().map(|value| value.node.ty.digits());
    let whole = digits()
        .map(|(digits, scale)| digits - scale)
        .max()
        .unwrap_or(0);
    let scale = digits().map(|(_, scale)| scale).max().unwrap_or(0);
    let has_numbers = values.iter().all(|value| value.node.ty.is_exact());
    if has_numbers && scale > 0 && whole + scale > 38 {
        let what = "coalesce of decimals with more than 38 digits together";
        return Err((at, Problem::Unsupported(what.into())));
    }
    let (ty, nodes) = same_type(values)?;
    Ok(node(at, ty, Operation::Coalesce, nodes)?.into())
}

pub(super) fn like(
    at: usize,
    subject: Typed,
    pattern: &str,
    escape: Option<char>,
    any_case: bool,
) -> Result<ConditionNode, Fault> {
    let mut subject = text_operand(subject)?;
    if any_case {
        subject = node(at, Type::Text, Operation::Lower, vec![subject])?;
    }
    // Arrow's kernel always treats a backslash as an escape. In DuckDB there is no escape character without
    // `escape`.
    let mut arrow_pattern = String::new();
    let mut characters = pattern.chars().map(|c| if any_case { lower(c) } else { c });
    while let Some(mut character) = characters.next() {
        let is_escaped = Some(character) == escape;
        if is_escaped {
            let wrong = || {
                (
                    at,
                    Problem::Unsupported("a pattern that ends with its escape".into()),
                )
            };
            character = characters.next().ok_or_else(wrong)?;
        }
        if character == '\\' || is_escaped && matches!(character, '%' | '_') {
            arrow_pattern.push('\\');
        }
        arrow_pattern.push(character);
    }
    let kind = match arrow_pattern.len() > LONG {
        true => Operation::LikeLong(LongPattern::new(&arrow_pattern)),
        false => Operation::Like(arrow_pattern),
    };
    node(at, Type::Boolean, kind, vec![subject])
}

fn wrong_type(value: &Typed, wanted: &'static str) -> Fault {
    let found = value.node.ty.to_string();
    (value.node.at, Problem::WrongType { found, wanted })
}

/// Converts a boolean or null to a condition.
pub(super) fn boolean(value: Typed) -> Result<ConditionNode, Fault> {
    match value.node.ty {
        Type::Boolean | Type::Null => convert(value, Type::Boolean),
        _ => Err(wrong_type(&value, "a condition (true or false)")),
    }
}

/// Converts a text or null to a text.
pub(super) fn text_operand(value: Typed) -> Result<ConditionNode, Fault> {
    match value.node.ty {
        Type::Text | Type::Null => convert(value, Type::Text),
        _ => Err(wrong_type(&value, "a text")),
    }
}

/// Converts a number or null to a number.
pub(super) fn numeric(value: Typed) -> Result<Typed, Fault> {
    match value.node.ty {
        Type::Null => Ok(convert(value, BIGINT)?.into()),
        ty if ty.is_number() => Ok(value),
        _ => Err(wrong_type(&value, "a number")),
    }
}

pub(super) fn negate(at: usize, value: Typed) -> Result<Typed, Fault> {
    if let Origin::Integer(value) = value.origin {
        return integer(at, -value);
    }
    let value = numeric(value)?.node;
    Ok(node(at, value.ty, Operation::Negate, vec![value])?.into())
}

pub(super) fn arithmetic(
    at: usize,
    operator: Operator,
    left: Typed,
    right: Typed,
) -> Result<Typed, Fault> {
    let (left, right) = match (left.node.ty, right.node.ty) {
        (ty, Type::Null) if ty.is_number() => (left, convert(right, ty)?.into()),
        (Type::Null, ty) if ty.is_number() => (convert(left, ty)?.into(), right),
        _ => (numeric(left)?, numeric(right)?),
    };
    let (a, b) = (left.node.ty, right.node.ty);
    let are_integers = [a, b].iter().all(|ty| matches!(ty, Type::Integer { .. }));
    if operator == Operator::DivideWhole && !are_integers {
        return Err((
            at,
            Problem::Unsupported("// of numbers that are not integers".into()),
        ));
    }
    let same = |ty| (ty, ty, ty);
    let (left_type, right_type, ty) =
        if operator == Operator::Divide || !(a.is_exact() && b.is_exact()) {
            let has_float = [a, b].contains(&Type::Float) && ![a, b].contains(&Type::Double);
            same(if has_float { Type::Float } else { Type::Double })
        } else if are_integers {
            same(match (&left.origin, &right.origin) {
                (Origin::Integer(_), Origin::Integer(_)) => a.common_integer(b, true),
                (_, Origin::Integer(value)) if a.holds(*value) => a,
                (Origin::Integer(value), _) if b.holds(*value) => b,
                _ => a.common_integer(b, true),
            })
        } else {
            decimal_types(operator, a, b).map_err(|problem| (at, problem))?
        };
    let operands = vec![convert(left, left_type)?, convert(right, right_type)?];
    Ok(node(at, ty, Operation::Arithmetic(operator), operands)?.into())
}

/// The types of both operands and of the result, if one operand is a decimal, and the other a decimal or an
/// integer.
fn decimal_types(operator: Operator, a: Type, b: Type) -> Result<(Type, Type, Type), Problem> {
    let decimal = |digits, scale| Type::Decimal { digits, scale };
    let same = |ty| Ok((ty, ty, ty));
    let ((digits, scale), (others, other)) = (a.digits(), b.digits());
    let (whole, most) = ((digits - scale).max(others - other), scale.max(other));
    match operator {
        Operator::Multiply if scale + other > 38 => {
            let what = format!("a product with {} digits behind the point", scale + other);
            Err(Problem::Unsupported(what))
        }
        Operator::Multiply => {
            let is_short = digits.max(others) <= 18 && scale + other < 18;
            let limit = if is_short { 18 } else { 38 };
            let result = decimal((digits + others).min(limit), scale + other);
            Ok((decimal(digits, scale), decimal(others, other), result))
        }
        Operator::Remainder if whole + most > 38 => {
            let what = "% of decimals with more than 38 digits together";
            Err(Problem::Unsupported(what.into()))
        }
        Operator::Remainder => same(decimal(whole + most, most)),
        _ => same(decimal((whole + most + 1).min(38), most)),
    }
}
