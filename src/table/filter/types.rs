//! The SQL types of conditions, which are those of DuckDB, and the common type of two operands.

use std::fmt;

use arrow::datatypes::{DataType, TimeUnit};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SqlType {
    /// The literal `null`.
    Null,
    Boolean,
    /// An integer of 8 to 64 bits, or of 128 bits (HUGEINT).
    Integer {
        is_signed: bool,
        bits: u8,
    },
    /// A number with at most 38 digits, of which `scale` are fractional.
    Decimal {
        digits: u8,
        scale: u8,
    },
    /// A 32-bit float.
    Float,
    Double,
    Text,
    Date,
    Timestamp {
        /// Whether the unit is nanoseconds; otherwise it is microseconds.
        is_nanoseconds: bool,
        /// Whether the timestamp has a time zone. Its value is then a time in UTC.
        has_zone: bool,
    },
    /// Any other type. A column of such a type can only be tested with `is null`.
    Other,
}

pub(super) const INTEGER: SqlType = integer_type(true, 32);
pub(super) const BIGINT: SqlType = integer_type(true, 64);
pub(super) const HUGEINT: SqlType = integer_type(true, 128);

const fn integer_type(signed: bool, bits: u8) -> SqlType {
    SqlType::Integer {
        is_signed: signed,
        bits,
    }
}

const fn timestamp_type(nanos: bool, zone: bool) -> SqlType {
    SqlType::Timestamp {
        is_nanoseconds: nanos,
        has_zone: zone,
    }
}

impl SqlType {
    /// The type with this SQL name; `None` for an unknown name. Decimal types have arguments, and are parsed
    /// elsewhere.
    pub(super) fn from_name(name: &str) -> Option<SqlType> {
        Some(match name.to_ascii_lowercase().as_str() {
            "boolean" | "bool" => SqlType::Boolean,
            "tinyint" | "int1" => integer_type(true, 8),
            "smallint" | "int2" | "int16" | "short" => integer_type(true, 16),
            "integer" | "int" | "int4" | "int32" => INTEGER,
            "bigint" | "int8" | "int64" | "long" => BIGINT,
            "hugeint" | "int128" => HUGEINT,
            "utinyint" | "uint8" => integer_type(false, 8),
            "usmallint" | "uint16" => integer_type(false, 16),
            "uinteger" | "uint32" => integer_type(false, 32),
            "ubigint" | "uint64" => integer_type(false, 64),
            "float" | "float4" | "real" => SqlType::Float,
            "double" | "float8" => SqlType::Double,
            "varchar" | "text" | "string" => SqlType::Text,
            "date" => SqlType::Date,
            "timestamp" | "datetime" => timestamp_type(false, false),
            "timestamptz" => timestamp_type(false, true),
            _ => return None,
        })
    }

    /// The type in which DuckDB reads a column of this Arrow type.
    pub(super) fn from_arrow(data_type: &DataType) -> SqlType {
        match data_type {
            DataType::Null => SqlType::Null,
            DataType::Boolean => SqlType::Boolean,
            ty if ty.is_integer() => {
                let bits = ty
                    .primitive_width()
                    .and_then(|bytes| u8::try_from(8 * bytes).ok());
                bits.map_or(SqlType::Other, |bits| {
                    integer_type(ty.is_signed_integer(), bits)
                })
            }
            DataType::Float16 | DataType::Float32 => SqlType::Float,
            DataType::Float64 => SqlType::Double,
            DataType::Decimal32(digits, scale)
            | DataType::Decimal64(digits, scale)
            | DataType::Decimal128(digits, scale) => match u8::try_from(*scale) {
                Ok(scale) if scale <= *digits => SqlType::Decimal {
                    digits: *digits,
                    scale,
                },
                _ => SqlType::Other,
            },
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => SqlType::Text,
            DataType::Date32 | DataType::Date64 => SqlType::Date,
            DataType::Timestamp(unit, zone) => {
                timestamp_type(*unit == TimeUnit::Nanosecond, zone.is_some())
            }
            DataType::Dictionary(_, values) => SqlType::from_arrow(values),
            _ => SqlType::Other,
        }
    }

    /// The Arrow type with which conditions calculate. It is a 128-bit decimal for integers, decimals, dates and
    /// timestamps. Dates and timestamps are nanoseconds since 1970.
    pub(super) fn to_arrow(self) -> DataType {
        match self {
            SqlType::Null | SqlType::Other => DataType::Null,
            SqlType::Boolean => DataType::Boolean,
            SqlType::Float | SqlType::Double => DataType::Float64,
            SqlType::Text => DataType::Utf8,
            _ => DataType::Decimal128(38, 0),
        }
    }

    pub(super) fn is_number(self) -> bool {
        self.is_exact() || self.is_float()
    }

