//! Assigns roles to the columns of an input, by the names that options give, or otherwise by well-known names.

use std::collections::{HashMap, HashSet};

use super::{ColumnInfo, ColumnRole, Keep, ReadOptions};
use crate::error::Error;
use crate::options::{KEEP, PUZZLE_COLUMN, SOLUTION_COLUMN};

/// Advice for the user if an input has named columns, but no record in it is a puzzle.
pub(super) fn column_hint() -> String {
    format!("{PUZZLE_COLUMN} names the column that holds the puzzles")
}

/// Well-known names of puzzle columns. Earlier names take precedence. `clues` is not among them, because it is
/// usually a count.
pub(crate) const PUZZLE_NAMES: [&str; 16] = [
    "puzzle",
    "puzzles",
    "quizzes",
    "quiz",
    "question",
    "questions",
    "grid",
    "board",
    "sudoku",
    "boards",
    "initial_board",
    "unsolved",
    "problem",
    "input",
    "inputs",
    "prompt",
];

/// Well-known names of columns with given solutions. Earlier names take precedence.
pub(super) const SOLUTION_NAMES: [&str; 8] = [
    "solution",
    "solutions",
    "answer",
    "answers",
    "solved",
    "output",
    "outputs",
    "completion",
];

/// The columns that are read. Each is given by its index in the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Columns {
    /// The puzzle column; `None` only for a table that needs no puzzles.
    pub puzzle: Option<usize>,
    pub solution: Option<usize>,
    /// The indices of the columns that are copied to the output, each with its unique name there.
    pub carried: Vec<(usize, String)>,
}

impl Columns {
    /// The name and the role of every column of the input. `names` are the names.
    pub(super) fn roles<S: AsRef<str>>(&self, names: &[S]) -> Vec<ColumnInfo> {
        let mut is_carried = vec![false; names.len()];
        for (at, _) in &self.carried {
            is_carried[*at] = true;
        }
        let role = |at: usize| match at {
            _ if Some(at) == self.puzzle => ColumnRole::Puzzle,
            _ if Some(at) == self.solution => ColumnRole::Solution,
            _ if is_carried[at] => ColumnRole::Carried,
            _ => ColumnRole::Dropped,
        };
        let names = names.iter().enumerate();
        names
            .map(|(at, name)| ColumnInfo {
                name: name.as_ref().to_owned(),
                role: role(at),
            })
            .collect()
    }
}

/// Chooses the columns to copy to the output, for a format without a header line. `names` are the fixed names of its
/// columns.
pub(super) fn choose_fixed(
    source_name: &str,
    names: &[&str],
    options: &ReadOptions,
) -> Result<Vec<usize>, Error> {
    let missing_column = |name: &str, option| Error::NoColumn {
        source_name: source_name.to_owned(),
        wanted: format!("column {name:?}"),
        columns: names.iter().map(ToString::to_string).collect(),
        option,
    };
    if let Some(name) = &options.puzzle_column {
        return Err(missing_column(name, PUZZLE_COLUMN));
    }
    if let Some(name) = &options.solution_column {
        return Err(missing_column(name, SOLUTION_COLUMN));
    }
    let mut kept_indices = match &options.keep {
        Keep::All => (0..names.len()).collect(),
        Keep::None => Vec::new(),
        Keep::Only(wanted) => wanted
            .iter()
            .filter(|name| options.must_have(name) || find_named(names, name).is_some())
            .map(|name| find_named(names, name).ok_or_else(|| missing_column(name, KEEP)))
            .collect::<Result<Vec<_>, _>>()?,
    };
    kept_indices.sort_unstable();
    kept_indices.dedup();
    Ok(kept_indices)
}

