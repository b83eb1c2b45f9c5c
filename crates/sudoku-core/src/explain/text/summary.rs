//! The columns of a grade as lines of text: the name, the value, and what the column means.

use crate::explain::walk::ColumnValue;

/// Writes one line of text for each column of a table. Names, values and meanings are aligned. A meaning that does not
/// fit in the width is left out.
pub(super) fn aligned_columns(columns: &[(String, ColumnValue)], width: usize) -> String {
    let columns = columns
        .iter()
        .map(|(column, value)| (column, value.to_string()));
    let columns: Vec<(&String, String)> = columns.collect();
    let width_of = |texts: &mut dyn Iterator<Item = &str>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let name_width = width_of(&mut columns.iter().map(|(column, _)| column.as_str()));
    let value_width = width_of(&mut columns.iter().map(|(_, value)| value.as_str()));
    let line = |(column, value): &(&String, String)| {
        let line = format!("  {column:<name_width$}  {value}");
        let meaning = short_meaning(column).map(|meaning| {
            let start = format!("  {column:<name_width$}  {value:<value_width$}  ");
            start + meaning
        });
        let line = meaning
            .filter(|own| own.chars().count() <= width)
            .unwrap_or(line);
        line + "\n"
    };
    columns.iter().map(line).collect()
}

/// What a column means, in a few words; `None` if its name says it.
fn short_meaning(column: &str) -> Option<&'static str> {
    Some(match column {
        "size" => "rows of the grid",
        "technique" => "the hardest that is needed",
        "rank" => "its place on the ladder",
        "effort" => "the sum of the efforts of all waves",
        "waves" => "times that a technique was applied",
        "first_rank" => "of the first wave of removals",
        "te_depth" => "nested assumptions that singles need",
        "te_status" => "whether te_depth is known",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Grade;

    #[test]
    fn a_line_has_the_meaning_of_its_column_if_it_fits() {
        let columns = [
            ("clues".to_owned(), ColumnValue::Number(24)),
            ("first_rank".to_owned(), ColumnValue::Number(5)),
        ];
        let text = "  clues       24\n  first_rank  5   of the first wave of removals\n";
        assert_eq!(aligned_columns(&columns, 80), text);
        assert_eq!(
            aligned_columns(&columns, 40),
            "  clues       24\n  first_rank  5\n"
        );
    }

    #[test]
    fn the_columns_of_a_grade_have_meanings() {
        for column in Grade::COLUMNS {
            let is_plain = column.name == "level";
            assert_eq!(
                short_meaning(column.name).is_none(),
                is_plain,
                "{}",
                column.name
            );
        }
    }
}
