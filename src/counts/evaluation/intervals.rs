//! The Wilson interval of a share, and McNemar's test.

/// The quantile of the normal distribution for a 95 % interval.
const NORMAL_QUANTILE_95: f64 = 1.959_963_984_540_054;

/// The 95 % Wilson interval (1927) of the share `part / whole`, where `part` is the number of rows that have a
/// property. It is the interval from 0 to 1 if `whole` is 0.
pub(crate) fn wilson_interval(part: u64, whole: u64) -> (f64, f64) {
    if whole == 0 {
        return (0.0, 1.0);
    }
    let n = whole as f64;
    let share = part as f64 / n;
    let centre = share + NORMAL_QUANTILE_95 * NORMAL_QUANTILE_95 / (2.0 * n);
    let half_width = NORMAL_QUANTILE_95
        * (share * (1.0 - share) / n + NORMAL_QUANTILE_95 * NORMAL_QUANTILE_95 / (4.0 * n * n))
            .sqrt();
    let scale = 1.0 + NORMAL_QUANTILE_95 * NORMAL_QUANTILE_95 / n;
    // Without this case, rounding errors could give limits below 0 or above 1.
    let lower_bound = if part == 0 {
        0.0
    } else {
        (centre - half_width) / scale
    };
    let upper_bound = if part == whole {
        1.0
    } else {
        (centre + half_width) / scale
    };
    (lower_bound, upper_bound)
}

/// The p-value of McNemar's exact two-sided test (1947). It is the probability that `a + b` tosses of a fair coin give
/// a result at least as uneven as `a` to `b`.
pub(crate) fn mcnemar_p_value(a: u64, b: u64) -> f64 {
    let (few, all) = (a.min(b), a + b);
    // The terms are added up as multiples of the largest term, which is the last one.
    let (mut term, mut sum, mut log_term) = (1.0, 0.0, -(all as f64) * 2_f64.ln());
    for drawn in 1..=few {
        log_term += ((all - drawn + 1) as f64).ln() - (drawn as f64).ln();
    }
    for drawn in (0..=few).rev() {
        sum += term;
        term *= drawn as f64 / (all - drawn + 1) as f64;
    }
    (2.0 * sum * log_term.exp()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-6
    }

    #[test]
    fn intervals_equal_the_published_ones() {
        // The values are from Brown, Cai, DasGupta (2001), and from `proportion_confint(method="wilson")` of
        // statsmodels.
        let (low, high) = wilson_interval(8, 10);
        assert!(
            is_near(low, 0.490_162_5) && is_near(high, 0.943_317_8),
            "{low} {high}"
        );
        let (low, high) = wilson_interval(0, 20);
        assert!(low == 0.0 && is_near(high, 0.161_125_1), "{high}");
        assert_eq!(wilson_interval(0, 0), (0.0, 1.0));
        assert_eq!(wilson_interval(20, 20).1, 1.0);
    }

    #[test]
    fn the_p_value_is_that_of_the_binomial_distribution() {
        assert_eq!(mcnemar_p_value(0, 0), 1.0);
        assert_eq!(mcnemar_p_value(5, 5), 1.0);
        assert!(is_near(mcnemar_p_value(1, 0), 1.0));
        // The p-value is 2 · (1 + 10 + 45) / 1024.
        assert!(is_near(mcnemar_p_value(2, 8), 0.109_375));
        assert_eq!(mcnemar_p_value(2, 8), mcnemar_p_value(8, 2));
        assert!(mcnemar_p_value(1_000_000, 1_010_000) < 1e-11);
        assert!(mcnemar_p_value(0, 5000) >= 0.0);
    }
}