/// The index of the first column for which `is_fitting` is true and whose name is a known name. Earlier known names
/// take precedence.
pub(super) fn find_known<S: AsRef<str>>(
    names: &[S],
    known_names: &[&str],
    is_fitting: &dyn Fn(usize) -> bool,
) -> Option<usize> {
    let is_named = |at: usize, wanted: &str| {
        is_fitting(at) && names[at].as_ref().trim().eq_ignore_ascii_case(wanted)
    };
    known_names
        .iter()
        .find_map(|wanted| (0..names.len()).find(|at| is_named(*at, wanted)))
}

/// The index of the column with this name in any case. A column with the name in the same case takes precedence.
pub(super) fn find_named<S: AsRef<str>>(names: &[S], wanted: &str) -> Option<usize> {
    let exact_match = names.iter().position(|name| name.as_ref() == wanted);
    exact_match.or_else(|| find_known(names, &[wanted.trim()], &|_| true))
}

/// Assigns a role to every column of a table. `is_text` says which columns can hold grids. A column that cannot, but is
/// named like a solution column, is copied to the output.
pub(super) fn choose(
    source_name: &str,
    names: &[String],
    options: &ReadOptions,
    is_text: &dyn Fn(usize) -> bool,
) -> Result<Columns, Error> {
    let missing_column = |wanted: String, option| Error::NoColumn {
        source_name: source_name.to_owned(),
        wanted,
        columns: names.to_vec(),
        option,
    };
    let index_of_name = |name: &str, option| {
        find_named(names, name).ok_or_else(|| missing_column(format!("column {name:?}"), option))
    };
    let puzzle = match &options.puzzle_column {
        Some(name) => Some(index_of_name(name, PUZZLE_COLUMN)?),
        None => match find_known(names, &PUZZLE_NAMES, is_text) {
            None if options.any_table => None,
            None => Some(
                find_known(names, &PUZZLE_NAMES, &|_| true)
                    .ok_or_else(|| missing_column("puzzle column".to_owned(), PUZZLE_COLUMN))?,
            ),
            found => found,
        },
    };
    let solution = match &options.solution_column {
        Some(name) => Some(index_of_name(name, SOLUTION_COLUMN)?),
        None if puzzle.is_none() || options.carry_solutions => None,
        None => {
            let predictions = options.prediction_column.as_ref();
            let predictions = predictions.and_then(|name| find_named(names, name));
            find_known(names, &SOLUTION_NAMES, &|at| {
                Some(at) != puzzle && Some(at) != predictions && is_text(at)
            })
        }
    };
    let mut kept_indices: Vec<usize> = match &options.keep {
        Keep::All => (0..names.len()).collect(),
        Keep::None => Vec::new(),
        Keep::Only(wanted) => wanted
            .iter()
            .filter(|name| options.must_have(name) || find_named(names, name).is_some())
            .map(|name| index_of_name(name, KEEP))
            .collect::<Result<_, _>>()?,
    };
    kept_indices.sort_unstable();
    kept_indices.dedup();
    kept_indices.retain(|at| Some(*at) != puzzle && Some(*at) != solution);
    let unique = unique_names(names);
    Ok(Columns {
        puzzle,
        solution,
        carried: kept_indices
            .into_iter()
            .map(|at| (at, unique[at].clone()))
            .collect(),
    })
}

