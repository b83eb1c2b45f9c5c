use arrow::array::{ArrayRef, BooleanArray, Datum};
use arrow::error::ArrowError;

use super::types::Type;

/// An expression with its types settled: the operands of a node have the types that it needs.
#[derive(Debug)]
pub(super) struct Node {
    /// The byte of the text where it stands.
    pub(super) at: usize,
    pub(super) ty: Type,
    /// Whether rows can be an error, so that it must not see rows that are decided without it.
    pub(super) can_fail: bool,
    /// How many nodes stand above each other in it.
    pub(super) depth: usize,
    pub(super) kind: Kind,
    pub(super) operands: Vec<Node>,
}

/// What becomes of a node's operands.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// By its place among the columns that the condition looks at.
    Column(usize),
    /// An array of one value.
    Constant(ArrayRef),
    Cast,
    /// What cannot be cast is null.
    TryCast,
    Not,
    And,
    /// `and` whose result may be false instead of null, as that of the whole condition.
    AndTrue,
    Or,
    /// The first operand with each of the others, by these kernels.
    Compare(Vec<Comparison>),
    /// The first operand is one of the others.
    In,
    /// With a pattern for Arrow's kernel.
    Like(String),
    IsNull,
    Arithmetic(Operator),
    Negate,
    Lower,
    Length,
    /// The first that is not null.
    Coalesce,
}

/// One of Arrow's kernels in `cmp`.
pub(super) type Comparison = fn(&dyn Datum, &dyn Datum) -> Result<BooleanArray, ArrowError>;

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

impl Node {
    /// The condition of a row filter, which does not tell false from null.
    pub(super) fn into_filter(mut self) -> Node {
        if matches!(self.kind, Kind::And | Kind::Or) {
            self.operands = self.operands.into_iter().map(Node::into_filter).collect();
        }
        if matches!(self.kind, Kind::And) {
            self.kind = Kind::AndTrue;
        }
        self
    }
}
