//! Test support for techniques: parses boards from a short text format, and checks the steps that a technique finds on
//! them.
//!
//! ```text
//! 123/4      digits, row by row from the top; omitted rows and cells are empty
//! r1c15=12   the cells r1c1 and r1c5 have these candidates only
//! 5@r2=37    the only places of 5 in row 2 are its third and its seventh cell
//! -527       the candidate 5 in r2c7 is removed
//! r1c1!5     5 is placed in r1c1, but not given
//! r1c1*      r1c1 is given
//! ```
//!
//! Cells that the text does not mention have all candidates.

use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet, House, Isomorph, fill_singles};
use crate::grade::{Effect, Pattern, Position, Rank, Steps, Technique};
use crate::random::Rng;
use crate::text::parse_triple;

/// The number of random isomorphs that are checked for each position.
const ISOMORPHS: usize = 3;

/// For each position, checks that all steps of the technique together have the expected effect. For each near miss,
/// which almost has the pattern, checks that the technique finds nothing.
///
/// Isomorphs of each position are checked too, with and without listing the steps. For techniques of the ladder,
/// the effect is also compared with the solutions of the position.
pub(super) fn check(technique: &dyn Technique, positions: &[(&str, &str)], near_misses: &[&str]) {
    assert!(positions.len() >= 3, "at least three positions");
    assert!(near_misses.len() >= 2, "at least two near misses");
    assert!(positions.iter().all(|(_, effect)| !effect.is_empty()));
    let near_misses = near_misses.iter().map(|text| (*text, ""));
    let mut differences = String::new();
    for (text, expected) in positions.iter().copied().chain(near_misses) {
        let position = position(text);
        let found_effect = steps(technique, &position, text).union().clone();
        let expected = parse_effect(&position, expected);
        if found_effect == expected {
            check_against_search(technique, &position, &found_effect, text);
            check_isomorphs(technique, &position, &found_effect, text);
        } else {
            differences += &format!(
                "\n{text}: {} instead of {}",
                describe(&found_effect),
                describe(&expected)
            );
        }
    }
    assert!(differences.is_empty(), "{differences}");
}

/// Removes up to eleven random candidates of unsolved cells, also those of the solution.
pub(super) fn remove_some_candidates(board: &mut Position, rng: &mut Rng) {
    for _ in 0..rng.below(12) {
        let digit = Digit::from_index(rng.below(9));
        let places: Vec<_> = board.open_places(digit).collect();
        if !places.is_empty() {
            let removed = places[rng.below(places.len())];
            board.eliminate(digit, CellSet::of(removed));
        }
    }
}

/// Declares the test of a technique, which calls [`check`] with these arguments.
macro_rules! check_technique {
    ($technique:expr, $positions:expr, $near_misses:expr $(,)?) => {
        mod tests {
            use super::*;

            #[test]
            fn finds_the_pattern_and_no_near_miss() {
                $crate::grade::techniques::testing::check($technique, $positions, $near_misses);
            }
        }
    };
}
pub(super) use check_technique;

/// Runs both searches of a technique, and checks that the listed steps together have the effect of the union. Returns
/// the listed steps.
pub(super) fn steps(technique: &dyn Technique, position: &Position, case: &str) -> Steps {
    let (mut union, mut listing) = (Steps::union_only(), Steps::listing());
    technique.find_union(position, &mut union);
    technique.list_steps(position, &mut listing);
    let id = technique.info().id;
    let [united, listed] = [&union, &listing].map(|steps| describe(steps.union()));
    assert_eq!(united, listed, "{id}: {case}");
    assert_eq!(union.is_empty(), listing.list().is_empty(), "{id}: {case}");
    listing
}

