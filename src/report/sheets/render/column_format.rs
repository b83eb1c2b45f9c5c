//! Writes the values of a sheet as text. The numbers of a column have the same number of decimals.

use serde_json::Value;

use super::super::sheet::Sheet;
use crate::numbers::thousands;

/// How the values of a column are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnFormat {
    /// Fractions, which are written as percentages.
    Percentages,
    /// Numbers with this many decimals. Numbers that are stored as integers are counts, which have no decimals.
    Numbers { decimals: usize },
}

impl ColumnFormat {
    /// The format of a column with this name and these values.
    pub(crate) fn new<'v>(
        column: &str,
        values: impl IntoIterator<Item = &'v Value>,
    ) -> ColumnFormat {
        if column.ends_with("share") {
            return ColumnFormat::Percentages;
        }
        let fractions = values.into_iter().filter(|value| value.is_f64());
        ColumnFormat::Numbers {
            decimals: decimals_of(fractions.filter_map(Value::as_f64)),
        }
    }

    /// The formats of the columns of a table.
    pub(crate) fn of_columns(columns: &[String], rows: &[Vec<Value>]) -> Vec<ColumnFormat> {
        let format = |(at, column): (usize, &String)| {
            ColumnFormat::new(column, rows.iter().filter_map(|row| row.get(at)))
        };
        columns.iter().enumerate().map(format).collect()
    }

    /// The formats of the columns of a sheet.
    pub(super) fn of_sheet(sheet: &Sheet) -> Vec<ColumnFormat> {
        ColumnFormat::of_columns(&sheet.columns, &sheet.rows)
    }

    /// The text that is displayed for a value of the column.
    pub(crate) fn text(self, value: &Value) -> String {
        match (value, self) {
            (Value::Null, _) => "–".to_owned(),
            // A cell has only one line, so line ends are replaced.
            (Value::String(text), _) => text
                .chars()
                .map(|letter| if letter.is_control() { ' ' } else { letter })
                .collect(),
            (Value::Number(number), ColumnFormat::Percentages) => {
                format!("{:.2} %", 100.0 * number.as_f64().unwrap_or(0.0))
            }
            (Value::Number(number), ColumnFormat::Numbers { decimals }) => {
                match (number.as_u64(), number.as_f64()) {
                    (Some(count), _) => thousands(count),
                    (None, Some(number)) if value.is_f64() => number_text(number, decimals),
                    _ => number.to_string(),
                }
            }
            (other, _) => other.to_string(),
        }
    }
}

/// The number of decimals with which these numbers are written: three if all of them are below 10, otherwise one.
pub(crate) fn decimals_of(numbers: impl IntoIterator<Item = f64>) -> usize {
    let greatest = numbers.into_iter().map(f64::abs).fold(0.0, f64::max);
    if greatest < 10.0 { 3 } else { 1 }
}

/// The number with this many decimals and with separators of thousands. A number that would be rounded to 0 is written
/// as `< 0.1`.
pub(crate) fn number_text(number: f64, decimals: usize) -> String {
    let unit = 10.0_f64.powi(-i32::try_from(decimals).unwrap_or(0));
    let text = format!("{:.decimals$}", number.abs());
    if number != 0.0 && !text.contains(|digit: char| matches!(digit, '1'..='9')) {
        let sign = if number < 0.0 { "> -" } else { "< " };
        return format!("{sign}{unit:.decimals$}");
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    match whole.parse() {
        Ok(whole) => format!("{sign}{}{fraction}", thousands(whole)),
        // The number is greater than the greatest integer, infinite, or not a number.
        Err(_) => format!("{sign}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn texts(column: &str, values: &[Value]) -> Vec<String> {
        let format = ColumnFormat::new(column, values);
        values.iter().map(|value| format.text(value)).collect()
    }

    /// Regression test: one column had both `3.392` and `185.4`, and `1310.3` had no separator.
    #[test]
    fn a_column_has_one_number_of_decimals() {
        let nodes = [
            json!(3.392),
            json!(185.4),
            json!(1310.25),
            json!(0.001),
            json!(0.0),
        ];
        assert_eq!(
            texts("nodes", &nodes),
            ["3.4", "185.4", "1,310.2", "< 0.1", "0.0"]
        );
        assert_eq!(
            texts("rho", &[json!(0.5), json!(-0.25)]),
            ["0.500", "-0.250"]
        );
        let mixed = [
            json!(1751),
            json!(24.04),
            Value::Null,
            json!("a\nb"),
            json!(-3),
        ];
        assert_eq!(texts("g", &mixed), ["1,751", "24.0", "–", "a b", "-3"]);
        assert_eq!(
            texts("share", &[json!(0.5), json!(1)]),
            ["50.00 %", "100.00 %"]
        );
        assert_eq!(number_text(-0.01, 1), "> -0.1");
        assert_eq!(number_text(1e30, 1), format!("{:.1}", 1e30));
    }
}
