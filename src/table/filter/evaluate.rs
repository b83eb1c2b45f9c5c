//! Evaluates the nodes of a condition for the rows of a batch. Arrow's kernels are used where they give the same
//! results as DuckDB.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Datum, Decimal128Array, StringArray, UInt32Array,
    UInt64Array, new_null_array,
};
use arrow::buffer::BooleanBuffer;
use arrow::compute::kernels::{boolean, cmp, comparison::like, numeric, zip::zip};
use arrow::compute::{filter, take};
use arrow::datatypes::{Decimal128Type, Float64Type};
use arrow::error::ArrowError;

use super::error::Fault;
use super::node::{ComparisonKernel, ConditionNode, Operation, Operator};
use super::types::SqlType;
use super::{Problem, cast};

/// The columns of a batch that a condition uses, converted to the types with which conditions calculate.
#[derive(Clone)]
pub(super) struct ConditionBatch {
    pub(super) row_count: usize,
    pub(super) columns: Vec<ArrayRef>,
}

impl ConditionBatch {
    pub(super) fn single_row(&self, row: usize) -> ConditionBatch {
        let columns = self.columns.iter().map(|column| column.slice(row, 1));
        ConditionBatch {
            row_count: 1,
            columns: columns.collect(),
        }
    }
}

/// The value of an operand: an array with one value per row, or a single value for all rows.
pub(super) struct Operand {
    array: ArrayRef,
    is_scalar: bool,
}

impl Datum for Operand {
    fn get(&self) -> (&dyn Array, bool) {
        (&self.array, self.is_scalar)
    }
}

impl Operand {
    /// The array with one value per row. A single value is repeated.
    pub(super) fn to_array(&self, rows: usize) -> Result<ArrayRef, ArrowError> {
        if self.is_scalar {
            take(&self.array, &UInt64Array::from(vec![0; rows]), None)
        } else {
            Ok(Arc::clone(&self.array))
        }
    }

    fn exact_value(&self, row: usize) -> Option<i128> {
        let array = self.array.as_primitive::<Decimal128Type>();
        let array_index = if self.is_scalar { 0 } else { row };
        array
            .is_valid(array_index)
            .then(|| array.value(array_index))
    }
}

impl From<ArrowError> for Problem {
    fn from(error: ArrowError) -> Problem {
        Problem::Internal(error.to_string())
    }
}

pub(super) fn evaluate_node(
    node: &ConditionNode,
    batch: &ConditionBatch,
) -> Result<Operand, Fault> {
    let array = match &node.operation {
        Operation::Constant(array) => {
            let (array, is_scalar) = (Arc::clone(array), true);
            return Ok(Operand { array, is_scalar });
        }
        Operation::Column(slot) => {
            let missing_column_error = || {
                (
                    node.position,
                    Problem::Internal("a column is missing".into()),
                )
            };
            batch
                .columns
                .get(*slot)
                .cloned()
                .ok_or_else(missing_column_error)?
        }
        Operation::And | Operation::AndTrue | Operation::Or | Operation::Coalesce => {
            evaluate_short_circuit(node, batch)?
        }
        _ => {
            let operands = node
                .operands
                .iter()
                .map(|operand| evaluate_node(operand, batch));
            let operands: Vec<Operand> = operands.collect::<Result<_, _>>()?;
            let is_scalar = operands.iter().all(|operand| operand.is_scalar);
            let rows = if is_scalar { 1 } else { batch.row_count };
            let array = apply_operation(node, &operands, rows)
                .map_err(|problem| (node.position, problem))?;
            return Ok(Operand { array, is_scalar });
        }
    };
    Ok(Operand {
        array,
        is_scalar: false,
    })
}

/// Evaluates `and`, `or` and `coalesce`. An operand is evaluated only for the rows for which the operands before it
/// leave the result open.
fn evaluate_short_circuit(node: &ConditionNode, batch: &ConditionBatch) -> Result<ArrayRef, Fault> {
    let internal_fault = |error: ArrowError| (node.position, error.into());
    let mut result_so_far: Option<ArrayRef> = None;
    for operand in &node.operands {
        let Some(before) = &result_so_far else {
            result_so_far = Some(
                evaluate_node(operand, batch)?
                    .to_array(batch.row_count)
                    .map_err(internal_fault)?,
            );
            continue;
        };
        let valid = boolean::is_not_null(before).map_err(internal_fault)?;
        let undecided_rows: BooleanBuffer = match node.operation {
            Operation::AndTrue => valid.values() & before.as_boolean().values(),
            Operation::And => &!valid.values() | before.as_boolean().values(),
            Operation::Or => !&(valid.values() & before.as_boolean().values()),
            _ => !valid.values(),
        };
        let next_result = evaluate_where(operand, batch, &undecided_rows)?;
        result_so_far = Some(
            match node.operation {
                Operation::And | Operation::AndTrue => {
                    boolean::and_kleene(before.as_boolean(), next_result.as_boolean())
                        .map(|array| Arc::new(array) as ArrayRef)
                }
                Operation::Or => boolean::or_kleene(before.as_boolean(), next_result.as_boolean())
                    .map(|array| Arc::new(array) as ArrayRef),
                _ => zip(&valid, before, &next_result),
            }
            .map_err(internal_fault)?,
        );
    }
    result_so_far.ok_or_else(|| {
        (
            node.position,
            Problem::Internal("an operand is missing".into()),
        )
    })
}

