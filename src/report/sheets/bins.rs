//! Bins of numbers for histograms.

use crate::report::statistics::Histogram;

/// A bin of whole numbers: its name, and its first and last number.
pub(crate) struct Bin {
    pub(crate) name: String,
    first: u64,
    last: u64,
}

impl Bin {
    /// The number of values in the bin.
    pub(crate) fn count(&self, histogram: &Histogram) -> u64 {
        let within = histogram
            .values()
            .filter(|(value, _)| (self.first..=self.last).contains(value));
        within.map(|(_, count)| count).sum()
    }

    fn new(first: u64, last: u64) -> Bin {
        let name = match first == last {
            true => short_number(first),
            false => format!("{}–{}", short_number(first), short_number(last)),
        };
        Bin { name, first, last }
    }
}

/// A short form of a number: `12500` → `12.5k`.
fn short_number(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => trimmed(number as f64 / 1e3, "k"),
        _ => trimmed(number as f64 / 1e6, "M"),
    }
}

fn trimmed(number: f64, unit: &str) -> String {
    let text = format!("{number:.1}");
    format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// The range of all these histograms together; `None` if all are empty.
fn range(of: &[&Histogram]) -> Option<(u64, u64)> {
    let least = of.iter().filter_map(|of| of.min()).min()?;
    let most = of.iter().filter_map(|of| of.max()).max()?;
    Some((least, most))
}

/// Bins of the same width: 1, or more if there would be more than `most` bins.
pub(crate) fn even(histograms: &[&Histogram], most: u64) -> Vec<Bin> {
    let Some((first, last)) = range(histograms) else {
        return Vec::new();
    };
    let width = (last - first + 1).div_ceil(most).max(1);
    let start = first / width * width;
    let starts = (0..)
        .map(|n| start + n * width)
        .take_while(|start| *start <= last);
    starts
        .map(|start| Bin::new(start, start + width - 1))
        .collect()
}

/// Bins whose widths double: 0, 1, 2–3, 4–7 and so on.
pub(crate) fn doubling_bins(histograms: &[&Histogram]) -> Vec<Bin> {
    let Some((_, last)) = range(histograms) else {
        return Vec::new();
    };
    let mut bins = vec![Bin::new(0, 0)];
    let mut first = 1_u64;
    while first <= last {
        let end = first.saturating_mul(2).saturating_sub(1);
        bins.push(Bin::new(first, end));
        first = match first.checked_mul(2) {
            Some(next) => next,
            None => break,
        };
    }
    bins
}

/// Bins on a logarithmic scale, six per power of ten.
pub(crate) fn logarithmic(histograms: &[&Histogram]) -> Vec<Bin> {
    let Some((first, last)) = range(histograms) else {
        return Vec::new();
    };
    let bound = |n: i32| 10_f64.powf(f64::from(n) / 6.0).round() as u64;
    let mut bins = Vec::new();
    let mut n = 0;
    while bound(n) <= last && n < 114 {
        let (start, end) = (bound(n), bound(n + 1).max(bound(n) + 1) - 1);
        if end >= first && bins.last().is_none_or(|bin: &Bin| bin.last < start) {
            bins.push(Bin::new(start, end));
        }
        n += 1;
    }
    if first == 0 {
        bins.insert(0, Bin::new(0, 0));
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
    fn every_value_is_in_exactly_one_class() {
        for values in [
            vec![0],
            vec![17, 18, 30, 81],
            vec![0, 1, 2, 9, 99, 1000, 123_456_789],
            vec![5; 9],
        ] {
            let histogram = from_values(&values);
            for bins in [
                even(&[&histogram], 20),
                doubling_bins(&[&histogram]),
                logarithmic(&[&histogram]),
            ] {
                let counted: u64 = bins.iter().map(|bin| bin.count(&histogram)).sum();
                assert_eq!(counted, values.len() as u64, "{values:?}");
            }
        }
        assert!(even(&[&Histogram::default()], 20).is_empty());
        assert_eq!(even(&[&from_values(&[17, 40])], 40)[0].name, "17");
        assert_eq!(short_number(12_500), "12.5k");
    }
}
