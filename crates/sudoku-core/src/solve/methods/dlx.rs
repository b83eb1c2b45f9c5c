//! `dlx`: exact cover with Knuth's dancing links.
//!
//! Each item has to be covered exactly once. There is an item for each cell, and for each symbol in
//! each row, column and box. An option is a symbol in a cell, and covers four items. The search
//! branches on the item with the fewest remaining options.
//!
//! The published crates for exact cover enumerate solutions. None of them counts the options that it
//! tried, or can stop after a number of them. `compare` needs both, so this module implements the links
//! itself.
//!
//! ```text
//! node 0          the root; left and right link it to the items that are not covered yet
//! nodes 1..=n     the items; up and down link each to its options
//! nodes n+1..     the options: `ITEMS_PER_OPTION` consecutive nodes, each in the list of one of its items
//! ```

use super::method_search::SearchRun;
use super::{Limits, SearchMethod};
use crate::board::{Candidates, Cell, Digit, Grid};

/// The number of items that each option covers.
const ITEMS_PER_OPTION: usize = 4;

/// The dancing links: lists of items and options that the search shortens and restores.
#[derive(Clone)]
struct DancingLinks {
    left: Vec<u32>,
    right: Vec<u32>,
    up: Vec<u32>,
    down: Vec<u32>,
    item: Vec<u32>,
    /// For each item, the number of its remaining options.
    option_counts: Vec<u32>,
    item_count: usize,
}

impl DancingLinks {
    fn new(items: usize) -> DancingLinks {
        let neighbours =
            |step: usize| (0..=items).map(move |at| ((at + step) % (items + 1)) as u32);
        let own_index: Vec<u32> = (0..=items as u32).collect();
        DancingLinks {
            left: neighbours(items).collect(),
            right: neighbours(1).collect(),
            up: own_index.clone(),
            down: own_index.clone(),
            item: own_index,
            option_counts: vec![0; items + 1],
            item_count: items,
        }
    }

    /// Adds an option that covers these four items, which are numbered from 0.
    fn add(&mut self, items: [usize; ITEMS_PER_OPTION]) {
        for item in items {
            let (node, item) = (self.up.len() as u32, item as u32 + 1);
            let last_node = self.up[item as usize];
            self.up.push(last_node);
            self.down.push(item);
            self.item.push(item);
            self.down[last_node as usize] = node;
            self.up[item as usize] = node;
            self.option_counts[item as usize] += 1;
        }
    }

    /// The number of the option to which this node belongs, counted from 0.
    fn option_of_node(&self, node: u32) -> usize {
        (node as usize - self.item_count - 1) / ITEMS_PER_OPTION
    }

    /// The other nodes of the option to which this node belongs.
    fn other_nodes_of_option(&self, node: u32) -> impl DoubleEndedIterator<Item = u32> + use<> {
        let first_node =
            (self.item_count + 1 + ITEMS_PER_OPTION * self.option_of_node(node)) as u32;
        (first_node..first_node + ITEMS_PER_OPTION as u32).filter(move |other| *other != node)
    }

    /// Covers an item: removes it from the list of items, and removes its options from the lists of
    /// their other items.
    fn cover(&mut self, item: u32) {
        let item_index = item as usize;
        let (left, right) = (self.left[item_index], self.right[item_index]);
        self.right[left as usize] = right;
        self.left[right as usize] = left;
        let mut row = self.down[item_index];
        while row != item {
            for node in self.other_nodes_of_option(row) {
                let node = node as usize;
                let (up, down) = (self.up[node], self.down[node]);
                self.down[up as usize] = down;
                self.up[down as usize] = up;
                self.option_counts[self.item[node] as usize] -= 1;
            }
            row = self.down[row as usize];
        }
    }

    /// Undoes what [`DancingLinks::cover`] did, in reverse order.
    fn uncover(&mut self, item: u32) {
        let item_index = item as usize;
        let mut row = self.up[item_index];
        while row != item {
            for node in self.other_nodes_of_option(row).rev() {
                let node_index = node as usize;
                let (up, down) = (self.up[node_index], self.down[node_index]);
                self.down[up as usize] = node;
                self.up[down as usize] = node;
                self.option_counts[self.item[node_index] as usize] += 1;
            }
            row = self.up[row as usize];
        }
        let (left, right) = (self.left[item_index], self.right[item_index]);
        self.right[left as usize] = item;
        self.left[right as usize] = item;
    }

