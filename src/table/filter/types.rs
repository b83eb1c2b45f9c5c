//! DuckDB's types, and the common types of operands.

use std::fmt;

use arrow::datatypes::{DataType, TimeUnit};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// The literal `null`.
    Null,
    Boolean,
    /// An integer of 8 to 64 bits, or of 128 bits (HUGEINT).
    Integer {
        signed: bool,
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
        nanos: bool,
        /// Whether the timestamp has a time zone, and is a time in UTC.
        zone: bool,
    },
    /// Any other type. Its columns can only be tested for null.
    Other,
}

pub(super) const INTEGER: Type = integer(true, 32);
pub(super) const BIGINT: Type = integer(true, 64);
pub(super) const HUGEINT: Type = integer(true, 128);

const fn integer(signed: bool, bits: u8) -> Type {
    Type::Integer { signed, bits }
}

const fn timestamp(nanos: bool, zone: bool) -> Type {
    Type::Timestamp { nanos, zone }
}

impl Type {
    /// The type with this SQL name; `None` for an unknown name. Decimals are parsed elsewhere because they
    /// have arguments.
    pub(super) fn named(name: &str) -> Option<Type> {
        Some(match name.to_ascii_lowercase().as_str() {
            "boolean" | "bool" => Type::Boolean,
            "tinyint" | "int1" => integer(true, 8),
            "smallint" | "int2" | "int16" | "short" => integer(true, 16),
            "integer" | "int" | "int4" | "int32" => INTEGER,
            "bigint" | "int8" | "int64" | "long" => BIGINT,
            "hugeint" | "int128" => HUGEINT,
            "utinyint" | "uint8" => integer(false, 8),
            "usmallint" | "uint16" => integer(false, 16),
            "uinteger" | "uint32" => integer(false, 32),
            "ubigint" | "uint64" => integer(false, 64),
            "float" | "float4" | "real" => Type::Float,
            "double" | "float8" => Type::Double,
            "varchar" | "text" | "string" => Type::Text,
            "date" => Type::Date,
            "timestamp" | "datetime" => timestamp(false, false),
            "timestamptz" => timestamp(false, true),
            _ => return None,
        })
    }

    /// The type in which DuckDB reads a column of this Arrow type.
    pub(super) fn from_arrow(data_type: &DataType) -> Type {
        match data_type {
            DataType::Null => Type::Null,
            DataType::Boolean => Type::Boolean,
            ty if ty.is_integer() => {
                let bits = ty
                    .primitive_width()
                    .and_then(|bytes| u8::try_from(8 * bytes).ok());
                bits.map_or(Type::Other, |bits| integer(ty.is_signed_integer(), bits))
            }
            DataType::Float16 | DataType::Float32 => Type::Float,
            DataType::Float64 => Type::Double,
            DataType::Decimal32(digits, scale)
            | DataType::Decimal64(digits, scale)
            | DataType::Decimal128(digits, scale) => match u8::try_from(*scale) {
                Ok(scale) if scale <= *digits => Type::Decimal {
                    digits: *digits,
                    scale,
                },
                _ => Type::Other,
            },
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Type::Text,
            DataType::Date32 | DataType::Date64 => Type::Date,
            DataType::Timestamp(unit, zone) => {
                timestamp(*unit == TimeUnit::Nanosecond, zone.is_some())
            }
            DataType::Dictionary(_, values) => Type::from_arrow(values),
            _ => Type::Other,
        }
    }

    /// The Arrow type that is used for calculations. 128-bit integers are used for integers, for the digits
    /// of decimals, and for dates and timestamps, which are nanoseconds since 1970.
    pub(super) fn arrow(self) -> DataType {
        match self {
            Type::Null | Type::Other => DataType::Null,
            Type::Boolean => DataType::Boolean,
            Type::Float | Type::Double => DataType::Float64,
            Type::Text => DataType::Utf8,
            _ => DataType::Decimal128(38, 0),
        }
    }

    pub(super) fn is_number(self) -> bool {
        self.is_exact() || self.is_float()
    }