/// Makes column names unique and fills empty ones: `a,a,` → `a`, `a_2`, `column_3`. Names that differ only in case are
/// also made unique, because many readers of tables ignore case: `a,A` → `a`, `A_2`.
fn unique_names(names: &[String]) -> Vec<String> {
    let mut taken_names: HashSet<String> = HashSet::new();
    // For each name, in lower case, the suffix to try next. Without this map, ten thousand columns with the same name
    // would take quadratic time.
    let mut next_suffixes: HashMap<String, usize> = HashMap::new();
    let mut unique = Vec::with_capacity(names.len());
    for (at, name) in names.iter().enumerate() {
        let name = match name.as_str() {
            "" => format!("column_{}", at + 1),
            name => name.to_owned(),
        };
        let mut free_name = name.clone();
        if !taken_names.insert(free_name.to_ascii_lowercase()) {
            let suffix = next_suffixes
                .entry(free_name.to_ascii_lowercase())
                .or_insert(2);
            loop {
                free_name = format!("{name}_{suffix}");
                *suffix += 1;
                if taken_names.insert(free_name.to_ascii_lowercase()) {
                    break;
                }
            }
        }
        unique.push(free_name);
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(header: &str, options: &ReadOptions) -> String {
        let names: Vec<String> = header.split(',').map(str::to_owned).collect();
        match choose("in.csv", &names, options, &|_| true) {
            Ok(Columns {
                puzzle,
                solution,
                carried,
            }) => {
                let carried_names: Vec<&str> =
                    carried.iter().map(|(_, name)| name.as_str()).collect();
                format!(
                    "{} {solution:?} {}",
                    puzzle.unwrap(),
                    carried_names.join(",")
                )
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_headers_of_known_datasets_are_understood() {
        for (header, expected) in [
            ("quizzes,solutions", "0 Some(1) "),
            (
                "id,puzzle,solution,clues,difficulty",
                "1 Some(2) id,clues,difficulty",
            ),
            ("source,question,answer,rating", "1 Some(2) source,rating"),
            ("prompt,completion", "0 Some(1) "),
            ("input,output,puzzle", "2 Some(1) input"),
            ("Quiz, Puzzle ,SOLUTION", "1 Some(2) Quiz"),
            ("puzzle,a,a,a,,a_2", "0 None a,a_2,a_3,column_5,a_2_2"),
            ("puzzle,Note,note,NOTE", "0 None Note,note_2,NOTE_3"),
        ] {
            assert_eq!(chosen(header, &ReadOptions::default()), expected);
        }
    }

    #[test]
    fn a_table_that_needs_no_puzzles_carries_all_its_columns() {
        let names = ["clues", "solution", "board"].map(str::to_owned);
        let options = ReadOptions {
            any_table: true,
            ..ReadOptions::default()
        };
        let without_fit = choose("in", &names, &options, &|_| false).unwrap();
        assert_eq!(
            (
                without_fit.puzzle,
                without_fit.solution,
                without_fit.carried.len()
            ),
            (None, None, 3)
        );
        let with_one_fit = choose("in", &names, &options, &|at| at == 2).unwrap();
        assert_eq!(
            (with_one_fit.puzzle, with_one_fit.carried.len()),
            (Some(2), 2)
        );
    }

    #[test]
    fn a_missing_column_names_the_flag_and_the_columns() {
        let puzzle = |name: &str| ReadOptions {
            puzzle_column: Some(name.to_owned()),
            ..ReadOptions::default()
        };
        let solution = ReadOptions {
            solution_column: Some("x".to_owned()),
            ..ReadOptions::default()
        };
        let keep_only = |name: &str| ReadOptions {
            keep: Keep::Only(vec![name.to_owned()]),
            ..ReadOptions::default()
        };
        let columns = "its columns are";
        for (header, options, expected) in [
            (
                "clues,level",
                ReadOptions::default(),
                format!(
                    "in.csv: no puzzle column; {columns} clues, level; name one with `puzzle_column`"
                ),
            ),
            (
                "a,puzzle",
                puzzle("b"),
                format!(
                    "in.csv: no column \"b\"; {columns} a, puzzle; name one with `puzzle_column`"
                ),
            ),
            (
                "a,puzzle",
                solution,
                format!(
                    "in.csv: no column \"x\"; {columns} a, puzzle; name one with `solution_column`"
                ),
            ),
            (
                "a,puzzle",
                keep_only("x"),
                format!("in.csv: no column \"x\"; {columns} a, puzzle; name one with `keep`"),
            ),
            ("a,puzzle", keep_only("A"), "1 None a".to_owned()),
            ("A,a,puzzle", puzzle("a"), "1 None A,puzzle".to_owned()),
        ] {
            assert_eq!(chosen(header, &options), expected);
        }
    }
}
