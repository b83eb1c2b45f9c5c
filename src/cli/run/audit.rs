//! The output of `audit`, the commands that repeat its steps, and its printed results.

use sudoku_pipeline::counts::AuditFindings;
use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::Inputs;
use sudoku_pipeline::read;
use sudoku_pipeline::report::page::{audit_card, audit_page, audit_picture, script};
use sudoku_pipeline::report::sheets::{audit_sheets, terminal};
use sudoku_pipeline::sets::{
    Audit, AuditLayout, AuditOutput, AuditTextContext, AuditTexts, IndexMemory, Preferred,
    SharedAudit,
};
use sudoku_pipeline::store::display_name;
use sudoku_pipeline::table::class::ClassBy;
use sudoku_pipeline::table::columns::ColumnGroup;
use sudoku_pipeline::table::layout::{CopiedColumn, Layout};
use sudoku_pipeline::write::{Output, TableFolder};

use crate::cli::error::CommandError;
use crate::cli::host;
use crate::cli::run::plan::Plan;
use crate::cli::run::report::Report;
use crate::cli::terminal::quoting::quoted;
use crate::cli::terminal::width;

/// Opens the output of an audit. `layout` has the columns that the job computes.
pub(super) fn open(
    plan: &Plan,
    (audit, folder): (&Audit, &TableFolder),
    index: &IndexMemory,
    layout: &Layout,
    inputs: &Inputs,
    report: &mut Report,
) -> Result<Box<dyn Output>, CommandError> {
    let dataset =
        (plan.dataset).ok_or_else(|| Error::Internal("an audit without columns".into()))?;
    let (mut groups, requested) = plan.columns(&inputs.catalog);
    // The grades are computed so that the log can count the levels, but their columns are not written.
    groups.retain(|group| *group != ColumnGroup::Grade);
    let written_layout = dataset.layout(
        &groups,
        &requested,
        &inputs.catalog.carried,
        inputs.catalog.names.columns(),
    );
    let layout = AuditLayout {
        written_layout: folder.format.fit_layout(written_layout, &[])?,
        folder: folder.clone(),
        filled_layout: layout.clone(),
        make_texts: (!host::is_called()).then_some(make_texts),
    };
    let order = audit.reading_order();
    let (mut set_of_input, mut paths) = (Vec::new(), vec![String::new(); order.len()]);
    for (set, path) in order.into_iter().zip(&plan.inputs) {
        let inputs = read::expand(std::slice::from_ref(path))?.inputs.len();
        set_of_input.extend(std::iter::repeat_n(set, inputs));
        paths[set] = display_name(path);
    }
    let sources = inputs.own.iter().map(|input| display_name(&input.job.path));
    let audit = Audit {
        steps: steps(audit, folder, &paths),
        ..audit.clone()
    };
    let (output, findings, found) = AuditOutput::open(
        audit,
        set_of_input,
        sources.collect(),
        &layout,
        &plan.metadata,
        index.clone(),
        plan.run.memory.group_bytes,
    )?;
    if host::is_called() {
        host::keep_texts(CalledAudit {
            findings: found.clone(),
            fields: layout.written_fields(),
            copied_columns: layout.written_layout.copied_columns(),
        });
    }
    report.findings = Some(findings);
    report.audit = Some(found);
    Ok(Box::new(output))
}

/// The results of an audit that another program has called. Their texts are made when the program asks for them: drawing
/// the charts takes longer than the audit of a few rows.
pub struct CalledAudit {
    findings: SharedAudit,
    /// The names and the types of the columns of the cleaned datasets.
    fields: Vec<(String, String)>,
    copied_columns: Vec<CopiedColumn>,
}

impl CalledAudit {
    /// The dataset card, the picture and the page.
    ///
    /// # Errors
    ///
    /// A chart cannot be drawn, which would be a bug.
    pub fn texts(&self) -> Result<AuditTexts, Error> {
        let context = AuditTextContext {
            picture_name: "_charts.svg",
            fields: &self.fields,
            copied_columns: &self.copied_columns,
        };
        make_texts(&self.findings.get(), &context)
    }
}

