//! Computes percentages, and writes them as text.

/// `part` as a percentage of `whole`, rounded to at most three digits.
pub(crate) fn to_percent(part: u64, whole: u64) -> f64 {
    match whole {
        0 => 0.0,
        whole => {
            let exact_percent = 100.0 * part as f64 / whole as f64;
            // Three digits are kept, so that a small share does not become 0, and the text of a large share stays
            // short.
            match exact_percent {
                exact if exact >= 99.9 => exact,
                exact if exact >= 10.0 => (exact * 10.0).round() / 10.0,
                exact if exact >= 0.1 => (exact * 100.0).round() / 100.0,
                exact => (exact * 1e5).round() / 1e5,
            }
        }
    }
}

/// A percentage as text, such as `12.3 %`. A share close to 0 or 100 is not rounded to 0 or 100. Instead, its text is
/// `< 0.1 %` or similar.
pub(crate) fn percent_text(percent: f64) -> String {
    match percent {
        0.0 => "0 %".to_owned(),
        small if small < 0.1 => "< 0.1 %".to_owned(),
        large if large > 99.9 && large < 100.0 => "> 99.9 %".to_owned(),
        _ => {
            let text = format!("{percent:.1}");
            format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
        }
    }
}

/// Percentages of one chart as texts. If one of them has a decimal, all have one.
pub(crate) fn percent_texts(percentages: &[f64]) -> Vec<String> {
    let texts: Vec<String> = percentages.iter().copied().map(percent_text).collect();
    if texts.iter().all(|text| !text.contains('.')) {
        return texts;
    }
    let with_decimal = |text: String| match text.strip_suffix(" %") {
        Some(number) if !number.contains('.') => format!("{number}.0 %"),
        _ => text,
    };
    texts.into_iter().map(with_decimal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_shares_are_not_rounded_to_zero() {
        for (part, whole, text) in [
            (0, 10, "0 %"),
            (1, 100_000, "< 0.1 %"),
            (1, 1_000, "0.1 %"),
            (1, 8, "12.5 %"),
            (99_999, 100_000, "> 99.9 %"),
            (3, 3, "100 %"),
        ] {
            assert_eq!(percent_text(to_percent(part, whole)), text);
        }
    }

    /// Regression test: one chart had the labels `1 %`, `8 %` and `10.8 %`.
    #[test]
    fn the_percentages_of_a_chart_have_one_number_of_decimals() {
        assert_eq!(
            percent_texts(&[1.0, 10.8, 0.02, 0.0]),
            ["1.0 %", "10.8 %", "< 0.1 %", "0.0 %"]
        );
        assert_eq!(percent_texts(&[100.0, 15.0]), ["100 %", "15 %"]);
    }
}