/// Parses a position in the text format that is described at the top of this file.
pub(super) fn position(text: &str) -> Position {
    let mut board = Candidates::FULL;
    let mut given_cells = CellSet::EMPTY;
    for word in text.split_whitespace() {
        if let Some(triple) = word.strip_prefix('-') {
            let (digit, cell) = parse_triple(triple.as_bytes()).expect("digit, row, column");
            board.eliminate(digit, CellSet::of(cell));
        } else if let Some((digit, places)) = word.split_once('@') {
            let (house, places) = places.split_once('=').expect("a house and its places");
            let house = parse_house(house);
            let places = digits(places).fold(CellSet::EMPTY, |all, n| {
                all | CellSet::of(house.cell(n.index()))
            });
            let digit = digits(digit).single().expect("one digit");
            board.eliminate(digit, house.cells() & !places);
        } else if let Some((cells, candidates)) = word.split_once('=') {
            for digit in digits(candidates).complement() {
                board.eliminate(digit, parse_cells(cells));
            }
        } else if let Some((cell, digit)) = word.split_once('!') {
            for cell in parse_cells(cell) {
                board.place(cell, digits(digit).single().expect("one digit"));
            }
        } else if let Some(cells) = word.strip_suffix('*') {
            given_cells |= parse_cells(cells);
        } else {
            place_rows(&mut board, word);
        }
    }
    Position::with_clues(board, given_cells)
}

fn place_rows(board: &mut Candidates, rows: &str) {
    let is_whole_grid = rows.len() == 81;
    let split = |n| if is_whole_grid { n / 9 } else { 0 };
    let mut row = 0;
    let mut column = 0;
    for (n, byte) in rows.bytes().enumerate() {
        if byte == b'/' {
            (row, column) = (row + 1, 0);
            continue;
        }
        if is_whole_grid {
            (row, column) = (split(n), n % 9);
        }
        if let Some(digit) = Digit::from_value(byte.wrapping_sub(b'0')) {
            board.place(Cell::at(row, column), digit);
        }
        column += 1;
    }
}

/// Parses digits: `12` stands for the digits 1 and 2.
fn digits(text: &str) -> DigitSet {
    let digit = |byte: u8| Digit::from_value(byte - b'0').expect("a digit");
    text.bytes().map(digit).collect()
}

fn parse_house(text: &str) -> House {
    let (kind, n) = text.split_at(1);
    let house_index = digits(n).single().expect("one house").index();
    match kind {
        "r" => House::row(house_index),
        "c" => House::column(house_index),
        "b" => House::box_(house_index),
        _ => panic!("no house: {text}"),
    }
}

/// Parses a set of cells: `r12c345` stands for the six cells in two rows and three columns.
fn parse_cells(text: &str) -> CellSet {
    let (rows, columns) = text[1..].split_once('c').expect("rows and columns");
    let cells = digits(rows)
        .flat_map(|row| digits(columns).map(move |column| Cell::at(row.index(), column.index())));
    cells.collect()
}

/// Parses an effect such as `r1c5=7, r12c34<>56`.
fn parse_effect(position: &Position, text: &str) -> Effect {
    let mut steps = Steps::union_only();
    for change in text.split(", ").filter(|change| !change.is_empty()) {
        let (cells, changed, is_placement) = match change.split_once("<>") {
            Some((cells, removed)) => (cells, removed, false),
            None => {
                let (cells, placed) = change.split_once('=').expect("a placement");
                (cells, placed, true)
            }
        };
        let cells = parse_cells(cells);
        for digit in digits(changed) {
            let is_there = cells.is_subset(position.open_places(digit));
            assert!(is_there, "{change}: no such candidate");
            if is_placement {
                cells.for_each(|cell| steps.place(cell, digit, Pattern::default));
            } else {
                steps.eliminate(position, [(digit, cells)], Pattern::default);
            }
        }
    }
    steps.union().clone()
}

/// Formats an effect row by row, for failure messages. Cells of a row with the same changes are joined.
fn describe(effect: &Effect) -> String {
    let mut changes: Vec<String> = Vec::new();
    for (sign, of) in [
        ("=", Effect::placed as fn(&Effect, Digit) -> CellSet),
        ("<>", Effect::removed),
    ] {
        for row in House::rows() {
            let mut groups: Vec<(DigitSet, String)> = Vec::new();
            for cell in row.cells() {
                let digits_of_effect: DigitSet = (Digit::ALL.into_iter())
                    .filter(|digit| of(effect, *digit).contains(cell))
                    .collect();
                let column = (cell.column() + 1).to_string();
                match groups
                    .iter_mut()
                    .find(|(digits, _)| *digits == digits_of_effect)
                {
                    Some((_, columns)) => columns.push_str(&column),
                    None => groups.push((digits_of_effect, column)),
                }
            }
            let row = row.cell(0).row() + 1;
            let groups = groups.iter().filter(|(digits, _)| !digits.is_empty());
            changes
                .extend(groups.map(|(digits, columns)| format!("r{row}c{columns}{sign}{digits}")));
        }
    }
    changes.join(", ")
}

