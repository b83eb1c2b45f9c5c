use arrow::datatypes::DataType;
use sqlparser::ast;

/// The types that expressions calculate with. The tables' many types are brought to these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Boolean,
    /// 64 bits with a sign.
    Integer,
    Double,
    Text,
}

impl Kind {
    /// What a column of this type is calculated with as; `None` where it has to be cast.
    pub(crate) fn of(data_type: &DataType) -> Option<Kind> {
        match data_type {
            DataType::Boolean => Some(Kind::Boolean),
            number if number.is_integer() => Some(Kind::Integer),
            number if number.is_numeric() => Some(Kind::Double),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(Kind::Text),
            DataType::Dictionary(_, values) => Kind::of(values),
            _ => None,
        }
    }

    /// The type that SQL calls by this name.
    pub(crate) fn named(data_type: &ast::DataType) -> Option<Kind> {
        use ast::DataType as T;
        match data_type {
            T::Bool | T::Boolean => Some(Kind::Boolean),
            T::TinyInt(_)
            | T::SmallInt(_)
            | T::MediumInt(_)
            | T::Int(_)
            | T::Int2(_)
            | T::Int4(_)
            | T::Int8(_)
            | T::Int16
            | T::Int32
            | T::Int64
            | T::Integer(_)
            | T::BigInt(_) => Some(Kind::Integer),
            T::Numeric(ast::ExactNumberInfo::None)
            | T::Decimal(ast::ExactNumberInfo::None)
            | T::Float(_)
            | T::Float4
            | T::Float8
            | T::Float32
            | T::Float64
            | T::Real
            | T::Double(_)
            | T::DoublePrecision => Some(Kind::Double),
            T::Text | T::String(None) | T::Varchar(None) | T::CharacterVarying(None) => {
                Some(Kind::Text)
            }
            _ => None,
        }
    }

    pub(crate) fn data_type(self) -> DataType {
        match self {
            Kind::Boolean => DataType::Boolean,
            Kind::Integer => DataType::Int64,
            Kind::Double => DataType::Float64,
            Kind::Text => DataType::Utf8,
        }
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Kind::Integer | Kind::Double)
    }

    /// In messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "true or false",
            Kind::Integer | Kind::Double => "a number",
            Kind::Text => "text",
        }
    }

    /// In casts.
    pub(crate) fn sql(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Integer => "integer",
            Kind::Double => "double",
            Kind::Text => "varchar",
        }
    }
}
