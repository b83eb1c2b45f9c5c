//! The printed results of `overlap`.

use serde_json::{Value, json};
use sudoku_pipeline::numbers::counted;
use sudoku_pipeline::report::sheets::{Sheet, terminal};
use sudoku_pipeline::sets::SharedFindings;
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::table::class::ClassBy;

use crate::cli::error::CommandError;
use crate::cli::run::plan::Plan;
use crate::cli::terminal::width;

/// Prints how many rows of the second dataset have a twin in the first, by class, unless the pairs or the summary go to
/// standard output.
pub(super) fn print(plan: &Plan, findings: &SharedFindings) -> Result<(), CommandError> {
    if plan.writes_stdout() || plan.prints_summary() {
        return Ok(());
    }
    let findings = findings.get();
    let counts = &findings.counts;
    let count = |name: &str| counts.get(name).and_then(Value::as_u64).unwrap_or(0);
    let rows_of_b = count("rows_of_b");
    let twins_by = counts.get("twins_by").and_then(Value::as_object);
    let share = |twins: u64| match rows_of_b {
        0 => Value::Null,
        rows => json!(twins as f64 / rows as f64),
    };
    let classes = <ClassBy as clap::ValueEnum>::value_variants()
        .iter()
        .filter_map(|class| {
            let twins = twins_by?.get(class.id())?.as_u64()?;
            Some(vec![
                json!(class.shared_text()),
                json!(class.id()),
                json!(twins),
                share(twins),
            ])
        });
    let [first, second] = [0, 1].map(|at| match plan.inputs.get(at).map(String::as_str) {
        Some("-") => "standard input".to_owned(),
        name => display_name(name.unwrap_or_default()),
    });
    let sheet = Sheet {
        id: "overlap".into(),
        title: format!("Rows of {second} with a twin in {first}"),
        columns: ["in common", "class", "rows", "share"]
            .map(str::to_owned)
            .into(),
        keys: 2,
        rows: classes.collect(),
        notes: vec![format!(
            "{first} (A) has {}, {second} (B) has {}.",
            counted(count("rows_of_a"), "row"),
            counted(rows_of_b, "row")
        )],
        only_data: false,
    };
    let width = width();
    crate::cli::print_made(move || terminal(std::slice::from_ref(&sheet), width))
}