/// Checks the effect against all solutions: none contains a removed candidate, and each contains the placed digits.
/// Uniqueness techniques are not checked, because their effects need not hold in every solution.
fn check_against_search(
    technique: &dyn Technique,
    position: &Position,
    found: &Effect,
    text: &str,
) {
    if Rank::from_id(technique.info().id).is_none() {
        return;
    }
    for digit in Digit::ALL {
        for cell in found.removed(digit) {
            let mut board = position.board().clone();
            board.place(cell, digit);
            assert!(!has_solution(board), "{text}: {digit} can stand in {cell}");
        }
        for cell in found.placed(digit) {
            let mut board = position.board().clone();
            board.eliminate(digit, CellSet::of(cell));
            assert!(!has_solution(board), "{text}: {cell} can lack {digit}");
        }
    }
}

/// Checks that the technique has the same effect on isomorphs of the position.
fn check_isomorphs(technique: &dyn Technique, position: &Position, found: &Effect, text: &str) {
    let seed = 17;
    let mut rng = Rng::new(seed);
    for _ in 0..ISOMORPHS {
        let isomorph = Isomorph::random(&mut rng);
        let image = steps(technique, &map_position(position, &isomorph), text);
        let image = image.union().clone();
        let expected = map_effect(found, &isomorph);
        assert_eq!(describe(&image), describe(&expected), "seed {seed}: {text}");
    }
}

/// Whether the board has a solution. A depth-first search, which guesses the cell with the fewest candidates, or the
/// digit with the fewest places in a house.
fn has_solution(mut board: Candidates) -> bool {
    if fill_singles(&mut board, |_, _| false).is_err() {
        return false;
    }
    if board.is_solved() {
        return true;
    }
    let cell_choices =
        |cell: Cell| -> Vec<_> { board.digits(cell).map(|digit| (digit, cell)).collect() };
    let house_choices = |(house, digit): (House, Digit)| -> Vec<_> {
        let places = board.open_places(digit) & house.cells();
        places.map(|cell| (digit, cell)).collect()
    };
    let houses = House::ALL
        .into_iter()
        .flat_map(|house| Digit::ALL.map(|digit| (house, digit)));
    let choices = board
        .unsolved()
        .map(cell_choices)
        .chain(houses.map(house_choices));
    let fewest = choices
        .filter(|choice| choice.len() > 1)
        .min_by_key(Vec::len);
    fewest.into_iter().flatten().any(|(digit, cell)| {
        let mut next_board = board.clone();
        next_board.place(cell, digit);
        has_solution(next_board)
    })
}

fn map_cells(cells: CellSet, isomorph: &Isomorph) -> CellSet {
    cells.map(|cell| isomorph.cell(cell)).collect()
}

fn map_position(position: &Position, isomorph: &Isomorph) -> Position {
    let mut board = Candidates::FULL;
    let solved = position.board().solved_grid();
    for (cell, digit) in solved.clues() {
        board.place(isomorph.cell(cell), isomorph.digit(digit));
    }
    for digit in Digit::ALL {
        let places = map_cells(position.places(digit), isomorph);
        board.eliminate(isomorph.digit(digit), !places);
    }
    Position::with_clues(board, map_cells(position.clues(), isomorph))
}

fn map_effect(effect: &Effect, isomorph: &Isomorph) -> Effect {
    let mut steps = Steps::union_only();
    for digit in Digit::ALL {
        let image = isomorph.digit(digit);
        for cell in map_cells(effect.placed(digit), isomorph) {
            steps.place(cell, image, Pattern::default);
        }
        let removed_cells = map_cells(effect.removed(digit), isomorph);
        steps.eliminate(
            &Candidates::FULL,
            [(image, removed_cells)],
            Pattern::default,
        );
    }
    steps.union().clone()
}
