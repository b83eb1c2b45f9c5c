//! A node over the columns of a batch, with Arrow's kernels where there is one.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Datum, Float64Array, Int64Array, StringArray,
    UInt64Array,
};
use arrow::compute::CastOptions;
use arrow::compute::kernels::{boolean, cmp, comparison, zip};
use arrow::compute::{cast, cast_with_options, take};
use arrow::datatypes::{Float64Type, Int64Type};
use arrow::util::display::{ArrayFormatter, FormatOptions};

use crate::error::Error;
use crate::table::filter::kind::Kind;
use crate::table::filter::node::{Comparison, Node, Operator};
use crate::table::filter::{FilterError, Problem};

/// The batch.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) rows: usize,
    pub(crate) columns: &'a [ArrayRef],
}

/// A value for every row, or one for all of them.
pub(crate) struct Value {
    array: ArrayRef,
    is_scalar: bool,
}

impl Datum for Value {
    fn get(&self) -> (&dyn Array, bool) {
        (&self.array, self.is_scalar)
    }
}

impl Value {
    /// A value for every row.
    pub(crate) fn spread(self, rows: usize) -> Result<ArrayRef, Error> {
        if self.is_scalar {
            Ok(take(&self.array, &UInt64Array::from(vec![0; rows]), None)?)
        } else {
            Ok(self.array)
        }
    }

    /// Where the value of this row is.
    fn at(&self, row: usize) -> usize {
        if self.is_scalar { 0 } else { row }
    }

    fn integer(&self, row: usize) -> Option<i64> {
        let (array, at) = (self.array.as_primitive::<Int64Type>(), self.at(row));
        array.is_valid(at).then(|| array.value(at))
    }

    fn double(&self, row: usize) -> Option<f64> {
        let (array, at) = (self.array.as_primitive::<Float64Type>(), self.at(row));
        array.is_valid(at).then(|| array.value(at))
    }

    fn text(&self, row: usize) -> Option<&str> {
        let (array, at) = (self.array.as_string::<i32>(), self.at(row));
        array.is_valid(at).then(|| array.value(at))
    }

    /// The same function of every value.
    fn map(
        self,
        function: impl FnOnce(&ArrayRef) -> Result<ArrayRef, Error>,
    ) -> Result<Value, Error> {
        Ok(Value {
            array: function(&self.array)?,
            is_scalar: self.is_scalar,
        })
    }
}

/// An array of a function of the row; where all that it looks at are scalars, one value.
fn rowwise<A: Array + FromIterator<T> + 'static, T>(
    rows: usize,
    inputs: &[&Value],
    function: impl Fn(usize) -> T,
) -> Value {
    let is_scalar = inputs.iter().all(|input| input.is_scalar);
    let rows = if is_scalar { 1 } else { rows };
    Value {
        array: Arc::new((0..rows).map(function).collect::<A>()),
        is_scalar,
    }
}