    /// Whether the type is an integer or a decimal.
    pub(super) fn is_exact(self) -> bool {
        matches!(self, Type::Integer { .. } | Type::Decimal { .. })
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, Type::Float | Type::Double)
    }

    fn is_time(self) -> bool {
        matches!(self, Type::Date | Type::Timestamp { .. })
    }

    /// The total number of digits and the number of fractional digits of the decimal that can hold every
    /// value of this type.
    pub(super) fn digits(self) -> (u8, u8) {
        match self {
            Type::Decimal { digits, scale } => (digits, scale),
            Type::Integer { bits: 8, .. } => (3, 0),
            Type::Integer { bits: 16, .. } => (5, 0),
            Type::Integer { bits: 32, .. } => (10, 0),
            Type::Integer { bits: 64, signed } => (20 - u8::from(signed), 0),
            _ => (38, 0),
        }
    }

    /// Whether the type can hold an exact number, given as its value times 10^scale.
    pub(super) fn holds(self, value: i128) -> bool {
        match self {
            Type::Decimal { digits, .. } => value.unsigned_abs() < 10_u128.pow(u32::from(digits)),
            Type::Integer { bits: 128, .. } => true,
            Type::Integer { signed: true, bits } => (value >> (bits - 1)) == value >> 127,
            Type::Integer { bits, .. } => value >> bits == 0,
            _ => false,
        }
    }

    /// Whether the other type can hold every value of this type.
    pub(super) fn fits(self, other: Type) -> bool {
        match (self, other) {
            (
                Type::Integer { signed, bits },
                Type::Integer {
                    signed: other,
                    bits: most,
                },
            ) => {
                if signed == other {
                    bits <= most
                } else {
                    other && bits < most
                }
            }
            (Type::Null | Type::Boolean, _) | (_, Type::Text) => true,
            (from, to) => from == to || from.is_time() || to.is_float() && from != Type::Text,
        }
    }

    /// The type in which values of both types are compared; `None` if DuckDB requires or guesses a cast.
    pub(super) fn common(self, other: Type) -> Option<Type> {
        use Type::{Date, Decimal, Double, Float, Integer, Null, Other, Timestamp};
        Some(match (self, other) {
            (Other, _) | (_, Other) => return None,
            (one, two) if one == two => one,
            (Null, known) | (known, Null) => known,
            (Double, number) | (number, Double) if number.is_number() => Double,
            (Float, number) | (number, Float) if number.is_number() => Float,
            (Integer { .. }, Integer { .. }) => self.common_integer(other, false),
            (one, two) if one.is_exact() && two.is_exact() => {
                let ((a, b), (c, d)) = (one.digits(), two.digits());
                let (whole, scale) = ((a - b).max(c - d), b.max(d));
                let digits = (whole + scale).min(38);
                Decimal { digits, scale }
            }
            (Date, moment @ Timestamp { .. }) | (moment @ Timestamp { .. }, Date) => moment,
            (
                Timestamp { nanos, zone },
                Timestamp {
                    nanos: other,
                    zone: others,
                },
            ) => timestamp(nanos || other, zone || others),
            _ => return None,
        })
    }

    /// The common type of two integers. For a signed and an unsigned integer, the type of a sum
    /// differs from the type of a comparison.
    pub(super) fn common_integer(self, other: Type, is_sum: bool) -> Type {
        let (Type::Integer { signed: a, .. }, Type::Integer { signed: b, bits }) = (self, other)
        else {
            return self;
        };
        if other.fits(self) {
            self
        } else if self.fits(other) {
            other
        } else if a && !b {
            match bits {
                64 => HUGEINT,
                _ if is_sum => BIGINT,
                bits => integer(true, 2 * bits),
            }
        } else {
            other.common_integer(self, is_sum)
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Type::Null => "null",
            Type::Boolean => "boolean",
            Type::Decimal { digits, scale } => return write!(f, "decimal({digits},{scale})"),
            Type::Integer { signed, bits } => {
                let names = ["tinyint", "smallint", "integer", "bigint", "hugeint"];
                let name = names[usize::try_from(bits.ilog2() - 3).unwrap_or(4)];
                return write!(f, "{}{name}", if *signed { "" } else { "u" });
            }
            Type::Float => "float",
            Type::Double => "double",
            Type::Text => "varchar",
            Type::Date => "date",
            Type::Timestamp { zone: false, .. } => "timestamp",
            Type::Timestamp { zone: true, .. } => "timestamptz",
            Type::Other => "a column of another type",
        };
        f.write_str(name)
    }
}
