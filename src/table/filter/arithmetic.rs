//! Builds the nodes of arithmetic operations in conditions. The types of operands and results are the same as in
//! DuckDB.

use super::Problem;
use super::build::{
    TypedNode, ValueOrigin, build_node, convert_to_type, integer_literal, to_number,
};
use super::error::Fault;
use super::node::{Operation, Operator};
use super::types::SqlType;

pub(super) fn build_negation(position: usize, value: TypedNode) -> Result<TypedNode, Fault> {
    if let ValueOrigin::Integer(value) = value.origin {
        return integer_literal(position, -value);
    }
    let value = to_number(value)?.node;
    Ok(build_node(position, value.value_type, Operation::Negate, vec![value])?.into())
}

pub(super) fn build_arithmetic(
    position: usize,
    operator: Operator,
    left: TypedNode,
    right: TypedNode,
) -> Result<TypedNode, Fault> {
    let (left, right) = match (left.node.value_type, right.node.value_type) {
        (ty, SqlType::Null) if ty.is_number() => (left, convert_to_type(right, ty)?.into()),
        (SqlType::Null, ty) if ty.is_number() => (convert_to_type(left, ty)?.into(), right),
        _ => (to_number(left)?, to_number(right)?),
    };
    let (a, b) = (left.node.value_type, right.node.value_type);
    let are_integers = [a, b]
        .iter()
        .all(|ty| matches!(ty, SqlType::Integer { .. }));
    if operator == Operator::DivideWhole && !are_integers {
        return Err((
            position,
            Problem::Unsupported("// of numbers that are not integers".into()),
        ));
    }
    let same_type = |ty| (ty, ty, ty);
    let (left_type, right_type, ty) =
        if operator == Operator::Divide || !(a.is_exact() && b.is_exact()) {
            let has_float = [a, b].contains(&SqlType::Float) && ![a, b].contains(&SqlType::Double);
            same_type(if has_float {
                SqlType::Float
            } else {
                SqlType::Double
            })
        } else if are_integers {
            same_type(match (&left.origin, &right.origin) {
                (ValueOrigin::Integer(_), ValueOrigin::Integer(_)) => a.common_integer(b, true),
                (_, ValueOrigin::Integer(value)) if a.can_hold(*value) => a,
                (ValueOrigin::Integer(value), _) if b.can_hold(*value) => b,
                _ => a.common_integer(b, true),
            })
        } else {
            decimal_types(operator, a, b).map_err(|problem| (position, problem))?
        };
    let operands = vec![
        convert_to_type(left, left_type)?,
        convert_to_type(right, right_type)?,
    ];
    Ok(build_node(position, ty, Operation::Arithmetic(operator), operands)?.into())
}

/// The types to which both operands are converted, and the type of the result. One operand is a decimal, and the other
/// is a decimal or an integer.
fn decimal_types(
    operator: Operator,
    left_type: SqlType,
    right_type: SqlType,
) -> Result<(SqlType, SqlType, SqlType), Problem> {
    let decimal = |digits, scale| SqlType::Decimal { digits, scale };
    let same_type = |ty| Ok((ty, ty, ty));
    let ((digits, scale), (others, other)) =
        (left_type.decimal_digits(), right_type.decimal_digits());
    let (whole, most) = ((digits - scale).max(others - other), scale.max(other));
    match operator {
        Operator::Multiply if scale + other > 38 => {
            let unsupported = format!("a product with {} digits behind the point", scale + other);
            Err(Problem::Unsupported(unsupported))
        }
        Operator::Multiply => {
            let is_short = digits.max(others) <= 18 && scale + other < 18;
            let limit = if is_short { 18 } else { 38 };
            let result = decimal((digits + others).min(limit), scale + other);
            Ok((decimal(digits, scale), decimal(others, other), result))
        }
        Operator::Remainder if whole + most > 38 => {
            let operation_text = "% of decimals with more than 38 digits together";
            Err(Problem::Unsupported(operation_text.into()))
        }
        Operator::Remainder => same_type(decimal(whole + most, most)),
        _ => same_type(decimal((whole + most + 1).min(38), most)),
    }
}
