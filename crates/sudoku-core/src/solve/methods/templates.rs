//! The solving method `templates`: a search over the placements of whole digits. A template is a possible set
//! of cells for one digit: nine cells, one in each row, column and box.
//!
//! Each digit has a list of the templates that its candidates allow. Cells that are in all templates of a
//! digit are filled; cells that are in none lose the candidate. This is repeated until nothing changes. Then
//! the search tries the templates of the digit that has the fewest.

use super::method_search::SearchRun;
use super::rules::{Rule, RuleCounts};
use super::{Limits, SearchMethod};
use crate::board::{Candidates, CellSet, Digit, Grid, House};

/// The number of templates whose nine cells are all in this set: at most 46,656, of which 5,184 contain a
/// given cell.
#[cfg(test)]
pub(super) fn count_templates(cells: CellSet) -> usize {
    let mut count = 0;
    for_each_template(cells, &mut |_| count += 1);
    count
}

/// Calls `visit` with every template whose nine cells are all in this set.
fn for_each_template(cells: CellSet, visit: &mut impl FnMut(CellSet)) {
    fn rows(row: usize, chosen: CellSet, open: CellSet, visit: &mut impl FnMut(CellSet)) {
        if row == 9 {
            return visit(chosen);
        }
        for cell in open & House::row(row).cells() {
            rows(
                row + 1,
                chosen | CellSet::of(cell),
                open.without(cell.peers()),
                visit,
            );
        }
    }
    rows(0, CellSet::EMPTY, cells, visit);
}

/// The solving method `templates`, which has no settings.
pub(super) struct Templates;

impl SearchMethod for Templates {
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun {
        let lists = board.all_places().map(|places| {
            let mut list = Vec::new();
            for_each_template(places, &mut |template| list.push(template));
            list
        });
        let mut state = TemplateSearch {
            run: SearchRun::empty(),
            rules: RuleCounts::NONE,
            limits,
        };
        state.search_on(TemplateLists(lists));
        state.run.rules = Some(state.rules);
        state.run
    }
}

/// For each digit, the templates that are still possible.
#[derive(Clone)]
struct TemplateLists([Vec<CellSet>; 9]);

/// The error if a digit has no possible template left.
struct NoTemplate;

impl TemplateLists {
    /// Removes templates until nothing changes: a template must have all cells that its digit must fill, and
    /// no cell that another digit must fill.
    fn narrow(&mut self, rules: &mut RuleCounts) -> Result<(), NoTemplate> {
        loop {
            let mut in_all_templates = [CellSet::FULL; 9];
            let mut in_any_template = [CellSet::EMPTY; 9];
            for (digit, list) in self.0.iter().enumerate() {
                for &template in list {
                    in_all_templates[digit] &= template;
                    in_any_template[digit] |= template;
                }
            }
            // If a cell is in the templates of only one digit, it gets that digit.
            let [mut in_some_digit, mut in_several_digits] = [CellSet::EMPTY; 2];
            for &cells in &in_any_template {
                in_several_digits |= in_some_digit & cells;
                in_some_digit |= cells;
            }
            if in_some_digit != CellSet::FULL {
                return Err(NoTemplate);
            }
            let mut has_changed = false;
            for digit in 0..9 {
                let required_cells =
                    in_all_templates[digit] | in_any_template[digit].without(in_several_digits);
                let other_digits = in_all_templates
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != digit);
                let taken_cells = other_digits.fold(CellSet::EMPTY, |all, (_, cells)| all | *cells);
                let list = &mut self.0[digit];
                let count_before = list.len();
                list.retain(|&t| required_cells.is_subset(t) && (t & taken_cells).is_empty());
                if list.is_empty() {
                    return Err(NoTemplate);
                }
                has_changed |= list.len() < count_before;
                rules.add(Rule::Template, u64::from(list.len() < count_before));
            }
            if !has_changed {
                return Ok(());
            }
        }
    }

    /// The number of cells that are in all remaining templates of some digit.
    fn filled_count(&self) -> usize {
        let common_cells = |list: &Vec<CellSet>| {
            let shared_cells = list
                .iter()
                .fold(CellSet::FULL, |all, template| all & *template);
            shared_cells.len()
        };
        self.0.iter().map(common_cells).sum()
    }

    /// The digit with the fewest templates, among those that have several; `None` if each digit has one.
    fn digit_with_fewest_templates(&self) -> Option<Digit> {
        let undecided_digits = Digit::ALL
            .into_iter()
            .filter(|digit| self.0[digit.index()].len() > 1);
        undecided_digits.min_by_key(|digit| self.0[digit.index()].len())
    }

    /// The lists after choosing a template for a digit. Other digits lose the templates that overlap it.
    fn with_choice(&self, digit: Digit, template: CellSet) -> TemplateLists {
        let mut digit_index = 0;
        TemplateLists(self.0.each_ref().map(|list| {
            let is_own = digit_index == digit.index();
            digit_index += 1;
            if is_own {
                vec![template]
            } else {
                let is_disjoint = |other: &&CellSet| (**other & template).is_empty();
                list.iter().filter(is_disjoint).copied().collect()
            }
        }))
    }
}

struct TemplateSearch {
    run: SearchRun,
    rules: RuleCounts,
    limits: Limits,
}

impl TemplateSearch {
    /// Continues the search from these lists of templates. Returns false if the whole search must end.
    fn search_on(&mut self, mut lists: TemplateLists) -> bool {
        if lists.narrow(&mut self.rules).is_err() {
            return true;
        }
        self.run.record_filled(lists.filled_count());
        let Some(digit) = lists.digit_with_fewest_templates() else {
            let cells_by_digit = lists.0.each_ref().map(|list| list[0]);
            let solution = &mut self.run.solution;
            solution.count += 1;
            solution
                .first
                .get_or_insert_with(|| Grid::from_places(&cells_by_digit));
            return solution.count < self.limits.solutions;
        };
        let choices = &lists.0[digit.index()];
        for (at, &template) in choices.iter().enumerate() {
            if at > 0 {
                self.run.solution.backtracks += 1;
            }
            if at + 1 < choices.len() && !self.run.may_guess(self.limits) {
                return false;
            }
            if !self.search_on(lists.with_choice(digit, template)) {
                return false;
            }
        }
        true
    }
}
