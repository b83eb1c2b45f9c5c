//! Combines labels that are numbers into ranges: 1–5, 6–10, or 1.0–1.9, 2.0–2.9.

/// The maximum number of ranges into which labels are combined.
const MOST_RANGES: f64 = 12.0;

/// Ranges of the same width. Each starts at a multiple of the width.
pub(crate) struct NumberRanges {
    range_width: f64,
    /// The smallest difference between two numbers: 1 for whole numbers, 0.1 for tenths; 0 if it is not known.
    value_step: f64,
}

impl NumberRanges {
    pub(crate) fn from_numbers(numbers: &[f64]) -> NumberRanges {
        let is_multiple = |step: f64| {
            let distance_to_step = |number: &f64| (number / step - (number / step).round()).abs();
            numbers.iter().all(|number| distance_to_step(number) < 1e-6)
        };
        let step = [1.0, 0.1].into_iter().find(|step| is_multiple(*step));
        let step = step.unwrap_or(0.0);
        let least_number = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest_number = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // The width of a range is the smallest of 1, 2, 5, 10, 20, … that does not give more than [`MOST_RANGES`]
        // ranges. It is a whole number even if the numbers are tenths.
        let least_width = ((greatest_number - least_number) / MOST_RANGES).max(if step > 0.0 {
            1.0
        } else {
            f64::MIN_POSITIVE
        });
        let power = 10_f64.powf(least_width.log10().floor());
        let width = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let width = width
            .into_iter()
            .find(|width| *width >= least_width * (1.0 - 1e-9));
        NumberRanges {
            range_width: width.unwrap_or(10.0 * power),
            value_step: step,
        }
    }

    /// The name of the range that contains a number.
    pub(crate) fn range_name(&self, number: f64) -> String {
        let NumberRanges {
            range_width: width,
            value_step: step,
        } = *self;
        let range_start = ((number / width) + 1e-9).floor() * width;
        let range_end = range_start + width - step;
        if step == 1.0 && width == 1.0 {
            return short_number(range_start);
        }
        match step {
            0.1 => format!("{range_start:.1}–{range_end:.1}"),
            _ => format!("{}–{}", short_number(range_start), short_number(range_end)),
        }
    }
}

fn short_number(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range_names(numbers: &[f64]) -> Vec<String> {
        let classes = NumberRanges::from_numbers(numbers);
        let mut names: Vec<String> = numbers.iter().map(|own| classes.range_name(*own)).collect();
        names.dedup();
        names
    }

    #[test]
    fn classes_are_whole_numbers_and_ratings_are_tenths() {
        let whole_numbers: Vec<f64> = (1..=60).map(f64::from).collect();
        let names = range_names(&whole_numbers);
        assert_eq!(names[..3], ["0–4", "5–9", "10–14"]);
        assert_eq!(names.len(), 13);
        let ratings: Vec<f64> = (10..=119).map(|tenth| f64::from(tenth) / 10.0).collect();
        let names = range_names(&ratings);
        assert_eq!(
            (names[0].as_str(), names[10].as_str()),
            ("1.0–1.9", "11.0–11.9")
        );
        assert_eq!(names.len(), 11);
        let few_names = range_names(&[3.0, 4.0, 5.0]);
        assert_eq!(few_names, ["3", "4", "5"]);
        assert!(range_names(&[0.25, 0.5, 1.75])[0].contains('–'));
    }

    #[test]
    fn odd_numbers_have_classes_too() {
        for numbers in [
            vec![0.0],
            vec![-1e300, 1e300],
            vec![-5.0, 5.0],
            vec![1e-12, 2e-12],
            vec![7.0; 3],
        ] {
            assert!(
                range_names(&numbers).iter().all(|name| !name.is_empty()),
                "{numbers:?}"
            );
        }
    }
}