/// Evaluates a node for the selected rows. The values for all other rows are arbitrary.
fn evaluate_where(
    node: &ConditionNode,
    batch: &ConditionBatch,
    rows: &BooleanBuffer,
) -> Result<ArrayRef, Fault> {
    let internal_fault = |error: ArrowError| (node.position, error.into());
    let count = rows.count_set_bits();
    if count == 0 {
        return Ok(new_null_array(&node.value_type.to_arrow(), batch.row_count));
    }
    if count == batch.row_count || !node.can_fail {
        return evaluate_node(node, batch)?
            .to_array(batch.row_count)
            .map_err(internal_fault);
    }
    let row_mask = BooleanArray::new(rows.clone(), None);
    let columns = batch.columns.iter().map(|column| filter(column, &row_mask));
    let columns = columns.collect::<Result<_, _>>().map_err(internal_fault)?;
    let selected = ConditionBatch {
        row_count: count,
        columns,
    };
    let values = evaluate_node(node, &selected)?
        .to_array(count)
        .map_err(internal_fault)?;
    let mut row_indices = 0..;
    let row_indices = rows.iter().map(|is_selected| {
        if is_selected {
            row_indices.next()
        } else {
            None
        }
    });
    take(&values, &row_indices.collect::<UInt32Array>(), None).map_err(internal_fault)
}

/// Computes the value of a node from the values of its operands.
fn apply_operation(
    node: &ConditionNode,
    operands: &[Operand],
    rows: usize,
) -> Result<ArrayRef, Problem> {
    let array = &operands[0].array;
    let source_type = node.operands[0].value_type;
    Ok(match &node.operation {
        Operation::Cast => {
            let cast = cast::cast(array, source_type, node.value_type)?;
            let is_lost = |at: &usize| array.is_valid(*at) && cast.is_null(*at);
            let has_lost_value = (source_type != SqlType::Null
                && cast.null_count() > array.null_count())
            .then(|| (0..array.len()).find(is_lost))
            .flatten();
            if let Some(at) = has_lost_value {
                return Err(Problem::Cast {
                    value: cast::value_text(array, at, source_type)?,
                    to: node.value_type.to_string(),
                });
            }
            cast
        }
        Operation::TryCast => cast::cast(array, source_type, node.value_type)?,
        Operation::Not => Arc::new(boolean::not(array.as_boolean())?),
        Operation::IsNull => Arc::new(boolean::is_null(array)?),
        Operation::Compare(how) => {
            Arc::new(compare_operands(operands, how.iter().copied(), rows, true)?)
        }
        Operation::In => {
            let kernels = std::iter::repeat(cmp::eq as ComparisonKernel);
            Arc::new(compare_operands(operands, kernels, rows, false)?)
        }
        Operation::Like(pattern) => Arc::new(like(array, &StringArray::new_scalar(pattern))?),
        Operation::LikeLong(pattern) => Arc::new(pattern.matches(array.as_string())),
        Operation::Lower => {
            let lower_texts = array.as_string::<i32>().iter();
            let lower_texts =
                lower_texts.map(|text| Some(text?.chars().map(lower_case).collect::<String>()));
            Arc::new(lower_texts.collect::<StringArray>())
        }
        Operation::Length => {
            let text_values = array.as_string::<i32>().iter();
            let length = |text: &str| i128::try_from(text.chars().count()).ok();
            cast::exact_array(text_values.map(|text| length(text?)).collect())
        }
        Operation::Negate if source_type.is_float() => numeric::neg(array)?,
        Operation::Negate => check_range(node.value_type, rows, |row| {
            Some(operands[0].exact_value(row)?.checked_neg())
        })?,
        Operation::Arithmetic(operator) => {
            compute_arithmetic(*operator, node.value_type, operands, rows)?
        }
        Operation::Column(_)
        | Operation::Constant(_)
        | Operation::And
        | Operation::AndTrue
        | Operation::Or
        | Operation::Coalesce => {
            return Err(Problem::Internal("evaluated elsewhere".into()));
        }
    })
}