pub(crate) fn evaluate(node: &Node, batch: Rows<'_>) -> Result<Value, Error> {
    let value = |node: &Node| evaluate(node, batch);
    let column = |array| Value {
        array,
        is_scalar: false,
    };
    let stored = |slot: usize| {
        let array = batch.columns.get(slot).cloned();
        array.ok_or_else(|| Error::Table("a column of --where is not there".into()))
    };
    let rows = batch.rows;
    Ok(match node {
        Node::Column { slot, name, kind } => column(load(&stored(*slot)?, name, *kind)?),
        Node::Raw(slot) => column(stored(*slot)?),
        Node::Literal(array) => Value {
            array: array.clone(),
            is_scalar: true,
        },
        Node::Cast(inner, kind) => value(inner)?.map(|array| convert(array, *kind))?,
        Node::Not(inner) => {
            value(inner)?.map(|array| Ok(Arc::new(boolean::not(array.as_boolean())?)))?
        }
        Node::All(nodes) => chain(nodes, batch, boolean::and_kleene)?,
        Node::Any(nodes) => chain(nodes, batch, boolean::or_kleene)?,
        Node::Compare(comparison, left, right) => {
            compare(*comparison, &value(left)?, &value(right)?)?
        }
        Node::In { subject, items } => {
            let subject = value(subject)?;
            let mut found = constant(false).spread(rows)?;
            for item in items {
                let is_item = compare(Comparison::Equal, &subject, &value(item)?)?.spread(rows)?;
                found = Arc::new(boolean::or_kleene(
                    found.as_boolean(),
                    is_item.as_boolean(),
                )?);
            }
            column(found)
        }
        Node::Between { subject, low, high } => {
            let subject = value(subject)?;
            let above = compare(Comparison::GreaterOrEqual, &subject, &value(low)?)?;
            let below = compare(Comparison::LessOrEqual, &subject, &value(high)?)?;
            let (above, below) = (above.spread(rows)?, below.spread(rows)?);
            let both = boolean::and_kleene(above.as_boolean(), below.as_boolean())?;
            column(Arc::new(both))
        }
        Node::Like {
            subject,
            pattern,
            any_case,
        } => {
            let (subject, pattern) = (value(subject)?, value(pattern)?);
            let kernel = if *any_case {
                comparison::ilike
            } else {
                comparison::like
            };
            result(kernel(&subject, &pattern)?, &[&subject, &pattern])
        }
        Node::IsNull(inner) => value(inner)?.map(|array| Ok(Arc::new(boolean::is_null(array)?)))?,
        Node::Is(inner, wanted) => {
            let inner = value(inner)?;
            compare(Comparison::NotDistinct, &inner, &constant(*wanted))?
        }
        Node::Arithmetic(operator, kind, left, right) => {
            arithmetic(*operator, *kind, rows, &value(left)?, &value(right)?)
        }
        Node::Negate(kind, inner) => {
            let inner = value(inner)?;
            match kind {
                Kind::Integer => rowwise::<Int64Array, _>(rows, &[&inner], |row| {
                    inner.integer(row).and_then(i64::checked_neg)
                }),
                _ => rowwise::<Float64Array, _>(rows, &[&inner], |row| {
                    inner.double(row).map(|value| 0.0 - value)
                }),
            }
        }
        Node::Abs(kind, inner) => {
            let inner = value(inner)?;
            match kind {
                Kind::Integer => rowwise::<Int64Array, _>(rows, &[&inner], |row| {
                    inner.integer(row).and_then(i64::checked_abs)
                }),
                _ => rowwise::<Float64Array, _>(rows, &[&inner], |row| {
                    inner.double(row).map(f64::abs)
                }),
            }
        }
        Node::Lower(inner) => {
            let inner = value(inner)?;
            rowwise::<StringArray, _>(rows, &[&inner], |row| {
                inner.text(row).map(str::to_lowercase)
            })
        }
        Node::Upper(inner) => {
            let inner = value(inner)?;
            rowwise::<StringArray, _>(rows, &[&inner], |row| {
                inner.text(row).map(str::to_uppercase)
            })
        }
        Node::Length(inner) => {
            let inner = value(inner)?;
            rowwise::<Int64Array, _>(rows, &[&inner], |row| {
                inner.text(row).map(|text| text.chars().count() as i64)
            })
        }
        Node::Substr { text, from, length } => {
            let (text, from) = (value(text)?, value(from)?);
            let length = length.as_deref().map(value).transpose()?;
            let mut inputs = vec![&text, &from];
            inputs.extend(&length);
            rowwise::<StringArray, _>(rows, &inputs, |row| {
                let length = match &length {
                    Some(length) => Some(length.integer(row)?),
                    None => None,
                };
                substr(text.text(row)?, from.integer(row)?, length)
            })
        }
        Node::Coalesce(nodes) => {
            let mut values = nodes.iter().rev();
            let Some(last) = values.next() else {
                return Err(Error::Table("nothing to choose from".into()));
            };
            let mut chosen = value(last)?.spread(rows)?;
            for node in values {
                let first = value(node)?.spread(rows)?;
                chosen = zip::zip(&boolean::is_not_null(&first)?, &first, &chosen)?;
            }
            column(chosen)
        }
    })
}

fn constant(value: bool) -> Value {
    Value {
        array: Arc::new(BooleanArray::from(vec![value])),
        is_scalar: true,
    }
}

fn result(array: BooleanArray, inputs: &[&Value]) -> Value {
    Value {
        array: Arc::new(array),
        is_scalar: inputs.iter().all(|input| input.is_scalar),
    }
}

fn chain(
    nodes: &[Node],
    batch: Rows<'_>,
    join: fn(&BooleanArray, &BooleanArray) -> Result<BooleanArray, arrow::error::ArrowError>,
) -> Result<Value, Error> {
    let mut joined: Option<ArrayRef> = None;
    for node in nodes {
        let next = evaluate(node, batch)?.spread(batch.rows)?;
        joined = Some(match joined {
            None => next,
            Some(joined) => Arc::new(join(joined.as_boolean(), next.as_boolean())?),
        });
    }
    let array = joined.ok_or_else(|| Error::Table("an empty chain of conditions".into()))?;
    Ok(Value {
        array,
        is_scalar: false,
    })
}

