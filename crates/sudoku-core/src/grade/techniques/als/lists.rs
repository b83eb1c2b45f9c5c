//! Many short lists of numbers in one buffer, for example the neighbours of each node of a graph.

/// Lists of node numbers, stored one after the other in one buffer, because most of them are short.
pub(super) struct Lists {
    /// The index in `all` at which each list starts; the last value is the end of the last list.
    starts: Vec<u32>,
    all: Vec<u16>,
}

impl Lists {
    /// Lists the ends of links by their starts: list n has the end of each link that starts at node n. There are
    /// `count` lists.
    pub(super) fn of_links(count: usize, links: &[(u16, u16)]) -> Lists {
        let mut starts = vec![0; count + 1];
        for (from, _) in links {
            starts[usize::from(*from)] += 1;
        }
        // Each start is first set to the end of its list, because the lists are filled from their ends to their starts.
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut all = vec![0; links.len()];
        for (from, to) in links {
            let start = &mut starts[usize::from(*from)];
            *start -= 1;
            all[*start as usize] = *to;
        }
        Lists { starts, all }
    }

    /// The list with the index `n`.
    pub(super) fn slice(&self, n: usize) -> &[u16] {
        &self.all[self.starts[n] as usize..self.starts[n + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_listed_by_their_starts() {
        let lists = Lists::of_links(4, &[(0, 2), (2, 0), (2, 3), (3, 2), (0, 3)]);
        let sorted = |n| {
            let mut list = lists.slice(n).to_vec();
            list.sort_unstable();
            list
        };
        assert_eq!(
            [0, 1, 2, 3].map(sorted),
            [vec![2, 3], vec![], vec![0, 3], vec![2]]
        );
    }
}
