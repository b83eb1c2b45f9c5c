use arrow::array::ArrayRef;

use crate::table::filter::kind::Kind;

/// An expression with its types settled: whatever stands in a node has the type that it needs.
#[derive(Debug)]
pub(crate) enum Node {
    /// A column, by its place among those that are looked at, as this kind.
    Column {
        slot: usize,
        name: String,
        kind: Kind,
    },
    /// A column as it is: for nothing but casts and tests for null.
    Raw(usize),
    /// One value.
    Literal(ArrayRef),
    Cast(Box<Node>, Kind),
    Not(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
    Compare(Comparison, Box<Node>, Box<Node>),
    In {
        subject: Box<Node>,
        items: Vec<Node>,
    },
    Between {
        subject: Box<Node>,
        low: Box<Node>,
        high: Box<Node>,
    },
    Like {
        subject: Box<Node>,
        pattern: Box<Node>,
        any_case: bool,
    },
    IsNull(Box<Node>),
    /// `is true`, `is false`: never null.
    Is(Box<Node>, bool),
    /// Both of this kind, [`Kind::Integer`] or [`Kind::Double`]; division is always of doubles.
    Arithmetic(Operator, Kind, Box<Node>, Box<Node>),
    Negate(Kind, Box<Node>),
    Abs(Kind, Box<Node>),
    Lower(Box<Node>),
    Upper(Box<Node>),
    Length(Box<Node>),
    Substr {
        text: Box<Node>,
        from: Box<Node>,
        length: Option<Box<Node>>,
    },
    /// The first that is not null.
    Coalesce(Vec<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `is distinct from`: null is a value like others.
    Distinct,
    NotDistinct,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
