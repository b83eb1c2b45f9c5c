//! Writes explanations, such as the steps that solve a puzzle, as JSON objects.

use serde_json::{Map, Value, json};

use sudoku_core::board::{Candidates, Cell, CellSet, Digit, DigitSet};
use sudoku_core::explain::{
    ABOUT_SEARCH, ColumnValue, Explanation, LibraryPosition, Manual, RatedOutcome, RatedWalk,
    StepBoard, StepRating, Walk, Wave,
};
use sudoku_core::grade::{Case, CaseEnding, Deduction, Link, NamedSet, Node, Step, StrongReason};
use sudoku_core::rating::{ChainCause, ChainNode};
use sudoku_core::sizes::{SizedBoard, SizedStep};

/// Converts an explanation to one JSON object.
pub fn explanation_json(explanation: &Explanation) -> Value {
    match explanation {
        Explanation::Puzzle(walk) => puzzle_json(walk),
        Explanation::Sized(walk) => puzzle_json(walk),
        Explanation::Position(position) => library_json(position),
        Explanation::Technique(manual) => technique_json(manual),
        Explanation::Rating(walk) => rating_json(walk),
    }
}

/// The explanation of a puzzle of any size as JSON. Its steps are in waves: a wave has all steps that one technique
/// finds on one board.
fn puzzle_json<B: JsonBoard>(walk: &Walk<B>) -> Value {
    let mut object = Map::new();
    object.insert("puzzle".into(), json!(walk.puzzle.to_string()));
    object.insert("solution".into(), json!(walk.solution.to_string()));
    let size = B::from_grid(&walk.solution).order();
    object.insert("size".into(), json!(size));
    for (column, value) in walk.columns() {
        // The key `waves` is already used for the list of waves. The column `waves` counts the same waves, plus one for
        // a search, so it gets another key.
        let column = match column.as_str() {
            "waves" => "total_waves".to_owned(),
            _ => column,
        };
        object.insert(column, column_json(value));
    }
    // Only 9 × 9 puzzles have these columns, but puzzles of every size get these fields.
    for column in ["te_depth", "te_status"] {
        object.entry(column).or_insert(Value::Null);
    }
    let waves: Vec<_> = walk.waves.iter().map(wave_json).collect();
    object.insert("waves".into(), json!(waves));
    let stalled = walk.stalled.as_ref().map(|board| {
        json!({
            "board": board.filled(),
            "candidates": board.candidates(),
        })
    });
    object.insert("stalled".into(), json!(stalled));
    Value::Object(object)
}

fn column_json(value: ColumnValue) -> Value {
    match value {
        ColumnValue::Null => Value::Null,
        ColumnValue::Number(number) => json!(number),
        ColumnValue::Text(text) => json!(text),
        // Ratings are numbers in JSON, as they are in tables.
        ColumnValue::Rating(rating) => json!(rating.as_f64()),
    }
}

fn rating_json(walk: &RatedWalk) -> Value {
    let mut object = Map::new();
    object.insert("puzzle".into(), json!(walk.puzzle.as_str()));
    object.insert("solution".into(), json!(walk.solution.as_str()));
    if let RatedOutcome::Hodoku(_, version) = walk.outcome {
        object.insert("hodoku_version".into(), json!(version.id()));
    }
    for (column, value) in walk.columns() {
        object.insert(column.into(), column_json(value));
    }
    let steps = walk.steps.iter().map(|rated| {
        let mut object = Map::new();
        match rated.rating {
            StepRating::Rating(rating) => object.insert("rating".into(), json!(rating.as_f64())),
            StepRating::Points(points) => object.insert("points".into(), json!(points)),
        };
        object.insert("technique".into(), json!(rated.technique));
        object.insert("nodes".into(), json!(rated.nodes));
        object.insert("board".into(), json!(rated.board.filled()));
        object.insert("candidates".into(), json!(rated.board.candidates()));
        if let Value::Object(fields) = step_json(&rated.board, &rated.step) {
            object.extend(fields);
        }
        let chains = rated
            .chains
            .iter()
            .map(|chain| chain.iter().map(chain_node_json).collect::<Value>());
        object.insert("chains".into(), chains.collect());
        Value::Object(object)
    });
    object.insert("steps".into(), steps.collect());
    Value::Object(object)
}

/// A node of a chain as JSON: a candidate, whether it is true or false, and the reason why.
fn chain_node_json(node: &ChainNode) -> Value {
    let house = match node.cause {
        ChainCause::House(house) => Some(house.to_string()),
        _ => None,
    };
    let cause = match node.cause {
        ChainCause::Assumed => "assumed",
        ChainCause::Cell => "cell",
        ChainCause::House(_) => "house",
        ChainCause::Rule => "rule",
    };
    json!({
        "cell": node.cell.to_string(),
        "digit": node.digit.value(),
        "on": node.is_on,
        "cause": cause,
        "house": house,
    })
}

fn library_json(position: &LibraryPosition) -> Value {
    let line = &position.line;
    let board = &line.board;
    let waves: Vec<_> = position.found.iter().map(wave_json).collect();
    let pairs = |list: &[(Digit, Cell)]| -> Vec<Value> {
        list.iter()
            .map(|&(d, cell)| candidate_text(cell, d))
            .collect()
    };
    json!({
        "code": position.code(),
        "board": board.filled(),
        "candidates": board.candidates(),
        "listed": { "places": pairs(&line.placed), "removes": pairs(&line.removed) },
        "fit": position.fit.id(),
        "found": waves,
    })
}