/// The commands that repeat each step. `paths` are the paths of the datasets, in their order.
fn steps(audit: &Audit, to: &TableFolder, paths: &[String]) -> Vec<(String, String)> {
    let folder = to.path.display().to_string();
    let folder = folder.trim_end_matches('/');
    let ending = format!("{}{}", to.format.extension(), to.compression.ending());
    let cleaned = |set: usize| quoted(&format!("{folder}/{}.{ending}", audit.sets[set].name));
    let raw = |set: usize| quoted(&paths[set]);
    let mut steps = Vec::new();
    let mut add = |why: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            steps.push((why.to_owned(), lines.join("\n")));
        }
    };
    let all_sets = 0..audit.sets.len();
    let set_argument = |set: usize| quoted(&format!("{}={}", audit.sets[set].name, paths[set]));
    let set_arguments: Vec<String> = all_sets.clone().map(set_argument).collect();
    let prefer = match audit.preferred {
        Preferred::Last => "",
        Preferred::First => " --prefer first",
    };
    let class_option = |option: &str, by: Option<ClassBy>, default: ClassBy| match by {
        Some(by) if by == default => String::new(),
        by => format!(" --{option} {}", by.map_or("none", ClassBy::id)),
    };
    let options = format!(
        "{prefer}{}{}{}",
        class_option("duplicates-by", audit.duplicates, ClassBy::Isomorph),
        class_option("shared-by", audit.shared, ClassBy::Grid),
        if audit.fixes_solutions {
            " --fix-solutions"
        } else {
            ""
        }
    );
    add(
        "The audit, all at once",
        vec![format!(
            "pipeline audit {} -o {} --overwrite{options}",
            set_arguments.join(" "),
            quoted(&format!("{folder}/")),
        )],
    );
    add(
        "Records that are no puzzles with exactly one solution, or came with a wrong one",
        all_sets
            .clone()
            .map(|set| format!("pipeline validate {}", raw(set)))
            .collect(),
    );
    add(
        "Duplicates within a set, as text and up to isomorphism",
        (all_sets.clone())
            .flat_map(|set| {
                ["exact", "isomorph"].map(|by| {
                    let summary = "--summary - > /dev/null";
                    format!(
                        "pipeline dedup {} --by {by} -o {}.{by}.csv --overwrite {summary}",
                        raw(set),
                        audit.sets[set].name
                    )
                })
            })
            .collect(),
    );
    let order = audit.reading_order();
    let pairs: Vec<(usize, usize)> = (order.iter().enumerate())
        .flat_map(|(at, set)| order[..at].iter().map(|before| (*before, *set)))
        .collect();
    add(
        "What the sets share: the rows of the second one whose class the first one has",
        (pairs.iter())
            .map(|(a, b)| format!("pipeline overlap {} {}", raw(*a), raw(*b)))
            .collect(),
    );
    add(
        "How hard the sets are, with charts",
        (all_sets.clone())
            .flat_map(|set| {
                let name = &audit.sets[set].name;
                [
                    format!(
                        "pipeline grade {} -o {name}.graded.parquet --overwrite",
                        raw(set)
                    ),
                    format!("pipeline report {name}.graded.parquet -o {name}.html --overwrite"),
                ]
            })
            .collect(),
    );
    add(
        "The cleaned sets: every row is a puzzle with exactly one solution",
        all_sets
            .map(|set| format!("pipeline validate {}", cleaned(set)))
            .collect(),
    );
    if let Some(class_option) = audit.shared {
        let lines = pairs.iter().map(|(a, b)| {
            let (a, b) = (cleaned(*a), cleaned(*b));
            format!(
                "pipeline overlap {a} {b} --by {} --max 0",
                class_option.id()
            )
        });
        add("The cleaned sets share nothing", lines.collect());
    }
    steps
}

/// The texts about the audit, for its output folder.
fn make_texts(
    findings: &AuditFindings,
    context: &AuditTextContext<'_>,
) -> Result<AuditTexts, Error> {
    Ok(AuditTexts {
        card: audit_card(
            findings,
            context.picture_name,
            context.fields,
            context.copied_columns,
        ),
        picture: audit_picture(findings)?,
        page: audit_page(findings)?,
        commands: script(findings),
    })
}

/// Prints the results of the audit, unless the summary goes to standard output.
pub(super) fn print(plan: &Plan, found: &SharedAudit) -> Result<(), CommandError> {
    if plan.prints_summary() {
        return Ok(());
    }
    let (findings, width) = (found.get(), width());
    crate::cli::print_made(move || terminal(&audit_sheets(&findings), width))
}
