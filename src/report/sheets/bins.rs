//! Divides the values of histograms into bins.

use crate::counts::statistics::Histogram;
use crate::numbers::thousands;

/// A bin of whole numbers: its name, and its first and last number.
pub(crate) struct HistogramBin {
    pub(crate) name: String,
    first_number: u64,
    last_number: u64,
}

impl HistogramBin {
    /// The number of values in the histogram that belong to this bin.
    pub(crate) fn count_values(&self, histogram: &Histogram) -> u64 {
        let values_in_bin = histogram
            .values()
            .filter(|(value, _)| (self.first_number..=self.last_number).contains(value));
        values_in_bin.map(|(_, count)| count).sum()
    }

    fn new(first: u64, last: u64) -> HistogramBin {
        let name = if first == last {
            short_number(first)
        } else {
            format!("{}–{}", short_number(first), short_number(last))
        };
        HistogramBin {
            name,
            first_number: first,
            last_number: last,
        }
    }
}

/// A short form of a number: `12500` → `12.5k`.
fn short_number(number: u64) -> String {
    match number {
        0..10_000 => thousands(number),
        10_000..1_000_000 => without_trailing_zeros(number as f64 / 1e3, "k"),
        _ => without_trailing_zeros(number as f64 / 1e6, "M"),
    }
}

fn without_trailing_zeros(number: f64, unit: &str) -> String {
    let text = format!("{number:.1}");
    format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// The smallest and the largest value of all these histograms; `None` if all are empty.
fn common_range(histograms: &[&Histogram]) -> Option<(u64, u64)> {
    let least_value = histograms
        .iter()
        .filter_map(|histograms| histograms.min())
        .min()?;
    let greatest_value = histograms
        .iter()
        .filter_map(|histograms| histograms.max())
        .max()?;
    Some((least_value, greatest_value))
}

/// Bins of equal width. The width is 1, or more if there would otherwise be more than `most` bins.
pub(crate) fn even_bins(histograms: &[&Histogram], most: u64) -> Vec<HistogramBin> {
    let Some((first, last)) = common_range(histograms) else {
        return Vec::new();
    };
    let width = (last - first + 1).div_ceil(most).max(1);
    let first_start = first / width * width;
    let bin_starts = (0..)
        .map(|n| first_start + n * width)
        .take_while(|start| *start <= last);
    bin_starts
        .map(|start| HistogramBin::new(start, start + width - 1))
        .collect()
}

/// Bins whose widths double: 0, 1, 2–3, 4–7 and so on.
pub(crate) fn doubling_bins(histograms: &[&Histogram]) -> Vec<HistogramBin> {
    let Some((_, last)) = common_range(histograms) else {
        return Vec::new();
    };
    let mut bins = vec![HistogramBin::new(0, 0)];
    let mut bin_start = 1_u64;
    while bin_start <= last {
        let bin_end = bin_start.saturating_mul(2).saturating_sub(1);
        bins.push(HistogramBin::new(bin_start, bin_end));
        bin_start = match bin_start.checked_mul(2) {
            Some(next) => next,
            None => break,
        };
    }
    bins
}

/// Bins on a logarithmic scale: six per power of ten.
pub(crate) fn logarithmic_bins(histograms: &[&Histogram]) -> Vec<HistogramBin> {
    let Some((first, last)) = common_range(histograms) else {
        return Vec::new();
    };
    let bin_bound = |n: i32| 10_f64.powf(f64::from(n) / 6.0).round() as u64;
    let mut bins = Vec::new();
    let mut exponent = 0;
    while bin_bound(exponent) <= last && exponent < 114 {
        let (start, end) = (
            bin_bound(exponent),
            bin_bound(exponent + 1).max(bin_bound(exponent) + 1) - 1,
        );
        if end >= first
            && bins
                .last()
                .is_none_or(|bin: &HistogramBin| bin.last_number < start)
        {
            bins.push(HistogramBin::new(start, end));
        }
        exponent += 1;
    }
    if first == 0 {
        bins.insert(0, HistogramBin::new(0, 0));
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_values(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|value| histogram.add(*value, 1));
        histogram
    }

    #[test]
    fn every_value_is_in_exactly_one_bin() {
        for values in [
            vec![0],
            vec![17, 18, 30, 81],
            vec![0, 1, 2, 9, 99, 1000, 123_456_789],
            vec![5; 9],
        ] {
            let histogram = from_values(&values);
            for bins in [
                even_bins(&[&histogram], 20),
                doubling_bins(&[&histogram]),
                logarithmic_bins(&[&histogram]),
            ] {
                let counted_values: u64 = bins.iter().map(|bin| bin.count_values(&histogram)).sum();
                assert_eq!(counted_values, values.len() as u64, "{values:?}");
            }
        }
        assert!(even_bins(&[&Histogram::default()], 20).is_empty());
        assert_eq!(even_bins(&[&from_values(&[17, 40])], 40)[0].name, "17");
        assert_eq!(short_number(12_500), "12.5k");
        // Regression test: the axis had `1467` beside `1,467` in the text.
        assert_eq!(short_number(1_467), "1,467");
    }
}
