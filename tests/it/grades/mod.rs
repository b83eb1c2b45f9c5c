//! Tests of solving and grading: solvers, kernels, grades, ratings, traces and evaluations.

mod ambiguity;
mod compare;
mod evaluate;
mod explain;
mod golden;
mod hodoku_rating;
mod kernels;
mod ladders;
mod prediction_files;
mod prediction_matching;
mod properties;
mod ratings;
mod steps;
mod traces;
mod training;
mod trials;
