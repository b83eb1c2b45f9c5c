//! The figures that reports count of a batch. The rooms that pass them on need not know them.

use std::any::Any;

/// The figures of a batch, at most one value of each type. Workers count them for reports; the output or the job takes
/// those that it knows.
#[derive(Default)]
pub struct Figures(Vec<Box<dyn Any + Send>>);

impl Figures {
    /// Adds the figures of a report.
    pub fn add<T: Any + Send>(&mut self, figures: T) {
        self.0.push(Box::new(figures));
    }

    /// Takes the figures of a report; `None` if they have not been counted, or have been taken.
    pub fn take<T: Any + Send>(&mut self) -> Option<T> {
        let at = self.0.iter().position(|figures| figures.is::<T>())?;
        let figures = self.0.swap_remove(at).downcast().ok()?;
        Some(*figures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_taken_once_by_their_type() {
        let mut figures = Figures::default();
        figures.add(7_u64);
        figures.add("seven");
        assert_eq!(figures.take::<&str>(), Some("seven"));
        assert_eq!(figures.take::<i32>(), None);
        assert_eq!(figures.take::<u64>(), Some(7));
        assert_eq!(figures.take::<u64>(), None);
    }
}
