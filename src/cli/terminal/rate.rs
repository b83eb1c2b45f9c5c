//! Estimates the current rate of a run, and the remaining time.

use std::collections::VecDeque;
use std::time::Duration;

use sudoku_pipeline::numbers::thousands;

/// The length of the sliding window over which the rate is averaged.
const AVERAGING_WINDOW: Duration = Duration::from_secs(30);

/// The minimum time between two samples of the progress.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(500);

/// The minimum time that the samples must cover before the remaining time is estimated.
const LEAST_SAMPLED_TIME: Duration = Duration::from_secs(3);

/// Samples of the progress of a run over the last 30 seconds.
#[derive(Default)]
pub(crate) struct Rate {
    samples: VecDeque<(Duration, f64)>,
}

impl Rate {
    /// Adds a sample. `at` is the time since the start of the run, and `position` is the progress at that time.
    pub(crate) fn add(&mut self, at: Duration, position: f64) {
        let is_due = |(last, _): &(Duration, f64)| at.saturating_sub(*last) >= SAMPLE_INTERVAL;
        if self.samples.back().is_none_or(is_due) {
            self.samples.push_back((at, position));
        }
        // One sample at or before the start of the averaging window is kept.
        while self
            .samples
            .get(1)
            .is_some_and(|(time, _)| *time + AVERAGING_WINDOW <= at)
        {
            self.samples.pop_front();
        }
    }

    /// The rate in units of progress per second; `None` until it is known.
    pub(crate) fn per_second(&self) -> Option<f64> {
        let ((first, from), (last, to)) = (self.samples.front()?, self.samples.back()?);
        let elapsed_seconds = last.saturating_sub(*first).as_secs_f64();
        (elapsed_seconds > 0.0 && to > from).then(|| (to - from) / elapsed_seconds)
    }

    /// The time from the last sample until the progress reaches `end`; `None` if it cannot be estimated yet.
    pub(crate) fn time_left(&self, end: f64) -> Option<Duration> {
        let ((first, _), (last, position)) = (self.samples.front()?, self.samples.back()?);
        if last.saturating_sub(*first) < LEAST_SAMPLED_TIME {
            return None;
        }
        let remaining_seconds = (end - position).max(0.0) / self.per_second()?;
        Duration::try_from_secs_f64(remaining_seconds).ok()
    }
}

/// A rate as text. Slow rates have decimal digits, so that they are not shown as 0.
pub(crate) fn rate_text(rate: f64) -> String {
    match rate {
        0.0 => "0".to_owned(),
        ..0.01 => "less than 0.01".to_owned(),
        ..1.0 => format!("{rate:.2}"),
        ..10.0 => format!("{rate:.1}"),
        _ => thousands(rate as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    #[test]
    fn slow_rates_are_not_shown_as_0() {
        for (rate, text) in [
            (0.0, "0"),
            (0.004, "less than 0.01"),
            (0.05, "0.05"),
            (3.25, "3.2"),
            (1234.5, "1,234"),
        ] {
            assert_eq!(rate_text(rate), text);
        }
    }

    #[test]
    fn nothing_is_said_before_something_is_known() {
        let mut rate = Rate::default();
        assert!(rate.per_second().is_none() && rate.time_left(9.0).is_none());
        for tenth in 0..600 {
            rate.add(seconds(f64::from(tenth) / 10.0), 7.0);
        }
        assert!(
            rate.per_second().is_none() && rate.time_left(9.0).is_none(),
            "it stands still"
        );
    }

    #[test]
    fn the_rate_is_that_of_the_last_half_minute() {
        let mut rate = Rate::default();
        // The rate is high in the first minute, and low afterwards.
        for second in 0..60 {
            rate.add(seconds(f64::from(second)), f64::from(second) * 100.0);
        }
        assert_eq!(rate.per_second(), Some(100.0));
        assert_eq!(rate.time_left(7900.0), Some(seconds(20.0)));
        for second in 60..180 {
            rate.add(seconds(f64::from(second)), 5900.0 + f64::from(second - 59));
        }
        assert_eq!(rate.per_second(), Some(1.0));
        assert_eq!(rate.time_left(6030.0), Some(seconds(10.0)));
        assert!(rate.samples.len() < 70);
    }
}
