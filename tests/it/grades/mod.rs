//! Tests of grades, ratings, traces and evaluations.

mod compare;
pub(crate) mod evaluate;
mod explain;
mod golden;
mod hodoku_rating;
mod kernels;
mod ladders;
mod properties;
mod ratings;
mod traces;
mod training;
mod trials;