    /// Whether the type is an integer or a decimal.
    pub(super) fn is_exact(self) -> bool {
        matches!(self, SqlType::Integer { .. } | SqlType::Decimal { .. })
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, SqlType::Float | SqlType::Double)
    }

    fn is_time(self) -> bool {
        matches!(self, SqlType::Date | SqlType::Timestamp { .. })
    }

    /// The total number of digits and the number of fractional digits of the decimal that can hold every
    /// value of this type.
    pub(super) fn decimal_digits(self) -> (u8, u8) {
        match self {
            SqlType::Decimal { digits, scale } => (digits, scale),
            SqlType::Integer { bits: 8, .. } => (3, 0),
            SqlType::Integer { bits: 16, .. } => (5, 0),
            SqlType::Integer { bits: 32, .. } => (10, 0),
            SqlType::Integer {
                bits: 64,
                is_signed: signed,
            } => (20 - u8::from(signed), 0),
            _ => (38, 0),
        }
    }

    /// Whether the type can hold an exact number. `value` is the number times 10^scale.
    pub(super) fn can_hold(self, value: i128) -> bool {
        match self {
            SqlType::Decimal { digits, .. } => {
                value.unsigned_abs() < 10_u128.pow(u32::from(digits))
            }
            SqlType::Integer { bits: 128, .. } => true,
            SqlType::Integer {
                is_signed: true,
                bits,
            } => (value >> (bits - 1)) == value >> 127,
            SqlType::Integer { bits, .. } => value >> bits == 0,
            _ => false,
        }
    }

    /// Whether all values of this type are also values of the type `other`.
    pub(super) fn is_within(self, other: SqlType) -> bool {
        match (self, other) {
            (
                SqlType::Integer {
                    is_signed: signed,
                    bits,
                },
                SqlType::Integer {
                    is_signed: other,
                    bits: most,
                },
            ) => {
                if signed == other {
                    bits <= most
                } else {
                    other && bits < most
                }
            }
            (SqlType::Null | SqlType::Boolean, _) | (_, SqlType::Text) => true,
            (from, to) => from == to || from.is_time() || to.is_float() && from != SqlType::Text,
        }
    }

    /// The type in which values of both types are compared. `None` if DuckDB requires an explicit cast, or
    /// guesses one.
    pub(super) fn common_type(self, other: SqlType) -> Option<SqlType> {
        use SqlType::{Date, Decimal, Double, Float, Integer, Null, Other, Timestamp};
        Some(match (self, other) {
            (Other, _) | (_, Other) => return None,
            (one, two) if one == two => one,
            (Null, known) | (known, Null) => known,
            (Double, number) | (number, Double) if number.is_number() => Double,
            (Float, number) | (number, Float) if number.is_number() => Float,
            (Integer { .. }, Integer { .. }) => self.common_integer(other, false),
            (one, two) if one.is_exact() && two.is_exact() => {
                let ((a, b), (c, d)) = (one.decimal_digits(), two.decimal_digits());
                let (whole, scale) = ((a - b).max(c - d), b.max(d));
                let digits = (whole + scale).min(38);
                Decimal { digits, scale }
            }
            (Date, moment @ Timestamp { .. }) | (moment @ Timestamp { .. }, Date) => moment,
            (
                Timestamp {
                    is_nanoseconds: nanos,
                    has_zone: zone,
                },
                Timestamp {
                    is_nanoseconds: other,
                    has_zone: others,
                },
            ) => timestamp_type(nanos || other, zone || others),
            _ => return None,
        })
    }

    /// The common type of two integers. For a signed and an unsigned integer, the type of a sum differs from
    /// the type for a comparison.
    pub(super) fn common_integer(self, other: SqlType, is_sum: bool) -> SqlType {
        let (SqlType::Integer { is_signed: a, .. }, SqlType::Integer { is_signed: b, bits }) =
            (self, other)
        else {
            return self;
        };
        if other.is_within(self) {
            self
        } else if self.is_within(other) {
            other
        } else if a && !b {
            match bits {
                64 => HUGEINT,
                _ if is_sum => BIGINT,
                bits => integer_type(true, 2 * bits),
            }
        } else {
            other.common_integer(self, is_sum)
        }
    }
}

impl fmt::Display for SqlType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            SqlType::Null => "null",
            SqlType::Boolean => "boolean",
            SqlType::Decimal { digits, scale } => return write!(f, "decimal({digits},{scale})"),
            SqlType::Integer {
                is_signed: signed,
                bits,
            } => {
                let names = ["tinyint", "smallint", "integer", "bigint", "hugeint"];
                let name = names[usize::try_from(bits.ilog2() - 3).unwrap_or(4)];
                return write!(f, "{}{name}", if *signed { "" } else { "u" });
            }
            SqlType::Float => "float",
            SqlType::Double => "double",
            SqlType::Text => "varchar",
            SqlType::Date => "date",
            SqlType::Timestamp {
                has_zone: false, ..
            } => "timestamp",
            SqlType::Timestamp { has_zone: true, .. } => "timestamptz",
            SqlType::Other => "a column of another type",
        };
        f.write_str(name)
    }
}
