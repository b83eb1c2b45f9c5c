//! `dlx`: exact cover with Knuth's dancing links.
//!
//! An item has to be covered once: each cell, and each symbol in each row, column and box. An option
//! covers four of them: a symbol in a cell. The item with the fewest options left is tried next.
//!
//! The crates for exact cover enumerate solutions; none says how many options it tried, and none can
//! be stopped by that, which is what is compared here. So the links are our own.
//!
//! ```text
//! node 0          the root: the items that are still to be covered, left and right
//! nodes 1..=n     the items: their options, up and down
//! nodes n+1..     the options, `WIDTH` nodes side by side, one in the list of each of its items
//! ```

use super::descent::Run;
use super::{Limits, Search};
use crate::board::{Candidates, Cell, Digit, Grid};

/// How many items an option has.
const WIDTH: usize = 4;

/// The links, as a search changes and restores them.
#[derive(Clone)]
struct Links {
    left: Vec<u32>,
    right: Vec<u32>,
    up: Vec<u32>,
    down: Vec<u32>,
    item: Vec<u32>,
    /// Options left, by item.
    len: Vec<u32>,
    items: usize,
}

impl Links {
    fn new(items: usize) -> Links {
        let around = |step: usize| (0..=items).map(move |at| ((at + step) % (items + 1)) as u32);
        let own: Vec<u32> = (0..=items as u32).collect();
        Links {
            left: around(items).collect(),
            right: around(1).collect(),
            up: own.clone(),
            down: own.clone(),
            item: own,
            len: vec![0; items + 1],
            items,
        }
    }

    /// Adds an option with these items, which are counted from 0.
    fn add(&mut self, items: [usize; WIDTH]) {
        for item in items {
            let (node, item) = (self.up.len() as u32, item as u32 + 1);
            let last = self.up[item as usize];
            self.up.push(last);
            self.down.push(item);
            self.item.push(item);
            self.down[last as usize] = node;
            self.up[item as usize] = node;
            self.len[item as usize] += 1;
        }
    }

    /// The number of the option that a node is of, from 0.
    fn option(&self, node: u32) -> usize {
        (node as usize - self.items - 1) / WIDTH
    }

    /// The other nodes of a node's option.
    fn others(&self, node: u32) -> impl DoubleEndedIterator<Item = u32> + use<> {
        let first = (self.items + 1 + WIDTH * self.option(node)) as u32;
        (first..first + WIDTH as u32).filter(move |other| *other != node)
    }

    /// Takes an item out, and its options out of their other items.
    fn cover(&mut self, item: u32) {
        let at = item as usize;
        let (left, right) = (self.left[at], self.right[at]);
        self.right[left as usize] = right;
        self.left[right as usize] = left;
        let mut row = self.down[at];
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

    /// Undoes [`Links::cover`].
    fn uncover(&mut self, item: u32) {
        let at = item as usize;
        let mut row = self.up[at];
        while row != item {
            for node in self.others(row).rev() {
                let at = node as usize;
                let (up, down) = (self.up[at], self.down[at]);
                self.down[up as usize] = node;
                self.up[down as usize] = node;
                self.len[self.item[at] as usize] += 1;
            }
            row = self.up[row as usize];
        }
        let (left, right) = (self.left[at], self.right[at]);
        self.right[left as usize] = item;
        self.left[right as usize] = item;
    }

    /// The first of the items with the fewest options.
    fn fewest(&self) -> Option<u32> {
        let mut best = None;
        let mut least = u32::MAX;
        let mut item = self.right[0];
        while item != 0 {
            let len = self.len[item as usize];
            if len < least {
                (best, least) = (Some(item), len);
                if len <= 1 {
                    break;
                }
            }
            item = self.right[item as usize];
        }
        best
    }
}

/// A search for exact covers.
pub(crate) struct Cover {
    links: Links,
    limits: Limits,
    /// Options that may be taken before the search gives up.
    work: u64,
    chosen: Vec<usize>,
    /// Covers found, up to the limit.
    pub(crate) count: u32,
    /// The options of the first.
    pub(crate) first: Option<Vec<usize>>,
    /// Options tried while their item had another.
    pub(crate) guesses: u64,
    /// Options that were tried because the one before had failed.
    pub(crate) backtracks: u64,
    /// The most options taken at once.
    pub(crate) deepest: usize,
    /// Whether a limit ended the search.
    pub(crate) gave_up: bool,
}

impl Cover {
    /// Searches for covers of so many items.
    pub(crate) fn search(
        items: usize,
        options: impl Iterator<Item = [usize; WIDTH]>,
        limits: Limits,
        work: u64,
    ) -> Cover {
        let mut links = Links::new(items);
        options.for_each(|option| links.add(option));
        let mut cover = Cover {
            links,
            limits,
            work,
            chosen: Vec::new(),
            count: 0,
            first: None,
            guesses: 0,
            backtracks: 0,
            deepest: 0,
            gave_up: false,
        };
        cover.descend();
        cover
    }

    /// Whether the search goes on.
    fn descend(&mut self) -> bool {
        self.deepest = self.deepest.max(self.chosen.len());
        let Some(item) = self.links.fewest() else {
            self.count += 1;
            self.first.get_or_insert_with(|| self.chosen.clone());
            return self.count < self.limits.solutions;
        };
        self.links.cover(item);
        let mut row = self.links.down[item as usize];
        let mut is_first = true;
        let mut goes_on = true;
        while goes_on && row != item {
            let next = self.links.down[row as usize];
            let is_guess = next != item;
            if is_guess && self.guesses == self.limits.nodes || self.work == 0 {
                self.gave_up = true;
                goes_on = false;
                break;
            }
            self.work -= 1;
            self.guesses += u64::from(is_guess);
            self.backtracks += u64::from(!is_first);
            is_first = false;
            self.chosen.push(self.links.option(row));
            for node in self.links.others(row) {
                self.links.cover(self.links.item[node as usize]);
            }
            goes_on = self.descend();
            for node in self.links.others(row).rev() {
                self.links.uncover(self.links.item[node as usize]);
            }
            self.chosen.pop();
            row = next;
        }
        self.links.uncover(item);
        goes_on
    }
}

/// The method `dlx`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactCover;

impl Search for ExactCover {
    fn search(&self, board: &Candidates, limits: Limits) -> Run {
        let all = Cell::all().flat_map(|cell| Digit::ALL.map(|digit| (cell, digit)));
        let options: Vec<(Cell, Digit)> = all
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
        let mut run = Run::start();
        run.rules = None;
        run.filled = Some(cover.deepest as u8);
        run.solution.count = cover.count;
        run.solution.nodes = cover.guesses;
        run.solution.backtracks = cover.backtracks;
        run.solution.gave_up = cover.gave_up;
        run.solution.first = cover.first.map(|chosen| {
            let mut grid = Grid::EMPTY;
            for (cell, digit) in chosen.into_iter().map(|option| options[option]) {
                grid.set(cell, Some(digit));
            }
            grid
        });
        run
    }
}
