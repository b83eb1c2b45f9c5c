//! Lists all forcing chains and cycles, in the order in which Sudoku Explainer generates them. [`best`](super::best)
//! and [`screened`](super::screened) are faster; this version is easier to read, and tests compare them.

use super::passes::{PASSES, bases, is_start, removed_by_cycle};
use crate::board::{Cell, Digit};
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::chains::chain_hint::{ChainHint, effect};
use crate::rating::chains::length::bonus;
use crate::rating::chains::node::{Cause, LinkKinds, Node, off_from, on_from};
use crate::rating::values::names;

/// All hints from forcing chains and cycles, in the order in which Sudoku Explainer generates them.
pub(in crate::rating::chains) fn all(board: &Board, budget: &mut Budget) -> Vec<ChainHint> {
    let mut found_hints = Vec::new();
    for links in PASSES {
        for cell in board.empty() {
            if !is_start(board, links, cell) {
                continue;
            }
            for digit in board.digits(cell) {
                cycles(board, links, cell, digit, budget, &mut found_hints);
                if links.houses {
                    let (on, off) = (Node::on(cell, digit), Node::off(cell, digit));
                    chain(board, links, on, off, budget, &mut found_hints);
                    chain(board, links, off, on, budget, &mut found_hints);
                }
            }
        }
    }
    found_hints
}

/// A node that a search has found, and the index of the node that it follows from.
#[derive(Clone, Copy)]
struct SearchNode {
    node: Node,
    cause: Cause,
    parent: Option<usize>,
}

fn path(steps: &[SearchNode], end: SearchNode) -> Vec<(Node, Cause)> {
    let parent = |step: &SearchNode| step.parent.map(|at| steps[at]);
    std::iter::successors(Some(end), parent)
        .map(|step| (step.node, step.cause))
        .collect()
}

/// Searches the cycles through a candidate, breadth first. Each on-node is kept once. An off-node is kept once for each
/// path that leads to it, unless the path already contains it.
fn cycles(
    board: &Board,
    links: LinkKinds,
    cell: Cell,
    digit: Digit,
    budget: &mut Budget,
    found: &mut Vec<ChainHint>,
) {
    let start = Node::on(cell, digit);
    let mut steps = vec![SearchNode {
        node: start,
        cause: Cause::Start,
        parent: None,
    }];
    let mut is_on = [false; Node::COUNT];
    is_on[start.index()] = true;
    let mut layer = vec![0];
    let mut layers = 0;
    while !layer.is_empty() && budget.spend(layer.len() as u64) {
        let mut off = Vec::new();
        for at in layer {
            let step = steps[at];
            off_from(
                board,
                links,
                step.node.cell(),
                step.node.digit(),
                |node, cause| {
                    let next = SearchNode {
                        node,
                        cause,
                        parent: Some(at),
                    };
                    if !path(&steps, step).iter().any(|(known, _)| *known == node) {
                        off.push(next);
                    }
                    None::<()>
                },
            );
        }
        layers += 2;
        layer = Vec::new();
        for step in off {
            let parent = Some(steps.len());
            steps.push(step);
            for (node, cause) in on_from(board, links, step.node.cell(), step.node.digit()) {
                let next = SearchNode {
                    node,
                    cause,
                    parent,
                };
                if layers >= 4 && node == start {
                    found.extend(cycle(board, links, layers, path(&steps, next)));
                }
                if !is_on[node.index()] {
                    is_on[node.index()] = true;
                    layer.push(steps.len());
                    steps.push(next);
                }
            }
        }
    }
}

fn cycle(
    board: &Board,
    links: LinkKinds,
    length: u32,
    chain: Vec<(Node, Cause)>,
) -> Option<ChainHint> {
    let removed = removed_by_cycle(board, chain.iter().map(|(node, _)| *node));
    let (base, _, key) = bases(links);
    (!removed.is_empty()).then(|| ChainHint {
        technique: names::FORCING_CYCLE,
        rating: base + bonus(length),
        length,
        key,
        removed,
        placed: None,
        chains: vec![chain],
        is_cycle: true,
    })
}

/// Searches breadth first for the shortest chain from a node to its opposite. Each node is kept once.
fn chain(
    board: &Board,
    links: LinkKinds,
    start: Node,
    target: Node,
    budget: &mut Budget,
    found: &mut Vec<ChainHint>,
) {
    let mut steps = vec![SearchNode {
        node: start,
        cause: Cause::Start,
        parent: None,
    }];
    let mut is_reached = [false; Node::COUNT];
    is_reached[start.index()] = true;
    let mut step_index = 0;
    while step_index < steps.len() {
        let step = steps[step_index];
        let mut visit = |node: Node, cause| {
            if !is_reached[node.index()] {
                is_reached[node.index()] = true;
                steps.push(SearchNode {
                    node,
                    cause,
                    parent: Some(step_index),
                });
            }
        };
        let (cell, digit) = (step.node.cell(), step.node.digit());
        if step.node.is_on() {
            off_from(board, links, cell, digit, |node, cause| {
                visit(node, cause);
                None::<()>
            });
        } else {
            on_from(board, links, cell, digit).for_each(|(node, cause)| visit(node, cause));
        }
        step_index += 1;
    }
    budget.spend(steps.len() as u64);
    let Some(end) = steps.iter().find(|step| step.node == target) else {
        return;
    };
    let chain = path(&steps, *end);
    let (_, base, key) = bases(links);
    let length = chain.len() as u32;
    if let Some((removed, placed)) = effect(board, target) {
        found.push(ChainHint {
            technique: names::FORCING_CHAIN,
            rating: base + bonus(length),
            length,
            key,
            removed,
            placed,
            chains: vec![chain],
            is_cycle: false,
        });
    }
}
