//! Groups the rows of a batch by the values of a column.

use std::collections::HashMap;

use arrow::array::{Array, AsArray};
use serde_json::{Value, json};

use crate::report::statistics::{Breakdown, BreakdownGroup, MOST_GROUPS};
use crate::report::tables::values::{
    TextColumn, display_value, float_json, integer_json, is_time_type, to_floats, to_integers,
};

/// The groups of a batch's rows: rows with the same value in a column are one group.
pub(crate) struct ValueGroups {
    group_values: Vec<Value>,
    group_by_row: Vec<u32>,
}

/// Makes a group of the rows with each key. Groups are numbered in the order of their first rows. `None` if there are
/// more than [`MOST_GROUPS`] groups.
fn from_keys<K: std::hash::Hash + Eq + Copy>(
    keys: impl Iterator<Item = Option<K>>,
    value: impl Fn(usize, K) -> Value,
) -> Option<ValueGroups> {
    let mut group_number_by_key: HashMap<Option<K>, u32> = HashMap::new();
    let mut groups = ValueGroups {
        group_values: Vec::new(),
        group_by_row: Vec::new(),
    };
    let mut last_key: Option<(Option<K>, u32)> = None;
    for (row, key) in keys.enumerate() {
        let group_number = match last_key {
            Some((known, group_number)) if known == key => group_number,
            _ => *group_number_by_key.entry(key).or_insert_with(|| {
                groups
                    .group_values
                    .push(key.map_or(Value::Null, |key| value(row, key)));
                (groups.group_values.len() - 1) as u32
            }),
        };
        last_key = Some((key, group_number));
        groups.group_by_row.push(group_number);
        if groups.group_values.len() > MOST_GROUPS {
            return None;
        }
    }
    Some(groups)
}

impl ValueGroups {
    /// Groups the rows of a batch by their values in `column`. Returns `None` if there are more than [`MOST_GROUPS`]
    /// values, or if the type of the column has no order.
    pub(crate) fn from_column(column: &dyn Array) -> Option<ValueGroups> {
        if let Some(texts) = TextColumn::from_column(column) {
            let text_keys = (0..column.len()).map(|row| texts.text_in_row(row));
            return from_keys(text_keys, |_, text| json!(text));
        }
        if let Some(values) = to_integers(column) {
            return from_keys(values.into_iter(), |_, value| integer_json(value));
        }
        if let Some(values) = to_floats(column) {
            let bit_keys = values.iter().map(|value| value.map(f64::to_bits));
            return from_keys(bit_keys, |_, bits| float_json(f64::from_bits(bits)));
        }
        if let Some(values) = column.as_boolean_opt() {
            return from_keys(values.iter(), |_, value| json!(value));
        }
        if !ValueGroups::can_group(column.data_type()) {
            return None;
        }
        let texts: Vec<Option<String>> = (0..column.len())
            .map(|row| {
                column
                    .is_valid(row)
                    .then(|| display_value(column, row))
                    .flatten()
            })
            .collect();
        let is_number = column.data_type().is_decimal();
        let text_keys = texts.iter().map(Option::as_deref);
        from_keys(text_keys, |_, text| match text.parse::<f64>() {
            Ok(number) if is_number => float_json(number),
            _ => json!(text),
        })
    }

    /// Whether rows can be grouped by values of this type.
    pub(crate) fn can_group(data_type: &arrow::datatypes::DataType) -> bool {
        TextColumn::is_text_type(data_type)
            || data_type.is_numeric()
            || *data_type == arrow::datatypes::DataType::Boolean
            || *data_type == arrow::datatypes::DataType::Null
            || is_time_type(data_type)
    }

    /// The index of the group that a row belongs to.
    pub(crate) fn group_index(&self, row: usize) -> usize {
        self.group_by_row[row] as usize
    }

    /// For each value, an empty group: no rows have been counted.
    pub(crate) fn empty_groups(&self) -> Vec<BreakdownGroup> {
        let group = |value: &Value| BreakdownGroup {
            value: value.clone(),
            ..BreakdownGroup::default()
        };
        self.group_values.iter().map(group).collect()
    }

    /// Makes the statistics of rows grouped by this column, from groups whose rows have been counted.
    pub(crate) fn into_breakdown(self, column: String, groups: Vec<BreakdownGroup>) -> Breakdown {
        let mut breakdown = Breakdown { column, groups };
        breakdown.sort();
        breakdown
    }
}
