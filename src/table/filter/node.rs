//! The tree of typed nodes to which a condition is parsed.

use arrow::array::{ArrayRef, BooleanArray, Datum};
use arrow::error::ArrowError;

use super::like::LongPattern;
use super::types::SqlType;

/// A typed expression, whose operands have the types that the operation requires.
#[derive(Debug)]
pub(super) struct ConditionNode {
    /// The position in the text of the condition, in bytes.
    pub(super) position: usize,
    pub(super) value_type: SqlType,
    /// Whether the evaluation can fail for a row. If so, the node must not be evaluated for rows whose result other
    /// operands determine.
    pub(super) can_fail: bool,
    /// The number of nested nodes, including this one.
    pub(super) depth: usize,
    pub(super) operation: Operation,
    pub(super) operands: Vec<ConditionNode>,
}

/// The operation that a node applies to its operands.
#[derive(Clone, Debug)]
pub(super) enum Operation {
    /// A column. The field is its index in `Filter::columns`.
    Column(usize),
    /// A constant. The field is an array of one value.
    Constant(ArrayRef),
    Cast,
    /// A cast that gives null for values that cannot be converted.
    TryCast,
    Not,
    And,
    /// An `and` that may return false instead of null. When rows are filtered, both mean that the row is removed.
    AndTrue,
    Or,
    /// Compares the first operand with each of the others. There is one kernel per comparison, and all
    /// comparisons must be true.
    Compare(Vec<ComparisonKernel>),
    /// Whether the first operand equals any of the others.
    In,
    /// A pattern for Arrow's `like` kernel.
    Like(String),
    /// A pattern that is too long for Arrow's `like` kernel.
    LikeLong(LongPattern),
    IsNull,
    Arithmetic(Operator),
    Negate,
    Lower,
    Length,
    /// The first operand that is not null.
    Coalesce,
}

/// One of Arrow's comparison kernels in `cmp`.
pub(super) type ComparisonKernel = fn(&dyn Datum, &dyn Datum) -> Result<BooleanArray, ArrowError>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    /// `/`
    Divide,
    /// `//`
    DivideWhole,
    /// `%`
    Remainder,
}

impl ConditionNode {
    /// Converts the node to the condition of a row filter, for which false and null mean the same.
    pub(super) fn into_filter(mut self) -> ConditionNode {
        if matches!(self.operation, Operation::And | Operation::Or) {
            self.operands = self
                .operands
                .into_iter()
                .map(ConditionNode::into_filter)
                .collect();
        }
        if matches!(self.operation, Operation::And) {
            self.operation = Operation::AndTrue;
        }
        self
    }
}
