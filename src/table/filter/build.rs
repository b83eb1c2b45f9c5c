//! Builds the typed nodes of a condition from operands. Each node has the type that it has in DuckDB.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, StringArray, new_null_array};

use super::error::Fault;
use super::evaluate::{ConditionBatch, evaluate_node, lower_case};
use super::like::{LONG_PATTERN_BYTES, LongPattern};
use super::node::{ConditionNode, Operation};
use super::types::{BIGINT, HUGEINT, INTEGER, SqlType};
use super::{Problem, cast, number};

/// The maximum depth to which nodes, parentheses and calls are nested.
pub(super) const DEEPEST_NESTING: usize = 100;

/// A node of a condition, and the part of the condition's text that it comes from.
#[derive(Debug)]
pub(super) struct TypedNode {
    pub(super) node: ConditionNode,
    pub(super) origin: ValueOrigin,
}

/// The origin of a node's value: an integer literal, a text literal, a column, or another expression. A literal takes
/// the type of the values with which it is compared or combined.
#[derive(Clone, Debug)]
pub(super) enum ValueOrigin {
    Integer(i128),
    Text,
    /// The name of a column.
    Column(String),
    Expression,
}

impl From<ConditionNode> for TypedNode {
    fn from(node: ConditionNode) -> TypedNode {
        let origin = ValueOrigin::Expression;
        TypedNode { node, origin }
    }
}

impl TypedNode {
    fn is_text_literal(&self) -> bool {
        matches!(self.origin, ValueOrigin::Text)
    }

    /// The text of the literal, if the value is a text literal.
    pub(super) fn text_literal(&self) -> Option<String> {
        match &self.node.operation {
            Operation::Constant(value) if self.is_text_literal() => {
                let text = value.as_string_opt::<i32>()?;
                (!text.is_empty()).then(|| text.value(0).to_owned())
            }
            _ => None,
        }
    }
}

/// Builds a node. If all operands are constants, the node is evaluated at once, and becomes a constant.
///
/// # Errors
///
/// The node is nested too deeply, or the constants have no result.
pub(super) fn build_node(
    position: usize,
    ty: SqlType,
    kind: Operation,
    operands: Vec<ConditionNode>,
) -> Result<ConditionNode, Fault> {
    let depth = 1 + operands.iter().map(|node| node.depth).max().unwrap_or(0);
    if depth > DEEPEST_NESTING {
        return Err((position, Problem::TooDeep(DEEPEST_NESTING)));
    }
    let is_constant = |node: &ConditionNode| matches!(node.operation, Operation::Constant(_));
    let is_constant = !operands.is_empty() && operands.iter().all(is_constant);
    let can_fail = match kind {
        Operation::Cast => !operands[0].value_type.is_within(ty),
        Operation::Arithmetic(_) | Operation::Negate => !ty.is_float(),
        _ => false,
    };
    let can_fail = can_fail || operands.iter().any(|node| node.can_fail);
    let node = ConditionNode {
        position,
        value_type: ty,
        can_fail,
        depth,
        operation: kind,
        operands,
    };
    if !is_constant {
        return Ok(node);
    }
    let one_row_batch = ConditionBatch {
        row_count: 1,
        columns: Vec::new(),
    };
    let value = evaluate_node(&node, &one_row_batch)?
        .to_array(1)
        .map_err(|error| (position, error.into()))?;
    constant_node(position, ty, value)
}

fn constant_node(position: usize, ty: SqlType, value: ArrayRef) -> Result<ConditionNode, Fault> {
    build_node(position, ty, Operation::Constant(value), Vec::new())
}

pub(super) fn null_literal(position: usize) -> Result<TypedNode, Fault> {
    Ok(constant_node(
        position,
        SqlType::Null,
        new_null_array(&SqlType::Null.to_arrow(), 1),
    )?
    .into())
}

pub(super) fn build_text_literal(position: usize, text: &str) -> Result<TypedNode, Fault> {
    Ok(TypedNode {
        node: constant_node(
            position,
            SqlType::Text,
            Arc::new(StringArray::from_iter_values([text])),
        )?,
        origin: ValueOrigin::Text,
    })
}

fn exact_number(position: usize, value: i128, ty: SqlType) -> Result<ConditionNode, Fault> {
    constant_node(
        position,
        ty,
        cast::exact_array(Decimal128Array::from(vec![value])),
    )
}