/// Compares the first operand with each of the others. If `needs_all` is set, all comparisons must be true. Otherwise,
/// one true comparison is enough.
fn compare_operands(
    operands: &[Operand],
    kernels: impl Iterator<Item = ComparisonKernel>,
    rows: usize,
    needs_all: bool,
) -> Result<BooleanArray, ArrowError> {
    let subject = normalise_floats(&operands[0]);
    let mut result_so_far = BooleanArray::from(vec![needs_all; rows]);
    for (other, kernel) in operands[1..].iter().zip(kernels) {
        let result = Operand {
            array: Arc::new(kernel(&subject, &normalise_floats(other))?),
            is_scalar: subject.is_scalar && other.is_scalar,
        };
        let combine = if needs_all {
            boolean::and_kleene
        } else {
            boolean::or_kleene
        };
        result_so_far = combine(&result_so_far, result.to_array(rows)?.as_boolean())?;
    }
    Ok(result_so_far)
}

/// Makes all zeros equal, and all NaNs equal. Arrow's kernels distinguish positive and negative zero and different
/// NaNs, but DuckDB does not.
fn normalise_floats(value: &Operand) -> Operand {
    let normalise_float = |value: f64| {
        if value.is_nan() {
            f64::NAN
        } else {
            value + 0.0
        }
    };
    Operand {
        array: match value.array.as_primitive_opt::<Float64Type>() {
            Some(floats) => Arc::new(floats.unary::<_, Float64Type>(normalise_float)),
            None => Arc::clone(&value.array),
        },
        is_scalar: value.is_scalar,
    }
}

fn compute_arithmetic(
    operator: Operator,
    ty: SqlType,
    operands: &[Operand],
    rows: usize,
) -> Result<ArrayRef, Problem> {
    let (left, right) = (&operands[0], &operands[1]);
    if ty.is_float() {
        let kernel = match operator {
            Operator::Add => numeric::add,
            Operator::Subtract => numeric::sub,
            Operator::Multiply => numeric::mul,
            Operator::Divide | Operator::DivideWhole => numeric::div,
            Operator::Remainder => numeric::rem,
        };
        let result = kernel(left, right)?;
        let result = result.as_primitive::<Float64Type>();
        return Ok(match ty {
            SqlType::Float => Arc::new(result.unary::<_, Float64Type>(|v| f64::from(v as f32))),
            _ => Arc::new(result.clone()),
        });
    }
    let calculate = match operator {
        Operator::Add => i128::checked_add,
        Operator::Subtract => i128::checked_sub,
        Operator::Multiply => i128::checked_mul,
        Operator::Divide | Operator::DivideWhole => i128::checked_div,
        Operator::Remainder => i128::checked_rem,
    };
    let divides = matches!(operator, Operator::DivideWhole | Operator::Remainder);
    let is_valid = |row: &usize| left.exact_value(*row).is_some();
    if divides
        && (0..rows)
            .filter(is_valid)
            .any(|row| right.exact_value(row) == Some(0))
    {
        return Err(Problem::DivisionByZero);
    }
    let is_overflow = |left: i128, right: i128| {
        // DuckDB computes the remainder by dividing, so a division that overflows is an error for the remainder,
        // too.
        divides && right == -1 && !ty.can_hold(left.wrapping_neg())
    };
    check_range(ty, rows, |row| {
        let (left, right) = (left.exact_value(row)?, right.exact_value(row)?);
        Some(calculate(left, right).filter(|_| !is_overflow(left, right)))
    })
}

/// The values of all rows, which must fit the type. For each row, `value` returns `None` for null, and `Some(None)` for
/// an overflow.
fn check_range(
    ty: SqlType,
    rows: usize,
    value: impl Fn(usize) -> Option<Option<i128>>,
) -> Result<ArrayRef, Problem> {
    let overflow = || Problem::overflow(ty);
    let fit_to_type = |value: Option<i128>| {
        value
            .filter(|value| ty.can_hold(*value))
            .ok_or_else(overflow)
    };
    let values = (0..rows).map(|row| value(row).map(fit_to_type).transpose());
    Ok(cast::exact_array(
        values.collect::<Result<Decimal128Array, _>>()?,
    ))
}

/// The lower case of a letter. If the lower case consists of several letters, the letter is returned unchanged, so that
/// a text keeps its length.
pub(super) fn lower_case(letter: char) -> char {
    let mut lower_letters = letter.to_lowercase();
    match (letter, lower_letters.next(), lower_letters.next()) {
        ('İ', ..) => 'i',
        (_, Some(lower), None) => lower,
        _ => letter,
    }
}
