//! Wilson's interval of a share, and McNemar's test.

/// The quantile of the normal distribution for an interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % interval of a share (Wilson 1927): `part` of `whole` are observed. From 0 to 1 if nothing is.
pub(crate) fn wilson(part: u64, whole: u64) -> (f64, f64) {
    if whole == 0 {
        return (0.0, 1.0);
    }
    let n = whole as f64;
    let share = part as f64 / n;
    let centre = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    // Rounding may not lead out of 0 to 1.
    let low = if part == 0 {
        0.0
    } else {
        (centre - half) / scale
    };
    let high = if part == whole {
        1.0
    } else {
        (centre + half) / scale
    };
    (low, high)
}

/// McNemar's exact test (1947, two-sided): the probability that of `a + b` fair coins at most the smaller number
/// shows one side, doubled; at most 1.
pub(crate) fn mcnemar(a: u64, b: u64) -> f64 {
    let (few, all) = (a.min(b), a + b);
    // The terms are summed as multiples of the largest, which is the last.
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
    fn intervals_are_the_published_ones() {
        // Brown, Cai, DasGupta (2001) and statsmodels' proportion_confint(method="wilson").
        let (low, high) = wilson(8, 10);
        assert!(
            is_near(low, 0.490_162_5) && is_near(high, 0.943_317_8),
            "{low} {high}"
        );
        let (low, high) = wilson(0, 20);
        assert!(low == 0.0 && is_near(high, 0.161_125_1), "{high}");
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(wilson(20, 20).1, 1.0);
    }

    #[test]
    fn the_test_is_that_of_the_binomial_distribution() {
        assert_eq!(mcnemar(0, 0), 1.0);
        assert_eq!(mcnemar(5, 5), 1.0);
        assert!(is_near(mcnemar(1, 0), 1.0));
        // 2 · (1 + 10 + 45) / 1024
        assert!(is_near(mcnemar(2, 8), 0.109_375));
        assert_eq!(mcnemar(2, 8), mcnemar(8, 2));
        assert!(mcnemar(1_000_000, 1_010_000) < 1e-11);
        assert!(mcnemar(0, 5000) >= 0.0);
    }
}