pub(super) fn integer_literal(position: usize, value: i128) -> Result<TypedNode, Fault> {
    let types = [INTEGER, BIGINT].into_iter();
    let ty = types
        .clone()
        .find(|ty| ty.can_hold(value))
        .unwrap_or(HUGEINT);
    Ok(TypedNode {
        node: exact_number(position, value, ty)?,
        origin: ValueOrigin::Integer(value),
    })
}

/// Builds a numeric literal: `12` is an integer, `1.20` a decimal with two fractional digits, `12e0` a
/// double.
pub(super) fn numeric_literal(position: usize, written: &str) -> Result<TypedNode, Fault> {
    let unsupported_number = || {
        (
            position,
            Problem::Unsupported(format!("the number {written}")),
        )
    };
    let length = |text: &str| u8::try_from(text.len()).unwrap_or(u8::MAX);
    let digits = written.split_once('.').map(|(whole, fraction)| {
        (
            length(whole).saturating_add(length(fraction)),
            length(fraction),
        )
    });
    if !written.starts_with(|c: char| c.is_ascii_digit() || c == '.') || written.contains('_') {
        return Err(unsupported_number());
    }
    match digits {
        None if written.bytes().all(|byte| byte.is_ascii_digit()) => {
            integer_literal(position, written.parse().map_err(|_| unsupported_number())?)
        }
        Some((digits, scale)) if digits <= 38 && !written.contains(['e', 'E']) => {
            let ty = SqlType::Decimal { digits, scale };
            Ok(exact_number(
                position,
                number::parse_exact(written, ty).ok_or_else(unsupported_number)?,
                ty,
            )?
            .into())
        }
        _ => {
            let value = build_text_literal(position, written)?.node;
            Ok(
                build_node(position, SqlType::Double, Operation::Cast, vec![value])
                    .map_err(|_| unsupported_number())?
                    .into(),
            )
        }
    }
}

/// Converts an operand to the type `ty`. Adds a cast if the operand has another type.
pub(super) fn convert_to_type(value: TypedNode, ty: SqlType) -> Result<ConditionNode, Fault> {
    let position = value.node.position;
    match value.origin {
        _ if value.node.value_type == ty => Ok(value.node),
        ValueOrigin::Integer(value)
            if matches!(ty, SqlType::Integer { .. }) && ty.can_hold(value) =>
        {
            exact_number(position, value, ty)
        }
        _ => build_node(position, ty, Operation::Cast, vec![value.node]),
    }
}

pub(super) fn explicit_cast(
    position: usize,
    kind: Operation,
    value: TypedNode,
    ty: SqlType,
) -> Result<TypedNode, Fault> {
    let source_type = value.node.value_type;
    if !(cast::can_cast(source_type, ty) || value.is_text_literal() && is_time(ty)) {
        return Err((
            position,
            Problem::Unsupported(format!("a cast of {source_type} to {ty}")),
        ));
    }
    if source_type == ty {
        return Ok(value.node.into());
    }
    Ok(build_node(position, ty, kind, vec![value.node])?.into())
}

fn is_time(ty: SqlType) -> bool {
    matches!(ty, SqlType::Date | SqlType::Timestamp { .. })
}

/// Converts these values to a common type for a comparison.
fn convert_to_common_type(values: Vec<TypedNode>) -> Result<(SqlType, Vec<ConditionNode>), Fault> {
    let mut ty = SqlType::Null;
    // The common type is determined in three rounds: first from numbers, then from texts, then from literals. Literals
    // thus take the type of the other values.
    for round in 0..3 {
        for value in &values {
            let (its_round, is_settled) = match value.origin {
                ValueOrigin::Integer(value) => (
                    1,
                    matches!(ty, SqlType::Integer { .. }) && ty.can_hold(value),
                ),
                ValueOrigin::Text => (2, cast::can_cast(SqlType::Text, ty) || is_time(ty)),
                _ => (0, false),
            };
            if its_round == round && !is_settled {
                ty = ty
                    .common_type(value.node.value_type)
                    .ok_or_else(|| mismatch_error(ty, value, &values))?;
            }
        }
    }
    let nodes = values.into_iter().map(|value| convert_to_type(value, ty));
    Ok((ty, nodes.collect::<Result<_, _>>()?))
}

/// The error for a comparison of types that cannot be compared. DuckDB would cast a text column to the type of the
/// number, so that `'3.4' = 3`.
fn mismatch_error(ty: SqlType, value: &TypedNode, values: &[TypedNode]) -> Fault {
    let text_column = values.iter().find_map(|value| match &value.origin {
        ValueOrigin::Column(name) if value.node.value_type == SqlType::Text => Some(name.clone()),
        _ => None,
    });
    let has_number = ty.is_number() || value.node.value_type.is_number();
    let problem = Problem::Mismatch {
        left: ty.to_string(),
        right: value.node.value_type.to_string(),
        text_column: text_column.filter(|_| has_number),
    };
    (value.node.position, problem)
}

