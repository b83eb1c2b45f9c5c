//! Decides whether readers can read values of one type as another type, as they do for the parts of one table.

use arrow::datatypes::DataType;

use crate::carry::cast::list_item;
use crate::carry::common_type::common_type;

/// Whether a column of the type `narrow` can be read as one of the type `wide` without loss, by a conversion that
/// readers of tables make themselves: a wider number, a finer time, an empty column. A number is not read as a text.
pub(crate) fn is_readable_as(narrow: &DataType, wide: &DataType) -> bool {
    use DataType::{Dictionary, Map, Struct};
    match (narrow, wide) {
        _ if narrow == wide => true,
        (DataType::Null, _) => true,
        (Dictionary(_, one), Dictionary(_, other)) => is_readable_as(one, other),
        (Dictionary(_, values), other) | (other, Dictionary(_, values)) => {
            is_readable_as(values, other)
        }
        (Struct(one), Struct(other)) => one.iter().all(|field| {
            let same_name = other.iter().find(|wider| wider.name() == field.name());
            same_name.is_some_and(|wider| is_readable_as(field.data_type(), wider.data_type()))
        }),
        (Map(one, _), Map(other, _)) => is_readable_as(one.data_type(), other.data_type()),
        _ if list_item(narrow).is_some() && list_item(wide).is_some() => {
            let items = list_item(narrow).zip(list_item(wide));
            items.is_some_and(|(one, other)| is_readable_as(one.data_type(), other.data_type()))
        }
        _ if narrow.is_nested() || wide.is_nested() => false,
        _ if is_text(narrow) || is_text(wide) => is_text(narrow) && is_text(wide),
        _ => common_type(narrow, wide).is_some_and(|common| common == *wide),
    }
}

fn is_text(data_type: &DataType) -> bool {
    use DataType::{LargeUtf8, Utf8, Utf8View};
    matches!(data_type, Utf8 | LargeUtf8 | Utf8View)
}

/// Whether readers can read both types as one column, because one of them is [readable](is_readable_as) as the other.
/// The arguments are the names that Arrow prints for the types. A name that cannot be parsed only fits itself.
pub(crate) fn fit_together(one: &str, other: &str) -> bool {
    one == other || wider(one, other).is_some()
}

/// The wider of two types, as which columns of both types can be read. `None` if there is none.
pub(crate) fn wider<'a>(one: &'a str, other: &'a str) -> Option<&'a str> {
    let (Ok(first), Ok(second)) = (one.parse::<DataType>(), other.parse::<DataType>()) else {
        return (one == other).then_some(one);
    };
    if is_readable_as(&first, &second) {
        return Some(other);
    }
    is_readable_as(&second, &first).then_some(one)
}

#[cfg(test)]
mod tests {
    use arrow::datatypes::TimeUnit;

    use super::*;

    #[test]
    fn a_wider_type_can_hold_a_narrower_one() {
        use DataType::{
            Boolean, Date32, Decimal128, Dictionary, Float32, Float64, Int32, Int64, LargeUtf8,
            Null, Timestamp, UInt64, Utf8,
        };
        let list = |item: DataType| DataType::new_list(item, true);
        let dictionary = Dictionary(Box::new(Int32), Box::new(Utf8));
        for (narrow, wide, fits) in [
            (Int32, Int64, true),
            (Int64, Int32, false),
            (Int64, Float64, true),
            (Float32, Float64, true),
            (Float64, Int64, false),
            (Int64, UInt64, false),
            (Int64, Decimal128(20, 0), true),
            (Date32, Timestamp(TimeUnit::Second, None), true),
            (Null, list(Int64), true),
            (Int64, Utf8, false),
            (Boolean, Utf8, false),
            (Utf8, LargeUtf8, true),
            (dictionary.clone(), Utf8, true),
            (Utf8, dictionary, true),
            (list(Int32), list(Int64), true),
            (list(Int64), list(Utf8), false),
            (list(Int64), Utf8, false),
        ] {
            assert_eq!(is_readable_as(&narrow, &wide), fits, "{narrow} as {wide}");
        }
        assert!(fit_together("Float64", "Int64") && !fit_together("Utf8", "Int64"));
        assert!(fit_together("no type", "no type") && !fit_together("no type", "Int64"));
        assert_eq!(wider("Float64", "Int64"), Some("Float64"));
    }
}