fn technique_json(manual: &Manual) -> Value {
    json!({
        "technique": manual.id(),
        "name": manual.name(),
        "rank": manual.rank.number(),
        "level": manual.level().id(),
        "effort": manual.effort(),
        "hodoku": manual.info.map(|info| info.hodoku_codes),
        "explainer": manual.info.map(|info| info.explainer),
        "doc": manual.info.map_or(ABOUT_SEARCH, |info| info.doc),
        "example": manual.example.as_ref().map(wave_json),
    })
}

fn wave_json<B: JsonBoard>(wave: &Wave<B>) -> Value {
    let steps: Vec<_> = wave
        .steps
        .iter()
        .map(|s| step_json(&wave.board, s))
        .collect();
    json!({
        "rank": wave.rank.number(),
        "technique": wave.technique.id,
        "level": wave.technique.level.id(),
        "instances": wave.instances,
        "board": wave.board.filled(),
        "candidates": wave.board.candidates(),
        "steps": steps,
    })
}

/// A board whose steps can be written as JSON. On 9 × 9 boards, steps also have sets, chains, parts and cases.
trait JsonBoard: StepBoard {
    /// Returns four lists that belong to a step: its sets, its chain, its parts and its cases.
    fn argument_json(&self, step: &Self::Step) -> [Vec<Value>; 4];
}

impl JsonBoard for SizedBoard {
    fn argument_json(&self, _step: &SizedStep) -> [Vec<Value>; 4] {
        Default::default()
    }
}

impl JsonBoard for Candidates {
    fn argument_json(&self, step: &Step) -> [Vec<Value>; 4] {
        let pattern = &step.pattern;
        let chain = pattern
            .chain
            .iter()
            .map(|own| link_json(own, &pattern.sets));
        let part_steps = pattern.parts.iter().map(|part| step_json(self, part));
        let cases_json = pattern.cases.iter().map(|own| case_json(self, own));
        [
            pattern.sets.iter().map(named_set_json).collect(),
            chain.collect(),
            part_steps.collect(),
            cases_json.collect(),
        ]
    }
}

fn step_json<B: JsonBoard>(board: &B, step: &B::Step) -> Value {
    let plain_step = B::step(step);
    let [sets, chain, parts, cases] = board.argument_json(step);
    let names = |cells: &[usize]| -> Vec<String> {
        cells.iter().map(|cell| board.cell_name(*cell)).collect()
    };
    let changes = |changes: &[(usize, usize)]| -> Vec<Value> {
        let change = |&(cell, symbol): &(usize, usize)| json!({ "cell": board.cell_name(cell), "digit": symbol + 1 });
        changes.iter().map(change).collect()
    };
    let houses = plain_step
        .houses
        .iter()
        .map(|house| board.house_name(*house));
    let digits = (0..board.order()).filter(|symbol| plain_step.symbols >> symbol & 1 == 1);
    json!({
        "places": changes(&plain_step.placed),
        "removes": changes(&plain_step.removed),
        "houses": houses.collect::<Vec<_>>(),
        "cells": names(&plain_step.cells),
        "digits": digits.map(|symbol| symbol + 1).collect::<Vec<_>>(),
        "others": names(&plain_step.others),
        "sets": sets,
        "chain": chain,
        "parts": parts,
        "cases": cases,
        "why": board.why(step),
    })
}

/// A case as JSON: an assumption and the deductions from it. Each deduction has the board on which it was made.
fn case_json(board: &Candidates, case: &Case) -> Value {
    let mut board = board.clone();
    board.place(case.cell, case.digit);
    let mut trace = Vec::new();
    for Deduction { rank, step } in &case.trace {
        let mut object = Map::new();
        object.insert("rank".into(), json!(rank.number()));
        object.insert("technique".into(), json!(rank.id()));
        if let Value::Object(fields) = step_json(&board, step) {
            object.extend(fields);
        }
        trace.push(Value::Object(object));
        step.effect.apply(&mut board);
    }
    let ending = match case.ending {
        CaseEnding::NoCandidate(cell) => {
            json!({ "kind": "no_candidate", "cell": cell.to_string() })
        }
        CaseEnding::NoPlace(digit, house) => {
            json!({ "kind": "no_place", "digit": digit.value(), "house": house.to_string() })
        }
        CaseEnding::Removed => json!({ "kind": "removed" }),
    };
    json!({ "assume": candidate_text(case.cell, case.digit), "trace": trace, "ending": ending })
}

fn named_set_json(set: &NamedSet) -> Value {
    json!({
        "name": set.name.to_string(),
        "cells": cell_names(set.cells),
        "digits": digit_numbers(set.digits),
    })
}

/// A link of a chain as JSON. For a strong link, this includes the reason why one of its two nodes must be true.
fn link_json(link: &Link, sets: &[NamedSet]) -> Value {
    let name = |at: usize| sets.get(at).map(|set| set.name.to_string());
    let reason = link.reason.map(|reason| match reason {
        StrongReason::Cell => json!({ "kind": "cell" }),
        StrongReason::House(house) => json!({ "kind": "house", "house": house.to_string() }),
        StrongReason::Set(at) => json!({ "kind": "set", "set": name(at) }),
        StrongReason::SetBeside(at) => json!({ "kind": "set_beside", "set": name(at) }),
    });
    json!({
        "from": node_json(link.from),
        "to": node_json(link.to),
        "strong": link.strong,
        "reason": reason,
    })
}

fn candidate_text(cell: Cell, digit: Digit) -> Value {
    json!({ "cell": cell.to_string(), "digit": digit.value() })
}

fn node_json(node: Node) -> Value {
    json!({ "digit": node.digit.value(), "cells": cell_names(node.cells) })
}

fn cell_names(cells: CellSet) -> Vec<String> {
    cells.map(|cell| cell.to_string()).collect()
}

fn digit_numbers(digits: DigitSet) -> Vec<u8> {
    digits.map(Digit::value).collect()
}