/// Builds a comparison of the first value with each of the other values.
pub(super) fn build_comparison(
    position: usize,
    kind: Operation,
    values: Vec<TypedNode>,
) -> Result<ConditionNode, Fault> {
    let (ty, mut nodes) = convert_to_common_type(values)?;
    if ty == SqlType::Null {
        let nulls = nodes
            .into_iter()
            .map(|node| convert_to_type(node.into(), SqlType::Boolean));
        nodes = nulls.collect::<Result<_, _>>()?;
    }
    build_node(position, SqlType::Boolean, kind, nodes)
}

pub(super) fn build_coalesce(position: usize, values: Vec<TypedNode>) -> Result<TypedNode, Fault> {
    let digits = || {
        values
            .iter()
            .map(|value| value.node.value_type.decimal_digits())
    };
    let whole_digits = digits()
        .map(|(digits, scale)| digits - scale)
        .max()
        .unwrap_or(0);
    let scale = digits().map(|(_, scale)| scale).max().unwrap_or(0);
    let has_numbers = values.iter().all(|value| value.node.value_type.is_exact());
    if has_numbers && scale > 0 && whole_digits + scale > 38 {
        let unsupported = "coalesce of decimals with more than 38 digits together";
        return Err((position, Problem::Unsupported(unsupported.into())));
    }
    let (ty, nodes) = convert_to_common_type(values)?;
    Ok(build_node(position, ty, Operation::Coalesce, nodes)?.into())
}

pub(super) fn build_like(
    position: usize,
    matched_value: TypedNode,
    pattern: &str,
    escape: Option<char>,
    ignores_case: bool,
) -> Result<ConditionNode, Fault> {
    let mut matched_value = to_text(matched_value)?;
    if ignores_case {
        matched_value = build_node(
            position,
            SqlType::Text,
            Operation::Lower,
            vec![matched_value],
        )?;
    }
    // Arrow's kernel always treats a backslash as an escape character. DuckDB has an escape character only if the
    // condition names one with `escape`.
    let mut arrow_pattern = String::new();
    let mut characters = pattern
        .chars()
        .map(|c| if ignores_case { lower_case(c) } else { c });
    while let Some(mut character) = characters.next() {
        let is_escaped = Some(character) == escape;
        if is_escaped {
            let unfinished_escape = || {
                (
                    position,
                    Problem::Unsupported("a pattern that ends with its escape".into()),
                )
            };
            character = characters.next().ok_or_else(unfinished_escape)?;
        }
        if character == '\\' || is_escaped && matches!(character, '%' | '_') {
            arrow_pattern.push('\\');
        }
        arrow_pattern.push(character);
    }
    let kind = if arrow_pattern.len() > LONG_PATTERN_BYTES {
        Operation::LikeLong(LongPattern::new(&arrow_pattern))
    } else {
        Operation::Like(arrow_pattern)
    };
    build_node(position, SqlType::Boolean, kind, vec![matched_value])
}

fn wrong_type_error(value: &TypedNode, wanted: &'static str) -> Fault {
    let found_type = value.node.value_type.to_string();
    (
        value.node.position,
        Problem::WrongType {
            found: found_type,
            wanted,
        },
    )
}

/// Converts a value to a condition. Fails unless it is a boolean or null.
pub(super) fn to_boolean(value: TypedNode) -> Result<ConditionNode, Fault> {
    match value.node.value_type {
        SqlType::Boolean | SqlType::Null => convert_to_type(value, SqlType::Boolean),
        _ => Err(wrong_type_error(&value, "a condition (true or false)")),
    }
}

/// Converts a value to a text. Fails unless it is a text or null.
pub(super) fn to_text(value: TypedNode) -> Result<ConditionNode, Fault> {
    match value.node.value_type {
        SqlType::Text | SqlType::Null => convert_to_type(value, SqlType::Text),
        _ => Err(wrong_type_error(&value, "a text")),
    }
}

/// Converts a value to a number. Fails unless it is a number or null.
pub(super) fn to_number(value: TypedNode) -> Result<TypedNode, Fault> {
    match value.node.value_type {
        SqlType::Null => Ok(convert_to_type(value, BIGINT)?.into()),
        ty if ty.is_number() => Ok(value),
        _ => Err(wrong_type_error(&value, "a number")),
    }
}
