//! Fits the columns of a run to those of the parts that stay in its output folder: their types, their names, and the
//! names of the columns of puzzles and solutions.

use crate::carry::widening::is_readable_as;
use crate::formats::Catalog;
use crate::job::inputs::Inputs;
use crate::read::ColumnRole;
use crate::table::layout::Layout;
use crate::write::{ClaimedParts, EarlierColumn};

/// Changes the catalog so that the columns of new parts fit to those of the parts that stay. `layout` has the columns of
/// the catalog. Returns whether anything has changed, so that the layout has to be made again.
pub(super) fn fit_columns(catalog: &mut Catalog, layout: &Layout, parts: &ClaimedParts) -> bool {
    let mut has_changed = fit_grid_names(catalog, layout, parts);
    for column in parts.earlier_columns() {
        has_changed |= fit_name(catalog, layout, &column);
        has_changed |= !parts.has_untyped_parts() && fit_type(catalog, layout, &column);
    }
    has_changed
}

/// The first input of the run that has this column of the output. If the column is one of this program's, the first
/// input with solutions: all other columns of this program are in every part.
pub(super) fn input_of(inputs: &Inputs, layout: &Layout, name: &str) -> Option<String> {
    if let Some(at) = layout.carried_index(name) {
        return inputs.catalog.input_of_type(at).map(str::to_owned);
    }
    let mut with_solutions = inputs.infos().filter(|info| info.has_solutions);
    with_solutions.next().map(|info| info.source.clone())
}

/// Puzzles and solutions keep the names of their columns that earlier runs have chosen.
fn fit_grid_names(catalog: &mut Catalog, layout: &Layout, parts: &ClaimedParts) -> bool {
    let mut has_changed = false;
    for (own_name, earlier_name) in parts.grid_names() {
        let mut names = layout.grid_names().iter();
        let name = names.find(|(own, _)| own == own_name).map(|(_, name)| name);
        let name = name.unwrap_or(own_name);
        let role = match own_name.as_str() {
            "puzzle" => ColumnRole::Puzzle,
            _ => ColumnRole::Solution,
        };
        if name != earlier_name {
            tracing::info!(
                "column {name} is called {earlier_name}, as in the parts that {} has",
                parts.path().display()
            );
            catalog.names.set_grid_name(role, earlier_name);
            has_changed = true;
        }
    }
    has_changed
}

/// Columns whose names differ only in case are one column, and keep their earlier name.
fn fit_name(catalog: &mut Catalog, layout: &Layout, column: &EarlierColumn) -> bool {
    let is_same = |name: &&String| name.eq_ignore_ascii_case(&column.name);
    let names = layout.schema().fields().iter().map(|field| field.name());
    let Some(name) = names.clone().find(is_same) else {
        return false;
    };
    let Some(at) = layout.carried_index(name).filter(|_| *name != column.name) else {
        return false;
    };
    let field = &mut catalog.carried[at];
    if field.name() != name {
        return false;
    }
    *field = std::sync::Arc::new((**field).clone().with_name(&column.name));
    catalog.names.spell_carried(&column.name);
    true
}

/// A column gets a type that can also hold the values of the parts that stay.
fn fit_type(catalog: &mut Catalog, layout: &Layout, column: &EarlierColumn) -> bool {
    let fields = layout.schema().fields();
    let is_same = |name: &str| name.eq_ignore_ascii_case(&column.name);
    let Some(field) = fields.iter().find(|field| is_same(field.name())) else {
        return false;
    };
    let Ok(earlier_type) = column.data_type.parse() else {
        return false;
    };
    match layout.carried_index(field.name()) {
        Some(at) if !is_readable_as(&earlier_type, field.data_type()) => {
            catalog.widen(at, &earlier_type)
        }
        _ => false,
    }
}
