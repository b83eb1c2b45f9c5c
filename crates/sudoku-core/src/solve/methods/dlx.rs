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
//! nodes n+1..     the options: `WIDTH` consecutive nodes, each in the list of one of its items
//! ```

use super::descent::SearchRun;
use super::{Limits, SearchMethod};
use crate::board::{Candidates, Cell, Digit, Grid};

/// The number of items that an option covers.
const WIDTH: usize = 4;

/// The dancing links, which the search changes and restores.
#[derive(Clone)]
struct DancingLinks {
    left: Vec<u32>,
    right: Vec<u32>,
    up: Vec<u32>,
    down: Vec<u32>,
    item: Vec<u32>,
    /// By item, the number of remaining options.
    len: Vec<u32>,
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
            len: vec![0; items + 1],
            item_count: items,
        }
    }

    /// Adds an option that covers these items. Items are numbered from 0.
    fn add(&mut self, items: [usize; WIDTH]) {
        for item in items {
            let (node, item) = (self.up.len() as u32, item as u32 + 1);
            let last_node = self.up[item as usize];
            self.up.push(last_node);
            self.down.push(item);
            self.item.push(item);
            self.down[last_node as usize] = node;
            self.up[item as usize] = node;
            self.len[item as usize] += 1;
        }
    }

    /// The number of the option that this node belongs to, from 0.
    fn option(&self, node: u32) -> usize {
        (node as usize - self.item_count - 1) / WIDTH
    }

    /// The other nodes of the same option.
    fn others(&self, node: u32) -> impl DoubleEndedIterator<Item = u32> + use<> {
        let first_node = (self.item_count + 1 + WIDTH * self.option(node)) as u32;
        (first_node..first_node + WIDTH as u32).filter(move |other| *other != node)
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
            for node in self.others(row) {
                let node = node as usize;
                let (up, down) = (self.up[node], self.down[node]);
                self.down[up as usize] = down;
                self.up[down as usize] = up;
                self.len[self.item[node] as usize] -= 1;
            }
            row = self.down[row as usize];
        }
    }

    /// Undoes [`DancingLinks::cover`].
    fn uncover(&mut self, item: u32) {
        let item_index = item as usize;
        let mut row = self.up[item_index];
        while row != item {
            for node in self.others(row).rev() {
                let node_index = node as usize;
                let (up, down) = (self.up[node_index], self.down[node_index]);
                self.down[up as usize] = node;
                self.up[down as usize] = node;
                self.len[self.item[node_index] as usize] += 1;
            }
            row = self.up[row as usize];
        }
        let (left, right) = (self.left[item_index], self.right[item_index]);
        self.right[left as usize] = item;
        self.left[right as usize] = item;
    }

    /// The first of the items with the fewest options; `None` if all items are covered.
    fn fewest(&self) -> Option<u32> {
        let mut best_item = None;
        let mut fewest_options = u32::MAX;
        let mut item = self.right[0];
        while item != 0 {
            let len = self.len[item as usize];
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

/// A search for exact covers.
pub(crate) struct Cover {
    links: DancingLinks,
    limits: Limits,
    /// The number of options that may still be taken before the search gives up.
    work_left: u64,
    chosen_options: Vec<usize>,
    /// The number of covers found, up to the limit.
    pub(crate) count: u32,
    /// The options of the first cover; `None` if there is none.
    pub(crate) first_cover: Option<Vec<usize>>,
    /// The number of options that were tried while their item had others left.
    pub(crate) guesses: u64,
    /// The number of options that were tried because another option of the item had failed.
    pub(crate) backtracks: u64,
    /// The largest number of options that were taken at the same time.
    pub(crate) deepest: usize,
    /// Whether the limit of work ended the search.
    pub(crate) gave_up: bool,
}

impl Cover {
    /// Searches for exact covers of `item_count` items.
    pub(crate) fn search(
        item_count: usize,
        options: impl Iterator<Item = [usize; WIDTH]>,
        limits: Limits,
        work_limit: u64,
    ) -> Cover {
        let mut links = DancingLinks::new(item_count);
        options.for_each(|option| links.add(option));
        let mut cover = Cover {
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
        cover.descend();
        cover
    }

    /// Searches below the current state. Returns false if the whole search must end.
    fn descend(&mut self) -> bool {
        self.deepest = self.deepest.max(self.chosen_options.len());
        let Some(item) = self.links.fewest() else {
            self.count += 1;
            self.first_cover
                .get_or_insert_with(|| self.chosen_options.clone());
            return self.count < self.limits.solutions;
        };
        self.links.cover(item);
        let mut row = self.links.down[item as usize];
        let mut is_first = true;
        let mut goes_on = true;
        while goes_on && row != item {
            let next = self.links.down[row as usize];
            let is_guess = next != item;
            if is_guess && self.guesses == self.limits.nodes || self.work_left == 0 {
                self.gave_up = true;
                goes_on = false;
                break;
            }
            self.work_left -= 1;
            self.guesses += u64::from(is_guess);
            self.backtracks += u64::from(!is_first);
            is_first = false;
            self.chosen_options.push(self.links.option(row));
            for node in self.links.others(row) {
                self.links.cover(self.links.item[node as usize]);
            }
            goes_on = self.descend();
            for node in self.links.others(row).rev() {
                self.links.uncover(self.links.item[node as usize]);
            }
            self.chosen_options.pop();
            row = next;
        }
        self.links.uncover(item);
        goes_on
    }
}

/// The method `dlx` for 9 × 9 puzzles.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactCover;

impl SearchMethod for ExactCover {
    fn search(&self, board: &Candidates, limits: Limits) -> SearchRun {
        let candidates = Cell::all().flat_map(|cell| Digit::ALL.map(|digit| (cell, digit)));
        let options: Vec<(Cell, Digit)> = candidates
            .filter(|(cell, digit)| board.places(*digit).contains(*cell))
            .collect();
        let items = options.iter().map(|(cell, digit)| {
            let of_house = |kind: usize, index: usize| 81 * kind + 9 * index + digit.index();
            [
                cell.index(),
                of_house(1, cell.row()),
                of_house(2, cell.column()),
                of_house(3, cell.box_index()),
            ]
        });
        let cover = Cover::search(4 * 81, items, limits, u64::MAX);
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