    /// The first of the items that have the fewest options; `None` if all items are covered.
    fn item_with_fewest_options(&self) -> Option<u32> {
        let mut best_item = None;
        let mut fewest_options = u32::MAX;
        let mut item = self.right[0];
        while item != 0 {
            let len = self.option_counts[item as usize];
            if len < fewest_options {
                (best_item, fewest_options) = (Some(item), len);
                if len <= 1 {
                    break;
                }
            }
            item = self.right[item as usize];
        }
        best_item
    }
}

/// A search for exact covers: sets of options that cover each item exactly once.
pub(crate) struct ExactCoverSearch {
    links: DancingLinks,
    limits: Limits,
    /// The number of options that may still be tried before the search gives up.
    work_left: u64,
    chosen_options: Vec<usize>,
    /// The number of exact covers found so far, up to the limit.
    pub(crate) count: u32,
    /// The options of the first cover that was found; `None` if there is none.
    pub(crate) first_cover: Option<Vec<usize>>,
    /// The number of options that were tried while their item had other options left.
    pub(crate) guesses: u64,
    /// The number of options that were tried because another option of the item had failed.
    pub(crate) backtracks: u64,
    /// The largest number of options that were taken at the same time.
    pub(crate) deepest: usize,
    /// Whether the limit of work ended the search.
    pub(crate) gave_up: bool,
}

impl ExactCoverSearch {
    /// Searches for exact covers of `item_count` items by the options.
    pub(crate) fn search(
        item_count: usize,
        options: impl Iterator<Item = [usize; ITEMS_PER_OPTION]>,
        limits: Limits,
        work_limit: u64,
    ) -> ExactCoverSearch {
        let mut links = DancingLinks::new(item_count);
        options.for_each(|option| links.add(option));
        let mut cover = ExactCoverSearch {
            links,
            limits,
            work_left: work_limit,
            chosen_options: Vec::new(),
            count: 0,
            first_cover: None,
            guesses: 0,
            backtracks: 0,
            deepest: 0,
            gave_up: false,
        };
        cover.search_on();
        cover
    }

    /// Continues the search for covers from the current state of the links. Returns false if the whole search
    /// must end.
    fn search_on(&mut self) -> bool {
        self.deepest = self.deepest.max(self.chosen_options.len());
        let Some(item) = self.links.item_with_fewest_options() else {
            self.count += 1;
            self.first_cover
                .get_or_insert_with(|| self.chosen_options.clone());
            return self.count < self.limits.solutions;
        };
        self.links.cover(item);
        let mut row = self.links.down[item as usize];
        let mut is_first = true;
        let mut continues = true;
        while continues && row != item {
            let next = self.links.down[row as usize];
            let is_guess = next != item;
            if is_guess && self.guesses == self.limits.nodes || self.work_left == 0 {
                self.gave_up = true;
                continues = false;
                break;
            }
            self.work_left -= 1;
            self.guesses += u64::from(is_guess);
            self.backtracks += u64::from(!is_first);
            is_first = false;
            self.chosen_options.push(self.links.option_of_node(row));
            for node in self.links.other_nodes_of_option(row) {
                self.links.cover(self.links.item[node as usize]);
            }
            continues = self.search_on();
            for node in self.links.other_nodes_of_option(row).rev() {
                self.links.uncover(self.links.item[node as usize]);
            }
            self.chosen_options.pop();
            row = next;
        }
        self.links.uncover(item);
        continues
    }
}

/// The solving method `dlx` for 9 × 9 puzzles.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactCover;

impl SearchMethod for ExactCover {
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun {
        let candidates = Cell::all().flat_map(|cell| Digit::ALL.map(|digit| (cell, digit)));
        let options: Vec<(Cell, Digit)> = candidates
            .filter(|(cell, digit)| board.places(*digit).contains(*cell))
            .collect();
        let items = options.iter().map(|(cell, digit)| {
            let item_of_house = |kind: usize, index: usize| 81 * kind + 9 * index + digit.index();
            [
                cell.index(),
                item_of_house(1, cell.row()),
                item_of_house(2, cell.column()),
                item_of_house(3, cell.box_index()),
            ]
        });
        let cover = ExactCoverSearch::search(4 * 81, items, limits, u64::MAX);
        let mut run = SearchRun::empty();
        run.rules = None;
        run.filled = Some(cover.deepest as u8);
        run.solution.count = cover.count;
        run.solution.nodes = cover.guesses;
        run.solution.backtracks = cover.backtracks;
        run.solution.gave_up = cover.gave_up;
        run.solution.first = cover.first_cover.map(|chosen| {
            let mut grid = Grid::EMPTY;
            for (cell, digit) in chosen.into_iter().map(|option| options[option]) {
                grid.set(cell, Some(digit));
            }
            grid
        });
        run
    }
}
