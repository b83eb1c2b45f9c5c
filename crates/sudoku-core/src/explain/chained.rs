//! Describes the forcing chains of Sudoku Explainer's rating, in words and as links for drawings.

use super::words;
use crate::board::{Cell, CellSet, Digit, DigitSet};
use crate::grade::{Effect, Link, Node, Pattern, StrongReason};
use crate::rating::{ChainCause, ChainNode};

/// The pattern of a step that these chains prove: the first node of each chain and, if there is only one
/// chain, its links. Empty if there are no chains.
pub(super) fn pattern_of_chains(chains: &[Vec<ChainNode>], effect: &Effect) -> Pattern {
    let [first, ..] = chains else {
        return Pattern::default();
    };
    let first_nodes: Vec<ChainNode> = chains
        .iter()
        .filter_map(|chain| chain.first())
        .copied()
        .collect();
    let pattern = Pattern::new(
        [],
        first_nodes
            .iter()
            .map(|start| start.cell)
            .collect::<CellSet>(),
        first_nodes
            .iter()
            .map(|start| start.digit)
            .collect::<DigitSet>(),
    );
    if chains.len() > 1 {
        return pattern.because(cases_clause(chains, effect));
    }
    let (start, end) = (first[0], first[first.len() - 1]);
    let reason = match (same_candidate(start, end), start.is_on == end.is_on) {
        (true, true) => format!(
            "the chain returns to {}: of each two candidates beside each other in it one is true, and \
             what sees both is false",
            node_text(start)
        ),
        _ => format!(
            "if {}, then {} ({})",
            node_text(start),
            node_text(end),
            chain_text(first)
        ),
    };
    pattern.with_chain(links_of_chain(first)).because(reason)
}

/// A clause that names the assumption at the start of each chain, and says what follows from all assumptions.
fn cases_clause(chains: &[Vec<ChainNode>], effect: &Effect) -> String {
    let mut text = claim_sentence(chains, effect);
    for chain in chains {
        text += &format!(". If {}: {}", node_text(chain[0]), chain_text(chain));
    }
    text
}

/// The claim that several chains prove together, as a sentence; and for each chain, its conclusion and its
/// nodes as text. `None` if there are fewer than two chains.
pub(super) fn outline_of_chains(
    chains: &[Vec<ChainNode>],
    effect: &Effect,
) -> Option<(String, Vec<(String, String)>)> {
    if chains.len() < 2 {
        return None;
    }
    let case_text = |chain: &Vec<ChainNode>| {
        let (start, end) = (node_text(chain[0]), node_text(chain[chain.len() - 1]));
        match chain.len() {
            1 => (format!("If {start}: it is assumed"), String::new()),
            nodes => (
                format!("If {start}, then {end}, in {nodes} nodes"),
                chain_text(chain) + ".",
            ),
        }
    };
    let claim = words::capitalised(&claim_sentence(chains, effect)) + ".";
    Some((claim, chains.iter().map(case_text).collect()))
}

/// The claim that several chains prove together, as a sentence without a full stop.
fn claim_sentence(chains: &[Vec<ChainNode>], effect: &Effect) -> String {
    let first_nodes = chains.iter().filter_map(|chain| chain.first());
    let mut distinct: Vec<ChainNode> = Vec::new();
    for start in first_nodes {
        if !distinct
            .iter()
            .any(|known| same_candidate(*known, *start) && known.is_on == start.is_on)
        {
            distinct.push(*start);
        }
    }
    match &distinct[..] {
        [start] => format!(
            "{} leads to a contradiction, so {effect}",
            node_text(*start)
        ),
        several => format!(
            "one of {} is true, and from each follows {effect}",
            words::joined_list(several.iter().map(|start| node_text(*start)))
        ),
    }
}

/// The nodes of a chain except its first, each with its cause, such as `r1c2<>3 (row 1), r1c7=3 (row 1)`.
fn chain_text(chain: &[ChainNode]) -> String {
    let steps = chain[1..].iter().map(|node| {
        let reason = match node.cause {
            ChainCause::Assumed => "assumed".to_owned(),
            ChainCause::Cell => "its cell".to_owned(),
            ChainCause::House(house) => house.to_string(),
            ChainCause::Rule => "a technique on what is left".to_owned(),
        };
        format!("{} ({reason})", node_text(*node))
    });
    let steps: Vec<String> = steps.collect();
    if steps.is_empty() {
        "it is assumed".to_owned()
    } else {
        steps.join(", ")
    }
}

/// A node of a chain as text: `r1c2=3` if the candidate is true, `r1c2<>3` if it is false.
fn node_text(node: ChainNode) -> String {
    let sign = if node.is_on { "=" } else { "<>" };
    format!("{}{sign}{}", node.cell, node.digit)
}

fn same_candidate(one: ChainNode, other: ChainNode) -> bool {
    let candidate = |node: ChainNode| -> (Cell, Digit) { (node.cell, node.digit) };
    candidate(one) == candidate(other)
}

/// The links of a chain, each from a node to the next one, which follows from it.
fn links_of_chain(chain: &[ChainNode]) -> Vec<Link> {
    let links = chain.windows(2).map(|pair| {
        let [from, to] = [pair[0], pair[1]].map(|node| Node::from_candidate(node.digit, node.cell));
        match (pair[1].is_on, pair[1].cause) {
            (true, ChainCause::House(house)) => Link::strong(from, to, StrongReason::House(house)),
            (true, _) => Link::strong(from, to, StrongReason::Cell),
            (false, _) => Link::weak(from, to),
        }
    });
    links.collect()
}