fn compare(comparison: Comparison, left: &Value, right: &Value) -> Result<Value, Error> {
    let kernel = match comparison {
        Comparison::Equal => cmp::eq,
        Comparison::NotEqual => cmp::neq,
        Comparison::Less => cmp::lt,
        Comparison::LessOrEqual => cmp::lt_eq,
        Comparison::Greater => cmp::gt,
        Comparison::GreaterOrEqual => cmp::gt_eq,
        Comparison::Distinct => cmp::distinct,
        Comparison::NotDistinct => cmp::not_distinct,
    };
    Ok(result(kernel(left, right)?, &[left, right]))
}

/// What has no result is null: an overflow, a division by zero.
fn arithmetic(operator: Operator, kind: Kind, rows: usize, left: &Value, right: &Value) -> Value {
    if kind == Kind::Integer {
        return rowwise::<Int64Array, _>(rows, &[left, right], |row| {
            let (left, right) = (left.integer(row)?, right.integer(row)?);
            match operator {
                Operator::Add => left.checked_add(right),
                Operator::Subtract => left.checked_sub(right),
                Operator::Multiply => left.checked_mul(right),
                Operator::Divide => left.checked_div(right),
                Operator::Remainder => left.checked_rem(right),
            }
        });
    }
    rowwise::<Float64Array, _>(rows, &[left, right], |row| {
        let (left, right) = (left.double(row)?, right.double(row)?);
        number(match operator {
            Operator::Add => left + right,
            Operator::Subtract => left - right,
            Operator::Multiply => left * right,
            Operator::Divide if right == 0.0 => return None,
            Operator::Divide => left / right,
            Operator::Remainder if right == 0.0 => return None,
            Operator::Remainder => left % right,
        })
    })
}

/// What is not a number is null; and there is one zero, so that equal numbers compare as equal.
pub(crate) fn number(value: f64) -> Option<f64> {
    (!value.is_nan()).then_some(value + 0.0)
}

/// As in the standard: characters count from 1, and a start before them takes from the length.
fn substr(text: &str, from: i64, length: Option<i64>) -> Option<String> {
    let end = match length {
        Some(length) if length < 0 => return None,
        Some(length) => from.saturating_add(length),
        None => i64::MAX,
    };
    let skipped = usize::try_from(from.max(1) - 1).unwrap_or(usize::MAX);
    let taken = usize::try_from(end.saturating_sub(from.max(1))).unwrap_or(0);
    Some(text.chars().skip(skipped).take(taken).collect())
}

/// A column as one of the kinds.
fn load(array: &ArrayRef, name: &str, kind: Kind) -> Result<ArrayRef, Error> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    let too_large = |_| {
        let column = name.to_owned();
        FilterError::from(Problem::TooLarge { column })
    };
    match kind {
        Kind::Integer => {
            Ok(cast_with_options(array, &kind.data_type(), &options).map_err(too_large)?)
        }
        kind => convert(array, kind),
    }
}

/// The values as another kind; those that cannot be are null.
fn convert(array: &ArrayRef, kind: Kind) -> Result<ArrayRef, Error> {
    let is_text = Kind::of(array.data_type()) == Some(Kind::Text);
    Ok(match kind {
        Kind::Integer if is_text => {
            let texts = cast(array, &Kind::Text.data_type())?;
            let numbers = texts.as_string::<i32>().iter();
            Arc::new(
                numbers
                    .map(|text| text?.trim().parse().ok())
                    .collect::<Int64Array>(),
            )
        }
        Kind::Double => {
            let numbers: Float64Array = if is_text {
                let texts = cast(array, &Kind::Text.data_type())?;
                let numbers = texts.as_string::<i32>().iter();
                numbers.map(|text| text?.trim().parse().ok()).collect()
            } else {
                cast(array, &kind.data_type())?.as_primitive().clone()
            };
            Arc::new(
                numbers
                    .iter()
                    .map(|value| number(value?))
                    .collect::<Float64Array>(),
            )
        }
        Kind::Text if array.data_type().is_temporal() => Arc::new(texts(array)?),
        kind => cast(array, &kind.data_type())?,
    })
}

/// Dates and times as text; those that have none are null.
fn texts(array: &ArrayRef) -> Result<StringArray, Error> {
    let options = FormatOptions::default().with_display_error(false);
    let values = ArrayFormatter::try_new(array, &options)?;
    let valid = (0..array.len()).map(|row| array.is_valid(row).then(|| values.value(row)));
    Ok(valid.map(|value| value?.try_to_string().ok()).collect())
}
